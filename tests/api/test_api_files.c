/* Files of rows through the public functions: whole, in batches, matched to a model. */
#include "api/api_support.h"

static sample made;

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static cnm_data *load(const char *path, const char *const *pairs, const cnm_model *model) {
    cnm_error error = {0};
    cnm_options *options = options_of(pairs);
    cnm_data *data;
    check_ok(cnm_data_load(&data, path, options, model, NULL, &error), &error);
    cnm_options_destroy(options);
    return data;
}

/* The same rows and labels, from row `first` of `all` on. */
static void check_rows(const cnm_data *all, size_t first, const cnm_data *part) {
    cnm_error error = {0};
    const size_t columns = cnm_data_columns(part);
    assert_true(columns <= 8 && columns <= cnm_data_columns(all));
    for (size_t i = 0; i < cnm_data_rows(part); i++) {
        float a[8], b[8];
        char labels[2][32];
        check_ok(cnm_data_row(all, first + i, a, &error), &error);
        check_ok(cnm_data_row(part, i, b, &error), &error);
        assert_memory_equal(a, b, columns * sizeof *a);
        cnm_data_label(all, first + i, labels[0], sizeof labels[0]);
        cnm_data_label(part, i, labels[1], sizeof labels[1]);
        assert_string_equal(labels[0], labels[1]);
    }
}

/* ---- There and back ---- */

static const struct {
    const char *path, *format;
} FORMATS[] = {{"test_api_rows.csv", NULL}, {"test_api_rows.svm", "libsvm"}};

static void written_rows_come_back(void **unused) {
    (void)unused;
    cnm_error error = {0};
    cnm_data *data = labelled_view(&made);
    for (size_t i = 0; i < COUNT_OF(FORMATS); i++) {
        check_ok(cnm_data_save(data, FORMATS[i].path, FORMATS[i].format, NULL, &error), &error);
        cnm_data *back = load(FORMATS[i].path, NULL, NULL);
        assert_int_equal(cnm_data_rows(back), ROWS);
        assert_int_equal(cnm_data_columns(back), COLUMNS);
        check_rows(data, 0, back);
        cnm_data_destroy(back);
        remove(FORMATS[i].path);
    }
    cnm_data *plain = sample_view(&made);
    check_ok(cnm_data_save(plain, "test_api_rows.npy", NULL, NULL, &error), &error);
    cnm_data *back = load("test_api_rows.npy", (const char *const[]){"label-column", "none", NULL}, NULL);
    check_rows(plain, 0, back);
    remove("test_api_rows.npy");
    cnm_data_destroy(back);
    check_refusal(cnm_data_save(data, "test_api_rows.npy", "xml", NULL, &error), CNM_BAD_ARGUMENT, &error, "xml");
    cnm_data_destroy(plain);
    cnm_data_destroy(data);
}

/* ---- In batches ---- */

static void batches_hold_what_the_whole_file_holds(void **unused) {
    (void)unused;
    static const size_t SIZES[] = {1, 7, 50, 1000, 0};
    static const char *const RANGES[] = {":", "1:120", "5:30", "100:", ":64", "7:7"};
    cnm_error error = {0};
    cnm_data *data = labelled_view(&made);
    for (size_t f = 0; f < COUNT_OF(FORMATS); f++) {
        check_ok(cnm_data_save(data, FORMATS[f].path, FORMATS[f].format, NULL, &error), &error);
        for (size_t r = 0; r < COUNT_OF(RANGES); r++) {
            const char *const pairs[] = {"rows", RANGES[r], NULL};
            cnm_data *whole = load(FORMATS[f].path, pairs, NULL);
            cnm_options *options = options_of(pairs);
            for (size_t s = 0; s < COUNT_OF(SIZES); s++) {
                cnm_reader *reader;
                cnm_data *part;
                size_t seen = 0;
                check_ok(cnm_reader_open(&reader, FORMATS[f].path, options, NULL, NULL, &error), &error);
                for (;;) {
                    check_ok(cnm_reader_next(reader, SIZES[s], &part, &error), &error);
                    if (part == NULL) {
                        break;
                    }
                    assert_true(cnm_data_rows(part) >= 1);
                    assert_true(cnm_data_rows(part) <= (SIZES[s] == 0 ? 1 : SIZES[s]));
                    check_rows(whole, seen, part);
                    seen += cnm_data_rows(part);
                    cnm_data_destroy(part);
                }
                assert_int_equal(seen, cnm_data_rows(whole));
                check_ok(cnm_reader_next(reader, 1, &part, &error), &error); /* and stays at the end */
                assert_null(part);
                cnm_reader_destroy(reader);
            }
            cnm_options_destroy(options);
            cnm_data_destroy(whole);
        }
        remove(FORMATS[f].path);
    }
    cnm_data_destroy(data);
}

