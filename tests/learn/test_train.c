/* Trainings from a table to a model: they learn, and models keep what prediction needs. */
#include "support/trainings.h"

#include "base/core/memory.h"
#include "data/scale/scaling.h"

/* ---- They learn ---- */

static void random_features_separate_rings_that_no_plane_can(void **unused) {
    (void)unused;
    table *rows = make_rings(1, 400, 2), *fresh = make_rings(2, 400, 2);
    settings linear = quick(METHOD_LINEAR), dense = quick(METHOD_RFF), round = dense, plain = dense;
    round.projection = 1;
    plain.phase = 1;
    cnm_model *models[] = {train(rows, &linear), train(rows, &dense), train(rows, &round), train(rows, &plain)};
    assert_true(figure_of(models[0], fresh, "accuracy") < 0.7);
    check_figure_above(models[1], fresh, "accuracy", 0.99, "dense");
    check_figure_above(models[2], fresh, "accuracy", 0.97, "circulant");
    check_figure_above(models[3], fresh, "accuracy", 0.97, "no phases");
    check_figure_above(models[1], fresh, "auc", 0.999, "dense");
    assert_null(models[3]->map->layers[0]->phase);
    for (size_t i = 0; i < COUNT_OF(models); i++) {
        assert_int_equal(models[i]->outputs, 1);
        model_destroy(models[i]);
    }
    table_destroy(rows);
    table_destroy(fresh);
}

static void every_kernel_init_and_activation_learns(void **unused) {
    (void)unused;
    table *rows = make_rings(3, 400, 3), *fresh = make_rings(4, 400, 3);
    static const struct {
        int kernel, init, activation, gamma;
        const char *what;
        double least;
    } CASES[] = {{0, 2, 0, GAMMA_KNN, "orthogonal", 0.95}, {1, 0, 0, GAMMA_AUTO, "laplacian", 0.95},
                 {2, 0, 0, GAMMA_AUTO, "cauchy", 0.95},    {0, 0, 0, GAMMA_PAPER, "paper", 0.95},
                 {0, 0, 1, GAMMA_AUTO, "sigmoid", 0.65},   {0, 0, 2, GAMMA_AUTO, "relu", 0.9}};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        settings wanted = quick(METHOD_RFF);
        wanted.features = 200;
        wanted.kernel = CASES[i].kernel;
        wanted.init = CASES[i].init;
        wanted.activation = CASES[i].activation;
        wanted.gamma = CASES[i].gamma;
        wanted.loss = CASES[i].activation == 0 ? 0 : 4; /* features of one sign take Pegasos long */
        cnm_model *model = train(rows, &wanted);
        check_figure_above(model, fresh, "accuracy", CASES[i].least, CASES[i].what);
        model_destroy(model);
    }
    table_destroy(rows);
    table_destroy(fresh);
}

static void learned_maps_need_few_features(void **unused) {
    (void)unused;
    table *rows = make_rings(5, 400, 6), *fresh = make_rings(6, 400, 6);
    settings joint = quick(METHOD_CNM), turns = joint, kernel = quick(METHOD_KERNEL);
    joint.features = turns.features = 8;
    joint.epochs = 0;
    turns.recipe = RECIPE_ALTERNATING;
    turns.iterations = 30;
    turns.head_steps = turns.map_steps = 20;
    kernel.map_steps = 30;
    cnm_model *models[] = {train(rows, &joint), train(rows, &turns), train(rows, &kernel)};
    check_figure_above(models[0], fresh, "accuracy", 0.97, "joint");
    check_figure_above(models[1], fresh, "accuracy", 0.85, "alternating");
    check_figure_above(models[2], fresh, "accuracy", 0.9, "kernel");
    for (size_t i = 0; i < COUNT_OF(models); i++) {
        model_destroy(models[i]);
    }
    table_destroy(rows);
    table_destroy(fresh);
}

static void a_linear_model_finds_a_plane(void **unused) {
    (void)unused;
    table *rows = make_sides(7, 400, 5), *fresh = make_sides(8, 400, 5);
    for (int loss = 0; loss <= 5; loss++) { /* auto and all losses for classes */
        settings wanted = quick(METHOD_LINEAR);
        wanted.loss = loss;
        cnm_model *model = train(rows, &wanted);
        check_figure_above(model, fresh, "accuracy", 0.97, "linear");
        assert_int_equal(model->outputs, 1);
        assert_string_equal(model->classes.labels[0], "2");
        assert_string_equal(model->classes.labels[1], "4");
        model_destroy(model);
    }
    table_destroy(rows);
    table_destroy(fresh);
}

static void labels_of_words_are_classes(void **unused) {
    (void)unused;
    static const char *const SORTED[] = {"east", "north", "south", "west"};
    table *rows = make_clouds(9, 400), *fresh = make_clouds(10, 400);
    static const int LOSSES[] = {0, 1, 2, 3, 4, 5};
    for (size_t i = 0; i < COUNT_OF(LOSSES); i++) {
        settings wanted = quick(METHOD_RFF);
        wanted.loss = LOSSES[i];
        cnm_model *model = train(rows, &wanted);
        assert_int_equal(model->outputs, 4);
        for (size_t j = 0; j < 4; j++) {
            assert_string_equal(model->classes.labels[j], SORTED[j]);
        }
        check_figure_above(model, fresh, "accuracy", 0.97, "clouds");
        model_destroy(model);
    }
    table_destroy(rows);
    table_destroy(fresh);
}

