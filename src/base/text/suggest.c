/* "Did you mean ...?": the nearest word by edit distance. */
#include "base/text/suggest.h"

#include <stdint.h>
#include <string.h>

enum { LONGEST = 32 }; /* no option or choice is longer */

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Optimal string alignment: three rows of the usual table. */
static size_t edits(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t cost[3][LONGEST + 1];
    size_t *before = cost[0], *last = cost[1], *now = cost[2];
    for (size_t j = 0; j <= b_length; j++) {
        before[j] = 0;
        last[j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        now[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                now[j] = least(now[j], before[j - 2] + 1);
            }
        }
        size_t *spare = before;
        before = last;
        last = now;
        now = spare;
    }
    return last[b_length];
}

size_t suggest_distance(const char *given, const char *word, size_t length) {
    const size_t given_length = strlen(given);
    if (given_length == 0 || given_length > LONGEST || length > LONGEST) {
        return SIZE_MAX;
    }
    if (given_length >= 2 && given_length < length && memcmp(given, word, given_length) == 0) {
        return 1;
    }
    const size_t distance = edits(given, given_length, word, length);
    return distance <= (given_length + 2) / 3 && distance < length ? distance : SIZE_MAX;
}

const char *suggest_word(const char *given, const char *list, size_t *length) {
    const char *best = NULL;
    size_t best_distance = SIZE_MAX;
    for (const char *word = list; *word != '\0';) {
        const size_t size = strcspn(word, "|");
        const size_t distance = suggest_distance(given, word, size);
        if (distance < best_distance) {
            best = word;
            best_distance = distance;
            *length = size;
        }
        word += size + (word[size] == '|');
    }
    return best;
}
