/* Options by name: what is set arrives in the settings, and what fails changes nothing. */
#include "api/option_support.h"

static size_t allocations_left = SIZE_MAX;

/* Stands before the C library's: base/core/memory.c asks for memory here only. */
void *aligned_alloc(size_t alignment, size_t size) {
    void *out = NULL;
    if (allocations_left == 0) {
        return NULL;
    }
    allocations_left -= allocations_left != SIZE_MAX;
    return posix_memalign(&out, alignment, size) == 0 ? out : NULL;
}

static void set_values_arrive_in_the_settings(void **state) {
    (void)state;
    static const char *const PAIRS[][2] = {
        {"method", "linear"},
        {"features", "512"},
        {"projection", "circulant"},
        {"init", "orthogonal"},
        {"phase", "none"},
        {"kernel", "cauchy"},
        {"gamma", "0.25"},
        {"activation", "relu"},
        {"task", "map"},
        {"dtype", "f16"},
        {"recipe", "alternating"},
        {"iterations", "11"},
        {"head-steps", "12"},
        {"map-steps", "13"},
        {"loss", "hinge"},
        {"lambda", "1e-4"},
        {"theta-penalty", "l1:0.125"},
        {"epochs", "7"},
        {"batch", "500"},
        {"teacher", "large.cnm"},
        {"skip", "search,prune"},
        {"prune", "0.5"},
        {"validation", "0.25"},
        {"patience", "3"},
        {"class-weight", "balanced"},
        {"scale", "asinh"},
        {"missing", "mean"},
        {"format", "idx"},
        {"labels", "y.idx"},
        {"label-column", "3"},
        {"weight-column", "w"},
        {"group-column", "patient"},
        {"positive", "a,b"},
        {"shuffle", "9"},
        {"rows", "11:20"},
        {"header", "no"},
        {"separator", "tab"},
        {"drop", "id,name"},
        {"columns", "3,4"},
        {"na", "unknown"},
        {"decimal", "comma"},
        {"threads", "7"},
        {"seed", "18446744073709551615"},
    };
    cnm_options *options = fresh();
    for (size_t i = 0; i < sizeof PAIRS / sizeof PAIRS[0]; i++) {
        cnm_error error;
        if (cnm_options_set(options, PAIRS[i][0], PAIRS[i][1], &error) != CNM_OK) {
            fail_msg("%s", error.message);
        }
        assert_string_equal(value_of(options, PAIRS[i][0]), PAIRS[i][1]);
    }
    cnm_options *copy;
    assert_int_equal(cnm_options_copy(&copy, options, NULL), CNM_OK);
    cnm_options_destroy(options);
    const settings *s = options_settings(copy);
    assert_int_equal(s->method, METHOD_LINEAR);
    assert_int_equal(s->features, 512);
    assert_int_equal(s->projection, 1);
    assert_int_equal(s->init, 2);
    assert_int_equal(s->phase, 1);
    assert_int_equal(s->kernel, 2);
    assert_int_equal(s->gamma, GAMMA_NUMBER);
    assert_true(s->gamma_number == 0.25);
    assert_int_equal(s->activation, 2);
    assert_int_equal(s->task, WANT_MAP);
    assert_int_equal(s->dtype, DTYPE_F16);
    assert_int_equal(s->loss, 1);
    assert_true(s->lambda == 1e-4);
    assert_int_equal(s->epochs, 7);
    assert_int_equal(s->batch, 500);
    assert_int_equal(s->recipe, RECIPE_ALTERNATING);
    assert_int_equal(s->iterations, 11);
    assert_int_equal(s->head_steps, 12);
    assert_int_equal(s->map_steps, 13);
    assert_int_equal(s->theta_penalty, PENALTY_L1);
    assert_true(s->theta_penalty_weight == 0.125);
    assert_string_equal(s->teacher, "large.cnm");
    assert_string_equal(s->skip, "search,prune");
    assert_true(s->prune == 0.5);
    assert_true(s->validation == 0.25);
    assert_int_equal(s->patience, 3);
    assert_string_equal(s->class_weight, "balanced");
    assert_int_equal(s->scale, 5);
    assert_int_equal(s->missing, 1);
    assert_int_equal(s->format, 5);
    assert_string_equal(s->labels, "y.idx");
    assert_string_equal(s->label_column, "3");
    assert_string_equal(s->weight_column, "w");
    assert_string_equal(s->group_column, "patient");
    assert_string_equal(s->positive, "a,b");
    assert_true(s->shuffle);
    assert_int_equal(s->shuffle_seed, 9);
    assert_string_equal(s->rows, "11:20");
    assert_int_equal(s->first_row, 11);
    assert_int_equal(s->last_row, 20);
    assert_int_equal(s->header, 2);
    assert_int_equal(s->separator, '\t');
    assert_string_equal(s->drop, "id,name");
    assert_string_equal(s->only, "3,4");
    assert_string_equal(s->missing_words, "unknown");
    assert_int_equal(s->decimal, ',');
    assert_int_equal(s->threads, 7);
    assert_true(s->seed == UINT64_MAX);
    cnm_options_destroy(copy);
}

