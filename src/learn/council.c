/* The best widths and penalties are looked for on a grid, from three of its places, each time to a better one beside the best; widths are in units of
 * how far rows lie from each other. In each scaling anew: what suits the map need not suit a machine, which takes all columns alike, and a machine is judged
 * by every row, where pilots of a map are judged by a few. */
#include "learn/council.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "learn/split_copies.h"

enum { WIDTHS = 8, PENALTIES = 6, TRIALS = 16 };

static const double WIDTH[WIDTHS] = {0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0};
static const double PENALTY[PENALTIES] = {1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0};

/* Loss of a scaling's best machine to that of the best of all, up to which its machines are members, too. */
static const double AS_GOOD = 1.2;

/* ---- The search in one scaling ---- */

typedef struct place_search {
    scaling_kind scale;
    ridge *rows;
    progress_meter *meter;
    double losses[WIDTHS][PENALTIES]; /* 0: not tried */
    double sharpness[WIDTHS][PENALTIES];
    size_t tried, width, penalty; /* where the best is */
    double least;                 /* infinity: there is none */
} place_search;

/* One trial or member more. All are made even if the caller wants to stop: it is a matter of seconds, and the steps that follow can be taken up
 * again. */
static void report(progress_meter *meter, size_t rows, double loss) {
    meter->before += meter->before + 1 < meter->total;
    (void)progress_report(meter, meter->before, rows, loss, NAN);
}

/* *better: it is the best so far. Nothing where it was tried before, or enough were. */
static cnm_status try_place(place_search *self, size_t width, size_t penalty, bool *better, cnm_error *err) {
    double *loss = &self->losses[width][penalty];
    *better = false;
    if (*loss != 0.0 || self->tried == TRIALS) {
        return CNM_OK;
    }
    self->tried++;
    *loss = INFINITY;
    if (!ridge_solve(self->rows, WIDTH[width], PENALTY[penalty])) {
        return CNM_OK;
    }
    const cnm_status status = ridge_judge(self->rows, loss, &self->sharpness[width][penalty], err);
    *loss = status == CNM_OK && *loss >= 0.0 ? fmax(*loss, 1e-300) : INFINITY; /* 0 is for those not tried */
    *better = *loss < self->least;
    if (*better) {
        self->least = *loss;
        self->width = width;
        self->penalty = penalty;
    }
    report(self->meter, self->rows->machine.of->rows, self->least);
    return status;
}

/* The eight places beside the best, until one is better. */
static cnm_status look_around(place_search *self, bool *better, cnm_error *err) {
    static const int BESIDE[][2] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {-1, -1}, {1, 1}, {-1, 1}, {1, -1}};
    const int from[] = {(int)self->width, (int)self->penalty};
    cnm_status status = CNM_OK;
    *better = false;
    for (size_t i = 0; status == CNM_OK && !*better && i < sizeof BESIDE / sizeof BESIDE[0]; i++) {
        const int width = from[0] + BESIDE[i][0], penalty = from[1] + BESIDE[i][1];
        if (width >= 0 && width < WIDTHS && penalty >= 0 && penalty < PENALTIES) {
            status = try_place(self, (size_t)width, (size_t)penalty, better, err);
        }
    }
    return status;
}

/* From three places to the best around them, as long as there is a better one. */
static cnm_status climb(place_search *self, cnm_error *err) {
    static const size_t STARTS[][2] = {{4, 2}, {2, 1}, {5, 3}};
    bool better;
    cnm_status status = CNM_OK;
    for (size_t i = 0; status == CNM_OK && i < sizeof STARTS / sizeof STARTS[0]; i++) {
        status = try_place(self, STARTS[i][0], STARTS[i][1], &better, err);
    }
    do {
        status = status == CNM_OK ? look_around(self, &better, err) : status;
    } while (status == CNM_OK && better);
    return status;
}

/* The best place that is left; it is not tried again. */
static bool next_best(place_search *self, size_t *width, size_t *penalty) {
    double least = INFINITY;
    for (size_t i = 0; i < WIDTHS; i++) {
        for (size_t j = 0; j < PENALTIES; j++) {
            if (self->losses[i][j] != 0.0 && self->losses[i][j] < least) {
                least = self->losses[i][j];
                *width = i;
                *penalty = j;
            }
        }
    }
    if (isfinite(least)) {
        self->losses[*width][*penalty] = INFINITY;
    }
    return isfinite(least);
}

