/* The columns that a caller gives: the encoder's where a model has one, else its features. Tables
 * of either are predicted. */
#ifndef CNM_MODEL_MODEL_COLUMNS_H
#define CNM_MODEL_MODEL_COLUMNS_H

#include "model/model.h"

/* The value of the record's entry RECORD_MISSING where missing cells are an error. */
#define RECORD_MISSING "missing"
#define MISSING_IS_ERROR "error"

/* Gives the model an encoder, which may be NULL and is the model's also where this fails.
 * from_names: it was made by encoder_from_names. */
cnm_status model_set_encoder(cnm_model *self, encoder *by, bool from_names, cnm_error *err);

size_t model_columns(const cnm_model *self);
/* Returns NULL where the column has no name. */
const char *model_column_name(const cnm_model *self, size_t column);
/* Returns the base of a column of tables of `columns` columns; see rows_view. */
double model_column_base(const cnm_model *self, size_t columns, size_t column);
/* Returns whether missing cells of rows to predict are an error. */
bool model_refuses_missing(const cnm_model *self);

/* Checks that the rows are of the model's columns, or of its features; names, where both sides have
 * them, must be the same. *encode = whether the encoder is to be applied. Fails with
 * CNM_BAD_ARGUMENT. */
cnm_status model_check_table(const cnm_model *self, const table *rows, bool *encode, cnm_error *err);

/* model_scores and model_transform of the rows of a table of columns or of features; columns are
 * encoded a block of rows at a time. */
cnm_status model_table_scores(const cnm_model *self, const table *rows, size_t threads, float *scores, cnm_error *err);
cnm_status model_table_transform(const cnm_model *self, const table *rows, size_t threads, float *z, cnm_error *err);

/* Counts in a table that model_check_table takes what training never saw, and adds it to arrays
 * (rows->columns each): words that are none of the encoder's, in columns without a feature for
 * other words; missing cells for which the model has no fill, so that the column's centre is
 * taken. */
cnm_status model_count_unseen(const cnm_model *self, const table *rows, uint64_t *words, uint64_t *missing,
                              cnm_error *err);

#endif
