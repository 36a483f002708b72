/* Sentences on standard error, each behind the command's name, the exit statuses that go with them,
 * and the two ways in which the command forwards a failure. */
#ifndef CNM_CLI_REPORT_ERROR_H
#define CNM_CLI_REPORT_ERROR_H

#include "cnm/types.h"
#include "command.h"

#if defined(__GNUC__)
#define CLI_FORMAT(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define CLI_FORMAT(format_index, first)
#endif

/* Returns the status of a call that failed. For functions that own nothing at that point. */
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        const cnm_status try_status_ = (call);                                                                         \
        if (try_status_ != CNM_OK) {                                                                                   \
            return try_status_;                                                                                        \
        }                                                                                                              \
    } while (0)

/* Stores the status of a call in `status`; where the call failed, goes to `done`, which frees. */
#define TRY_DONE(call)                                                                                                 \
    do {                                                                                                               \
        status = (call);                                                                                               \
        if (status != CNM_OK) {                                                                                        \
            goto done;                                                                                                 \
        }                                                                                                              \
    } while (0)

/* Prints what is wrong with the command line, and where to read on. Returns STATUS_USAGE. */
int usage_error(const command *which, const char *format, ...) CLI_FORMAT(2, 3);

/* Prints the message of an error. Returns the status to exit with. */
int report_error(const command *which, const cnm_error *error);

/* Prints one line that is no failure. */
void report_note(const command *which, const char *format, ...) CLI_FORMAT(2, 3);

/* Fills an error as the library does. Returns `status`. */
cnm_status error_fill(cnm_error *error, cnm_status status, const char *format, ...) CLI_FORMAT(3, 4);

#endif
