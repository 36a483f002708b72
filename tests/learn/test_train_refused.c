/* Trainings that are impossible are refused with a sentence; one of doubtful use gives a notice. */
#include "support/trainings.h"

#include "base/core/memory.h"
#include "data/scale/scaling.h"

/* ---- Notices ---- */

static void count_notice(const char *sentence, void *user) {
    size_t *notices = user;
    *notices += strstr(sentence, "circulant") != NULL;
}

static void a_map_of_doubtful_use_gives_a_notice(void **unused) {
    (void)unused;
    table *rows = make_rings(22, 60, 4);
    for (int kernel = 0; kernel < 3; kernel++) {
        cnm_error error = {0};
        size_t notices = 0;
        const cnm_callbacks callbacks = {
            .struct_size = sizeof(cnm_callbacks), .notice = count_notice, .user = &notices};
        settings wanted = quick(METHOD_RFF);
        wanted.projection = 1;
        wanted.kernel = kernel;
        wanted.epochs = 1;
        cnm_model *model;
        check_ok(learn(&model, rows, NULL, &wanted, &callbacks, &error), &error);
        assert_int_equal(notices, kernel == 0 ? 0 : 1);
        model_destroy(model);
    }
    table_destroy(rows);
}

/* ---- Refusals ---- */

enum { ONE_CLASS, NO_ROWS, NO_COLUMNS, NAN_CELL, INFINITE_CELL, UNLABELLED, WORDS, NUMBERS, PLAIN, ZERO_WEIGHTS };

typedef struct refusal_case {
    int rows; /* one of the above */
    settings wanted;
    cnm_status status;
    const char *words;
} refusal_case;

static table *bad_table(int kind) {
    table *rows = kind == WORDS ? make_clouds(23, 40) : make_rings(23, 40, 2);
    for (size_t i = 0; kind == ONE_CLASS && i < 40; i++) {
        rows->labels.numbers[i] = 3.0;
    }
    for (size_t i = 0; kind == NUMBERS && i < 40; i++) {
        rows->labels.numbers[i] = 0.1 * (double)i;
    }
    rows->rows = kind == NO_ROWS ? 0 : 40;
    rows->columns = kind == NO_COLUMNS ? 0 : 2;
    if (kind == NAN_CELL || kind == INFINITE_CELL) {
        rows->values[2 * 17 + 1] = kind == NAN_CELL ? NAN : -INFINITY;
    }
    rows->labelled = kind != UNLABELLED;
    if (kind == ZERO_WEIGHTS) {
        rows->weights = take_owned(40, sizeof(float));
    }
    return rows;
}

static void impossible_trainings_are_refused_with_a_sentence(void **unused) {
    (void)unused;
    static const refusal_case CASES[] = {
        {ONE_CLASS,
         {.method = METHOD_RFF, .task = WANT_CLASSIFY},
         CNM_BAD_DATA,
         "all 40 rows have the same label \"3\""},
        {NO_ROWS, {.method = METHOD_RFF, .task = WANT_CLASSIFY}, CNM_BAD_DATA, "0 rows of 2 columns"},
        {NO_COLUMNS, {.method = METHOD_RFF}, CNM_BAD_DATA, "40 rows of 0 columns"},
        {NAN_CELL,
         {.method = METHOD_RFF, .missing = FILL_ERROR},
         CNM_BAD_DATA,
         "row 18, column 2: a value that is not a finite number"},
        {INFINITE_CELL, {.method = METHOD_LINEAR}, CNM_BAD_DATA, "row 18, column 2"},
        {UNLABELLED, {.method = METHOD_RFF}, CNM_BAD_DATA, "the rows have no labels"},
        {WORDS, {.method = METHOD_RFF, .task = WANT_REGRESS}, CNM_BAD_DATA, "found the word \"north\""},
        {PLAIN, {.method = METHOD_RFF, .loss = 6}, CNM_BAD_ARGUMENT, "--loss squared is for regression"},
        {PLAIN,
         {.method = METHOD_RFF, .loss = 1, .task = WANT_REGRESS},
         CNM_BAD_ARGUMENT,
         "--loss hinge is for classes"},
        {PLAIN, {.method = METHOD_LINEAR, .task = WANT_MAP}, CNM_BAD_ARGUMENT, "--task map needs a map"},
        {PLAIN, {.method = METHOD_RFF, .init = 2, .kernel = 1}, CNM_UNSUPPORTED, "--init orthogonal needs"},
        {PLAIN, {.method = METHOD_RFF, .init = 2, .projection = 1}, CNM_UNSUPPORTED, "--init orthogonal needs"},
        {ZERO_WEIGHTS, {.method = METHOD_RFF}, CNM_BAD_DATA, "the weights of all rows are 0"},
        {PLAIN,
         {.metric = METRIC_RMSE},
         CNM_BAD_ARGUMENT,
         "--metric rmse is for numbers, but the labels are classes: if they are meant as numbers, say --task regress"},
        {WORDS, {.metric = METRIC_MAE}, CNM_BAD_ARGUMENT, "--metric mae is for numbers, but the labels are classes"},
        {NUMBERS,
         {.metric = METRIC_F1},
         CNM_BAD_ARGUMENT,
         "--metric f1 is for classes, but the labels are numbers: if they are meant as classes, say --task classify"},
        {NUMBERS, {.metric = METRIC_ACCURACY}, CNM_BAD_ARGUMENT, "--metric accuracy is for classes"},
        {NUMBERS,
         {.method = METHOD_RFF, .metric = METRIC_LOGLOSS},
         CNM_BAD_ARGUMENT,
         "--metric logloss is for classes"},
        /* before rows are looked at */
        {NAN_CELL, {.metric = METRIC_RMSE}, CNM_BAD_ARGUMENT, "--metric rmse"},
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        cnm_error error = {0};
        cnm_model *model = (cnm_model *)&error; /* anything but NULL */
        table *rows = bad_table(CASES[i].rows);
        settings wanted = CASES[i].wanted;
        wanted.features = 10;
        wanted.epochs = 1;
        wanted.map_rate = 1.0;
        check_refusal(learn(&model, rows, NULL, &wanted, NULL, &error), CASES[i].status, &error, CASES[i].words);
        assert_null(model);
        assert_int_equal(learn(&model, rows, NULL, &wanted, NULL, NULL), CASES[i].status);
        rows->rows = 40;
        table_destroy(rows);
    }
}

