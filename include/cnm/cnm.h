/* cnm: compact nonlinear maps.
 *
 * Learns scores(x) = W^T Z(x) + c with Z(x) = sqrt(2/k) cos(Theta^T x + b): the accuracy of a kernel machine from a model
 * of a few kilobytes. In five calls:
 *
 *     cnm_options *options; cnm_data *train, *test; cnm_model *model; cnm_error error;
 *     cnm_options_create(&options, &error);
 *     cnm_options_set(options, "features", "128", &error);
 *     cnm_data_load(&train, "train.csv", options, NULL, NULL, &error);
 *     cnm_train(&model, train, options, NULL, &error);
 *     cnm_model_save(model, "train.cnm", &error);
 *
 * Rules that hold for every function here:
 * - What can fail returns a cnm_status and takes a cnm_error, which may be NULL. On failure outputs are NULL, inputs are
 *   untouched and nothing is leaked. The library never prints, exits, or touches the locale.
 * - `create`, `load`, `open`, `copy` and `view` functions that fill a pointer give an object to the caller, who ends it with
 *   the matching `destroy` (NULL is fine). What a `const char *` return value points to belongs to the object asked.
 * - Different objects may be used from different threads. One model may be used by any number of threads at once. Options,
 *   data and readers may be read by many threads, or changed by one.
 * - The fastest kernels that the machine has are used. The environment's CNM_KERNELS names others, for tests: "reference" computes in
 *   plain loops, the same bits on every machine and in every version. A name that the machine does not have fails where a
 *   model is trained or loaded.
 * - Arrays are row-major. rows counts rows, columns input columns (d), features the map's outputs (k), outputs the scores
 *   of a row: 1 for two classes and for regression, otherwise one per class. */
#ifndef CNM_CNM_H
#define CNM_CNM_H

#include "cnm/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(CNM_BUILDING) && defined(__GNUC__)
#define CNM_API __attribute__((visibility("default")))
#else
#define CNM_API
#endif

#define CNM_VERSION_MAJOR 0
#define CNM_VERSION_MINOR 1
#define CNM_VERSION_PATCH 0

typedef struct cnm_options cnm_options;
typedef struct cnm_data cnm_data;
typedef struct cnm_model cnm_model;
typedef struct cnm_reader cnm_reader;
typedef struct cnm_evaluation cnm_evaluation;
typedef struct cnm_predictor cnm_predictor;

/* "0.1.0". */
CNM_API const char *cnm_version(void);
/* A status in a few words, for a program that has no cnm_error at hand. */
CNM_API const char *cnm_status_text(cnm_status status);

/* ---- Options: everything that can be set, by name, in one table ---- */

/* Which commands an option belongs to; a set of bits. */
enum { CNM_FOR_TRAIN = 1, CNM_FOR_DATA = 2, CNM_FOR_PREDICT = 4 };

/* One row of the table. All texts are static. */
typedef struct cnm_option_info {
    const char *name;    /* "features"; --features in the command */
    char letter;         /* 'k', or 0 */
    const char *type;    /* "choice", "count", "number", "text" or "flag" */
    const char *initial; /* the default, as text */
    const char *values;  /* for people: "auto|f32|f16", "1 to 1e9", "FILE" */
    const char *help;    /* one line */
    const char *group;   /* heading in the manual: "Method", "Training", "Data", ... */
    unsigned purpose;    /* CNM_FOR_... bits */
} cnm_option_info;

CNM_API size_t cnm_options_count(void);
/* Non-zero when i is below the count. */
CNM_API int cnm_options_describe(size_t i, cnm_option_info *info);

CNM_API cnm_status cnm_options_create(cnm_options **out, cnm_error *err);
CNM_API cnm_status cnm_options_copy(cnm_options **out, const cnm_options *options, cnm_error *err);
CNM_API void cnm_options_destroy(cnm_options *options);
/* Checks and stores one value. An unknown name or a value out of range fails and names what would be right. */
CNM_API cnm_status cnm_options_set(cnm_options *options, const char *name, const char *value, cnm_error *err);
/* The value in force, as text; NULL for an unknown name. */
CNM_API const char *cnm_options_get(const cnm_options *options, const char *name);
/* Whether what was set makes sense together for a training: an option that would be ignored fails with a sentence. cnm_train asks
 * this first; a program may ask before it reads the data. */
CNM_API cnm_status cnm_options_check(const cnm_options *options, cnm_error *err);

/* ---- Data ---- */

/* All rows of a file ("-" is standard input), read as the options of CNM_FOR_DATA say: format, label column, --rows, --shuffle ...
 * With a model, columns are matched to it, and its own label column and --positive are used; without one pass NULL. Text
 * formats, gzipped or not, are told by their content. */
