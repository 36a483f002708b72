/* cnm demo: makes data in the plane, trains several models on them, and shows what the map buys. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arguments.h"
#include "demo/canvas.h"
#include "report_error.h"
#include "cli_format.h"
#include "command_lookup.h"
#include "output_file.h"
#include "demo/demo_image.h"
#include "cli_progress.h"
#include "demo/demo_regions.h"
#include "demo/demo_shapes.h"
#include "terminal.h"

enum { ROWS = 2000, TERMINAL_SIDE = 38, PICTURE_SIDE = 240, GAP = 2, DRAWN_ROWS = 150 };
static const char HEAD_EPOCHS[] =
    "500"; /* a head alone gains nothing from more: the time goes into the table's numbers */
static const char *const LABELS[] = {"blue", "orange"};

/* The models to compare. Those with a panel number are drawn, side by side. */
typedef struct trial {
    const char *title, *method, *features;
    int panel; /* -1: not drawn */
} trial;

static const trial TRIALS[] = {
    {"none", "linear", NULL, -1}, {"random", "rff", "8", -1},   {"random", "rff", "16", 0},
    {"random", "rff", "32", -1},  {"random", "rff", "128", -1}, {"random", "rff", "512", -1},
    {"learned", "cnm", "4", -1},  {"learned", "cnm", "8", -1},  {"learned", "cnm", "16", 1},
    {"learned", "cnm", "32", -1},
};
enum { PANELS = 2, TRIAL_COUNT = sizeof TRIALS / sizeof TRIALS[0] };

typedef struct points {
    float values[ROWS * 2];
    int classes[ROWS];
    const char *labels[ROWS];
    cnm_data *data;
} points;

typedef struct demo {
    points train, test;
    canvas small, large;          /* for the terminal and the picture */
    double accuracy[TRIAL_COUNT]; /* on the test rows */
} demo;

static cnm_status make_points(points *self, shape_point *shape, uint64_t first, cnm_error *error) {
    shape_fill(shape, first, ROWS, self->values, self->classes);
    for (size_t i = 0; i < ROWS; i++) {
        self->labels[i] = LABELS[self->classes[i]];
    }
    const cnm_status status = cnm_data_view_dense(&self->data, self->values, ROWS, 2, 2, error);
    return status == CNM_OK ? cnm_data_set_labels(self->data, self->labels, error) : status;
}

static cnm_status train_trial(cnm_model **model, const trial *what, const cnm_data *data,
                              const cnm_callbacks *callbacks, cnm_error *error) {
    cnm_options *options;
    cnm_status status = cnm_options_create(&options, error);
    *model = NULL;
    if (status == CNM_OK) {
        status = cnm_options_set(options, "method", what->method, error);
    }
    if (status == CNM_OK && what->features != NULL) {
        status = cnm_options_set(options, "features", what->features, error);
    }
    if (status == CNM_OK && strcmp(what->method, "cnm") != 0) {
        status = cnm_options_set(options, "epochs", HEAD_EPOCHS, error);
    }
    if (status == CNM_OK) {
        status = cnm_train(model, data, options, callbacks, error);
    }
    cnm_options_destroy(options);
    return status;
}

static double seconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Test accuracy, and seconds a row on one thread: the best of passes that last a twentieth of a second together. */
static cnm_status measure(const cnm_model *model, const points *test, double *accuracy, double *seconds,
                          cnm_error *error) {
    static const double ENOUGH = 0.05;
    int32_t classes[ROWS];
    double total = 0;
    *seconds = INFINITY;
    do {
        const double before = seconds_now();
        const cnm_status status = cnm_predict_classes(model, test->data, 1, classes, error);
        const double spent = seconds_now() - before;
        if (status != CNM_OK) {
            return status;
        }
        total += spent;
        *seconds = fmin(*seconds, spent / ROWS);
    } while (total < ENOUGH);
    size_t correct = 0;
    for (size_t i = 0; i < ROWS; i++) {
        correct += strcmp(cnm_model_label(model, (size_t)classes[i]), test->labels[i]) == 0;
    }
    *accuracy = (double)correct / ROWS;
    return CNM_OK;
}

static void print_row(const trial *what, const cnm_model *model, double accuracy, double seconds) {
    const char *size = model_value(model, "bytes");
    printf("%-8s %8s %8s %9s%% %12s\n", what->title, what->features != NULL ? what->features : "-",
           size != NULL ? size : "-", number_fixed(100 * accuracy, 2).text, number_fixed(1e6 * seconds, 3).text);
    fflush(stdout);
}

/* The model's regions and the rows it learned from, on both canvases. */
static cnm_status draw(demo *self, size_t number, const cnm_model *model, cnm_error *error) {
    const panel small = {&self->small, number * (TERMINAL_SIDE + GAP), TERMINAL_SIDE};
    const panel large = {&self->large, number * (PICTURE_SIDE + 4 * GAP), PICTURE_SIDE};
    cnm_status status = regions_paint(&small, model, LABELS[1], error);
    if (status == CNM_OK) {
        status = regions_paint(&large, model, LABELS[1], error);
    }
    if (status == CNM_OK) {
        regions_mark(&small, self->train.values, self->train.classes, DRAWN_ROWS);
        regions_mark(&large, self->train.values, self->train.classes, ROWS);
    }
    return status;
}

static cnm_status run_trial(demo *self, size_t number, const cnm_callbacks *callbacks, cnm_error *error) {
    const trial *what = &TRIALS[number];
    cnm_model *model;
    double seconds;
    cnm_status status = train_trial(&model, what, self->train.data, callbacks, error);
    if (status == CNM_OK) {
        status = measure(model, &self->test, &self->accuracy[number], &seconds, error);
    }
    if (status == CNM_OK) {
        print_row(what, model, self->accuracy[number], seconds);
    }
    if (status == CNM_OK && what->panel >= 0) {
        status = draw(self, (size_t)what->panel, model, error);
    }
    cnm_model_destroy(model);
    return status;
}

