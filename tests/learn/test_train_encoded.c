/* Trainings on columns of words and with missing cells. */
#include "support/trainings.h"

#include "base/core/memory.h"
#include "model/model_columns.h"

enum { ROWS = 240, COLUMNS = 4 };

static table *typed_rings(uint64_t seed) {
    table *out = make_rings(seed, ROWS, COLUMNS);
    make_typed(out);
    return out;
}

static settings small(void) {
    settings out = quick(METHOD_CNM);
    out.features = 20;
    out.effort = EFFORT_QUICK;
    return out;
}

/* Returns the share of rows whose class is predicted. */
static double accuracy_of(const cnm_model *model, const table *rows) {
    cnm_error error = {0};
    float *scores = take(rows->rows * model->outputs, sizeof *scores);
    size_t right = 0;
    check_ok(model_table_scores(model, rows, 2, scores, &error), &error);
    for (size_t i = 0; i < rows->rows; i++) {
        right += (scores[i] > 0.0F) == (rows->labels.numbers[i] > 0.0);
    }
    free(scores);
    return (double)right / (double)rows->rows;
}

static void words_beside_numbers_do_no_harm(void **unused) {
    (void)unused;
    table *rows = typed_rings(3), *later = typed_rings(4);
    const settings wanted = small();
    cnm_model *model = train(rows, &wanted);
    assert_int_equal(model->input.columns, 3 + 1 + 3 + 1);
    assert_true(accuracy_of(model, later) >= 0.95);
    model_destroy(model);
    table_destroy(rows);
    table_destroy(later);
}

/* A label that is a word's alone. */
static void a_word_can_be_all_that_is_learned(void **unused) {
    (void)unused;
    table *rows = typed_rings(5), *later = typed_rings(5);
    const settings wanted = small();
    for (size_t i = 0; i < ROWS; i++) {
        const float cell = rows->values[(i + 1) * COLUMNS - 1];
        rows->labels.numbers[i] = later->labels.numbers[i] = cell == 1.0F || cell != cell ? 1.0 : -1.0;
    }
    cnm_model *model = train(rows, &wanted);
    assert_true(accuracy_of(model, later) == 1.0);
    model_destroy(model);
    table_destroy(rows);
    table_destroy(later);
}

static void threads_do_not_change_the_bits(void **unused) {
    (void)unused;
    table *rows = typed_rings(3);
    settings wanted = small();
    wanted.threads = 1;
    cnm_model *one = train(rows, &wanted);
    wanted.threads = 3;
    cnm_model *three = train(rows, &wanted);
    check_same_model(one, three, true, "3 threads");
    model_destroy(one);
    model_destroy(three);
    table_destroy(rows);
}

/* The order of words in the rows' dictionary is that of the file: it must not matter. */
static void the_numbers_of_words_do_not_matter(void **unused) {
    (void)unused;
    table *rows = typed_rings(3), *other = typed_rings(3);
    const settings wanted = small();
    dictionary *words = &other->types[COLUMNS - 1].words;
    dictionary_free(words);
    for (size_t i = 0; i < 3; i++) {
        int32_t code;
        check_ok(dictionary_add(words, &"bac"[i], 1, &code, NULL), NULL); /* c a b before */
    }
    for (size_t i = 0; i < ROWS; i++) {
        float *cell = &other->values[(i + 1) * COLUMNS - 1];
        *cell = *cell != *cell ? *cell : 2.0F - *cell == 2.0F ? 2.0F : *cell == 1.0F ? 1.0F : 0.0F;
    }
    cnm_model *model = train(rows, &wanted), *same = train(other, &wanted);
    check_same_model(model, same, true, "other numbers of words");
    model_destroy(model);
    model_destroy(same);
    table_destroy(rows);
    table_destroy(other);
}

/* Rows that have neither names nor types nor missing cells go in as they are. */
static void plain_rows_need_no_encoder_and_no_fill(void **unused) {
    (void)unused;
    table *rows = make_rings(3, ROWS, COLUMNS);
    settings wanted = small();
    cnm_model *model = train(rows, &wanted);
    assert_null(model->encoder);
    assert_null(model->input.fill);
    assert_null(model->names);
    model_destroy(model);
    wanted.missing = FILL_MEAN;
    model = train(rows, &wanted);
    assert_null(model->encoder);
    assert_non_null(model->input.fill);
    model_destroy(model);
    table_destroy(rows);
}

