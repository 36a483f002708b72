/* What is known about rows that are square images of one channel. */
#ifndef CNM_LEARN_DETECT_IMAGE_FACTS_H
#define CNM_LEARN_DETECT_IMAGE_FACTS_H

#include "learn/dataset/dataset.h"

typedef struct image_facts {
    size_t width;     /* pixels in a line; 0: rows are no images */
    double translate; /* the usual translation of such images in training, in pixels */
    bool mirror;      /* mirrored images are as near to others of their class as the images are */
} image_facts;

#endif
