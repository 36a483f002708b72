/* Fills items in order, works on several at once, and hands them out in order. One lock guards the
 * counts; steps run outside it.
 *
 * Every free thread, the caller too while its item is not ready, fills the next item and then works
 * on it. No thread only reads and no thread only works, so two threads are busy however long either
 * step takes. */
#include "base/threads/pipeline.h"

#include <pthread.h>
#include <signal.h>

#include "base/core/error.h"
#include "base/core/faults.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/threads/thread_wait.h"
#include "base/threads/threads.h"

/* More threads would wait for the one that reads. */
enum { MOST_THREADS = 16, ITEMS_AHEAD = 4 };

struct pipeline {
    const pipeline_steps *steps;
    void *context;
    unsigned char *items;
    size_t count, size; /* items, and bytes of one */
    bool *ready;        /* (count) worked on and not taken yet */
    pthread_t *others;  /* (threads - 1) */
    size_t threads, started;
    bool refused;        /* the system gives no more threads */
    pool_signal changes; /* how often what is below has changed */
    pthread_mutex_t lock;
    /* Guarded by the lock: */
    size_t filled, taken; /* items so far; item i is in place i % count */
    size_t most;          /* items that may be in flight */
    bool holding;         /* the item taken last is still in use */
    bool filling, ended;  /* an item is being filled; nothing is left to fill */
    bool ending;          /* the threads shall end */
};

size_t pipeline_threads(size_t threads) {
    const size_t wanted = threads == 0 ? threads_available() : threads;
    return wanted < MOST_THREADS ? wanted : MOST_THREADS;
}

size_t pipeline_items(size_t threads) {
    const size_t crew = pipeline_threads(threads);
    return crew == 1 ? 1 : crew + ITEMS_AHEAD;
}

static void *place(const pipeline *self, size_t item) { return self->items + item % self->count * self->size; }

/* Fills the next item and works on it, the lock released meanwhile; returns false when there is
 * none to fill now. */
static bool advance(pipeline *self) {
    const size_t item = self->filled;
    if (self->filling || self->ended || item - (self->taken - self->holding) >= self->most) {
        return false;
    }
    self->filling = true;
    pthread_mutex_unlock(&self->lock);
    const size_t most = self->steps->fill(self->context, place(self, item));
    const bool more = most > 0;
    pthread_mutex_lock(&self->lock);
    self->filling = false;
    self->most = !more || most > self->count ? self->count : most;
    self->ended = !more;
    self->filled += more;
    signal_add(&self->changes, 1);
    if (more) {
        pthread_mutex_unlock(&self->lock);
        self->steps->work(self->context, place(self, item));
        pthread_mutex_lock(&self->lock);
        self->ready[item % self->count] = true;
        signal_add(&self->changes, 1);
    }
    return true;
}

/* Waits for any change, the lock released meanwhile. */
static void wait_for_change(pipeline *self) {
    const uint64_t seen = atomic_load(&self->changes.value);
    pthread_mutex_unlock(&self->lock);
    (void)signal_wait_beyond(&self->changes, seen);
    pthread_mutex_lock(&self->lock);
}

static void *run_thread(void *context) {
    pipeline *self = context;
    pthread_mutex_lock(&self->lock);
    while (!self->ending) {
        if (!advance(self)) {
            wait_for_change(self);
        }
    }
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

/* Starts the other threads. Signals are for the caller's threads, so these threads block them. */
static void start_threads(pipeline *self) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (!self->refused && self->started + 1 < self->threads) {
        self->refused =
            fault_here(FAULT_THREAD) || pthread_create(&self->others[self->started], NULL, run_thread, self) != 0;
        self->started += !self->refused;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static bool create_locks(pipeline *self) {
    if (pthread_mutex_init(&self->lock, NULL) != 0) {
        return false;
    }
    if (!signal_create(&self->changes, 0)) {
        pthread_mutex_destroy(&self->lock);
        return false;
    }
    return true;
}

/* Frees the arrays; NULL is fine. */
static void free_arrays(pipeline *self) {
    if (self == NULL) {
        return;
    }
    memory_free(self->ready);
    memory_free(self->others);
    memory_free(self);
}

cnm_status pipeline_create(pipeline **out, size_t threads, void *items, size_t count, size_t size,
                           const pipeline_steps *steps, void *context, cnm_error *err) {
    pipeline *self;
    cnm_status status = CNM_OK;
    *out = NULL;
    TRY(memory_zeroed(&self, 1, sizeof *self, "threads", err));
    self->steps = steps;
    self->context = context;
    self->items = items;
    self->count = self->most = count;
    self->size = size;
    self->threads = count == 1 ? 1 : pipeline_threads(threads);
    TRY_DONE(memory_zeroed(&self->ready, count, sizeof *self->ready, "threads", err));
    TRY_DONE(memory_zeroed(&self->others, self->threads - 1, sizeof *self->others, "threads", err));
    if (!create_locks(self)) {
        TRY_DONE(error_set(err, CNM_NO_MEMORY, "out of memory: the system gives no lock for reading"));
    }
    *out = self;
    self = NULL;
done:
    free_arrays(self);
    return status;
}

void pipeline_destroy(pipeline *self) {
    if (self == NULL) {
        return;
    }
    pthread_mutex_lock(&self->lock);
    self->ending = true;
    signal_add(&self->changes, 1);
    pthread_mutex_unlock(&self->lock);
    for (size_t i = 0; i < self->started; i++) {
        pthread_join(self->others[i], NULL);
    }
    signal_destroy(&self->changes);
    pthread_mutex_destroy(&self->lock);
    free_arrays(self);
}

/* Takes the next item. The lock is held. */
static void *take(pipeline *self) {
    const size_t item = self->taken;
    while (!self->ready[item % self->count]) {
        if (self->ended && item == self->filled) {
            return NULL;
        }
        if (!advance(self)) {
            wait_for_change(self);
        }
    }
    self->ready[item % self->count] = false;
    self->holding = true;
    self->taken++;
    return place(self, item);
}

void *pipeline_take(pipeline *self) {
    pthread_mutex_lock(&self->lock);
    if (self->holding) {
        self->holding = false;
        signal_add(&self->changes, 1);
    }
    void *item = take(self);
    const bool more = item != NULL && self->taken > 1 && !self->ended;
    pthread_mutex_unlock(&self->lock);
    if (more) {
        start_threads(self);
    }
    return item;
}
