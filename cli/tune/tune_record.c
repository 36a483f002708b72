/* The file of a tuning:
 *
 *     cnm-tune 1 version 0.1.0 rows 1000 columns 2 checksum 89abcdef01234567 parts 5 metric accuracy method cnm ...
 *     dense 8 0 754 0.0803 0.93999999999999995 5f2b91c3
 *
 * projection, features, part, bytes of the model, microseconds a row, score, and a checksum of the line. It is written anew for each
 * result, beside its name and renamed: a few kilobytes against a training. */
#include "tune/tune_record.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report_error.h"
#include "cli_format.h"
#include "output_file.h"

static const char BEGIN[] = "cnm-tune ";
enum { FORMAT = 1, LINE = 256, KEY = 4096 };

/* Options that a result does not depend on, or that its line or the checksum of the rows tells. */
static bool is_left_out(const cnm_option_info *info) {
    static const char *const NAMES[] = {"features", "projection", "threads", "metric"};
    bool found = (info->purpose & CNM_FOR_TRAIN) == 0;
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        found = found || strcmp(info->name, NAMES[i]) == 0;
    }
    return found;
}

/* The text of an option's value must not end the line. */
static void add_plain(char *key, size_t *used, const char *text) {
    for (; *text != '\0' && *used + 1 < KEY; text++) {
        key[(*used)++] = (unsigned char)*text < 0x20 ? '?' : *text;
    }
    key[*used] = '\0';
}

static char *make_key(const cnm_options *options, const cnm_data *data, size_t parts, const char *metric) {
    char *key = malloc(KEY);
    cnm_option_info info;
    if (key == NULL) {
        return NULL;
    }
    size_t used = (size_t)snprintf(
        key, KEY, "%s%d version %s rows %zu columns %zu checksum %016" PRIx64 " parts %zu metric %s", BEGIN, FORMAT,
        cnm_version(), cnm_data_rows(data), cnm_data_columns(data), cnm_data_checksum(data), parts, metric);
    for (size_t i = 0; cnm_options_describe(i, &info); i++) {
        const char *value = cnm_options_get(options, info.name);
        if (!is_left_out(&info) && value != NULL) {
            add_plain(key, &used, " ");
            add_plain(key, &used, info.name);
            add_plain(key, &used, " ");
            add_plain(key, &used, value);
        }
    }
    return key;
}

/* FNV-1a, 32 bits: against accidents. */
static uint32_t line_checksum(const char *text, size_t length) {
    uint32_t sum = 2166136261U;
    for (size_t i = 0; i < length; i++) {
        sum = (sum ^ (unsigned char)text[i]) * 16777619U;
    }
    return sum;
}

static int print_result(char *out, const tune_result *result) {
    const int length = snprintf(out, LINE, "%s %zu %zu %s %s %s", result->projection, result->features, result->part,
                                number_digits(result->bytes, 17).text, number_digits(result->microseconds, 4).text,
                                number_digits(result->score, 17).text);
    return length + snprintf(out + length, LINE - (size_t)length, " %08" PRIx32, line_checksum(out, (size_t)length));
}

/* Whether a line without its end is whole. */
static bool parse_result(char *line, tune_result *out) {
    char words[5][48];
    char *last = strrchr(line, ' ');
    *out = (tune_result){0};
    if (last == NULL || strlen(last) != 9 ||
        strtoul(last + 1, NULL, 16) != line_checksum(line, (size_t)(last - line))) {
        return false;
    }
    if (sscanf(line, "%23s %47s %47s %47s %47s %47s", out->projection, words[0], words[1], words[2], words[3],
               words[4]) != 6) {
        return false;
    }
    out->features = (size_t)strtoul(words[0], NULL, 10);
    out->part = (size_t)strtoul(words[1], NULL, 10);
    out->bytes = number_read(words[2]);
    out->microseconds = number_read(words[3]);
    out->score = number_read(words[4]);
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

/* One line without its end; false at the end of the file. What is longer than size is cut. */
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
    cnm_status status = CNM_OK;
    if (!read_line(file, line, sizeof line)) {
        return CNM_OK; /* an empty file */
    }
    if (strncmp(line, BEGIN, sizeof BEGIN - 1) != 0) {
        return error_fill(error, CNM_BAD_FORMAT,
                          "%s is not a file of cnm tune: move it away, or give MODEL another name", self->path);
    }
    self->other = strcmp(line, self->key) != 0;
    while (status == CNM_OK && !self->other && read_line(file, line, sizeof line)) {
        if (parse_result(line, &result) && record_find(self, result.projection, result.features, result.part) == NULL) {
            status = keep(self, &result, error);
        }
    }
    return status;
}

cnm_status record_open(tune_record *out, const char *path, const cnm_options *options, const cnm_data *data,
                       size_t parts, const char *metric, cnm_error *error) {
    *out = (tune_record){.path = path, .key = make_key(options, data, parts, metric)};
    if (out->key == NULL) {
        return error_fill(error, CNM_NO_MEMORY, "out of memory: a key");
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return CNM_OK; /* not there, or not to be read: then writing says why */
    }
    const cnm_status status = read_file(out, file, error);
    fclose(file);
    return status;
}

void record_close(tune_record *self) {
    free(self->key);
    free(self->results);
    *self = (tune_record){0};
}

const tune_result *record_find(const tune_record *self, const char *projection, size_t features, size_t part) {
    for (size_t i = 0; i < self->count; i++) {
        const tune_result *result = &self->results[i];
        if (result->features == features && result->part == part && strcmp(result->projection, projection) == 0) {
            return result;
        }
    }
    return NULL;
}

cnm_status record_add(tune_record *self, const tune_result *result, cnm_error *error) {
    char line[LINE];
    output file;
    cnm_status status = keep(self, result, error);
    if (status == CNM_OK) {
        status = output_open(&file, self->path, error);
    }
    if (status != CNM_OK) {
        return status;
    }
    fprintf(file.stream, "%s\n", self->key);
    for (size_t i = 0; i < self->count; i++) {
        (void)print_result(line, &self->results[i]);
        fprintf(file.stream, "%s\n", line);
    }
    return output_commit(&file, error);
}
