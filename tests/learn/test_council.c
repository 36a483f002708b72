/* Machines by least squares agree with elimination; the loss is that of rows left out one by one; copies tell nothing; a scaling, a kernel and
 * weights of columns that suit machines are found; any number of threads gives the same bits. */
#include "learn/made_training.h"

#include "learn/distill/kernel_ensemble.h"

enum { ROWS = 200, HALF = ROWS / 2, COLUMNS = 3, MOST_OUTPUTS = 3 };
static const double MUCH = 1e12; /* work */

static void make_few(made *self, const char *loss, size_t outputs) {
    make(self, &(made_shape){.rows = ROWS,
                             .columns = COLUMNS,
                             .features = 16,
                             .outputs = outputs,
                             .loss = loss,
                             .recipe = {.batch = 16, .steps = 100}});
    self->settings.scale = 1 + SCALING_NONE; /* as they are */
}

static council find(const made *self, double work) {
    cnm_error error = {0};
    council out;
    check_ok(council_find(&out, &self->training, work, MUCH, &error), &error);
    return out;
}

/* k(a, b) + 1, in double. */
static double kernel_between(const made *self, const kernel_machine *machine, size_t a, size_t b) {
    double square = 0.0;
    for (size_t j = 0; j < COLUMNS; j++) {
        const double weight = machine->of->weights == NULL ? 1.0 : (double)machine->of->weights[j];
        const double off = (double)self->rows->values[a * COLUMNS + j] - (double)self->rows->values[b * COLUMNS + j];
        square += weight * weight * off * off;
    }
    return 1.0 + (machine->kind == MACHINE_GAUSSIAN ? exp(-machine->gamma * square)
                                                    : exp(-sqrt(2.0 * machine->gamma * square)));
}

static double target_of(const made *self, size_t row, size_t output) {
    return self->training.problem.task == TASK_REGRESS ? (double)self->targets[row]
           : self->codes[row] == (int32_t)output       ? 1.0
                                                       : -1.0;
}

/* weights (HALF): of the rows that train but one (HALF: all), by elimination. */
static void eliminate(const made *self, const kernel_machine *machine, double penalty, size_t output, size_t without,
                      double *weights) {
    static double a[HALF][HALF + 1];
    for (size_t i = 0; i < HALF; i++) {
        const bool out = i == without;
        for (size_t j = 0; j < HALF; j++) {
            a[i][j] = out || j == without ? 0.0 : kernel_between(self, machine, 2 * i, 2 * j);
        }
        a[i][i] = out ? 1.0 : a[i][i] + penalty;
        a[i][HALF] = out ? 0.0 : target_of(self, 2 * i, output);
    }
    for (size_t i = 0; i < HALF; i++) { /* positive definite: no pivots are needed */
        for (size_t r = 0; r < HALF; r++) {
            const double factor = a[r][i] / a[i][i];
            for (size_t j = i; r != i && j <= HALF; j++) {
                a[r][j] -= factor * a[i][j];
            }
        }
    }
    for (size_t i = 0; i < HALF; i++) {
        weights[i] = a[i][HALF] / a[i][i];
    }
}

/* What is left of a target after the kernel's say is the penalty times the row's weight. */
static double penalty_of(const made *self, const kernel_machine *machine) {
    double left = 0.0, all = 0.0;
    for (size_t i = 0; i < HALF; i++) {
        double said = target_of(self, 2 * i, 0);
        for (size_t j = 0; j < HALF; j++) {
            said -= kernel_between(self, machine, 2 * i, 2 * j) * (double)machine->weights[j * machine->outputs];
        }
        left += said * (double)machine->weights[i * machine->outputs];
        all += pow((double)machine->weights[i * machine->outputs], 2.0);
    }
    return left / all;
}

