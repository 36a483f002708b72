/* Takes and frees all memory of the library: checked sizes, 64-byte alignment, failure as an
 * error. */
#if defined(__linux__)
#define _DEFAULT_SOURCE /* madvise */
#include <sys/mman.h>
#endif

#include "base/core/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/faults.h"
#include "base/core/try.h"

enum { ALIGNMENT = 64, FIRST_CAPACITY = 16, PAGE = 4096, LARGE = 4 << 20 };

bool size_multiply(size_t a, size_t b, size_t *product) {
    if (a != 0 && b > SIZE_MAX / a) {
        return false;
    }
    *product = a * b;
    return true;
}

/* Asks for large pages, where the system has them: filling a large array then costs fewer page
 * faults. */
static void prefer_large_pages(void *start, size_t bytes) {
#if defined(MADV_HUGEPAGE)
    const uintptr_t first = ((uintptr_t)start + PAGE - 1) / PAGE * PAGE, end = ((uintptr_t)start + bytes) / PAGE * PAGE;
    /* advice only: a failure changes nothing */
    (void)madvise((char *)start + (first - (uintptr_t)start), end - first, MADV_HUGEPAGE);
#else
    (void)start, (void)bytes;
#endif
}

/* Allocates; the one function of the library that does. */
static void *allocate(size_t bytes) {
    if (bytes > SIZE_MAX - ALIGNMENT || fault_here(FAULT_ALLOCATION)) {
        return NULL;
    }
    const size_t rounded = (bytes / ALIGNMENT + 1) * ALIGNMENT; /* never 0 */
    void *out = aligned_alloc(ALIGNMENT, rounded);
    fault_taken(out);
    if (out != NULL && rounded >= LARGE) {
        prefer_large_pages(out, rounded);
    }
    return out;
}

cnm_status memory_take(void *out, size_t count, size_t size, const char *what, cnm_error *err) {
    void **pointer = out;
    size_t bytes;
    *pointer = NULL;
    if (!size_multiply(count, size, &bytes)) {
        return error_set(err, CNM_NO_MEMORY, "out of memory: %zu times %zu bytes for %s", count, size, what);
    }
    *pointer = allocate(bytes);
    if (*pointer == NULL) {
        return error_set(err, CNM_NO_MEMORY, "out of memory: %zu bytes for %s", bytes, what);
    }
    return CNM_OK;
}

cnm_status memory_zeroed(void *out, size_t count, size_t size, const char *what, cnm_error *err) {
    TRY(memory_take(out, count, size, what, err));
    memset(*(void **)out, 0, count * size);
    return CNM_OK;
}

cnm_status memory_take_all(cnm_error *err, const memory_want *wants, size_t count) {
    cnm_status status = CNM_OK;
    for (size_t i = 0; i < count; i++) {
        *(void **)wants[i].out = NULL;
    }
    for (size_t i = 0; i < count; i++) {
        TRY_DONE(memory_take(wants[i].out, wants[i].count, wants[i].size, wants[i].what, err));
    }
done:
    for (size_t i = 0; status != CNM_OK && i < count; i++) {
        memory_free(*(void **)wants[i].out);
        *(void **)wants[i].out = NULL;
    }
    return status;
}

cnm_status memory_grow(void *array, size_t *capacity, size_t needed, size_t size, const char *what, cnm_error *err) {
    void **pointer = array;
    if (needed <= *capacity) {
        return CNM_OK;
    }
    size_t wanted = *capacity < FIRST_CAPACITY ? FIRST_CAPACITY : *capacity;
    while (wanted < needed) {
        wanted = wanted > SIZE_MAX / 2 ? needed : wanted * 2;
    }
    void *larger;
    TRY(memory_take(&larger, wanted, size, what, err));
    if (*pointer != NULL) {
        memcpy(larger, *pointer, *capacity * size);
        memory_free(*pointer);
    }
    *pointer = larger;
    *capacity = wanted;
    return CNM_OK;
}

cnm_status memory_copy_text(char **out, const char *text, cnm_error *err) {
    const size_t size = strlen(text) + 1;
    TRY(memory_take(out, size, 1, "text", err));
    memcpy(*out, text, size);
    return CNM_OK;
}

void memory_free(void *pointer) {
    fault_freed(pointer);
    free(pointer);
}
