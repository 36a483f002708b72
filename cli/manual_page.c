/* Writes pages with the man macros that groff and mandoc share. Pages have no date: they are those
 * of a version, and every build of it writes the same bytes. */
#include "manual_page.h"

#include <ctype.h>
#include <string.h>

#include "cnm/cnm.h"
#include "option_list.h"

/* ---- Text ---- */

/* Writes so many characters of a text, none of which is taken as a request or an escape. */
static void put(FILE *out, const char *text, size_t length) {
    static const struct {
        char letter;
        const char *escape;
    } ESCAPES[] = {{'\\', "\\e"}, {'-', "\\-"}, {'^', "\\(ha"}, {'~', "\\(ti"}, {'`', "\\(ga"}, {'\'', "\\(aq"}};
    if (length > 0 && text[0] == '.') {
        fputs("\\&", out);
    }
    for (size_t i = 0; i < length; i++) {
        const char *escape = NULL;
        for (size_t j = 0; j < sizeof ESCAPES / sizeof ESCAPES[0]; j++) {
            escape = text[i] == ESCAPES[j].letter ? ESCAPES[j].escape : escape;
        }
        if (escape != NULL) {
            fputs(escape, out);
        } else {
            fputc(text[i], out);
        }
    }
}

static void put_text(FILE *out, const char *text) { put(out, text, strlen(text)); }

/* Writes a text on a line of its own. */
static void put_line(FILE *out, const char *text) {
    put_text(out, text);
    fputc('\n', out);
}

static void put_upper(FILE *out, const char *text) {
    for (; *text != '\0'; text++) {
        fputc(toupper((unsigned char)*text), out);
    }
}

/* ---- Parts of a page ---- */

static void put_head(FILE *out, const char *glue, const char *name, const char *summary) {
    fputs(".\\\" Written by cnm help --format man.\n.TH CNM", out);
    fputs(*glue != '\0' ? "\\-" : "", out);
    put_upper(out, name);
    fprintf(out, " 1 \"\" \"cnm %s\" \"User Commands\"\n.SH NAME\ncnm%s%s \\- ", cnm_version(),
            *glue != '\0' ? "\\-" : "", name);
    put_line(out, summary);
}

/* Writes the examples, which are the guide's lines before its first empty one. */
static void put_examples(FILE *out, const char *guide) {
    fputs(".SH EXAMPLES\n.EX\n", out);
    while (*guide != '\0' && *guide != '\n') {
        const size_t length = strcspn(guide, "\n");
        put(out, guide, length);
        fputc('\n', out);
        guide += length + (guide[length] == '\n');
    }
    fputs(".EE\n", out);
}

/* Writes explanations; an empty line begins a paragraph. */
static void put_explanations(FILE *out, const char *text) {
    for (bool first = true; *text != '\0'; first = false) {
        const size_t length = strcspn(text, "\n");
        if (length == 0 && !first) {
            fputs(".PP\n", out);
        } else if (length > 0) {
            put(out, text, length);
            fputc('\n', out);
        }
        text += length + (text[length] == '\n');
    }
}

static void put_option(FILE *out, const listed_option *option) {
    fputs(".TP\n\\fB", out);
    if (option->letter != 0) {
        fprintf(out, "\\-%c\\fR, \\fB", option->letter);
    }
    fputs("\\-\\-", out);
    put_text(out, option->name);
    fputs("\\fR", out);
    if (option->value[0] != '\0') {
        fputs(" \\fI", out);
        put_text(out, option->value);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    put_text(out, option->help);
    if (option->default_value[0] != '\0') {
        fputs(" [", out);
        put_text(out, option->default_value);
        fputc(']', out);
    }
    fputc('\n', out);
}

static void put_options(FILE *out, const command *which) {
    listed_option option;
    const char *group = NULL;
    fputs(".SH OPTIONS\nDefaults are in brackets.\n", out);
    for (size_t i = 0; option_list_at(which, i, &option); i++) {
        if (group == NULL || strcmp(option.group, group) != 0) {
            group = option.group;
            fprintf(out, ".SS %s\n", *group != '\0' ? group : "This command");
        }
        put_option(out, &option);
    }
    fputs(".SS Help\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nexamples, and the options that most people use\n"
          ".TP\n\\fB\\-\\-help\\-all\\fR\nall options, by group\n",
          out);
}

/* What is the same for all commands. */
static void put_tail(FILE *out) {
    fputs(".SH EXIT STATUS\n.TP\n0\ndone\n"
          ".TP\n1\na failure: a bad file, no memory, a full disk, a pipe closed early\n"
          ".TP\n2\na line that makes no sense\n.TP\n130, 143\nafter Ctrl\\-C, after SIGTERM\n"
          ".SH ENVIRONMENT\n.TP\n\\fBCNM_SIMD\\fR\nwhich code runs: reference, baseline, avx2 or avx512\n"
          ".TP\n\\fBTERM\\fR, \\fBCOLUMNS\\fR\nwhether and how wide the bar of progress is drawn\n",
          out);
}

static void put_commands(FILE *out) {
    fputs(".SH COMMANDS\n", out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, ".TP\n\\fB%s\\fR ", COMMANDS[i]->name);
        put_line(out, COMMANDS[i]->usage);
        put_line(out, COMMANDS[i]->summary);
    }
}

/* Names the pages of all commands but one. */
static void put_see_also(FILE *out, const command *page) {
    const char *glue = ".SH SEE ALSO\n";
    if (page != NULL) {
        fprintf(out, "%s.BR cnm (1)", glue);
        glue = " ,\n";
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (COMMANDS[i] != page) {
            fprintf(out, "%s.BR cnm\\-%s (1)", glue, COMMANDS[i]->name);
            glue = " ,\n";
        }
    }
    fputc('\n', out);
}

/* ---- Pages ---- */

static void program_page(FILE *out) {
    put_head(out, "", "", "train compact nonlinear models");
    fputs(".SH SYNOPSIS\n.B cnm\n.I COMMAND\n[options] ...\n.SH DESCRIPTION\n"
          "Trains compact nonlinear models: the accuracy of a kernel machine in a few kilobytes.\n"
          "Start with \\fBcnm demo\\fR, then \\fBcnm help train\\fR.\n",
          out);
    put_commands(out);
    put_tail(out);
    put_see_also(out, NULL);
}

void manual_page(FILE *out, const command *which) {
    if (which == NULL) {
        program_page(out);
        return;
    }
    put_head(out, "-", which->name, which->summary);
    fprintf(out, ".SH SYNOPSIS\n.B cnm %s\n", which->name);
    if (which->usage[0] != '\0') {
        put_line(out, which->usage);
    }
    const char *examples_end = strstr(which->guide, "\n\n");
    if (examples_end != NULL) {
        fputs(".SH DESCRIPTION\n", out);
        put_explanations(out, examples_end + 2);
    }
    put_examples(out, which->guide);
    put_options(out, which);
    put_tail(out);
    put_see_also(out, which);
}
