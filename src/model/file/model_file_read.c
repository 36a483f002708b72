/* A model from bytes that may be hostile; model_file_arrays.c takes its arrays.
 *
 * The model file is a safetensors file with these arrays, and texts in __metadata__:
 *
 *   array            type, shape                   what
 *   base             F32, F64 (columns)            subtracted by readers, so that large columns
 *                                                  keep their digits
 *   offset           F32, F64 (columns)            subtracted from the columns; F32: less the base
 *   fill             F32, F64 (columns)            stands for missing values; F32: less the base
 *   scale            F32 (columns)                 with asinh only: elsewhere the map or the head
 *                                                  contains it
 *   theta            F32, F16 (columns, features)  dense map
 *   filters          F32, F16 (blocks, columns)    circulant maps
 *   signs            U8 (ceil(columns / 8))        circulant: D, bit j of byte j / 8 is set where
 *                                                  D is -1
 *   diagonal         F32, F16 (1, columns)         circulant: column scales, where they differ
 *                    F32, F16 (blocks, columns)    circulant-diagonal
 *   phase            F32, F16 (features)
 *   head             F32, F16 (features, outputs)  two classes have one output
 *   bias             F32, F16 (outputs)
 *   decision_offset  F32 (outputs)                 part of the bias that probabilities leave out
 *
 * Absent arrays mean none. F64 offset and fill are true values, whatever the base. A number of an
 * F16 array stands for itself times two to the power of the metadata's "exponent_NAME", 0 where
 * there is none. All numbers must be finite. The metadata:
 *
 *   key                       value
 *   checksum                  of the whole file (base/file/safetensors.h)
 *   format                    "cnm 2"; model_file_format_1.c says how "cnm 1" differs
 *   task                      classify, regress, map
 *   projection, activation    a name of the map's tables
 *   input                     linear, asinh
 *   columns, features         counts: of the rows, and of the last layer
 *   layers                    of a map of several: PROJECTION:FEATURES,... ; the arrays of the
 *                             second are layer2.theta, layer2.phase and so on
 *   labels, label_kind        of classes: a list (model/metadata.h), and numbers or words
 *   names                     of columns (with an encoder: of its features): a list
 *   encoder                   from the columns of files to those of the arrays, as JSON
 *                             (data/encode/encoder_text.c); none: they are the same
 *   exponent_NAME             see above
 *   all others                the record
 *
 * Everything is checked before use. */
#include <string.h>

#include "base/core/error.h"
#include "base/core/try.h"
#include "base/text/text.h"
#include "map/layers_text.h"
#include "model/file/model_file_arrays.h"
#include "model/file/model_file_format_1.h"
#include "model/model_columns.h"

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

static cnm_status check_array(const incoming *in, const map_array *array, cnm_error *err) {
    const archive_tensor *stored = archive_find(in->archive, array->name);
    const layer_tensor *tensor = array->tensor;
    const size_t cells = array->rows * array->columns;
    const size_t each = stored != NULL && stored->type == TENSOR_F16 ? sizeof(uint16_t) : sizeof(float);
    if (stored == NULL ? !tensor->optional : stored->size != (tensor->signs ? (cells + 7) / 8 : cells * each)) {
        return error_set(err, CNM_BAD_FORMAT, "%s: array \"%s\" is missing or has the wrong size", in->name,
                         array->name);
    }
    return CNM_OK;
}

/* Checks that the arrays of a layer hold as many bytes as its shape asks for, before anything of
 * that size is allocated. */
static cnm_status check_layer(const incoming *in, const layer_spec *spec, cnm_error *err) {
    const projection_ops *projection = projection_find(spec->projection);
    layer shape = {.projection = projection, .number = spec->number};
    const map one = {.layer_count = 1, .layers = {&shape}};
    map_array arrays[MAP_ARRAYS];
    if (projection == NULL || activation_find(spec->activation) == NULL) {
        return error_set(err, CNM_BAD_FORMAT, "%s: unknown projection \"%s\" or activation \"%s\"", in->name,
                         spec->projection, spec->activation);
    }
    if (layer_bytes(spec->projection, spec->columns, spec->features) > MAP_BYTES_LIMIT) {
        return error_set(err, CNM_BAD_FORMAT, "%s: the map's shape (%zu, %zu) is beyond all limits", in->name,
                         spec->columns, spec->features);
    }
    shape.tensor_count = projection->describe(spec->columns, spec->features, shape.tensors);
    const size_t count = map_list(&one, arrays);
    for (size_t i = 0; i < count; i++) {
        TRY(arrays[i].tensor == NULL ? CNM_OK : check_array(in, &arrays[i], err));
    }
    return CNM_OK;
}

