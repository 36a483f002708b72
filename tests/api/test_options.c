/* The one table of options: defaults agree with their texts, every value is checked, every complaint says what to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/option_table.h"
#include "api/options.h"
#include "api/suggest.h"
#include "learn/objective/losses.h"

static size_t allocations_left = SIZE_MAX;

/* Stands before the C library's: base/core/memory.c asks for memory here only. */
void *aligned_alloc(size_t alignment, size_t size) {
    void *out = NULL;
    if (allocations_left == 0) {
        return NULL;
    }
    allocations_left -= allocations_left != SIZE_MAX;
    return posix_memalign(&out, alignment, size) == 0 ? out : NULL;
}

static cnm_options *fresh(void) {
    cnm_options *options;
    assert_int_equal(cnm_options_create(&options, NULL), CNM_OK);
    return options;
}

/* Field by field: padding does not count, and texts are compared as pointers (all NULL in the defaults). */
static void assert_same_settings(const settings *a, const settings *b) {
    assert_int_equal(a->method, b->method);
    assert_int_equal(a->projection, b->projection);
    assert_int_equal(a->init, b->init);
    assert_int_equal(a->phase, b->phase);
    assert_int_equal(a->features, b->features);
    assert_int_equal(a->kernel, b->kernel);
    assert_int_equal(a->gamma, b->gamma);
    assert_true(a->gamma_number == b->gamma_number);
    assert_int_equal(a->activation, b->activation);
    assert_int_equal(a->task, b->task);
    assert_int_equal(a->weights, b->weights);
    assert_int_equal(a->recipe, b->recipe);
    assert_int_equal(a->iterations, b->iterations);
    assert_int_equal(a->head_steps, b->head_steps);
    assert_int_equal(a->map_steps, b->map_steps);
    assert_int_equal(a->loss, b->loss);
    assert_true(a->lambda == b->lambda);
    assert_int_equal(a->theta_penalty, b->theta_penalty);
    assert_true(a->theta_penalty_weight == b->theta_penalty_weight);
    assert_int_equal(a->epochs, b->epochs);
    assert_int_equal(a->batch, b->batch);
    assert_ptr_equal(a->teacher, b->teacher);
    assert_true(a->prune == b->prune);
    assert_true(a->validation == b->validation);
    assert_int_equal(a->patience, b->patience);
    assert_int_equal(a->cv, b->cv);
    assert_true(a->time_limit == b->time_limit);
    assert_ptr_equal(a->class_weight, b->class_weight);
    assert_int_equal(a->seed, b->seed);
    assert_int_equal(a->threads, b->threads);
    assert_ptr_equal(a->checkpoint, b->checkpoint);
    assert_true(a->checkpoint_every == b->checkpoint_every);
    assert_int_equal(a->resume, b->resume);
    assert_int_equal(a->scale, b->scale);
    assert_int_equal(a->missing, b->missing);
    assert_int_equal(a->format, b->format);
    assert_int_equal(a->header, b->header);
    assert_int_equal(a->separator, b->separator);
    assert_ptr_equal(a->labels, b->labels);
    assert_ptr_equal(a->label_column, b->label_column);
    assert_ptr_equal(a->weight_column, b->weight_column);
    assert_ptr_equal(a->group_column, b->group_column);
    assert_ptr_equal(a->positive, b->positive);
    assert_ptr_equal(a->rows, b->rows);
    assert_int_equal(a->first_row, b->first_row);
    assert_int_equal(a->last_row, b->last_row);
    assert_int_equal(a->shuffle, b->shuffle);
    assert_int_equal(a->shuffle_seed, b->shuffle_seed);
}

/* Starting from settings full of other values, reading every row's initial text must give the defaults: no field is
 * forgotten, and no default is stated twice with two values. */
