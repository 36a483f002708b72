/* Splits by whole groups: no group is on both sides, shares are near those asked for, and
 * validation by groups is not optimistic where rows of a group resemble each other. */
#include "support/made_session.h"
#include "support/trainings.h"

#include "learn/dataset/group_folds.h"
#include "learn/dataset/split.h"

enum { FOLDS = 5, CLASSES = 3 };

/* Keys of about `groups` groups, in stretches or mixed up; codes by group, by row, or none. */
typedef struct grouped {
    size_t rows, groups;
    bool mixed;
    int codes; /* 0 none, 1 by group, 2 by row */
} grouped;

static const grouped CASES[] = {
    {600, 40, false, 1}, {600, 40, true, 2}, {600, 40, true, 1}, {2000, 300, true, 0}, {100, 2, false, 2},
    {100, 3, true, 0},   {97, 97, false, 2}, {500, 7, false, 2}, {1000, 900, true, 2},
};

typedef struct made_task {
    dataset problem;
    uint64_t *keys;
    int32_t *codes;
} made_task;

static made_task make_task(const grouped *is) {
    made_task out = {.keys = take(is->rows, sizeof(uint64_t)), .codes = take(is->rows, sizeof(int32_t))};
    for (size_t i = 0; i < is->rows; i++) {
        const size_t place = is->mixed ? (size_t)(uniform(7, i) * (double)is->rows) : i;
        const size_t group = place * is->groups / is->rows;
        out.keys[i] = (group + 1) * UINT64_C(0x9e3779b97f4a7c15);
        out.codes[i] = (int32_t)(is->codes == 1 ? group % CLASSES : (size_t)(uniform(9, i) * CLASSES));
    }
    out.problem = (dataset){.rows = {.rows = is->rows, .columns = 1},
                            .classes = {.count = is->codes > 0 ? CLASSES : 0},
                            .codes = is->codes > 0 ? out.codes : NULL,
                            .groups = out.keys};
    return out;
}

static void free_task(made_task *self) {
    free(self->keys);
    free(self->codes);
}

/* Checks that each row is on one side, in order, each group too, and each class among the training
 * rows. Returns the share that is held out. */
static double check_split(const row_split *split, const made_task *made) {
    const size_t rows = made->problem.rows.rows;
    bool *held = take(rows, sizeof *held), seen[CLASSES] = {false};
    assert_int_equal(split->train_count + split->held_count, rows);
    for (size_t i = 0; i < split->held_count; i++) {
        assert_true(i == 0 || split->held[i] > split->held[i - 1]);
        held[split->held[i]] = true;
    }
    for (size_t i = 0; i < split->train_count; i++) {
        assert_true(i == 0 || split->train[i] > split->train[i - 1]);
        assert_false(held[split->train[i]]);
        seen[made->codes[split->train[i]]] = true;
    }
    for (size_t i = 0; i < rows; i++) {
        assert_true(seen[made->codes[i]] || made->problem.codes == NULL);
        for (size_t j = 0; j < i; j++) {
            if (made->keys[i] == made->keys[j] && held[i] != held[j]) {
                fail_msg("rows %zu and %zu are of one group and on both sides", j, i);
            }
        }
    }
    free(held);
    return (double)split->held_count / (double)rows;
}

static void no_group_is_on_both_sides(void **unused) {
    (void)unused;
    cnm_error error = {0};
    for (size_t c = 0; c < COUNT_OF(CASES); c++) {
        made_task made = make_task(&CASES[c]);
        for (size_t fold = 0; fold < FOLDS + 2; fold++) {
            row_split split;
            check_ok(fold < FOLDS ? split_create_spread(&split, &made.problem, fold, &error)
                                  : split_create(&split, &made.problem, fold == FOLDS ? 0.2 : 0.5, &error),
                     &error);
            const double share = check_split(&split, &made), wanted = fold == FOLDS + 1 ? 0.5 : 0.2;
            const double unit = 1.0 / (double)CASES[c].groups; /* shares come in whole groups */
            if (fabs(share - wanted) > 0.02 + 1.5 * unit || share <= 0.0) {
                fail_msg("case %zu, split %zu: %.3f of the rows are held, asked for %.1f", c, fold, share, wanted);
            }
            split_free(&split);
        }
        free_task(&made);
    }
}

/* Five folds together hold out every row once. */
static void folds_are_a_partition(void **unused) {
    (void)unused;
    cnm_error error = {0};
    made_task made = make_task(&CASES[1]);
    size_t *times = take(CASES[1].rows, sizeof *times);
    for (size_t fold = 0; fold < FOLDS; fold++) {
        row_split split;
        check_ok(split_create_spread(&split, &made.problem, fold, &error), &error);
        for (size_t i = 0; i < split.held_count; i++) {
            times[split.held[i]]++;
        }
        split_free(&split);
    }
    for (size_t i = 0; i < CASES[1].rows; i++) {
        assert_int_equal(times[i], 1);
    }
    free(times);
    free_task(&made);
}

/* Groups of one class each: every class has about its share among the held-out rows, however
 * rare. */
