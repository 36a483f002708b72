/* Learning from a teacher: the gradient of the mixed loss is its derivative, a teacher that repeats
 * the labels changes nothing, one that knows better than noisy labels makes a better student, and a
 * teacher of something else is refused. */
#include "support/trainings.h"

#include <unistd.h>

#include "base/core/memory.h"
#include "learn/distill/teacher_loss.h"
#include "learn/objective/losses.h"

enum { ROWS = 40, CLASSES = 4 };

static char path[] = "cnm-teacher-XXXXXX";

static int make_path(void **unused) {
    (void)unused;
    return close(mkstemp(path));
}

static int remove_path(void **unused) {
    (void)unused;
    return remove(path);
}

/* Saves the model at `path`. */
static void keep(const cnm_model *model) {
    cnm_error error = {0};
    unsigned char *bytes;
    size_t size;
    check_ok(model_to_bytes(model, &bytes, &size, &error), &error);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    memory_free(bytes);
}

static settings joint(uint64_t features) {
    settings wanted = quick(METHOD_CNM);
    wanted.features = features;
    wanted.noise = wanted.decay = -1.0;
    return wanted;
}

static cnm_model *teach(const table *rows, settings wanted) {
    wanted.teacher = path;
    return train(rows, &wanted);
}

static table *make_numbers(uint64_t seed, size_t rows, double noise) {
    table *out = table_make(rows, 3);
    float *errors = take(rows, sizeof *errors);
    normals(seed, rows * 3, 1.0, out->values);
    normals(seed + 1, rows, noise, errors);
    for (size_t i = 0; i < rows; i++) {
        const float *row = out->values + 3 * i;
        label_number(out, 500.0 + 10.0 * (sin(2.0 * (double)row[0]) + (double)(row[1] * row[2]) + (double)errors[i]));
    }
    free(errors);
    return out;
}

/* ---- The loss ---- */

/* Against differences of the value. The positions descend, so that a wrong one shows. */
static void gradients_are_derivatives(void **unused) {
    (void)unused;
    const double step = 1.0 / 64.0;
    for (int numbers = 0; numbers < 2; numbers++) {
        cnm_error error = {0};
        table *rows = numbers ? make_numbers(1, 60, 0.1) : make_clouds(1, 60);
        settings wanted = joint(6);
        cnm_model *model = train(rows, &wanted);
        keep(model);
        wanted.teacher = path;
        dataset task;
        teacher *master;
        check_ok(dataset_create(&task, rows, &wanted, NULL, NULL, &error), &error);
        check_ok(teacher_create(&master, &task, &error), &error);
        assert_int_equal(teacher_features(master), 6);
        const size_t outputs = task.outputs;
        float scores[ROWS * CLASSES], slope[ROWS * CLASSES], other[ROWS * CLASSES], weights[ROWS], targets[ROWS];
        int32_t classes[ROWS];
        size_t positions[ROWS];
        normals(9, ROWS * outputs, 2.0, scores);
        for (size_t i = 0; i < ROWS; i++) {
            positions[i] = 59 - i;
            weights[i] = 0.5F + (float)uniform(3, i);
            classes[i] = numbers ? 0 : task.codes[positions[i]];
            targets[i] = numbers ? task.targets[positions[i]] : 0.0F;
        }
        const loss_batch batch = {ROWS, outputs, scores, classes, targets, weights, task.loss->parameter};
        (void)task.hint->evaluate(task.hint->context, task.loss, &batch, positions, slope);
        for (size_t i = 0; i < ROWS * outputs; i++) {
            const float kept = scores[i];
            scores[i] = kept + (float)step;
            const double up = task.hint->evaluate(task.hint->context, task.loss, &batch, positions, other);
            scores[i] = kept - (float)step;
            const double down = task.hint->evaluate(task.hint->context, task.loss, &batch, positions, other);
            scores[i] = kept;
            /* third derivatives of weighted terms are below 1.5; sums of 40 rows of floats */
            if (fabs((up - down) / (2.0 * step) - (double)slope[i]) > 1.5 * step * step + 1e-4) {
                fail_msg("%s: slope %zu is %g, differences give %g", numbers ? "numbers" : "classes", i,
                         (double)slope[i], (up - down) / (2.0 * step));
            }
        }
        teacher_destroy(master);
        dataset_free(&task);
        model_destroy(model);
        table_destroy(rows);
    }
}

/* ---- Trainings ---- */

/* A third of the student's rows have random labels; the teacher saw many right ones. More features
 * would fit the noise. */
static void a_teacher_is_better_than_noisy_labels(void **unused) {
    (void)unused;
    table *good = make_rings(1, 2000, 4), *rows = make_rings(2, 200, 4), *fresh = make_rings(3, 1000, 4);
    for (size_t i = 0; i < rows->rows; i++) {
        rows->labels.numbers[i] = uniform(7, i) < 0.33 ? (uniform(8, i) < 0.5 ? -1.0 : 1.0) : rows->labels.numbers[i];
    }
    const settings large = joint(64), small = joint(16);
    cnm_model *master = train(good, &large);
    keep(master);
    cnm_model *alone = train(rows, &small), *taught = teach(rows, small);
    const double before = figure_of(alone, fresh, "accuracy"), after = figure_of(taught, fresh, "accuracy");
    assert_string_equal(record_get(&taught->record, "teacher_features"), "64");
    assert_null(record_get(&alone->record, "teacher_features"));
    if (after < before + 0.03) {
        fail_msg("accuracy %.3f alone, %.3f taught", before, after);
    }
    model_destroy(master);
    model_destroy(alone);
    model_destroy(taught);
    table_destroy(good);
    table_destroy(rows);
    table_destroy(fresh);
}

