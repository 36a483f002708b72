/* Measures how training time grows with rows, features and columns for a dense map, and with k log
 * d for a circulant map, for both recipes.
 *
 * Trains through the public functions, on one thread and generated rows of two classes, and checks
 * each model: its size, and that it separates the classes. Times are processor times, which other
 * programs change little, and the best of several runs. Trainings of 1 and of 1 + n passes are
 * timed in turn, and the difference is divided by n: the random map, the kernel's width and other
 * work that a training does once cancels. The exponent of that time against the size is fitted by
 * least squares on logarithms; 1 is linear, less means that parts which do not grow still matter.
 *
 * Usage: growth [--quick]. Prints one line a size and one a fit; exits 1 when a training fails or
 * learns nothing. Not a comparison with other programs, and not the speed on all cores. */
#include <cnm/cnm.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZES = 5 };

typedef struct training_shape {
    size_t rows, columns, features;
} training_shape;

static double size_rows(const training_shape *shape) { return (double)shape->rows; }
static double size_features(const training_shape *shape) { return (double)shape->features; }
static double size_columns(const training_shape *shape) { return (double)shape->columns; }
static double size_circulant(const training_shape *shape) {
    return (double)shape->features * log2((double)shape->columns);
}

/* A recipe and its pass: for joint a pass over the rows, for alternating one iteration of fixed
 * size (100 steps for the head and 100 for the map, of 250 rows each). */
typedef struct recipe {
    const char *name, *passes_option, *pass;
    size_t passes, quick_passes;
} recipe;

static const recipe JOINT = {"joint", "epochs", "an epoch", 10, 4},
                    ALTERNATING = {"alternating", "iterations", "an iteration", 2, 1};

/* One series: the first shape, which of its sizes double, and what the cost is proportional to. */
typedef struct growth_series {
    const char *projection;
    const recipe *recipe;
    const char *against;
    double (*size)(const training_shape *shape);
    training_shape first, doubles; /* doubles: 1 for what does, 0 for what stays */
} growth_series;

static const growth_series SERIES[] = {
    {"dense", &JOINT, "rows", size_rows, {2000, 64, 128}, {1, 0, 0}},
    {"dense", &JOINT, "d", size_columns, {2000, 128, 128}, {0, 1, 0}},
    {"dense", &JOINT, "k", size_features, {2000, 64, 64}, {0, 0, 1}},
    {"circulant", &JOINT, "rows", size_rows, {1000, 256, 256}, {1, 0, 0}},
    {"circulant", &JOINT, "k", size_features, {500, 256, 256}, {0, 0, 1}},
    {"circulant", &JOINT, "k log d", size_circulant, {500, 256, 256}, {0, 1, 1}},
    {"dense", &ALTERNATING, "d", size_columns, {2000, 128, 128}, {0, 1, 0}},
    {"dense", &ALTERNATING, "k", size_features, {2000, 64, 64}, {0, 0, 1}},
    {"circulant", &ALTERNATING, "k log d", size_circulant, {500, 256, 256}, {0, 1, 1}},
};

static training_shape shape_of(const growth_series *series, size_t i) {
    const training_shape *first = &series->first, *doubles = &series->doubles;
    return (training_shape){first->rows << (i * doubles->rows), first->columns << (i * doubles->columns),
                            first->features << (i * doubles->features)};
}

static void fail(const char *reason) {
    fprintf(stderr, "growth: %s\n", reason);
    exit(1);
}

/* Reports the error unless `status` is fine. */
static void check(cnm_status status, const cnm_error *error) {
    if (status != CNM_OK) {
        fail(error->message);
    }
}

/* Returns the processor seconds of this program. */
static double now(void) {
    struct timespec time;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) {
        fail("no clock of this process's time");
    }
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Generates rows of two classes, the same in every run: uniform columns, of which every seventh is
 * raised by a half for the first class, and the next column for the second. */
