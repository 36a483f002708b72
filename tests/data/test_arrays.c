/* NPY and IDX: every element type, both orders of bytes and of axes, mapped and streamed, labels
 * from a file of their own. */
#include "data_support.h"

#include <unistd.h>

enum { ROWS = 5, COLUMNS = 6 };

typedef struct element_type {
    const char *name; /* npy's name without the byte order */
    unsigned idx;     /* IDX's code, 0: none */
    double low;       /* smallest value of the sample */
} element_type;

static const element_type TYPES[] = {{"f4", 0x0D, -7.5}, {"f8", 0x0E, -7.5}, {"i1", 0x09, -100}, {"i2", 0x0B, -30000},
                                     {"i4", 0x0C, -9},   {"i8", 0, -9},      {"u1", 0x08, 0},    {"u2", 0, 0},
                                     {"u4", 0, 0},       {"u8", 0, 0}};

static double sample_value(const element_type *type, size_t i, size_t j) {
    return type->low + (double)(i * COLUMNS + j) * 0.5 * (type->name[0] == 'f' ? 1 : 2);
}

static size_t put_element(unsigned char *to, const char *type, double value, bool big) {
    const size_t size = (size_t)(type[1] - '0');
    uint64_t bits = value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
    if (type[0] == 'f' && size == 4) {
        const float narrow = (float)value;
        uint32_t low;
        memcpy(&low, &narrow, sizeof low);
        bits = low;
    } else if (type[0] == 'f') {
        memcpy(&bits, &value, sizeof bits);
    }
    for (size_t i = 0; i < size; i++) {
        to[big ? size - 1 - i : i] = (unsigned char)(bits >> (8 * i));
    }
    return size;
}

/* version, text of the header and padding; returns its size. */
static size_t put_header(unsigned char *to, int version, const char *text) {
    const size_t start = version == 1 ? 10 : 12, length = strlen(text);
    memcpy(to, "\x93NUMPY", 6);
    to[6] = (unsigned char)version;
    memset(to + 7, 0, 5);
    to[8] = (unsigned char)length;
    to[9] = (unsigned char)(length >> 8);
    memcpy(to + start, text, length);
    return start + length;
}

static size_t put_npy(unsigned char *to, const element_type *type, bool big, bool fortran, int version,
                      const char *shape) {
    char text[256];
    (void)snprintf(text, sizeof text, "{'descr': '%c%s', 'fortran_order': %s, 'shape': %s, }      \n", big ? '>' : '<',
                   type->name, fortran ? "True" : "False", shape);
    size_t at = put_header(to, version, text);
    for (size_t k = 0; k < ROWS * COLUMNS; k++) {
        const size_t i = fortran ? k % ROWS : k / COLUMNS, j = fortran ? k / ROWS : k % COLUMNS;
        at += put_element(to + at, type->name, sample_value(type, i, j), big);
    }
    return at;
}

static void assert_sample(const element_type *type, const table *rows) {
    assert_int_equal(rows->rows, ROWS);
    assert_int_equal(rows->columns, COLUMNS);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < COLUMNS; j++) {
            assert_true(cell_at(rows, i, j) == sample_value(type, i, j));
        }
    }
}

static void npy_of_every_kind(void **state) {
    unsigned char bytes[1024];
    (void)state;
    for (size_t t = 0; t < sizeof TYPES / sizeof *TYPES; t++) {
        for (int kind = 0; kind < 12; kind++) {
            const bool big = kind & 1, fortran = kind & 2;
            const char *shape = kind & 4 && !fortran ? "(5, 2, 3)" : "(5, 6)";
            const size_t size = put_npy(bytes, &TYPES[t], big, fortran, 1 + kind / 4, shape);
            table *rows = read_bytes(bytes, size, NULL), *mapped;
            assert_sample(&TYPES[t], rows);
            assert_false(rows->labelled);
            const char *path = temporary_path("sample.npy");
            write_file(path, bytes, size);
            assert_int_equal(table_read(&mapped, path, NULL, NULL, NULL, NULL), CNM_OK);
            assert_same_tables(rows, mapped);
            (void)unlink(path);
            table_destroy(rows);
            table_destroy(mapped);
        }
    }
}

static void npy_with_one_dimension_is_one_column(void **state) {
    unsigned char bytes[1024];
    (void)state;
    const size_t size = put_npy(bytes, &TYPES[0], false, false, 1, "(30,)");
    table *rows = read_bytes(bytes, size, NULL);
    assert_int_equal(rows->rows, 30);
    assert_int_equal(rows->columns, 1);
    assert_true(cell_at(rows, 7, 0) == sample_value(&TYPES[0], 1, 1));
    table_destroy(rows);
}

