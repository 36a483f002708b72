/* Trainings from a table to a model: they learn, they give the same bits, and they refuse what cannot be learned from. */
#include "learn/learn_support.h"

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
    assert_null(models[3]->map->phase);
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

static void words_make_many_classes(void **unused) {
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

/* y = 300 x - 2e4: the model answers in the targets' own unit. */
static void regression_fits_a_line_in_its_own_unit(void **unused) {
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

/* Half the labels are wrong, but these rows weigh nothing. */
static void rows_without_weight_do_not_count(void **unused) {
    (void)unused;
    table *rows = make_sides(12, 400, 3), *fresh = make_sides(13, 400, 3);
    rows->weights = taken(400, sizeof(float));
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

/* ---- The same bits ---- */

typedef struct method_case {
    const char *what;
    settings wanted;
} method_case;

/* Every path through the trainers once, briefly. */
static size_t method_cases(method_case out[12]) {
    size_t count = 0;
    settings rff = quick(METHOD_RFF), joint = quick(METHOD_CNM);
    rff.epochs = 4;
    joint.epochs = 3;
    settings round = rff, turns = joint, kernel = rff, linear = rff, softmax = rff, round_joint = joint, held = joint;
    round.projection = round_joint.projection = 1;
    turns.recipe = RECIPE_ALTERNATING;
    turns.iterations = 3;
    turns.head_steps = turns.map_steps = 5;
    kernel.method = METHOD_KERNEL;
    kernel.map_steps = 5;
    linear.method = METHOD_LINEAR;
    softmax.loss = 4;
    held.validation = 0.25;
    held.patience = 5;
    settings round_turns = turns;
    round_turns.projection = 1;
    const method_case all[] = {{"rff", rff},         {"rff circulant", round},
                               {"linear", linear},   {"softmax", softmax},
                               {"joint", joint},     {"joint circulant", round_joint},
                               {"joint held", held}, {"alternating", turns},
                               {"kernel", kernel},   {"alternating circulant", round_turns}};
    for (; count < COUNT_OF(all); count++) {
        out[count] = all[count];
    }
    return count;
}

static void any_number_of_threads_gives_the_same_model(void **unused) {
    (void)unused;
    method_case cases[12];
    const size_t count = method_cases(cases);
    table *rows = make_rings(14, 230, 7);
    for (size_t i = 0; i < count; i++) {
        cases[i].wanted.threads = 1;
        cnm_model *one = train(rows, &cases[i].wanted);
        for (size_t t = 1; t < COUNT_OF(THREADS); t++) {
            cases[i].wanted.threads = THREADS[t];
            cnm_model *many = train(rows, &cases[i].wanted);
            check_same_model(one, many, true, cases[i].what);
            model_destroy(many);
        }
        model_destroy(one);
    }
    table_destroy(rows);
}

static void a_seed_decides_the_model(void **unused) {
    (void)unused;
    method_case cases[12];
    const size_t count = method_cases(cases);
    table *rows = make_rings(15, 230, 7);
    for (size_t i = 0; i < count; i++) {
        cnm_model *first = train(rows, &cases[i].wanted), *again = train(rows, &cases[i].wanted);
        check_same_model(first, again, true, cases[i].what);
        cases[i].wanted.seed = 2;
        cnm_model *other = train(rows, &cases[i].wanted);
        check_same_model(first, other, false, cases[i].what);
        bool differs = false; /* in its numbers, not only in the seed that it records */
        for (size_t j = 0; j < first->map->features; j++) {
            differs = differs || first->weights[j] != other->weights[j];
        }
        assert_true(differs);
        model_destroy(first);
        model_destroy(again);
        model_destroy(other);
    }
    table_destroy(rows);
}

/* ---- Scaling ---- */

/* Values on a grid of 2^-8, so that moving and stretching them by powers of two rounds nothing. */
static void put_on_grid(table *self) {
    for (size_t i = 0; i < self->rows * self->columns; i++) {
        self->values[i] = roundf(self->values[i] * 256.0F) / 256.0F;
    }
}

static void moved_and_stretched_columns_give_the_same_scores(void **unused) {
    (void)unused;
    static const struct {
        scaling_kind kind;
        bool moves, stretches, alike; /* alike: only all columns together */
        const char *what;
    } CASES[] = {{SCALING_NONE, false, false, false, "none"},       {SCALING_GLOBAL, true, true, true, "global"},
                 {SCALING_STANDARD, true, true, false, "standard"}, {SCALING_RANGE, true, true, false, "range"},
                 {SCALING_ASINH, true, true, false, "asinh"},       {SCALING_WIDE, true, true, false, "wide"}};
    static const float FACTORS[] = {4.0F, 0.25F, 64.0F}, SHIFTS[] = {8.0F, -16.0F, 2.0F};
    for (size_t c = 0; c < COUNT_OF(CASES); c++) {
        for (int method = METHOD_RFF; method <= METHOD_LINEAR; method += METHOD_LINEAR - METHOD_RFF) {
            table *rows = make_rings(16, 200, 3), *changed = make_rings(16, 200, 3);
            put_on_grid(rows);
            put_on_grid(changed);
            for (size_t i = 0; i < 600; i++) {
                const float factor = !CASES[c].stretches ? 1.0F : FACTORS[CASES[c].alike ? 0 : i % 3];
                changed->values[i] = changed->values[i] * factor + (CASES[c].moves ? SHIFTS[i % 3] : 0.0F);
            }
            settings wanted = quick((setting_method)method);
            wanted.scale = (int)CASES[c].kind + 1;
            wanted.loss = 4; /* softmax: no kink that rounding could push a row over */
            cnm_model *models[2] = {train(rows, &wanted), train(changed, &wanted)};
            float scores[2][200], most = 0.0F;
            for (size_t m = 0; m < 2; m++) {
                const rows_view view = table_view(m == 0 ? rows : changed);
                assert_int_equal(model_scores(models[m], &view, 2, scores[m], NULL), CNM_OK);
                assert_string_equal(record_get(&models[m]->record, "scale"), CASES[c].what);
                assert_true(models[m]->input.asinh == scaling_bends(CASES[c].kind));
                model_destroy(models[m]);
            }
            for (size_t i = 0; i < 200; i++) {
                most = fmaxf(most, fabsf(scores[0][i]));
            }
            for (size_t i = 0; i < 200; i++) { /* rounding of 1e-7 that a few hundred steps carry on */
                check_near((double)scores[1][i], (double)scores[0][i], 1e-2 * (double)most, CASES[c].what, i);
            }
            table_destroy(rows);
            table_destroy(changed);
        }
    }
}

/* Columns of one value, whatever it is, change no decision and break nothing. */
static void constant_columns_are_harmless(void **unused) {
    (void)unused;
    for (int scale = 0; scale <= SCALING_KINDS; scale++) {
        for (int method = METHOD_CNM; method <= METHOD_LINEAR; method++) {
            table *rows = make_rings(17, 200, 5);
            for (size_t i = 0; i < 200; i++) {
                rows->values[5 * i + 3] = 0.0F;
                rows->values[5 * i + 4] = scale == SCALING_NONE + 1 ? 0.5F : 12345.0F;
            }
            settings wanted = quick((setting_method)method);
            wanted.scale = scale;
            wanted.epochs = method == METHOD_CNM ? 5 : 40;
            wanted.map_steps = 5;
            wanted.projection = scale % 2;
            cnm_model *model = train(rows, &wanted);
            check_figure_above(model, rows, "accuracy", method == METHOD_LINEAR || method == METHOD_CNM ? 0.4 : 0.9,
                               "constant columns");
            for (size_t i = 0; i < model->map->features * model->outputs; i++) {
                assert_true(isfinite(model->weights[i]));
            }
            model_destroy(model);
            table_destroy(rows);
        }
    }
    table *all = table_make(20, 2); /* nothing varies at all */
    for (size_t i = 0; i < 20; i++) {
        label_number(all, (double)(i % 2));
    }
    const settings wanted = quick(METHOD_RFF);
    model_destroy(train(all, &wanted));
    table_destroy(all);
}

/* ---- What a model keeps ---- */

static void the_model_keeps_names_and_a_record(void **unused) {
    (void)unused;
    cnm_error error = {0};
    table *rows = make_rings(18, 100, 2);
    rows->names = taken(2, sizeof(char *));
    rows->names[0] = copied_text("x");
    rows->names[1] = copied_text("y");
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

/* A map that stays as it is drawn is drawn in orthogonal blocks, where there are such and options let it, and its head is solved for. */
static void a_held_map_is_orthogonal_and_its_head_solved_for(void **unused) {
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
        wanted.hold = CASES[i].hold;
        cnm_model *model = train(rows, &wanted);
        assert_string_equal(record_get(&model->record, "init"), CASES[i].drawn);
        assert_true((record_get(&model->record, "head") != NULL) == CASES[i].solved);
        assert_true((record_get(&model->record, "steps") == NULL) == CASES[i].solved);
        model_destroy(model);
    }
    table_destroy(rows);
}

static double noted(const cnm_model *model, const char *key) {
    const char *text = record_get(&model->record, key);
    assert_non_null(text);
    return strtod(text, NULL);
}

/* A head is solved for wherever one is learned on a map that stays: after pruning (what is left tells the rings apart: the loss would be 0.15, not 0.05, with the
 * weights of before), and on the rows that calibrate margins (no scores have no temperature: it would be 1e6). */
static void a_head_is_solved_for_again_where_it_has_to(void **unused) {
    (void)unused;
    table *rows = make_rings(18, 300, 3);
    settings wanted = quick(METHOD_CNM), margins;
    wanted.features = 40;
    wanted.hold = 1.0;
    margins = wanted;
    wanted.prune = 0.7;
    margins.loss = 2; /* squared hinge */
    cnm_model *pruned = train(rows, &wanted), *calibrated = train(rows, &margins);
    assert_true(noted(pruned, "pruned_from") == 40.0 && noted(pruned, "final_loss") < 0.1);
    assert_true(noted(calibrated, "temperature") < 10.0);
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

/* Missing cells are filled with the columns' means, in training and in prediction; the table itself is not touched. */
static void missing_values_are_filled_and_the_means_kept(void **unused) {
    (void)unused;
    table *rows = make_sides(20, 200, 3);
    double mean = 0.0;
    rows->values[1] = rows->values[7] = NAN;
    rows->missing = 2;
    for (size_t i = 0; i < 200; i++) {
        mean += i == 0 || i == 2 ? 0.0 : (double)rows->values[3 * i + 1] / 198.0;
    }
    settings wanted = quick(METHOD_LINEAR);
    wanted.missing = 1;
    cnm_model *model = train(rows, &wanted);
    assert_true(isnan(rows->values[1]) && rows->missing == 2);
    assert_non_null(model->input.fill);
    check_near(model->input.fill[1], mean, 1e-6, "fill", 1);
    check_figure_above(model, rows, "accuracy", 0.95, "missing");
    model_destroy(model);
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

/* Trainings of minutes, stopped at their first report. */
static void a_stopped_training_leaves_a_usable_model(void **unused) {
    (void)unused;
    method_case cases[12];
    const size_t count = method_cases(cases);
    table *rows = make_rings(21, 230, 2);
    for (size_t i = 0; i < count; i++) {
        cnm_error error = {0};
        size_t calls = 0;
        const cnm_callbacks callbacks = {.progress = stop_at_once, .user = &calls};
        cnm_model *model;
        cases[i].wanted.epochs = cases[i].wanted.iterations = cases[i].wanted.map_steps = 2000000;
        check_refusal(learn(&model, rows, NULL, &cases[i].wanted, &callbacks, &error), CNM_CANCELLED, &error,
                      "stopped");
        assert_non_null(model);
        assert_int_equal(calls, 1);
        assert_non_null(record_get(&model->record, "stopped"));
        check_figure_above(model, rows, "accuracy", 0.0, cases[i].what);
        model_destroy(model);
    }
    table_destroy(rows);
}

static void count_notice(const char *sentence, void *user) {
    size_t *notices = user;
    *notices += strstr(sentence, "circulant") != NULL;
}

static void a_notice_warns_of_a_doubtful_map(void **unused) {
    (void)unused;
    table *rows = make_rings(22, 60, 4);
    for (int kernel = 0; kernel < 3; kernel++) {
        cnm_error error = {0};
        size_t notices = 0;
        const cnm_callbacks callbacks = {.notice = count_notice, .user = &notices};
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
        rows->weights = taken(40, sizeof(float));
    }
    return rows;
}

static void what_cannot_be_learned_is_refused_with_a_sentence(void **unused) {
    (void)unused;
    static const refusal_case CASES[] = {
        {ONE_CLASS,
         {.method = METHOD_RFF, .task = WANT_CLASSIFY},
         CNM_BAD_DATA,
         "all 40 rows have the same label \"3\""},
        {NO_ROWS, {.method = METHOD_RFF, .task = WANT_CLASSIFY}, CNM_BAD_DATA, "0 rows of 2 columns"},
        {NO_COLUMNS, {.method = METHOD_RFF}, CNM_BAD_DATA, "40 rows of 0 columns"},
        {NAN_CELL, {.method = METHOD_RFF}, CNM_BAD_DATA, "row 18, column 2: a value that is not a finite number"},
        {INFINITE_CELL, {.method = METHOD_LINEAR}, CNM_BAD_DATA, "row 18, column 2"},
        {UNLABELLED, {.method = METHOD_RFF}, CNM_BAD_DATA, "the rows have no labels"},
        {WORDS, {.method = METHOD_RFF, .task = WANT_REGRESS}, CNM_BAD_DATA, "found the word \"north\""},
        {PLAIN, {.method = METHOD_RFF, .loss = 6}, CNM_BAD_ARGUMENT, "--loss squared is for numbers"},
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
        {NAN_CELL, {.metric = METRIC_RMSE}, CNM_BAD_ARGUMENT, "--metric rmse"}, /* before a look at the rows */
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        cnm_error error = {0};
        cnm_model *model = (cnm_model *)&error; /* anything but NULL */
        table *rows = bad_table(CASES[i].rows);
        settings wanted = CASES[i].wanted;
        wanted.features = 10;
        wanted.epochs = 1;
        check_refusal(learn(&model, rows, NULL, &wanted, NULL, &error), CASES[i].status, &error, CASES[i].words);
        assert_null(model);
        assert_int_equal(learn(&model, rows, NULL, &wanted, NULL, NULL), CASES[i].status);
        rows->rows = 40;
        table_destroy(rows);
    }
}

/* Columns near the largest float, unscaled: either a model of finite numbers, or a sentence; never a model of NaN. */
static void a_model_is_finite_or_none(void **unused) {
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
    out->values = taken(rows * CELLS, sizeof(float));
    out->index = taken(rows * CELLS, sizeof(uint32_t));
    out->starts = taken(rows + 1, sizeof(size_t));
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
        cmocka_unit_test(random_features_separate_rings_that_no_plane_can),
        cmocka_unit_test(a_held_map_is_orthogonal_and_its_head_solved_for),
        cmocka_unit_test(a_head_is_solved_for_again_where_it_has_to),
        cmocka_unit_test(every_kernel_init_and_activation_learns),
        cmocka_unit_test(learned_maps_need_few_features),
        cmocka_unit_test(a_linear_model_finds_a_plane),
        cmocka_unit_test(words_make_many_classes),
        cmocka_unit_test(regression_fits_a_line_in_its_own_unit),
        cmocka_unit_test(rows_without_weight_do_not_count),
        cmocka_unit_test(any_number_of_threads_gives_the_same_model),
        cmocka_unit_test(a_seed_decides_the_model),
        cmocka_unit_test(moved_and_stretched_columns_give_the_same_scores),
        cmocka_unit_test(constant_columns_are_harmless),
        cmocka_unit_test(the_model_keeps_names_and_a_record),
        cmocka_unit_test(a_map_alone_needs_no_labels),
        cmocka_unit_test(missing_values_are_filled_and_the_means_kept),
        cmocka_unit_test(a_stopped_training_leaves_a_usable_model),
        cmocka_unit_test(a_notice_warns_of_a_doubtful_map),
        cmocka_unit_test(what_cannot_be_learned_is_refused_with_a_sentence),
        cmocka_unit_test(a_model_is_finite_or_none),
        cmocka_unit_test(a_million_columns_need_a_circulant_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
