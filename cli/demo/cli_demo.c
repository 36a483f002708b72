/* cnm demo: makes data in the plane, trains several models on them, and compares their size,
 * accuracy and time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arguments.h"
#include "cli_format.h"
#include "cli_progress.h"
#include "demo/canvas.h"
#include "demo/demo_image.h"
#include "demo/demo_regions.h"
#include "demo/demo_shapes.h"
#include "described_values.h"
#include "library_calls.h"
#include "output_file.h"
#include "report_error.h"
#include "terminal.h"

enum { ROWS = 2000, TERMINAL_SIDE = 38, PICTURE_SIDE = 240, GAP = 2, DRAWN_ROWS = 150 };
static const char HEAD_EPOCHS[] = "500"; /* for random maps: more does not help a head alone */
static const char *const LABELS[] = {"blue", "orange"};

/* The models to compare. Those with a panel number are drawn side by side. */
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
    TRY(cnm_data_view_dense(&self->data, self->values, ROWS, 2, 2, error));
    return cnm_data_set_labels(self->data, self->labels, error);
}

static cnm_status train_trial(cnm_model **model, const trial *what, const cnm_data *data,
                              const cnm_callbacks *callbacks, cnm_error *error) {
    cnm_options *options = NULL;
    cnm_status status;
    *model = NULL;
    TRY_DONE(cnm_options_create(&options, error));
    TRY_DONE(cnm_options_set(options, "method", what->method, error));
    if (what->features != NULL) {
        TRY_DONE(cnm_options_set(options, "features", what->features, error));
    }
    if (strcmp(what->method, "cnm") != 0) {
        TRY_DONE(cnm_options_set(options, "epochs", HEAD_EPOCHS, error));
    }
    TRY_DONE(library_train(model, data, options, callbacks, error));
done:
    cnm_options_destroy(options);
    return status;
}

static double seconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Measures the test accuracy, and the seconds a row on one thread: the least of several passes,
 * which last a twentieth of a second together. */
