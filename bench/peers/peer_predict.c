/* Measures prediction at equal accuracy against LIBSVM: time a row from rows in memory, one thread
 * each, both in this process.
 *
 * Usage: predict SVM_MODEL CNM_MODEL DATA [--quick]. DATA is LIBSVM text with labels. Rows are read
 * once, and converted to LIBSVM's nodes before timing. LIBSVM is timed by its own function on as
 * many rows as fit into a few seconds, ours on all rows, both in short chunks. Prints the accuracy
 * of both on the rows that LIBSVM predicted. */
#include <cnm/cnm.h>
#include <svm.h>

#include "../floor.h"

typedef struct rows {
    cnm_data *data;
    size_t count, columns;
    double *labels;
    struct svm_node **nodes; /* (count), each ended by index -1 */
} rows;

/* Converts cells that are not 0, as svm-predict does. */
static struct svm_node *make_nodes(const float *values, size_t columns) {
    struct svm_node *nodes = take(columns + 1, sizeof *nodes);
    size_t used = 0;
    for (size_t j = 0; j < columns; j++) {
        if (values[j] != 0.0F) {
            nodes[used++] = (struct svm_node){(int)j + 1, (double)values[j]};
        }
    }
    nodes[used].index = -1;
    return nodes;
}

static rows read_rows(const char *path, const cnm_model *model) {
    rows self = {0};
    cnm_options *options;
    cnm_error error;
    char label[64];
    check(cnm_options_create(&options, &error), &error);
    check(cnm_options_set(options, "format", "libsvm", &error), &error);
    check(cnm_data_load(&self.data, path, options, model, NULL, &error), &error);
    cnm_options_destroy(options);
    self.count = cnm_data_rows(self.data);
    self.columns = cnm_data_columns(self.data);
    self.labels = take(self.count, sizeof *self.labels);
    self.nodes = take(self.count, sizeof *self.nodes);
    float *values = take(self.columns, sizeof *values);
    for (size_t i = 0; i < self.count; i++) {
        check(cnm_data_row(self.data, i, values, &error), &error);
        self.nodes[i] = make_nodes(values, self.columns);
        cnm_data_label(self.data, i, label, sizeof label);
        self.labels[i] = strtod(label, NULL);
    }
    free(values);
    return self;
}

/* Returns seconds a row by LIBSVM over at most `budget` seconds. *seen: rows predicted, of which
 * *right are as labelled. Rows are taken with a stride, so that they represent all rows. */
static double time_svm(const struct svm_model *model, const rows *all, double budget, size_t *seen, size_t *right) {
    double best = INFINITY, total = 0.0;
    const size_t stride = 7919; /* prime: reaches every row */
    *seen = *right = 0;
    while (*seen < all->count && total < budget) {
        const size_t first = *seen, chunk = all->count - first < 5 ? all->count - first : 5;
        const double start = now();
        for (size_t i = first; i < first + chunk; i++) {
            const size_t row = i * stride % all->count;
            *right += svm_predict(model, all->nodes[row]) == all->labels[row];
        }
        const double taken = now() - start;
        total += taken;
        best = chunk == 5 || *seen == 0 ? fmin(best, taken / (double)chunk) : best;
        *seen += chunk;
    }
    /* rows cost about the same: the best time is the least disturbed by other programs */
    return best;
}

static size_t count_right(const cnm_model *model, const rows *all, size_t seen) {
    cnm_error error;
    size_t right = 0;
    int32_t *classes = take(all->count, sizeof *classes);
    check(cnm_predict_classes(model, all->data, 1, classes, &error), &error);
    for (size_t i = 0; i < seen; i++) {
        const size_t row = i * 7919 % all->count;
        right += strtod(cnm_model_label(model, (size_t)classes[row]), NULL) == all->labels[row];
    }
    free(classes);
    return right;
}

/* Times chunks of a few milliseconds one by one; returns the sum of the best times of the
 * chunks. */
static double time_ours(const cnm_model *model, const rows *all, int rounds) {
    enum { PIECE = 1024 };
    cnm_error error;
    double total = 0.0;
    size_t positions[PIECE];
    float *scores = take(PIECE * cnm_model_outputs(model), sizeof *scores);
    for (size_t first = 0; first < all->count; first += PIECE) {
        const size_t size = all->count - first < PIECE ? all->count - first : PIECE;
        double best = INFINITY;
        cnm_data *piece;
        for (size_t i = 0; i < size; i++) {
            positions[i] = first + i;
        }
        check(cnm_data_select(&piece, all->data, positions, size, &error), &error);
        for (int round = 0; round < rounds; round++) {
            const double start = now();
            check(cnm_predict_scores(model, piece, 1, scores, &error), &error);
            best = fmin(best, now() - start);
        }
        total += best;
        cnm_data_destroy(piece);
    }
    free(scores);
    return total / (double)all->count;
}

int main(int count, char **arguments) {
    const int quick = count == 5 && strcmp(arguments[4], "--quick") == 0;
    cnm_model *model;
    cnm_error error;
    size_t seen, right;
    if (count < 4) {
        fputs("usage: predict SVM_MODEL CNM_MODEL DATA [--quick]\n", stderr);
        return 2;
    }
    struct svm_model *svm = svm_load_model(arguments[1]);
    if (svm == NULL) {
        fail("no LIBSVM model");
    }
    check(cnm_model_load(&model, arguments[2], &error), &error);
    rows all = read_rows(arguments[3], model);
    const double theirs = time_svm(svm, &all, quick ? 1.0 : 4.0, &seen, &right);
    const double ours = time_ours(model, &all, quick ? 10 : 50);
    const double svm_accuracy = 100.0 * (double)right / (double)seen;
    const double accuracy = 100.0 * (double)count_right(model, &all, seen) / (double)seen;
    figure("svm_seconds", theirs);
    figure("svm_accuracy", svm_accuracy);
    figure("svm_vectors", svm_get_nr_sv(svm));
    figure("cnm_seconds", ours);
    figure("cnm_accuracy", accuracy);
    figure("cnm_features", (double)cnm_model_features(model));
    figure("rows_seen", (double)seen);
    printf("LIBSVM %.2f us a row, %.2f %%, %d vectors; ours %.3f us, %.2f %%, %zu features: %.0f times (on %zu of %zu "
           "rows)\n",
           1e6 * theirs, svm_accuracy, svm_get_nr_sv(svm), 1e6 * ours, accuracy, cnm_model_features(model),
           theirs / ours, seen, all.count);
    for (size_t i = 0; i < all.count; i++) {
        free(all.nodes[i]);
    }
    free(all.nodes);
    free(all.labels);
    cnm_data_destroy(all.data);
    cnm_model_destroy(model);
    svm_free_and_destroy_model(&svm);
    return 0;
}
