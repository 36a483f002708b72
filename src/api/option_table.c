/* The table itself. `later` marks an option that is known but not offered: to offer it, delete that
 * text. */
#include "api/option_table.h"

#include <string.h>

#define CHOICE(field, list) .read = option_read_choice, .offset = offsetof(settings, field), .words = &(list)
#define COUNT(field, least, most)                                                                                      \
    .read = option_read_count, .offset = offsetof(settings, field), .low = least, .high = most
#define NUMBER(field, least, most)                                                                                     \
    .read = option_read_number, .offset = offsetof(settings, field), .low = least, .high = most
#define TEXT(field) .read = option_read_text, .offset = offsetof(settings, field)
#define FLAG(field) .read = option_read_flag, .offset = offsetof(settings, field), .words = &FLAG_WORDS

static const char METHOD[] = "Method", TRAINING[] = "Training", DATA[] = "Data", RUN[] = "Running";

enum { TRAIN = CNM_FOR_TRAIN, READ = CNM_FOR_DATA, PREDICT = CNM_FOR_PREDICT, OUTPUT = CNM_FOR_OUTPUT };

#define MINUS_ONE_OF_ROW(ID, field, option, most, help) -1.0,
#define MINUS_ONE(ID, field) -1.0,
#define AUTOMATIC                                                                                                      \
    { AUGMENTATION_LIST(MINUS_ONE_OF_ROW, MINUS_ONE) }

/* Must agree with the default texts below; a test sets every option to its default text and
 * compares. */
const settings OPTION_DEFAULTS = {
    .method = METHOD_CNM,
    .seed = 1,
    .augment = AUTOMATIC,
    .decay = -1.0,
    .map_rate = -1.0,
    .effort = EFFORT_NORMAL,
    .checkpoint_every = 60.0,
};

/* Options of the table of augmentations. */
#define AUGMENTATION_OPTION(ID, field, option, most, help)                                                             \
    {option,                                                                                                           \
     0,                                                                                                                \
     "number",                                                                                                         \
     "auto",                                                                                                           \
     "0 to " #most,                                                                                                    \
     help,                                                                                                             \
     TRAINING,                                                                                                         \
     TRAIN,                                                                                                            \
     NUMBER(field, 0, most),                                                                                           \
     .word = "auto",                                                                                                   \
     .automatic = -1.0},
#define NO_OPTION(ID, field)

