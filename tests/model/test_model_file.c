/* The model file: what is saved comes back, what is damaged or absurd is refused with a sentence that names the file. */
#include "model/kinds.h"

#include "base/file/safetensors.h"
#include "model/file/model_file.h"

typedef struct file_bytes {
    unsigned char *bytes;
    size_t size;
} file_bytes;

static file_bytes saved(const cnm_model *model) {
    cnm_error error = {0};
    file_bytes out;
    check_ok(model_to_bytes(model, &out.bytes, &out.size, &error), &error);
    return out;
}

static cnm_model *loaded(file_bytes file) {
    cnm_error error = {0};
    cnm_model *model;
    check_ok(model_from_bytes(&model, file.bytes, file.size, "test.cnm", &error), &error);
    return model;
}

/* ---- There and back ---- */

static void saving_what_was_loaded_gives_the_same_bytes(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        cnm_model *model = make_model(&KINDS[i]);
        file_bytes first = saved(model);
        cnm_model *copy = loaded(first);
        file_bytes second = saved(copy);
        size_t size = 0;
        assert_int_equal(model_size(model, &size, NULL), CNM_OK);
        assert_int_equal(size, first.size);
        if (first.size != second.size || memcmp(first.bytes, second.bytes, first.size) != 0) {
            fail_msg("%s: other bytes after loading", KINDS[i].name);
        }
        memory_free(first.bytes);
        memory_free(second.bytes);
        model_destroy(model);
        model_destroy(copy);
    }
}

static void a_loaded_model_is_the_same_model(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        cnm_model *model = make_model(&KINDS[i]);
        file_bytes file = saved(model);
        cnm_model *copy = loaded(file);
        assert_int_equal(copy->task, model->task);
        assert_int_equal(copy->outputs, model->outputs);
        assert_int_equal(copy->classes.count, model->classes.count);
        assert_int_equal(copy->classes.numeric, model->classes.numeric);
        for (size_t j = 0; j < model->classes.count; j++) {
            assert_string_equal(copy->classes.labels[j], model->classes.labels[j]);
        }
        assert_int_equal(copy->names != NULL, model->names != NULL);
        for (size_t j = 0; model->names != NULL && j < model->input.columns; j++) {
            assert_string_equal(copy->names[j], model->names[j]);
        }
        assert_int_equal(copy->description.count, model->description.count);
        for (size_t j = 0; j < model->description.count; j++) {
            assert_string_equal(copy->description.entries[j].key, model->description.entries[j].key);
            assert_string_equal(copy->description.entries[j].value, model->description.entries[j].value);
        }
        memory_free(file.bytes);
        model_destroy(model);
        model_destroy(copy);
    }
}

static void a_loaded_model_predicts_the_same_bits(void **unused) {
    (void)unused;
    enum { ROWS = 80 };
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        cnm_model *models[2] = {make_model(&KINDS[i]), NULL};
        file_bytes file = saved(models[0]);
        models[1] = loaded(file);
        const size_t columns = KINDS[i].columns, k = KINDS[i].features, outputs = models[0]->outputs;
        float *values = take(ROWS * columns, sizeof *values), *z[2], *scores[2];
        normals(9, ROWS * columns, 1.0, values);
        for (size_t m = 0; m < 2; m++) {
            cnm_error error = {0};
            const rows_view rows = {
                .rows = ROWS, .columns = columns, .values = values, .stride = columns, .base = models[0]->input.base};
            z[m] = take(ROWS * k, sizeof(float));
            scores[m] = take(ROWS * outputs, sizeof(float));
            check_ok(model_transform(models[m], &rows, 2, z[m], &error), &error);
            check_ok(outputs == 0 ? CNM_OK : model_scores(models[m], &rows, 2, scores[m], &error), &error);
        }
        check_same_floats(z[0], z[1], ROWS * k, KINDS[i].name);
        check_same_floats(scores[0], scores[1], ROWS * outputs, KINDS[i].name);
        for (size_t m = 0; m < 2; m++) {
            free(z[m]);
            free(scores[m]);
            model_destroy(models[m]);
        }
        free(values);
        memory_free(file.bytes);
    }
}

/* ---- The size that was promised ---- */