static cnm_data *make_rows(const training_shape *shape, float **values) {
    cnm_data *data;
    cnm_error error;
    uint64_t state = 1;
    double *targets = malloc(shape->rows * sizeof *targets);
    *values = malloc(shape->rows * shape->columns * sizeof **values);
    if (targets == NULL || *values == NULL) {
        fail("out of memory");
    }
    for (size_t i = 0; i < shape->rows; i++) {
        targets[i] = (double)(i % 2);
        for (size_t j = 0; j < shape->columns; j++) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            (*values)[i * shape->columns + j] = (float)((double)(state >> 40) * 0x1p-24 + (j % 7 == i % 2 ? 0.5 : 0.0));
        }
    }
    check(cnm_data_view_dense(&data, *values, shape->rows, shape->columns, shape->columns, &error), &error);
    check(cnm_data_set_targets(data, targets, &error), &error);
    free(targets);
    return data;
}

static void set_count(cnm_options *options, const char *name, size_t value) {
    char text[32];
    cnm_error error;
    snprintf(text, sizeof text, "%zu", value);
    check(cnm_options_set(options, name, text, &error), &error);
}

static cnm_options *make_options(const growth_series *series, const training_shape *shape, size_t passes) {
    cnm_options *options;
    cnm_error error;
    check(cnm_options_create(&options, &error), &error);
    check(cnm_options_set(options, "projection", series->projection, &error), &error);
    check(cnm_options_set(options, "recipe", series->recipe->name, &error), &error);
    set_count(options, "features", shape->features);
    set_count(options, series->recipe->passes_option, passes);
    set_count(options, "batch", 250);
    set_count(options, "threads", 1);
    return options;
}

static void check_shape(const cnm_model *model, const training_shape *shape) {
    if (cnm_model_features(model) != shape->features || cnm_model_columns(model) != shape->columns ||
        cnm_model_outputs(model) != 1) {
        fail("a model has another shape than asked for");
    }
}

/* Checks that the model classifies clearly more training rows than chance. */
static void check_accuracy(const cnm_model *model, const cnm_data *data, const training_shape *shape) {
    cnm_error error;
    cnm_evaluation *evaluation;
    float *scores = malloc(shape->rows * sizeof *scores);
    if (scores == NULL) {
        fail("out of memory");
    }
    check(cnm_predict_scores(model, data, 1, scores, &error), &error);
    check(cnm_evaluation_create(&evaluation, model, 0, &error), &error);
    check(cnm_evaluation_add(evaluation, data, scores, &error), &error);
    double accuracy;
    check(cnm_evaluation_get(evaluation, "accuracy", &accuracy, &error), &error);
    if (!(accuracy > 0.75)) {
        fail("a training learned nothing: the times would mean nothing");
    }
    cnm_evaluation_destroy(evaluation);
    free(scores);
}

/* Returns seconds of one training; *out is its model, to be destroyed. */
static double train_seconds(cnm_model **out, const cnm_options *options, const cnm_data *data,
                            const training_shape *shape) {
    cnm_error error;
    const double start = now();
    const cnm_status status = cnm_train(out, data, options, NULL, &error);
    const double seconds = now() - start;
    check(status, &error);
    check_shape(*out, shape);
    return seconds;
}

/* Returns seconds of one training, without its model. */
static double seconds_of(const cnm_options *options, const cnm_data *data, const training_shape *shape) {
    cnm_model *model;
    const double seconds = train_seconds(&model, options, data, shape);
    cnm_model_destroy(model);
    return seconds;
}

/* Trains once before the timed trainings, to warm up and to check that the model learns. */
static void try_out(const cnm_options *options, const cnm_data *data, const training_shape *shape) {
    cnm_model *model;
    train_seconds(&model, options, data, shape);
    check_accuracy(model, data, shape);
    cnm_model_destroy(model);
}

/* One size of a series while it is measured. */
typedef struct measurement {
    training_shape shape;
    cnm_data *data;
    float *values;
    size_t passes;                /* that `many` has more than `few` */
    cnm_options *few, *many;      /* 1 pass, and 1 + passes */
    double few_least, many_least; /* seconds, the best so far */
} measurement;

