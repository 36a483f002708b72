/* Writes manual pages (man) from the tables of commands and options. */
#ifndef CNM_CLI_MANUAL_PAGE_H
#define CNM_CLI_MANUAL_PAGE_H

#include <stdio.h>

#include "command.h"

/* Writes the page cnm-NAME(1) of a command; with NULL, the page cnm(1) of the program. */
void manual_page(FILE *out, const command *which);

#endif
