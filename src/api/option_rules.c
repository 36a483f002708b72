/* Which options go together. A row says what an option that was set needs of the others; an option
 * that would be ignored is refused instead. Not here: whether a value is right by itself
 * (option_values.c), or fits the data (src/learn). */
#include "api/option_table.h"
#include "api/options.h"
#include "base/core/error.h"
#include "learn/evaluate/metrics.h"
#include "learn/objective/losses.h"

typedef struct rule {
    const char *option;
    bool (*holds)(const settings *wanted);
    const char *otherwise; /* behind the option and its value */
} rule;

static bool alternates(const settings *s) { return s->method == METHOD_CNM && s->recipe == RECIPE_ALTERNATING; }
static bool does_not_alternate(const settings *s) { return !alternates(s); }
static bool learns_with_task(const settings *s) { return s->method == METHOD_CNM; }
static bool trains_jointly(const settings *s) { return learns_with_task(s) && s->recipe == RECIPE_JOINT; }
static bool learns_map(const settings *s) { return s->method == METHOD_CNM || s->method == METHOD_KERNEL; }
static bool steps_map(const settings *s) { return alternates(s) || s->method == METHOD_KERNEL; }
static bool has_map(const settings *s) { return s->method != METHOD_LINEAR; }
static bool has_head(const settings *s) { return s->task != WANT_MAP; }
static bool estimates_head(const settings *s) { return s->estimate != ESTIMATE_YES || has_head(s); }
static bool estimates_alone(const settings *s) { return s->estimate != ESTIMATE_YES || s->teacher == NULL; }
static bool trains(const settings *s) { return has_head(s) || s->method == METHOD_KERNEL; }
static bool map_without_labels(const settings *s) { return has_head(s) || s->method != METHOD_CNM; }
static bool classes_in_turns(const settings *s) { return !alternates(s) || s->task != WANT_REGRESS; }
static bool is_validated(const settings *s) { return learns_with_task(s) && s->validation > 0; }
static bool names_file(const settings *s) {
    return s->checkpoint == NULL || s->checkpoint[0] != '-' || s->checkpoint[1] != '\0';
}
static bool has_checkpoint(const settings *s) { return s->checkpoint != NULL; }
static bool metric_fits_task(const settings *s) {
    return s->metric == METRIC_AUTO || s->task == WANT_AUTO ||
           metric_is_for_regression(s->metric) == (s->task == WANT_REGRESS);
}
static const char *last_projection(const settings *s) {
    size_t count;
    return s->layer_count > 0 ? s->layers[s->layer_count - 1].projection
                              : projection_table(&count)[s->projection]->name;
}
static bool is_dense(const settings *s) { return s->prune == 0 || projection_find(last_projection(s))->own_parameters; }
static bool has_no_layers(const settings *s) { return s->layer_count == 0; }
static bool learns_stack(const settings *s) {
    return s->layer_count < 2 || s->method == METHOD_CNM || s->method == METHOD_RFF;
}
static bool distils_layer(const settings *s) { return s->layer_count < 2 || s->distill != DISTILL_YES; }
static bool has_time(const settings *s) { return s->prune == 0 || s->time_limit == 0; }
static bool loss_fits_recipe(const settings *s) {
    size_t count;
    const loss_ops *const *losses = loss_table(&count);
    return !alternates(s) || s->loss == 0 || losses[s->loss - 1]->head_update == UPDATE_PEGASOS;
}

static bool predicts_quantile(const settings *s) {
    size_t count;
    const loss_ops *const *losses = loss_table(&count);
    return s->loss > 0 && losses[s->loss - 1]->takes_quantile;
}

static const char NO_MAP[] = "means nothing for --method linear, which has no map";
static const char NO_HEAD[] = "means nothing for --task map, which has no head to train";
static const char NOTHING[] = "means nothing for --task map with a random map: nothing is trained";
static const char JOINTLY[] = "needs --method cnm --recipe joint";
static const char IN_TURNS[] = "needs --method cnm --recipe alternating";

#define AUGMENTATION_RULE(ID, field, option, most, help) {option, trains_jointly, JOINTLY},
#define NO_RULE(ID, field)

