/* Copies of held-out rows do not train; rows that coincide because columns have few values do. */
#include "support/checks.h"

#include "learn/dataset/deduplicate.h"
#include "learn/dataset/split.h"

enum { ROWS = 200, COLUMNS = 3 };

/* Rows from copies_from on are copies of the first; classes alternate. */
typedef struct copied {
    float values[ROWS * COLUMNS];
    int32_t codes[ROWS];
    dataset task;
    row_split split;
} copied;

static void make(copied *out, size_t copies_from, size_t distinct) {
    for (size_t i = 0; i < ROWS; i++) {
        const size_t source = i >= copies_from ? i - copies_from : i;
        for (size_t j = 0; j < COLUMNS; j++) {
            out->values[i * COLUMNS + j] = (float)(source % distinct * COLUMNS + j);
        }
        out->codes[i] = (int32_t)(source % 2);
    }
    out->task = (dataset){.rows = {.rows = ROWS, .columns = COLUMNS, .values = out->values, .stride = COLUMNS},
                          .codes = out->codes,
                          .classes = {.count = 2}};
    assert_int_equal(split_create_spread(&out->split, &out->task, 0, NULL), CNM_OK);
    assert_true(out->split.held_count > ROWS / 10);
}

static bool is_held_out(const copied *self, size_t row) {
    for (size_t i = 0; i < self->split.held_count; i++) {
        if (memcmp(self->values + row * COLUMNS, self->values + self->split.held[i] * COLUMNS,
                   COLUMNS * sizeof(float)) == 0) {
            return true;
        }
    }
    return false;
}

static void a_copy_of_a_held_out_row_does_not_train(void **unused) {
    (void)unused;
    static copied self;
    make(&self, ROWS / 2, ROWS);
    const size_t before = self.split.train_count, held = self.split.held_count;
    size_t expected = 0, last = 0;
    for (size_t i = 0; i < before; i++) {
        expected += !is_held_out(&self, self.split.train[i]);
    }
    assert_true(expected < before);
    assert_int_equal(split_deduplicate(&self.split, &self.task, NULL), CNM_OK);
    assert_int_equal(self.split.train_count, expected);
    assert_int_equal(self.split.held_count, held);
    for (size_t i = 0; i < self.split.train_count; i++) {
        assert_false(is_held_out(&self, self.split.train[i]));
        assert_true(i == 0 || self.split.train[i] > last);
        last = self.split.train[i];
    }
    split_free(&self.split);
}

static void rows_without_copies_stay(void **unused) {
    (void)unused;
    static copied self;
    make(&self, ROWS, ROWS);
    const size_t before = self.split.train_count;
    assert_int_equal(split_deduplicate(&self.split, &self.task, NULL), CNM_OK);
    assert_int_equal(self.split.train_count, before);
    split_free(&self.split);
}

static void few_different_rows_are_no_copies(void **unused) {
    (void)unused;
    static copied self;
    make(&self, ROWS, 8);
    const size_t before = self.split.train_count;
    assert_int_equal(split_deduplicate(&self.split, &self.task, NULL), CNM_OK);
    assert_int_equal(self.split.train_count, before);
    split_free(&self.split);
}

/* All training rows of the second class are copies of held-out ones: without them there would be
 * none. */
static void a_class_keeps_its_rows(void **unused) {
    (void)unused;
    static copied self;
    make(&self, ROWS, ROWS);
    const size_t before = self.split.train_count, held = self.split.held[0];
    for (size_t i = 0; i < ROWS; i++) {
        self.codes[i] = 0;
    }
    self.codes[self.split.train[0]] = 1;
    memcpy(self.values + self.split.train[0] * COLUMNS, self.values + held * COLUMNS, COLUMNS * sizeof(float));
    assert_int_equal(split_deduplicate(&self.split, &self.task, NULL), CNM_OK);
    assert_int_equal(self.split.train_count, before);
    split_free(&self.split);
}

/* Sparse rows with the same values in other columns differ. */
static void sparse_rows_are_compared_by_column_and_value(void **unused) {
    (void)unused;
    static float values[ROWS];
    static uint32_t index[ROWS];
    static size_t starts[ROWS + 1];
    static copied self;
    make(&self, ROWS, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        values[i] = 1.0F;
        index[i] = (uint32_t)i;
        starts[i + 1] = i + 1;
    }
    const size_t before = self.split.train_count;
    index[self.split.train[3]] = (uint32_t)self.split.held[1];
    self.task.rows = (rows_view){.rows = ROWS, .columns = ROWS, .values = values, .starts = starts, .index = index};
    assert_int_equal(split_deduplicate(&self.split, &self.task, NULL), CNM_OK);
    assert_int_equal(self.split.train_count, before - 1);
    split_free(&self.split);
}

/* The first of each copy stays in a list, in order. */
static void a_list_loses_its_copies(void **unused) {
    (void)unused;
    static copied self;
    size_t positions[ROWS], left[ROWS], kept;
    for (size_t distinct = 1; distinct <= ROWS; distinct += 66) {
        make(&self, ROWS, distinct);
        for (size_t i = 0; i < ROWS; i++) {
            positions[i] = ROWS - 1 - i;
        }
        assert_int_equal(positions_deduplicate(&self.task, positions, ROWS, false, left, &kept, NULL), CNM_OK);
        assert_int_equal(kept, distinct);
        assert_memory_equal(left, positions, kept * sizeof *left);
        split_free(&self.split);
    }
}

/* Of equal rows only those with the same target are copies. */
static void rows_with_another_target_are_no_copies(void **unused) {
    (void)unused;
    static copied self;
    static float targets[ROWS];
    size_t positions[ROWS], left[ROWS], kept;
    make(&self, ROWS, 2);
    for (size_t i = 0; i < ROWS; i++) {
        positions[i] = i;
        targets[i] = (float)(i / 2 % 2);
    }
    self.task.targets = targets;
    assert_int_equal(positions_deduplicate(&self.task, positions, ROWS, true, left, &kept, NULL), CNM_OK);
    assert_int_equal(kept, 4);
    assert_memory_equal(left, positions, kept * sizeof *left);
    assert_int_equal(positions_deduplicate(&self.task, positions, ROWS, false, left, &kept, NULL), CNM_OK);
    assert_int_equal(kept, 2);
    split_free(&self.split);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_of_a_held_out_row_does_not_train),
        cmocka_unit_test(rows_without_copies_stay),
        cmocka_unit_test(few_different_rows_are_no_copies),
        cmocka_unit_test(a_class_keeps_its_rows),
        cmocka_unit_test(a_list_loses_its_copies),
        cmocka_unit_test(rows_with_another_target_are_no_copies),
        cmocka_unit_test(sparse_rows_are_compared_by_column_and_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
