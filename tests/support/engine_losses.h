/* Losses and updates for the tests of engines: the real ones live in a module above. */
#ifndef CNM_TESTS_SUPPORT_ENGINE_LOSSES_H
#define CNM_TESTS_SUPPORT_ENGINE_LOSSES_H

#include "support/checks.h"

#include "engine/engine.h"

enum { ENGINE_OUTPUTS = 4 }; /* at most */

/* Returns the loss of one row in double, and its gradient in slope (outputs). */
typedef double row_loss(const double *scores, size_t outputs, size_t class, double target, double *slope);

typedef struct test_loss {
    loss_ops ops;
    row_loss *row;
    size_t outputs;
} test_loss;

/* Softmax with three outputs, logistic and squared with one, hinge with three. */
extern const test_loss TEST_LOSSES[4];

/* An update with momentum and a second moment: enough state to notice when an engine mixes it up.
 * MOMENTUM_WHOLE asks for whole arrays. */
extern const update_ops MOMENTUM, MOMENTUM_WHOLE;

/* A learning rate that falls with the steps. */
double rate_falling(const update_call *call);

#endif
