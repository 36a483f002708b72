/* The one table of options: every name, default, range and help text of the library. Nothing else repeats them.
 *
 * Not here: storing values (options.c) and reading them from text (option_values.c). */
#ifndef CNM_API_OPTION_TABLE_H
#define CNM_API_OPTION_TABLE_H

#include "cnm/cnm.h"
#include "learn/settings.h"

typedef struct option_row option_row;

/* Reads a value from `text` into its field of `out`, or fails with a sentence. A text field keeps the pointer. */
typedef cnm_status option_reader(const option_row *row, char *text, settings *out, cnm_error *err);

struct option_row {
    cnm_option_info info;
    option_reader *read;
    size_t offset;       /* of the field in settings */
    double low, high;    /* numbers and counts: the range, ends included */
    const char *word;    /* numbers and counts: a word that means `automatic` ("auto", "all", "none"), or NULL */
    double automatic;    /* numbers: what that word stands for */
    const char *choices; /* gamma and separator: the words among info.values, in the order of their numbers */
    bool aside;          /* may differ when a training is resumed: the outcome does not follow from it */
    const char *later;   /* not in this version yet: what to do instead; NULL for an option that is offered */
};

size_t option_table_size(void);
const option_row *option_table_row(size_t i);
/* The settings that the initial texts of the table stand for. */
extern const settings OPTION_DEFAULTS;

option_reader option_read_choice, option_read_count, option_read_number, option_read_text, option_read_flag;
option_reader option_read_gamma, option_read_penalty, option_read_rows, option_read_shuffle, option_read_separator;

#endif