/* y = 300 x - 2e4: predictions are in the unit of the targets. */
static void regression_fits_a_line_in_the_unit_of_its_targets(void **unused) {
    (void)unused;
    table *rows = table_make(300, 2);
    normals(11, 600, 1.0, rows->values);
    for (size_t i = 0; i < 300; i++) {
        label_number(rows, 300.0 * (double)rows->values[2 * i] - 2e4);
    }
    for (int loss = 0; loss <= 8; loss++) {
        if (loss == 0 || loss >= 6) {
            settings wanted = quick(METHOD_LINEAR);
            wanted.loss = loss;
            wanted.lambda = 1e-6;
            wanted.epochs = 300;
            cnm_model *model = train(rows, &wanted);
            assert_int_equal(model->task, TASK_REGRESS);
            assert_int_equal(model->classes.count, 0);
            check_figure_above(model, rows, "r2", 0.99, "line");
            model_destroy(model);
        }
    }
    table_destroy(rows);
}

/* Half the labels are wrong, but these rows have weight 0. */
static void rows_without_weight_do_not_count(void **unused) {
    (void)unused;
    table *rows = make_sides(12, 400, 3), *fresh = make_sides(13, 400, 3);
    rows->weights = take_owned(400, sizeof(float));
    for (size_t i = 0; i < 400; i++) {
        const bool wrong = i % 2 == 0;
        rows->weights[i] = wrong ? 0.0F : 3.0F;
        rows->labels.numbers[i] = wrong ? 2.0 : rows->labels.numbers[i];
    }
    const settings wanted = quick(METHOD_LINEAR);
    cnm_model *weighted = train(rows, &wanted);
    check_figure_above(weighted, fresh, "accuracy", 0.96, "weighted");
    for (size_t i = 0; i < 400; i++) {
        rows->weights[i] *= 8.0F; /* only ratios count */
    }
    cnm_model *scaled = train(rows, &wanted);
    check_same_model(weighted, scaled, true, "weights times 8");
    memory_free(rows->weights);
    rows->weights = NULL;
    cnm_model *plain = train(rows, &wanted);
    assert_true(figure_of(plain, fresh, "accuracy") < figure_of(weighted, fresh, "accuracy") - 0.03);
    model_destroy(weighted);
    model_destroy(scaled);
    model_destroy(plain);
    table_destroy(rows);
    table_destroy(fresh);
}

/* ---- What a model keeps ---- */

static void the_model_keeps_names_and_metadata(void **unused) {
    (void)unused;
    cnm_error error = {0};
    table *rows = make_rings(18, 100, 2);
    rows->names = take_owned(2, sizeof(char *));
    rows->names[0] = copy_owned("x");
    rows->names[1] = copy_owned("y");
    settings wanted = quick(METHOD_RFF);
    char positive[] = "1";
    wanted.positive = positive;
    wanted.gamma = GAMMA_NUMBER;
    wanted.gamma_number = 0.75;
    cnm_model *model;
    check_ok(learn(&model, rows, "last", &wanted, NULL, &error), &error);
    assert_string_equal(model->names[0], "x");
    assert_string_equal(model->names[1], "y");
    static const char *const ENTRIES[][2] = {{"method", "rff"}, {"kernel", "gaussian"},   {"init", "random"},
                                             {"loss", "hinge"}, {"gamma", "0.75"},        {"seed", "1"},
                                             {"positive", "1"}, {"label_column", "last"}, {"training_rows", "100"},
                                             {"batch", "50"},   {"steps", "120"},         {"lambda", "0.01"}};
    for (size_t i = 0; i < COUNT_OF(ENTRIES); i++) {
        const char *value = record_get(&model->record, ENTRIES[i][0]);
        assert_non_null(value);
        assert_string_equal(value, ENTRIES[i][1]);
        assert_string_equal(record_get(&model->description, ENTRIES[i][0]), ENTRIES[i][1]);
    }
    assert_null(record_get(&model->record, "stopped"));
    assert_null(model->input.scale); /* folded into theta */
    model_destroy(model);
    table_destroy(rows);
}

/* A frozen map is random in orthogonal blocks, where the projection has such and options allow it,
 * and its head is solved for. */
