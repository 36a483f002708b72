/* Trainings that distil a kernel ensemble: where rows are few, with the same bits for any number
 * of threads, and not where options or rows rule it out. */
#include "support/trainings.h"

/* Makes rows around 25 centres, each with a random class of two, or with the centre's number and
 * noise as target. */
static table *make_centres(size_t rows, size_t columns, bool regression) {
    enum { CENTRES = 25, MOST_COLUMNS = 40 };
    table *out = table_make(rows, columns);
    float centres[CENTRES * MOST_COLUMNS];
    normals(3, rows * columns, 0.5, out->values);
    normals(4, CENTRES * columns, 1.0, centres);
    for (size_t i = 0; i < rows; i++) {
        const size_t centre = i % CENTRES;
        for (size_t j = 0; j < columns; j++) {
            out->values[i * columns + j] += centres[centre * columns + j];
        }
        if (regression) {
            label_number(out, (double)centre + 0.1 * uniform(6, i));
        } else {
            label_text(out, uniform(5, centre) < 0.5 ? "here" : "there");
        }
    }
    return out;
}

static settings distilling(setting_distill distill) {
    return (settings){.method = METHOD_CNM,
                      .features = 128,
                      .seed = 1,
                      .threads = 2,
                      .noise = -1.0,
                      .difference_noise = -1.0,
                      .decay = -1.0,
                      .translate = -1.0,
                      .map_rate = -1.0,
                      .distill = (int)distill,
                      .epochs = 300,
                      .effort = EFFORT_NORMAL};
}

static bool distils(const table *rows, const settings *wanted) {
    cnm_model *model = train(rows, wanted);
    const char *found = record_get(&model->record, "distilled_from");
    const bool features = wanted->features > 0 || model->map->features >= 128;
    assert_true(found == NULL || strcmp(found, "kernel-ensemble") == 0);
    assert_true(found == NULL || (features && record_get(&model->record, "head_solver") == NULL));
    const bool result = found != NULL;
    model_destroy(model);
    return result;
}

static void few_rows_are_distilled(void **unused) {
    (void)unused;
    table *rows = make_centres(120, 40, false), *targets = make_centres(150, 20, true);
    settings wanted = distilling(DISTILL_AUTO);
    assert_true(distils(rows, &wanted));
    wanted.task = WANT_REGRESS;
    assert_true(distils(targets, &wanted));
    wanted = distilling(DISTILL_AUTO);
    wanted.features = 0;
    assert_true(distils(rows, &wanted));
    wanted.features = 64; /* too few features */
    assert_false(distils(rows, &wanted));
    wanted = distilling(DISTILL_NO);
    assert_false(distils(rows, &wanted));
    wanted = distilling(DISTILL_AUTO);
    wanted.map_rate = 0.0; /* a frozen map was asked for */
    assert_false(distils(rows, &wanted));
    wanted = distilling(DISTILL_AUTO);
    wanted.metric = METRIC_BALANCED; /* moves decision thresholds */
    assert_false(distils(rows, &wanted));
    table_destroy(rows);
    table_destroy(targets);
}

static void the_same_bits_for_any_number_of_threads(void **unused) {
    (void)unused;
    table *rows = make_centres(90, 20, false);
    cnm_model *first = NULL;
    for (size_t i = 0; i < COUNT_OF(THREADS); i++) {
        settings wanted = distilling(DISTILL_YES);
        wanted.threads = THREADS[i];
        wanted.effort = EFFORT_QUICK;
        cnm_model *model = train(rows, &wanted);
        assert_non_null(record_get(&model->record, "distilled_from"));
        if (first == NULL) {
            first = model;
            continue;
        }
        check_same_model(first, model, true, "threads");
        model_destroy(model);
    }
    model_destroy(first);
    table_destroy(rows);
}

static void unsuitable_rows_and_options_are_refused(void **unused) {
    (void)unused;
    table *rows = make_centres(70, 20, false), *many = make_centres(2001, 6, false);
    cnm_error error = {0};
    cnm_model *model;
    settings wanted = distilling(DISTILL_YES);
    assert_int_equal(learn(&model, many, NULL, &wanted, NULL, &error), CNM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "here are 2001 of 6 columns"));
    wanted.validation = 0.2;
    assert_int_equal(learn(&model, rows, NULL, &wanted, NULL, &error), CNM_BAD_ARGUMENT);
    wanted = distilling(DISTILL_YES);
    wanted.projection = 1;
    assert_int_equal(learn(&model, rows, NULL, &wanted, NULL, &error), CNM_BAD_ARGUMENT);
    wanted = distilling(DISTILL_YES);
    wanted.metric = METRIC_F1;
    assert_int_equal(learn(&model, rows, NULL, &wanted, NULL, &error), CNM_BAD_ARGUMENT);
    table_destroy(rows);
    table_destroy(many);
}

static void count_notice(const char *sentence, void *user) {
    *(size_t *)user += strstr(sentence, "--distill yes: there is no kernel model of fewer than 40 rows") != NULL;
}

/* Below 40 rows nothing is distilled, and a notice tells so. */
static void too_few_rows_give_a_notice(void **unused) {
    (void)unused;
    for (size_t rows = 39; rows <= 40; rows++) {
        table *few = make_centres(rows, 20, false);
        size_t notices = 0;
        const cnm_callbacks callbacks = {
            .struct_size = sizeof(cnm_callbacks), .notice = count_notice, .user = &notices};
        cnm_error error = {0};
        cnm_model *model;
        settings wanted = distilling(DISTILL_YES);
        wanted.effort = EFFORT_QUICK;
        check_ok(learn(&model, few, NULL, &wanted, &callbacks, &error), &error);
        assert_int_equal(notices, rows == 39);
        assert_int_equal(record_get(&model->record, "distilled_from") == NULL, rows == 39);
        model_destroy(model);
        table_destroy(few);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_rows_are_distilled),
        cmocka_unit_test(the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(unsuitable_rows_and_options_are_refused),
        cmocka_unit_test(too_few_rows_give_a_notice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
