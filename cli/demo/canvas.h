/* A small picture in a few colours: decision regions and training rows. */
#ifndef CNM_CLI_DEMO_CANVAS_H
#define CNM_CLI_DEMO_CANVAS_H

#include <stddef.h>

#include "cnm/types.h"

/* The kind of a dot. Odd codes belong to the second class. */
enum { DOT_REGION = 0, DOT_ROW = 2, DOT_BLANK = 4, DOT_KINDS = 5 };

typedef struct canvas {
    size_t width, height;
    unsigned char *dots; /* (height, width), the top row first */
} canvas;

/* Creates a blank canvas. */
cnm_status canvas_create(canvas *out, size_t width, size_t height, cnm_error *error);
void canvas_free(canvas *self);

/* Red, green and blue of each kind of dot. */
extern const unsigned char CANVAS_COLOURS[DOT_KINDS][3];

#endif
