/* Compares an epoch of a joint training with the time of its multiply-adds alone, on one thread and
 * on two, and with the same recipe in PyTorch where that is installed.
 *
 * Trains through the public functions on generated rows of ten classes, shaped like MNIST (d = 784,
 * k = 784) and USPS (d = k = 256), two layers, of 256 and 128 features, on rows of 54 columns, and
 * a circulant layer of 784 below one of 64, and checks first that the training learns and that one
 * thread and two give the same scores. Trainings of 1 and of 1 + n epochs are timed in turn by
 * wall-clock time, and the difference of the best times is divided by n: work that a training does
 * once cancels. The floor is the number of multiply-adds of an epoch at the peak rate, measured in
 * the same run; there is none for circulant layers, whose convolutions inner_convolve.c compares.
 *
 * Usage: step [--quick] [--peer COMMAND]. COMMAND, such as "python3 bench/step_torch.py", gets
 * rows, d, layers (784, or 256,128), classes and threads as arguments and prints the seconds of an
 * epoch. Exits 1 when a check fails. It measures no accuracy: the rows are generated. */
#include <cnm/cnm.h>

#include "floor.h"

enum { CLASSES = 10, BATCH = 256, MOST_THREADS = 2 };

typedef struct step_case {
    const char *name, *key;
    size_t rows, columns;
    const char *layers;
    size_t inner, features; /* of a dense layer below the last, 0: none; of the last */
    int circulant;          /* the first layer is */
} step_case;

static const step_case CASES[] = {{"MNIST-like", "mnist", 6400, 784, "784", 0, 784, 0},
                                  {"USPS-like", "usps", 7168, 256, "256", 0, 256, 0},
                                  {"two layers", "stack", 12800, 54, "256,128", 256, 128, 0},
                                  {"circulant below", "below", 6400, 784, "circulant:784,dense:64", 784, 64, 1}};

/* ---- The floor ---- */

/* Multiply-adds of an epoch: projections, gradient of theta, scores, gradients of head and
 * features; for a layer above the first also the slope of its input. NAN: not known. */
static double multiply_adds(const step_case *is) {
    const double rows = (double)is->rows, d = (double)is->columns, k = (double)is->features, below = (double)is->inner;
    const double layers = is->inner == 0 ? 2.0 * d * k : 2.0 * d * below + 3.0 * below * k;
    return is->circulant ? NAN : rows * (layers + 3.0 * k * CLASSES);
}

/* ---- Trainings ---- */

/* Generates rows: class c raises every tenth column by 0.7, from column c on. */
static cnm_data *make_rows(const step_case *is, float **values) {
    cnm_data *data;
    cnm_error error;
    uint64_t state = 1;
    double *targets = malloc(is->rows * sizeof *targets);
    *values = malloc(is->rows * is->columns * sizeof **values);
    if (targets == NULL || *values == NULL) {
        fail("out of memory");
    }
    for (size_t i = 0; i < is->rows; i++) {
        targets[i] = (double)(i % CLASSES);
        for (size_t j = 0; j < is->columns; j++) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            (*values)[i * is->columns + j] =
                (float)((double)(state >> 40) * 0x1p-24 + (j % CLASSES == i % CLASSES ? 0.7 : 0.0));
        }
    }
    check(cnm_data_view_dense(&data, *values, is->rows, is->columns, is->columns, &error), &error);
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

/* Returns the options of the recipe, without a search. */
static cnm_options *make_options(const step_case *is, size_t epochs, size_t threads) {
    static const char *const FIXED[][2] = {{"scale", "none"}, {"gamma", "knn"}, {"effort", "quick"}, {"dtype", "f32"}};
    cnm_options *options;
    cnm_error error;
    check(cnm_options_create(&options, &error), &error);
    for (size_t i = 0; i < sizeof FIXED / sizeof FIXED[0]; i++) {
        check(cnm_options_set(options, FIXED[i][0], FIXED[i][1], &error), &error);
    }
    check(cnm_options_set(options, "layers", is->layers, &error), &error);
    set_count(options, "epochs", epochs);
    set_count(options, "batch", BATCH);
    set_count(options, "threads", threads);
    return options;
}

/* Returns seconds of one training; *out is its model unless out is NULL. */
static double train_seconds(const step_case *is, const cnm_data *data, size_t epochs, size_t threads, cnm_model **out) {
    cnm_error error;
    cnm_model *model;
    cnm_options *options = make_options(is, epochs, threads);
    const double start = now();
    const cnm_status status = cnm_train(&model, data, options, NULL, &error);
    const double seconds = now() - start;
    check(status, &error);
    cnm_options_destroy(options);
    if (out != NULL) {
        *out = model;
    } else {
        cnm_model_destroy(model);
    }
    return seconds;
}

static float *scores_of(const cnm_model *model, const cnm_data *data, size_t rows) {
    cnm_error error;
    float *scores = malloc(rows * CLASSES * sizeof *scores);
    if (scores == NULL) {
        fail("out of memory");
    }
    check(cnm_predict_scores(model, data, 1, scores, &error), &error);
    return scores;
}

