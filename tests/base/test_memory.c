/* Memory: sizes checked, contents kept, and every single allocation failure of the module survived
 * without a leak (a leak checker sees the rest). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/file/file.h"
#include "base/file/safetensors.h"
#include "base/text/text.h"

/* Replaces the C library's: fails at the `failing`-th call (0: never) and for sizes that no machine
 * has, which a sanitizer would report; counts calls and bytes. */
static size_t calls, failing, bytes_taken;

void *aligned_alloc(size_t alignment, size_t size) {
    void *memory = NULL;
    calls++;
    bytes_taken += size;
    return calls != failing && size < (size_t)1 << 40 && posix_memalign(&memory, alignment, size) == 0 ? memory : NULL;
}

static void sizes_that_overflow_are_refused(void **state) {
    (void)state;
    size_t product;
    assert_true(size_multiply(SIZE_MAX, 1, &product) && product == SIZE_MAX);
    assert_true(size_multiply(0, SIZE_MAX, &product) && product == 0);
    assert_false(size_multiply(SIZE_MAX / 2 + 1, 2, &product));
    void *pointer = &product;
    cnm_error err;
    assert_int_equal(memory_take(&pointer, SIZE_MAX / 2 + 1, 2, "things", &err), CNM_NO_MEMORY);
    assert_null(pointer);
    assert_non_null(strstr(err.message, "things"));
    assert_int_equal(memory_take(&pointer, SIZE_MAX, 1, "things", &err), CNM_NO_MEMORY);
    assert_int_equal(memory_zeroed(&pointer, SIZE_MAX / 4, 1, "things", &err), CNM_NO_MEMORY);
}

static void memory_is_aligned_even_when_empty(void **state) {
    (void)state;
    for (size_t size = 0; size < 300; size++) {
        unsigned char *bytes;
        assert_int_equal(memory_zeroed(&bytes, size, 1, "test", NULL), CNM_OK);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes % 64, 0);
        for (size_t i = 0; i < size; i++) {
            assert_int_equal(bytes[i], 0);
        }
        memory_free(bytes);
    }
    memory_free(NULL);
}

static void several_arrays_are_taken_all_or_none(void **state) {
    (void)state;
    enum { ARRAYS = 3 };
    /* 0: none; above ARRAYS: the size of the last one */
    for (size_t refused = 0; refused <= ARRAYS + 1; refused++) {
        double *first = (double *)state;
        unsigned char *second = (unsigned char *)state;
        uint32_t *third = (uint32_t *)state;
        const memory_want wants[ARRAYS] = {{&first, 5, sizeof *first, "first things"},
                                           {&second, 0, 1, "second things"},
                                           {&third, refused > ARRAYS ? SIZE_MAX : 7, sizeof *third, "third things"}};
        cnm_error err;
        calls = 0;
        failing = refused;
        const cnm_status status = memory_take_all(&err, wants, ARRAYS);
        failing = 0;
        if (refused == 0) {
            assert_int_equal(status, CNM_OK);
            assert_int_equal(calls, ARRAYS);
            first[4] = 1;
            third[6] = 1;
            memory_free(first);
            memory_free(second);
            memory_free(third);
        } else { /* a leak checker sees that those taken were freed */
            static const char *const MESSAGES[] = {"first things", "second things", "third things", "third things"};
            assert_int_equal(status, CNM_NO_MEMORY);
            assert_true(first == NULL && second == NULL && third == NULL);
            assert_non_null(strstr(err.message, MESSAGES[refused - 1]));
        }
    }
    assert_int_equal(memory_take_all(NULL, NULL, 0), CNM_OK);
}

static void growing_keeps_the_contents(void **state) {
    (void)state;
    uint32_t *numbers = NULL;
    size_t capacity = 0;
    for (uint32_t i = 0; i < 10000; i++) {
        assert_int_equal(memory_grow(&numbers, &capacity, i + 1, sizeof *numbers, "test", NULL), CNM_OK);
        assert_true(capacity > i);
        numbers[i] = i;
    }
    for (uint32_t i = 0; i < 10000; i++) {
        assert_int_equal(numbers[i], i);
    }
    assert_int_equal(memory_grow(&numbers, &capacity, SIZE_MAX, sizeof *numbers, "test", NULL), CNM_NO_MEMORY);
    assert_int_equal(numbers[9999], 9999);
    memory_free(numbers);
}

