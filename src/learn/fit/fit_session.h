/* One training under way: a problem, the map and head that are being learned, and the methods that learn them.
 *
 * A method is one file and one row in METHODS (train.c). It gets a training whose map is drawn and whose head is zero, and leaves
 * both learned. */
#ifndef CNM_LEARN_FIT_FIT_SESSION_H
#define CNM_LEARN_FIT_FIT_SESSION_H

#include "engine/engine.h"
#include "learn/dataset/bandwidth.h"
#include "learn/fit/checkpoint.h"
#include "learn/distill/teacher_loss.h"
#include "learn/dataset/dataset.h"
#include "learn/progress.h"
#include "learn/hyperparameters.h"
#include "learn/fit/divergence_guard.h"
#include "learn/dataset/split.h"
#include "model/model.h"

typedef struct training {
    problem problem;
    input_source source; /* the problem's rows, prepared for the map */
    map_spec spec;
    map *map;
    linear_head head;
    double feature_scale; /* scores = feature_scale * z W + c */
    bandwidth bandwidth;
    bool measured;   /* the bandwidth is known */
    recipe recipe;   /* of joint training */
    double judged;   /* loss of the recipe on held rows; 0: not known, or they resemble those that train */
    bool imitated;   /* machines have had a say: see learn/distill/distill_ensemble.h */
    row_split split; /* nothing held back unless --validation says so */
    best_so_far best;
    teacher *teacher;  /* or NULL */
    uint64_t patience; /* judgements left without progress */
    double lambda;
    uint64_t batch, steps; /* as chosen; for the record */
    size_t pruned_from;    /* features before --prune; 0: all are left */
    double loss;           /* mean over the last reported steps */
    double temperature;    /* of the scores, where they have one: see calibrate.h; 0: none */
    double *shift;         /* (outputs) added to the scores of the finished model: see shift.h; or NULL */
    double
        kernel_error[3]; /* method kernel: mean squared error of the learned map, of the random one, of the constant */
    bool continues;      /* on new rows, from a model of the same size */
    bool trial;          /* a pilot */
    bool diverged;       /* a pilot that ran away, and was ended */
    bool leaving;        /* the caller asked to stop before the first step: there will be a few */
    bool stopped;        /* the caller asked to stop before the end */
    bool cut;            /* the deadline came */
    bool shortened;      /* --time-limit took trials or steps away */
    double started;      /* progress_clock when the training began */
    double deadline;     /* training_run ends then and sets `cut`; 0: never */
    safeguard safeguard;
    const struct training *finished; /* of a training that comes after another's steps: that one; else NULL */
    const char *phase;               /* ... and what it is called: "imitate" or "calibrate" */
    checkpoint *checkpoint;          /* of the whole training, pilots included; NULL: none. */
} training;

/* Of joint training: scores = JOINT_GAIN * scale * z W + c. */
#define JOINT_GAIN 3.0

typedef struct method_ops {
    const char *name;
    const char *projection; /* NULL: as --projection says */
    const char *activation; /* NULL: as --activation says */
    cnm_status (*fit)(training *self, cnm_error *err);
    bool without_labels; /* fit has something to do for --task map too */
} method_ops;

/* What its steps are called. */
const char *training_phase(const training *self);

/* A training after this one's steps, of the same problem, rows and map; without a head, and owning nothing yet. */
training training_after(const training *self, const char *phase);

/* Runs steps first .. first + count of a plan with progress reports, which count on from meter->before; stops early when the caller
 * asks, or a pilot runs away. All steps of all methods are run here, so this is where checkpoints are written and taken back. */
cnm_status training_run(training *self, engine *runner, const train_plan *plan, progress_meter *meter, uint64_t first,
                        uint64_t count, cnm_error *err);

/* A piece of work: how many steps lie between two looks at the clock, at what the caller wants, and at whether the training runs away. So
 * few that they take about a tenth of a second; they follow from sizes alone, so that a resumed training has the same. */
uint64_t training_piece(const training *self, const train_plan *plan);

/* An engine on the training's rows for batches of up to `batch` rows. */
cnm_status training_engine(training *self, size_t batch, engine **out, cnm_error *err);

/* Scores the held rows and keeps the best parameters; `patience` counts down while nothing improves. Nothing where no rows
 * are held back, or where a resumed training has not reached its place. */
cnm_status training_judge(training *self, engine *runner, const train_plan *plan, cnm_error *err);

/* Nothing improved for as long as --patience says. */
bool training_is_spent(const training *self);

/* The best score on held rows so far; NaN where there is none. */
double training_score(const training *self);

/* Binds the rows, finds the bandwidth where it is not known yet, and draws the map. */
cnm_status training_draw(training *self, cnm_error *err);
/* training_draw, and a head of zeros; or the map and head of `start`, where that is not NULL. */
cnm_status training_begin(training *self, const cnm_model *start, cnm_error *err);

/* The rows as a map of self->spec gets them, where there is none yet. input_unbind() them in any case. */
cnm_status training_bind(const training *self, input_source *out, cnm_error *err);

/* The unit of theta: rows times this have a kernel of width 1: sqrt(2 gamma), or gamma for the other two kernels. */
double training_unit(const training *self);

/* The paper's algorithms 1 to 3: head and map in turn. */
cnm_status fit_alternating(training *self, cnm_error *err);
/* How many turns it takes. */
uint64_t alternating_turns(const settings *wanted);
/* Head and map together by back-propagation. */
cnm_status fit_joint(training *self, cnm_error *err);
/* Products that a row takes in one of its steps: projection, scores, and the slopes of all three arrays. */
double joint_row_work(const training *self);
/* Its plan, for a training whose map is drawn. */
train_plan joint_plan(training *self);
/* Runs a plan from its first step to its last, with reports, judging, checkpoints, and within the time that --time-limit leaves. */
cnm_status joint_run(training *self, engine *runner, train_plan *plan, cnm_error *err);
/* The map for the kernel, then the head. */
cnm_status fit_kernel(training *self, cnm_error *err);

/* The head on a map that stays as it is: Pegasos for the hinge, adaptive steps for the other losses. */
cnm_status fit_head(training *self, cnm_error *err);
/* Its plan. */
train_plan head_plan(training *self);

/* The finished model: scales folded into the map or the head, constant factors into the head, the record written. Takes map,
 * labels and input stage out of the training. */
cnm_status training_finish(training *self, cnm_model **out, cnm_error *err);

#endif
