/* Which keys are not what their value looks like stands in one table. */
#include "json_value.h"

#include <string.h>

#include "cli_format.h"

typedef enum json_kind {
    BY_ITS_LOOKS, /* a number where it is one in JSON, else a string */
    ALWAYS_TEXT,
    LIST_OF_TEXTS,
    LIST_OF_NUMBERS,
    LIST_OF_LABELS /* taken from the model: a label may contain a comma */
} json_kind;

static json_kind kind_of(const char *key) {
    static const struct {
        const char *key;
        json_kind kind;
    } KINDS[] = {
        {"label_column", ALWAYS_TEXT},        {"group_column", ALWAYS_TEXT}, {"positive", ALWAYS_TEXT},
        {"decision_offset", LIST_OF_NUMBERS}, {"stages", LIST_OF_TEXTS},     {"layers", LIST_OF_TEXTS},
        {"labels", LIST_OF_LABELS},
    };
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        size_t same = 0;
        while (key[same] != '\0' &&
               (key[same] == KINDS[i].key[same] || (key[same] == '-' && KINDS[i].key[same] == '_'))) {
            same++;
        }
        if (key[same] == KINDS[i].key[same]) {
            return KINDS[i].kind;
        }
    }
    return BY_ITS_LOOKS;
}

/* ---- Numbers ---- */

static size_t digits(const char *text) { return strspn(text, "0123456789"); }

/* Returns the length of the number in JSON that a text begins with: -12.5e-3, but not 012, .5, nan
 * or inf; 0 for none. */
static size_t number_length(const char *text) {
    size_t end = *text == '-';
    const size_t whole = digits(text + end);
    if (whole == 0 || (text[end] == '0' && whole > 1)) {
        return 0;
    }
    end += whole;
    if (text[end] == '.' && digits(text + end + 1) > 0) {
        end += 1 + digits(text + end + 1);
    }
    if (text[end] == 'e' || text[end] == 'E') {
        const size_t mark = text[end + 1] == '-' || text[end + 1] == '+' ? 2 : 1;
        end += digits(text + end + mark) > 0 ? mark + digits(text + end + mark) : 0;
    }
    return end;
}

/* Prints so many characters as a number where they are one, else as a string. */
static void print_by_looks(FILE *out, const char *text, size_t length) {
    if (length > 0 && number_length(text) == length) {
        fprintf(out, "%.*s", (int)length, text);
    } else {
        print_json_part(out, text, length);
    }
}

/* ---- Lists ---- */

/* Prints the parts of "one, two" or "one,two". */
static void print_list(FILE *out, const char *text, bool numbers) {
    fputc('[', out);
    for (const char *glue = ""; *text != '\0'; glue = ", ") {
        const size_t length = strcspn(text, ",");
        fputs(glue, out);
        (numbers ? print_by_looks : print_json_part)(out, text, length);
        text += length + (text[length] == ',');
        text += strspn(text, " ");
    }
    fputc(']', out);
}

static void print_labels(FILE *out, const cnm_model *model) {
    fputc('[', out);
    for (size_t i = 0; i < cnm_model_classes(model); i++) {
        fputs(i == 0 ? "" : ", ", out);
        print_json_string(out, cnm_model_label(model, i));
    }
    fputc(']', out);
}

bool json_list(FILE *out, const char *key, const char *text) {
    const json_kind kind = kind_of(key);
    if (kind != LIST_OF_TEXTS && kind != LIST_OF_NUMBERS) {
        return false;
    }
    print_list(out, text, kind == LIST_OF_NUMBERS);
    return true;
}

void json_model_value(FILE *out, const cnm_model *model, const char *key, const char *text) {
    const json_kind kind = kind_of(key);
    if (kind == LIST_OF_LABELS) {
        print_labels(out, model);
    } else if (kind == ALWAYS_TEXT) {
        print_json_string(out, text);
    } else if (!json_list(out, key, text)) {
        print_by_looks(out, text, strlen(text));
    }
}
