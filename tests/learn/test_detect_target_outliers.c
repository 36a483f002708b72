/* Target outliers that other rows predict are learned like others; random ones, and copies of them,
 * set neither unit nor loss. */
#include "support/trainings.h"

#include "learn/detect/detect_target_outliers.h"
#include "learn/objective/losses.h"

enum { ROWS = 400, COLUMNS = 3, EVERY = 40 }; /* every so many rows one is far out */

typedef enum kind { PREDICTABLE, RANDOM, COPIED, ONE } kind;

/* Makes targets. Predictable: the exponential of a column of normals. Random: every 40th is a
 * thousand; or so with each row twice. One: the first is 60. */
static table *make_numbers(kind what, size_t columns) {
    table *out = table_make(ROWS, columns);
    normals(1, ROWS * columns, 1.0, out->values);
    for (size_t i = 0; i < ROWS; i++) {
        float *row = out->values + i * columns;
        if (what == COPIED && i >= ROWS / 2) {
            memcpy(row, out->values + (i - ROWS / 2) * columns, columns * sizeof *row);
        }
        const double usual = (double)row[0] + 0.1 * uniform(2, i), slip = i % EVERY == 0 ? 1000.0 : 0.0;
        label_number(out, what == PREDICTABLE ? exp(3.0 * usual) : what != ONE ? usual + slip : i == 0 ? 60.0 : usual);
    }
    return out;
}

static bool predictable(kind what, size_t columns) {
    const settings wanted = {.map_rate = 1.0, .threads = 2};
    table *rows = make_numbers(what, columns);
    const dataset task = {.settings = &wanted, .table = rows, .rows = table_view(rows)};
    cnm_error error = {0};
    bool found;
    check_ok(targets_are_predictable(&task, rows->labels.numbers, 0.0, &found, &error), &error);
    table_destroy(rows);
    return found;
}

static void random_outliers_are_not_predictable(void **unused) {
    (void)unused;
    assert_true(predictable(PREDICTABLE, COLUMNS));
    assert_false(predictable(RANDOM, COLUMNS));
    assert_false(predictable(COPIED, COLUMNS));
    assert_false(predictable(PREDICTABLE, 1025)); /* too many columns for a kernel model */
}

/* Of 5,000 rows one in `every` is an outlier, which a column shows by so much, or none does. */
static bool outliers_among_many(size_t every, float shown) {
    enum { MANY = 5000 };
    const settings wanted = {.map_rate = 1.0, .threads = 2};
    table *rows = table_make(MANY, COLUMNS);
    cnm_error error = {0};
    normals(1, MANY * COLUMNS, 1.0, rows->values);
    for (size_t i = 0; i < MANY; i++) {
        const bool far = i % every == 3;
        rows->values[i * COLUMNS] += far ? shown : 0.0F;
        label_number(rows, far ? 1000.0 : uniform(2, i));
    }
    const dataset task = {.settings = &wanted, .table = rows, .rows = table_view(rows)};
    bool found;
    check_ok(targets_are_predictable(&task, rows->labels.numbers, 0.5, &found, &error), &error);
    table_destroy(rows);
    return found;
}

/* A sample of every fifth row would have none of these outliers, so they are added to it. That
 * alone predicts nothing. */
static void few_outliers_among_many_rows_are_sampled(void **unused) {
    (void)unused;
    assert_true(outliers_among_many(800, 40.0F));
    assert_false(outliers_among_many(800, 0.0F));
    assert_false(outliers_among_many(40, 0.0F)); /* more than are added */
}

static const char *loss_for(kind what, settings wanted, char *text, size_t size) {
    table *rows = make_numbers(what, COLUMNS);
    cnm_model *model = train(rows, &wanted);
    (void)snprintf(text, size, "%s", record_get(&model->record, "loss"));
    model_destroy(model);
    table_destroy(rows);
    return text;
}

static void the_loss_is_huber_for_random_outliers(void **unused) {
    (void)unused;
    const settings wanted = {
        .map_rate = 1.0, .method = METHOD_LINEAR, .task = WANT_REGRESS, .seed = 1, .threads = 1, .epochs = 2};
    char text[20];
    assert_string_equal(loss_for(PREDICTABLE, wanted, text, sizeof text), "squared");
    assert_string_equal(loss_for(RANDOM, wanted, text, sizeof text), "huber");
    assert_string_equal(loss_for(COPIED, wanted, text, sizeof text), "huber");
}

static void count_notice(const char *sentence, void *user) {
    *(size_t *)user += strstr(sentence, "1 of 400 regression targets are outliers") != NULL;
}

/* Returns the target that the first row is learned as. */
static double learned_as(settings wanted, size_t *notices) {
    const cnm_callbacks callbacks = {.struct_size = sizeof(cnm_callbacks), .notice = count_notice, .user = notices};
    table *rows = make_numbers(ONE, COLUMNS);
    cnm_error error = {0};
    cnm_model *model;
    dataset task;
    check_ok(dataset_create(&task, rows, &wanted, NULL, &callbacks, &error), &error);
    check_ok(target_outliers_limit(&task, &error), &error);
    *notices = 0; /* by the training alone */
    const double far = task.target_mean + task.target_scale * (double)task.targets[0];
    dataset_free(&task);
    check_ok(learn(&model, rows, NULL, &wanted, &callbacks, &error), &error);
    assert_string_equal(record_get(&model->record, "loss"), "squared");
    model_destroy(model);
    table_destroy(rows);
    return far;
}

/* A single outlier is clipped, with a notice; not where --loss was given. */
static void a_single_outlier_is_clipped(void **unused) {
    (void)unused;
    settings wanted = {
        .map_rate = 1.0, .method = METHOD_LINEAR, .task = WANT_REGRESS, .seed = 1, .threads = 1, .epochs = 2};
    size_t notices;
    const double near = learned_as(wanted, &notices);
    assert_int_equal(notices, 1);
    assert_true(near > 4.0 && near < 9.0); /* 6 deviations of a normal column from its median */
    size_t count;
    const loss_ops *const *losses = loss_table(&count);
    while (losses[wanted.loss++] != loss_find("squared")) {
    }
    check_near(learned_as(wanted, &notices), 60.0, 1e-3, "as it is", 0);
    assert_int_equal(notices, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_outliers_are_not_predictable),
        cmocka_unit_test(few_outliers_among_many_rows_are_sampled),
        cmocka_unit_test(the_loss_is_huber_for_random_outliers),
        cmocka_unit_test(a_single_outlier_is_clipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
