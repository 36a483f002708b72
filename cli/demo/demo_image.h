/* Writes a canvas into a picture file. */
#ifndef CNM_CLI_DEMO_DEMO_IMAGE_H
#define CNM_CLI_DEMO_DEMO_IMAGE_H

#include <stdbool.h>

#include "demo/canvas.h"

/* Returns whether the name ends in .png or .svg. */
bool picture_has_format(const char *path);
cnm_status picture_write(const canvas *picture, const char *path, cnm_error *error);

#endif