static void a_frozen_map_is_orthogonal_and_its_head_is_solved_for(void **unused) {
    (void)unused;
    static const struct {
        int init, kernel, projection, loss;
        double hold;
        const char *drawn;
        bool solved;
    } CASES[] = {{0, 0, 0, 0, 1.0, "orthogonal", true},  {1, 0, 0, 0, 1.0, "random", true},
                 {0, 1, 0, 0, 1.0, "random", true},      {0, 0, 1, 0, 1.0, "random", true},
                 {0, 0, 0, 1, 1.0, "orthogonal", false}, {0, 0, 0, 0, 0.8, "random", false},
                 {2, 0, 0, 0, 0.0, "orthogonal", false}};
    table *rows = make_rings(18, 200, 3);
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        settings wanted = quick(METHOD_CNM);
        wanted.features = 12;
        wanted.init = CASES[i].init;
        wanted.kernel = CASES[i].kernel;
        wanted.projection = CASES[i].projection;
        wanted.loss = CASES[i].loss;
        wanted.map_rate = CASES[i].hold < 0.0 ? -1.0 : 1.0 - CASES[i].hold;
        cnm_model *model = train(rows, &wanted);
        assert_string_equal(record_get(&model->record, "init"), CASES[i].drawn);
        assert_true((record_get(&model->record, "head_solver") != NULL) == CASES[i].solved);
        assert_true((record_get(&model->record, "steps") == NULL) == CASES[i].solved);
        model_destroy(model);
    }
    table_destroy(rows);
}

/* A head is solved for wherever one is learned on a frozen map: after pruning (with the weights of
 * before, the loss would be 0.15 instead of 0.05), and on the rows that calibrate margins (scores
 * of 0 would have a temperature of 1e6). */
static void a_head_is_solved_for_again_after_pruning_and_to_calibrate(void **unused) {
    (void)unused;
    table *rows = make_rings(18, 300, 3);
    settings wanted = quick(METHOD_CNM), margins;
    wanted.features = 40;
    wanted.map_rate = 0.0;
    margins = wanted;
    wanted.prune = 0.7;
    margins.loss = 2; /* squared hinge */
    cnm_model *pruned = train(rows, &wanted), *calibrated = train(rows, &margins);
    assert_true(number_of(pruned, "pruned_from") == 40.0 && number_of(pruned, "final_loss") < 0.1);
    assert_true(number_of(calibrated, "temperature") < 10.0);
    model_destroy(pruned);
    model_destroy(calibrated);
    table_destroy(rows);
}

static void a_map_alone_needs_no_labels(void **unused) {
    (void)unused;
    table *rows = make_rings(19, 100, 3);
    labels_free(&rows->labels);
    rows->labelled = false;
    for (int method = METHOD_RFF; method <= METHOD_KERNEL; method++) {
        settings wanted = quick((setting_method)method);
        wanted.task = WANT_MAP;
        wanted.map_steps = 5;
        cnm_model *model = train(rows, &wanted);
        float *z = take(100 * 100, sizeof *z);
        const rows_view view = table_view(rows);
        assert_int_equal(model->outputs, 0);
        assert_int_equal(model->task, TASK_MAP);
        assert_int_equal(model_transform(model, &view, 2, z, NULL), CNM_OK);
        double squares = 0.0;
        for (size_t i = 0; i < 100; i++) {
            squares += (double)z[i] * (double)z[i];
        }
        assert_true(squares > 0.5 && squares < 2.0); /* |Z(x)|^2 is near K(x, x) = 1 */
        free(z);
        model_destroy(model);
    }
    table_destroy(rows);
}

/* ---- Stopping ---- */

static int stop_at_once(const cnm_progress *progress, void *user) {
    size_t *calls = user;
    assert_non_null(progress->phase);
    assert_true(progress->done <= progress->total);
    ++*calls;
    return 1;
}

/* The callback's answer stops a training of minutes at its first report, and it is not called
 * again. */
static void a_callback_stops_a_training(void **unused) {
    (void)unused;
    settings wanted = quick(METHOD_CNM);
    table *rows = make_rings(21, 230, 2);
    cnm_error error = {0};
    size_t calls = 0;
    const cnm_callbacks callbacks = {.struct_size = sizeof(cnm_callbacks), .progress = stop_at_once, .user = &calls};
    cnm_model *model;
    wanted.epochs = 2000000;
    check_refusal(learn(&model, rows, NULL, &wanted, &callbacks, &error), CNM_CANCELLED, &error, "stopped");
    assert_int_equal(calls, 1);
    check_figure_above(model, rows, "accuracy", 0.0, "stopped");
    model_destroy(model);
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_features_separate_rings_that_no_plane_can),
        cmocka_unit_test(a_frozen_map_is_orthogonal_and_its_head_is_solved_for),
        cmocka_unit_test(a_head_is_solved_for_again_after_pruning_and_to_calibrate),
        cmocka_unit_test(every_kernel_init_and_activation_learns),
        cmocka_unit_test(learned_maps_need_few_features),
        cmocka_unit_test(a_linear_model_finds_a_plane),
        cmocka_unit_test(labels_of_words_are_classes),
        cmocka_unit_test(regression_fits_a_line_in_the_unit_of_its_targets),
        cmocka_unit_test(rows_without_weight_do_not_count),
        cmocka_unit_test(the_model_keeps_names_and_metadata),
        cmocka_unit_test(a_map_alone_needs_no_labels),
        cmocka_unit_test(a_callback_stops_a_training),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