CNM_API cnm_status cnm_data_load(cnm_data **out, const char *path, const cnm_options *options, const cnm_model *model,
                                 const cnm_callbacks *callbacks, cnm_error *err);

/* Borrowed rows: `values` (rows, columns), stride floats from row to row. They must outlive the object. */
CNM_API cnm_status cnm_data_view_dense(cnm_data **out, const float *values, size_t rows, size_t columns, size_t stride,
                                       cnm_error *err);
/* Borrowed sparse rows: row i holds values[starts[i] .. starts[i+1]) at columns index[...], ascending, below columns. All is
 * checked here once. */
CNM_API cnm_status cnm_data_view_csr(cnm_data **out, const float *values, const uint32_t *index, const size_t *starts,
                                     size_t rows, size_t columns, cnm_error *err);
/* Copied rows from doubles: columns far from zero keep their digits. Rows that a model is to predict get that model, so that each
 * keeps its bits whatever rows it comes with; rows to train on get NULL. */
CNM_API cnm_status cnm_data_copy_double(cnm_data **out, const double *values, size_t rows, size_t columns,
                                        size_t stride, const cnm_model *model, cnm_error *err);
/* Labels, weights and groups are copied; each array has one entry a row. NULL takes them away. Rows of the same group are never split
 * between rows that train and rows that judge: --validation, the choices before a training, calibration, cnm_data_parts. */
CNM_API cnm_status cnm_data_set_labels(cnm_data *data, const char *const *labels, cnm_error *err);
CNM_API cnm_status cnm_data_set_targets(cnm_data *data, const double *targets, cnm_error *err);
CNM_API cnm_status cnm_data_set_weights(cnm_data *data, const double *weights, cnm_error *err);
CNM_API cnm_status cnm_data_set_groups(cnm_data *data, const uint64_t *groups, cnm_error *err);
CNM_API cnm_status cnm_data_set_names(cnm_data *data, const char *const *names, cnm_error *err);
CNM_API void cnm_data_destroy(cnm_data *data);

/* A copy of the rows at these positions (count of them, from 0, in any order and as often as wanted), with their labels, weights and
 * groups and the columns' names. */
CNM_API cnm_status cnm_data_select(cnm_data **out, const cnm_data *data, const size_t *rows, size_t count,
                                   cnm_error *err);
/* A part for each row of a cross-validation: part (rows) gets numbers below parts. Each class is cut into as many contiguous pieces
 * in the order of the rows, all rows where the task is regression, so that rows which come in time are not told by their
 * neighbours. Groups stay whole: then each part gets about the same number of rows of each class. *classes = how many there are, 0 for regression; the options say what the task is. */
CNM_API cnm_status cnm_data_parts(const cnm_data *data, const cnm_options *options, size_t parts, size_t *part,
                                  size_t *classes, cnm_error *err);
/* Of all values, labels, weights and groups: to recognise the same rows again. Against accidents, not against malice. */
CNM_API uint64_t cnm_data_checksum(const cnm_data *data);

CNM_API size_t cnm_data_rows(const cnm_data *data);
CNM_API size_t cnm_data_columns(const cnm_data *data);
/* Cells in memory: rows * columns when dense, the stored ones when sparse. */
CNM_API size_t cnm_data_cells(const cnm_data *data);
CNM_API int cnm_data_is_sparse(const cnm_data *data);
CNM_API int cnm_data_is_labelled(const cnm_data *data);
/* A row's label as text in `out` (cut at size, NUL-terminated); returns the full length, 0 when unlabelled. */
CNM_API size_t cnm_data_label(const cnm_data *data, size_t row, char *out, size_t size);
/* values (columns) = one row, as float. */
CNM_API cnm_status cnm_data_row(const cnm_data *data, size_t row, float *values, cnm_error *err);

/* Writes rows (and labels) as "libsvm", "csv" or "npy"; format NULL goes by the name's ending. labels_path: where an .npy's
 * labels go, or NULL. Written aside and renamed: an interruption leaves the old file. */
CNM_API cnm_status cnm_data_save(const cnm_data *data, const char *path, const char *format, const char *labels_path,
                                 cnm_error *err);

/* A file a batch at a time, so that memory does not grow with its rows. --shuffle is refused here; --rows is followed. */
CNM_API cnm_status cnm_reader_open(cnm_reader **out, const char *path, const cnm_options *options,
                                   const cnm_model *model, const cnm_callbacks *callbacks, cnm_error *err);
/* *out = NULL after the last row. */
CNM_API cnm_status cnm_reader_next(cnm_reader *reader, size_t max_rows, cnm_data **out, cnm_error *err);
CNM_API void cnm_reader_destroy(cnm_reader *reader);

/* ---- Training ---- */