static cnm_status measure(const cnm_model *model, const points *test, double *accuracy, double *seconds,
                          cnm_error *error) {
    static const double ENOUGH = 0.05;
    int32_t classes[ROWS];
    double total = 0;
    *seconds = INFINITY;
    do {
        const double before = seconds_now();
        TRY(cnm_predict_classes(model, test->data, 1, classes, error));
        const double spent = seconds_now() - before;
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

/* Draws the model's decision regions and its training rows on both canvases. */
static cnm_status draw(demo *self, size_t number, const cnm_model *model, cnm_error *error) {
    const panel small = {&self->small, number * (TERMINAL_SIDE + GAP), TERMINAL_SIDE};
    const panel large = {&self->large, number * (PICTURE_SIDE + 4 * GAP), PICTURE_SIDE};
    TRY(regions_paint(&small, model, LABELS[1], error));
    TRY(regions_paint(&large, model, LABELS[1], error));
    regions_mark(&small, self->train.values, self->train.classes, DRAWN_ROWS);
    regions_mark(&large, self->train.values, self->train.classes, ROWS);
    return CNM_OK;
}

/* Returns the expected work of a training: learned maps are searched for, random ones are not. */
static double work_of(const trial *what) {
    const double features = what->features == NULL ? 0 : number_of_text(what->features);
    return strcmp(what->method, "cnm") == 0 ? 1.5 + features / 64 : 0.2 + features / 2048;
}

/* Begins the part of the command that trains one model. */
static void begin_part(progress *bar, size_t number) {
    const trial *what = &TRIALS[number];
    char prefix[64];
    double done = 0, all = 0;
    for (size_t i = 0; i < TRIAL_COUNT; i++) {
        done += i <= number ? work_of(&TRIALS[i]) : 0;
        all += work_of(&TRIALS[i]);
    }
    (void)snprintf(prefix, sizeof prefix, "%s%s%s", what->title, what->features == NULL ? " map" : ", ",
                   what->features == NULL ? "" : what->features);
    progress_part(bar, done / all, prefix);
}

static cnm_status run_trial(demo *self, size_t number, progress *bar, cnm_error *error) {
    const cnm_callbacks callbacks = progress_callbacks(bar);
    const trial *what = &TRIALS[number];
    cnm_model *model;
    double seconds;
    cnm_status status;
    begin_part(bar, number);
    TRY_DONE(train_trial(&model, what, self->train.data, &callbacks, error));
    TRY_DONE(measure(model, &self->test, &self->accuracy[number], &seconds, error));
    progress_end(bar);
    print_row(what, model, self->accuracy[number], seconds);
    TRY_DONE(what->panel >= 0 ? draw(self, (size_t)what->panel, model, error) : CNM_OK);
done:
    cnm_model_destroy(model);
    return status;
}

static cnm_status run_trials(demo *self, shape_point *shape, progress *bar, cnm_error *error) {
    TRY(make_points(&self->train, shape, 0, error));
    TRY(make_points(&self->test, shape, ROWS, error));
    TRY(canvas_create(&self->small, PANELS * (TERMINAL_SIDE + GAP) - GAP, TERMINAL_SIDE, error));
    TRY(canvas_create(&self->large, PANELS * (PICTURE_SIDE + 4 * GAP) - 4 * GAP, PICTURE_SIDE, error));
    printf("%d training rows, %d test rows, two classes in the plane\n\n", ROWS, ROWS);
    printf("%-8s %8s %8s %10s %12s\n", "map", "features", "bytes", "accuracy", "us a row");
    for (size_t i = 0; i < TRIAL_COUNT; i++) {
        TRY(run_trial(self, i, bar, error));
    }
    return CNM_OK;
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

static double features_of(size_t number) { return number_of_text(TRIALS[number].features); }

/* Prints what the table shows: the pair of a learned and a random map where learning saves the most
 * features without losing accuracy. */
static void print_conclusion(const demo *self) {
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
        puts("\nHere no learned map is as accurate as a random one with more features.");
        return;
    }
    printf("\n%s learned features classify %s%% of the test rows correctly, %s random ones %s%%:\n"
           "learning the map saves a factor of %s here.\n",
           TRIALS[learned].features, number_fixed(100 * self->accuracy[learned], 2).text, TRIALS[random].features,
           number_fixed(100 * self->accuracy[random], 2).text, number_digits(saved, 3).text);
}

static int run(const arguments *line) {
    const char *shape_name = arguments_own(line, "shape"), *picture = arguments_own(line, "picture");
    shape_point *shape = shape_find(shape_name != NULL ? shape_name : "spiral");
    cnm_error error = {CNM_OK, ""};
    if (shape == NULL) {
        return usage_error(line->command, "--shape cannot be \"%s\": expected spiral or banana", shape_name);
    }
    if (picture != NULL && !picture_has_format(picture)) {
        return usage_error(line->command, "--picture cannot be \"%s\": expected a name in .png or .svg", picture);
    }
    if (picture != NULL && output_check(picture, &error) != CNM_OK) {
        return report_error(line->command, &error);
    }
    demo *self = calloc(1, sizeof *self);
    if (self == NULL) {
        report_note(line->command, "out of memory");
        return STATUS_FAILED;
    }
    progress bar;
    cnm_status status;
    progress_begin(&bar, line->command, arguments_own(line, "quiet") != NULL);
    bar.silent = !bar.terminal; /* lines would stand among the rows of the table, which come as fast */
    TRY_DONE(run_trials(self, shape, &bar, &error));
    progress_end(&bar);
    print_panels(self);
    print_conclusion(self);
    TRY_DONE(picture != NULL ? picture_write(&self->large, picture, &error) : CNM_OK);
done:
    progress_end(&bar);
    cnm_data_destroy(self->train.data);
    cnm_data_destroy(self->test.data);
    canvas_free(&self->small);
    canvas_free(&self->large);
    free(self);
    return status == CNM_OK ? STATUS_OK : report_error(line->command, &error);
}

static const own_option OPTIONS[] = {
    {"shape", 0, "spiral|banana", "what the two classes look like [spiral]", NULL},
    {"picture", 0, "FILE", "draw the regions into a .png or .svg file too", NULL},
    {"quiet", 'q', NULL, "no progress and no notes", NULL},
};

const command COMMAND_DEMO = {
    .name = "demo",
    .usage = "[options]",
    .summary = "compare learned and random maps on data it makes itself",
    .guide = "  cnm demo\n"
             "  cnm demo --shape banana --picture banana.png\n"
             "\n"
             "Trains models without a map, with random and with learned maps on two classes\n"
             "that no line separates, prints size, accuracy and time of each, and draws the\n"
             "decision regions of a random and a learned map of the same size.\n",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .run = run,
};
