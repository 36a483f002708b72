/* The one table of options: every name, default, range and help text of the library. Nothing else
 * repeats them.
 *
 * Not here: the words of choices (option_words.c), reading values from text (option_values.c),
 * storing them (options.c). */
#ifndef CNM_API_OPTION_TABLE_H
#define CNM_API_OPTION_TABLE_H

#include "api/option_words.h"
#include "cnm/cnm.h"
#include "learn/settings.h"

typedef struct option_row option_row;

/* Reads a value from `text` into the row's field of `out`, or fails with a sentence. A text field
 * keeps the pointer. */
typedef cnm_status option_reader(const option_row *row, char *text, settings *out, cnm_error *err);

struct option_row {
    const char *name;
    char letter;
    const char *type, *default_value;
    const char *values; /* what is allowed beside the words below, or NULL */
    const char *help, *group;
    unsigned purpose;
    option_reader *read;
    size_t offset;             /* of the field in settings */
    const option_words *words; /* choices, gamma and separator; or NULL */
    double low, high;          /* numbers and counts: the range, ends included */
    const char *word;          /* numbers, counts: the word that means `automatic`, or NULL */
    double automatic;          /* numbers: what that word stands for */
    bool aside;                /* may differ when a training is resumed */
    const char *common;        /* for a row that most people use: its help in at most 45 characters; else NULL */
    const char *later;         /* not offered yet: what to do instead; else NULL */
};

size_t option_table_size(void);
const option_row *option_table_row(size_t i);
/* Returns the row's index, or the table's size. */
size_t option_find(const char *name);
/* Fills out (CNM_OPTION_VALUES_SIZE bytes) with all that is allowed: "auto|one|two", "auto|1 to
 * 1e9", "FILE". */
void option_values(const option_row *row, char *out);
/* The settings that the default texts of the table stand for. */
extern const settings OPTION_DEFAULTS;

option_reader option_read_choice, option_read_count, option_read_number, option_read_text, option_read_flag;
option_reader option_read_layers, option_read_gamma, option_read_penalty, option_read_rows, option_read_shuffle,
    option_read_separator;

#endif
