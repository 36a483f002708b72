/* Compares words by the number of letters to insert, delete or replace (Levenshtein 1966). */
#include "cli_suggest.h"

#include <string.h>

enum { LONGEST = 24 }; /* no option or command is longer */

/* Returns the distance, computed with one row: cost[j] = edits from the first i letters of a to the
 * first j of b. */
static size_t edits(const char *a, const char *b, size_t b_length) {
    size_t cost[LONGEST + 1];
    for (size_t j = 0; j <= b_length; j++) {
        cost[j] = j;
    }
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t corner = cost[0];
        cost[0] = i + 1;
        for (size_t j = 0; j < b_length; j++) {
            size_t best = corner + (a[i] != b[j]);
            best = cost[j + 1] + 1 < best ? cost[j + 1] + 1 : best;
            best = cost[j] + 1 < best ? cost[j] + 1 : best;
            corner = cost[j + 1];
            cost[j + 1] = best;
        }
    }
    return cost[b_length];
}

void suggest(suggestion *self, const char *given, const char *word) {
    const size_t length = strlen(given), word_length = strlen(word);
    if (length < 2 || length > LONGEST || word_length > LONGEST) {
        return;
    }
    const size_t distance = strncmp(given, word, length) == 0 ? 0 : edits(given, word, word_length);
    if (distance <= (length + 2) / 3 && (self->word == NULL || distance < self->distance)) {
        *self = (suggestion){word, distance};
    }
}
