/* Failures on demand, for tests. In a build with -DCNM_FAULTS=ON the n-th allocation, open, read,
 * write, sync, rename or thread fails as on a machine that is full or broken, and memory is
 * counted. In every other build fault_here is the constant false, the other functions do nothing,
 * and the library has no state. */
#ifndef CNM_BASE_CORE_FAULTS_H
#define CNM_BASE_CORE_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum fault_kind {
    FAULT_ALLOCATION,
    FAULT_OPEN,
    FAULT_READ,
    FAULT_WRITE,
    FAULT_SYNC,
    FAULT_RENAME,
    FAULT_THREAD,
    FAULT_KINDS
} fault_kind;

#if defined(CNM_FAULTS)

/* Returns whether the step that follows shall fail; errno is then set. Called before each such
 * step. */
bool fault_here(fault_kind kind);
/* Counts memory that was taken, and memory that is about to be freed; NULL is fine. */
void fault_taken(void *pointer);
void fault_freed(void *pointer);

/* Plans a failure, for tests with one thread: the n-th step of this kind from now on (counted from
 * 1) fails, and with `lasting` every one after it. n 0: no failure. */
void faults_plan(fault_kind kind, size_t n, bool lasting);
/* Returns whether the failure that was planned last took place. */
bool faults_struck(void);
/* Return how many pieces of memory are not freed, and the most bytes that were held at once since
 * faults_forget_peak. */
size_t faults_pieces(void);
size_t faults_peak(void);
void faults_forget_peak(void);

#else

static inline bool fault_here(fault_kind kind) {
    (void)kind;
    return false;
}
static inline void fault_taken(void *pointer) { (void)pointer; }
static inline void fault_freed(void *pointer) { (void)pointer; }

#endif
#endif
