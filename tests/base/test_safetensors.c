/* The safetensors archive: what is written reads back, every damage is refused, hostile headers
 * cost little. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/core/checksum.h"
#include "base/core/memory.h"
#include "base/file/safetensors.h"
#include "base/text/text.h"

static const float THETA[6] = {1, 2, 3, 4, 5, 6};
static const unsigned char SIGNS[3] = {1, 0, 1};
static const double OFFSETS[2] = {0.5, -0.25};

static const archive_tensor TENSORS[] = {
    {"theta", TENSOR_F32, 2, {2, 3}, THETA, 0},     {"signs \"\n", TENSOR_U8, 1, {3}, SIGNS, 0},
    {"offsets", TENSOR_F64, 1, {2}, OFFSETS, 0}, /* 27 bytes into the data: not aligned */
    {"nothing", TENSOR_I64, 3, {2, 0, 2}, NULL, 0}, {"scalar", TENSOR_F32, 0, {0}, THETA + 2, 0},
};
static const archive_entry ENTRIES[] = {{"format", "1"}, {"labels", "a\tb\\\"\xc3\xa9\xf0\x9f\x98\x80"}, {"", ""}};

enum { TENSOR_COUNT = 5, ENTRY_COUNT = 3 };

/* Makes a file from a header and so many bytes of data; the caller frees. */
static unsigned char *make_file(const char *header, size_t header_size, size_t data_size, size_t *size) {
    unsigned char *bytes;
    *size = 8 + header_size + data_size;
    assert_int_equal(memory_zeroed(&bytes, *size, 1, "test", NULL), CNM_OK);
    for (int i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)((uint64_t)header_size >> 8 * i);
    }
    memcpy(bytes + 8, header, header_size);
    return bytes;
}

static cnm_status open_header(const char *header, size_t data_size, archive **out, unsigned char **bytes,
                              cnm_error *err) {
    size_t size;
    *bytes = make_file(header, strlen(header), data_size, &size);
    return archive_open(out, *bytes, size, "FILE", err);
}

static void write_sample(unsigned char **bytes, size_t *size) {
    cnm_error err;
    if (archive_write(TENSORS, TENSOR_COUNT, ENTRIES, ENTRY_COUNT, "checksum", bytes, size, &err) != CNM_OK) {
        fail_msg("%s", err.message);
    }
}

static void what_is_written_reads_back(void **state) {
    (void)state;
    unsigned char *bytes;
    size_t size;
    archive *self;
    write_sample(&bytes, &size);
    assert_int_equal(archive_open(&self, bytes, size, "FILE", NULL), CNM_OK);
    assert_int_equal(archive_verify(self, "checksum", NULL), CNM_OK);
    assert_int_equal(archive_tensor_count(self), TENSOR_COUNT);
    for (size_t i = 0; i < TENSOR_COUNT; i++) {
        const archive_tensor *tensor = archive_tensor_at(self, i);
        assert_string_equal(tensor->name, TENSORS[i].name);
        assert_ptr_equal(archive_find(self, TENSORS[i].name), tensor);
        assert_int_equal(tensor->type, TENSORS[i].type);
        assert_int_equal(tensor->dimensions, TENSORS[i].dimensions);
        for (size_t j = 0; j < tensor->dimensions; j++) {
            assert_int_equal(tensor->shape[j], TENSORS[i].shape[j]);
        }
        assert_int_equal((uintptr_t)tensor->bytes % 8, 0);
        if (tensor->size > 0) {
            assert_memory_equal(tensor->bytes, TENSORS[i].bytes, tensor->size);
        }
    }
    assert_int_equal(archive_find(self, "offsets")->size, sizeof OFFSETS);
    assert_int_equal(archive_entry_count(self), ENTRY_COUNT + 1);
    assert_string_equal(archive_entry_at(self, 0).key, "checksum");
    for (size_t i = 0; i < ENTRY_COUNT; i++) {
        assert_string_equal(archive_entry_at(self, i + 1).key, ENTRIES[i].key);
        assert_string_equal(archive_value(self, ENTRIES[i].key), ENTRIES[i].value);
    }
    assert_null(archive_find(self, "thet"));
    assert_null(archive_find(self, "zzz"));
    assert_null(archive_value(self, "theta"));
    archive_close(self);
    archive_close(NULL);
    memory_free(bytes);
}