static void initial_texts_mean_the_defaults(void **state) {
    (void)state;
    settings values;
    memset(&values, 0x55, sizeof values);
    values.resume = values.shuffle = true; /* 0x55 is not a bool */
    for (size_t i = 0; i < option_table_size(); i++) {
        const option_row *row = option_table_row(i);
        char text[64];
        cnm_error error;
        assert_true(strlen(row->info.initial) < sizeof text);
        strcpy(text, row->info.initial);
        if (row->read(row, text, &values, &error) != CNM_OK) {
            fail_msg("--%s: its own default is refused: %s", row->info.name, error.message);
        }
    }
    assert_same_settings(&values, &OPTION_DEFAULTS);
    assert_same_settings(options_settings(NULL), &OPTION_DEFAULTS);
    cnm_options *options = fresh();
    assert_same_settings(options_settings(options), &OPTION_DEFAULTS);
    cnm_options_destroy(options);
}

static void rows_are_complete_and_names_unique(void **state) {
    (void)state;
    for (size_t i = 0; i < option_table_size(); i++) {
        const cnm_option_info *a = &option_table_row(i)->info;
        assert_non_null(strstr("choice count number text flag", a->type));
        assert_true(a->help[0] != '\0' && a->group[0] != '\0' && a->values[0] != '\0' && a->purpose != 0);
        for (size_t j = 0; j < i; j++) {
            const cnm_option_info *b = &option_table_row(j)->info;
            assert_string_not_equal(a->name, b->name);
            assert_true(a->letter == 0 || a->letter != b->letter);
        }
    }
}

static void described_options_can_be_set_to_their_defaults(void **state) {
    (void)state;
    cnm_options *options = fresh();
    cnm_option_info info;
    for (size_t i = 0; i < cnm_options_count(); i++) {
        cnm_error error;
        assert_true(cnm_options_describe(i, &info));
        assert_string_equal(cnm_options_get(options, info.name), info.initial);
        if (cnm_options_set(options, info.name, info.initial, &error) != CNM_OK) {
            fail_msg("--%s: %s", info.name, error.message);
        }
    }
    assert_false(cnm_options_describe(cnm_options_count(), &info));
    assert_same_settings(options_settings(options), &OPTION_DEFAULTS);
    cnm_options_destroy(options);
}

