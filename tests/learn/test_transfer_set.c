/* The rows of a transfer set lie around the training rows, in four kinds that take turns. */
#include "support/made_session.h"

#include "learn/distill/transfer_set.h"

enum { ROWS = 160, HALF = ROWS / 2, COLUMNS = 3, FEATURES = 128 };

static bool lies_on_a_line(const float *x, const float *from, const float *to) {
    double along = 0.0, length = 0.0, off = 0.0;
    for (size_t j = 0; j < COLUMNS; j++) {
        along += ((double)x[j] - (double)from[j]) * ((double)to[j] - (double)from[j]);
        length += pow((double)to[j] - (double)from[j], 2.0);
    }
    for (size_t j = 0; j < COLUMNS; j++) {
        off += pow((double)x[j] - (double)from[j] - along / length * ((double)to[j] - (double)from[j]), 2.0);
    }
    return length > 0.0 && off < 1e-10;
}

static bool has_cells_of(const made_session *self, const float *x) {
    for (size_t j = 0; j < COLUMNS; j++) {
        bool found = false;
        for (size_t i = 0; i < HALF; i++) {
            found = found || x[j] == self->rows->values[2 * i * COLUMNS + j];
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

/* Of ten turns through the rows, three have the rows themselves, two have rows as far away from
 * each as its nearest neighbour is, three have points on the line to a neighbour, and two have rows
 * each of whose cells is taken from some row. */
static void transfer_rows_lie_around_training_rows(void **unused) {
    (void)unused;
    enum { TURNS = 10 };
    cnm_error error = {0};
    neighbours around;
    transfer_set set;
    made_session self;
    double moved = 0.0, apart = 0.0;
    size_t crossed = 0;
    make_solved_session(&self, &(made_shape){.rows = ROWS,
                                             .columns = COLUMNS,
                                             .features = FEATURES,
                                             .outputs = 1,
                                             .loss = "squared",
                                             .chosen = {.map_rate = 0.0, .lambda = 0.1, .batch = 80, .steps = 10000}});
    check_ok(neighbours_find(&around, &self.session, &error), &error);
    check_ok(transfer_set_create(&set, &self.session, &around, 80, &error), &error);
    assert_int_equal(set.rows, 20 * TRANSFER_BATCH);
    for (size_t i = 0; i < set.rows; i++) {
        const size_t turn = i / HALF % TURNS, own = i % HALF;
        const float *from = self.rows->values + 2 * own * COLUMNS, *row = set.values + i * COLUMNS;
        const bool same = memcmp(row, from, COLUMNS * sizeof *row) == 0;
        bool beside = false;
        for (size_t k = 0; k < NEIGHBOURS; k++) {
            const float *near = self.rows->values + 2 * around.nearest[own * NEIGHBOURS + k] * COLUMNS;
            beside = beside || lies_on_a_line(row, from, near);
        }
        assert_true(turn >= 3 || same);
        assert_true(turn < 5 || turn >= 8 || beside);
        assert_true(turn < 8 || has_cells_of(&self, row));
        crossed += turn >= 8 && !same;
        for (size_t j = 0; turn >= 3 && turn < 5 && j < COLUMNS; j++) {
            const float *other = self.rows->values + 2 * ((own + 1 + i / HALF) % HALF) * COLUMNS;
            moved += pow((double)row[j] - (double)from[j], 2.0);
            apart += pow((double)other[j] - (double)from[j], 2.0);
        }
    }
    check_near(sqrt(moved / apart), around.near, 0.1 * around.near, "how far", 0);
    assert_true(crossed > set.rows / 20);
    transfer_set_free(&set);
    neighbours_free(&around);
    free_session(&self);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transfer_rows_lie_around_training_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
