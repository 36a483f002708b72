/* Parses a command line. Options are the library's, from its one table, or the command's own. */
#ifndef CNM_CLI_ARGUMENTS_H
#define CNM_CLI_ARGUMENTS_H

#include <stdbool.h>

#include "cnm/cnm.h"
#include "command.h"

enum { OWN_OPTIONS = 8 };

typedef struct arguments {
    const command *command;
    cnm_options *options;         /* the library's, with the values of the line */
    bool *given;                  /* (cnm_options_count) which of them the line sets */
    const char *own[OWN_OPTIONS]; /* in the order of command->options: NULL when absent, "" for a flag */
    const char **operands;
    size_t operand_count;
    bool help;     /* the line has --help or -h */
    bool help_all; /* the line has --help-all */
} arguments;

/* Parses texts (count), which follow the command's name; `out` keeps pointers into them. Returns
 * STATUS_OK, or prints what is wrong and returns the status to exit with. arguments_free is due
 * either way. */
int arguments_parse(arguments *out, const command *which, int count, char **texts);
void arguments_free(arguments *self);

/* Returns the value of one of the command's own options: NULL when absent, "" for a flag. */
const char *arguments_own(const arguments *self, const char *name);

/* Returns whether the line sets this option of the library's. */
bool arguments_given(const arguments *self, const char *name);

/* Fills `info` with the i-th library option that the command takes. Returns false where there is
 * none. */
bool command_option(const command *which, size_t i, cnm_option_info *info);

#endif
