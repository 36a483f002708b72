/* Searches for the best model in each scaling: the best scaling for a map need not be the best for
 * a kernel, which cannot learn weights of columns. Then with the other kernel in the scalings whose
 * models are good, then with columns weighted by the gradients of the best model of each kernel
 * (Radhakrishnan et al. 2024), and then one-vs-one. */
#include "learn/distill/kernel_ensemble.h"

#include <math.h>
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/dataset/deduplicate.h"
#include "learn/krr/one_vs_one.h"
#include "learn/tuning.h"

/* Measured, for the progress. A multiply-add of kernel models takes as long as so many of a
 * training: they are in double precision. Computing the kernel, solving and evaluating takes a
 * trial as long as more rows would. Scoring a row takes so many multiply-adds, and two a column,
 * for each of the model's rows. */
static const double SLOWER = 3.0, ROWS_BESIDE = 300.0, SCORE = 100.0;

/* ---- The search ---- */

typedef struct ensemble_search {
    krr_search on;
    krr_candidate candidates[ENSEMBLE_CANDIDATES];
    size_t count, scalings; /* the first `scalings` are the Gaussian kernel's */
} ensemble_search;

static cnm_status add_candidate(ensemble_search *self, krr_kernel kind, scaling_kind scale, cnm_error *err) {
    krr_candidate *candidate = &self->candidates[self->count++];
    *candidate = (krr_candidate){.kind = kind, .scale = scale};
    return krr_search_run(candidate, &self->on, NULL, err);
}

/* Returns the best one-vs-rest candidate of a kernel with weighted columns, or of those without;
 * NULL where none has a model. */
static const krr_candidate *best_candidate(const ensemble_search *self, krr_kernel kind, bool weighted) {
    const krr_candidate *best = NULL;
    for (size_t i = 0; i < self->count; i++) {
        const krr_candidate *candidate = &self->candidates[i];
        if (candidate->kind == kind && !candidate->one_vs_one && (candidate->weights != NULL) == weighted &&
            isfinite(candidate->loss) && (best == NULL || candidate->loss < best->loss)) {
            best = candidate;
        }
    }
    return best;
}

/* Adds candidates with weighted columns; each round takes the weights from the model that the last
 * one found. */
static cnm_status add_weighted(ensemble_search *self, krr_kernel kind, cnm_error *err) {
    const krr_candidate *from = best_candidate(self, kind, false);
    for (size_t round = 0; from != NULL && round < ENSEMBLE_ROUNDS; round++) {
        krr_candidate *candidate = &self->candidates[self->count];
        TRY(krr_search_reweight(candidate, from, &self->on, err));
        if (candidate->weights == NULL) {
            break;
        }
        self->count++;
        TRY(krr_search_run(candidate, &self->on, &from->best, err));
        from = isfinite(candidate->loss) ? candidate : NULL;
    }
    return CNM_OK;
}

/* Adds one-vs-one candidates like the best without weights and the best with them. */
static cnm_status add_pairs(ensemble_search *self, krr_kernel kind, cnm_error *err) {
    const size_t columns = self->on.from.data->rows.columns;
    for (size_t weighted = 0; weighted < ENSEMBLE_PAIRS; weighted++) {
        const krr_candidate *from = best_candidate(self, kind, weighted == 1);
        krr_candidate *candidate = &self->candidates[self->count];
        if (from == NULL) {
            continue;
        }
        *candidate = (krr_candidate){.kind = kind, .scale = from->scale, .one_vs_one = true};
        if (weighted == 1) {
            TRY(memory_take(&candidate->weights, columns, sizeof *candidate->weights, "weights", err));
            memcpy(candidate->weights, from->weights, columns * sizeof *candidate->weights);
        }
        self->count++;
        TRY(krr_search_run(candidate, &self->on, NULL, err));
    }
    return CNM_OK;
}

/* Puts the best candidates first; insertion keeps equal ones in order. */
static void sort_candidates(ensemble_search *self) {
    for (size_t i = 1; i < self->count; i++) {
        for (size_t j = i; j > 0 && self->candidates[j].loss < self->candidates[j - 1].loss; j--) {
            const krr_candidate better = self->candidates[j];
            self->candidates[j] = self->candidates[j - 1];
            self->candidates[j - 1] = better;
        }
    }
}

