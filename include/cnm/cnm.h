/* cnm: compact nonlinear maps.
 *
 * Learns scores(x) = W^T Z(x) + c with Z(x) = sqrt(2/k) cos(Theta^T x + b): the accuracy of a
 * kernel machine from a model of a few kilobytes. A whole program (examples/first_model.c):
 *
 *     #include <stdio.h>
 *
 *     #include <cnm/cnm.h>
 *
 *     int main(void) {
 *         static const float known[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
 *         static const char *const labels[4] = {"same", "different", "different", "same"};
 *         static const float asked[2][2] = {{0.1F, 0.1F}, {0.1F, 0.9F}};
 *         int32_t classes[2];
 *         cnm_options *options = NULL;
 *         cnm_data *known_rows = NULL, *asked_rows = NULL;
 *         cnm_model *model = NULL;
 *         cnm_error error;
 *         const int good = cnm_options_create(&options, &error) == CNM_OK &&
 *                          cnm_options_set(options, "features", "16", &error) == CNM_OK &&
 *                          cnm_data_view_dense(&known_rows, known[0], 4, 2, 2, &error) == CNM_OK &&
 *                          cnm_data_set_labels(known_rows, labels, &error) == CNM_OK &&
 *                          cnm_train(&model, known_rows, options, NULL, &error) == CNM_OK &&
 *                          cnm_model_save(model, "first.cnm", &error) == CNM_OK &&
 *                          cnm_data_view_dense(&asked_rows, asked[0], 2, 2, 2, &error) == CNM_OK &&
 *                          cnm_predict_classes(model, asked_rows, 0, classes, &error) == CNM_OK;
 *         if (!good) {
 *             fprintf(stderr, "%s\n", error.message);
 *         }
 *         for (int i = 0; good && i < 2; i++) {
 *             printf("row %d: %s\n", i, cnm_model_label(model, (size_t)classes[i]));
 *         }
 *         cnm_data_destroy(asked_rows);
 *         cnm_model_destroy(model);
 *         cnm_data_destroy(known_rows);
 *         cnm_options_destroy(options);
 *         return good ? 0 : 1;
 *     }
 *
 * Tiers: what is here is enough to train, save, load and predict. cnm/data.h (rows from memory and
 * files) and cnm/advanced.h (model inspection, evaluation, export, one row at a time, option
 * descriptions) are included at the end. cnm/bindings.h, for other languages, is included by those
 * that need it, and is experimental.
 *
 * Rules that hold for every function:
 * - Status. What can fail returns a cnm_status and takes a cnm_error as its last argument, which
 *   may be NULL. On failure output pointers are NULL, inputs are untouched and nothing is leaked;
 *   arrays of the caller may be partly written. "Fails with" lists the statuses that are special to
 *   a function; beside them, any of these functions fails with CNM_BAD_ARGUMENT where a pointer
 *   that it needs is NULL, and with CNM_NO_MEMORY. Functions without a cnm_error cannot fail; their
 *   objects must not be NULL, except in `destroy`.
 * - Names. A name that the library does not know (of an option, an array, a metric) fails with
 *   CNM_BAD_ARGUMENT and a sentence that says what there is. An index behind the last answers NULL,
 *   or 0.
 * - Ownership. An object that is given through an argument `type **out` belongs to the caller, who
 *   ends it with the matching `destroy` (NULL is fine). What a returned or filled `const char *`
 *   points to belongs to the object asked. Callbacks are used during the call only; a reader's,
 *   until it is destroyed.
 * - Threads. Different objects may be used from different threads. Any number of threads may use
 *   one model, or read the same options or data; a function that changes an object (its argument is
 *   not const) needs it for itself alone. An argument `threads` says how many threads the call
 *   itself may use, 0: all processors. No result depends on it.
 * - Environment. The fastest SIMD code that the machine has is used. CNM_SIMD names other code, for
 *   tests: "reference" computes in plain loops, the same bits on every machine and in every
 *   version. A name that the machine does not have fails with CNM_BAD_ARGUMENT where a model is
 *   trained or loaded.
 * - The library never prints, exits, or touches the locale.
 *
 * Arrays are row-major; a shape is written (rows, columns). rows counts rows, columns input columns
 * (d), features the map's outputs (k), outputs the scores of a row: 1 for two classes and for
 * regression, otherwise one per class. */
#ifndef CNM_CNM_H
#define CNM_CNM_H

#include "cnm/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version ---- */

