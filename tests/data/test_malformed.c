/* Every bad file gets a message with the position, what was found, and what was expected. */
#include "data_support.h"

typedef struct bad_file {
    const char *bytes;
    size_t size; /* 0: up to the NUL */
    const char *message;
    reader_options options;
} bad_file;

#define TWICE(text) text text
#define TEN TWICE("1,2,0\n3,4,1\n1,5,0\n2,2,1\n7,3,0\n")
#define DAYS TWICE("1,2023-10-13,0\n3,2023-10-14,1\n1,2023-10-15,0\n2,2023-10-16,1\n7,2023-10-17,0\n")
#define FRACTIONS TWICE("1,2.5\n3,4.25\n1,5.5\n2,2\n7,3.5\n")
#define COMMAS TWICE("1;2,5;0\n3;4,25;1\n1;5,5;0\n2;2,125;1\n7;3,5;0\n")
#define HEADER "@relation r\n@attribute a real\n@attribute k {x, y}\n"

static const bad_file FILES[] = {
    /* separated values */
    {"", 0, "f: found no rows, expected at least one", {0}},
    {"\n\n# nothing\n", 0, "f: found no rows, expected at least one", {0}},
    {"1,2,0\n1,2\n", 0, "f:2: found 2 cells, expected 3", {0}},
    {"1,2,0\n\n1,2,3,4\n", 0, "f:3: found 4 cells, expected 3", {0}},
    {"a,b,label\n" TEN "1,x,0\n",
     0,
     "f:12: found 'x' in column 2 ('b'), expected a number; --na 'x' takes it for a missing value, --drop b leaves the "
     "column out",
     {0}},
    {"a,b,label\n1,\"x, y\",0\n" TEN,
     0,
     "f:2: found 'x, y' in column 2 ('b'), expected a number; correct it, or --drop b leaves the column out",
     {0}},
    {"a,b,label\n" TEN "Total,,\n",
     0,
     "f:12: found 'Total' in column 1 ('a'), expected a number; --na 'Total' takes it for a missing value, --drop a "
     "leaves the column out; if the line is no row, remove it, or take the other rows alone by --rows A:B",
     {0}},
    {TEN "2,0x10,1\n",
     0,
     "f:11: found '0x10' in column 2, expected a number; --na '0x10' takes it for a missing value, --drop 2 leaves the "
     "column out",
     {.label_column = "last"}},
    {"a,day,label\n" DAYS "1,2023-02-29,0\n",
     0,
     "f:12: found '2023-02-29' in column 2 ('day'), expected a date as 2023-10-13; --na '2023-02-29' takes it for a "
     "missing value, --drop day leaves the column out",
     {0}},
    {"a,y\n" FRACTIONS "1,-\n",
     0,
     "f:12: found '-' in column 2 ('y'), expected a number, as the other labels are; if the line is no row, remove it, "
     "or "
     "take the other rows alone by --rows A:B",
     {0}},
    {"a;b;label\n" COMMAS "1;2.5;0\n",
     0,
     "f:12: found '2.5' in column 2 ('b'), expected a number with a decimal comma; --na '2.5' takes it for a missing "
     "value, --drop b leaves the column out",
     {0}},
    {"1,2,0\n2,inf,1\n", 0, "f:2: found 'inf' in column 2, expected a finite number", {0}},
    {"1,2,0\n2,1e999,1\n", 0, "f:2: found '1e999' in column 2, expected a finite number", {0}},
    {"1,2,0\n2,1e39,1\n", 0, "f:2: found 1e39 in column 2, expected a number below 3.4e38 in size", {0}},
    {"1,2,x\n2,3,\n",
     0,
     "f:2: found no label in column 3, expected a number or a word; if the line is no row, remove it, or "
     "take the other rows alone by --rows A:B",
     {0}},
    {"1,2,0\n2,3,-inf\n", 0, "f:2: found the label '-inf', expected a finite number or a word", {0}},
    {"1,2,\"x\n2,3,y\n",
     0,
     "f:1: found a quote in column 3 that is never closed, expected its end within 1024 KiB",
     {0}},
    {"a,b,label\n1,2,\"x\"\n2,\"3\n4,y\n",
     0,
     "f:3: found a quote in column 2 ('b') that is never closed, expected its end within 1024 KiB",
     {0}},
    {"\"a\nb\",\"c\",label\n1,2,x\n3,4,y\n\n5,6\n", 0, "f:6: found 2 cells, expected 3", {0}},
    {TEN "3,\"4\n\n5\",1\n5,6,0\n",
     0,
     "f:11: found '4??5' in column 2, expected a number; correct it, or --drop 2 leaves the column out",
     {.label_column = "last"}},
    {"1,2,x\n\"3\n\",\"4\n",
     0,
     "f:3: found a quote in column 2 that is never closed, expected its end within 1024 KiB",
     {.label_column = "last"}},
    {"1,2,x\n3,4,\"y\nz\"\n", 0, "f:2: found the label 'y?z' with a control character, expected text", {0}},
    {"1,2,x\n3,\"4\n\0\",x\n", 15, "f:3: found a NUL byte, expected text", {0}},
    {"1,2,0\n2,\0,1\n", 12, "f:2: found a NUL byte, expected text", {0}},
    {"1,2,x\n2,3,a\1b\n", 0, "f:2: found the label 'a?b' with a control character, expected text", {0}},
    {"a,b,label\n1,,0\n2,3,1\n?,NA,0\n?,4,1\n",
     0,
     "f:2: found a missing value in column 2 ('b'), expected a number; the file has 4 missing values in 3 rows, which "
     "--missing "
     "mean would fill",
     {0}},
    {"1,2,0\n2,nan,1\n",
     0,
     "f:2: found a missing value in column 2, expected a number; the file has 1 missing value in 1 row, which "
     "--missing mean "
     "would fill",
     {0}},
    {"1,2,0\n",
     0,
     "f: there is no column named 'kind' for the label, since the columns have no names",
     {.label_column = "kind"}},
    {"a,b\n1,2\n", 0, "f: there is no column named 'kind' for the label", {.label_column = "kind"}},
    {"1,2,0\n", 0, "f: the label column is 4, but there are columns 1 to 3", {.label_column = "4"}},
    {"1,2,0\n", 0, "f: the weight column is 0, but there are columns 1 to 3", {.weight_column = "0"}},
    {"1,2,0\n", 0, "f: column 2 cannot be both label and weight", {.label_column = "2", .weight_column = "2"}},
    {"1,2,0\n", 0, "f: the group column is 4, but there are columns 1 to 3", {.group_column = "4"}},
    {"1,2,0\n", 0, "f: column 2 cannot be both label and group", {.label_column = "2", .group_column = "2"}},
    {"1,2,0\n", 0, "f: column 1 cannot be both group and weight", {.weight_column = "1", .group_column = "1"}},
    {"1,2,0\n1,-2,0\n",
     0,
     "f:2: found the weight -2, expected a finite number that is not negative",
     {.weight_column = "2"}},
    {"1,2,0\n1,,0\n",
     0,
     "f:2: found the weight nan, expected a finite number that is not negative",
     {.weight_column = "2"}},
    {"1\n2\n", 0, "f: found 1 column, but none is left for the features", {.label_column = "last"}},
    {"1,2,0\n", 0, "f: labels of their own go with npy and idx, but this is csv", {.labels_path = "x"}},
    {"1,2,0\n", 0, "format: found 'xls', expected auto, libsvm, csv, arff, npy or idx", {.format = "xls"}},
    /* LIBSVM */
    {"1 1:2\n0 3:1 2:1\n", 0, "f:2: found '2:1', expected ascending indices", {0}},
    {"1 1:2\n0 3:1 3:1\n", 0, "f:2: found '3:1', expected each index once", {0}},
    {"1 1:2\n0 1:1 x:2\n", 0, "f:2: found 'x:2', expected a whole number before the colon", {0}},
    {"1 1:2\n0 1:1 -2:2\n", 0, "f:2: found '-2:2', expected a whole number before the colon", {0}},
    {"1 -1:2 1:1\n0 -1:1\n", 0, "f:1: found '-1:2', expected a whole number before the colon", {0}},
    {"1 1:2\n0 1:1 2:\n", 0, "f:2: found '2:', expected a number after the colon", {0}},
    {"1 1:2\n0 1:1 2:3x\n", 0, "f:2: found '2:3x', expected a number after the colon", {0}},
    {"1 1:2\n0 1:1 2\n", 0, "f:2: found '2', expected index:value", {0}},
    {"+1 1:0.5 2:x\n-1 1:1\n", 0, "f:1: found '2:x', expected a number after the colon", {0}},
    {"+1 1:0.5 2:x", 0, "f:1: found '2:x', expected a number after the colon", {0}},
    {"+1 1:x\n-1 1:1\n", 0, "f:1: found '1:x', expected a number after the colon", {0}},
    {"+1 1:1 x\n-1 1:1\n", 0, "f:1: found 'x', expected index:value", {0}},
    {"1 1:2\n0 1:nan\n", 0, "f:2: found '1:nan', expected a finite value below 3.4e38 in size", {0}},
    {"1 1:2\n0 1:1e39\n", 0, "f:2: found '1:1e39', expected a finite value below 3.4e38 in size", {0}},
    {"1 1:2\n0 2147483648:1\n", 0, "f:2: found '2147483648:1', expected an index below 2147483648", {0}},
    {"1 1:2\n0 99999999999999999999999:1\n",
     0,
     "f:2: found '99999999999999999999999:1', expected an index below 2147483648",
     {0}},
    {"1 1:2\n1,2 1:2\n", 0, "f:2: found '1,2', expected one label a row, not several", {0}},
    {"1 1:2\n1:2\n", 0, "f:2: found '1:2', expected a label first (rows without labels need --label-column none)", {0}},
    {"1:2\n1 1:2\n",
     0,
     "f:2: found '1', expected index:value, since the rows before have no labels",
     {.label_column = "none"}},
    {"1 0:2\n", 0, "f:1: found '0:2', expected indices from 1", {.index_base = INDEX_FROM_ONE}},
    {"nan 1:2\n", 0, "f:1: found 'nan', expected a label that is a finite number or a word", {0}},
    {"1 1:2\n1 \0:2\n", 13, "f:2: found a NUL byte, expected text", {.format = "libsvm"}},
    {"1 1:2\n", 0, "f: LIBSVM rows have no column for the weight, csv or arff rows may", {.weight_column = "1"}},
    {"1 1:2\n", 0, "f: LIBSVM rows have no column for the group, csv or arff rows may", {.group_column = "1"}},
    /* ARFF */
    {"@relation r\n@attribute a real\n", 0, "f: found the end of the file, expected a line @data", {0}},
    {"@relation r\n@data\n1\n", 0, "f:2: found @data, expected lines @attribute before it", {0}},
    {"@relation r\n@attribute a complex\n",
     0,
     "f:2: found 'complex', expected a type: numeric, real, integer, string, date or {values}",
     {0}},
    {"@relation r\n@attribute k {a, b\n", 0, "f:2: found '{a, b', expected values in braces: {a, b, c}", {0}},
    {"@relation r\n@attribute\n", 0, "f:2: found '', expected @attribute NAME TYPE", {0}},
    {"@relation r\n@wrong x\n",
     0,
     "f:2: found '@wrong x', expected @relation, @attribute, @inputs, @outputs or @data",
     {0}},
    {HEADER "@attribute s relational\n@data\n1,x,s\n",
     0,
     "f:4: found the attribute 's' of relations, expected numbers or words",
     {.label_column = "k"}},
    {HEADER "@attribute b real\n@data\n1,x,2\n",
     0,
     "f:3: found the attribute 'k' of words, expected numbers",
     {.label_column = "b", .weight_column = "k"}},
    {HEADER "@outputs k, a\n@data\n1,x\n", 0, "f:4: found 'k, a', expected one output", {0}},
    {HEADER "@data\n1,x\n\n2\n", 0, "f:7: found 1 cell, expected 2", {0}},
    {HEADER "@data\n1,x\n2,?\n",
     0,
     "f:6: found no label in column 2 ('k'), expected a number or a word; if the line is no row, remove it, or take "
     "the other rows alone by --rows A:B",
     {0}},
    {HEADER "@data\n1,x\n2,z\n", 0, "f:6: found 'z' in column 2 ('k'), expected a declared value: 'x', 'y'", {0}},
    {HEADER "@data\n1,x\n2,xx\n", 0, "f:6: found 'xx' in column 2 ('k'), expected a declared value: 'x', 'y'", {0}},
    {HEADER "@data\n1,x\n{1 z}\n", 0, "f:6: found 'z' in column 2 ('k'), expected a declared value: 'x', 'y'", {0}},
    {"@relation r\n@attribute n {7, 6, 5, 4, 3, 2}\n@attribute k {1, -1}\n@data\n2,1\n2.0,-1.0\n2.5,1\n",
     0,
     "f:7: found '2.5' in column 1 ('n'), expected a declared value: '7', '6', '5', '4', '3', ...",
     {0}},
    {"@relation r\n@attribute n real\n@attribute k {1, -1}\n@data\n2,1\n2,one\n",
     0,
     "f:6: found 'one' in column 2 ('k'), expected a declared value: '1', '-1'",
     {0}},
    {HEADER "@data\n{0 1, 1 x\n",
     0,
     "f:5: found '{0 1, 1 x', expected a closing brace at the end of a sparse row",
     {0}},
    {HEADER "@data\n{2 1}\n", 0, "f:5: found '2', expected an index of an attribute, from 0", {0}},
    {HEADER "@data\n{1 x, 0 1}\n", 0, "f:5: found '0', expected ascending indices", {0}},
    {HEADER "@data\n{x}\n", 0, "f:5: found 'x', expected an index and a value", {0}},
    /* NPY and IDX */
    {"1,2,0\n", 0, "f: the file does not start as npy does, expected \\x93NUMPY", {.format = "npy"}},
    {"\x93NUMPY\x04\x00", 8, "f: found npy version 4, expected 1, 2 or 3", {0}},
    {"\x93NUMPY\x01\x00\xff\x00{'descr'",
     18,
     "f: found the end of the file in the npy header, expected 255 bytes of it",
     {0}},
    {"\x93NUMPY\x01\x00\x34\x00{'descr': '<c8', 'fortran_order': False, 'shape':(2,)}",
     62,
     "f: found elements of type '<c8', expected f4, f8, i1 to i8, u1 to u8 or b1",
     {0}},
    {"\x93NUMPY\x01\x00\x38\x00{'descr': [('a','f4')], 'fortran_order':False,'shape':()}",
     66,
     "f: found elements of type '[...]' (a structured array), expected f4, f8, i1 to i8, u1 to u8 or b1",
     {0}},
    {"\x93NUMPY\x01\x00\x34\x00{'descr': '<f4', 'fortran_order': False, 'shape':()}",
     62,
     "f: found a single number, expected an array of rows",
     {0}},
    {"\x93NUMPY\x01\x00\x37\x00{'descr': '<f4', 'fortran_order': False, 'shape':(0,2)}",
     65,
     "f: found no rows, expected at least one",
     {0}},
    {"\x93NUMPY\x01\x00\x37\x00{'descr': '<f4', 'fortran_order': False, 'shape':(2,0)}",
     65,
     "f: found no columns, expected at least one",
     {0}},
    {"\x93NUMPY\x01\x00\x22\x00{'descr': '<f4', 'shape':(2,0)}      ",
     44,
     "f: the npy header is damaged, expected descr, fortran_order and shape",
     {0}},
    {"\0\0\x07\x01\0\0\0\1\0", 9, "f: found idx type 0x07, expected 08, 09, 0B, 0C, 0D or 0E", {.format = "idx"}},
    {"\0\0\x08\x03\0\0\0\1\0", 9, "f: found 9 bytes and 3 dimensions, expected an idx header of 16 bytes", {0}},
    {"\0\0\x08\x02\0\0\0\2\0\0\0\2abc",
     15,
     "f: found 3 bytes of values, expected more: 2 rows of 2 columns of 1 byte each",
     {0}},
    {"1,2,3\n", 0, "f: the file does not start as idx does, expected two zero bytes", {.format = "idx"}},
    {"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16, "f:3: found a NUL byte, expected text", {0}},
};

static void every_bad_file_gets_its_sentence(void **state) {
    size_t wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        const bad_file *file = &FILES[i];
        const size_t size = file->size != 0 ? file->size : strlen(file->bytes);
        for (size_t batch = 1; batch <= 1000; batch *= 1000) {
            table *rows;
            cnm_error err = {0};
            const cnm_status status = read_batches(&rows, file->bytes, size, &file->options, batch, NULL, &err);
            assert_int_equal(rows == NULL, status != CNM_OK);
            table_destroy(rows);
            if (status == CNM_OK || strcmp(err.message, file->message) != 0) {
                print_error("case %zu: %s\nexpected: %s\n", i, status == CNM_OK ? "was read" : err.message,
                            file->message);
                wrong++;
                continue;
            }
            assert_int_equal(err.status, status);
            /* without an error to fill, the status stays */
            assert_int_equal(read_batches(&rows, file->bytes, size, &file->options, batch, NULL, NULL), status);
        }
    }
    assert_int_equal(wrong, 0);
    print_message("%zu malformed files\n", sizeof FILES / sizeof *FILES);
}

