/* Finds the columns that an option lists. */
#include "data/read/column_list.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/suggest.h"
#include "base/text/text.h"
#include "data/read/column_roles.h"
#include "data/read/lines.h"

/* Returns the column whose name is the nearest to what was given, or NO_COLUMN. */
static size_t nearest(char *const *names, size_t count, const char *given) {
    size_t best = NO_COLUMN, best_distance = SIZE_MAX;
    for (size_t j = 0; names != NULL && j < count; j++) {
        const size_t distance = suggest_distance(given, names[j], strlen(names[j]));
        if (distance < best_distance) {
            best = j;
            best_distance = distance;
        }
    }
    return best;
}

static cnm_status unknown(const char *entry, char *const *names, size_t count, const char *file, const char *option,
                          cnm_error *err) {
    char shown[SHOWN_SIZE], meant[SHOWN_SIZE];
    uint64_t number;
    (void)show(shown, entry, strlen(entry));
    if (text_is_count(entry, entry + strlen(entry), &number) || names == NULL) {
        return error_set(err, CNM_BAD_ARGUMENT, "%s: %s names the column %s, but there are columns 1 to %zu", file,
                         option, shown, count);
    }
    const size_t near = nearest(names, count, entry);
    if (near == NO_COLUMN) {
        return error_set(err, CNM_BAD_ARGUMENT, "%s: %s names the column %s, which the file does not have", file,
                         option, shown);
    }
    return error_set(err, CNM_BAD_ARGUMENT,
                     "%s: %s names the column %s, which the file does not have; did you mean %s?", file, option, shown,
                     show(meant, names[near], strlen(names[near])));
}

/* Marks all columns of this name, or the one of this number. */
static bool mark(const char *entry, char *const *names, size_t count, bool *out) {
    const size_t column = column_find(names, count, entry);
    if (column == NO_COLUMN) {
        return false;
    }
    out[column] = true;
    for (size_t j = column + 1; names != NULL && strcmp(names[column], entry) == 0 && j < count; j++) {
        out[j] = out[j] || strcmp(names[j], entry) == 0;
    }
    return true;
}

cnm_status column_list_mark(const char *list, char *const *names, size_t count, const char *file, const char *option,
                            bool *out, cnm_error *err) {
    cnm_status status = CNM_OK;
    char *copy;
    if (list == NULL || *list == '\0' || mark(list, names, count, out)) {
        return CNM_OK;
    }
    TRY(memory_copy_text(&copy, list, err));
    for (char *entry = copy; entry != NULL;) {
        char *comma = strchr(entry, ',');
        char *stop = comma != NULL ? comma : entry + strlen(entry);
        entry += strspn(entry, " ");
        while (stop > entry && stop[-1] == ' ') {
            stop--;
        }
        *stop = '\0';
        if (!mark(entry, names, count, out)) {
            TRY_DONE(unknown(entry, names, count, file, option, err));
        }
        entry = comma != NULL ? comma + 1 : NULL;
    }
done:
    memory_free(copy);
    return status;
}
