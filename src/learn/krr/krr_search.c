/* Widths are in units of the spread of the rows. The search is a hill climb: from several starts,
 * then to a better neighbour of the best grid point, until there is none.
 *
 * Weights of columns are the fourth roots of their relevance, a mean square: the square root would
 * be the size of the gradient; a further root shrinks weights, as rows are few, towards 1. */
#include "learn/krr/krr_search.h"

#include <math.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/krr/feature_gradients.h"
#include "learn/krr/one_vs_one.h"
#include "learn/tuning.h"

/* Ignores a wish to stop: the search takes seconds, and the steps after it can be resumed. */
void krr_search_report(progress_meter *meter, size_t rows, double loss) {
    meter->before += meter->before + 1 < meter->total;
    (void)progress_report(meter, meter->before, rows, loss, NAN);
}

cnm_status krr_candidate_fit(const krr_candidate *self, kernel_ridge *rows, grid_point at, bool *found,
                             cnm_error *err) {
    const double width = TUNING.krr.widths[at.width], penalty = TUNING.krr.penalties[at.penalty];
    if (self->one_vs_one) {
        return one_vs_one_fit(rows, self->kind, width, penalty, found, err);
    }
    *found = kernel_ridge_fit(rows, self->kind, width, penalty);
    return CNM_OK;
}

cnm_status krr_candidate_rows(const krr_candidate *self, const krr_source *from, const size_t *positions, size_t count,
                              kernel_rows *out, cnm_error *err) {
    TRY(kernel_rows_create(out, from, self->scale, positions, count, err));
    if (self->weights == NULL) {
        return CNM_OK;
    }
    const cnm_status status = kernel_rows_weight(out, self->weights, err);
    if (status != CNM_OK) {
        kernel_rows_free(out);
    }
    return status;
}

/* ---- Hill climb ---- */

typedef struct climb {
    krr_candidate *candidate;
    const krr_search *search;
    kernel_ridge *ridge;
    size_t most_trials;
} climb;

/* Fits and evaluates the model of a grid point, and sets *better where it is the best so far. Does
 * nothing where the point was tried before, or after the last trial. */
static cnm_status try_point(const climb *self, grid_point at, bool *better, cnm_error *err) {
    krr_candidate *candidate = self->candidate;
    bool *seen = &candidate->seen[at.width][at.penalty];
    double loss, inverse_temperature;
    bool solved;
    *better = false;
    if (*seen || candidate->tried == self->most_trials) {
        return CNM_OK;
    }
    *seen = true;
    candidate->tried++;
    TRY(krr_candidate_fit(candidate, self->ridge, at, &solved, err));
    if (!solved) {
        return CNM_OK;
    }
    TRY(kernel_ridge_evaluate(self->ridge, &loss, &inverse_temperature, err));
    *better = loss < candidate->loss;
    if (*better) {
        candidate->loss = loss;
        candidate->inverse_temperature = inverse_temperature;
        candidate->best = at;
    }
    krr_search_report(self->search->meter, self->search->count, candidate->loss);
    return CNM_OK;
}

/* Tries the eight neighbours of the best grid point, until one is better. */
static cnm_status try_neighbours(const climb *self, bool *better, cnm_error *err) {
    static const int STEPS[][2] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {-1, -1}, {1, 1}, {-1, 1}, {1, -1}};
    const int from[] = {(int)self->candidate->best.width, (int)self->candidate->best.penalty};
    *better = false;
    for (size_t i = 0; !*better && i < sizeof STEPS / sizeof STEPS[0]; i++) {
        const int width = from[0] + STEPS[i][0], penalty = from[1] + STEPS[i][1];
        if (width >= 0 && width < GRID_WIDTHS && penalty >= 0 && penalty < GRID_PENALTIES) {
            TRY(try_point(self, (grid_point){(size_t)width, (size_t)penalty}, better, err));
        }
    }
    return CNM_OK;
}

static cnm_status climb_from(const climb *self, const grid_point *starts, size_t count, cnm_error *err) {
    bool better;
    for (size_t i = 0; i < count; i++) {
        TRY(try_point(self, starts[i], &better, err));
    }
    do {
        TRY(try_neighbours(self, &better, err));
    } while (better);
    return CNM_OK;
}

cnm_status krr_search_run(krr_candidate *self, const krr_search *search, const grid_point *start, cnm_error *err) {
    static const grid_point STARTS[] = {{4, 2}, {2, 1}, {5, 3}};
    kernel_rows rows = {0};
    kernel_ridge ridge = {0};
    cnm_status status = CNM_OK;
    self->loss = INFINITY;
    TRY_DONE(krr_candidate_rows(self, &search->from, search->positions, search->count, &rows, err));
    TRY_DONE(
        kernel_ridge_create(&ridge, search->from.data, &rows, search->positions, self->one_vs_one, search->pool, err));
    if (kernel_ridge_is_possible(&ridge)) {
        const climb run = {self, search, &ridge, start == NULL ? KRR_TRIALS : KRR_LOCAL_TRIALS};
        status = start == NULL ? climb_from(&run, STARTS, sizeof STARTS / sizeof STARTS[0], err)
                               : climb_from(&run, start, 1, err);
    }
done:
    kernel_ridge_free(&ridge);
    kernel_rows_free(&rows);
    return status;
}

/* ---- Weights ---- */

/* Turns weights (columns), the relevance of columns, into weights of columns. `before` (columns;
 * may be NULL) are the weights that the columns had. Returns false where no column has a relevance,
 * or one has none that is finite. */
static bool turn_into_weights(const double *before, size_t columns, double *weights) {
    double mean = 0.0;
    for (size_t j = 0; j < columns; j++) {
        weights[j] *= before == NULL ? 1.0 : before[j] * before[j];
        mean += weights[j] / (double)columns;
    }
    for (size_t j = 0; j < columns; j++) {
        weights[j] = sqrt(sqrt(fmax(weights[j] / mean, TUNING.krr.least_relevance)));
    }
    return mean > 0.0 && isfinite(mean);
}

cnm_status krr_search_reweight(krr_candidate *out, const krr_candidate *from, const krr_search *search,
                               cnm_error *err) {
    const size_t columns = search->from.data->rows.columns;
    kernel_rows rows = {0};
    kernel_ridge ridge = {0};
    bool weighted = false, solved = false;
    cnm_status status = CNM_OK;
    *out = (krr_candidate){.kind = from->kind, .scale = from->scale, .loss = INFINITY};
    TRY_DONE(memory_take(&out->weights, columns, sizeof *out->weights, "weights", err));
    TRY_DONE(krr_candidate_rows(from, &search->from, search->positions, search->count, &rows, err));
    TRY_DONE(kernel_ridge_create(&ridge, search->from.data, &rows, search->positions, false, search->pool, err));
    if (isfinite(from->loss)) {
        TRY_DONE(krr_candidate_fit(from, &ridge, from->best, &solved, err));
    }
    if (solved) {
        TRY_DONE(feature_gradients(&ridge.model, ridge.kernel, search->pool, out->weights, err));
        weighted = turn_into_weights(from->weights, columns, out->weights);
    }
done:
    if (!weighted) {
        memory_free(out->weights);
        out->weights = NULL;
    }
    kernel_ridge_free(&ridge);
    kernel_rows_free(&rows);
    return status;
}
