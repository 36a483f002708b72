/* The stage `prune`: after a joint training, removes the features that matter least to the head,
 * and trains the others a little more. */
#ifndef CNM_LEARN_COMPRESS_PRUNE_H
#define CNM_LEARN_COMPRESS_PRUNE_H

#include "learn/fit/fit_session.h"

/* Prunes the share of features of --prune. *pruned_from becomes the number of features before, or
 * stays 0 where nothing is pruned. Where a resumed training continues here, features are taken out
 * of a map that was not learned, and the first steps restore the learned one. */
cnm_status prune_run(fit_session *self, size_t *pruned_from, cnm_error *err);

/* Replaces map and head of the session by smaller ones: the first half of prune_run. The map must
 * be dense. */
cnm_status prune_features(fit_session *self, size_t kept, cnm_error *err);

/* Fails where a map is to be pruned whose features share their parameters. */
cnm_status prune_check(const fit_session *self, cnm_error *err);

#endif