static cnm_status run_trials(demo *self, shape_point *shape, const cnm_callbacks *callbacks, cnm_error *error) {
    cnm_status status = make_points(&self->train, shape, 0, error);
    status = status != CNM_OK ? status : make_points(&self->test, shape, ROWS, error);
    status = status != CNM_OK ? status
                              : canvas_create(&self->small, PANELS * (TERMINAL_SIDE + GAP) - GAP, TERMINAL_SIDE, error);
    status = status != CNM_OK
                 ? status
                 : canvas_create(&self->large, PANELS * (PICTURE_SIDE + 4 * GAP) - 4 * GAP, PICTURE_SIDE, error);
    if (status == CNM_OK) {
        printf("%d rows to learn from, %d others to test on, two classes in the plane\n\n", ROWS, ROWS);
        printf("%-8s %8s %8s %10s %12s\n", "map", "features", "bytes", "accuracy", "us a row");
    }
    for (size_t i = 0; status == CNM_OK && i < TRIAL_COUNT; i++) {
        status = run_trial(self, i, callbacks, error);
    }
    return status;
}

static void print_panels(const demo *self) {
    putchar('\n');
    for (int number = 0; number < PANELS; number++) {
        for (size_t i = 0; i < TRIAL_COUNT; i++) {
            if (TRIALS[i].panel == number) {
                const int used = printf("%s, %s features", TRIALS[i].title, TRIALS[i].features);
                printf("%*s", number + 1 < PANELS ? TERMINAL_SIDE + GAP - used : 0, "");
            }
        }
    }
    putchar('\n');
    terminal_draw(stdout, &self->small);
}

static bool is_of(size_t number, const char *method) { return strcmp(TRIALS[number].method, method) == 0; }

static double features_of(size_t number) { return number_read(TRIALS[number].features); }

/* What the table shows: the pair of a learned and a random map where learning saves most without losing accuracy. */
static void print_verdict(const demo *self) {
    size_t learned = TRIAL_COUNT, random = TRIAL_COUNT;
    double saved = 1;
    for (size_t i = 0; i < TRIAL_COUNT; i++) {
        for (size_t j = 0; is_of(i, "cnm") && j < TRIAL_COUNT; j++) {
            const double ratio = is_of(j, "rff") ? features_of(j) / features_of(i) : 0;
            const bool better = self->accuracy[i] >= self->accuracy[j] && self->accuracy[j] > self->accuracy[0];
            if (better && ratio > saved) {
                learned = i;
                random = j;
                saved = ratio;
            }
        }
    }
    if (learned == TRIAL_COUNT) {
        puts("\nHere no learned map does as well as a random one of more features.");
        return;
    }
    printf("\n%s learned features tell the classes apart in %s%% of the test rows, %s random ones in %s%%: learning "
           "the map\n"
           "saves a factor of %s here.\n",
           TRIALS[learned].features, number_fixed(100 * self->accuracy[learned], 2).text, TRIALS[random].features,
           number_fixed(100 * self->accuracy[random], 2).text, number_digits(saved, 3).text);
}

static int run(const arguments *line) {
    const char *shape_name = arguments_own(line, "shape"), *picture = arguments_own(line, "picture");
    shape_point *shape = shape_find(shape_name != NULL ? shape_name : "spiral");
    cnm_error error = {CNM_OK, ""};
    if (shape == NULL) {
        return complain_usage(line->command, "--shape cannot be \"%s\": expected spiral or banana", shape_name);
    }
    if (picture != NULL && !picture_has_format(picture)) {
        return complain_usage(line->command, "--picture cannot be \"%s\": expected a name in .png or .svg", picture);
    }
    if (picture != NULL && output_check(picture, &error) != CNM_OK) {
        return complain_error(line->command, &error);
    }
    demo *self = calloc(1, sizeof *self);
    if (self == NULL) {
        complain_note(line->command, "out of memory");
        return STATUS_FAILED;
    }
    progress bar;
    progress_start(&bar, line->command, arguments_own(line, "quiet") != NULL);
    const cnm_callbacks callbacks = progress_callbacks(&bar);
    cnm_status status = run_trials(self, shape, &callbacks, &error);
    progress_end(&bar);
    if (status == CNM_OK) {
        print_panels(self);
        print_verdict(self);
    }
    if (status == CNM_OK && picture != NULL) {
        status = picture_write(&self->large, picture, &error);
    }
    cnm_data_destroy(self->train.data);
    cnm_data_destroy(self->test.data);
    canvas_free(&self->small);
    canvas_free(&self->large);
    free(self);
    return status == CNM_OK ? STATUS_OK : complain_error(line->command, &error);
}

static const own_option OPTIONS[] = {
    {"shape", 0, "spiral|banana", "what the two classes look like [spiral]", NULL},
    {"picture", 0, "FILE", "draw the regions into a .png or .svg file too", NULL},
    {"quiet", 'q', NULL, "no progress and no notes", NULL},
};

const command COMMAND_DEMO = {
    .name = "demo",
    .usage = "[options]",
    .summary = "everything, on data it makes itself",
    .guide = "  cnm demo\n"
             "  cnm demo --shape banana --picture banana.png\n"
             "\n"
             "Trains models without a map, with random and with learned maps on two classes that no line separates,\n"
             "shows size, accuracy and time of each, and draws where a random and a learned map of one size see\n"
             "the classes.\n",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .run = run,
};
