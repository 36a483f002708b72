/* Values of options: every one is checked, and every complaint says what to do. */
#include "api/option_support.h"
#include "base/text/suggest.h"

static void row_ranges_may_be_open(void **state) {
    (void)state;
    cnm_options *options = fresh();
    const settings *s = options_settings(options);
    assert_int_equal(cnm_options_set(options, "rows", "5:", NULL), CNM_OK);
    assert_true(s->first_row == 5 && s->last_row == 0);
    assert_int_equal(cnm_options_set(options, "rows", ":9", NULL), CNM_OK);
    assert_true(s->first_row == 0 && s->last_row == 9);
    assert_int_equal(cnm_options_set(options, "rows", "7:7", NULL), CNM_OK);
    assert_true(s->first_row == 7 && s->last_row == 7);
    cnm_options_destroy(options);
}

typedef struct complaint {
    const char *name, *value;
    cnm_status status;
    const char *message; /* the whole sentence */
} complaint;

#ifdef CNM_TEST_ROWS
#define PROJECTIONS "dense, circulant, circulant-diagonal or test-columns"
#define LAST_LOSSES "huber, epsilon, quantile or test-absolute"
#else
#define PROJECTIONS "dense, circulant or circulant-diagonal"
#define LAST_LOSSES "huber, epsilon or quantile"
#endif

static const complaint COMPLAINTS[] = {
    {"gama", "1", CNM_BAD_ARGUMENT, "there is no option --gama; did you mean --gamma?"},
    {"proj", "dense", CNM_BAD_ARGUMENT, "there is no option --proj; did you mean --projection?"},
    {"frobnicate", "1", CNM_BAD_ARGUMENT, "there is no option --frobnicate"},
    {"projection", "circular", CNM_BAD_ARGUMENT,
     "--projection cannot be \"circular\": expected " PROJECTIONS "; did you mean circulant?"},
    {"projection", "7", CNM_BAD_ARGUMENT, "--projection cannot be \"7\": expected " PROJECTIONS},
    {"kernel", "guassian", CNM_BAD_ARGUMENT,
     "--kernel cannot be \"guassian\": expected gaussian, laplacian or cauchy; did you mean gaussian?"},
    {"kernel", "", CNM_BAD_ARGUMENT, "--kernel cannot be \"\": expected gaussian, laplacian or cauchy"},
    {"features", "0", CNM_BAD_ARGUMENT, "--features cannot be \"0\": expected a whole number: auto or 1 to 1e9"},
    {"features", "1000000001", CNM_BAD_ARGUMENT,
     "--features cannot be \"1000000001\": expected a whole number: auto or 1 to 1e9"},
    {"features", "12x", CNM_BAD_ARGUMENT, "--features cannot be \"12x\": expected a whole number: auto or 1 to 1e9"},
    {"features", "-3", CNM_BAD_ARGUMENT, "--features cannot be \"-3\": expected a whole number: auto or 1 to 1e9"},
    {"seed", "18446744073709551616", CNM_BAD_ARGUMENT,
     "--seed cannot be \"18446744073709551616\": expected a whole number: 0 to 18446744073709551615"},
    {"gamma", "0", CNM_BAD_ARGUMENT,
     "--gamma cannot be \"0\": expected auto, knn, paper or a number from 1e-20 to 1e20"},
    {"gamma", "0,5", CNM_BAD_ARGUMENT,
     "--gamma cannot be \"0,5\": expected auto, knn, paper or a number from 1e-20 to 1e20"},
    {"gamma", "nan", CNM_BAD_ARGUMENT,
     "--gamma cannot be \"nan\": expected auto, knn, paper or a number from 1e-20 to 1e20"},
    {"gamma", "inf", CNM_BAD_ARGUMENT,
     "--gamma cannot be \"inf\": expected auto, knn, paper or a number from 1e-20 to 1e20"},
    {"lambda", "0", CNM_BAD_ARGUMENT, "--lambda cannot be \"0\": expected a number: auto or 1e-12 to 1e6"},
    {"rows", "0:5", CNM_BAD_ARGUMENT,
     "--rows cannot be \"0:5\": expected rows counted from 1, the first not behind the last: A:B, A: or :B"},
    {"rows", "9:5", CNM_BAD_ARGUMENT,
     "--rows cannot be \"9:5\": expected rows counted from 1, the first not behind the last: A:B, A: or :B"},
    {"rows", "5", CNM_BAD_ARGUMENT,
     "--rows cannot be \"5\": expected rows counted from 1, the first not behind the last: A:B, A: or :B"},
    {"shuffle", "yes", CNM_BAD_ARGUMENT, "--shuffle cannot be \"yes\": expected a whole number: none or SEED"},
    {"separator", "ab", CNM_BAD_ARGUMENT,
     "--separator cannot be \"ab\": expected one of these, or the character itself: auto, comma, semicolon, tab, space "
     "or bar"},
    {"label-column", "", CNM_BAD_ARGUMENT,
     "--label-column cannot be \"\": expected auto, first, last, N, NAME or none"},
    {"method", "cmn", CNM_BAD_ARGUMENT,
     "--method cannot be \"cmn\": expected cnm, rff, kernel-approximation or linear; did you mean cnm?"},
    {"loss", "hing", CNM_BAD_ARGUMENT,
     "--loss cannot be \"hing\": expected auto, hinge, squared-hinge, logistic, softmax, crammer-singer, "
     "squared, " LAST_LOSSES "; did you mean hinge?"},
    {"recipe", "alternate", CNM_BAD_ARGUMENT,
     "--recipe cannot be \"alternate\": expected joint or alternating; did you mean alternating?"},
    {"theta-penalty", "0.5", CNM_BAD_ARGUMENT, "--theta-penalty cannot be \"0.5\": expected none, l1:V or l2:V"},
    {"validation", "20", CNM_BAD_ARGUMENT, "--validation cannot be \"20\": expected a number: 0 to 0.9"},
    {"class-weight", "", CNM_BAD_ARGUMENT,
     "--class-weight cannot be \"\": expected auto, none, balanced or LABEL:W,..."},
    {"cv", "5", CNM_UNSUPPORTED, "--cv is not in this version yet: hold rows out with --validation"},
    {"checkpoint-every", "0", CNM_BAD_ARGUMENT,
     "--checkpoint-every cannot be \"0\": expected a number: auto or 1e-3 to 1e9"},
    {"map-rate", "1.5", CNM_BAD_ARGUMENT, "--map-rate cannot be \"1.5\": expected a number: auto or 0 to 1"},
    {"hold", "1", CNM_BAD_ARGUMENT, "there is no option --hold"},
    {"resume", "maybe", CNM_BAD_ARGUMENT, "--resume cannot be \"maybe\": expected no or yes"},
};