static const rule RULES[] = {
    {"estimate", estimates_head, NO_HEAD},
    {"estimate", estimates_alone,
     "does not go with --teacher, whose scores would tell of the rows that are to be held out"},
    {"task", map_without_labels,
     "needs no labels, and --method cnm learns from them: --method kernel-approximation learns a map without, "
     "--method rff draws one"},
    {"task", classes_in_turns, "does not go with --recipe alternating, which is the paper's and learns classes"},
    {"recipe", learns_with_task, "needs --method cnm"},
    {"time-limit", trains_jointly, JOINTLY},
    AUGMENTATION_LIST(AUGMENTATION_RULE, NO_RULE){"decay", trains_jointly, JOINTLY},
    {"map-rate", trains_jointly, JOINTLY},
    {"distill", trains_jointly, JOINTLY},
    {"effort", trains_jointly, JOINTLY},
    {"teacher", trains_jointly, JOINTLY},
    {"prune", trains_jointly, JOINTLY},
    {"prune", is_dense,
     "needs --projection dense, or a dense last layer: features of a circulant map share their parameters, and none "
     "can be "
     "taken out alone"},
    {"prune", has_time, "does not go with --time-limit, which the training before it would use up"},
    {"metric", metric_fits_task,
     "does not fit --task: accuracy, balanced, auc, f1 and logloss are for classes, rmse and mae for regression"},
    {"iterations", alternates, IN_TURNS},
    {"head-steps", alternates, IN_TURNS},
    {"map-steps", steps_map, "needs --method cnm --recipe alternating, or --method kernel-approximation"},
    {"epochs", does_not_alternate, "means nothing for --recipe alternating, which counts --iterations"},
    {"loss", loss_fits_recipe, "does not go with --recipe alternating, which is the paper's and has the hinge"},
    {"quantile", predicts_quantile, "needs --loss quantile"},
    {"theta-penalty", learns_map, "needs a learned map: --method cnm or kernel-approximation"},
    {"validation", learns_map, "needs a learned map: --method cnm or kernel-approximation"},
    {"patience", is_validated, "needs --method cnm and --validation"},
    {"features", has_map, NO_MAP},
    {"projection", has_map, NO_MAP},
    {"layers", has_map, NO_MAP},
    {"features", has_no_layers, "does not go with --layers, which has the features of each layer"},
    {"projection", has_no_layers, "does not go with --layers, which has the projection of each layer"},
    {"layers", learns_stack,
     "has more than one layer, which --method cnm trains and --method rff draws; --method kernel-approximation has "
     "one"},
    {"layers", distils_layer, "has more than one layer, and --distill yes trains one: leave one of them out"},
    {"init", has_map, NO_MAP},
    {"phase", has_map, NO_MAP},
    {"kernel", has_map, NO_MAP},
    {"gamma", has_map, NO_MAP},
    {"activation", has_map, NO_MAP},
    {"loss", has_head, NO_HEAD},
    {"lambda", has_head, NO_HEAD},
    {"epochs", has_head, NO_HEAD},
    {"class-weight", has_head, NO_HEAD},
    {"batch", trains, NOTHING},
    {"checkpoint", trains, NOTHING},
    {"checkpoint", names_file, "is standard output, and a checkpoint is a file"},
    {"checkpoint-every", has_checkpoint, "needs --checkpoint FILE"},
    {"resume", has_checkpoint, "needs --checkpoint FILE"},
};

cnm_status options_check_together(const cnm_options *options, bool has_validation, cnm_error *err) {
    settings seen = *options_settings(options);
    const settings *wanted = &seen;
    if (has_validation) {
        if (!learns_with_task(wanted) || !has_head(wanted)) {
            return error_set(err, CNM_BAD_ARGUMENT, "validation rows need --method cnm, which is trained in steps");
        }
        seen.validation = 0.5; /* any share: some rows validate */
    }
    for (size_t i = 0; i < sizeof RULES / sizeof RULES[0]; i++) {
        const rule *row = &RULES[i];
        if (options_given(options, row->option) && !row->holds(wanted)) {
            return error_set(err, CNM_BAD_ARGUMENT, "--%s %.60s %s", row->option,
                             options_text(options, option_find(row->option)), row->otherwise);
        }
    }
    return CNM_OK;
}

cnm_status cnm_options_check(const cnm_options *options, cnm_error *err) {
    return options_check_together(options, false, err);
}
