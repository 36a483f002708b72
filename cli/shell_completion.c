/* One function a shell. Names and words consist of small letters, digits and dashes, and need no
 * quotes; sentences are in single quotes. */
#include "shell_completion.h"

#include <stdbool.h>
#include <string.h>

#include "arguments.h"
#include "option_list.h"

/* ---- Shared ---- */

/* What --help and --help-all say of themselves. */
static const char *const HELP[][2] = {{"help", "examples and common options"}, {"help-all", "all options"}};
enum { HELPS = sizeof HELP / sizeof HELP[0] };

/* What the operands of a command are. */
typedef enum operand_kind { NO_OPERANDS, COMMAND_NAMES, FILES } operand_kind;

static operand_kind operands_of(const command *which) {
    return which->most == 0 ? NO_OPERANDS : which == &COMMAND_HELP ? COMMAND_NAMES : FILES;
}

static void put_command_names(FILE *out) {
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "%s%s", i == 0 ? "" : " ", COMMANDS[i]->name);
    }
}

/* Writes an explanation for a place between single quotes: up to the first ; or : of its sentence,
 * without the letters that a shell would take as its own. */
static void put_summary(FILE *out, const char *text) {
    for (const char *letter = text; *letter != '\0' && *letter != ';' && *letter != ':'; letter++) {
        if (strchr("'\\[]`$\"", *letter) == NULL) {
            fputc(*letter, out);
        }
    }
}

static const char *summary_of(const listed_option *option) {
    return option->common != NULL ? option->common : option->help;
}

/* ---- bash ---- */

static void bash_values(FILE *out, const command *which) {
    listed_option option;
    for (size_t i = 0; option_list_at(which, i, &option); i++) {
        if (option.flag) {
            continue;
        }
        fprintf(out, "    %s,--%s", which->name, option.name);
        if (option.letter != 0) {
            fprintf(out, " | %s,-%c", which->name, option.letter);
        }
        fputs(") ", out);
        if (option.words[0] != '\0') {
            fprintf(out, "_cnm_words \"%s\"; ", option.words);
        }
        fputs(option.file ? "_cnm_files; return ;;\n" : "return ;;\n", out);
    }
}

static void bash_options(FILE *out, const command *which) {
    listed_option option;
    fprintf(out, "    %s,-*) _cnm_words \"", which->name);
    for (size_t i = 0; option_list_at(which, i, &option); i++) {
        fprintf(out, "--%s ", option.name);
    }
    fputs("--help --help-all\" ;;\n", out);
}

static void bash_operands(FILE *out, const command *which) {
    switch (operands_of(which)) {
    case COMMAND_NAMES:
        fprintf(out, "    %s,*) _cnm_words \"", which->name);
        put_command_names(out);
        fputs("\" ;;\n", out);
        break;
    case FILES:
        fprintf(out, "    %s,*) _cnm_files ;;\n", which->name);
        break;
    case NO_OPERANDS:
        break;
    }
}

void completion_bash(FILE *out, const command *which) {
    (void)which;
    fputs("# bash completion for cnm; written by cnm help --format bash\n\n"
          "_cnm_words() { COMPREPLY+=($(compgen -W \"$1\" -- \"$word\")); }\n\n"
          "_cnm_files() {\n"
          "    local IFS=$'\\n'\n"
          "    compopt -o filenames 2>/dev/null\n"
          "    COMPREPLY+=($(compgen -f -- \"$word\"))\n"
          "}\n\n"
          "_cnm() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
          "    COMPREPLY=()\n"
          "    if [[ $word == \"=\" ]]; then\n"
          "        word=\n"
          "    elif [[ $before == \"=\" && $COMP_CWORD -gt 2 ]]; then\n"
          "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    fi\n"
          "    if ((COMP_CWORD == 1)); then\n"
          "        _cnm_words \"",
          out);
    put_command_names(out);
    fputs(" --help --version\"\n        return\n    fi\n    case $command,$before in\n", out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        bash_values(out, COMMANDS[i]);
    }
    fputs("    esac\n    case $command,$word in\n", out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        bash_options(out, COMMANDS[i]);
        bash_operands(out, COMMANDS[i]);
    }
    fputs("    esac\n}\n\ncomplete -F _cnm cnm\n", out);
}

/* ---- zsh ---- */

