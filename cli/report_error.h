/* Sentences on standard error, each behind the command's name, and the exit statuses that go with them. */
#ifndef CNM_CLI_REPORT_ERROR_H
#define CNM_CLI_REPORT_ERROR_H

#include "cnm/types.h"
#include "command.h"

#if defined(__GNUC__)
#define CLI_FORMAT(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define CLI_FORMAT(format_index, first)
#endif

/* The line was wrong: the sentence and where to read on. Returns STATUS_USAGE. */
int complain_usage(const command *which, const char *format, ...) CLI_FORMAT(2, 3);

/* Something failed: the sentence in error. Returns the status to exit with. */
int complain_error(const command *which, const cnm_error *error);

/* One line that is no failure. */
void complain_note(const command *which, const char *format, ...) CLI_FORMAT(2, 3);

/* Fills an error as the library does; returns status. */
cnm_status error_fill(cnm_error *error, cnm_status status, const char *format, ...) CLI_FORMAT(3, 4);

#endif
