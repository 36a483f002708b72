/* What each column of a file is: a feature, the label, the weight, the group, or nothing. Only the files of this room use it. */
#ifndef CNM_DATA_READ_COLUMN_PLAN_H
#define CNM_DATA_READ_COLUMN_PLAN_H

#include "data/read/reader.h"
#include "data/read/one_hot.h"

#define NO_COLUMN SIZE_MAX

typedef struct column_plan {
    size_t count;    /* columns of the file */
    size_t features; /* columns of the rows */
    size_t label, weight, group;
    size_t row_names;   /* a column that only names the rows, or NO_COLUMN */
    size_t *target;     /* (count): the feature that a file's column becomes, or NO_COLUMN; of coded ones the first */
    word_codes *coded;  /* (count): words that become features, for columns of words */
    size_t *until;      /* (count): columns up to this one, not counted, become features one behind the other */
    char **names;       /* (features) or NULL */
    char **found;       /* (count) the file's names or NULL; for messages */
    char *label_column; /* see reader_label_column */
} column_plan;

/* What a file's content tells about its columns; NO_COLUMN: nothing. */
typedef struct column_guess {
    size_t label;      /* where the options leave it open */
    size_t row_names;  /* left out, unless the options name it */
    word_codes *words; /* (count) of columns of few words, their features unset; or NULL */
} column_guess;

/* Plans `count` columns of the file `name`; names (count, or NULL) are copied. On failure out is empty. */
cnm_status columns_plan(column_plan *out, const char *name, size_t count, char *const *names, column_guess guess,
                        const reader_options *options, const cnm_callbacks *callbacks, cnm_error *err);
void columns_free(column_plan *self);

/* "column 3" or "column 3 ('age')". */
enum { COLUMN_SHOWN_SIZE = 96 };
const char *columns_show(const column_plan *self, size_t column, char out[COLUMN_SHOWN_SIZE]);
/* The file's column that became this feature. */
size_t columns_source(const column_plan *self, size_t feature);

/* The column that `wanted` (a name, or a number from 1) names, or NO_COLUMN. names (count) may be NULL. */
size_t columns_find(char *const *names, size_t count, const char *wanted);

/* The label's column by name (label, class, target, y in any case), or NO_COLUMN. `surely` leaves out y, which is as often a
 * coordinate. */
size_t columns_named_label(size_t count, char *const *names, bool surely);

#endif
