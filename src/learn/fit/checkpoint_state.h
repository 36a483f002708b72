/* The state of a fit as named arrays and texts. checkpoint_file.c reads and writes their file, and
 * checkpoint.c decides when they are saved and restored. */
#ifndef CNM_LEARN_FIT_CHECKPOINT_STATE_H
#define CNM_LEARN_FIT_CHECKPOINT_STATE_H

#include "learn/fit/checkpoint_file.h"
#include "learn/fit/fit_session.h"

enum { STATE_NAME_SIZE = 48, STATE_PARAMETERS = 3 * (MAP_ARRAYS + 1), STATE_ARRAYS = STATE_PARAMETERS + ENGINE_ARRAYS };
enum { STATE_EXTRA = 2 }; /* arrays of the checkpoint itself: losses of trials, and the history */

typedef struct state_arrays {
    char names[STATE_PARAMETERS][STATE_NAME_SIZE];
    archive_tensor items[STATE_ARRAYS + STATE_EXTRA];
    size_t count;
} state_arrays;

/* Lists the arrays, which are borrowed from the session and its engine until either runs. */
void state_list(state_arrays *out, const fit_session *of, engine *runner);
/* Adds the other values of the session. */
cnm_status state_describe(record *out, const fit_session *of, cnm_error *err);

/* Restores a session in the middle of its steps, with the engine. CNM_BAD_FORMAT with the reason
 * where the file does not fit the session. */
cnm_status state_restore(fit_session *self, engine *runner, const checkpoint_file *from, cnm_error *err);
/* Restores a session whose last step was before the checkpoint: all but what the engine holds. */
cnm_status state_restore_finished(fit_session *self, const checkpoint_file *from, cnm_error *err);

#endif
