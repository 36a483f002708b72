/* Pruning: after the joint training, the features that the head uses least are taken out, and what is left is trained a little more. */
#ifndef CNM_LEARN_COMPRESS_PRUNE_H
#define CNM_LEARN_COMPRESS_PRUNE_H

#include "learn/fit/fit_session.h"

/* As --prune says; nothing where it says nothing, or where the caller stopped the training. A resumed training may have its
 * place here: then features are taken out of a map that was not learned, and all of it is restored with the first steps. */
cnm_status prune(training *self, cnm_error *err);

/* Its first half: a smaller map and head in place of the training's, whose map is dense. */
cnm_status prune_features(training *self, size_t kept, cnm_error *err);

/* An error where a map is to be pruned whose features share their parameters. */
cnm_status prune_check(const training *self, cnm_error *err);

#endif