/* A row predicts the same whether its file is read whole or in pieces. */
static void batches_predict_the_same_bits(void **unused) {
    (void)unused;
    cnm_error error = {0};
    cnm_data *data = labelled_view(&made);
    cnm_model *model = train_with(data, NULL);
    for (size_t f = 0; f < COUNT_OF(FORMATS); f++) {
        float whole[ROWS], parts[ROWS];
        size_t seen = 0;
        cnm_reader *reader;
        cnm_data *part;
        check_ok(cnm_data_save(data, FORMATS[f].path, FORMATS[f].format, NULL, &error), &error);
        cnm_data *all = load(FORMATS[f].path, NULL, model);
        check_ok(cnm_predict_scores(model, all, 2, whole, &error), &error);
        check_ok(cnm_reader_open(&reader, FORMATS[f].path, NULL, model, NULL, &error), &error);
        for (;;) {
            check_ok(cnm_reader_next(reader, 11, &part, &error), &error);
            if (part == NULL) {
                break;
            }
            check_ok(cnm_predict_scores(model, part, 1, parts + seen, &error), &error);
            seen += cnm_data_rows(part);
            cnm_data_destroy(part);
        }
        assert_int_equal(seen, ROWS);
        assert_memory_equal(whole, parts, sizeof whole);
        cnm_reader_destroy(reader);
        cnm_data_destroy(all);
        remove(FORMATS[f].path);
    }
    cnm_model_destroy(model);
    cnm_data_destroy(data);
}

/* ---- Selection ---- */

static const char SMALL[] = "test_api_small.csv";

/* Batches are given out up to the end of the file, where the same sentence comes, and comes
 * again. */
static void check_late_refusal(const cnm_options *options, const char *sentence) {
    cnm_error error = {0};
    cnm_reader *reader;
    cnm_data *part;
    check_ok(cnm_reader_open(&reader, SMALL, options, NULL, NULL, &error), &error);
    cnm_status status;
    while ((status = cnm_reader_next(reader, 2, &part, &error)) == CNM_OK && part != NULL) {
        cnm_data_destroy(part);
    }
    check_refusal(status, CNM_BAD_DATA, &error, sentence);
    assert_null(part);
    check_refusal(cnm_reader_next(reader, 2, &part, &error), CNM_BAD_DATA, &error, sentence);
    cnm_reader_destroy(reader);
}

static void rows_are_shuffled_then_cut(void **unused) {
    (void)unused;
    write_text(SMALL, "x,y,label\n1,2,a\n3,4,b\n5,6,a\n7,8,b\n9,10,a\n11,12,b\n");
    cnm_data *all = load(SMALL, (const char *const[]){"shuffle", "3", NULL}, NULL);
    cnm_data *again = load(SMALL, (const char *const[]){"shuffle", "3", NULL}, NULL);
    cnm_data *cut = load(SMALL, (const char *const[]){"shuffle", "3", "rows", "3:5", NULL}, NULL);
    assert_int_equal(cnm_data_rows(all), 6);
    assert_int_equal(cnm_data_rows(cut), 3);
    check_rows(all, 0, again);
    check_rows(all, 2, cut);
    double sum = 0.0;
    bool moved = false;
    for (size_t i = 0; i < 6; i++) {
        float row[2];
        assert_int_equal(cnm_data_row(all, i, row, NULL), CNM_OK);
        assert_true(row[1] == row[0] + 1.0F);
        moved = moved || row[0] != (float)(2 * i + 1);
        sum += (double)row[0];
    }
    assert_true(moved && sum == 36.0);
    cnm_data_destroy(all);
    cnm_data_destroy(again);
    cnm_data_destroy(cut);
    static const char *const BEYOND[] = {"7:", "2:7", "7:9"};
    for (size_t i = 0; i < COUNT_OF(BEYOND); i++) {
        cnm_error error = {0};
        cnm_options *options = options_of((const char *const[]){"rows", BEYOND[i], NULL});
        check_refusal(cnm_data_load(&all, SMALL, options, NULL, NULL, &error), CNM_BAD_DATA, &error,
                      "there are 6 rows");
        check_refusal(CNM_BAD_DATA, CNM_BAD_DATA, &error, SMALL);
        assert_null(all);
        char sentence[CNM_MESSAGE_SIZE];
        memcpy(sentence, error.message, sizeof sentence);
        check_late_refusal(options, sentence);
        cnm_options_destroy(options);
    }
    remove(SMALL);
}

