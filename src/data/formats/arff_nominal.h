/* The values that a nominal attribute declares: {a, b, c}. Only the files of this module use it. */
#ifndef CNM_DATA_FORMATS_ARFF_NOMINAL_H
#define CNM_DATA_FORMATS_ARFF_NOMINAL_H

#include "cnm/types.h"
#include "data/read/text_cells.h"

typedef struct arff_nominal {
    size_t count;
    double *numbers; /* (count) ascending, when all values are numbers */
    char **words;    /* (count) ascending by bytes, otherwise */
    size_t capacity;
    char *initial; /* the first declared value, which sparse rows leave out */
    char *shown;   /* the first few declared values, for messages */
} arff_nominal;

/* Quotes ' and " with backslashes, cells between commas. */
extern const cell_style ARFF_STYLE;

/* Returns where the brace that opens at `at` is closed, quoted braces aside, or NULL. */
char *arff_nominal_end(char *at, char *end);

/* Reads the text between the braces, [at, end), which is decoded in place. On failure out is
 * empty. */
cnm_status arff_nominal_read(arff_nominal *out, char *at, char *end, cnm_error *err);
void arff_nominal_free(arff_nominal *self);

bool arff_nominal_have_number(const arff_nominal *self, double value);
bool arff_nominal_have_text(const arff_nominal *self, const char *text, size_t length);

#endif