/* Columns near the largest float, unscaled, give a model of finite numbers or an error, never a
 * model of NaN. */
static void models_are_finite(void **unused) {
    (void)unused;
    for (int method = METHOD_CNM; method <= METHOD_LINEAR; method++) {
        for (int loss = 0; loss <= 5; loss++) {
            cnm_error error = {0};
            cnm_model *model;
            table *rows = make_sides(24, 100, 3);
            for (size_t i = 0; i < 300; i++) {
                rows->values[i] *= 5e37F;
            }
            settings wanted = quick((setting_method)method);
            wanted.scale = SCALING_NONE + 1;
            wanted.loss = loss;
            wanted.epochs = 3;
            wanted.features = 5;
            wanted.map_steps = 3;
            if (learn(&model, rows, NULL, &wanted, NULL, &error) == CNM_OK) {
                for (size_t i = 0; i < model->map->features * model->outputs; i++) {
                    if (!isfinite(model->weights[i])) {
                        fail_msg("method %d, loss %d: weight %zu is not finite", method, loss, i);
                    }
                }
            } else {
                assert_true(strlen(error.message) > 10);
            }
            model_destroy(model);
            table_destroy(rows);
        }
    }
}

/* ---- A million columns ---- */

static table *make_wide(size_t rows, size_t columns) {
    enum { CELLS = 30 };
    cnm_error error = {0};
    table *out;
    check_ok(table_create(&out, &error), &error);
    out->rows = rows;
    out->columns = columns;
    out->values = take_owned(rows * CELLS, sizeof(float));
    out->index = take_owned(rows * CELLS, sizeof(uint32_t));
    out->starts = take_owned(rows + 1, sizeof(size_t));
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < CELLS; j++) { /* one half of the columns for each class */
            const double place = ((double)j + uniform(25 + i, j)) / CELLS;
            out->values[i * CELLS + j] = 1.0F;
            out->index[i * CELLS + j] = (uint32_t)((double)columns * 0.5 * (place + (double)(i % 2)));
        }
        out->starts[i + 1] = (i + 1) * CELLS;
        label_number(out, (double)(i % 2));
    }
    return out;
}

static void a_million_columns_need_a_circulant_map(void **unused) {
    (void)unused;
    cnm_error error = {0};
    cnm_model *model;
    table *rows = make_wide(12, 1000000);
    settings wanted = quick(METHOD_RFF);
    wanted.features = 4096;
    check_refusal(learn(&model, rows, NULL, &wanted, NULL, &error), CNM_NO_MEMORY, &error, "16.4 GB");
    check_refusal(CNM_NO_MEMORY, CNM_NO_MEMORY, &error, "--projection circulant");
    assert_null(model);
    wanted.projection = 1;
    wanted.features = 64;
    wanted.epochs = 3;
    model = train(rows, &wanted);
    assert_int_equal(model->map->columns, 1000000);
    assert_true(figure_of(model, rows, "accuracy") >= 0.5);
    model_destroy(model);
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_of_doubtful_use_gives_a_notice),
        cmocka_unit_test(impossible_trainings_are_refused_with_a_sentence),
        cmocka_unit_test(models_are_finite),
        cmocka_unit_test(a_million_columns_need_a_circulant_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