static void written_again_it_is_the_same_bytes(void **state) {
    (void)state;
    unsigned char *bytes, *again;
    size_t size, again_size;
    archive *self;
    archive_tensor tensors[TENSOR_COUNT];
    archive_entry entries[ENTRY_COUNT];
    write_sample(&bytes, &size);
    assert_int_equal(archive_open(&self, bytes, size, "FILE", NULL), CNM_OK);
    for (size_t i = 0; i < TENSOR_COUNT; i++) {
        tensors[i] = *archive_tensor_at(self, i);
    }
    for (size_t i = 0; i < ENTRY_COUNT; i++) {
        entries[i] = archive_entry_at(self, i + 1);
    }
    assert_int_equal(archive_write(tensors, TENSOR_COUNT, entries, ENTRY_COUNT, "checksum", &again, &again_size, NULL),
                     CNM_OK);
    assert_int_equal(again_size, size);
    assert_memory_equal(again, bytes, size);
    archive_close(self);
    memory_free(again);
    memory_free(bytes);
}

/* Returns whether these bytes, in memory that ends with them, open and verify. */
static bool is_accepted(const unsigned char *bytes, size_t size) {
    archive *self;
    /* malloc: 8-byte aligned, and a sanitizer guards its end */
    unsigned char *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    const bool opened = archive_open(&self, copy, size, "FILE", NULL) == CNM_OK;
    const bool accepted = opened && archive_verify(self, "checksum", NULL) == CNM_OK;
    assert_true(opened == (self != NULL));
    archive_close(self);
    free(copy);
    return accepted;
}

static void every_flipped_bit_is_refused(void **state) {
    (void)state;
    unsigned char *bytes;
    size_t size;
    write_sample(&bytes, &size);
    assert_true(is_accepted(bytes, size));
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
        if (is_accepted(bytes, size)) {
            fail_msg("bit %zu of byte %zu was flipped unnoticed", bit % 8, bit / 8);
        }
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
    }
    memory_free(bytes);
}

static void every_cut_and_every_appended_byte_is_refused(void **state) {
    (void)state;
    unsigned char *bytes;
    unsigned char longer[4096];
    size_t size;
    write_sample(&bytes, &size);
    for (size_t length = 0; length < size; length++) {
        assert_false(is_accepted(bytes, length));
    }
    assert_true(size + 16 <= sizeof longer);
    memcpy(longer, bytes, size);
    for (size_t added = 1; added <= 16; added++) {
        longer[size + added - 1] = (unsigned char)(added % 2 == 0 ? ' ' : 0);
        assert_false(is_accepted(longer, size + added));
    }
    memory_free(bytes);
}

static void a_missing_checksum_is_told(void **state) {
    (void)state;
    unsigned char *bytes;
    size_t size;
    archive *self;
    cnm_error err;
    assert_int_equal(archive_write(TENSORS, 1, ENTRIES, 1, NULL, &bytes, &size, NULL), CNM_OK);
    assert_int_equal(archive_open(&self, bytes, size, "FILE", NULL), CNM_OK);
    assert_int_equal(archive_verify(self, "checksum", &err), CNM_BAD_FORMAT);
    assert_non_null(strstr(err.message, "checksum"));
    archive_close(self);
    memory_free(bytes);
}

/* The check value of CRC-64/XZ, and that pieces of any length give the same. */
static void the_checksum_is_crc_64_xz(void **state) {
    (void)state;
    static const char DIGITS[] = "123456789";
    assert_true(checksum_update(0, DIGITS, 9) == UINT64_C(0x995dc9bbdf1939fa));
    unsigned char bytes[100];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)(i * 37);
    }
    const uint64_t whole = checksum_update(0, bytes, sizeof bytes);
    for (size_t cut = 0; cut <= sizeof bytes; cut++) {
        assert_true(checksum_update(checksum_update(0, bytes, cut), bytes + cut, sizeof bytes - cut) == whole);
    }
}

#define SOUND "{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}"

static void sound_headers_are_read(void **state) {
    (void)state;
    static const struct {
        const char *header;
        size_t data_size;
    } CASES[] = {
        {"{}", 0},
        {" {\t} \r\n ", 0},
        {"{\"__metadata__\":{}}", 0},
        {"{\"a\":" SOUND "}", 1},
        {"{\"a\":" SOUND ",\"__metadata__\":{\"x\":\"y\"}}   ", 1},
        {"{ \"a\" : { \"data_offsets\" : [ 0 , 1 ] , \"shape\" : [ ] , \"dtype\" : \"I8\" } }", 1},
        {"{\"\\u00e9\\ud83d\\ude00\\/\":" SOUND "}", 1},
        {"{\"a\":{\"\\u0064type\":\"U8\",\"shape\":[1,1,1,1],\"data_offsets\":[0,1]}}", 1},
        {"{\"a\":{\"dtype\":\"BF16\",\"shape\":[3],\"data_offsets\":[0,6]},\"b\":{\"dtype\":\"F16\",\"shape\":[0],"
         "\"data_offsets\":[6,6]}}",
         6},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        archive *self;
        unsigned char *bytes;
        cnm_error err;
        if (open_header(CASES[i].header, CASES[i].data_size, &self, &bytes, &err) != CNM_OK) {
            fail_msg("%s: %s", CASES[i].header, err.message);
        }
        archive_close(self);
        memory_free(bytes);
    }
    archive *self;
    unsigned char *bytes;
    assert_int_equal(open_header("{\"\\u00e9\\ud83d\\ude00\\/\":" SOUND "}", 1, &self, &bytes, NULL), CNM_OK);
    assert_non_null(archive_find(self, "\xc3\xa9\xf0\x9f\x98\x80/"));
    archive_close(self);
    memory_free(bytes);
}

