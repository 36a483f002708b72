/* The stage `estimate`: what a training of these settings is worth on rows that it has not seen. */
#ifndef CNM_LEARN_TRAIN_ESTIMATE_H
#define CNM_LEARN_TRAIN_ESTIMATE_H

#include <stdbool.h>

#include "cnm/types.h"
#include "model/metadata.h"

struct training;

typedef struct estimate {
    bool known;
    const char *name;  /* "accuracy" or "r2" */
    const char *split; /* which rows were held out */
    size_t rows;       /* held out */
    double value, error, baseline;
    double linear;    /* of a linear model; NaN: none */
    double metric;    /* of --metric, where it is another; NaN: none */
    bool ends_search; /* neither baseline nor linear model is beaten: settings need no search */
} estimate;

/* Trains once more, search and all, without a fifth of the rows, and scores that model on them,
 * beside a linear model and a constant prediction. Sends a notice where either is as good. Changes
 * nothing of the training but its `estimate`, what is left of its time limit, and its state where
 * the caller asked to stop. Where no rows can be held out, there is a notice and no estimate. */
cnm_status estimate_run(struct training *self, cnm_error *err);

/* Writes the estimate, where it is known. */
cnm_status estimate_record(const estimate *self, const char *metric, record *out, cnm_error *err);

/* Sends the notice that a linear model does as well. numbers: "0.931 against 0.930", or "". */
void estimate_send_linear(const cnm_callbacks *callbacks, const char *numbers);

#endif
