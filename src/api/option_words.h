/* The words of choices, and the value that settings keep for each. Words that name rows of a table
 * elsewhere are taken from that table. */
#ifndef CNM_API_OPTION_WORDS_H
#define CNM_API_OPTION_WORDS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct option_word {
    const char *word;
    int value;
} option_word;

/* Fixed words first, then the names of a table, whose i-th row is kept as `fixed words + i`. */
typedef struct option_words {
    const option_word *fixed;      /* up to one without a word; or NULL */
    const char *(*name)(size_t i); /* of the table's i-th row, NULL behind the last; or NULL */
} option_words;

/* Fills *out with the i-th word; false behind the last. words may be NULL: there is none. */
bool option_word_at(const option_words *words, size_t i, option_word *out);
/* Finds a word; false when there is no such word. */
bool option_word_find(const option_words *words, const char *text, int *value);
/* Returns the word of a value, or NULL. */
const char *option_word_of(const option_words *words, int value);

extern const option_words METHOD_WORDS, PROJECTION_WORDS, INIT_WORDS, PHASE_WORDS, KERNEL_WORDS, GAMMA_WORDS,
    ACTIVATION_WORDS, TASK_WORDS, DTYPE_WORDS, RECIPE_WORDS, LOSS_WORDS, DISTILL_WORDS, ESTIMATE_WORDS, EFFORT_WORDS,
    METRIC_WORDS, SCALE_WORDS, MISSING_WORDS, FORMAT_WORDS, HEADER_WORDS, SEPARATOR_WORDS, DECIMAL_WORDS,
    ENCODING_WORDS, FLAG_WORDS;

#endif
