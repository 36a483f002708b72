/* The table itself. A row's info.values lists what this version offers; `choices` may know more words, and `later` marks an
 * option that is known but not offered: to offer it, delete that text. */
#include "api/option_table.h"

#define CHOICE(field) .read = option_read_choice, .offset = offsetof(settings, field)
#define COUNT(field, least, most)                                                                                      \
    .read = option_read_count, .offset = offsetof(settings, field), .low = least, .high = most
#define NUMBER(field, least, most)                                                                                     \
    .read = option_read_number, .offset = offsetof(settings, field), .low = least, .high = most
#define TEXT(field) .read = option_read_text, .offset = offsetof(settings, field)
#define FLAG(field) .read = option_read_flag, .offset = offsetof(settings, field)

static const char METHOD[] = "Method", TRAINING[] = "Training", DATA[] = "Data", RUN[] = "Running";

static const char WITH_CNM[] = "it belongs to --method cnm";
static const char HOLD_BACK[] = "hold rows back with --rows and give them to cnm predict";
static const char ONE_GO[] = "training runs in one go";

enum { TRAIN = CNM_FOR_TRAIN, READ = CNM_FOR_DATA, PREDICT = CNM_FOR_PREDICT };

/* Must agree with the `initial` texts below; a test sets every option to its initial text and compares. */
const settings OPTION_DEFAULTS = {.method = METHOD_RFF, .features = 128, .seed = 1};

