/* The frontier of score against size: the maps to cross-validate, their scores, and which to
 * choose. */
#ifndef CNM_CLI_TUNE_TUNE_FRONTIER_H
#define CNM_CLI_TUNE_TUNE_FRONTIER_H

#include "metric_traits.h"
#include "tune/tune_record.h"

enum { FEWEST_FEATURES = 8 };

typedef struct frontier_point {
    projection_name projection;
    size_t features;
    double bytes;        /* of the largest of the folds' models */
    double microseconds; /* a row, the least of the folds */
    double score, error; /* mean and standard error over the folds */
    bool evaluated;      /* on all folds */
    bool dropped;        /* larger than the limit */
} frontier_point;

typedef struct frontier {
    frontier_point *points; /* (count) by features, then by projection */
    size_t count;
    metric_traits metric;
    size_t best, knee; /* of the points evaluated and not dropped; `count` where there is none */
} frontier;

/* Makes points of 8, 16, 32 ... up to `most` features for each projection. */
cnm_status frontier_create(frontier *out, const projection_name *projections, size_t projection_count, size_t most,
                           cnm_error *error);
void frontier_free(frontier *self);

/* Fills a point from the results of its folds; the point is evaluated when all folds are there. */
void frontier_evaluate(frontier_point *point, const tune_record *record, size_t folds);

/* Drops a point and the larger ones of its projection. */
void frontier_drop(frontier *self, const frontier_point *from);

/* Finds the point with the best score, and the knee: the fewest bytes among the points whose score
 * is within one standard error of the best (Breiman et al. 1984). */
void frontier_choose(frontier *self);

#endif