static void a_value_set_back_to_its_default_is_forgotten(void **state) {
    (void)state;
    cnm_options *options = fresh();
    static const char *const TRIPLES[][3] = {
        {"gamma", "2", "auto"},        {"shuffle", "3", "none"},   {"rows", "2:3", ""},     {"labels", "f", ""},
        {"label-column", "2", "auto"}, {"separator", ";", "auto"}, {"epochs", "2", "auto"},
    };
    for (size_t i = 0; i < sizeof TRIPLES / sizeof TRIPLES[0]; i++) {
        assert_int_equal(cnm_options_set(options, TRIPLES[i][0], TRIPLES[i][1], NULL), CNM_OK);
        assert_int_equal(cnm_options_set(options, TRIPLES[i][0], TRIPLES[i][2], NULL), CNM_OK);
    }
    assert_same_settings(options_settings(options), &OPTION_DEFAULTS);
    cnm_options_destroy(options);
}

static void null_arguments_are_refused(void **state) {
    (void)state;
    cnm_options *options = fresh();
    assert_int_equal(cnm_options_create(NULL, NULL), CNM_BAD_ARGUMENT);
    assert_int_equal(cnm_options_set(NULL, "seed", "1", NULL), CNM_BAD_ARGUMENT);
    assert_int_equal(cnm_options_set(options, NULL, "1", NULL), CNM_BAD_ARGUMENT);
    assert_int_equal(cnm_options_set(options, "seed", NULL, NULL), CNM_BAD_ARGUMENT);
    const char *value = "as it was";
    assert_int_equal(cnm_options_get(options, "seed", NULL, NULL), CNM_BAD_ARGUMENT);
    assert_int_equal(cnm_options_get(options, NULL, &value, NULL), CNM_BAD_ARGUMENT);
    assert_null(value);
    assert_string_equal(value_of(NULL, "method"), "cnm");
    cnm_options_destroy(options);
    cnm_options_destroy(NULL);
}

static void an_unknown_name_is_refused_alike_by_set_and_get(void **state) {
    (void)state;
    cnm_options *options = fresh();
    cnm_error set = {CNM_OK, ""}, get = {CNM_OK, ""};
    const char *value = "as it was";
    assert_int_equal(cnm_options_set(options, "sed", "1", &set), CNM_BAD_ARGUMENT);
    assert_int_equal(cnm_options_get(options, "sed", &value, &get), CNM_BAD_ARGUMENT);
    assert_null(value);
    assert_string_equal(get.message, "there is no option --sed; did you mean --seed?");
    assert_string_equal(set.message, get.message);
    cnm_options_destroy(options);
}

/* The n-th allocation fails, for every n: a status, outputs NULL, what was set before still in
 * force, nothing leaked. */
static void every_allocation_failure_is_survived(void **state) {
    (void)state;
    cnm_status status = CNM_NO_MEMORY;
    for (size_t n = 0; status != CNM_OK; n++) {
        cnm_options *options = NULL, *copy = NULL;
        allocations_left = n;
        status = cnm_options_create(&options, NULL);
        if (status == CNM_OK) {
            status = cnm_options_set(options, "labels", "one", NULL);
            if (status == CNM_OK) {
                status = cnm_options_set(options, "labels", "two", NULL);
                assert_string_equal(options_settings(options)->labels, status == CNM_OK ? "two" : "one");
                assert_string_equal(value_of(options, "labels"), status == CNM_OK ? "two" : "one");
            }
        }
        if (status == CNM_OK) {
            status = cnm_options_copy(&copy, options, NULL);
            assert_true((copy != NULL) == (status == CNM_OK));
        }
        assert_true(status == CNM_OK || status == CNM_NO_MEMORY);
        allocations_left = SIZE_MAX;
        cnm_options_destroy(options);
        cnm_options_destroy(copy);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_values_arrive_in_the_settings),
        cmocka_unit_test(a_value_set_back_to_its_default_is_forgotten),
        cmocka_unit_test(null_arguments_are_refused),
        cmocka_unit_test(an_unknown_name_is_refused_alike_by_set_and_get),
        cmocka_unit_test(every_allocation_failure_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
