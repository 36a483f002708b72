/* Writes completions for shells from the tables of commands and options: of commands, options,
 * words among the values of options, and names of files. */
#ifndef CNM_CLI_SHELL_COMPLETION_H
#define CNM_CLI_SHELL_COMPLETION_H

#include <stdio.h>

#include "command.h"

/* Write a script for all commands; `which` has no meaning here. */
void completion_bash(FILE *out, const command *which);
void completion_zsh(FILE *out, const command *which);
void completion_fish(FILE *out, const command *which);

#endif
