/* Trainings of stacks of layers: what --layers gives, what a stack of one is, files, and models
 * that are trained further. */
#include "support/trainings.h"

#include "map/layers_text.h"
#include "model/file/model_file.h"

static settings with_layers(const char *layers) {
    settings out = fit_settings(&FIT_METHODS[0], 0);
    cnm_error error = {0};
    check_ok(layers_read(layers, out.layers, &out.layer_count, &error), &error);
    return out;
}

/* Kinds of stacks; the words are what `inspect` shows. */
static const struct {
    const char *layers, *shown;
} STACKS[] = {{"16,8", "dense:16,dense:8"},
              {"circulant-diagonal:12,9", "circulant-diagonal:12,dense:9"},
              {"circulant:9,circulant:11,dense:7", "circulant:9,circulant:11,dense:7"},
              {"columns:4,12,8", "columns:4,dense:12,dense:8"}};

static void a_stack_of_one_is_the_map_of_one_layer(void **state) {
    (void)state;
    table *rows = make_rings(3, 300, 4);
    for (size_t i = 0; i < 2; i++) {
        settings plain = fit_settings(&FIT_METHODS[i], 12), stack = with_layers(i == 0 ? "12" : "circulant:12");
        cnm_model *a = train(rows, &plain), *b = train(rows, &stack);
        check_same_model(a, b, true, FIT_METHODS[i].name);
        model_destroy(a);
        model_destroy(b);
    }
    table_destroy(rows);
}

/* Rings are no line in their columns: a stack has to bend. */
static void stacks_learn_and_come_back_from_their_files(void **state) {
    (void)state;
    table *rows = make_rings(3, 400, 3);
    const rows_view view = table_view(rows);
    for (size_t i = 0; i < COUNT_OF(STACKS); i++) {
        const settings wanted = with_layers(STACKS[i].layers);
        cnm_model *model = train(rows, &wanted), *again;
        cnm_error error = {0};
        unsigned char *bytes;
        size_t size;
        float scores[2][400];
        check_figure_above(model, rows, "accuracy", 0.97, STACKS[i].layers);
        char text[LAYERS_TEXT_SIZE];
        layers_write(model->map, text);
        assert_string_equal(text, STACKS[i].shown);
        bool shown = false;
        for (size_t j = 0; j < model->description.count; j++) {
            const record_entry *entry = &model->description.entries[j];
            shown = shown || (strcmp(entry->key, "layers") == 0 && strcmp(entry->value, STACKS[i].shown) == 0);
        }
        assert_true(shown);
        check_ok(model_to_bytes(model, &bytes, &size, &error), &error);
        check_ok(model_from_bytes(&again, bytes, size, "a stack", &error), &error);
        check_ok(model_scores(model, &view, 1, scores[0], &error), &error);
        check_ok(model_scores(again, &view, 2, scores[1], &error), &error);
        check_same_floats(scores[0], scores[1], 400, STACKS[i].layers);
        memory_free(bytes);
        model_destroy(model);
        model_destroy(again);
    }
    table_destroy(rows);
}

/* With steps of size nearly 0 a warm start changes the function by rounding only. */
static void a_stack_is_trained_further_from_its_model(void **state) {
    (void)state;
    table *rows = make_rings(4, 400, 3);
    for (size_t i = 0; i < COUNT_OF(STACKS); i++) {
        for (int scale = 1; scale <= 7; scale += 2) { /* none, standard, asinh, quantile */
            settings wanted = with_layers(STACKS[i].layers);
            wanted.scale = scale;
            cnm_model *model = train(rows, &wanted), *more;
            cnm_error error = {0};
            wanted.epochs = 1;
            wanted.batch = 1000000;
            wanted.layer_count = i % 2 == 0 ? 0 : wanted.layer_count; /* the model's own, said or not */
            check_ok(learn_train(&more, rows, NULL, &wanted, model, NULL, &error), &error);
            assert_int_equal(more->map->layer_count, model->map->layer_count);
            check_figure_above(more, rows, "accuracy", figure_of(model, rows, "accuracy") - 0.03, STACKS[i].layers);
            model_destroy(model);
            model_destroy(more);
        }
    }
    table_destroy(rows);
}