static void they_agree_with_elimination(void **unused) {
    (void)unused;
    static const char *const LOSSES[] = {"squared", "softmax"};
    for (size_t n = 0; n < COUNT_OF(LOSSES); n++) {
        const size_t outputs = n == 0 ? 1 : MOST_OUTPUTS;
        float held[HALF * COLUMNS], scores[HALF * MOST_OUTPUTS];
        cnm_error error = {0};
        made self;
        make_few(&self, LOSSES[n], outputs);
        council found = find(&self, MUCH);
        size_t against_all = 0; /* those of pairs: test_pairs.c */
        for (size_t i = 0; i < HALF; i++) {
            memcpy(held + i * COLUMNS, self.rows->values + (2 * i + 1) * COLUMNS, COLUMNS * sizeof *held);
        }
        for (size_t k = 0; k < found.count; k++) {
            const kernel_machine *machine = &found.machines[k];
            if (machine->classes != NULL) {
                continue;
            }
            against_all++;
            const double penalty = penalty_of(&self, machine);
            check_ok(machine_scores(machine, held, HALF, 1, scores, &error), &error);
            for (size_t output = 0; output < outputs; output++) {
                double weights[HALF];
                eliminate(&self, machine, penalty, output, HALF, weights);
                for (size_t i = 0; i < HALF; i++) {
                    double wanted = 0.0;
                    for (size_t j = 0; j < HALF; j++) {
                        wanted += kernel_between(&self, machine, 2 * i + 1, 2 * j) * weights[j];
                    }
                    check_near((double)scores[i * outputs + output], wanted, 1e-3, LOSSES[n], i);
                }
            }
        }
        assert_int_equal(against_all, MACHINE_KINDS * (1 + COUNCIL_ROUNDS)); /* all are as good here */
        council_free(&found);
        unmake(&self);
    }
}

/* The root of the mean square of what machines without a row say of it. */
static void the_loss_is_of_rows_left_out(void **unused) {
    (void)unused;
    double sum = 0.0;
    made self;
    make_few(&self, "squared", 1);
    council found = find(&self, MUCH);
    const kernel_machine *machine = &found.machines[0];
    const double penalty = penalty_of(&self, machine);
    for (size_t i = 0; i < HALF; i++) {
        double weights[HALF], said = 0.0;
        eliminate(&self, machine, penalty, 0, i, weights);
        for (size_t j = 0; j < HALF; j++) {
            said += kernel_between(&self, machine, 2 * i, 2 * j) * weights[j];
        }
        sum += pow(said - target_of(&self, 2 * i, 0), 2.0);
    }
    check_near(found.loss, sqrt(sum / HALF), 1e-4, "loss", 0);
    council_free(&found);
    unmake(&self);
}

/* The first half of the rows that train takes the place of the other, too. */
static void copy_rows(made *self) {
    for (size_t i = HALF / 2; i < HALF; i++) {
        const size_t to = 2 * i, from = 2 * (i - HALF / 2);
        memcpy(self->rows->values + to * COLUMNS, self->rows->values + from * COLUMNS, COLUMNS * sizeof(float));
        self->targets[to] = self->targets[from];
        self->codes[to] = self->codes[from];
    }
}

/* Which machine is good, copies do not change; without a look at them the one that knows each row by heart would be the best. */
static void copies_judge_nothing(void **unused) {
    (void)unused;
    made once, twice;
    make_few(&once, "squared", 1);
    make_few(&twice, "squared", 1);
    copy_rows(&twice);
    once.training.split.train_count = HALF / 2;
    council alone = find(&once, MUCH), among = find(&twice, MUCH);
    assert_true(among.count > 0);
    check_near(among.machines[0].gamma, alone.machines[0].gamma, 0.05 * alone.machines[0].gamma, "gamma", 0);
    assert_true(fabs(penalty_of(&twice, &among.machines[0])) > 1e-3);
    for (size_t i = 1; i < HALF; i++) { /* all rows the same */
        memcpy(twice.rows->values + 2 * i * COLUMNS, twice.rows->values, COLUMNS * sizeof(float));
    }
    council none = find(&twice, MUCH);
    assert_int_equal(none.count, 0);
    council_free(&alone);
    council_free(&among);
    council_free(&none);
    unmake(&once);
    unmake(&twice);
}

/* A third of the rows takes the place of the others, too: of numbers, which differ, machines are found, and of classes none. */
static void what_was_measured_again_is_no_copy(void **unused) {
    (void)unused;
    for (size_t outputs = 1; outputs <= 2; outputs++) {
        made self;
        make_few(&self, outputs == 1 ? "squared" : "softmax", outputs);
        for (size_t i = HALF / 3; i < HALF; i++) {
            const size_t to = 2 * i, from = 2 * (i % (HALF / 3));
            memcpy(self.rows->values + to * COLUMNS, self.rows->values + from * COLUMNS, COLUMNS * sizeof(float));
        }
        council found = find(&self, MUCH);
        assert_int_equal(found.count > 0, outputs == 1);
        assert_true(outputs == 2 || found.machines[0].of->rows == HALF);
        council_free(&found);
        unmake(&self);
    }
}