static cnm_status search_candidates(ensemble_search *self, const scaling_kind scalings[ENSEMBLE_SCALINGS],
                                    cnm_error *err) {
    const dataset *data = self->on.from.data;
    for (size_t i = 0; i < self->scalings; i++) {
        TRY(add_candidate(self, KRR_GAUSSIAN, scalings[i], err));
    }
    const krr_candidate *best = best_candidate(self, KRR_GAUSSIAN, false);
    const double bound = best == NULL ? 0.0 : TUNING.ensemble.as_good * best->loss;
    for (size_t i = 0; i < self->scalings; i++) {
        if (self->candidates[i].loss <= bound) {
            TRY(add_candidate(self, KRR_EXPONENTIAL, scalings[i], err));
        }
    }
    for (krr_kernel kind = 0; data->rows.columns > 1 && kind < KRR_KERNELS; kind++) {
        TRY(add_weighted(self, kind, err));
    }
    for (krr_kernel kind = 0; one_vs_one_applies(data) && kind < KRR_KERNELS; kind++) {
        TRY(add_pairs(self, kind, err));
    }
    sort_candidates(self);
    return CNM_OK;
}

static void free_candidates(ensemble_search *self) {
    for (size_t i = 0; i < self->count; i++) {
        memory_free(self->candidates[i].weights);
    }
}

/* ---- The members ---- */

static cnm_status add_member(kernel_ensemble *self, const kernel_ridge *found, double inverse_temperature,
                             cnm_error *err) {
    kernel_model *member = &self->models[self->count];
    const kernel_model *from = &found->model;
    const bool pairs = from->classes != NULL;
    const size_t offsets = pairs ? from->outputs * from->outputs : from->outputs;
    TRY(kernel_model_create(member, from->of, from->outputs, pairs, err));
    if (pairs) {
        memcpy(member->classes, from->classes, from->of->rows * sizeof *member->classes);
    }
    member->kind = from->kind;
    member->gamma = from->gamma;
    memcpy(member->weights, from->weights, from->of->rows * from->outputs * sizeof *member->weights);
    memcpy(member->offset, from->offset, offsets * sizeof *member->offset);
    self->inverse_temperature[self->count++] = inverse_temperature;
    return CNM_OK;
}

/* What all members are fitted to. */
typedef struct member_source {
    const krr_search *on;
    const row_split *split; /* all its training rows */
    bool copies;            /* some rows are copies of others */
} member_source;

/* Fits a candidate's best model to all rows. The first of all is evaluated on them again, unless
 * some rows are copies: a row is not left out where its copy stays. */
static cnm_status fit_member(kernel_ensemble *self, const krr_candidate *candidate, const member_source *from,
                             kernel_ridge *all, cnm_error *err) {
    double inverse_temperature = candidate->inverse_temperature;
    bool fitted = false;
    if (kernel_ridge_is_possible(all)) {
        TRY(krr_candidate_fit(candidate, all, candidate->best, &fitted, err));
    }
    if (!fitted) {
        return CNM_OK;
    }
    if (self->count == 0 && !from->copies) {
        TRY(kernel_ridge_evaluate(all, &self->loss, &inverse_temperature, err));
    }
    TRY(add_member(self, all, inverse_temperature, err));
    krr_search_report(from->on->meter, all->model.of->rows, self->loss);
    return CNM_OK;
}

/* Returns all training rows under the candidate's scaling and weights; without weights both kernels
 * share them. */
static cnm_status take_rows(kernel_ensemble *self, const krr_candidate *candidate, const member_source *from,
                            const kernel_rows **out, cnm_error *err) {
    kernel_rows *rows;
    for (size_t i = 0; i < self->row_sets && candidate->weights == NULL; i++) {
        if (self->rows[i]->weights == NULL && self->rows[i]->scale == candidate->scale) {
            *out = self->rows[i];
            return CNM_OK;
        }
    }
    TRY(memory_take(&rows, 1, sizeof *rows, "rows", err));
    const cnm_status status =
        krr_candidate_rows(candidate, &from->on->from, from->split->train, from->split->train_count, rows, err);
    if (status != CNM_OK) {
        memory_free(rows);
        return status;
    }
    *out = self->rows[self->row_sets++] = rows;
    return CNM_OK;
}

static cnm_status include(kernel_ensemble *self, const krr_candidate *candidate, const member_source *from,
                          cnm_error *err) {
    const krr_search *on = from->on;
    kernel_ridge all = {0};
    const kernel_rows *rows;
    cnm_status status = CNM_OK;
    TRY_DONE(take_rows(self, candidate, from, &rows, err));
    TRY_DONE(kernel_ridge_create(&all, on->from.data, rows, from->split->train, candidate->one_vs_one, on->pool, err));
    TRY_DONE(fit_member(self, candidate, from, &all, err));
done:
    kernel_ridge_free(&all);
    return status;
}

