/* What the choice of a recipe may cost: choose.c with pilots that count and do not train. They take the place of learn/search/trial.c: the
 * linker finds these first. */
#include "learn/learn_support.h"

#include "learn/search/budgeted_search.h"
#include "learn/search/trial.h"
#include "learn/fit/frozen_map.h"
#include "learn/search/profiles.h"

enum { ROWS = 1000, COLUMNS = 6 };

/* No linker lets a fake get at its caller's variables, so the counts come through the progress callback's user. */
typedef struct tally {
    size_t rounds, judged, solved;          /* solved: of these, with a head that is solved for */
    double work;                            /* steps * features */
    bool scale, width, decay, noise, drift; /* other values were tried */
    bool wild;       /* each trial is better than the last, so that the search goes as far as it can */
    double gain;     /* by this fraction; 0: by half */
    double drawn;    /* maps that stay as drawn are better than others by this fraction */
    double exact;    /* others without noise are by this one */
    size_t stop_at;  /* this trial, and all after it, say stop; 0: none */
    size_t narrow;   /* of the first three such maps, narrow ones with a penalty that fits the width */
    bool thin;       /* such a map was judged, in a round of its own, on fewer folds than there are */
    double margin;   /* of the pilots */
    double shift;    /* of pictures, at first; ... */
    bool shifted;    /* ... others were tried */
    double short_by; /* of the training's steps a pilot has one in so many; 0: all */
} tally;

enum { FOLDS = 5 };

struct pilots {
    const training *of;
    tally *counts;
    pilot_size size;
    double next;
};

cnm_status pilots_create(pilots **out, const training *of, const pilot_size *size, size_t total, cnm_error *err) {
    (void)total;
    (void)err;
    *out = take(1, sizeof **out);
    **out = (struct pilots){of, of->problem.callbacks->user, *size, 1.0};
    (*out)->counts->rounds++;
    return CNM_OK;
}

void pilots_destroy(pilots *self) { free(self); }

double pilots_margin(const pilots *self) { return self->counts->margin; }

double pilots_share(const pilots *self) { return self->counts->short_by > 0.0 ? 1.0 / self->counts->short_by : 1.0; }

cnm_status pilots_judge_size(pilots *self, const recipe *tried, size_t features, double share, double *loss, bool *stop,
                             cnm_error *err) {
    (void)err;
    if (tried != NULL) {
        self->counts->width = self->counts->width || tried->width != 1.0;
        self->counts->decay = self->counts->decay || tried->decay != 0.03;
        self->counts->noise = self->counts->noise || tried->noise != 0.25;
        self->counts->scale = self->counts->scale || tried->scale != SCALING_GLOBAL;
        self->counts->shifted = self->counts->shifted || tried->shift != self->counts->shift;
        self->counts->drift = self->counts->drift || (tried->drift != 0.0 && tried->drift != 0.25);
    }
    self->counts->judged++;
    const bool solved = tried != NULL && tried->hold == 1.0 && head_can_be_solved(self->of);
    self->counts->solved += solved;
    if (solved) {
        const double penalty = tried->lambda / pow(tried->width, 4.0);
        self->counts->narrow += self->counts->solved <= 3 && tried->width == 0.25 &&
                                (fabs(penalty - 1e-1) < 1e-9 || fabs(penalty - 1e-4) < 1e-9);
        self->counts->thin =
            self->counts->thin || (self->of->recipe.hold == 1.0 && self->size.steps / self->size.fold_steps < FOLDS);
    }
    self->counts->work +=
        (solved ? FOLDS * solve_steps(self->of) : share * (double)self->size.steps) * (double)features;
    self->next *= !self->counts->wild ? 1.0 : self->counts->gain > 0.0 ? 1.0 - self->counts->gain : 0.5;
    *stop = self->counts->stop_at > 0 && self->counts->judged >= self->counts->stop_at;
    const double better = solved                                 ? self->counts->drawn
                          : tried != NULL && tried->noise == 0.0 ? self->counts->exact
                                                                 : 0.0;
    *loss = *stop ? INFINITY : (1.0 - better) * self->next;
    return CNM_OK;
}

cnm_status pilots_judge(pilots *self, const recipe *tried, double *loss, bool *stop, cnm_error *err) {
    return pilots_judge_size(self, tried, self->size.features, 1.0, loss, stop, err);
}

