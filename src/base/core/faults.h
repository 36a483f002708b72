/* Failures on demand, for tests. In a build with -DCNM_FAULTS=ON the n-th allocation, open, read, write, sync, rename or thread fails
 * as it would on a machine that is full or broken, and what memory is taken is counted. In every other build fault_here is
 * the constant false, the rest is nothing, and the library has no state. */
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

/* Asked before each such step: whether it shall fail; errno then says why. */
bool fault_here(fault_kind kind);
/* Memory that was taken, and that is about to be freed; NULL is fine. */
void fault_taken(void *pointer);
void fault_freed(void *pointer);

/* For tests, from one thread: the n-th step of this kind from now on (from 1) fails, and with `lasting` all after it. n 0: none. */
void faults_plan(fault_kind kind, size_t n, bool lasting);
/* Whether the failure that was planned last took place. */
bool faults_struck(void);
/* Pieces of memory not freed, and the most bytes that were held at once since faults_forget_peak. */
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
