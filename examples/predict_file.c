/* A model file and a data file of any size -> one label a line, in constant memory.
 *
 *     ./predict_file MODEL DATA
 *
 * Without arguments it makes both itself, small ones, so that it can be tried at once. */
#include <stdio.h>
#include <stdlib.h>

#include <cnm/cnm.h>

enum { BATCH = 4096 };

/* Predicts a batch and prints it. */
static cnm_status predict_batch(const cnm_model *model, const cnm_data *rows, cnm_error *error) {
    static int32_t classes[BATCH];
    const cnm_status status = cnm_predict_classes(model, rows, 0, classes, error);
    if (status != CNM_OK) {
        return status;
    }
    for (size_t i = 0; i < cnm_data_rows(rows); i++) {
        puts(cnm_model_label(model, (size_t)classes[i]));
    }
    return CNM_OK;
}

/* Reads a batch and predicts it, until there is none left. */
static cnm_status predict(const cnm_model *model, cnm_reader *reader, cnm_error *error) {
    for (;;) {
        cnm_data *rows;
        cnm_status status = cnm_reader_next(reader, BATCH, &rows, error);
        if (status != CNM_OK || rows == NULL) {
            return status;
        }
        status = predict_batch(model, rows, error);
        cnm_data_destroy(rows);
        if (status != CNM_OK) {
            return status;
        }
    }
}

/* Rows of a checkerboard of two by two fields, in numbers without a fraction so that every locale
 * writes them alike. */
static int make_files(const char *model_path, const char *data_path, cnm_error *error) {
    FILE *file = fopen(data_path, "w");
    cnm_data *data = NULL;
    cnm_model *model = NULL;
    if (file == NULL) {
        perror(data_path);
        exit(1);
    }
    fputs("x,y,label\n", file);
    for (int i = 0; i < 400; i++) {
        const int x = i * 37 % 201 - 100, y = i * 53 % 199 - 99;
        fprintf(file, "%d,%d,%s\n", x, y, (x < 0) == (y < 0) ? "black" : "white");
    }
    fclose(file);
    /* NULL for options: the defaults. */
    const int good = cnm_data_load(&data, data_path, NULL, NULL, NULL, error) == CNM_OK &&
                     cnm_train(&model, data, NULL, NULL, error) == CNM_OK &&
                     cnm_model_save(model, model_path, error) == CNM_OK;
    cnm_model_destroy(model);
    cnm_data_destroy(data);
    return good;
}

int main(int count, char **texts) {
    const char *model_path = count == 3 ? texts[1] : "board.cnm", *data_path = count == 3 ? texts[2] : "board.csv";
    cnm_error error;
    cnm_model *model = NULL;
    cnm_reader *reader = NULL;
    if (count != 1 && count != 3) {
        fprintf(stderr, "usage: predict_file MODEL DATA\n");
        return 2;
    }
    /* With the model, columns are matched to those that it was trained on. */
    const int good = (count == 3 || make_files(model_path, data_path, &error)) &&
                     cnm_model_load(&model, model_path, &error) == CNM_OK &&
                     cnm_reader_open(&reader, data_path, NULL, model, NULL, &error) == CNM_OK &&
                     predict(model, reader, &error) == CNM_OK;
    if (!good) {
        fprintf(stderr, "%s\n", error.message);
    }
    cnm_reader_destroy(reader);
    cnm_model_destroy(model);
    return good ? 0 : 1;
}
