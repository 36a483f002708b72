/* The state of a training as named arrays and texts, and back. The file that holds them is checkpoint_file.c's, when and where it
 * is saved and restored checkpoint.c's business. */
#ifndef CNM_LEARN_FIT_CHECKPOINT_STATE_H
#define CNM_LEARN_FIT_CHECKPOINT_STATE_H

#include "learn/fit/checkpoint_file.h"
#include "learn/fit/fit_session.h"

enum { STATE_PARAMETERS = 3 * (MAP_TENSORS + 2), STATE_ARRAYS = STATE_PARAMETERS + ENGINE_ARRAYS };

typedef struct state_arrays {
    char names[STATE_PARAMETERS][40];
    archive_tensor items[STATE_ARRAYS + 1]; /* room for one more */
    size_t count;
} state_arrays;

/* Borrowed from the training and its engine until either runs. */
void state_list(state_arrays *out, const training *of, engine *runner);
/* Adds the training's numbers. */
cnm_status state_describe(record *out, const training *of, cnm_error *err);

/* All but what the engine holds, as it was after the training's last step where that was before the checkpoint; or in the middle of its
 * steps, with the engine. CNM_BAD_FORMAT with a sentence where the file does not fit the training. */
cnm_status state_restore_finished(training *self, const checkpoint_file *from, cnm_error *err);
cnm_status state_restore(training *self, engine *runner, const checkpoint_file *from, cnm_error *err);

#endif
