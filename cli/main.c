/* The command `cnm`: finds the command in the table, takes its line apart, runs it, and makes sure that what it printed
 * arrived. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "report_error.h"
#include "cli_help.h"
#include "output_file.h"
#include "cli_suggest.h"

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

static int unknown_command(const char *name) {
    suggestion nearest = {0};
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        suggest(&nearest, name, COMMANDS[i]->name);
    }
    return nearest.word == NULL
               ? complain_usage(NULL, "there is no command \"%s\"", name)
               : complain_usage(NULL, "there is no command \"%s\"; did you mean %s?", name, nearest.word);
}

static int run(const command *which, int count, char **texts) {
    arguments line;
    int result = arguments_parse(&line, which, count, texts);
    if (result == STATUS_OK && line.help) {
        help_command(stdout, which);
    } else if (result == STATUS_OK) {
        result = which->run(&line);
    }
    arguments_free(&line);
    return result;
}

/* Where the caller closed a standard stream, the next file opened would take its number and get what is meant for the stream. So
 * that number is held by something that can neither be read as input nor written as output: using the stream fails, as it should. */
static void hold_standard_streams(void) {
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++) {
        if (fcntl(i, F_GETFD) == -1) {
            (void)open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY); /* the lowest number that is free: i */
        }
    }
}

int main(int count, char **texts) {
    hold_standard_streams();
    if (count < 2) {
        help_overview(stderr);
        return STATUS_USAGE;
    }
    const command *which = command_find(texts[1]);
    if (which == NULL) {
        return unknown_command(texts[1]);
    }
    /* A reader that goes away early (`cnm predict ... | head`) shall give an error to report, not end the program mid-file. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* likewise a file that grows beyond what is allowed */
    int result = run(which, count - 2, texts + 2);
    cnm_error error;
    if (output_finish_standard(&error) != CNM_OK && result == STATUS_OK) {
        result = complain_error(which, &error);
    }
    return result;
}