/* ---- The ensemble ---- */

/* Lists the map's scaling, and where options leave the scaling open all that a search may choose;
 * returns how many. */
static size_t list_scalings(const fit_session *of, const facts *known, size_t most,
                            scaling_kind scalings[ENSEMBLE_SCALINGS]) {
    static const scaling_kind USUAL[] = {SCALING_STANDARD, SCALING_GLOBAL, SCALING_ASINH};
    static const scaling_kind OUTLIERS[] = {SCALING_WIDE, SCALING_ASINH};
    const scaling_kind own = of->scaled->scaling.kind;
    const bool outliers = known->has_outlier_cells && scaling_is_asinh(own);
    const scaling_kind *others = outliers ? OUTLIERS : USUAL;
    const size_t other_count = outliers ? sizeof OUTLIERS / sizeof OUTLIERS[0] : sizeof USUAL / sizeof USUAL[0];
    const bool open = of->data->settings->scale == 0;
    size_t count = 0;
    scalings[count++] = own;
    for (size_t i = 0; open && i < other_count && count < most; i++) {
        if (others[i] != own) {
            scalings[count++] = others[i];
        }
    }
    return count;
}

static size_t count_pairs(const fit_session *of) { return one_vs_one_applies(of->data) ? ENSEMBLE_PAIRS : 0; }

static size_t count_candidates(const fit_session *of, size_t scalings) {
    return KRR_KERNELS * (scalings + ENSEMBLE_ROUNDS + count_pairs(of));
}

static size_t count_trials(const fit_session *of, size_t scalings) {
    const size_t wide = scalings + count_pairs(of);
    return KRR_KERNELS * (wide * KRR_TRIALS + ENSEMBLE_ROUNDS * KRR_LOCAL_TRIALS);
}

/* Returns how many of `count` rows trials on them fit in the work with. */
static size_t count_thinned(size_t count, double work, size_t trials) {
    const double fitting = cbrt(3.0 * work / (double)trials);
    return fitting < (double)count ? (size_t)fitting : count;
}

/* Keeps that many positions, evenly spread; returns how many. */
static size_t thin(size_t *positions, size_t count, double work, size_t trials) {
    const size_t kept = count_thinned(count, work, trials);
    for (size_t i = 0; i < kept; i++) {
        positions[i] = positions[i * count / kept];
    }
    return kept;
}

double kernel_ensemble_work(const fit_session *of, size_t rows, size_t scalings) {
    const double n = (double)rows;
    return (double)count_candidates(of, scalings) * n * n * n / 6.0;
}

/* Returns the trials to expect. A climb tries three grid points, two more on its way, and the eight
 * neighbours of the best; the exponential kernel is tried in two scalings of three. */
static size_t expect_trials(const fit_session *of, size_t scalings) {
    enum { CLIMB = 13 };
    const size_t exponential = scalings > 1 ? scalings - 1 : 1;
    return CLIMB * (scalings + exponential) +
           KRR_KERNELS * (ENSEMBLE_ROUNDS * KRR_LOCAL_TRIALS + CLIMB * count_pairs(of));
}

/* Returns the members to expect: half of the candidates are as good as the best. */
static size_t expect_members(const fit_session *of, size_t scalings) { return count_candidates(of, scalings) / 2; }

/* Returns the most scalings in which models cost no more than the work. */
static size_t most_scalings(const fit_session *of, size_t rows, double member_work) {
    return kernel_ensemble_work(of, rows, ENSEMBLE_SCALINGS) <= member_work ? ENSEMBLE_SCALINGS : 1;
}

kernel_times kernel_ensemble_expected(const fit_session *of, size_t rows, double search_work, double member_work,
                                      size_t scored) {
    const size_t scalings = of->data->settings->scale == 0 ? most_scalings(of, rows, member_work) : 1;
    const double fewer = (double)count_thinned(rows, search_work, count_trials(of, scalings)), n = (double)rows;
    const double members = (double)expect_members(of, scalings), columns = (double)of->data->rows.columns;
    return (kernel_times){
        .search = SLOWER * (double)expect_trials(of, scalings) * fewer * fewer * (fewer + ROWS_BESIDE) / 3.0,
        .models = SLOWER * (members + 1.0) * n * n * (n + ROWS_BESIDE) / 6.0,
        .scores = members * n * (double)scored * (SCORE + 2.0 * columns),
    };
}