/* Checks that one epoch learns far more than chance, and that two threads give the same model. */
static void verify(const step_case *is, const cnm_data *data) {
    cnm_model *models[MOST_THREADS];
    float *scores[MOST_THREADS];
    size_t right = 0;
    for (size_t i = 0; i < MOST_THREADS; i++) {
        train_seconds(is, data, 1, i + 1, &models[i]);
        scores[i] = scores_of(models[i], data, is->rows);
    }
    if (memcmp(scores[0], scores[1], is->rows * CLASSES * sizeof **scores) != 0) {
        fail("one thread and two give different models");
    }
    for (size_t row = 0; row < is->rows; row++) {
        size_t best = 0;
        for (size_t j = 1; j < CLASSES; j++) {
            best = scores[0][row * CLASSES + j] > scores[0][row * CLASSES + best] ? j : best;
        }
        right += best == row % CLASSES;
    }
    if (right * 10 < is->rows * 9) {
        fail("an epoch taught nothing: the times would mean nothing");
    }
    for (size_t i = 0; i < MOST_THREADS; i++) {
        cnm_model_destroy(models[i]);
        free(scores[i]);
    }
}

/* ---- The peer ---- */

/* Returns seconds of an epoch as the peer measures them; NAN without a peer. */
static double peer_seconds(const char *command, const step_case *is, size_t threads) {
    char line[1024];
    double seconds = NAN;
    if (command == NULL) {
        return NAN;
    }
    snprintf(line, sizeof line, "%s %zu %zu %s %d %zu", command, is->rows, is->columns, is->layers, CLASSES, threads);
    FILE *pipe = popen(line, "r");
    if (pipe == NULL || fgets(line, sizeof line, pipe) == NULL || (seconds = strtod(line, NULL)) <= 0.0) {
        fail("the peer gave no time");
    }
    if (pclose(pipe) != 0) {
        fail("the peer failed");
    }
    return seconds;
}

/* ---- The report ---- */

typedef struct best_times {
    double few[MOST_THREADS], many[MOST_THREADS], peer; /* seconds */
} best_times;

static void keyed(const step_case *is, const char *what, size_t threads, double value) {
    char name[64];
    snprintf(name, sizeof name, "%s_%s_%zu", is->key, what, threads);
    figure(name, value);
}

static void run(const step_case *is, const char *command, int quick) {
    const size_t epochs = quick ? 4 : 12, tries = quick ? 3 : 9;
    best_times best = {{INFINITY, INFINITY}, {INFINITY, INFINITY}, INFINITY};
    float *values;
    cnm_data *data = make_rows(is, &values);
    double one = 0.0;
    verify(is, data);
    const double peak = fma_peak(FLOOR_TRIES);
    for (size_t try = 0; try < tries; try++) { /* in turn: a slow minute affects all */
        for (size_t i = 0; i < MOST_THREADS; i++) {
            best.few[i] = fmin(best.few[i], train_seconds(is, data, 1, i + 1, NULL));
            best.many[i] = fmin(best.many[i], train_seconds(is, data, 1 + epochs, i + 1, NULL));
        }
        if (command != NULL && try % 3 == 0) {
            best.peer = fmin(best.peer, peer_seconds(command, is, MOST_THREADS));
        }
    }
    printf("%s: rows %zu, d %zu, layers %s; peak %.1f G multiply-adds a second and thread\n", is->name, is->rows,
           is->columns, is->layers, 1e-9 * peak);
    for (size_t i = 0; i < MOST_THREADS; i++) {
        const double seconds = (best.many[i] - best.few[i]) / (double)epochs;
        const double floor = multiply_adds(is) / (peak * (double)(i + 1));
        one = i == 0 ? seconds : one;
        printf("  %zu thread%s  an epoch %8.2f ms", i + 1, i == 0 ? " " : "s", 1e3 * seconds);
        if (!isnan(floor)) {
            printf(", floor %8.2f ms: %.2f of it", 1e3 * floor, floor / seconds);
        }
        printf("; %.2f times one thread", one / seconds);
        if (command != NULL && i + 1 == MOST_THREADS) {
            printf("; the peer %.2f ms, %.2f times as long", 1e3 * best.peer, best.peer / seconds);
        }
        putchar('\n');
        keyed(is, "seconds", i + 1, seconds);
        if (!isnan(floor)) {
            keyed(is, "floor", i + 1, floor / seconds);
        }
    }
    if (command != NULL) {
        char name[64];
        snprintf(name, sizeof name, "%s_peer", is->key);
        figure(name, best.peer);
    }
    cnm_data_destroy(data);
    free(values);
}

int main(int count, char **arguments) {
    const char *command = NULL;
    int quick = 0;
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--quick") == 0) {
            quick = 1;
        } else if (strcmp(arguments[i], "--peer") == 0 && i + 1 < count) {
            command = arguments[++i];
        } else {
            fputs("usage: step [--quick] [--peer COMMAND]\n", stderr);
            return 2;
        }
    }
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        run(&CASES[i], command, quick);
    }
    return 0;
}