static void npy_label_columns_and_base(void **state) {
    unsigned char bytes[1024];
    (void)state;
    size_t at = put_header(bytes, 1, "{'descr': '<f8', 'fortran_order': False, 'shape': (3L, 2L)}");
    static const double VALUES[] = {1.7e9 + 0.5, 3, 1.7e9 + 1.25, 4, 1.7e9 + 2, 3};
    for (size_t i = 0; i < 6; i++) {
        at += put_element(bytes + at, "f8", VALUES[i], false);
    }
    const reader_options last = {.label_column = "last"};
    table *rows = read_bytes(bytes, at, &last);
    assert_int_equal(rows->columns, 1);
    assert_non_null(rows->base);
    assert_true(cell_at(rows, 1, 0) == 1.7e9 + 1.25);
    assert_string_equal(label_at(rows, 1), "4");
    table_destroy(rows);
}

static size_t put_idx(unsigned char *to, const element_type *type, size_t dimensions, const uint32_t *sizes) {
    size_t at = 4;
    memset(to, 0, 4);
    to[2] = (unsigned char)type->idx;
    to[3] = (unsigned char)dimensions;
    for (size_t i = 0; i < dimensions; i++) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            to[at++] = (unsigned char)(sizes[i] >> shift);
        }
    }
    return at;
}

static void idx_of_every_type(void **state) {
    unsigned char bytes[1024];
    static const uint32_t SIZES[] = {ROWS, 2, 3};
    (void)state;
    for (size_t t = 0; t < sizeof TYPES / sizeof *TYPES; t++) {
        if (TYPES[t].idx == 0) {
            continue;
        }
        size_t at = put_idx(bytes, &TYPES[t], 3, SIZES);
        for (size_t k = 0; k < ROWS * COLUMNS; k++) {
            at += put_element(bytes + at, TYPES[t].name, sample_value(&TYPES[t], k / COLUMNS, k % COLUMNS), true);
        }
        table *rows = read_bytes(bytes, at, NULL);
        assert_sample(&TYPES[t], rows);
        table_destroy(rows);
    }
}

static void labels_come_from_a_file_of_their_own(void **state) {
    unsigned char bytes[1024], idx[64], npy[512];
    static const uint32_t SIZES[] = {ROWS};
    const size_t size = put_npy(bytes, &TYPES[0], false, false, 1, "(5, 6)");
    size_t idx_size = put_idx(idx, &TYPES[6], 1, SIZES);
    memcpy(idx + idx_size, "\x03\x01\x04\x01\x05", ROWS);
    size_t npy_size = put_header(npy, 1, "{'descr': '<i4', 'fortran_order': False, 'shape': (5,), }");
    for (size_t i = 0; i < ROWS; i++) {
        npy_size += put_element(npy + npy_size, "i4", (double)(idx + idx_size)[i], false);
    }
    (void)state;
    const char *text = "3\n1.0\n 4\n1\n\"5\"", *words = "c\na\nd\na\ne\n";
    const struct {
        const void *bytes;
        size_t size;
        const char *second;
    } FILES[] = {
        {idx, idx_size + ROWS, "1"}, {npy, npy_size, "1"}, {text, strlen(text), "1"}, {words, strlen(words), "a"}};
    for (size_t i = 0; i < 4; i++) {
        const char *path = temporary_path("labels");
        const reader_options options = {.labels_path = path};
        write_file(path, FILES[i].bytes, FILES[i].size);
        table *rows = read_bytes(bytes, size, &options);
        assert_true(rows->labelled);
        assert_int_equal(rows->columns, COLUMNS);
        assert_string_equal(label_at(rows, 1), FILES[i].second);
        assert_string_equal(label_at(rows, 3), FILES[i].second);
        table_destroy(rows);
        (void)unlink(path);
    }
}

static void labels_must_match_the_rows(void **state) {
    unsigned char bytes[1024];
    const size_t size = put_npy(bytes, &TYPES[0], false, false, 1, "(5, 6)");
    (void)state;
    static const struct {
        const char *text, *message;
    } CASES[] = {{"1\n2\n", "%s: found 2 labels, expected 5, one for each row of f"},
                 {"1\n2\n?\n", "%s:3: found no label, expected a number or a word"},
                 {"1\n2\ninf\n", "%s:3: found the label 'inf', expected a finite number or a word"}};
    for (size_t i = 0; i < 3; i++) {
        char expected[600];
        table *rows;
        cnm_error err = {0};
        const char *path = temporary_path("labels");
        const reader_options options = {.labels_path = path};
        write_file(path, CASES[i].text, strlen(CASES[i].text));
        assert_int_equal(read_batches(&rows, bytes, size, &options, 9, NULL, &err), CNM_BAD_DATA);
        (void)snprintf(expected, sizeof expected, "%s%s", path, CASES[i].message + 2);
        assert_string_equal(err.message, expected);
        (void)unlink(path);
    }
}

