/* The estimate of a training: unbiased on rows that it lacks, of no influence on the model, and the
 * end of the search where nothing is learned. */
#include "support/trainings.h"

#include "base/core/memory.h"

/* What a training sends. */
typedef struct sent {
    size_t baselines, linears, others; /* notices */
    char latest[CNM_MESSAGE_SIZE];
    double fraction;
    bool fell;        /* the fraction became smaller */
    const char *stop; /* the phase in which to stop, or NULL */
} sent;

static void take_notice(const char *sentence, void *user) {
    sent *self = user;
    const bool baseline = strstr(sentence, "no better than always") != NULL;
    const bool linear = strstr(sentence, "a linear model does as well") != NULL;
    self->baselines += baseline;
    self->linears += linear;
    self->others += !baseline && !linear;
    (void)snprintf(self->latest, sizeof self->latest, "%s", sentence);
}

static int take_progress(const cnm_progress *at, void *user) {
    sent *self = user;
    self->fell = self->fell || at->fraction < self->fraction;
    self->fraction = at->fraction;
    return self->stop != NULL && strcmp(at->phase, self->stop) == 0;
}

static cnm_callbacks callbacks_to(sent *to) {
    return (cnm_callbacks){
        .struct_size = sizeof(cnm_callbacks), .progress = take_progress, .notice = take_notice, .user = to};
}

static cnm_model *train_estimated(const table *rows, settings wanted, sent *to) {
    cnm_error error = {0};
    cnm_model *model;
    const cnm_callbacks callbacks = callbacks_to(to);
    wanted.estimate = ESTIMATE_YES;
    check_ok(learn(&model, rows, NULL, &wanted, &callbacks, &error), &error);
    return model;
}

/* A few hundred steps. */
static settings small(setting_method method, uint64_t features) {
    settings out = quick(method);
    out.features = features;
    out.epochs = 20;
    return out;
}

static table *make_random_labels(uint64_t seed, size_t rows) {
    table *out = table_make(rows, 3);
    normals(seed, rows * 3, 1.0, out->values);
    for (size_t i = 0; i < rows; i++) {
        label_number(out, uniform(seed + 1000, i) < 0.5 ? -1.0 : 1.0);
    }
    return out;
}

/* Makes y = sin(2 x) + noise of deviation 0.3. */
static table *make_waves(uint64_t seed, size_t rows) {
    table *out = table_make(rows, 2);
    float *noise = take(rows, sizeof *noise);
    normals(seed, rows * 2, 1.0, out->values);
    normals(seed + 1000, rows, 0.3, noise);
    for (size_t i = 0; i < rows; i++) {
        label_number(out, sin(2.0 * (double)out->values[2 * i]) + (double)noise[i]);
    }
    free(noise);
    return out;
}

/* Where labels are random, the estimates scatter around chance as their standard errors say, and
 * nearly all trainings report it. */
static void random_labels_are_estimated_at_chance(void **unused) {
    (void)unused;
    enum { TABLES = 20 };
    double sum = 0.0, errors = 0.0;
    size_t within = 0;
    sent all = {0};
    for (uint64_t i = 0; i < TABLES; i++) {
        table *rows = make_random_labels(i, 200);
        cnm_model *model = train_estimated(rows, small(METHOD_CNM, 8), &all);
        const double got = number_of(model, "estimate"), error = number_of(model, "estimate_standard_error");
        sum += got;
        errors += error;
        within += fabs(got - 0.5) <= 2.0 * error;
        assert_true(figure_of(model, rows, "accuracy") > 0.55); /* which the estimate is not misled by */
        model_destroy(model);
        table_destroy(rows);
    }
    if (fabs(sum / TABLES - 0.5) > 0.5 * errors / TABLES || within < 17) {
        fail_msg("the mean estimate is %.3f, and %zu are within two standard errors", sum / TABLES, within);
    }
    assert_true(all.baselines >= 18);
    assert_int_equal(all.others, 0);
}

