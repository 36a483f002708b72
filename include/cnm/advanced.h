/* The advanced tier: descriptions of options, models in memory and in numbers, evaluation, export,
 * one row at a time. Included by cnm/cnm.h, which has the rules for all functions. */
#ifndef CNM_ADVANCED_H
#define CNM_ADVANCED_H

#include "cnm/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Descriptions of options, for programs that offer them all ---- */

/* Which commands an option belongs to; a set of bits. */
enum { CNM_FOR_TRAIN = 1, CNM_FOR_DATA = 2, CNM_FOR_PREDICT = 4, CNM_FOR_OUTPUT = 8 };

enum { CNM_OPTION_VALUES_SIZE = 256 };

/* One option. Begins as CNM_OPTION_INFO_INIT, cnm_options_describe fills it. Its texts are static.
 * May grow at its end, as the structs in cnm/types.h. */
typedef struct cnm_option_info {
    size_t struct_size;
    const char *name;                    /* "features"; --features in the command */
    const char *type;                    /* "choice", "count", "number", "text" or "flag" */
    const char *default_value;           /* as text */
    const char *help;                    /* one or two sentences */
    const char *group;                   /* "Method", "Training", "Data" or "Running" */
    unsigned purpose;                    /* CNM_FOR_... bits */
    char letter;                         /* 'k', or 0 */
    char values[CNM_OPTION_VALUES_SIZE]; /* all allowed: "auto|f32|f16", "auto|1 to 1e9", "FILE" */
    const char *common;                  /* a few words for one of the options that most people use; else NULL */
} cnm_option_info;

/* clang-format off */
#define CNM_OPTION_INFO_INIT {sizeof(cnm_option_info), NULL, NULL, NULL, NULL, NULL, 0, 0, {0}, NULL}
/* clang-format on */

/* Returns how many options there are. */
CNM_API size_t cnm_options_count(void);
/* Fills *info, which begins as CNM_OPTION_INFO_INIT, with option i; fields that the library does
 * not know stay. Returns non-zero when i is below the count. */
CNM_API int cnm_options_describe(size_t i, cnm_option_info *info);

/* ---- Models in memory and in numbers ---- */

/* Writes the bytes of the model file to `bytes`, where `room` is enough for them, and their number
 * to *size in any case. bytes may be NULL with room 0, to ask for the size. */
CNM_NODISCARD CNM_API cnm_status cnm_model_to_bytes(const cnm_model *model, void *bytes, size_t room, size_t *size,
                                                    cnm_error *err);
/* Loads a model from the bytes of a model file, which are not kept.
 * Fails with CNM_BAD_FORMAT or CNM_UNSUPPORTED. */
CNM_NODISCARD CNM_API cnm_status cnm_model_from_bytes(cnm_model **out, const void *bytes, size_t size, cnm_error *err);

/* ---- Columns of a model ----
 *
 * Rows to predict have the columns that the training rows had. Words, many missing cells and
 * columns that say nothing make the inputs of the map something else: a column of words becomes an
 * input of 0 and 1 for each frequent word, a row id none (docs/reference/columns.md). Where each
 * column is an input, there are as many of both, with the same names. */

/* Returns column i's name; NULL when columns have no names, and behind the last. */
CNM_API const char *cnm_model_column_name(const cnm_model *model, size_t i);

/* What the cells of a column are, and what is made of them. */
typedef enum cnm_column_kind {
    CNM_COLUMN_NUMBER,
    CNM_COLUMN_WORDS,
    CNM_COLUMN_TIME,    /* days since 1970-01-01T00:00 UTC, or a part of a day */
    CNM_COLUMN_LEFT_OUT /* nothing is made of it; rows to predict need it all the same */
} cnm_column_kind;

/* Returns the kind of column i; CNM_COLUMN_LEFT_OUT behind the last. */
CNM_API cnm_column_kind cnm_model_column_kind(const cnm_model *model, size_t i);
/* Returns a word of column i that has an input of its own, in order of the words' bytes; NULL
 * behind the last, and for other kinds of columns. It belongs to the model. */
CNM_API const char *cnm_model_column_word(const cnm_model *model, size_t i, size_t word);

/* Returns the number of inputs. */
CNM_API size_t cnm_model_inputs(const cnm_model *model);
/* Returns input i's name, COLUMN or COLUMN=WORD; NULL when inputs have no names, and behind the
 * last. */
CNM_API const char *cnm_model_input_name(const cnm_model *model, size_t i);

/* Counts in rows to predict what training never saw, and adds it to two arrays
 * (cnm_data_columns(data) each): words of columns in which training saw no other words than those
 * that have an input, which count as none of them; and missing cells of columns where none were
 * missing in training, for which the column's centre is taken. Any number of threads.
 * Fails with CNM_BAD_ARGUMENT as cnm_predict_scores, and with CNM_NO_MEMORY. */
