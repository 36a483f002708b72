/* Random rows to hold out: each class its share, from everywhere; groups whole. */
#include "support/random_rows.h"

#include "learn/dataset/split.h"

enum { ROWS = 1000, CLASSES = 4 };

/* Classes of 500, 300, 199 rows and 1, sorted. */
static int32_t *sorted_codes(void) {
    static const size_t ENDS[CLASSES] = {500, 800, 999, 1000};
    int32_t *codes = take(ROWS, sizeof *codes);
    for (size_t i = 0, code = 0; i < ROWS; i++) {
        code += i == ENDS[code];
        codes[i] = (int32_t)code;
    }
    return codes;
}

static dataset rows_of(int32_t *codes, const uint64_t *groups) {
    return (dataset){.rows = {.rows = ROWS, .columns = 1},
                     .classes = {.count = codes == NULL ? 0 : CLASSES},
                     .codes = codes,
                     .groups = groups};
}

/* Marks held rows; checks that each row is on one side. */
static bool *held_rows(const dataset *data, double fraction, uint64_t seed) {
    cnm_error error = {0};
    row_split split;
    bool *held = take(ROWS, sizeof *held), *trains = take(ROWS, sizeof *trains);
    check_ok(split_create_random(&split, data, fraction, seed, &error), &error);
    assert_int_equal(split.train_count + split.held_count, ROWS);
    for (size_t i = 0; i < split.held_count; i++) {
        assert_true(i == 0 || split.held[i] > split.held[i - 1]);
        held[split.held[i]] = true;
    }
    for (size_t i = 0; i < split.train_count; i++) {
        assert_true(i == 0 || split.train[i] > split.train[i - 1]);
        trains[split.train[i]] = true;
    }
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(held[i] != trains[i]);
    }
    free(trains);
    split_free(&split);
    return held;
}

static size_t count_between(const bool *held, size_t from, size_t to) {
    size_t count = 0;
    for (size_t i = from; i < to; i++) {
        count += held[i];
    }
    return count;
}

static void each_class_gives_its_share_and_keeps_a_row(void **unused) {
    (void)unused;
    int32_t *codes = sorted_codes();
    const dataset data = rows_of(codes, NULL);
    bool *held = held_rows(&data, 0.2, 1), *most = held_rows(&data, 0.9999, 1);
    assert_int_equal(count_between(held, 0, 500), 100);
    assert_int_equal(count_between(held, 500, 800), 60);
    assert_int_equal(count_between(held, 800, 999), 40);
    assert_int_equal(count_between(held, 999, 1000), 0);
    assert_int_equal(count_between(most, 0, 1000), 996);
    free(held);
    free(most);
    free(codes);
}

/* Of 100 held rows of 500, 50 +- 5 are in the first half, and two seeds share 20 +- 4. */
static void rows_come_from_everywhere_and_follow_the_seed(void **unused) {
    (void)unused;
    int32_t *codes = sorted_codes();
    const dataset data = rows_of(codes, NULL), numbers = rows_of(NULL, NULL);
    bool *held = held_rows(&data, 0.2, 1), *same = held_rows(&data, 0.2, 1), *other = held_rows(&data, 0.2, 2);
    size_t shared = 0;
    assert_in_range(count_between(held, 0, 250), 35, 65);
    assert_memory_equal(held, same, ROWS * sizeof *held);
    for (size_t i = 0; i < 500; i++) {
        shared += held[i] && other[i];
    }
    assert_in_range(shared, 8, 32);
    free(same);
    same = held_rows(&numbers, 0.25, 1);
    assert_int_equal(count_between(same, 0, ROWS), 250);
    free(held);
    free(same);
    free(other);
    free(codes);
}

/* Groups of 1 to 10 rows, scattered over the file; one has all rows of its class. */
static void groups_are_held_whole_in_a_random_order(void **unused) {
    (void)unused;
    int32_t *codes = sorted_codes();
    uint64_t groups[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        groups[i] = (uint64_t)(170.0 * uniform(3, i));
    }
    const dataset data = rows_of(codes, groups);
    bool *held = held_rows(&data, 0.2, 1), *other = held_rows(&data, 0.2, 2);
    size_t differ = 0;
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_true(groups[i] != groups[j] || held[i] == held[j]);
        }
        differ += held[i] != other[i];
    }
    assert_in_range(count_between(held, 0, ROWS), 170, 230);
    assert_in_range(count_between(held, 0, 500), 85, 115);
    assert_false(held[ROWS - 1]); /* the only row of its class */
    assert_true(differ > 200);
    free(held);
    free(other);
    free(codes);
}

static void nothing_to_hold_is_refused(void **unused) {
    (void)unused;
    cnm_error error = {0};
    row_split split;
    int32_t codes[] = {0, 0, 1, 1};
    uint64_t groups[] = {5, 5, 5, 5};
    dataset data = {.rows = {.rows = 4, .columns = 1}, .classes = {.count = 2}, .codes = codes};
    check_refusal(split_create_random(&split, &data, 0.2, 1, &error), CNM_BAD_DATA, &error,
                  "4 rows are too few to hold some out");
    data.groups = groups;
    check_refusal(split_create_random(&split, &data, 0.2, 1, &error), CNM_BAD_DATA, &error,
                  "no group of rows can be held out");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_class_gives_its_share_and_keeps_a_row),
        cmocka_unit_test(rows_come_from_everywhere_and_follow_the_seed),
        cmocka_unit_test(groups_are_held_whole_in_a_random_order),
        cmocka_unit_test(nothing_to_hold_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