static void set_values_arrive_in_the_settings(void **state) {
    (void)state;
    static const char *const PAIRS[][2] = {
        {"method", "linear"},
        {"features", "512"},
        {"projection", "circulant"},
        {"init", "orthogonal"},
        {"phase", "none"},
        {"kernel", "cauchy"},
        {"gamma", "0.25"},
        {"activation", "relu"},
        {"task", "map"},
        {"weights", "f16"},
        {"recipe", "alternating"},
        {"iterations", "11"},
        {"head-steps", "12"},
        {"map-steps", "13"},
        {"loss", "hinge"},
        {"lambda", "1e-4"},
        {"theta-penalty", "l1:0.125"},
        {"epochs", "7"},
        {"batch", "500"},
        {"teacher", "large.cnm"},
        {"prune", "0.5"},
        {"validation", "0.25"},
        {"patience", "3"},
        {"class-weight", "balanced"},
        {"scale", "asinh"},
        {"missing", "mean"},
        {"format", "idx"},
        {"labels", "y.idx"},
        {"label-column", "3"},
        {"weight-column", "w"},
        {"group-column", "patient"},
        {"positive", "a,b"},
        {"shuffle", "9"},
        {"rows", "11:20"},
        {"header", "no"},
        {"separator", "tab"},
        {"threads", "7"},
        {"seed", "18446744073709551615"},
    };
    cnm_options *options = fresh();
    for (size_t i = 0; i < sizeof PAIRS / sizeof PAIRS[0]; i++) {
        cnm_error error;
        if (cnm_options_set(options, PAIRS[i][0], PAIRS[i][1], &error) != CNM_OK) {
            fail_msg("%s", error.message);
        }
        assert_string_equal(cnm_options_get(options, PAIRS[i][0]), PAIRS[i][1]);
    }
    cnm_options *copy;
    assert_int_equal(cnm_options_copy(&copy, options, NULL), CNM_OK);
    cnm_options_destroy(options);
    const settings *s = options_settings(copy);
    assert_int_equal(s->method, METHOD_LINEAR);
    assert_int_equal(s->features, 512);
    assert_int_equal(s->projection, 1);
    assert_int_equal(s->init, 2);
    assert_int_equal(s->phase, 1);
    assert_int_equal(s->kernel, 2);
    assert_int_equal(s->gamma, GAMMA_NUMBER);
    assert_true(s->gamma_number == 0.25);
    assert_int_equal(s->activation, 2);
    assert_int_equal(s->task, WANT_MAP);
    assert_int_equal(s->weights, WEIGHTS_HALF);
    assert_int_equal(s->loss, 1);
    assert_true(s->lambda == 1e-4);
    assert_int_equal(s->epochs, 7);
    assert_int_equal(s->batch, 500);
    assert_int_equal(s->recipe, RECIPE_ALTERNATING);
    assert_int_equal(s->iterations, 11);
    assert_int_equal(s->head_steps, 12);
    assert_int_equal(s->map_steps, 13);
    assert_int_equal(s->theta_penalty, PENALTY_L1);
    assert_true(s->theta_penalty_weight == 0.125);
    assert_string_equal(s->teacher, "large.cnm");
    assert_true(s->prune == 0.5);
    assert_true(s->validation == 0.25);
    assert_int_equal(s->patience, 3);
    assert_string_equal(s->class_weight, "balanced");
    assert_int_equal(s->scale, 5);
    assert_int_equal(s->missing, 1);
    assert_int_equal(s->format, 5);
    assert_string_equal(s->labels, "y.idx");
    assert_string_equal(s->label_column, "3");
    assert_string_equal(s->weight_column, "w");
    assert_string_equal(s->group_column, "patient");
    assert_string_equal(s->positive, "a,b");
    assert_true(s->shuffle);
    assert_int_equal(s->shuffle_seed, 9);
    assert_string_equal(s->rows, "11:20");
    assert_int_equal(s->first_row, 11);
    assert_int_equal(s->last_row, 20);
    assert_int_equal(s->header, 2);
    assert_int_equal(s->separator, '\t');
    assert_int_equal(s->threads, 7);
    assert_true(s->seed == UINT64_MAX);
    cnm_options_destroy(copy);
}

static void a_value_set_back_to_its_default_is_forgotten(void **state) {
    (void)state;
    cnm_options *options = fresh();
    static const char *const TRIPLES[][3] = {
        {"gamma", "2", "auto"},        {"shuffle", "3", "none"},   {"rows", "2:3", ""},     {"labels", "f", ""},
        {"label-column", "2", "auto"}, {"separator", ";", "auto"}, {"epochs", "2", "auto"},
    };
    for (size_t i = 0; i < sizeof TRIPLES / sizeof TRIPLES[0]; i++) {
        assert_int_equal(cnm_options_set(options, TRIPLES[i][0], TRIPLES[i][1], NULL), CNM_OK);
        assert_int_equal(cnm_options_set(options, TRIPLES[i][0], TRIPLES[i][2], NULL), CNM_OK);
    }
    assert_same_settings(options_settings(options), &OPTION_DEFAULTS);
    cnm_options_destroy(options);
}

static void row_ranges_may_be_open(void **state) {
    (void)state;
    cnm_options *options = fresh();
    const settings *s = options_settings(options);
    assert_int_equal(cnm_options_set(options, "rows", "5:", NULL), CNM_OK);
    assert_true(s->first_row == 5 && s->last_row == 0);
    assert_int_equal(cnm_options_set(options, "rows", ":9", NULL), CNM_OK);
    assert_true(s->first_row == 0 && s->last_row == 9);
    assert_int_equal(cnm_options_set(options, "rows", "7:7", NULL), CNM_OK);
    assert_true(s->first_row == 7 && s->last_row == 7);
    cnm_options_destroy(options);
}

typedef struct complaint {
    const char *name, *value;
    cnm_status status;
    const char *message; /* the whole sentence */
} complaint;

