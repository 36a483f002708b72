#include "support/counted_trials.h"

#include "base/core/random.h"
#include "learn/detect/guess_scaling.h"
#include "learn/distill/distill_ensemble.h"
#include "learn/fit/frozen_map.h"
#include "learn/search/budgeted_search.h"
#include "learn/search/profiles.h"

/* ---- Trials ---- */

struct trials {
    const fit_session *of;
    counted_trials *counts; /* the callbacks' user */
    trial_size size;
    double next; /* loss */
};

static cnm_status counted_create(trials **out, const fit_session *of, const trial_size *size, size_t total,
                                 cnm_error *err) {
    (void)total;
    (void)err;
    *out = take(1, sizeof **out);
    **out = (trials){of, of->data->callbacks->user, *size, 1.0};
    (*out)->counts->rounds++;
    return CNM_OK;
}

static void counted_destroy(trials *self) { free(self); }

static double counted_margin(const trials *self) { return self->counts->margin; }

static double counted_share(const trials *self) {
    return self->counts->short_by > 0.0 ? 1.0 / self->counts->short_by : 1.0;
}

static size_t counted_folds(const trials *self) {
    (void)self;
    return TRIAL_FOLDS;
}

static void count_values(counted_trials *counts, const hyperparameters *tried) {
    counts->width = counts->width || tried->width != 1.0;
    counts->decay = counts->decay || tried->decay != 0.03;
    counts->noise = counts->noise || tried->noise != 0.25;
    counts->scale = counts->scale || tried->scale != SCALING_GLOBAL;
    counts->translations = counts->translations || tried->translate != counts->translate;
    counts->difference_noise =
        counts->difference_noise || (tried->difference_noise != 0.0 && tried->difference_noise != 0.25);
}

static void count_frozen(trials *self, const hyperparameters *tried) {
    counted_trials *counts = self->counts;
    const double penalty = tried->lambda / pow(tried->width, 4.0);
    counts->solved++;
    counts->narrow_starts +=
        counts->solved <= 3 && tried->width == 0.25 && (fabs(penalty - 1e-1) < 1e-9 || fabs(penalty - 1e-4) < 1e-9);
    counts->fewer_folds = counts->fewer_folds || (self->of->chosen.map_mode == MAP_FROZEN &&
                                                  self->size.steps / self->size.fold_steps < TRIAL_FOLDS);
}

static cnm_status counted_run(trials *self, const hyperparameters *tried, size_t features, double share, double *loss,
                              bool *stop, cnm_error *err) {
    counted_trials *counts = self->counts;
    const bool solved = tried != NULL && tried->map_mode == MAP_FROZEN && head_can_be_solved(self->of);
    (void)err;
    counts->run++;
    if (tried != NULL) {
        count_values(counts, tried);
    }
    if (solved) {
        count_frozen(self, tried);
    }
    counts->work +=
        (solved ? TRIAL_FOLDS * solve_steps(self->of) : share * (double)self->size.steps) * (double)features;
    self->next *= !counts->improving ? 1.0 : counts->gain > 0.0 ? 1.0 - counts->gain : 0.5;
    *stop = counts->stop_at > 0 && counts->run >= counts->stop_at;
    const double better = solved                                 ? counts->frozen_gain
                          : tried != NULL && tried->noise == 0.0 ? counts->noiseless_gain
                                                                 : 0.0;
    *loss = *stop ? INFINITY : (1.0 - better) * self->next;
    return CNM_OK;
}

/* Without a map a row costs as many products as there are outputs, for each column: as a map of so
 * many features. */
static cnm_status counted_run_linear(trials *self, double *loss, bool *stop, cnm_error *err) {
    return counted_run(self, NULL, 2, 1.0, loss, stop, err);
}

static const trial_ops COUNTED = {counted_create, counted_destroy, counted_run,  counted_run_linear,
                                  counted_margin, counted_share,   counted_folds};

/* ---- Searches ---- */

static map_spec spec_for(const table *rows, const settings *wanted) {
    return (map_spec){.projection = wanted->projection == 0 ? "dense" : "circulant",
                      .activation = "cos",
                      .columns = rows->columns,
                      .features = wanted->features == 0 ? 128 : (size_t)wanted->features,
                      .gamma = 1.0,
                      .phases = true,
                      .seed = 1};
}

search_outcome search_with(table *rows, const settings *wanted, counted_trials rule) {
    cnm_error error = {0};
    search_outcome result = {.counts = rule};
    const cnm_callbacks callbacks = {.struct_size = sizeof(cnm_callbacks), .user = &result.counts};
    dataset data;
    scaled_rows scaled;
    facts known = {0};
    check_ok(dataset_create(&data, rows, wanted, NULL, &callbacks, &error), &error);
    check_ok(guess_scaling(&data, &known.scaling, &error), &error);
    check_ok(scaled_rows_create(&scaled, &data, known.scaling, &error), &error);
    fit_session self = {.data = &data, .scaled = &scaled, .spec = spec_for(rows, wanted)};
    check_ok(facts_find(&known, &data, &scaled, projection_find(self.spec.projection)->sparse, &error), &error);
    known.images = (image_facts){.translate = rule.translate};
    profile_default(&self, &known);
    result.usual = self.chosen;
    search_result found;
    check_ok(budgeted_search(&self, &known, distill_may_follow(&self), &COUNTED, &found, &error), &error);
    result.loss = found.loss;
    result.chosen = self.chosen;
    result.features = self.spec.features;
    scaled_rows_free(&scaled);
    dataset_free(&data);
    return result;
}

search_outcome search_rows(table *rows, const settings *wanted, bool improving) {
    return search_with(rows, wanted, (counted_trials){.improving = improving});
}

void check_search_work(const search_outcome *got, const settings *wanted, double trainings) {
    const double one = (double)got->usual.steps * (double)got->features;
    if (!(got->counts.work <= trainings * one)) {
        fail_msg("k = %u: trials cost %.2f trainings, %.0f are allowed", (unsigned)wanted->features,
                 got->counts.work / one, trainings);
    }
}

table *make_shared_range(size_t count, size_t columns, size_t empty) {
    table *rows = make_rings(3, count, columns);
    for (size_t i = 0; i < count * columns; i++) {
        const float value = (float)random_uniform((random_stream){1, RANDOM_TEST, 0}, i);
        rows->values[i] = i % columns < columns - empty ? value : 0.0F;
    }
    return rows;
}