/* Checks that an estimate is the score on many rows of the same kind, up to three standard errors,
 * and far above the baseline. */
static void check_estimate(const table *rows, const table *many, settings wanted, const char *metric, double least) {
    sent none = {0};
    cnm_model *model = train_estimated(rows, wanted, &none);
    const double got = number_of(model, "estimate"), error = number_of(model, "estimate_standard_error");
    const double whole = figure_of(model, many, metric);
    if (fabs(got - whole) > 3.0 * error + 0.01 || error > 0.1 || got < least) {
        fail_msg("%s: %.3f +- %.3f, but %.3f on many rows", metric, got, error, whole);
    }
    assert_string_equal(text_of(model, "estimate_metric"), metric);
    assert_true(got > number_of(model, "baseline") + 0.2);
    assert_true(got > number_of(model, "linear") + 0.1);
    assert_int_equal(none.baselines + none.linears + none.others, 0);
    assert_false(none.fell);
    model_destroy(model);
}

static void the_estimate_is_the_score_on_other_rows(void **unused) {
    (void)unused;
    table *rows = make_rings(1, 600, 4), *many = make_rings(2, 4000, 4);
    check_estimate(rows, many, small(METHOD_CNM, 16), "accuracy", 0.9);
    check_estimate(rows, many, small(METHOD_RFF, 100), "accuracy", 0.7);
    table_destroy(rows);
    table_destroy(many);
    rows = make_waves(3, 600);
    many = make_waves(4, 4000);
    check_estimate(rows, many, small(METHOD_CNM, 16), "r2", 0.5);
    table_destroy(rows);
    table_destroy(many);
}

/* Rows of a group are copies but for a little noise, and each group has a random label: who has
 * seen the group knows the label. */
static void groups_are_held_out_whole(void **unused) {
    (void)unused;
    enum { GROUPS = 100, EACH = 6 };
    table *rows = table_make(GROUPS * EACH, 2);
    rows->groups = take(GROUPS * EACH, sizeof *rows->groups);
    normals(1, 2 * GROUPS * EACH, 0.001, rows->values);
    for (size_t i = 0; i < GROUPS * EACH; i++) {
        const size_t group = i % GROUPS;
        rows->values[2 * i] += (float)(10.0 * uniform(7, group));
        rows->values[2 * i + 1] += (float)(10.0 * uniform(8, group));
        label_text(rows, uniform(9, group) < 0.5 ? "no" : "yes");
        rows->groups[i] = group;
    }
    uint64_t *groups = rows->groups;
    settings wanted = small(METHOD_RFF, 400);
    wanted.gamma = GAMMA_NUMBER;
    wanted.gamma_number = 100.0;
    for (int grouped = 0; grouped < 2; grouped++) {
        sent none = {0};
        rows->groups = grouped ? groups : NULL;
        cnm_model *model = train_estimated(rows, wanted, &none);
        const double got = number_of(model, "estimate");
        if (grouped ? got > 0.7 : got < 0.9) {
            fail_msg("groups %s: %.3f", grouped ? "whole" : "split", got);
        }
        assert_string_equal(text_of(model, "estimate_split"),
                            grouped ? "a random fifth, whole groups" : "a random fifth of each class");
        model_destroy(model);
    }
    rows->groups = groups;
    table_destroy(rows);
}

static void check_same_arrays(const cnm_model *a, const cnm_model *b) {
    map_array one[MAP_ARRAYS], other[MAP_ARRAYS];
    const size_t count = map_list(a->map, one);
    assert_int_equal(count, map_list(b->map, other));
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(one[i].rows * one[i].columns, other[i].rows * other[i].columns);
        assert_memory_equal(*one[i].values, *other[i].values, one[i].rows * one[i].columns * sizeof(float));
    }
    assert_memory_equal(a->weights, b->weights, a->map->features * a->outputs * sizeof(float));
    assert_memory_equal(a->bias, b->bias, a->outputs * sizeof(float));
}

