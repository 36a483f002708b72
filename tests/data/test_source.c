/* Bytes come out as they went in, gzipped or not; damage is reported. */
#include "data_support.h"

#include <unistd.h>

static unsigned char *sample_bytes(size_t size) {
    unsigned char *bytes = malloc(size);
    uint32_t word = 12345;
    for (size_t i = 0; i < size; i++) {
        word = word * 1664525u + 1013904223u;
        bytes[i] = (unsigned char)(word >> 24 & 0x3f);
    }
    return bytes;
}

/* Reads all in steps of `step`; returns the status. */
static cnm_status drain(byte_source *input, size_t step, unsigned char *out, size_t *size, cnm_error *err) {
    size_t got = 1;
    cnm_status status = CNM_OK;
    *size = 0;
    while (status == CNM_OK && got > 0) {
        status = byte_source_read(input, out + *size, step, &got, err);
        *size += status == CNM_OK ? got : 0;
    }
    return status;
}

static void assert_gives(const unsigned char *stored, size_t stored_size, const unsigned char *bytes, size_t size) {
    static const size_t STEPS[] = {1, 100, 65536, 1 << 20};
    unsigned char *out = malloc(size + (1 << 20));
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS; i++) {
        for (int peek = 0; peek < 2; peek++) {
            byte_source *input;
            size_t got;
            assert_int_equal(byte_source_from_memory(&input, stored, stored_size, "m", NULL), CNM_OK);
            if (peek) {
                const unsigned char *first;
                assert_int_equal(byte_source_peek(input, &first, &got, NULL), CNM_OK);
                assert_int_equal(got, size < 65536 ? size : 65536);
                assert_memory_equal(first, bytes, got);
            }
            assert_int_equal(drain(input, STEPS[i], out, &got, NULL), CNM_OK);
            assert_int_equal(got, size);
            assert_memory_equal(out, bytes, size);
            byte_source_close(input);
        }
    }
    free(out);
}

static void bytes_come_out_as_they_went_in(void **state) {
    static const size_t SIZES[] = {0, 1, 2, 65535, 65536, 65537, 700000};
    (void)state;
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        unsigned char *bytes = sample_bytes(SIZES[i] + 1);
        size_t stored_size;
        unsigned char *stored = gzip_bytes(bytes, SIZES[i], &stored_size);
        assert_gives(bytes, SIZES[i], bytes, SIZES[i]);
        assert_gives(stored, stored_size, bytes, SIZES[i]);
        free(bytes);
        free(stored);
    }
}

static void gzip_members_and_padding_are_joined(void **state) {
    (void)state;
    unsigned char *bytes = sample_bytes(100000);
    size_t first_size, second_size;
    unsigned char *first = gzip_bytes(bytes, 60000, &first_size);
    unsigned char *second = gzip_bytes(bytes + 60000, 40000, &second_size);
    unsigned char *both = calloc(1, first_size + second_size + 600000);
    memcpy(both, first, first_size);
    memcpy(both + first_size, second, second_size);
    assert_gives(both, first_size + second_size + 600000, bytes, 100000);
    free(bytes);
    free(first);
    free(second);
    free(both);
}

static void assert_fails(const unsigned char *stored, size_t size, const char *message) {
    unsigned char *out = malloc(1 << 21);
    byte_source *input;
    size_t got;
    cnm_error err = {0};
    assert_int_equal(byte_source_from_memory(&input, stored, size, "m.gz", NULL), CNM_OK);
    assert_int_equal(drain(input, 1 << 20, out, &got, &err), CNM_BAD_FORMAT);
    assert_string_equal(err.message, message);
    byte_source_close(input);
    free(out);
}

