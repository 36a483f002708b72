/* cnm inspect: prints what a model is and how it was trained. */
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "cli_format.h"
#include "json_value.h"
#include "report_error.h"

static void print_table(const cnm_model *model) {
    const char *key, *value;
    int width = 0;
    for (size_t i = 0; cnm_model_describe(model, i, &key, &value); i++) {
        const int length = (int)strlen(key);
        width = length > width ? length : width;
    }
    for (size_t i = 0; cnm_model_describe(model, i, &key, &value); i++) {
        printf("%-*s  %s\n", width, key, value);
    }
}

static void print_json(const cnm_model *model) {
    const char *key, *value;
    for (size_t i = 0; cnm_model_describe(model, i, &key, &value); i++) {
        fputs(i == 0 ? "{" : ", ", stdout);
        print_json_string(stdout, key);
        fputs(": ", stdout);
        json_model_value(stdout, model, key, value);
    }
    puts("}");
}

static int run(const arguments *line) {
    cnm_model *model;
    cnm_error error;
    if (cnm_model_load(&model, line->operands[0], &error) != CNM_OK) {
        return report_error(line->command, &error);
    }
    if (arguments_own(line, "json") != NULL) {
        print_json(model);
    } else {
        print_table(model);
    }
    cnm_model_destroy(model);
    return STATUS_OK;
}

static const own_option OPTIONS[] = {{"json", 0, NULL, "one JSON object", NULL}};

const command COMMAND_INSPECT = {
    .name = "inspect",
    .usage = "[--json] MODEL",
    .summary = "print a model's size and how it was trained",
    .guide = "  cnm inspect digits.cnm\n"
             "  cnm inspect --json digits.cnm\n"
             "\n"
             "First the size of the model, then how it was trained: recipe, loss, gamma, steps\n"
             "and, where they apply, the score on validation rows, and the error of a learned\n"
             "kernel approximation beside that of random features and of a constant.\n",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .least = 1,
    .most = 1,
    .run = run,
};
