/* Whole trainings in one call, and checks of the models that they give. */
#ifndef CNM_TESTS_SUPPORT_TRAININGS_H
#define CNM_TESTS_SUPPORT_TRAININGS_H

#include "support/made_tables.h"

#include "learn/train/train.h"
#include "model/model.h"

/* Returns the settings of a small training: a few hundred steps. */
settings quick(setting_method method);

/* Returns settings that leave hyperparameters to the search; features 0: these too. */
settings search_settings(uint64_t features);

/* Every way to learn a map. The first four are joint and alternating training; the last two are
 * kernel approximation. */
typedef struct fit_method {
    const char *name;
    int method, recipe, projection;
} fit_method;
extern const fit_method FIT_METHODS[6];

/* Returns the settings of a small training by this method. */
settings fit_settings(const fit_method *self, size_t features);

/* Fills out with every method once, of few steps. */
enum { METHOD_CASES = 11 };
typedef struct method_case {
    const char *what;
    settings wanted;
} method_case;
void method_cases(method_case out[METHOD_CASES]);

/* Trains from scratch, with no model to start from. */
cnm_status learn(cnm_model **out, const table *rows, const char *label_name, const settings *wanted,
                 const cnm_callbacks *callbacks, cnm_error *err);

/* Trains from scratch; a failure ends the test. */
cnm_model *train(const table *rows, const settings *wanted);

/* Returns the metric of this name on labelled rows. */
double figure_of(const cnm_model *model, const table *rows, const char *name);

/* Returns the model's metadata under this key, which must be there; as text and as a
 * number. */
const char *text_of(const cnm_model *model, const char *key);
double number_of(const cnm_model *model, const char *key);

/* Checks that this metric is at least so much. */
void check_figure_above(const cnm_model *model, const table *rows, const char *name, double least, const char *what);

/* Checks that two models have the same bytes, or that they do not. */
void check_same_model(const cnm_model *a, const cnm_model *b, bool same, const char *what);

#endif
