/* Results as lines of name and value, or as one JSON object. */
#ifndef CNM_CLI_MODEL_FACTS_H
#define CNM_CLI_MODEL_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* One line. Numbers are written as given; JSON keeps texts in quotes. */
typedef struct fact {
    const char *name;
    const char *text; /* NULL: a number */
    double number;    /* NaN and text NULL: nothing to say */
} fact;

void facts_print(FILE *out, const fact *facts, size_t count, bool json);

#endif
