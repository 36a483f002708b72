/* A canvas as a picture file. */
#ifndef CNM_CLI_PICTURE_H
#define CNM_CLI_PICTURE_H

#include <stdbool.h>

#include "canvas.h"

/* Whether the name ends in .png or .svg. */
bool picture_has_format(const char *path);
cnm_status picture_write(const canvas *picture, const char *path, cnm_error *error);

#endif
