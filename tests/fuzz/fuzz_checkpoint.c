/* Resumes checkpoints: the first byte selects a training, the second whether the file is a good one
 * changed inside or the bytes as they are. A training that goes on from the file reports an error,
 * or gives a sound model. */
#include <string.h>
#include <unistd.h>

#include "base/core/memory.h"
#include "base/file/file.h"
#include "cnm/cnm.h"
#include "fuzz/fuzz_changes.h"
#include "fuzz/target.h"
#include "model/model.h"

enum { ROWS = 24, COLUMNS = 2, PAIRS = 6, PATH_SIZE = 64 };

static const char *const RECIPES[][2 * PAIRS] = {
    {"features", "3", "epochs", "4", "effort", "quick"},
    {"features", "3", "epochs", "4", "effort", "quick", "validation", "0.3", "projection", "circulant-diagonal"},
    {"recipe", "alternating", "iterations", "3", "features", "3", "head-steps", "3", "map-steps", "3"},
    {"method", "kernel-approximation", "features", "3", "map-steps", "6", "epochs", "4", "projection", "circulant"},
    {"method", "rff", "features", "3", "epochs", "4"},
    {"method", "linear", "epochs", "4"},
    {"layers", "columns:1,circulant:3,2", "epochs", "4", "effort", "quick"},
};
enum { RECIPE_COUNT = sizeof RECIPES / sizeof RECIPES[0] };

static const char *state_path(void) {
    static char path[PATH_SIZE];
    (void)snprintf(path, sizeof path, "%s/cnm-fuzz-%ld", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
                   (long)getpid());
    return path;
}

static int stop_at_once(const cnm_progress *at, void *user) {
    (void)at;
    return *(const int *)user;
}

static cnm_status train(size_t recipe, const char *resume, int stop, cnm_model **out, cnm_error *err) {
    float values[ROWS * COLUMNS];
    double targets[ROWS];
    cnm_options *options;
    cnm_data *data;
    const cnm_callbacks callbacks = {.struct_size = sizeof(cnm_callbacks), .progress = stop_at_once, .user = &stop};
    for (size_t i = 0; i < ROWS; i++) {
        values[2 * i] = (float)(i % 5) - 2.0F;
        values[2 * i + 1] = (float)(i % 7) - 3.0F;
        targets[i] = (double)(i % 3 == 0);
    }
    REQUIRE(cnm_options_create(&options, NULL) == CNM_OK);
    for (size_t i = 0; i < PAIRS && RECIPES[recipe][2 * i] != NULL; i++) {
        REQUIRE(cnm_options_set(options, RECIPES[recipe][2 * i], RECIPES[recipe][2 * i + 1], NULL) == CNM_OK);
    }
    REQUIRE(cnm_options_set(options, "threads", "1", NULL) == CNM_OK);
    REQUIRE(cnm_options_set(options, "checkpoint", state_path(), NULL) == CNM_OK);
    REQUIRE(cnm_options_set(options, "resume", resume, NULL) == CNM_OK);
    REQUIRE(cnm_data_view_dense(&data, values, ROWS, COLUMNS, COLUMNS, NULL) == CNM_OK);
    REQUIRE(cnm_data_set_targets(data, targets, NULL) == CNM_OK);
    const cnm_status status = cnm_train(out, data, options, &callbacks, err);
    cnm_data_destroy(data);
    cnm_options_destroy(options);
    return status;
}

static void write_state(const unsigned char *bytes, size_t size) {
    FILE *file = fopen(state_path(), "wb");
    REQUIRE(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

/* Returns the state of each training, stopped after its first steps or finished; made when first
 * asked for. */
static const unsigned char *good_state(size_t recipe, size_t stop, size_t *size) {
    static unsigned char *states[RECIPE_COUNT][2];
    static size_t sizes[RECIPE_COUNT][2];
    if (states[recipe][stop] == NULL) {
        cnm_model *model;
        cnm_error error = {0};
        (void)unlink(state_path());
        (void)train(recipe, "no", (int)stop, &model, &error);
        cnm_model_destroy(model);
        REQUIRE(file_read_all(state_path(), 0, &states[recipe][stop], &sizes[recipe][stop], NULL) == CNM_OK);
    }
    *size = sizes[recipe][stop];
    return states[recipe][stop];
}

void fuzz_checkpoint(const unsigned char *bytes, size_t size) {
    cnm_error error = {0};
    cnm_model *model = NULL, *again;
    if (size < 2) {
        return;
    }
    const size_t recipe = bytes[0] % RECIPE_COUNT;
    if (bytes[1] % 4 == 3) {
        write_state(bytes + 2, size - 2);
    } else {
        unsigned char *changed;
        size_t good_size, changed_size;
        const unsigned char *good = good_state(recipe, bytes[1] % 2, &good_size);
        if (archive_change(good, good_size, "checkpoint", bytes + 2, size - 2, &changed, &changed_size) != CNM_OK) {
            return;
        }
        write_state(changed, changed_size);
        memory_free(changed);
    }
    const cnm_status status = train(recipe, "yes", 0, &model, &error);
    REQUIRE((status == CNM_OK) == (model != NULL));
    REQUIRE(status == CNM_OK || error.message[0] != '\0');
    if (model != NULL) { /* what is not finite would not be taken back */
        unsigned char *saved;
        size_t saved_size;
        REQUIRE(model_to_bytes(model, &saved, &saved_size, NULL) == CNM_OK);
        REQUIRE(model_from_bytes(&again, saved, saved_size, "f", &error) == CNM_OK);
        memory_free(saved);
        cnm_model_destroy(again);
    }
    cnm_model_destroy(model);
    (void)unlink(state_path());
}
