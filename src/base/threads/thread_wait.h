/* Waits for a number to change: a short time awake, then asleep. Inside base, for threads.c and
 * pipeline.c. */
#ifndef CNM_BASE_THREADS_THREAD_WAIT_H
#define CNM_BASE_THREADS_THREAD_WAIT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

/* A number that threads wait for. All changes go through signal_set or signal_add. */
typedef struct pool_signal {
    _Atomic uint64_t value;
    _Atomic uint32_t sleepers;
    pthread_mutex_t lock;
    pthread_cond_t changed;
} pool_signal;

/* Initialises self; returns false where the system has no room for it. */
_Bool signal_create(pool_signal *self, uint64_t value);
void signal_destroy(pool_signal *self);

void signal_set(pool_signal *self, uint64_t value);
void signal_add(pool_signal *self, uint64_t difference);

/* Waits until the value is another than `old`; returns the value. */
uint64_t signal_wait_beyond(pool_signal *self, uint64_t old);
/* Waits until the value is `wanted`. */
void signal_wait_for(pool_signal *self, uint64_t wanted);

#endif
