/* Reads and writes the file of a tuning:
 *
 *     cnm-tune 1 version 0.1.0 rows 1000 columns 2 checksum 89abcdef01234567 folds 5 metric ...
 *     dense 8 0 754 0.0803 0.93999999999999995 5f2b91c3
 *     dense 16,8 0 1210 0.152 0.94999999999999996 0c6d1f7e
 *
 * projection, features of the layers, fold, bytes of the model, microseconds a row, score, and a
 * checksum of the line. The whole file is written anew for each result, aside and renamed: a few
 * kilobytes, little beside a training. */
#include "tune/tune_record.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_format.h"
#include "described_values.h"
#include "output_file.h"
#include "report_error.h"

static const char BEGIN[] = "cnm-tune ";
enum { FORMAT = 1, LINE = 256, KEY = 4096 };

/* Returns whether an option is left out of the key: results do not depend on it, or their lines or
 * the checksum of the rows have it. */
static bool is_left_out(const cnm_option_info *info) {
    static const char *const NAMES[] = {"features", "projection", "layers", "threads", "metric"};
    bool found = (info->purpose & CNM_FOR_TRAIN) == 0;
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        found = found || strcmp(info->name, NAMES[i]) == 0;
    }
    return found;
}

/* Appends a text to the key. Control characters, which would end the line, become "?". */
static void add_plain(char *key, size_t *used, const char *text) {
    for (; *text != '\0' && *used + 1 < KEY; text++) {
        key[(*used)++] = (unsigned char)*text < 0x20 ? '?' : *text;
    }
    key[*used] = '\0';
}

static char *make_key(const cnm_options *options, const cnm_data *data, size_t folds, const char *metric) {
    char *key = malloc(KEY);
    cnm_option_info info = CNM_OPTION_INFO_INIT;
    if (key == NULL) {
        return NULL;
    }
    size_t used = (size_t)snprintf(
        key, KEY, "%s%d version %s rows %zu columns %zu checksum %016" PRIx64 " folds %zu metric %s", BEGIN, FORMAT,
        cnm_version(), cnm_data_rows(data), cnm_data_columns(data), cnm_data_checksum(data), folds, metric);
    for (size_t i = 0; cnm_options_describe(i, &info); i++) {
        const char *value = option_text(options, info.name);
        if (!is_left_out(&info) && value != NULL) {
            add_plain(key, &used, " ");
            add_plain(key, &used, info.name);
            add_plain(key, &used, " ");
            add_plain(key, &used, value);
        }
    }
    return key;
}

/* Returns the FNV-1a checksum in 32 bits: a protection against accidents. */
static uint32_t line_checksum(const char *text, size_t length) {
    uint32_t sum = 2166136261U;
    for (size_t i = 0; i < length; i++) {
        sum = (sum ^ (unsigned char)text[i]) * 16777619U;
    }
    return sum;
}

shape_text shape_features(const map_shape *shape) {
    shape_text out;
    const size_t used = shape->below == 0 ? 0 : (size_t)snprintf(out.text, sizeof out.text, "%zu,", shape->below);
    (void)snprintf(out.text + used, sizeof out.text - used, "%zu", shape->features);
    return out;
}

/* Reads what shape_features writes. */
static void parse_features(const char *text, map_shape *out) {
    char *end;
    out->features = (size_t)strtoul(text, &end, 10);
    if (*end == ',') {
        out->below = out->features;
        out->features = (size_t)strtoul(end + 1, NULL, 10);
    }
}

static bool same_shape(const map_shape *a, const map_shape *b) {
    return a->features == b->features && a->below == b->below && strcmp(a->projection.text, b->projection.text) == 0;
}

static int print_result(char *out, const tune_result *result) {
    const int length =
        snprintf(out, LINE, "%s %s %zu %s %s %s", result->shape.projection.text, shape_features(&result->shape).text,
                 result->fold, number_digits(result->bytes, 17).text, number_digits(result->microseconds, 4).text,
                 number_digits(result->score, 17).text);
    return length + snprintf(out + length, LINE - (size_t)length, " %08" PRIx32, line_checksum(out, (size_t)length));
}

