/* Trainings that choose for themselves: the same bits for any number of threads, what is given stays, and a stop while choosing leaves a
 * model. */
#include "learn/learn_support.h"

/* 4,000 steps of 100 rows: long enough for both rounds of pilots. */
static settings automatic(void) {
    return (settings){
        .features = 16, .seed = 1, .threads = 2, .epochs = 250, .noise = -1.0, .decay = -1.0, .effort = EFFORT_NORMAL};
}

/* Three long stripes across a plane of two columns; four columns more that mean nothing. */
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

static double number_of(const cnm_model *model, const char *key) {
    const char *text = record_get(&model->record, key);
    assert_non_null(text);
    return strtod(text, NULL);
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

static void what_is_given_is_kept(void **unused) {
    (void)unused;
    table *rows = make_stripes(2, 1600);
    settings numbers = automatic(), scaled = automatic();
    numbers.noise = 0.37;
    numbers.decay = 0.0123;
    scaled.scale = 1 + SCALING_RANGE;
    scaled.gamma = GAMMA_NUMBER;
    scaled.gamma_number = 0.77;
    cnm_model *first = train(rows, &numbers), *second = train(rows, &scaled);
    assert_true(number_of(first, "noise") == 0.37);
    assert_true(number_of(first, "decay") == 0.0123);
    assert_string_equal(record_get(&second->record, "scale"), "range");
    assert_true(number_of(second, "gamma") == 0.77);
    assert_true(number_of(second, "width") == 1.0);
    model_destroy(first);
    model_destroy(second);
    table_destroy(rows);
}

/* What a training reported, and when it is to stop. */
typedef struct listener {
    size_t choosing, training;
    bool stop_while_choosing, stop_later;
    bool beyond; /* more was done than there was to do */
} listener;

static int listen(const cnm_progress *progress, void *user) {
    listener *self = user;
    const bool choosing = strcmp(progress->phase, "choose") == 0;
    self->choosing += choosing;
    self->training += strcmp(progress->phase, "train") == 0;
    self->beyond = self->beyond || progress->done > progress->total;
    return choosing ? self->stop_while_choosing : self->stop_later;
}

static cnm_status heard(listener *self, const table *rows, const settings *wanted, cnm_model **out) {
    cnm_error error = {0};
    const cnm_callbacks callbacks = {.progress = listen, .user = self};
    return learn(out, rows, NULL, wanted, &callbacks, &error);
}

static void little_effort_makes_no_pilots(void **unused) {
    (void)unused;
    table *rows = make_stripes(3, 1600);
    settings quickly = automatic();
    listener self = {0};
    cnm_model *model;
    quickly.effort = EFFORT_QUICK;
    assert_int_equal(heard(&self, rows, &quickly, &model), CNM_OK);
    assert_int_equal(self.choosing, 0);
    assert_true(self.training > 0); /* the last step always reports */
    model_destroy(model);
    table_destroy(rows);
}

/* 400 rows judge on five folds, which share the steps: more would be reported as more than there were to be. Gentle maps or not. */
static void pilots_take_no_more_steps_than_they_said(void **unused) {
    (void)unused;
    table *rows = make_stripes(5, 400);
    for (int hold = -1; hold <= 1; hold++) {
        settings wanted = automatic();
        listener self = {0};
        cnm_model *model;
        wanted.hold = hold;
        assert_int_equal(heard(&self, rows, &wanted, &model), CNM_OK);
        model_destroy(model);
        assert_false(self.beyond);
    }
    table_destroy(rows);
}

/* A map that is held stays nearer to where it was drawn; one that is held altogether stays. */
static void a_map_that_is_held_stays_near(void **unused) {
    (void)unused;
    static const double HOLDS[] = {1.0, 0.999, 0.99, 0.0};
    table *rows = make_stripes(6, 400);
    double before = -1.0;
    float *drawn = NULL;
    for (size_t i = 0; i < COUNT_OF(HOLDS); i++) {
        settings wanted = automatic();
        wanted.effort = EFFORT_QUICK;
        wanted.gamma = GAMMA_NUMBER; /* the same draw for all of them */
        wanted.gamma_number = 0.1;
        wanted.scale = 1 + SCALING_STANDARD;
        wanted.hold = HOLDS[i];
        wanted.decay = wanted.noise = 0.0;
        wanted.lambda = 1e-3;
        cnm_model *model = train(rows, &wanted);
        const size_t count = model->map->tensors[0].rows * model->map->tensors[0].columns;
        double moved = 0.0;
        if (drawn == NULL) {
            drawn = take(count, sizeof *drawn);
            memcpy(drawn, model->map->tensors[0].values, count * sizeof *drawn);
        }
        for (size_t n = 0; n < count; n++) {
            moved += fabs((double)model->map->tensors[0].values[n] - (double)drawn[n]);
        }
        if (!(moved > before) || number_of(model, "hold") != HOLDS[i]) {
            fail_msg("hold %g: moved by %g after %g", HOLDS[i], moved, before);
        }
        before = moved;
        model_destroy(model);
    }
    free(drawn);
    table_destroy(rows);
}

/* So many steps that a round of pilots lasts longer than the tenth of a second between reports. */
static void a_stop_while_choosing_leaves_a_usable_model(void **unused) {
    (void)unused;
    table *rows = make_stripes(4, 8000);
    settings wanted = automatic();
    wanted.features = 128;
    wanted.epochs = 0;
    listener self = {.stop_while_choosing = true, .stop_later = true};
    cnm_model *model;
    assert_int_equal(heard(&self, rows, &wanted, &model), CNM_CANCELLED);
    assert_true(self.choosing > 0);
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
        cmocka_unit_test(what_is_given_is_kept),
        cmocka_unit_test(little_effort_makes_no_pilots),
        cmocka_unit_test(pilots_take_no_more_steps_than_they_said),
        cmocka_unit_test(a_map_that_is_held_stays_near),
        cmocka_unit_test(a_stop_while_choosing_leaves_a_usable_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
