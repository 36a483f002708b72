/* Whether rows are pictures: then they may be shifted a little, or mirrored, as new ones will be. */
#ifndef CNM_LEARN_DETECT_DETECT_IMAGES_H
#define CNM_LEARN_DETECT_DETECT_IMAGES_H

#include "learn/fit/fit_session.h"

/* Sets the recipe's `picture`, the columns in a line of a square picture or 0 where rows are none, its usual shift, and whether pictures are
 * mirrored. Rows are pictures where all columns have one scale (unless --shift asks for it), and cells beside and below each other
 * differ less than half as much, in squares, as cells half a line apart. They are shifted where --shift asks for it, or shifts make up 1.6 times as much of what the
 * nearest rows of a class differ by as of what the nearest of other classes do; and mirrored where that leaves them as near to others of their class. At least 8
 * lines; not for rows that stay sparse, and not with --shift 0. */
cnm_status picture_find(training *self, cnm_error *err);

#endif