static void every_complaint_says_what_was_given_and_what_is_right(void **state) {
    (void)state;
    cnm_options *options = fresh();
    for (size_t i = 0; i < sizeof COMPLAINTS / sizeof COMPLAINTS[0]; i++) {
        const complaint *c = &COMPLAINTS[i];
        cnm_error error = {CNM_OK, ""};
        assert_int_equal(cnm_options_set(options, c->name, c->value, &error), c->status);
        assert_int_equal(error.status, c->status);
        assert_string_equal(error.message, c->message);
        assert_int_equal(cnm_options_set(options, c->name, c->value, NULL), c->status);
    }
    assert_same_settings(options_settings(options), &OPTION_DEFAULTS); /* a refused value changes nothing */
    cnm_options_destroy(options);
}

static void penalties_carry_their_weight(void **state) {
    (void)state;
    const option_row *row = NULL;
    for (size_t i = 0; i < option_table_size(); i++) {
        if (option_table_row(i)->read == option_read_penalty) {
            row = option_table_row(i);
        }
    }
    assert_non_null(row);
    settings values = OPTION_DEFAULTS;
    char good[] = "l2:0.5", bad[] = "l3:0.5", empty[] = "l1:";
    assert_int_equal(row->read(row, good, &values, NULL), CNM_OK);
    assert_int_equal(values.theta_penalty, PENALTY_L2);
    assert_true(values.theta_penalty_weight == 0.5);
    assert_int_equal(row->read(row, bad, &values, NULL), CNM_BAD_ARGUMENT);
    assert_int_equal(row->read(row, empty, &values, NULL), CNM_BAD_ARGUMENT);
}

/* An automatic map rate is kept as a number below all others. */
static void map_rates_are_kept_as_numbers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double rate;
    } CASES[] = {{"auto", -1.0}, {"1", 1.0}, {"0", 0.0}, {"0.25", 0.25}, {"0.1", 0.1}, {"0.02", 0.02}};
    cnm_options *options = fresh();
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        assert_int_equal(cnm_options_set(options, "map-rate", CASES[i].text, NULL), CNM_OK);
        assert_true(options_settings(options)->map_rate == CASES[i].rate);
    }
    cnm_options_destroy(options);
}

static void suggestions_count_edits(void **state) {
    (void)state;
    assert_int_equal(suggest_distance("kernel", "kernel", 6), 0);
    assert_int_equal(suggest_distance("kernle", "kernel", 6), 1); /* swap */
    assert_int_equal(suggest_distance("kernl", "kernel", 6), 1);  /* insertion */
    assert_int_equal(suggest_distance("kerrnel", "kernel", 6), 1);
    assert_int_equal(suggest_distance("karnal", "kernel", 6), 2);
    assert_true(suggest_distance("x", "k", 1) == SIZE_MAX); /* nothing in common */
    assert_true(suggest_distance("seed", "kernel", 6) == SIZE_MAX);
    assert_true(suggest_distance("", "kernel", 6) == SIZE_MAX);
    char endless[4096];
    memset(endless, 'k', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_true(suggest_distance(endless, "kernel", 6) == SIZE_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(row_ranges_may_be_open),
        cmocka_unit_test(every_complaint_says_what_was_given_and_what_is_right),
        cmocka_unit_test(penalties_carry_their_weight),
        cmocka_unit_test(map_rates_are_kept_as_numbers),
        cmocka_unit_test(suggestions_count_edits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
