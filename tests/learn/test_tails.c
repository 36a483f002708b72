/* Targets far out that other rows foretell are learned like others; made-up ones, and copies of them, set neither unit nor fit. */
#include "learn/learn_support.h"

#include "learn/objective/losses.h"
#include "learn/detect/detect_target_outliers.h"

enum { ROWS = 400, COLUMNS = 3, EVERY = 40 }; /* every so many rows one is far out */

typedef enum kind { FORETOLD, MADE_UP, COPIED, ONE } kind;

/* Foretold: the exponential of a column of normals. Made up: every 40th number is a thousand; and each row twice. One: the first is 60. */
static table *make_numbers(kind what, size_t columns) {
    table *out = table_make(ROWS, columns);
    normals(1, ROWS * columns, 1.0, out->values);
    for (size_t i = 0; i < ROWS; i++) {
        float *row = out->values + i * columns;
        if (what == COPIED && i >= ROWS / 2) {
            memcpy(row, out->values + (i - ROWS / 2) * columns, columns * sizeof *row);
        }
        const double usual = (double)row[0] + 0.1 * uniform(2, i), slip = i % EVERY == 0 ? 1000.0 : 0.0;
        label_number(out, what == FORETOLD ? exp(3.0 * usual) : what != ONE ? usual + slip : i == 0 ? 60.0 : usual);
    }
    return out;
}

static bool foretold(kind what, size_t columns) {
    const settings wanted = {.threads = 2};
    table *rows = make_numbers(what, columns);
    const problem task = {.settings = &wanted, .table = rows, .rows = table_view(rows)};
    cnm_error error = {0};
    bool found;
    check_ok(tails_are_foretold(&task, rows->labels.numbers, 0.0, &found, &error), &error);
    table_destroy(rows);
    return found;
}

static void what_is_made_up_is_not_foretold(void **unused) {
    (void)unused;
    assert_true(foretold(FORETOLD, COLUMNS));
    assert_false(foretold(MADE_UP, COLUMNS));
    assert_false(foretold(COPIED, COLUMNS));
    assert_false(foretold(FORETOLD, 1025)); /* too many to ask */
}

/* Of 5,000 rows one in `every` is far out, by a column that is `told` as far, or by none. */
static bool far_among_many(size_t every, float told) {
    enum { MANY = 5000 };
    const settings wanted = {.threads = 2};
    table *rows = table_make(MANY, COLUMNS);
    cnm_error error = {0};
    normals(1, MANY * COLUMNS, 1.0, rows->values);
    for (size_t i = 0; i < MANY; i++) {
        const bool far = i % every == 3;
        rows->values[i * COLUMNS] += far ? told : 0.0F;
        label_number(rows, far ? 1000.0 : uniform(2, i));
    }
    const problem task = {.settings = &wanted, .table = rows, .rows = table_view(rows)};
    bool found;
    check_ok(tails_are_foretold(&task, rows->labels.numbers, 0.5, &found, &error), &error);
    table_destroy(rows);
    return found;
}

/* Every fifth row would be asked, and none of these is one. That they are picked foretells nothing. */
static void few_far_rows_among_many_are_asked(void **unused) {
    (void)unused;
    assert_true(far_among_many(800, 40.0F));
    assert_false(far_among_many(800, 0.0F));
    assert_false(far_among_many(40, 0.0F)); /* more than are picked */
}

static const char *loss_for(kind what, settings wanted, char *text, size_t size) {
    table *rows = make_numbers(what, COLUMNS);
    cnm_model *model = train(rows, &wanted);
    (void)snprintf(text, size, "%s", record_get(&model->record, "loss"));
    model_destroy(model);
    table_destroy(rows);
    return text;
}

static void the_loss_follows(void **unused) {
    (void)unused;
    const settings wanted = {.method = METHOD_LINEAR, .task = WANT_REGRESS, .seed = 1, .threads = 1, .epochs = 2};
    char text[20];
    assert_string_equal(loss_for(FORETOLD, wanted, text, sizeof text), "squared");
    assert_string_equal(loss_for(MADE_UP, wanted, text, sizeof text), "huber");
    assert_string_equal(loss_for(COPIED, wanted, text, sizeof text), "huber");
}

static void count_notice(const char *sentence, void *user) {
    *(size_t *)user += strstr(sentence, "1 of 400 numbers to be predicted lie far from the others") != NULL;
}

/* What the first number is learned as. */
static double learned_as(settings wanted, size_t *told) {
    const cnm_callbacks callbacks = {.notice = count_notice, .user = told};
    table *rows = make_numbers(ONE, COLUMNS);
    cnm_error error = {0};
    cnm_model *model;
    problem task;
    check_ok(problem_create(&task, rows, &wanted, NULL, &callbacks, &error), &error);
    *told = 0; /* by the training alone */
    const double far = task.target_mean + task.target_scale * (double)task.targets[0];
    problem_free(&task);
    check_ok(learn(&model, rows, NULL, &wanted, &callbacks, &error), &error);
    assert_string_equal(record_get(&model->record, "loss"), "squared");
    model_destroy(model);
    table_destroy(rows);
    return far;
}

/* A lone one does not make most of the deviation: it is brought near, and that is said; not where a loss was asked for. */
static void a_lone_one_is_brought_near(void **unused) {
    (void)unused;
    settings wanted = {.method = METHOD_LINEAR, .task = WANT_REGRESS, .seed = 1, .threads = 1, .epochs = 2};
    size_t told;
    const double near = learned_as(wanted, &told);
    assert_int_equal(told, 1);
    assert_true(near > 4.0 && near < 9.0); /* 6 deviations of a normal column from its median */
    size_t count;
    const loss_ops *losses = loss_table(&count);
    wanted.loss = 1 + (int)(loss_find("squared") - losses);
    check_near(learned_as(wanted, &told), 60.0, 1e-3, "as it is", 0);
    assert_int_equal(told, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_made_up_is_not_foretold),
        cmocka_unit_test(few_far_rows_among_many_are_asked),
        cmocka_unit_test(the_loss_follows),
        cmocka_unit_test(a_lone_one_is_brought_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