static cnm_status check_map_arrays(const incoming *in, const map_spec *spec, cnm_error *err) {
    for (size_t i = 0; i <= spec->inner_count; i++) {
        const layer_spec one = map_spec_layer(spec, i);
        TRY(check_layer(in, &one, err));
    }
    return CNM_OK;
}

/* Takes the layers below the last; the last must be what the metadata says of the whole map. */
static cnm_status take_layers(const incoming *in, map_spec *spec, cnm_error *err) {
    const char *text = archive_value(in->archive, "layers");
    layer_shape layers[MAP_LAYERS];
    size_t count;
    if (text == NULL) {
        return CNM_OK;
    }
    const cnm_status status = layers_read(text, layers, &count, err);
    if (status != CNM_OK) {
        return error_prefix(err, CNM_BAD_FORMAT, "%s", in->name);
    }
    if (strcmp(layers[count - 1].projection, spec->projection) != 0 || layers[count - 1].features != spec->features) {
        return error_set(err, CNM_BAD_FORMAT, "%s: the last of the layers \"%.60s\" is not the projection and features",
                         in->name, text);
    }
    spec->inner_count = count - 1;
    for (size_t i = 0; i < spec->inner_count; i++) {
        spec->inner[i] = layers[i];
    }
    return CNM_OK;
}

/* Creates a map of that shape, whose numbers the arrays will fill. */
static cnm_status create_map(const incoming *in, const map_spec *spec, map **out, cnm_error *err) {
    const cnm_status status = map_create(out, spec, err);
    return status == CNM_BAD_ARGUMENT ? error_prefix(err, CNM_BAD_FORMAT, "%s", in->name) : status;
}

static cnm_status take_map(const incoming *in, cnm_error *err) {
    cnm_model *model = in->model;
    map_spec spec = {0};
    TRY(take_text(in, "projection", &spec.projection, err));
    TRY(take_text(in, "activation", &spec.activation, err));
    TRY(take_count(in, "columns", &spec.columns, err));
    TRY(take_count(in, "features", &spec.features, err));
    TRY(take_layers(in, &spec, err));
    TRY(check_map_arrays(in, &spec, err));
    TRY(create_map(in, &spec, &model->map, err));
    model->input.columns = spec.columns;
    map_array arrays[MAP_ARRAYS];
    const size_t count = map_list(model->map, arrays);
    for (size_t i = 0; i < count; i++) {
        TRY(arrays[i].tensor != NULL
                ? arrays_take_tensor(in, arrays[i].name, arrays[i].tensor, err)
                : arrays_take_floats(in, arrays[i].name, arrays[i].columns, 0, false, arrays[i].values, err));
    }
    map_refresh(model->map);
    return CNM_OK;
}

static cnm_status take_task(const incoming *in, cnm_error *err) {
    const char *text;
    TRY(take_text(in, "task", &text, err));
    for (size_t i = 0; i < sizeof FILE_TASKS / sizeof FILE_TASKS[0]; i++) {
        if (strcmp(text, FILE_TASKS[i]) == 0) {
            in->model->task = (task_kind)i;
            return CNM_OK;
        }
    }
    return error_set(err, CNM_BAD_FORMAT, "%s: unknown task \"%s\"", in->name, text);
}

/* Whether label i is of its kind and comes after label i - 1, as the binary search for labels
 * needs. */
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
    TRY(take_text(in, "labels", &joined, err));
    TRY(take_text(in, "label_kind", &kind, err));
    TRY(list_split(&classes->labels, &classes->count, joined, err));
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
    const bool classify = model->task == TASK_CLASSIFY;
    if (model->task == TASK_MAP) {
        return CNM_OK;
    }
    if (classify) {
        TRY(take_labels(in, err));
    }
    const size_t outputs = model->classes.count > 2 ? model->classes.count : 1;
    TRY(arrays_take_floats(in, "head", model->map->features, outputs, true, &model->weights, err));
    TRY(arrays_take_floats(in, "bias", outputs, 0, true, &model->bias, err));
    if (classify) {
        TRY(arrays_take_floats(in, in->format_1 ? FORMAT_1_DECISION_OFFSET : FILE_DECISION_OFFSET, outputs, 0, false,
                               &model->decision_offset, err));
    }
    model->outputs = outputs;
    return CNM_OK;
}

static cnm_status take_input(const incoming *in, cnm_error *err) {
    input_stage *input = &in->model->input;
    const char *kind;
    TRY(take_text(in, "input", &kind, err));
    input->asinh = strcmp(kind, "asinh") == 0;
    if (!input->asinh && strcmp(kind, "linear") != 0) {
        return error_set(err, CNM_BAD_FORMAT, "%s: unknown kind of input \"%.40s\"", in->name, kind);
    }
    return arrays_take_columns(in, err);
}

