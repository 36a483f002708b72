/* Options as text: lines "name=value". A refused value leaves the options as they were; a taken one
 * can be read back. */
#include <string.h>

#include "cnm/cnm.h"
#include "fuzz/target.h"
#include "learn/objective/class_weights.h"

static const char *option_text(const cnm_options *options, const char *name) {
    const char *value = NULL;
    return cnm_options_get(options, name, &value, NULL) == CNM_OK ? value : NULL;
}

enum { NAME_SIZE = 32, TEXT_SIZE = 96 };

static char *const WORDS[] = {"a:b", "in", "out"}, *const NUMBERS[] = {"-1", "0.5", "3"};
static const int32_t CODES[] = {0, 1, 2, 2, 1};

static void read_weights(const char *text) {
    const class_set sets[] = {{.count = 3, .labels = (char **)(uintptr_t)WORDS, .numeric = false},
                              {.count = 3, .labels = (char **)(uintptr_t)NUMBERS, .numeric = true}};
    for (size_t i = 0; i < 2; i++) {
        double weights[3];
        cnm_error error = {0};
        if (class_weights_read(text, &sets[i], CODES, 5, weights, &error) == CNM_OK) {
            REQUIRE(weights[0] >= 0 && weights[1] >= 0 && weights[2] >= 0);
        } else {
            REQUIRE(error.message[0] != '\0');
        }
    }
}

static void set_one(cnm_options *options, const char *name, const char *value) {
    char before[TEXT_SIZE] = "";
    cnm_error error = {0};
    const char *old = option_text(options, name);
    (void)snprintf(before, sizeof before, "%s", old == NULL ? "" : old);
    const cnm_status status = cnm_options_set(options, name, value, &error);
    const char *now = option_text(options, name);
    if (status == CNM_OK) {
        REQUIRE(now != NULL && strcmp(now, value) == 0);
    } else {
        REQUIRE(error.message[0] != '\0' && (now == NULL) == (old == NULL));
        REQUIRE(now == NULL || strncmp(now, before, TEXT_SIZE - 1) == 0);
    }
}

void fuzz_options(const unsigned char *bytes, size_t size) {
    cnm_options *options, *copy;
    const unsigned char *at = bytes, *end = bytes + size;
    REQUIRE(cnm_options_create(&options, NULL) == CNM_OK);
    while (at < end) {
        char name[NAME_SIZE] = "", value[TEXT_SIZE] = "";
        size_t length = 0;
        for (; at < end && *at != '=' && *at != '\n'; at++) {
            if (length + 1 < NAME_SIZE) {
                name[length++] = (char)*at;
            }
        }
        at += at < end && *at == '=';
        length = 0;
        for (; at < end && *at != '\n'; at++) {
            if (length + 1 < TEXT_SIZE) {
                value[length++] = (char)*at;
            }
        }
        at += at < end;
        set_one(options, name, value);
        read_weights(value);
    }
    cnm_error error = {0};
    const cnm_status status = cnm_options_check(options, &error);
    REQUIRE(status == CNM_OK || error.message[0] != '\0');
    REQUIRE(cnm_options_copy(&copy, options, NULL) == CNM_OK);
    cnm_option_info info = CNM_OPTION_INFO_INIT;
    for (size_t i = 0; cnm_options_describe(i, &info); i++) {
        REQUIRE(strcmp(option_text(copy, info.name), option_text(options, info.name)) == 0);
    }
    REQUIRE(cnm_options_check(copy, NULL) == status);
    cnm_options_destroy(copy);
    cnm_options_destroy(options);
}
