/* Detects rows that are square images, which a training can augment by translations and mirror
 * images. */
#ifndef CNM_LEARN_DETECT_DETECT_IMAGES_H
#define CNM_LEARN_DETECT_DETECT_IMAGES_H

#include "learn/detect/image_facts.h"
#include "model/preprocess.h"

/* Fills *out. Rows are images where all columns have one scale (not needed with --translate above
 * 0), lines are at least 8, and the mean squared differences of pixels beside and below each other
 * are less than half of those of pixels half a line apart. Images are translated where --translate
 * is above 0, or where translations explain 1.6 times as much of the difference between nearest
 * rows of a class as between nearest rows of different classes; and mirrored where mirror images
 * are as near to other images of their class. Rows are no images where they stay sparse, or with
 * --translate 0. `rows` are those of the data set, scaled. */
cnm_status detect_images(image_facts *out, const dataset *data, const input_source *rows, bool shared_scale,
                         cnm_error *err);

#endif