#define CNM_VERSION_MAJOR 0
#define CNM_VERSION_MINOR 1
#define CNM_VERSION_PATCH 0
/* 100 for 0.1.0, 10203 for 1.2.3. */
#define CNM_VERSION (CNM_VERSION_MAJOR * 10000 + CNM_VERSION_MINOR * 100 + CNM_VERSION_PATCH)

/* Returns the library's version as text: "0.1.0". */
CNM_API const char *cnm_version(void);
/* Returns the CNM_VERSION of the library that runs. */
CNM_API int cnm_version_number(void);
/* Whether the library that runs offers what the header that was compiled declares: the same minor
 * version, and not older. For a program that is linked against the shared library to ask once. */
#define CNM_VERSION_FITS() (cnm_version_number() / 100 == CNM_VERSION / 100 && cnm_version_number() >= CNM_VERSION)

/* Returns a status in a few words, for a program that has no cnm_error at hand. */
CNM_API const char *cnm_status_text(cnm_status status);

/* ---- Options: everything that can be set, by name ---- */

/* Creates options with the defaults. Functions take NULL for the defaults, too. */
CNM_NODISCARD CNM_API cnm_status cnm_options_create(cnm_options **out, cnm_error *err);
/* Copies options; NULL gives the defaults. */
CNM_NODISCARD CNM_API cnm_status cnm_options_copy(cnm_options **out, const cnm_options *options, cnm_error *err);
CNM_API void cnm_options_destroy(cnm_options *options);

/* Checks and stores one value. docs/reference/options.md and cnm_options_describe list the options.
 * Fails with CNM_BAD_ARGUMENT for an unknown name or a value out of range, and names what would be
 * right; with CNM_UNSUPPORTED for an option of a later version. Then the old value stays. */
CNM_NODISCARD CNM_API cnm_status cnm_options_set(cnm_options *options, const char *name, const char *value,
                                                 cnm_error *err);
/* *value = the value in force, as text: what was set, or the default. It is valid until the option
 * is set again. options may be NULL: the defaults.
 * Fails with CNM_BAD_ARGUMENT for an unknown name. */
CNM_NODISCARD CNM_API cnm_status cnm_options_get(const cnm_options *options, const char *name, const char **value,
                                                 cnm_error *err);
/* Checks that what was set makes sense together for a training. cnm_train checks this first; a
 * program may ask before it reads the data.
 * Fails with CNM_BAD_ARGUMENT for an option that would be ignored. */
CNM_NODISCARD CNM_API cnm_status cnm_options_check(const cnm_options *options, cnm_error *err);

/* ---- Training ---- */

/* Trains a model on labelled rows as the options say. The same data, options and seed give the same
 * bits for any number of threads.
 *
 * Where a callback asks to stop, the model as it stands is given, with CNM_OK, if it can be used:
 * cnm_model_stopped tells. With the option "checkpoint" the state is written to that file now and
 * then; with "resume" too, a training goes on from there and ends with the bits of one that was
 * never interrupted.
 *
 * Fails with CNM_BAD_ARGUMENT for options that do not go together or do not fit the data, and for a
 * checkpoint of other data or options; CNM_BAD_DATA for rows that cannot be learned from;
 * CNM_UNSUPPORTED; CNM_BAD_FORMAT for a damaged checkpoint or teacher; CNM_IO_FAILED for one that
 * cannot be read or written; CNM_CANCELLED where it was stopped before there was a model. */
CNM_NODISCARD CNM_API cnm_status cnm_train(cnm_model **out, const cnm_data *data, const cnm_options *options,
                                           const cnm_callbacks *callbacks, cnm_error *err);

/* Continues the joint training of a model on new rows of the same columns and labels (a warm
 * start), and gives a new model; the old one stays as it is.
 *
 * Where the option "features" is set to more than the model has, new random features join the old.
 * What the model is (projection, activation, kernel, gamma, scaling, task) stays; "epochs" (3
 * unless set; a whole training when the map grows), "batch", "loss", "validation", "seed" and
 * "threads" are followed.
 *
 * Stops and fails as cnm_train; with CNM_UNSUPPORTED also for a model without map or head. */
CNM_NODISCARD CNM_API cnm_status cnm_train_continue(cnm_model **out, const cnm_model *model, const cnm_data *data,
                                                    const cnm_options *options, const cnm_callbacks *callbacks,
                                                    cnm_error *err);