static void damage_to_gzip_is_told(void **state) {
    (void)state;
    unsigned char *bytes = sample_bytes(300000);
    size_t size;
    unsigned char *stored = gzip_bytes(bytes, 300000, &size);
    for (size_t cut = 2; cut < size; cut += cut < 30 ? 1 : 9973) {
        assert_fails(stored, cut, "m.gz: the gzip data ends too early: the file is truncated");
    }
    assert_fails(stored, size - 1, "m.gz: the gzip data ends too early: the file is truncated");
    unsigned char *longer = malloc(size + 3);
    memcpy(longer, stored, size);
    memcpy(longer + size, "\0xy", 3);
    assert_fails(longer, size + 3, "m.gz: bytes that are not gzip follow the end of the gzip data, expected nothing");
    longer[size - 6] ^= 1; /* the check sum */
    assert_fails(longer, size, "m.gz: the gzip data is damaged (incorrect data check)");
    memcpy(longer, stored, size);
    longer[2] = 7;
    assert_fails(longer, size, "m.gz: the gzip data is damaged (unknown compression method)");
    free(bytes);
    free(stored);
    free(longer);
}

static void plain_files_are_read_at_any_place_and_others_not(void **state) {
    (void)state;
    unsigned char *bytes = sample_bytes(5000), *stored;
    size_t size, stored_size;
    byte_source *input;
    const char *path = temporary_path("bytes");
    write_file(path, bytes, 5000);
    assert_int_equal(byte_source_open(&input, path, NULL), CNM_OK);
    assert_string_equal(byte_source_name(input), path);
    const unsigned char *peeked;
    unsigned char some[100];
    size_t got;
    assert_int_equal(byte_source_peek(input, &peeked, &size, NULL), CNM_OK);
    assert_true(byte_source_is_plain(input, &size));
    assert_int_equal(size, 5000);
    assert_int_equal(byte_source_read_at(input, 1234, some, sizeof some, &got, NULL), CNM_OK);
    assert_int_equal(got, sizeof some);
    assert_memory_equal(some, bytes + 1234, sizeof some);
    assert_int_equal(truncate(path, 1280), 0);
    assert_int_equal(byte_source_read_at(input, 1234, some, sizeof some, &got, NULL), CNM_OK);
    assert_int_equal(got, 46);
    assert_int_equal(byte_source_read_at(input, 4000, some, sizeof some, &got, NULL), CNM_OK);
    assert_int_equal(got, 0);
    byte_source_close(input);
    stored = gzip_bytes(bytes, 5000, &stored_size);
    write_file(path, stored, stored_size);
    assert_int_equal(byte_source_open(&input, path, NULL), CNM_OK);
    assert_false(byte_source_is_plain(input, &size));
    byte_source_close(input);
    (void)unlink(path);
    free(bytes);
    free(stored);
}

static void standard_input_is_read(void **state) {
    (void)state;
    int ends[2];
    byte_source *input;
    unsigned char out[64];
    size_t size;
    const int kept = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "1,2\n", 4), 4);
    (void)close(ends[1]);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(byte_source_open(&input, "-", NULL), CNM_OK);
    assert_string_equal(byte_source_name(input), "standard input");
    assert_false(byte_source_is_plain(input, &size));
    assert_int_equal(drain(input, 16, out, &size, NULL), CNM_OK);
    assert_int_equal(size, 4);
    byte_source_close(input);
    (void)close(ends[0]);
    assert_int_equal(dup2(kept, STDIN_FILENO), STDIN_FILENO);
    (void)close(kept);
}

static void a_file_that_cannot_be_read_is_named(void **state) {
    (void)state;
    byte_source *input;
    cnm_error err = {0};
    assert_int_equal(byte_source_open(&input, "/no/such/file", &err), CNM_IO_FAILED);
    assert_null(input);
    assert_string_equal(err.message, "/no/such/file: cannot be opened: No such file or directory");
    assert_int_equal(byte_source_open(&input, "/", &err), CNM_IO_FAILED);
    assert_string_equal(err.message, "/: cannot be read: Is a directory");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_come_out_as_they_went_in),
        cmocka_unit_test(gzip_members_and_padding_are_joined),
        cmocka_unit_test(damage_to_gzip_is_told),
        cmocka_unit_test(plain_files_are_read_at_any_place_and_others_not),
        cmocka_unit_test(standard_input_is_read),
        cmocka_unit_test(a_file_that_cannot_be_read_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