static void positive_labels_stand_against_the_rest(void **unused) {
    (void)unused;
    static const char *const EXPECTED[] = {"1", "-1", "1", "-1"};
    cnm_error error = {0};
    write_text(SMALL, "x,y,label\n1,2,a\n3,4,b\n5,6,c\n7,8,d\n");
    cnm_options *options = options_of((const char *const[]){"positive", "a, c", NULL});
    cnm_data *data, *part;
    cnm_reader *reader;
    char label[8];
    check_ok(cnm_data_load(&data, SMALL, options, NULL, NULL, &error), &error);
    check_ok(cnm_reader_open(&reader, SMALL, options, NULL, NULL, &error), &error);
    for (size_t i = 0; i < 4; i++) {
        cnm_data_label(data, i, label, sizeof label);
        assert_string_equal(label, EXPECTED[i]);
        check_ok(cnm_reader_next(reader, 1, &part, &error), &error);
        cnm_data_label(part, 0, label, sizeof label);
        assert_string_equal(label, EXPECTED[i]);
        cnm_data_destroy(part);
    }
    cnm_reader_destroy(reader);
    cnm_data_destroy(data);
    check_ok(cnm_options_set(options, "positive", "zebra", &error), &error);
    check_refusal(cnm_data_load(&data, SMALL, options, NULL, NULL, &error), CNM_BAD_DATA, &error, "zebra");
    assert_null(data);
    cnm_options_destroy(options);
    remove(SMALL);
}

/* ---- With a model ---- */

/* Names decide which column is which; what the model does not know is left out. */
static void columns_are_matched_by_name(void **unused) {
    (void)unused;
    cnm_error error = {0};
    write_text(SMALL, "x,y,label\n-1,5,no\n-2,-3,no\n1,4,yes\n2,-5,yes\n-1.5,0,no\n3,1,yes\n");
    cnm_data *train = load(SMALL, NULL, NULL);
    cnm_model *model = train_with(train, (const char *const[]){"method", "linear", "scale", "none", NULL});
    cnm_data_destroy(train);
    static const char *const FILES[] = {
        "x,y,label\n4,9,yes\n-4,9,no\n",
        "label,y,x\nyes,9,4\nno,9,-4\n",
        "y,x\n9,4\n9,-4\n",
    };
    float scores[COUNT_OF(FILES)][2];
    for (size_t i = 0; i < COUNT_OF(FILES); i++) {
        write_text(SMALL, FILES[i]);
        cnm_data *data = load(SMALL, NULL, model);
        assert_int_equal(cnm_data_columns(data), 2);
        assert_int_equal(cnm_data_is_labelled(data), i < 2);
        check_ok(cnm_predict_scores(model, data, 1, scores[i], &error), &error);
        assert_memory_equal(scores[i], scores[0], sizeof scores[0]);
        cnm_data_destroy(data);
    }
    assert_int_equal(cnm_model_decide(model, &scores[0][0]), 1);
    assert_int_equal(cnm_model_decide(model, &scores[0][1]), 0);
    write_text(SMALL, "x,z,label\n4,9,yes\n");
    cnm_data *data;
    const cnm_status status = cnm_data_load(&data, SMALL, NULL, model, NULL, &error);
    assert_true(status != CNM_OK && data == NULL);
    assert_non_null(strstr(error.message, SMALL));
    cnm_model_destroy(model);
    remove(SMALL);
}

/* Rows for a model of zero-based rows count from 0, though index 0 never occurs in them: read
 * whole, in batches, after the model went through a file and after it learned more, they score as
 * the same rows given densely. */