static const complaint COMPLAINTS[] = {
    {"gama", "1", CNM_BAD_ARGUMENT, "there is no option --gama; did you mean --gamma?"},
    {"proj", "dense", CNM_BAD_ARGUMENT, "there is no option --proj; did you mean --projection?"},
    {"frobnicate", "1", CNM_BAD_ARGUMENT, "there is no option --frobnicate"},
    {"projection", "circular", CNM_BAD_ARGUMENT,
     "--projection cannot be \"circular\": expected dense, circulant or circulant-diagonal; did you mean circulant?"},
    {"projection", "7", CNM_BAD_ARGUMENT,
     "--projection cannot be \"7\": expected dense, circulant or circulant-diagonal"},
    {"kernel", "guassian", CNM_BAD_ARGUMENT,
     "--kernel cannot be \"guassian\": expected gaussian, laplacian or cauchy; did you mean gaussian?"},
    {"kernel", "", CNM_BAD_ARGUMENT, "--kernel cannot be \"\": expected gaussian, laplacian or cauchy"},
    {"features", "0", CNM_BAD_ARGUMENT, "--features cannot be \"0\": expected a whole number: auto or 1 to 1e9"},
    {"features", "1000000001", CNM_BAD_ARGUMENT,
     "--features cannot be \"1000000001\": expected a whole number: auto or 1 to 1e9"},
    {"features", "12x", CNM_BAD_ARGUMENT, "--features cannot be \"12x\": expected a whole number: auto or 1 to 1e9"},
    {"features", "-3", CNM_BAD_ARGUMENT, "--features cannot be \"-3\": expected a whole number: auto or 1 to 1e9"},
    {"seed", "18446744073709551616", CNM_BAD_ARGUMENT,
     "--seed cannot be \"18446744073709551616\": expected a whole number: 0 to 18446744073709551615"},
    {"gamma", "0", CNM_BAD_ARGUMENT,
     "--gamma cannot be \"0\": expected auto, knn, paper or a number from 1e-20 to 1e20"},
    {"gamma", "0,5", CNM_BAD_ARGUMENT,
     "--gamma cannot be \"0,5\": expected auto, knn, paper or a number from 1e-20 to 1e20"},
    {"gamma", "nan", CNM_BAD_ARGUMENT,
     "--gamma cannot be \"nan\": expected auto, knn, paper or a number from 1e-20 to 1e20"},
    {"gamma", "inf", CNM_BAD_ARGUMENT,
     "--gamma cannot be \"inf\": expected auto, knn, paper or a number from 1e-20 to 1e20"},
    {"lambda", "0", CNM_BAD_ARGUMENT, "--lambda cannot be \"0\": expected a number: auto or 1e-12 to 1e6"},
    {"rows", "0:5", CNM_BAD_ARGUMENT,
     "--rows cannot be \"0:5\": expected rows counted from 1, the first not behind the last: A:B, A: or :B"},
    {"rows", "9:5", CNM_BAD_ARGUMENT,
     "--rows cannot be \"9:5\": expected rows counted from 1, the first not behind the last: A:B, A: or :B"},
    {"rows", "5", CNM_BAD_ARGUMENT,
     "--rows cannot be \"5\": expected rows counted from 1, the first not behind the last: A:B, A: or :B"},
    {"shuffle", "yes", CNM_BAD_ARGUMENT, "--shuffle cannot be \"yes\": expected a whole number: none or SEED"},
    {"separator", "ab", CNM_BAD_ARGUMENT,
     "--separator cannot be \"ab\": expected one of these, or the character itself: auto, comma, semicolon, tab, space "
     "or bar"},
    {"label-column", "", CNM_BAD_ARGUMENT,
     "--label-column cannot be \"\": expected auto, first, last, N, NAME or none"},
    {"method", "cmn", CNM_BAD_ARGUMENT,
     "--method cannot be \"cmn\": expected cnm, rff, kernel or linear; did you mean cnm?"},
    {"loss", "hing", CNM_BAD_ARGUMENT,
     "--loss cannot be \"hing\": expected auto, hinge, squared-hinge, logistic, softmax, crammer-singer, squared, "
     "huber or "
     "epsilon; did you mean hinge?"},
    {"recipe", "alternate", CNM_BAD_ARGUMENT,
     "--recipe cannot be \"alternate\": expected joint or alternating; did you mean alternating?"},
    {"theta-penalty", "0.5", CNM_BAD_ARGUMENT, "--theta-penalty cannot be \"0.5\": expected none, l1:V or l2:V"},
    {"validation", "20", CNM_BAD_ARGUMENT, "--validation cannot be \"20\": expected a number: 0 to 0.9"},
    {"class-weight", "", CNM_BAD_ARGUMENT,
     "--class-weight cannot be \"\": expected auto, none, balanced or LABEL:W,..."},
    {"cv", "5", CNM_UNSUPPORTED, "--cv is not in this version yet: hold rows back with --validation"},
    {"checkpoint-every", "0", CNM_BAD_ARGUMENT,
     "--checkpoint-every cannot be \"0\": expected a number: auto or 1e-3 to 1e9"},
    {"resume", "maybe", CNM_BAD_ARGUMENT, "--resume cannot be \"maybe\": expected no or yes"},
};

