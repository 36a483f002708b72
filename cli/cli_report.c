/* Prints evaluations. Precision, recall and F1 of a class c follow from counts n(truth, predicted):
 *   precision = n(c, c) / sum over t of n(t, c),  recall = n(c, c) / sum over p of n(c, p),
 *   F1 = their harmonic mean. */
#include "cli_report.h"

#include <math.h>
#include <string.h>

#include "cli_format.h"
#include "described_values.h"
#include "metric_traits.h"

enum { MATRIX_CLASSES = 26 }; /* a wider matrix is unreadable; --json prints it */

/* Prints the metric that the model was trained for, where the line before does not have it. */
static void print_model_metric(FILE *out, const cnm_model *model, const cnm_evaluation *evaluation) {
    const char *name = model_value(model, "metric");
    if (name != NULL && !metric_traits_find(name).always) {
        const double value = metric_value(evaluation, name);
        fprintf(out, "%s = %s\n", name, isnan(value) ? "-" : number_digits(value, 6).text);
    }
}

/* Prints the loss of a model that predicts a quantile, and how many targets are below it. */
static void print_quantile(FILE *out, const cnm_model *model, const cnm_evaluation *evaluation) {
    fprintf(out, "Pinball loss = %s (quantile %s; %s%% of the targets are at or below the prediction)\n",
            number_digits(metric_value(evaluation, "pinball"), 6).text, model_value(model, "quantile"),
            number_fixed(100 * metric_value(evaluation, "coverage"), 2).text);
}

void report_metric(FILE *out, const cnm_model *model, const cnm_evaluation *evaluation) {
    if (!isnan(metric_value(evaluation, "pinball"))) {
        print_quantile(out, model, evaluation);
        print_model_metric(out, model, evaluation);
        return;
    }
    if (cnm_model_classes(model) == 0) {
        const double fit = metric_value(evaluation, "r2"); /* NaN where all targets are equal */
        fprintf(out, "MSE = %s R2 = %s\n", number_digits(metric_value(evaluation, "mse"), 6).text,
                isnan(fit) ? "-" : number_digits(fit, 6).text);
        print_model_metric(out, model, evaluation);
        return;
    }
    fprintf(out, "Accuracy = %s%% (%s/%s)\n", number_fixed(100 * metric_value(evaluation, "accuracy"), 2).text,
            number_fixed(metric_value(evaluation, "correct"), 0).text,
            number_fixed(metric_value(evaluation, "rows"), 0).text);
    const double unknown = metric_value(evaluation, "unknown");
    if (unknown > 0) {
        fprintf(out, "%s rows have a label that was never seen in training; they count as errors\n",
                number_fixed(unknown, 0).text);
    }
    print_model_metric(out, model, evaluation);
}

static int widest_label(const cnm_model *model) {
    size_t widest = 6;
    for (size_t i = 0; i < cnm_model_classes(model); i++) {
        const size_t length = strlen(cnm_model_label(model, i));
        widest = length > widest ? length : widest;
    }
    return (int)(widest < 24 ? widest : 24);
}

static void print_matrix(FILE *out, const cnm_model *model, const cnm_evaluation *evaluation) {
    const size_t classes = cnm_model_classes(model);
    const int width = widest_label(model);
    if (classes > MATRIX_CLASSES) {
        fprintf(out, "\n%zu classes: too many for a confusion matrix here; --json has it\n", classes);
        return;
    }
    fprintf(out, "\nConfusion matrix: a row is a true class, a column a predicted one\n%*s", width, "");
    for (size_t j = 0; j < classes; j++) {
        fprintf(out, " %*.*s", width, width, cnm_model_label(model, j));
    }
    fputc('\n', out);
    for (size_t i = 0; i < classes; i++) {
        fprintf(out, "%*.*s", width, width, cnm_model_label(model, i));
        for (size_t j = 0; j < classes; j++) {
            fprintf(out, " %*llu", width, (unsigned long long)cnm_evaluation_count(evaluation, i, j));
        }
        fputc('\n', out);
    }
}

typedef struct class_figures {
    double rows, precision, recall, f1; /* NaN where the denominator is 0 */
} class_figures;

