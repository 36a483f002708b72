/* Learned maps: each recipe beats random features of the same size, keeps its bits for any number of threads, and does what its
 * options say; and models go on from models. */
#include "learn/learn_support.h"

#include "learn/objective/losses.h"
#include "math/random/variates.h"

typedef struct learner {
    const char *name;
    int method, recipe, projection;
} learner;

static const learner LEARNERS[] = {
    {"joint dense", METHOD_CNM, RECIPE_JOINT, 0},
    {"joint circulant", METHOD_CNM, RECIPE_JOINT, 1},
    {"alternating dense", METHOD_CNM, RECIPE_ALTERNATING, 0},
    {"alternating circulant", METHOD_CNM, RECIPE_ALTERNATING, 1},
    {"kernel dense", METHOD_KERNEL, RECIPE_JOINT, 0},
    {"kernel circulant", METHOD_KERNEL, RECIPE_JOINT, 1},
};
enum { LEARNER_COUNT = sizeof LEARNERS / sizeof LEARNERS[0] };

static settings settings_of(const learner *self, size_t features) {
    return (settings){.method = self->method,
                      .recipe = self->recipe,
                      .projection = self->projection,
                      .features = features,
                      .seed = 1,
                      .threads = 2,
                      .epochs = 80,
                      .batch = 100,
                      .iterations = 30,
                      .head_steps = 50,
                      .map_steps = self->method == METHOD_KERNEL ? 150 : 50};
}

static const char *entry(const cnm_model *model, const char *key) {
    const char *value = record_get(&model->record, key);
    assert_non_null(value);
    return value;
}

static double number(const cnm_model *model, const char *key) { return strtod(entry(model, key), NULL); }

/* ---- Accuracy ---- */

/* Rings with noise columns: few random features fail, few learned ones do not. */
static void a_learned_map_beats_a_random_one_of_its_size(void **state) {
    (void)state;
    table *train_rows = make_rings(1, 600, 6), *test_rows = make_rings(2, 600, 6);
    const settings random = {.method = METHOD_RFF, .features = 8, .seed = 1, .threads = 2, .epochs = 60, .batch = 100};
    cnm_model *drawn = train(train_rows, &random);
    const double floor = figure_of(drawn, test_rows, "accuracy");
    for (size_t i = 0; i < LEARNER_COUNT; i++) {
        const settings wanted = settings_of(&LEARNERS[i], 8);
        if (LEARNERS[i].method == METHOD_CNM) {
            cnm_model *learned = train(train_rows, &wanted);
            check_figure_above(learned, test_rows, "accuracy", floor + 0.1, LEARNERS[i].name);
            model_destroy(learned);
        }
    }
    model_destroy(drawn);
    table_destroy(train_rows);
    table_destroy(test_rows);
}

/* For all kernels and projections: the error on held pairs falls well below the random map's. */
static void a_kernel_map_has_less_error_than_a_random_one(void **state) {
    (void)state;
    table *rows = make_rings(3, 600, 5);
    for (int kernel = 0; kernel < 3; kernel++) {
        for (int projection = 0; projection < 2; projection++) {
            settings wanted = settings_of(&LEARNERS[4 + projection], 16);
            wanted.kernel = kernel;
            wanted.validation = 0.3;
            wanted.task = WANT_MAP;
            cnm_model *model = train(rows, &wanted);
            assert_true(number(model, "kernel_error") < 0.7 * number(model, "kernel_error_random"));
            assert_int_equal(model->outputs, 0);
            model_destroy(model);
        }
    }
    table_destroy(rows);
}

/* A function drawn from a process with a Gaussian kernel, as the sum of 200 random waves. */
static table *make_process(uint64_t seed, size_t rows) {
    enum { WAVES = 200, COLUMNS = 4 };
    static float theta[COLUMNS * WAVES], phase[WAVES], height[WAVES];
    table *out = table_make(rows, COLUMNS);
    normals(seed, rows * COLUMNS, 1.0, out->values);
    normals(100, COLUMNS * WAVES, 0.7, theta);
    normals(101, WAVES, 1.0, height);
    variates_uniform((random_stream){102, RANDOM_TEST, 0}, 0, WAVES, 6.283185307179586, phase);
    for (size_t i = 0; i < rows; i++) {
        double sum = 0.0;
        for (size_t w = 0; w < WAVES; w++) {
            double angle = (double)phase[w];
            for (size_t j = 0; j < COLUMNS; j++) {
                angle += (double)theta[j * WAVES + w] * (double)out->values[i * COLUMNS + j];
            }
            sum += (double)height[w] * cos(angle);
        }
        label_number(out, 1000.0 + 5.0 * sum);
    }
    return out;
}