size_t pilots_folds(const pilots *self) {
    (void)self;
    return FOLDS;
}

/* Without a map a row costs as many products as there are outputs, for each column: as a map of so many features. */
cnm_status pilots_judge_linear(pilots *self, double *loss, bool *stop, cnm_error *err) {
    return pilots_judge_size(self, NULL, 2, 1.0, loss, stop, err);
}

typedef struct outcome {
    tally counts;
    recipe usual, chosen;
    size_t features; /* chosen */
} outcome;

static outcome choose_with(table *rows, const settings *wanted, tally counts) {
    cnm_error error = {0};
    outcome result = {.counts = counts};
    const cnm_callbacks callbacks = {.user = &result.counts};
    training self = {.spec = {.projection = wanted->projection == 0 ? "dense" : "circulant",
                              .activation = "cos",
                              .columns = rows->columns,
                              .features = wanted->features == 0 ? 128 : (size_t)wanted->features,
                              .gamma = 1.0,
                              .phases = true,
                              .seed = 1}};
    check_ok(problem_create(&self.problem, rows, wanted, NULL, &callbacks, &error), &error);
    self.recipe.shift = counts.shift;
    recipe_usual(&self);
    result.usual = self.recipe;
    check_ok(choose_recipe(&self, &error), &error);
    result.chosen = self.recipe;
    result.features = self.spec.features;
    assert_int_equal(self.problem.scaling.kind, self.recipe.scale);
    problem_free(&self.problem);
    return result;
}

static outcome choose(table *rows, const settings *wanted, bool wild) {
    return choose_with(rows, wanted, (tally){.wild = wild});
}

static settings automatic(uint64_t features) {
    return (settings){
        .features = features, .seed = 1, .threads = 1, .noise = -1.0, .decay = -1.0, .effort = EFFORT_NORMAL};
}

static void check_work(const outcome *got, const settings *wanted, double trainings) {
    const double one = (double)got->usual.steps * (double)got->features;
    if (!(got->counts.work <= trainings * one)) {
        fail_msg("k = %u: pilots cost %.2f trainings, %.0f are allowed", (unsigned)wanted->features,
                 got->counts.work / one, trainings);
    }
}

/* Rows seen are steps times a batch that is the same for both, so steps times features tell the work. */
static void pilots_cost_no_more_than_two_trainings(void **unused) {
    (void)unused;
    static const uint64_t FEATURES[] = {0, 4, 64, 129, 1000}, EPOCHS[] = {0, 1, 100, 300, 5000};
    table *rows = make_rings(1, ROWS, COLUMNS);
    for (size_t n = 0; n < COUNT_OF(FEATURES) * COUNT_OF(EPOCHS) * 4; n++) { /* 25 * 4, and 3 has no factor in common */
        settings wanted = automatic(FEATURES[n % COUNT_OF(FEATURES)]);
        wanted.epochs = EPOCHS[n / COUNT_OF(FEATURES) % COUNT_OF(EPOCHS)];
        wanted.projection = (int)(n / 25 % 2);
        wanted.hold = (double)(n % 3) - 1.0;
        const outcome got = choose(rows, &wanted, n >= 50);
        check_work(&got, &wanted, 2.0);
        assert_int_equal(got.chosen.steps, got.usual.steps);
        assert_int_equal(got.chosen.batch, got.usual.batch);
        wanted.effort = EFFORT_THOROUGH;
        const outcome more = choose(rows, &wanted, n >= 50);
        check_work(&more, &wanted, 10.0);
    }
    table_destroy(rows);
}

static void both_rounds_look_around(void **unused) {
    (void)unused;
    table *rows = make_rings(2, ROWS, COLUMNS);
    const settings wanted = automatic(64);
    const outcome tame = choose(rows, &wanted, false), wild = choose(rows, &wanted, true);
    assert_int_equal(tame.counts.rounds, 2);
    assert_int_equal(wild.counts.rounds, 2);
    assert_int_equal(tame.counts.judged, 1 + 3 + 6 + 1);   /* without noise; decay; the rest; a linear model */
    assert_int_equal(tame.chosen.scale, tame.usual.scale); /* nothing was better */
    assert_true(tame.chosen.width == 1.0 && tame.chosen.decay == 0.03 && tame.chosen.noise == 0.25);
    assert_true(tame.counts.width && tame.counts.decay && tame.counts.noise);
    assert_true(wild.chosen.decay != 0.03 && wild.chosen.scale != wild.usual.scale);
    table_destroy(rows);
}

