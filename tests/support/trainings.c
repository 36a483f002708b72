#include "support/trainings.h"

#include "base/core/memory.h"
#include "model/evaluate.h"

settings quick(setting_method method) {
    return (settings){
        .map_rate = 1.0, .method = (int)method, .features = 100, .seed = 1, .threads = 2, .epochs = 60, .batch = 50};
}

settings search_settings(uint64_t features) {
    return (settings){.map_rate = 1.0,
                      .features = features,
                      .seed = 1,
                      .threads = 1,
                      .noise = -1.0,
                      .decay = -1.0,
                      .effort = EFFORT_NORMAL};
}

const fit_method FIT_METHODS[6] = {
    {"joint dense", METHOD_CNM, RECIPE_JOINT, 0},
    {"joint circulant", METHOD_CNM, RECIPE_JOINT, 1},
    {"alternating dense", METHOD_CNM, RECIPE_ALTERNATING, 0},
    {"alternating circulant", METHOD_CNM, RECIPE_ALTERNATING, 1},
    {"kernel dense", METHOD_KERNEL, RECIPE_JOINT, 0},
    {"kernel circulant", METHOD_KERNEL, RECIPE_JOINT, 1},
};

settings fit_settings(const fit_method *self, size_t features) {
    return (settings){.map_rate = 1.0,
                      .method = self->method,
                      .recipe = self->recipe,
                      .projection = self->projection,
                      .features = features,
                      .seed = 1,
                      .threads = 2,
                      .epochs = 80,
                      .batch = 100,
                      .iterations = 30,
                      .head_steps = 50,
                      .map_steps = self->method == METHOD_KERNEL ? 150 : 50};
}

void method_cases(method_case out[METHOD_CASES]) {
    settings rff = quick(METHOD_RFF), joint = quick(METHOD_CNM);
    rff.epochs = 4;
    joint.epochs = 3;
    settings circulant = rff, alternating = joint, kernel = rff, linear = rff, softmax = rff, circulant_joint = joint,
             validated = joint;
    circulant.projection = circulant_joint.projection = 1;
    alternating.recipe = RECIPE_ALTERNATING;
    alternating.iterations = 3;
    alternating.head_steps = alternating.map_steps = 5;
    kernel.method = METHOD_KERNEL;
    kernel.map_steps = 5;
    linear.method = METHOD_LINEAR;
    softmax.loss = 4;
    validated.validation = 0.25;
    validated.patience = 5;
    settings circulant_alternating = alternating;
    circulant_alternating.projection = 1;
    settings stacked_alternating = alternating;
    stacked_alternating.layer_count = 2;
    stacked_alternating.layers[0] = (layer_shape){"dense", 70};
    stacked_alternating.layers[1] = (layer_shape){"circulant", 40};
    const method_case all[METHOD_CASES] = {{"rff", rff},
                                           {"rff circulant", circulant},
                                           {"linear", linear},
                                           {"softmax", softmax},
                                           {"joint", joint},
                                           {"joint circulant", circulant_joint},
                                           {"joint, validation rows", validated},
                                           {"alternating", alternating},
                                           {"kernel", kernel},
                                           {"alternating circulant", circulant_alternating},
                                           {"alternating, a stack", stacked_alternating}};
    memcpy(out, all, sizeof all);
}

cnm_status learn(cnm_model **out, const table *rows, const char *label_name, const settings *wanted,
                 const cnm_callbacks *callbacks, cnm_error *err) {
    const label_origin origin = {label_name, NULL};
    return learn_train(out, rows, &origin, wanted, NULL, callbacks, err);
}

cnm_model *train(const table *rows, const settings *wanted) {
    cnm_error error = {0};
    cnm_model *model;
    check_ok(learn(&model, rows, NULL, wanted, NULL, &error), &error);
    return model;
}

double figure_of(const cnm_model *model, const table *rows, const char *name) {
    cnm_error error = {0};
    const rows_view view = table_view(rows);
    float *scores = take(rows->rows * model->outputs, sizeof *scores);
    evaluation *judged;
    check_ok(model_scores(model, &view, 2, scores, &error), &error);
    check_ok(evaluation_create(&judged, model, true, &error), &error);
    check_ok(evaluation_add(judged, &rows->labels, scores, &error), &error);
    const double figure = evaluation_get(judged, name);
    evaluation_destroy(judged);
    free(scores);
    return figure;
}

const char *text_of(const cnm_model *model, const char *key) {
    const char *text = record_get(&model->record, key);
    assert_non_null(text);
    return text;
}

double number_of(const cnm_model *model, const char *key) { return strtod(text_of(model, key), NULL); }

void check_figure_above(const cnm_model *model, const table *rows, const char *name, double least, const char *what) {
    const double got = figure_of(model, rows, name);
    if (!(got >= least)) {
        fail_msg("%s: %s is %.4f, expected at least %.4f", what, name, got, least);
    }
}

void check_same_model(const cnm_model *a, const cnm_model *b, bool same, const char *what) {
    cnm_error error = {0};
    unsigned char *bytes[2];
    size_t sizes[2];
    check_ok(model_to_bytes(a, &bytes[0], &sizes[0], &error), &error);
    check_ok(model_to_bytes(b, &bytes[1], &sizes[1], &error), &error);
    const bool equal = sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0;
    if (equal != same) {
        fail_msg("%s: the models are %s", what, equal ? "the same" : "not the same");
    }
    memory_free(bytes[0]);
    memory_free(bytes[1]);
}
