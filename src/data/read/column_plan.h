/* The use of each column of a file: a feature, the label, the weight, the group, or none. Only the
 * files of this module use it. */
#ifndef CNM_DATA_READ_COLUMN_PLAN_H
#define CNM_DATA_READ_COLUMN_PLAN_H

#include "data/read/one_hot.h"
#include "data/read/reader_options.h"

#define NO_COLUMN SIZE_MAX

typedef struct column_plan {
    size_t count;    /* columns of the file */
    size_t features; /* columns of the rows */
    size_t label, weight, group;
    size_t row_names; /* a column that only names the rows, or NO_COLUMN */
    bool *dropped;    /* (count): by reader_options.drop */
    bool *listed;     /* (count): by reader_options.only; NULL: all */
    /* (count): the feature that a file's column becomes, or NO_COLUMN; the first of coded ones. */
    size_t *target;
    one_hot *coded;     /* (count): words that become features, for columns of words */
    size_t *until;      /* (count): end of the run of numbers whose features follow each other */
    char **names;       /* (features) or NULL */
    char **found;       /* (count) the file's names or NULL; for messages */
    char *label_column; /* see reader_label_column */
} column_plan;

/* What a file's content suggests about its columns; NO_COLUMN: nothing. */
typedef struct column_guess {
    size_t label;     /* used where the options leave it open */
    size_t row_names; /* left out, unless the options name it */
    one_hot *words;   /* (count) of columns of few words, their features unset; or NULL */
} column_guess;

void column_plan_free(column_plan *self);

/* Writes "column 3" or "column 3 ('age')". */
enum { COLUMN_SHOWN_SIZE = 96 };
const char *column_plan_show(const column_plan *self, size_t column, char out[COLUMN_SHOWN_SIZE]);
/* Returns the file's column that became this feature. */
size_t column_plan_source(const column_plan *self, size_t feature);

#endif
