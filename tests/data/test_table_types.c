/* Columns of words and times in tables: the words that cells stand for stay the same through every
 * function that moves rows. */
#include "data_support.h"

#include "base/core/try.h"
#include "data/table/table_types.h"

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

enum { COLUMNS = 3, MOST_ROWS = 8 }; /* a number, words, a time */

/* Makes a table whose words are the given ones ("?" is missing), a character each, numbered in
 * order of first appearance; number and time of row i are first + i. */
static cnm_status make(table **out, const char *words, double first, cnm_error *err) {
    cnm_status status;
    TRY(table_create(out, err));
    table *self = *out;
    self->columns = COLUMNS;
    self->labelled = true;
    TRY_DONE(table_make_types(self, err));
    self->types[1].kind = COLUMN_WORDS;
    self->types[2].kind = COLUMN_TIME;
    TRY_DONE(memory_grow(&self->values, &self->cell_capacity, MOST_ROWS * COLUMNS, sizeof(float), "rows", err));
    for (; words[self->rows] != '\0'; self->rows++) {
        int32_t code = 0;
        const char *word = &words[self->rows];
        TRY_DONE(labels_add_number(&self->labels, first + (double)self->rows, err));
        if (*word != '?') {
            TRY_DONE(dictionary_add(&self->types[1].words, word, 1, &code, err));
        }
        float *cells = self->values + self->rows * COLUMNS;
        cells[0] = cells[2] = (float)(first + (double)self->rows);
        cells[1] = *word == '?' ? NAN : (float)code;
        self->missing += *word == '?';
    }
    return CNM_OK;
done:
    table_destroy(*out);
    *out = NULL;
    return status;
}

static table *made(const char *words, double first) {
    table *out;
    assert_int_equal(make(&out, words, first, NULL), CNM_OK);
    return out;
}

/* Asserts the words of all rows, the dictionary in order of first appearance, and the numbers. */
static void assert_words(const table *self, const char *words, const char *dictionary_words, const char *numbers) {
    assert_int_equal(self->rows, strlen(words));
    const dictionary *own = &self->types[1].words;
    assert_int_equal(own->count, strlen(dictionary_words));
    for (size_t i = 0; i < own->count; i++) {
        assert_int_equal(own->texts[i][0], dictionary_words[i]);
    }
    for (size_t i = 0; i < self->rows; i++) {
        const float *cells = self->values + i * (self->stride != 0 ? self->stride : self->columns);
        assert_int_equal(isnan(cells[1]) ? '?' : own->texts[(size_t)cells[1]][0], words[i]);
        assert_true((double)cells[0] == numbers[i] - '0');
        assert_true((double)cells[2] == numbers[i] - '0');
        assert_true(self->labels.numbers[i] == numbers[i] - '0');
    }
}

static void appended_words_keep_their_texts(void **state) {
    (void)state;
    table *first = made("ab?a", 0), *second = made("cb?d", 4), *empty;
    assert_int_equal(table_create(&empty, NULL), CNM_OK);
    assert_int_equal(table_append(empty, first, NULL), CNM_OK);
    assert_words(empty, "ab?a", "ab", "0123");
    assert_int_equal(table_append(empty, second, NULL), CNM_OK);
    assert_words(empty, "ab?acb?d", "abcd", "01234567");
    assert_int_equal(empty->missing, 2);
    assert_int_equal(empty->types[2].kind, COLUMN_TIME);
    table_destroy(first);
    table_destroy(second);
    table_destroy(empty);
}

static void some_appended_rows_bring_only_their_words(void **state) {
    (void)state;
    table *first = made("ba", 0), *second = made("cdea", 2);
    assert_int_equal(table_append_rows(first, second, 1, 3, NULL), CNM_OK);
    assert_words(first, "badea", "bade", "01345");
    table_destroy(first);
    table_destroy(second);
}

static void selected_rows_keep_their_words(void **state) {
    static const size_t ORDER[] = {3, 2, 0, 3};
    (void)state;
    table *rows = made("ab?c", 0), *out;
    assert_int_equal(table_select(&out, rows, ORDER, 4, NULL), CNM_OK);
    assert_words(out, "c?ac", "ca", "3203");
    assert_words(rows, "ab?c", "abc", "0123");
    assert_int_equal(table_keep(rows, ORDER, 4, NULL), CNM_OK);
    assert_words(rows, "c?ac", "ca", "3203");
    assert_int_equal(table_checksum(rows), table_checksum(out));
    table_destroy(rows);
    table_destroy(out);
}

