/* The values that a nominal attribute declares: {a, b, c}. Only the files of this room use it. */
#ifndef CNM_DATA_FORMATS_ARFF_NOMINAL_H
#define CNM_DATA_FORMATS_ARFF_NOMINAL_H

#include "cnm/types.h"
#include "data/read/text_cells.h"

typedef struct arff_values {
    size_t count;
    double *numbers; /* (count) ascending, when all are numbers: compared by value */
    char **words;    /* (count) by bytes, otherwise */
    size_t capacity;
    char *initial; /* the first as declared, which sparse rows leave out */
    char *shown;   /* the first few as declared, for messages */
} arff_values;

/* Where the brace that opens at `at` is closed, quoted braces aside; NULL when it is not. */
char *arff_values_end(char *at, char *end);

/* Takes what stands between the braces, [at, end), which is decoded in place. On failure out is empty. */
cnm_status arff_values_read(arff_values *out, char *at, char *end, cnm_error *err);
void arff_values_free(arff_values *self);

bool arff_values_have_number(const arff_values *self, double value);
bool arff_values_have_text(const arff_values *self, const char *text, size_t length);

#endif