/* Columns that share a range, the last `empty` of them empty. */
static table *make_alike(size_t count, size_t columns, size_t empty) {
    table *rows = make_rings(3, count, columns);
    for (size_t i = 0; i < count * columns; i++) {
        const float value = (float)random_uniform((random_stream){1, RANDOM_TEST, 0}, i);
        rows->values[i] = i % columns < columns - empty ? value : 0.0F;
    }
    return rows;
}

/* Many columns that share a range, as of pictures: how far rows drift is looked for, within the same budget; the one scale stays. */
static void columns_that_are_alike_keep_their_scale_and_drift(void **unused) {
    (void)unused;
    table *rows = make_alike(ROWS, 70, 0);
    settings wanted = automatic(64);
    const outcome still = choose(rows, &wanted, false);
    wanted.drift = -1.0;
    const outcome got = choose(rows, &wanted, false), wild = choose(rows, &wanted, true);
    assert_int_equal(got.usual.scale, SCALING_GLOBAL);
    assert_true(got.usual.drift == 0.25 && got.counts.drift && !got.counts.scale && !got.counts.noise);
    assert_true(still.usual.drift == 0.0 && !still.counts.drift && still.chosen.drift == 0.0);
    check_work(&got, &wanted, 2.0);
    check_work(&wild, &wanted, 2.0);
    table_destroy(rows);
}

/* A solved head takes rows as they are: there is no drift or shift to look for, also where nothing else is open. */
static void drawn_maps_do_not_drift(void **unused) {
    (void)unused;
    table *rows = make_alike(900, 70, 0);
    settings wanted = automatic(64);
    wanted.drift = wanted.shift = wanted.hold = -1.0;
    const tally better = {.drawn = 0.9, .margin = 0.01, .shift = 0.4};
    const outcome drawn = choose_with(rows, &wanted, better);
    assert_true(drawn.usual.drift == 0.25 && drawn.chosen.hold == 1.0 && drawn.chosen.drift == 0.0);
    check_work(&drawn, &wanted, 2.0);
    wanted.lambda = 0.01;
    wanted.gamma = GAMMA_KNN;
    const outcome settled = choose_with(rows, &wanted, better);
    assert_true(settled.chosen.hold == 1.0);
    assert_false(settled.counts.drift || settled.counts.shifted);
    wanted.hold = 0.5; /* with steps there is */
    const outcome stepped = choose_with(rows, &wanted, better);
    assert_true(stepped.counts.drift && stepped.counts.shifted);
    table_destroy(rows);
}

/* 64 columns are many, and a quarter of so many may be empty, as at the rim of pictures. */
static void most_of_many_columns_are_enough_for_one_scale(void **unused) {
    (void)unused;
    static const struct {
        size_t columns, empty;
        scaling_kind scale;
    } CASES[] = {{64, 0, SCALING_GLOBAL},
                 {64, 16, SCALING_GLOBAL},
                 {64, 17, SCALING_STANDARD},
                 {63, 0, SCALING_STANDARD},
                 {200, 152, SCALING_GLOBAL}};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        table *rows = make_alike(300, CASES[i].columns, CASES[i].empty);
        settings wanted = automatic(64);
        wanted.hold = -1.0;
        assert_int_equal(choose(rows, &wanted, false).usual.scale, CASES[i].scale);
        table_destroy(rows);
    }
}

/* Each pilot is 2 % better than the last, the margin 1 %. Of the first round's the second has less decay and the third, 4 % better than
 * the first, more: one margin is enough for that, six are not; nor are ten, where pilots have few steps. */
static void short_pilots_have_to_win_by_more(void **unused) {
    (void)unused;
    static const struct {
        double margin, short_by, decay;
    } CASES[] = {{0.01, 0.0, 0.1}, {0.05, 0.0, 0.03}, {0.01, 5.0, 0.03}, {0.0037, 5.0, 0.1}, {0.001, 0.0, 0.1}};
    table *rows = make_rings(2, ROWS, COLUMNS);
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        settings wanted = automatic(64);
        wanted.noise = 0.25;
        const tally counts = {.wild = true, .gain = 0.02, .margin = CASES[i].margin, .short_by = CASES[i].short_by};
        const double got = choose_with(rows, &wanted, counts).chosen.decay;
        if ((got > 0.03) != (CASES[i].decay > 0.03)) {
            fail_msg("case %zu: decay %g", i, got);
        }
    }
    table_destroy(rows);
}