/* Starts with PASSES passes, at least as long as the rest: a small difference would be noise. */
static void measurement_start(measurement *self, const growth_series *series, const training_shape *shape,
                              size_t passes) {
    *self = (measurement){.shape = *shape, .passes = passes, .few_least = INFINITY, .many_least = INFINITY};
    self->data = make_rows(shape, &self->values);
    self->few = make_options(series, shape, 1);
    self->many = make_options(series, shape, 1 + passes);
    try_out(self->many, self->data, shape);
    while (seconds_of(self->many, self->data, shape) < 2.0 * seconds_of(self->few, self->data, shape)) {
        self->passes *= 2;
        cnm_options_destroy(self->many);
        self->many = make_options(series, shape, 1 + self->passes);
    }
}

static void measurement_repeat(measurement *self) {
    self->few_least = fmin(self->few_least, seconds_of(self->few, self->data, &self->shape));
    self->many_least = fmin(self->many_least, seconds_of(self->many, self->data, &self->shape));
}

/* Ends a measurement; returns the seconds of one pass. */
static double measurement_finish(measurement *self) {
    cnm_options_destroy(self->few);
    cnm_options_destroy(self->many);
    cnm_data_destroy(self->data);
    free(self->values);
    if (!(self->many_least > self->few_least)) {
        fail("more passes took no more time: the machine is too busy to measure");
    }
    return (self->many_least - self->few_least) / (double)self->passes;
}

/* Returns the slope of y against x by least squares. */
static double slope_of(const double x[SIZES], const double y[SIZES]) {
    double mean_x = 0.0, mean_y = 0.0, products = 0.0, squares = 0.0;
    for (size_t i = 0; i < SIZES; i++) {
        mean_x += x[i] / SIZES;
        mean_y += y[i] / SIZES;
    }
    for (size_t i = 0; i < SIZES; i++) {
        products += (x[i] - mean_x) * (y[i] - mean_y);
        squares += (x[i] - mean_x) * (x[i] - mean_x);
    }
    return products / squares;
}

/* Prints "@ NAME VALUE" for suite.py: a name has no spaces. */
static void print_figure(const growth_series *series, double exponent) {
    printf("@ %s_%s_", series->projection, series->recipe->name);
    for (const char *letter = series->against; *letter != '\0'; letter++) {
        putchar(*letter == ' ' ? '_' : *letter);
    }
    printf(" %.4f\n\n", exponent);
    fflush(stdout);
}

/* Times all sizes in every round, so that a slow minute of the machine affects all of them. */
static void run(const growth_series *series, int quick) {
    const recipe *way = series->recipe;
    measurement sizes[SIZES];
    double x[SIZES], y[SIZES];
    for (size_t i = 0; i < SIZES; i++) {
        const training_shape shape = shape_of(series, i);
        measurement_start(&sizes[i], series, &shape, quick ? way->quick_passes : way->passes);
    }
    for (size_t i = 0; i < (quick ? 2 : 7) * SIZES; i++) {
        measurement_repeat(&sizes[i % SIZES]);
    }
    for (size_t i = 0; i < SIZES; i++) {
        const training_shape *shape = &sizes[i].shape;
        const double seconds = measurement_finish(&sizes[i]);
        x[i] = log(series->size(shape));
        y[i] = log(seconds);
        printf("%-9s %-11s  rows %5zu  d %4zu  k %4zu  %9.3f ms %s", series->projection, way->name, shape->rows,
               shape->columns, shape->features, 1e3 * seconds, way->pass);
        if (i > 0) {
            printf("  exponent from the last %.2f", (y[i] - y[i - 1]) / (x[i] - x[i - 1]));
        }
        putchar('\n');
    }
    printf("%-9s %-11s  time grows as (%s)^%.2f\n", series->projection, way->name, series->against, slope_of(x, y));
    print_figure(series, slope_of(x, y));
}

int main(int count, char **arguments) {
    const int quick = count == 2 && strcmp(arguments[1], "--quick") == 0;
    if (count > 2 || (count == 2 && !quick)) {
        fputs("usage: growth [--quick]\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof SERIES / sizeof SERIES[0]; i++) {
        run(&SERIES[i], quick);
    }
    return 0;
}
