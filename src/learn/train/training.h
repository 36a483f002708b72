/* A whole training: what its stages share. Each part is made by one stage, and owned here. */
#ifndef CNM_LEARN_TRAIN_TRAINING_H
#define CNM_LEARN_TRAIN_TRAINING_H

#include "learn/calibrate/calibrate.h"
#include "learn/detect/facts.h"
#include "learn/distill/teacher_loss.h"
#include "learn/fit/fit_session.h"
#include "learn/progress_plan.h"
#include "learn/train/methods.h"
#include "learn/train/train.h"

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
    /* search */
    double search_loss; /* of the hyperparameters on validation rows; 0: not known */
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

/* The last stage: folds scales and constant factors into the model, so that prediction does not pay
 * for them, and writes its metadata. Takes map, labels and preprocessing out of the training. */
cnm_status assemble_model(training *self, cnm_error *err);

#endif
