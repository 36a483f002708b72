/* Fills a caller-owned cnm_error, and sends notices. Never prints, and never formats a double,
 * which would depend on the locale: use text_from_double. */
#ifndef CNM_BASE_CORE_ERROR_H
#define CNM_BASE_CORE_ERROR_H

#include "cnm/types.h"

#if defined(__GNUC__)
#define CNM_FORMAT(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define CNM_FORMAT(format_index, first)
#endif

/* Writes the message (cut at its size) unless err is NULL; returns status, so that `return
 * error_set(...)` reads well. */
cnm_status error_set(cnm_error *err, cnm_status status, const char *format, ...) CNM_FORMAT(3, 4);

/* Puts "prefix: " before the message that err already holds; returns its status argument. */
cnm_status error_prefix(cnm_error *err, cnm_status status, const char *format, ...) CNM_FORMAT(3, 4);

/* Sends one sentence to callbacks->notice where there is one. callbacks may be NULL. */
void notice_send(const cnm_callbacks *callbacks, const char *format, ...) CNM_FORMAT(2, 3);
/* The same to callbacks->info. */
void info_send(const cnm_callbacks *callbacks, const char *format, ...) CNM_FORMAT(2, 3);

#endif
