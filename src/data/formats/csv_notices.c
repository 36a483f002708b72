/* Sends one sentence for each guess that could be wrong. Guesses from names, and those without
 * another possible meaning, need none. */
#include "data/formats/csv_notices.h"

#include <string.h>

#include "base/core/error.h"

static void note_label(const char *file, const csv_shape *shape, const column_plan *columns,
                       const cnm_callbacks *callbacks) {
    if (columns->label != shape->guess.label || !shape->surprise) {
        return;
    }
    notice_send(callbacks,
                columns->label == 0
                    ? "%s: the first column is taken as the label, since it alone is numbered as classes are; "
                      "--label-column settles it"
                    : "%s: the last column is taken as the label, though the first is numbered as classes are, since "
                      "others are, too; --label-column settles it",
                file);
}

/* Says how numbers and times are read, by an example. */
static void note_examples(const char *file, const csv_shape *shape, const column_plan *columns,
                          const reader_options *options, const cnm_callbacks *callbacks) {
    const cell_example *comma = &shape->examples[EXAMPLE_DECIMAL_COMMA];
    const cell_example *thousands = &shape->examples[EXAMPLE_THOUSANDS], *unit = &shape->examples[EXAMPLE_UNIT];
    const cell_example *date = &shape->examples[EXAMPLE_DAY_OR_MONTH], *stray = &shape->examples[EXAMPLE_STRAY];
    char where[COLUMN_SHOWN_SIZE];
    if (comma->text[0] != '\0' && options->decimal == 0) {
        notice_send(callbacks, "%s: numbers are written with a decimal comma, as in %s; --decimal point settles it",
                    file, comma->text);
    }
    if (thousands->text[0] != '\0') {
        notice_send(callbacks, "%s: thousands are written with a separator, as in %s", file, thousands->text);
    }
    if (unit->text[0] != '\0') {
        notice_send(callbacks, "%s: numbers have units, which are left out, as in %s", file, unit->text);
    }
    if (stray->text[0] != '\0' && columns->target[stray->column] != NO_COLUMN) {
        notice_send(callbacks,
                    "%s: %s is read as words, though most of its cells are numbers or times: not '%s', which --na '%s' "
                    "takes for a missing value",
                    file, column_plan_show(columns, stray->column, where), stray->text, stray->text);
    }
    if (date->text[0] != '\0') {
        const bool day = shape->guess.types[date->column].format.order == TIME_DAY_MONTH_YEAR;
        notice_send(callbacks, "%s: dates in %s are taken to have the %s first, as in %s", file,
                    column_plan_show(columns, date->column, where), day ? "day" : "month", date->text);
    }
}

void csv_notices_send(const char *file, const csv_shape *shape, const column_plan *columns,
                      const reader_options *options, const cnm_callbacks *callbacks) {
    const char *wanted = options->label_column;
    if (shape->counted) {
        notice_send(callbacks,
                    "%s: the first line counts the columns, so it is taken for their names; --header no settles it",
                    file);
    }
    if (columns->row_names != NO_COLUMN) {
        notice_send(callbacks, "%s: the first column has no name, so it is taken for names of the rows and left out",
                    file);
    }
    if (shape->guess.empty != NO_COLUMN) {
        const size_t count = shape->columns - shape->guess.empty;
        if (count == 1) {
            notice_send(callbacks, "%s: the last column is empty and has no name, so it is left out", file);
        } else {
            notice_send(callbacks, "%s: the last %zu columns are empty and have no names, so they are left out", file,
                        count);
        }
    }
    if (wanted == NULL || strcmp(wanted, "auto") == 0) {
        note_label(file, shape, columns, callbacks);
    }
    note_examples(file, shape, columns, options, callbacks);
}
