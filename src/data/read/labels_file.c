/* Labels from a file of their own. */
#include "data/read/labels_file.h"

#include "base/core/error.h"
#include "data/formats/array_values.h"
#include "data/read/text_cells.h"
#include "data/read/lines.h"

static cnm_status read_array(label_column *out, source *input, const array_layout *layout, cnm_error *err) {
    array_values values;
    if (layout->columns != 1) {
        return error_set(err, CNM_BAD_DATA, "%s: found %zu columns, expected one label a row", source_name(input),
                         layout->columns);
    }
    cnm_status status = array_values_open(&values, input, layout, err);
    for (bool more = true; status == CNM_OK;) {
        double value;
        status = array_values_next(&values, &value, &more, err);
        if (status != CNM_OK || !more) {
            break;
        }
        status = labels_add_number(out, value, err);
        if (status != CNM_OK && status != CNM_NO_MEMORY) {
            (void)error_prefix(err, status, "%s: row %zu", source_name(input), out->rows + 1);
        }
    }
    array_values_free(&values);
    return status;
}

static cnm_status read_text(label_column *out, source *input, cnm_error *err) {
    line_reader lines = {.source = input};
    const cell_style whole = {.separator = '\n', .quotes = "\""};
    cnm_status status = CNM_OK;
    while (status == CNM_OK) {
        char *line;
        size_t length;
        status = lines_next(&lines, &line, &length, err);
        if (status != CNM_OK || line == NULL) {
            break;
        }
        char *at = cell_first(&whole, line, line + length);
        if (at == NULL) {
            continue;
        }
        const cell found = cell_next(&whole, &at, line + length);
        if (cell_is_missing(&found)) {
            (void)error_set(err, CNM_BAD_DATA, "found no label, expected a number or a word");
            status = lines_place(&lines, CNM_BAD_DATA, err);
            break;
        }
        status = labels_add_text(out, found.text, found.length, err);
        if (status != CNM_OK && status != CNM_NO_MEMORY) {
            (void)lines_place(&lines, status, err);
        }
    }
    lines_free(&lines);
    return status;
}

static cnm_status read_source(label_column *out, source *input, cnm_error *err) {
    static const struct {
        int (*recognise)(const unsigned char *bytes, size_t size, const char *path);
        cnm_status (*layout)(array_layout *out, const unsigned char *bytes, size_t size, const char *file,
                             cnm_error *err);
    } ARRAYS[] = {{npy_recognise, npy_layout}, {idx_recognise, idx_layout}};
    const unsigned char *bytes;
    size_t size, i = 0;
    array_layout layout;
    cnm_status status = source_peek(input, &bytes, &size, err);
    if (status != CNM_OK) {
        return status;
    }
    while (i < 2 && ARRAYS[i].recognise(bytes, size, source_name(input)) == 0) {
        i++;
    }
    if (i == 2) {
        return read_text(out, input, err);
    }
    status = ARRAYS[i].layout(&layout, bytes, size, source_name(input), err);
    return status == CNM_OK ? read_array(out, input, &layout, err) : status;
}

cnm_status labels_source_read(label_column *out, source *input, cnm_error *err) {
    const cnm_status status = read_source(out, input, err);
    if (status != CNM_OK) {
        labels_free(out);
    }
    return status;
}

cnm_status labels_file_read(label_column *out, const char *path, cnm_error *err) {
    source *input;
    cnm_status status = source_open(&input, path, err);
    if (status == CNM_OK) {
        status = labels_source_read(out, input, err);
    }
    source_close(input);
    return status;
}
