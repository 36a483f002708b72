/* From rows to a model. */
#ifndef CNM_LEARN_TRAIN_TRAIN_H
#define CNM_LEARN_TRAIN_TRAIN_H

#include "learn/settings.h"
#include "model/model.h"

/* The label column as the reader found it; borrowed. */
typedef struct label_origin {
    const char *name;   /* or NULL */
    const char *reason; /* why that column ("by its name"), or NULL */
} label_origin;

/* Trains a model. The table is not changed. The label's name (origin may be NULL) and the column
 * names are kept in the model. With `start`, the joint training of that
 * model is continued with these rows, and with more features where the settings have more.
 * CNM_CANCELLED with a model in *out: the caller stopped the training, and the model is usable. */
cnm_status learn_train(cnm_model **out, const table *rows, const label_origin *origin, const settings *wanted,
                       const cnm_model *start, const cnm_callbacks *callbacks, cnm_error *err);
/* Does the same, and validates on other rows, which are used for nothing else; NULL: there are
 * none. */
cnm_status learn_train_validated(cnm_model **out, const table *rows, const table *validation,
                                 const label_origin *origin, const settings *wanted, const cnm_model *start,
                                 const cnm_callbacks *callbacks, cnm_error *err);

#endif
