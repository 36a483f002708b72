/* Encoders as text: what is written is read back, to the bit; whatever else is read is refused or
 * sound. */
#include "encoder_support.h"

#include "base/core/random.h"
#include "base/core/try.h"

static size_t allocations_left = SIZE_MAX;

/* Replaces the C library's function, from which alone base/core/memory.c gets memory. */
void *aligned_alloc(size_t alignment, size_t size) {
    void *out = NULL;
    if (allocations_left == 0) {
        return NULL;
    }
    allocations_left -= allocations_left != SIZE_MAX;
    return posix_memalign(&out, alignment, size) == 0 ? out : NULL;
}

static encoder *parsed(const char *text, cnm_error *err) {
    encoder *out;
    const size_t length = strlen(text);
    char *exact = malloc(length > 0 ? length : 1); /* so that a sanitizer sees a read behind the end */
    assert_non_null(exact);
    memcpy(exact, text, length);
    const cnm_status status = encoder_from_text(&out, exact, length, err);
    free(exact);
    assert_true((status == CNM_OK) == (out != NULL));
    assert_true(status == CNM_OK || status == CNM_BAD_FORMAT);
    return out;
}

static char *written(const encoder *self) {
    char *out;
    assert_int_equal(encoder_to_text(self, &out, NULL), CNM_OK);
    return out;
}

static void assert_same(const encoder *a, const encoder *b) {
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->features, b->features);
    for (size_t j = 0; j < a->columns; j++) {
        const column_encoding *x = &a->column[j], *y = &b->column[j];
        assert_true((x->name == NULL) == (y->name == NULL));
        assert_true(x->name == NULL || strcmp(x->name, y->name) == 0);
        assert_true(x->type.kind == y->type.kind && x->use == y->use && x->other == y->other &&
                    x->indicator == y->indicator && x->feature == y->feature && x->base == y->base);
        assert_true(x->type.format.decimal == y->type.format.decimal &&
                    x->type.format.thousands == y->type.format.thousands &&
                    x->type.format.units == y->type.format.units && x->type.format.order == y->type.format.order);
        assert_int_equal(x->type.words.count, y->type.words.count);
        for (size_t i = 0; i < x->type.words.count; i++) {
            assert_string_equal(x->type.words.texts[i], y->type.words.texts[i]);
        }
    }
    for (size_t i = 0; i < a->features; i++) {
        assert_string_equal(a->names[i], b->names[i]);
    }
}

/* Rows with every kind of column, with words and names that need escapes. */
static table *rich_rows(void) {
    enum { ROWS = 60, COLUMNS = 7 };
    static const char *const NAMES[COLUMNS] = {"id", "a \"name\"\n\\", "size", "\xc3\xa4=b", "day", "gone", "remark"};
    static const char *const WORDS[] = {"\"", "\\n", "line\nbreak", "\xf0\x9f\x98\x80", "other", "missing"};
    table *rows = empty_table(ROWS, COLUMNS, NAMES);
    assert_int_equal(table_make_types(rows, NULL), CNM_OK);
    assert_int_equal(memory_zeroed(&rows->base, COLUMNS, sizeof *rows->base, "base", NULL), CNM_OK);
    rows->base[2] = 0.1 + 1e9;
    rows->types[2].format = (cell_format){.decimal = ',', .thousands = '\'', .units = true};
    rows->types[4].kind = COLUMN_TIME;
    rows->types[4].format.order = TIME_OF_DAY;
    for (size_t i = 0; i < ROWS; i++) {
        char remark[16];
        (void)snprintf(remark, sizeof remark, "r%zu", i);
        set_number(rows, i, 0, (double)i);
        set_word(rows, i, 1, i == 0 ? "rare" : i % 10 == 1 ? "" : WORDS[i % 6]);
        if (i % 4 != 0) {
            set_number(rows, i, 2, (double)(i % 7));
        }
        set_word(rows, i, 3, i % 2 == 0 ? "x" : "y");
        set_number(rows, i, 4, (double)(i % 11) / 11.0);
        set_word(rows, i, 6, remark);
    }
    return rows;
}

static encoder *rich(void) {
    table *rows = rich_rows();
    encoder *out = fitted(rows, NULL);
    table_destroy(rows);
    return out;
}

static void what_is_written_is_read_back(void **state) {
    (void)state;
    cnm_error err = {0};
    encoder *by = rich();
    assert_true(by->column[0].use == COLUMN_ROW_ID && by->column[5].use == COLUMN_EMPTY &&
                by->column[6].use == COLUMN_ALL_DIFFERENT && by->column[1].other && by->column[1].indicator);
    char *text = written(by);
    encoder *back = parsed(text, &err);
    assert_non_null(back);
    assert_same(by, back);
    char *again = written(back);
    assert_string_equal(text, again);
    memory_free(text);
    memory_free(again);
    encoder_destroy(by);
    encoder_destroy(back);
}

/* The names of features differ, also where a word is called other or missing. */
static void features_have_different_names(void **state) {
    (void)state;
    encoder *by = rich();
    for (size_t i = 0; i < by->features; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(by->names[i], by->names[j]);
        }
    }
    encoder_destroy(by);
}

