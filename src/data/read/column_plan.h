/* The use of each column of a file: a feature, the label, the weight, the group, or none. Only the
 * files of this module use it. */
#ifndef CNM_DATA_READ_COLUMN_PLAN_H
#define CNM_DATA_READ_COLUMN_PLAN_H

#include "data/read/reader_options.h"
#include "data/table/column_type.h"

#define NO_COLUMN SIZE_MAX

typedef struct column_plan {
    size_t count;    /* columns of the file */
    size_t features; /* columns of the rows */
    size_t label, weight, group;
    size_t id;        /* --id: its text names the row, beside its other role */
    size_t row_names; /* a column that only names the rows, or NO_COLUMN */
    bool *dropped;    /* (count): by reader_options.drop */
    bool *listed;     /* (count): by reader_options.only; NULL: all */
    size_t *target;   /* (count): the feature that a file's column becomes, or NO_COLUMN */
    size_t *absent;   /* (absent_count): features that no column becomes, which the model does not use */
    size_t absent_count;
    size_t *until;             /* (count): end of the run of plain numbers whose features follow each other */
    column_type *cells;        /* (count): how the cells of a column are written; without words */
    column_type *types;        /* (features): those of the rows, without words; NULL: all plain numbers */
    const char *missing_words; /* see reader_options; borrowed */
    bool marked;               /* a number may be among missing_words: each cell is compared */
    char **names;              /* (features) or NULL */
    char **found;              /* (count) the file's names or NULL; for messages */
    char *label_column;        /* see reader_label_column */
    bool label_measured;       /* labels are numbers, none is a word */
    bool recalled;             /* the columns are a model's: rows need no label */
    const char *label_reason;  /* see reader_label_reason */
} column_plan;

/* What a file's content suggests about its columns; NO_COLUMN: nothing. */
typedef struct column_guess {
    size_t label;             /* used where the options leave it open */
    const char *label_reason; /* why that column; static, or NULL */
    size_t row_names;         /* left out, unless the options name it */
    size_t empty;             /* the same, with all behind it: the rows end with separators */
    bool *measured;           /* (count) numbers that no classes are; or NULL */
    bool *blank;              /* (count) no cell but missing ones among the first rows; or NULL */
    column_type *types;       /* (count) how cells are written, without words; NULL: numbers in binary */
} column_guess;

/* Of columns of binary numbers without names. */
#define NO_GUESS ((column_guess){.label = NO_COLUMN, .row_names = NO_COLUMN, .empty = NO_COLUMN})

void column_plan_free(column_plan *self);

/* Returns whether cells are plain numbers, which are read many at once. */
static inline bool column_is_plain(const column_type *self) {
    return self->kind == COLUMN_NUMBER && self->format.decimal != ',' && self->format.thousands == '\0' &&
           !self->format.units;
}

/* Returns whether most cells of a column can be read without looking at each byte. */
static inline bool column_is_fast(const column_plan *self, size_t column) {
    return column_is_plain(&self->cells[column]) && !self->marked;
}

/* Writes "column 3" or "column 3 ('age')". */
enum { COLUMN_SHOWN_SIZE = 96 };
const char *column_plan_show(const column_plan *self, size_t column, char out[COLUMN_SHOWN_SIZE]);
/* Returns the file's column that became this feature. */
size_t column_plan_source(const column_plan *self, size_t feature);

#endif