/* Eight bands: against all others those in the middle lie between two sides of one class, in each pair they are told apart by a wide kernel. */
static void many_classes_are_told_apart_by_pairs(void **unused) {
    (void)unused;
    enum { BANDS = 8 };
    made self;
    make_few(&self, "softmax", BANDS);
    for (size_t i = 0; i < ROWS; i++) {
        float *row = self.rows->values + i * COLUMNS;
        self.codes[i] = (int32_t)(i / 2 % BANDS);
        row[0] = 0.5F * ((float)self.codes[i] + (float)uniform(11, i));
        row[1] = 0.3F * (row[1] - row[0]);
    }
    council found = find(&self, MUCH);
    assert_true(found.count > 0 && found.machines[0].classes != NULL);
    council_free(&found);
    unmake(&self);
}

/* With little work the search sees fewer rows; the machines have all of them. */
static void little_work_is_kept(void **unused) {
    (void)unused;
    made self;
    make_few(&self, "softmax", 2);
    const double trials = MACHINE_KINDS * (PLACE_TRIALS + COUNCIL_ROUNDS * PLACE_TRIALS_BESIDE);
    council some = find(&self, trials * 45.0 * 45.0 * 45.0 / 3.0),
            none = find(&self, trials * 30.0 * 30.0 * 30.0 / 3.0);
    assert_true(some.count > 0);
    assert_int_equal(some.machines[0].of->rows, HALF);
    assert_int_equal(none.count, 0);
    council_free(&some);
    council_free(&none);
    unmake(&self);
}

static void check_one_scaling(const council *found) {
    for (size_t i = 1; i < found->sorts; i++) {
        assert_int_equal(found->rows[i]->scale, found->rows[0]->scale);
    }
}

/* One column in other units: it drowns the others unless each has its own scale. Machines find that, whatever the map's scaling is; and they say the
 * same of rows that come in another. Where the scaling is settled, machines find the weights of columns that make up for it. */
static void scalings_are_looked_for(void **unused) {
    (void)unused;
    enum { LARGE = 1000 };
    static const scaling_kind KINDS[] = {SCALING_GLOBAL, SCALING_STANDARD, SCALING_ASINH};
    float said[COUNT_OF(KINDS)][HALF];
    for (size_t n = 0; n < COUNT_OF(KINDS); n++) {
        cnm_error error = {0};
        float held[HALF * COLUMNS];
        size_t positions[HALF];
        made self;
        make_few(&self, "squared", 1);
        for (size_t i = 0; i < ROWS; i++) {
            self.rows->values[i * COLUMNS + 1] = LARGE * (float)(2.0 + uniform(9, i));
            self.targets[i] = (float)(self.rows->values[i * COLUMNS] + 0.2 * uniform(8, i));
            positions[i / 2] = i / 2 * 2 + 1;
        }
        self.settings.scale = 0;
        check_ok(problem_scale(&self.training.problem, KINDS[n], &error), &error);
        input_unbind(&self.training.source);
        check_ok(input_bind(&self.training.source, &self.training.problem.input, &self.training.problem.rows,
                            self.training.map, &error),
                 &error);
        council found = find(&self, MUCH);
        assert_true(found.count > 0 && found.count <= COUNCIL_WAYS);
        assert_true(found.loss < 0.08);            /* the targets' noise has a deviation of 0.06 */
        for (size_t i = 0; i < found.sorts; i++) { /* that in which a column drowns the others has no member */
            assert_true(KINDS[n] != SCALING_GLOBAL || found.rows[i]->units.columns == COLUMNS);
        }
        input_take_dense(&self.training.source, positions, 0, 0, HALF, held);
        check_ok(machine_scores(&found.machines[0], held, HALF, 1, said[n], &error), &error);
        /* Weights come from slopes of machines that come in other units, too: rounding counts twice more. */
        const double bound = found.machines[0].of->weights == NULL ? 1e-3 : 3e-3;
        for (size_t i = 0; i < HALF; i++) {
            check_near((double)said[n][i], (double)said[0][i], bound, "score", i);
        }
        council_free(&found);
        self.settings.scale = 1 + (int)KINDS[n]; /* asked for: machines have no other */
        found = find(&self, MUCH);
        check_one_scaling(&found);
        assert_true(found.machines[0].of->weights != NULL || KINDS[n] != SCALING_GLOBAL);
        council_free(&found);
        self.settings.scale = 0; /* too dear */
        check_ok(council_find(&found, &self.training, MUCH, council_work(&self.training, HALF, COUNCIL_SCALINGS) - 1.0,
                              &error),
                 &error);
        check_one_scaling(&found);
        council_free(&found);
        problem_unscale(&self.training.problem);
        unmake(&self);
    }
}

