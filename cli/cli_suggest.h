/* "Did you mean ...?" for names of options and commands. */
#ifndef CNM_CLI_CLI_SUGGEST_H
#define CNM_CLI_CLI_SUGGEST_H

#include <stddef.h>

/* The best guess so far. Zero-initialise. */
typedef struct suggestion {
    const char *word; /* NULL: nothing is near */
    size_t distance;
} suggestion;

/* Takes word when it is nearer to `given` than what was found before. */
void suggest(suggestion *self, const char *given, const char *word);

#endif
