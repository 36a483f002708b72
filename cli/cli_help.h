/* Prints help from the tables of commands and options. */
#ifndef CNM_CLI_CLI_HELP_H
#define CNM_CLI_CLI_HELP_H

#include <stdbool.h>
#include <stdio.h>

#include "command.h"

/* Prints the list of commands, on one screen. */
void help_overview(FILE *out);
/* Prints the help of one command: on one screen three examples and the options that most people
 * use; with `all` every example, explanation and option, in groups. */
void help_command(FILE *out, const command *which, bool all);

#endif