/* Bytes that claim more than there is: refused before anything of that size is allocated. */
static void claims_are_checked_against_the_bytes(void **state) {
    unsigned char bytes[2048];
    static const struct {
        const char *header, *message;
    } CASES[] = {
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1152921504606846976, 1), }",
         "f: found 64 bytes of values, expected more: 1152921504606846976 rows of 1 columns of 4 bytes each"},
        {"{'descr': '<f4', 'fortran_order': True, 'shape': (1152921504606846976, 1), }",
         "f: found 64 bytes of values, expected more: 1152921504606846976 rows of 1 columns of 4 bytes each"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1000000000000), }",
         "f: found 64 bytes of values, expected more: 2 rows of 1000000000000 columns of 4 bytes each"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }",
         "f: found 4294967296 rows of 4294967296 columns, expected sizes that a computer can hold"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 4294967296, 4294967296), }",
         "f: the npy header is damaged, expected descr, fortran_order and shape"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999, 1), }",
         "f: the npy header is damaged, expected descr, fortran_order and shape"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const size_t size = put_header(bytes, 1, CASES[i].header) + 64;
        memset(bytes + size - 64, 0, 64);
        cnm_error err = {0};
        table *rows;
        assert_int_equal(read_batches(&rows, bytes, size, NULL, 1000, NULL, &err), CNM_BAD_FORMAT);
        assert_string_equal(err.message, CASES[i].message);
        if (i != 3 && i != 4) { /* the same of a plain file */
            const char *path = temporary_path("claim.npy");
            write_file(path, bytes, size);
            assert_int_equal(table_read(&rows, path, NULL, NULL, NULL, &err), CNM_BAD_FORMAT);
            assert_string_equal(err.message + strlen(path), CASES[i].message + 1);
            (void)unlink(path);
        }
    }
}

static void idx_products_do_not_overflow(void **state) {
    unsigned char bytes[256] = {0};
    static const uint32_t SIZES[] = {2, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu};
    cnm_error err = {0};
    table *rows;
    (void)state;
    const size_t size = put_idx(bytes, &TYPES[6], 4, SIZES);
    assert_int_equal(read_batches(&rows, bytes, size + 50, NULL, 9, NULL, &err), CNM_BAD_FORMAT);
    assert_string_equal(err.message, "f: the product of the 4 dimensions is too large");
    const size_t smaller = put_idx(bytes, &TYPES[6], 3, SIZES);
    assert_int_equal(read_batches(&rows, bytes, smaller + 50, NULL, 9, NULL, &err), CNM_BAD_FORMAT);
    assert_string_equal(err.message,
                        "f: found 2 rows of 18446744065119617025 columns, expected sizes that a computer can hold");
}

/* The stream ends in the middle of a later row. */
static void truncated_streams_are_told(void **state) {
    unsigned char bytes[1024];
    (void)state;
    for (int fortran = 0; fortran < 2; fortran++) {
        const size_t size = put_npy(bytes, &TYPES[0], false, fortran, 1, "(5, 6)");
        cnm_error err = {0};
        table *rows;
        assert_int_equal(read_batches(&rows, bytes, size - 30, NULL, 1, NULL, &err), CNM_BAD_FORMAT);
        assert_string_equal(err.message,
                            "f: found 90 bytes of values, expected more: 5 rows of 6 columns of 4 bytes each");
    }
}

/* A file that was whole when it was opened: an error when the missing bytes' turn comes, never a
 * signal. */
static void files_cut_while_they_are_read_are_told(void **state) {
    unsigned char header[256];
    enum { LONG = 5000000 };
    (void)state;
    for (int fortran = 0; fortran < 2; fortran++) {
        char text[128];
        cnm_error err = {0};
        reader *opened;
        table *rows = NULL;
        cnm_status status;
        (void)snprintf(text, sizeof text, "{'descr': '<f4', 'fortran_order': %s, 'shape': (%d, 2), }",
                       fortran ? "True" : "False", LONG);
        const size_t size = put_header(header, 1, text);
        const char *path = temporary_path("cut.npy");
        write_file(path, header, size);
        assert_int_equal(truncate(path, (off_t)(size + 8 * (size_t)LONG)), 0);
        assert_int_equal(reader_open(&opened, path, NULL, NULL, &err), CNM_OK);
        assert_int_equal(reader_next(opened, 1000, &rows, &err), CNM_OK);
        assert_int_equal(truncate(path, (off_t)size + 100), 0);
        do {
            table_destroy(rows);
            status = reader_next(opened, 100000, &rows, &err);
        } while (status == CNM_OK && rows != NULL);
        assert_int_equal(status, fortran ? CNM_BAD_FORMAT : CNM_IO_FAILED);
        assert_non_null(
            strstr(err.message, fortran ? "bytes of values, expected more" : "became shorter while it was"));
        reader_close(opened);
        (void)unlink(path);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(npy_of_every_kind),
        cmocka_unit_test(npy_with_one_dimension_is_one_column),
        cmocka_unit_test(npy_label_columns_and_base),
        cmocka_unit_test(idx_of_every_type),
        cmocka_unit_test(labels_come_from_a_file_of_their_own),
        cmocka_unit_test(labels_must_match_the_rows),
        cmocka_unit_test(claims_are_checked_against_the_bytes),
        cmocka_unit_test(idx_products_do_not_overflow),
        cmocka_unit_test(truncated_streams_are_told),
        cmocka_unit_test(files_cut_while_they_are_read_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