static void only_the_last_layer_grows(void **state) {
    (void)state;
    table *rows = make_rings(4, 300, 3);
    const settings wanted = with_layers("9,5");
    cnm_model *model = train(rows, &wanted), *more;
    cnm_error error = {0};
    settings grown = with_layers("9,8");
    check_ok(learn_train(&more, rows, NULL, &grown, model, NULL, &error), &error);
    assert_int_equal(more->map->features, 8);
    assert_int_equal(map_first(more->map)->features, 9);
    model_destroy(more);
    grown = wanted;
    grown.layer_count = 0;
    grown.features = 7;
    check_ok(learn_train(&more, rows, NULL, &grown, model, NULL, &error), &error);
    assert_int_equal(more->map->features, 7);
    model_destroy(more);
    static const char *const OTHERS[] = {"10,5", "9,4", "9", "9,5,5", "circulant:9,5"};
    for (size_t i = 0; i < COUNT_OF(OTHERS); i++) {
        const settings other = with_layers(OTHERS[i]);
        check_refusal(learn_train(&more, rows, NULL, &other, model, NULL, &error), CNM_BAD_ARGUMENT, &error,
                      "a model of the layers dense:9,dense:5 is trained further with these layers");
    }
    model_destroy(model);
    table_destroy(rows);
}

static void pruning_takes_features_from_the_last_layer(void **state) {
    (void)state;
    table *rows = make_rings(5, 400, 3);
    for (size_t i = 0; i < COUNT_OF(STACKS); i++) {
        settings wanted = with_layers(STACKS[i].layers);
        wanted.prune = 0.5;
        cnm_error error = {0};
        cnm_model *model;
        if (i == 2) { /* the last layer is dense, those below it are not */
            wanted.layers[2].projection = "circulant";
            check_refusal(learn_train(&model, rows, NULL, &wanted, NULL, NULL, &error), CNM_UNSUPPORTED, &error,
                          "a dense last layer");
            continue;
        }
        model = train(rows, &wanted);
        const size_t before = wanted.layers[wanted.layer_count - 1].features;
        assert_int_equal(model->map->features, before - before / 2);
        check_figure_above(model, rows, "accuracy", 0.95, STACKS[i].layers);
        model_destroy(model);
    }
    table_destroy(rows);
}

/* The random stack of the same shape stays far behind. */
static void layers_that_learn_in_turns_beat_random_ones(void **state) {
    (void)state;
    table *rows = make_rings(7, 400, 5);
    for (size_t i = 0; i < COUNT_OF(STACKS); i++) {
        settings wanted = with_layers(STACKS[i].layers), drawn = wanted;
        wanted.recipe = RECIPE_ALTERNATING;
        drawn.method = METHOD_RFF;
        cnm_model *learned = train(rows, &wanted), *random = train(rows, &drawn);
        check_figure_above(learned, rows, "accuracy", figure_of(random, rows, "accuracy") + 0.2, STACKS[i].layers);
        model_destroy(learned);
        model_destroy(random);
    }
    table_destroy(rows);
}

static void alternating_moves_every_layer(void **state) {
    (void)state;
    table *rows = make_rings(8, 200, 3);
    settings wanted = with_layers("12,8"), still = wanted;
    wanted.recipe = still.recipe = RECIPE_ALTERNATING;
    still.iterations = 1; /* steps of the head alone */
    wanted.iterations = 2;
    cnm_model *moved = train(rows, &wanted), *drawn = train(rows, &still);
    for (size_t i = 0; i < 2; i++) {
        const layer *a = moved->map->layers[i], *b = drawn->map->layers[i];
        const size_t size = a->tensors[0].rows * a->tensors[0].columns * sizeof(float);
        assert_memory_not_equal(a->tensors[0].values, b->tensors[0].values, size);
        assert_memory_not_equal(a->phase, b->phase, a->features * sizeof(float));
    }
    model_destroy(moved);
    model_destroy(drawn);
    table_destroy(rows);
}

static void random_stacks_take_a_head(void **state) {
    (void)state;
    table *rows = make_rings(6, 300, 2);
    settings wanted = quick(METHOD_RFF);
    cnm_error error = {0};
    check_ok(layers_read("60,60", wanted.layers, &wanted.layer_count, &error), &error);
    cnm_model *model = train(rows, &wanted);
    check_figure_above(model, rows, "accuracy", 0.9, "rff");
    model_destroy(model);
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_of_one_is_the_map_of_one_layer),
        cmocka_unit_test(stacks_learn_and_come_back_from_their_files),
        cmocka_unit_test(a_stack_is_trained_further_from_its_model),
        cmocka_unit_test(only_the_last_layer_grows),
        cmocka_unit_test(pruning_takes_features_from_the_last_layer),
        cmocka_unit_test(layers_that_learn_in_turns_beat_random_ones),
        cmocka_unit_test(alternating_moves_every_layer),
        cmocka_unit_test(random_stacks_take_a_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
