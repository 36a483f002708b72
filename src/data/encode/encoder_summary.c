/* Says in a sentence for each kind of column what an encoder does with it. */
#include <stdio.h>

#include "base/core/error.h"
#include "data/encode/encoder_parts.h"

enum { LISTED = 5, SENTENCE = 480 };

/* A list in a sentence: "a, b and 3 more". */
typedef struct listing {
    char *text;
    size_t size, used, count;
} listing;

/* Adds an item, unless five are there. */
static void list_item(listing *self, const char *name, const char *note) {
    if (self->count++ < LISTED && self->used < self->size) {
        const int written =
            snprintf(self->text + self->used, self->size - self->used, "%s%s%s%s%s", self->count > 1 ? ", " : "", name,
                     *note != '\0' ? " (" : "", note, *note != '\0' ? ")" : "");
        self->used += written < 0 ? 0 : (size_t)written;
    }
}

static void end_list(listing *self) {
    if (self->count > LISTED && self->used < self->size) {
        (void)snprintf(self->text + self->used, self->size - self->used, " and %zu more", self->count - LISTED);
    }
}

size_t encoder_list_left_out(const encoder *self, char *sentence, size_t size) {
    listing list = {.text = sentence, .size = size};
    *sentence = '\0';
    for (size_t j = 0; j < self->columns; j++) {
        char label[COLUMN_LABEL_SIZE];
        if (self->column[j].use != COLUMN_USED) {
            list_item(&list, column_label(self, j, label), column_reason(self->column[j].use));
        }
    }
    end_list(&list);
    return list.count;
}

size_t encoder_list_words(const encoder *self, char *sentence, size_t size) {
    listing list = {.text = sentence, .size = size};
    *sentence = '\0';
    for (size_t j = 0; j < self->columns; j++) {
        char label[COLUMN_LABEL_SIZE], count[32];
        if (self->column[j].use == COLUMN_USED && self->column[j].type.kind == COLUMN_WORDS) {
            (void)snprintf(count, sizeof count, "%zu", column_features(&self->column[j]));
            list_item(&list, column_label(self, j, label), count);
        }
    }
    end_list(&list);
    return list.count;
}

size_t encoder_list_indicators(const encoder *self, char *sentence, size_t size) {
    listing list = {.text = sentence, .size = size};
    *sentence = '\0';
    for (size_t j = 0; j < self->columns; j++) {
        char label[COLUMN_LABEL_SIZE];
        if (self->column[j].indicator) {
            list_item(&list, column_label(self, j, label), "");
        }
    }
    end_list(&list);
    return list.count;
}

/* ---- Sentences ---- */

static void send_words(const encoder *self, const column_facts *facts, const cnm_callbacks *callbacks) {
    char sentence[SENTENCE] = "";
    listing list = {.text = sentence, .size = sizeof sentence};
    size_t features = 0;
    for (size_t j = 0; j < self->columns; j++) {
        char label[COLUMN_LABEL_SIZE], note[64];
        if (self->column[j].use == COLUMN_USED && self->column[j].type.kind == COLUMN_WORDS) {
            const size_t words = facts[j].words, own = self->column[j].type.words.count;
            (void)snprintf(note, sizeof note, "%zu word%s", words, words == 1 ? "" : "s");
            if (own < words) {
                (void)snprintf(note, sizeof note, "%zu of %zu words", own, words);
            }
            list_item(&list, column_label(self, j, label), note);
            features += own + self->column[j].other;
        }
    }
    end_list(&list);
    if (list.count > 0) {
        info_send(callbacks, "columns: %zu of words become%s %zu feature%s of 0 and 1: %s", list.count,
                  list.count == 1 ? "s" : "", features, features == 1 ? "" : "s", sentence);
    }
}

static void send_missing(const encoder *self, const column_facts *facts, const cnm_callbacks *callbacks) {
    char sentence[SENTENCE];
    size_t cells = 0, columns = 0, words = 0;
    for (size_t j = 0; j < self->columns; j++) {
        if (self->column[j].use == COLUMN_USED && facts[j].missing > 0) {
            cells += facts[j].missing;
            columns++;
            words += self->column[j].type.kind == COLUMN_WORDS;
        }
    }
    const size_t marked = encoder_list_indicators(self, sentence, sizeof sentence);
    if (cells > 0) {
        info_send(callbacks, "missing cells: %zu in %zu column%s, %s%s%s%s", cells, columns, columns == 1 ? "" : "s",
                  words == 0         ? "filled with the mean"
                  : words == columns ? "taken for no word"
                                     : "numbers filled with the mean",
                  marked > 0 ? "; " : "", sentence,
                  marked == 0   ? ""
                  : marked == 1 ? " has an indicator"
                                : " have indicators");
    }
}

void encoder_summarise(const encoder *self, const column_facts *facts, const cnm_callbacks *callbacks) {
    char sentence[SENTENCE];
    send_words(self, facts, callbacks);
    if (encoder_list_left_out(self, sentence, sizeof sentence) > 0) {
        info_send(callbacks, "columns left out: %s", sentence);
    }
    send_missing(self, facts, callbacks);
}
