/* A map learns to say what it says and what machines say, on average, on rows that none has seen; it does so where rows are few and machines are
 * no worse, and not where they are; any number of threads gives the same bits. */
#include "learn/made_training.h"

#include "learn/distill/kernel_ensemble.h"
#include "learn/distill/soft_labels.h"
#include "learn/distill/distill_ensemble.h"
#include "learn/distill/student.h"
#include "learn/fit/frozen_map.h"

enum { ROWS = 160, HALF = ROWS / 2, COLUMNS = 3, MOST_OUTPUTS = 3, FEATURES = 128 };

/* Its map is drawn, and its head solved for. */
static void make_solved(made *self, const char *loss, size_t outputs) {
    cnm_error error = {0};
    make(self, &(made_shape){.rows = ROWS,
                             .columns = COLUMNS,
                             .features = FEATURES,
                             .outputs = outputs,
                             .loss = loss,
                             .recipe = {.hold = 1.0, .lambda = 0.1, .batch = 80, .steps = 10000}});
    self->settings.scale = 1 + SCALING_NONE; /* as they are */
    check_ok(solve_head(&self->training, &self->plan, &error), &error);
}

/* ---- Lessons ---- */

/* What a turn of a lesson's rows is made of. */
static bool lies_on_a_line(const float *x, const float *from, const float *to) {
    double along = 0.0, length = 0.0, off = 0.0;
    for (size_t j = 0; j < COLUMNS; j++) {
        along += ((double)x[j] - (double)from[j]) * ((double)to[j] - (double)from[j]);
        length += pow((double)to[j] - (double)from[j], 2.0);
    }
    for (size_t j = 0; j < COLUMNS; j++) {
        off += pow((double)x[j] - (double)from[j] - along / length * ((double)to[j] - (double)from[j]), 2.0);
    }
    return length > 0.0 && off < 1e-10;
}

