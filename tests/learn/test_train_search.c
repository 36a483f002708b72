/* Trainings that search for their hyperparameters: the same bits for any number of threads, given
 * options stay, and a stop during the search leaves a model. */
#include "support/trainings.h"

#include "data/scale/scaling.h"

/* 4,000 steps of 100 rows: long enough for both rounds of trials. */
static settings automatic(void) {
    return (settings){.map_rate = 1.0,
                      .features = 16,
                      .seed = 1,
                      .threads = 2,
                      .epochs = 250,
                      .noise = -1.0,
                      .decay = -1.0,
                      .effort = EFFORT_NORMAL};
}

/* Makes three long stripes across a plane of two columns, and four columns of noise. */
static table *make_stripes(uint64_t seed, size_t rows) {
    table *out = table_make(rows, 6);
    normals(seed, rows * 6, 1.0, out->values);
    for (size_t i = 0; i < rows; i++) {
        const float *row = out->values + 6 * i;
        label_text(out, (int)floorf(row[0] + 0.5F * row[1] + 50.0F) % 3 == 0   ? "red"
                        : (int)floorf(row[0] + 0.5F * row[1] + 50.0F) % 3 == 1 ? "green"
                                                                               : "blue");
    }
    return out;
}

static void the_same_bits_for_any_number_of_threads(void **unused) {
    (void)unused;
    table *rows = make_stripes(1, 1600);
    cnm_model *models[COUNT_OF(THREADS)];
    for (size_t i = 0; i < COUNT_OF(THREADS); i++) {
        settings wanted = automatic();
        wanted.threads = THREADS[i];
        models[i] = train(rows, &wanted);
        check_same_model(models[0], models[i], true, "threads");
    }
    settings plain = automatic();
    plain.effort = EFFORT_QUICK;
    cnm_model *usual = train(rows, &plain);
    check_same_model(models[0], usual, false, "a search that found something, and none");
    for (size_t i = 0; i < COUNT_OF(THREADS); i++) {
        model_destroy(models[i]);
    }
    model_destroy(usual);
    table_destroy(rows);
}

static void given_options_are_kept(void **unused) {
    (void)unused;
    table *rows = make_stripes(2, 1600);
    settings amounts = automatic(), scaled = automatic();
    amounts.noise = 0.37;
    amounts.decay = 0.0123;
    scaled.scale = 1 + SCALING_RANGE;
    scaled.gamma = GAMMA_NUMBER;
    scaled.gamma_number = 0.77;
    cnm_model *first = train(rows, &amounts), *second = train(rows, &scaled);
    assert_true(number_of(first, "noise") == 0.37);
    assert_true(number_of(first, "decay") == 0.0123);
    assert_string_equal(record_get(&second->record, "scale"), "range");
    assert_true(number_of(second, "gamma") == 0.77);
    assert_true(number_of(second, "width") == 1.0);
    model_destroy(first);
    model_destroy(second);
    table_destroy(rows);
}

/* The search and the profiles start from the scaling that is detected, and can choose another: the
 * model has that one. */
static void rows_are_scaled_as_was_chosen(void **unused) {
    (void)unused;
    static const double RATES[] = {1.0, -1.0};
    static const char *const SCALINGS[] = {"asinh", "standard"}; /* the latter for a slowly learned map */
    table *rows = make_stripes(7, 200);
    for (size_t i = 0; i < COUNT_OF(RATES); i++) {
        settings wanted = automatic();
        wanted.effort = EFFORT_QUICK;
        wanted.epochs = 20;
        wanted.map_rate = RATES[i];
        cnm_model *model = train(rows, &wanted);
        assert_string_equal(text_of(model, "scale"), SCALINGS[i]);
        model_destroy(model);
    }
    table_destroy(rows);
}

/* Counts reports by phase, and asks to stop. */
typedef struct listener {
    size_t searching, training;
    bool stop_in_search, stop_later;
    bool beyond; /* more steps were done than announced */
} listener;

static int listen(const cnm_progress *progress, void *user) {
    listener *self = user;
    const bool searching = strcmp(progress->phase, "search") == 0;
    self->searching += searching;
    self->training += strcmp(progress->phase, "fit") == 0;
    self->beyond = self->beyond || progress->done > progress->total;
    return searching ? self->stop_in_search : self->stop_later;
}

