/* What a training does not resume from: a checkpoint of other rows, options or another starting
 * model, one that is damaged in any byte or cut at any length, one whose numbers are invalid though
 * its checksum is right, and files that are no checkpoint. Each refusal has a reason, and the file
 * stays as it was. */
#include "support/interruptions.h"
#include "support/made_session.h"

#include <unistd.h>

#include "base/core/memory.h"
#include "base/file/file.h"
#include "base/file/safetensors.h"

enum { ROWS = 100, COLUMNS = 4 };

static char path[64];

/* Searches and has validation rows: every kind of array but the mean head, which only "rff" has. */
static const settings JOINT = {.map_rate = 1.0,
                               .method = METHOD_CNM,
                               .features = 9,
                               .seed = 1,
                               .threads = 2,
                               .batch = 20,
                               .epochs = 20,
                               .validation = 0.3,
                               .checkpoint_every = 1e9};
static const settings RFF = {.map_rate = 1.0,
                             .method = METHOD_RFF,
                             .features = 9,
                             .seed = 1,
                             .threads = 2,
                             .batch = 20,
                             .epochs = 60,
                             .checkpoint_every = 1e9};

static settings with_file(settings wanted, bool resume) {
    wanted.checkpoint = path;
    wanted.resume = resume;
    return wanted;
}

/* Interrupts a training, which leaves a checkpoint at path. */
static void interrupt(const settings *plain, const table *rows, const record *said) {
    settings wanted = with_file(*plain, false);
    cnm_error error = {0};
    cnm_model *model;
    wanted.given = said;
    remove(path);
    /* the mean head begins at step 150 */
    now = (timeline){.stop_at = plain->method == METHOD_RFF ? 30 : 10};
    assert_int_equal(learn_train(&model, rows, NULL, &wanted, NULL, &NOTICING, &error), CNM_CANCELLED);
    model_destroy(model);
}

static cnm_status resume(const settings *plain, const table *rows, const record *said, const cnm_model *start,
                         cnm_error *error) {
    settings wanted = with_file(*plain, true);
    cnm_model *model = (cnm_model *)&wanted;
    wanted.given = said;
    *error = (cnm_error){0};
    now = (timeline){0};
    const cnm_status status = learn_train(&model, rows, NULL, &wanted, start, &NOTICING, error);
    assert_true((status == CNM_OK) == (model != NULL));
    model_destroy(model);
    return status;
}

typedef struct contents {
    unsigned char *bytes;
    size_t size;
} contents;

static contents read_file(void) {
    contents out;
    cnm_error error = {0};
    check_ok(file_read_all(path, 0, &out.bytes, &out.size, &error), &error);
    return out;
}