static void unsound_headers_are_refused_with_their_place(void **state) {
    (void)state;
    static const char *const HEADERS[] = {
        "  ",
        "[]",
        "{",
        "{}{",
        "{},",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1}",
        "{\"a\":{}}",
        "{\"a\":[]}",
        "{,}",
        "{\"a\":" SOUND ",}",
        "{\"a\":" SOUND "]",
        "{\"a\":" SOUND,
        "{a:" SOUND "}",
        "{'a':" SOUND "}",
        "{\"a\":" SOUND ",\"a\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[1,1]}}",       /* a name twice */
        "{\"a\":" SOUND ",\"\\u0061\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[1,1]}}", /* the same, hidden */
        "{\"__metadata__\":{\"k\":\"1\",\"k\":\"2\"},\"a\":" SOUND "}",
        "{\"__metadata__\":{},\"__metadata__\":{},\"a\":" SOUND "}",
        "{\"__metadata__\":{\"k\":1},\"a\":" SOUND "}",
        "{\"__metadata__\":{\"k\":{}},\"a\":" SOUND "}",
        "{\"__metadata__\":[],\"a\":" SOUND "}",
        "{\"__metadata__\":{\"k\":null},\"a\":" SOUND "}",
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[1]}}",
        "{\"a\":{\"dtype\":\"U8\",\"data_offsets\":[0,1]}}",
        "{\"a\":{\"shape\":[1],\"data_offsets\":[0,1]}}",
        "{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}",
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1],\"more\":\"x\"}}",
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1],}}",
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0]}}",
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1,1]}}",
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}", /* a hole */
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}", /* bytes left over */
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}", /* beyond the end */
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,1]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,1]}}",
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,0]}}",
        "{\"a\":" SOUND ",\"b\":" SOUND "}",                                                     /* overlapping */
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[4294967296,4294967296,1],\"data_offsets\":[0,0]}}", /* 2^64 */
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[18446744073709551616],\"data_offsets\":[0,1]}}",
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[-1],\"data_offsets\":[0,1]}}",
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[1.0],\"data_offsets\":[0,1]}}",
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[1e0],\"data_offsets\":[0,1]}}",
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[01],\"data_offsets\":[0,1]}}",
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[1,],\"data_offsets\":[0,1]}}",
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[1 1],\"data_offsets\":[0,1]}}",
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[[1]],\"data_offsets\":[0,1]}}",
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[1,1,1,1,1],\"data_offsets\":[0,1]}}",
        "{\"\\u0000\":" SOUND "}",
        "{\"\\ud800\":" SOUND "}",
        "{\"\\ud800\\u0041\":" SOUND "}",
        "{\"\\udc00\":" SOUND "}",
        "{\"\\u12g4\":" SOUND "}",
        "{\"\\x41\":" SOUND "}",
        "{\"a\nb\":" SOUND "}",
        "{\"\x1f\":" SOUND "}",
        "{\"\x80\":" SOUND "}",
        "{\"\xc3\":" SOUND "}",
        "{\"\xc0\xaf\":" SOUND "}",
        "{\"\xe0\x80\xaf\":" SOUND "}",
        "{\"\xed\xa0\x80\":" SOUND "}",
        "{\"\xf4\x90\x80\x80\":" SOUND "}",
        "{\"\xf8\x88\x80\x80\x80\":" SOUND "}",
        "{\"\xff\":" SOUND "}",
        "{\"\\",
        "{\"\\u12",
        "{\"\\ud83d\\u",
        "{\"\xf0\x9f\x98"};
    for (size_t i = 0; i < sizeof HEADERS / sizeof HEADERS[0]; i++) {
        archive *self;
        unsigned char *bytes;
        cnm_error err = {CNM_OK, ""};
        if (open_header(HEADERS[i], 1, &self, &bytes, &err) != CNM_BAD_FORMAT) {
            fail_msg("%s was accepted", HEADERS[i]);
        }
        assert_null(self);
        assert_int_equal(strncmp(err.message, "FILE: ", 6), 0);
        memory_free(bytes);
    }
}

