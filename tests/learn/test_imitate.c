/* A kernel machine agrees with elimination and leaves no slope; a map that imitates it says what it says on rows that neither has seen;
 * rows that are few and wide are learned so; any number of threads gives the same bits. */
#include "learn/support.h"

#include "learn/imitate.h"
#include "learn/losses.h"
#include "learn/machine.h"

enum { ROWS = 90, HALF = ROWS / 2, COLUMNS = 5, MOST_OUTPUTS = 3 };

typedef struct made {
    training training;
    settings settings;
    train_plan plan;
    table *rows;
    int32_t codes[ROWS];
    float targets[ROWS];
} made;

/* A training whose map is drawn; every other row is held back. */
static void make(made *self, const char *loss, size_t outputs, double lambda) {
    cnm_error error = {0};
    *self = (made){.settings = {.threads = 1, .seed = 4}, .rows = make_rings(1, ROWS, COLUMNS)};
    training *of = &self->training;
    of->spec = (map_spec){.projection = "dense",
                          .activation = "cos",
                          .columns = COLUMNS,
                          .features = 128,
                          .init = INIT_ORTHOGONAL,
                          .gamma = 0.5,
                          .phases = true,
                          .seed = 4};
    of->recipe = (recipe){.hold = 1.0, .imitate = true, .lambda = lambda, .batch = 16, .steps = 5000};
    of->problem.settings = &self->settings;
    of->problem.rows = table_view(self->rows);
    of->problem.input = (input_stage){.columns = COLUMNS};
    of->problem.loss = loss_find(loss);
    of->problem.outputs = outputs;
    of->problem.task = of->problem.loss->task;
    of->safeguard.bound = 1e6;
    for (size_t i = 0; i < ROWS; i++) {
        self->codes[i] = (int32_t)((i + (uniform(7, i) < 0.1)) % (outputs > 1 ? outputs : 2));
        self->targets[i] = (float)(self->rows->values[i * COLUMNS] + uniform(8, i));
    }
    of->problem.codes = of->problem.task == TASK_CLASSIFY ? self->codes : NULL;
    of->problem.targets = of->problem.task == TASK_REGRESS ? self->targets : NULL;
    check_ok(map_draw(&of->map, &of->spec, &error), &error);
    check_ok(head_create(&of->head, of->spec.features, outputs, &error), &error);
    check_ok(input_bind(&of->source, &of->problem.input, &of->problem.rows, of->map, &error), &error);
    of->split.train = take(HALF, sizeof *of->split.train);
    for (size_t i = 0; i < HALF; i++) {
        of->split.train[of->split.train_count++] = 2 * i;
    }
    self->plan = joint_plan(of);
}

static void unmake(made *self) {
    input_unbind(&self->training.source);
    map_destroy(self->training.map);
    head_free(&self->training.head);
    safeguard_free(&self->training.safeguard);
    free(self->training.split.train);
    table_destroy(self->rows);
}

static kernel_machine find(made *self) {
    cnm_error error = {0};
    kernel_machine machine;
    assert_true(machine_can_be_found(&self->training));
    check_ok(machine_find(&machine, &self->training, self->training.spec.gamma, &self->plan, &error), &error);
    return machine;
}

/* What it says of rows first, first + 2 ... of the table. */
static void ask(const made *self, const kernel_machine *machine, size_t first, float *scores) {
    cnm_error error = {0};
    size_t positions[HALF];
    for (size_t i = 0; i < HALF; i++) {
        positions[i] = first + 2 * i;
    }
    check_ok(machine_scores_at(machine, &self->training, positions, HALF, scores, &error), &error);
}

static double kernel_between(const made *self, size_t a, size_t b) {
    double square = 0.0;
    for (size_t j = 0; j < COLUMNS; j++) {
        const double off = (double)self->rows->values[a * COLUMNS + j] - (double)self->rows->values[b * COLUMNS + j];
        square += off * off;
    }
    return JOINT_GAIN * JOINT_GAIN * exp(-self->training.spec.gamma * square);
}

/* (K + n lambda I) a + c = y and sum of a = 0, by elimination with pivots; scores of rows that are held: K a + c. */
static void numbers_agree_with_elimination(void **unused) {
    (void)unused;
    enum { N = HALF + 1 };
    static double a[N][N + 1];
    float scores[HALF];
    made self;
    make(&self, "squared", 1, 1e-2);
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) {
            a[i][j] = i == HALF && j == HALF ? 0.0 : i == HALF || j == HALF ? 1.0 : kernel_between(&self, 2 * i, 2 * j);
        }
        a[i][i] += i < HALF ? 1e-2 * HALF : 0.0;
        a[i][N] = i < HALF ? (double)self.targets[2 * i] : 0.0;
    }
    for (size_t i = 0; i < N; i++) {
        size_t pivot = i;
        for (size_t r = i + 1; r < N; r++) {
            pivot = fabs(a[r][i]) > fabs(a[pivot][i]) ? r : pivot;
        }
        for (size_t j = 0; j <= N; j++) {
            const double kept = a[i][j];
            a[i][j] = a[pivot][j];
            a[pivot][j] = kept;
        }
        for (size_t r = 0; r < N; r++) {
            const double factor = a[r][i] / a[i][i];
            for (size_t j = i; r != i && j <= N; j++) {
                a[r][j] -= factor * a[i][j];
            }
        }
    }
    kernel_machine machine = find(&self);
    ask(&self, &machine, 1, scores);
    for (size_t i = 0; i < HALF; i++) {
        double wanted = a[HALF][N] / a[HALF][HALF];
        for (size_t j = 0; j < HALF; j++) {
            wanted += kernel_between(&self, 2 * i + 1, 2 * j) * a[j][N] / a[j][j];
        }
        check_near((double)scores[i], wanted, 2e-3, "score", i);
    }
    machine_free(&machine);
    unmake(&self);
}

