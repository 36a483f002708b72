/* All operations of the library, each as one row of a table, for tests that make every step
 * fail. */
#ifndef CNM_TESTS_FAULTS_OPERATIONS_H
#define CNM_TESTS_FAULTS_OPERATIONS_H

#include <stdbool.h>

#include "cnm/cnm.h"

enum { NUMBERS = 512, PAIRS = 20 };

/* The result of an operation; all zero where it failed. */
typedef struct outcome {
    cnm_model *model;
    cnm_data *data;
    float numbers[NUMBERS];
    size_t count;
} outcome;

typedef struct operation {
    const char *name;
    cnm_status (*run)(const struct operation *self, outcome *out, cnm_error *err);
    const char *rows;         /* name of a data set, or path to read */
    const char *path;         /* file to write, or NULL */
    size_t stride;            /* points from one try to the next: more than 1 where a try takes long */
    const char *pairs[PAIRS]; /* options, NULL-ended */
} operation;

extern const operation OPERATIONS[];
extern const size_t OPERATION_COUNT;

/* Makes the data sets, files and models that operations work on, in the current folder; and takes
 * them away again. */
void operations_prepare(void);
void operations_clean(void);

/* A file that operations_prepare leaves: the state of a training. A training that cannot write its
 * state goes on. */
#define OLD_STATE "old.state"

/* A number for what is in `out`, and its end. */
uint64_t outcome_checksum(const outcome *out);
void outcome_free(outcome *out);

#endif