/* However much better another scaling looks: those that bend are looked at, and no other. A gentle map starts with the wider one. */
static void rows_far_out_are_scaled_by_asinh(void **unused) {
    (void)unused;
    table *rows = make_rings(2, ROWS, COLUMNS);
    settings wanted = automatic(64);
    assert_false(scaling_bends(choose(rows, &wanted, true).chosen.scale));
    rows->values[7 * COLUMNS] = 1e4F;
    assert_int_equal(choose(rows, &wanted, false).chosen.scale, SCALING_ASINH);
    assert_int_equal(choose(rows, &wanted, true).chosen.scale, SCALING_WIDE); /* what is tried last is best */
    assert_int_equal(choose_with(rows, &wanted, (tally){.exact = 0.6, .margin = 0.01}).chosen.scale, SCALING_WIDE);
    wanted.hold = -1.0;
    const outcome gentle = choose(rows, &wanted, false);
    assert_true(gentle.usual.scale == SCALING_WIDE && gentle.chosen.scale == SCALING_WIDE);
    assert_int_equal(choose(rows, &wanted, true).chosen.scale, SCALING_ASINH);
    table_destroy(rows);
}

static void nothing_is_tried_where_nothing_is_open(void **unused) {
    (void)unused;
    table *rows = make_rings(3, ROWS, COLUMNS);
    settings quickly = automatic(64), given = quickly, few = quickly;
    quickly.effort = EFFORT_QUICK;
    given.scale = 1 + SCALING_STANDARD;
    given.gamma = GAMMA_KNN;
    given.noise = 0.4;
    given.decay = 0.2;
    assert_int_equal(choose(rows, &quickly, true).counts.judged, 0);
    const outcome got = choose(rows, &given, true);
    assert_int_equal(got.counts.judged, 2); /* but for the comparison with a linear model */
    assert_int_equal(got.chosen.scale, SCALING_STANDARD);
    assert_true(got.chosen.noise == 0.4 && got.chosen.decay == 0.2 && got.chosen.width == 1.0);
    given.hold = 1.0;
    given.lambda = 0.01;
    assert_int_equal(choose(rows, &given, true).counts.judged, 2);
    table_destroy(rows);
    rows = make_rings(4, 49, COLUMNS);
    assert_int_equal(choose(rows, &few, true).counts.judged, 0);
    table_destroy(rows);
}

/* Whoever asks to stop is not kept waiting by another trial. */
static void nothing_is_tried_after_a_stop(void **unused) {
    (void)unused;
    table *rows = make_rings(5, ROWS, COLUMNS);
    for (int hold = -1; hold <= 1; hold++) {
        settings wanted = automatic(64);
        wanted.hold = hold;
        const size_t all = choose(rows, &wanted, false).counts.judged;
        for (size_t n = 1; n <= all; n++) {
            assert_int_equal(choose_with(rows, &wanted, (tally){.stop_at = n}).counts.judged, n);
        }
    }
    table_destroy(rows);
}

/* One at a time: the pilots of an otherwise open search never move what was given. */
static void what_is_given_stays(void **unused) {
    (void)unused;
    table *rows = make_rings(5, ROWS, COLUMNS);
    settings scale = automatic(64), width = scale, noise = scale, decay = scale;
    scale.scale = 1 + SCALING_RANGE;
    width.gamma = GAMMA_NUMBER;
    width.gamma_number = 0.3;
    noise.noise = 0.0;
    decay.decay = 0.0;
    assert_int_equal(choose(rows, &scale, true).chosen.scale, SCALING_RANGE);
    assert_true(choose(rows, &width, true).chosen.width == 1.0);
    assert_true(choose(rows, &noise, true).chosen.noise == 0.0);
    assert_true(choose(rows, &decay, true).chosen.decay == 0.0);
    decay.epochs = 5000; /* longer than 16,000 steps: only a chosen decay is scaled down */
    assert_true(choose(rows, &decay, true).chosen.decay == 0.0);
    decay.decay = 0.03;
    assert_true(choose(rows, &decay, true).chosen.decay == 0.03);
    table_destroy(rows);
}

