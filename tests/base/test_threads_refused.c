/* A system that gives no threads: the loop runs on its caller. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pthread.h>

#include "base/threads/threads.h"

enum { INDICES = 100 };

/* Replaces the system's function. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *context) {
    (void)thread, (void)attributes, (void)start, (void)context;
    return EAGAIN;
}

static void visit(void *context, size_t index, size_t worker) { ((int *)context)[index] += worker == 0; }

static void without_threads_the_caller_does_the_work(void **state) {
    (void)state;
    int visits[INDICES] = {0};
    thread_pool *pool = thread_pool_create(3);
    for (int times = 1; times <= 2; times++) {
        threads_for(pool, INDICES, visit, visits);
        for (size_t i = 0; i < INDICES; i++) {
            assert_int_equal(visits[i], times);
        }
    }
    thread_pool_destroy(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(without_threads_the_caller_does_the_work)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
