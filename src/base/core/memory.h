/* All memory of the library comes from here: sizes checked for overflow, 64-byte aligned, failure an error and never a
 * crash. `what` names the thing in the message ("out of memory: 1234 bytes for features"). */
#ifndef CNM_BASE_CORE_MEMORY_H
#define CNM_BASE_CORE_MEMORY_H

#include <stdbool.h>

#include "cnm/types.h"

/* *out = count * size bytes, uninitialised; *out = NULL on failure. count or size 0 gives a valid pointer. */
cnm_status memory_take(void *out, size_t count, size_t size, const char *what, cnm_error *err);

/* As memory_take, filled with zeros. */
cnm_status memory_zeroed(void *out, size_t count, size_t size, const char *what, cnm_error *err);

/* Grows *array (may point to NULL) to hold at least `needed` elements, at least doubling; keeps the contents, and on
 * failure keeps the old array too. *capacity is updated. */
cnm_status memory_grow(void *array, size_t *capacity, size_t needed, size_t size, const char *what, cnm_error *err);

/* A copy of a string. */
cnm_status memory_copy_text(char **out, const char *text, cnm_error *err);

/* Frees what the functions above gave; NULL is fine. */
void memory_free(void *pointer);

/* *product = a * b; false when that overflows. */
bool size_multiply(size_t a, size_t b, size_t *product);

#endif