/* On the rows at `positions`. */
static cnm_status search_places(place_search *self, const training *of, thread_pool *pool, const size_t *positions,
                                size_t count, cnm_error *err) {
    machine_rows rows = {0};
    ridge some = {0};
    cnm_status status = machine_rows_create(&rows, of, self->scale, positions, count, err);
    status = status == CNM_OK ? ridge_create(&some, of, &rows, positions, pool, err) : status;
    if (status == CNM_OK && ridge_is_possible(&some)) {
        self->rows = &some;
        status = climb(self, err);
        self->rows = NULL;
    }
    ridge_free(&some);
    machine_rows_free(&rows);
    return status;
}

/* ---- The members ---- */

static cnm_status add_member(council *self, const ridge *found, double sharpness, cnm_error *err) {
    kernel_machine *member = &self->machines[self->count];
    const kernel_machine *from = &found->machine;
    const cnm_status status = machine_create(member, from->of, from->outputs, from->gamma, err);
    if (status == CNM_OK) {
        memcpy(member->weights, from->weights, from->of->rows * from->outputs * sizeof *member->weights);
        memcpy(member->offset, from->offset, from->outputs * sizeof *member->offset);
        self->sharpness[self->count++] = sharpness;
    }
    return status;
}

/* Members of all rows, from the best places of a scaling. The first of all is judged by them again, unless some are copies: a row is not left out
 * where its copy stays. */
static cnm_status add_members(council *self, place_search *found, ridge *all, bool copies, cnm_error *err) {
    size_t width = 0, penalty = 0, added = 0;
    cnm_status status = CNM_OK;
    while (status == CNM_OK && added < COUNCIL_EACH && next_best(found, &width, &penalty)) {
        if (!ridge_solve(all, WIDTH[width], PENALTY[penalty])) {
            continue;
        }
        double sharpness = found->sharpness[width][penalty];
        status = self->count == 0 && !copies ? ridge_judge(all, &self->loss, &sharpness, err) : status;
        status = status == CNM_OK ? add_member(self, all, sharpness, err) : status;
        report(found->meter, all->machine.of->rows, self->loss);
        added++;
    }
    return status;
}

/* All rows of the training, for machines in a scaling more. */
static cnm_status add_scaling(council *self, const training *of, scaling_kind scale, cnm_error *err) {
    machine_rows *rows;
    cnm_status status = memory_take(&rows, 1, sizeof *rows, "rows", err);
    if (status != CNM_OK) {
        return status;
    }
    status = machine_rows_create(rows, of, scale, of->split.train, of->split.train_count, err);
    if (status != CNM_OK) {
        memory_free(rows);
        return status;
    }
    self->rows[self->scalings++] = rows;
    return CNM_OK;
}

static cnm_status convene(council *self, place_search *found, const training *of, thread_pool *pool, bool copies,
                          cnm_error *err) {
    ridge all = {0};
    cnm_status status = add_scaling(self, of, found->scale, err);
    status =
        status == CNM_OK ? ridge_create(&all, of, self->rows[self->scalings - 1], of->split.train, pool, err) : status;
    if (status == CNM_OK && ridge_is_possible(&all)) {
        status = add_members(self, found, &all, copies, err);
    }
    ridge_free(&all);
    return status;
}

static cnm_status find_nearness(council *self, const training *of, thread_pool *pool, cnm_error *err) {
    machine_rows rows = {0};
    ridge all = {0};
    cnm_status status =
        machine_rows_create(&rows, of, of->problem.scaling.kind, of->split.train, of->split.train_count, err);
    status = status == CNM_OK ? ridge_create(&all, of, &rows, of->split.train, pool, err) : status;
    if (status == CNM_OK && ridge_is_possible(&all)) {
        self->near = ridge_nearness(&all);
    }
    ridge_free(&all);
    machine_rows_free(&rows);
    return status;
}

/* ---- The council ---- */

