/* A trained model: input stage, map, linear head, labels, and its record. Immutable
 * once finished: any number of threads may predict with it.
 *
 *   scores (rows, outputs) = z (rows, features) * weights + bias
 *   z = activation(projection(u) + phase), without sqrt(2/k): the weights contain constant factors
 *
 * Two classes have one output: the second class where it is positive. */
#ifndef CNM_MODEL_MODEL_H
#define CNM_MODEL_MODEL_H

#include "data/encode/encoder.h"
#include "data/table/classes.h"
#include "model/history.h"
#include "model/metadata.h"
#include "model/preprocess.h"

typedef struct cnm_model {
    task_kind task;
    encoder *encoder;          /* from columns to features, or NULL: they are the same */
    bool from_names;           /* the encoder follows from the names of the features: files leave it out */
    const char **column_names; /* (encoder->columns) texts of the encoder; NULL where not all have one */
    double *column_base;       /* (encoder->columns) or NULL: see rows_view */
    input_stage input;
    map *map;
    size_t outputs;         /* 0 for a map without a head */
    float *weights;         /* (features, outputs) */
    float *bias;            /* (outputs) */
    float *decision_offset; /* (outputs) or NULL: the part of bias that probabilities leave out */
    class_set classes;
    char **names;       /* (input.columns) of the features, or NULL */
    record record;      /* method, options, training: texts in order */
    record description; /* what inspect shows: see model_describe */
    history history;    /* of the training; empty after loading */
} cnm_model;

cnm_status model_create(cnm_model **out, cnm_error *err);
void model_destroy(cnm_model *self);

/* Fills scores (rows, outputs). Fails with CNM_BAD_ARGUMENT where the rows have other columns. */
cnm_status model_scores(const cnm_model *self, const rows_view *rows, size_t threads, float *scores, cnm_error *err);
/* Fills z (rows, features), the map's scale included. */
cnm_status model_transform(const cnm_model *self, const rows_view *rows, size_t threads, float *z, cnm_error *err);
/* Fills scores (rows, outputs) of features z (rows, features): z * weights + bias. A row's bits do
 * not depend on how many rows there are. */
void model_head(const cnm_model *self, const float *z, size_t rows, float *scores);
/* Returns the class that a row of scores stands for: the first of the largest. */
int32_t model_decide(const cnm_model *self, const float *scores);

/* *bytes = the file, to be freed with memory_free. */
cnm_status model_to_bytes(const cnm_model *self, unsigned char **bytes, size_t *size, cnm_error *err);
/* *size = how many bytes the file has. */
cnm_status model_size(const cnm_model *self, size_t *size, cnm_error *err);
/* `name` is for messages. bytes must be 8-byte aligned; they are not kept. */
cnm_status model_from_bytes(cnm_model **out, const void *bytes, size_t size, const char *name, cnm_error *err);

/* Fills self->description with all that `inspect` shows, in order: shapes and size first, then the
 * record. The last step of making a model; bytes is the size of its file, 0 when that is to be
 * found out. */
cnm_status model_describe(cnm_model *self, size_t bytes, cnm_error *err);

#endif