/* Search and all: 2,000 steps, enough for a round of trials. */
static void the_model_is_the_same_with_and_without_an_estimate(void **unused) {
    (void)unused;
    table *rows = make_rings(5, 400, 3);
    settings wanted = search_settings(8);
    wanted.epochs = 80;
    wanted.batch = 16;
    cnm_model *plain = train(rows, &wanted), *first = NULL;
    for (size_t i = 0; i < COUNT_OF(THREADS); i++) {
        sent none = {0};
        wanted.threads = THREADS[i];
        cnm_model *model = train_estimated(rows, wanted, &none);
        check_same_arrays(plain, model);
        assert_non_null(strstr(text_of(model, "stages"), "estimate, search, fit"));
        if (first == NULL) {
            first = model;
        } else {
            check_same_model(first, model, true, "threads");
            model_destroy(model);
        }
    }
    wanted.skip = (char[]){"estimate"};
    sent none = {0};
    cnm_model *skipped = train_estimated(rows, wanted, &none);
    check_same_model(plain, skipped, true, "--skip estimate");
    model_destroy(plain);
    model_destroy(first);
    model_destroy(skipped);
    table_destroy(rows);
}

/* Without a gain there is no search; the model that was asked for is there. */
static void nothing_is_searched_where_nothing_is_learned(void **unused) {
    (void)unused;
    table *rows = make_random_labels(3, 300);
    settings wanted = search_settings(8);
    wanted.epochs = 80;
    wanted.batch = 16;
    sent got = {0};
    cnm_model *model = train_estimated(rows, wanted, &got);
    assert_string_equal(text_of(model, "stages"), "dataset, detect, estimate, fit, calibrate, assemble");
    assert_int_equal(got.baselines, 1);
    assert_non_null(strstr(got.latest, "settings are not searched for"));
    assert_int_equal(model->map->features, 8);
    wanted.effort = EFFORT_QUICK;
    cnm_model *usual = train(rows, &wanted);
    assert_int_equal(usual->map->features, model->map->features);
    model_destroy(model);
    model_destroy(usual);
    table_destroy(rows);
}

/* A plane separates the rows. */
static void a_linear_model_that_does_as_well_is_named(void **unused) {
    (void)unused;
    table *rows = make_sides(1, 300, 3);
    sent got = {0};
    cnm_model *model = train_estimated(rows, small(METHOD_CNM, 8), &got);
    assert_int_equal(got.linears, 1);
    assert_int_equal(got.baselines, 0);
    assert_non_null(strstr(got.latest, "(1.000 against "));
    model_destroy(model);
    got = (sent){0};
    model = train_estimated(rows, small(METHOD_LINEAR, 0), &got); /* which is no advice for itself */
    assert_int_equal(got.linears + got.baselines, 0);
    assert_null(record_get(&model->record, "linear"));
    model_destroy(model);
    table_destroy(rows);
}

/* Columns that wander slowly: the last rows are held out. */
static void rows_in_time_order_are_held_out_from_the_end(void **unused) {
    (void)unused;
    table *rows = table_make(1200, 2);
    normals(11, 2400, 0.1, rows->values);
    for (size_t i = 0; i < 1200; i++) {
        rows->values[2 * i] += i > 0 ? rows->values[2 * i - 2] : 0.0F;
        rows->values[2 * i + 1] += i > 0 ? rows->values[2 * i - 1] : 0.0F;
        label_number(rows, (double)rows->values[2 * i] + uniform(12, i));
    }
    for (int method = METHOD_CNM; method <= METHOD_RFF; method++) {
        sent got = {0};
        cnm_model *model = train_estimated(rows, small((setting_method)method, 8), &got);
        assert_string_equal(text_of(model, "estimate_split"), "the last fifth: rows are in time order");
        assert_int_equal(number_of(model, "estimate_rows"), 240);
        model_destroy(model);
    }
    table_destroy(rows);
}