/* The map's scaling, and where options leave that open, all that a search may choose. */
static size_t list_scalings(const training *of, size_t most, place_search searches[COUNCIL_SCALINGS]) {
    static const scaling_kind OTHERS[] = {SCALING_STANDARD, SCALING_GLOBAL, SCALING_ASINH};
    const bool open = of->problem.settings->scale == 0;
    size_t count = 0;
    searches[count++] = (place_search){.scale = of->problem.scaling.kind, .least = INFINITY};
    for (size_t i = 0; open && i < sizeof OTHERS / sizeof OTHERS[0] && count < most; i++) {
        if (OTHERS[i] != of->problem.scaling.kind) {
            searches[count++] = (place_search){.scale = OTHERS[i], .least = INFINITY};
        }
    }
    return count;
}

/* Every so many of the rows that are no copies: as many as the work allows. */
static size_t thin(size_t *positions, size_t count, double work) {
    const double fitting = cbrt(3.0 * work / TRIALS);
    const size_t kept = fitting < (double)count ? (size_t)fitting : count;
    for (size_t i = 0; i < kept; i++) {
        positions[i] = positions[i * count / kept];
    }
    return kept;
}

double council_work(size_t rows, size_t scalings) {
    const double n = (double)rows;
    return (double)(COUNCIL_EACH * scalings + 1) * n * n * n / 6.0;
}

/* searches (scalings): the best first. */
static void sort_searches(place_search *searches, size_t scalings) {
    for (size_t i = 1; i < scalings; i++) {
        for (size_t j = i; j > 0 && searches[j].least < searches[j - 1].least; j--) {
            const place_search better = searches[j];
            searches[j] = searches[j - 1];
            searches[j - 1] = better;
        }
    }
}

/* judging (count): the rows that the search sees. */
static cnm_status find_with(council *out, const training *of, place_search *searches, size_t scalings,
                            const size_t *judging, size_t count, bool copies, cnm_error *err) {
    thread_pool *pool = thread_pool_create((size_t)of->problem.settings->threads);
    progress_meter meter = progress_start(of->problem.callbacks, "machines", scalings * (TRIALS + COUNCIL_EACH) + 1);
    cnm_status status = CNM_OK;
    for (size_t i = 0; status == CNM_OK && i < scalings; i++) {
        searches[i].meter = &meter;
        status = search_places(&searches[i], of, pool, judging, count, err);
    }
    sort_searches(searches, scalings);
    const double least = searches[0].least;
    out->loss = least;
    for (size_t i = 0; status == CNM_OK && i < scalings && isfinite(least) && searches[i].least <= AS_GOOD * least;
         i++) {
        status = convene(out, &searches[i], of, pool, copies, err);
    }
    status = status == CNM_OK && out->count > 0 ? find_nearness(out, of, pool, err) : status;
    out->stopped = meter.stopped;
    thread_pool_destroy(pool);
    return status;
}

cnm_status council_find(council *out, const training *of, double search_work, double member_work, cnm_error *err) {
    const size_t rows = of->split.train_count;
    const size_t most = council_work(rows, COUNCIL_SCALINGS) <= member_work ? COUNCIL_SCALINGS : 1;
    place_search searches[COUNCIL_SCALINGS];
    const size_t scalings = list_scalings(of, most, searches);
    size_t *judging = NULL, count = 0;
    *out = (council){.loss = INFINITY, .near = 1.0};
    cnm_status status = memory_take(&judging, rows, sizeof *judging, "rows", err);
    status =
        status == CNM_OK ? positions_without_copies(&of->problem, of->split.train, rows, judging, &count, err) : status;
    if (status == CNM_OK && 2 * count >= rows) {
        const bool copies = count < rows;
        count = thin(judging, count, search_work / (double)scalings);
        status =
            count >= COUNCIL_LEAST_ROWS ? find_with(out, of, searches, scalings, judging, count, copies, err) : CNM_OK;
    }
    memory_free(judging);
    if (status != CNM_OK) {
        council_free(out);
    }
    return status;
}

void council_free(council *self) {
    for (size_t i = 0; i < self->count; i++) {
        machine_free(&self->machines[i]);
    }
    for (size_t i = 0; i < self->scalings; i++) {
        machine_rows_free(self->rows[i]);
        memory_free(self->rows[i]);
    }
    self->count = self->scalings = 0;
}