/* A cell far out, in a column that does not matter: of scalings only those that bend are looked at. */
static void far_rows_are_scaled_by_asinh(void **unused) {
    (void)unused;
    cnm_error error = {0};
    made self;
    make_few(&self, "squared", 1);
    self.rows->values[6 * COLUMNS + 1] = 1e5F;
    for (size_t i = 0; i < ROWS; i++) {
        self.targets[i] = (float)(self.rows->values[i * COLUMNS] + 0.2 * uniform(8, i));
    }
    self.settings.scale = 0;
    check_ok(problem_scale(&self.training.problem, SCALING_ASINH, &error), &error);
    input_unbind(&self.training.source);
    check_ok(input_bind(&self.training.source, &self.training.problem.input, &self.training.problem.rows,
                        self.training.map, &error),
             &error);
    council found = find(&self, MUCH);
    size_t other = 0;
    for (size_t i = 0; i < found.sorts; i++) {
        assert_true(found.rows[i]->units.columns == 0 || found.rows[i]->units.enters_asinh);
        other += found.rows[i]->units.columns > 0;
    }
    assert_true(found.count > 0 && other > 0);
    council_free(&found);
    problem_unscale(&self.training.problem);
    unmake(&self);
}

/* Targets with an edge: the kernel with a kink is the better one. One column of many that matters: it gets the most weight, and a machine that weighs
 * is the best. */
static void kernels_and_weights_are_looked_for(void **unused) {
    (void)unused;
    made self;
    make_few(&self, "squared", 1);
    for (size_t i = 0; i < ROWS; i++) {
        const float *row = self.rows->values + i * COLUMNS;
        self.targets[i] = row[0] < 0.0F ? -1.0F : 1.0F;
    }
    council found = find(&self, MUCH);
    const machine_rows *best = found.machines[0].of;
    assert_int_equal(found.machines[0].kind, MACHINE_EXPONENTIAL);
    assert_non_null(best->weights);
    for (size_t j = 1; j < COLUMNS; j++) {
        assert_true(best->weights[0] > 1.5F * best->weights[j]);
    }
    council_free(&found);
    unmake(&self);
}

static void the_same_bits_for_any_number_of_threads(void **unused) {
    (void)unused;
    made self;
    make_few(&self, "softmax", 3);
    council first = find(&self, MUCH);
    for (size_t i = 1; i < COUNT_OF(THREADS); i++) {
        self.settings.threads = THREADS[i];
        council other = find(&self, MUCH);
        assert_true(other.loss == first.loss && other.count == first.count);
        for (size_t k = 0; k < first.count; k++) {
            check_same_floats(first.machines[k].weights, other.machines[k].weights, HALF * 3, "weights");
        }
        council_free(&other);
    }
    council_free(&first);
    unmake(&self);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_agree_with_elimination),
        cmocka_unit_test(the_loss_is_of_rows_left_out),
        cmocka_unit_test(copies_judge_nothing),
        cmocka_unit_test(what_was_measured_again_is_no_copy),
        cmocka_unit_test(many_classes_are_told_apart_by_pairs),
        cmocka_unit_test(little_work_is_kept),
        cmocka_unit_test(scalings_are_looked_for),
        cmocka_unit_test(far_rows_are_scaled_by_asinh),
        cmocka_unit_test(kernels_and_weights_are_looked_for),
        cmocka_unit_test(the_same_bits_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
