/* Prints the manual from the tables of commands and options. */
#ifndef CNM_CLI_CLI_HELP_H
#define CNM_CLI_CLI_HELP_H

#include <stdio.h>

#include "command.h"

/* Prints the list of commands, on one screen. */
void help_overview(FILE *out);
/* Prints the help of one command: examples first, then its options in groups. */
void help_command(FILE *out, const command *which);

#endif
