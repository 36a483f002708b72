/* A command: its text in the help, the options it takes, and the function that runs it. */
#ifndef CNM_CLI_COMMAND_H
#define CNM_CLI_COMMAND_H

#include <stddef.h>

/* Exit statuses; users' scripts depend on them. */
enum { STATUS_OK = 0, STATUS_FAILED = 1, STATUS_USAGE = 2, STATUS_INTERRUPTED = 130, STATUS_TERMINATED = 143 };

/* An option of the command itself; the library's own come from cnm_options_describe. */
typedef struct own_option {
    const char *name;
    char letter;       /* 0: none */
    const char *value; /* how help shows its value ("FILE"); NULL for a flag */
    const char *help;
    const char *later; /* for an option that is not in this version yet: what to do instead; else NULL */
} own_option;

struct arguments;

/* What --help lists; --help-all lists all options. */
typedef enum short_help {
    HELP_OWN_AND_COMMON = 0, /* the command's own options, and those of the library that most people use */
    HELP_COMMON,             /* the latter alone */
    HELP_OWN                 /* the former alone */
} short_help;

typedef struct command {
    const char *name;
    const char *usage;   /* behind "cnm NAME " */
    const char *summary; /* one line */
    const char *guide;   /* lines of examples, then, behind an empty line, explanations */
    unsigned purpose;    /* CNM_FOR_... bits: the library options it takes */
    const own_option *options;
    size_t option_count;
    const char *const *refused; /* names of library options that it takes only to say why not; or NULL */
    short_help short_help;
    size_t least, most; /* operands */
    int (*run)(const struct arguments *line);
} command;

extern const command COMMAND_TRAIN, COMMAND_TUNE, COMMAND_PREDICT, COMMAND_TRANSFORM, COMMAND_INSPECT, COMMAND_CONVERT,
    COMMAND_EXPORT, COMMAND_DEMO, COMMAND_HELP, COMMAND_VERSION;

/* All commands in the order of the help. */
extern const command *const COMMANDS[];
extern const size_t COMMAND_COUNT;
/* Returns the command of a name; NULL where there is none. */
const command *command_find(const char *name);
/* Prints that there is no command of this name, and which one may be meant. Returns
 * STATUS_USAGE. */
int command_unknown(const char *name);

#endif
