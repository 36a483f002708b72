/* Every allocation of reading, choosing, scaling and writing fails once: each time a status, never
 * a crash, and (the address sanitizer looks) nothing left behind. */
#include "data_support.h"

#include "base/core/try.h"
#include "data/scale/scaling.h"
#include "data/table/classes.h"
#include "data/write/writer.h"

static size_t allocations_left = SIZE_MAX;
static bool only_one; /* after the failure memory is there again */

/* Replaces the C library's function, from which alone base/core/memory.c gets memory. */
void *aligned_alloc(size_t alignment, size_t size) {
    void *out = NULL;
    if (allocations_left == 0) {
        allocations_left = only_one ? SIZE_MAX : 0;
        return NULL;
    }
    allocations_left -= allocations_left != SIZE_MAX;
    return posix_memalign(&out, alignment, size) == 0 ? out : NULL;
}

typedef struct scenario {
    const char *bytes;
    size_t size; /* 0: up to the NUL */
    const char *out;
    reader_options options;
} scenario;

static const char *const NAMES[] = {"x", "a"};

static const scenario SCENARIOS[] = {
    {"a,b,label\n1,2,x\n3,4,y\n5,1700000000.5,x\n", 0, "o.csv", {0}},
    {"1,2,x,0.5\n3,?,y,1\n", 0, "o.csv", {.missing = MISSING_KEEP, .label_column = "3", .weight_column = "4"}},
    {"1,2,x,0.5\n3,4,y,1\n", 0, "o.csv", {.label_column = "3", .group_column = "4"}},
    {"a,x,c,label\n1,2,3,x\n3,4,5,y\n",
     0,
     "o.npy",
     {.expects = true, .columns = 2, .names = NAMES, .label_column = "label"}},
    {"\"a\nb\",c,label\n1,2,x\n3,4,y\n", 0, "o.csv", {0}},
    {",w,x,label\nr,p,1,u\ns,q,2,v\nt,q,3,u\nu,p,4,v\n", 0, "o.csv", {0}},
    {"w,x\np,1\nq,2\n", 0, "o.csv", {.id_column = "x", .label_column = "none"}},
    {"a,w,label\n1,\xe9,x\n3,\xdf,y\n5,\xe9,x\n", 0, "o.csv", {0}},
    {"\xff\xfe"
     "1\0,\0002\0,\0x\0\n\0003\0,\0004\0,\0y\0\n\0",
     26,
     "o.csv",
     {0}},
    {"1 1:2 5:3\n-1 2:4\nword 3:1\n", 0, "o.libsvm", {0}},
    /* several blocks, by one thread: the count of allocations is for one */
    {"1 1:2 5:3\n-1 2:4\nword 3:1\n", 0, "o.libsvm", {.threads = 1, .block_size = 8}},
    {"a,n,x\n1,\"m\nn\",2\n3,\"\n\n\",4\n",
     0,
     "o.csv",
     {.threads = 1, .block_size = 8, .expects = true, .columns = 2, .names = NAMES, .label_column = "none"}},
    {"@relation r\n@attribute a {1, 3}\n@attribute k {x, y}\n@outputs k\n@data\n1,x\n{1 y}\n", 0, "o.csv", {0}},
    {"\x93NUMPY\x01\x00\x37\x00{'descr': '<u1', 'fortran_order': False, 'shape':(2,2)}\1\2\3\4", 69, "o.npy", {0}},
    {"\0\0\x0C\x02\0\0\0\2\0\0\0\2\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\4", 28, "o.libsvm", {.label_column = "last"}},
};

static cnm_status use_labels(table *rows) {
    class_set classes = {0}, copy = {0};
    int32_t codes[2];
    size_t unknown;
    cnm_status status;
    TRY_DONE(classes_create(&classes, &rows->labels, NULL));
    TRY_DONE(classes_copy(&copy, &classes, NULL));
    TRY_DONE(classes_encode(&copy, &rows->labels, codes, &unknown, NULL));
done:
    classes_free(&classes);
    classes_free(&copy);
    TRY(status);
    return table_mark_positive(rows, "x", NULL);
}

static cnm_status use_rows(table *rows, const char *out) {
    static const size_t ORDER[] = {1, 0};
    scaling fitted;
    TRY(table_keep(rows, ORDER, 2, NULL));
    TRY(rows->labelled ? use_labels(rows) : CNM_OK);
    TRY(table_fill_missing(rows, NULL, NULL, NULL));
    const rows_view view = table_view(rows);
    TRY(scaling_fit(&fitted, SCALING_ASINH, &view, NULL));
    scaling_free(&fitted);
    return table_write(rows, out, NULL, NULL, NULL);
}

/* Reads the scenario's file and uses its rows; `allocations` succeed. */
static cnm_status run(const scenario *tried, const char *path, const char *out, size_t allocations) {
    read_facts facts;
    table *rows = NULL;
    allocations_left = allocations;
    cnm_status status = table_read(&rows, path, &tried->options, &facts, NULL, NULL);
    assert_int_equal(status == CNM_OK, rows != NULL);
    assert_int_equal(status == CNM_OK, facts.label != NULL);
    if (status == CNM_OK) {
        status = use_rows(rows, out);
    }
    allocations_left = SIZE_MAX;
    table_destroy(rows);
    memory_free(facts.label);
    return status;
}

static void every_failed_allocation_is_a_status(void **state) {
    (void)state;
    for (size_t s = 0; s < sizeof SCENARIOS / sizeof *SCENARIOS; s++) {
        const scenario *tried = &SCENARIOS[s];
        for (int mode = 0; mode < 4; mode++) {
            const bool zipped = mode & 1;
            only_one = mode & 2;
            char path[512], out[512];
            size_t size = tried->size != 0 ? tried->size : strlen(tried->bytes), zipped_size, count = 0;
            unsigned char *stored = gzip_bytes(tried->bytes, size, &zipped_size);
            (void)snprintf(path, sizeof path, "%s", temporary_path("in"));
            (void)snprintf(out, sizeof out, "%s", temporary_path(tried->out));
            write_file(path, zipped ? (const void *)stored : tried->bytes, zipped ? zipped_size : size);
            cnm_status status;
            while ((status = run(tried, path, out, count)) == CNM_NO_MEMORY) {
                count++;
            }
            free(stored);
            assert_int_equal(status, CNM_OK);
            assert_true(count > 10);
            (void)unlink(path);
            (void)unlink(out);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failed_allocation_is_a_status)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
