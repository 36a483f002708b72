/* Finds the name for "did you mean ...?", of options and commands. */
#ifndef CNM_CLI_CLI_SUGGEST_H
#define CNM_CLI_CLI_SUGGEST_H

#include <stddef.h>

/* The nearest word so far. Zero-initialise. */
typedef struct suggestion {
    const char *word; /* NULL: none is near */
    size_t distance;
} suggestion;

/* Takes `word` when it is nearer to `given` than the words before. */
void suggest(suggestion *self, const char *given, const char *word);

#endif
