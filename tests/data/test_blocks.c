/* Text that several threads read in blocks: rows, notices and errors are those of one thread and
 * one block, wherever the blocks are cut, and little is read ahead. */
#include "data_support.h"

#include "base/text/text.h"
#include "base/threads/pipeline.h"

enum { ROWS = 4200, ROW_SIZE = 96 }; /* more rows than the 4096 that the head of a file has */

static uint32_t noise(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* How a row of a made-up file is written; returns its length. */
typedef size_t (*write_row)(char *out, size_t row, uint32_t *state);

static size_t number_row(char *out, size_t row, uint32_t *state) {
    return (size_t)snprintf(out, ROW_SIZE, "%d,%d.%03d,%zu,%de-2,%zu\n", (int)noise(state) % 10,
                            (int)noise(state) % 1000 - 500, (int)noise(state) % 1000, row, (int)noise(state) % 99999,
                            row % 3);
}

/* Words as labels, some of them numbers; cells in quotes, missing or empty. */
static size_t word_row(char *out, size_t row, uint32_t *state) {
    static const char *const LABELS[] = {"cat", "dog", "7.0", "\"a \"\"b\"\"\"", "7", "\"x, y\""};
    static const char *const CELLS[] = {"1", "\"2\"", "", " 3.5 ", "\"\"", "?", "\"4\"", "-0.125"};
    /* stretches of numbers alone, too */
    const char *label = row / 100 % 2 == 0 ? LABELS[noise(state) % 6] : "7";
    return (size_t)snprintf(out, ROW_SIZE, "%s,%s,%zu,%s\n%s", CELLS[noise(state) % 8], CELLS[noise(state) % 8], row,
                            label, row % 50 == 0 ? "\n" : "");
}

/* A column of text over several lines, which the model does not use. */
static size_t note_row(char *out, size_t row, uint32_t *state) {
    static const char *const NOTES[] = {"\"a\nb, \"\"c\"\"\n\"", "\"\n\n\n\"", "plain", "\"\r\n,\"", "say \"no\""};
    return (size_t)snprintf(out, ROW_SIZE, "%zu,%s,%d,%zu\n", row, NOTES[noise(state) % 5], (int)noise(state) % 100,
                            row % 3);
}

static size_t blank_row(char *out, size_t row, uint32_t *state) {
    return (size_t)snprintf(out, ROW_SIZE, " %zu  %d \t%d.5%s\r\n", row % 7, (int)noise(state) % 100,
                            (int)noise(state) % 100, noise(state) % 2 ? " " : "");
}

static size_t sparse_row(char *out, size_t row, uint32_t *state) {
    size_t at = (size_t)snprintf(out, ROW_SIZE, "%s%zu", row % 11 == 0 ? "# x\n\n" : "", row % 4);
    for (unsigned j = 1 + noise(state) % 3; j < 30; j += 1 + noise(state) % 9) {
        at += (size_t)snprintf(out + at, ROW_SIZE - at, "%s%u:%u.%u", noise(state) % 9 ? " " : "\t", j,
                               noise(state) % 3, noise(state) % 2 * 25);
    }
    return at + (size_t)snprintf(out + at, ROW_SIZE - at, "%s\n", row % 13 == 0 ? " # c" : "");
}

static size_t zero_row(char *out, size_t row, uint32_t *state) {
    return (size_t)snprintf(out, ROW_SIZE, "%s %s3:%d\n", row % 2 ? "yes" : "no", row % 9 == 5 ? "0:1 " : "",
                            (int)noise(state) % 9);
}

static size_t unlabelled_row(char *out, size_t row, uint32_t *state) {
    return (size_t)snprintf(out, ROW_SIZE, "1:%zu 5:%d\n", row, (int)noise(state) % 9);
}

static size_t pair_row(char *out, size_t row, uint32_t *state) {
    (void)row;
    return (size_t)snprintf(out, ROW_SIZE, "1 3:%d\n", (int)noise(state) % 9);
}

/* `top`, rows, then `tail`, where @ stands for a NUL byte. Freed by the caller. */
static char *make_text(const char *top, write_row write, size_t rows, const char *tail, size_t *size) {
    char *text = malloc(rows * ROW_SIZE + strlen(top) + strlen(tail) + 1);
    uint32_t state = 9;
    size_t at = strlen(top);
    assert_non_null(text);
    memcpy(text, top, at);
    for (size_t i = 0; i < rows; i++) {
        at += write(text + at, i, &state);
    }
    for (; *tail != '\0'; tail++) {
        text[at++] = *tail == '@' ? '\0' : *tail;
    }
    *size = at;
    return text;
}

/* How a reader may be asked to read what must give the same. */
typedef struct setup {
    size_t threads, block_size, batch;
} setup;

static const setup REFERENCE = {1, 1 << 24, 1 << 20};
static const setup SETUPS[] = {
    {1, 0, 1 << 20}, {1, 100, 1}, {2, 1, 1 << 20}, {2, 1000, 7}, {7, 300, 4097}, {7, 5000, 1000}, {0, 777, 1000},
};
enum { SETUP_COUNT = sizeof SETUPS / sizeof *SETUPS };

/* What came of reading. */
typedef struct outcome {
    cnm_status status;
    cnm_error err;
    notices heard;
    table *rows; /* NULL after an error */
} outcome;

static outcome read_as(const void *bytes, size_t size, reader_options options, setup how) {
    outcome out = {0};
    options.threads = how.threads;
    options.block_size = how.block_size;
    out.status = read_batches(&out.rows, bytes, size, &options, how.batch, &out.heard, &out.err);
    return out;
}

static void assert_same_outcome(const outcome *expected, const outcome *found) {
    if (found->status != expected->status || strcmp(found->err.message, expected->err.message) != 0) {
        fail_msg("status %d %s\nexpected %d %s", (int)found->status, found->err.message, (int)expected->status,
                 expected->err.message);
    }
    assert_string_equal(expected->heard.latest, found->heard.latest);
    assert_int_equal(expected->heard.count, found->heard.count);
    if (expected->rows != NULL) {
        assert_same_tables(expected->rows, found->rows);
    }
}

/* Reads some bytes in every setup, gzipped too; returns what came of it, to be freed with
 * table_destroy. */
static outcome read_in_every_block_size(const char *text, size_t size, const reader_options *options) {
    size_t zipped_size;
    unsigned char *zipped = gzip_bytes(text, size, &zipped_size);
    const outcome expected = read_as(text, size, *options, REFERENCE);
    for (size_t i = 0; i < SETUP_COUNT; i++) {
        outcome found =
            read_as(i % 3 == 2 ? (const char *)zipped : text, i % 3 == 2 ? zipped_size : size, *options, SETUPS[i]);
        assert_same_outcome(&expected, &found);
        table_destroy(found.rows);
    }
    free(zipped);
    return expected;
}

static const char *const SWAPPED_NAMES[] = {"x", "w"}, *const OTHER_NAMES[] = {"x", "a"};

static void rows_do_not_depend_on_blocks_or_threads(void **state) {
    static const struct {
        const char *top;
        write_row write;
        reader_options options;
    } FILES[] = {
        {"", number_row, {0}},
        {"", number_row, {.label_column = "none", .weight_column = "1"}},
        {"", number_row, {.group_column = "3"}},
        {"", number_row, {.expects = true, .columns = 4, .label_column = "last"}},
        {"a,w,x,b,label\n",
         number_row,
         {.expects = true, .columns = 2, .names = SWAPPED_NAMES, .label_column = "label"}},
        {"", word_row, {.missing = MISSING_KEEP}},
        {"", word_row, {.missing = MISSING_KEEP, .expects = true, .columns = 3, .label_column = "last"}},
        {"a,\"no\nte\",x,label\n",
         note_row,
         {.expects = true, .columns = 2, .names = OTHER_NAMES, .label_column = "label"}},
        {"", blank_row, {0}},
        {"", sparse_row, {0}},
        {"", sparse_row, {.expects = true, .columns = 20}},
        {"", sparse_row, {.label_column = "none"}},
        {"", zero_row, {0}},
        {"", unlabelled_row, {.label_column = "none"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        size_t size;
        char *text = make_text(FILES[i].top, FILES[i].write, ROWS, "", &size);
        const outcome read = read_in_every_block_size(text, size, &FILES[i].options);
        if (read.status != CNM_OK) {
            fail_msg("file %zu: %s", i, read.err.message);
        }
        assert_int_equal(read.rows->rows, ROWS);
        table_destroy(read.rows);
        free(text);
    }
}

typedef struct bad_end {
    write_row write;
    const char *tail, *message;
    size_t good; /* rows of the tail that come before the error */
    reader_options options;
    const char *top; /* NULL: nothing */
} bad_end;

static const bad_end BAD_ENDS[] = {
    /* the first of several */
    {number_row, "1,2,3,4\n1,x,2,3,0\n", "f:4201: found 4 cells, expected 5", 0, {0}, NULL},
    {number_row,
     "1,2,3,4,0\n\n1,x,2,3,0\n1,y,2,3,0\n",
     "f:4203: found 'x' in column 2, expected a number; --na 'x' takes it for a missing value, --drop 2 leaves "
     "the column out",
     1,
     {0},
     NULL},
    {number_row, "1,inf,3,4,0\n", "f:4201: found 'inf' in column 2, expected a finite number", 0, {0}, NULL},
    {number_row,
     "1,1e39,3,4,0\n",
     "f:4201: found 1e39 in column 2, expected a number below 3.4e38 in size",
     0,
     {0},
     NULL},
    {number_row, "1,2,3,4,0\n1,2,3,@,0\n", "f:4202: found a NUL byte, expected text", SIZE_MAX, {0}, NULL},
    {number_row,
     "1,2,3,4,a\001b\n1,,3,4,0\n",
     "f:4201: found the label 'a?b' with a control character, expected text",
     0,
     {0},
     NULL},
    {number_row,
     "-1,2,3,4,0\n",
     "f:4201: found the weight -1, expected a finite number that is not negative",
     0,
     {.weight_column = "1"},
     NULL},
    {number_row,
     "1,2,3,4,\"x\n1,2,3,4,0\n\n",
     "f:4201: found a quote in column 5 that is never closed, expected its end within 1024 KiB",
     0,
     {0},
     NULL},
    {number_row,
     "1,\"2\n\n3\",3,4,0\n",
     "f:4201: found '2??3' in column 2, expected a number; correct it, or --drop 2 leaves the column out",
     0,
     {0},
     NULL},
    /* behind a header of two lines */
    {number_row,
     "1,2,3,4,0\n1,2,3,x,0\n",
     "f:4204: found 'x' in column 4 ('d'), expected a number; --na 'x' takes it for a missing value",
     1,
     {.expects = true, .columns = 4, .label_column = "last"},
     "\"a\nb\",b,c,d,label\n"},
    /* missing cells are counted to the end, whatever is wrong with other rows, unless one is no
     * row */
    {number_row,
     "1,,3,4,0\n1,2,3,4,0\n1,2,3,4,a\001b\n1,1e39,3,4,0\n?,?,3,4,1\n1,2,3,4,0\n",
     "f:4201: found a missing value in column 2, expected a number; the file has 3 missing values in 2 rows, which "
     "--missing mean would fill",
     0,
     {0},
     NULL},
    {number_row, "1,,3,4,0\n1,2,3,4,a\001b\n1,2\n", "f:4203: found 2 cells, expected 5", 0, {0}, NULL},
    /* LIBSVM */
    {pair_row, "1 2:1 2:1\n0 x\n", "f:4201: found '2:1', expected each index once", 0, {0}, NULL},
    {pair_row, "2 1:1\n\n1 2:x\n", "f:4203: found '2:x', expected a number after the colon", 1, {0}, NULL},
    {pair_row, "1 0:5\n1 x\n", "f:4201: found '0:5', expected indices from 1, as in the rows before", 0, {0}, NULL},
    {pair_row, "1 0:1e39\n", "f:4201: found '0:1e39', expected indices from 1, as in the rows before", 0, {0}, NULL},
    {pair_row, "1 0:x\n", "f:4201: found '0:x', expected a number after the colon", 0, {0}, NULL},
    {pair_row,
     "2:1\n",
     "f:4201: found '2:1', expected a label first (rows without labels need --label-column none)",
     0,
     {0},
     NULL},
    {pair_row, "1 2:@\n", "f:4201: found a NUL byte, expected text", 0, {0}, NULL},
    {unlabelled_row,
     "1 1:2\n",
     "f:4201: found '1', expected index:value, since the rows before have no labels",
     0,
     {.label_column = "none"},
     NULL},
};

/* How many rows come one by one before the error; SIZE_MAX where it comes with the first look at
 * the file. */
static size_t rows_before_error(const char *text, size_t size, reader_options options, setup how) {
    byte_source *input;
    reader *opened;
    table *row;
    size_t rows = 0;
    options.threads = how.threads;
    options.block_size = how.block_size;
    assert_int_equal(byte_source_from_memory(&input, text, size, "f", NULL), CNM_OK);
    if (reader_from_source(&opened, input, &options, NULL, NULL) != CNM_OK) {
        return SIZE_MAX;
    }
    while (reader_next(opened, 1, &row, NULL) == CNM_OK) {
        assert_non_null(row);
        assert_int_equal(row->rows, 1);
        table_destroy(row);
        rows++;
    }
    reader_close(opened);
    return rows;
}

static void errors_do_not_depend_on_blocks_or_threads(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof BAD_ENDS / sizeof *BAD_ENDS; i++) {
        const bad_end *bad = &BAD_ENDS[i];
        size_t size;
        char *text = make_text(bad->top != NULL ? bad->top : "", bad->write, ROWS, bad->tail, &size);
        const outcome read = read_in_every_block_size(text, size, &bad->options);
        assert_string_equal(read.err.message, bad->message);
        const size_t good = bad->good == SIZE_MAX ? SIZE_MAX : ROWS + bad->good;
        assert_int_equal(rows_before_error(text, size, bad->options, REFERENCE), good);
        assert_int_equal(rows_before_error(text, size, bad->options, (setup){2, 100, 1}), good);
        assert_int_equal(rows_before_error(text, size, bad->options, (setup){1, 1, 1}), good);
        free(text);
    }
}

/* All lines before the damage come out, however much is read at once. */
static void damaged_gzip_is_the_same_for_all_blocks(void **state) {
    enum { MANY = 30000 }; /* more than the first look takes in */
    static const setup BATCHES_OF_ONE[] = {{1, 1, 1}, {1, 3000, 1}, {2, 100, 1}, {7, 0, 1}};
    static const reader_options OPTIONS = {.format = "csv", .expects = true, .columns = 4, .label_column = "last"};
    size_t size, stored_size;
    (void)state;
    char *text = make_text("", number_row, MANY, "", &size);
    unsigned char *stored = gzip_bytes(text, size, &stored_size);
    for (int kind = 0; kind < 2; kind++) {
        const size_t cut = kind == 0 ? stored_size / 4 * 3 : stored_size;
        stored[stored_size - 6] ^= (unsigned char)kind; /* the check sum */
        const size_t rows = rows_before_error((const char *)stored, cut, OPTIONS, REFERENCE);
        assert_true(kind == 0 ? rows > MANY / 2 && rows < MANY : rows == MANY);
        for (size_t i = 0; i < sizeof BATCHES_OF_ONE / sizeof *BATCHES_OF_ONE; i++) {
            assert_int_equal(rows_before_error((const char *)stored, cut, OPTIONS, BATCHES_OF_ONE[i]), rows);
        }
    }
    free(text);
    free(stored);
}

/* Reads `rows` rows of `length` bytes, a few at a time: the reader is never further ahead than
 * `most` bytes, apart from the `first` that it looked at before. */
static void assert_little_ahead(const char *text, size_t rows, size_t length, const reader_options *options,
                                size_t first, size_t most) {
    byte_source *input;
    reader *opened;
    table *batch;
    size_t taken = 0, done, total;
    assert_int_equal(byte_source_from_memory(&input, text, rows * length, "f", NULL), CNM_OK);
    assert_int_equal(reader_from_source(&opened, input, options, NULL, NULL), CNM_OK);
    while (reader_next(opened, 1000 / length + 1, &batch, NULL) == CNM_OK && batch != NULL) {
        taken += batch->rows * length;
        table_destroy(batch);
        assert_true(byte_source_progress(input, &done, &total));
        assert_true(done <= (taken < first ? first : taken) + most);
    }
    assert_int_equal(taken, rows * length);
    reader_close(opened);
}

static void little_is_read_ahead(void **state) {
    enum { COUNT = 400000, BLOCK = 4096, WIDE_COUNT = 30, WIDE = 1000000 };
    static const size_t THREADS[] = {1, 2, 7};
    (void)state;
    char *text = malloc((size_t)COUNT * 10), *wide = malloc((size_t)WIDE_COUNT * WIDE);
    assert_true(text != NULL && wide != NULL);
    for (size_t row = 0; row < COUNT; row++) {
        memcpy(text + 10 * row, "1,2,3,4,0\n", 10);
    }
    memset(wide, ' ', (size_t)WIDE_COUNT * WIDE);
    for (size_t row = 0; row < WIDE_COUNT; row++) {
        memcpy(wide + row * WIDE, "1,2,3,4,0", 9);
        wide[(row + 1) * WIDE - 1] = '\n';
    }
    for (size_t i = 0; i < sizeof THREADS / sizeof *THREADS; i++) {
        reader_options options = {.threads = THREADS[i], .expects = true, .columns = 4, .label_column = "last"};
        /* not one for each thread */
        assert_little_ahead(wide, WIDE_COUNT, WIDE, &options, 4 * WIDE, 9 * WIDE);
        options.block_size = BLOCK;
        assert_little_ahead(text, COUNT, 10, &options, 1 << 20, (pipeline_items(THREADS[i]) + 1) * BLOCK);
    }
    free(text);
    free(wide);
}

/* A reader that is closed in the middle leaves nothing behind and stops its threads: the sanitizers
 * look. */
static void readers_may_be_closed_at_any_time(void **state) {
    (void)state;
    size_t size;
    char *text = make_text("", sparse_row, ROWS, "", &size);
    for (size_t batches = 0; batches < 40; batches++) {
        const reader_options options = {.threads = 3, .block_size = 500};
        byte_source *input;
        reader *opened;
        assert_int_equal(byte_source_from_memory(&input, text, size, "f", NULL), CNM_OK);
        assert_int_equal(reader_from_source(&opened, input, &options, NULL, NULL), CNM_OK);
        for (size_t i = 0; i < batches; i++) {
            table *rows;
            assert_int_equal(reader_next(opened, 50 * batches, &rows, NULL), CNM_OK);
            table_destroy(rows);
        }
        reader_close(opened);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_do_not_depend_on_blocks_or_threads),
        cmocka_unit_test(errors_do_not_depend_on_blocks_or_threads),
        cmocka_unit_test(damaged_gzip_is_the_same_for_all_blocks),
        cmocka_unit_test(little_is_read_ahead),
        cmocka_unit_test(readers_may_be_closed_at_any_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
