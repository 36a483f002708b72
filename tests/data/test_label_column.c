/* Which column is the label where no option says so, and why: names, words, places. */
#include "data_support.h"

enum { ROWS = 40 };

/* Writes a file: each letter of `kinds` is a column. n: numbers, c: numbered classes, w: words that
 * repeat, d: words all different, t: dates. */
static void make(char *out, const char *header, const char *kinds) {
    size_t at = (size_t)sprintf(out, "%s\n", header);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; kinds[j] != '\0'; j++) {
            at += (size_t)sprintf(out + at, "%s", j > 0 ? "," : "");
            switch (kinds[j]) {
            case 'n':
                at += (size_t)sprintf(out + at, "%zu.%zu", i * (j + 3) % 17, i % 10);
                break;
            case 'c':
                at += (size_t)sprintf(out + at, "%zu", i % 3);
                break;
            case 'w':
                at += (size_t)sprintf(out + at, "%s", i * (j + 1) % 5 < 2 ? "yes" : "no");
                break;
            case 'd':
                at += (size_t)sprintf(out + at, "Nr %zu of %zu", i, j);
                break;
            default:
                at += (size_t)sprintf(out + at, "2023-10-%02zu", 1 + i % 28);
                break;
            }
        }
        at += (size_t)sprintf(out + at, "\n");
    }
}

/* Returns the label that is found, and why: "y (the last column)". */
static const char *label_of(const char *header, const char *kinds, const reader_options *options) {
    static char text[32 * 12 * ROWS], out[128];
    byte_source *input;
    reader *opened;
    cnm_error err = {0};
    make(text, header, kinds);
    assert_int_equal(byte_source_from_memory(&input, text, strlen(text), "f", NULL), CNM_OK);
    if (reader_from_source(&opened, input, options, NULL, &err) != CNM_OK) {
        fail_msg("%s", err.message);
    }
    const char *reason = reader_label_reason(opened);
    (void)snprintf(out, sizeof out, "%s%s%s%s", reader_label_column(opened), reason != NULL ? " (" : "",
                   reason != NULL ? reason : "", reason != NULL ? ")" : "");
    reader_close(opened);
    return out;
}

static void names_words_and_places_are_tried_in_this_order(void **state) {
    static const struct {
        const char *header, *kinds, *label;
    } CASES[] = {
        {"id,age,Churned,income,sex,zip", "nnwnwc", "Churned (by its name)"},
        {"PassengerId,Survived,Pclass,Name,Sex,Age,Cabin,Embarked", "ncndwndw", "Survived (by its name)"},
        {"survived,pclass,class,alone", "ccww", "survived (by its name)"}, /* class is that of a cabin */
        {"a,class,quality,b", "ncnn", "class (by its name)"},
        {"a,y,word", "nnw", "y (by its name)"},
        {"x,y,word", "nnw", "word (the only column of words)"}, /* coordinates */
        {"x,y,z", "nnn", "y (by its name)"},
        {"a,kind,b", "nwn", "kind (the only column of words)"},
        {"name,a,kind,b", "dnwn", "kind (the only column of words)"},
        {"a,b,c", "nwn", "b (the only column of words)"},
        {"a,kind,sort,b", "nwwn", "b (the last column)"},
        {"kind,sort,a,names", "wwnd", "a (the last column)"}, /* names are no label */
        {"label,a,b", "dnn", "b (the last column)"},
        {"when,a,b", "tnn", "b (the last column)"},
        {"c,a,b", "cnn", "c (the first column, since it alone is numbered as classes are)"},
        {"c,a,d,b", "cncn", "b (the last column)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        assert_string_equal(label_of(CASES[i].header, CASES[i].kinds, NULL), CASES[i].label);
    }
}

static void options_come_first(void **state) {
    const reader_options named = {.label_column = "a"}, dropped = {.drop = "churn"},
                         weight = {.weight_column = "price"};
    (void)state;
    assert_string_equal(label_of("a,churn,b", "nwn", &named), "a");
    assert_string_equal(label_of("a,churn,b", "nwn", &dropped), "b (the last column)");
    assert_string_equal(label_of("price,a,b", "nnn", &weight), "b (the last column)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_words_and_places_are_tried_in_this_order),
        cmocka_unit_test(options_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
