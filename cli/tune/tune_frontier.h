/* The frontier of score against size: the maps to cross-validate, their scores, and which to
 * choose. */
#ifndef CNM_CLI_TUNE_TUNE_FRONTIER_H
#define CNM_CLI_TUNE_TUNE_FRONTIER_H

#include "metric_traits.h"
#include "tune/tune_record.h"

enum { FEWEST_FEATURES = 8 };

typedef struct frontier_point {
    map_shape shape;
    double bytes;        /* of the largest of the folds' models */
    double microseconds; /* a row, the least of the folds */
    double score, error; /* mean and standard error over the folds */
    bool evaluated;      /* on all folds */
    bool dropped;        /* larger than the limit */
} frontier_point;

typedef struct frontier {
    frontier_point *points; /* (count) by features of the last layer, then by kind */
    size_t count;
    metric_traits metric;
    size_t best, knee; /* of the points evaluated and not dropped; `count` where there is none */
} frontier;

/* What to try. Sizes are 8, 16, 32 ... up to `most` features. */
typedef struct frontier_plan {
    projection_name projections[2];
    size_t projection_count, most;
    bool stacks;             /* stacks of two layers of the first projection too: 16,8; 32,16; ... */
    size_t columns, outputs; /* of the rows and of the head, for the parameters of a map */
} frontier_plan;

/* Makes the points: each size with each projection, and as the last layer of a stack with twice as
 * many features below, where that has no more parameters than the largest map of one layer. */
cnm_status frontier_create(frontier *out, const frontier_plan *plan, cnm_error *error);
void frontier_free(frontier *self);

/* Fills a point from the results of its folds; the point is evaluated when all folds are there. */
void frontier_evaluate(frontier_point *point, const tune_record *record, size_t folds);

/* The kind of a map, of which larger ones are one line: a projection, or "two layers". */
const char *shape_kind(const map_shape *shape);
/* Returns a map in words: "8 features", or "layers 16,8". */
shape_text shape_words(const map_shape *shape);

/* Drops a point and the larger ones of its kind. */
void frontier_drop(frontier *self, const frontier_point *from);

/* Finds the point with the best score, and the knee: the fewest bytes among the points whose score
 * is within one standard error of the best (Breiman et al. 1984). */
void frontier_choose(frontier *self);

#endif
