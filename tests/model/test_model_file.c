/* The model file: what is saved comes back, to the bit, in no more bytes than it needs. */
#include "support/model_archive.h"
#include "support/random_rows.h"

#include "base/core/float16.h"
#include "base/core/memory.h"
#include "base/file/safetensors.h"
#include "model/file/model_file.h"

/* ---- Saved and loaded ---- */

static void saving_what_was_loaded_gives_the_same_bytes(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(MODEL_KINDS); i++) {
        cnm_model *model = make_model(&MODEL_KINDS[i]);
        file_bytes first = saved_model(model);
        cnm_model *copy = loaded_model(first);
        file_bytes second = saved_model(copy);
        size_t size = 0;
        assert_int_equal(model_size(model, &size, NULL), CNM_OK);
        assert_int_equal(size, first.size);
        if (first.size != second.size || memcmp(first.bytes, second.bytes, first.size) != 0) {
            fail_msg("%s: other bytes after loading", MODEL_KINDS[i].name);
        }
        memory_free(first.bytes);
        memory_free(second.bytes);
        model_destroy(model);
        model_destroy(copy);
    }
}

static void a_loaded_model_is_the_same_model(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(MODEL_KINDS); i++) {
        cnm_model *model = make_model(&MODEL_KINDS[i]);
        file_bytes file = saved_model(model);
        cnm_model *copy = loaded_model(file);
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
    for (size_t i = 0; i < COUNT_OF(MODEL_KINDS); i++) {
        cnm_model *models[2] = {make_model(&MODEL_KINDS[i]), NULL};
        file_bytes file = saved_model(models[0]);
        models[1] = loaded_model(file);
        const size_t columns = MODEL_KINDS[i].columns, k = MODEL_KINDS[i].features, outputs = models[0]->outputs;
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
        check_same_floats(z[0], z[1], ROWS * k, MODEL_KINDS[i].name);
        check_same_floats(scores[0], scores[1], ROWS * outputs, MODEL_KINDS[i].name);
        for (size_t m = 0; m < 2; m++) {
            free(z[m]);
            free(scores[m]);
            model_destroy(models[m]);
        }
        free(values);
        memory_free(file.bytes);
    }
}

/* ---- Size and description ---- */

/* r in ceil(k / d) d floats, k phases, D in d bits: never a k x d matrix. */
static void a_circulant_model_is_small(void **unused) {
    (void)unused;
    const model_kind kind = {"circulant", "circulant", "cos", 1000, 500, 2, .phases = true};
    cnm_model *model = make_model(&kind);
    file_bytes file = saved_model(model);
    const size_t arrays = 1000 * 4 + 125 + 500 * 4 + 500 * 4 + 4;
    assert_true(file.size > arrays && file.size < arrays + 1024);
    memory_free(file.bytes);
    model_destroy(model);
}

static const char *described(const cnm_model *model, const char *key) {
    const char *value = record_get(&model->description, key);
    return value == NULL ? "(none)" : value;
}

static void the_description_counts_parameters_and_bytes(void **unused) {
    (void)unused;
    cnm_model *model = make_model(&MODEL_KINDS[0]);
    file_bytes file = saved_model(model);
    char size[32];
    snprintf(size, sizeof size, "%zu", file.size);
    assert_string_equal(described(model, "task"), "classify");
    assert_string_equal(described(model, "columns"), "3");
    assert_string_equal(described(model, "features"), "5");
    assert_string_equal(described(model, "outputs"), "1");
    assert_string_equal(described(model, "projection"), "dense");
    assert_string_equal(described(model, "activation"), "cos");
    /* 3 * 5 theta, 5 phases, 5 + 1 head */
    assert_string_equal(described(model, "parameters"), "26");
    assert_string_equal(described(model, "bytes"), size);
    assert_string_equal(described(model, "labels"), "-1, 0");
    assert_string_equal(described(model, "method"), "rff");
    memory_free(file.bytes);
    model_destroy(model);
}

static const model_kind SHORT = {"16 bits",      "circulant-diagonal", "cos",        9,         20, 3,
                                 .phases = true, .offset = true,       .half = true, .size = -3};

/* ---- Arrays of fewer bits ---- */

static tensor_type type_of(const archive *opened, const char *name) {
    const archive_tensor *tensor = archive_find(opened, name);
    assert_non_null(tensor);
    return tensor->type;
}