/* Reads a line without its end. Returns false where it is damaged. */
static bool parse_result(char *line, tune_result *out) {
    char words[5][48];
    char *last = strrchr(line, ' ');
    *out = (tune_result){0};
    if (last == NULL || strlen(last) != 9 ||
        strtoul(last + 1, NULL, 16) != line_checksum(line, (size_t)(last - line))) {
        return false;
    }
    if (sscanf(line, "%23s %47s %47s %47s %47s %47s", out->shape.projection.text, words[0], words[1], words[2],
               words[3], words[4]) != 6) {
        return false;
    }
    parse_features(words[0], &out->shape);
    out->fold = (size_t)strtoul(words[1], NULL, 10);
    out->bytes = number_of_text(words[2]);
    out->microseconds = number_of_text(words[3]);
    out->score = number_of_text(words[4]);
    return isfinite(out->bytes) && isfinite(out->score);
}

static cnm_status keep(tune_record *self, const tune_result *result, cnm_error *error) {
    if (self->count == self->capacity) {
        const size_t capacity = 2 * self->capacity + 16;
        tune_result *larger = realloc(self->results, capacity * sizeof *larger);
        if (larger == NULL) {
            return error_fill(error, CNM_NO_MEMORY, "out of memory: results");
        }
        self->results = larger;
        self->capacity = capacity;
    }
    self->results[self->count++] = *result;
    return CNM_OK;
}

/* Reads one line without its end, cut where it is longer than `size`. Returns false at the end of
 * the file. */
static bool read_line(FILE *file, char *line, size_t size) {
    size_t used = 0;
    int byte = fgetc(file);
    if (byte == EOF) {
        return false;
    }
    for (; byte != EOF && byte != '\n'; byte = fgetc(file)) {
        if (used + 1 < size) {
            line[used++] = (char)byte;
        }
    }
    line[used] = '\0';
    return true;
}

static cnm_status read_file(tune_record *self, FILE *file, cnm_error *error) {
    char line[KEY];
    tune_result result;
    if (!read_line(file, line, sizeof line)) {
        return CNM_OK; /* an empty file */
    }
    if (strncmp(line, BEGIN, sizeof BEGIN - 1) != 0) {
        return error_fill(error, CNM_BAD_FORMAT,
                          "%s is not a file of cnm tune: move it away, or give MODEL another name", self->path);
    }
    self->other = strcmp(line, self->key) != 0;
    while (!self->other && read_line(file, line, sizeof line)) {
        if (parse_result(line, &result) && tune_record_find(self, &result.shape, result.fold) == NULL) {
            TRY(keep(self, &result, error));
        }
    }
    return CNM_OK;
}

cnm_status tune_record_open(tune_record *out, const char *path, const cnm_options *options, const cnm_data *data,
                            size_t folds, const char *metric, cnm_error *error) {
    *out = (tune_record){.path = path, .key = make_key(options, data, folds, metric)};
    if (out->key == NULL) {
        return error_fill(error, CNM_NO_MEMORY, "out of memory: a key");
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return CNM_OK; /* there is none, or it cannot be read: then writing fails and reports why */
    }
    const cnm_status status = read_file(out, file, error);
    fclose(file);
    return status;
}

void tune_record_close(tune_record *self) {
    free(self->key);
    free(self->results);
    *self = (tune_record){0};
}

const tune_result *tune_record_find(const tune_record *self, const map_shape *shape, size_t fold) {
    for (size_t i = 0; i < self->count; i++) {
        const tune_result *result = &self->results[i];
        if (result->fold == fold && same_shape(&result->shape, shape)) {
            return result;
        }
    }
    return NULL;
}

cnm_status tune_record_add(tune_record *self, const tune_result *result, cnm_error *error) {
    char line[LINE];
    output file;
    TRY(keep(self, result, error));
    TRY(output_open(&file, self->path, error));
    fprintf(file.stream, "%s\n", self->key);
    for (size_t i = 0; i < self->count; i++) {
        (void)print_result(line, &self->results[i]);
        fprintf(file.stream, "%s\n", line);
    }
    return output_commit(&file, error);
}
