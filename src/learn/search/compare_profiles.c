/* Manners are compared with all features of the map, and whole recipes at a time. */
#include "learn/search/compare_profiles.h"

#include <math.h>

#include "learn/fit/frozen_map.h"
#include "learn/search/profiles.h"

/* What pilots of whole manners cost: each that learns its map, and the one that does not. */
typedef struct manner_shares {
    double each, drawn;
} manner_shares;
static const manner_shares FIRST = {0.15, 0.18};
/* Where a drawn map is looked at last: manners of gentle maps, the last look at them, and that at others. */
static const manner_shares FIRST_OF_TWO = {0.12, 0.0}, LAST_GENTLE = {0.12, 0.1}, LAST = {0.15, 0.15};

/* ---- Before the rounds ---- */

/* Width and penalty for a map that stays as it was drawn: its head is solved for, so its pilots are short and exact. What suits is either
 * nearly a linear model, or a kernel as wide as usual, or one that remembers each row: from one of them a climb would not find the
 * others. */
static cnm_status settle_drawn(choosing *self, size_t trials, bool scale, recipe *drawn, double *loss, cnm_error *err) {
    enum { STARTS = 2 };
    static const double WIDTH = 0.25, PENALTIES[STARTS] = {1e-1, 1e-4}; /* for width 1, as in learn/search/coordinate_search.c */
    const recipe_open open = {
        .lambda = self->open.lambda, .width = self->open.width, .scale = scale, .far = self->open.far};
    const search_judge judging = {choosing_judge, self};
    const search_margins any = {0.0, 0.0, 0.0};
    const size_t count = open.lambda && open.width && trials > STARTS ? STARTS : 0;
    search_rival starts[STARTS];
    for (size_t i = 0; i < STARTS; i++) {
        starts[i] = (search_rival){*drawn, 0.0, INFINITY};
        starts[i].recipe.width = WIDTH;
        starts[i].recipe.lambda = PENALTIES[i] * pow(WIDTH, 4.0);
    }
    *loss = INFINITY;
    const cnm_status status = search_among(drawn, loss, starts, count, &judging, err);
    return status == CNM_OK && !self->stopped && !choosing_is_late(self->training)
               ? search_recipe(drawn, loss, &open, trials - 1 - count, &any, &judging, err)
               : status;
}

/* Pilots differ by chance, the more the fewer they are judged by; and a manner decides about all that comes after it. The pilot of a drawn map is as
 * good as its training; others are not, the less the more rows there are, and the least where they learn numbers. */
static cnm_status try_manners(choosing *self, const recipe others[OTHER_MANNERS], size_t count, cnm_error *err) {
    static const double CLEARLY = 20.0, CLEARLY_DRAWN = 2.0; /* margins */
    const search_judge judging = {choosing_judge, self};
    const double margin = pilots_margin(self->runner);
    const problem *task = &self->training->problem;
    const bool classes = task->task == TASK_CLASSIFY, small = problem_is_small(task);
    const double drawn_by = classes && small   ? CLEARLY_DRAWN * margin
                            : classes || small ? CLEARLY * margin
                                               : FAR_BETTER;
    const bool solved = head_can_be_solved(self->training);
    const size_t fitting = solved ? choosing_solutions(self, FIRST.drawn, MOST_TRIALS) : 1;
    search_rival rivals[OTHER_MANNERS];
    double loss = INFINITY;
    cnm_status status = CNM_OK;
    count -= others[count - 1].hold == 1.0 && fitting == 0; /* the drawn manner is the last */
    for (size_t i = 0; status == CNM_OK && i < count; i++) {
        const bool drawn = others[i].hold == 1.0;
        rivals[i] = (search_rival){others[i], drawn ? drawn_by : CLEARLY * margin, INFINITY};
        status = drawn && solved ? settle_drawn(self, fitting, false, &rivals[i].recipe, &rivals[i].loss, err) : CNM_OK;
    }
    return status == CNM_OK && !self->stopped && !choosing_is_late(self->training)
               ? search_among(&self->training->recipe, &loss, rivals, count, &judging, err)
               : status;
}

cnm_status manners_try_first(choosing *self, cnm_error *err) {
    training *own = self->training;
    recipe others[OTHER_MANNERS];
    const bool drawn = head_is_solved(own) && (self->open.lambda || self->open.width);
    const size_t count = self->open.hold ? recipe_other_manners(own, others) : 0;
    const double each = self->last ? FIRST_OF_TWO.each : FIRST.each;
    const pilot_size size = {.features = own->spec.features,
                             .steps = (uint64_t)(each * self->budget * (double)own->recipe.steps),
                             .fold_steps = drawn ? 1 : 800,
                             .held = HELD_ROWS,
                             .deadline = choosing_deadline(own)};
    if ((count == 0 && !drawn) || size.steps < LEAST_PILOT_STEPS || choosing_is_late(own)) {
        return CNM_OK;
    }
    const cnm_status created = pilots_create(&self->runner, own, &size, count + 1, err);
    if (created != CNM_OK) {
        return created;
    }
    const size_t fitting = drawn ? choosing_solutions(self, FIRST.drawn, MOST_TRIALS) : 0;
    const cnm_status status = count > 0     ? try_manners(self, others, count, err)
                              : fitting > 0 ? settle_drawn(self, fitting, false, &own->recipe, &self->loss, err)
                                            : CNM_OK;
    pilots_destroy(self->runner);
    return status;
}

/* ---- After them ---- */

/* The pilot of what was found is shorter than its training, and the drawn map's is not: hence more than one margin. One fold is enough for longer pilots. */
cnm_status manners_try_last(choosing *self, cnm_error *err) {
    static const double BETTER = 4.0; /* margins */
    training *own = self->training;
    const manner_shares share = map_is_gentle(own) ? LAST_GENTLE : LAST;
    const pilot_size size = {.features = own->spec.features,
                             .steps = (uint64_t)(share.each * self->budget * (double)own->recipe.steps),
                             .fold_steps = 4000,
                             .held = HELD_ROWS,
                             .deadline = choosing_deadline(own)};
    search_rival drawn = {.loss = INFINITY};
    double loss = INFINITY;
    if (!self->last || size.steps < LEAST_PILOT_STEPS || self->stopped || choosing_is_late(own)) {
        return CNM_OK;
    }
    const cnm_status created = pilots_create(&self->runner, own, &size, 2, err);
    if (created != CNM_OK) {
        return created;
    }
    const search_judge judging = {choosing_judge, self};
    const size_t fitting = choosing_solutions(self, share.drawn, MOST_TRIALS);
    recipe_draw(own, &drawn.recipe);
    drawn.margin = BETTER * pilots_margin(self->runner);
    cnm_status status =
        fitting > 0 ? settle_drawn(self, fitting, self->open.scale, &drawn.recipe, &drawn.loss, err) : CNM_OK;
    if (status == CNM_OK && fitting > 0 && !self->stopped && !choosing_is_late(own)) {
        status = search_among(&own->recipe, &loss, &drawn, 1, &judging, err);
    }
    pilots_destroy(self->runner);
    return status;
}
