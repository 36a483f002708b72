/* The texts that name rows: verbatim, and with their rows through every function that moves
 * rows. */
#include "data_support.h"

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

enum { IDS = 6 };
/* Texts that a column of labels would change, or refuse. */
static const char *const TEXTS[IDS] = {"007", "", "7.0", "a\"b,c", "1e400", "007"};

/* Makes a row for each of `count` ids, whose only cell is the number of the id. */
static cnm_status make(table **out, size_t first, size_t count, cnm_error *err) {
    cnm_status status;
    TRY(table_create(out, err));
    (*out)->columns = 1;
    (*out)->identified = true;
    TRY_DONE(memory_grow(&(*out)->values, &(*out)->cell_capacity, IDS, sizeof(float), "rows", err));
    for (size_t i = first; i < first + count; i++) {
        TRY_DONE(texts_add(&(*out)->ids, TEXTS[i], strlen(TEXTS[i]), err));
        (*out)->values[(*out)->rows++] = (float)i;
    }
    return CNM_OK;
done:
    table_destroy(*out);
    *out = NULL;
    return status;
}

/* Asserts that each row has the id that its cell tells. */
static void assert_ids(const table *self, size_t rows) {
    assert_int_equal(self->rows, rows);
    assert_int_equal(self->ids.rows, rows);
    for (size_t i = 0; i < rows; i++) {
        size_t length;
        const char *text = texts_at(&self->ids, i, &length), *wanted = TEXTS[(size_t)self->values[i]];
        assert_int_equal(length, strlen(wanted));
        assert_memory_equal(text, wanted, length);
    }
}

/* Appends, selects and keeps rows; checks the ids where `check`. */
static cnm_status move_rows(bool check) {
    static const size_t SOME[] = {5, 0, 3, 3}, FEW[] = {2, 0};
    table *first = NULL, *second = NULL, *all = NULL, *some = NULL;
    cnm_status status;
    TRY_DONE(make(&first, 0, 2, NULL));
    TRY_DONE(make(&second, 2, 4, NULL));
    TRY_DONE(table_create(&all, NULL));
    TRY_DONE(table_append(all, first, NULL));
    TRY_DONE(table_append_rows(all, second, 0, 1, NULL));
    TRY_DONE(table_append_rows(all, second, 1, 3, NULL));
    TRY_DONE(table_select(&some, all, SOME, 4, NULL));
    if (check) {
        assert_ids(all, IDS);
        assert_ids(some, 4);
    }
    TRY_DONE(table_keep(some, FEW, 2, NULL));
    if (check) {
        assert_ids(some, 2);
    }
done:
    table_destroy(first);
    table_destroy(second);
    table_destroy(all);
    table_destroy(some);
    return status;
}

static void ids_stay_with_their_rows(void **state) {
    (void)state;
    assert_int_equal(move_rows(true), CNM_OK);
}

static void rows_with_and_without_ids_do_not_mix(void **state) {
    (void)state;
    table *with, *without;
    assert_int_equal(make(&with, 0, 2, NULL), CNM_OK);
    assert_int_equal(make(&without, 0, 2, NULL), CNM_OK);
    without->identified = false;
    assert_int_equal(table_append(with, without, NULL), CNM_BAD_ARGUMENT);
    assert_ids(with, 2);
    table_destroy(with);
    table_destroy(without);
}

static void every_failed_allocation_is_a_status(void **state) {
    (void)state;
    cnm_status status = CNM_NO_MEMORY;
    size_t count = 0;
    for (; status != CNM_OK; count++) {
        allocations_left = count;
        status = move_rows(false);
        allocations_left = SIZE_MAX;
        assert_true(status == CNM_OK || status == CNM_NO_MEMORY);
    }
    assert_true(count > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ids_stay_with_their_rows),
                                       cmocka_unit_test(rows_with_and_without_ids_do_not_mix),
                                       cmocka_unit_test(every_failed_allocation_is_a_status)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
