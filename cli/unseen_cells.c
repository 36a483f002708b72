/* Adds the library's counts over batches, and names the columns. */
#include "unseen_cells.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "report_error.h"

enum { LISTED = 3, SENTENCE = 480 };

cnm_status unseen_cells_add(unseen_cells *self, const cnm_model *model, const cnm_data *data, cnm_error *error) {
    if (self->words == NULL) {
        self->columns = cnm_data_columns(data);
        self->words = calloc(self->columns + 1, sizeof *self->words);
        self->missing = calloc(self->columns + 1, sizeof *self->missing);
    }
    if (self->words == NULL || self->missing == NULL) {
        return error_fill(error, CNM_NO_MEMORY, "out of memory: counts of %zu columns", self->columns);
    }
    /* Sparse batches may differ in their columns; they have nothing to count. */
    return cnm_data_is_sparse(data) ? CNM_OK : cnm_model_count_unseen(model, data, self->words, self->missing, error);
}

/* Returns the name of a column of the rows, which are of the model's columns or inputs. */
static const char *name_of(const unseen_cells *self, const cnm_model *model, size_t column, char number[32]) {
    const char *name = self->columns == cnm_model_columns(model) ? cnm_model_column_name(model, column)
                                                                 : cnm_model_input_name(model, column);
    (void)snprintf(number, 32, "column %zu", column + 1);
    return name != NULL ? name : number;
}

/* Returns the sum of the counts, and lists the columns that have any. */
static uint64_t list(const unseen_cells *self, const cnm_model *model, const uint64_t *counts,
                     char sentence[SENTENCE]) {
    uint64_t sum = 0;
    size_t listed = 0, used = 0;
    for (size_t j = 0; j < self->columns; j++) {
        char number[32];
        if (counts[j] > 0 && listed++ < LISTED) {
            const int written = snprintf(sentence + used, SENTENCE - used, "%s%.60s", listed > 1 ? ", " : "",
                                         name_of(self, model, j, number));
            used += written < 0 ? 0 : (size_t)written;
        }
        sum += counts[j];
    }
    if (listed > LISTED) {
        (void)snprintf(sentence + used, SENTENCE - used, " and %zu more", listed - LISTED);
    }
    return sum;
}

void unseen_cells_report(const unseen_cells *self, const cnm_model *model, const cnm_callbacks *callbacks) {
    char columns[SENTENCE] = "", sentence[2 * SENTENCE];
    const uint64_t words = list(self, model, self->words, columns);
    if (words > 0) {
        (void)snprintf(sentence, sizeof sentence,
                       "%" PRIu64 " word%s that training never saw, in %s: counted as none of its words", words,
                       words == 1 ? "" : "s", columns);
        callbacks->notice(sentence, callbacks->user);
    }
    const uint64_t missing = list(self, model, self->missing, columns);
    if (missing > 0) {
        (void)snprintf(sentence, sizeof sentence,
                       "%" PRIu64 " missing cell%s where training had none, in %s: the column's centre stands for %s",
                       missing, missing == 1 ? "" : "s", columns, missing == 1 ? "it" : "them");
        callbacks->notice(sentence, callbacks->user);
    }
}

void unseen_cells_free(unseen_cells *self) {
    free(self->words);
    free(self->missing);
}
