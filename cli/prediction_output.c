/* Writes predictions as lines or as a table. */
#include "prediction_output.h"

#include <stdlib.h>
#include <string.h>

#include "cli_format.h"
#include "file_names.h"
#include "report_error.h"

char prediction_separator(const char *path) {
    static const struct {
        const char *ending;
        char separator;
    } TABLES[] = {{".csv", ','}, {".tsv", '\t'}};
    for (size_t i = 0; i < sizeof TABLES / sizeof TABLES[0]; i++) {
        if (name_ends_with(path, TABLES[i].ending)) {
            return TABLES[i].separator;
        }
    }
    return 0;
}

/* Writes a cell, in quotes where a reader would need them; quotes inside are doubled. */
static void write_cell(const prediction_output *self, const char *prefix, const char *text) {
    const char special[] = {self->separator, '"', '\n', '\r', '\0'};
    const size_t length = strlen(text);
    const bool padded = length > 0 && (text[0] == ' ' || text[length - 1] == ' ');
    if (!padded && text[strcspn(text, special)] == '\0') {
        fputs(prefix, self->stream);
        fputs(text, self->stream);
        return;
    }
    fprintf(self->stream, "\"%s", prefix);
    for (const char *byte = text; *byte != '\0'; byte++) {
        fputs(*byte == '"' ? "\"" : "", self->stream);
        fputc(*byte, self->stream);
    }
    fputc('"', self->stream);
}

/* Writes one column's name for each class that has a number of its own: two classes share one
 * score, that of the second. */
static void write_names(const prediction_output *self, const char *prefix, size_t count) {
    const size_t classes = cnm_model_classes(self->model);
    for (size_t j = classes - count; j < classes; j++) {
        fputc(self->separator, self->stream);
        write_cell(self, prefix, cnm_model_label(self->model, j));
    }
}

void prediction_output_begin(const prediction_output *self) {
    const size_t classes = cnm_model_classes(self->model);
    if (self->separator == 0) {
        return;
    }
    if (self->id != NULL) {
        const bool number = self->id[strspn(self->id, "0123456789")] == '\0';
        write_cell(self, "", number ? "id" : self->id);
        fputc(self->separator, self->stream);
    }
    fputs("prediction", self->stream);
    if (classes > 0 && self->scores) {
        write_names(self, "score_", cnm_model_outputs(self->model));
    }
    if (classes > 0 && self->probabilities) {
        write_names(self, "probability_", classes);
    }
    fputc('\n', self->stream);
}

static cnm_status write_id(prediction_output *self, const cnm_data *data, size_t row, cnm_error *error) {
    const size_t size = cnm_data_id(data, row, self->cell, self->cell_size) + 1;
    if (size > self->cell_size) {
        free(self->cell);
        self->cell = malloc(2 * size);
        self->cell_size = self->cell == NULL ? 0 : 2 * size;
        if (self->cell == NULL) {
            return error_fill(error, CNM_NO_MEMORY, "out of memory: the id of a row");
        }
        (void)cnm_data_id(data, row, self->cell, self->cell_size);
    }
    write_cell(self, "", self->cell);
    fputc(self->separator, self->stream);
    return CNM_OK;
}

static void write_number(const prediction_output *self, double value) {
    fputc(self->separator != 0 ? self->separator : ' ', self->stream);
    fputs(number_digits(value, 9).text, self->stream);
}

/* Writes the label or regression value. */
static void write_prediction(const prediction_output *self, const float *scores) {
    if (cnm_model_classes(self->model) == 0) {
        fputs(number_digits((double)scores[0], 9).text, self->stream);
        return;
    }
    const char *label = cnm_model_label(self->model, (size_t)cnm_model_decide(self->model, scores));
    if (self->separator != 0) {
        write_cell(self, "", label);
    } else {
        fputs(label, self->stream);
    }
}

cnm_status prediction_output_add(prediction_output *self, const prediction_batch *batch, cnm_error *error) {
    const size_t outputs = cnm_model_outputs(self->model), classes = cnm_model_classes(self->model);
    const size_t scores = self->scores && classes > 0 ? outputs : 0;
    const size_t probabilities = self->probabilities ? classes : 0;
    for (size_t i = 0; i < cnm_data_rows(batch->data); i++) {
        if (self->separator != 0 && self->id != NULL) {
            TRY(write_id(self, batch->data, i, error));
        }
        write_prediction(self, batch->scores + i * outputs);
        for (size_t j = 0; j < scores; j++) {
            write_number(self, (double)batch->scores[i * outputs + j]);
        }
        for (size_t j = 0; j < probabilities; j++) {
            write_number(self, batch->probabilities[i * classes + j]);
        }
        fputc('\n', self->stream);
    }
    return CNM_OK;
}

void prediction_output_free(prediction_output *self) {
    free(self->cell);
    self->cell = NULL;
}
