/* Runs rows through a model in blocks of GEMM_ROWS: features or scores, in memory that does not
 * grow with the rows. One row at a time is in predict_row.c. */
#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/threads/threads.h"
#include "math/gemm/gemm.h"
#include "model/model.h"

/* A cosine costs about as much as this many products, and starting a thread as this many. */
static const double COSINE_PRODUCTS = 32.0, PRODUCTS_OF_A_START = 2e6;

/* One worker's memory: a block of rows, their features where only scores are wanted, the map's
 * scratch. */
typedef struct workspace {
    input_block block;
    float *z, *scratch;
    cnm_status status;
} workspace;

typedef struct run {
    const cnm_model *model;
    input_source source;
    workspace *workers;
    float *scores, *z; /* one of them is NULL */
} run;

static cnm_status workspace_create(workspace *self, const run *owner, cnm_error *err) {
    const cnm_model *model = owner->model;
    TRY(input_block_create(&self->block, &owner->source, GEMM_ROWS, err));
    if (owner->scores != NULL) {
        TRY(memory_take(&self->z, model->map->features, GEMM_ROWS * sizeof(float), "features", err));
    }
    return memory_take(&self->scratch, map_scratch_size(model->map), sizeof(float), "a map's scratch", err);
}

static void workspace_free(workspace *self) {
    input_block_free(&self->block);
    memory_free(self->z);
    memory_free(self->scratch);
}

void model_head(const cnm_model *self, const float *z, size_t rows, float *scores) {
    const size_t k = self->map->features, outputs = self->outputs;
    gemm(&(gemm_call){.m = rows,
                      .n = outputs,
                      .k = k,
                      .a = z,
                      .lda = k,
                      .b = self->weights,
                      .ldb = outputs,
                      .c = scores,
                      .ldc = outputs});
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < outputs; j++) {
            scores[i * outputs + j] += self->bias[j];
        }
    }
}

/* Takes rows from `first` on as the map takes them. */
static cnm_status take_rows(const input_source *source, size_t first, size_t rows, input_block *block) {
    if (input_is_plain(source)) {
        block->view = rows_slice(source->rows, first, rows);
        return CNM_OK;
    }
    return input_take(source, NULL, first, rows, block, NULL);
}

static void run_block(void *context, size_t index, size_t worker) {
    run *self = context;
    workspace *work = &self->workers[worker];
    const map *own = self->model->map;
    const size_t first = index * GEMM_ROWS, left = self->source.rows.rows - first;
    const size_t rows = left < GEMM_ROWS ? left : GEMM_ROWS;
    const cnm_status status = take_rows(&self->source, first, rows, &work->block);
    if (status != CNM_OK) {
        work->status = status;
        return;
    }
    if (self->z != NULL) {
        map_features(own, &work->block.view, own->scale, self->z + first * own->features, work->scratch);
    } else {
        map_features(own, &work->block.view, 1.0F, work->z, work->scratch);
        model_head(self->model, work->z, rows, self->scores + first * self->model->outputs);
    }
}

/* Creates a pool of no more workers than blocks, and without workers whose start would take longer
 * than their share of the work: the bits are the same. */
static thread_pool *worthwhile_pool(const cnm_model *model, size_t blocks, size_t threads) {
    double each = (double)model->map->features * (double)model->outputs;
    for (size_t i = 0; i < model->map->layer_count; i++) {
        const layer *own = model->map->layers[i];
        each += (double)own->features * ((double)own->columns + COSINE_PRODUCTS);
    }
    const double products = (double)blocks * GEMM_ROWS * each;
    const double most = products / PRODUCTS_OF_A_START;
    threads = threads == 0 ? threads_available() : threads;
    threads = threads > blocks ? blocks : threads;
    threads = (double)threads > most ? (size_t)most : threads;
    return thread_pool_create(threads == 0 ? 1 : threads);
}

/* Binds the model's input to the rows. Where cells are missing and the model has no fill, the
 * column's centre stands for them. */
static cnm_status bind(run *self, const rows_view *rows, cnm_error *err) {
    const cnm_model *model = self->model;
    TRY(input_bind(&self->source, &model->input, rows, map_first(model->map)->projection->sparse, err));
    return model->input.fill == NULL && rows_have_nan(rows) ? input_fill_centre(&self->source, err) : CNM_OK;
}

static cnm_status run_all(run *self, const rows_view *rows, size_t threads, cnm_error *err) {
    const cnm_model *model = self->model;
    if (rows->columns != model->input.columns) {
        return error_set(err, CNM_BAD_ARGUMENT, "the rows have %zu columns, the model expects %zu", rows->columns,
                         model->input.columns);
    }
    const size_t blocks = (rows->rows + GEMM_ROWS - 1) / GEMM_ROWS;
    thread_pool *pool = worthwhile_pool(model, blocks, threads);
    const size_t workers = thread_pool_size(pool);
    cnm_status status = CNM_OK;
    TRY_DONE(bind(self, rows, err));
    TRY_DONE(memory_zeroed(&self->workers, workers, sizeof *self->workers, "workers", err));
    for (size_t i = 0; i < workers; i++) {
        TRY_DONE(workspace_create(&self->workers[i], self, err));
    }
    threads_for(pool, blocks, run_block, self);
    for (size_t i = 0; i < workers; i++) {
        if (self->workers[i].status != CNM_OK) {
            TRY_DONE(error_set(err, self->workers[i].status, "out of memory for a block of sparse rows"));
        }
    }
done:
    for (size_t i = 0; self->workers != NULL && i < workers; i++) {
        workspace_free(&self->workers[i]);
    }
    thread_pool_destroy(pool);
    memory_free(self->workers);
    input_unbind(&self->source);
    return status;
}

cnm_status model_scores(const cnm_model *self, const rows_view *rows, size_t threads, float *scores, cnm_error *err) {
    if (self->outputs == 0) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "this model is a map without a head: it transforms rows but predicts nothing");
    }
    return run_all(&(run){.model = self, .scores = scores}, rows, threads, err);
}

cnm_status model_transform(const cnm_model *self, const rows_view *rows, size_t threads, float *z, cnm_error *err) {
    return run_all(&(run){.model = self, .z = z}, rows, threads, err);
}
