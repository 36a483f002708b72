/* lbfgs: descends at first, reaches the minimum of a quadratic once its curvature is known, and is
 * not misled by flat steps. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/linalg/lbfgs.h"

enum { SIZE = 6 };

/* f = sum of c_i x_i^2 / 2, from 1 to 1e4. */
static const double CURVES[SIZE] = {1.0, 10.0, 50.0, 300.0, 2000.0, 10000.0};

static void slope_at(const double *x, double *slope) {
    for (size_t i = 0; i < SIZE; i++) {
        slope[i] = CURVES[i] * x[i];
    }
}

static double inner(const double *x, const double *y) {
    double sum = 0.0;
    for (size_t i = 0; i < SIZE; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* Checks exact line searches: as many steps as there are variables reach the minimum of a
 * quadratic. */
static void a_bowl_takes_as_many_steps_as_variables(void **unused) {
    (void)unused;
    lbfgs self;
    double x[SIZE], slope[SIZE], before[SIZE], direction[SIZE];
    assert_int_equal(lbfgs_create(&self, SIZE, NULL), CNM_OK);
    for (size_t i = 0; i < SIZE; i++) {
        x[i] = 1.0 + (double)i;
    }
    slope_at(x, slope);
    const double start = inner(x, slope);
    for (size_t step = 0; step < SIZE; step++) {
        lbfgs_direction(&self, slope, direction);
        const double fall = inner(direction, slope);
        assert_true(fall < 0.0);
        assert_true(step > 0 || direction[3] == -slope[3]); /* nothing is known at first */
        double curve = 0.0;
        for (size_t i = 0; i < SIZE; i++) {
            curve += CURVES[i] * direction[i] * direction[i];
        }
        for (size_t i = 0; i < SIZE; i++) {
            before[i] = slope[i];
            x[i] -= fall / curve * direction[i];
        }
        slope_at(x, slope);
        lbfgs_update(&self, direction, -fall / curve, before, slope);
    }
    assert_true(inner(x, slope) < 1e-18 * start);
    lbfgs_free(&self);
}

static void steps_without_curvature_are_not_kept(void **unused) {
    (void)unused;
    lbfgs self;
    const double direction[SIZE] = {1.0}, before[SIZE] = {3.0}, same[SIZE] = {3.0}, less[SIZE] = {2.0},
                 more[SIZE] = {4.0};
    assert_int_equal(lbfgs_create(&self, SIZE, NULL), CNM_OK);
    lbfgs_update(&self, direction, 1.0, before, same);
    lbfgs_update(&self, direction, 1.0, before, less);
    assert_int_equal(self.kept, 0);
    for (size_t i = 0; i < LBFGS_PAIRS + 3; i++) {
        lbfgs_update(&self, direction, 1.0, before, more);
    }
    assert_int_equal(self.kept, LBFGS_PAIRS);
    lbfgs_free(&self);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bowl_takes_as_many_steps_as_variables),
        cmocka_unit_test(steps_without_curvature_are_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
