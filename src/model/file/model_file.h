/* The names that readers and writers of model files share; model_file_read.c has the format. */
#ifndef CNM_MODEL_FILE_MODEL_FILE_H
#define CNM_MODEL_FILE_MODEL_FILE_H

#include "model/model.h"

#define FILE_FORMAT "cnm 2"
#define FILE_CHECKSUM "checksum"
#define FILE_ENCODER "encoder"
/* Before an array's name. */
#define FILE_EXPONENT "exponent_"
/* The array of cnm_model.decision_offset. */
#define FILE_DECISION_OFFSET "decision_offset"
/* The record's entry with the type of the arrays of map and head, and the value for 16 bits. */
#define FILE_DTYPE "dtype"
#define FILE_HALF "f16"

/* The texts of task_kind, in its order. */
static const char *const FILE_TASKS[] = {"classify", "regress", "map"};

#endif