/* r in ceil(k / d) d floats, k phases, D in d bits: never a k x d matrix. */
static void a_circulant_model_is_small(void **unused) {
    (void)unused;
    const model_kind kind = {"circulant", "circulant", "cos", 1000, 500, 2, .phases = true};
    cnm_model *model = make_model(&kind);
    file_bytes file = saved(model);
    const size_t arrays = 1000 * 4 + 125 + 500 * 4 + 500 * 4 + 4;
    assert_true(file.size > arrays && file.size < arrays + 1024);
    memory_free(file.bytes);
    model_destroy(model);
}

static const char *described(const cnm_model *model, const char *key) {
    const char *value = record_get(&model->description, key);
    return value == NULL ? "(none)" : value;
}

static void the_description_says_what_it_is(void **unused) {
    (void)unused;
    cnm_model *model = make_model(&KINDS[0]);
    file_bytes file = saved(model);
    char size[32];
    snprintf(size, sizeof size, "%zu", file.size);
    assert_string_equal(described(model, "task"), "classify");
    assert_string_equal(described(model, "columns"), "3");
    assert_string_equal(described(model, "features"), "5");
    assert_string_equal(described(model, "outputs"), "1");
    assert_string_equal(described(model, "projection"), "dense");
    assert_string_equal(described(model, "activation"), "cos");
    assert_string_equal(described(model, "parameters"), "26"); /* 3 * 5 theta, 5 phases, 5 + 1 head */
    assert_string_equal(described(model, "bytes"), size);
    assert_string_equal(described(model, "labels"), "-1, 0");
    assert_string_equal(described(model, "method"), "rff");
    memory_free(file.bytes);
    model_destroy(model);
}

/* ---- Damage ---- */

static void check_refused(const void *bytes, size_t size, const char *words, const char *what) {
    cnm_error error = {0};
    cnm_model *model = (cnm_model *)&error; /* anything but NULL */
    const cnm_status status = model_from_bytes(&model, bytes, size, "test.cnm", &error);
    if (status == CNM_OK) {
        fail_msg("%s: accepted", what);
    }
    const bool sensible =
        status == CNM_BAD_FORMAT || status == CNM_UNSUPPORTED; /* the latter: arrays of another type */
    if (!sensible || model != NULL) {
        fail_msg("%s: status %d, \"%s\"", what, (int)status, error.message);
    }
    if (strstr(error.message, "test.cnm") == NULL || strstr(error.message, words) == NULL) {
        fail_msg("%s: \"%s\" lacks the file's name or \"%s\"", what, error.message, words);
    }
    assert_int_equal(model_from_bytes(&model, bytes, size, "test.cnm", NULL), status);
}

static const model_kind SMALL[] = {
    {"dense", "dense", "cos", 2, 2, 2, .phases = true, .offset = true, .words = true},
    {"circulant", "circulant", "cos", 3, 2, 0, .unequal = true},
    {"16 bits", "circulant-diagonal", "cos", 3, 2, 2, .phases = true, .half = true, .size = -3},
};

static void any_flipped_bit_is_refused(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(SMALL); i++) {
        cnm_model *model = make_model(&SMALL[i]);
        file_bytes file = saved(model);
        for (size_t bit = 0; bit < file.size * 8; bit++) {
            char what[64];
            snprintf(what, sizeof what, "bit %zu of byte %zu", bit % 8, bit / 8);
            file.bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
            check_refused(file.bytes, file.size, "", what);
            file.bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
        }
        model_destroy(loaded(file));
        memory_free(file.bytes);
        model_destroy(model);
    }
}

/* Each length in its own allocation, so that a sanitizer sees a byte read too far. */
static void any_truncation_is_refused(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(SMALL); i++) {
        cnm_model *model = make_model(&SMALL[i]);
        file_bytes file = saved(model);
        for (size_t size = 0; size < file.size; size++) {
            unsigned char *cut = malloc(size == 0 ? 1 : size);
            char what[64];
            assert_non_null(cut);
            memcpy(cut, file.bytes, size);
            snprintf(what, sizeof what, "cut at %zu", size);
            check_refused(cut, size, "", what);
            free(cut);
        }
        unsigned char *longer = take(file.size + 1, 1);
        memcpy(longer, file.bytes, file.size);
        check_refused(longer, file.size + 1, "", "a byte more");
        free(longer);
        memory_free(file.bytes);
        model_destroy(model);
    }
}