static bool has_cells_of(const made *self, const float *x) {
    for (size_t j = 0; j < COLUMNS; j++) {
        bool found = false;
        for (size_t i = 0; i < HALF; i++) {
            found = found || x[j] == self->rows->values[2 * i * COLUMNS + j];
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

/* Rows themselves come first, then such that lie as far from them as the nearest other row does, such on the line to a neighbour, and such of which each
 * cell is one of a row. */
static void rows_of_a_lesson_lie_around_rows(void **unused) {
    (void)unused;
    enum { TURNS = 10 };
    cnm_error error = {0};
    neighbours around;
    lesson made_rows;
    made self;
    double moved = 0.0, apart = 0.0;
    size_t crossed = 0;
    make_solved(&self, "squared", 1);
    check_ok(neighbours_find(&around, &self.training, &error), &error);
    check_ok(lesson_create(&made_rows, &self.training, &around, 80, &error), &error);
    assert_int_equal(made_rows.rows, 20 * LESSON_BATCH);
    for (size_t i = 0; i < made_rows.rows; i++) {
        const size_t turn = i / HALF % TURNS, own = i % HALF;
        const float *from = self.rows->values + 2 * own * COLUMNS, *row = made_rows.values + i * COLUMNS;
        const bool same = memcmp(row, from, COLUMNS * sizeof *row) == 0;
        bool beside = false;
        for (size_t k = 0; k < NEIGHBOURS; k++) {
            const float *near = self.rows->values + 2 * around.nearest[own * NEIGHBOURS + k] * COLUMNS;
            beside = beside || lies_on_a_line(row, from, near);
        }
        assert_true(turn >= 3 || same);
        assert_true(turn < 5 || turn >= 8 || beside);
        assert_true(turn < 8 || has_cells_of(&self, row));
        crossed += turn >= 8 && !same;
        for (size_t j = 0; turn >= 3 && turn < 5 && j < COLUMNS; j++) {
            const float *other = self.rows->values + 2 * ((own + 1 + i / HALF) % HALF) * COLUMNS;
            moved += pow((double)row[j] - (double)from[j], 2.0);
            apart += pow((double)other[j] - (double)from[j], 2.0);
        }
    }
    check_near(sqrt(moved / apart), around.near, 0.1 * around.near, "how far", 0);
    assert_true(crossed > made_rows.rows / 20);
    lesson_free(&made_rows);
    neighbours_free(&around);
    unmake(&self);
}

/* scores (HALF, outputs) of the rows that are held. */
static void ask(made *self, float *scores) {
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

/* ---- The mean ---- */

/* The mean of what machines say of the held rows: scores, or logarithms of probabilities. */
static void ask_machines(const made *self, float *mean) {
    const size_t outputs = self->training.problem.outputs;
    float held[HALF * COLUMNS], scores[HALF * MOST_OUTPUTS];
    cnm_error error = {0};
    council found;
    check_ok(council_find(&found, &self->training, 1e12, 1e12, &error), &error);
    for (size_t i = 0; i < HALF; i++) {
        memcpy(held + i * COLUMNS, self->rows->values + (2 * i + 1) * COLUMNS, COLUMNS * sizeof *held);
    }
    memset(mean, 0, HALF * outputs * sizeof *mean);
    for (size_t k = 0; k < found.count; k++) {
        check_ok(machine_scores(&found.machines[k], held, HALF, 1, scores, &error), &error);
        for (size_t i = 0; i < HALF; i++) {
            float *row = scores + i * outputs;
            for (size_t j = 0; j < outputs; j++) {
                row[j] *= (float)found.sharpness[k];
            }
            if (outputs > 1) {
                entropy_logarithms(row, outputs);
            }
            for (size_t j = 0; j < outputs; j++) {
                mean[i * outputs + j] += row[j] / (float)found.count;
            }
        }
    }
    council_free(&found);
}

static double distance(const float *a, const float *b, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += pow((double)a[i] - (double)b[i], 2.0);
    }
    return sum;
}

/* How far what is `said` is from a mixture of both; of classes all are logarithms. */
static double off_from(const float *said, const float *own, const float *theirs, float share, size_t outputs) {
    double off = 0.0;
    for (size_t i = 0; i < HALF; i++) {
        float mean[MOST_OUTPUTS], row[MOST_OUTPUTS];
        for (size_t j = 0; j < outputs; j++) {
            const float least = outputs > 1 ? -12.0F : -1e9F;
            mean[j] = share * theirs[i * outputs + j] + (1.0F - share) * fmaxf(own[i * outputs + j], least);
            row[j] = said[i * outputs + j];
        }
        if (outputs > 1) {
            entropy_probabilities(mean, outputs);
            entropy_probabilities(row, outputs);
        }
        off += distance(row, mean, outputs);
    }
    return off;
}

/* Machines have two thirds of the say: what is said is near to that, and nearer than to other shares. Not all of a kernel with kinks can be said by so
 * few cosines. */
static void both_are_said_on_average(void **unused) {
    (void)unused;
    static const char *const LOSSES[] = {"squared", "softmax", "softmax"};
    static const size_t OUTPUTS[] = {1, 2, 3};
    static const float OTHERS[] = {0.0F, 0.5F, 0.85F, 1.0F};
    for (size_t n = 0; n < COUNT_OF(LOSSES); n++) {
        const size_t outputs = OUTPUTS[n];
        float own[HALF * MOST_OUTPUTS], theirs[HALF * MOST_OUTPUTS], said[HALF * MOST_OUTPUTS];
        cnm_error error = {0};
        made self;
        make_solved(&self, LOSSES[n], outputs);
        self.settings.imitate = IMITATE_YES;
        ask(&self, own);
        ask_machines(&self, theirs);
        check_ok(imitate(&self.training, &error), &error);
        assert_true(self.training.imitated && self.training.problem.rows.rows == ROWS);
        ask(&self, said);
        for (size_t i = 0; outputs > 1 && i < HALF; i++) {
            entropy_logarithms(own + i * outputs, outputs);
            entropy_logarithms(said + i * outputs, outputs);
        }
        const double off = off_from(said, own, theirs, 2.0F / 3.0F, outputs);
        const double apart = off_from(own, own, theirs, 1.0F, outputs);
        bool nearest = true;
        for (size_t i = 0; i < COUNT_OF(OTHERS); i++) {
            nearest = nearest && off < off_from(said, own, theirs, OTHERS[i], outputs);
        }
        if (!nearest || !(off < 0.04 * apart)) {
            fail_msg("%s, %zu outputs: off by %g, of %g between map and machines", LOSSES[n], outputs, off, apart);
        }
        unmake(&self);
    }
}

/* A map that is clearly worse at its own rows than machines are at rows left out has no say. */
static void a_worse_map_has_no_say(void **unused) {
    (void)unused;
    static const char *const LOSSES[] = {"squared", "softmax"};
    for (size_t n = 0; n < COUNT_OF(LOSSES); n++) {
        const size_t outputs = n + 1;
        float own[HALF * MOST_OUTPUTS], theirs[HALF * MOST_OUTPUTS], said[HALF * MOST_OUTPUTS];
        cnm_error error = {0};
        made self;
        make_solved(&self, LOSSES[n], outputs);
        self.settings.imitate = IMITATE_YES;
        for (size_t i = 0; i < (FEATURES + 1) * outputs; i++) {
            self.training.head.weights[i] *= -0.5F; /* wrong on most rows */
        }
        ask(&self, own);
        ask_machines(&self, theirs);
        check_ok(imitate(&self.training, &error), &error);
        ask(&self, said);
        for (size_t i = 0; outputs > 1 && i < HALF; i++) {
            entropy_logarithms(own + i * outputs, outputs);
            entropy_logarithms(said + i * outputs, outputs);
        }
        const double off = off_from(said, own, theirs, 1.0F, outputs);
        const double apart = off_from(own, own, theirs, 1.0F, outputs);
        if (!(off < 0.04 * apart && off < off_from(said, own, theirs, 0.9F, outputs))) {
            fail_msg("%s: off by %g, of %g between map and machines", LOSSES[n], off, apart);
        }
        unmake(&self);
    }
}

/* ---- The pace ---- */

static double wave(const float *x, double frequency) { return sin(frequency * ((double)x[0] + (double)x[1])); }

static double pace_for(double frequency) {
    cnm_error error = {0};
    neighbours around;
    lesson from;
    made self;
    double pace = 0.0;
    make_solved(&self, "squared", 1);
    check_ok(neighbours_find(&around, &self.training, &error), &error);
    check_ok(lesson_create(&from, &self.training, &around, pupil_steps(&self.training), &error), &error);
    for (size_t i = 0; i < from.rows; i++) {
        from.wanted[i] = (float)wave(from.values + i * COLUMNS, frequency);
    }
    lesson_weigh(&from);
    check_ok(pupil_pace(&self.training, &from, &pace, &error), &error);
    lesson_free(&from);
    neighbours_free(&around);
    unmake(&self);
    return pace;
}

/* What changes fast from row to row takes a faster map than what does not. */
static void narrow_kernels_take_a_faster_pace(void **unused) {
    (void)unused;
    const double slow = pace_for(0.5), fast = pace_for(10.0);
    if (!(slow < fast)) {
        fail_msg("paces of %g and %g", slow, fast);
    }
}

/* Only where the machines are no worse than the map by more than a half, or three times for classes. */
static void worse_machines_have_no_say(void **unused) {
    (void)unused;
    static const double WORSE[] = {0.0, 1.0, 1.45, 1.55, 2.9, 3.1};
    for (size_t n = 0; n < 2 * COUNT_OF(WORSE); n++) {
        const size_t outputs = n % 2 + 1, place = n / 2;
        float before[HALF * 2] = {0}, after[HALF * 2] = {0};
        cnm_error error = {0};
        council found;
        made self;
        make_solved(&self, outputs == 1 ? "squared" : "softmax", outputs);
        self.training.recipe.steps = 100; /* that it learns is enough here */
        check_ok(council_find(&found, &self.training, 1e12, 1e12, &error), &error);
        self.training.judged = place > 0 ? found.loss / WORSE[place] : 0.0; /* 0: not known */
        council_free(&found);
        ask(&self, before);
        check_ok(imitate(&self.training, &error), &error);
        ask(&self, after);
        assert_int_equal(self.training.imitated, place > 0 && place <= (outputs == 1 ? 2 : 4));
        assert_int_equal(memcmp(before, after, sizeof before) != 0, self.training.imitated);
        unmake(&self);
    }
}

/* Pilots that got every held row right are at times very sure of it: that says nothing against machines that got every row right, too. */
static void sure_pilots_rule_no_machines_out(void **unused) {
    (void)unused;
    for (size_t apart = 0; apart <= 3; apart += 3) {
        cnm_error error = {0};
        made self;
        make_solved(&self, "softmax", 2);
        self.training.recipe.steps = 100;
        for (size_t i = 0; i < ROWS; i++) {
            self.codes[i] = (int32_t)(i / 2 % 2);
            self.rows->values[i * COLUMNS] += (float)apart * (float)self.codes[i];
        }
        self.rows->values[2 * COLUMNS] -= 0.7F * (float)apart; /* nearly on the other side */
        self.training.judged = 1e-300;
        check_ok(imitate(&self.training, &error), &error);
        assert_int_equal(self.training.imitated, apart > 0);
        unmake(&self);
    }
}

/* ---- Through the door ---- */

/* Rows around 25 places that belong to one of two classes by chance; or that are their number, nearly. */
static table *make_places(size_t rows, size_t columns, bool numbers) {
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
        if (numbers) {
            label_number(out, (double)place + 0.1 * uniform(6, i));
        } else {
            label_text(out, uniform(5, place) < 0.5 ? "here" : "there");
        }
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
                      .epochs = 300,
                      .effort = EFFORT_NORMAL};
}

static bool imitates(const table *rows, const settings *wanted) {
    cnm_model *model = train(rows, wanted);
    const char *found = record_get(&model->record, "imitates");
    const bool features = wanted->features > 0 || model->map->features >= 128;
    assert_true(found == NULL || strcmp(found, "itself and kernel machines of all rows, on average") == 0);
    assert_true(found == NULL || (features && record_get(&model->record, "head") == NULL));
    const bool result = found != NULL;
    model_destroy(model);
    return result;
}

static void few_rows_are_learned_so(void **unused) {
    (void)unused;
    table *rows = make_places(120, 40, false), *numbers = make_places(150, 20, true);
    settings wanted = asking(IMITATE_AUTO);
    assert_true(imitates(rows, &wanted));
    wanted.task = WANT_REGRESS;
    assert_true(imitates(numbers, &wanted));
    wanted = asking(IMITATE_AUTO);
    wanted.features = 0;
    assert_true(imitates(rows, &wanted));
    wanted.features = 64; /* too few for it */
    assert_false(imitates(rows, &wanted));
    wanted = asking(IMITATE_NO);
    assert_false(imitates(rows, &wanted));
    wanted = asking(IMITATE_AUTO);
    wanted.hold = 1.0; /* a drawn map was asked for */
    assert_false(imitates(rows, &wanted));
    wanted = asking(IMITATE_AUTO);
    wanted.metric = METRIC_BALANCED; /* shifts classes */
    assert_false(imitates(rows, &wanted));
    table_destroy(rows);
    table_destroy(numbers);
}

static void the_same_bits_for_any_number_of_threads(void **unused) {
    (void)unused;
    table *rows = make_places(90, 20, false);
    cnm_model *first = NULL;
    for (size_t i = 0; i < COUNT_OF(THREADS); i++) {
        settings wanted = asking(IMITATE_YES);
        wanted.threads = THREADS[i];
        wanted.effort = EFFORT_QUICK;
        cnm_model *model = train(rows, &wanted);
        assert_non_null(record_get(&model->record, "imitates"));
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
    table *rows = make_places(70, 20, false), *many = make_places(2001, 6, false);
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
    wanted = asking(IMITATE_YES);
    wanted.metric = METRIC_F1;
    assert_int_equal(learn(&model, rows, NULL, &wanted, NULL, &error), CNM_BAD_ARGUMENT);
    table_destroy(rows);
    table_destroy(many);
}

static void count_notice(const char *sentence, void *user) {
    *(size_t *)user += strstr(sentence, "--imitate yes: there is no kernel machine of fewer than 40 rows") != NULL;
}

/* Asked for, and not done: that is said. */
static void too_few_rows_are_told(void **unused) {
    (void)unused;
    for (size_t rows = 39; rows <= 40; rows++) {
        table *few = make_places(rows, 20, false);
        size_t told = 0;
        const cnm_callbacks callbacks = {.notice = count_notice, .user = &told};
        cnm_error error = {0};
        cnm_model *model;
        settings wanted = asking(IMITATE_YES);
        wanted.effort = EFFORT_QUICK;
        check_ok(learn(&model, few, NULL, &wanted, &callbacks, &error), &error);
        assert_int_equal(told, rows == 39);
        assert_int_equal(record_get(&model->record, "imitates") == NULL, rows == 39);
        model_destroy(model);
        table_destroy(few);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_a_lesson_lie_around_rows),
        cmocka_unit_test(both_are_said_on_average),
        cmocka_unit_test(a_worse_map_has_no_say),
        cmocka_unit_test(narrow_kernels_take_a_faster_pace),
        cmocka_unit_test(worse_machines_have_no_say),
        cmocka_unit_test(sure_pilots_rule_no_machines_out),
        cmocka_unit_test(few_rows_are_learned_so),
        cmocka_unit_test(the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(what_cannot_be_imitated_is_refused),
        cmocka_unit_test(too_few_rows_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
