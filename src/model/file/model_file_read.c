/* A model from bytes that may be hostile: see model/file/model_file.h for the format. Its arrays are taken by file_arrays.c. */
#include <string.h>

#include "base/core/error.h"
#include "base/text/text.h"
#include "model/file/model_file_arrays.h"

static cnm_status take_count(const incoming *in, const char *key, size_t *out, cnm_error *err) {
    const char *text = archive_value(in->archive, key);
    uint64_t value;
    if (text == NULL || !text_is_count(text, text + strlen(text), &value) || value == 0 || value > UINT32_MAX) {
        return error_set(err, CNM_BAD_FORMAT, "%s: metadata \"%s\" is not a count", in->name, key);
    }
    *out = (size_t)value;
    return CNM_OK;
}

static cnm_status take_text(const incoming *in, const char *key, const char **out, cnm_error *err) {
    *out = archive_value(in->archive, key);
    return *out != NULL ? CNM_OK : error_set(err, CNM_BAD_FORMAT, "%s: metadata \"%s\" is missing", in->name, key);
}

/* The arrays must hold as many bytes as the shape in the metadata asks for: checked before anything of that size is
 * allocated. */
static cnm_status check_map_arrays(const incoming *in, const map_spec *spec, cnm_error *err) {
    const projection_ops *projection = projection_find(spec->projection);
    map_tensor tensors[MAP_TENSORS] = {{0}};
    if (projection == NULL || activation_find(spec->activation) == NULL) {
        return error_set(err, CNM_BAD_FORMAT, "%s: unknown projection \"%s\" or activation \"%s\"", in->name,
                         spec->projection, spec->activation);
    }
    if (map_bytes(spec->projection, spec->columns, spec->features) > MAP_BYTES_LIMIT) {
        return error_set(err, CNM_BAD_FORMAT, "%s: the map's shape (%zu, %zu) is beyond all limits", in->name,
                         spec->columns, spec->features);
    }
    const size_t count = projection->describe(spec->columns, spec->features, tensors);
    for (size_t i = 0; i < count; i++) {
        const archive_tensor *stored = archive_find(in->archive, tensors[i].name);
        const size_t cells = tensors[i].rows * tensors[i].columns;
        const size_t each = stored != NULL && stored->type == TENSOR_F16 ? sizeof(uint16_t) : sizeof(float);
        if (stored == NULL ? !tensors[i].optional
                           : stored->size != (tensors[i].signs ? (cells + 7) / 8 : cells * each)) {
            return error_set(err, CNM_BAD_FORMAT, "%s: array \"%s\" is missing or has the wrong size", in->name,
                             tensors[i].name);
        }
    }
    return CNM_OK;
}

static cnm_status take_map(const incoming *in, cnm_error *err) {
    cnm_model *model = in->model;
    map_spec spec = {0};
    cnm_status status = take_text(in, "projection", &spec.projection, err);
    if (status == CNM_OK) {
        status = take_text(in, "activation", &spec.activation, err);
    }
    if (status == CNM_OK) {
        status = take_count(in, "columns", &spec.columns, err);
    }
    if (status == CNM_OK) {
        status = take_count(in, "features", &spec.features, err);
    }
    if (status == CNM_OK) {
        status = check_map_arrays(in, &spec, err);
    }
    if (status == CNM_OK) {
        status = map_create(&model->map, &spec, err);
        status = status == CNM_BAD_ARGUMENT ? error_prefix(err, CNM_BAD_FORMAT, "%s", in->name) : status;
    }
    if (status != CNM_OK) {
        return status;
    }
    model->input.columns = spec.columns;
    for (size_t i = 0; status == CNM_OK && i < model->map->tensor_count; i++) {
        status = arrays_take_tensor(in, &model->map->tensors[i], err);
    }
    if (status == CNM_OK) {
        status = arrays_take_floats(in, "phase", spec.features, 0, false, &model->map->phase, err);
    }
    if (status == CNM_OK) {
        map_refresh(model->map);
    }
    return status;
}

static cnm_status take_task(const incoming *in, cnm_error *err) {
    const char *text;
    const cnm_status status = take_text(in, "task", &text, err);
    for (size_t i = 0; status == CNM_OK && i < sizeof FILE_TASKS / sizeof FILE_TASKS[0]; i++) {
        if (strcmp(text, FILE_TASKS[i]) == 0) {
            in->model->task = (task_kind)i;
            return CNM_OK;
        }
    }
    return status != CNM_OK ? status : error_set(err, CNM_BAD_FORMAT, "%s: unknown task \"%s\"", in->name, text);
}

/* Label i is what its kind says, and comes after the one before it: they are searched by halving. */
static bool in_order(const class_set *classes, size_t i) {
    const char *label = classes->labels[i], *before = i == 0 ? NULL : classes->labels[i - 1];
    double value, smaller;
    if (!classes->numeric) {
        return before == NULL || strcmp(before, label) < 0;
    }
    return text_is_double(label, label + strlen(label), &value) &&
           (before == NULL || (text_is_double(before, before + strlen(before), &smaller) && smaller < value));
}