/* The caller's cells are not written to, whatever is done with the rows. */
static void borrowed_rows_have_types_of_their_own(void **state) {
    static const float CELLS[] = {0, 1, 0, -1, 1, 0, 1, -1, 2, NAN, 2, -1};
    static const size_t ORDER[] = {1, 2};
    float cells[12];
    (void)state;
    memcpy(cells, CELLS, sizeof cells);
    table *rows = made("ab?", 0);
    memory_free(rows->values);
    rows->values = cells;
    rows->stride = 4;
    rows->borrowed = true;
    table *all = made("b", 3);
    assert_int_equal(table_append(all, rows, NULL), CNM_OK);
    assert_words(all, "bba?", "ba", "3012");
    assert_int_equal(table_keep(rows, ORDER, 2, NULL), CNM_OK);
    assert_words(rows, "a?", "a", "12");
    assert_false(rows->borrowed);
    assert_memory_equal(cells, CELLS, sizeof cells);
    table_destroy(rows);
    table_destroy(all);
}

static void columns_of_other_kinds_are_not_appended(void **state) {
    (void)state;
    cnm_error err = {0};
    table *words = made("ab", 0), *numbers = made("ab", 0);
    numbers->types[1].kind = COLUMN_NUMBER;
    assert_int_equal(table_append(words, numbers, &err), CNM_BAD_ARGUMENT);
    assert_int_equal(table_append(numbers, words, &err), CNM_BAD_ARGUMENT);
    types_free(numbers->types, COLUMNS);
    numbers->types = NULL;
    assert_int_equal(table_append(words, numbers, &err), CNM_BAD_ARGUMENT);
    assert_words(words, "ab", "ab", "01");
    table_destroy(words);
    table_destroy(numbers);
}

static void a_checksum_sees_words_and_kinds(void **state) {
    (void)state;
    table *rows = made("ab", 0), *other_word = made("ac", 0), *number = made("ab", 0), *same = made("ab", 0);
    number->types[2].kind = COLUMN_NUMBER;
    assert_int_equal(table_checksum(rows), table_checksum(same));
    assert_int_not_equal(table_checksum(rows), table_checksum(other_word));
    assert_int_not_equal(table_checksum(rows), table_checksum(number));
    table_destroy(rows);
    table_destroy(other_word);
    table_destroy(number);
    table_destroy(same);
}

static void means_do_not_fill_words(void **state) {
    (void)state;
    table *rows = made("a?b", 0);
    rows->values[2 * COLUMNS] = NAN;
    rows->missing++;
    assert_int_equal(table_fill_missing(rows, NULL, NULL, NULL), CNM_OK);
    assert_true(isnan(rows->values[1 * COLUMNS + 1]));
    assert_true(rows->values[2 * COLUMNS] == 0.5F);
    assert_int_equal(rows->missing, 1);
    table_destroy(rows);
}

static cnm_status use_all(void) {
    static const size_t ORDER[] = {3, 2, 0, 3};
    table *first = NULL, *second = NULL, *selected = NULL;
    cnm_status status;
    TRY_DONE(make(&first, "ab?c", 0, NULL));
    TRY_DONE(make(&second, "cdb", 4, NULL));
    TRY_DONE(table_append(first, second, NULL));
    TRY_DONE(table_append_rows(first, second, 1, 1, NULL));
    TRY_DONE(table_select(&selected, first, ORDER, 4, NULL));
    TRY_DONE(table_keep(first, ORDER, 4, NULL));
done:
    table_destroy(first);
    table_destroy(second);
    table_destroy(selected);
    return status;
}

static void every_failed_allocation_is_a_status(void **state) {
    (void)state;
    size_t count = 0;
    cnm_status status;
    do {
        allocations_left = count++;
        status = use_all();
        allocations_left = SIZE_MAX;
    } while (status == CNM_NO_MEMORY);
    assert_int_equal(status, CNM_OK);
    assert_true(count > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appended_words_keep_their_texts),
        cmocka_unit_test(some_appended_rows_bring_only_their_words),
        cmocka_unit_test(selected_rows_keep_their_words),
        cmocka_unit_test(borrowed_rows_have_types_of_their_own),
        cmocka_unit_test(columns_of_other_kinds_are_not_appended),
        cmocka_unit_test(a_checksum_sees_words_and_kinds),
        cmocka_unit_test(means_do_not_fill_words),
        cmocka_unit_test(every_failed_allocation_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
