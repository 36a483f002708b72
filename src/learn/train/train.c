/* The stages of a training, one after the other. */
#include "learn/train/train.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/compress/prune.h"
#include "learn/dataset/validation_rows.h"
#include "learn/detect/detect_target_outliers.h"
#include "learn/detect/guess_scaling.h"
#include "learn/distill/distill_ensemble.h"
#include "learn/evaluate/metrics.h"
#include "learn/fit/checkpoint.h"
#include "learn/fit/divergence_guard.h"
#include "learn/fit/init_map.h"
#include "learn/fit/warm_start.h"
#include "learn/search/budgeted_search.h"
#include "learn/search/profiles.h"
#include "learn/train/label_summary.h"
#include "learn/train/training.h"
#include "model/model_columns.h"

enum { DEFAULT_FEATURES = 128 };

/* ---- dataset ---- */

/* Copies the encoder of the model of a warm start. */
static cnm_status copy_encoder(training *self, cnm_error *err) {
    const cnm_model *start = self->start;
    char *text;
    if (start->from_names) {
        return encoder_from_names(&self->encoder, start->names, start->input.base, start->input.columns, err);
    }
    TRY(encoder_to_text(start->encoder, &text, err));
    const cnm_status status = encoder_from_text(&self->encoder, text, strlen(text), err);
    memory_free(text);
    return status;
}

/* Takes the encoder that the model of a warm start has, or fits one. *encode: the rows are
 * columns. */
static cnm_status take_encoder(training *self, bool *encode, cnm_error *err) {
    const settings *wanted = &self->settings;
    const encoder_choice choice = {.no_missing = wanted->missing == FILL_ERROR,
                                   .indicators = wanted->missing == FILL_AUTO,
                                   .all = wanted->only != NULL};
    if (self->start != NULL) {
        const cnm_status status = model_check_table(self->start, self->rows, encode, err);
        TRY(status == CNM_BAD_ARGUMENT ? error_prefix(err, CNM_BAD_DATA, "a warm start") : status);
        return self->start->encoder != NULL ? copy_encoder(self, err) : CNM_OK;
    }
    TRY(encoder_fit(&self->encoder, self->rows, choice, self->callbacks, err));
    *encode = self->encoder != NULL;
    return CNM_OK;
}

/* Makes the rows features, where that is not what they are. */
static cnm_status encode_columns(training *self, cnm_error *err) {
    bool encode;
    size_t unknown = 0;
    TRY(take_encoder(self, &encode, err));
    if (!encode) {
        return CNM_OK;
    }
    TRY(encoder_apply(self->encoder, self->rows, &self->encoded, &unknown, err));
    self->data.columns = self->rows;
    self->data.table = self->encoded;
    if (unknown > 0) {
        notice_send(self->callbacks, "%zu cells have words that the first training never saw", unknown);
    }
    return CNM_OK;
}

/* Puts the rows that only validate, as features, behind those that train. */
static cnm_status join_validation(training *self, cnm_error *err) {
    const table *training_rows = self->encoded != NULL ? self->encoded : self->rows;
    table *encoded = NULL;
    bool encode = self->encoded != NULL;
    cnm_status status = CNM_OK;
    if (self->validation == NULL) {
        return CNM_OK;
    }
    if (self->start != NULL) {
        TRY_DONE(model_check_table(self->start, self->validation, &encode, err));
    }
    if (encode && self->encoder != NULL) {
        TRY_DONE(encoder_apply(self->encoder, self->validation, &encoded, NULL, err));
    }
    TRY_DONE(validation_rows_join(&self->joined, training_rows, encoded != NULL ? encoded : self->validation, err));
    self->data.columns = self->rows;
    self->data.table = self->joined;
    self->data.validating = self->validation->rows;
done:
    table_destroy(encoded);
    return status == CNM_OK ? CNM_OK
                            : error_prefix(err, status == CNM_BAD_ARGUMENT ? CNM_BAD_DATA : status, "validation rows");
}

