/* Every allocation of every kind of training fails once: CNM_NO_MEMORY and no model, or a valid
 * model where the trainer can do without the memory; nothing leaks, as a leak sanitizer sees. */
#include "support/trainings.h"

#include <unistd.h>

#include "base/core/memory.h"

static char teacher_path[] = "cnm-teacher-XXXXXX"; /* a file, while the tests run */

static size_t allocations_left = SIZE_MAX;

/* Takes the place of the C library's function, the only one that base/core/memory.c calls. Fails
 * once. */
void *aligned_alloc(size_t alignment, size_t size) {
    void *out = NULL;
    if (allocations_left == 0) {
        allocations_left = SIZE_MAX;
        return NULL;
    }
    allocations_left -= allocations_left != SIZE_MAX;
    return posix_memalign(&out, alignment, size) == 0 ? out : NULL;
}

/* All have one worker, so that the same allocation is the n-th each time. */
#define SHORT                                                                                                          \
    .map_rate = 1.0, .features = 5, .seed = 1, .threads = 1, .epochs = 1, .batch = 20, .map_steps = 2, .head_steps = 2

static const struct {
    const char *what;
    bool missing, sparse, grouped;
    bool typed; /* columns of words, missing cells */
    settings wanted;
} CASES[] = {
    {"rff", false, false, false, false, {SHORT, .method = METHOD_RFF}},
    {"missing values", true, false, false, false, {SHORT, .method = METHOD_RFF, .missing = FILL_MEAN}},
    {"words", false, false, false, true, {SHORT, .method = METHOD_LINEAR}},
    {"words taught", false, false, false, true, {SHORT, .method = METHOD_CNM, .teacher = teacher_path}},
    {"softmax", false, false, false, false, {SHORT, .method = METHOD_RFF, .loss = 4}},
    {"regression", false, false, false, false, {SHORT, .method = METHOD_LINEAR, .task = WANT_REGRESS}},
    {"joint", false, false, false, false, {SHORT, .method = METHOD_CNM}},
    {"joint held", false, false, false, false, {SHORT, .method = METHOD_CNM, .validation = 0.3, .patience = 1}},
    {"joint circulant", false, false, false, false, {SHORT, .method = METHOD_CNM, .projection = 1, .scale = 3}},
    {"distilling", false, false, false, false, {SHORT, .method = METHOD_CNM, .distill = DISTILL_YES}},
    {"alternating",
     false,
     false,
     false,
     false,
     {SHORT, .method = METHOD_CNM, .recipe = RECIPE_ALTERNATING, .iterations = 2}},
    {"kernel", false, false, false, false, {SHORT, .method = METHOD_KERNEL, .validation = 0.3}},
    {"a map for a kernel", false, false, false, false, {SHORT, .method = METHOD_KERNEL, .task = WANT_MAP}},
    {"f1", false, false, false, false, {SHORT, .method = METHOD_LINEAR, .metric = METRIC_F1}},
    {"joint held, f1",
     false,
     false,
     false,
     false,
     {SHORT, .method = METHOD_CNM, .validation = 0.3, .metric = METRIC_F1}},
    {"pruned, groups held", false, false, true, false, {SHORT, .method = METHOD_CNM, .prune = 0.5, .validation = 0.3}},
    {"taught", false, false, false, false, {SHORT, .method = METHOD_CNM, .teacher = teacher_path}},
    {"taught numbers",
     false,
     false,
     false,
     false,
     {SHORT, .method = METHOD_CNM, .teacher = teacher_path, .task = WANT_REGRESS}},
    {"sparse", false, true, false, false, {SHORT, .method = METHOD_RFF, .scale = 1}},
    {"sparse joint", false, true, false, false, {SHORT, .method = METHOD_CNM, .scale = 1, .projection = 1}},
};

static table *sparse_table(void) {
    enum { WIDE = 4100, CELLS = 3 };
    table *out;
    assert_int_equal(table_create(&out, NULL), CNM_OK);
    out->rows = 40;
    out->columns = WIDE;
    out->values = take_owned(out->rows * CELLS, sizeof(float));
    out->index = take_owned(out->rows * CELLS, sizeof(uint32_t));
    out->starts = take_owned(out->rows + 1, sizeof(size_t));
    for (size_t i = 0; i < out->rows * CELLS; i++) {
        out->values[i] = (float)uniform(1, i);
        out->index[i] = (uint32_t)(i % CELLS * 1000 + i / CELLS * 7);
        out->starts[i / CELLS + 1] = i + 1;
    }
    for (size_t i = 0; i < out->rows; i++) {
        label_number(out, (double)(i % 2));
    }
    return out;
}

/* Saves a model of the rows of a case, which becomes its teacher. */
static void write_teacher(const table *rows, settings wanted) {
    cnm_error error = {0};
    unsigned char *bytes;
    size_t size;
    wanted.teacher = NULL;
    cnm_model *model = train(rows, &wanted);
    check_ok(model_to_bytes(model, &bytes, &size, &error), &error);
    FILE *file = fopen(teacher_path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    memory_free(bytes);
    model_destroy(model);
}

static int make_path(void **unused) {
    (void)unused;
    return close(mkstemp(teacher_path));
}

static int remove_path(void **unused) {
    (void)unused;
    return remove(teacher_path);
}

static void every_allocation_failure_is_survived(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        table *rows = CASES[i].sparse ? sparse_table() : make_rings(2, 40, 3);
        size_t n = 0;
        if (CASES[i].typed) {
            make_typed(rows);
        }
        if (CASES[i].missing) {
            rows->values[4] = NAN;
            rows->missing = 1;
        }
        rows->groups = CASES[i].grouped ? take_owned(rows->rows, sizeof *rows->groups) : NULL;
        for (size_t j = 0; CASES[i].grouped && j < rows->rows; j++) {
            rows->groups[j] = j / 4;
        }
        if (CASES[i].wanted.teacher != NULL) {
            write_teacher(rows, CASES[i].wanted);
        }
        for (bool more = true; more; n++) {
            cnm_error error = {0};
            cnm_model *model = (cnm_model *)&error;
            allocations_left = n;
            const cnm_status status = learn(&model, rows, "last", &CASES[i].wanted, NULL, &error);
            more = allocations_left == SIZE_MAX;
            allocations_left = SIZE_MAX;
            if (status != CNM_OK && (status != CNM_NO_MEMORY || model != NULL)) {
                fail_msg("%s, allocation %zu: status %d, \"%s\"", CASES[i].what, n, (int)status, error.message);
            }
            if (status == CNM_OK) {
                assert_non_null(model);
                model_destroy(model);
            } else if (strstr(error.message, "out of memory") == NULL) {
                fail_msg("%s, allocation %zu: \"%s\"", CASES[i].what, n, error.message);
            }
        }
        assert_true(n > 20);
        table_destroy(rows);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_failure_is_survived)};
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
