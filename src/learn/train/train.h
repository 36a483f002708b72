/* From rows to a model. */
#ifndef CNM_LEARN_TRAIN_TRAIN_H
#define CNM_LEARN_TRAIN_TRAIN_H

#include "learn/settings.h"
#include "model/model.h"

/* Learns as the settings say. The table is not changed. label_name (the label column that the reader found, may be NULL) and the
 * names are kept in the model. With `start`, the joint training of that model goes on with these rows, with more features where the
 * settings ask for more than it has. CNM_CANCELLED with a model in *out means that the caller stopped it and the model is usable. */
cnm_status learn_train(cnm_model **out, const table *rows, const char *label_name, const settings *wanted,
                       const cnm_model *start, const cnm_callbacks *callbacks, cnm_error *err);

#endif