CNM_NODISCARD CNM_API cnm_status cnm_model_count_unseen(const cnm_model *model, const cnm_data *data, uint64_t *words,
                                                        uint64_t *missing, cnm_error *err);

/* ---- What a model is ---- */

/* *key and *value = entry i of the model's description ("method", "features", "bytes", ...), in a
 * fixed order. Returns non-zero when there is an entry i. */
CNM_API int cnm_model_describe(const cnm_model *model, size_t i, const char **key, const char **value);

/* Fills point i of the course of the training: after `step` of the `total` steps of a phase, the
 * mean loss of the latest steps, and the score on validation rows (accuracy, or R2), NaN where they
 * were not evaluated there. Each phase has about 20 points, more where it has few steps, and one at
 * each validation; they do not depend on the clock. Pointers may be NULL. Returns non-zero when
 * there is a point i; a model that was loaded has none. */
CNM_API int cnm_model_history(const cnm_model *model, size_t i, const char **phase, uint64_t *step, uint64_t *total,
                              double *loss, double *validation);

/* Copies an array of the model, shape (*rows, *columns), to `values`, which may be NULL to ask for
 * the shape:
 *   "theta"   (inputs, features)   the projection as an explicit matrix, whatever its kind
 *   "phase"   (1, features)
 *   "head"    (features, outputs)  for features as cnm_transform gives them
 *   "bias"    (1, outputs)
 *   "offset"  (1, inputs)          of the input
 *   "scale"   (1, inputs)          of the input
 * So z = sqrt(2/k) cos(f((x - offset) * scale) theta + phase), with f = asinh for the scalings
 * asinh and wide, and a function that no array gives for quantile; elsewhere f is the identity, and
 * scales are in theta already. Of several layers "theta" and "phase" are the first layer's,
 * "layer2.theta" and "layer2.phase" the second's, and so on: z2 = cos(z1 theta2 + phase2) without
 * sqrt(2/k), which the last layer's features have alone. The shape is (0, 0) for what this model
 * does not have, theta of a first layer `columns` among it.
 * Fails with CNM_BAD_ARGUMENT for an unknown name. */
CNM_NODISCARD CNM_API cnm_status cnm_model_array(const cnm_model *model, const char *name, size_t *rows,
                                                 size_t *columns, double *values, cnm_error *err);

/* Returns the class that a row of scores (outputs) stands for, decision thresholds included. For
 * classifiers. */
CNM_API int32_t cnm_model_decide(const cnm_model *model, const float *scores);
/* Fills probabilities (rows, classes) from scores (rows, outputs), as cnm_predict_probabilities
 * does from rows.
 * Fails with CNM_BAD_ARGUMENT for a model that is no classifier. */
CNM_NODISCARD CNM_API cnm_status cnm_model_probabilities(const cnm_model *model, const float *scores, size_t rows,
                                                         double *probabilities, cnm_error *err);

/* ---- Evaluation: how good predictions are, a batch at a time ---- */

/* Starts an evaluation of a model, which must outlive it. keep_scores: non-zero keeps every score
 * (8 bytes a row), which "auc" needs. */
CNM_NODISCARD CNM_API cnm_status cnm_evaluation_create(cnm_evaluation **out, const cnm_model *model, int keep_scores,
                                                       cnm_error *err);
/* Adds labelled rows and their scores (rows, outputs). A label that the model does not know counts
 * as a wrong prediction.
 * Fails with CNM_BAD_ARGUMENT for rows without labels. */
CNM_NODISCARD CNM_API cnm_status cnm_evaluation_add(cnm_evaluation *evaluation, const cnm_data *data,
                                                    const float *scores, cnm_error *err);
/* *value = a metric of all rows added so far; NaN for a metric that does not apply to this model.
 *   "rows", "correct"                 numbers of rows
 *   "unknown"                         rows with labels that the model does not know
 *   "accuracy"                        correct / rows
 *   "balanced"                        mean over classes of the share of their rows that are
 *                                     predicted correctly
 *   "auc"                             area under the ROC curve; two classes, kept scores
 *   "f1"                              mean over classes
 *   "logloss", "calibration"          of the probabilities of rows with known labels; calibration
 *                                     is the expected calibration error in 15 bins
 *   "mse", "rmse", "mae", "r2"        regression
 *   "pinball", "coverage"             regression by --loss quantile: the mean of that loss, and the
 *                                     share of targets at or below the prediction
 * Fails with CNM_BAD_ARGUMENT for an unknown name. */
