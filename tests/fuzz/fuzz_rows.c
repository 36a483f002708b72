/* The readers of rows. The first two bytes select the options; the rest is the file. However it is
 * cut into blocks and batches, the rows or the error must be the same. */
#include "fuzz/target.h"

#include <math.h>
#include <string.h>

#include "base/core/memory.h"
#include "data/encode/encoder.h"
#include "data/read/reader.h"
#include "data/table/classes.h"
#include "data/table/table_types.h"

/* The outcome of one reading: a table, or a status and its sentence. */
typedef struct outcome {
    cnm_status status;
    table *rows;
    cnm_error error;
} outcome;

static outcome read_all(const unsigned char *bytes, size_t size, const reader_options *options, size_t batch) {
    outcome out = {.status = CNM_OK};
    byte_source *input;
    reader *opened;
    table *part = NULL;
    REQUIRE(table_create(&out.rows, NULL) == CNM_OK);
    REQUIRE(byte_source_from_memory(&input, bytes, size, "f", &out.error) == CNM_OK);
    out.status = reader_from_source(&opened, input, options, NULL, &out.error);
    if (out.status == CNM_OK) {
        while ((out.status = reader_next(opened, batch, &part, &out.error)) == CNM_OK && part != NULL) {
            REQUIRE(part->rows >= 1 && part->rows <= batch);
            out.status = table_append(out.rows, part, &out.error);
            REQUIRE(out.status == CNM_OK);
            table_destroy(part);
        }
        reader_close(opened);
    }
    if (out.status != CNM_OK) {
        REQUIRE(part == NULL && out.error.status == out.status && out.error.message[0] != '\0');
        table_destroy(out.rows);
        out.rows = NULL;
    }
    return out;
}

static bool same_bytes(const void *a, const void *b, size_t size) {
    return (a == NULL) == (b == NULL) && (a == NULL || size == 0 || memcmp(a, b, size) == 0);
}

static size_t stored_cells(const table *rows) {
    return rows->starts != NULL ? rows->starts[rows->rows] : rows->rows * rows->columns;
}

/* Requires the same kinds of columns, with the same words in the same order. */
static void require_same_types(const table *x, const table *y) {
    for (size_t j = 0; j < x->columns; j++) {
        REQUIRE(table_kind(x, j) == table_kind(y, j));
        const size_t words = table_kind(x, j) == COLUMN_WORDS ? x->types[j].words.count : 0;
        REQUIRE(words == 0 || words == y->types[j].words.count);
        for (size_t i = 0; i < words; i++) {
            REQUIRE(strcmp(x->types[j].words.texts[i], y->types[j].words.texts[i]) == 0);
        }
    }
    REQUIRE(x->identified == y->identified);
    for (size_t i = 0; x->identified && i < x->rows; i++) {
        size_t length, other;
        const char *one = texts_at(&x->ids, i, &length), *two = texts_at(&y->ids, i, &other);
        REQUIRE(length == other && memcmp(one, two, length) == 0);
    }
}

static void require_same(const outcome *a, const outcome *b) {
    REQUIRE(a->status == b->status);
    if (a->status != CNM_OK) {
        REQUIRE(strcmp(a->error.message, b->error.message) == 0);
        return;
    }
    const table *x = a->rows, *y = b->rows;
    REQUIRE(x->rows == y->rows && x->columns == y->columns && x->missing == y->missing);
    REQUIRE((x->starts != NULL) == (y->starts != NULL));
    if (x->rows > 0) {
        REQUIRE(stored_cells(x) == stored_cells(y));
        REQUIRE(same_bytes(x->values, y->values, stored_cells(x) * sizeof *x->values));
        REQUIRE(same_bytes(x->index, y->index, stored_cells(x) * sizeof *x->index));
        REQUIRE(same_bytes(x->weights, y->weights, x->rows * sizeof *x->weights));
        REQUIRE(same_bytes(x->base, y->base, x->columns * sizeof *x->base));
    }
    require_same_types(x, y);
    REQUIRE(x->labelled == y->labelled);
    for (size_t i = 0; x->labelled && i < x->rows; i++) {
        char one[64], other[64];
        REQUIRE(labels_text(&x->labels, i, one, sizeof one) == labels_text(&y->labels, i, other, sizeof other));
        REQUIRE(strcmp(one, other) == 0);
    }
}

