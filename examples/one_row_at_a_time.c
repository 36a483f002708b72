/* Rows that come one at a time, as from a sensor: a predictor holds all memory, so that a
 * prediction takes well below a microsecond for a small model and never fails.
 *
 *     ./one_row_at_a_time
 *
 * It learns which points lie in a ring, then predicts a few. */
#include <stdio.h>
#include <stdlib.h>

#include <cnm/cnm.h>

enum { ROWS = 2000 };

/* Points of a square, labelled by their distance from the middle. */
static int make_rows(cnm_data **out, float *values, double *targets, cnm_error *error) {
    for (int i = 0; i < ROWS; i++) {
        const float x = (float)(i * 37 % 201 - 100) / 100.0F, y = (float)(i * 53 % 199 - 99) / 100.0F;
        const float square = x * x + y * y;
        values[2 * i] = x;
        values[2 * i + 1] = y;
        targets[i] = square > 0.25F && square < 0.8F ? 1.0 : 0.0;
    }
    return cnm_data_view_dense(out, values, ROWS, 2, 2, error) == CNM_OK &&
           cnm_data_set_targets(*out, targets, error) == CNM_OK;
}

int main(void) {
    static float values[2 * ROWS];
    static double targets[ROWS];
    static const float POINTS[][2] = {{0.0F, 0.0F}, {0.7F, 0.1F}, {-0.5F, 0.5F}, {0.9F, -0.9F}};
    cnm_error error;
    cnm_data *data = NULL;
    cnm_model *model = NULL;
    cnm_predictor *predictor = NULL;
    const int good = make_rows(&data, values, targets, &error) &&
                     cnm_train(&model, data, NULL, NULL, &error) == CNM_OK &&
                     cnm_predictor_create(&predictor, model, &error) == CNM_OK;
    for (size_t i = 0; good && i < sizeof POINTS / sizeof POINTS[0]; i++) {
        float score; /* two classes have one */
        cnm_predictor_scores(predictor, POINTS[i], &score);
        printf("point %zu: %s\n", i + 1, cnm_model_decide(model, &score) == 1 ? "in the ring" : "outside");
    }
    if (!good) {
        fprintf(stderr, "%s\n", error.message);
    }
    cnm_predictor_destroy(predictor);
    cnm_model_destroy(model);
    cnm_data_destroy(data);
    return good ? 0 : 1;
}
