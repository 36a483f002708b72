/* The public headers as a user has them: the example at the top is examples/first_model.c, and
 * versions agree. */
#include "api/api_support.h"

enum { MOST_LINES = 400, LINE = 160 };

static FILE *open_text(const char *name) {
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/../%s", CNM_TESTS_FOLDER, name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fail_msg("%s cannot be read", path);
    }
    return file;
}

/* Reads the lines of the header's example, without the comment's marks; returns their number. */
static size_t read_example(char lines[MOST_LINES][LINE]) {
    FILE *file = open_text("include/cnm/cnm.h");
    char line[LINE];
    size_t count = 0, used = 0;
    while (fgets(line, sizeof line, file) != NULL && strncmp(line, " * Tiers:", 9) != 0) {
        const bool code = strncmp(line, " *     ", 7) == 0, empty = strcmp(line, " *\n") == 0;
        if (code || (empty && count > 0)) {
            assert_true(count < MOST_LINES);
            strcpy(lines[count++], code ? line + 7 : "\n");
            used = code ? count : used;
        }
    }
    (void)fclose(file);
    return used;
}

static void the_example_of_the_header_is_a_program_that_is_run(void **unused) {
    static char lines[MOST_LINES][LINE];
    const size_t count = read_example(lines);
    FILE *file = open_text("examples/first_model.c");
    char line[LINE];
    (void)unused;
    assert_non_null(fgets(line, sizeof line, file)); /* what the program is, for readers of the folder */
    for (size_t i = 0; i < count; i++) {
        assert_non_null(fgets(line, sizeof line, file));
        assert_string_equal(line, lines[i]);
    }
    assert_null(fgets(line, sizeof line, file));
    assert_true(count > 20);
    (void)fclose(file);
}

static void header_and_library_have_one_version(void **unused) {
    char text[32];
    (void)unused;
    (void)snprintf(text, sizeof text, "%d.%d.%d", CNM_VERSION / 10000, CNM_VERSION / 100 % 100, CNM_VERSION % 100);
    assert_string_equal(cnm_version(), text);
    assert_int_equal(cnm_version_number(), CNM_VERSION);
    assert_true(CNM_VERSION_FITS());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_header_is_a_program_that_is_run),
        cmocka_unit_test(header_and_library_have_one_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
