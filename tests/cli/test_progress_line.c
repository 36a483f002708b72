/* A line of progress fits its width whatever it says, and drops its parts in order; the time left
 * is unknown at first, settles at the truth, and does not jump. */
#include "progress_line.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const progress_facts FULL = {.prefix = "circulant, 512 features, fold 2 of 5",
                                    .stage = "distill-search",
                                    .fraction = 0.5,
                                    .loss = 0.037215,
                                    .validation = 0.9312,
                                    .rows_per_second = 957656,
                                    .seconds_left = 120};
static const progress_facts SHORT = {
    .prefix = "", .stage = "fit", .fraction = 0.5, .loss = 0.3721, .rows_per_second = 957656, .seconds_left = 10};

static const char *line_of(const progress_facts *at, size_t width) {
    static char text[512];
    memset(text, '?', sizeof text);
    progress_line(at, true, width, text, sizeof text);
    return text;
}

static void no_line_is_longer_than_its_width(void **state) {
    (void)state;
    const progress_facts *const all[] = {&FULL, &SHORT};
    for (size_t i = 0; i < 2; i++) {
        for (size_t width = 0; width <= 200; width++) {
            const size_t length = strlen(line_of(all[i], width));
            assert_true(length <= width);
            assert_true(width < 4 || length > 0);
        }
    }
}

static void a_buffer_is_never_left(void **state) {
    (void)state;
    char text[16];
    memset(text, '?', sizeof text);
    progress_line(&FULL, true, 1000, text, 10);
    assert_int_equal(strlen(text), 9);
    assert_int_equal(text[10], '?');
}

static void a_wide_terminal_shows_all(void **state) {
    (void)state;
    assert_string_equal(line_of(&FULL, 200),
                        "circulant, 512 features, fold 2 of 5: distill-search [############------------] 50%, "
                        "loss 0.03721, validation 0.9312, 958k rows/s, about 2 min left");
    assert_string_equal(line_of(&SHORT, 79),
                        "fit [############------------] 50%, loss 0.3721, 958k rows/s, about 10 s left");
}

static void parts_go_in_order_where_the_terminal_is_narrow(void **state) {
    (void)state;
    assert_string_equal(line_of(&SHORT, 62), "fit [####----] 50%, loss 0.3721, 958k rows/s, about 10 s left");
    assert_string_equal(line_of(&SHORT, 58), "fit [########--------] 50%, 958k rows/s, about 10 s left");
    assert_string_equal(line_of(&SHORT, 39), "fit [####----] 50%, about 10 s left");
    assert_string_equal(line_of(&SHORT, 34), "fit 50%, about 10 s left");
    assert_string_equal(line_of(&SHORT, 20), "fit 50%");
    assert_string_equal(line_of(&SHORT, 5), "fit 5");
}

static void what_is_unknown_is_left_out(void **state) {
    (void)state;
    progress_facts at = {.prefix = "", .stage = "read", .fraction = NAN, .done = 120000, .loss = NAN};
    at.validation = at.seconds_left = NAN;
    assert_string_equal(line_of(&at, 79), "read 120000");
    at.fraction = 1;
    at.seconds_left = 3;
    assert_string_equal(line_of(&at, 79), "read [########################] 100%");
}

static void times_are_rounded_as_people_say_them(void **state) {
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } CASES[] = {{1, "about 1 s left"},    {9, "about 9 s left"},       {55, "about 55 s left"},
                 {60, "about 1 min left"}, {600, "about 10 min left"},  {5340, "about 89 min left"},
                 {7200, "about 2 h left"}, {360000, "about 100 h left"}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        progress_facts at = SHORT;
        at.seconds_left = CASES[i].seconds;
        const char *line = line_of(&at, 79);
        assert_non_null(strstr(line, CASES[i].text));
    }
}

/* At a steady rate, ten samples a second: nothing in the first second, then the truth. */
static void a_steady_rate_gives_the_time_left(void **state) {
    (void)state;
    time_left self = {0};
    for (int i = 0; i <= 1000; i++) {
        const double seconds = 0.1 * i, left = time_left_add(&self, seconds / 100, 50 + seconds);
        if (i < 10) {
            assert_true(isnan(left));
        } else if (i > 10) {
            assert_true(left >= 1 && fabs(left - (100 - seconds)) <= (left >= 60 ? 31 : 6));
        }
    }
}

/* A rate that doubles and halves every three seconds: what is shown moves by one step at a time,
 * and goes up rarely. */
static void an_uneven_rate_does_not_make_it_jump(void **state) {
    (void)state;
    time_left self = {0};
    double fraction = 0, before = NAN;
    int rises = 0;
    for (int i = 0; i < 400; i++) {
        fraction += i / 30 % 2 == 0 ? 0.0015 : 0.0030;
        const double left = time_left_add(&self, fraction, 0.1 * i);
        if (i > 50) {
            assert_true(fabs(left - before) <= (left > 57 || before > 57 ? 60 : left >= 10 ? 5 : 2));
            rises += left > before;
        }
        before = left;
    }
    assert_true(rises <= 4);
}

/* A stage that ends early takes the fraction forward at once, which is no rate. */
static void a_skip_forward_is_no_rate(void **state) {
    (void)state;
    time_left self = {0};
    double left = NAN;
    for (int i = 0; i < 100; i++) {
        left = time_left_add(&self, 0.001 * i, 0.1 * i);
    }
    time_left_skip(&self);
    for (int i = 0; i < 100; i++) {
        left = time_left_add(&self, 0.5 + 0.001 * i, 10 + 0.1 * i);
    }
    assert_true(fabs(left - 40) <= 5);
}

static void nothing_is_known_without_progress(void **state) {
    (void)state;
    time_left self = {0};
    for (int i = 0; i < 100; i++) {
        assert_true(isnan(time_left_add(&self, 0, i)));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_line_is_longer_than_its_width),
        cmocka_unit_test(a_buffer_is_never_left),
        cmocka_unit_test(a_wide_terminal_shows_all),
        cmocka_unit_test(parts_go_in_order_where_the_terminal_is_narrow),
        cmocka_unit_test(what_is_unknown_is_left_out),
        cmocka_unit_test(times_are_rounded_as_people_say_them),
        cmocka_unit_test(a_steady_rate_gives_the_time_left),
        cmocka_unit_test(an_uneven_rate_does_not_make_it_jump),
        cmocka_unit_test(a_skip_forward_is_no_rate),
        cmocka_unit_test(nothing_is_known_without_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
