/* Rows that a training must not see: `cnm train --test SHARE|FILE`, and when it makes an estimate
 * of its own. */
#ifndef CNM_CLI_CLI_HOLDOUT_H
#define CNM_CLI_CLI_HOLDOUT_H

#include "arguments.h"

typedef struct holdout {
    const char *text;   /* of --test; NULL: there is none */
    double share;       /* NaN: --test names a file */
    cnm_data *train;    /* what a share leaves to train on; NULL: all rows train */
    cnm_data *held;     /* the test rows, once they are known */
    cnm_holdout scored; /* its metric is NULL until the model is scored */
} holdout;

/* Reads --test and checks what can be wrong about it before any file is read. Returns STATUS_OK, or
 * prints what is wrong. */
int holdout_begin(holdout *self, const arguments *line);
void holdout_end(holdout *self);

/* Splits off the test rows of a share. Returns the rows to train on: `data` where there is none. */
cnm_status holdout_split(holdout *self, const arguments *line, const cnm_data *data, const cnm_data **train,
                         cnm_error *error);

/* Sets the option "estimate" where the line leaves it open: yes where a head is trained from
 * scratch on enough rows, and the line holds none out by itself. */
cnm_status holdout_choose_estimate(const holdout *self, const arguments *line, const cnm_data *train, cnm_error *error);

/* Reads the test rows of a file as the model needs them, and scores the model. Does nothing where
 * there is no --test. */
cnm_status holdout_score_model(holdout *self, const arguments *line, const cnm_model *model, const cnm_data *train,
                               const cnm_callbacks *callbacks, cnm_error *error);

#endif
