/* What an engine runs: a loss, how parameters are updated, which rows form a batch. A plan says what a step is; which loss,
 * optimiser and schedule it holds is the business of the trainers in learn, which own those tables. */
#ifndef CNM_ENGINE_PLAN_H
#define CNM_ENGINE_PLAN_H

#include "data/table/classes.h"
#include "map/map.h"

/* What a loss gets: scores of some rows and what they should be. weights NULL means 1 for every row. */
typedef struct loss_batch {
    size_t rows, outputs;
    const float *scores;    /* (rows, outputs) */
    const int32_t *classes; /* (rows) class numbers, or NULL */
    const float *targets;   /* (rows) numbers to be predicted, or NULL */
    const float *weights;   /* (rows) or NULL */
    double parameter;       /* of the loss: epsilon, or where Huber's becomes linear */
} loss_batch;

/* A loss's row. evaluate returns the sum over rows of weight * loss, in row order, and fills slope (rows, outputs) with
 * weight * d loss / d score. */
typedef struct loss_ops {
    const char *name;
    double (*evaluate)(const loss_batch *batch, float *slope);
    size_t (*outputs)(size_t classes);
    task_kind task;
    double parameter; /* the usual one */
} loss_ops;

/* What is known of rows beside their labels: evaluate does what that of the loss does, with it. positions (rows of the batch): in the
 * source. */
typedef struct loss_hint {
    double (*evaluate)(const void *context, const loss_ops *loss, const loss_batch *batch, const size_t *positions,
                       float *slope);
    const void *context;
} loss_hint;

/* Which array a step changes; a FACTOR is a tensor whose entries are factors: see map_tensor. */
typedef enum parameter_kind { PARAMETER_HEAD, PARAMETER_TENSOR, PARAMETER_PHASE, PARAMETER_FACTOR } parameter_kind;

struct train_plan;

/* One update of one array (or of a slice of it): values (rows, columns) from the gradient of the mean loss. */
typedef struct update_call {
    const struct train_plan *plan;
    parameter_kind kind;
    uint64_t step;                 /* from 1, over the whole training */
    double step_scale, rate_scale; /* of a tensor: see map_tensor; 1 elsewhere */
    double rate;
    size_t rows, columns;
    float *values;
    const float *gradient;
    float *moments[2]; /* as many as the update's row asks for, of the array's shape; zero at the start */
} update_call;

/* An optimiser's row. `whole`: needs the whole array at once; otherwise it is called on slices of it, in parallel. */
typedef struct update_ops {
    const char *name;
    size_t moments;
    bool whole;
    void (*apply)(const update_call *call);
} update_ops;

/* A loss on features instead of scores: returns its value for a batch of prepared rows u with features z (rows, k), without
 * feature_scale, and fills slope (rows, k) with d loss / d z. Runs in parallel inside, the same bits for any pool. */
typedef struct feature_loss {
    double (*evaluate)(void *context, const rows_view *u, const float *z, size_t features, double feature_scale,
                       thread_pool *threads, float *slope);
    void *context;
} feature_loss;

enum { RATE_BITS = 3 };

typedef struct train_plan {
    const struct feature_loss *feature_loss; /* where not NULL: instead of head and loss */
    const loss_ops *loss;
    const loss_hint *hint; /* where not NULL: the loss as this has it */
    double loss_parameter;
    const update_ops *head_update, *map_update;             /* NULL: that part stays as it is */
    double (*rate)(const update_call *call);                /* all but call->rate is filled in */
    double head_rate, tensor_rate, phase_rate, factor_rate; /* for `rate` to use */
    double lambda;                                          /* penalty (lambda / 2) |W|^2 */
    double tensor_l1, tensor_l2;                            /* penalties on the map's tensors */
    double tensor_decay;  /* decoupled: tensors shrink by rate * tensor_decay a step */
    double feature_scale; /* scores = feature_scale * z W + c */
    double noise;         /* deviation of the normal noise added to prepared rows; 0: none */
    double drift;         /* rows move along the difference of two others, this much times a normal number; 0: not */
    double shift;         /* rows that are pictures move by normal numbers of cells with this deviation; 0: not */
    bool mirror;          /* every other picture, by chance, has left and right changed */
    size_t picture;       /* cells in a line of such rows */
    size_t batch;
    uint32_t purpose; /* the stream of random numbers that orders the rows: RANDOM_BATCHES or RANDOM_MAP_BATCHES */
    uint64_t seed;
    uint64_t steps;        /* of the whole training: for schedules */
    uint64_t average_from; /* the head given back is the mean over the steps after this one; 0: the last */
    uint64_t lowered;      /* how many times rates were divided by 2^RATE_BITS, because steps ran away */
    uint64_t reuse;        /* how many steps the map stays as it is: whether features are worth keeping */
} train_plan;

#endif
