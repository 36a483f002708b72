/* Lists of layers as text: what is read, what is written back, and what is refused. */
#include "support/made_stacks.h"

#include "map/layers_text.h"

static void texts_come_back(void **state) {
    static const struct {
        const char *text, *full;
        size_t features; /* of the first layer, for 6 columns */
    } CASES[] = {{"128,64", "dense:128,dense:64", 128},
                 {"7", "dense:7", 7},
                 {"circulant-diagonal:12,dense:3", "circulant-diagonal:12,dense:3", 12},
                 {"columns:8,5,circulant:9", "columns:8,dense:5,circulant:9", 30},
                 {"1,2,3,4,5,6,7,8", "dense:1,dense:2,dense:3,dense:4,dense:5,dense:6,dense:7,dense:8", 1}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        char text[LAYERS_TEXT_SIZE];
        map *made = make_stack(CASES[i].text, 6), *copy;
        cnm_error error = {0};
        layers_write(made, text);
        assert_string_equal(text, CASES[i].full);
        assert_int_equal(map_first(made)->features, CASES[i].features);
        check_ok(map_copy(&copy, made, &error), &error);
        layers_write(copy, text);
        assert_string_equal(text, CASES[i].full);
        map_destroy(made);
        map_destroy(copy);
    }
}

static void other_texts_are_refused(void **state) {
    static const char *const CASES[] = {"",      ",",         "16,", "0",          "-3",  "8,sparse:4",
                                        "dense", "dense:",    ":4",  "identity:4", "8;4", "99999999999",
                                        "8, 4",  "dense:4:4", "1e3", "4.5"};
    layer_shape layers[MAP_LAYERS];
    size_t count;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        cnm_error error = {0};
        check_refusal(layers_read(CASES[i], layers, &count, &error), CNM_BAD_ARGUMENT, &error, "such as 128,64");
    }
    cnm_error error = {0};
    check_refusal(layers_read("1,2,3,4,5,6,7,8,9", layers, &count, &error), CNM_BAD_ARGUMENT, &error, "more than 8");
}

static void columns_are_first_and_below_another_layer(void **state) {
    static const struct {
        const char *layers, *words;
    } CASES[] = {{"columns:8", "prepares rows for another layer"},
                 {"16,columns:8", "prepares rows for another layer"},
                 {"16,columns:8,4", "stands on rows alone"},
                 {"columns:4,columns:8,4", "stands on rows alone"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        const map_spec spec = stack_spec(CASES[i].layers, 6);
        cnm_error error = {0};
        map *made = NULL;
        const cnm_status status = map_draw(&made, &spec, &error);
        check_refusal(status, status == CNM_UNSUPPORTED ? CNM_UNSUPPORTED : CNM_BAD_ARGUMENT, &error, CASES[i].words);
        assert_null(made);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_come_back),
        cmocka_unit_test(other_texts_are_refused),
        cmocka_unit_test(columns_are_first_and_below_another_layer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