static void every_complaint_says_what_was_given_and_what_is_right(void **state) {
    (void)state;
    cnm_options *options = fresh();
    for (size_t i = 0; i < sizeof COMPLAINTS / sizeof COMPLAINTS[0]; i++) {
        const complaint *c = &COMPLAINTS[i];
        cnm_error error = {CNM_OK, ""};
        assert_int_equal(cnm_options_set(options, c->name, c->value, &error), c->status);
        assert_int_equal(error.status, c->status);
        assert_string_equal(error.message, c->message);
        assert_int_equal(cnm_options_set(options, c->name, c->value, NULL), c->status);
    }
    assert_same_settings(options_settings(options), &OPTION_DEFAULTS); /* a refused value changes nothing */
    cnm_options_destroy(options);
}

/* The words of a choice are numbered in the order of the table that it picks from. */
static void losses_are_in_the_order_of_their_table(void **state) {
    (void)state;
    size_t count;
    const loss_ops *losses = loss_table(&count);
    cnm_options *options = fresh();
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(cnm_options_set(options, "loss", losses[i].name, NULL), CNM_OK);
        assert_int_equal(options_settings(options)->loss, i + 1);
    }
    cnm_options_destroy(options);
}

/* Options, and the sentence that refuses them together; NULL where they go together. */
typedef struct combination {
    const char *pairs[8]; /* NULL-ended */
    const char *message;
} combination;

