/* One parallel loop, and the threads that run it. The body must not depend on which worker runs
 * which index, nor on how many workers there are: every result then has the same bits for any
 * number of threads.
 *
 * A pool belongs to one piece of work (a training, a prediction) and ends with it: nothing is kept
 * between calls of the library, and a forked process creates its own. NULL is a pool of one worker,
 * the caller. */
#ifndef CNM_BASE_THREADS_THREADS_H
#define CNM_BASE_THREADS_THREADS_H

#include "cnm/types.h"

typedef struct thread_pool thread_pool;

/* Returns how many threads the machine offers this process; at least 1. */
size_t threads_available(void);

/* Creates a pool of `threads` workers (0: all), the caller counted; NULL where that is one, or
 * where memory is out. Threads are started by the first loop; where the system refuses one, the
 * others do its work. */
thread_pool *thread_pool_create(size_t threads);
void thread_pool_destroy(thread_pool *self);

/* Returns how many workers a loop may have: 1 for NULL. */
size_t thread_pool_size(const thread_pool *self);

/* Calls body(context, index, worker) once for every index below count; worker <
 * thread_pool_size(pool) selects the scratch space to use. Returns when all calls are done. A loop
 * whose pool is already at work, inside another loop or on another thread, runs on its caller
 * alone, as worker 0. */
void threads_for(thread_pool *pool, size_t count, void (*body)(void *context, size_t index, size_t worker),
                 void *context);

#endif
