/* How many steps a fit runs between two checks of the clock. */
#ifndef CNM_LEARN_FIT_CHUNK_SIZE_H
#define CNM_LEARN_FIT_CHUNK_SIZE_H

#include "learn/fit/fit_session.h"

/* Returns the steps of a chunk, about a tenth of a second of work. After a chunk the fit checks
 * whether it diverged, and whether the caller or the clock stops it. The number depends on sizes
 * alone, so that a resumed training has the same chunks. */
uint64_t chunk_size(const fit_session *self, const train_plan *plan);

#endif