/* clang-format off */
static const option_row TABLE[] = {
    {{"method", 'm', "choice", "rff", "rff|linear", "random features of a kernel, or no map at all", METHOD, TRAIN},
     CHOICE(method), .choices = "cnm|rff|kernel|linear"},
    {{"features", 'k', "count", "128", "1 to 1e9", "number of features k of the map", METHOD, TRAIN},
     COUNT(features, 1, 1e9)},
    {{"projection", 'p', "choice", "dense", "dense|circulant",
      "circulant: O(k log d) time and O(k) memory instead of O(k d)", METHOD, TRAIN},
     CHOICE(projection)},
    {{"init", 0, "choice", "random", "random|orthogonal",
      "draw theta independent, or in orthogonal blocks (Gaussian kernel only)", METHOD, TRAIN},
     CHOICE(init)},
    {{"phase", 0, "choice", "uniform", "uniform|none", "draw phases from [0, 2 pi), or have none", METHOD, TRAIN},
     CHOICE(phase)},
    {{"kernel", 0, "choice", "gaussian", "gaussian|laplacian|cauchy", "the kernel that random features stand for",
      METHOD, TRAIN},
     CHOICE(kernel)},
    {{"gamma", 0, "number", "auto", "auto|knn|paper|a number from 1e-30 to 1e30",
      "K = exp(-gamma |x-y|^2); knn = 1/(2 s^2), paper = 2/s^2, s = mean distance to the 50th neighbour", METHOD, TRAIN},
     .read = option_read_gamma, .offset = offsetof(settings, gamma), .low = 1e-30, .high = 1e30,
     .choices = "auto|knn|paper"},
    {{"activation", 0, "choice", "cos", "cos|sigmoid|relu", "what follows the projection", METHOD, TRAIN},
     CHOICE(activation)},
    {{"task", 0, "choice", "auto", "auto|classify|regress|map",
      "auto goes by the labels; map draws the map only and needs no labels", METHOD, TRAIN},
     CHOICE(task)},
    {{"recipe", 0, "choice", "joint", "joint|alternating", "alternating: the paper's Algorithms 1-3", TRAINING, TRAIN},
     CHOICE(recipe), .later = WITH_CNM},
    {{"iterations", 0, "count", "auto", "auto|1 to 1e9", "rounds of the alternating recipe", TRAINING, TRAIN},
     COUNT(iterations, 1, 1e9), .word = "auto", .later = WITH_CNM},
    {{"head-steps", 0, "count", "auto", "auto|1 to 1e9", "steps for the head in a round", TRAINING, TRAIN},
     COUNT(head_steps, 1, 1e9), .word = "auto", .later = WITH_CNM},
    {{"map-steps", 0, "count", "auto", "auto|1 to 1e9", "steps for the map in a round", TRAINING, TRAIN},
     COUNT(map_steps, 1, 1e9), .word = "auto", .later = WITH_CNM},
    {{"loss", 0, "choice", "auto", "auto|hinge", "what the head minimises", TRAINING, TRAIN},
     CHOICE(loss), .choices = "auto|hinge|squared-hinge|logistic|softmax|crammer-singer|squared|huber|epsilon"},
    {{"lambda", 0, "number", "auto", "auto|1e-12 to 1e6", "weight of the penalty on the head", TRAINING, TRAIN},
     NUMBER(lambda, 1e-12, 1e6), .word = "auto"},
    {{"theta-penalty", 0, "text", "none", "none|l1:V|l2:V", "penalty on theta", TRAINING, TRAIN},
     .read = option_read_penalty, .offset = offsetof(settings, theta_penalty), .low = 0, .high = 1e6, .later = WITH_CNM},
    {{"epochs", 0, "count", "auto", "auto|1 to 1e6", "passes over the rows", TRAINING, TRAIN},
     COUNT(epochs, 1, 1e6), .word = "auto"},
    {{"batch", 0, "count", "auto", "auto|1 to 1e6", "rows in a mini-batch", TRAINING, TRAIN},
     COUNT(batch, 1, 1e6), .word = "auto"},
    {{"validation", 0, "number", "0", "0 to 0.9", "fraction of the rows to hold back", TRAINING, TRAIN},
     NUMBER(validation, 0, 0.9), .later = HOLD_BACK},
    {{"patience", 0, "count", "auto", "auto|1 to 1e6", "epochs without progress before stopping", TRAINING, TRAIN},
     COUNT(patience, 1, 1e6), .word = "auto", .later = "bound the work by --epochs"},
    {{"cv", 0, "count", "none", "none|2 to 1000", "parts for cross-validation", TRAINING, TRAIN},
     COUNT(cv, 2, 1000), .word = "none", .later = HOLD_BACK},
    {{"time-limit", 0, "number", "none", "none|1e-3 to 1e9", "seconds to train at most", TRAINING, TRAIN},
     NUMBER(time_limit, 1e-3, 1e9), .word = "none", .later = "bound the work by --epochs"},
    {{"class-weight", 0, "text", "none", "none|balanced|LABEL:W,...", "weights of classes", TRAINING, TRAIN},
     TEXT(class_weight), .later = "give rows a weight with --weight-column"},
    {{"checkpoint", 0, "text", "", "FILE", "write the state of the training now and then", TRAINING, TRAIN},
     TEXT(checkpoint), .later = ONE_GO},
    {{"checkpoint-every", 0, "number", "auto", "auto|1 to 1e9", "seconds between checkpoints", TRAINING, TRAIN},
     NUMBER(checkpoint_every, 1, 1e9), .word = "auto", .later = ONE_GO},
    {{"resume", 0, "flag", "no", "no|yes", "go on from the checkpoint", TRAINING, TRAIN},
     FLAG(resume), .later = ONE_GO},
    {{"scale", 0, "choice", "auto", "auto|none|global|standard|range|asinh",
      "how columns are scaled; fitted on the training rows and kept in the model", TRAINING, TRAIN},
     CHOICE(scale)},
    {{"missing", 0, "choice", "error", "error|mean",
      "empty cells, ?, NA and nan: an error, or the column's mean (kept in the model)", TRAINING, TRAIN},
     CHOICE(missing)},
    {{"format", 0, "choice", "auto", "auto|libsvm|csv|arff|npy|idx", "auto goes by the content, gzipped or not", DATA,
      READ},
     CHOICE(format)},
    {{"labels", 0, "text", "", "FILE", "labels of an npy or idx file: a second such file, or one label a line", DATA, READ},
     TEXT(labels)},
    {{"label-column", 0, "text", "auto", "auto|first|last|N|NAME|none",
      "where a row's label is; a model remembers it", DATA, READ},
     TEXT(label_column)},
    {{"weight-column", 0, "text", "", "N|NAME", "where a row's weight is", DATA, READ},
     TEXT(weight_column)},
    {{"positive", 0, "text", "", "L[,L...]", "these labels against the rest", DATA, READ},
     TEXT(positive)},
    {{"shuffle", 0, "count", "none", "none|SEED", "put the rows into a random order first", DATA, READ},
     .read = option_read_shuffle, .offset = offsetof(settings, shuffle), .word = "none"},
    {{"rows", 0, "text", "", "A:B|A:|:B", "rows A to B only, counted from 1", DATA, READ},
     .read = option_read_rows, .offset = offsetof(settings, rows)},
    {{"header", 0, "choice", "auto", "auto|yes|no", "csv: whether the first line holds names", DATA, READ},
     CHOICE(header)},
    {{"separator", 0, "text", "auto", "auto|comma|semicolon|tab|space|bar", "csv: what stands between cells", DATA, READ},
     .read = option_read_separator, .offset = offsetof(settings, separator),
     .choices = "auto|comma|semicolon|tab|space|bar"},
    {{"seed", 0, "count", "1", "0 to 18446744073709551615", "where everything random starts: the same seed, the same model", RUN,
      TRAIN},
     COUNT(seed, 0, 18446744073709551615.0)},
    {{"threads", 0, "count", "all", "all|1 to 4096", "results are the same for any number", RUN, TRAIN | PREDICT},
     COUNT(threads, 1, 4096), .word = "all"},
};
/* clang-format on */

size_t option_table_size(void) { return sizeof TABLE / sizeof TABLE[0]; }
const option_row *option_table_row(size_t i) { return &TABLE[i]; }