static void eight_learned_features_beat_64_random_ones_at_regression(void **state) {
    (void)state;
    table *train_rows = make_process(1, 3000), *test_rows = make_process(2, 1000);
    const settings learned = {.method = METHOD_CNM, .features = 8, .seed = 1, .threads = 2, .task = WANT_REGRESS};
    const settings random = {
        .method = METHOD_RFF, .features = 64, .seed = 1, .threads = 2, .task = WANT_REGRESS, .epochs = 100};
    cnm_model *few = train(train_rows, &learned), *many = train(train_rows, &random);
    check_figure_above(few, test_rows, "r2", figure_of(many, test_rows, "r2"), "8 learned against 64 random");
    model_destroy(few);
    model_destroy(many);
    table_destroy(train_rows);
    table_destroy(test_rows);
}

static void every_loss_and_activation_learns(void **state) {
    static const double LEAST_R2 = 0.5, LEAST_ACCURACY = 0.9;
    table *rings = make_rings(1, 600, 2), *process = make_process(1, 1000);
    size_t count;
    (void)state;
    (void)loss_table(&count);
    for (size_t loss = 0; loss < count; loss++) {
        for (int activation = 0; activation < 3; activation++) {
            const bool classify = loss_table(&count)[loss].task == TASK_CLASSIFY;
            settings wanted = settings_of(&LEARNERS[0], 32);
            wanted.loss = (int)loss + 1;
            wanted.activation = activation;
            wanted.task = classify ? WANT_CLASSIFY : WANT_REGRESS;
            cnm_model *model = train(classify ? rings : process, &wanted);
            check_figure_above(model, classify ? rings : process, classify ? "accuracy" : "r2",
                               classify ? LEAST_ACCURACY : LEAST_R2, loss_table(&count)[loss].name);
            model_destroy(model);
        }
    }
    table_destroy(rings);
    table_destroy(process);
}

/* ---- Bits ---- */

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    table *rows = make_rings(1, 300, 7);
    for (size_t i = 0; i < LEARNER_COUNT; i++) {
        settings wanted = settings_of(&LEARNERS[i], 70);
        wanted.iterations = 3;
        wanted.map_steps = 10;
        wanted.epochs = 5;
        cnm_model *models[3];
        for (size_t t = 0; t < 3; t++) {
            static const uint64_t COUNTS[] = {1, 2, 7};
            wanted.threads = COUNTS[t];
            models[t] = train(rows, &wanted);
        }
        check_same_model(models[0], models[1], true, LEARNERS[i].name);
        check_same_model(models[0], models[2], true, LEARNERS[i].name);
        wanted.seed = 2;
        cnm_model *other = train(rows, &wanted);
        check_same_model(models[0], other, false, LEARNERS[i].name);
        for (size_t t = 0; t < 3; t++) {
            model_destroy(models[t]);
        }
        model_destroy(other);
    }
    table_destroy(rows);
}

/* ---- Options ---- */

static double squares_of_theta(const cnm_model *model) {
    const map_tensor *theta = &model->map->tensors[0];
    double sum = 0.0;
    for (size_t i = 0; i < theta->rows * theta->columns; i++) {
        sum += (double)theta->values[i] * (double)theta->values[i];
    }
    return sum;
}

static void penalties_make_theta_smaller(void **state) {
    (void)state;
    table *rows = make_rings(1, 400, 4);
    for (size_t i = 0; i < 4; i++) {
        settings wanted = settings_of(&LEARNERS[i], 16);
        cnm_model *free_one = train(rows, &wanted);
        for (int penalty = PENALTY_L1; penalty <= PENALTY_L2; penalty++) {
            wanted.theta_penalty = penalty;
            wanted.theta_penalty_weight = 0.03;
            cnm_model *held = train(rows, &wanted);
            assert_true(squares_of_theta(held) < 0.9 * squares_of_theta(free_one));
            model_destroy(held);
        }
        model_destroy(free_one);
    }
    table_destroy(rows);
}