/* ---- Sound archives that are no sound models ---- */

enum { MOST_TENSORS = 12, MOST_ENTRIES = 24 };

/* An archive taken apart, to be changed and put together again. Texts and arrays stay with `opened`. */
typedef struct pieces {
    file_bytes file;
    archive *opened;
    archive_tensor tensors[MOST_TENSORS];
    archive_entry entries[MOST_ENTRIES];
    size_t tensor_count, entry_count;
    unsigned char changed[4096]; /* room for an array that differs */
} pieces;

static void take_apart(pieces *self, const model_kind *kind) {
    cnm_error error = {0};
    cnm_model *model = make_model(kind);
    *self = (pieces){.file = saved(model)};
    model_destroy(model);
    check_ok(archive_open(&self->opened, self->file.bytes, self->file.size, "pieces", &error), &error);
    for (size_t i = 0; i < archive_tensor_count(self->opened); i++) {
        self->tensors[self->tensor_count++] = *archive_tensor_at(self->opened, i);
    }
    for (size_t i = 0; i < archive_entry_count(self->opened); i++) {
        const archive_entry entry = archive_entry_at(self->opened, i);
        if (strcmp(entry.key, FILE_CHECKSUM) != 0) {
            self->entries[self->entry_count++] = entry;
        }
    }
}

static void pieces_free(pieces *self) {
    archive_close(self->opened);
    memory_free(self->file.bytes);
}

static file_bytes put_together(const pieces *self, const char *checksum_key) {
    cnm_error error = {0};
    file_bytes out;
    check_ok(archive_write(self->tensors, self->tensor_count, self->entries, self->entry_count, checksum_key,
                           &out.bytes, &out.size, &error),
             &error);
    return out;
}

static archive_tensor *find_tensor(pieces *self, const char *name) {
    for (size_t i = 0; i < self->tensor_count; i++) {
        if (strcmp(self->tensors[i].name, name) == 0) {
            return &self->tensors[i];
        }
    }
    fail_msg("no array %s", name);
    return NULL;
}

/* One change. value: of a metadata entry; NULL drops it. */
typedef struct break_case {
    const model_kind *kind;
    enum { SET_TEXT, DROP_ARRAY, SET_SHAPE, SET_TYPE, SPOIL } what;
    const char *name, *value;
    size_t rows, columns; /* SET_SHAPE, in elements */
    tensor_type type;
    double number; /* SPOIL: put into the last element */
    const char *words;
} break_case;

static void set_text(pieces *self, const char *key, const char *value) {
    for (size_t i = 0; i < self->entry_count; i++) {
        if (strcmp(self->entries[i].key, key) == 0) {
            if (value != NULL) {
                self->entries[i].value = value;
            } else {
                self->entries[i] = self->entries[--self->entry_count];
            }
            return;
        }
    }
    self->entries[self->entry_count++] = (archive_entry){key, value};
}

static void break_it(pieces *self, const break_case *how) {
    if (how->what == SET_TEXT) {
        set_text(self, how->name, how->value);
        return;
    }
    archive_tensor *tensor = find_tensor(self, how->name);
    if (how->what == DROP_ARRAY) {
        *tensor = self->tensors[--self->tensor_count];
    } else if (how->what == SET_SHAPE) {
        memcpy(self->changed, tensor->bytes, tensor->size);
        tensor->bytes = self->changed;
        tensor->dimensions = how->columns == 0 ? 1 : 2;
        tensor->shape[0] = how->rows;
        tensor->shape[1] = how->columns;
    } else if (how->what == SET_TYPE) {
        tensor->type = how->type;
    } else {
        const float narrow = (float)how->number;
        memcpy(self->changed, tensor->bytes, tensor->size);
        tensor->bytes = self->changed;
        if (tensor->type == TENSOR_F16) {
            const uint16_t half = half_from_float(narrow);
            memcpy(self->changed + tensor->size - sizeof half, &half, sizeof half);
        } else if (tensor->type == TENSOR_F64) {
            memcpy(self->changed + tensor->size - sizeof how->number, &how->number, sizeof how->number);
        } else {
            memcpy(self->changed + tensor->size - sizeof narrow, &narrow, sizeof narrow);
        }
    }
}