static const combination COMBINATIONS[] = {
    {{"recipe", "alternating", "method", "rff"}, "--recipe alternating needs --method cnm"},
    {{"recipe", "joint", "method", "kernel"}, "--recipe joint needs --method cnm"},
    {{"iterations", "5"}, "--iterations 5 needs --method cnm --recipe alternating"},
    {{"head-steps", "5", "method", "kernel"}, "--head-steps 5 needs --method cnm --recipe alternating"},
    {{"map-steps", "5"}, "--map-steps 5 needs --method cnm --recipe alternating, or --method kernel"},
    {{"recipe", "alternating", "epochs", "5"},
     "--epochs 5 means nothing for --recipe alternating, which counts --iterations"},
    {{"recipe", "alternating", "loss", "softmax"},
     "--loss softmax does not go with --recipe alternating, which is the paper's and has the hinge"},
    {{"recipe", "alternating", "task", "regress"},
     "--task regress does not go with --recipe alternating, which is the paper's and learns classes"},
    {{"theta-penalty", "l2:1", "method", "rff"}, "--theta-penalty l2:1 needs a learned map: --method cnm or kernel"},
    {{"validation", "0.2", "method", "linear"}, "--validation 0.2 needs a learned map: --method cnm or kernel"},
    {{"teacher", "t", "recipe", "alternating"}, "--teacher t needs --method cnm --recipe joint"},
    {{"imitate", "yes", "method", "rff"}, "--imitate yes needs --method cnm --recipe joint"},
    {{"prune", "0.5", "method", "rff"}, "--prune 0.5 needs --method cnm --recipe joint"},
    {{"prune", "0.5", "projection", "circulant"},
     "--prune 0.5 needs --projection dense: features of a circulant map share their parameters, and none can be taken "
     "out alone"},
    {{"prune", "0.5", "time-limit", "9"},
     "--prune 0.5 does not go with --time-limit, which the training before it would use up"},
    {{"metric", "auc", "task", "regress"},
     "--metric auc does not fit --task: accuracy, balanced, auc, f1 and logloss are for classes, rmse and mae for "
     "numbers"},
    {{"metric", "mae", "task", "classify"},
     "--metric mae does not fit --task: accuracy, balanced, auc, f1 and logloss are for classes, rmse and mae for "
     "numbers"},
    {{"patience", "3"}, "--patience 3 needs --method cnm and --validation"},
    {{"patience", "3", "validation", "0.1", "method", "kernel"}, "--patience 3 needs --method cnm and --validation"},
    {{"features", "128", "method", "linear"}, "--features 128 means nothing for --method linear, which has no map"},
    {{"projection", "circulant", "method", "linear"},
     "--projection circulant means nothing for --method linear, which has no map"},
    {{"init", "orthogonal", "method", "linear"},
     "--init orthogonal means nothing for --method linear, which has no map"},
    {{"phase", "none", "method", "linear"}, "--phase none means nothing for --method linear, which has no map"},
    {{"kernel", "cauchy", "method", "linear"}, "--kernel cauchy means nothing for --method linear, which has no map"},
    {{"gamma", "2", "method", "linear"}, "--gamma 2 means nothing for --method linear, which has no map"},
    {{"activation", "relu", "method", "linear"},
     "--activation relu means nothing for --method linear, which has no map"},
    {{"task", "map"},
     "--task map needs no labels, and --method cnm learns from them: --method kernel learns a map without, --method "
     "rff "
     "draws one"},
    {{"task", "map", "method", "rff", "loss", "hinge"},
     "--loss hinge means nothing for --task map, which has no head to train"},
    {{"task", "map", "method", "rff", "lambda", "1"},
     "--lambda 1 means nothing for --task map, which has no head to train"},
    {{"task", "map", "method", "kernel", "epochs", "1"},
     "--epochs 1 means nothing for --task map, which has no head to train"},
    {{"task", "map", "method", "kernel", "class-weight", "balanced"},
     "--class-weight balanced means nothing for --task map, which has no head to train"},
    {{"task", "map", "method", "rff", "batch", "9"},
     "--batch 9 means nothing for --task map with a random map: nothing is trained"},
    {{"resume", "yes"}, "--resume yes needs --checkpoint FILE"},
    {{"checkpoint-every", "5"}, "--checkpoint-every 5 needs --checkpoint FILE"},
    {{"checkpoint", "state", "method", "rff", "task", "map"},
     "--checkpoint state means nothing for --task map with a random map: nothing is trained"},
    {{"checkpoint", "-"}, "--checkpoint - is standard output, and a checkpoint is a file"},
    {{NULL}, NULL},
    {{"checkpoint", "state", "resume", "yes", "checkpoint-every", "5"}, NULL},
    {{"resume", "no"}, NULL},
    {{"prune", "0.5", "validation", "0.2", "checkpoint", "state"}, NULL},
    {{"recipe", "alternating", "loss", "hinge", "map-steps", "5"}, NULL},
    {{"recipe", "alternating", "head-steps", "5", "iterations", "2"}, NULL},
    {{"metric", "rmse", "task", "regress"}, NULL},
    {{"metric", "f1", "task", "classify"}, NULL},
    {{"metric", "mae"}, NULL},
    {{"validation", "0.2", "patience", "3", "theta-penalty", "l1:1"}, NULL},
    {{"method", "kernel", "map-steps", "5", "theta-penalty", "l2:1"}, NULL},
    {{"method", "kernel", "task", "map", "batch", "9"}, NULL},
    {{"method", "linear", "gamma", "auto", "validation", "0"}, NULL}, /* what is left to the library asks for nothing */
};

