/* What an engine runs: a loss, how parameters are updated, which rows form a batch.
 *
 * A plan is data: optimisers and rates are ids (optimisers.h), the loss is a row whose name a
 * device maps to an implementation of its own. The host functions at the end of train_plan are for
 * engines with engine_ops.host_callbacks only. */
#ifndef CNM_ENGINE_PLAN_H
#define CNM_ENGINE_PLAN_H

#include "data/table/classes.h"
#include "engine/augment/augmentations.h"
#include "map/map.h"
#include "model/probability.h"

/* What a loss gets: scores of some rows and what they should be. weights NULL: 1 for every row. */
typedef struct loss_batch {
    size_t rows, outputs;
    const float *scores;    /* (rows, outputs) */
    const int32_t *classes; /* (rows) class numbers, or NULL */
    const float *targets;   /* (rows) regression targets, or NULL */
    const float *weights;   /* (rows) or NULL */
    double parameter;       /* of the loss: epsilon, a quantile, or where Huber's becomes linear */
} loss_batch;

/* Optimisers; the host's implementations are rows of optimisers.h. UPDATE_NONE: the parameters stay
 * as they are. UPDATE_HOST: train_plan.host_update. */
typedef enum update_id { UPDATE_NONE, UPDATE_PEGASOS, UPDATE_SGD, UPDATE_ADAM, UPDATE_HOST } update_id;

/* Learning rate schedules, in optimisers.h. RATE_HOST: train_plan.host_rate. */
typedef enum rate_id { RATE_NONE, RATE_PEGASOS, RATE_COSINE, RATE_LINEAR, RATE_CAPPED, RATE_HOST } rate_id;

/* A loss's row. evaluate, on the host, returns the sum over rows of weight * loss, in row order,
 * and fills slope (rows, outputs) with weight * d loss / d score. The traits are all that other
 * modules know of a loss: nobody compares names. */
typedef struct loss_ops {
    const char *name;
    double (*evaluate)(const loss_batch *batch, float *slope);
    size_t (*outputs)(size_t classes);
    task_kind task;
    double parameter;             /* the usual one */
    bool smooth;                  /* has a continuous slope, so that L-BFGS can minimise it */
    bool margin;                  /* scores are margins, and not logarithms of odds */
    bool soft_targets;            /* learns from a teacher's probabilities or means too */
    bool centred;                 /* pruning takes the mean over outputs from the weights */
    bool robust_metric;           /* measured by mean absolute error, not root mean square */
    bool own_metric;              /* measured by the loss itself */
    bool takes_quantile;          /* its parameter is --quantile */
    const char *robust;           /* the loss used instead where targets have outliers, or NULL */
    probability_kind probability; /* how scores become probabilities of classes */
    update_id head_update;        /* trains a linear head on a frozen map with this loss */
} loss_ops;

/* Evaluates the loss of rows of which more than the label is known, in place of loss_ops.evaluate.
 * positions (rows of the batch): in the source. */
typedef struct loss_hint {
    double (*evaluate)(const void *context, const loss_ops *loss, const loss_batch *batch, const size_t *positions,
                       float *slope);
    const void *context;
} loss_hint;

/* A loss on features instead of scores: returns its value for a batch of prepared rows u with
 * features z (rows, k), without feature_scale, and fills slope (rows, k) with d loss / d z. Runs in
 * parallel inside, the same bits for any pool. */
typedef struct feature_loss {
    double (*evaluate)(void *context, const rows_view *u, const float *z, size_t features, double feature_scale,
                       thread_pool *threads, float *slope);
    void *context;
} feature_loss;

struct train_plan;

/* Which array a step changes; a FACTOR is a tensor whose entries are factors: see layer_tensor. */
typedef enum parameter_kind { PARAMETER_HEAD, PARAMETER_TENSOR, PARAMETER_PHASE, PARAMETER_FACTOR } parameter_kind;

/* One update of one array (or of a slice of it): values (rows, columns) from the gradient of the
 * mean loss. */
typedef struct update_call {
    const struct train_plan *plan;
    size_t layer; /* the array's, from 0; not of the head */
    parameter_kind kind;
    uint64_t step;                 /* from 1, over the whole training */
    double step_scale, rate_scale; /* of a tensor: see layer_tensor; 1 elsewhere */
    double rate;
    size_t rows, columns;
    float *values;
    const float *gradient;
    float *moments[2]; /* update_ops.moments of them, of the array's shape; zero at the start */
} update_call;

/* An optimiser's row. `whole`: needs the whole array at once; otherwise it is called on slices of
 * an array, in parallel. */
typedef struct update_ops {
    const char *name;
    size_t moments;
    bool whole;
    void (*apply)(const update_call *call);
} update_ops;

enum { RATE_BITS = 3 };

typedef struct train_plan {
    const loss_ops *loss;
    double loss_parameter;
    update_id head_update, map_update;
    rate_id rate;
    double head_rate, tensor_rate, phase_rate, factor_rate; /* what the schedule scales */
    /* (layers) of a map: the unit of a layer's theta, its deviation at the start, over the unit of
     * the map in the rates above; 0 stands for 1. */
    double layer_unit[MAP_LAYERS];
    /* (layers) of a map: layers that map_update leaves as they are. Not all of them. */
    bool layer_fixed[MAP_LAYERS];
    double lambda;               /* penalty (lambda / 2) |W|^2 */
    double tensor_l1, tensor_l2; /* penalties on the map's tensors */
    double tensor_decay;         /* decoupled: tensors shrink by rate * tensor_decay a step */
    double feature_scale;        /* scores = feature_scale * z W + c */
    AUGMENTATION_AMOUNTS;        /* of the rows; noise in the unit of the prepared rows */
    size_t image_width;          /* pixels in a line of the rows that are images */
    size_t batch;
    uint32_t stream; /* of the random order of rows: RANDOM_BATCHES, RANDOM_MAP_BATCHES */
    uint64_t seed;
    uint64_t steps;        /* of the whole training: for schedules */
    uint64_t average_from; /* the head is the mean over the steps after this one; 0: the last */
    uint64_t lowered;      /* times that rates were divided by 2^RATE_BITS after a divergence */
    uint64_t reuse;        /* steps in which the map stays as it is: are features worth keeping? */
    /* Host functions, for engines with engine_ops.host_callbacks alone; NULL elsewhere. */
    const feature_loss *feature_loss; /* replaces head and loss */
    const loss_hint *hint;            /* replaces loss->evaluate */
    const update_ops *host_update;
    double (*host_rate)(const update_call *call);
} train_plan;

#endif
