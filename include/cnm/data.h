/* Rows: from memory, from files, whole or a batch at a time. Included by cnm/cnm.h, which has the
 * rules for all functions. */
#ifndef CNM_DATA_H
#define CNM_DATA_H

#include "cnm/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- From memory ---- */

/* Makes rows that borrow `values` (rows, columns), `stride` floats from row to row. The array must
 * outlive the object; nothing is written to it.
 * Fails with CNM_BAD_ARGUMENT for no columns, or a stride below columns. */
CNM_NODISCARD CNM_API cnm_status cnm_data_view_dense(cnm_data **out, const float *values, size_t rows, size_t columns,
                                                     size_t stride, cnm_error *err);

/* Makes sparse rows that borrow three arrays: row i holds values[starts[i] .. starts[i+1]) at
 * columns index[...], which ascend and are below columns. starts has rows + 1 entries. The arrays
 * must outlive the object.
 * Fails with CNM_BAD_ARGUMENT where starts go down, or indices do not ascend; all of them are
 * checked here. */
CNM_NODISCARD CNM_API cnm_status cnm_data_view_csr(cnm_data **out, const float *values, const uint32_t *index,
                                                   const size_t *starts, size_t rows, size_t columns, cnm_error *err);

/* Copies rows from doubles, values (rows, columns), `stride` doubles from row to row. Columns far
 * from zero keep their digits. For rows to predict pass the model, so that each row gets the same
 * bits whatever rows it comes with; for rows to train on pass NULL.
 * Fails as cnm_data_view_dense. */
CNM_NODISCARD CNM_API cnm_status cnm_data_copy_double(cnm_data **out, const double *values, size_t rows, size_t columns,
                                                      size_t stride, const cnm_model *model, cnm_error *err);

CNM_API void cnm_data_destroy(cnm_data *data);

/* The functions below copy an array that has one entry a row; NULL removes what was set. */

/* Sets the labels as texts. Texts that are all numbers are the same labels as cnm_data_set_targets
 * of these numbers.
 * Fails with CNM_BAD_ARGUMENT for a text that is NULL. */
CNM_NODISCARD CNM_API cnm_status cnm_data_set_labels(cnm_data *data, const char *const *labels, cnm_error *err);
/* Sets the labels as numbers: regression targets, or classes. */
CNM_NODISCARD CNM_API cnm_status cnm_data_set_targets(cnm_data *data, const double *targets, cnm_error *err);
/* Sets how much each row counts in a training.
 * Fails with CNM_BAD_ARGUMENT for a weight that is not a finite number from 0. */
CNM_NODISCARD CNM_API cnm_status cnm_data_set_weights(cnm_data *data, const double *weights, cnm_error *err);
/* Sets the group of each row. Rows of one group are never split between training and validation: in
 * the option "validation", the search before a training, calibration, and cnm_data_folds. */
CNM_NODISCARD CNM_API cnm_status cnm_data_set_groups(cnm_data *data, const uint64_t *groups, cnm_error *err);
/* Sets the columns' names, one entry a column. A model keeps them. */
CNM_NODISCARD CNM_API cnm_status cnm_data_set_names(cnm_data *data, const char *const *names, cnm_error *err);

/* ---- Columns that are not numbers ---- */

/* Makes a column, counted from 0, one of words: its cells are positions in `words` (count texts in
 * UTF-8, all different), NaN where a cell is missing. The texts are copied. A training makes
 * features of 0 and 1 from them, and reads columns whose words are all numbers or times as such:
 * docs/reference/columns.md has the rules.
 * Fails with CNM_BAD_ARGUMENT for a column that does not exist, sparse rows, a cell that is no
 * position, and words that are NULL, equal or not in UTF-8. */
CNM_NODISCARD CNM_API cnm_status cnm_data_set_words(cnm_data *data, size_t column, const char *const *words,
                                                    size_t count, cnm_error *err);
/* Does the same for words that are categories even where all are numbers or times (postal codes,
 * months): they are not read as such.
 * Fails as cnm_data_set_words. */
CNM_NODISCARD CNM_API cnm_status cnm_data_set_categories(cnm_data *data, size_t column, const char *const *words,
                                                         size_t count, cnm_error *err);
/* Makes a column, counted from 0, one of times: its cells are days since 1970-01-01T00:00 UTC, NaN
 * where a cell is missing. cnm_data_copy_double keeps the digits of times of a day.
 * Fails with CNM_BAD_ARGUMENT for a column that does not exist, and sparse rows. */
CNM_NODISCARD CNM_API cnm_status cnm_data_set_times(cnm_data *data, size_t column, cnm_error *err);

/* ---- From files ---- */

/* Reads all rows of a file as the options of CNM_FOR_DATA say: format, label column, rows, shuffle,
 * ...
 *   path       "-" is standard input; the format of text, gzipped or not, is recognised by its
 *              content
 *   options    NULL: the defaults
 *   model      for rows to predict or to continue with: columns are matched to the model's, and its
 *              label column and positive labels are used; NULL for rows to train on
 *   callbacks  or NULL
 * Fails with CNM_IO_FAILED; CNM_BAD_FORMAT and the line, for text that is not in its format;
 * CNM_BAD_DATA for columns that do not fit, or missing values where they are not allowed;
 * CNM_BAD_ARGUMENT for a column that is not there; CNM_CANCELLED. */
