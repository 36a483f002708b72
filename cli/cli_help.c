/* cnm help: prints examples first, then options; the manual pages and completions, too. */
#include "cli_help.h"

#include <string.h>

#include "arguments.h"
#include "cli_suggest.h"
#include "manual_page.h"
#include "option_list.h"
#include "report_error.h"
#include "shell_completion.h"

enum { WIDTH = 80, INDENT = 29, EXAMPLES = 3 };

void help_overview(FILE *out) {
    fputs("cnm trains compact nonlinear models: the accuracy of a kernel machine in a few\nkilobytes.\n\n", out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "  cnm %-10s %s\n", COMMANDS[i]->name, COMMANDS[i]->summary);
    }
    fputs("\nStart with: cnm demo\nThen:       cnm help train\n", out);
}

/* ---- Options ---- */

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

/* Prints letter, name and value; breaks a line that is too long behind one of the value's bars.
 * Returns the columns that the last line takes. */
static int print_left(FILE *out, const char *left) {
    int length = (int)strlen(left), indent = 0;
    while (indent + length > WIDTH) {
        int end = WIDTH - indent;
        while (end > 1 && left[end - 1] != '|') {
            end--;
        }
        fprintf(out, "%*s%.*s\n", indent, "", end, left);
        left += end;
        length -= end;
        indent = INDENT;
    }
    fprintf(out, "%*s%s", indent, "", left);
    return indent + length;
}

/* Prints "  -k, --features N", and the explanation with its default behind it or on the next
 * line. */
static void print_option(FILE *out, const listed_option *option, const char *value, const char *help) {
    char left[160], text[400];
    const bool has_default = option->default_value[0] != '\0';
    int used = option->letter != 0 ? snprintf(left, sizeof left, "  -%c, --%s %s", option->letter, option->name, value)
                                   : snprintf(left, sizeof left, "      --%s %s", option->name, value);
    used = used < (int)sizeof left ? used : (int)sizeof left - 1;
    if (option->flag) {
        left[used - 1] = '\0'; /* the space before the value that it does not take */
    }
    used = print_left(out, left);
    if (used + 2 > INDENT) {
        fputc('\n', out);
        used = 0;
    }
    (void)snprintf(text, sizeof text, "%s%s%s%s", help, has_default ? " [" : "", option->default_value,
                   has_default ? "]" : "");
    fprintf(out, "%*s", INDENT - used, "");
    print_wrapped(out, text);
}

static void print_short_options(FILE *out, const command *which) {
    listed_option option;
    size_t printed = 0;
    for (size_t i = 0; option_list_at(which, i, &option); i++) {
        char value[96];
        if (option_list_is_short(which, &option)) {
            fputs(printed++ == 0 ? "\nOptions (defaults in brackets)\n" : "", out);
            option_list_short_value(&option, value, sizeof value);
            print_option(out, &option, option.common != NULL ? value : option.value,
                         option.common != NULL ? option.common : option.help);
        }
    }
}

static void print_all_options(FILE *out, const command *which) {
    listed_option option;
    const char *group = NULL;
    for (size_t i = 0; option_list_at(which, i, &option); i++) {
        if (group == NULL || strcmp(option.group, group) != 0) {
            fprintf(out,
                    option.group[0] == '\0' ? "\nOptions of cnm %s\n\n" : "\n%s options (defaults in brackets)\n\n",
                    option.group[0] == '\0' ? which->name : option.group);
            group = option.group;
        }
        print_option(out, &option, option.value, option.help);
    }
}

/* ---- A command ---- */

/* Prints the first lines of the examples. */
static void print_short_examples(FILE *out, const char *guide) {
    for (size_t lines = 0; lines < EXAMPLES && *guide != '\0' && *guide != '\n'; lines++) {
        const size_t length = strcspn(guide, "\n");
        fprintf(out, "%.*s\n", (int)length, guide);
        guide += length + (guide[length] == '\n');
    }
}

static bool has_more(const command *which) {
    listed_option option;
    for (size_t i = 0; option_list_at(which, i, &option); i++) {
        if (!option_list_is_short(which, &option)) {
            return true;
        }
    }
    return false;
}

void help_command(FILE *out, const command *which, bool all) {
    fprintf(out, "cnm %s%s%s\n  %s\n\nExamples\n", which->name, which->usage[0] == '\0' ? "" : " ", which->usage,
            which->summary);
    if (all) {
        fputs(which->guide, out);
        print_all_options(out, which);
        return;
    }
    print_short_examples(out, which->guide);
    print_short_options(out, which);
    if (has_more(which)) {
        fprintf(out, "\ncnm %s --help-all explains more and lists all options, by group.\n", which->name);
    }
}

/* ---- cnm help ---- */

/* The other forms of help. which: NULL for all commands. */
static const struct {
    const char *name;
    void (*print)(FILE *out, const command *which);
} FORMATS[] = {{"man", manual_page}, {"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};

static int print_format(const arguments *line, const command *which, const char *format) {
    for (size_t i = 0; i < sizeof FORMATS / sizeof FORMATS[0]; i++) {
        if (strcmp(FORMATS[i].name, format) == 0) {
            FORMATS[i].print(stdout, which);
            return STATUS_OK;
        }
    }
    return usage_error(line->command, "--format cannot be \"%s\": expected man, bash, zsh or fish", format);
}

static int run(const arguments *line) {
    const char *format = arguments_own(line, "format");
    const command *which = line->operand_count == 0 ? NULL : command_find(line->operands[0]);
    if (line->operand_count > 0 && which == NULL) {
        return command_unknown(line->operands[0]);
    }
    if (format != NULL) {
        return print_format(line, which, format);
    }
    if (which == NULL) {
        help_overview(stdout);
    } else {
        help_command(stdout, which, arguments_own(line, "all") != NULL);
    }
    return STATUS_OK;
}

static const own_option OPTIONS[] = {
    {"all", 'a', NULL, "everything about COMMAND, as COMMAND --help-all", NULL},
    {"format", 0, "man|bash|zsh|fish", "a manual page (of COMMAND, or of cnm), or completions for a shell", NULL},
};

const command COMMAND_HELP = {
    .name = "help",
    .usage = "[options] [COMMAND]",
    .summary = "list the commands, or the options of one",
    .guide = "  cnm help                   the commands\n"
             "  cnm help train             examples, and the options that most people use\n"
             "  cnm help --all train       all of its options\n"
             "  cnm help --format man train | man -l -     its manual page\n"
             "  source <(cnm help --format bash)           completions, for this shell only\n",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .least = 0,
    .most = 1,
    .run = run,
};