static void zero_based_models_read_zero_based_files(void **unused) {
    (void)unused;
    static const char MODEL[] = "test_api_zero.cnm", ROWS_FILE[] = "test_api_zero.svm";
    static const float DENSE[] = {0, 2, 0.5F, 0, -1, 3};
    cnm_error error = {0};
    write_text(ROWS_FILE, "no 0:-1 1:5\nno 0:-2 1:-3 2:1\nyes 0:1 1:4\nyes 0:2 2:-5\nno 0:-1.5\nyes 0:3 1:1\n");
    cnm_data *train = load(ROWS_FILE, NULL, NULL), *dense;
    cnm_model *models[3];
    models[0] = train_with(train, (const char *const[]){"scale", "none", "features", "8", NULL});
    check_ok(cnm_model_save(models[0], MODEL, &error), &error);
    check_ok(cnm_model_load(&models[1], MODEL, &error), &error);
    check_ok(cnm_train_continue(&models[2], models[1], train, NULL, NULL, &error), &error);
    cnm_data_destroy(train);
    check_ok(cnm_data_view_dense(&dense, DENSE, 2, 3, 3, &error), &error);
    write_text(ROWS_FILE, "1:2 2:0.5\n1:-1 2:3\n");
    for (size_t i = 0; i < COUNT_OF(models); i++) {
        float expected[2], scores[2];
        cnm_reader *reader;
        cnm_data *batch, *whole = load(ROWS_FILE, NULL, models[i]);
        check_ok(cnm_predict_scores(models[i], dense, 1, expected, &error), &error);
        check_ok(cnm_predict_scores(models[i], whole, 1, scores, &error), &error);
        assert_memory_equal(scores, expected, sizeof scores);
        check_ok(cnm_reader_open(&reader, ROWS_FILE, NULL, models[i], NULL, &error), &error);
        check_ok(cnm_reader_next(reader, 2, &batch, &error), &error);
        check_ok(cnm_predict_scores(models[i], batch, 1, scores, &error), &error);
        assert_memory_equal(scores, expected, sizeof scores);
        cnm_data_destroy(batch);
        cnm_reader_destroy(reader);
        cnm_data_destroy(whole);
        const char *key, *value, *told = NULL;
        for (size_t k = 0; cnm_model_describe(models[i], k, &key, &value); k++) {
            told = strcmp(key, "index_base") == 0 ? value : told;
        }
        assert_non_null(told);
        assert_string_equal(told, "0");
        cnm_model_destroy(models[i]);
    }
    cnm_data_destroy(dense);
    remove(MODEL);
    remove(ROWS_FILE);
}

/* The model fills what is missing with the means of its training rows. */
static void missing_cells_are_an_error_or_a_mean(void **unused) {
    (void)unused;
    cnm_error error = {0};
    cnm_data *data;
    write_text(SMALL, "x,y,label\n-1,5,no\n-2,?,no\n1,4,yes\n2,-5,yes\n,0,no\n3,1,yes\n");
    cnm_options *strict;
    check_ok(cnm_options_create(&strict, &error), &error);
    check_ok(cnm_options_set(strict, "missing", "error", &error), &error);
    const cnm_status status = cnm_data_load(&data, SMALL, strict, NULL, NULL, &error);
    check_refusal(status, CNM_BAD_DATA, &error, SMALL);
    cnm_options_destroy(strict);
    static const char *const MEAN[] = {"missing", "mean", "method", "linear", NULL};
    data = load(SMALL, MEAN, NULL);
    cnm_model *model = train_with(data, MEAN);
    cnm_data_destroy(data);
    write_text(SMALL, "x,y,label\n,7,yes\n0.6,7,yes\n2,NA,no\n2,1,no\n"); /* the means are 0.6 and 1 */
    data = load(SMALL, NULL, model);
    float scores[4];
    check_ok(cnm_predict_scores(model, data, 1, scores, &error), &error);
    assert_true(fabsf(scores[0] - scores[1]) < 1e-5F && fabsf(scores[2] - scores[3]) < 1e-5F);
    cnm_data_destroy(data);
    cnm_model_destroy(model);
    remove(SMALL);
}

static int prepare(void **unused) {
    (void)unused;
    sample_make(&made);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_rows_come_back),
        cmocka_unit_test(batches_hold_what_the_whole_file_holds),
        cmocka_unit_test(batches_predict_the_same_bits),
        cmocka_unit_test(rows_are_shuffled_then_cut),
        cmocka_unit_test(positive_labels_stand_against_the_rest),
        cmocka_unit_test(columns_are_matched_by_name),
        cmocka_unit_test(zero_based_models_read_zero_based_files),
        cmocka_unit_test(missing_cells_are_an_error_or_a_mean),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