static const model_kind DENSE = {"dense",        "dense",      "cos",        3, 4, 3, .phases = true,
                                 .offset = true, .fill = true, .names = true};
static const model_kind ROUND = {"circulant",    "circulant",     "cos",        9, 20, 2,
                                 .phases = true, .unequal = true, .words = true};
static const model_kind DEEP = {"asinh", "dense", "cos", 3, 4, 0, .offset = true, .asinh = true, .base = true};
static const model_kind PLAIN = {"identity", "identity", "identity", 3, 3, 2, .offset = true};
static const model_kind SHORT = {"16 bits",      "circulant-diagonal", "cos",        9,         20, 3,
                                 .phases = true, .offset = true,       .half = true, .size = -3};

/* clang-format off */
static const break_case BREAKS[] = {
    {&DENSE, DROP_ARRAY, "theta", .words = "\"theta\" is missing"},
    {&DENSE, DROP_ARRAY, "head", .words = "\"head\" is missing"},
    {&DENSE, DROP_ARRAY, "bias", .words = "\"bias\" is missing"},
    {&ROUND, DROP_ARRAY, "filters", .words = "\"filters\" is missing"},
    {&ROUND, DROP_ARRAY, "signs", .words = "\"signs\" is missing"},
    {&DENSE, SET_SHAPE, "theta", .rows = 4, .columns = 3, .words = "\"theta\" has the wrong type or shape"},
    {&DENSE, SET_SHAPE, "theta", .rows = 12, .words = "\"theta\" has the wrong type or shape"},
    {&DENSE, SET_SHAPE, "theta", .rows = 3, .columns = 5, .words = "\"theta\""},
    {&DENSE, SET_SHAPE, "theta", .rows = 0, .columns = 4, .words = "\"theta\""},
    {&DENSE, SET_SHAPE, "phase", .rows = 3, .words = "\"phase\""},
    {&DENSE, SET_SHAPE, "phase", .rows = 4, .columns = 1, .words = "\"phase\""},
    {&DENSE, SET_SHAPE, "offset", .rows = 4, .words = "\"offset\""},
    {&DENSE, SET_SHAPE, "fill", .rows = 2, .words = "\"fill\""},
    {&DENSE, SET_SHAPE, "head", .rows = 4, .columns = 2, .words = "\"head\""},
    {&DENSE, SET_SHAPE, "head", .rows = 3, .columns = 4, .words = "\"head\""},
    {&DENSE, SET_SHAPE, "bias", .rows = 1, .words = "\"bias\""},
    {&ROUND, SET_SHAPE, "filters", .rows = 2, .columns = 9, .words = "\"filters\""},
    {&ROUND, SET_SHAPE, "filters", .rows = 9, .columns = 3, .words = "\"filters\""},
    {&ROUND, SET_SHAPE, "signs", .rows = 1, .words = "\"signs\""},
    {&ROUND, SET_SHAPE, "signs", .rows = 2, .columns = 1, .words = "\"signs\""},
    {&ROUND, SET_SHAPE, "diagonal", .rows = 9, .words = "\"diagonal\""},
    {&ROUND, SET_SHAPE, "diagonal", .rows = 2, .columns = 9, .words = "\"diagonal\""},
    {&DEEP, SET_SHAPE, "base", .rows = 1, .words = "\"base\""},
    {&DEEP, SET_SHAPE, "scale", .rows = 2, .words = "\"scale\""},
    {&DENSE, SET_TYPE, "theta", .type = TENSOR_I32, .words = "\"theta\" has the wrong type"},
    {&DENSE, SET_TYPE, "phase", .type = TENSOR_I32, .words = "\"phase\" has the wrong type"},
    {&DENSE, SET_TYPE, "head", .type = TENSOR_I32, .words = "\"head\" has the wrong type"},
    {&DENSE, SET_TYPE, "fill", .type = TENSOR_I64, .words = "\"fill\" has the wrong type"},
    {&DENSE, SET_TYPE, "offset", .type = TENSOR_I32, .words = "\"offset\" has the wrong type"},
    {&ROUND, SET_TYPE, "signs", .type = TENSOR_I8, .words = "\"signs\" has the wrong type"},
    {&DENSE, SPOIL, "theta", .number = NAN, .words = "\"theta\" holds a number that is not finite (element 11)"},
    {&DENSE, SPOIL, "theta", .number = -INFINITY, .words = "\"theta\" holds a number that is not finite"},
    {&DENSE, SPOIL, "phase", .number = NAN, .words = "\"phase\" holds a number that is not finite"},
    {&DENSE, SPOIL, "head", .number = INFINITY, .words = "\"head\" holds a number that is not finite"},
    {&DENSE, SPOIL, "bias", .number = NAN, .words = "\"bias\" holds a number that is not finite"},
    {&DENSE, SPOIL, "offset", .number = NAN, .words = "\"offset\" holds a number that is not finite"},
    {&DENSE, SPOIL, "fill", .number = NAN, .words = "\"fill\" holds a number that is not finite"},
    {&DEEP, SPOIL, "base", .number = INFINITY, .words = "\"base\" holds a number that is not finite"},
    {&DEEP, SPOIL, "scale", .number = NAN, .words = "\"scale\" holds a number that is not finite"},
    {&ROUND, SPOIL, "filters", .number = NAN, .words = "\"filters\" holds a number that is not finite"},
    {&ROUND, SPOIL, "diagonal", .number = NAN, .words = "\"diagonal\" holds a number that is not finite"},
    {&DENSE, SET_TEXT, "format", .value = "cnm 2", .words = "model format \"cnm 2\", this version reads \"cnm 1\""},
    {&DENSE, SET_TEXT, "format", .value = "", .words = "this version reads"},
    {&DENSE, SET_TEXT, "format", .value = NULL, .words = "a safetensors file, but not a cnm model"},
    {&DENSE, SET_TEXT, "task", .value = "sing", .words = "unknown task \"sing\""},
    {&DENSE, SET_TEXT, "task", .value = NULL, .words = "\"task\" is missing"},
    {&DENSE, SET_TEXT, "projection", .value = "toeplitz", .words = "unknown projection \"toeplitz\""},
    {&DENSE, SET_TEXT, "projection", .value = "circulant", .words = "\"filters\""},
    {&DENSE, SET_TEXT, "projection", .value = "identity", .words = "identity map"},
    {&DENSE, SET_TEXT, "projection", .value = NULL, .words = "\"projection\" is missing"},
    {&DENSE, SET_TEXT, "activation", .value = "tanh", .words = "activation \"tanh\""},
    {&DENSE, SET_TEXT, "activation", .value = NULL, .words = "\"activation\" is missing"},
    {&DENSE, SET_TEXT, "input", .value = NULL, .words = "\"input\" is missing"},
    {&DENSE, SET_TEXT, "columns", .value = NULL, .words = "\"columns\" is not a count"},
    {&DENSE, SET_TEXT, "columns", .value = "", .words = "\"columns\" is not a count"},
    {&DENSE, SET_TEXT, "columns", .value = "0", .words = "\"columns\" is not a count"},
    {&DENSE, SET_TEXT, "columns", .value = "-3", .words = "\"columns\" is not a count"},
    {&DENSE, SET_TEXT, "columns", .value = "3.0", .words = "\"columns\" is not a count"},
    {&DENSE, SET_TEXT, "columns", .value = "3 ", .words = "\"columns\" is not a count"},
    {&DENSE, SET_TEXT, "columns", .value = "4294967296", .words = "\"columns\" is not a count"},
    {&DENSE, SET_TEXT, "columns", .value = "99999999999999999999", .words = "\"columns\" is not a count"},
    {&DENSE, SET_TEXT, "columns", .value = "4294967295", .words = "beyond all limits"},
    {&DENSE, SET_TEXT, "columns", .value = "200000000", .words = "\"theta\""},
    {&DENSE, SET_TEXT, "columns", .value = "4", .words = "\"theta\""},
    {&DENSE, SET_TEXT, "features", .value = "3", .words = "\"theta\""},
    {&DENSE, SET_TEXT, "features", .value = "4294967295", .words = "beyond all limits"},
    {&ROUND, SET_TEXT, "features", .value = "4294967295", .words = "beyond all limits"},
    {&ROUND, SET_TEXT, "features", .value = "1000000000", .words = "\"filters\""},
    {&ROUND, SET_TEXT, "features", .value = "28", .words = "\"filters\""},
    {&ROUND, SET_TEXT, "features", .value = "21", .words = "\"phase\""},
    {&ROUND, SET_TEXT, "columns", .value = "4294967295", .words = ""},
    {&PLAIN, SET_TEXT, "features", .value = "4", .words = "identity map"},
    {&PLAIN, SET_TEXT, "columns", .value = "4294967295", .words = ""},
    {&DENSE, SET_TEXT, "labels", .value = "1", .words = "fewer than two labels"},
    {&DENSE, SET_TEXT, "labels", .value = "", .words = ""},
    {&DENSE, SET_TEXT, "labels", .value = "1\n2", .words = "\"head\""},
    {&DENSE, SET_TEXT, "labels", .value = "1\n2\n3\n4", .words = "\"head\""},
    {&DENSE, SET_TEXT, "labels", .value = "1\n2\nthree", .words = "label \"three\" is not a number"},
    {&DENSE, SET_TEXT, "labels", .value = NULL, .words = "\"labels\" is missing"},
    {&DENSE, SET_TEXT, "label_kind", .value = NULL, .words = "\"label_kind\" is missing"},
    {&DENSE, SET_TEXT, "names", .value = "a\nb", .words = "2 column names for 3 columns"},
    {&DENSE, SET_TEXT, "names", .value = "a\nb\nc\nd", .words = "4 column names for 3 columns"},
    {&SHORT, SPOIL, "filters", .number = NAN, .words = "\"filters\" holds a number that is not finite (element 26)"},
    {&SHORT, SPOIL, "diagonal", .number = INFINITY, .words = "\"diagonal\" holds a number that is not finite"},
    {&SHORT, SPOIL, "phase", .number = -INFINITY, .words = "\"phase\" holds a number that is not finite (element 19)"},
    {&SHORT, SPOIL, "head", .number = NAN, .words = "\"head\" holds a number that is not finite"},
    {&SHORT, SPOIL, "bias", .number = 1e30, .words = "\"bias\" holds a number that is not finite"},
    {&SHORT, SET_TYPE, "filters", .type = TENSOR_BF16, .words = "\"filters\""},
    {&SHORT, SET_TYPE, "head", .type = TENSOR_BF16, .words = "\"head\" has the wrong type"},
    {&SHORT, SET_TYPE, "offset", .type = TENSOR_F16, .words = "\"offset\" has the wrong type"},
    {&SHORT, SET_SHAPE, "filters", .rows = 2, .columns = 9, .words = "\"filters\""},
    {&SHORT, SET_SHAPE, "filters", .rows = 9, .columns = 3, .words = "\"filters\" has the wrong type or shape"},
    {&SHORT, SET_SHAPE, "diagonal", .rows = 1, .columns = 9, .words = "\"diagonal\""},
    {&SHORT, SET_SHAPE, "head", .rows = 10, .columns = 3, .words = "\"head\" has the wrong type or shape"},
    {&SHORT, SET_TEXT, "exponent_filters", .value = "", .words = "\"exponent_filters\" is not an exponent"},
    {&SHORT, SET_TEXT, "exponent_filters", .value = "-", .words = "\"exponent_filters\" is not an exponent"},
    {&SHORT, SET_TEXT, "exponent_filters", .value = "1.5", .words = "\"exponent_filters\" is not an exponent"},
    {&SHORT, SET_TEXT, "exponent_filters", .value = "--3", .words = "\"exponent_filters\" is not an exponent"},
    {&SHORT, SET_TEXT, "exponent_filters", .value = "-127", .words = "\"exponent_filters\" is not an exponent"},
    {&SHORT, SET_TEXT, "exponent_head", .value = "128", .words = "\"exponent_head\" is not an exponent"},
    {&SHORT, SET_TEXT, "exponent_head", .value = "99999999999999999999", .words = "\"exponent_head\" is not an exponent"},
    {&SHORT, SET_TEXT, "exponent_phase", .value = "127", .words = "\"phase\" holds a number that is not finite"},
};
/* clang-format on */

