/* The words of choices. */
#include "api/option_words.h"

#include <string.h>

#include "data/read/reader.h"
#include "data/scale/scaling.h"
#include "learn/evaluate/metrics.h"
#include "learn/objective/losses.h"
#include "learn/train/methods.h"
#include "map/map.h"

bool option_word_at(const option_words *words, size_t i, option_word *out) {
    size_t fixed = 0;
    for (; words != NULL && words->fixed != NULL && words->fixed[fixed].word != NULL; fixed++) {
        if (fixed == i) {
            *out = words->fixed[i];
            return true;
        }
    }
    const char *name = words == NULL || words->name == NULL ? NULL : words->name(i - fixed);
    *out = (option_word){name, (int)i};
    return name != NULL;
}

bool option_word_find(const option_words *words, const char *text, int *value) {
    option_word found;
    for (size_t i = 0; option_word_at(words, i, &found); i++) {
        if (strcmp(found.word, text) == 0) {
            *value = found.value;
            return true;
        }
    }
    return false;
}

const char *option_word_of(const option_words *words, int value) {
    option_word found;
    for (size_t i = 0; option_word_at(words, i, &found); i++) {
        if (found.value == value) {
            return found.word;
        }
    }
    return NULL;
}

/* ---- Names from tables ---- */

static const char *loss_name(size_t i) {
    size_t count;
    const loss_ops *const *losses = loss_table(&count);
    return i < count ? losses[i]->name : NULL;
}

static const char *method_name(size_t i) {
    size_t count;
    const method_ops *methods = method_table(&count);
    return i < count ? methods[i].name : NULL;
}

static const char *projection_name(size_t i) {
    size_t count;
    const projection_ops *const *projections = projection_table(&count);
    return i < count ? projections[i]->name : NULL;
}

static const char *activation_name(size_t i) {
    size_t count;
    const activation_ops *activations = activation_table(&count);
    return i < count ? activations[i].name : NULL;
}

static const char *scale_name(size_t i) { return i < SCALING_KINDS ? scaling_name((scaling_kind)i) : NULL; }

static const char *metric_word(size_t i) {
    size_t count;
    const metric_ops *metrics = metric_table(&count);
    return i < count ? metrics[i].name : NULL;
}

static const char *kernel_word(size_t i) { return kernel_name((map_kernel)i); }

/* ---- Words ---- */

#define FIXED(...)                                                                                                     \
    (const option_word[]) {                                                                                            \
        __VA_ARGS__, { NULL, 0 }                                                                                       \
    }

static const option_word AUTO[] = {{"auto", 0}, {NULL, 0}};

const option_words METHOD_WORDS = {NULL, method_name};
const option_words PROJECTION_WORDS = {NULL, projection_name};
const option_words ACTIVATION_WORDS = {NULL, activation_name};
const option_words METRIC_WORDS = {NULL, metric_word};
const option_words FORMAT_WORDS = {AUTO, format_name};
const option_words LOSS_WORDS = {AUTO, loss_name};
const option_words SCALE_WORDS = {AUTO, scale_name};
const option_words KERNEL_WORDS = {NULL, kernel_word};

/* clang-format off */
const option_words INIT_WORDS = {FIXED({"auto", 0}, {"random", 1}, {"orthogonal", 2}), NULL};
const option_words PHASE_WORDS = {FIXED({"uniform", 0}, {"none", 1}), NULL};
const option_words GAMMA_WORDS = {FIXED({"auto", GAMMA_AUTO}, {"knn", GAMMA_KNN}, {"paper", GAMMA_PAPER}), NULL};
const option_words TASK_WORDS = {FIXED({"auto", WANT_AUTO}, {"classify", WANT_CLASSIFY}, {"regress", WANT_REGRESS},
                                       {"map", WANT_MAP}), NULL};
const option_words DTYPE_WORDS = {FIXED({"auto", DTYPE_AUTO}, {"f32", DTYPE_F32}, {"f16", DTYPE_F16}), NULL};
const option_words RECIPE_WORDS = {FIXED({"joint", RECIPE_JOINT}, {"alternating", RECIPE_ALTERNATING}), NULL};
const option_words DISTILL_WORDS = {FIXED({"auto", DISTILL_AUTO}, {"yes", DISTILL_YES}, {"no", DISTILL_NO}), NULL};
const option_words EFFORT_WORDS = {FIXED({"quick", EFFORT_QUICK}, {"normal", EFFORT_NORMAL},
                                         {"thorough", EFFORT_THOROUGH}), NULL};
const option_words MISSING_WORDS = {FIXED({"auto", 0}, {"mean", 1}, {"error", 2}), NULL};
const option_words HEADER_WORDS = {FIXED({"auto", 0}, {"yes", 1}, {"no", 2}), NULL};
const option_words SEPARATOR_WORDS = {FIXED({"auto", 0}, {"comma", ','}, {"semicolon", ';'}, {"tab", '\t'},
                                            {"space", ' '}, {"bar", '|'}), NULL};
const option_words DECIMAL_WORDS = {FIXED({"auto", 0}, {"point", '.'}, {"comma", ','}), NULL};
const option_words FLAG_WORDS = {FIXED({"no", 0}, {"yes", 1}), NULL};
/* clang-format on */