static void classes_keep_their_share(void **unused) {
    (void)unused;
    enum { ROWS = 1200, GROUPS = 240 };
    cnm_error error = {0};
    made_task made = make_task(&(grouped){ROWS, GROUPS, false, 1});
    /* a tenth of the groups is of class 1, a tenth of class 2 */
    for (size_t i = 0; i < ROWS; i++) {
        const size_t group = i * GROUPS / ROWS;
        made.codes[i] = group % 10 == 3 ? 1 : group % 10 == 7 ? 2 : 0;
    }
    for (size_t fold = 0; fold <= FOLDS; fold++) {
        row_split split;
        size_t count[CLASSES] = {0};
        check_ok(fold < FOLDS ? split_create_spread(&split, &made.problem, fold, &error)
                              : split_create(&split, &made.problem, 0.25, &error),
                 &error);
        for (size_t i = 0; i < split.held_count; i++) {
            count[made.codes[split.held[i]]]++;
        }
        const double wanted = (fold < FOLDS ? 0.2 : 0.25) * ROWS;
        assert_true(fabs((double)count[0] - 0.8 * wanted) <= 5.0); /* a group has 5 rows */
        assert_true(fabs((double)count[1] - 0.1 * wanted) <= 5.0);
        assert_true(fabs((double)count[2] - 0.1 * wanted) <= 5.0);
        split_free(&split);
    }
    free_task(&made);
}

/* Rows in time order: the last groups are held out. */
static void the_last_groups_are_held_out(void **unused) {
    (void)unused;
    cnm_error error = {0};
    row_split split;
    made_task made = make_task(&(grouped){600, 40, false, 0});
    check_ok(split_create(&split, &made.problem, 0.2, &error), &error);
    assert_int_equal(split.held_count, 120);
    assert_int_equal(split.held[0], 480);
    split_free(&split);
    free_task(&made);
}

static void splits_that_are_impossible_are_refused(void **unused) {
    (void)unused;
    cnm_error error = {0};
    row_split split;
    made_task one = make_task(&(grouped){60, 1, false, 2});
    check_refusal(split_create(&split, &one.problem, 0.2, &error), CNM_BAD_DATA, &error,
                  "no group of rows can be held");
    check_ok(split_create_spread(&split, &one.problem, 0, &error), &error);
    assert_int_equal(split.held_count, 0);
    split_free(&split);
    made_task classes = make_task(&(grouped){60, 3, false, 1}); /* each class is one group */
    check_refusal(split_create(&split, &classes.problem, 0.3, &error), CNM_BAD_DATA, &error, "none of a class");
    free_task(&one);
    free_task(&classes);
}

/* ---- Trainings ---- */

/* Makes groups around a point each with a random label: nothing can be learned but which rows
 * belong to the same group. */
static table *make_random_groups(size_t rows, size_t size, size_t columns) {
    table *out = table_make(rows, columns);
    out->groups = take_owned(rows, sizeof *out->groups);
    out->group_capacity = rows;
    normals(3, rows * columns, 0.02, out->values);
    for (size_t i = 0; i < rows; i++) {
        const size_t group = i % (rows / size);
        float centre[8];
        normals(1000 + group, columns, 1.0, centre);
        for (size_t j = 0; j < columns; j++) {
            out->values[i * columns + j] += centre[j];
        }
        out->groups[i] = group;
        label_text(out, uniform(5, group) < 0.5 ? "a" : "b");
    }
    return out;
}

static double validation_of(const table *rows, const settings *wanted) {
    cnm_model *model = train(rows, wanted);
    const char *text = record_get(&model->record, "validation_score");
    assert_non_null(text);
    const double score = strtod(text, NULL);
    model_destroy(model);
    return score;
}

/* 60 held-out groups: chance is 0.5 with a standard deviation of 0.065; the best of 20 evaluations
 * lies above that. */
static void validation_by_groups_is_not_optimistic(void **unused) {
    (void)unused;
    table *rows = make_random_groups(1500, 10, 6);
    settings wanted = quick(METHOD_CNM);
    wanted.validation = 0.4;
    wanted.noise = wanted.decay = -1.0;
    const double honest = validation_of(rows, &wanted);
    uint64_t *groups = rows->groups;
    rows->groups = NULL;
    const double fooled = validation_of(rows, &wanted);
    rows->groups = groups;
    if (honest > 0.7 || fooled < 0.95) {
        fail_msg("by groups %.3f, expected chance; by rows %.3f, expected all", honest, fooled);
    }
    table_destroy(rows);
}

/* The search and the temperature of a margin loss split by groups too; with a single group they are
 * left out, or refused. */
static void search_and_calibration_split_by_groups(void **unused) {
    (void)unused;
    cnm_error error = {0};
    cnm_model *model;
    table *rows = make_random_groups(300, 10, 6);
    settings wanted = quick(METHOD_CNM);
    wanted.effort = EFFORT_NORMAL;
    wanted.features = 8;
    wanted.epochs = 500;
    wanted.noise = wanted.decay = -1.0;
    check_ok(learn(&model, rows, NULL, &wanted, NULL, &error), &error);
    model_destroy(model);
    for (size_t i = 0; i < rows->rows; i++) {
        rows->groups[i] = 1;
    }
    check_refusal(learn(&model, rows, NULL, &wanted, NULL, &error), CNM_BAD_DATA, &error, "--effort quick");
    wanted.effort = EFFORT_QUICK;
    check_ok(learn(&model, rows, NULL, &wanted, NULL, &error), &error);
    model_destroy(model);
    const settings random = quick(METHOD_RFF); /* hinge: a temperature, if rows can be held out */
    check_ok(learn(&model, rows, NULL, &random, NULL, &error), &error);
    assert_null(record_get(&model->record, "temperature"));
    model_destroy(model);
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_group_is_on_both_sides),
        cmocka_unit_test(folds_are_a_partition),
        cmocka_unit_test(classes_keep_their_share),
        cmocka_unit_test(the_last_groups_are_held_out),
        cmocka_unit_test(splits_that_are_impossible_are_refused),
        cmocka_unit_test(validation_by_groups_is_not_optimistic),
        cmocka_unit_test(search_and_calibration_split_by_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