static class_figures figures_of(const cnm_model *model, const cnm_evaluation *evaluation, size_t c) {
    const double hits = (double)cnm_evaluation_count(evaluation, c, c);
    double rows = 0, predicted = 0;
    for (size_t i = 0; i < cnm_model_classes(model); i++) {
        rows += (double)cnm_evaluation_count(evaluation, c, i);
        predicted += (double)cnm_evaluation_count(evaluation, i, c);
    }
    return (class_figures){rows, predicted > 0 ? hits / predicted : NAN, rows > 0 ? hits / rows : NAN,
                           rows + predicted > 0 ? 2 * hits / (rows + predicted) : NAN};
}

/* Returns the text of a value; a dash for NaN. */
static number_text cell(double value) {
    number_text dash = {"-"};
    return isnan(value) ? dash : number_fixed(value, 4);
}

static void print_classes(FILE *out, const cnm_model *model, const cnm_evaluation *evaluation) {
    const int width = widest_label(model);
    fprintf(out, "\n%*s %9s %9s %9s %9s\n", width, "class", "precision", "recall", "F1", "rows");
    for (size_t i = 0; i < cnm_model_classes(model); i++) {
        const class_figures f = figures_of(model, evaluation, i);
        fprintf(out, "%*.*s %9s %9s %9s %9s\n", width, width, cnm_model_label(model, i), cell(f.precision).text,
                cell(f.recall).text, cell(f.f1).text, number_fixed(f.rows, 0).text);
    }
}

/* Prints "Balanced accuracy = 0.9312"; nothing where the metric does not apply. */
static void print_figure(FILE *out, const cnm_evaluation *evaluation, const char *title, const char *name) {
    const double value = metric_value(evaluation, name);
    if (!isnan(value)) {
        fprintf(out, "%s = %s\n", title, number_digits(value, 6).text);
    }
}

void report_probabilities(FILE *out, const cnm_evaluation *evaluation) {
    print_figure(out, evaluation, "Log loss", "logloss");
    print_figure(out, evaluation, "Calibration error", "calibration");
}

void report_details(FILE *out, const cnm_model *model, const cnm_evaluation *evaluation) {
    print_figure(out, evaluation, "Balanced accuracy", "balanced");
    print_figure(out, evaluation, "AUC", "auc");
    print_figure(out, evaluation, "Mean F1", "f1");
    print_figure(out, evaluation, "RMSE", "rmse");
    print_figure(out, evaluation, "MAE", "mae");
    if (cnm_model_classes(model) > 0) {
        print_matrix(out, model, evaluation);
        print_classes(out, model, evaluation);
    }
}

static void json_confusion(FILE *out, const cnm_model *model, const cnm_evaluation *evaluation) {
    const size_t classes = cnm_model_classes(model);
    fputs(", \"labels\": [", out);
    for (size_t i = 0; i < classes; i++) {
        fputs(i == 0 ? "" : ", ", out);
        print_json_string(out, cnm_model_label(model, i));
    }
    fputs("], \"confusion\": [", out);
    for (size_t i = 0; i < classes; i++) {
        fputs(i == 0 ? "[" : ", [", out);
        for (size_t j = 0; j < classes; j++) {
            fprintf(out, j == 0 ? "%llu" : ", %llu", (unsigned long long)cnm_evaluation_count(evaluation, i, j));
        }
        fputc(']', out);
    }
    fputc(']', out);
}

void report_json(FILE *out, const cnm_model *model, const cnm_evaluation *evaluation, int details) {
    static const char *const NAMES[] = {"rows", "correct", "unknown", "accuracy",    "balanced",
                                        "auc",  "f1",      "logloss", "calibration", "mse",
                                        "rmse", "mae",     "r2",      "pinball",     "coverage"};
    const char *glue = "{";
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        const double value = metric_value(evaluation, NAMES[i]);
        if (!isnan(value)) {
            fprintf(out, "%s\"%s\": ", glue, NAMES[i]);
            json_number(out, value);
            glue = ", ";
        }
    }
    if (details && cnm_model_classes(model) > 0) {
        json_confusion(out, model, evaluation);
    }
    fputs("}\n", out);
}