/* At the least loss, lambda times a row's weight is the slope of its loss, over the rows, the other way. */
static void slopes_vanish_at_the_machine(void **unused) {
    (void)unused;
    static const struct {
        const char *loss;
        size_t outputs;
    } CASES[] = {{"softmax", 2}, {"softmax", 3}, {"logistic", 1}, {"squared-hinge", 3}, {"huber", 1}};
    static const double LAMBDAS[] = {1e-1, 1e-2, 1e-3};
    for (size_t n = 0; n < COUNT_OF(CASES) * COUNT_OF(LAMBDAS); n++) {
        const size_t outputs = CASES[n / 3].outputs;
        float scores[HALF * MOST_OUTPUTS], slopes[HALF * MOST_OUTPUTS];
        int32_t codes[HALF];
        float targets[HALF];
        double left = 0.0, size = 0.0;
        made self;
        make(&self, CASES[n / 3].loss, outputs, LAMBDAS[n % 3]);
        kernel_machine machine = find(&self);
        ask(&self, &machine, 0, scores);
        for (size_t i = 0; i < HALF; i++) {
            codes[i] = self.codes[2 * i];
            targets[i] = self.targets[2 * i];
        }
        const loss_ops *loss = self.training.problem.loss;
        loss->evaluate(&(loss_batch){.rows = HALF,
                                     .outputs = outputs,
                                     .scores = scores,
                                     .classes = codes,
                                     .targets = targets,
                                     .parameter = loss->parameter},
                       slopes);
        for (size_t i = 0; i < HALF * outputs; i++) {
            const double pull = (double)slopes[i] / HALF;
            left += pow(pull + self.plan.lambda * (double)machine.weights[i], 2.0);
            size += pull * pull;
        }
        if (!(left < 0.01 * size)) {
            fail_msg("%s, lambda %g: %g of the slopes is left", CASES[n / 3].loss, LAMBDAS[n % 3], sqrt(left / size));
        }
        machine_free(&machine);
        unmake(&self);
    }
}

/* scores (HALF, outputs) of the map and head, of the rows that are held. */
static void ask_pupil(made *self, float *scores) {
    cnm_error error = {0};
    size_t positions[HALF];
    engine *runner;
    for (size_t i = 0; i < HALF; i++) {
        positions[i] = 2 * i + 1;
    }
    check_ok(training_engine(&self->training, 16, &runner, &error), &error);
    check_ok(engine_scores(runner, &self->plan, positions, HALF, scores, &error), &error);
    engine_destroy(runner);
}

