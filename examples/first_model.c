/* The program at the top of cnm/cnm.h: learns four labelled points that no line separates. */
#include <stdio.h>

#include <cnm/cnm.h>

int main(void) {
    static const float known[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
    static const char *const labels[4] = {"same", "different", "different", "same"};
    static const float asked[2][2] = {{0.1F, 0.1F}, {0.1F, 0.9F}};
    int32_t classes[2];
    cnm_options *options = NULL;
    cnm_data *known_rows = NULL, *asked_rows = NULL;
    cnm_model *model = NULL;
    cnm_error error;
    const int good = cnm_options_create(&options, &error) == CNM_OK &&
                     cnm_options_set(options, "features", "16", &error) == CNM_OK &&
                     cnm_data_view_dense(&known_rows, known[0], 4, 2, 2, &error) == CNM_OK &&
                     cnm_data_set_labels(known_rows, labels, &error) == CNM_OK &&
                     cnm_train(&model, known_rows, options, NULL, &error) == CNM_OK &&
                     cnm_model_save(model, "first.cnm", &error) == CNM_OK &&
                     cnm_data_view_dense(&asked_rows, asked[0], 2, 2, 2, &error) == CNM_OK &&
                     cnm_predict_classes(model, asked_rows, 0, classes, &error) == CNM_OK;
    if (!good) {
        fprintf(stderr, "%s\n", error.message);
    }
    for (int i = 0; good && i < 2; i++) {
        printf("row %d: %s\n", i, cnm_model_label(model, (size_t)classes[i]));
    }
    cnm_data_destroy(asked_rows);
    cnm_model_destroy(model);
    cnm_data_destroy(known_rows);
    cnm_options_destroy(options);
    return good ? 0 : 1;
}
