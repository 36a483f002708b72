/* One row at a time: input stage, map and head on scratch that is kept between calls. */
#include "model/predict_row.h"

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"

struct cnm_predictor {
    const cnm_model *model;
    input_source source; /* of a single row, wherever that is */
    float *centre;       /* the source's fill of rows with NaN, where the model has none; or NULL */
    input_block block;
    float *z, *scratch;
};

static cnm_status take_memory(row_predictor *self, cnm_error *err) {
    const cnm_model *model = self->model;
    input_block *block = &self->block;
    const size_t columns = model->input.columns;
    TRY(memory_take(&block->values, columns, sizeof(float), "a row", err));
    if (self->source.sparse) { /* space for a row without zeros, so that the block never grows */
        block->capacity = columns;
        TRY(memory_take(&block->index, columns, sizeof *block->index, "a row", err));
        TRY(memory_take(&block->starts, 2, sizeof *block->starts, "a row", err));
    }
    TRY(memory_take(&self->z, model->map->features, sizeof(float), "features", err));
    return memory_take(&self->scratch, map_scratch_size(model->map), sizeof(float), "a map's scratch", err);
}

cnm_status row_predictor_create(row_predictor **out, const cnm_model *model, cnm_error *err) {
    *out = NULL;
    if (model->outputs == 0) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "this model is a map without a head: it transforms rows but predicts nothing");
    }
    row_predictor *self;
    TRY(memory_zeroed(&self, 1, sizeof *self, "a predictor", err));
    const rows_view rows = {.rows = 1, .columns = model->input.columns, .stride = model->input.columns};
    self->model = model;
    cnm_status status = CNM_OK;
    TRY_DONE(input_bind(&self->source, &model->input, &rows, map_first(model->map)->projection->sparse, err));
    if (self->source.fill == NULL) {
        TRY_DONE(input_fill_centre(&self->source, err));
        self->centre = self->source.fill;
        self->source.fill = NULL;
    }
    TRY_DONE(take_memory(self, err));
    *out = self;
    return CNM_OK;
done:
    row_predictor_destroy(self);
    return status;
}

void row_predictor_destroy(row_predictor *self) {
    if (self != NULL) {
        if (self->centre != NULL) {
            self->source.fill = self->centre;
        }
        input_unbind(&self->source);
        input_block_free(&self->block);
        memory_free(self->z);
        memory_free(self->scratch);
        memory_free(self);
    }
}

void row_predictor_scores(row_predictor *self, const float *row, float *scores) {
    self->source.rows.values = row;
    if (self->centre != NULL) {
        self->source.fill = rows_have_nan(&self->source.rows) ? self->centre : NULL;
    }
    input_take_row(&self->source, 0, &self->block);
    map_features(self->model->map, &self->block.view, 1.0F, self->z, self->scratch);
    model_head(self->model, self->z, 1, scores);
}