static void long_trainings_forget_as_much_as_short_ones(void **unused) {
    (void)unused;
    table *rows = make_rings(6, ROWS, COLUMNS);
    settings wanted = automatic(64);
    wanted.epochs = 5000;
    const outcome got = choose(rows, &wanted, false);
    assert_true(got.usual.steps > 16000);
    assert_true(got.chosen.decay == got.usual.decay * (16000.0 / (double)got.usual.steps));
    table_destroy(rows);
}

/* A walk: held rows from the same stretch of time cannot judge. */
static void rows_in_time_get_the_usual_values(void **unused) {
    (void)unused;
    table *rows = table_make(ROWS, COLUMNS);
    normals(7, (size_t)ROWS * COLUMNS, 1.0, rows->values);
    for (size_t i = COLUMNS; i < (size_t)ROWS * COLUMNS; i++) {
        rows->values[i] += rows->values[i - COLUMNS];
    }
    for (size_t i = 0; i < ROWS; i++) {
        label_text(rows, uniform(8, i) < 0.5 ? "calm" : "storm");
    }
    settings wanted = automatic(64), given = wanted;
    const outcome got = choose(rows, &wanted, true);
    assert_int_equal(got.counts.judged, 2); /* for the comparison with a linear model */
    assert_true(got.chosen.noise == 0.1 && got.chosen.decay == 0.03 && got.chosen.width == 1.0);
    given.noise = 0.25;
    assert_true(choose(rows, &given, true).chosen.noise == 0.25);
    table_destroy(rows);
}

/* 16,000 steps up to 64 columns, fewer with more columns; at least 25 epochs, and beyond 5,000 steps no more than 1,000, or 250 where the map
 * has more parameters than there are rows: features * (columns + 1 + outputs). A third of that for --effort quick. */
static void usual_steps_go_by_columns_and_rows(void **unused) {
    (void)unused;
    static const struct {
        size_t rows, columns, features;
        uint64_t steps;
    } CASES[] = {{20000, 2, 8, 16000},   {20000, 64, 8, 16000},  {20000, 192, 8, 8000}, {20000, 346, 8, 5000},
                 {20000, 1000, 8, 5000}, {256000, 2, 8, 25000},  {64, 2, 8, 5000},      {160, 2, 8, 10000},
                 {160, 2, 64, 5000},     {8192, 2, 2047, 16000}, {8192, 2, 2048, 8000}};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        const settings wanted = automatic(8);
        training self = {.spec = {.projection = "dense", .features = CASES[i].features},
                         .problem = {.settings = &wanted,
                                     .outputs = 1,
                                     .rows = {.rows = CASES[i].rows, .columns = CASES[i].columns}}};
        recipe_usual(&self);
        assert_int_equal(self.recipe.steps, CASES[i].steps);
        settings quick = wanted;
        quick.effort = EFFORT_QUICK;
        self.problem.settings = &quick;
        recipe_usual(&self);
        assert_int_equal(self.recipe.steps, CASES[i].steps / 3);
    }
}

/* Where parameters are many for the rows, the sooner the fewer rows there are, a map is held and its head, too: more decay, the more for
 * numbers, less noise, a wider kernel. Not where more rows than a few drift, nor pictures, nor circulant maps, nor against --hold 0. */