/* --missing auto marks many missing cells, mean does not, error refuses them. */
static void missing_cells_are_treated_as_asked(void **unused) {
    (void)unused;
    table *rows = make_rings(3, ROWS, COLUMNS);
    for (size_t i = 0; i < ROWS; i += 10) {
        rows->values[i * COLUMNS + 2] = NAN;
    }
    settings wanted = small();
    cnm_model *model = train(rows, &wanted);
    assert_int_equal(model->input.columns, COLUMNS + 1);
    assert_string_equal(model->names[3], "column_3=missing");
    model_destroy(model);
    wanted.missing = FILL_MEAN;
    model = train(rows, &wanted);
    assert_int_equal(model->input.columns, COLUMNS);
    assert_null(model->encoder);
    model_destroy(model);
    wanted.missing = FILL_ERROR;
    cnm_error error = {0};
    assert_int_equal(learn(&model, rows, NULL, &wanted, NULL, &error), CNM_BAD_DATA);
    table_destroy(rows);
}

/* ---- What is said ---- */

typedef struct heard {
    char infos[4096], notices[4096];
} heard;

static void add_line(char *text, const char *sentence) {
    const size_t used = strlen(text);
    (void)snprintf(text + used, 4096 - used, "%s\n", sentence);
}

static void hear_info(const char *sentence, void *user) { add_line(((heard *)user)->infos, sentence); }
static void hear_notice(const char *sentence, void *user) { add_line(((heard *)user)->notices, sentence); }

static void the_training_says_what_becomes_of_columns(void **unused) {
    (void)unused;
    heard all = {0};
    const cnm_callbacks callbacks = {
        .struct_size = sizeof callbacks, .info = hear_info, .notice = hear_notice, .user = &all};
    const settings wanted = small();
    cnm_error error = {0};
    cnm_model *model, *next;
    table *rows = typed_rings(3), *later = typed_rings(4);
    check_ok(learn(&model, rows, NULL, &wanted, &callbacks, &error), &error);
    assert_non_null(strstr(all.infos, "columns: 1 of words becomes 3 features of 0 and 1: column_4 (3 words)\n"));
    assert_non_null(strstr(all.infos, "missing cells: 80 in 2 columns, numbers filled with the mean; column_3, "
                                      "column_4 have indicators\n"));
    int32_t code;
    check_ok(dictionary_add(&later->types[COLUMNS - 1].words, "d", 1, &code, NULL), NULL);
    later->values[COLUMNS - 1] = later->values[5 * COLUMNS - 1] = (float)code;
    check_ok(learn_train(&next, later, NULL, &wanted, model, &callbacks, &error), &error);
    assert_non_null(strstr(all.notices, "2 cells have words that the first training never saw"));
    model_destroy(model);
    model_destroy(next);
    table_destroy(rows);
    table_destroy(later);
}

/* Other columns than those of the model are no rows to continue with. */
static void a_warm_start_needs_the_same_columns(void **unused) {
    (void)unused;
    const settings wanted = small();
    cnm_error error = {0};
    table *rows = typed_rings(3), *wide = make_rings(3, ROWS, COLUMNS + 1);
    cnm_model *model = train(rows, &wanted), *next;
    assert_int_equal(learn_train(&next, wide, NULL, &wanted, model, NULL, &error), CNM_BAD_DATA);
    assert_non_null(strstr(error.message, "5 columns, the model expects 4"));
    model_destroy(model);
    table_destroy(rows);
    table_destroy(wide);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_beside_numbers_do_no_harm),
        cmocka_unit_test(a_word_can_be_all_that_is_learned),
        cmocka_unit_test(threads_do_not_change_the_bits),
        cmocka_unit_test(the_numbers_of_words_do_not_matter),
        cmocka_unit_test(plain_rows_need_no_encoder_and_no_fill),
        cmocka_unit_test(missing_cells_are_treated_as_asked),
        cmocka_unit_test(the_training_says_what_becomes_of_columns),
        cmocka_unit_test(a_warm_start_needs_the_same_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
