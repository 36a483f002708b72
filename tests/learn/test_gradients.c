/* Every gradient that a trainer follows against central differences of the whole objective in
 * double: each projection, activation, loss and penalty, and the loss on pairs for each kernel.
 *
 * One plain step over all rows shows the float32 gradient: (before - after) / RATE, the rate so
 * large that the parameters' own rounding does not count. The seed of a case is the first whose
 * point lies KINK_DISTANCE or more from every kink (in relu's, hinge's ... own argument) and has
 * something on both sides of each kind of kink. An entry may be off by TOLERANCE of itself, or of a
 * hundredth of its array's largest where that is more: float32 errs by some 1e-7 of the largest
 * terms in each of a few sums. */
#include "support/made_models.h"
#include "support/random_rows.h"
#include "support/reference_objective.h"

#include "base/core/random.h"
#include "engine/engine.h"
#include "engine/optimisers.h"
#include "learn/fit/kernel_approximation_loss.h"
#include "learn/objective/losses.h"

enum { MOST_SEEDS = 1000 };

static const double KINK_DISTANCE = 1e-3, TOLERANCE = 1e-3, FLOOR = 1e-2, STEP = 1e-5, RATE = 1024.0;

static const penalty_weights PENALTIES[] = {
    {"none", 0.0, 0.0, 0.0}, {"l1", 0.0, 0.3, 0.0}, {"l2", 0.0, 0.0, 0.4}, {"lambda", 0.5, 0.0, 0.0}};

/* ---- Points ---- */

/* Fills the learned arrays in the order of objective_point.at; returns how many. */
static size_t learned_arrays(const objective_point *self, float *arrays[3], size_t counts[3]) {
    const layer_tensor *tensor = &self->map->layers[0]->tensors[0];
    arrays[0] = self->head.weights;
    counts[0] = self->is->loss == NULL ? 0 : (self->head.features + 1) * self->head.outputs;
    arrays[1] = tensor->values;
    counts[1] = tensor->rows * tensor->columns;
    arrays[2] = self->map->layers[0]->phase;
    counts[2] = self->is->features;
    return self->map->layers[0]->phase == NULL ? 2 : 3;
}

static void read_parameters(const objective_point *self, double *out) {
    float *arrays[3];
    size_t counts[3], used = 0;
    const size_t count = learned_arrays(self, arrays, counts);
    for (size_t a = 0; a < count; a++) {
        for (size_t i = 0; i < counts[a]; i++) {
            out[used++] = (double)arrays[a][i];
        }
    }
}

static void point_make(objective_point *self, const gradient_case *is, uint64_t seed) {
    cnm_error error = {0};
    const size_t outputs = is->loss == NULL ? 1 : is->loss->outputs(is->classes);
    *self = (objective_point){.is = is};
    normals(seed, POINT_ROWS * POINT_COLUMNS, 1.0, self->values);
    normals(seed + 1000000, POINT_ROWS, 1.0, self->targets);
    for (size_t i = 0; i < POINT_ROWS; i++) {
        self->classes[i] = (int32_t)(i % is->classes);
        self->weights[i] = (float)(0.5 + uniform(seed, i));
    }
    self->map = drawn_map(&(map_spec){.projection = is->projection,
                                      .activation = is->activation,
                                      .columns = POINT_COLUMNS,
                                      .features = is->features,
                                      .gamma = POINT_GAMMA,
                                      .phases = is->phases,
                                      .seed = seed});
    check_ok(head_create(&self->head, is->features, outputs, &error), &error);
    normals(seed + 2000000, (is->features + 1) * outputs, 1.0, self->head.weights);
    self->scale = is->loss == NULL ? (double)self->map->scale : 2.0 * (double)self->map->scale;
    self->tensor = is->loss == NULL ? 0 : (is->features + 1) * outputs;
    self->phase = self->tensor + self->map->layers[0]->tensors[0].rows * self->map->layers[0]->tensors[0].columns;
    self->count = self->phase + (is->phases ? is->features : 0);
    assert_true(self->count <= POINT_PARAMETERS);
    read_parameters(self, self->at);
}

static void point_free(objective_point *self) {
    map_destroy(self->map);
    head_free(&self->head);
}

/* Whether arguments lie on both sides, or there are none at all. */
static bool both_sides(const size_t sides[2]) { return (sides[0] == 0) == (sides[1] == 0); }

static void point_find(objective_point *self, const gradient_case *is) {
    for (uint64_t seed = 1; seed <= MOST_SEEDS; seed++) {
        kinks met = {.nearest = INFINITY};
        point_make(self, is, seed);
        objective_value(self, &met);
        if (met.nearest >= KINK_DISTANCE && both_sides(met.relu) && both_sides(met.loss)) {
            return;
        }
        point_free(self);
    }
    fail_msg("no seed keeps away from kinks");
}

/* ---- The check ---- */

static double large_rate(const update_call *call) {
    (void)call;
    return RATE;
}

