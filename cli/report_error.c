/* Prints sentences on standard error. */
#include "report_error.h"

#include <stdarg.h>
#include <stdio.h>

#include "cli_progress.h"

/* Prints "cnm train: ", or "cnm: " before a command is known. */
static void name_command(const command *which) {
    fprintf(stderr, which == NULL ? "cnm: " : "cnm %s: ", which == NULL ? "" : which->name);
}

int usage_error(const command *which, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    name_command(which);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nTry: cnm help%s%s\n", which == NULL ? "" : " ", which == NULL ? "" : which->name);
    return STATUS_USAGE;
}

int report_error(const command *which, const cnm_error *error) {
    name_command(which);
    fprintf(stderr, "%s\n", error->message);
    switch (error->status) {
    case CNM_BAD_ARGUMENT:
        return STATUS_USAGE;
    case CNM_CANCELLED:
        return interrupted_status();
    default:
        return STATUS_FAILED;
    }
}

void report_note(const command *which, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    name_command(which);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

cnm_status error_fill(cnm_error *error, cnm_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    error->status = status;
    (void)vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}
