/* Waits: ALONE_NANOSECONDS with the processor's pause, up to AWAKE_NANOSECONDS with offers of the
 * processor to others, then asleep.
 *
 * Between two loops of a training step lie a few microseconds, and waking a thread takes longer
 * than that; so a short wait stays awake. On a machine with more to do than processors, time passes
 * while this thread does not run, and the thread goes to sleep at once: the clock decides, not a
 * count. */
#include "base/threads/thread_wait.h"

#include <sched.h>
#include <stdbool.h>
#include <time.h>

enum { ALONE_NANOSECONDS = 5000, AWAKE_NANOSECONDS = 30000, PAUSES = 32 };

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Lets the other thread of a core run, where the processor knows how. */
static void pause_briefly(void) {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    __builtin_ia32_pause();
#elif defined(__GNUC__) && defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

bool signal_create(pool_signal *self, uint64_t value) {
    atomic_init(&self->value, value);
    atomic_init(&self->sleepers, 0);
    if (pthread_mutex_init(&self->lock, NULL) != 0) {
        return false;
    }
    if (pthread_cond_init(&self->changed, NULL) != 0) {
        pthread_mutex_destroy(&self->lock);
        return false;
    }
    return true;
}

void signal_destroy(pool_signal *self) {
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->lock);
}

/* Wakes sleepers. A sleeper counts itself, then reads the value; here the value has changed before
 * sleepers are counted. One of the two sees the other, and the lock keeps the call from falling
 * between a sleeper's reading and its sleep. */
static void wake(pool_signal *self) {
    if (atomic_load(&self->sleepers) > 0) {
        pthread_mutex_lock(&self->lock);
        pthread_cond_broadcast(&self->changed);
        pthread_mutex_unlock(&self->lock);
    }
}

void signal_set(pool_signal *self, uint64_t value) {
    atomic_store(&self->value, value);
    wake(self);
}

void signal_add(pool_signal *self, uint64_t difference) {
    atomic_fetch_add(&self->value, difference);
    wake(self);
}

static bool reached(pool_signal *self, uint64_t number, bool equal) {
    return (atomic_load(&self->value) == number) == equal;
}

/* Waits until the value is `number` (equal) or another (not equal). */
static void wait_until(pool_signal *self, uint64_t number, bool equal) {
    const int64_t start = reached(self, number, equal) ? 0 : now();
    while (!reached(self, number, equal)) {
        for (int i = 0; i < PAUSES && !reached(self, number, equal); i++) {
            pause_briefly();
        }
        const int64_t waited = now() - start;
        if (waited > AWAKE_NANOSECONDS) {
            break;
        }
        if (waited > ALONE_NANOSECONDS) {
            sched_yield();
        }
    }
    if (reached(self, number, equal)) {
        return;
    }
    pthread_mutex_lock(&self->lock);
    atomic_fetch_add(&self->sleepers, 1);
    while (!reached(self, number, equal)) {
        pthread_cond_wait(&self->changed, &self->lock);
    }
    atomic_fetch_sub(&self->sleepers, 1);
    pthread_mutex_unlock(&self->lock);
}

uint64_t signal_wait_beyond(pool_signal *self, uint64_t old) {
    wait_until(self, old, false);
    return atomic_load(&self->value);
}

void signal_wait_for(pool_signal *self, uint64_t wanted) { wait_until(self, wanted, true); }
