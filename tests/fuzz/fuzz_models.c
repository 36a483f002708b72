/* Model files as arbitrary bytes. */
#include "fuzz/fuzz_models.h"

#include <math.h>
#include <string.h>

#include "base/core/memory.h"
#include "data/table/table_types.h"
#include "fuzz/target.h"
#include "model/model_columns.h"

enum { ROWS = 3, MOST_CELLS = 1 << 18 };

static void *taken(size_t count, size_t size) {
    void *out;
    REQUIRE(memory_zeroed(&out, count, size, "a test", NULL) == CNM_OK);
    return out;
}

static void run_rows(const cnm_model *model, const rows_view *rows) {
    float *scores = taken(ROWS * (model->outputs + 1), sizeof *scores);
    float *z = taken(ROWS * model->map->features, sizeof *z);
    REQUIRE(model_transform(model, rows, 1, z, NULL) == CNM_OK);
    if (model->outputs > 0) {
        REQUIRE(model_scores(model, rows, 1, scores, NULL) == CNM_OK);
    }
    for (size_t i = 0; model->outputs > 0 && model->task == TASK_CLASSIFY && i < ROWS; i++) {
        const int32_t decided = model_decide(model, scores + i * model->outputs);
        REQUIRE(decided >= 0 && (size_t)decided < model->classes.count);
    }
    memory_free(scores);
    memory_free(z);
}

/* Predicts zeros, large and missing numbers; then a single cell in sparse rows. */
static void predict(const cnm_model *model) {
    const size_t columns = model->input.columns;
    if (columns > MOST_CELLS || model->map->features > MOST_CELLS) {
        return;
    }
    float *values = taken(ROWS * columns, sizeof *values);
    for (size_t j = 0; j < columns; j++) {
        values[columns + j] = j % 2 == 0 ? 1e30F : -0.5F;
        values[2 * columns + j] = j % 3 == 0 ? NAN : 1e-39F;
    }
    run_rows(model, &(rows_view){.rows = ROWS, .columns = columns, .values = values, .stride = columns});
    const size_t starts[ROWS + 1] = {0, 0, 1, 1};
    const uint32_t index[] = {(uint32_t)columns - 1};
    run_rows(model, &(rows_view){
                        .rows = ROWS, .columns = columns, .values = (float[]){2.0F}, .starts = starts, .index = index});
    memory_free(values);
}

/* Gives each column words or numbers, whatever the encoder expects. */
static void fill_columns(table *rows, const encoder *by) {
    rows->rows = ROWS;
    rows->columns = by->columns;
    rows->values = taken(ROWS * by->columns, sizeof *rows->values);
    REQUIRE(table_make_types(rows, NULL) == CNM_OK);
    for (size_t j = 0; j < by->columns; j++) {
        const dictionary *known = &by->column[j].type.words;
        const char *const words[ROWS] = {known->count > 0 ? known->texts[0] : "7", "13.1.1970", "NA"};
        for (size_t i = 0; i < ROWS; i++) {
            int32_t code = (int32_t)i;
            if (j % 3 < 2) {
                rows->types[j].kind = COLUMN_WORDS;
                REQUIRE(dictionary_add(&rows->types[j].words, words[i], strlen(words[i]), &code, NULL) == CNM_OK);
            }
            rows->values[i * by->columns + j] = i == 1 && j % 2 == 0 ? NAN : (float)code;
        }
    }
}

/* Predicts rows of the encoder's columns; words that are no numbers may be refused. */
static void predict_columns(const cnm_model *model) {
    const encoder *by = model->encoder;
    table *rows;
    if (by == NULL || by->features > MOST_CELLS || by->columns > MOST_CELLS || model->map->features > MOST_CELLS) {
        return;
    }
    REQUIRE(table_create(&rows, NULL) == CNM_OK);
    fill_columns(rows, by);
    float *z = taken(ROWS * model->map->features, sizeof *z);
    const cnm_status status = model_table_transform(model, rows, 1, z, NULL);
    REQUIRE(status == CNM_OK || status == CNM_BAD_DATA || status == CNM_BAD_ARGUMENT);
    memory_free(z);
    table_destroy(rows);
}

void try_model(const unsigned char *bytes, size_t size) {
    cnm_error error = {0};
    cnm_model *model, *again;
    unsigned char *aligned = taken(size, 1), *first, *second;
    size_t first_size, second_size;
    memcpy(aligned, bytes, size);
    const cnm_status status = model_from_bytes(&model, aligned, size, "f", &error);
    memory_free(aligned);
    if (status != CNM_OK) {
        REQUIRE(model == NULL && error.message[0] != '\0');
        return;
    }
    REQUIRE(model->description.count > 0);
    predict(model);
    predict_columns(model);
    REQUIRE(model_to_bytes(model, &first, &first_size, NULL) == CNM_OK);
    REQUIRE(model_from_bytes(&again, first, first_size, "f", &error) == CNM_OK);
    REQUIRE(model_to_bytes(again, &second, &second_size, NULL) == CNM_OK);
    REQUIRE(first_size == second_size && memcmp(first, second, first_size) == 0);
    memory_free(first);
    memory_free(second);
    model_destroy(model);
    model_destroy(again);
}

void fuzz_model(const unsigned char *bytes, size_t size) { try_model(bytes, size); }
