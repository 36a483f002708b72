/* Prints results as lines of name and value, or as one JSON object. */
#ifndef CNM_CLI_PRINT_FACTS_H
#define CNM_CLI_PRINT_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* One line of name and value. */
typedef struct fact {
    const char *name;
    const char *text; /* NULL: a number */
    double number;    /* NaN with text NULL: the line is left out */
} fact;

/* Prints numbers with six digits, whole ones in full. In JSON texts have quotes, and lists
 * of numbers become arrays. */
void facts_print(FILE *out, const fact *facts, size_t count, bool json);

#endif