/* Writes one argument of _arguments: '(-k --features)'{-k+,--features=}'[...]:N:(...)'. */
static void zsh_option(FILE *out, const listed_option *option) {
    if (option->letter != 0) {
        fprintf(out, " \\\n            '(-%c --%s)'{-%c%s,--%s%s}'[", option->letter, option->name, option->letter,
                option->flag ? "" : "+", option->name, option->flag ? "" : "=");
    } else {
        fprintf(out, " \\\n            '--%s%s[", option->name, option->flag ? "" : "=");
    }
    put_summary(out, summary_of(option));
    fputc(']', out);
    if (option->file) {
        fputs(":file:_files", out);
    } else if (option->words[0] != '\0') {
        fprintf(out, ":value:(%s)", option->words);
    } else if (!option->flag) {
        fputs(":value: ", out);
    }
    fputc('\'', out);
}

static void zsh_command(FILE *out, const command *which) {
    static const char *const OPERANDS[] = {"", " \\\n            '*:command:_cnm_commands'",
                                           " \\\n            '*:file:_files'"};
    listed_option option;
    fprintf(out, "    %s)\n        _arguments -s", which->name);
    for (size_t i = 0; option_list_at(which, i, &option); i++) {
        zsh_option(out, &option);
    }
    for (size_t i = 0; i < HELPS; i++) {
        fprintf(out, " \\\n            '--%s[%s]'", HELP[i][0], HELP[i][1]);
    }
    fprintf(out, "%s\n        ;;\n", OPERANDS[operands_of(which)]);
}

void completion_zsh(FILE *out, const command *which) {
    (void)which;
    fputs("#compdef cnm\n# zsh completion for cnm; written by cnm help --format zsh\n\n"
          "_cnm_commands() {\n    local -a commands\n    commands=(\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "        '%s:", COMMANDS[i]->name);
        put_summary(out, COMMANDS[i]->summary);
        fputs("'\n", out);
    }
    fputs("    )\n    _describe command commands\n}\n\n"
          "_cnm() {\n"
          "    if ((CURRENT == 2)); then\n        _cnm_commands\n        return\n    fi\n"
          "    shift words\n    ((CURRENT--))\n"
          "    case $words[1] in\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        zsh_command(out, COMMANDS[i]);
    }
    fputs("    esac\n}\n\nif [[ $funcstack[1] == _cnm ]]; then\n    _cnm \"$@\"\nelse\n    compdef _cnm cnm\nfi\n",
          out);
}

/* ---- fish ---- */

static void fish_option(FILE *out, const command *which, const listed_option *option) {
    fprintf(out, "complete -c cnm -n '__fish_seen_subcommand_from %s' -l %s", which->name, option->name);
    if (option->letter != 0) {
        fprintf(out, " -s %c", option->letter);
    }
    if (!option->flag) {
        fputs(option->file ? " -r -F" : " -x", out);
    }
    if (option->words[0] != '\0') {
        fprintf(out, " -a '%s'", option->words);
    }
    fputs(" -d '", out);
    put_summary(out, summary_of(option));
    fputs("'\n", out);
}

static void fish_command(FILE *out, const command *which) {
    listed_option option;
    for (size_t i = 0; option_list_at(which, i, &option); i++) {
        fish_option(out, which, &option);
    }
    for (size_t i = 0; i < HELPS; i++) {
        fprintf(out, "complete -c cnm -n '__fish_seen_subcommand_from %s' -l %s -d '%s'\n", which->name, HELP[i][0],
                HELP[i][1]);
    }
    if (operands_of(which) == FILES) {
        fprintf(out, "complete -c cnm -n '__fish_seen_subcommand_from %s' -F\n", which->name);
    } else if (operands_of(which) == COMMAND_NAMES) {
        fprintf(out, "complete -c cnm -n '__fish_seen_subcommand_from %s' -a '", which->name);
        put_command_names(out);
        fputs("'\n", out);
    }
}

void completion_fish(FILE *out, const command *which) {
    (void)which;
    fputs("# fish completion for cnm; written by cnm help --format fish\n\ncomplete -c cnm -f\n", out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "complete -c cnm -n __fish_use_subcommand -a %s -d '", COMMANDS[i]->name);
        put_summary(out, COMMANDS[i]->summary);
        fputs("'\n", out);
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fish_command(out, COMMANDS[i]);
    }
}
