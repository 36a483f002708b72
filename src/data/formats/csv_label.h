/* Finds the label column of a file of separated values by the content of its first lines. Only the
 * files of this module use it. */
#ifndef CNM_DATA_FORMATS_CSV_LABEL_H
#define CNM_DATA_FORMATS_CSV_LABEL_H

#include "data/encode/type_guess.h"
#include "data/formats/csv_shape.h"

enum { MAX_VALUES = 100 };

/* The different numbers of one column, in order of appearance; MAX_VALUES + 1 of them mean any
 * larger number. */
typedef struct value_set {
    size_t count;
    double values[MAX_VALUES + 1];
} value_set;

/* Facts about one column of the lines. */
typedef struct column_facts {
    size_t numbers, words; /* cells below the first line: plain numbers, and others that are not missing */
    size_t filled;         /* that stand for missing cells, and are not empty */
    bool first_is_word;    /* the first line, which may be a header, has no number, time or missing cell */
    bool first_is_other;   /* it has no plain number and no missing cell */
    size_t repeats;        /* later cells that equal that of the first line */
    bool fractional;       /* some number is not whole */
    bool uncounted;        /* some number is not one that numbered classes have */
    uint64_t counted;      /* bit v + 1: the number v occurs, from -1 to 62 */
    double first;          /* the first number */
    size_t unlike;         /* numbers that differ from the first */
    /* csv_types.c: of columns whose cells are not all plain numbers. */
    bool chosen, seen; /* to be looked at next; was looked at */
    type_guess guess;
    dictionary different; /* the different cells */
    char examples[EXAMPLE_KINDS][EXAMPLE_SIZE];
} column_facts;

typedef struct sample_facts {
    column_facts *columns;
    value_set last; /* of the last column */
    size_t rows;    /* of the sample, below the first line */
    bool cut;       /* there are more rows than those that were looked at */
} sample_facts;

/* Notes a number of column j; last: whether that is the last of the file. */
void sample_facts_note(sample_facts *self, size_t j, bool last, double value);

/* Sets guess.label, guess.label_reason, guess.row_names and surprise of a shape whose other fields
 * are known. */
cnm_status csv_label_find(csv_shape *shape, const sample_facts *facts, const reader_options *options, cnm_error *err);

#endif
