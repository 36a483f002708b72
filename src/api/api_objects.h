/* What the public types are inside. cnm_model, cnm_evaluation and cnm_predictor are the model
 * module's own. */
#ifndef CNM_API_API_OBJECTS_H
#define CNM_API_API_OBJECTS_H

#include "cnm/cnm.h"
#include "data/read/reader.h"
#include "learn/settings.h"
#include "model/model.h"

struct cnm_data {
    table *table;
    char *label_column;       /* as the reader found it; NULL for rows from memory */
    const char *label_reason; /* why that column ("by its name"), or NULL; static */
    index_base index_base;    /* LIBSVM rows: what their indices count from */
};

/* Returns how to read a file for these settings and, where there is one, this model. */
reader_options api_reader_options(const settings *wanted, const cnm_model *model);

/* Returns what LIBSVM indices count from for this model: from 0 when its training rows did, else
 * each file tells. */
index_base api_index_base(const cnm_model *model);

/* Returns the labels that are to be +1: the option's, or else the model's; NULL for none. */
const char *api_positive(const settings *wanted, const cnm_model *model);

/* Fails with CNM_BAD_ARGUMENT naming the argument, when it is NULL. */
cnm_status api_require(const void *argument, const char *name, cnm_error *err);
/* Sets the pointer at `out` to NULL; fails when out is NULL. out: a pointer to any pointer to an
 * object. */
#define api_output(out, err) ((out) == NULL ? api_require(NULL, #out, err) : (*(out) = NULL, (cnm_status)CNM_OK))
/* Fails when callbacks were not begun as CNM_CALLBACKS_INIT. callbacks may be NULL. */
cnm_status api_check_callbacks(const cnm_callbacks *callbacks, cnm_error *err);

#endif