/* clang-format off */
static const option_row TABLE[] = {
    {"method", 'm', "choice", "cnm", NULL,
     "the map: cnm learns it with the task, rff draws random Fourier features, "
     "kernel-approximation fits features to the kernel, linear has no map", METHOD, TRAIN,
     CHOICE(method, METHOD_WORDS)},
    {"features", 'k', "count", "auto", "1 to 1e9",
     "number of features k of the map; auto = 128, or a number from 64 to 512 that --method "
     "cnm chooses on validation rows for a dense map", METHOD, TRAIN,
     COUNT(features, 1, 1e9), .word = "auto",
     .common = "features of the map: the size of the model"},
    {"projection", 'p', "choice", "dense", NULL,
     "dense learns any theta; circulant takes O(k log d) time and O(k) memory instead of O(k "
     "d); circulant-diagonal also learns a diagonal", METHOD, TRAIN,
     CHOICE(projection, PROJECTION_WORDS)},
    {"layers", 0, "text", "", "[PROJECTION:]FEATURES,...",
     "layers of the map, of which each takes the features of the one before: 128,64 or "
     "circulant-diagonal:784,dense:64; in place of --projection and --features, which are one layer", METHOD, TRAIN,
     .read = option_read_layers, .offset = offsetof(settings, layers)},
    {"init", 0, "choice", "auto", NULL,
     "draw the columns of theta independently, or in orthogonal blocks (Gaussian kernel only); "
     "auto = random, but orthogonal where a joint training keeps the random map", METHOD, TRAIN,
     CHOICE(init, INIT_WORDS)},
    {"phase", 0, "choice", "uniform", NULL,
     "random phases from [0, 2 pi), or no phases", METHOD, TRAIN,
     CHOICE(phase, PHASE_WORDS)},
    {"kernel", 0, "choice", "gaussian", NULL,
     "the kernel that random features approximate; learned features start from them", METHOD, TRAIN,
     CHOICE(kernel, KERNEL_WORDS)},
    {"gamma", 0, "number", "auto", "a number from 1e-20 to 1e20",
     "bandwidth: K = exp(-gamma |x-y|^2); knn = 1/(2 s^2), paper = 2/s^2, s = mean distance to "
     "the 50th neighbour; auto = knn, and a joint training may change it", METHOD, TRAIN,
     .read = option_read_gamma, .offset = offsetof(settings, gamma), .low = 1e-20, .high = 1e20,
     .words = &GAMMA_WORDS},
    {"activation", 0, "choice", "cos", NULL,
     "the function behind the projection", METHOD, TRAIN,
     CHOICE(activation, ACTIVATION_WORDS)},
    {"task", 0, "choice", "auto", NULL,
     "auto goes by the labels; map needs none: --method kernel-approximation learns the map "
     "alone, rff draws it", METHOD, TRAIN,
     CHOICE(task, TASK_WORDS),
     .common = "classify or regress, instead of guessing"},
    {"dtype", 0, "choice", "auto", NULL,
     "floating-point type of the model's weights; auto = f16 where at most 1 in 1000 "
     "predictions for training rows changes", METHOD, TRAIN,
     CHOICE(dtype, DTYPE_WORDS),
     .common = "f32 or f16: the model's numbers"},
    {"recipe", 0, "choice", "joint", NULL,
     "how --method cnm trains: map and head together, or in turn as in the paper's Algorithms "
     "1-3 (hinge loss)", TRAINING, TRAIN,
     CHOICE(recipe, RECIPE_WORDS)},
    {"iterations", 0, "count", "auto", "1 to 1e9",
     "iterations of --recipe alternating; auto = 200", TRAINING, TRAIN,
     COUNT(iterations, 1, 1e9), .word = "auto"},
    {"head-steps", 0, "count", "auto", "1 to 1e9",
     "steps of the head in an iteration of --recipe alternating; auto = 100", TRAINING, TRAIN,
     COUNT(head_steps, 1, 1e9), .word = "auto"},
    {"map-steps", 0, "count", "auto", "1 to 1e9",
     "steps of each layer of the map: in an iteration of --recipe alternating, auto = 100; of --method "
     "kernel-approximation, auto = 1000", TRAINING, TRAIN,
     COUNT(map_steps, 1, 1e9), .word = "auto"},
    {"loss", 0, "choice", "auto", NULL,
     "auto = softmax for --method cnm --recipe joint, otherwise hinge; for regression squared, "
     "or huber where targets have outliers that other rows do not predict", TRAINING, TRAIN,
     CHOICE(loss, LOSS_WORDS)},
    {"quantile", 0, "number", "auto", "0.001 to 0.999",
     "the quantile that --loss quantile predicts: with 0.9, nine of ten targets are expected below "
     "their prediction; auto = 0.5, the median", TRAINING, TRAIN,
     NUMBER(quantile, 0.001, 0.999), .word = "auto"},
    {"lambda", 0, "number", "auto", "1e-12 to 1e6",
     "weight of the L2 penalty on the head; auto = 0, 0.001, or what validation rows prefer, "
     "for --recipe joint; otherwise 1/rows, at least 1e-4", TRAINING, TRAIN,
     NUMBER(lambda, 1e-12, 1e6), .word = "auto"},
    {"theta-penalty", 0, "text", "none", "none|l1:V|l2:V",
     "penalty on a learned theta: V times the sum of |theta|, or of theta^2 / 2", TRAINING, TRAIN,
     .read = option_read_penalty, .offset = offsetof(settings, theta_penalty), .low = 0, .high = 1e6},
    {"epochs", 0, "count", "auto", "1 to 1e6",
     "passes over the rows; auto = 25, and at least 5000 to 16000 steps (the fewer columns, "
     "the more), for --recipe joint; 10000 steps for a head alone", TRAINING, TRAIN,
     COUNT(epochs, 1, 1e6), .word = "auto"},
    {"batch", 0, "count", "auto", "1 to 1e6",
     "rows in a mini-batch; auto = rows/16, from 16 to 256, for --recipe joint, otherwise 500", TRAINING, TRAIN,
     COUNT(batch, 1, 1e6), .word = "auto"},
    AUGMENTATION_LIST(AUGMENTATION_OPTION, NO_OPTION)
    {"decay", 0, "number", "auto", "0 to 100",
     "weight decay of theta in a joint training; auto: chosen on validation rows", TRAINING, TRAIN,
     NUMBER(decay, 0, 100), .word = "auto", .automatic = -1.0},
    {"map-rate", 0, "number", "auto", "0 to 1",
     "learning rate of the map in a joint training: 1 learns the map in full, 0 keeps the "
     "random map and solves for the head; auto = 1 where rows are many, otherwise chosen on "
     "validation rows", TRAINING, TRAIN,
     NUMBER(map_rate, 0, 1), .word = "auto", .automatic = -1.0},
    {"distill", 0, "choice", "auto", NULL,
     "after a joint training on at most 2000 rows, distil an ensemble of kernel ridge models "
     "into the model; auto = yes where their leave-one-out loss is low enough", TRAINING, TRAIN,
     CHOICE(distill, DISTILL_WORDS)},
    {"estimate", 0, "choice", "auto", NULL,
     "train once more without a fifth of the rows and score that model on them, beside a linear one "
     "and a constant; auto = no, but yes for the command cnm train where no rows are held out "
     "otherwise", TRAINING, TRAIN,
     CHOICE(estimate, ESTIMATE_WORDS)},
    {"effort", 0, "choice", "normal", NULL,
     "how much work to spend on choosing map rate, scaling, width, noise and decay before a "
     "training: none (and a third of the steps), up to twice, or up to ten times the training", TRAINING, TRAIN,
     CHOICE(effort, EFFORT_WORDS),
     .common = "quick, normal or thorough: time to search"},
    {"metric", 0, "choice", "auto", NULL,
     "the metric that such choices optimise and predict shows; balanced and f1 also set "
     "decision thresholds; auto = accuracy, or rmse for regression", TRAINING, TRAIN,
     CHOICE(metric, METRIC_WORDS),
     .common = "what to optimise: accuracy, f1, auc, mae ..."},
    {"teacher", 0, "text", "", "MODEL",
     "a larger model of the same rows: a joint training learns from its scores, too", TRAINING, TRAIN,
     TEXT(teacher)},
    {"skip", 0, "text", "", "STAGE,...",
     "stages of a training to leave out, to see what each is worth: detect, estimate, search, distill, "
     "prune or calibrate", TRAINING, TRAIN,
     TEXT(skip)},
    {"prune", 0, "number", "0", "0 to 0.99",
     "share of the features to remove after a joint training, those that change the scores "
     "least; the others are then trained a little more", TRAINING, TRAIN,
     NUMBER(prune, 0, 0.99)},
    {"validation", 0, "number", "0", "0 to 0.9",
     "fraction of the rows held out for validation, the last of each class (--shuffle a sorted "
     "file); the parameters that are best on them are kept", TRAINING, TRAIN,
     NUMBER(validation, 0, 0.9),
     .common = "share of rows held out to stop at the best"},
    {"patience", 0, "count", "auto", "1 to 1e6",
     "stop after N validations without progress (a joint training has 20, an alternating one "
     "has one each iteration); auto = never", TRAINING, TRAIN,
     COUNT(patience, 1, 1e6), .word = "auto"},
    {"cv", 0, "count", "none", "2 to 1000",
     "folds of a cross-validation", TRAINING, TRAIN,
     COUNT(cv, 2, 1000), .word = "none", .later = "hold rows out with --validation"},
    {"time-limit", 0, "number", "none", "1e-3 to 1e9",
     "seconds that a joint training may take, reading aside: it then tries and trains less, "
     "and another run may differ", TRAINING, TRAIN,
     NUMBER(time_limit, 1e-3, 1e9), .word = "none", .aside = true},
    {"class-weight", 0, "text", "auto", "auto|none|balanced|LABEL:W,...",
     "weights of classes in training; balanced: all classes weigh the same, whatever their "
     "rows; auto = none; with any other word --metric sets no decision thresholds", TRAINING, TRAIN,
     TEXT(class_weight)},
    {"checkpoint", 0, "text", "", "FILE",
     "write the state of the training to this file now and then, and when it is interrupted", TRAINING, TRAIN,
     TEXT(checkpoint), .aside = true},
    {"checkpoint-every", 0, "number", "auto", "1e-3 to 1e9",
     "seconds between checkpoints; auto = 60", TRAINING, TRAIN,
     NUMBER(checkpoint_every, 1e-3, 1e9), .word = "auto", .automatic = 60.0, .aside = true},
    {"resume", 0, "flag", "no", NULL,
     "continue from the checkpoint, to the same model as without the interruption; start anew "
     "where there is no checkpoint yet", TRAINING, TRAIN,
     FLAG(resume), .aside = true},
    {"scale", 0, "choice", "auto", NULL,
     "how columns are scaled; fitted on the training rows and kept in the model", TRAINING, TRAIN,
     CHOICE(scale, SCALE_WORDS)},
    {"missing", 0, "choice", "auto", NULL,
     "empty cells, ?, NA and nan: filled with the column's mean (kept in the model), with auto also "
     "noted in a feature of their own where they are many; or an error", TRAINING, TRAIN,
     CHOICE(missing, MISSING_WORDS),
     .common = "how empty cells are filled, or refused"},
    {"format", 0, "choice", "auto", NULL,
     "auto goes by the content, gzipped or not", DATA, READ,
     CHOICE(format, FORMAT_WORDS)},
    {"labels", 0, "text", "", "FILE",
     "labels of an npy or idx file: a second such file, or one label a line", DATA, READ,
     TEXT(labels)},
    {"label-column", 0, "text", "auto", "auto|first|last|N|NAME|none",
     "column of the labels; a model remembers it", DATA, READ,
     TEXT(label_column),
     .common = "column to predict"},
    {"drop", 0, "text", "", "N|NAME[,...]",
     "columns to leave out", DATA, READ,
     TEXT(drop),
     .common = "columns to leave out"},
    {"columns", 0, "text", "", "N|NAME[,...]",
     "the only columns to take as features", DATA, READ,
     TEXT(only)},
    {"na", 0, "text", "", "TEXT[,...]",
     "more texts that stand for a missing cell, besides empty ones, NA, null, ? and the like", DATA, READ,
     TEXT(missing_words)},
    {"weight-column", 0, "text", "", "N|NAME",
     "column of the weights of rows", DATA, READ,
     TEXT(weight_column)},
    {"group-column", 0, "text", "", "N|NAME|none",
     "column of the groups: rows of one group are never split between training and validation; "
     "a model remembers it", DATA, READ,
     TEXT(group_column)},
    {"positive", 0, "text", "", "L[,L...]",
     "these labels against all others", DATA, READ,
     TEXT(positive)},
    {"id", 0, "text", "", "row|N|NAME",
     "a column of DATA to write before each prediction, or the number of the row; predictions are "
     "then a table with a header", DATA, OUTPUT,
     TEXT(id_column)},
    {"shuffle", 0, "count", "none", "SEED",
     "put the rows into a random order first", DATA, READ,
     .read = option_read_shuffle, .offset = offsetof(settings, shuffle), .word = "none"},
    {"rows", 0, "text", "", "A:B|A:|:B",
     "rows A to B only, counted from 1", DATA, READ,
     .read = option_read_rows, .offset = offsetof(settings, rows)},
    {"header", 0, "choice", "auto", NULL,
     "csv: whether the first line holds names", DATA, READ,
     CHOICE(header, HEADER_WORDS)},
    {"separator", 0, "text", "auto", NULL,
     "csv: the character between cells", DATA, READ,
     .read = option_read_separator, .offset = offsetof(settings, separator), .words = &SEPARATOR_WORDS},
    {"decimal", 0, "choice", "auto", NULL,
     "text: the decimal sign of numbers; auto: a comma where some column shows one, as 1.459,50 does", DATA, READ,
     CHOICE(decimal, DECIMAL_WORDS)},
    {"encoding", 0, "choice", "auto", NULL,
     "text: how characters are stored; auto: UTF-16 where it is marked or every second byte is 0, else UTF-8, or "
     "Latin-1 (as Windows has it) where the bytes are not UTF-8", DATA, READ,
     CHOICE(encoding, ENCODING_WORDS)},
    {"seed", 0, "count", "1", "0 to 18446744073709551615",
     "seed of all random numbers: the same seed gives the same model", RUN, TRAIN,
     COUNT(seed, 0, 18446744073709551615.0),
     .common = "seed of all random numbers"},
    {"threads", 0, "count", "all", "1 to 4096",
     "results are the same for any number", RUN, TRAIN | PREDICT,
     COUNT(threads, 1, 4096), .word = "all", .aside = true,
     .common = "how many to use; results are the same"},
};
/* clang-format on */

size_t option_table_size(void) { return sizeof TABLE / sizeof TABLE[0]; }
const option_row *option_table_row(size_t i) { return &TABLE[i]; }

size_t option_find(const char *name) {
    size_t i = 0;
    while (i < option_table_size() && strcmp(TABLE[i].name, name) != 0) {
        i++;
    }
    return i;
}

/* Appends to a list "one|two", as far as it fits. */
static void append(char *out, const char *text) {
    const size_t used = strlen(out), length = strlen(text), glue = used > 0;
    if (used + glue + length < CNM_OPTION_VALUES_SIZE) {
        memcpy(out + used, "|", glue);
        memcpy(out + used + glue, text, length + 1);
    }
}

void option_values(const option_row *row, char *out) {
    option_word word;
    out[0] = '\0';
    if (row->word != NULL) {
        append(out, row->word);
    }
    for (size_t i = 0; option_word_at(row->words, i, &word); i++) {
        append(out, word.word);
    }
    if (row->values != NULL) {
        append(out, row->values);
    }
}
