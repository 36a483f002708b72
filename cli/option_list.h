/* All options of a command in one list, its own and the library's, as help, manual pages and
 * completions show them. Without those that the command refuses or does not offer yet. */
#ifndef CNM_CLI_OPTION_LIST_H
#define CNM_CLI_OPTION_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "command.h"

typedef struct listed_option {
    const char *name;
    char letter;               /* 0: none */
    const char *group;         /* "Method" ...; "" for the command's own */
    const char *help;          /* sentences */
    const char *common;        /* a few words, for a library option that most people use; else NULL */
    const char *default_value; /* "" where the help says it, or there is none */
    bool flag;                 /* takes no value */
    char value[96];            /* how help shows its value: "auto|N", "FILE"; "" for a flag */
    char words[256];           /* the words among its values, with spaces between: "quick normal thorough" */
    bool file;                 /* its value can be the name of a file */
} listed_option;

/* Fills `out` with the i-th option. Returns false where there is none. */
bool option_list_at(const command *which, size_t i, listed_option *out);

/* Returns whether --help lists an option. */
bool option_list_is_short(const command *which, const listed_option *option);

/* Writes the value without the words among it: "N", "NUMBER", "N|NAME"; "WORD" where nothing else
 * is left. */
void option_list_short_value(const listed_option *option, char *out, size_t size);

#endif
