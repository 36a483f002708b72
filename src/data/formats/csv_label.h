/* Which column of a file of separated values is the label, judged by what its first lines hold. Only the files of this room
 * use it. */
#ifndef CNM_DATA_FORMATS_CSV_LABEL_H
#define CNM_DATA_FORMATS_CSV_LABEL_H

#include "data/formats/csv_sniff.h"

enum { MAX_VALUES = 100 };

/* The different numbers of one column, in order of appearance; one more than MAX_VALUES stands for any more. */
typedef struct value_set {
    size_t count;
    double values[MAX_VALUES + 1];
} value_set;

/* What the lines hold in one column. */
typedef struct column_facts {
    size_t numbers, words;
    bool first_is_word; /* in the first line, which may be a header */
    size_t repeats;     /* how often what the first line holds comes again */
    bool uncounted;     /* some number is not among those that numbered classes have */
    uint64_t counted;   /* bit v + 1: the number v is there, from -1 to 62 */
    double first;       /* its first number */
    size_t unlike;      /* how many numbers differ from that */
} column_facts;

typedef struct sample_facts {
    column_facts *columns;
    value_set last; /* of the last column */
    bool wordy;     /* some cell is a word */
} sample_facts;

/* A number of column j, which is the last of the file or not. */
void sample_facts_note(sample_facts *self, size_t j, bool last, double value);

/* Sets guess and surprise of a shape whose other fields are known. */
void csv_find_label(csv_shape *shape, const sample_facts *facts, const reader_options *options);

#endif