static cnm_status build_dataset(training *self, cnm_error *err) {
    if (self->settings.task == WANT_MAP && self->method->projection != NULL) {
        return error_set(err, CNM_BAD_ARGUMENT, "--task map needs a map, and --method %s has none", self->method->name);
    }
    TRY(dataset_begin(&self->data, self->rows, &self->settings, self->start, self->callbacks, err));
    TRY(metric_check(&self->data, err));
    TRY(label_summarise(&self->rows->labels, self->data.task, &self->settings, self->origin, self->callbacks, err));
    TRY(encode_columns(self, err));
    TRY(join_validation(self, err));
    const table *all = self->joined != NULL ? self->joined : self->rows;
    TRY(dataset_take(&self->data, err));
    TRY(checkpoint_create(&self->checkpoint, all, &self->settings, self->start, self->callbacks, err));
    return teacher_create(&self->teacher, &self->data, err);
}

/* ---- detect ---- */

/* Sets the layers of --layers. */
static void take_layers(const settings *wanted, map_spec *spec) {
    spec->inner_count = wanted->layer_count - 1;
    for (size_t i = 0; i < spec->inner_count; i++) {
        spec->inner[i] = wanted->layers[i];
    }
    spec->projection = wanted->layers[spec->inner_count].projection;
    spec->features = wanted->layers[spec->inner_count].features;
}

/* Returns the specification of the map without gamma. */
static map_spec spec_of(const training *self) {
    const settings *wanted = &self->settings;
    const bool identity = self->method->projection != NULL;
    const size_t columns = self->data.rows.columns;
    size_t count;
    map_spec spec = {
        .projection = identity ? self->method->projection : projection_table(&count)[wanted->projection]->name,
        .activation = identity ? self->method->activation : activation_table(&count)[wanted->activation].name,
        .columns = columns,
        .features = identity               ? columns
                    : wanted->features > 0 ? (size_t)wanted->features
                                           : DEFAULT_FEATURES,
        .kernel = (map_kernel)wanted->kernel,
        .init = wanted->init == 2 ? INIT_ORTHOGONAL : INIT_RANDOM,
        .gamma = 1.0,
        .phases = !identity && wanted->phase == 0,
        .seed = wanted->seed,
    };
    if (!identity && wanted->layer_count > 0) {
        take_layers(wanted, &spec);
    }
    return spec;
}

static void warn_of_circulant_kernel(const training *self) {
    const map_spec *spec = &self->fit.spec;
    if (map_spec_first(spec)->gaussian_preferred && spec->kernel != KERNEL_GAUSSIAN) {
        notice_send(self->callbacks,
                    "a circulant map for the %s kernel is right on average but noisier than a dense one: "
                    "--kernel gaussian or --projection dense do better",
                    kernel_name(spec->kernel));
    }
}

/* Fills the session with what is known before anything is learned. */
static cnm_status begin_session(training *self, cnm_error *err) {
    fit_session *fit = &self->fit;
    fit->data = &self->data;
    fit->scaled = &self->scaled;
    fit->weights = self->data.weights;
    fit->spec = spec_of(self);
    fit->phase = "fit";
    fit->history = &self->history;
    fit->checkpoint = self->checkpoint;
    fit->warm = self->start != NULL && fit->spec.features == self->start->map->features;
    warn_of_circulant_kernel(self);
    TRY(prune_check(fit, err));
    return divergence_guard_create(&fit->guard, &self->data, err);
}

static bool is_skipped(const training *self, const char *name);

static cnm_status detect(training *self, cnm_error *err) {
    if (self->data.task == TASK_REGRESS && !is_skipped(self, "detect")) {
        TRY(target_outliers_limit(&self->data, err));
    }
    TRY(guess_scaling(&self->data, &self->known.scaling, err));
    TRY(scaled_rows_create(&self->scaled, &self->data, self->known.scaling, err));
    TRY(begin_session(self, err));
    if (self->start != NULL) {
        TRY(warm_start_scaling(&self->scaled, self->start, err));
    }
    if (self->joint && !is_skipped(self, "detect")) {
        TRY(facts_find(&self->known, &self->data, &self->scaled, map_spec_first(&self->fit.spec)->sparse, err));
    }
    profile_default(&self->fit, &self->known);
    return self->joint ? distill_check(&self->fit, err) : CNM_OK;
}

/* ---- estimate ---- */

static bool estimates(const training *self) {
    return self->settings.estimate == ESTIMATE_YES && self->data.task != TASK_MAP && self->start == NULL;
}

