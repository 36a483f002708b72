/* The best machines are looked for in each scaling: what suits the map need not suit a machine, which takes all columns alike, and a machine is judged
 * by every row, where pilots of a map are judged by a few. Then with the other kernel in the scalings that are worth it, then with columns weighed
 * by how much they matter to the best machine of each kernel, and then by pairs of classes. */
#include "learn/distill/kernel_ensemble.h"

#include <math.h>
#include <string.h>

#include "base/core/memory.h"
#include "learn/detect/detect_row_outliers.h"
#include "learn/krr/one_vs_one.h"
#include "learn/dataset/deduplicate.h"

/* Loss of a way's best machine to that of the best of all, up to which it is a member, too. */
static const double AS_GOOD = 1.2;

/* ---- The search ---- */

typedef struct way_search {
    place_rows on;
    place_search ways[COUNCIL_WAYS];
    size_t count, scalings; /* the first `scalings` are the Gaussian kernel's */
} way_search;

static cnm_status add_way(way_search *self, machine_kind kind, scaling_kind scale, cnm_error *err) {
    place_search *way = &self->ways[self->count++];
    *way = (place_search){.kind = kind, .scale = scale};
    return places_find(way, &self->on, NULL, err);
}

/* The best of a kernel's ways that weigh columns or do not, one class against all others; NULL: none is any good. */
static const place_search *best_way(const way_search *self, machine_kind kind, bool weighs) {
    const place_search *best = NULL;
    for (size_t i = 0; i < self->count; i++) {
        const place_search *way = &self->ways[i];
        if (way->kind == kind && !way->pairs && (way->weights != NULL) == weighs && isfinite(way->least) &&
            (best == NULL || way->least < best->least)) {
            best = way;
        }
    }
    return best;
}

/* Each round weighs columns by the machine that the last one found. */
static cnm_status add_weighed_ways(way_search *self, machine_kind kind, cnm_error *err) {
    const place_search *from = best_way(self, kind, false);
    cnm_status status = CNM_OK;
    for (size_t round = 0; status == CNM_OK && from != NULL && round < COUNCIL_ROUNDS; round++) {
        place_search *way = &self->ways[self->count];
        status = places_weigh(way, from, &self->on, err);
        if (status != CNM_OK || way->weights == NULL) {
            break;
        }
        self->count++;
        status = places_find(way, &self->on, &from->best, err);
        from = isfinite(way->least) ? way : NULL;
    }
    return status;
}

/* As the best way without weights and the best with them. */
static cnm_status add_pairs(way_search *self, machine_kind kind, cnm_error *err) {
    const size_t columns = self->on.of->problem.rows.columns;
    cnm_status status = CNM_OK;
    for (size_t weighs = 0; status == CNM_OK && weighs < COUNCIL_PAIRS; weighs++) {
        const place_search *from = best_way(self, kind, weighs == 1);
        place_search *way = &self->ways[self->count];
        if (from == NULL) {
            continue;
        }
        *way = (place_search){.kind = kind, .scale = from->scale, .pairs = true};
        if (weighs == 1) {
            status = memory_take(&way->weights, columns, sizeof *way->weights, "weights", err);
        }
        if (status == CNM_OK) {
            self->count++;
            if (weighs == 1) {
                memcpy(way->weights, from->weights, columns * sizeof *way->weights);
            }
            status = places_find(way, &self->on, NULL, err);
        }
    }
    return status;
}

/* ways: the best first. */
static void sort_ways(way_search *self) {
    for (size_t i = 1; i < self->count; i++) {
        for (size_t j = i; j > 0 && self->ways[j].least < self->ways[j - 1].least; j--) {
            const place_search better = self->ways[j];
            self->ways[j] = self->ways[j - 1];
            self->ways[j - 1] = better;
        }
    }
}

static cnm_status search_ways(way_search *self, const scaling_kind scalings[COUNCIL_SCALINGS], cnm_error *err) {
    const size_t columns = self->on.of->problem.rows.columns;
    cnm_status status = CNM_OK;
    for (size_t i = 0; status == CNM_OK && i < self->scalings; i++) {
        status = add_way(self, MACHINE_GAUSSIAN, scalings[i], err);
    }
    const place_search *best = best_way(self, MACHINE_GAUSSIAN, false);
    const double bound = best == NULL ? 0.0 : AS_GOOD * best->least;
    for (size_t i = 0; status == CNM_OK && i < self->scalings; i++) {
        status = self->ways[i].least <= bound ? add_way(self, MACHINE_EXPONENTIAL, scalings[i], err) : CNM_OK;
    }
    for (machine_kind kind = 0; status == CNM_OK && columns > 1 && kind < MACHINE_KINDS; kind++) {
        status = add_weighed_ways(self, kind, err);
    }
    const bool pairs = pairs_are_possible(&self->on.of->problem);
    for (machine_kind kind = 0; status == CNM_OK && pairs && kind < MACHINE_KINDS; kind++) {
        status = add_pairs(self, kind, err);
    }
    sort_ways(self);
    return status;
}

