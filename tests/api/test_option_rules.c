/* Which options go together. */
#include "api/option_support.h"

/* Options, and the sentence that refuses them together; NULL where they go together. */
typedef struct combination {
    const char *pairs[8]; /* NULL-ended */
    const char *message;
} combination;

static const combination COMBINATIONS[] = {
    {{"recipe", "alternating", "method", "rff"}, "--recipe alternating needs --method cnm"},
    {{"recipe", "joint", "method", "kernel-approximation"}, "--recipe joint needs --method cnm"},
    {{"iterations", "5"}, "--iterations 5 needs --method cnm --recipe alternating"},
    {{"head-steps", "5", "method", "kernel-approximation"}, "--head-steps 5 needs --method cnm --recipe alternating"},
    {{"map-steps", "5"}, "--map-steps 5 needs --method cnm --recipe alternating, or --method kernel-approximation"},
    {{"recipe", "alternating", "epochs", "5"},
     "--epochs 5 means nothing for --recipe alternating, which counts --iterations"},
    {{"recipe", "alternating", "loss", "softmax"},
     "--loss softmax does not go with --recipe alternating, which is the paper's and has the hinge"},
    {{"recipe", "alternating", "task", "regress"},
     "--task regress does not go with --recipe alternating, which is the paper's and learns classes"},
    {{"theta-penalty", "l2:1", "method", "rff"},
     "--theta-penalty l2:1 needs a learned map: --method cnm or kernel-approximation"},
    {{"validation", "0.2", "method", "linear"},
     "--validation 0.2 needs a learned map: --method cnm or kernel-approximation"},
    {{"teacher", "t", "recipe", "alternating"}, "--teacher t needs --method cnm --recipe joint"},
    {{"estimate", "yes", "method", "rff", "task", "map"},
     "--estimate yes means nothing for --task map, which has no head to train"},
    {{"estimate", "yes", "teacher", "large.cnm"},
     "--estimate yes does not go with --teacher, whose scores would tell of the rows that are to be held out"},
    {{"distill", "yes", "method", "rff"}, "--distill yes needs --method cnm --recipe joint"},
    {{"map-rate", "0.1", "method", "rff"}, "--map-rate 0.1 needs --method cnm --recipe joint"},
    {{"translate", "1", "method", "rff"}, "--translate 1 needs --method cnm --recipe joint"},
    {{"difference-noise", "1", "method", "rff"}, "--difference-noise 1 needs --method cnm --recipe joint"},
    {{"prune", "0.5", "method", "rff"}, "--prune 0.5 needs --method cnm --recipe joint"},
    {{"prune", "0.5", "projection", "circulant"},
     "--prune 0.5 needs --projection dense, or a dense last layer: features of a circulant map share their parameters, "
     "and none can be taken "
     "out alone"},
    {{"prune", "0.5", "time-limit", "9"},
     "--prune 0.5 does not go with --time-limit, which the training before it would use up"},
    {{"metric", "auc", "task", "regress"},
     "--metric auc does not fit --task: accuracy, balanced, auc, f1 and logloss are for classes, rmse and mae for "
     "regression"},
    {{"metric", "mae", "task", "classify"},
     "--metric mae does not fit --task: accuracy, balanced, auc, f1 and logloss are for classes, rmse and mae for "
     "regression"},
    {{"quantile", "0.9"}, "--quantile 0.9 needs --loss quantile"},
    {{"quantile", "0.9", "loss", "huber"}, "--quantile 0.9 needs --loss quantile"},
    {{"patience", "3"}, "--patience 3 needs --method cnm and --validation"},
    {{"patience", "3", "validation", "0.1", "method", "kernel-approximation"},
     "--patience 3 needs --method cnm and --validation"},
    {{"features", "128", "method", "linear"}, "--features 128 means nothing for --method linear, which has no map"},
    {{"projection", "circulant", "method", "linear"},
     "--projection circulant means nothing for --method linear, which has no map"},
    {{"layers", "8,4", "method", "linear"}, "--layers 8,4 means nothing for --method linear, which has no map"},
    {{"features", "8", "layers", "8,4"},
     "--features 8 does not go with --layers, which has the features of each layer"},
    {{"projection", "circulant", "layers", "8,4"},
     "--projection circulant does not go with --layers, which has the projection of each layer"},
    {{"layers", "8,4", "method", "kernel-approximation"},
     "--layers 8,4 has more than one layer, which --method cnm trains and --method rff draws; --method "
     "kernel-approximation has one"},
    {{"layers", "8,4", "distill", "yes"},
     "--layers 8,4 has more than one layer, and --distill yes trains one: leave one of them out"},
    {{"prune", "0.5", "layers", "8,circulant:4"},
     "--prune 0.5 needs --projection dense, or a dense last layer: features of a circulant map share their parameters, "
     "and none can be taken out alone"},
    {{"init", "orthogonal", "method", "linear"},
     "--init orthogonal means nothing for --method linear, which has no map"},
    {{"phase", "none", "method", "linear"}, "--phase none means nothing for --method linear, which has no map"},
    {{"kernel", "cauchy", "method", "linear"}, "--kernel cauchy means nothing for --method linear, which has no map"},
    {{"gamma", "2", "method", "linear"}, "--gamma 2 means nothing for --method linear, which has no map"},
    {{"activation", "relu", "method", "linear"},
     "--activation relu means nothing for --method linear, which has no map"},
    {{"task", "map"},
     "--task map needs no labels, and --method cnm learns from them: --method kernel-approximation learns a map "
     "without, --method rff draws one"},
    {{"task", "map", "method", "rff", "loss", "hinge"},
     "--loss hinge means nothing for --task map, which has no head to train"},
    {{"task", "map", "method", "rff", "lambda", "1"},
     "--lambda 1 means nothing for --task map, which has no head to train"},
    {{"task", "map", "method", "kernel-approximation", "epochs", "1"},
     "--epochs 1 means nothing for --task map, which has no head to train"},
    {{"task", "map", "method", "kernel-approximation", "class-weight", "balanced"},
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
    {{"estimate", "no", "method", "rff", "task", "map"}, NULL},
    {{"loss", "quantile", "quantile", "0.9"}, NULL},
    {{"loss", "huber", "quantile", "auto"}, NULL},
    {{"validation", "0.2", "patience", "3", "theta-penalty", "l1:1"}, NULL},
    {{"method", "kernel-approximation", "map-steps", "5", "theta-penalty", "l2:1"}, NULL},
    {{"method", "kernel-approximation", "task", "map", "batch", "9"}, NULL},
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
    cnm_option_info info = CNM_OPTION_INFO_INIT;
    cnm_error error = {CNM_OK, ""};
    for (size_t i = 0; cnm_options_describe(i, &info); i++) {
        assert_int_equal(cnm_options_set(options, info.name, info.default_value, NULL), CNM_OK);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_that_would_be_ignored_are_refused),
        cmocka_unit_test(defaults_go_together),
        cmocka_unit_test(a_training_follows_the_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
