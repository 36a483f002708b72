/* Models that leave: names and paths checked, files written aside and renamed. */
#include <string.h>

#include "api/api_objects.h"
#include "base/core/error.h"
#include "base/file/file.h"
#include "base/core/memory.h"
#include "model/export/export.h"

enum { NAME_LONGEST = 63 }; /* as many characters of a name as C99 promises to tell apart */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static cnm_status check_weights(const char *name, export_weights *out, cnm_error *err) {
    if (name == NULL) {
        *out = EXPORT_F32;
        return CNM_OK;
    }
    return export_weights_find(name, out)
               ? CNM_OK
               : error_set(err, CNM_BAD_ARGUMENT, "weights are exported as f32, f16 or i8, not as \"%s\"", name);
}

/* ---- Names ---- */

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* out = an identifier: the caller's, or made from the file's name. */
static cnm_status choose_name(char out[NAME_LONGEST + 1], const char *wanted, const char *path, cnm_error *err) {
    const char *from = wanted != NULL ? wanted : file_name(path);
    const size_t length = wanted != NULL ? strlen(wanted) : strcspn(from, ".");
    bool good = length > 0 && length <= NAME_LONGEST && is_letter(from[0]);
    for (size_t i = 0; i < length && good; i++) {
        good = is_letter(from[i]) || is_digit(from[i]);
    }
    if (wanted != NULL && !good) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "\"%s\" cannot begin names in C: use up to %d letters, digits and _, a letter first", wanted,
                         (int)NAME_LONGEST);
    }
    size_t used = 0;
    if (length == 0 || !is_letter(from[0])) {
        out[used++] = 'm';
        out[used++] = '_';
    }
    for (size_t i = 0; i < length && used < NAME_LONGEST; i++) {
        out[used++] = (char)(is_letter(from[i]) || is_digit(from[i]) ? from[i] : '_');
    }
    out[used] = '\0';
    return CNM_OK;
}

/* ---- Files ---- */

static cnm_status write_file(file_writer **out, const char *path, const text_buffer *text, cnm_error *err) {
    *out = NULL;
    cnm_status status = file_create(out, path, err);
    if (status == CNM_OK && (status = file_write(*out, text->bytes, text->length, err)) != CNM_OK) {
        file_abandon(*out);
        *out = NULL;
    }
    return status;
}

/* Both are complete under their temporary names before either is renamed. */
static cnm_status write_pair(const export_c_text *text, const char *source_path, const char *header_path,
                             cnm_error *err) {
    file_writer *code, *header;
    cnm_status status = write_file(&code, source_path, &text->source, err);
    if (status != CNM_OK) {
        return status;
    }
    status = write_file(&header, header_path, &text->header, err);
    if (status != CNM_OK) {
        file_abandon(code);
        return status;
    }
    status = file_commit(header, err);
    if (status != CNM_OK) {
        file_abandon(code);
        return status;
    }
    return file_commit(code, err);
}

static cnm_status export_as_c(const cnm_model *model, export_weights weights, const char *name, const char *path,
                              cnm_error *err) {
    const size_t length = strlen(path);
    char chosen[NAME_LONGEST + 1], *header_path;
    if (length < 3 || strcmp(path + length - 2, ".c") != 0 || path[length - 3] == '/') {
        return error_set(err, CNM_BAD_ARGUMENT, "%s does not end in .c: two files are written, FILE.c and FILE.h",
                         path);
    }
    if (strpbrk(file_name(path), "\"\\\n\r") != NULL) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "a C program cannot include a file with \" or \\ or a new line in its name");
    }
    cnm_status status = choose_name(chosen, name, path, err);
    if (status == CNM_OK) {
        status = memory_copy_text(&header_path, path, err);
    }
    if (status != CNM_OK) {
        return status;
    }
    header_path[length - 1] = 'h';
    export_c_text text;
    status = export_c(&text, model, weights, chosen, file_name(header_path), err);
    if (status == CNM_OK) {
        status = write_pair(&text, path, header_path, err);
        export_c_free(&text);
    }
    memory_free(header_path);
    return status;
}

static cnm_status export_as_onnx(const cnm_model *model, const char *path, cnm_error *err) {
    text_buffer bytes;
    file_writer *file;
    cnm_status status = export_onnx(&bytes, model, err);
    if (status == CNM_OK) {
        status = write_file(&file, path, &bytes, err);
        text_free(&bytes);
    }
    return status == CNM_OK ? file_commit(file, err) : status;
}

cnm_status cnm_model_export(const cnm_model *model, const char *to, const char *weights, const char *name,
                            const char *path, cnm_error *err) {
    export_weights kept = EXPORT_F32;
    cnm_status status = api_require(model, "model", err);
    status = status == CNM_OK ? api_require(to, "to", err) : status;
    status = status == CNM_OK ? api_require(path, "path", err) : status;
    status = status == CNM_OK ? check_weights(weights, &kept, err) : status;
    if (status != CNM_OK) {
        return status;
    }
    if (strcmp(to, "c") == 0) {
        return export_as_c(model, kept, name, path, err);
    }
    if (strcmp(to, "onnx") != 0) {
        return error_set(err, CNM_BAD_ARGUMENT, "models are exported to c or onnx, not to \"%s\"", to);
    }
    return kept == EXPORT_F32 ? export_as_onnx(model, path, err)
                              : error_set(err, CNM_UNSUPPORTED,
                                          "an ONNX file keeps its numbers in 32 bits: weights %s are for C", weights);
}

cnm_status cnm_model_round(cnm_model **out, const cnm_model *model, const char *weights, cnm_error *err) {
    export_weights kept = EXPORT_F32;
    if (out == NULL) {
        return api_require(out, "out", err);
    }
    *out = NULL;
    cnm_status status = api_require(model, "model", err);
    status = status == CNM_OK ? check_weights(weights, &kept, err) : status;
    return status == CNM_OK ? export_round(out, model, kept, err) : status;
}

cnm_status cnm_model_need(const cnm_model *model, const char *weights, size_t *flash, size_t *stack, cnm_error *err) {
    export_weights kept = EXPORT_F32;
    export_c_text text;
    cnm_status status = api_require(model, "model", err);
    status = status == CNM_OK ? api_require(flash, "flash", err) : status;
    status = status == CNM_OK ? api_require(stack, "stack", err) : status;
    status = status == CNM_OK ? check_weights(weights, &kept, err) : status;
    status = status == CNM_OK ? export_c(&text, model, kept, "model", "model.h", err) : status;
    if (status == CNM_OK) {
        *flash = text.need.tables + text.need.code;
        *stack = text.need.stack;
        export_c_free(&text);
    }
    return status;
}