static void free_ways(way_search *self) {
    for (size_t i = 0; i < self->count; i++) {
        memory_free(self->ways[i].weights);
    }
}

/* ---- The members ---- */

static cnm_status add_member(council *self, const ridge *found, double sharpness, cnm_error *err) {
    kernel_machine *member = &self->machines[self->count];
    const kernel_machine *from = &found->machine;
    const bool pairs = from->classes != NULL;
    const size_t offsets = pairs ? from->outputs * from->outputs : from->outputs;
    const cnm_status status = machine_create(member, from->of, from->outputs, pairs, err);
    if (status == CNM_OK && pairs) {
        memcpy(member->classes, from->classes, from->of->rows * sizeof *member->classes);
    }
    if (status == CNM_OK) {
        member->kind = from->kind;
        member->gamma = from->gamma;
        memcpy(member->weights, from->weights, from->of->rows * from->outputs * sizeof *member->weights);
        memcpy(member->offset, from->offset, offsets * sizeof *member->offset);
        self->sharpness[self->count++] = sharpness;
    }
    return status;
}

/* A member of all rows. The first of all is judged by them again, unless some are copies: a row is not left out where its copy stays. */
static cnm_status add_best(council *self, const place_search *way, const place_rows *on, ridge *all, bool copies,
                           cnm_error *err) {
    double sharpness = way->sharpness;
    bool solved = false;
    cnm_status status = ridge_is_possible(all) ? places_solve(way, all, way->best, &solved, err) : CNM_OK;
    if (status != CNM_OK || !solved) {
        return status;
    }
    status = self->count == 0 && !copies ? ridge_judge(all, &self->loss, &sharpness, err) : CNM_OK;
    status = status == CNM_OK ? add_member(self, all, sharpness, err) : status;
    places_report(on->meter, all->machine.of->rows, self->loss);
    return status;
}

/* All rows of the training, as the way takes them; of both kernels where they are the same. */
static cnm_status take_rows(council *self, const place_search *way, const training *of, const machine_rows **out,
                            cnm_error *err) {
    machine_rows *rows;
    for (size_t i = 0; i < self->sorts && way->weights == NULL; i++) {
        if (self->rows[i]->weights == NULL && self->rows[i]->scale == way->scale) {
            *out = self->rows[i];
            return CNM_OK;
        }
    }
    cnm_status status = memory_take(&rows, 1, sizeof *rows, "rows", err);
    if (status != CNM_OK) {
        return status;
    }
    status = places_take_rows(way, of, of->split.train, of->split.train_count, rows, err);
    if (status != CNM_OK) {
        memory_free(rows);
        return status;
    }
    *out = self->rows[self->sorts++] = rows;
    return CNM_OK;
}

static cnm_status convene(council *self, const place_search *way, const place_rows *on, bool copies, cnm_error *err) {
    ridge all = {0};
    const machine_rows *rows;
    cnm_status status = take_rows(self, way, on->of, &rows, err);
    status =
        status == CNM_OK ? ridge_create(&all, on->of, rows, on->of->split.train, way->pairs, on->pool, err) : status;
    status = status == CNM_OK ? add_best(self, way, on, &all, copies, err) : status;
    ridge_free(&all);
    return status;
}

/* ---- The council ---- */

/* The map's scaling, and where options leave that open, all that a search may choose. */
static size_t list_scalings(const training *of, size_t most, scaling_kind scalings[COUNCIL_SCALINGS]) {
    static const scaling_kind NEAR[] = {SCALING_STANDARD, SCALING_GLOBAL, SCALING_ASINH};
    static const scaling_kind FAR[] = {SCALING_WIDE, SCALING_ASINH};
    const bool far = rows_reach_far(&of->problem);
    const scaling_kind *others = far ? FAR : NEAR;
    const size_t other_count = far ? sizeof FAR / sizeof FAR[0] : sizeof NEAR / sizeof NEAR[0];
    const bool open = of->problem.settings->scale == 0;
    size_t count = 0;
    scalings[count++] = of->problem.scaling.kind;
    for (size_t i = 0; open && i < other_count && count < most; i++) {
        if (others[i] != of->problem.scaling.kind) {
            scalings[count++] = others[i];
        }
    }
    return count;
}

