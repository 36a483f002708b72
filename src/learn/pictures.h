/* Whether rows are pictures: then they may be shifted a little, as new ones will be. */
#ifndef CNM_LEARN_PICTURES_H
#define CNM_LEARN_PICTURES_H

#include "learn/training.h"

/* Sets the recipe's `picture`, the columns in a line of a square picture or 0 where rows are none that want to be shifted, and its usual
 * shift. They are where cells beside and below each other differ less than half as much, in squares, as cells half a line apart; and, unless
 * --shift asks for it, all columns have one scale, and shifts make up 1.6 times as much of what the nearest rows of a class differ by as of
 * what the nearest of other classes do. At least 8 lines; not for rows that stay sparse, and not with --shift 0. */
cnm_status picture_find(training *self, cnm_error *err);

#endif