static void write_file(const unsigned char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* ---- Another training ---- */

static void check_refused_rows(table *rows) {
    cnm_error error;
    check_refusal(resume(&JOINT, rows, NULL, NULL, &error), CNM_BAD_ARGUMENT, &error,
                  "is from a training with other data");
    assert_non_null(strstr(error.message, path));
}

static void other_rows_are_refused(void **unused) {
    (void)unused;
    cnm_error error;
    table *rows = make_rings(2, ROWS, COLUMNS), *fewer = make_rings(2, ROWS - 2, COLUMNS);
    interrupt(&JOINT, rows, NULL);
    const float value = rows->values[77];
    rows->values[77] += 1e-6F;
    check_refused_rows(rows);
    rows->values[77] = value;
    rows->labels.numbers[3] = -rows->labels.numbers[3];
    check_refused_rows(rows);
    rows->labels.numbers[3] = -rows->labels.numbers[3];
    rows->weights = take_owned(ROWS, sizeof(float));
    for (size_t i = 0; i < ROWS; i++) {
        rows->weights[i] = 2.0F;
    }
    check_refused_rows(rows);
    memory_free(rows->weights);
    rows->weights = NULL;
    check_refused_rows(fewer);
    /* and the file is as good as it was */
    assert_int_equal(resume(&JOINT, rows, NULL, NULL, &error), CNM_OK);
    table_destroy(rows);
    table_destroy(fewer);
}

static record options_of(const char *features, const char *gamma) {
    record out = {0};
    assert_int_equal(record_add(&out, "features", features, NULL), CNM_OK);
    assert_int_equal(record_add(&out, "gamma", gamma, NULL), CNM_OK);
    return out;
}

static void other_options_are_refused_by_name(void **unused) {
    (void)unused;
    cnm_error error;
    table *rows = make_rings(2, ROWS, COLUMNS);
    record then = options_of("9", "auto"), other = options_of("9", "knn"), less = {0};
    interrupt(&JOINT, rows, &then);
    check_refusal(resume(&JOINT, rows, &other, NULL, &error), CNM_BAD_ARGUMENT, &error,
                  "is from a training with --gamma auto, and this one has knn");
    assert_int_equal(record_add(&less, "depth", "3", NULL), CNM_OK);
    check_refusal(resume(&JOINT, rows, &less, NULL, &error), CNM_BAD_ARGUMENT, &error,
                  "--depth (none), and this one has 3");
    assert_int_equal(resume(&JOINT, rows, &then, NULL, &error), CNM_OK);
    record_free(&then);
    record_free(&other);
    record_free(&less);
    table_destroy(rows);
}

static void another_model_to_start_from_is_refused(void **unused) {
    (void)unused;
    cnm_error error;
    table *rows = make_rings(2, ROWS, COLUMNS);
    now = (timeline){0};
    cnm_model *start = train(rows, &JOINT);
    interrupt(&JOINT, rows, NULL);
    check_refusal(resume(&JOINT, rows, NULL, start, &error), CNM_BAD_ARGUMENT, &error, "went on from another model");
    model_destroy(start);
    table_destroy(rows);
}

/* ---- Damage ---- */

static void check_damaged(const settings *wanted, const table *rows, const char *what, size_t place) {
    cnm_error error;
    const cnm_status status = resume(wanted, rows, NULL, NULL, &error);
    if ((status != CNM_BAD_FORMAT && status != CNM_UNSUPPORTED) || strstr(error.message, path) == NULL) {
        fail_msg("%s %zu: status %d, \"%s\"", what, place, (int)status, error.message);
    }
}

static void every_flipped_bit_and_every_cut_is_refused(void **unused) {
    (void)unused;
    cnm_error error;
    table *rows = make_rings(2, ROWS, COLUMNS);
    interrupt(&JOINT, rows, NULL);
    contents good = read_file();
    for (size_t place = 0; place < good.size; place++) {
        good.bytes[place] ^= (unsigned char)(1U << place % 8);
        write_file(good.bytes, good.size);
        check_damaged(&JOINT, rows, "byte", place);
        good.bytes[place] ^= (unsigned char)(1U << place % 8);
    }
    for (size_t size = 1; size < good.size; size += 1 + size / 64) {
        write_file(good.bytes, size);
        check_damaged(&JOINT, rows, "length", size);
    }
    write_file(good.bytes, good.size);
    assert_int_equal(resume(&JOINT, rows, NULL, NULL, &error), CNM_OK);
    memory_free(good.bytes);
    table_destroy(rows);
}

/* ---- Right checksum, invalid contents ---- */

/* One change to a checkpoint: a text, or an array that is left out or made shorter. */
typedef struct forgery {
    const char *key, *value; /* a text; value NULL: left out */
    const char *array;
    size_t bytes; /* of it that are kept; 0: none */
} forgery;

static const forgery FORGERIES[] = {
    {"format", "1", NULL, 0},
    {"format", "4", NULL, 0},
    {"phase", "dance", NULL, 0},
    {"phase", "search", NULL, 0},
    {"phase", "kernel", NULL, 0},
    {"phase", NULL, NULL, 0},
    {"step", "0", NULL, 0},
    {"step", "18446744073709551615", NULL, 0},
    {"step", "-1", NULL, 0},
    {"step", "1e3", NULL, 0},
    {"step", NULL, NULL, 0},
    {"steps", "many", NULL, 0},
    {"made", NULL, NULL, 0},
    {"loss", "small", NULL, 0},
    {"patience", "99999999999999999999", NULL, 0},
    {"lowered", "17", NULL, 0},
    {"held", NULL, NULL, 0},
    {"best_score", "", NULL, 0},
    {NULL, NULL, "map.theta", 0},
    {NULL, NULL, "map.theta", 8},
    {NULL, NULL, "map.phase", 4},
    {NULL, NULL, "map.head", 0},
    {NULL, NULL, "best.theta", 4},
    {NULL, NULL, "best.head", 0},
    {NULL, NULL, "head.first_moment", 4},
    {NULL, NULL, "tensor0.second_moment", 4},
    {NULL, NULL, "phase.first_moment", 4},
};

static const forgery MEAN_FORGERIES[] = {
    {NULL, NULL, "head.average", 8},
    {NULL, NULL, "map.head", 4},
    {"step", "10001", NULL, 0},
};

/* Writes the archive with this change and a right checksum. */
static void forge(const contents *good, const forgery *change) {
    enum { MOST = 64 };
    archive *in;
    archive_tensor arrays[MOST];
    archive_entry texts[MOST];
    size_t array_count = 0, text_count = 0, size;
    unsigned char *bytes;
    cnm_error error = {0};
    check_ok(archive_open(&in, good->bytes, good->size, "good", &error), &error);
    for (size_t i = 0; i < archive_tensor_count(in); i++) {
        archive_tensor tensor = *archive_tensor_at(in, i);
        const bool changed = change->array != NULL && strcmp(tensor.name, change->array) == 0;
        tensor.shape[0] = changed ? change->bytes / (tensor.size / tensor.shape[0]) : tensor.shape[0];
        if (!changed || change->bytes > 0) {
            arrays[array_count++] = tensor;
        }
    }
    for (size_t i = 1; i < archive_entry_count(in); i++) { /* the first is the checksum */
        archive_entry entry = archive_entry_at(in, i);
        const bool changed = change->key != NULL && strcmp(entry.key, change->key) == 0;
        entry.value = changed ? change->value : entry.value;
        if (entry.value != NULL) {
            texts[text_count++] = entry;
        }
    }
    assert_true(array_count < MOST && text_count < MOST);
    assert_true(change->array == NULL || archive_find(in, change->array) != NULL);
    assert_true(change->key == NULL || archive_value(in, change->key) != NULL);
    check_ok(archive_write(arrays, array_count, texts, text_count, "checkpoint", &bytes, &size, &error), &error);
    write_file(bytes, size);
    memory_free(bytes);
    archive_close(in);
}

static void check_forgeries(const settings *wanted, const forgery *forgeries, size_t count) {
    static const forgery NOTHING = {0};
    cnm_error error;
    table *rows = make_rings(2, ROWS, COLUMNS);
    interrupt(wanted, rows, NULL);
    const contents good = read_file();
    for (size_t i = 0; i < count; i++) {
        forge(&good, &forgeries[i]);
        const cnm_status status = resume(wanted, rows, NULL, NULL, &error);
        if (status == CNM_OK || strstr(error.message, path) == NULL) {
            fail_msg("%s %s %s: status %d, \"%s\"", forgeries[i].key, forgeries[i].value, forgeries[i].array,
                     (int)status, error.message);
        }
    }
    forge(&good, &NOTHING);
    check_ok(resume(wanted, rows, NULL, NULL, &error), &error);
    memory_free(good.bytes);
    table_destroy(rows);
}

static void invalid_contents_are_refused(void **unused) {
    (void)unused;
    check_forgeries(&JOINT, FORGERIES, COUNT_OF(FORGERIES));
    check_forgeries(&RFF, MEAN_FORGERIES, COUNT_OF(MEAN_FORGERIES));
}

/* ---- No checkpoint ---- */

static void a_file_that_is_no_checkpoint_is_not_overwritten(void **unused) {
    (void)unused;
    static const char *const OTHERS[] = {"x", "1,2,3\n4,5,6\n7,8,9\n10,11,12,13,14,15,16,17,18,19,20\n"};
    table *rows = make_rings(2, ROWS, COLUMNS);
    for (size_t i = 0; i < COUNT_OF(OTHERS); i++) {
        for (int again = 0; again < 2; again++) {
            const settings wanted = with_file(JOINT, again == 1);
            cnm_error error = {0};
            cnm_model *model;
            write_file((const unsigned char *)OTHERS[i], strlen(OTHERS[i]));
            now = (timeline){0};
            check_refusal(learn_train(&model, rows, NULL, &wanted, NULL, &NOTICING, &error), CNM_BAD_FORMAT, &error,
                          "is there and is not a checkpoint");
            contents left = read_file();
            assert_int_equal(left.size, strlen(OTHERS[i]));
            memory_free(left.bytes);
        }
    }
    table_destroy(rows);
}

static int name_file(void **unused) {
    (void)unused;
    snprintf(path, sizeof path, "%scnm-refused-%ld", access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : "", (long)getpid());
    return 0;
}

static int remove_file(void **unused) {
    (void)unused;
    return remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_rows_are_refused),
        cmocka_unit_test(other_options_are_refused_by_name),
        cmocka_unit_test(another_model_to_start_from_is_refused),
        cmocka_unit_test(every_flipped_bit_and_every_cut_is_refused),
        cmocka_unit_test(invalid_contents_are_refused),
        cmocka_unit_test(a_file_that_is_no_checkpoint_is_not_overwritten),
    };
    return cmocka_run_group_tests(tests, name_file, remove_file);
}
