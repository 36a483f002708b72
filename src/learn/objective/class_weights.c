/* Parses --class-weight. */
#include "learn/objective/class_weights.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/try.h"
#include "base/text/text.h"

void class_weights_balance(const class_set *classes, const int32_t *codes, size_t rows, double *weights) {
    for (size_t c = 0; c < classes->count; c++) {
        weights[c] = 0.0;
    }
    for (size_t i = 0; i < rows; i++) {
        weights[codes[i]] += 1.0;
    }
    for (size_t c = 0; c < classes->count; c++) {
        weights[c] = weights[c] > 0.0 ? (double)rows / ((double)classes->count * weights[c]) : 1.0;
    }
}

/* Returns the class of the label text .. end, compared by value where labels are numbers;
 * classes->count where there is none. */
static size_t find_class(const class_set *classes, const char *text, const char *end) {
    double wanted, value;
    const bool numeric = classes->numeric && text_is_double(text, end, &wanted);
    for (size_t c = 0; c < classes->count; c++) {
        const char *label = classes->labels[c];
        const size_t length = strlen(label);
        if (numeric ? text_is_double(label, label + length, &value) && value == wanted
                    : length == (size_t)(end - text) && memcmp(label, text, length) == 0) {
            return c;
        }
    }
    return classes->count;
}

/* Parses one LABEL:W; the label may hold colons, so the last one separates. */
static cnm_status parse_item(const char *item, size_t length, const class_set *classes, double *weights,
                             cnm_error *err) {
    const char *colon = item + length;
    double weight;
    while (colon > item && *colon != ':') {
        colon--;
    }
    if (*colon != ':' || !text_is_double(colon + 1, item + length, &weight) || !(weight >= 0.0) || !isfinite(weight)) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "--class-weight: found \"%.*s\", expected LABEL:WEIGHT with a weight from 0",
                         (int)(length < 80 ? length : 80), item);
    }
    const size_t class = find_class(classes, item, colon);
    if (class == classes->count) {
        return error_set(err, CNM_BAD_ARGUMENT, "--class-weight: no row has the label \"%.*s\"",
                         (int)(colon - item < 80 ? colon - item : 80), item);
    }
    if (weights[class] >= 0.0) {
        return error_set(err, CNM_BAD_ARGUMENT, "--class-weight: the label \"%.80s\" is there twice",
                         classes->labels[class]);
    }
    weights[class] = weight;
    return CNM_OK;
}

cnm_status class_weights_read(const char *text, const class_set *classes, const int32_t *codes, size_t rows,
                              double *weights, cnm_error *err) {
    if (strcmp(text, "balanced") == 0) {
        class_weights_balance(classes, codes, rows, weights);
        return CNM_OK;
    }
    for (size_t c = 0; c < classes->count; c++) {
        weights[c] = -1.0; /* not given */
    }
    for (const char *item = text; *item != '\0';) {
        const size_t length = strcspn(item, ",");
        TRY(parse_item(item, length, classes, weights, err));
        item += length + (item[length] == ',');
    }
    for (size_t c = 0; c < classes->count; c++) {
        weights[c] = weights[c] < 0.0 ? 1.0 : weights[c];
    }
    return CNM_OK;
}
