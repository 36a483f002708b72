/* Score against size: the maps that are tried, how good each is, and which one to take. */
#ifndef CNM_CLI_TUNE_TUNE_FRONTIER_H
#define CNM_CLI_TUNE_TUNE_FRONTIER_H

#include "tune/tune_record.h"

enum { FEWEST_FEATURES = 8 };

/* How models are judged: a figure of cnm_evaluation_get. */
typedef struct tune_metric {
    const char *name;
    bool classes; /* of classes; else of numbers */
    bool lower;   /* the lower the better */
} tune_metric;

typedef struct frontier_point {
    const char *projection;
    size_t features;
    double bytes;        /* the largest of the parts' models */
    double microseconds; /* a row, the least of the parts */
    double score, error; /* mean and standard error over the parts */
    bool judged;         /* on all parts */
    bool dropped;        /* too large */
} frontier_point;

typedef struct frontier {
    frontier_point *points; /* (count) by features, then by projection */
    size_t count;
    const tune_metric *metric;
    size_t best, knee; /* of those judged and not dropped; count where there is none */
} frontier;

/* 8, 16, 32 ... up to `most` features for each projection. */
cnm_status frontier_create(frontier *out, const char *const *projections, size_t projection_count, size_t most,
                           cnm_error *error);
void frontier_free(frontier *self);

/* Sums up what the record has for a point; it is judged when all parts are there. */
void frontier_judge(frontier_point *point, const tune_record *record, size_t parts);

/* Leaves out a point and the larger ones of its projection. */
void frontier_drop(frontier *self, const frontier_point *from);

/* best: the best score; knee: the fewest bytes among scores within one standard error of it. */
void frontier_choose(frontier *self);

#endif
