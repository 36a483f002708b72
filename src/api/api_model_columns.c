/* What a model knows of the columns of its rows, and of the inputs that it makes of them. */
#include "api/api_objects.h"
#include "base/core/try.h"
#include "model/model_columns.h"

size_t cnm_model_columns(const cnm_model *model) { return model_columns(model); }

const char *cnm_model_column_name(const cnm_model *model, size_t i) { return model_column_name(model, i); }

cnm_column_kind cnm_model_column_kind(const cnm_model *model, size_t i) {
    static const cnm_column_kind KINDS[] = {CNM_COLUMN_NUMBER, CNM_COLUMN_WORDS, CNM_COLUMN_TIME};
    if (i >= model_columns(model)) {
        return CNM_COLUMN_LEFT_OUT;
    }
    if (model->encoder == NULL) {
        return CNM_COLUMN_NUMBER;
    }
    const column_encoding *column = &model->encoder->column[i];
    return column->use == COLUMN_USED ? KINDS[column->type.kind] : CNM_COLUMN_LEFT_OUT;
}

const char *cnm_model_column_word(const cnm_model *model, size_t i, size_t word) {
    if (cnm_model_column_kind(model, i) != CNM_COLUMN_WORDS) {
        return NULL;
    }
    const dictionary *words = &model->encoder->column[i].type.words;
    return word < words->count ? words->texts[word] : NULL;
}

size_t cnm_model_inputs(const cnm_model *model) { return model->input.columns; }

const char *cnm_model_input_name(const cnm_model *model, size_t i) {
    return model->names != NULL && i < model->input.columns ? model->names[i] : NULL;
}

cnm_status cnm_model_count_unseen(const cnm_model *model, const cnm_data *data, uint64_t *words, uint64_t *missing,
                                  cnm_error *err) {
    TRY(api_require(model, "model", err));
    TRY(api_require(data, "data", err));
    TRY(api_require(words, "words", err));
    TRY(api_require(missing, "missing", err));
    return model_count_unseen(model, data->table, words, missing, err);
}
