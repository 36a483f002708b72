/* Parses --name value, --name=value, -k 8, -k8, -qk8, --, and operands anywhere. */
#include "arguments.h"

#include <stdlib.h>
#include <string.h>

#include "cli_suggest.h"
#include "report_error.h"

/* One option as it was recognised. */
typedef struct match {
    const own_option *own; /* NULL: the library's */
    cnm_option_info info;  /* when own is NULL */
} match;

bool command_option(const command *which, size_t i, cnm_option_info *info) {
    *info = (cnm_option_info)CNM_OPTION_INFO_INIT;
    for (size_t row = 0; cnm_options_describe(row, info); row++) {
        if ((info->purpose & which->purpose) != 0 && i-- == 0) {
            return true;
        }
    }
    return false;
}

/* Finds an option by its name of `length` letters, or by letter where name is NULL. */
static bool find(const command *which, const char *name, size_t length, char letter, match *out) {
    for (size_t i = 0; i < which->option_count; i++) {
        const own_option *own = &which->options[i];
        if (name != NULL ? strlen(own->name) == length && strncmp(own->name, name, length) == 0
                         : own->letter == letter) {
            *out = (match){.own = own};
            return true;
        }
    }
    for (size_t i = 0; command_option(which, i, &out->info); i++) {
        if (name != NULL ? strlen(out->info.name) == length && strncmp(out->info.name, name, length) == 0
                         : out->info.letter == letter) {
            out->own = NULL;
            return true;
        }
    }
    return false;
}

static bool takes_value(const match *option) {
    return option->own != NULL ? option->own->value != NULL : strcmp(option->info.type, "flag") != 0;
}

static const char *match_name(const match *option) {
    return option->own != NULL ? option->own->name : option->info.name;
}

/* Returns the index of an option in the library's table, or the table's size. */
static size_t option_number(const char *name) {
    cnm_option_info info = CNM_OPTION_INFO_INIT;
    size_t i = 0;
    while (cnm_options_describe(i, &info) && strcmp(info.name, name) != 0) {
        i++;
    }
    return i;
}

/* Stores one value. Returns STATUS_OK, or prints what is wrong with it. */
static int store(arguments *self, const match *option, const char *value) {
    if (option->own == NULL) {
        cnm_error error;
        const char *text = takes_value(option) ? value : "yes";
        self->given[option_number(option->info.name)] = true;
        return cnm_options_set(self->options, option->info.name, text, &error) == CNM_OK
                   ? STATUS_OK
                   : usage_error(self->command, "%s", error.message);
    }
    if (option->own->later != NULL) {
        return usage_error(self->command, "--%s is not in this version yet: %s", option->own->name, option->own->later);
    }
    self->own[option->own - self->command->options] = takes_value(option) ? value : "";
    return STATUS_OK;
}

/* Prints why this command has no such option: it belongs to another command or a later version, or
 * it is misspelt. */
static int unknown_option(arguments *self, const char *name) {
    cnm_option_info info = CNM_OPTION_INFO_INIT;
    cnm_error error;
    for (size_t i = 0; cnm_options_describe(i, &info); i++) {
        if (strcmp(info.name, name) == 0) {
            return usage_error(self->command, "--%s is not an option of cnm %s", name, self->command->name);
        }
    }
    if (self->command->purpose != 0 && cnm_options_set(self->options, name, "", &error) == CNM_UNSUPPORTED) {
        return usage_error(self->command, "%s", error.message);
    }
    suggestion nearest = {0};
    for (size_t i = 0; i < self->command->option_count; i++) {
        suggest(&nearest, name, self->command->options[i].name);
    }
    for (size_t i = 0; command_option(self->command, i, &info); i++) {
        suggest(&nearest, name, info.name);
    }
    return nearest.word == NULL
               ? usage_error(self->command, "there is no option --%s", name)
               : usage_error(self->command, "there is no option --%s; did you mean --%s?", name, nearest.word);
}