static void sound_archives_with_wrong_contents_are_refused(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(BREAKS); i++) {
        static pieces parts;
        char what[160];
        take_apart(&parts, BREAKS[i].kind);
        break_it(&parts, &BREAKS[i]);
        file_bytes broken = put_together(&parts, FILE_CHECKSUM);
        snprintf(what, sizeof what, "case %zu, %s %s", i, BREAKS[i].kind->name, BREAKS[i].name);
        check_refused(broken.bytes, broken.size, BREAKS[i].words, what);
        memory_free(broken.bytes);
        pieces_free(&parts);
    }
}

/* Put together unchanged it is the same file; without its checksum it is refused. */
static void only_the_change_is_refused(void **unused) {
    (void)unused;
    static const model_kind *const UNCHANGED[] = {&DENSE, &ROUND, &DEEP, &PLAIN, &SHORT};
    for (size_t i = 0; i < COUNT_OF(UNCHANGED); i++) {
        static pieces parts;
        take_apart(&parts, UNCHANGED[i]);
        file_bytes same = put_together(&parts, FILE_CHECKSUM), bare = put_together(&parts, NULL);
        assert_int_equal(same.size, parts.file.size);
        assert_memory_equal(same.bytes, parts.file.bytes, same.size);
        check_refused(bare.bytes, bare.size, "checksum", "without a checksum");
        memory_free(same.bytes);
        memory_free(bare.bytes);
        pieces_free(&parts);
    }
}

