/* The text of an encoder, which model files have in their metadata. */
#include "fuzz/target.h"

#include <math.h>
#include <string.h>

#include "base/core/memory.h"
#include "data/encode/encoder.h"
#include "data/table/table_types.h"

enum { ROWS = 3, MOST_CELLS = 1 << 16 };

/* Makes rows whose columns are words, numbers or times, whatever the encoder expects. */
static table *make_rows(const encoder *by) {
    table *rows;
    REQUIRE(table_create(&rows, NULL) == CNM_OK);
    rows->rows = ROWS;
    rows->columns = by->columns;
    REQUIRE(memory_zeroed(&rows->values, ROWS * by->columns, sizeof *rows->values, "rows", NULL) == CNM_OK);
    REQUIRE(table_make_types(rows, NULL) == CNM_OK);
    for (size_t j = 0; j < by->columns; j++) {
        const dictionary *known = &by->column[j].type.words;
        const char *const words[ROWS] = {known->count > 0 ? known->texts[0] : "1,5", "13.1.1970", "NA"};
        rows->types[j].kind = j % 4 < 2 ? COLUMN_WORDS : j % 4 == 2 ? COLUMN_NUMBER : by->column[j].type.kind;
        rows->types[j].kind = j % 4 == 3 && rows->types[j].kind == COLUMN_WORDS ? COLUMN_NUMBER : rows->types[j].kind;
        for (size_t i = 0; i < ROWS; i++) {
            int32_t code = (int32_t)i;
            if (rows->types[j].kind == COLUMN_WORDS) {
                REQUIRE(dictionary_add(&rows->types[j].words, words[i], strlen(words[i]), &code, NULL) == CNM_OK);
            }
            rows->values[i * by->columns + j] = i == 2 && j % 3 == 0 ? NAN : (float)code;
        }
    }
    return rows;
}

/* Checks that inputs of words are 0 or 1, and at most one of a column's. */
static void check_inputs(const encoder *by, const table *made) {
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < by->columns; j++) {
            const column_encoding *column = &by->column[j];
            const float *cells = made->values + i * made->columns + column->feature;
            float sum = 0.0F;
            for (size_t w = 0; w < column->type.words.count + column->other; w++) {
                REQUIRE(cells[w] == 0.0F || cells[w] == 1.0F);
                sum += cells[w];
            }
            REQUIRE(sum <= 1.0F);
        }
    }
}

static void apply(const encoder *by) {
    table *rows, *made;
    size_t unknown = 0;
    if (by->columns > MOST_CELLS || by->features > MOST_CELLS) {
        return;
    }
    rows = make_rows(by);
    const cnm_status status = encoder_apply(by, rows, &made, &unknown, NULL);
    REQUIRE(status == CNM_OK || status == CNM_BAD_DATA);
    REQUIRE((status == CNM_OK) == (made != NULL));
    if (made != NULL) {
        REQUIRE(made->rows == ROWS && made->columns == by->features && unknown <= ROWS * by->columns);
        check_inputs(by, made);
    }
    table_destroy(made);
    table_destroy(rows);
}

/* Checks that what is read is written and read again as the same. */
void fuzz_encoder(const unsigned char *bytes, size_t size) {
    cnm_error error = {0};
    encoder *by, *again;
    char *first, *second;
    const cnm_status status = encoder_from_text(&by, (const char *)bytes, size, &error);
    if (status != CNM_OK) {
        REQUIRE(by == NULL && status == CNM_BAD_FORMAT && error.message[0] != '\0');
        return;
    }
    REQUIRE(by->features > 0);
    REQUIRE(encoder_to_text(by, &first, NULL) == CNM_OK);
    REQUIRE(encoder_from_text(&again, first, strlen(first), &error) == CNM_OK);
    REQUIRE(encoder_to_text(again, &second, NULL) == CNM_OK);
    REQUIRE(strcmp(first, second) == 0 && again->features == by->features);
    apply(by);
    memory_free(first);
    memory_free(second);
    encoder_destroy(by);
    encoder_destroy(again);
}
