/* One parallel loop, on OpenMP where the compiler has it. */
#include "base/threads.h"

#if defined(_OPENMP)
#include <omp.h>

size_t threads_available(void) {
    const int count = omp_get_num_procs();
    return count < 1 ? 1 : (size_t)count;
}

void threads_for(size_t threads, size_t count, void (*body)(void *context, size_t index, size_t worker),
                 void *context) {
    if (threads == 0) {
        threads = threads_available();
    }
    if (threads > count) {
        threads = count == 0 ? 1 : count;
    }
#pragma omp parallel num_threads((int)threads)
    {
        /* Libraries called inside (oneDNN) must not start threads of their own: a team of one is no parallel region to
         * them, so their own number of threads, which is this task's, is set as well. */
        omp_set_num_threads(1);
        const size_t worker = (size_t)omp_get_thread_num();
#pragma omp for schedule(dynamic, 1)
        for (size_t i = 0; i < count; i++) {
            body(context, i, worker);
        }
    }
}
#else
size_t threads_available(void) { return 1; }

void threads_for(size_t threads, size_t count, void (*body)(void *context, size_t index, size_t worker),
                 void *context) {
    (void)threads;
    for (size_t i = 0; i < count; i++) {
        body(context, i, 0);
    }
}
#endif