static void unsound_texts_are_refused(void **state) {
    static const char *const TEXTS[] = {
        "",
        "{}",
        "[]",
        "{\"columns\": []}",
        "{\"columns\": [{}]",
        "{\"columns\": [{}]}}",
        "{\"columns\": [{}]} x",
        "{\"rows\": [{}]}",
        "{\"columns\": [{\"kind\": \"numbers\"}]}",
        "{\"columns\": [{\"kind\": 1}]}",
        "{\"columns\": [{\"use\": \"\"}]}",
        "{\"columns\": [{\"use\": \"constant\"}]}",
        "{\"columns\": [{\"name\": \"a\", \"name\": \"a\"}]}",
        "{\"columns\": [{\"colour\": \"red\"}]}",
        "{\"columns\": [{\"base\": 1}]}",
        "{\"columns\": [{\"base\": \"inf\"}]}",
        "{\"columns\": [{\"base\": \"nan\"}]}",
        "{\"columns\": [{\"base\": \"1e400\"}]}",
        "{\"columns\": [{\"base\": \"\"}]}",
        "{\"columns\": [{\"decimal\": \";\"}]}",
        "{\"columns\": [{\"decimal\": \"\"}]}",
        "{\"columns\": [{\"thousands\": \",,\"}]}",
        "{\"columns\": [{\"units\": 2}]}",
        "{\"columns\": [{\"order\": 4}]}",
        "{\"columns\": [{\"order\": -1}]}",
        "{\"columns\": [{\"indicator\": 18446744073709551616}]}",
        "{\"columns\": [{\"other\": 1}]}",
        "{\"columns\": [{\"words\": [\"a\"]}]}",
        "{\"columns\": [{\"kind\": \"words\"}]}",
        "{\"columns\": [{\"kind\": \"words\", \"words\": []}]}",
        "{\"columns\": [{\"kind\": \"words\", \"words\": [\"b\", \"a\"]}]}",
        "{\"columns\": [{\"kind\": \"words\", \"words\": [\"a\", \"a\"]}]}",
        "{\"columns\": [{\"kind\": \"words\", \"words\": [\"a\\u0000b\"]}]}",
        "{\"columns\": [{\"kind\": \"words\", \"words\": [\"\xff\"]}]}",
        "{\"columns\": [{\"kind\": \"words\", \"words\": [\"a\"], \"base\": \"1\"}]}",
        "{\"columns\": [{\"kind\": \"words\", \"words\": [\"a\"], \"units\": 1}]}",
        "{\"columns\": [{}, {\"kind\": \"words\", \"use\": \"all different\", \"words\": [\"a\"]}]}",
        "{\"columns\": [{}, {\"use\": \"empty\", \"indicator\": 1}]}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        cnm_error err = {0};
        encoder *read = parsed(TEXTS[i], &err);
        if (read != NULL) {
            fail_msg("taken: %s", TEXTS[i]);
        }
        assert_int_equal(err.status, CNM_BAD_FORMAT);
    }
    encoder *least = parsed(" { \"columns\" : [ { } ] } ", NULL);
    assert_int_equal(least->features, 1);
    assert_string_equal(least->names[0], "column_1");
    encoder_destroy(least);
}

/* A text that is cut, or has a byte changed, is refused, or it is another encoder that can be
 * written and read again. */
static void damaged_texts_are_refused_or_sound(void **state) {
    (void)state;
    encoder *by = rich();
    char *text = written(by);
    const size_t length = strlen(text);
    random_stream stream = {7, RANDOM_SHUFFLE, 0};
    size_t taken = 0;
    for (size_t i = 0; i < 4 * length; i++) {
        const char before = text[i / 4];
        text[i / 4] = i % 4 == 0 ? '\0' : (char)(1 + random_below(stream, i, 255));
        encoder *read = parsed(text, NULL);
        if (read != NULL) {
            char *again = written(read);
            encoder *same = parsed(again, NULL);
            assert_non_null(same);
            assert_same(read, same);
            memory_free(again);
            encoder_destroy(same);
            encoder_destroy(read);
            taken++;
        }
        text[i / 4] = before;
    }
    assert_true(taken < 2 * length); /* letters of names and words may change */
    memory_free(text);
    encoder_destroy(by);
}

/* Fits, writes, reads and applies an encoder, and makes one of its names. */
static cnm_status go_round(const table *rows, cnm_error *err) {
    encoder *by = NULL, *back = NULL, *named = NULL;
    table *out = NULL;
    char *text = NULL;
    cnm_status status;
    TRY_DONE(encoder_fit(&by, rows, (encoder_choice){.indicators = true}, NULL, err));
    TRY_DONE(encoder_to_text(by, &text, err));
    TRY_DONE(encoder_from_text(&back, text, strlen(text), err));
    TRY_DONE(encoder_apply(back, rows, &out, NULL, err));
    TRY_DONE(encoder_from_names(&named, back->names, NULL, back->features, err));
done:
    encoder_destroy(by);
    encoder_destroy(back);
    encoder_destroy(named);
    table_destroy(out);
    memory_free(text);
    return status;
}

static void every_allocation_failure_is_survived(void **state) {
    (void)state;
    table *rows = rich_rows();
    size_t n = 0;
    for (bool more = true; more; n++) {
        cnm_error err = {0};
        allocations_left = n;
        const cnm_status status = go_round(rows, &err);
        more = allocations_left == 0;
        allocations_left = SIZE_MAX;
        if (status != CNM_OK && (status != CNM_NO_MEMORY || strstr(err.message, "out of memory") == NULL)) {
            fail_msg("allocation %zu: status %d, \"%s\"", n, (int)status, err.message);
        }
        assert_true(more || status == CNM_OK);
    }
    assert_true(n > 100);
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(features_have_different_names),
        cmocka_unit_test(unsound_texts_are_refused),
        cmocka_unit_test(damaged_texts_are_refused_or_sound),
        cmocka_unit_test(every_allocation_failure_is_survived),
    };
    return cmocka_run_group_tests_name("encoder_text", tests, NULL, NULL);
}
