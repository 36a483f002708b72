/* What a training says of its label before anything is learned, and that one class is refused. */
#include "learn/train/label_summary.h"

#include "support/made_tables.h"

enum { LINES = 4 };

typedef struct heard {
    size_t count;
    char lines[LINES][CNM_MESSAGE_SIZE];
} heard;

static void hear(const char *sentence, void *user) {
    heard *self = user;
    if (self->count < LINES) {
        (void)snprintf(self->lines[self->count], sizeof self->lines[0], "%s", sentence);
    }
    self->count++;
}

static heard told;
static const cnm_callbacks HEARING = {.struct_size = sizeof(cnm_callbacks), .info = hear, .user = &told};

/* Adds so many rows with this label. */
static void add_label(label_column *labels, const char *text, size_t rows) {
    cnm_error error;
    for (size_t i = 0; i < rows; i++) {
        check_ok(labels_add_text(labels, text, strlen(text), &error), &error);
    }
}

static cnm_status summarise(const label_column *labels, task_kind task, int wanted, const char *name,
                            const char *reason, cnm_error *err) {
    const settings asked = {.task = wanted};
    const label_origin origin = {name, reason};
    told = (heard){0};
    return label_summarise(labels, task, &asked, name == NULL ? NULL : &origin, &HEARING, err);
}

static void check_line(size_t i, const char *expected) {
    assert_true(i < told.count);
    assert_string_equal(told.lines[i], expected);
}

static void a_few_classes_are_listed_with_their_shares(void **unused) {
    (void)unused;
    cnm_error error;
    label_column labels = {0};
    add_label(&labels, "No", 73);
    add_label(&labels, "Yes", 27);
    check_ok(summarise(&labels, TASK_CLASSIFY, WANT_AUTO, "churned", "by its name", &error), &error);
    assert_int_equal(told.count, 2);
    check_line(0, "label: churned (by its name), 2 classes: No 73 %, Yes 27 %");
    check_line(1, "task: classification, since the labels are words");
    check_ok(summarise(&labels, TASK_CLASSIFY, WANT_CLASSIFY, "churned", NULL, &error), &error);
    assert_int_equal(told.count, 1); /* the task was given */
    check_line(0, "label: churned, 2 classes: No 73 %, Yes 27 %");
    labels_free(&labels);
}

static void of_many_classes_the_most_and_the_least_frequent_are_named(void **unused) {
    (void)unused;
    cnm_error error;
    label_column labels = {0};
    static const struct {
        const char *text;
        size_t rows;
    } CLASSES[] = {{"1", 10}, {"2", 10}, {"3", 10}, {"4", 66}, {"5", 3}, {"6", 1}};
    for (size_t i = 0; i < COUNT_OF(CLASSES); i++) {
        add_label(&labels, CLASSES[i].text, CLASSES[i].rows);
    }
    check_ok(summarise(&labels, TASK_CLASSIFY, WANT_AUTO, NULL, NULL, &error), &error);
    check_line(0, "label: 6 classes: the largest 4 66 %, the smallest 6 1 %");
    check_line(1, "task: classification, since the labels are a few whole numbers (--task regress takes them for "
                  "numbers)");
    labels_free(&labels);
}

/* Rounding never says that a class has no row, or that it has all. */
static void rare_classes_are_not_rounded_away(void **unused) {
    (void)unused;
    cnm_error error;
    label_column labels = {0};
    add_label(&labels, "0", 999);
    add_label(&labels, "1", 1);
    check_ok(summarise(&labels, TASK_CLASSIFY, WANT_AUTO, NULL, NULL, &error), &error);
    check_line(0, "label: 2 classes: 0 over 99 %, 1 under 1 %");
    check_line(1, "task: classification, since the labels have two values");
    labels_free(&labels);
}

static void numbers_have_a_range_and_a_mean(void **unused) {
    (void)unused;
    cnm_error error;
    label_column labels = {0};
    static const char *const NUMBERS[] = {"-2.5", "0", "1", "11.5"};
    for (size_t i = 0; i < COUNT_OF(NUMBERS); i++) {
        add_label(&labels, NUMBERS[i], 1);
    }
    check_ok(summarise(&labels, TASK_REGRESS, WANT_AUTO, "zip", "the last column", &error), &error);
    check_line(0, "label: zip (the last column), numbers to predict, from -2.500 to 11.5, mean 2.500");
    check_line(1, "task: regression, since the labels are many numbers (--task classify takes them for classes)");
    labels_free(&labels);
}

/* One value only is no regression, unless that was asked for. */
static void one_class_is_refused_with_the_name_of_its_column(void **unused) {
    (void)unused;
    static const char *const LABELS[] = {"yes", "3", "0.5"};
    for (size_t i = 0; i < COUNT_OF(LABELS); i++) {
        cnm_error error;
        label_column labels = {0};
        add_label(&labels, LABELS[i], 40);
        const task_kind guess = i == 0 ? TASK_CLASSIFY : TASK_REGRESS;
        assert_int_equal(summarise(&labels, guess, WANT_AUTO, "answer", NULL, &error), CNM_BAD_DATA);
        assert_non_null(strstr(error.message, "all 40 rows have the same label"));
        assert_non_null(strstr(error.message, "in column 'answer'"));
        assert_non_null(strstr(error.message, "--label-column"));
        assert_int_equal(told.count, 0);
        assert_int_equal(summarise(&labels, TASK_CLASSIFY, WANT_CLASSIFY, NULL, NULL, &error), CNM_BAD_DATA);
        if (i > 0) {
            check_ok(summarise(&labels, TASK_REGRESS, WANT_REGRESS, NULL, NULL, &error), &error);
        }
        labels_free(&labels);
    }
}

/* A sentence has room for any name. */
static void long_names_are_cut(void **unused) {
    (void)unused;
    cnm_error error;
    label_column labels = {0};
    char name[4000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    for (char first = 'a'; first < 'f'; first++) {
        name[0] = first;
        add_label(&labels, name, 2);
    }
    check_ok(summarise(&labels, TASK_CLASSIFY, WANT_AUTO, name, name, &error), &error);
    assert_int_equal(told.count, 2);
    assert_true(strlen(told.lines[0]) < CNM_MESSAGE_SIZE - 1);
    labels_free(&labels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_few_classes_are_listed_with_their_shares),
        cmocka_unit_test(of_many_classes_the_most_and_the_least_frequent_are_named),
        cmocka_unit_test(rare_classes_are_not_rounded_away),
        cmocka_unit_test(numbers_have_a_range_and_a_mean),
        cmocka_unit_test(one_class_is_refused_with_the_name_of_its_column),
        cmocka_unit_test(long_names_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