static void options_that_would_be_ignored_are_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof COMBINATIONS / sizeof COMBINATIONS[0]; i++) {
        const combination *c = &COMBINATIONS[i];
        cnm_options *options = fresh();
        cnm_error error = {CNM_OK, ""};
        for (size_t j = 0; j < 8 && c->pairs[j] != NULL; j += 2) {
            assert_int_equal(cnm_options_set(options, c->pairs[j], c->pairs[j + 1], &error), CNM_OK);
        }
        assert_int_equal(cnm_options_check(options, &error), c->message == NULL ? CNM_OK : CNM_BAD_ARGUMENT);
        assert_string_equal(error.message, c->message == NULL ? "" : c->message);
        cnm_options_destroy(options);
    }
    assert_int_equal(cnm_options_check(NULL, NULL), CNM_OK);
}

/* Setting everything to its default is no combination of anything. */
static void defaults_go_together(void **state) {
    (void)state;
    cnm_options *options = fresh();
    cnm_option_info info;
    cnm_error error = {CNM_OK, ""};
    for (size_t i = 0; cnm_options_describe(i, &info); i++) {
        assert_int_equal(cnm_options_set(options, info.name, info.initial, NULL), CNM_OK);
    }
    assert_int_equal(cnm_options_check(options, &error), CNM_OK);
    cnm_options_destroy(options);
}

/* A training asks the rules before anything else. */
static void a_training_follows_the_rules(void **state) {
    (void)state;
    static const float VALUES[] = {0, 1, 2, 3};
    static const char *const LABELS[] = {"a", "b", "a", "b"};
    cnm_options *options = fresh();
    cnm_data *data;
    cnm_model *model;
    cnm_error error = {CNM_OK, ""};
    assert_int_equal(cnm_data_view_dense(&data, VALUES, 4, 1, 1, NULL), CNM_OK);
    assert_int_equal(cnm_data_set_labels(data, LABELS, NULL), CNM_OK);
    assert_int_equal(cnm_options_set(options, "iterations", "5", NULL), CNM_OK);
    assert_int_equal(cnm_train(&model, data, options, NULL, &error), CNM_BAD_ARGUMENT);
    assert_null(model);
    assert_string_equal(error.message, "--iterations 5 needs --method cnm --recipe alternating");
    cnm_data_destroy(data);
    cnm_options_destroy(options);
}

/* The ends of every range are inside it, the next whole number beyond is not. */
static void ranges_include_their_ends(void **state) {
    (void)state;
    settings values = OPTION_DEFAULTS;
    for (size_t i = 0; i < option_table_size(); i++) {
        const option_row *row = option_table_row(i);
        if (row->read != option_read_count || row->high > 1e15) {
            continue;
        }
        const struct {
            double value;
            cnm_status expected;
        } CASES[] = {{row->low, CNM_OK}, {row->high, CNM_OK}, {row->high + 1, CNM_BAD_ARGUMENT}};
        for (size_t j = 0; j < sizeof CASES / sizeof CASES[0]; j++) {
            char text[32];
            snprintf(text, sizeof text, "%.0f", CASES[j].value);
            assert_int_equal(row->read(row, text, &values, NULL), CASES[j].expected);
        }
    }
}

static void penalties_carry_their_weight(void **state) {
    (void)state;
    const option_row *row = NULL;
    for (size_t i = 0; i < option_table_size(); i++) {
        if (option_table_row(i)->read == option_read_penalty) {
            row = option_table_row(i);
        }
    }
    assert_non_null(row);
    settings values = OPTION_DEFAULTS;
    char good[] = "l2:0.5", bad[] = "l3:0.5", empty[] = "l1:";
    assert_int_equal(row->read(row, good, &values, NULL), CNM_OK);
    assert_int_equal(values.theta_penalty, PENALTY_L2);
    assert_true(values.theta_penalty_weight == 0.5);
    assert_int_equal(row->read(row, bad, &values, NULL), CNM_BAD_ARGUMENT);
    assert_int_equal(row->read(row, empty, &values, NULL), CNM_BAD_ARGUMENT);
}

