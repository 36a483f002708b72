/* The model file: safetensors with the arrays below and texts in __metadata__.
 *
 *   array      type, shape               what
 *   offset     F32 or F64 (columns)      subtracted from the columns; F64 together with base
 *   base       F64 (columns)             what readers subtract first, so that large columns keep their digits
 *   fill       F64 (columns)             stands for missing values
 *   scale      F32 (columns)             with asinh only: elsewhere it is folded into the map or the head
 *   theta      F32 (columns, features)   dense map
 *   filters    F32 (blocks, columns)     circulant map, ...
 *   signs      U8 (ceil(columns / 8))    ... its D, bit j of byte j / 8 set where D is -1, ...
 *   diagonal   F32 (1, columns)          ... and the column scales, where they differ
 *   phase      F32 (features)
 *   head       F32 (features, outputs)   constant factors folded in; two classes have one output
 *   bias       F32 (outputs)
 *
 * Absent arrays mean none. Metadata: "checksum", "format" = "cnm 1", then what the map is, labels and names as lists
 * (model/record.h), and the record. Everything is checked before use; all numbers must be finite. */
#ifndef CNM_MODEL_FILE_H
#define CNM_MODEL_FILE_H

#include "model/model.h"

#define FILE_FORMAT "cnm 1"
#define FILE_CHECKSUM "checksum"

/* The texts of task_kind, in its order. */
static const char *const FILE_TASKS[] = {"classify", "regress", "map"};

#endif