/* ---- Narrow arrays ---- */

static tensor_type type_of(const archive *opened, const char *name) {
    const archive_tensor *tensor = archive_find(opened, name);
    assert_non_null(tensor);
    return tensor->type;
}

/* 2 bytes for each number of the map and the head; small filters stand in the file times a power of two. */
static void weights_of_16_bits_take_2_bytes(void **unused) {
    (void)unused;
    static const char *const NAMES[] = {"filters", "diagonal", "phase", "head", "bias"};
    pieces parts;
    take_apart(&parts, &SHORT);
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        assert_int_equal(type_of(parts.opened, NAMES[i]), TENSOR_F16);
    }
    assert_int_equal(archive_find(parts.opened, "filters")->size, 27 * 2);
    assert_non_null(archive_value(parts.opened, "exponent_filters"));
    assert_null(archive_value(parts.opened, "exponent_phase"));
    cnm_model *model = loaded(parts.file);
    assert_string_equal(described(model, "weights"), "f16");
    assert_string_equal(described(model, "exponent_filters"), "(none)"); /* of the file, not of the model */
    /* Numbers that 16 bits cannot hold stay whole, whatever the record says. */
    model->weights[0] = 1.0F / 3.0F;
    file_bytes mixed = saved(model);
    cnm_model *again = loaded(mixed);
    check_same_floats(model->weights, again->weights, model->map->features * model->outputs, "head");
    model_destroy(again);
    model_destroy(model);
    memory_free(mixed.bytes);
    pieces_free(&parts);
}

