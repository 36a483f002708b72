/* Widths are in units of how far rows lie from each other. The grid is climbed from some of its places, each time to a better one beside the best.
 *
 * Weights of columns are the fourth roots of their relevance: the root would be the slopes' own size, and its root again trusts them half as
 * much, since few rows tell them. */
#include "learn/krr/krr_search.h"

#include <math.h>

#include "base/core/memory.h"
#include "learn/krr/feature_gradients.h"

static const double WIDTH[PLACE_WIDTHS] = {0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0};
static const double PENALTY[PLACE_PENALTIES] = {1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0};

/* Of relevance, beside its mean: no column is lost for good. */
static const double LEAST_RELEVANCE = 1e-8;

/* All trials are made even if the caller wants to stop: it is a matter of seconds, and the steps that follow can be taken up again. */
void places_report(progress_meter *meter, size_t rows, double loss) {
    meter->before += meter->before + 1 < meter->total;
    (void)progress_report(meter, meter->before, rows, loss, NAN);
}

cnm_status places_solve(const place_search *self, ridge *rows, grid_place at, bool *found, cnm_error *err) {
    return ridge_solve(rows, self->kind, WIDTH[at.width], PENALTY[at.penalty], found, err);
}

cnm_status places_take_rows(const place_search *self, const training *of, const size_t *positions, size_t count,
                            machine_rows *out, cnm_error *err) {
    cnm_status status = machine_rows_create(out, of, self->scale, positions, count, err);
    if (status == CNM_OK && self->weights != NULL) {
        status = machine_rows_weigh(out, self->weights, err);
        if (status != CNM_OK) {
            machine_rows_free(out);
        }
    }
    return status;
}

/* ---- The climb ---- */

typedef struct climb {
    place_search *found;
    const place_rows *on;
    ridge *rows;
    size_t most; /* trials */
} climb;

/* *better: it is the best so far. Nothing where it was tried before, or enough were. */
static cnm_status try_place(const climb *self, grid_place at, bool *better, cnm_error *err) {
    place_search *found = self->found;
    bool *seen = &found->seen[at.width][at.penalty];
    double loss, sharpness;
    bool solved;
    *better = false;
    if (*seen || found->tried == self->most) {
        return CNM_OK;
    }
    *seen = true;
    found->tried++;
    cnm_status status = places_solve(found, self->rows, at, &solved, err);
    if (status != CNM_OK || !solved) {
        return status;
    }
    status = ridge_judge(self->rows, &loss, &sharpness, err);
    *better = status == CNM_OK && loss < found->least;
    if (*better) {
        found->least = loss;
        found->sharpness = sharpness;
        found->best = at;
    }
    places_report(self->on->meter, self->on->count, found->least);
    return status;
}

/* The eight places beside the best, until one is better. */
static cnm_status look_around(const climb *self, bool *better, cnm_error *err) {
    static const int BESIDE[][2] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {-1, -1}, {1, 1}, {-1, 1}, {1, -1}};
    const int from[] = {(int)self->found->best.width, (int)self->found->best.penalty};
    cnm_status status = CNM_OK;
    *better = false;
    for (size_t i = 0; status == CNM_OK && !*better && i < sizeof BESIDE / sizeof BESIDE[0]; i++) {
        const int width = from[0] + BESIDE[i][0], penalty = from[1] + BESIDE[i][1];
        if (width >= 0 && width < PLACE_WIDTHS && penalty >= 0 && penalty < PLACE_PENALTIES) {
            status = try_place(self, (grid_place){(size_t)width, (size_t)penalty}, better, err);
        }
    }
    return status;
}

/* To the best around the starts, as long as there is a better one. */
static cnm_status climb_from(const climb *self, const grid_place *starts, size_t count, cnm_error *err) {
    bool better;
    cnm_status status = CNM_OK;
    for (size_t i = 0; status == CNM_OK && i < count; i++) {
        status = try_place(self, starts[i], &better, err);
    }
    do {
        status = status == CNM_OK ? look_around(self, &better, err) : status;
    } while (status == CNM_OK && better);
    return status;
}

cnm_status places_find(place_search *self, const place_rows *on, const grid_place *beside, cnm_error *err) {
    static const grid_place STARTS[] = {{4, 2}, {2, 1}, {5, 3}};
    machine_rows rows = {0};
    ridge some = {0};
    self->least = INFINITY;
    cnm_status status = places_take_rows(self, on->of, on->positions, on->count, &rows, err);
    status = status == CNM_OK ? ridge_create(&some, on->of, &rows, on->positions, self->pairs, on->pool, err) : status;
    if (status == CNM_OK && ridge_is_possible(&some)) {
        const climb way = {self, on, &some, beside == NULL ? PLACE_TRIALS : PLACE_TRIALS_BESIDE};
        status = beside == NULL ? climb_from(&way, STARTS, sizeof STARTS / sizeof STARTS[0], err)
                                : climb_from(&way, beside, 1, err);
    }
    ridge_free(&some);
    machine_rows_free(&rows);
    return status;
}

/* ---- Weights ---- */

/* weights (columns): of relevance along weighed columns, which becomes that along the columns themselves. False where it tells nothing. */
static bool turn_into_weights(const double *weighed, size_t columns, double *weights) {
    double mean = 0.0;
    for (size_t j = 0; j < columns; j++) {
        weights[j] *= weighed == NULL ? 1.0 : weighed[j] * weighed[j];
        mean += weights[j] / (double)columns;
    }
    for (size_t j = 0; j < columns; j++) {
        weights[j] = sqrt(sqrt(fmax(weights[j] / mean, LEAST_RELEVANCE)));
    }
    return mean > 0.0 && isfinite(mean);
}

cnm_status places_weigh(place_search *out, const place_search *from, const place_rows *on, cnm_error *err) {
    const size_t columns = on->of->problem.rows.columns;
    machine_rows rows = {0};
    ridge some = {0};
    bool told = false, solved = false;
    *out = (place_search){.kind = from->kind, .scale = from->scale, .least = INFINITY};
    cnm_status status = memory_take(&out->weights, columns, sizeof *out->weights, "weights", err);
    status = status == CNM_OK ? places_take_rows(from, on->of, on->positions, on->count, &rows, err) : status;
    status = status == CNM_OK ? ridge_create(&some, on->of, &rows, on->positions, false, on->pool, err) : status;
    if (status == CNM_OK && isfinite(from->least)) {
        status = places_solve(from, &some, from->best, &solved, err);
    }
    if (status == CNM_OK && solved) {
        status = machine_relevance(&some.machine, some.kernel, on->pool, out->weights, err);
        told = status == CNM_OK && turn_into_weights(from->weights, columns, out->weights);
    }
    if (!told) {
        memory_free(out->weights);
        out->weights = NULL;
    }
    ridge_free(&some);
    machine_rows_free(&rows);
    return status;
}
