/* Creates and frees canvases. */
#include "demo/canvas.h"

#include <stdlib.h>
#include <string.h>

#include "report_error.h"

const unsigned char CANVAS_COLOURS[DOT_KINDS][3] = {
    {175, 215, 255}, {255, 215, 175}, {0, 95, 175}, {215, 95, 0}, {255, 255, 255}};

cnm_status canvas_create(canvas *out, size_t width, size_t height, cnm_error *error) {
    *out = (canvas){width, height, malloc(width * height)};
    if (out->dots == NULL) {
        return error_fill(error, CNM_NO_MEMORY, "out of memory");
    }
    memset(out->dots, DOT_BLANK, width * height);
    return CNM_OK;
}

void canvas_free(canvas *self) {
    free(self->dots);
    *self = (canvas){0};
}
