/* Model files that are damaged or inconsistent are refused with a sentence that names the file. */
#include "support/model_archive.h"
#include "support/random_rows.h"

#include "base/core/float16.h"
#include "base/core/memory.h"
#include "base/file/safetensors.h"
#include "model/file/model_file.h"

/* ---- Damage ---- */

static void check_refused(const void *bytes, size_t size, const char *words, const char *what) {
    cnm_error error = {0};
    cnm_model *model = (cnm_model *)&error; /* anything but NULL */
    const cnm_status status = model_from_bytes(&model, bytes, size, "test.cnm", &error);
    if (status == CNM_OK) {
        fail_msg("%s: accepted", what);
    }
    const bool sensible =
        /* the latter: arrays of another type */
        status == CNM_BAD_FORMAT || status == CNM_UNSUPPORTED;
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

static void every_flipped_bit_is_refused(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(SMALL); i++) {
        cnm_model *model = make_model(&SMALL[i]);
        file_bytes file = saved_model(model);
        for (size_t bit = 0; bit < file.size * 8; bit++) {
            char what[64];
            snprintf(what, sizeof what, "bit %zu of byte %zu", bit % 8, bit / 8);
            file.bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
            check_refused(file.bytes, file.size, "", what);
            file.bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
        }
        model_destroy(loaded_model(file));
        memory_free(file.bytes);
        model_destroy(model);
    }
}

/* Each length in its own allocation, so that a sanitizer sees a byte read too far. */
static void every_truncation_is_refused(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(SMALL); i++) {
        cnm_model *model = make_model(&SMALL[i]);
        file_bytes file = saved_model(model);
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

/* ---- Valid archives of invalid models ---- */

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

static void set_text(model_parts *self, const char *key, const char *value) {
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

static void break_archive(model_parts *self, const break_case *how) {
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
            const uint16_t half = float16_from_float(narrow);
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
    {&DENSE, SET_TEXT, "format", .value = "cnm 3", .words = "model format \"cnm 3\", this version reads \"cnm 2\""},
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
    {&DENSE, SET_TEXT, "encoder", .value = "", .words = "metadata \"encoder\""},
    {&DENSE, SET_TEXT, "encoder", .value = "{}", .words = "metadata \"encoder\""},
    {&DENSE, SET_TEXT, "encoder", .value = "{\"columns\": [{}, {}, {\"kind\": \"words\"}]}",
     .words = "metadata \"encoder\""},
    {&DENSE, SET_TEXT, "encoder", .value = "{\"columns\": [{}, {}]}",
     .words = "the encoder makes 2 features for 3 columns"},
    {&DENSE, SET_TEXT, "encoder", .value = "{\"columns\": [{}, {}, {\"indicator\": 1}]}",
     .words = "the encoder makes 4 features for 3 columns"},
    {&DENSE, SET_TEXT, "encoder", .value = "{\"columns\": [{}, {}, {\"base\": \"1\"}]}",
     .words = "the encoder's base of column 3 is not that of the model"},
    {&DEEP, SET_TEXT, "encoder", .value = "{\"columns\": [{}, {}, {}]}",
     .words = "the encoder's base of column 1 is not that of the model"},
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
    {&SHORT, SET_TEXT, "exponent_head", .value = "99999999999999999999",
     .words = "\"exponent_head\" is not an exponent"},
    {&SHORT, SET_TEXT, "exponent_phase", .value = "127", .words = "\"phase\" holds a number that is not finite"},
};

/* clang-format on */

static void valid_archives_with_wrong_contents_are_refused(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(BREAKS); i++) {
        static model_parts parts;
        char what[160];
        take_apart(&parts, BREAKS[i].kind);
        break_archive(&parts, &BREAKS[i]);
        file_bytes broken = put_together(&parts, FILE_CHECKSUM);
        snprintf(what, sizeof what, "case %zu, %s %s", i, BREAKS[i].kind->name, BREAKS[i].name);
        check_refused(broken.bytes, broken.size, BREAKS[i].words, what);
        memory_free(broken.bytes);
        free_parts(&parts);
    }
}

/* Put together unchanged it is the same file; without its checksum it is refused. */
static void unchanged_archives_are_accepted(void **unused) {
    (void)unused;
    static const model_kind *const UNCHANGED[] = {&DENSE, &ROUND, &DEEP, &PLAIN, &SHORT};
    for (size_t i = 0; i < COUNT_OF(UNCHANGED); i++) {
        static model_parts parts;
        take_apart(&parts, UNCHANGED[i]);
        file_bytes same = put_together(&parts, FILE_CHECKSUM), bare = put_together(&parts, NULL);
        assert_int_equal(same.size, parts.file.size);
        assert_memory_equal(same.bytes, parts.file.bytes, same.size);
        check_refused(bare.bytes, bare.size, "checksum", "without a checksum");
        memory_free(same.bytes);
        memory_free(bare.bytes);
        free_parts(&parts);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_flipped_bit_is_refused),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(valid_archives_with_wrong_contents_are_refused),
        cmocka_unit_test(unchanged_archives_are_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
