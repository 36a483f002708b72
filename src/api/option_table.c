/* The table itself. `later` marks an option that is known but not offered: to offer it, delete that text. */
#include "api/option_table.h"

#define CHOICE(field) .read = option_read_choice, .offset = offsetof(settings, field)
#define COUNT(field, least, most)                                                                                      \
    .read = option_read_count, .offset = offsetof(settings, field), .low = least, .high = most
#define NUMBER(field, least, most)                                                                                     \
    .read = option_read_number, .offset = offsetof(settings, field), .low = least, .high = most
#define TEXT(field) .read = option_read_text, .offset = offsetof(settings, field)
#define FLAG(field) .read = option_read_flag, .offset = offsetof(settings, field)

static const char METHOD[] = "Method", TRAINING[] = "Training", DATA[] = "Data", RUN[] = "Running";

static const char ONE_GO[] = "training runs in one go";

enum { TRAIN = CNM_FOR_TRAIN, READ = CNM_FOR_DATA, PREDICT = CNM_FOR_PREDICT };

/* Must agree with the `initial` texts below; a test sets every option to its initial text and compares. */
const settings OPTION_DEFAULTS = {.method = METHOD_CNM, .features = 128, .seed = 1};

/* clang-format off */
static const option_row TABLE[] = {
    {{"method", 'm', "choice", "cnm", "cnm|rff|kernel|linear",
      "the map: learned with the task, random, learned to approximate the kernel, or none", METHOD, TRAIN},
     CHOICE(method)},
    {{"features", 'k', "count", "128", "1 to 1e9", "number of features k of the map", METHOD, TRAIN},
     COUNT(features, 1, 1e9)},
    {{"projection", 'p', "choice", "dense", "dense|circulant|circulant-diagonal",
      "circulant: O(k log d) time and O(k) memory instead of O(k d); -diagonal: a real diagonal is learned too", METHOD, TRAIN},
     CHOICE(projection)},
    {{"init", 0, "choice", "random", "random|orthogonal",
      "draw theta independent, or in orthogonal blocks (Gaussian kernel only)", METHOD, TRAIN},
     CHOICE(init)},
    {{"phase", 0, "choice", "uniform", "uniform|none", "draw phases from [0, 2 pi), or have none", METHOD, TRAIN},
     CHOICE(phase)},
    {{"kernel", 0, "choice", "gaussian", "gaussian|laplacian|cauchy",
      "what random features stand for, and learned ones start from", METHOD, TRAIN},
     CHOICE(kernel)},
    {{"gamma", 0, "number", "auto", "auto|knn|paper|a number from 1e-30 to 1e30",
      "K = exp(-gamma |x-y|^2); knn = 1/(2 s^2), paper = 2/s^2, s = mean distance to the 50th neighbour", METHOD, TRAIN},
     .read = option_read_gamma, .offset = offsetof(settings, gamma), .low = 1e-30, .high = 1e30,
     .choices = "auto|knn|paper"},
    {{"activation", 0, "choice", "cos", "cos|sigmoid|relu", "what follows the projection", METHOD, TRAIN},
     CHOICE(activation)},
    {{"task", 0, "choice", "auto", "auto|classify|regress|map",
      "auto goes by the labels; map needs none: --method kernel learns the map alone, rff draws it", METHOD, TRAIN},
     CHOICE(task)},
    {{"weights", 0, "choice", "auto", "auto|f32|f16",
      "bits that a model keeps of its numbers: auto = 16 where no more than 1 in 1000 predictions for training rows change", METHOD,
      TRAIN},
     CHOICE(weights)},
    {{"recipe", 0, "choice", "joint", "joint|alternating",
      "--method cnm: map and head together, or in turns as the paper's Algorithms 1-3 (hinge)", TRAINING, TRAIN},
     CHOICE(recipe)},
    {{"iterations", 0, "count", "auto", "auto|1 to 1e9", "turns of --recipe alternating; auto = 100", TRAINING, TRAIN},
     COUNT(iterations, 1, 1e9), .word = "auto"},
    {{"head-steps", 0, "count", "auto", "auto|1 to 1e9", "steps for the head in such a turn; auto = 100", TRAINING,
      TRAIN},
     COUNT(head_steps, 1, 1e9), .word = "auto"},
    {{"map-steps", 0, "count", "auto", "auto|1 to 1e9",
      "steps for the map: in such a turn, auto = 100; of --method kernel, auto = 1000", TRAINING, TRAIN},
     COUNT(map_steps, 1, 1e9), .word = "auto"},
    {{"loss", 0, "choice", "auto",
      "auto|hinge|squared-hinge|logistic|softmax|crammer-singer|squared|huber|epsilon",
      "auto = softmax for --recipe joint and hinge elsewhere; squared for numbers", TRAINING, TRAIN},
     CHOICE(loss)},
    {{"lambda", 0, "number", "auto", "auto|1e-12 to 1e6",
      "weight of the penalty on the head; auto = 0 for --recipe joint, elsewhere 1/rows and at least 1e-4", TRAINING,
      TRAIN},
     NUMBER(lambda, 1e-12, 1e6), .word = "auto"},
    {{"theta-penalty", 0, "text", "none", "none|l1:V|l2:V",
      "penalty on a learned theta: V times the sum of |theta|, or of theta^2 / 2", TRAINING, TRAIN},
     .read = option_read_penalty, .offset = offsetof(settings, theta_penalty), .low = 0, .high = 1e6},
    {{"epochs", 0, "count", "auto", "auto|1 to 1e6",
      "passes over the rows; auto = 12 and at least 3000 steps for --recipe joint, 10000 steps for a head alone", TRAINING,
      TRAIN},
     COUNT(epochs, 1, 1e6), .word = "auto"},
    {{"batch", 0, "count", "auto", "auto|1 to 1e6",
      "rows in a mini-batch; auto = rows/16, from 16 to 256, for --recipe joint, 500 elsewhere", TRAINING, TRAIN},
     COUNT(batch, 1, 1e6), .word = "auto"},
    {{"validation", 0, "number", "0", "0 to 0.9",
      "fraction to hold back: the last rows of each class (--shuffle a sorted file); the best parameters on them are kept", TRAINING,
      TRAIN},
     NUMBER(validation, 0, 0.9)},
    {{"patience", 0, "count", "auto", "auto|1 to 1e6",
      "stop after N judgements on held rows without progress (20 in a joint training, one a turn); auto = never", TRAINING,
      TRAIN},
     COUNT(patience, 1, 1e6), .word = "auto"},
    {{"cv", 0, "count", "none", "none|2 to 1000", "parts for cross-validation", TRAINING, TRAIN},
     COUNT(cv, 2, 1000), .word = "none", .later = "hold rows back with --validation"},
    {{"time-limit", 0, "number", "none", "none|1e-3 to 1e9", "seconds to train at most", TRAINING, TRAIN},
     NUMBER(time_limit, 1e-3, 1e9), .word = "none", .later = "bound the work by --epochs or --iterations"},
    {{"class-weight", 0, "text", "none", "none|balanced|LABEL:W,...",
      "weights of classes; balanced: each class weighs alike, whatever its rows", TRAINING, TRAIN},
     TEXT(class_weight)},
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