static cnm_status take_names(const incoming *in, cnm_error *err) {
    const char *joined = archive_value(in->archive, "names");
    size_t count;
    char **names;
    if (joined == NULL) {
        return CNM_OK;
    }
    TRY(list_split(&names, &count, joined, err));
    if (count != in->model->input.columns) {
        list_free(names, count);
        return error_set(err, CNM_BAD_FORMAT, "%s: %zu column names for %zu columns", in->name, count,
                         in->model->input.columns);
    }
    in->model->names = names;
    return CNM_OK;
}

/* Checks that the encoder makes the columns that the arrays are of. */
static cnm_status check_encoder(const incoming *in, cnm_error *err) {
    const cnm_model *model = in->model;
    const encoder *own = model->encoder;
    if (own->features != model->input.columns) {
        return error_set(err, CNM_BAD_FORMAT, "%s: the encoder makes %zu features for %zu columns", in->name,
                         own->features, model->input.columns);
    }
    for (size_t j = 0; j < own->columns; j++) {
        const column_encoding *column = &own->column[j];
        const double base =
            model->input.base == NULL || column->use != COLUMN_USED ? 0.0 : model->input.base[column->feature];
        if (column->use == COLUMN_USED && column->base != base) {
            return error_set(err, CNM_BAD_FORMAT, "%s: the encoder's base of column %zu is not that of the model",
                             in->name, j + 1);
        }
    }
    return CNM_OK;
}

/* Takes the encoder; a model of older files has one where its names are those of words. */
static cnm_status take_encoder(const incoming *in, cnm_error *err) {
    cnm_model *model = in->model;
    const char *text = archive_value(in->archive, FILE_ENCODER);
    encoder *by = NULL;
    if (text != NULL) {
        const cnm_status status = encoder_from_text(&by, text, strlen(text), err);
        TRY(status != CNM_OK ? error_prefix(err, status, "%s", in->name) : CNM_OK);
    } else if (model->names != NULL) {
        TRY(encoder_from_names(&by, model->names, model->input.base, model->input.columns, err));
    }
    TRY(model_set_encoder(model, by, text == NULL, err));
    return text != NULL ? check_encoder(in, err) : CNM_OK;
}

/* Takes what is left of the metadata as the record. */
static cnm_status take_record(const incoming *in, cnm_error *err) {
    static const char *const OWN[] = {"checksum", "format", "task",   "projection", "activation", "input",  "columns",
                                      "features", "layers", "labels", "label_kind", "names",      "encoder"};
    for (size_t i = 0; i < archive_entry_count(in->archive); i++) {
        const archive_entry entry = archive_entry_at(in->archive, i);
        bool own = strncmp(entry.key, FILE_EXPONENT, strlen(FILE_EXPONENT)) == 0;
        for (size_t j = 0; j < sizeof OWN / sizeof OWN[0]; j++) {
            own = own || strcmp(entry.key, OWN[j]) == 0;
        }
        if (!own) {
            TRY((in->format_1 ? format_1_add : record_add)(&in->model->record, entry.key, entry.value, err));
        }
    }
    return CNM_OK;
}

static cnm_status check_format(incoming *in, cnm_error *err) {
    const char *format = archive_value(in->archive, "format");
    if (format == NULL) {
        return error_set(err, CNM_BAD_FORMAT, "%s: a safetensors file, but not a cnm model", in->name);
    }
    in->format_1 = strcmp(format, FORMAT_1) == 0;
    if (!in->format_1 && strcmp(format, FILE_FORMAT) != 0) {
        return error_set(err, CNM_BAD_FORMAT, "%s: model format \"%.40s\", this version reads \"%s\"", in->name, format,
                         FILE_FORMAT);
    }
    return archive_verify(in->archive, FILE_CHECKSUM, err);
}

cnm_status model_from_bytes(cnm_model **out, const void *bytes, size_t size, const char *name, cnm_error *err) {
    static cnm_status (*const STEPS[])(const incoming *, cnm_error *) = {
        take_task, take_map, take_input, take_head, take_names, take_encoder, take_record};
    archive *opened;
    incoming in = {.name = name};
    cnm_status status = CNM_OK;
    *out = NULL;
    TRY(archive_open(&opened, bytes, size, name, err));
    in.archive = opened;
    TRY_DONE(model_create(&in.model, err));
    TRY_DONE(check_format(&in, err));
    for (size_t i = 0; i < sizeof STEPS / sizeof STEPS[0]; i++) {
        TRY_DONE(STEPS[i](&in, err));
    }
    TRY_DONE(model_describe(in.model, size, err));
    *out = in.model;
    in.model = NULL;
done:
    archive_close(opened);
    model_destroy(in.model);
    return status;
}