static void few_rows_make_a_map_gentle(void **unused) {
    (void)unused;
    enum { EAGER, GENTLE, DRAWN };
    static const struct {
        const char *projection;
        task_kind task;
        size_t rows, columns, features;
        double hold;
        int manner;
        size_t picture;
    } CASES[] = {{"dense", TASK_CLASSIFY, 1000, 8, 50, -1.0, EAGER, 0},
                 {"dense", TASK_CLASSIFY, 1000, 8, 51, -1.0, GENTLE, 0},
                 {"dense", TASK_REGRESS, 1000, 8, 51, -1.0, GENTLE, 0},
                 {"dense", TASK_CLASSIFY, 8000, 8, 1122, -1.0, EAGER, 0},
                 {"dense", TASK_CLASSIFY, 8000, 8, 1123, -1.0, GENTLE, 0},
                 {"circulant", TASK_CLASSIFY, 1000, 8, 126, -1.0, EAGER, 0},
                 {"dense", TASK_CLASSIFY, 1000, 100, 126, -1.0, EAGER, 0},
                 {"dense", TASK_CLASSIFY, 1000, 8, 51, 0.0, EAGER, 0},
                 {"dense", TASK_CLASSIFY, 999, 100, 126, -1.0, GENTLE, 0},
                 {"dense", TASK_CLASSIFY, 999, 100, 126, -1.0, EAGER, 10},
                 {"dense", TASK_CLASSIFY, 1000, 8, 51, 1.0, DRAWN, 0}};
    static const recipe EXPECTED[] = {
        [EAGER] = {.hold = 0.0, .lambda = 0.0, .width = 1.0, .decay = 0.03, .noise = 0.25},
        [GENTLE] = {.hold = 0.8, .lambda = 1e-3, .width = 0.5, .decay = 0.1, .noise = 0.1},
        [DRAWN] = {.hold = 1.0, .lambda = 1e-3, .width = 1.0}};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        settings wanted = automatic(8);
        wanted.drift = -1.0;
        wanted.hold = CASES[i].hold;
        training self = {.recipe = {.picture = CASES[i].picture, .shift = 0.4},
                         .spec = {.projection = CASES[i].projection, .features = CASES[i].features},
                         .problem = {.settings = &wanted,
                                     .task = CASES[i].task,
                                     .outputs = 1,
                                     .scaling = {.kind = SCALING_GLOBAL},
                                     .rows = {.rows = CASES[i].rows, .columns = CASES[i].columns}}};
        recipe_usual(&self);
        const recipe *got = &self.recipe, *expected = &EXPECTED[CASES[i].manner];
        const double decay = CASES[i].task == TASK_REGRESS ? 0.3 : expected->decay;
        assert_true(got->picture == CASES[i].picture && got->shift == 0.4);
        if (got->hold != expected->hold || got->lambda != expected->lambda || got->width != expected->width ||
            got->decay != decay || got->noise != expected->noise) {
            fail_msg("case %zu: hold %g lambda %g width %g decay %g noise %g", i, got->hold, got->lambda, got->width,
                     got->decay, got->noise);
        }
        wanted.decay = 0.07;
        wanted.noise = 0.08;
        wanted.lambda = 0.09;
        wanted.gamma = GAMMA_KNN;
        recipe_usual(&self);
        assert_true(got->decay == 0.07 && got->noise == 0.08 && got->lambda == 0.09 && got->width == 1.0);
    }
}

/* Columns that are alike let rows drift in the usual manner, and not in the others: which is better is looked for. An option is for all. */
static void other_manners_take_rows_as_they_are(void **unused) {
    (void)unused;
    static const struct {
        size_t columns;
        double drift, usual, others;
    } CASES[] = {{100, -1.0, 0.25, 0.0}, {8, -1.0, 0.0, 0.0}, {100, 0.1, 0.1, 0.1}};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        settings wanted = automatic(64);
        wanted.hold = -1.0;
        wanted.drift = CASES[i].drift;
        training self = {.spec = {.projection = "dense", .features = 64},
                         .problem = {.settings = &wanted,
                                     .task = TASK_CLASSIFY,
                                     .outputs = 1,
                                     .scaling = {.kind = SCALING_GLOBAL},
                                     .rows = {.rows = 200, .columns = CASES[i].columns}}};
        recipe others[OTHER_MANNERS];
        recipe_usual(&self);
        assert_true(self.recipe.hold == 0.8 && self.recipe.drift == CASES[i].usual);
        assert_int_equal(recipe_other_manners(&self, others), 2);
        assert_true(others[0].hold == 0.75 && others[0].drift == CASES[i].others);
        assert_true(others[1].hold == 1.0 && others[1].drift == CASES[i].others);
        assert_true(others[0].lambda == 0.0 && others[0].decay == 0.1);
        self.problem.task = TASK_REGRESS; /* numbers keep the penalty on the head, and decay less */
        assert_int_equal(recipe_other_manners(&self, others), 2);
        assert_true(others[0].hold == 0.75 && others[0].lambda == 1e-3 && others[0].decay == 0.03);
        wanted.lambda = 0.09;
        assert_int_equal(recipe_other_manners(&self, others), 2);
        assert_true(others[0].lambda == 0.09 && others[1].lambda == 0.09);
    }
}

