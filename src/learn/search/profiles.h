/* The usual recipe of a joint training, from the shape of its rows alone, and the manners in which a map can learn. */
#ifndef CNM_LEARN_SEARCH_PROFILES_H
#define CNM_LEARN_SEARCH_PROFILES_H

#include "learn/fit/fit_session.h"

enum { USUAL_MOST_STEPS = 16000 }; /* beyond them only as many as it takes to see each row often enough */

/* Fills self->recipe but for what learn/detect/detect_images.h found: what options set, then what is usual for so many rows. */
void recipe_usual(training *self);

/* Rows are so few for so many parameters that the map learns gently, and options let it. */
bool map_is_gentle(const training *self);

/* Rows are neither few nor many: a map that stays as it was drawn can be better than one that learns, but pilots tell so only when the latter has found its recipe. */
bool drawn_is_tried_last(const training *self);

/* Many columns on one scale, as of pictures, differ together: there rows drift, and keep that scale. */
bool columns_are_alike(const training *self);

/* Other manners than the usual one that can suit a gentle map better, as whole recipes: how many. What options set stays. */
enum { OTHER_MANNERS = 2 };
size_t recipe_other_manners(const training *self, recipe others[OTHER_MANNERS]);

/* The recipe for a map that stays as it was drawn. What options set stays. */
void recipe_draw(const training *self, recipe *drawn);

#endif