static void regression_targets_keep_their_unit(void **unused) {
    (void)unused;
    table *good = make_numbers(1, 2000, 0.05), *rows = make_numbers(4, 150, 1.0), *fresh = make_numbers(7, 1000, 0.05);
    const settings large = joint(64), small = joint(16);
    cnm_model *master = train(good, &large);
    keep(master);
    cnm_model *alone = train(rows, &small), *taught = teach(rows, small);
    const double before = figure_of(alone, fresh, "r2"), after = figure_of(taught, fresh, "r2");
    if (!(after > before + 0.02)) {
        fail_msg("R2 %.3f alone, %.3f taught", before, after);
    }
    model_destroy(master);
    model_destroy(alone);
    model_destroy(taught);
    table_destroy(good);
    table_destroy(rows);
    table_destroy(fresh);
}

static void threads_search_and_16_bits_combine_with_a_teacher(void **unused) {
    (void)unused;
    table *rows = make_clouds(1, 200);
    settings wanted = joint(8);
    cnm_model *master = train(rows, &wanted);
    keep(master);
    wanted.dtype = DTYPE_F16;
    wanted.effort = EFFORT_NORMAL;
    wanted.epochs = 200;
    wanted.prune = 0.5;
    cnm_model *first = teach(rows, wanted);
    assert_int_equal(first->map->features, 4);
    for (size_t i = 0; i < COUNT_OF(THREADS); i++) {
        wanted.threads = THREADS[i];
        cnm_model *again = teach(rows, wanted);
        check_same_model(first, again, true, "threads");
        model_destroy(again);
    }
    model_destroy(master);
    model_destroy(first);
    table_destroy(rows);
}

/* A checkpoint is resumed to the same model, and only with the same teacher. */
static void a_training_is_resumed_with_the_same_teacher_only(void **unused) {
    (void)unused;
    char state[] = "cnm-taught-XXXXXX";
    assert_true(close(mkstemp(state)) == 0 && remove(state) == 0);
    cnm_error error = {0};
    table *rows = make_clouds(1, 200);
    settings wanted = joint(8);
    cnm_model *master = train(rows, &wanted), *again;
    keep(master);
    cnm_model *whole = teach(rows, wanted);
    wanted.checkpoint = state;
    wanted.checkpoint_every = 1e9;
    model_destroy(teach(rows, wanted));
    wanted.resume = true;
    again = teach(rows, wanted);
    check_same_model(whole, again, true, "resumed");
    keep(again); /* under the name of its teacher */
    model_destroy(again);
    wanted.teacher = path;
    check_refusal(learn(&again, rows, NULL, &wanted, NULL, &error), CNM_BAD_ARGUMENT, &error, "another teacher");
    remove(state);
    model_destroy(master);
    model_destroy(whole);
    table_destroy(rows);
}

/* ---- What is refused ---- */

static void refused(const table *rows, settings wanted, cnm_status expected, const char *words) {
    cnm_error error = {0};
    cnm_model *model;
    wanted.teacher = path;
    check_refusal(learn(&model, rows, NULL, &wanted, NULL, &error), expected, &error, words);
    assert_null(model);
}

static void teachers_of_something_else_are_refused(void **unused) {
    (void)unused;
    static const char *const NAMES[] = {"x", "y"}, *const OTHERS[] = {"x", "z"};
    table *clouds = make_clouds(1, 100), *rings = make_rings(1, 100, 2), *wide = make_rings(1, 100, 3);
    table *numbers = make_numbers(1, 100, 0.1);
    settings wanted = joint(4), hinge = wanted;
    hinge.loss = 1;
    clouds->names = take_owned(2, sizeof *clouds->names);
    for (size_t j = 0; j < 2; j++) {
        check_ok(memory_copy_text(&clouds->names[j], NAMES[j], NULL), NULL);
    }
    cnm_model *model = train(clouds, &wanted);
    keep(model);
    refused(clouds, hinge, CNM_BAD_ARGUMENT, "its probabilities need --loss softmax, not hinge");
    refused(rings, wanted, CNM_BAD_DATA, "its 4 classes are not the 2 of the rows");
    refused(wide, wanted, CNM_BAD_DATA, "the rows have 3 columns, the model expects 2");
    refused(numbers, wanted, CNM_BAD_DATA, "it predicts classes, but here are regression targets to learn");
    memory_free(clouds->names[1]);
    check_ok(memory_copy_text(&clouds->names[1], OTHERS[1], NULL), NULL);
    refused(clouds, wanted, CNM_BAD_DATA, "column 2 of the rows is \"z\", the model expects \"y\"");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    refused(clouds, wanted, CNM_BAD_FORMAT, path);
    model_destroy(model);
    table_destroy(clouds);
    table_destroy(rings);
    table_destroy(wide);
    table_destroy(numbers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_are_derivatives),
        cmocka_unit_test(a_teacher_is_better_than_noisy_labels),
        cmocka_unit_test(regression_targets_keep_their_unit),
        cmocka_unit_test(threads_search_and_16_bits_combine_with_a_teacher),
        cmocka_unit_test(a_training_is_resumed_with_the_same_teacher_only),
        cmocka_unit_test(teachers_of_something_else_are_refused),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
