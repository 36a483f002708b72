/* A share is a number; anything else is a file. */
#include "cli_holdout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_format.h"
#include "described_values.h"
#include "report_error.h"

enum { LEAST_ROWS = 20 };

static bool is_value(const arguments *line, const char *option, const char *value) {
    return strcmp(option_text(line->options, option), value) == 0;
}

static int check_file(const holdout *self, const arguments *line) {
    if (arguments_given(line, "labels")) {
        return usage_error(line->command, "--test FILE does not go with --labels, which are those of DATA: --test "
                                          "SHARE keeps some of its rows");
    }
    if (strcmp(self->text, "-") == 0) {
        return usage_error(line->command, "--test cannot be standard input: expected a share or a file");
    }
    FILE *file = fopen(self->text, "rb");
    if (file == NULL) {
        return usage_error(line->command,
                           "--test %s: there is no such file that can be read; a share is between 0 and 1", self->text);
    }
    fclose(file);
    return STATUS_OK;
}

int holdout_begin(holdout *self, const arguments *line) {
    *self = (holdout){.text = arguments_own(line, "test"), .scored = CNM_HOLDOUT_INIT};
    if (self->text == NULL) {
        return STATUS_OK;
    }
    if (arguments_own(line, "grow") != NULL) {
        return usage_error(line->command, "--test does not go with --grow: cnm predict scores each of its models");
    }
    if (is_value(line, "task", "map")) {
        return usage_error(line->command, "--test means nothing for --task map, which has no head to test");
    }
    self->share = number_of_text(self->text);
    if (isnan(self->share)) {
        return check_file(self, line);
    }
    if (!(self->share > 0.0 && self->share < 1.0)) {
        return usage_error(line->command, "--test cannot be \"%s\": expected a share between 0 and 1, or a file",
                           self->text);
    }
    return STATUS_OK;
}

void holdout_end(holdout *self) {
    cnm_data_destroy(self->train);
    cnm_data_destroy(self->held);
}

/* Selects the rows whose mark is `held`, in their order. order (rows) is scratch. */
static cnm_status take_rows(cnm_data **out, const cnm_data *data, const size_t *marks, size_t held, size_t *order,
                            cnm_error *error) {
    const size_t rows = cnm_data_rows(data);
    size_t count = 0;
    for (size_t i = 0; i < rows; i++) {
        order[count] = i;
        count += marks[i] == held;
    }
    return cnm_data_select(out, data, order, count, error);
}

cnm_status holdout_split(holdout *self, const arguments *line, const cnm_data *data, const cnm_data **train,
                         cnm_error *error) {
    const size_t rows = cnm_data_rows(data);
    size_t *marks = NULL, *order = NULL;
    cnm_status status = CNM_OK;
    *train = data;
    if (self->text == NULL || isnan(self->share)) {
        return CNM_OK;
    }
    marks = malloc((rows + 1) * sizeof *marks);
    order = malloc((rows + 1) * sizeof *order);
    if (marks == NULL || order == NULL) {
        TRY_DONE(error_fill(error, CNM_NO_MEMORY, "out of memory: a split of %zu rows", rows));
    }
    TRY_DONE(cnm_data_hold_out(data, line->options, self->share, marks, error));
    TRY_DONE(take_rows(&self->held, data, marks, 1, order, error));
    TRY_DONE(take_rows(&self->train, data, marks, 0, order, error));
    *train = self->train;
done:
    free(marks);
    free(order);
    return status;
}

cnm_status holdout_choose_estimate(const holdout *self, const arguments *line, const cnm_data *train,
                                   cnm_error *error) {
    const bool starts = arguments_own(line, "from") != NULL || arguments_own(line, "grow") != NULL;
    const bool wanted = is_value(line, "estimate", "auto") && self->text == NULL && !starts &&
                        !arguments_given(line, "validation") && is_value(line, "teacher", "") &&
                        !is_value(line, "task", "map") && cnm_data_rows(train) >= LEAST_ROWS;
    return wanted ? cnm_options_set(line->options, "estimate", "yes", error) : CNM_OK;
}

/* Loads the file with the options of the line but those that choose rows of DATA. */
static cnm_status load_file(holdout *self, const arguments *line, const cnm_model *model,
                            const cnm_callbacks *callbacks, cnm_error *error) {
    cnm_options *options = NULL;
    cnm_status status;
    TRY_DONE(cnm_options_copy(&options, line->options, error));
    TRY_DONE(cnm_options_set(options, "rows", "", error));
    TRY_DONE(cnm_options_set(options, "shuffle", "none", error));
    TRY_DONE(cnm_data_load(&self->held, self->text, options, model, callbacks, error));
    if (!cnm_data_is_labelled(self->held)) {
        status = error_fill(error, CNM_BAD_DATA, "%s has no labels to test the model with", self->text);
    }
done:
    cnm_options_destroy(options);
    return status;
}

cnm_status holdout_score_model(holdout *self, const arguments *line, const cnm_model *model, const cnm_data *train,
                               const cnm_callbacks *callbacks, cnm_error *error) {
    if (self->text == NULL) {
        return CNM_OK;
    }
    if (self->held == NULL) {
        TRY(load_file(self, line, model, callbacks, error));
    }
    return cnm_holdout_score(model, train, self->held, threads_wanted(line->options), &self->scored, error);
}
