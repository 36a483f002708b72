/* Models with quantile scaling: they come back from their bytes with the same predictions, and
 * files with unsound knots are refused. */
#include "support/made_models.h"
#include "support/random_rows.h"

#include "model/file/model_file.h"

enum { COLUMNS = 3 };

static const model_kind KIND = {.name = "knots",
                                .projection = "dense",
                                .activation = "cos",
                                .columns = COLUMNS,
                                .features = 5,
                                .classes = 3,
                                .phases = true,
                                .offset = true};

/* Makes a model whose columns have 2, 1 and 3 knots. */
static cnm_model *make(void) {
    static const uint8_t COUNTS[COLUMNS] = {2, 1, 3};
    static const float AT[] = {-1.0F, 1.5F, 0.0F, -1.0F, 0.25F, 2.0F}, VALUE[] = {-2.0F, 1.0F, 0.5F, -1.0F, 0.0F, 3.0F};
    cnm_model *out = make_model(&KIND);
    cnm_error error = {0};
    check_ok(knots_create(&out->input.knots, COLUMNS, COUNTS, &error), &error);
    memcpy(out->input.knots->at, AT, sizeof AT);
    memcpy(out->input.knots->value, VALUE, sizeof VALUE);
    assert_true(knots_prepare(out->input.knots));
    return out;
}

static cnm_status reread(const cnm_model *model, cnm_model **out, cnm_error *error) {
    unsigned char *bytes;
    size_t size;
    check_ok(model_to_bytes(model, &bytes, &size, error), error);
    const cnm_status status = model_from_bytes(out, bytes, size, "a model", error);
    memory_free(bytes);
    return status;
}

static void predictions_survive_the_file(void **state) {
    cnm_model *model = make(), *again;
    cnm_error error = {0};
    float scores[2][20 * 3];
    (void)state;
    check_ok(reread(model, &again, &error), &error);
    twin_rows rows = twin_make(3, 20, COLUMNS, 1.0);
    check_ok(model_scores(model, &rows.dense, 1, scores[0], &error), &error);
    check_ok(model_scores(again, &rows.dense, 2, scores[1], &error), &error);
    check_same_floats(scores[0], scores[1], 60, "scores");
    /* and the functions do something */
    knots_destroy(again->input.knots);
    again->input.knots = NULL;
    check_ok(model_scores(again, &rows.dense, 1, scores[1], &error), &error);
    assert_true(memcmp(scores[0], scores[1], sizeof scores[0]) != 0);
    twin_free(&rows);
    model_destroy(model);
    model_destroy(again);
}

static void unsound_knots_are_refused(void **state) {
    static const struct {
        size_t knot;
        float at, value;
    } CASES[] = {{1, -1.0F, 1.0F}, {1, 1.5F, -3.0F}, {5, 0.0F, 3.0F}, {2, NAN, 0.0F}, {4, 0.25F, INFINITY}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        cnm_model *model = make(), *again = NULL;
        cnm_error error = {0};
        model->input.knots->at[CASES[i].knot] = CASES[i].at;
        model->input.knots->value[CASES[i].knot] = CASES[i].value;
        assert_int_equal(reread(model, &again, &error), CNM_BAD_FORMAT);
        assert_non_null(strstr(error.message, "knots"));
        model_destroy(model);
    }
}

static void a_column_without_knots_is_refused(void **state) {
    cnm_model *model = make(), *again = NULL;
    cnm_error error = {0};
    (void)state;
    model->input.knots->starts[2] = 2; /* columns of 2, 0 and 4 knots */
    check_refusal(reread(model, &again, &error), CNM_BAD_FORMAT, &error, "column 2 has 0 knots");
    model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictions_survive_the_file),
        cmocka_unit_test(unsound_knots_are_refused),
        cmocka_unit_test(a_column_without_knots_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
