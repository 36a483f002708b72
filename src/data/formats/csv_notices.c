/* Sends one sentence for each guess that could be wrong. Guesses from names, and those without
 * another possible meaning, need none. */
#include "data/formats/csv_notices.h"

#include <string.h>

#include "base/core/error.h"

static void note_label(const char *file, const csv_shape *shape, const column_plan *columns,
                       const cnm_callbacks *callbacks) {
    char shown[COLUMN_SHOWN_SIZE];
    if (columns->label != shape->guess.label) {
        return;
    }
    if (shape->by_words) {
        notice_send(callbacks, "%s: %s is taken as the label, since it alone holds words; --label-column settles it",
                    file, column_plan_show(columns, columns->label, shown));
    } else if (shape->surprise && columns->label == 0) {
        notice_send(callbacks,
                    "%s: the first column is taken as the label, since it alone is numbered as classes are; "
                    "--label-column settles it",
                    file);
    } else if (shape->surprise) {
        notice_send(callbacks,
                    "%s: the last column is taken as the label, though the first is numbered as classes are, since "
                    "others are, too; --label-column settles it",
                    file);
    }
}

static void note_words(const char *file, const column_plan *columns, const cnm_callbacks *callbacks) {
    char shown[COLUMN_SHOWN_SIZE];
    size_t count = 0, first = 0;
    for (size_t j = columns->count; j-- > 0;) {
        if (columns->coded[j].count > 0) {
            count++;
            first = j;
        }
    }
    if (count > 0) {
        notice_send(callbacks,
                    "%s: %zu column%s of words become%s features of 0 and 1, one for each word; the first is %s", file,
                    count, count == 1 ? "" : "s", count == 1 ? "s" : "", column_plan_show(columns, first, shown));
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
    if (wanted == NULL || strcmp(wanted, "auto") == 0) {
        note_label(file, shape, columns, callbacks);
    }
    note_words(file, columns, callbacks);
}
