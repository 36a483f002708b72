/* Trainings that report a stop as a failure. */
#include "library_calls.h"

#include "report_error.h"

/* Fails with CNM_CANCELLED where the training of the model was stopped. */
static cnm_status check_not_stopped(const cnm_model *model, cnm_error *error) {
    return cnm_model_stopped(model)
               ? error_fill(error, CNM_CANCELLED, "stopped before the end, as asked; the model so far is usable")
               : CNM_OK;
}

cnm_status library_train(cnm_model **out, const cnm_data *data, const cnm_options *options,
                         const cnm_callbacks *callbacks, cnm_error *error) {
    TRY(cnm_train(out, data, options, callbacks, error));
    return check_not_stopped(*out, error);
}

cnm_status library_continue(cnm_model **out, const cnm_model *model, const cnm_data *data, const cnm_options *options,
                            const cnm_callbacks *callbacks, cnm_error *error) {
    TRY(cnm_train_continue(out, model, data, options, callbacks, error));
    return check_not_stopped(*out, error);
}
