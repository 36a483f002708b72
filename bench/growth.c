/* How the cost of training grows: with rows, features and columns for a dense map, with k log d for a circulant one.
 *
 * Times the public cnm_train on generated rows (the best of several), takes away what a training of no steps costs by timing two
 * numbers of epochs, and fits the exponent of time against size by least squares on logarithms. 1 is linear.
 *
 * Usage: growth [--quick]. Prints one line a size and one a fit; exits 1 when a training fails. */
#include <cnm/cnm.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZES = 4, REPEATS = 3 };

typedef struct training_shape {
    size_t rows, columns, features;
    const char *projection;
} training_shape;

/* One series: the shapes, and what their cost should be proportional to. */
typedef struct growth_series {
    const char *name, *against;
    training_shape shapes[SIZES];
} growth_series;

static const growth_series SERIES[] = {
    {"dense, rows",
     "rows",
     {{2000, 64, 128, "dense"}, {4000, 64, 128, "dense"}, {8000, 64, 128, "dense"}, {16000, 64, 128, "dense"}}},
    {"dense, features",
     "k",
     {{4000, 64, 64, "dense"}, {4000, 64, 128, "dense"}, {4000, 64, 256, "dense"}, {4000, 64, 512, "dense"}}},
    {"dense, columns",
     "d",
     {{4000, 128, 128, "dense"}, {4000, 256, 128, "dense"}, {4000, 512, 128, "dense"}, {4000, 1024, 128, "dense"}}},
    {"circulant, columns = features",
     "k log d",
     {{2000, 256, 256, "circulant"},
      {2000, 512, 512, "circulant"},
      {2000, 1024, 1024, "circulant"},
      {2000, 2048, 2048, "circulant"}}},
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void fail(const cnm_error *error) {
    fprintf(stderr, "growth: %s\n", error->message);
    exit(1);
}

/* Two noisy classes; the same for every run. */
static cnm_data *make_rows(const training_shape *shape, float **values) {
    cnm_data *data;
    cnm_error error;
    uint64_t state = 1;
    double *targets = malloc(shape->rows * sizeof *targets);
    *values = malloc(shape->rows * shape->columns * sizeof **values);
    if (targets == NULL || *values == NULL) {
        fputs("growth: out of memory\n", stderr);
        exit(1);
    }
    for (size_t i = 0; i < shape->rows; i++) {
        targets[i] = (double)(i % 2);
        for (size_t j = 0; j < shape->columns; j++) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            (*values)[i * shape->columns + j] = (float)((double)(state >> 40) * 0x1p-24 + (j % 7 == i % 2 ? 0.5 : 0.0));
        }
    }
    if (cnm_data_view_dense(&data, *values, shape->rows, shape->columns, shape->columns, &error) != CNM_OK ||
        cnm_data_set_targets(data, targets, &error) != CNM_OK) {
        fail(&error);
    }
    free(targets);
    return data;
}

static double train_seconds(const training_shape *shape, const cnm_data *data, size_t epochs) {
    char text[32];
    cnm_options *options;
    cnm_error error;
    double best = INFINITY;
    cnm_status status = cnm_options_create(&options, &error);
    snprintf(text, sizeof text, "%zu", shape->features);
    status = status != CNM_OK ? status : cnm_options_set(options, "features", text, &error);
    snprintf(text, sizeof text, "%zu", epochs);
    status = status != CNM_OK ? status : cnm_options_set(options, "epochs", text, &error);
    status = status != CNM_OK ? status : cnm_options_set(options, "projection", shape->projection, &error);
    status = status != CNM_OK ? status : cnm_options_set(options, "batch", "250", &error);
    status = status != CNM_OK ? status : cnm_options_set(options, "threads", "1", &error);
    for (int i = 0; status == CNM_OK && i < REPEATS; i++) {
        cnm_model *model;
        const double start = now();
        status = cnm_train(&model, data, options, NULL, &error);
        const double seconds = now() - start;
        best = seconds < best ? seconds : best;
        cnm_model_destroy(model);
    }
    if (status != CNM_OK) {
        fail(&error);
    }
    cnm_options_destroy(options);
    return best;
}

/* Seconds that one epoch adds. */
static double epoch_seconds(const training_shape *shape, size_t epochs) {
    float *values;
    cnm_data *data = make_rows(shape, &values);
    const double few = train_seconds(shape, data, 1), many = train_seconds(shape, data, 1 + epochs);
    cnm_data_destroy(data);
    free(values);
    return (many - few) / (double)epochs;
}

/* What the cost of a shape should be proportional to. */
static double size_of(const growth_series *series, const training_shape *shape) {
    if (strcmp(series->against, "rows") == 0) {
        return (double)shape->rows;
    }
    if (strcmp(series->against, "d") == 0) {
        return (double)shape->columns;
    }
    return strcmp(series->against, "k") == 0 ? (double)shape->features
                                             : (double)shape->features * log2((double)shape->columns);
}

static void run(const growth_series *series, size_t epochs) {
    double x[SIZES], y[SIZES], mean_x = 0.0, mean_y = 0.0, products = 0.0, squares = 0.0;
    for (int i = 0; i < SIZES; i++) {
        const training_shape *shape = &series->shapes[i];
        const double seconds = epoch_seconds(shape, epochs);
        printf("%-30s rows %6zu  d %5zu  k %5zu  %9.3f ms an epoch\n", series->name, shape->rows, shape->columns,
               shape->features, 1e3 * seconds);
        x[i] = log(size_of(series, shape));
        y[i] = log(seconds);
        mean_x += x[i] / SIZES;
        mean_y += y[i] / SIZES;
    }
    for (int i = 0; i < SIZES; i++) {
        products += (x[i] - mean_x) * (y[i] - mean_y);
        squares += (x[i] - mean_x) * (x[i] - mean_x);
    }
    printf("%-30s time grows as (%s)^%.2f\n", series->name, series->against, products / squares);
}

int main(int count, char **arguments) {
    const int quick = count > 1 && strcmp(arguments[1], "--quick") == 0;
    for (size_t i = 0; i < sizeof SERIES / sizeof SERIES[0]; i++) {
        run(&SERIES[i], quick ? 3 : 20);
    }
    return 0;
}