static void other_types_are_unsupported(void **state) {
    (void)state;
    archive *self;
    unsigned char *bytes;
    cnm_error err;
    assert_int_equal(
        open_header("{\"a\":{\"dtype\":\"BOOL\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1, &self, &bytes, &err),
        CNM_UNSUPPORTED);
    assert_non_null(strstr(err.message, "BOOL"));
    memory_free(bytes);
}

static void a_header_longer_than_the_file_is_refused(void **state) {
    (void)state;
    static const uint64_t LENGTHS[] = {3, 9, 1000, UINT64_C(1) << 32, UINT64_MAX, UINT64_MAX - 7};
    size_t size;
    unsigned char *bytes = make_file("{}", 2, 0, &size);
    assert_false(size != 10);
    for (size_t i = 0; i < sizeof LENGTHS / sizeof LENGTHS[0]; i++) {
        archive *self;
        for (int j = 0; j < 8; j++) {
            bytes[j] = (unsigned char)(LENGTHS[i] >> 8 * j);
        }
        assert_int_equal(archive_open(&self, bytes, size, "FILE", NULL), CNM_BAD_FORMAT);
    }
    memory_free(bytes);
}

/* Checks many names, in an order and with a beginning that would slow a naive search or sort down;
 * each is found again. */
static void many_names_are_sorted_and_found(void **state) {
    (void)state;
    enum { NAMES = 20000 };
    text_buffer header = {NULL, 0, 0};
    assert_int_equal(text_add_string(&header, "{", NULL), CNM_OK);
    for (int i = 0; i < NAMES; i++) {
        char line[128];
        (void)snprintf(line, sizeof line,
                       "%s\"common beginning %d\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}",
                       i > 0 ? "," : "", i);
        assert_int_equal(text_add_string(&header, line, NULL), CNM_OK);
    }
    assert_int_equal(text_add_string(&header, "}", NULL), CNM_OK);
    archive *self;
    unsigned char *bytes;
    assert_int_equal(open_header(header.bytes, 0, &self, &bytes, NULL), CNM_OK);
    for (int i = 0; i < NAMES; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "common beginning %d", i);
        assert_ptr_equal(archive_find(self, name), archive_tensor_at(self, (size_t)i));
    }
    archive_close(self);
    memory_free(bytes);
    text_free(&header);
}

static void what_the_reader_would_refuse_is_not_written(void **state) {
    (void)state;
    unsigned char *bytes;
    size_t size;
    cnm_error err;
    const archive_tensor twice[] = {TENSORS[0], TENSORS[0]};
    const archive_tensor huge = {"huge", TENSOR_F64, 2, {SIZE_MAX / 2, 3}, THETA, 0};
    const archive_tensor deep = {"deep", TENSOR_F64, 5, {1, 1, 1, 1}, THETA, 0};
    const archive_entry bad = {"key", "\xff"};
    const archive_entry same = {"checksum", "x"};
    assert_int_equal(archive_write(twice, 2, NULL, 0, NULL, &bytes, &size, &err), CNM_BAD_ARGUMENT);
    assert_null(bytes);
    assert_int_equal(archive_write(&huge, 1, NULL, 0, NULL, &bytes, &size, &err), CNM_BAD_ARGUMENT);
    assert_int_equal(archive_write(&deep, 1, NULL, 0, NULL, &bytes, &size, &err), CNM_BAD_ARGUMENT);
    assert_int_equal(archive_write(NULL, 0, &bad, 1, NULL, &bytes, &size, &err), CNM_BAD_ARGUMENT);
    assert_int_equal(archive_write(NULL, 0, &same, 1, "checksum", &bytes, &size, &err), CNM_BAD_ARGUMENT);
    assert_int_equal(archive_write(NULL, 0, NULL, 0, NULL, &bytes, &size, &err), CNM_OK);
    assert_int_equal(size, 16);
    memory_free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(written_again_it_is_the_same_bytes),
        cmocka_unit_test(every_flipped_bit_is_refused),
        cmocka_unit_test(every_cut_and_every_appended_byte_is_refused),
        cmocka_unit_test(a_missing_checksum_is_told),
        cmocka_unit_test(the_checksum_is_crc_64_xz),
        cmocka_unit_test(sound_headers_are_read),
        cmocka_unit_test(unsound_headers_are_refused_with_their_place),
        cmocka_unit_test(other_types_are_unsupported),
        cmocka_unit_test(a_header_longer_than_the_file_is_refused),
        cmocka_unit_test(many_names_are_sorted_and_found),
        cmocka_unit_test(what_the_reader_would_refuse_is_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
