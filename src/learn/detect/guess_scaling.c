/* Columns share a range where the ranges of at least three quarters of those that vary are within a
 * factor of four of the largest. */
#include "learn/detect/guess_scaling.h"

#include "base/core/try.h"

enum { MOST_VARY = 48 }; /* pixels at the rim of an image can be constant */

typedef struct range_counts {
    size_t vary;  /* columns that are not constant */
    size_t alike; /* of these: within a factor of four of the largest range */
} range_counts;

static range_counts count_ranges(const scaling *ranges) {
    range_counts counts = {0};
    double widest = 0.0;
    for (size_t j = 0; j < ranges->columns; j++) {
        if (ranges->scale[j] > 0.0) {
            widest = 1.0 / ranges->scale[j] > widest ? 1.0 / ranges->scale[j] : widest;
            counts.vary++;
        }
    }
    for (size_t j = 0; j < ranges->columns; j++) {
        counts.alike += ranges->scale[j] > 0.0 && 1.0 / ranges->scale[j] >= widest / 4.0;
    }
    return counts;
}

cnm_status guess_scaling(const dataset *data, scaling_kind *out, cnm_error *err) {
    const settings *wanted = data->settings;
    const bool joint = wanted->method == METHOD_CNM && wanted->recipe == RECIPE_JOINT;
    scaling ranges;
    if (wanted->scale > 0) {
        *out = (scaling_kind)(wanted->scale - 1);
        return CNM_OK;
    }
    TRY(scaling_fit(&ranges, SCALING_RANGE, &data->rows, err));
    const range_counts counts = count_ranges(&ranges);
    const bool shared = counts.alike * 4 >= counts.vary * 3;
    const bool many = ranges.columns >= SHARED_SCALE_COLUMNS && counts.vary >= MOST_VARY;
    *out = shared && (many || !joint) ? SCALING_GLOBAL : joint ? SCALING_ASINH : SCALING_STANDARD;
    scaling_free(&ranges);
    return CNM_OK;
}
