/* Counts the processors that this process may use. Neither idle processors nor a container's quota
 * of time are considered. */
#if defined(__linux__)
#define _GNU_SOURCE /* for the set of processors a process is bound to; POSIX has none */
#include <sched.h>
#endif

#include <unistd.h>

#include "base/threads/threads.h"

size_t threads_available(void) {
#if defined(__linux__)
    cpu_set_t bound;
    const int allowed = sched_getaffinity(0, sizeof bound, &bound) == 0 ? CPU_COUNT(&bound) : 0;
    if (allowed > 0) {
        return (size_t)allowed;
    }
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (size_t)online;
}