/* offset, base and fill as float32 where that gives the same doubles back; a base that needs its digits as float64. */
static void columns_are_narrow_where_nothing_is_lost(void **unused) {
    (void)unused;
    const model_kind kind = {"base", "dense", "cos", 3, 4, 0, .offset = true, .base = true, .fill = true};
    for (size_t wide = 0; wide < 2; wide++) {
        cnm_model *model = make_model(&kind);
        archive *opened;
        for (size_t j = 0; j < 3; j++) {
            model->input.base[j] = wide == 0 ? 16777215.0 - (double)j : 1.7e9 + 0.1 * (double)j;
            model->input.offset[j] = model->input.base[j] + 1234.5625;
            model->input.fill[j] = j == 2 && wide == 1 ? 1.0 / 3.0 : model->input.base[j] + 0.25;
        }
        file_bytes file = saved(model);
        check_ok(archive_open(&opened, file.bytes, file.size, "test", NULL), NULL);
        assert_int_equal(type_of(opened, "base"), wide == 0 ? TENSOR_F32 : TENSOR_F64);
        assert_int_equal(type_of(opened, "offset"), TENSOR_F32);
        assert_int_equal(type_of(opened, "fill"), wide == 0 ? TENSOR_F32 : TENSOR_F64);
        cnm_model *copy = loaded(file);
        assert_memory_equal(copy->input.base, model->input.base, 3 * sizeof(double));
        assert_memory_equal(copy->input.offset, model->input.offset, 3 * sizeof(double));
        assert_memory_equal(copy->input.fill, model->input.fill, 3 * sizeof(double));
        archive_close(opened);
        memory_free(file.bytes);
        model_destroy(copy);
        model_destroy(model);
    }
}

