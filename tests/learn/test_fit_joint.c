/* Joint and alternating training: learned maps beat random ones of their size, with every loss and
 * activation; penalties shrink theta. */
#include "support/trainings.h"

#include "base/core/random.h"
#include "learn/objective/losses.h"
#include "math/random/variates.h"

/* ---- Accuracy ---- */

/* Rings with noise columns: few random features fail, few learned ones do not. */
static void a_learned_map_beats_a_random_one_of_its_size(void **state) {
    (void)state;
    table *train_rows = make_rings(1, 600, 6), *test_rows = make_rings(2, 600, 6);
    const settings random = {
        .map_rate = 1.0, .method = METHOD_RFF, .features = 8, .seed = 1, .threads = 2, .epochs = 60, .batch = 100};
    cnm_model *drawn = train(train_rows, &random);
    const double floor = figure_of(drawn, test_rows, "accuracy");
    for (size_t i = 0; i < COUNT_OF(FIT_METHODS); i++) {
        const settings wanted = fit_settings(&FIT_METHODS[i], 8);
        if (FIT_METHODS[i].method == METHOD_CNM) {
            cnm_model *learned = train(train_rows, &wanted);
            check_figure_above(learned, test_rows, "accuracy", floor + 0.1, FIT_METHODS[i].name);
            model_destroy(learned);
        }
    }
    model_destroy(drawn);
    table_destroy(train_rows);
    table_destroy(test_rows);
}

/* Samples a Gaussian process with a Gaussian kernel, as the sum of 200 random waves. */
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
    const settings learned = {
        .map_rate = 1.0, .method = METHOD_CNM, .features = 8, .seed = 1, .threads = 2, .task = WANT_REGRESS};
    const settings random = {.map_rate = 1.0,
                             .method = METHOD_RFF,
                             .features = 64,
                             .seed = 1,
                             .threads = 2,
                             .task = WANT_REGRESS,
                             .epochs = 100};
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
            const bool classify = loss_table(&count)[loss]->task == TASK_CLASSIFY;
            settings wanted = fit_settings(&FIT_METHODS[0], 32);
            wanted.loss = (int)loss + 1;
            wanted.activation = activation;
            wanted.task = classify ? WANT_CLASSIFY : WANT_REGRESS;
            cnm_model *model = train(classify ? rings : process, &wanted);
            check_figure_above(model, classify ? rings : process, classify ? "accuracy" : "r2",
                               classify ? LEAST_ACCURACY : LEAST_R2, loss_table(&count)[loss]->name);
            model_destroy(model);
        }
    }
    table_destroy(rings);
    table_destroy(process);
}

/* ---- Options ---- */

static double squares_of_theta(const cnm_model *model) {
    const layer_tensor *theta = &model->map->layers[0]->tensors[0];
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
        settings wanted = fit_settings(&FIT_METHODS[i], 16);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_learned_map_beats_a_random_one_of_its_size),
        cmocka_unit_test(eight_learned_features_beat_64_random_ones_at_regression),
        cmocka_unit_test(every_loss_and_activation_learns),
        cmocka_unit_test(penalties_make_theta_smaller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