CNM_NODISCARD CNM_API cnm_status cnm_data_load(cnm_data **out, const char *path, const cnm_options *options,
                                               const cnm_model *model, const cnm_callbacks *callbacks, cnm_error *err);

/* Writes rows, and labels where there are any. The file is written aside and renamed: an
 * interruption leaves the old one.
 *   format       "libsvm", "csv" or "npy"; NULL goes by the ending of the path
 *   labels_path  where the labels of an .npy go, or NULL
 * Fails with CNM_IO_FAILED; CNM_BAD_ARGUMENT for an unknown format. */
CNM_NODISCARD CNM_API cnm_status cnm_data_save(const cnm_data *data, const char *path, const char *format,
                                               const char *labels_path, cnm_error *err);

/* Opens a file to read a batch at a time, so that memory does not grow with its rows. Arguments as
 * for cnm_data_load; options and model are needed during this call only.
 * Fails as cnm_data_load; with CNM_BAD_ARGUMENT for the option "shuffle", which needs all rows. */
CNM_NODISCARD CNM_API cnm_status cnm_reader_open(cnm_reader **out, const char *path, const cnm_options *options,
                                                 const cnm_model *model, const cnm_callbacks *callbacks,
                                                 cnm_error *err);
/* *out = the next rows, at most max_rows, at least one; NULL behind the last row.
 * Fails as cnm_data_load. */
CNM_NODISCARD CNM_API cnm_status cnm_reader_next(cnm_reader *reader, size_t max_rows, cnm_data **out, cnm_error *err);
CNM_API void cnm_reader_destroy(cnm_reader *reader);

/* ---- What rows are ---- */

CNM_API size_t cnm_data_rows(const cnm_data *data);
CNM_API size_t cnm_data_columns(const cnm_data *data);
/* Returns the number of cells in memory: rows * columns when dense, the stored ones when sparse. */
CNM_API size_t cnm_data_cells(const cnm_data *data);
/* Returns non-zero for sparse rows. */
CNM_API int cnm_data_is_sparse(const cnm_data *data);
/* Returns non-zero for rows with labels or targets. */
CNM_API int cnm_data_is_labelled(const cnm_data *data);
/* Fills `out` (size bytes) with a row's label as text, cut where it is too long, NUL-terminated.
 * out may be NULL where size is 0. Returns the full length; 0 for a row without label, or behind
 * the last. */
CNM_API size_t cnm_data_label(const cnm_data *data, size_t row, char *out, size_t size);
/* Returns the name of a column, counted from 0; NULL behind the last, or where columns have no
 * names. */
CNM_API const char *cnm_data_column_name(const cnm_data *data, size_t column);
/* Fills `out` with a row's cell of the column that the option "id" names, or its number, as
 * cnm_data_label does. Returns 0 where rows were read without that option. */
CNM_API size_t cnm_data_id(const cnm_data *data, size_t row, char *out, size_t size);
/* Fills values (columns) with one row; of words, their positions.
 * Fails with CNM_BAD_ARGUMENT for a row that does not exist. */
CNM_NODISCARD CNM_API cnm_status cnm_data_row(const cnm_data *data, size_t row, float *values, cnm_error *err);
/* Returns a checksum of all values, labels, weights and groups, to recognise the same rows again:
 * against accidents, not against malice. */
CNM_API uint64_t cnm_data_checksum(const cnm_data *data);

/* ---- Rows from rows ---- */

/* Copies `count` rows at these positions (from 0, in any order and as often as wanted), with their
 * labels, weights and groups, and the columns' names.
 * Fails with CNM_BAD_ARGUMENT for a row that does not exist. */
CNM_NODISCARD CNM_API cnm_status cnm_data_select(cnm_data **out, const cnm_data *data, const size_t *rows, size_t count,
                                                 cnm_error *err);

/* Splits rows into the folds of a cross-validation: fills fold (rows) with numbers below `folds`,
 * and *classes with the number of classes, 0 for regression (the option "task" says which). Each
 * class, or all rows of a regression, is cut into contiguous pieces in the order of the rows, so
 * that rows ordered in time are not predicted from their neighbours. Groups stay whole: each fold
 * then gets about the same number of rows of each class.
 * Fails with CNM_BAD_DATA for rows without labels, of one class, or too few for the folds;
 * CNM_BAD_ARGUMENT for 0 folds. */
CNM_NODISCARD CNM_API cnm_status cnm_data_folds(const cnm_data *data, const cnm_options *options, size_t folds,
                                                size_t *fold, size_t *classes, cnm_error *err);

/* Marks random rows to be kept out of a training: fills held (rows) with 1 for about `share` of the
 * rows of each class, or of all rows of a regression (the option "task" says which), and with 0 for
 * the others. Groups stay whole, and each class keeps a row that is not held. The option "seed"
 * decides which rows these are.
 * Fails with CNM_BAD_ARGUMENT for a share that is not between 0 and 1; CNM_BAD_DATA for rows
 * without labels, of one class, or too few. */
CNM_NODISCARD CNM_API cnm_status cnm_data_hold_out(const cnm_data *data, const cnm_options *options, double share,
                                                   size_t *held, cnm_error *err);

#ifdef __cplusplus
}
#endif
#endif