/* Learns a model from labelled rows as the options say. The same data, options and seed give the same bits for any number
 * of threads. A callback that asks to stop gives CNM_CANCELLED and, when the model is usable already, the model. With the
 * option "checkpoint" the state is written to that file now and then; with "resume" too, a training goes on from there and ends
 * with the bits of one that was never interrupted. A file of other data or options is CNM_BAD_ARGUMENT, a damaged one
 * CNM_BAD_FORMAT. */
CNM_API cnm_status cnm_train(cnm_model **out, const cnm_data *data, const cnm_options *options,
                             const cnm_callbacks *callbacks, cnm_error *err);

/* Goes on with the joint training of a model on new rows of the same columns and labels, and gives a new model; the old one stays as
 * it is. Where the options ask for more features than it has, new random ones join the old. What the model is (projection,
 * activation, kernel, gamma, scaling, task) stays; --epochs (3 unless set; a whole training when it grows), --batch, --loss,
 * --validation, --seed and --threads count. */
CNM_API cnm_status cnm_train_more(cnm_model **out, const cnm_model *model, const cnm_data *data,
                                  const cnm_options *options, const cnm_callbacks *callbacks, cnm_error *err);

/* ---- Models ---- */

CNM_API cnm_status cnm_model_load(cnm_model **out, const char *path, cnm_error *err);
CNM_API cnm_status cnm_model_save(const cnm_model *model, const char *path, cnm_error *err);
/* The file in memory: *size = its bytes, which go to `bytes` where there is room for them; bytes NULL, with room 0, asks for the size. */
CNM_API cnm_status cnm_model_to_bytes(const cnm_model *model, void *bytes, size_t room, size_t *size, cnm_error *err);
/* The bytes are checked as those of a file, and are not kept. */
CNM_API cnm_status cnm_model_from_bytes(cnm_model **out, const void *bytes, size_t size, cnm_error *err);
CNM_API void cnm_model_destroy(cnm_model *model);

CNM_API size_t cnm_model_columns(const cnm_model *model);
CNM_API size_t cnm_model_features(const cnm_model *model);
/* Scores a row: 0 for a map without a head. */
CNM_API size_t cnm_model_outputs(const cnm_model *model);
/* Classes: 0 for regression and for maps. */
CNM_API size_t cnm_model_classes(const cnm_model *model);
/* Class i's label as text; NULL when there is none. */
CNM_API const char *cnm_model_label(const cnm_model *model, size_t i);
/* Column i's name; NULL when the columns have none. */
CNM_API const char *cnm_model_name(const cnm_model *model, size_t i);
/* An array of numbers by name, shape (*rows, *columns), into values, which may be NULL to ask for the shape:
 *   "theta" (columns, features) explicit whatever the projection; "phase" (1, features); "head" (features, outputs) and "bias"
 *   (1, outputs), for features as cnm_transform gives them; "offset" and "scale" (1, columns) of the input. So
 *   z = sqrt(2/k) cos(f((x - offset) * scale) theta + phase), f = asinh for --scale asinh and nothing elsewhere, where scales are
 *   in theta already. (0, 0) for what this model does not have; an unknown name fails. */
CNM_API cnm_status cnm_model_array(const cnm_model *model, const char *name, size_t *rows, size_t *columns,
                                   double *values, cnm_error *err);
/* What the model is, as key and value texts in a fixed order ("method", "features", "bytes", ...): for inspect. Non-zero
 * when i is below the number of entries. */
CNM_API int cnm_model_describe(const cnm_model *model, size_t i, const char **key, const char **value);

/* scores (rows, outputs). threads 0: all. A row's scores depend on that row alone. */
CNM_API cnm_status cnm_predict_scores(const cnm_model *model, const cnm_data *data, size_t threads, float *scores,
                                      cnm_error *err);
/* classes (rows): class numbers for cnm_model_label. */
CNM_API cnm_status cnm_predict_classes(const cnm_model *model, const cnm_data *data, size_t threads, int32_t *classes,
                                       cnm_error *err);
/* probabilities (rows, classes), adding up to 1 in each row: the softmax of the scores; normalised sigmoids for the logistic loss; for
 * margin losses (hinge, squared-hinge, crammer-singer) the softmax of scores / T, T calibrated in training. Of a model that was trained
 * with metric balanced or f1 they are those of rows as they came in training: what the metric adds to scores, to decide by, is left out,
 * and T calibrated for all losses. */
CNM_API cnm_status cnm_predict_probabilities(const cnm_model *model, const cnm_data *data, size_t threads,
                                             double *probabilities, cnm_error *err);
/* z (rows, features), sqrt(2/k) included. */
CNM_API cnm_status cnm_transform(const cnm_model *model, const cnm_data *data, size_t threads, float *z,
                                 cnm_error *err);

