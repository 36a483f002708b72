/* The manual, made from the tables of commands and options. */
#ifndef CNM_CLI_CLI_HELP_H
#define CNM_CLI_CLI_HELP_H

#include <stdio.h>

#include "command.h"

/* What there is, in one screen. */
void help_overview(FILE *out);
/* One command: examples first, then its options in groups. */
void help_command(FILE *out, const command *which);

#endif