/* The kept parameters are the best seen, so their score on the held rows is what the record says. */
static void validation_keeps_the_best(void **state) {
    (void)state;
    table *rows = make_rings(1, 300, 8);
    for (size_t i = 0; i < 4; i++) {
        settings wanted = settings_of(&LEARNERS[i], 12);
        wanted.validation = 0.25;
        wanted.patience = 3;
        cnm_model *model = train(rows, &wanted);
        table *held = make_rings(1, 300, 8);
        size_t order[300], count = 0;
        for (size_t row = 0; row < 300; row++) { /* the last quarter of each class: 37 of 150 */
            if (row / 2 >= 150 - 37) {
                order[count++] = row;
            }
        }
        assert_int_equal(table_keep(held, order, count, NULL), CNM_OK);
        assert_true(fabs(figure_of(model, held, "accuracy") - number(model, "validation_score")) < 1e-9);
        table_destroy(held);
        model_destroy(model);
    }
    table_destroy(rows);
}

static void class_weights_move_the_boundary(void **state) {
    (void)state;
    table *rows = make_sides(1, 400, 3);
    normals(77, 400 * 3, 1.5, rows->values); /* labels no longer follow the rows: the weights alone decide */
    settings wanted = settings_of(&LEARNERS[0], 4);
    char favour_two[] = "2:50", favour_four[] = "4:50,2:1", balanced[] = "balanced";
    wanted.lambda = 1.0;
    wanted.class_weight = favour_two;
    cnm_model *two = train(rows, &wanted);
    wanted.class_weight = favour_four;
    cnm_model *four = train(rows, &wanted);
    wanted.class_weight = balanced;
    cnm_model *even = train(rows, &wanted);
    assert_true(two->bias[0] < 0.0F && four->bias[0] > 0.0F);
    assert_true(fabsf(even->bias[0]) < fabsf(two->bias[0]));
    model_destroy(two);
    model_destroy(four);
    model_destroy(even);
    table_destroy(rows);
}

static void bad_class_weights_are_named(void **state) {
    static const char *const CASES[][2] = {
        {"7:2", "no row has the label \"7\""},
        {"2", "found \"2\", expected LABEL:WEIGHT with a weight from 0"},
        {"2:-1", "found \"2:-1\", expected LABEL:WEIGHT with a weight from 0"},
        {"2:nan", "found \"2:nan\", expected LABEL:WEIGHT with a weight from 0"},
        {"2:1,2.0:3", "the label \"2\" is there twice"},
    };
    (void)state;
    table *rows = make_sides(1, 50, 3);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        settings wanted = settings_of(&LEARNERS[0], 4);
        char text[32];
        cnm_model *model;
        cnm_error error = {0};
        (void)snprintf(text, sizeof text, "%s", CASES[i][0]);
        wanted.class_weight = text;
        assert_int_equal(learn(&model, rows, NULL, &wanted, NULL, &error), CNM_BAD_ARGUMENT);
        assert_null(model);
        assert_non_null(strstr(error.message, CASES[i][1]));
    }
    table_destroy(rows);
}

static int stop_after_a_while(const cnm_progress *progress, void *user) {
    (void)progress;
    return ++*(int *)user > 2;
}

static void a_stopped_training_gives_a_usable_model(void **state) {
    (void)state;
    table *rows = make_rings(1, 300, 4);
    for (size_t i = 0; i < LEARNER_COUNT; i++) {
        settings wanted = settings_of(&LEARNERS[i], 8);
        int calls = 0;
        const cnm_callbacks callbacks = {.progress = stop_after_a_while, .user = &calls};
        cnm_model *model;
        wanted.iterations = 1000000;
        wanted.epochs = 20000;
        wanted.map_steps = 1000000;
        assert_int_equal(learn(&model, rows, NULL, &wanted, &callbacks, NULL), CNM_CANCELLED);
        assert_non_null(model);
        assert_string_equal(entry(model, "stopped"), "before the end");
        assert_true(isfinite(figure_of(model, rows, "accuracy")));
        model_destroy(model);
    }
    table_destroy(rows);
}

/* ---- Models from models ---- */

/* A step of no size: what starting does to a model's function must be nothing but rounding. */
static void starting_from_a_model_keeps_its_function(void **state) {
    (void)state;
    table *rows = make_clouds(1, 400), *rings = make_rings(4, 400, 5);
    for (int scale = 1; scale <= 5; scale += 2) { /* none, standard, asinh */
        for (size_t i = 0; i < 2; i++) {
            for (int binary = 0; binary < 2; binary++) {
                const table *data = binary ? rings : rows;
                settings wanted = settings_of(&LEARNERS[i], 16);
                wanted.scale = scale;
                cnm_model *model = train(data, &wanted), *more;
                wanted.epochs = 1;
                wanted.batch = 1000000;
                cnm_error error = {0};
                check_ok(learn_train(&more, data, NULL, &wanted, model, NULL, &error), &error);
                assert_string_equal(entry(more, "continued"), "from an earlier model");
                check_figure_above(more, data, "accuracy", figure_of(model, data, "accuracy") - 0.03, LEARNERS[i].name);
                model_destroy(model);
                model_destroy(more);
            }
        }
    }
    table_destroy(rows);
    table_destroy(rings);
}

