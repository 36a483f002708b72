/* What is known about the rows of a data set before anything is learned from them. The stage
 * `detect` finds it once, and the later stages read it here. */
#ifndef CNM_LEARN_DETECT_FACTS_H
#define CNM_LEARN_DETECT_FACTS_H

#include "learn/dataset/scaled_rows.h"
#include "learn/detect/image_facts.h"

typedef struct facts {
    scaling_kind scaling;   /* what --scale names, or the guess that --scale auto starts from */
    bool shared_scale;      /* many columns on one scale, as pixels are: they vary together */
    bool has_outlier_cells; /* see detect_row_outliers.h */
    bool time_ordered;      /* see detect_time_order.h; false where rows have groups */
    image_facts images;
} facts;

/* Fills all but `scaling`, which is set, from rows under that scaling. takes_sparse: the map takes
 * CSR rows as they are. */
cnm_status facts_find(facts *self, const dataset *data, const scaled_rows *scaled, bool takes_sparse, cnm_error *err);

/* Returns whether rows are sparse and so wide that no scaling makes them dense. */
static inline bool rows_stay_sparse(const rows_view *rows) {
    return rows_are_sparse(rows) && rows->columns > SCALING_CENTRE_LIMIT;
}

#endif
