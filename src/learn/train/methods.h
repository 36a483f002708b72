/* The table of methods: what --method names. A method is one file and one row. */
#ifndef CNM_LEARN_TRAIN_METHODS_H
#define CNM_LEARN_TRAIN_METHODS_H

#include "learn/fit/fit_session.h"

typedef struct method_ops {
    const char *name;
    const char *projection; /* NULL: that of --projection */
    const char *activation; /* NULL: that of --activation */
    /* Fits a session with a random map and a head of zeros. */
    cnm_status (*fit)(fit_session *self, cnm_error *err);
    bool without_labels; /* fit has something to do for --task map too */
} method_ops;

/* Returns the rows in the order of setting_method. */
const method_ops *method_table(size_t *count);

/* Returns whether map and head are learned jointly: what search, distillation and pruning are
 * for. */
bool method_is_joint(const settings *wanted);

#endif