static void a_metric_is_estimated_besides(void **unused) {
    (void)unused;
    table *rows = make_rings(13, 300, 2);
    settings wanted = small(METHOD_CNM, 16);
    wanted.metric = METRIC_AUC;
    sent got = {0};
    cnm_model *model = train_estimated(rows, wanted, &got);
    assert_true(number_of(model, "estimate_auc") >= number_of(model, "estimate"));
    model_destroy(model);
    table_destroy(rows);
}

/* Where no rows can be held out, the model is trained all the same. */
static void too_few_rows_leave_no_estimate(void **unused) {
    (void)unused;
    table *rows = make_rings(14, 19, 2);
    sent got = {0};
    cnm_model *model = train_estimated(rows, small(METHOD_RFF, 8), &got);
    assert_int_equal(got.others, 1);
    assert_non_null(strstr(got.latest, "no estimate of the score on rows not trained on: it takes at least 20 rows"));
    assert_null(record_get(&model->record, "estimate"));
    model_destroy(model);
    table_destroy(rows);
    rows = make_rings(14, 40, 2);
    rows->groups = take(40, sizeof *rows->groups);
    memset(rows->groups, 0, 40 * sizeof *rows->groups);
    model = train_estimated(rows, small(METHOD_RFF, 8), &got);
    assert_int_equal(got.others, 2);
    assert_non_null(strstr(got.latest, "no group of rows can be held out"));
    model_destroy(model);
    table_destroy(rows);
}

static void a_stop_during_the_estimate_leaves_a_model(void **unused) {
    (void)unused;
    cnm_error error = {0};
    table *rows = make_rings(15, 200, 2);
    settings wanted = small(METHOD_CNM, 8);
    sent got = {.stop = "estimate"};
    const cnm_callbacks callbacks = callbacks_to(&got);
    cnm_model *model;
    wanted.estimate = ESTIMATE_YES;
    check_refusal(learn(&model, rows, NULL, &wanted, &callbacks, &error), CNM_CANCELLED, &error, "stopped");
    assert_non_null(model);
    assert_null(record_get(&model->record, "estimate"));
    assert_string_equal(text_of(model, "stages"), "dataset, detect, estimate, fit, calibrate, assemble");
    check_figure_above(model, rows, "accuracy", 0.0, "stopped");
    model_destroy(model);
    table_destroy(rows);
}

static void a_model_to_start_from_rules_it_out(void **unused) {
    (void)unused;
    cnm_error error = {0};
    table *rows = make_rings(16, 60, 2);
    settings wanted = small(METHOD_CNM, 4);
    cnm_model *start = train(rows, &wanted), *model;
    wanted.estimate = ESTIMATE_YES;
    check_refusal(learn_train(&model, rows, NULL, &wanted, start, NULL, &error), CNM_BAD_ARGUMENT, &error,
                  "--estimate yes does not go with a model to start from");
    model_destroy(start);
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_labels_are_estimated_at_chance),
        cmocka_unit_test(the_estimate_is_the_score_on_other_rows),
        cmocka_unit_test(groups_are_held_out_whole),
        cmocka_unit_test(the_model_is_the_same_with_and_without_an_estimate),
        cmocka_unit_test(nothing_is_searched_where_nothing_is_learned),
        cmocka_unit_test(a_linear_model_that_does_as_well_is_named),
        cmocka_unit_test(rows_in_time_order_are_held_out_from_the_end),
        cmocka_unit_test(a_metric_is_estimated_besides),
        cmocka_unit_test(too_few_rows_leave_no_estimate),
        cmocka_unit_test(a_stop_during_the_estimate_leaves_a_model),
        cmocka_unit_test(a_model_to_start_from_rules_it_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
