/* Prints the results of a tuning. */
#include "tune/tune_table.h"

#include <stdio.h>

#include "cli_format.h"

/* Returns the text of a score: fractions with four decimals, losses with five digits. */
static number_text figure(const metric_traits *metric, double value) {
    return metric->lower ? number_digits(value, 5) : number_fixed(value, 4);
}

void table_head(const metric_traits *metric) {
    printf("%-18s %8s %10s %8s %10s %8s\n", "projection", "features", "bytes", "us/row", metric->name, "+-");
    fflush(stdout);
}

void table_row(const frontier_point *point, const metric_traits *metric) {
    printf("%-18s %8s %10s %8s %10s %8s\n", point->shape.projection.text, shape_features(&point->shape).text,
           number_digits(point->bytes, 12).text, number_digits(point->microseconds, 3).text,
           figure(metric, point->score).text, figure(metric, point->error).text);
    fflush(stdout);
}

static void print_mark(const char *name, const frontier_point *point, const metric_traits *metric, const char *why) {
    printf("%s: %s, %s, %s bytes, %s %s +- %s%s\n", name, point->shape.projection.text, shape_words(&point->shape).text,
           number_digits(point->bytes, 12).text, metric->name, figure(metric, point->score).text,
           figure(metric, point->error).text, why);
}

void table_marks(const frontier *self) {
    print_mark("best", &self->points[self->best], &self->metric, "");
    print_mark("knee", &self->points[self->knee], &self->metric,
               ", the smallest within one standard error of the best");
    fflush(stdout);
}

void table_model(const tuned_model *model) {
    const map_shape *shape = &model->point->shape;
    printf("model: %s, %s, %s, %s bytes, trained on all rows\n", model->path, shape->projection.text,
           shape_words(shape).text, number_digits(model->bytes, 12).text);
}

static void json_entry(const char *name, double value) {
    printf(", \"%s\": ", name);
    json_number(stdout, value);
}

/* Prints projection, features of the last layer, and layers as --layers takes them: null of one. */
static void json_shape(const map_shape *shape) {
    printf("\"projection\": \"%s\", \"features\": %zu, \"layers\": ", shape->projection.text, shape->features);
    if (shape->below > 0) {
        printf("\"%s\"", shape_features(shape).text);
    } else {
        fputs("null", stdout);
    }
}

static void json_point(const frontier *self, size_t i) {
    const frontier_point *point = &self->points[i];
    putchar('{');
    json_shape(&point->shape);
    json_entry("bytes", point->bytes);
    json_entry("microseconds", point->microseconds);
    json_entry("score", point->score);
    json_entry("error", point->error);
    printf(", \"best\": %s, \"knee\": %s}", i == self->best ? "true" : "false", i == self->knee ? "true" : "false");
}

void table_json(const frontier *self, const tuned_model *model) {
    const char *glue = "";
    printf("{\"metric\": \"%s\", \"folds\": %zu, \"reused\": %zu, \"frontier\": [", self->metric.name, model->folds,
           model->reused);
    for (size_t i = 0; i < self->count; i++) {
        if (self->points[i].evaluated && !self->points[i].dropped) {
            fputs(glue, stdout);
            json_point(self, i);
            glue = ", ";
        }
    }
    printf("], \"pick\": \"%s\", \"model\": ", model->pick);
    print_json_string(stdout, model->path);
    fputs(", ", stdout);
    json_shape(&model->point->shape);
    json_entry("bytes", model->bytes);
    json_entry("seconds", model->seconds);
    fputs("}\n", stdout);
}