/* Index 0 long after rows that count from 1. */
static void a_late_index_zero_is_refused(void **state) {
    (void)state;
    char *text = malloc(5000 * 8);
    size_t at = 0;
    cnm_error err = {0};
    table *rows;
    for (size_t i = 0; i < 4100; i++) {
        at += (size_t)sprintf(text + at, "1 1:2\n");
    }
    at += (size_t)sprintf(text + at, "1 0:2\n");
    assert_int_equal(read_batches(&rows, text, at, NULL, 7, NULL, &err), CNM_BAD_FORMAT);
    assert_string_equal(err.message, "f:4101: found '0:2', expected indices from 1, as in the rows before");
    free(text);
}

/* Prefixes of good files: an error or fewer rows, never a crash (the sanitizers look). */
static void prefixes_are_harmless(void **state) {
    static const char *const TEXTS[] = {HEADER "@outputs k\n@data\n1,x\n{0 1, 1 'y'}\n% c\n2.5e3,\"x\"\n",
                                        "a,\"b \"\"c\",label\n1,-2.5e-3,x\n?,4,\"y, z\"\n",
                                        "a,\"b\nc\",label\n1,2,x\n\"3\",\"4\n\n\",y\n",
                                        "1 qid:3 1:0.5 7:-1e-2 # c\n-1 3:4\n"};
    (void)state;
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        for (size_t size = 0; size <= strlen(TEXTS[i]); size++) {
            char *exact = malloc(size + 1); /* no byte behind the end */
            memcpy(exact, TEXTS[i], size);
            const reader_options options = {.missing = MISSING_KEEP};
            table *rows;
            if (read_batches(&rows, exact, size, &options, 2, NULL, NULL) == CNM_OK) {
                table_destroy(rows);
            }
            free(exact);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bad_file_gets_its_sentence),
        cmocka_unit_test(a_late_index_zero_is_refused),
        cmocka_unit_test(prefixes_are_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
