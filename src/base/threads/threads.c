/* The parallel loop on POSIX threads. Each worker has its share of the indices, the same in every
 * loop of the same length, so that what it wrote in one loop is still in its caches in the next; a
 * worker that has finished its share takes indices from the others', one at a time.
 *
 * A loop opens the pool's gate; workers that come through the gate count themselves in, take
 * indices until none is left, and count themselves out. The caller takes indices too, then shuts
 * the gate and waits for those inside alone: on a busy machine it never waits for a worker that had
 * not begun. */
#include "base/threads/threads.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/core/faults.h"
#include "base/core/memory.h"
#include "base/threads/thread_wait.h"

/* Products of matrices keep their blocks on the stack (math/gemm/gemm.h), which is larger than some
 * systems' default. */
enum { STACK_BYTES = 4 << 20 };

/* The gate's highest bit; the bits below count the workers that came through. */
static const uint64_t OPEN = UINT64_C(1) << 63;

/* A worker's indices: next .. end. Fills a cache line. */
typedef struct share {
    _Atomic size_t next;
    size_t end;
    char rest[64 - 2 * sizeof(size_t)];
} share;

typedef struct pool_thread {
    thread_pool *pool;
    size_t worker;
    uint64_t seen; /* number of the loop before its first */
    pthread_t thread;
} pool_thread;

struct thread_pool {
    size_t size, started; /* workers wanted, and other threads running */
    bool refused;         /* the system gives no more threads */
    pool_thread *others;  /* (size - 1) */
    _Atomic bool busy;    /* a loop is running */
    _Atomic bool ending;
    pool_signal loops; /* how many loops there have been */
    pool_signal left;  /* threads that came out of this one */
    _Atomic uint64_t gate;
    /* The loop: */
    share *shares; /* (size) */
    size_t sharing;
    void (*body)(void *context, size_t index, size_t worker);
    void *context;
};

static void take_indices(thread_pool *self, size_t worker) {
    for (size_t turn = 0; turn < self->sharing; turn++) {
        share *from = &self->shares[(worker + turn) % self->sharing];
        for (size_t i = atomic_fetch_add(&from->next, 1); i < from->end; i = atomic_fetch_add(&from->next, 1)) {
            self->body(self->context, i, worker);
        }
    }
}

/* Goes through the gate, if it is open. */
static bool enter(thread_pool *self) {
    uint64_t gate = atomic_load(&self->gate);
    while ((gate & OPEN) != 0) {
        if (atomic_compare_exchange_weak(&self->gate, &gate, gate + 1)) {
            return true;
        }
    }
    return false;
}

static void *run_thread(void *context) {
    const pool_thread *own = context;
    thread_pool *self = own->pool;
    for (uint64_t seen = own->seen;;) {
        seen = signal_wait_beyond(&self->loops, seen);
        if (atomic_load(&self->ending)) {
            return NULL;
        }
        if (enter(self)) {
            take_indices(self, own->worker);
            signal_add(&self->left, 1);
        }
    }
}

static bool start_thread(thread_pool *self) {
    pool_thread *next = &self->others[self->started];
    pthread_attr_t attributes;
    *next = (pool_thread){.pool = self, .worker = self->started + 1, .seen = atomic_load(&self->loops.value)};
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    const bool started = !fault_here(FAULT_THREAD) && pthread_create(&next->thread, &attributes, run_thread, next) == 0;
    pthread_attr_destroy(&attributes);
    self->started += started;
    return started;
}

/* Starts enough workers for so many indices. Signals are for the caller's threads, so workers block
 * them. */
static void start_threads(thread_pool *self, size_t count) {
    const size_t wanted = (count < self->size ? count : self->size) - 1;
    sigset_t all, before;
    if (self->refused || self->started >= wanted) {
        return;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (!self->refused && self->started < wanted) {
        self->refused = !start_thread(self);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void free_memory(thread_pool *self) {
    memory_free(self->others);
    memory_free(self->shares);
    memory_free(self);
}

thread_pool *thread_pool_create(size_t threads) {
    thread_pool *self;
    const size_t size = threads == 0 ? threads_available() : threads;
    if (size == 1 || memory_zeroed(&self, 1, sizeof *self, "threads", NULL) != CNM_OK) {
        return NULL;
    }
    self->size = size;
    if (memory_zeroed(&self->others, size - 1, sizeof *self->others, "threads", NULL) == CNM_OK &&
        memory_zeroed(&self->shares, size, sizeof *self->shares, "threads", NULL) == CNM_OK &&
        signal_create(&self->loops, 0)) {
        if (signal_create(&self->left, 0)) {
            return self;
        }
        signal_destroy(&self->loops);
    }
    free_memory(self);
    return NULL;
}

void thread_pool_destroy(thread_pool *self) {
    if (self == NULL) {
        return;
    }
    atomic_store(&self->ending, true);
    signal_add(&self->loops, 1);
    for (size_t i = 0; i < self->started; i++) {
        pthread_join(self->others[i].thread, NULL);
    }
    signal_destroy(&self->loops);
    signal_destroy(&self->left);
    free_memory(self);
}

size_t thread_pool_size(const thread_pool *self) { return self == NULL ? 1 : self->size; }

static void run_together(thread_pool *self, size_t count) {
    start_threads(self, count);
    signal_set(&self->left, 0);
    self->sharing = self->started + 1;
    for (size_t i = 0; i < self->sharing; i++) {
        atomic_store_explicit(&self->shares[i].next, count * i / self->sharing, memory_order_relaxed);
        self->shares[i].end = count * (i + 1) / self->sharing;
    }
    atomic_store(&self->gate, OPEN);
    signal_add(&self->loops, 1);
    take_indices(self, 0);
    signal_wait_for(&self->left, atomic_fetch_and(&self->gate, ~OPEN) & ~OPEN);
}

void threads_for(thread_pool *pool, size_t count, void (*body)(void *context, size_t index, size_t worker),
                 void *context) {
    if (pool == NULL || count < 2 || atomic_exchange(&pool->busy, true)) {
        for (size_t i = 0; i < count; i++) {
            body(context, i, 0);
        }
        return;
    }
    pool->body = body;
    pool->context = context;
    run_together(pool, count);
    atomic_store(&pool->busy, false);
}
