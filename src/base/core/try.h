/* Two ways to pass a failure on. A function that owns nothing on the way forwards a failure with
 * TRY; a function that owns something has one label `done:` that frees it, and goes there with
 * TRY_DONE. */
#ifndef CNM_BASE_CORE_TRY_H
#define CNM_BASE_CORE_TRY_H

#include "cnm/types.h"

/* Returns the status of a call that failed. */
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        const cnm_status try_status_ = (call);                                                                         \
        if (try_status_ != CNM_OK) {                                                                                   \
            return try_status_;                                                                                        \
        }                                                                                                              \
    } while (0)

/* Stores the status of a call in `status`, and goes to `done` where the call failed. */
#define TRY_DONE(call)                                                                                                 \
    do {                                                                                                               \
        status = (call);                                                                                               \
        if (status != CNM_OK) {                                                                                        \
            goto done;                                                                                                 \
        }                                                                                                              \
    } while (0)

#endif
