/* Paints a model's decision regions in the plane: one prediction a dot. */
#include "demo/demo_regions.h"

#include <stdlib.h>
#include <string.h>

#include "report_error.h"

static const double REACH = 1.25;

/* Fills grid (side * side, 2) with the centres of the dots, the top row first. */
static void fill_grid(size_t side, float *grid) {
    for (size_t i = 0; i < side * side; i++) {
        grid[2 * i] = (float)(REACH * (2 * ((double)(i % side) + 0.5) / (double)side - 1));
        grid[2 * i + 1] = (float)(REACH * (1 - 2 * ((double)(i / side) + 0.5) / (double)side));
    }
}

static void set_dot(const panel *self, size_t x, size_t y, int dot) {
    self->canvas->dots[y * self->canvas->width + self->left + x] = (unsigned char)dot;
}

cnm_status regions_paint(const panel *self, const cnm_model *model, const char *second, cnm_error *error) {
    const size_t side = self->side, count = side * side;
    float *grid = malloc(count * 2 * sizeof *grid);
    int32_t *classes = malloc(count * sizeof *classes);
    cnm_data *data = NULL;
    cnm_status status;
    TRY_DONE(grid != NULL && classes != NULL ? CNM_OK : error_fill(error, CNM_NO_MEMORY, "out of memory"));
    fill_grid(side, grid);
    TRY_DONE(cnm_data_view_dense(&data, grid, count, 2, 2, error));
    TRY_DONE(cnm_predict_classes(model, data, 0, classes, error));
    for (size_t i = 0; i < count; i++) {
        const int is_second = strcmp(cnm_model_label(model, (size_t)classes[i]), second) == 0;
        set_dot(self, i % side, i / side, DOT_REGION + is_second);
    }
done:
    cnm_data_destroy(data);
    free(grid);
    free(classes);
    return status;
}

void regions_mark(const panel *self, const float *points, const int *classes, size_t rows) {
    for (size_t i = 0; i < rows; i++) {
        const double x = ((double)points[2 * i] / REACH + 1) / 2 * (double)self->side;
        const double y = (1 - (double)points[2 * i + 1] / REACH) / 2 * (double)self->side;
        if (x >= 0 && y >= 0 && x < (double)self->side && y < (double)self->side) {
            set_dot(self, (size_t)x, (size_t)y, DOT_ROW + classes[i]);
        }
    }
}
