/* Rows in memory -> a model -> predictions -> a file.
 *
 *     cc train_and_predict.c -lcnm -o train_and_predict && ./train_and_predict
 *
 * The data: points in the plane, "inside" or "outside" a circle. No line separates them; eight
 * learned features do. */
#include <stdio.h>

#include <cnm/cnm.h>

enum { ROWS = 1000, COLUMNS = 2 };

/* A number in [-1, 1), the next of a simple sequence. */
static float next_number(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) / 8388608.0f - 1.0f;
}

static int run(cnm_options *options, cnm_data *data, cnm_error *error) {
    static const float QUESTIONS[2][COLUMNS] = {{0.1f, 0.2f}, {0.9f, -0.8f}};
    cnm_model *model = NULL;
    cnm_data *questions = NULL;
    int32_t classes[2];

    /* Everything that can be set is set by name; cnm_options_describe lists what there is. */
    int good = cnm_options_set(options, "features", "8", error) == CNM_OK &&
               cnm_train(&model, data, options, NULL, error) == CNM_OK &&
               cnm_data_view_dense(&questions, QUESTIONS[0], 2, COLUMNS, COLUMNS, error) == CNM_OK &&
               cnm_predict_classes(model, questions, 0, classes, error) == CNM_OK;
    for (int i = 0; good && i < 2; i++) {
        printf("(%.1f, %.1f) is %s\n", (double)QUESTIONS[i][0], (double)QUESTIONS[i][1],
               cnm_model_label(model, (size_t)classes[i]));
    }
    good = good && cnm_model_save(model, "circle.cnm", error) == CNM_OK;
    if (good) {
        printf("the model is in circle.cnm: try cnm inspect circle.cnm\n");
    }
    cnm_data_destroy(questions);
    cnm_model_destroy(model);
    return good;
}

int main(void) {
    static float values[ROWS][COLUMNS];
    static const char *labels[ROWS];
    unsigned state = 1;
    for (int i = 0; i < ROWS; i++) {
        const float x = values[i][0] = next_number(&state), y = values[i][1] = next_number(&state);
        labels[i] = x * x + y * y < 0.5f ? "inside" : "outside";
    }

    /* The rows are borrowed, the labels copied. Every call that can fail fills `error` with a
     * sentence. */
    cnm_error error;
    cnm_options *options = NULL;
    cnm_data *data = NULL;
    const int good = cnm_options_create(&options, &error) == CNM_OK &&
                     cnm_data_view_dense(&data, values[0], ROWS, COLUMNS, COLUMNS, &error) == CNM_OK &&
                     cnm_data_set_labels(data, labels, &error) == CNM_OK && run(options, data, &error);
    if (!good) {
        fprintf(stderr, "%s\n", error.message);
    }
    cnm_data_destroy(data);
    cnm_options_destroy(options);
    return good ? 0 : 1;
}