/* Requires values finite or counted as missing, columns ascending and in range, a label a row. */
static void require_sound(const table *rows) {
    size_t missing = 0;
    for (size_t i = 0; i < rows->rows; i++) {
        for (size_t j = rows->starts != NULL ? rows->starts[i] : 0; rows->starts != NULL && j < rows->starts[i + 1];
             j++) {
            REQUIRE(rows->index[j] < rows->columns && (j == rows->starts[i] || rows->index[j] > rows->index[j - 1]));
        }
        REQUIRE(rows->weights == NULL || (isfinite(rows->weights[i]) && rows->weights[i] >= 0));
    }
    for (size_t i = 0; rows->rows > 0 && i < stored_cells(rows); i++) {
        REQUIRE(!isinf(rows->values[i]));
        const size_t j = i % rows->columns;
        REQUIRE(rows->starts != NULL || table_kind(rows, j) != COLUMN_WORDS || isnan(rows->values[i]) ||
                (size_t)rows->values[i] < rows->types[j].words.count);
        missing += isnan(rows->values[i]) ? 1 : 0;
    }
    REQUIRE(missing == rows->missing);
    REQUIRE(!rows->labelled || rows->labels.rows == rows->rows);
}

/* Does what a training does with rows before it learns. */
static void use(table *rows) {
    class_set classes;
    size_t unknown;
    int32_t *codes;
    bool unsure;
    encoder *by = NULL;
    if (rows->starts == NULL && rows->rows > 0 &&
        encoder_fit(&by, rows, (encoder_choice){.indicators = true}, NULL, NULL) == CNM_OK && by != NULL) {
        table *features;
        REQUIRE(encoder_apply(by, rows, &features, NULL, NULL) == CNM_OK);
        table_destroy(features);
        encoder_destroy(by);
    }
    (void)table_fill_missing(rows, NULL, NULL, NULL);
    REQUIRE(table_settle(rows, NULL) == CNM_OK);
    if (!rows->labelled || rows->rows == 0) {
        return;
    }
    (void)task_guess(&rows->labels, &unsure);
    REQUIRE(memory_take(&codes, rows->rows, sizeof *codes, "codes", NULL) == CNM_OK);
    if (classes_create(&classes, &rows->labels, NULL) == CNM_OK) {
        REQUIRE(classes_encode(&classes, &rows->labels, codes, &unknown, NULL) == CNM_OK && unknown == 0);
        classes_free(&classes);
    }
    memory_free(codes);
}

static void read_rows(const char *format, const unsigned char *bytes, size_t size) {
    static const char *const LABELS[] = {NULL, "first", "last", "none", "2", "b", "1", "label"};
    static const char SEPARATORS[] = {0, 0, ',', ';', '\t', ' ', '|', ':'};
    static const char *const NAMES[] = {"a", "b", "c"};
    static column_encoding columns[] = {{.type = {.kind = COLUMN_WORDS}},
                                        {.type = {.format = {.decimal = ',', .thousands = '.', .units = true}}},
                                        {.type = {.kind = COLUMN_TIME, .format = {.order = TIME_DAY_MONTH_YEAR}}}};
    const encoder model = {.columns = 3, .column = columns};
    if (size < 2) {
        return;
    }
    const unsigned how = bytes[0], more = bytes[1];
    reader_options options = {.format = format,
                              .label_column = LABELS[how & 7],
                              .weight_column = how & 8 ? "3" : NULL,
                              .id_column = (how & 31) == 31 ? "2" : NULL,
                              .missing_words = (how & 16) != 0 && (more & 1) != 0 ? "x, 7" : NULL,
                              .decimal = (more & 12) == 12 ? ',' : '\0',
                              .encoding = how >> 5 == 1 ? "latin-1" : NULL,
                              .missing = how & 16 ? MISSING_KEEP : MISSING_ERROR,
                              .separator = SEPARATORS[how >> 5],
                              .header = (int)(more & 3) % 3 - 1,
                              .index_base = (index_base)(more >> 2 & 3) % 3,
                              .threads = 1,
                              .block_size = 1 << 13}; /* larger than a file of the fuzzer */
    if (more & 16) {
        options.expects = true;
        options.columns = more & 32 ? 3 : 2;
        options.names = more & 64 ? NAMES : NULL;
        options.encoder = more & 128 ? &model : NULL;
    }
    outcome whole = read_all(bytes + 2, size - 2, &options, 1000);
    options.block_size = 1 + how % 61;
    /* seldom: starting a thread takes longer than all the rest */
    options.threads = more >> 5 == 7 ? 2 : 1;
    outcome pieces = read_all(bytes + 2, size - 2, &options, 1 + how % 5);
    require_same(&whole, &pieces);
    if (whole.status == CNM_OK) {
        require_sound(whole.rows);
        use(whole.rows);
    }
    table_destroy(whole.rows);
    table_destroy(pieces.rows);
}

void fuzz_libsvm(const unsigned char *bytes, size_t size) { read_rows("libsvm", bytes, size); }
void fuzz_csv(const unsigned char *bytes, size_t size) { read_rows("csv", bytes, size); }
void fuzz_arff(const unsigned char *bytes, size_t size) { read_rows("arff", bytes, size); }
void fuzz_npy(const unsigned char *bytes, size_t size) { read_rows("npy", bytes, size); }
void fuzz_idx(const unsigned char *bytes, size_t size) { read_rows("idx", bytes, size); }