static double share_off(const float *scores, const float *wanted, size_t count) {
    double mean = 0.0, off = 0.0, all = 0.0;
    for (size_t i = 0; i < count; i++) {
        mean += (double)wanted[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        off += pow((double)scores[i] - (double)wanted[i], 2.0);
        all += pow((double)wanted[i] - mean, 2.0);
    }
    return off / all;
}

/* On rows that the machine has not seen, either; and better than the drawn map with its solved head does. */
static void a_pupil_says_what_the_machine_says(void **unused) {
    (void)unused;
    static const char *const LOSSES[] = {"softmax", "logistic", "squared"};
    for (size_t n = 0; n < COUNT_OF(LOSSES); n++) {
        const size_t outputs = n == 0 ? 2 : 1;
        float wanted[HALF * MOST_OUTPUTS], scores[HALF * MOST_OUTPUTS];
        cnm_error error = {0};
        made self;
        make(&self, LOSSES[n], outputs, 1e-4);
        kernel_machine machine = find(&self);
        ask(&self, &machine, 1, wanted);
        machine_free(&machine);
        check_ok(fit_imitation(&self.training, &error), &error);
        ask_pupil(&self, scores);
        const double off = share_off(scores, wanted, HALF * outputs);
        if (!(off < 0.01)) {
            fail_msg("%s: the pupil is off by %g of the machine's variance", LOSSES[n], off);
        }
        assert_true(self.training.problem.rows.rows == ROWS && self.training.split.train_count == HALF);
        unmake(&self);
    }
}

/* Of a council the mean; a member under another scaling has no say. */
static void a_council_is_imitated_on_average(void **unused) {
    (void)unused;
    static const double LAMBDAS[] = {1e-1, 1e-4}, WIDTHS[] = {1.0, 0.5};
    float one[HALF], mean[HALF] = {0}, scores[HALF];
    cnm_error error = {0};
    made self;
    make(&self, "logistic", 1, LAMBDAS[0]);
    training *of = &self.training;
    of->recipe.width = WIDTHS[0];
    const double gamma = of->spec.gamma;
    for (size_t n = 0; n < 2; n++) {
        self.plan.lambda = LAMBDAS[n];
        of->spec.gamma = gamma * WIDTHS[n] * WIDTHS[n];
        kernel_machine machine = find(&self);
        ask(&self, &machine, 1, one);
        machine_free(&machine);
        for (size_t i = 0; i < HALF; i++) {
            mean[i] += 0.5F * one[i];
        }
        of->council.members[n] = of->recipe;
        of->council.members[n].width = WIDTHS[n];
        of->council.members[n].lambda = LAMBDAS[n];
    }
    of->spec.gamma = gamma;
    of->council.members[2] = of->recipe;
    of->council.members[2].scale = of->recipe.scale + 1;
    of->council.members[2].lambda = 10.0;
    of->council.count = 3;
    check_ok(fit_imitation(of, &error), &error);
    ask_pupil(&self, scores);
    assert_true(share_off(scores, mean, HALF) < 0.01);
    assert_true(share_off(scores, one, HALF) > 0.05);
    unmake(&self);
}

/* ---- Through the door ---- */

/* Rows around 25 places that belong to one of two classes by chance. */
static table *make_places(size_t rows, size_t columns) {
    enum { PLACES = 25, MOST_COLUMNS = 40 };
    table *out = table_make(rows, columns);
    float places[PLACES * MOST_COLUMNS];
    normals(3, rows * columns, 0.5, out->values);
    normals(4, PLACES * columns, 1.0, places);
    for (size_t i = 0; i < rows; i++) {
        const size_t place = i % PLACES;
        for (size_t j = 0; j < columns; j++) {
            out->values[i * columns + j] += places[place * columns + j];
        }
        label_text(out, uniform(5, place) < 0.5 ? "here" : "there");
    }
    return out;
}

static settings asking(int imitate) {
    return (settings){.method = METHOD_CNM,
                      .features = 128,
                      .seed = 1,
                      .threads = 2,
                      .noise = -1.0,
                      .drift = -1.0,
                      .decay = -1.0,
                      .shift = -1.0,
                      .hold = -1.0,
                      .imitate = imitate,
                      .effort = EFFORT_NORMAL};
}

static void few_wide_rows_are_learned_so(void **unused) {
    (void)unused;
    table *rows = make_places(120, 40);
    settings wanted = asking(IMITATE_AUTO);
    cnm_model *model = train(rows, &wanted);
    assert_string_equal(record_get(&model->record, "imitates"), "a kernel machine of all rows");
    assert_null(record_get(&model->record, "head"));
    model_destroy(model);
    wanted.imitate = IMITATE_NO;
    model = train(rows, &wanted);
    assert_null(record_get(&model->record, "imitates"));
    model_destroy(model);
    wanted = asking(IMITATE_AUTO);
    wanted.features = 64; /* too few for it */
    model = train(rows, &wanted);
    assert_null(record_get(&model->record, "imitates"));
    model_destroy(model);
    wanted.features = 0;
    model = train(rows, &wanted);
    assert_string_equal(record_get(&model->record, "imitates"), "a kernel machine of all rows");
    assert_int_equal(model->map->features, 256);
    model_destroy(model);
    table_destroy(rows);
}

static void the_same_bits_for_any_number_of_threads(void **unused) {
    (void)unused;
    table *rows = make_places(70, 20);
    cnm_model *first = NULL;
    for (size_t i = 0; i < COUNT_OF(THREADS); i++) {
        settings wanted = asking(IMITATE_YES);
        wanted.threads = THREADS[i];
        wanted.effort = EFFORT_QUICK;
        cnm_model *model = train(rows, &wanted);
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

static void what_cannot_be_imitated_is_refused(void **unused) {
    (void)unused;
    table *rows = make_places(70, 20), *many = make_places(2001, 6);
    cnm_error error = {0};
    cnm_model *model;
    settings wanted = asking(IMITATE_YES);
    assert_int_equal(learn(&model, many, NULL, &wanted, NULL, &error), CNM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "here are 2001 of 6 columns"));
    wanted.validation = 0.2;
    assert_int_equal(learn(&model, rows, NULL, &wanted, NULL, &error), CNM_BAD_ARGUMENT);
    wanted = asking(IMITATE_YES);
    wanted.projection = 1;
    assert_int_equal(learn(&model, rows, NULL, &wanted, NULL, &error), CNM_BAD_ARGUMENT);
    table_destroy(rows);
    table_destroy(many);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_agree_with_elimination),     cmocka_unit_test(slopes_vanish_at_the_machine),
        cmocka_unit_test(a_pupil_says_what_the_machine_says), cmocka_unit_test(a_council_is_imitated_on_average),
        cmocka_unit_test(few_wide_rows_are_learned_so),       cmocka_unit_test(the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(what_cannot_be_imitated_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