/* Trains as cnm_train does, or as cnm_train_continue where `model` is not NULL, and validates on
 * other rows, as the option "validation" does on a share of the rows: the parameters that are best
 * on them are kept, "patience" counts on them, and the history has their scores. They are used for
 * nothing else; their weights and groups mean nothing.
 *
 * Stops and fails as the two; with CNM_BAD_ARGUMENT for the option "validation", and for a method
 * that does not learn the map with the task; CNM_BAD_DATA for validation rows without labels, with
 * labels that no training row has, or with other columns. */
CNM_NODISCARD CNM_API cnm_status cnm_train_validated(cnm_model **out, const cnm_model *model, const cnm_data *data,
                                                     const cnm_data *validation, const cnm_options *options,
                                                     const cnm_callbacks *callbacks, cnm_error *err);

/* ---- Models ---- */

/* Loads a model file.
 * Fails with CNM_IO_FAILED, CNM_BAD_FORMAT or CNM_UNSUPPORTED (a later format). */
CNM_NODISCARD CNM_API cnm_status cnm_model_load(cnm_model **out, const char *path, cnm_error *err);
/* Writes a model file; "-" is standard output. The file is written aside and renamed: an
 * interruption leaves the old one.
 * Fails with CNM_IO_FAILED. */
CNM_NODISCARD CNM_API cnm_status cnm_model_save(const cnm_model *model, const char *path, cnm_error *err);
CNM_API void cnm_model_destroy(cnm_model *model);

/* Returns the number of columns of rows to predict, d. */
CNM_API size_t cnm_model_columns(const cnm_model *model);
/* Returns the number of features of the map, k; of a linear model, its columns. */
CNM_API size_t cnm_model_features(const cnm_model *model);
/* Returns the number of scores of a row: 0 for a map without a head. */
CNM_API size_t cnm_model_outputs(const cnm_model *model);
/* Returns the number of classes: 0 for regression and for maps. */
CNM_API size_t cnm_model_classes(const cnm_model *model);
/* Returns class i's label as text; NULL when there is no class i. */
CNM_API const char *cnm_model_label(const cnm_model *model, size_t i);
/* Returns non-zero when a callback stopped the training of this model before its end. A model file
 * keeps it. */
CNM_API int cnm_model_stopped(const cnm_model *model);

/* ---- Prediction ----
 *
 * data has the model's columns, or the inputs that it makes of them (cnm_model_inputs); where both
 * have names, these must be the same, in order. Labels are not needed. What is predicted for a row
 * depends on that row alone. A missing number is filled with the mean of the training rows, or with
 * the column's centre where none were missing there; a missing or unknown word counts as no word
 * (cnm_model_count_unseen counts them).
 * All fail with CNM_BAD_ARGUMENT where the columns differ or the model does not predict such a
 * thing; with CNM_BAD_DATA for missing cells where the model was trained with the option "missing"
 * error, and for words that cannot be read where the model has numbers or times. */

/* Fills scores (rows, outputs). */
CNM_NODISCARD CNM_API cnm_status cnm_predict_scores(const cnm_model *model, const cnm_data *data, size_t threads,
                                                    float *scores, cnm_error *err);
/* Fills classes (rows): class numbers for cnm_model_label. For classifiers. */
CNM_NODISCARD CNM_API cnm_status cnm_predict_classes(const cnm_model *model, const cnm_data *data, size_t threads,
                                                     int32_t *classes, cnm_error *err);
/* Fills probabilities (rows, classes), adding up to 1 in each row. For classifiers.
 *
 * They are the softmax of the scores; normalised sigmoids for the logistic loss; for margin losses
 * (hinge, squared-hinge, crammer-singer) the softmax of scores / T, with the temperature T
 * calibrated in training (Guo et al. 2017). Of a model that was trained with metric balanced or f1
 * the decision thresholds, which are part of the scores, are left out, and T is calibrated for all
 * losses: the probabilities are those of rows distributed as in training. */
CNM_NODISCARD CNM_API cnm_status cnm_predict_probabilities(const cnm_model *model, const cnm_data *data, size_t threads,
                                                           double *probabilities, cnm_error *err);
/* Fills z (rows, features) with the features, sqrt(2/k) included. */
CNM_NODISCARD CNM_API cnm_status cnm_transform(const cnm_model *model, const cnm_data *data, size_t threads, float *z,
                                               cnm_error *err);

#ifdef __cplusplus
}
#endif

#include "cnm/advanced.h"
#include "cnm/data.h"

#endif