/* A third round before the others: the usual manner and two others, with all the features; where one is much better, it is taken. */
static void manners_are_tried_where_the_map_is_gentle(void **unused) {
    (void)unused;
    table *rows = make_rings(2, ROWS, COLUMNS);
    settings wanted = automatic(64);
    wanted.hold = -1.0;
    const outcome tame = choose(rows, &wanted, false);
    assert_int_equal(tame.counts.rounds, 3);
    assert_int_equal(tame.counts.solved, 3 + 6); /* three starts, and neighbours thrice */
    assert_int_equal(tame.counts.narrow, 2);
    assert_true(tame.usual.hold == 0.8 && tame.chosen.hold == 0.8 && tame.chosen.width == 0.5);
    assert_int_equal(tame.usual.scale, SCALING_STANDARD);
    const outcome drawn = choose_with(rows, &wanted, (tally){.drawn = 0.03, .margin = 0.01});
    assert_true(drawn.chosen.hold == 1.0 && drawn.chosen.decay == 0.0); /* by two margins */
    assert_true(choose_with(rows, &wanted, (tally){.drawn = 0.01, .margin = 0.01}).chosen.hold == 0.8);
    assert_true(choose(rows, &wanted, true).chosen.hold ==
                0.75); /* the one tried last is twice as good as all before */
    wanted.hold = 0.5;
    assert_int_equal(choose(rows, &wanted, true).counts.rounds, 2);
    wanted.hold = 1.0;
    const outcome told = choose(rows, &wanted, false);
    assert_true(told.counts.rounds == 3 && told.counts.narrow == 2); /* the same starts where it is told to stay */
    assert_false(told.counts.thin || drawn.counts.thin);
    wanted.epochs = 240; /* few steps to share: a head that is solved for needs none */
    const outcome brief = choose(rows, &wanted, false);
    assert_true(brief.counts.solved > 0 && !brief.counts.thin);
    table_destroy(rows);
    /* A drawn map that is 4 % better wins by two margins, where rows are few, and not by twenty. */
    const tally between = {.drawn = 0.04, .margin = 0.01};
    wanted = automatic(128);
    wanted.hold = -1.0;
    static const size_t NUMBERS[] = {1499, 1500};
    for (size_t i = 0; i < COUNT_OF(NUMBERS); i++) {
        rows = make_rings(2, NUMBERS[i], COLUMNS);
        assert_true(choose_with(rows, &wanted, between).chosen.hold == (i == 0 ? 1.0 : 0.8));
        /* Where the same labels are numbers, by twenty, and only where they are few and no machines follow. */
        settings numbers = wanted;
        numbers.task = WANT_REGRESS;
        assert_true(choose_with(rows, &numbers, (tally){.drawn = 0.22, .margin = 0.01}).chosen.hold == 0.8);
        numbers.imitate = IMITATE_NO;
        assert_true(choose_with(rows, &numbers, between).chosen.hold == 0.8);
        const outcome clear = choose_with(rows, &numbers, (tally){.drawn = 0.22, .margin = 0.01});
        assert_true(clear.chosen.hold == (i == 0 ? 1.0 : 0.8));
        check_work(&clear, &numbers, 2.0);
        table_destroy(rows);
    }
}

/* A pilot without noise has to bring the loss below half, whatever the margin. */
static void no_noise_wins_where_it_is_far_better(void **unused) {
    (void)unused;
    table *rows = make_rings(2, ROWS, COLUMNS);
    settings wanted = automatic(8);
    const outcome far = choose_with(rows, &wanted, (tally){.exact = 0.6, .margin = 0.01});
    assert_true(far.usual.noise == 0.25 && far.chosen.noise == 0.0);
    assert_int_equal(far.chosen.scale, SCALING_STANDARD);
    assert_true(choose_with(rows, &wanted, (tally){.exact = 0.4, .margin = 0.001}).chosen.noise == 0.25);
    wanted.scale = 1 + SCALING_GLOBAL;
    const outcome scaled = choose_with(rows, &wanted, (tally){.exact = 0.6, .margin = 0.01});
    assert_true(scaled.chosen.noise == 0.0 && scaled.chosen.scale == SCALING_GLOBAL);
    wanted.noise = 0.1;
    assert_true(choose_with(rows, &wanted, (tally){.exact = 0.6, .margin = 0.01}).chosen.noise == 0.1);
    table_destroy(rows);
}

