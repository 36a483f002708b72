/* cnm help: prints examples first, then the options as the tables list them. */
#include "cli_help.h"

#include <string.h>

#include "arguments.h"
#include "cli_suggest.h"
#include "report_error.h"

enum { WIDTH = 100, INDENT = 32 };

void help_overview(FILE *out) {
    fputs("cnm trains compact nonlinear models: the accuracy of a kernel machine in a few kilobytes.\n\n", out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const command *which = COMMANDS[i];
        const int used = fprintf(out, "  cnm %s %s", which->name, which->usage);
        fprintf(out, "%*s%s\n", used < 48 ? 48 - used : 2, "", which->summary);
    }
    fputs("\nStart with: cnm demo\nThen:       cnm help train\n", out);
}

/* Prints words in lines of at most WIDTH columns, from column INDENT on. */
static void print_wrapped(FILE *out, const char *text) {
    size_t column = INDENT;
    while (*text != '\0') {
        const size_t length = strcspn(text, " ");
        if (column > INDENT && column + 1 + length > WIDTH) {
            fprintf(out, "\n%*s", INDENT, "");
            column = INDENT;
        } else if (column > INDENT) {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", (int)length, text);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

/* Prints "  -k, --features N" and the explanation behind it, or on the next line. */
static void print_option(FILE *out, char letter, const char *name, const char *value, const char *text) {
    char left[160];
    int used = letter != 0 ? snprintf(left, sizeof left, "  -%c, --%s %s", letter, name, value)
                           : snprintf(left, sizeof left, "      --%s %s", name, value);
    used = used < (int)sizeof left ? used : (int)sizeof left - 1;
    fputs(left, out);
    if (used + 2 > INDENT) {
        fputc('\n', out);
        used = 0;
    }
    fprintf(out, "%*s", INDENT - used, "");
    print_wrapped(out, text);
}

/* Writes the values of a library option as a placeholder: a range becomes N or NUMBER. */
static void placeholder(const cnm_option_info *info, char *out, size_t size) {
    const char *stand_in = strcmp(info->type, "count") == 0 ? "N" : "NUMBER";
    size_t used = 0;
    out[0] = '\0';
    for (const char *word = info->values; *word != '\0' && used < size;) {
        const int length = (int)strcspn(word, "|");
        const char *range = strstr(word, " to ");
        const int written = range != NULL && range < word + length
                                ? snprintf(out + used, size - used, "%s%s", used > 0 ? "|" : "", stand_in)
                                : snprintf(out + used, size - used, "%s%.*s", used > 0 ? "|" : "", length, word);
        used += (size_t)written;
        word += length + (word[length] == '|');
    }
}

static void print_library_option(FILE *out, const cnm_option_info *info) {
    char value[96], text[320];
    placeholder(info, value, sizeof value);
    const bool has_default = info->default_value[0] != '\0' && strcmp(info->default_value, "none") != 0;
    (void)snprintf(text, sizeof text, "%s%s%s%s", info->help, has_default ? " [" : "",
                   has_default ? info->default_value : "", has_default ? "]" : "");
    print_option(out, info->letter, info->name, value, text);
}

void help_command(FILE *out, const command *which) {
    fprintf(out, "cnm %s %s\n  %s\n\nExamples\n\n%s", which->name, which->usage, which->summary, which->guide);
    if (which->option_count > 0) {
        fputs("\nOptions\n\n", out);
    }
    for (size_t i = 0; i < which->option_count; i++) {
        const own_option *own = &which->options[i];
        if (own->later == NULL) {
            print_option(out, own->letter, own->name, own->value != NULL ? own->value : "", own->help);
        }
    }
    const char *group = "";
    cnm_option_info info = CNM_OPTION_INFO_INIT;
    for (size_t i = 0; command_option(which, i, &info); i++) {
        if (strcmp(info.group, group) != 0) {
            group = info.group;
            fprintf(out, "\n%s options%s\n\n", group, i == 0 ? " (defaults in brackets)" : "");
        }
        print_library_option(out, &info);
    }
}

static int run(const arguments *line) {
    if (line->operand_count == 0) {
        help_overview(stdout);
        return STATUS_OK;
    }
    const command *which = command_find(line->operands[0]);
    if (which == NULL) {
        return usage_error(NULL, "there is no command \"%s\"", line->operands[0]);
    }
    help_command(stdout, which);
    return STATUS_OK;
}

const command COMMAND_HELP = {
    .name = "help",
    .usage = "[COMMAND]",
    .summary = "print this list, or the help of one command",
    .guide = "  cnm help\n  cnm help train\n",
    .least = 0,
    .most = 1,
    .run = run,
};
