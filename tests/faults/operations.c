/* Operations on tiny data: every method, projection, task and format at least once. */
#include "faults/operations.h"

#include <zlib.h>

#include "api/api_support.h"
#include "base/core/checksum.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "model/model.h"

static double metric_value(const cnm_evaluation *evaluation, const char *name) {
    double value = 0.0;
    return cnm_evaluation_get(evaluation, name, &value, NULL) == CNM_OK ? value : 0.0;
}

enum { FEW = 60, WIDE = 400, CELLS = 3 };

static sample made;
static float sparse_values[FEW * CELLS];
static uint32_t sparse_index[FEW * CELLS];
static size_t sparse_starts[FEW + 1];
static cnm_model *first_model;

/* ---- Data sets, by name ---- */

static struct data_set {
    const char *name;
    cnm_data *data;
} sets[] = {{"two", NULL}, {"three", NULL}, {"numbers", NULL}, {"sparse", NULL}, {"bare", NULL}};

static const cnm_data *data_named(const char *name) {
    for (size_t i = 0; i < COUNT_OF(sets); i++) {
        if (strcmp(sets[i].name, name) == 0) {
            return sets[i].data;
        }
    }
    fail_msg("no data set %s", name);
    return NULL;
}

static cnm_data *few_rows(void) {
    cnm_error error = {0};
    cnm_data *data;
    check_ok(cnm_data_view_dense(&data, made.values, FEW, COLUMNS, COLUMNS, &error), &error);
    return data;
}

static cnm_data *sparse_rows(void) {
    cnm_error error = {0};
    cnm_data *data;
    for (size_t i = 0; i < FEW * CELLS; i++) {
        sparse_values[i] = number(i) + 1.5F;
        sparse_index[i] = (uint32_t)(i % CELLS * 100 + i / CELLS * 2);
        sparse_starts[i / CELLS + 1] = i + 1;
    }
    check_ok(cnm_data_view_csr(&data, sparse_values, sparse_index, sparse_starts, FEW, WIDE, &error), &error);
    return data;
}

static void make_sets(void) {
    cnm_error error = {0};
    const char *three[FEW];
    double targets[FEW];
    for (size_t i = 0; i < FEW; i++) {
        three[i] =
            (const char *const[]){"a", "b", "c"}[(made.values[i * COLUMNS] > 0) + (made.values[i * COLUMNS + 1] > 0)];
        targets[i] = made.numbers[i];
    }
    for (size_t i = 0; i < COUNT_OF(sets); i++) {
        sets[i].data = strcmp(sets[i].name, "sparse") == 0 ? sparse_rows() : few_rows();
    }
    check_ok(cnm_data_set_labels(sets[0].data, made.words, &error), &error);
    check_ok(cnm_data_set_labels(sets[1].data, three, &error), &error);
    check_ok(cnm_data_set_targets(sets[2].data, targets, &error), &error);
    check_ok(cnm_data_set_labels(sets[3].data, made.words, &error), &error);
}

/* ---- Operations ---- */

static cnm_status options_from(cnm_options **out, const char *const *pairs, cnm_error *err) {
    TRY(cnm_options_create(out, err));
    for (; *pairs != NULL; pairs += 2) {
        TRY(cnm_options_set(*out, pairs[0], pairs[1], err));
    }
    return CNM_OK;
}

static cnm_status train(const operation *self, outcome *out, cnm_error *err) {
    cnm_options *options = NULL;
    cnm_status status;
    TRY_DONE(options_from(&options, self->pairs, err));
    TRY_DONE(cnm_train(&out->model, data_named(self->rows), options, NULL, err));
done:
    cnm_options_destroy(options);
    return status;
}

static cnm_status train_more(const operation *self, outcome *out, cnm_error *err) {
    cnm_options *options = NULL;
    cnm_status status;
    TRY_DONE(options_from(&options, self->pairs, err));
    TRY_DONE(cnm_train_continue(&out->model, first_model, data_named(self->rows), options, NULL, err));
done:
    cnm_options_destroy(options);
    return status;
}