/* From 2,001 to 10,000 rows, gentle maps and others: what was found against a drawn map, which has to be better by four margins. */
static void a_drawn_map_is_looked_at_last(void **unused) {
    (void)unused;
    static const struct {
        size_t rows;
        uint64_t features;
        double usual; /* hold */
        bool looks;
    } CASES[] = {{2000, 128, 0.8, false}, {2001, 128, 0.8, true},  {6000, 128, 0.0, true},
                 {6000, 127, 0.0, false}, {10000, 256, 0.0, true}, {10001, 256, 0.0, false}};
    for (size_t n = 0; n < 2 * COUNT_OF(CASES); n++) {
        const size_t i = n / 2;
        table *rows = make_rings(2, CASES[i].rows, COLUMNS);
        settings wanted = automatic(CASES[i].features);
        wanted.hold = -1.0;
        wanted.task = n % 2 == 0 ? WANT_CLASSIFY : WANT_REGRESS;
        const outcome better = choose_with(rows, &wanted, (tally){.drawn = 0.05, .margin = 0.01});
        const outcome hardly = choose_with(rows, &wanted, (tally){.drawn = 0.03, .margin = 0.01});
        const outcome wild = choose_with(rows, &wanted, (tally){.drawn = 0.05, .margin = 0.01, .wild = true});
        assert_true(better.usual.hold == CASES[i].usual && hardly.chosen.hold == CASES[i].usual);
        if (better.chosen.hold != (CASES[i].looks ? 1.0 : CASES[i].usual)) {
            fail_msg("%zu rows, case %zu: hold %g", CASES[i].rows, n, better.chosen.hold);
        }
        check_work(&better, &wanted, 2.0);
        check_work(&wild, &wanted, 2.0);
        wanted.hold = 0.0; /* what is given stays */
        assert_int_equal(choose_with(rows, &wanted, (tally){.drawn = 0.9, .margin = 0.01}).counts.solved, 0);
        table_destroy(rows);
    }
}

/* A drawn map of 64 features is no match: where one is looked at, an open number of features starts with 128. */
static void drawn_maps_have_some_features(void **unused) {
    (void)unused;
    static const size_t NUMBERS[] = {10000, 10001};
    for (size_t i = 0; i < COUNT_OF(NUMBERS); i++) {
        table *rows = make_rings(2, NUMBERS[i], COLUMNS);
        settings wanted = automatic(0);
        wanted.hold = -1.0;
        const outcome got = choose_with(rows, &wanted, (tally){.drawn = 0.05, .margin = 0.01});
        assert_int_equal(got.features, i == 0 ? 128 : 64);
        assert_true(got.chosen.hold == (i == 0 ? 1.0 : 0.0));
        check_work(&got, &wanted, 2.0);
        table_destroy(rows);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_noise_wins_where_it_is_far_better),
        cmocka_unit_test(a_drawn_map_is_looked_at_last),
        cmocka_unit_test(drawn_maps_have_some_features),
        cmocka_unit_test(few_rows_make_a_map_gentle),
        cmocka_unit_test(other_manners_take_rows_as_they_are),
        cmocka_unit_test(manners_are_tried_where_the_map_is_gentle),
        cmocka_unit_test(columns_that_are_alike_keep_their_scale_and_drift),
        cmocka_unit_test(drawn_maps_do_not_drift),
        cmocka_unit_test(most_of_many_columns_are_enough_for_one_scale),
        cmocka_unit_test(pilots_cost_no_more_than_two_trainings),
        cmocka_unit_test(both_rounds_look_around),
        cmocka_unit_test(short_pilots_have_to_win_by_more),
        cmocka_unit_test(rows_far_out_are_scaled_by_asinh),
        cmocka_unit_test(nothing_is_tried_where_nothing_is_open),
        cmocka_unit_test(nothing_is_tried_after_a_stop),
        cmocka_unit_test(what_is_given_stays),
        cmocka_unit_test(long_trainings_forget_as_much_as_short_ones),
        cmocka_unit_test(rows_in_time_get_the_usual_values),
        cmocka_unit_test(usual_steps_go_by_columns_and_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