static void new_rows_are_learned(void **state) {
    (void)state;
    table *near_rows = make_rings(1, 400, 2), *all_rows = make_rings(2, 400, 2);
    for (size_t row = 0; row < 400; row++) { /* the model first sees only the right half of the plane */
        near_rows->values[2 * row] = fabsf(near_rows->values[2 * row]);
    }
    settings wanted = settings_of(&LEARNERS[0], 16);
    cnm_model *first = train(near_rows, &wanted), *second;
    cnm_error error = {0};
    wanted.epochs = 60;
    check_ok(learn_train(&second, all_rows, NULL, &wanted, first, NULL, &error), &error);
    check_figure_above(second, all_rows, "accuracy", 0.97, "after new rows");
    assert_true(figure_of(second, all_rows, "accuracy") > figure_of(first, all_rows, "accuracy"));
    model_destroy(first);
    model_destroy(second);
    table_destroy(near_rows);
    table_destroy(all_rows);
}

static void a_grown_map_holds_the_smaller_one(void **state) {
    (void)state;
    table *rows = make_clouds(1, 300);
    for (size_t i = 0; i < 2; i++) {
        settings wanted = settings_of(&LEARNERS[i], 3);
        cnm_model *small = train(rows, &wanted), *large;
        cnm_error error = {0};
        wanted.features = 9;
        check_ok(learn_train(&large, rows, NULL, &wanted, small, NULL, &error), &error);
        assert_int_equal(large->map->features, 9);
        check_figure_above(large, rows, "accuracy", 0.95, LEARNERS[i].name);
        model_destroy(small);
        model_destroy(large);
    }
    table_destroy(rows);
}

static void what_cannot_go_on_is_refused(void **state) {
    (void)state;
    table *rows = make_clouds(1, 200), *rings = make_rings(1, 200, 2), *wide = make_rings(1, 200, 3);
    settings wanted = settings_of(&LEARNERS[0], 8);
    const settings linear = {.method = METHOD_LINEAR, .seed = 1, .threads = 1, .epochs = 5};
    cnm_model *model = train(rings, &wanted), *plain = train(rings, &linear), *none;
    cnm_error error = {0};
    assert_int_equal(learn_train(&none, rows, NULL, &wanted, model, NULL, &error), CNM_BAD_DATA);
    assert_non_null(strstr(error.message, "200 rows have labels that the model does not know"));
    assert_int_equal(learn_train(&none, wide, NULL, &wanted, model, NULL, &error), CNM_BAD_DATA);
    assert_non_null(strstr(error.message, "the rows have 3 columns, the model expects 2"));
    assert_int_equal(learn_train(&none, rings, NULL, &wanted, plain, NULL, &error), CNM_UNSUPPORTED);
    wanted.metric = METRIC_MAE;
    check_refusal(learn_train(&none, rings, NULL, &wanted, model, NULL, &error), CNM_BAD_ARGUMENT, &error,
                  "--metric mae is for numbers, but the model to go on from predicts classes");
    assert_null(none);
    model_destroy(model);
    model_destroy(plain);
    table_destroy(rows);
    table_destroy(rings);
    table_destroy(wide);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_learned_map_beats_a_random_one_of_its_size),
        cmocka_unit_test(a_kernel_map_has_less_error_than_a_random_one),
        cmocka_unit_test(eight_learned_features_beat_64_random_ones_at_regression),
        cmocka_unit_test(every_loss_and_activation_learns),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(penalties_make_theta_smaller),
        cmocka_unit_test(validation_keeps_the_best),
        cmocka_unit_test(class_weights_move_the_boundary),
        cmocka_unit_test(bad_class_weights_are_named),
        cmocka_unit_test(a_stopped_training_gives_a_usable_model),
        cmocka_unit_test(starting_from_a_model_keeps_its_function),
        cmocka_unit_test(new_rows_are_learned),
        cmocka_unit_test(a_grown_map_holds_the_smaller_one),
        cmocka_unit_test(what_cannot_go_on_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