static size_t count_pairs(const training *of) { return pairs_are_possible(&of->problem) ? COUNCIL_PAIRS : 0; }

static size_t count_ways(const training *of, size_t scalings) {
    return MACHINE_KINDS * (scalings + COUNCIL_ROUNDS + count_pairs(of));
}

static size_t count_trials(const training *of, size_t scalings) {
    const size_t wide = scalings + count_pairs(of);
    return MACHINE_KINDS * (wide * PLACE_TRIALS + COUNCIL_ROUNDS * PLACE_TRIALS_BESIDE);
}

/* Every so many of the rows that are no copies: as many as the work allows. */
static size_t thin(size_t *positions, size_t count, double work, size_t trials) {
    const double fitting = cbrt(3.0 * work / (double)trials);
    const size_t kept = fitting < (double)count ? (size_t)fitting : count;
    for (size_t i = 0; i < kept; i++) {
        positions[i] = positions[i * count / kept];
    }
    return kept;
}

double council_work(const training *of, size_t rows, size_t scalings) {
    const double n = (double)rows;
    return (double)count_ways(of, scalings) * n * n * n / 6.0;
}

static cnm_status find_members(council *out, way_search *search, const scaling_kind *scalings, bool copies,
                               cnm_error *err) {
    cnm_status status = search_ways(search, scalings, err);
    const double least = search->count == 0 ? INFINITY : search->ways[0].least;
    out->loss = least;
    for (size_t i = 0; status == CNM_OK && i < search->count && isfinite(least); i++) {
        const place_search *way = &search->ways[i];
        status = way->least <= AS_GOOD * least ? convene(out, way, &search->on, copies, err) : CNM_OK;
    }
    return status;
}

/* judging (count): the rows that the search sees. */
static cnm_status find_among(council *out, const training *of, const scaling_kind *scalings, size_t scaling_count,
                             const size_t *judging, size_t count, bool copies, cnm_error *err) {
    const size_t steps = count_trials(of, scaling_count) + count_ways(of, scaling_count);
    progress_meter meter = progress_start(of->problem.callbacks, "machines", steps);
    way_search search = {.scalings = scaling_count};
    search.on = (place_rows){of, thread_pool_create((size_t)of->problem.settings->threads), judging, count, &meter};
    const cnm_status status = find_members(out, &search, scalings, copies, err);
    out->stopped = meter.stopped;
    thread_pool_destroy(search.on.pool);
    free_ways(&search);
    return status;
}

/* Rows that are no copies. Where most are, as of measurements that were made again, those with another number are none; classes are so few that a row
 * tells nothing of its copies then: *count is 0. */
static cnm_status list_judging(const training *of, size_t *judging, size_t *count, cnm_error *err) {
    const problem *task = &of->problem;
    const size_t rows = of->split.train_count;
    cnm_status status = positions_without_copies(task, of->split.train, rows, false, judging, count, err);
    if (status == CNM_OK && 2 * *count < rows) {
        *count = 0;
        status = task->targets == NULL
                     ? CNM_OK
                     : positions_without_copies(task, of->split.train, rows, true, judging, count, err);
    }
    return status;
}

cnm_status council_find(council *out, const training *of, double search_work, double member_work, cnm_error *err) {
    const size_t rows = of->split.train_count;
    const size_t most = council_work(of, rows, COUNCIL_SCALINGS) <= member_work ? COUNCIL_SCALINGS : 1;
    scaling_kind scalings[COUNCIL_SCALINGS];
    const size_t scaling_count = list_scalings(of, most, scalings);
    size_t *judging = NULL, count = 0;
    *out = (council){.loss = INFINITY};
    cnm_status status = memory_take(&judging, rows, sizeof *judging, "rows", err);
    status = status == CNM_OK ? list_judging(of, judging, &count, err) : status;
    if (status == CNM_OK && count > 0) {
        const bool copies = count < rows;
        count = thin(judging, count, search_work, count_trials(of, scaling_count));
        status = count >= COUNCIL_LEAST_ROWS ? find_among(out, of, scalings, scaling_count, judging, count, copies, err)
                                             : CNM_OK;
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
    for (size_t i = 0; i < self->sorts; i++) {
        machine_rows_free(self->rows[i]);
        memory_free(self->rows[i]);
    }
    self->count = self->sorts = 0;
}
