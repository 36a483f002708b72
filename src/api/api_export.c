/* Models that leave: names and paths checked, files written aside and renamed. */
#include <string.h>

#include "api/api_objects.h"
#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/file/file.h"
#include "model/export/export.h"

enum { NAME_LONGEST = 63 }; /* as many characters of a name as C99 promises to tell apart */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* *out = the type of weights by its name; NULL is f32. */
static cnm_status find_dtype(const char *name, export_dtype *out, cnm_error *err) {
    if (name == NULL) {
        *out = EXPORT_F32;
        return CNM_OK;
    }
    return export_dtype_find(name, out)
               ? CNM_OK
               : error_set(err, CNM_BAD_ARGUMENT, "weights are exported as f32, f16 or i8, not as \"%s\"", name);
}

/* ---- Names ---- */

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Fills out with an identifier: the caller's, or one made from the file's name. */
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
    TRY(file_create(out, path, err));
    const cnm_status status = file_write(*out, text->bytes, text->length, err);
    if (status != CNM_OK) {
        file_abandon(*out);
        *out = NULL;
    }
    return status;
}

/* Writes source and header. Both are complete under their temporary names before either is
 * renamed. */
static cnm_status write_pair(const export_c_text *text, const char *source_path, const char *header_path,
                             cnm_error *err) {
    file_writer *code, *header;
    cnm_status status = CNM_OK;
    TRY(write_file(&code, source_path, &text->source, err));
    TRY_DONE(write_file(&header, header_path, &text->header, err));
    TRY_DONE(file_commit(header, err));
    return file_commit(code, err);
done:
    file_abandon(code);
    return status;
}

static cnm_status export_as_c(const cnm_model *model, export_dtype weights, const char *name, const char *path,
                              cnm_error *err) {
    const size_t length = strlen(path);
    char chosen[NAME_LONGEST + 1], *header_path;
    export_c_text text;
    cnm_status status = CNM_OK;
    if (length < 3 || strcmp(path + length - 2, ".c") != 0 || path[length - 3] == '/') {
        return error_set(err, CNM_BAD_ARGUMENT, "%s does not end in .c: two files are written, FILE.c and FILE.h",
                         path);
    }
    if (strpbrk(file_name(path), "\"\\\n\r") != NULL) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "a C program cannot include a file with \" or \\ or a new line in its name");
    }
    TRY(choose_name(chosen, name, path, err));
    TRY(memory_copy_text(&header_path, path, err));
    header_path[length - 1] = 'h';
    TRY_DONE(export_c(&text, model, weights, chosen, file_name(header_path), err));
    status = write_pair(&text, path, header_path, err);
    export_c_free(&text);
done:
    memory_free(header_path);
    return status;
}

static cnm_status export_as_onnx(const cnm_model *model, const char *path, cnm_error *err) {
    text_buffer bytes;
    file_writer *file;
    TRY(export_onnx(&bytes, model, err));
    const cnm_status status = write_file(&file, path, &bytes, err);
    text_free(&bytes);
    TRY(status);
    return file_commit(file, err);
}

cnm_status cnm_model_export(const cnm_model *model, const char *format, const char *dtype, const char *name,
                            const char *path, cnm_error *err) {
    export_dtype kept = EXPORT_F32;
    TRY(api_require(model, "model", err));
    TRY(api_require(format, "format", err));
    TRY(api_require(path, "path", err));
    TRY(find_dtype(dtype, &kept, err));
    if (strcmp(format, "c") == 0) {
        return export_as_c(model, kept, name, path, err);
    }
    if (strcmp(format, "onnx") != 0) {
        return error_set(err, CNM_BAD_ARGUMENT, "models are exported to c or onnx, not to \"%s\"", format);
    }
    return kept == EXPORT_F32
               ? export_as_onnx(model, path, err)
               : error_set(err, CNM_UNSUPPORTED, "an ONNX file keeps its weights in 32 bits: %s is for C", dtype);
}

cnm_status cnm_model_round(cnm_model **out, const cnm_model *model, const char *dtype, cnm_error *err) {
    export_dtype kept = EXPORT_F32;
    TRY(api_output(out, err));
    TRY(api_require(model, "model", err));
    TRY(find_dtype(dtype, &kept, err));
    return export_quantise(out, model, kept, err);
}

cnm_status cnm_model_footprint(const cnm_model *model, const char *dtype, size_t *flash, size_t *stack,
                               cnm_error *err) {
    export_dtype kept = EXPORT_F32;
    export_c_text text;
    TRY(api_require(model, "model", err));
    TRY(api_require(flash, "flash", err));
    TRY(api_require(stack, "stack", err));
    TRY(find_dtype(dtype, &kept, err));
    TRY(export_c(&text, model, kept, "model", "model.h", err));
    *flash = text.need.tables + text.need.code;
    *stack = text.need.stack;
    export_c_free(&text);
    return CNM_OK;
}
