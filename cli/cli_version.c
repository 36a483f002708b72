/* cnm version: prints the version. */
#include <stdio.h>

#include "arguments.h"

static int run(const arguments *line) {
    (void)line;
    printf("cnm %s\n", cnm_version());
    return STATUS_OK;
}

const command COMMAND_VERSION = {
    .name = "version",
    .usage = "",
    .summary = "print the version of the command and its library",
    .guide = "  cnm version\n",
    .run = run,
};