static cnm_status learn_heard(listener *self, const table *rows, const settings *wanted, cnm_model **out) {
    cnm_error error = {0};
    const cnm_callbacks callbacks = {.struct_size = sizeof(cnm_callbacks), .progress = listen, .user = self};
    return learn(out, rows, NULL, wanted, &callbacks, &error);
}

static void effort_quick_runs_no_trials(void **unused) {
    (void)unused;
    table *rows = make_stripes(3, 1600);
    settings quickly = automatic();
    listener self = {0};
    cnm_model *model;
    quickly.effort = EFFORT_QUICK;
    assert_int_equal(learn_heard(&self, rows, &quickly, &model), CNM_OK);
    assert_int_equal(self.searching, 0);
    assert_true(self.training > 0); /* the last step always reports */
    model_destroy(model);
    table_destroy(rows);
}

/* With 400 rows trials have five folds, which share the steps: more of them would exceed the
 * announced total. */
static void trials_take_no_more_steps_than_announced(void **unused) {
    (void)unused;
    table *rows = make_stripes(5, 400);
    for (int rate = -1; rate <= 1; rate++) {
        settings wanted = automatic();
        listener self = {0};
        cnm_model *model;
        wanted.map_rate = rate;
        wanted.epochs = 1300; /* enough steps of a trial for each of five folds */
        assert_int_equal(learn_heard(&self, rows, &wanted, &model), CNM_OK);
        model_destroy(model);
        assert_false(self.beyond);
    }
    table_destroy(rows);
}

/* The smaller the map's learning rate, the nearer it stays to the random map; with none it stays
 * there. */
static void a_slow_map_stays_near_the_random_one(void **unused) {
    (void)unused;
    static const double RATES[] = {0.0, 0.001, 0.01, 1.0};
    table *rows = make_stripes(6, 400);
    double before = -1.0;
    float *random = NULL;
    for (size_t i = 0; i < COUNT_OF(RATES); i++) {
        settings wanted = automatic();
        wanted.effort = EFFORT_QUICK;
        wanted.gamma = GAMMA_NUMBER; /* the same random map for all of them */
        wanted.gamma_number = 0.1;
        wanted.scale = 1 + SCALING_STANDARD;
        wanted.map_rate = RATES[i];
        wanted.decay = wanted.noise = 0.0;
        wanted.lambda = 1e-3;
        cnm_model *model = train(rows, &wanted);
        const size_t count = model->map->layers[0]->tensors[0].rows * model->map->layers[0]->tensors[0].columns;
        double moved = 0.0;
        if (random == NULL) {
            random = take(count, sizeof *random);
            memcpy(random, model->map->layers[0]->tensors[0].values, count * sizeof *random);
        }
        for (size_t n = 0; n < count; n++) {
            moved += fabs((double)model->map->layers[0]->tensors[0].values[n] - (double)random[n]);
        }
        if (!(moved > before) || number_of(model, "map_rate") != RATES[i]) {
            fail_msg("map rate %g: moved by %g after %g", RATES[i], moved, before);
        }
        before = moved;
        model_destroy(model);
    }
    free(random);
    table_destroy(rows);
}

/* Has so many steps that a round of trials lasts longer than the tenth of a second between
 * reports. */
static void a_stop_during_the_search_leaves_a_usable_model(void **unused) {
    (void)unused;
    table *rows = make_stripes(4, 8000);
    settings wanted = automatic();
    wanted.features = 128;
    wanted.epochs = 0;
    listener self = {.stop_in_search = true, .stop_later = true};
    cnm_model *model;
    assert_int_equal(learn_heard(&self, rows, &wanted, &model), CNM_CANCELLED);
    assert_true(self.searching > 0);
    assert_non_null(model);
    assert_string_equal(record_get(&model->record, "stopped"), "before the end");
    assert_true(isfinite(figure_of(model, rows, "accuracy")));
    assert_true(number_of(model, "decay") == 0.03 && number_of(model, "noise") == 0.25);
    model_destroy(model);
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(given_options_are_kept),
        cmocka_unit_test(rows_are_scaled_as_was_chosen),
        cmocka_unit_test(effort_quick_runs_no_trials),
        cmocka_unit_test(trials_take_no_more_steps_than_announced),
        cmocka_unit_test(a_slow_map_stays_near_the_random_one),
        cmocka_unit_test(a_stop_during_the_search_leaves_a_usable_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
