/* The rows that trials are evaluated on: a fifth of all, from everywhere and from the end, with
 * every class's share. */
#include "support/random_rows.h"

#include "learn/dataset/split.h"

enum { FOLDS = 5, ROWS = 3000, CLASSES = 7 };

/* Classes of about a half, a quarter, an eighth ... of the rows. */
static int32_t *mixed_codes(uint64_t seed, size_t rows) {
    int32_t *codes = take(rows, sizeof *codes);
    for (size_t i = 0; i < rows; i++) {
        const int32_t code = (int32_t)floor(-log2(uniform(seed, i) + 1e-9));
        codes[i] = code < CLASSES - 1 ? code : CLASSES - 1;
    }
    return codes;
}

static int by_code(const void *a, const void *b) { return *(const int32_t *)a - *(const int32_t *)b; }

static dataset task_of(int32_t *codes, size_t rows, size_t classes) {
    return (dataset){.rows = {.rows = rows, .columns = 1}, .classes = {.count = classes}, .codes = codes};
}

static row_split split_of(const dataset *data, size_t fold) {
    cnm_error error = {0};
    row_split split;
    check_ok(split_create_spread(&split, data, fold, &error), &error);
    return split;
}

/* Checks that each row is on exactly one side, in order, and marks those held out. */
static bool *sides_of(const row_split *split, size_t rows) {
    bool *held = take(rows, sizeof *held);
    size_t t = 0, h = 0;
    assert_int_equal(split->train_count + split->held_count, rows);
    for (size_t i = 0; i < rows; i++) {
        const bool train = t < split->train_count && split->train[t] == i;
        held[i] = h < split->held_count && split->held[h] == i;
        if (train == held[i]) {
            fail_msg("row %zu is on %s", i, train ? "both sides" : "no side");
        }
        t += train;
        h += held[i];
    }
    return held;
}

static bool *held_out(const dataset *data, size_t fold) {
    row_split split = split_of(data, fold);
    bool *held = sides_of(&split, data->rows.rows);
    split_free(&split);
    return held;
}

/* Checks the share of a fifth: each of the 21 stretches may have one row more or less. */
static void check_fifth(size_t held, size_t count, const char *what) {
    if (fabs((double)held - 0.2 * (double)count) > 21.0) {
        fail_msg("%s: %zu of %zu rows are held", what, held, count);
    }
}

static void a_fifth_is_held_out_and_each_row_has_one_side(void **unused) {
    (void)unused;
    static const size_t SIZES[] = {50, 200, 999, ROWS, 100003};
    for (size_t n = 0; n < COUNT_OF(SIZES); n++) {
        int32_t *codes = mixed_codes(1, SIZES[n]);
        for (size_t fold = 0; fold < FOLDS; fold++) {
            const dataset tasks[] = {task_of(codes, SIZES[n], CLASSES), task_of(NULL, SIZES[n], 0)};
            for (size_t i = 0; i < COUNT_OF(tasks); i++) {
                row_split split = split_of(&tasks[i], fold);
                free(sides_of(&split, SIZES[n]));
                check_fifth(split.held_count, SIZES[n], i == 0 ? "classes" : "numbers");
                assert_true(split.held_count > 0);
                split_free(&split);
            }
        }
        free(codes);
    }
}

static void a_fold_is_always_the_same_and_folds_differ(void **unused) {
    (void)unused;
    int32_t *codes = mixed_codes(2, ROWS);
    const dataset task = task_of(codes, ROWS, CLASSES);
    bool *folds[FOLDS];
    for (size_t a = 0; a < FOLDS; a++) {
        bool *again = held_out(&task, a);
        folds[a] = held_out(&task, a);
        assert_memory_equal(folds[a], again, ROWS * sizeof *again);
        free(again);
        for (size_t b = 0; b < a; b++) {
            size_t differ = 0;
            for (size_t i = 0; i < ROWS; i++) {
                differ += folds[a][i] != folds[b][i];
            }
            assert_true(differ > ROWS / 5); /* at most 2/5 could differ, and 8/25 would by chance */
        }
    }
    for (size_t a = 0; a < FOLDS; a++) {
        free(folds[a]);
    }
    free(codes);
}

static void later_and_earlier_rows_are_held_out(void **unused) {
    (void)unused;
    int32_t *codes = mixed_codes(3, ROWS);
    const dataset task = task_of(codes, ROWS, CLASSES);
    bool *held = held_out(&task, 0);
    for (size_t tenth = 0; tenth < 10; tenth++) {
        size_t count = 0;
        for (size_t i = tenth * ROWS / 10; i < (tenth + 1) * ROWS / 10; i++) {
            count += held[i];
        }
        assert_true(tenth == 9 ? count == ROWS / 10 : count > 0);
    }
    free(held);
    free(codes);
}

/* Most held-out rows have held-out neighbours: blocks, not single rows. 21 stretches have 42
 * ends. */
static void adjacent_rows_stay_together(void **unused) {
    (void)unused;
    const dataset task = task_of(NULL, ROWS, 0);
    for (size_t fold = 0; fold < FOLDS; fold++) {
        bool *held = held_out(&task, fold);
        size_t changes = 0;
        for (size_t i = 1; i < ROWS; i++) {
            changes += held[i] != held[i - 1];
        }
        assert_true(changes <= 42);
        free(held);
    }
}

static void sorted_rows_keep_each_class_its_share(void **unused) {
    (void)unused;
    int32_t *codes = mixed_codes(4, ROWS);
    qsort(codes, ROWS, sizeof *codes, by_code);
    const dataset task = task_of(codes, ROWS, CLASSES);
    for (size_t fold = 0; fold < FOLDS; fold++) {
        bool *held = held_out(&task, fold);
        size_t counts[CLASSES] = {0}, taken_rows[CLASSES] = {0};
        for (size_t i = 0; i < ROWS; i++) {
            counts[codes[i]]++;
            taken_rows[codes[i]] += held[i];
        }
        for (size_t j = 0; j < CLASSES; j++) {
            assert_true(counts[j] > 30);
            check_fifth(taken_rows[j], counts[j], "a sorted class");
            assert_true(taken_rows[j] > counts[j] / 10 && taken_rows[j] < counts[j] * 3 / 10);
        }
        free(held);
    }
    free(codes);
}

/* Two classes, mixed or sorted, and one row of a third anywhere, which is never held out. */
static void a_class_of_one_row_stays_in_training(void **unused) {
    (void)unused;
    enum { FEW = 300 };
    for (size_t sorted = 0; sorted < 2; sorted++) {
        for (size_t place = 0; place < FEW; place++) {
            int32_t *codes = take(FEW, sizeof *codes);
            for (size_t i = 0; i < FEW; i++) {
                codes[i] = sorted == 1 ? i >= FEW / 2 : (int32_t)(i % 2);
            }
            codes[place] = 2;
            const dataset task = task_of(codes, FEW, 3);
            for (size_t fold = 0; fold < FOLDS; fold++) {
                bool *held = held_out(&task, fold);
                if (held[place]) {
                    fail_msg("fold %zu holds the only row of a class, row %zu of %s rows", fold, place,
                             sorted == 1 ? "sorted" : "mixed");
                }
                free(held);
            }
            free(codes);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fifth_is_held_out_and_each_row_has_one_side),
        cmocka_unit_test(a_fold_is_always_the_same_and_folds_differ),
        cmocka_unit_test(later_and_earlier_rows_are_held_out),
        cmocka_unit_test(adjacent_rows_stay_together),
        cmocka_unit_test(sorted_rows_keep_each_class_its_share),
        cmocka_unit_test(a_class_of_one_row_stays_in_training),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