CNM_NODISCARD CNM_API cnm_status cnm_evaluation_get(const cnm_evaluation *evaluation, const char *name, double *value,
                                                    cnm_error *err);
/* Returns the number of rows of class `truth` that were predicted as class `predicted`. */
CNM_API uint64_t cnm_evaluation_count(const cnm_evaluation *evaluation, size_t truth, size_t predicted);
CNM_API void cnm_evaluation_destroy(cnm_evaluation *evaluation);

/* The score of a model on rows that did not train it. Begins as CNM_HOLDOUT_INIT,
 * cnm_holdout_score fills it. May grow at its end, as the structs in cnm/types.h. */
typedef struct cnm_holdout {
    size_t struct_size;
    const char *metric;    /* "accuracy", "r2" or, of a model of --loss quantile, "d2-pinball"; static */
    size_t rows;           /* that were scored */
    double score;          /* R2 = 1 - sum of squared errors / sum of squared distances from the mean of
                            * the training targets; D2, the same with the quantile's loss and the
                            * quantile of the training targets */
    double standard_error; /* of the score, from as many groups where rows have groups */
    double baseline;       /* always saying the largest class of the training rows, or their mean or quantile: 0 */
} cnm_holdout;

/* clang-format off */
#define CNM_HOLDOUT_INIT {sizeof(cnm_holdout), NULL, 0, 0.0, 0.0, 0.0}
/* clang-format on */

/* Scores a model on labelled rows, beside a constant prediction from the labels of the rows that
 * trained it. Predicts with `threads` threads, 0 for all.
 * Fails with CNM_BAD_DATA where either has no labels, or R2 or D2 is undefined;
 * CNM_BAD_ARGUMENT for a map alone, and for rows with other columns than the model's. */
CNM_NODISCARD CNM_API cnm_status cnm_holdout_score(const cnm_model *model, const cnm_data *train, const cnm_data *held,
                                                   size_t threads, cnm_holdout *out, cnm_error *err);

/* ---- Export: a model as a program of its own ---- */

/* Writes what predicts without this library. Files are written aside and renamed.
 *   format  "c": C99 with constant tables that allocates nothing; path ends in .c, and a header is
 *           written beside it. "onnx": a graph in 32-bit floats for onnxruntime and others
 *   dtype   of the weights in C: "f32" (or NULL), "f16" or "i8"
 *   name    what the names in C begin with; NULL: made from the file's name
 * Scores in C are those of CNM_SIMD=reference bit for bit (f32, f16), where the compiler fuses no
 * multiplications and additions.
 * Fails with CNM_IO_FAILED; CNM_BAD_ARGUMENT for an unknown format or dtype, or a name that is no
 * identifier; CNM_UNSUPPORTED for a dtype that ONNX does not get. */
CNM_NODISCARD CNM_API cnm_status cnm_model_export(const cnm_model *model, const char *format, const char *dtype,
                                                  const char *name, const char *path, cnm_error *err);
/* Makes a new model with weights rounded as an export to C keeps them: what the exported program
 * will predict.
 * Fails with CNM_BAD_ARGUMENT for an unknown dtype. */
CNM_NODISCARD CNM_API cnm_status cnm_model_round(cnm_model **out, const cnm_model *model, const char *dtype,
                                                 cnm_error *err);
/* *flash and *stack = about how many bytes the exported C needs on a Cortex-M4: tables and code
 * together, and stack.
 * Fails as cnm_model_export to C. */
CNM_NODISCARD CNM_API cnm_status cnm_model_footprint(const cnm_model *model, const char *dtype, size_t *flash,
                                                     size_t *stack, cnm_error *err);

/* ---- One row at a time ---- */

/* Makes a predictor, which holds all memory that a prediction takes: for latencies below a
 * microsecond. The model must have a head, and outlive the predictor. A predictor serves one thread
 * at a time; a model may have any number of predictors.
 * Fails with CNM_BAD_ARGUMENT for a model without a head. */
CNM_NODISCARD CNM_API cnm_status cnm_predictor_create(cnm_predictor **out, const cnm_model *model, cnm_error *err);
/* Fills scores (outputs) of a row (cnm_model_inputs), with the bits of cnm_predict_scores for the
 * row in cnm_data_view_dense. Where a model makes inputs of other columns (words, indicators of
 * missing cells), the row is those inputs, as cnm_model_input_name has them. Cannot fail, allocates
 * nothing. No argument may be NULL. */
CNM_API void cnm_predictor_scores(cnm_predictor *predictor, const float *row, float *scores);
CNM_API void cnm_predictor_destroy(cnm_predictor *predictor);

#ifdef __cplusplus
}
#endif
#endif