static cnm_status train_validated(const operation *self, outcome *out, cnm_error *err) {
    const cnm_data *rows = data_named(self->rows);
    cnm_options *options = NULL;
    cnm_status status;
    TRY_DONE(options_from(&options, self->pairs, err));
    TRY_DONE(cnm_train_validated(&out->model, NULL, rows, rows, options, NULL, err));
done:
    cnm_options_destroy(options);
    return status;
}

static cnm_status load_rows(const operation *self, outcome *out, cnm_error *err) {
    cnm_options *options = NULL;
    cnm_status status;
    TRY_DONE(options_from(&options, self->pairs, err));
    TRY_DONE(cnm_data_load(&out->data, self->rows, options, NULL, NULL, err));
done:
    cnm_options_destroy(options);
    return status;
}

static cnm_status read_batches(const operation *self, outcome *out, cnm_error *err) {
    cnm_options *options = NULL;
    cnm_reader *reader = NULL;
    cnm_data *batch = NULL;
    cnm_status status;
    TRY_DONE(options_from(&options, self->pairs, err));
    TRY_DONE(cnm_reader_open(&reader, self->rows, options, first_model, NULL, err));
    for (;;) {
        TRY_DONE(cnm_reader_next(reader, 7, &batch, err));
        if (batch == NULL) {
            break;
        }
        TRY_DONE(cnm_predict_scores(first_model, batch, 1, out->numbers + out->count, err));
        out->count += cnm_data_rows(batch);
        cnm_data_destroy(batch);
        batch = NULL;
    }
done:
    cnm_data_destroy(batch);
    cnm_reader_destroy(reader);
    cnm_options_destroy(options);
    out->count = status == CNM_OK ? out->count : 0;
    return status;
}

static cnm_status predict(const operation *self, outcome *out, cnm_error *err) {
    const cnm_data *data = data_named(self->rows);
    int32_t classes[FEW];
    TRY(cnm_predict_scores(first_model, data, 2, out->numbers, err));
    TRY(cnm_transform(first_model, data, 2, out->numbers + FEW, err));
    TRY(cnm_predict_classes(first_model, data, 2, classes, err));
    out->count = FEW + FEW * cnm_model_features(first_model);
    return CNM_OK;
}

static cnm_status evaluate(const operation *self, outcome *out, cnm_error *err) {
    cnm_evaluation *evaluation = NULL;
    cnm_status status;
    TRY_DONE(cnm_evaluation_create(&evaluation, first_model, 1, err));
    TRY_DONE(cnm_evaluation_add(evaluation, data_named(self->rows), made.values, err));
    out->numbers[out->count++] = (float)metric_value(evaluation, "accuracy");
done:
    cnm_evaluation_destroy(evaluation);
    return status;
}

static cnm_status save_model(const operation *self, outcome *out, cnm_error *err) {
    (void)out;
    return cnm_model_save(first_model, self->path, err);
}

static cnm_status load_model(const operation *self, outcome *out, cnm_error *err) {
    return cnm_model_load(&out->model, self->rows, err);
}

static cnm_status save_rows(const operation *self, outcome *out, cnm_error *err) {
    (void)out;
    return cnm_data_save(data_named(self->rows), self->path, NULL, self->pairs[0], err);
}

static cnm_status select_rows(const operation *self, outcome *out, cnm_error *err) {
    static const size_t POSITIONS[] = {7, 3, 3, 30};
    size_t part[FEW], classes;
    const cnm_data *data = data_named(self->rows);
    cnm_status status;
    TRY_DONE(cnm_data_select(&out->data, data, POSITIONS, COUNT_OF(POSITIONS), err));
    TRY_DONE(cnm_data_folds(data, NULL, 4, part, &classes, err));
    return CNM_OK;
done:
    cnm_data_destroy(out->data);
    out->data = NULL;
    return status;
}

static cnm_status copy_rows(const operation *self, outcome *out, cnm_error *err) {
    static const double VALUES[] = {1.7e9, 1, 1.7e9 + 1, 2};
    static const char *const WORDS[] = {"a", "1"}, *const NAMES[] = {"x", "y"};
    (void)self;
    cnm_status status;
    TRY_DONE(cnm_data_copy_double(&out->data, VALUES, 2, 2, 2, NULL, err));
    TRY_DONE(cnm_data_set_labels(out->data, WORDS, err));
    TRY_DONE(cnm_data_set_weights(out->data, VALUES, err));
    TRY_DONE(cnm_data_set_names(out->data, NAMES, err));
    return CNM_OK;
done:
    cnm_data_destroy(out->data);
    out->data = NULL;
    return status;
}