static cnm_status take_labels(const incoming *in, cnm_error *err) {
    class_set *classes = &in->model->classes;
    const char *joined, *kind;
    cnm_status status = take_text(in, "labels", &joined, err);
    if (status == CNM_OK) {
        status = take_text(in, "label_kind", &kind, err);
    }
    if (status == CNM_OK) {
        status = list_split(&classes->labels, &classes->count, joined, err);
    }
    if (status != CNM_OK) {
        return status;
    }
    classes->numeric = strcmp(kind, "numbers") == 0;
    if (!classes->numeric && strcmp(kind, "words") != 0) {
        return error_set(err, CNM_BAD_FORMAT, "%s: unknown kind of labels \"%.40s\"", in->name, kind);
    }
    for (size_t i = 0; i < classes->count; i++) {
        if (!in_order(classes, i)) {
            return error_set(err, CNM_BAD_FORMAT, "%s: label \"%.80s\" is not a number, or not in order", in->name,
                             classes->labels[i]);
        }
    }
    return classes->count >= 2 ? CNM_OK : error_set(err, CNM_BAD_FORMAT, "%s: fewer than two labels", in->name);
}

static cnm_status take_head(const incoming *in, cnm_error *err) {
    cnm_model *model = in->model;
    if (model->task == TASK_MAP) {
        return CNM_OK;
    }
    cnm_status status = model->task == TASK_CLASSIFY ? take_labels(in, err) : CNM_OK;
    if (status != CNM_OK) {
        return status;
    }
    const size_t outputs = model->classes.count > 2 ? model->classes.count : 1;
    status = arrays_take_floats(in, "head", model->map->features, outputs, true, &model->weights, err);
    if (status == CNM_OK) {
        status = arrays_take_floats(in, "bias", outputs, 0, true, &model->bias, err);
    }
    if (status == CNM_OK && model->task == TASK_CLASSIFY) {
        status = arrays_take_floats(in, "shift", outputs, 0, false, &model->shift, err);
    }
    model->outputs = outputs;
    return status;
}

static cnm_status take_input(const incoming *in, cnm_error *err) {
    input_stage *input = &in->model->input;
    const char *kind;
    cnm_status status = take_text(in, "input", &kind, err);
    if (status == CNM_OK) {
        input->asinh = strcmp(kind, "asinh") == 0;
        status = input->asinh || strcmp(kind, "linear") == 0
                     ? CNM_OK
                     : error_set(err, CNM_BAD_FORMAT, "%s: unknown kind of input \"%.40s\"", in->name, kind);
    }
    return status == CNM_OK ? arrays_take_columns(in, err) : status;
}

static cnm_status take_names(const incoming *in, cnm_error *err) {
    const char *joined = archive_value(in->archive, "names");
    size_t count;
    char **names;
    if (joined == NULL) {
        return CNM_OK;
    }
    const cnm_status status = list_split(&names, &count, joined, err);
    if (status != CNM_OK) {
        return status;
    }
    if (count != in->model->input.columns) {
        list_free(names, count);
        return error_set(err, CNM_BAD_FORMAT, "%s: %zu column names for %zu columns", in->name, count,
                         in->model->input.columns);
    }
    in->model->names = names;
    return CNM_OK;
}

/* What is left of the metadata is the record. */
static cnm_status take_record(const incoming *in, cnm_error *err) {
    static const char *const OWN[] = {"checksum", "format",   "task",   "projection", "activation", "input",
                                      "columns",  "features", "labels", "label_kind", "names"};
    cnm_status status = CNM_OK;
    for (size_t i = 0; status == CNM_OK && i < archive_entry_count(in->archive); i++) {
        const archive_entry entry = archive_entry_at(in->archive, i);
        bool own = strncmp(entry.key, FILE_EXPONENT, strlen(FILE_EXPONENT)) == 0;
        for (size_t j = 0; j < sizeof OWN / sizeof OWN[0]; j++) {
            own = own || strcmp(entry.key, OWN[j]) == 0;
        }
        if (!own) {
            status = record_add(&in->model->record, entry.key, entry.value, err);
        }
    }
    return status;
}

static cnm_status check_format(const incoming *in, cnm_error *err) {
    const char *format = archive_value(in->archive, "format");
    if (format == NULL) {
        return error_set(err, CNM_BAD_FORMAT, "%s: a safetensors file, but not a cnm model", in->name);
    }
    if (strcmp(format, FILE_FORMAT) != 0) {
        return error_set(err, CNM_BAD_FORMAT, "%s: model format \"%.40s\", this version reads \"%s\"", in->name, format,
                         FILE_FORMAT);
    }
    return archive_verify(in->archive, FILE_CHECKSUM, err);
}

cnm_status model_from_bytes(cnm_model **out, const void *bytes, size_t size, const char *name, cnm_error *err) {
    static cnm_status (*const STEPS[])(const incoming *, cnm_error *) = {
        check_format, take_task, take_map, take_input, take_head, take_names, take_record};
    archive *opened;
    *out = NULL;
    cnm_status status = archive_open(&opened, bytes, size, name, err);
    if (status != CNM_OK) {
        return status;
    }
    incoming in = {opened, name, NULL};
    status = model_create(&in.model, err);
    for (size_t i = 0; status == CNM_OK && i < sizeof STEPS / sizeof STEPS[0]; i++) {
        status = STEPS[i](&in, err);
    }
    if (status == CNM_OK) {
        status = model_describe(in.model, size, err);
    }
    archive_close(opened);
    if (status == CNM_OK) {
        *out = in.model;
    } else {
        model_destroy(in.model);
    }
    return status;
}
