/* cnm export: a model as plain C or ONNX, what it needs, and what its rounding costs on given rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "row_batches.h"
#include "report_error.h"
#include "model_facts.h"
#include "command_lookup.h"
#include "output_file.h"
#include "cli_progress.h"

enum { WHICH = 2 }; /* the model as it is, and as it leaves */

/* One run: both models, and how good each is on --data. */
typedef struct exporting {
    const arguments *line;
    const char *to, *weights, *path;
    cnm_model *models[WHICH];
    cnm_evaluation *evaluations[WHICH];
    batches batches;
    float *scores; /* (capacity, outputs) */
    size_t capacity;
    size_t flash, stack;
} exporting;

static bool ends_with(const char *text, const char *ending) {
    const size_t length = strlen(text), size = strlen(ending);
    return length > size && strcmp(text + length - size, ending) == 0;
}

/* ---- The accuracy lost ---- */

static cnm_status make_room(exporting *self, size_t rows, cnm_error *error) {
    if (rows <= self->capacity) {
        return CNM_OK;
    }
    free(self->scores);
    self->scores = calloc(rows * cnm_model_outputs(self->models[0]), sizeof *self->scores);
    self->capacity = self->scores == NULL ? 0 : rows;
    return self->scores != NULL ? CNM_OK
                                : error_fill(error, CNM_NO_MEMORY, "out of memory: the scores of %zu rows", rows);
}

static cnm_status take_batch(exporting *self, const cnm_data *data, cnm_error *error) {
    cnm_status status = make_room(self, cnm_data_rows(data), error);
    if (status == CNM_OK && !cnm_data_is_labelled(data)) {
        status = error_fill(error, CNM_BAD_DATA, "%s has no labels to compare with", arguments_own(self->line, "data"));
    }
    for (size_t i = 0; status == CNM_OK && i < WHICH; i++) {
        status = cnm_predict_scores(self->models[i], data, threads_wanted(self->line->options), self->scores, error);
        if (status == CNM_OK) {
            status = cnm_evaluation_add(self->evaluations[i], data, self->scores, error);
        }
    }
    return status;
}

static cnm_status evaluate(exporting *self, const char *data_path, const cnm_callbacks *callbacks, cnm_error *error) {
    cnm_status status = CNM_OK;
    for (size_t i = 0; status == CNM_OK && i < WHICH; i++) {
        status = cnm_evaluation_create(&self->evaluations[i], self->models[i], 0, error);
    }
    if (status == CNM_OK) {
        status = batches_open(&self->batches, data_path, self->line->options, self->models[0], callbacks, error);
    }
    cnm_data *data = NULL;
    while (status == CNM_OK && (status = batches_next(&self->batches, &data, error)) == CNM_OK && data != NULL) {
        status = take_batch(self, data, error);
        cnm_data_destroy(data);
    }
    return status;
}

/* ---- What is printed ---- */

static double measured(const exporting *self, size_t which) {
    const char *name = cnm_model_classes(self->models[0]) > 0 ? "accuracy" : "r2";
    return self->evaluations[which] == NULL ? NAN : cnm_evaluation_get(self->evaluations[which], name);
}

static void print_facts(const exporting *self, const char *header) {
    const bool json = arguments_own(self->line, "json") != NULL, c = header != NULL;
    const bool classes = cnm_model_classes(self->models[0]) > 0;
    const fact facts[] = {
        {"file", self->path, NAN},
        {"header", header, NAN},
        {"weights", self->weights, NAN},
        {"flash", NULL, c ? (double)self->flash : NAN},
        {"stack", NULL, c ? (double)self->stack : NAN},
        {classes ? "accuracy" : "r2", NULL, measured(self, 0)},
        {classes ? "accuracy-exported" : "r2-exported", NULL, measured(self, 1)},
    };
    facts_print(stdout, facts, sizeof facts / sizeof facts[0], json);
}

/* ---- The command ---- */

static cnm_status export_all(exporting *self, const cnm_callbacks *callbacks, cnm_error *error) {
    const char *data = arguments_own(self->line, "data");
    cnm_status status = cnm_model_load(&self->models[0], self->line->operands[0], error);
    if (status == CNM_OK) {
        status = cnm_model_round(&self->models[1], self->models[0], self->weights, error);
    }
    if (status == CNM_OK && data != NULL) {
        status = evaluate(self, data, callbacks, error);
    }
    if (status == CNM_OK) {
        status = cnm_model_export(self->models[0], self->to, self->weights, arguments_own(self->line, "name"),
                                  self->path, error);
    }
    if (status == CNM_OK && strcmp(self->to, "c") == 0) {
        status = cnm_model_need(self->models[0], self->weights, &self->flash, &self->stack, error);
    }
    return status;
}

