/* A system that gives no threads: the caller fills and works on all items. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pthread.h>

#include "base/threads/pipeline.h"

enum { ITEMS = 100 };

/* Replaces the system's function. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *context) {
    (void)thread, (void)attributes, (void)start, (void)context;
    return EAGAIN;
}

static size_t fill(void *context, void *item) {
    size_t *next = context;
    *(size_t *)item = *next;
    return (*next)++ < ITEMS ? SIZE_MAX : 0;
}

static void work(void *context, void *item) {
    (void)context;
    *(size_t *)item *= 3;
}

static void without_threads_the_caller_does_the_work(void **state) {
    static const pipeline_steps STEPS = {fill, work};
    size_t next = 0, items[8], taken = 0;
    pipeline *opened;
    (void)state;
    assert_int_equal(pipeline_create(&opened, 3, items, pipeline_items(3), sizeof *items, &STEPS, &next, NULL), CNM_OK);
    for (const size_t *item; (item = pipeline_take(opened)) != NULL; taken++) {
        assert_int_equal(*item, 3 * taken);
    }
    assert_int_equal(taken, ITEMS);
    pipeline_destroy(opened);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(without_threads_the_caller_does_the_work)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