/* Takes one step of the engine from the point; returns its loss. */
static double take_step(objective_point *self) {
    cnm_error error = {0};
    const rows_view rows = {
        .rows = POINT_ROWS, .columns = POINT_COLUMNS, .values = self->values, .stride = POINT_COLUMNS};
    const input_stage stage = {.columns = POINT_COLUMNS};
    const gradient_case *is = self->is;
    input_source source;
    pair_loss pairs;
    const feature_loss on_pairs = {pair_loss_evaluate, &pairs};
    engine *runner;
    double loss;
    const train_plan plan = {.feature_loss = is->loss == NULL ? &on_pairs : NULL,
                             .loss = is->loss,
                             .loss_parameter = is->loss == NULL ? 0.0 : is->loss->parameter,
                             .head_update = is->loss == NULL ? UPDATE_NONE : UPDATE_SGD,
                             .map_update = UPDATE_SGD,
                             .rate = RATE_HOST,
                             .host_rate = large_rate,
                             .lambda = is->penalty->lambda,
                             .tensor_l1 = is->penalty->l1,
                             .tensor_l2 = is->penalty->l2,
                             .feature_scale = self->scale,
                             .batch = POINT_ROWS,
                             .stream = RANDOM_BATCHES,
                             .seed = 1,
                             .steps = 1};
    check_ok(input_bind(&source, &stage, &rows, self->map, &error), &error);
    check_ok(pair_loss_create(&pairs, is->kernel, POINT_GAMMA, POINT_ROWS, &error), &error);
    check_ok(engine_create(&runner,
                           &(engine_setup){.rows = &source,
                                           .classes = is->classes > 1 ? self->classes : NULL,
                                           .targets = is->classes > 1 ? NULL : self->targets,
                                           .weights = is->weighted ? self->weights : NULL,
                                           .map = self->map,
                                           .head = &self->head,
                                           .batch = POINT_ROWS,
                                           .threads = 2},
                           &error),
             &error);
    check_ok(engine_run(runner, &plan, 1, 1, &loss, &error), &error);
    engine_destroy(runner);
    pair_loss_free(&pairs);
    input_unbind(&source);
    return loss;
}

/* Returns d objective / d parameter i by central differences, to some 1e-10. */
static double exact_gradient(objective_point *self, size_t i) {
    kinks unused = {0};
    const double middle = self->at[i];
    self->at[i] = middle + STEP;
    const double above = objective_value(self, &unused);
    self->at[i] = middle - STEP;
    const double below = objective_value(self, &unused);
    self->at[i] = middle;
    return (above - below) / (2.0 * STEP);
}

/* Parameters first .. end, one array, against the step that was taken from self->at to `after`. */
static void check_array(objective_point *self, const double *after, size_t first, size_t end, const char *what) {
    double expected[POINT_PARAMETERS], most = 0.0;
    for (size_t i = first; i < end; i++) {
        expected[i] = exact_gradient(self, i);
        most = fmax(most, fabs(expected[i]));
    }
    if (first < end && !(most > 1e-3)) {
        fail_msg("%s: the largest gradient is %.3g: this point shows nothing", what, most);
    }
    for (size_t i = first; i < end; i++) {
        const double bound = TOLERANCE * fmax(fabs(expected[i]), FLOOR * most);
        check_near((self->at[i] - after[i]) / RATE, expected[i], bound, what, i - first);
    }
}

static void check_case(const gradient_case *is) {
    static const char *const KERNELS[] = {"gaussian", "laplacian", "cauchy"};
    char what[3][160];
    kinks unused = {0};
    objective_point self;
    double after[POINT_PARAMETERS] = {0};
    point_find(&self, is);
    for (size_t i = 0; i < 3; i++) {
        static const char *const ARRAYS[] = {"head", "theta", "phases"};
        snprintf(what[i], sizeof what[i], "%s %s k=%zu%s%s, %s of %zu classes, penalty %s: %s", is->projection,
                 is->activation, is->features, is->phases ? "" : " without phases", is->weighted ? " weighted" : "",
                 is->loss == NULL ? KERNELS[is->kernel] : is->loss->name, is->classes, is->penalty->name, ARRAYS[i]);
    }
    const double exact = objective_loss(&self, &unused), loss = take_step(&self);
    read_parameters(&self, after);
    check_near(loss, exact, 1e-5 * exact, "mean loss", 0);
    check_array(&self, after, 0, self.tensor, what[0]);
    check_array(&self, after, self.tensor, self.phase, what[1]);
    check_array(&self, after, self.phase, self.count, what[2]);
    point_free(&self);
}

/* A case with every projection, activation, penalty, 4 and 7 features (below and above the 5
 * columns), with phases and without; rows are weighted where there are 7 features and a loss on
 * scores. */
static void check_maps(gradient_case is) {
    static const char *const PROJECTIONS[] = {"dense", "circulant"}, *const ACTIVATIONS[] = {"cos", "sigmoid", "relu"};
    enum { CHOICES = 2 * 3 * 2 * 2 };
    for (size_t choice = 0; choice < CHOICES; choice++) {
        is.projection = PROJECTIONS[choice % 2];
        is.activation = ACTIVATIONS[choice / 2 % 3];
        is.features = choice / 6 % 2 == 0 ? 4 : POINT_FEATURES;
        is.phases = choice / 12 == 0;
        is.weighted = is.loss != NULL && is.features == POINT_FEATURES;
        for (size_t p = 0; p < COUNT_OF(PENALTIES); p++) {
            is.penalty = &PENALTIES[p];
            check_case(&is);
        }
    }
}

static void losses_on_scores_have_these_gradients(void **unused) {
    (void)unused;
    size_t count;
    const loss_ops *const *losses = loss_table(&count);
    for (size_t i = 0; i < count; i++) {
        if (losses[i]->task == TASK_REGRESS) {
            check_maps((gradient_case){.loss = losses[i], .classes = 1});
            continue;
        }
        check_maps((gradient_case){.loss = losses[i], .classes = 2});
        check_maps((gradient_case){.loss = losses[i], .classes = POINT_OUTPUTS});
    }
}

static void the_loss_on_pairs_has_these_gradients(void **unused) {
    (void)unused;
    for (map_kernel kernel = KERNEL_GAUSSIAN; kernel <= KERNEL_CAUCHY; kernel++) {
        check_maps((gradient_case){.kernel = kernel, .classes = 1});
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_on_scores_have_these_gradients),
        cmocka_unit_test(the_loss_on_pairs_has_these_gradients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