/* ---- search ---- */

static bool searches(const training *self) {
    return self->joint && self->start == NULL && self->fit.state == FIT_RUNS && !self->estimate.ends_search;
}

static cnm_status search(training *self, cnm_error *err) {
    TRY(budgeted_search(&self->fit, &self->known, distill_may_follow(&self->fit), &TRIALS, &self->searched, err));
    if (self->searched.linear_is_enough && !self->estimate.known) {
        send_linear_notice(self->callbacks, "");
    }
    return CNM_OK;
}

/* Scales the rows as was chosen, where that is not how they are scaled. */
static cnm_status rescale(training *self, cnm_error *err) {
    if (!searches(self) || self->fit.chosen.scale == self->scaled.scaling.kind) {
        return CNM_OK;
    }
    scaled_rows_free(&self->scaled);
    return scaled_rows_create(&self->scaled, &self->data, self->fit.chosen.scale, err);
}

/* ---- fit ---- */

static cnm_status fit(training *self, cnm_error *err) {
    TRY(rescale(self, err));
    TRY(init_map_and_head(&self->fit, self->start, err));
    TRY(split_create(&self->split, &self->data, self->settings.validation, err));
    self->fit.split = self->split;
    return self->data.task != TASK_MAP || self->method->without_labels ? self->method->fit(&self->fit, err) : CNM_OK;
}

/* ---- distill, prune, calibrate ---- */

static bool distils(const training *self) {
    const bool ends = self->estimate.ends_search && self->settings.distill != DISTILL_YES;
    return self->joint && self->fit.state == FIT_RUNS && !ends;
}

static cnm_status distill(training *self, cnm_error *err) {
    return distill_run(&self->fit, &self->known, self->searched.loss, &self->distilled, err);
}

static bool prunes(const training *self) { return self->settings.prune > 0.0; }

static cnm_status prune(training *self, cnm_error *err) { return prune_run(&self->fit, &self->pruned_from, err); }

static bool calibrates(const training *self) { return self->data.task == TASK_CLASSIFY; }

static cnm_status calibrate(training *self, cnm_error *err) {
    return calibrate_run(&self->calibration, &self->fit, self->pruned_from > 0 ? NULL : self->start, err);
}

/* ---- assemble ---- */

static cnm_status assemble(training *self, cnm_error *err) {
    TRY(checkpoint_check(self->checkpoint, err));
    return assemble_model(self, err);
}

/* ---- The table ---- */

static double estimate_work(const training *self);

static const stage STAGES[] = {
    {"dataset", false, NULL, build_dataset, NULL},              /* rows, labels, weights, targets */
    {"detect", true, NULL, detect, NULL},                       /* facts about the rows, and the default profile */
    {"estimate", true, estimates, estimate_run, estimate_work}, /* one more training, scored on rows that it lacks */
    {"search", true, searches, search, search_work},            /* hyperparameters, by trials */
    {"fit", false, NULL, fit, fit_work},                        /* as METHODS has it */
    {"distill", true, distils, distill, distill_work},          /* few rows: a kernel ridge ensemble */
    {"prune", true, prunes, prune, prune_work},                 /* --prune */
    {"calibrate", true, calibrates, calibrate, calibrate_work}, /* temperature and decision offsets */
    {"assemble", false, NULL, assemble, NULL},                  /* the model and its metadata */
};
enum { STAGE_COUNT = sizeof STAGES / sizeof STAGES[0] };

const stage *stage_table(size_t *count) {
    *count = STAGE_COUNT;
    return STAGES;
}

/* Returns the stage with this name (length characters); NULL: none has it. */
static const stage *stage_find(const char *name, size_t length) {
    for (size_t i = 0; i < STAGE_COUNT; i++) {
        if (strlen(STAGES[i].name) == length && strncmp(STAGES[i].name, name, length) == 0) {
            return &STAGES[i];
        }
    }
    return NULL;
}

static bool is_skipped(const training *self, const char *name) {
    const char *at = self->settings.skip;
    const size_t length = strlen(name);
    while (at != NULL && *at != '\0') {
        const size_t word = strcspn(at, ",");
        if (word == length && strncmp(at, name, length) == 0) {
            return true;
        }
        at += word + (at[word] == ',');
    }
    return false;
}

