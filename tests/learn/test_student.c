/* The learning rate of a student follows from how fast its soft targets change. */
#include "support/made_session.h"

#include "learn/distill/student.h"

enum { ROWS = 160, COLUMNS = 3, FEATURES = 128 };

static double wave(const float *x, double frequency) { return sin(frequency * ((double)x[0] + (double)x[1])); }

static double rate_for(double frequency) {
    cnm_error error = {0};
    neighbours around;
    transfer_set from;
    made_session self;
    double rate = 0.0;
    make_solved_session(&self, &(made_shape){.rows = ROWS,
                                             .columns = COLUMNS,
                                             .features = FEATURES,
                                             .outputs = 1,
                                             .loss = "squared",
                                             .chosen = {.map_rate = 0.0, .lambda = 0.1, .batch = 80, .steps = 10000}});
    check_ok(neighbours_find(&around, &self.session, &error), &error);
    check_ok(transfer_set_create(&from, &self.session, &around, student_steps(&self.session), &error), &error);
    for (size_t i = 0; i < from.rows; i++) {
        from.targets[i] = (float)wave(from.values + i * COLUMNS, frequency);
    }
    transfer_set_weight(&from);
    check_ok(student_find_rate(&self.session, &from, &rate, &error), &error);
    transfer_set_free(&from);
    neighbours_free(&around);
    free_session(&self);
    return rate;
}

/* Targets that change fast from row to row need a larger learning rate of the map than others
 * do. */
static void targets_that_change_fast_raise_the_rate(void **unused) {
    (void)unused;
    const double slow = rate_for(0.5), fast = rate_for(10.0);
    if (!(slow < fast)) {
        fail_msg("rates of %g and %g", slow, fast);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets_that_change_fast_raise_the_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
