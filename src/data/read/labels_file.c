/* Reads labels from a file of their own. */
#include "data/read/labels_file.h"

#include "base/core/error.h"
#include "base/core/try.h"
#include "data/encode/cell_read.h"
#include "data/formats/array_values.h"
#include "data/read/lines.h"
#include "data/read/text_cells.h"

static cnm_status read_array(label_column *out, byte_source *input, const array_layout *layout, cnm_error *err) {
    array_values values;
    if (layout->columns != 1) {
        return error_set(err, CNM_BAD_DATA, "%s: found %zu columns, expected one label a row", byte_source_name(input),
                         layout->columns);
    }
    cnm_status status;
    TRY_DONE(array_values_open(&values, input, layout, err));
    for (;;) {
        double value;
        bool more = true;
        TRY_DONE(array_values_next(&values, &value, &more, err));
        if (!more) {
            break;
        }
        status = labels_add_number(out, value, err);
        if (status != CNM_OK) {
            TRY_DONE(status == CNM_NO_MEMORY
                         ? status
                         : error_prefix(err, status, "%s: row %zu", byte_source_name(input), out->rows + 1));
        }
    }
done:
    array_values_free(&values);
    return status;
}

static cnm_status add_line(label_column *out, const line_reader *lines, char *line, size_t length, cnm_error *err) {
    static const cell_style WHOLE = {.separator = '\n', .quotes = "\""};
    char *at = cell_first(&WHOLE, line, line + length);
    if (at == NULL) {
        return CNM_OK;
    }
    const cell found = cell_next(&WHOLE, &at, line + length);
    if (cell_stands_for_missing_label(found.text, found.length, NULL)) {
        (void)error_set(err, CNM_BAD_DATA, "found no label, expected a number or a word");
        return lines_position(lines, CNM_BAD_DATA, err);
    }
    const cnm_status status = labels_add_text(out, found.text, found.length, err);
    return status == CNM_OK || status == CNM_NO_MEMORY ? status : lines_position(lines, status, err);
}

static cnm_status read_text(label_column *out, byte_source *input, cnm_error *err) {
    line_reader lines = {.source = input};
    cnm_status status;
    for (;;) {
        char *line;
        size_t length;
        TRY_DONE(lines_next(&lines, &line, &length, err));
        if (line == NULL) {
            break;
        }
        TRY_DONE(add_line(out, &lines, line, length, err));
    }
done:
    lines_free(&lines);
    return status;
}

static cnm_status read_source(label_column *out, byte_source *input, cnm_error *err) {
    static const struct {
        int (*recognise)(const unsigned char *bytes, size_t size, const char *path);
        cnm_status (*layout)(array_layout *out, const unsigned char *bytes, size_t size, const char *file,
                             cnm_error *err);
    } ARRAYS[] = {{npy_recognise, npy_layout}, {idx_recognise, idx_layout}};
    const unsigned char *bytes;
    size_t size, i = 0;
    array_layout layout;
    TRY(byte_source_peek(input, &bytes, &size, err));
    while (i < 2 && ARRAYS[i].recognise(bytes, size, byte_source_name(input)) == 0) {
        i++;
    }
    if (i == 2) {
        return read_text(out, input, err);
    }
    TRY(ARRAYS[i].layout(&layout, bytes, size, byte_source_name(input), err));
    return read_array(out, input, &layout, err);
}

cnm_status labels_source_read(label_column *out, byte_source *input, cnm_error *err) {
    const cnm_status status = read_source(out, input, err);
    if (status != CNM_OK) {
        labels_free(out);
    }
    return status;
}

cnm_status labels_file_read(label_column *out, const char *path, cnm_error *err) {
    byte_source *input;
    TRY(byte_source_open(&input, path, err));
    const cnm_status status = labels_source_read(out, input, err);
    byte_source_close(input);
    return status;
}