/* Files of before: offset and fill as true values in float64 beside a base. */
static void true_values_in_float64_are_read(void **unused) {
    (void)unused;
    static const model_kind KIND = {"base", "dense", "cos", 3, 4, 0, .offset = true, .base = true, .fill = true};
    static const double OFFSET[] = {1.7e9 + 10.1, 1.7e9 - 5.3, 1.7e9}, FILL[] = {1.0 / 3.0, 2e9, -1.0};
    pieces parts;
    take_apart(&parts, &KIND);
    const struct {
        const char *name;
        const double *values;
    } old[] = {{"offset", OFFSET}, {"fill", FILL}};
    for (size_t i = 0; i < 2; i++) {
        archive_tensor *tensor = find_tensor(&parts, old[i].name);
        tensor->type = TENSOR_F64;
        tensor->bytes = old[i].values;
    }
    file_bytes file = put_together(&parts, FILE_CHECKSUM);
    cnm_model *model = loaded(file);
    assert_memory_equal(model->input.offset, OFFSET, sizeof OFFSET);
    assert_memory_equal(model->input.fill, FILL, sizeof FILL);
    model_destroy(model);
    memory_free(file.bytes);
    pieces_free(&parts);
}

/* ---- Lists of texts ---- */

static void lists_come_back_whatever_is_in_them(void **unused) {
    (void)unused;
    static const char *const ITEMS[] = {"", "\n", "\\", "\\n", "n", "a\\\nb", "", "\\\\n", "x"};
    for (size_t count = 1; count <= COUNT_OF(ITEMS); count++) {
        char *copies[COUNT_OF(ITEMS)], *joined, **items;
        size_t got;
        for (size_t i = 0; i < count; i++) {
            copies[i] = copied_text(ITEMS[i]);
        }
        assert_int_equal(list_join(&joined, copies, count, NULL), CNM_OK);
        assert_int_equal(list_split(&items, &got, joined, NULL), CNM_OK);
        assert_int_equal(got, count);
        for (size_t i = 0; i < count; i++) {
            assert_string_equal(items[i], ITEMS[i]);
            memory_free(copies[i]);
        }
        list_free(items, got);
        memory_free(joined);
    }
}

static void records_keep_order_and_replace(void **unused) {
    (void)unused;
    record self = {0}, copy;
    assert_int_equal(record_set(&self, "b", "1", NULL), CNM_OK);
    assert_int_equal(record_set(&self, "a", "2", NULL), CNM_OK);
    assert_int_equal(record_set_double(&self, "b", 0.1, NULL), CNM_OK);
    assert_int_equal(record_set_count(&self, "c", UINT64_MAX, NULL), CNM_OK);
    assert_int_equal(record_copy(&copy, &self, NULL), CNM_OK);
    record_free(&self);
    assert_int_equal(copy.count, 3);
    assert_string_equal(copy.entries[0].key, "b");
    assert_string_equal(record_get(&copy, "b"), "0.1");
    assert_string_equal(record_get(&copy, "a"), "2");
    assert_string_equal(record_get(&copy, "c"), "18446744073709551615");
    assert_null(record_get(&copy, "d"));
    record_free(&copy);
    record_free(&copy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saving_what_was_loaded_gives_the_same_bytes),
        cmocka_unit_test(a_loaded_model_is_the_same_model),
        cmocka_unit_test(a_loaded_model_predicts_the_same_bits),
        cmocka_unit_test(a_circulant_model_is_small),
        cmocka_unit_test(the_description_says_what_it_is),
        cmocka_unit_test(any_flipped_bit_is_refused),
        cmocka_unit_test(any_truncation_is_refused),
        cmocka_unit_test(sound_archives_with_wrong_contents_are_refused),
        cmocka_unit_test(only_the_change_is_refused),
        cmocka_unit_test(weights_of_16_bits_take_2_bytes),
        cmocka_unit_test(columns_are_narrow_where_nothing_is_lost),
        cmocka_unit_test(true_values_in_float64_are_read),
        cmocka_unit_test(lists_come_back_whatever_is_in_them),
        cmocka_unit_test(records_keep_order_and_replace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