/* 2 bytes for each parameter of the map and the head; small filters are stored times a power of
 * two. */
static void weights_of_16_bits_take_2_bytes(void **unused) {
    (void)unused;
    static const char *const NAMES[] = {"filters", "diagonal", "phase", "head", "bias"};
    model_parts parts;
    take_apart(&parts, &SHORT);
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        assert_int_equal(type_of(parts.opened, NAMES[i]), TENSOR_F16);
    }
    assert_int_equal(archive_find(parts.opened, "filters")->size, 27 * 2);
    assert_non_null(archive_value(parts.opened, "exponent_filters"));
    assert_null(archive_value(parts.opened, "exponent_phase"));
    cnm_model *model = loaded_model(parts.file);
    assert_string_equal(described(model, "dtype"), "f16");
    /* of the file, not of the model */
    assert_string_equal(described(model, "exponent_filters"), "(none)");
    /* Numbers that 16 bits cannot hold stay whole, whatever the metadata say. */
    model->weights[0] = 1.0F / 3.0F;
    file_bytes mixed = saved_model(model);
    cnm_model *again = loaded_model(mixed);
    check_same_floats(model->weights, again->weights, model->map->features * model->outputs, "head");
    model_destroy(again);
    model_destroy(model);
    memory_free(mixed.bytes);
    free_parts(&parts);
}

/* offset, base and fill as float32 where that gives the same doubles back; a base that needs its
 * digits as float64. */
static void preprocessing_is_stored_in_32_bits_where_nothing_is_lost(void **unused) {
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
        file_bytes file = saved_model(model);
        check_ok(archive_open(&opened, file.bytes, file.size, "test", NULL), NULL);
        assert_int_equal(type_of(opened, "base"), wide == 0 ? TENSOR_F32 : TENSOR_F64);
        assert_int_equal(type_of(opened, "offset"), TENSOR_F32);
        assert_int_equal(type_of(opened, "fill"), wide == 0 ? TENSOR_F32 : TENSOR_F64);
        cnm_model *copy = loaded_model(file);
        assert_memory_equal(copy->input.base, model->input.base, 3 * sizeof(double));
        assert_memory_equal(copy->input.offset, model->input.offset, 3 * sizeof(double));
        assert_memory_equal(copy->input.fill, model->input.fill, 3 * sizeof(double));
        archive_close(opened);
        memory_free(file.bytes);
        model_destroy(copy);
        model_destroy(model);
    }
}

/* Files of earlier versions: offset and fill as true values in float64 beside a base. */
static void true_values_in_float64_are_read(void **unused) {
    (void)unused;
    static const model_kind KIND = {"base", "dense", "cos", 3, 4, 0, .offset = true, .base = true, .fill = true};
    static const double OFFSET[] = {1.7e9 + 10.1, 1.7e9 - 5.3, 1.7e9}, FILL[] = {1.0 / 3.0, 2e9, -1.0};
    model_parts parts;
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
    cnm_model *model = loaded_model(file);
    assert_memory_equal(model->input.offset, OFFSET, sizeof OFFSET);
    assert_memory_equal(model->input.fill, FILL, sizeof FILL);
    model_destroy(model);
    memory_free(file.bytes);
    free_parts(&parts);
}

/* ---- Lists of texts ---- */

static void lists_of_any_texts_are_read_back(void **unused) {
    (void)unused;
    static const char *const ITEMS[] = {"", "\n", "\\", "\\n", "n", "a\\\nb", "", "\\\\n", "x"};
    for (size_t count = 1; count <= COUNT_OF(ITEMS); count++) {
        char *copies[COUNT_OF(ITEMS)], *joined, **items;
        size_t got;
        for (size_t i = 0; i < count; i++) {
            copies[i] = copy_owned(ITEMS[i]);
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

static void metadata_keep_their_order_when_replaced(void **unused) {
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
        cmocka_unit_test(the_description_counts_parameters_and_bytes),
        cmocka_unit_test(weights_of_16_bits_take_2_bytes),
        cmocka_unit_test(preprocessing_is_stored_in_32_bits_where_nothing_is_lost),
        cmocka_unit_test(true_values_in_float64_are_read),
        cmocka_unit_test(lists_of_any_texts_are_read_back),
        cmocka_unit_test(metadata_keep_their_order_when_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
