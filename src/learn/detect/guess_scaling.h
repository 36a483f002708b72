/* The scaling of columns that --scale auto starts from. */
#ifndef CNM_LEARN_DETECT_GUESS_SCALING_H
#define CNM_LEARN_DETECT_GUESS_SCALING_H

#include "learn/dataset/scaled_rows.h"

enum { SHARED_SCALE_COLUMNS = 64 }; /* so many with one range are pixels or the like */

/* Sets *out to what --scale names. For auto it is one scale for all columns (global) where columns
 * are many, most of them vary and they share a range, as pixels do; else asinh for joint training,
 * and standard for the other methods. */
cnm_status guess_scaling(const dataset *data, scaling_kind *out, cnm_error *err);

#endif
