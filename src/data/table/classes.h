/* From labels as read to what a learner needs: a set of classes with a code for each row, or
 * regression targets. */
#ifndef CNM_DATA_TABLE_CLASSES_H
#define CNM_DATA_TABLE_CLASSES_H

#include "data/table/table.h"

typedef enum task_kind { TASK_CLASSIFY, TASK_REGRESS, TASK_MAP } task_kind;

/* The distinct labels in order: numbers ascending, or words by bytes. */
typedef struct class_set {
    size_t count;
    char **labels; /* (count) texts; numbers in shortest form */
    bool numeric;  /* all are numbers: compared by value */
} class_set;

/* Guesses the task from labels: words, two values, or whole numbers with few distinct values (at
 * most 100, and at most a quarter of the rows) are classes; anything else is regression. More than
 * 20 whole numbers are regression, too, where one number has a single row and a number has six rows
 * on average: scores are distributed so. Sets *unsure in that case, and where the rarest number has
 * less than a tenth of the average number of rows. */
task_kind task_guess(const label_column *labels, bool *unsure);

cnm_status classes_create(class_set *out, const label_column *labels, cnm_error *err);
cnm_status classes_copy(class_set *out, const class_set *self, cnm_error *err);
void classes_free(class_set *self);

/* Fills codes (rows) with the class number of each row's label, -1 for a label that is not in the
 * set; counts the latter in *unknown. */
cnm_status classes_encode(const class_set *self, const label_column *labels, int32_t *codes, size_t *unknown,
                          cnm_error *err);

#endif
