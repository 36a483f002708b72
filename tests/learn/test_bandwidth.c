/* The bandwidth of the kernel against sorting all distances. */
#include "support/made_models.h"
#include "support/random_rows.h"

#include "base/core/random.h"
#include "learn/dataset/bandwidth.h"

enum { SAMPLE = 1000, NEIGHBOUR = 50 };

/* An empty preprocessing and a map that takes rows as they are. */
typedef struct bound_rows {
    input_stage stage;
    map *map;
    input_source source;
} bound_rows;

static void bind_rows(bound_rows *self, const rows_view *rows) {
    cnm_error error = {0};
    *self = (bound_rows){.stage = {.columns = rows->columns}};
    self->map = drawn_map(&(map_spec){
        .projection = "circulant", .activation = "cos", .columns = rows->columns, .features = 1, .gamma = 1.0});
    check_ok(input_bind(&self->source, &self->stage, rows, self->map, &error), &error);
}

static bandwidth estimate(const rows_view *rows, map_kernel kernel, uint64_t seed, size_t threads) {
    cnm_error error = {0};
    bound_rows bound;
    bandwidth out;
    bind_rows(&bound, rows);
    check_ok(bandwidth_estimate(&out, &bound.source, kernel, seed, threads, &error), &error);
    input_unbind(&bound.source);
    map_destroy(bound.map);
    return out;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the mean over the sampled rows of the distance to the 50th of the others, or to the last
 * where there are fewer. */
static double count_distances(const rows_view *rows, bool absolute, uint64_t seed) {
    const size_t count = rows->rows < SAMPLE ? rows->rows : SAMPLE;
    size_t *order = take(rows->rows, sizeof *order);
    double *distances = take(count, sizeof *distances), sum = 0.0;
    random_order((random_stream){seed, RANDOM_BANDWIDTH, 0}, rows->rows, order);
    for (size_t i = 0; i < count; i++) {
        size_t found = 0;
        for (size_t j = 0; j < count; j++) {
            double total = 0.0;
            for (size_t c = 0; c < rows->columns; c++) {
                const double difference = (double)rows->values[order[i] * rows->stride + c] -
                                          (double)rows->values[order[j] * rows->stride + c];
                total += absolute ? fabs(difference) : difference * difference;
            }
            if (i != j) {
                distances[found++] = absolute ? total : sqrt(total);
            }
        }
        qsort(distances, found, sizeof *distances, ascending);
        sum += distances[found < NEIGHBOUR ? found - 1 : NEIGHBOUR - 1];
    }
    free(order);
    free(distances);
    return sum / (double)count;
}

static void check_all_kernels(const rows_view *rows, uint64_t seed) {
    const double euclidean = count_distances(rows, false, seed), absolute = count_distances(rows, true, seed);
    const bandwidth gaussian = estimate(rows, KERNEL_GAUSSIAN, seed, 2);
    const bandwidth laplacian = estimate(rows, KERNEL_LAPLACIAN, seed, 2);
    const bandwidth cauchy = estimate(rows, KERNEL_CAUCHY, seed, 2);
    const struct {
        double got, expected;
        const char *what;
    } cases[] = {
        {gaussian.sigma, euclidean, "gaussian sigma"},
        {gaussian.knn, 1.0 / (2.0 * euclidean * euclidean), "gaussian knn"},
        {gaussian.paper, 2.0 / (euclidean * euclidean), "gaussian paper"},
        {laplacian.sigma, absolute, "laplacian sigma"},
        {laplacian.knn, 1.0 / absolute, "laplacian knn"},
        {laplacian.paper, 1.0 / absolute, "laplacian paper"},
        {cauchy.sigma, euclidean, "cauchy sigma"},
        {cauchy.knn, 1.0 / (sqrt(2.0) * euclidean), "cauchy knn"},
        {cauchy.paper, 1.0 / (sqrt(2.0) * euclidean), "cauchy paper"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        check_near(cases[i].got, cases[i].expected, 1e-6 * cases[i].expected, cases[i].what, rows->rows);
    }
}

/* On a line of whole numbers the 50th neighbour of a row far from both ends is 25 away; at an end
 * it is 50. */
static void a_line_has_a_known_bandwidth(void **unused) {
    (void)unused;
    enum { ROWS = 300 };
    float values[ROWS];
    double expected = 0.0;
    for (size_t i = 0; i < ROWS; i++) {
        const size_t end = i < ROWS - 1 - i ? i : ROWS - 1 - i;
        values[i] = (float)i;
        expected += (end >= 25 ? 25.0 : 50.0 - (double)end) / ROWS;
    }
    const rows_view rows = {.rows = ROWS, .columns = 1, .values = values, .stride = 1};
    check_near(estimate(&rows, KERNEL_GAUSSIAN, 1, 1).sigma, expected, 1e-12 * expected, "line", 0);
    check_all_kernels(&rows, 1);
}

static void sigma_equals_sorting_all_distances(void **unused) {
    (void)unused;
    static const struct {
        size_t rows, columns;
    } SHAPES[] = {{2, 1}, {3, 7}, {50, 4}, {51, 4}, {52, 16}, {400, 17}, {1000, 3}, {1300, 5}};
    for (size_t i = 0; i < COUNT_OF(SHAPES); i++) {
        twin_rows rows = twin_make(30 + i, SHAPES[i].rows, SHAPES[i].columns, 1.0);
        check_all_kernels(&rows.dense, i);
        twin_free(&rows);
    }
}

static void the_sample_follows_the_seed(void **unused) {
    (void)unused;
    twin_rows rows = twin_make(40, 1500, 3, 1.0);
    const bandwidth first = estimate(&rows.dense, KERNEL_GAUSSIAN, 1, 1);
    const bandwidth again = estimate(&rows.dense, KERNEL_GAUSSIAN, 1, 2);
    const bandwidth other = estimate(&rows.dense, KERNEL_GAUSSIAN, 2, 1);
    assert_memory_equal(&first, &again, sizeof first);
    assert_true(other.sigma != first.sigma && fabs(other.sigma - first.sigma) < 0.1 * first.sigma);
    twin_free(&rows);
}

static void threads_do_not_change_a_bit(void **unused) {
    (void)unused;
    twin_rows rows = twin_make(41, 333, 20, 0.3);
    for (size_t kernel = 0; kernel < 3; kernel++) {
        const bandwidth one = estimate(&rows.dense, (map_kernel)kernel, 1, 1);
        for (size_t t = 1; t <= COUNT_OF(THREADS); t++) {
            const size_t threads = t < COUNT_OF(THREADS) ? THREADS[t] : 0;
            const bandwidth many = estimate(&rows.dense, (map_kernel)kernel, 1, threads);
            assert_memory_equal(&many, &one, sizeof one);
        }
    }
    twin_free(&rows);
}

/* The same bits where CSR rows are made dense, the same to rounding where they stay sparse. */
static void sparse_rows_have_the_bandwidth_of_dense_ones(void **unused) {
    (void)unused;
    static const struct {
        size_t rows, columns;
        double filled, bound;
    } SHAPES[] = {{120, 30, 0.3, 0.0}, {120, 30, 0.0, 0.0}, {90, 5000, 0.01, 1e-6}};
    for (size_t i = 0; i < COUNT_OF(SHAPES); i++) {
        twin_rows rows = twin_make(42 + i, SHAPES[i].rows, SHAPES[i].columns, SHAPES[i].filled);
        for (size_t kernel = 0; kernel < 3; kernel++) {
            const bandwidth dense = estimate(&rows.dense, (map_kernel)kernel, 1, 2);
            const bandwidth sparse = estimate(&rows.sparse, (map_kernel)kernel, 1, 2);
            check_near(sparse.sigma, dense.sigma, SHAPES[i].bound * dense.sigma, "sparse", i);
        }
        twin_free(&rows);
    }
}

/* Three points with 100 rows each: all 50th neighbours are at distance 0, so the mean over all
 * pairs is taken instead. */
static void duplicates_fall_back_to_the_mean_distance(void **unused) {
    (void)unused;
    enum { ROWS = 300 };
    static const float PLACES[] = {0.0F, 1.0F, 5.0F};
    float values[ROWS], same[ROWS];
    double expected = 0.0;
    for (size_t i = 0; i < ROWS; i++) {
        values[i] = PLACES[i % 3];
        same[i] = 7.0F;
    }
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < ROWS; j++) {
            expected += fabs((double)values[i] - (double)values[j]) / (ROWS * (ROWS - 1.0));
        }
    }
    rows_view rows = {.rows = ROWS, .columns = 1, .values = values, .stride = 1};
    check_near(estimate(&rows, KERNEL_GAUSSIAN, 1, 2).sigma, expected, 1e-12 * expected, "duplicates", 0);
    rows.values = same;
    const bandwidth none = estimate(&rows, KERNEL_GAUSSIAN, 1, 2);
    assert_true(none.sigma == 1.0 && none.knn == 0.5 && none.paper == 2.0);
    rows.rows = 1;
    assert_true(estimate(&rows, KERNEL_GAUSSIAN, 1, 2).sigma == 1.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_has_a_known_bandwidth),
        cmocka_unit_test(sigma_equals_sorting_all_distances),
        cmocka_unit_test(the_sample_follows_the_seed),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(sparse_rows_have_the_bandwidth_of_dense_ones),
        cmocka_unit_test(duplicates_fall_back_to_the_mean_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