#define LONE "threads", "1"
#define SHORT LONE, "epochs", "1", "batch", "20"
#define QUICK SHORT, "features", "4", "effort", "quick"

const operation OPERATIONS[] = {
    {"train joint", train, "two", NULL, 1, {QUICK}},
    {"train joint, two threads",
     train,
     "two",
     NULL,
     1,
     {"threads", "2", "epochs", "1", "features", "4", "effort", "quick"}},
    {"train joint, searching",
     train,
     "three",
     NULL,
     31,
     {LONE, "epochs", "230", "batch", "20", "effort", "thorough", "features", "4"}},
    {"train joint circulant", train, "two", NULL, 1, {QUICK, "projection", "circulant", "validation", "0.3"}},
    {"train joint diagonals", train, "three", NULL, 1, {QUICK, "projection", "circulant-diagonal", "dtype", "f16"}},
    {"train joint numbers", train, "numbers", NULL, 1, {QUICK, "scale", "asinh"}},
    {"train joint stack",
     train,
     "three",
     NULL,
     1,
     {SHORT, "effort", "quick", "layers", "columns:2,circulant:5,4", "scale", "quantile", "dtype", "f16"}},
    {"train joint sparse", train, "sparse", NULL, 1, {QUICK, "projection", "circulant"}},
    {"train alternating",
     train,
     "two",
     NULL,
     1,
     {LONE, "recipe", "alternating", "iterations", "2", "head-steps", "2", "map-steps", "2", "features", "4"}},
    {"train kernel",
     train,
     "two",
     NULL,
     1,
     {SHORT, "method", "kernel-approximation", "map-steps", "3", "features", "4"}},
    {"train kernel map",
     train,
     "bare",
     NULL,
     1,
     {LONE, "method", "kernel-approximation", "map-steps", "3", "features", "4", "task", "map"}},
    {"train frozen", train, "three", NULL, 1, {QUICK, "map-rate", "0"}},
    {"train rff", train, "three", NULL, 1, {SHORT, "method", "rff", "features", "4", "init", "orthogonal"}},
    {"train rff circulant",
     train,
     "sparse",
     NULL,
     1,
     {SHORT, "method", "rff", "features", "4", "projection", "circulant"}},
    {"train rff diagonals",
     train,
     "numbers",
     NULL,
     1,
     {SHORT, "method", "rff", "features", "4", "projection", "circulant-diagonal"}},
    {"train linear", train, "three", NULL, 1, {SHORT, "method", "linear"}},
    {"train with a checkpoint", train, "three", "saved.state", 1, {QUICK, "checkpoint", "saved.state"}},
    {"resume", train, "three", "saved.state", 1, {QUICK, "checkpoint", "saved.state", "resume", "yes"}},
    {"train more", train_more, "two", NULL, 1, {LONE, "epochs", "1", "features", "6"}},
    {"train validated", train_validated, "two", NULL, 1, {QUICK, "patience", "2"}},
    {"train validated numbers", train_validated, "numbers", NULL, 1, {QUICK}},
    {"train validated sparse", train_validated, "sparse", NULL, 1, {QUICK}},
    {"predict", predict, "two", NULL, 1, {NULL}},
    {"evaluate", evaluate, "two", NULL, 1, {NULL}},
    {"save a model", save_model, NULL, "saved.cnm", 1, {NULL}},
    {"load a model", load_model, "model.cnm", NULL, 1, {NULL}},
    {"save csv", save_rows, "two", "saved.csv", 1, {NULL}},
    {"save libsvm", save_rows, "sparse", "saved.libsvm", 1, {NULL}},
    {"save npy", save_rows, "numbers", "saved.npy", 1, {"saved-labels.npy"}},
    {"load csv", load_rows, "rows.csv", NULL, 1, {LONE}},
    {"load csv, two threads", load_rows, "rows.csv", NULL, 1, {"threads", "2"}},
    {"load csv.gz", load_rows, "rows.csv.gz", NULL, 1, {LONE, "shuffle", "1"}},
    {"load libsvm", load_rows, "rows.libsvm", NULL, 1, {LONE, "positive", "up"}},
    {"load arff", load_rows, "rows.arff", NULL, 1, {LONE, "missing", "mean"}},
    {"load npy and labels", load_rows, "rows.npy", NULL, 1, {"labels", "labels.npy"}},
    {"load npy in Fortran order", load_rows, "fortran.npy", NULL, 1, {NULL}},
    {"load idx", load_rows, "rows.idx", NULL, 1, {"label-column", "none"}},
    {"read batches and predict", read_batches, "rows.csv", NULL, 1, {LONE}},
    {"select rows", select_rows, "two", NULL, 1, {NULL}},
    {"rows from memory", copy_rows, NULL, NULL, 1, {NULL}},
};
const size_t OPERATION_COUNT = COUNT_OF(OPERATIONS);

