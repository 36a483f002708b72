/* The program `cnm`: finds the command in the table, parses its line, runs it, and checks that what
 * it printed was written. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "cli_help.h"
#include "cli_suggest.h"
#include "output_file.h"
#include "report_error.h"

const command *const COMMANDS[] = {
    &COMMAND_TRAIN,  &COMMAND_TUNE,    &COMMAND_PREDICT, &COMMAND_TRANSFORM, &COMMAND_INSPECT,
    &COMMAND_EXPORT, &COMMAND_CONVERT, &COMMAND_DEMO,    &COMMAND_HELP,      &COMMAND_VERSION,
};
const size_t COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0];

const command *command_find(const char *name) {
    static const char *const OTHER_NAMES[][2] = {{"--help", "help"}, {"-h", "help"}, {"--version", "version"}};
    for (size_t i = 0; i < sizeof OTHER_NAMES / sizeof OTHER_NAMES[0]; i++) {
        name = strcmp(name, OTHER_NAMES[i][0]) == 0 ? OTHER_NAMES[i][1] : name;
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(COMMANDS[i]->name, name) == 0) {
            return COMMANDS[i];
        }
    }
    return NULL;
}

int command_unknown(const char *name) {
    suggestion nearest = {0};
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        suggest(&nearest, name, COMMANDS[i]->name);
    }
    return nearest.word == NULL ? usage_error(NULL, "there is no command \"%s\"", name)
                                : usage_error(NULL, "there is no command \"%s\"; did you mean %s?", name, nearest.word);
}

static int run(const command *which, int count, char **texts) {
    arguments line;
    int result = arguments_parse(&line, which, count, texts);
    if (result == STATUS_OK && line.help) {
        help_command(stdout, which, line.help_all);
    } else if (result == STATUS_OK) {
        result = which->run(&line);
    }
    arguments_free(&line);
    return result;
}

/* Occupies the descriptors of standard streams that the caller closed. The next file opened would
 * take such a number and get what is meant for the stream. /dev/null is opened so that reading
 * input or writing output fails, as it should. */
static void occupy_standard_streams(void) {
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++) {
        if (fcntl(i, F_GETFD) == -1) {
            (void)open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY); /* the lowest number that is free: i */
        }
    }
}

int main(int count, char **texts) {
    occupy_standard_streams();
    if (count < 2) {
        help_overview(stderr);
        return STATUS_USAGE;
    }
    const command *which = command_find(texts[1]);
    if (which == NULL) {
        return command_unknown(texts[1]);
    }
    /* A reader that ends early (`cnm predict ... | head`) must give an error, not a signal. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* likewise a file that grows beyond what is allowed */
    int result = run(which, count - 2, texts + 2);
    cnm_error error;
    if (output_finish_standard(&error) != CNM_OK && result == STATUS_OK) {
        result = report_error(which, &error);
    }
    return result;
}
