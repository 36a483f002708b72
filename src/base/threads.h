/* One parallel loop. What runs in it must not depend on which worker runs which index, nor on how many there are: that is
 * how every result keeps its bits for any number of threads. */
#ifndef CNM_BASE_THREADS_H
#define CNM_BASE_THREADS_H

#include "cnm/types.h"

/* How many threads the machine offers this process; at least 1. */
size_t threads_available(void);

/* Calls body(context, index, worker) once for every index below count, on at most `threads` workers (0: all);
 * worker < threads is the number of the scratch space to use. Nested parallel regions of libraries are switched off
 * inside. Returns when all are done. */
void threads_for(size_t threads, size_t count, void (*body)(void *context, size_t index, size_t worker), void *context);

#endif