/* ---- Files ---- */

static void write_bytes(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void zip_file(const char *from, const char *to) {
    static char bytes[1 << 16];
    FILE *file = fopen(from, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    assert_int_equal(fclose(file), 0);
    gzFile zipped = gzopen(to, "wb");
    assert_non_null(zipped);
    assert_int_equal(gzwrite(zipped, bytes, (unsigned)size), (int)size);
    assert_int_equal(gzclose(zipped), Z_OK);
}

static void make_files(void) {
    static const char ARFF[] =
        "@relation r\n@attribute x numeric\n@attribute 'y z' real\n@attribute k {a, 'b c'}\n@data\n"
        "1,2,a\n?,4,'b c'\n{0 3, 2 'b c'}\n";
    static const char FORTRAN[] =
        "\x93NUMPY\x01\x00\x36\x00{'descr': '<u1', 'fortran_order': True, 'shape':(2,2)}\1\2\3\4";
    static const char IDX[] = "\0\0\x0C\x02\0\0\0\2\0\0\0\2\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\4";
    cnm_error error = {0};
    check_ok(cnm_data_save(sets[0].data, "rows.csv", NULL, NULL, &error), &error);
    check_ok(cnm_data_save(sets[3].data, "rows.libsvm", NULL, NULL, &error), &error);
    check_ok(cnm_data_save(sets[2].data, "rows.npy", NULL, "labels.npy", &error), &error);
    write_bytes("rows.arff", ARFF, sizeof ARFF - 1);
    write_bytes("fortran.npy", FORTRAN, sizeof FORTRAN - 1);
    write_bytes("rows.idx", IDX, sizeof IDX - 1);
    zip_file("rows.csv", "rows.csv.gz");
    check_ok(cnm_model_save(first_model, "model.cnm", &error), &error);
}

static void make_state(void) {
    static const char *const PAIRS_OF_IT[] = {QUICK, "checkpoint", OLD_STATE, NULL};
    cnm_error error = {0};
    cnm_options *options = options_of(PAIRS_OF_IT);
    cnm_model *model;
    check_ok(cnm_train(&model, data_named("three"), options, NULL, &error), &error);
    cnm_model_destroy(model);
    cnm_options_destroy(options);
}

void operations_prepare(void) {
    cnm_error error = {0};
    outcome out = {0};
    sample_make(&made);
    make_sets();
    check_ok(train(&OPERATIONS[0], &out, &error), &error);
    first_model = out.model;
    make_files();
    make_state();
}

void operations_clean(void) {
    for (size_t i = 0; i < COUNT_OF(sets); i++) {
        cnm_data_destroy(sets[i].data);
    }
    cnm_model_destroy(first_model);
}

uint64_t outcome_checksum(const outcome *out) {
    uint64_t sum = checksum_update(0, out->numbers, out->count * sizeof *out->numbers);
    if (out->data != NULL) {
        const uint64_t rows = cnm_data_checksum(out->data);
        sum = checksum_update(sum, &rows, sizeof rows);
    }
    if (out->model != NULL) {
        unsigned char *bytes;
        size_t size;
        assert_int_equal(model_to_bytes(out->model, &bytes, &size, NULL), CNM_OK);
        sum = checksum_update(sum, bytes, size);
        memory_free(bytes);
    }
    return sum;
}

void outcome_free(outcome *out) {
    cnm_model_destroy(out->model);
    cnm_data_destroy(out->data);
}
