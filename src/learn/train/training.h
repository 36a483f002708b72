/* A whole training: what its stages share. Each part is made by one stage, and owned here. */
#ifndef CNM_LEARN_TRAIN_TRAINING_H
#define CNM_LEARN_TRAIN_TRAINING_H

#include "learn/calibrate/calibrate.h"
#include "learn/detect/facts.h"
#include "learn/distill/teacher_loss.h"
#include "learn/evaluate/holdout_score.h"
#include "learn/fit/fit_session.h"
#include "learn/progress_plan.h"
#include "learn/search/budgeted_search.h"
#include "learn/train/methods.h"
#include "learn/train/train.h"

/* What a training of these settings is worth on rows that it has not seen. */
typedef struct estimate {
    bool known;
    const char *name;  /* of the score (holdout_score.h) */
    const char *split; /* which rows were held out */
    size_t rows;       /* held out */
    double value, error, baseline;
    double linear;    /* of a linear model; NaN: none */
    double metric;    /* of --metric, where it is another; NaN: none */
    bool ends_search; /* neither baseline nor linear model is beaten: settings need no search */
} estimate;

typedef struct training {
    /* given */
    const table *rows;
    const table *validation;    /* rows that only validate, or NULL */
    const label_origin *origin; /* or NULL */
    settings settings;
    const cnm_model *start;         /* of a warm start, or NULL */
    const cnm_callbacks *callbacks; /* of the plan, once that is begun */
    progress_plan plan;
    const method_ops *method;
    bool joint;
    /* dataset */
    encoder *encoder; /* or NULL; moves into the model */
    table *encoded;   /* rows as features, or NULL: as they were given */
    table *joined;    /* the rows, then those that validate; NULL where there are none */
    dataset data;
    checkpoint *checkpoint;
    teacher *teacher;
    /* detect */
    facts known;
    scaled_rows scaled;
    /* estimate */
    estimate estimate;
    /* search */
    search_result searched;
    /* fit */
    row_split split;
    fit_session fit;
    history history;
    /* distill, prune, calibrate */
    bool distilled;
    size_t pruned_from; /* features before; 0: not pruned */
    calibration calibration;
    uint32_t ran; /* bit i: the stage i has run */
    /* assemble */
    cnm_model *model;
} training;

typedef struct stage {
    const char *name; /* in progress, checkpoints, metadata, and for --skip */
    bool may_be_skipped;
    bool (*applies)(const training *self); /* NULL: always */
    cnm_status (*run)(training *self, cnm_error *err);
    double (*work)(const training *self); /* expected, see below; NULL: no time worth mentioning */
} stage;

/* Returns the stages in their order. */
const stage *stage_table(size_t *count);

/* The expected work of stages, for the progress alone: in units of a training with the default
 * number of steps and features. stage_work.c has them. */
double search_work(const training *self);
double fit_work(const training *self);
double distill_work(const training *self);
double prune_work(const training *self);
double calibrate_work(const training *self);

/* The stage `estimate`: trains once more, search and all, without a fifth of the rows, and scores
 * that model on them, beside a linear model and a constant prediction. Changes nothing of the
 * training but its `estimate`, what is left of its time limit, and its state where the caller asked
 * to stop. Where no rows can be held out, there is a notice and no estimate. */
cnm_status estimate_run(training *self, cnm_error *err);
/* Writes the estimate, where it is known. */
cnm_status estimate_record(const estimate *self, const char *metric, record *out, cnm_error *err);

/* Compares the score of a training with that of a linear model (its `each` NULL: there is none) and
 * with the constant prediction, on the same rows. Sends a notice where either is as good, and sets
 * `estimate.ends_search` where both are. */
cnm_status compare_baselines(training *of, const holdout_score *own, const holdout_score *linear, const table *held,
                             cnm_error *err);
/* Sends the notice that a linear model does as well. numbers: "0.931 against 0.930", or "". */
void send_linear_notice(const cnm_callbacks *callbacks, const char *numbers);

/* The last stage: folds scales and constant factors into the model, so that prediction does not pay
 * for them, and writes its metadata. Takes map, labels and preprocessing out of the training. */
cnm_status assemble_model(training *self, cnm_error *err);

#endif