/* The class that a row of scores (outputs) stands for. */
CNM_API int32_t cnm_model_decide(const cnm_model *model, const float *scores);
/* The same probabilities (rows, classes) from scores (rows, outputs) that are at hand already. */
CNM_API cnm_status cnm_model_probabilities(const cnm_model *model, const float *scores, size_t rows,
                                           double *probabilities, cnm_error *err);

/* ---- Export: a model as a program of its own ---- */

/* Writes what predicts without this library. to: "c", then path ends in .c and a header goes beside it: C99, constant tables, nothing
 * allocated; or "onnx", a graph in float for onnxruntime and its like. weights: "f32" (or NULL), "f16" or "i8", the bits of C's tables. name: what the names in C begin with; NULL: the file's
 * name. Scores in C are those of CNM_KERNELS=reference bit for bit (f32, f16) where the compiler fuses nothing. Files are written aside
 * and renamed. */
CNM_API cnm_status cnm_model_export(const cnm_model *model, const char *to, const char *weights, const char *name,
                                    const char *path, cnm_error *err);
/* A new model with its weights rounded as an export keeps them: what the exported program will predict. */
CNM_API cnm_status cnm_model_round(cnm_model **out, const cnm_model *model, const char *weights, cnm_error *err);
/* About how many bytes the exported C needs on a Cortex-M4: of tables and code together, and of stack. */
CNM_API cnm_status cnm_model_need(const cnm_model *model, const char *weights, size_t *flash, size_t *stack,
                                  cnm_error *err);

/* One row at a time, with all memory taken beforehand: for latencies below a microsecond. The model must have a head and outlive the
 * predictor. A predictor serves one thread at a time; a model may have any number of them. */
CNM_API cnm_status cnm_predictor_create(cnm_predictor **out, const cnm_model *model, cnm_error *err);
/* scores (outputs) of a row (columns), the bits that cnm_predict_scores gives for it in cnm_data_view_dense. Neither argument may be
 * NULL. Cannot fail, allocates nothing. */
CNM_API void cnm_predictor_scores(cnm_predictor *predictor, const float *row, float *scores);
CNM_API void cnm_predictor_destroy(cnm_predictor *predictor);

/* ---- Evaluation: how good predictions are, a batch at a time ---- */

/* The model must outlive it. keep_scores non-zero keeps every score (8 bytes a row), which AUC needs. */
CNM_API cnm_status cnm_evaluation_create(cnm_evaluation **out, const cnm_model *model, int keep_scores, cnm_error *err);
/* scores (rows, outputs) of labelled data. A label the model never saw counts as an error of prediction. */
CNM_API cnm_status cnm_evaluation_add(cnm_evaluation *evaluation, const cnm_data *data, const float *scores,
                                      cnm_error *err);
/* "rows", "correct", "unknown" (labels never seen), "accuracy", "balanced", "auc" (two classes, kept scores), "f1" (mean over
 * classes), "logloss" and "calibration" (of the probabilities, rows with known labels; the second is the expected calibration
 * error in 15 bins); "mse", "rmse", "mae", "r2"; NaN for what does not apply. accuracy is a fraction. */
CNM_API double cnm_evaluation_get(const cnm_evaluation *evaluation, const char *name);
/* Rows of class `truth` that were predicted as class `predicted`. */
CNM_API uint64_t cnm_evaluation_count(const cnm_evaluation *evaluation, size_t truth, size_t predicted);
CNM_API void cnm_evaluation_destroy(cnm_evaluation *evaluation);

/* ---- For other languages: the structs above without their layout ---- */

/* NULL when memory is out, which every function takes for an error nobody wants to hear of. */
CNM_API cnm_error *cnm_error_create(void);
CNM_API const char *cnm_error_message(const cnm_error *error);
CNM_API void cnm_error_destroy(cnm_error *error);
/* Either function may be NULL. NULL when memory is out. */
CNM_API cnm_callbacks *cnm_callbacks_create(int (*progress)(const cnm_progress *progress, void *user),
                                            void (*notice)(const char *sentence, void *user), void *user);
CNM_API void cnm_callbacks_destroy(cnm_callbacks *callbacks);
CNM_API const char *cnm_progress_phase(const cnm_progress *progress);
/* A field by its name, "done" and "total" included; NaN for an unknown one. */
CNM_API double cnm_progress_get(const cnm_progress *progress, const char *field);
/* A field of option i: "name", "type", "initial", "values", "help", "group", or "purpose" ("train", "data", "train predict", ...). NULL
 * for an unknown field or option. */
CNM_API const char *cnm_options_text(size_t i, const char *field);

#ifdef __cplusplus
}
#endif
#endif