/* Fails where --skip names what is no stage, or one that a training needs. */
static cnm_status check_skip(const char *names, cnm_error *err) {
    for (const char *at = names; at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, ",");
        const stage *found = stage_find(at, length);
        if (found == NULL || !found->may_be_skipped) {
            return error_set(
                err, CNM_BAD_ARGUMENT,
                "--skip %s: %.*s %s; what can be skipped is detect, estimate, search, distill, prune and calibrate",
                names, (int)length, at, found == NULL ? "is no stage" : "is needed by every training");
        }
        at += length + (at[length] == ',');
    }
    return CNM_OK;
}

static bool runs(const training *self, size_t i) {
    const bool skipped = STAGES[i].run != detect && is_skipped(self, STAGES[i].name);
    return !skipped && (STAGES[i].applies == NULL || STAGES[i].applies(self));
}

/* Returns the work of all other stages on four fifths of the rows. */
static double estimate_work(const training *self) {
    double sum = 0.0;
    for (size_t i = 0; i < STAGE_COUNT; i++) {
        const bool counts = STAGES[i].work != NULL && STAGES[i].work != estimate_work && runs(self, i);
        sum += counts ? STAGES[i].work(self) : 0.0;
    }
    return 0.8 * sum;
}

/* Enters a stage of the plan with what is now known of the work of all of them. */
static void enter_stage(training *self, size_t at) {
    double work[STAGE_COUNT];
    for (size_t i = 0; i < STAGE_COUNT; i++) {
        const bool counts = STAGES[i].work != NULL && (i < at ? (self->ran >> i & 1U) != 0 : runs(self, i));
        work[i] = counts ? STAGES[i].work(self) : 0.0;
    }
    progress_plan_enter(&self->plan, STAGES[at].name, at, work, STAGE_COUNT);
}

static cnm_status run_stages(training *self, cnm_error *err) {
    for (size_t i = 0; i < STAGE_COUNT; i++) {
        if (runs(self, i)) {
            enter_stage(self, i);
            self->ran |= 1U << i;
            TRY(STAGES[i].run(self, err));
        }
    }
    return CNM_OK;
}

static void training_free(training *self) {
    fit_session_free(&self->fit);
    calibration_free(&self->calibration);
    split_free(&self->split);
    scaled_rows_free(&self->scaled);
    teacher_destroy(self->teacher);
    checkpoint_destroy(self->checkpoint);
    dataset_free(&self->data);
    history_free(&self->history);
    encoder_destroy(self->encoder);
    table_destroy(self->encoded);
    table_destroy(self->joined);
}

cnm_status learn_train_validated(cnm_model **out, const table *rows, const table *validation,
                                 const label_origin *origin, const settings *wanted, const cnm_model *start,
                                 const cnm_callbacks *callbacks, cnm_error *err) {
    size_t methods;
    training self = {.rows = rows, .validation = validation, .origin = origin, .settings = *wanted, .start = start};
    self.fit.time.started = progress_clock();
    progress_plan_begin(&self.plan, callbacks);
    self.callbacks = progress_plan_callbacks(&self.plan);
    *out = NULL;
    TRY(check_skip(wanted->skip, err));
    if (start != NULL && wanted->estimate == ESTIMATE_YES) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "--estimate yes does not go with a model to start from, which may have seen any row");
    }
    if (start != NULL) {
        TRY(warm_start_settings(&self.settings, start, wanted, err));
    }
    self.method = &method_table(&methods)[self.settings.method];
    self.joint = method_is_joint(&self.settings);
    const cnm_status status = run_stages(&self, err);
    const bool stopped = self.fit.state == FIT_STOPPED;
    training_free(&self);
    if (status != CNM_OK) {
        model_destroy(self.model);
        return status;
    }
    *out = self.model;
    return stopped ? error_set(err, CNM_CANCELLED, "stopped before the end, as asked; the model so far is usable")
                   : CNM_OK;
}

cnm_status learn_train(cnm_model **out, const table *rows, const label_origin *origin, const settings *wanted,
                       const cnm_model *start, const cnm_callbacks *callbacks, cnm_error *err) {
    return learn_train_validated(out, rows, NULL, origin, wanted, start, callbacks, err);
}