static void suggestions_count_edits(void **state) {
    (void)state;
    assert_int_equal(suggest_distance("kernel", "kernel", 6), 0);
    assert_int_equal(suggest_distance("kernle", "kernel", 6), 1); /* swap */
    assert_int_equal(suggest_distance("kernl", "kernel", 6), 1);  /* insertion */
    assert_int_equal(suggest_distance("kerrnel", "kernel", 6), 1);
    assert_int_equal(suggest_distance("karnal", "kernel", 6), 2);
    assert_true(suggest_distance("x", "k", 1) == SIZE_MAX); /* nothing in common */
    assert_true(suggest_distance("seed", "kernel", 6) == SIZE_MAX);
    assert_true(suggest_distance("", "kernel", 6) == SIZE_MAX);
    char endless[4096];
    memset(endless, 'k', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_true(suggest_distance(endless, "kernel", 6) == SIZE_MAX);
}

static void null_arguments_are_refused(void **state) {
    (void)state;
    cnm_options *options = fresh();
    assert_int_equal(cnm_options_create(NULL, NULL), CNM_BAD_ARGUMENT);
    assert_int_equal(cnm_options_set(NULL, "seed", "1", NULL), CNM_BAD_ARGUMENT);
    assert_int_equal(cnm_options_set(options, NULL, "1", NULL), CNM_BAD_ARGUMENT);
    assert_int_equal(cnm_options_set(options, "seed", NULL, NULL), CNM_BAD_ARGUMENT);
    assert_null(cnm_options_get(options, NULL));
    assert_null(cnm_options_get(options, "nothing"));
    assert_string_equal(cnm_options_get(NULL, "method"), "cnm");
    cnm_options_destroy(options);
    cnm_options_destroy(NULL);
}

/* The n-th allocation fails, for every n: a status, outputs NULL, what was set before still in force, nothing leaked. */
static void every_allocation_failure_is_survived(void **state) {
    (void)state;
    cnm_status status = CNM_NO_MEMORY;
    for (size_t n = 0; status != CNM_OK; n++) {
        cnm_options *options = NULL, *copy = NULL;
        allocations_left = n;
        status = cnm_options_create(&options, NULL);
        if (status == CNM_OK) {
            status = cnm_options_set(options, "labels", "one", NULL);
            if (status == CNM_OK) {
                status = cnm_options_set(options, "labels", "two", NULL);
                assert_string_equal(options_settings(options)->labels, status == CNM_OK ? "two" : "one");
                assert_string_equal(cnm_options_get(options, "labels"), status == CNM_OK ? "two" : "one");
            }
        }
        if (status == CNM_OK) {
            status = cnm_options_copy(&copy, options, NULL);
            assert_true((copy != NULL) == (status == CNM_OK));
        }
        assert_true(status == CNM_OK || status == CNM_NO_MEMORY);
        allocations_left = SIZE_MAX;
        cnm_options_destroy(options);
        cnm_options_destroy(copy);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(initial_texts_mean_the_defaults),
        cmocka_unit_test(rows_are_complete_and_names_unique),
        cmocka_unit_test(described_options_can_be_set_to_their_defaults),
        cmocka_unit_test(set_values_arrive_in_the_settings),
        cmocka_unit_test(a_value_set_back_to_its_default_is_forgotten),
        cmocka_unit_test(row_ranges_may_be_open),
        cmocka_unit_test(every_complaint_says_what_was_given_and_what_is_right),
        cmocka_unit_test(losses_are_in_the_order_of_their_table),
        cmocka_unit_test(options_that_would_be_ignored_are_refused),
        cmocka_unit_test(defaults_go_together),
        cmocka_unit_test(a_training_follows_the_rules),
        cmocka_unit_test(ranges_include_their_ends),
        cmocka_unit_test(penalties_carry_their_weight),
        cmocka_unit_test(suggestions_count_edits),
        cmocka_unit_test(null_arguments_are_refused),
        cmocka_unit_test(every_allocation_failure_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