/* Parses --name, --name=value or --name value. *used = the number of texts that it takes. */
static int parse_long(arguments *self, const char *text, const char *next, int *used) {
    char name[64];
    const size_t length = strcspn(text, "=");
    const bool attached = text[length] == '=';
    match option;
    if (strcmp(text, "help") == 0) {
        self->help = true;
        return STATUS_OK;
    }
    if (strcmp(text, "help-all") == 0) {
        self->help = self->help_all = true;
        return STATUS_OK;
    }
    if (!find(self->command, text, length, 0, &option)) {
        const size_t kept = length < sizeof name - 1 ? length : sizeof name - 1;
        memcpy(name, text, kept);
        name[kept] = '\0';
        return unknown_option(self, name);
    }
    if (!takes_value(&option) && attached) {
        return usage_error(self->command, "--%s takes no value", match_name(&option));
    }
    if (takes_value(&option) && !attached) {
        if (next == NULL) {
            return usage_error(self->command, "--%s needs a value", match_name(&option));
        }
        *used = 2;
        return store(self, &option, next);
    }
    return store(self, &option, attached ? text + length + 1 : NULL);
}

/* Parses letters behind one dash: flags, then perhaps an option whose value is the rest of the text
 * or the next one. */
static int parse_letters(arguments *self, const char *letters, const char *next, int *used) {
    for (; *letters != '\0'; letters++) {
        match option;
        if (*letters == 'h') {
            self->help = true;
            continue;
        }
        if (!find(self->command, NULL, 0, *letters, &option)) {
            return usage_error(self->command, "there is no option -%c", *letters);
        }
        if (takes_value(&option)) {
            const char *value = letters[1] != '\0' ? letters + 1 : next;
            if (value == NULL) {
                return usage_error(self->command, "-%c needs a value", *letters);
            }
            *used = letters[1] != '\0' ? 1 : 2;
            return store(self, &option, value);
        }
        const int status = store(self, &option, NULL);
        if (status != STATUS_OK) {
            return status;
        }
    }
    return STATUS_OK;
}

static int check_operands(const arguments *self) {
    const command *which = self->command;
    if (self->help || (self->operand_count >= which->least && self->operand_count <= which->most)) {
        return STATUS_OK;
    }
    if (self->operand_count < which->least) {
        return usage_error(which, "too few arguments; usage: cnm %s %s", which->name, which->usage);
    }
    return usage_error(which, "\"%s\" is one argument too many; usage: cnm %s %s", self->operands[which->most],
                       which->name, which->usage);
}

int arguments_parse(arguments *out, const command *which, int count, char **texts) {
    cnm_error error;
    *out = (arguments){.command = which};
    out->operands = malloc(((size_t)count + 1) * sizeof *out->operands);
    out->given = calloc(cnm_options_count() + 1, sizeof *out->given);
    if (out->operands == NULL || out->given == NULL || cnm_options_create(&out->options, &error) != CNM_OK) {
        report_note(which, "out of memory");
        return STATUS_FAILED;
    }
    bool options_ended = false;
    for (int i = 0; i < count;) {
        const char *text = texts[i], *next = i + 1 < count ? texts[i + 1] : NULL;
        int used = 1, status = STATUS_OK;
        if (options_ended || text[0] != '-' || text[1] == '\0') {
            out->operands[out->operand_count++] = text;
        } else if (strcmp(text, "--") == 0) {
            options_ended = true;
        } else if (text[1] == '-') {
            status = parse_long(out, text + 2, next, &used);
        } else {
            status = parse_letters(out, text + 1, next, &used);
        }
        if (status != STATUS_OK) {
            return status;
        }
        i += used;
    }
    return check_operands(out);
}

void arguments_free(arguments *self) {
    cnm_options_destroy(self->options);
    free(self->operands);
    free(self->given);
}

bool arguments_given(const arguments *self, const char *name) { return self->given[option_number(name)]; }

const char *arguments_own(const arguments *self, const char *name) {
    for (size_t i = 0; i < self->command->option_count; i++) {
        if (strcmp(self->command->options[i].name, name) == 0) {
            return self->own[i];
        }
    }
    return NULL;
}
