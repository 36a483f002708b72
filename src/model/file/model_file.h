/* The model file: safetensors with the arrays below and texts in __metadata__.
 *
 *   array      type, shape               what
 *   base       F32, F64 (columns)        what readers subtract first, so that large columns keep their digits
 *   offset     F32 (columns)             subtracted from the columns: as it is, or, where there is a base, less that
 *   fill       F32 (columns)             stands for missing values; likewise
 *   scale      F32 (columns)             with asinh only: elsewhere it is folded into the map or the head
 *   theta      F32, F16 (columns, features)   dense map
 *   filters    F32, F16 (blocks, columns)     circulant map, ...
 *   signs      U8 (ceil(columns / 8))    ... its D, bit j of byte j / 8 set where D is -1, ...
 *   diagonal   F32, F16 (1, columns)     ... and the column scales, where they differ; (blocks, columns) of circulant-diagonal
 *   phase      F32, F16 (features)
 *   head       F32, F16 (features, outputs)   constant factors folded in; two classes have one output
 *   bias       F32, F16 (outputs)
 *   shift      F32 (outputs)             what of the bias is there to decide by, and no part of probabilities
 *
 * F64 offset and fill are true values, whatever the base. A number of an F16 array stands for itself times two to the power of the
 * metadata's "exponent_NAME", 0 where there is none.
 * Absent arrays mean none. Metadata: "checksum", "format" = "cnm 1", then what the map is, labels and names as lists
 * (model/metadata.h), and the record. Everything is checked before use; all numbers must be finite. */
#ifndef CNM_MODEL_FILE_MODEL_FILE_H
#define CNM_MODEL_FILE_MODEL_FILE_H

#include "model/model.h"

#define FILE_FORMAT "cnm 1"
#define FILE_CHECKSUM "checksum"
/* Before an array's name. */
#define FILE_EXPONENT "exponent_"
/* The record's entry that says how arrays of map and head are kept, and the value for 16 bits. */
#define FILE_WEIGHTS "weights"
#define FILE_HALF "f16"

/* The texts of task_kind, in its order. */
static const char *const FILE_TASKS[] = {"classify", "regress", "map"};

#endif
