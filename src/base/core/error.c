/* Fills a caller-owned cnm_error, and sends notices. */
#include "base/core/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

cnm_status error_set(cnm_error *err, cnm_status status, const char *format, ...) {
    if (err != NULL) {
        va_list arguments;
        va_start(arguments, format);
        err->status = status;
        (void)vsnprintf(err->message, sizeof err->message, format, arguments);
        va_end(arguments);
    }
    return status;
}

cnm_status error_prefix(cnm_error *err, cnm_status status, const char *format, ...) {
    if (err != NULL) {
        char tail[CNM_MESSAGE_SIZE];
        va_list arguments;
        va_start(arguments, format);
        memcpy(tail, err->message, sizeof tail);
        (void)vsnprintf(err->message, sizeof err->message, format, arguments);
        va_end(arguments);
        const size_t used = strlen(err->message);
        (void)snprintf(err->message + used, sizeof err->message - used, ": %s", tail);
        err->status = status;
    }
    return status;
}

void notice_send(const cnm_callbacks *callbacks, const char *format, ...) {
    if (callbacks == NULL || callbacks->notice == NULL) {
        return;
    }
    char sentence[CNM_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    callbacks->notice(sentence, callbacks->user);
}

void info_send(const cnm_callbacks *callbacks, const char *format, ...) {
    if (callbacks == NULL || callbacks->info == NULL) {
        return;
    }
    char sentence[CNM_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    callbacks->info(sentence, callbacks->user);
}
