/* A joint training before its first step, made by hand: its map is random, its head zero, its
 * labels noisy, and every other row is held out. */
#ifndef CNM_TESTS_SUPPORT_MADE_SESSION_H
#define CNM_TESTS_SUPPORT_MADE_SESSION_H

#include "support/made_tables.h"

#include "learn/fit/fit_session.h"
#include "learn/settings.h"

typedef struct made_session {
    dataset data;
    scaled_rows scaled;
    fit_session session;
    settings settings;
    train_plan plan;
    table *rows;
    int32_t *codes;
    float *targets, *weights; /* weights: 1, 2 and 3, which the session does not use */
} made_session;

typedef struct made_shape {
    size_t rows, columns, features, outputs;
    const char *loss;
    hyperparameters chosen;
} made_shape;

void make_session(made_session *self, const made_shape *shape);

/* The same, with unscaled rows and the head solved for on the frozen map. */
void make_solved_session(made_session *self, const made_shape *shape);

void free_session(made_session *self);

#endif
