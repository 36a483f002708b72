/* Failures on demand: empty but for builds with CNM_FAULTS, whose state is the one exception to the
 * rule that the library has none. */
#include "base/core/faults.h"

#if defined(CNM_FAULTS)

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>

static _Atomic size_t left; /* steps until the failure, it included; 0: none is planned */
static atomic_int planned;  /* fault_kind */
static atomic_bool lasts, struck;
static _Atomic size_t pieces, held, peak;

bool fault_here(fault_kind kind) {
    static const int REASONS[FAULT_KINDS] = {ENOMEM, EMFILE, EIO, ENOSPC, EIO, EIO, EAGAIN};
    if ((int)kind != atomic_load(&planned) || atomic_load(&left) == 0) {
        return false;
    }
    if (atomic_load(&left) > 1) {
        atomic_fetch_sub(&left, 1);
        return false;
    }
    atomic_store(&struck, true);
    atomic_store(&left, atomic_load(&lasts) ? 1 : 0);
    errno = REASONS[kind];
    return true;
}

void fault_taken(void *pointer) {
    if (pointer == NULL) {
        return;
    }
    const size_t size = malloc_usable_size(pointer), now = atomic_fetch_add(&held, size) + size;
    atomic_fetch_add(&pieces, 1);
    for (size_t most = atomic_load(&peak); now > most && !atomic_compare_exchange_weak(&peak, &most, now);) {
    }
}

void fault_freed(void *pointer) {
    if (pointer != NULL) {
        atomic_fetch_sub(&held, malloc_usable_size(pointer));
        atomic_fetch_sub(&pieces, 1);
    }
}

void faults_plan(fault_kind kind, size_t n, bool lasting) {
    atomic_store(&left, 0);
    atomic_store(&planned, (int)kind);
    atomic_store(&lasts, lasting);
    atomic_store(&struck, false);
    atomic_store(&left, n);
}

bool faults_struck(void) { return atomic_load(&struck); }

size_t faults_pieces(void) { return atomic_load(&pieces); }
size_t faults_peak(void) { return atomic_load(&peak) - atomic_load(&held); }
void faults_forget_peak(void) { atomic_store(&peak, atomic_load(&held)); }

#endif
