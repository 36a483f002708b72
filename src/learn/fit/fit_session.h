/* A fit: a data set, the map and head that are learned from it, and the state of the fit.
 *
 * A session owns its map, head, bound rows, best parameters and divergence guard; data set,
 * scaling, split and checkpoint are borrowed. Trials, students and calibrations are sessions of
 * their own beside the one whose model is kept. */
#ifndef CNM_LEARN_FIT_FIT_SESSION_H
#define CNM_LEARN_FIT_FIT_SESSION_H

#include "engine/engine.h"
#include "learn/dataset/bandwidth.h"
#include "learn/dataset/scaled_rows.h"
#include "learn/dataset/split.h"
#include "learn/fit/early_stopping.h"
#include "learn/hyperparameters.h"
#include "learn/progress.h"
#include "model/history.h"
#include "model/model.h"

typedef struct checkpoint checkpoint;

/* Why a fit is run. */
typedef enum fit_role {
    FIT_FINAL, /* its model is kept */
    FIT_TRIAL, /* a short one, to compare hyperparameters: ends where it diverges */
} fit_role;

/* Whether and why a fit ends before its last step. */
typedef enum fit_state {
    FIT_RUNS,
    FIT_STOP_REQUESTED, /* as FIT_STOPPED, but before the first step: a few are enough */
    FIT_STOPPED,        /* the caller asked to stop */
    FIT_TIMED_OUT,      /* the deadline is over */
    FIT_DIVERGED,       /* a trial whose loss or parameters are beyond all bounds */
} fit_state;

/* --time-limit; on the clock of progress.h. */
typedef struct time_budget {
    double started;  /* when the training began */
    double deadline; /* when this fit ends; 0: never */
    bool shortened;  /* trials or steps were left out */
} time_budget;

/* See divergence_guard.h. */
typedef struct divergence_guard {
    float *kept;      /* the parameters after the last chunk of steps that did not diverge */
    size_t capacity;  /* of kept */
    double bound;     /* of the mean loss; 0: none */
    uint32_t limit;   /* of the size of a parameter, as the bits of a float; 0: not known */
    uint64_t lowered; /* times that the rates were lowered: train_plan.lowered of the next steps */
} divergence_guard;

typedef struct fit_session {
    const dataset *data;
    const scaled_rows *scaled;
    const float *weights; /* (rows) of the data set, or others in their stead; NULL: all are 1 */
    row_split split;      /* borrowed; rows are held out only with --validation, and in trials */
    input_source source;  /* the rows, scaled for the map */
    map_spec spec;
    map *map;
    linear_head head;
    double feature_scale;   /* scores = feature_scale * z W + c */
    bandwidth bandwidth;    /* its sigma is 0 until it is estimated */
    hyperparameters chosen; /* of joint training */
    early_stopping best;
    uint64_t patience; /* evaluations left without progress */
    double lambda;
    uint64_t batch, steps;  /* as chosen; for the metadata */
    uint64_t made;          /* steps of the phase that were made */
    uint64_t made_before;   /* steps that were made before the features were pruned */
    history *history;       /* of the whole training, borrowed; NULL: this fit is no part of it */
    history_point present;  /* where the fit stands */
    double loss;            /* mean over the last chunk of steps */
    double kernel_error[3]; /* mean square of learned map, random map, constant; 0: none */
    bool warm;              /* continues a model of the same size: small rates, few epochs */
    fit_role role;
    fit_state state;
    time_budget time;
    divergence_guard guard;
    const struct fit_session *finished; /* the session whose steps this one follows, or NULL */
    const char *phase;                  /* "fit"; after another session "distill" or "calibrate" */
    progress_span span;                 /* of the stage's progress */
    checkpoint *checkpoint;             /* of the whole training, trials included; NULL: none */
} fit_session;

/* The progress and checkpoint phase of a map that is fitted before its head: kernel
 * approximation. */
#define FIT_MAP_PHASE "fit-map"

/* Of joint training: scores = JOINT_GAIN * scale * z W + c. */
#define JOINT_GAIN 3.0

/* Frees what the session owns. */
void fit_session_free(fit_session *self);

/* Makes a session for a later stage that follows the steps of another: with the same data, rows and
 * map specification, a head of zeros, no map, and no rows bound. */
fit_session fit_session_after(const fit_session *self, const char *phase);

/* Returns whether the steps ended before the last one. */
static inline bool fit_session_ended(const fit_session *self) {
    return self->state == FIT_STOPPED || self->state == FIT_TIMED_OUT || self->state == FIT_DIVERGED;
}

/* Creates an engine on the session's training rows for batches of up to `batch` rows. */
cnm_status fit_session_engine(fit_session *self, size_t batch, engine **out, cnm_error *err);

/* Adds the present point to the history, with this score on validation rows (NaN: none). */
cnm_status fit_session_record(fit_session *self, double validation, cnm_error *err);

/* Returns the best score on validation rows so far; NaN where there is none. */
double fit_session_score(const fit_session *self);

/* Returns the unit of theta: rows times the unit have a kernel of width 1. It is sqrt(2 gamma) for
 * the Gaussian kernel, and gamma for the other two. */
double fit_session_unit(const fit_session *self);

/* Sets the units of a stack's layers over that of the map, the deviation of theta at the start. */
void fit_session_layer_units(const fit_session *self, train_plan *plan);

/* Returns the multiply-adds of one row in a step of joint training: projection, scores, and the
 * gradients of all three arrays. */
double fit_session_row_work(const fit_session *self);

/* Returns how long a step of so many rows takes, for the progress: in multiply-adds of a large
 * product of matrices. */
double fit_session_step_time(const fit_session *self, size_t batch);

#endif
