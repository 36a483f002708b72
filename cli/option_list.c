/* Takes the values of an option apart: "auto|f32|1 to 9|FILE" has words, a range and a file. */
#include "option_list.h"

#include <stdio.h>
#include <string.h>

#include "arguments.h"

/* ---- Values ---- */

/* Returns the length of the alternative that begins here: the bars in [ ] are not its end. */
static size_t alternative(const char *text) {
    size_t length = 0;
    for (int depth = 0; text[length] != '\0' && (text[length] != '|' || depth > 0); length++) {
        depth += (text[length] == '[') - (text[length] == ']');
    }
    return length;
}

static bool contains(const char *text, size_t length, const char *part) {
    const char *found = strstr(text, part);
    return found != NULL && found + strlen(part) <= text + length;
}

/* Returns whether an alternative is a word to be typed as it stands. */
static bool is_word(const char *text, size_t length) {
    return length > 0 && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

/* Appends part of a text with a separator before it, as far as it fits. */
static void append(char *out, size_t size, const char *separator, const char *text, size_t length) {
    const size_t used = strlen(out);
    (void)snprintf(out + used, size - used, "%s%.*s", used > 0 ? separator : "", (int)length, text);
}

/* Fills value, words and file from alternatives; a range becomes N or NUMBER. */
static void take_apart(listed_option *out, const char *values, const char *range) {
    for (const char *text = values; *text != '\0';) {
        const size_t length = alternative(text);
        if (contains(text, length, " to ")) {
            append(out->value, sizeof out->value, "|", range, strlen(range));
        } else {
            append(out->value, sizeof out->value, "|", text, length);
        }
        if (is_word(text, length)) {
            append(out->words, sizeof out->words, " ", text, length);
        }
        out->file = out->file || contains(text, length, "FILE") || contains(text, length, "MODEL");
        text += length + (text[length] == '|');
    }
}

void option_list_short_value(const listed_option *option, char *out, size_t size) {
    out[0] = '\0';
    for (const char *text = option->value; *text != '\0';) {
        const size_t length = alternative(text);
        if (!is_word(text, length)) {
            append(out, size, "|", text, length);
        }
        text += length + (text[length] == '|');
    }
    if (out[0] == '\0' && !option->flag) {
        append(out, size, "", "WORD", 4);
    }
}

/* ---- The list ---- */

static bool is_refused(const command *which, const char *name) {
    for (const char *const *refused = which->refused; refused != NULL && *refused != NULL; refused++) {
        if (strcmp(*refused, name) == 0) {
            return true;
        }
    }
    return false;
}

static void fill_own(const own_option *own, listed_option *out) {
    *out = (listed_option){.name = own->name,
                           .letter = own->letter,
                           .group = "",
                           .help = own->help,
                           .default_value = "",
                           .flag = own->value == NULL};
    take_apart(out, own->value != NULL ? own->value : "", "");
}

static void fill_library(const cnm_option_info *info, listed_option *out) {
    const bool flag = strcmp(info->type, "flag") == 0;
    *out = (listed_option){.name = info->name,
                           .letter = info->letter,
                           .group = info->group,
                           .help = info->help,
                           .common = info->common,
                           .default_value = strcmp(info->default_value, "none") == 0 ? "" : info->default_value,
                           .flag = flag};
    take_apart(out, flag ? "" : info->values, strcmp(info->type, "count") == 0 ? "N" : "NUMBER");
}

bool option_list_at(const command *which, size_t i, listed_option *out) {
    for (size_t own = 0; own < which->option_count; own++) {
        if (which->options[own].later == NULL && i-- == 0) {
            fill_own(&which->options[own], out);
            return true;
        }
    }
    cnm_option_info info = CNM_OPTION_INFO_INIT;
    for (size_t row = 0; command_option(which, row, &info); row++) {
        if (!is_refused(which, info.name) && i-- == 0) {
            fill_library(&info, out);
            return true;
        }
    }
    return false;
}

bool option_list_is_short(const command *which, const listed_option *option) {
    const bool own = option->group[0] == '\0';
    return own ? which->short_help != HELP_COMMON : which->short_help != HELP_OWN && option->common != NULL;
}
