/* The nearest rows are those that sorting all distances finds, nearest first; copies are no
 * neighbours; any number of threads gives the same. */
#include "support/made_session.h"

#include "learn/distill/neighbours.h"

enum { ROWS = 200, HALF = ROWS / 2, COLUMNS = 3 };

static void make_few(made_session *self) {
    make_session(self, &(made_shape){.rows = ROWS,
                                     .columns = COLUMNS,
                                     .features = 16,
                                     .outputs = 1,
                                     .loss = "squared",
                                     .chosen = {.map_rate = 1.0, .batch = 16, .steps = 100}});
}

static double square_between(const made_session *self, size_t a, size_t b) {
    double sum = 0.0;
    for (size_t j = 0; j < COLUMNS; j++) {
        const float *values = self->rows->values;
        sum += pow((double)values[2 * a * COLUMNS + j] - (double)values[2 * b * COLUMNS + j], 2.0);
    }
    return sum;
}

/* Counts the rows that are nearer to `row` than `other` is, without copies. */
static size_t nearer_than(const made_session *self, size_t row, size_t other) {
    const double bound = square_between(self, row, other);
    size_t count = 0;
    for (size_t i = 0; i < HALF; i++) {
        const double square = square_between(self, row, i);
        count += square > 0.0 && square < bound;
    }
    return count;
}

static void the_nearest_are_found(void **unused) {
    (void)unused;
    cnm_error error = {0};
    neighbours found;
    made_session self;
    double near = 0.0, apart = 0.0;
    make_few(&self);
    /* a copy */
    memcpy(self.rows->values + 2 * 7 * COLUMNS, self.rows->values, COLUMNS * sizeof(float));
    check_ok(neighbours_find(&found, &self.session, &error), &error);
    for (size_t i = 0; i < HALF; i++) {
        for (size_t k = 0; k < NEIGHBOURS; k++) {
            assert_true(nearer_than(&self, i, found.nearest[i * NEIGHBOURS + k]) <= k);
        }
        near += sqrt(square_between(&self, i, found.nearest[i * NEIGHBOURS])) / HALF;
        for (size_t j = 0; j < HALF; j++) {
            apart += square_between(&self, i, j) / (HALF * (HALF - 1.0));
        }
    }
    assert_true(found.nearest[0] != 7 && found.nearest[7 * NEIGHBOURS] != 0);
    check_near(found.near, near / sqrt(apart), 1e-3 * found.near, "near", 0);
    neighbours_free(&found);
    free_session(&self);
}

static void without_others_there_are_none(void **unused) {
    (void)unused;
    cnm_error error = {0};
    neighbours found;
    made_session self;
    make_few(&self);
    for (size_t i = 1; i < ROWS; i++) { /* all alike but one */
        memcpy(self.rows->values + i * COLUMNS, self.rows->values, COLUMNS * sizeof(float));
    }
    for (size_t apart = 0; apart < 2; apart++) {
        self.rows->values[2 * 3 * COLUMNS] += (float)apart;
        check_ok(neighbours_find(&found, &self.session, &error), &error);
        assert_int_equal(found.nearest[0], apart == 0 ? 0 : 3);
        assert_int_equal(found.nearest[1], 0);
        assert_true(found.near > 0.0 && found.near <= 1.0);
        neighbours_free(&found);
    }
    free_session(&self);
}

static void the_same_for_any_number_of_threads(void **unused) {
    (void)unused;
    cnm_error error = {0};
    neighbours first, other;
    made_session self;
    make_few(&self);
    check_ok(neighbours_find(&first, &self.session, &error), &error);
    for (size_t i = 1; i < COUNT_OF(THREADS); i++) {
        self.settings.threads = THREADS[i];
        check_ok(neighbours_find(&other, &self.session, &error), &error);
        assert_true(other.near == first.near);
        assert_memory_equal(first.nearest, other.nearest, HALF * NEIGHBOURS * sizeof *first.nearest);
        neighbours_free(&other);
    }
    neighbours_free(&first);
    free_session(&self);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_are_found),
        cmocka_unit_test(without_others_there_are_none),
        cmocka_unit_test(the_same_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