/* Writes an archive to a file, reads it back and opens it. */
static cnm_status round_trip(void) {
    static const float VALUES[3] = {1, 2, 3};
    const archive_tensor tensors[] = {{"a", TENSOR_F32, 1, {3}, VALUES, 0}, {"b", TENSOR_F32, 1, {3}, VALUES, 0}};
    const archive_entry entries[] = {{"key", "value"}};
    char path[64];
    (void)snprintf(path, sizeof path, "/tmp/cnm-test-memory-%ld", (long)getpid());
    unsigned char *written = NULL, *read = NULL;
    size_t size;
    file_writer *writer;
    archive *self = NULL;
    cnm_error err;
    cnm_status status = CNM_OK;
    TRY_DONE(archive_write(tensors, 2, entries, 1, "checksum", &written, &size, &err));
    TRY_DONE(file_create(&writer, path, &err));
    assert_int_equal(file_write(writer, written, size, &err), CNM_OK);
    TRY_DONE(file_commit(writer, &err));
    TRY_DONE(file_read_all(path, 0, &read, &size, &err));
    TRY_DONE(archive_open(&self, read, size, path, &err));
    TRY_DONE(archive_verify(self, "checksum", &err));
done:
    archive_close(self);
    memory_free(written);
    memory_free(read);
    (void)remove(path);
    return status;
}

static void every_failed_allocation_is_an_error(void **state) {
    (void)state;
    calls = failing = 0;
    assert_int_equal(round_trip(), CNM_OK);
    const size_t needed = calls;
    assert_true(needed > 10);
    for (size_t i = 1; i <= needed; i++) {
        calls = 0;
        failing = i;
        const cnm_status status = round_trip();
        failing = 0;
        assert_int_equal(status, CNM_NO_MEMORY);
    }
}

/* Checks the worst headers: as many entries, or tensors, as a file of that size can name. Nothing
 * is freed while an archive is opened, so the sum of the bytes taken is the peak. */
static void opening_an_archive_stays_within_its_memory(void **state) {
    (void)state;
    static const struct {
        const char *start, *piece, *end;
    } HOSTILE[] = {
        {"{\"__metadata__\":{\"\":\"\"", ",\"\":\"\"", "}}"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}",
         ",\"\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[1,1]}", "}"},
        {"[0", ",0", "]"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[0", ",0", "],\"data_offsets\":[0,1]}}"},
        {"{\"a", "\\n", "\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}"},
    };
    for (size_t i = 0; i < sizeof HOSTILE / sizeof HOSTILE[0]; i++) {
        text_buffer file = {NULL, 0, 0};
        assert_int_equal(text_add(&file, "\0\0\0\0\0\0\0\0", 8, NULL), CNM_OK);
        assert_int_equal(text_add_string(&file, HOSTILE[i].start, NULL), CNM_OK);
        while (file.length < 4000000) {
            assert_int_equal(text_add_string(&file, HOSTILE[i].piece, NULL), CNM_OK);
        }
        assert_int_equal(text_add_string(&file, HOSTILE[i].end, NULL), CNM_OK);
        for (int j = 0; j < 8; j++) {
            file.bytes[j] = (char)((uint64_t)(file.length - 8) >> 8 * j & 255);
        }
        assert_int_equal(text_add(&file, "x", i == 0 ? 0 : 1, NULL), CNM_OK);
        archive *self;
        bytes_taken = 0;
        (void)archive_open(&self, file.bytes, file.length, "FILE", NULL);
        assert_true(bytes_taken < 1048576 + 2 * file.length);
        archive_close(self);
        text_free(&file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(memory_is_aligned_even_when_empty),
        cmocka_unit_test(several_arrays_are_taken_all_or_none),
        cmocka_unit_test(growing_keeps_the_contents),
        cmocka_unit_test(every_failed_allocation_is_an_error),
        cmocka_unit_test(opening_an_archive_stays_within_its_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