/* Searches, then fits the members, whose progress `models` reports. */
static cnm_status find_members(kernel_ensemble *out, ensemble_search *search, const scaling_kind *scalings,
                               const member_source *from, const progress_meter *models, cnm_error *err) {
    TRY(search_candidates(search, scalings, err));
    const bool stopped = search->on.meter->stopped;
    *search->on.meter = *models;
    search->on.meter->stopped = stopped;
    out->loss = search->candidates[0].loss;
    const double least = out->loss;
    for (size_t i = 0; i < search->count && isfinite(least); i++) {
        if (search->candidates[i].loss <= TUNING.ensemble.as_good * least) {
            TRY(include(out, &search->candidates[i], from, err));
        }
    }
    return CNM_OK;
}

/* Lists rows that are no copies of earlier ones. Where most rows are copies, as of repeated
 * measurements, rows with different targets count as different; in classification *count is 0 then,
 * because leaving one copy out leaves the others. */
static cnm_status list_distinct(const fit_session *of, size_t *positions, size_t *count, cnm_error *err) {
    const dataset *data = of->data;
    const size_t rows = of->split.train_count;
    TRY(positions_deduplicate(data, of->split.train, rows, false, positions, count, err));
    if (2 * *count < rows) {
        *count = 0;
        if (data->targets != NULL) {
            TRY(positions_deduplicate(data, of->split.train, rows, true, positions, count, err));
        }
    }
    return CNM_OK;
}

/* Searches on the rows at positions (count), then fits the members to all rows. share: of the time,
 * what the search is expected to take. */
static cnm_status fit_from(kernel_ensemble *out, const fit_session *of, const scaling_kind *scalings,
                           size_t scaling_count, const size_t *positions, size_t count, bool copies, double share,
                           cnm_error *err) {
    const cnm_callbacks *callbacks = of->data->callbacks;
    progress_meter meter = progress_start(callbacks, "distill-search", expect_trials(of, scaling_count));
    progress_meter models = progress_start(callbacks, "distill-search", expect_members(of, scaling_count));
    const double turn = of->span.from + share * (of->span.to - of->span.from);
    meter.span = (progress_span){of->span.from, turn};
    models.span = (progress_span){turn, of->span.to};
    thread_pool *pool = thread_pool_create((size_t)of->data->settings->threads);
    ensemble_search search = {.on = {krr_source_of(of), pool, positions, count, &meter}, .scalings = scaling_count};
    const member_source from = {&search.on, &of->split, copies};
    const cnm_status status = find_members(out, &search, scalings, &from, &models, err);
    out->stopped = meter.stopped;
    thread_pool_destroy(pool);
    free_candidates(&search);
    return status;
}

cnm_status kernel_ensemble_fit(kernel_ensemble *out, const fit_session *of, const facts *known, double search_work,
                               double member_work, cnm_error *err) {
    const size_t rows = of->split.train_count, most = most_scalings(of, rows, member_work);
    scaling_kind scalings[ENSEMBLE_SCALINGS];
    const size_t scaling_count = list_scalings(of, known, most, scalings);
    const kernel_times times = kernel_ensemble_expected(of, rows, search_work, member_work, 0);
    const double share = times.search / (times.search + times.models);
    size_t *positions = NULL, count = 0;
    cnm_status status = CNM_OK;
    *out = (kernel_ensemble){.loss = INFINITY};
    TRY_DONE(memory_take(&positions, rows, sizeof *positions, "rows", err));
    TRY_DONE(list_distinct(of, positions, &count, err));
    const bool copies = count < rows;
    count = count > 0 ? thin(positions, count, search_work, count_trials(of, scaling_count)) : 0;
    if (count >= ENSEMBLE_LEAST_ROWS) {
        TRY_DONE(fit_from(out, of, scalings, scaling_count, positions, count, copies, share, err));
    }
done:
    memory_free(positions);
    if (status != CNM_OK) {
        kernel_ensemble_free(out);
    }
    return status;
}

void kernel_ensemble_free(kernel_ensemble *self) {
    for (size_t i = 0; i < self->count; i++) {
        kernel_model_free(&self->models[i]);
    }
    for (size_t i = 0; i < self->row_sets; i++) {
        kernel_rows_free(self->rows[i]);
        memory_free(self->rows[i]);
    }
    self->count = self->row_sets = 0;
}