/* The line makes sense; a format that is not named is told by the file's ending. */
static int check_line(exporting *self) {
    const arguments *line = self->line;
    self->to = arguments_own(line, "to");
    self->path = arguments_own(line, "output");
    self->weights = arguments_own(line, "weights");
    if (self->path == NULL) {
        return complain_usage(line->command, "-o FILE.c or -o FILE.onnx is needed");
    }
    if (self->to == NULL) {
        self->to = ends_with(self->path, ".c") ? "c" : ends_with(self->path, ".onnx") ? "onnx" : NULL;
    }
    if (self->to == NULL) {
        return complain_usage(line->command, "\"%s\" ends neither in .c nor in .onnx: add --to c or --to onnx",
                              self->path);
    }
    if (strcmp(self->to, "c") == 0 && !ends_with(self->path, ".c")) {
        return complain_usage(line->command, "\"%s\" does not end in .c: two files are written, FILE.c and FILE.h",
                              self->path);
    }
    if (strcmp(self->to, "onnx") == 0 && arguments_own(line, "name") != NULL) {
        return complain_usage(line->command, "--name is for C: names in ONNX are fixed");
    }
    self->weights = self->weights == NULL ? "f32" : self->weights;
    return STATUS_OK;
}

static void free_all(exporting *self) {
    for (size_t i = 0; i < WHICH; i++) {
        cnm_evaluation_destroy(self->evaluations[i]);
        cnm_model_destroy(self->models[i]);
    }
    batches_close(&self->batches);
    free(self->scores);
}

/* FILE.h of FILE.c; NULL where there is none, or no memory for its name. */
static char *header_of(const exporting *self) {
    const size_t length = strlen(self->path);
    char *header = strcmp(self->to, "c") == 0 ? malloc(length + 1) : NULL;
    if (header != NULL) {
        memcpy(header, self->path, length + 1);
        header[length - 1] = 'h';
    }
    return header;
}

static int run(const arguments *line) {
    exporting self = {.line = line};
    cnm_error error = {CNM_OK, ""};
    const int usage = check_line(&self);
    if (usage != STATUS_OK) {
        return usage;
    }
    if (output_check(self.path, &error) != CNM_OK) {
        return complain_error(line->command, &error);
    }
    progress bar;
    progress_start(&bar, line->command, arguments_own(line, "quiet") != NULL);
    const cnm_callbacks callbacks = progress_callbacks(&bar);
    const cnm_status status = export_all(&self, &callbacks, &error);
    progress_end(&bar);
    if (status == CNM_OK && arguments_own(line, "quiet") == NULL) {
        char *header = header_of(&self);
        print_facts(&self, header);
        free(header);
    }
    free_all(&self);
    return status == CNM_OK ? STATUS_OK : complain_error(line->command, &error);
}

static const own_option OPTIONS[] = {
    {"output", 'o', "FILE", "the file to write; C gets a header beside it", NULL},
    {"to", 0, "c|onnx", "what to write; without it the name's ending tells", NULL},
    {"weights", 0, "f32|f16|i8", "bits of the tables of C (f32)", NULL},
    {"name", 0, "NAME", "what the names in C begin with (the file's name)", NULL},
    {"data", 0, "FILE", "labelled rows: how good the model is on them as it is, and with the exported weights", NULL},
    {"json", 0, NULL, "the results as one JSON object", NULL},
    {"quiet", 'q', NULL, "no results, no progress and no notes", NULL},
};

const command COMMAND_EXPORT = {
    .name = "export",
    .usage = "[options] MODEL -o FILE.c|FILE.onnx",
    .summary = "write the model as plain C or ONNX",
    .guide =
        "  cnm export digits.cnm -o digits.c                  digits.c and digits.h: C99, nothing to link\n"
        "  cnm export digits.cnm -o digits.c --weights i8     a quarter of the size ...\n"
        "  cnm export digits.cnm -o digits.c --weights i8 --data test.csv    ... and what it costs\n"
        "  cnm export digits.cnm -o digits.onnx               for onnxruntime: label and probabilities\n"
        "\n"
        "The C allocates nothing and keeps nothing; `flash` is its constant tables, `stack` its arrays, in bytes. Its\n"
        "functions are NAME_predict, NAME_scores, NAME_labels; NAME_value for numbers; the header has an example.\n",
    .purpose = CNM_FOR_DATA | CNM_FOR_PREDICT,
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .least = 1,
    .most = 1,
    .run = run,
};
