/* All memory of the library comes from here: sizes are checked for overflow, blocks are 64-byte
 * aligned, and a failure is an error, never a crash. `what` names the thing in the message ("out of
 * memory: 1234 bytes for features"). */
#ifndef CNM_BASE_CORE_MEMORY_H
#define CNM_BASE_CORE_MEMORY_H

#include <stdbool.h>

#include "cnm/types.h"

/* Takes count * size bytes, uninitialised; *out = NULL on failure. With count or size 0 the pointer
 * is valid too. */
cnm_status memory_take(void *out, size_t count, size_t size, const char *what, cnm_error *err);

/* Takes memory as memory_take does, filled with zeros. */
cnm_status memory_zeroed(void *out, size_t count, size_t size, const char *what, cnm_error *err);

/* One array that memory_take_all takes: *out, a pointer, is set to count * size bytes. */
typedef struct memory_want {
    void *out; /* address of the pointer */
    size_t count, size;
    const char *what;
} memory_want;

/* Takes `count` arrays in order, uninitialised. Where one fails, frees those taken before it and
 * sets all to NULL. */
cnm_status memory_take_all(cnm_error *err, const memory_want *wants, size_t count);

/* Grows *array (may point to NULL) to at least `needed` elements, at least doubling it. Keeps the
 * contents, and on failure the old array too. Updates *capacity. */
cnm_status memory_grow(void *array, size_t *capacity, size_t needed, size_t size, const char *what, cnm_error *err);

/* Copies a string; the caller frees the copy with memory_free. */
cnm_status memory_copy_text(char **out, const char *text, cnm_error *err);

/* Frees memory from the functions above; NULL is fine. */
void memory_free(void *pointer);

/* Sets *product = a * b; returns false when that overflows. */
bool size_multiply(size_t a, size_t b, size_t *product);

#endif
