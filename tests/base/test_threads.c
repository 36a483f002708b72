/* The parallel loop: every index once, by a worker with a number of its own; nested, from many
 * threads, after a fork. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <pthread.h>

#include "base/threads/threads.h"

enum { INDICES = 1000, WORKERS = 7, LOOPS = 200, CALLERS = 4 };

typedef struct tally {
    int visits[INDICES];           /* by one worker each, so no two may touch the same */
    size_t by_worker[WORKERS][16]; /* 16: a cache line each */
} tally;

static void visit(void *context, size_t index, size_t worker) {
    tally *self = context;
    self->visits[index]++;
    self->by_worker[worker][0]++;
}

/* Returns whether every index below count was visited `times` times. */
static bool all_visited(const tally *seen, size_t count, int times) {
    size_t sum = 0;
    for (size_t i = 0; i < INDICES; i++) {
        if (seen->visits[i] != (i < count ? times : 0)) {
            return false;
        }
    }
    for (size_t i = 0; i < WORKERS; i++) {
        sum += seen->by_worker[i][0];
    }
    return sum == count * (size_t)times;
}

static void every_index_is_visited_once_by_a_valid_worker(void **state) {
    (void)state;
    for (size_t threads = 1; threads <= WORKERS; threads++) {
        thread_pool *pool = thread_pool_create(threads);
        assert_int_equal(thread_pool_size(pool), threads);
        for (size_t count = 0; count <= INDICES; count = 3 * count + 1) {
            tally seen = {0};
            threads_for(pool, count, visit, &seen);
            assert_true(all_visited(&seen, count, 1));
            for (size_t i = threads; i < WORKERS; i++) {
                assert_int_equal(seen.by_worker[i][0], 0);
            }
        }
        thread_pool_destroy(pool);
    }
    assert_true(threads_available() >= 1);
    thread_pool_destroy(NULL);
}

/* One loop after another, with results that the next one changes: each must have ended before the
 * next begins. */
static void loops_follow_each_other(void **state) {
    (void)state;
    thread_pool *pool = thread_pool_create(3);
    tally seen = {0};
    for (int i = 0; i < LOOPS; i++) {
        threads_for(pool, INDICES, visit, &seen);
        assert_true(all_visited(&seen, INDICES, i + 1));
    }
    thread_pool_destroy(pool);
}

typedef struct nest {
    thread_pool *pool;
    tally *inner; /* (INDICES / 100) */
} nest;

static void loop_inside(void *context, size_t index, size_t worker) {
    const nest *self = context;
    (void)worker;
    threads_for(self->pool, INDICES, visit, &self->inner[index]);
}

static void a_loop_inside_a_loop_runs_on_its_caller(void **state) {
    (void)state;
    tally *inner = calloc(INDICES / 100, sizeof *inner);
    assert_non_null(inner);
    nest self = {thread_pool_create(4), inner};
    threads_for(self.pool, INDICES / 100, loop_inside, &self);
    for (size_t i = 0; i < INDICES / 100; i++) {
        assert_true(all_visited(&inner[i], INDICES, 1));
        assert_int_equal(inner[i].by_worker[0][0], INDICES);
    }
    thread_pool_destroy(self.pool);
    free(inner);
}

/* A caller's thread with a pool of its own (NULL: the shared one). */
typedef struct caller {
    thread_pool *shared;
    bool fine;
} caller;

static void *call_often(void *context) {
    caller *self = context;
    self->fine = true;
    for (int i = 0; i < LOOPS / 10; i++) {
        tally seen = {0};
        thread_pool *own = self->shared == NULL ? thread_pool_create(3) : NULL;
        threads_for(self->shared == NULL ? own : self->shared, INDICES, visit, &seen);
        thread_pool_destroy(own);
        self->fine = self->fine && all_visited(&seen, INDICES, 1);
    }
    return NULL;
}

static void many_threads_may_call_at_once(void **state) {
    (void)state;
    thread_pool *pool = thread_pool_create(2);
    for (int which = 0; which < 2; which++) { /* each with its own pool, then all with one */
        caller callers[CALLERS];
        pthread_t threads[CALLERS];
        for (size_t i = 0; i < CALLERS; i++) {
            callers[i] = (caller){.shared = which == 0 ? NULL : pool};
            assert_int_equal(pthread_create(&threads[i], NULL, call_often, &callers[i]), 0);
        }
        for (size_t i = 0; i < CALLERS; i++) {
            assert_int_equal(pthread_join(threads[i], NULL), 0);
            assert_true(callers[i].fine);
        }
    }
    thread_pool_destroy(pool);
}

/* Waits inside the body until `together` workers are there: they can be only if they run at the
 * same time. Then all but the caller wait before they leave their mark, which the caller must not
 * miss. */
typedef struct meeting {
    _Atomic size_t here;
    size_t together;
    size_t seen[WORKERS][16]; /* by worker */
    size_t worker[WORKERS];   /* by index */
} meeting;

static void meet(void *context, size_t index, size_t worker) {
    meeting *self = context;
    self->worker[index] = worker;
    atomic_fetch_add(&self->here, 1);
    while (atomic_load(&self->here) < self->together) {
        (void)sched_yield();
    }
    for (int i = 0; worker > 0 && i < 1000; i++) {
        (void)sched_yield();
    }
    self->seen[worker][0]++;
}

static void workers_run_at_the_same_time_with_numbers_of_their_own(void **state) {
    (void)state;
    thread_pool *pool = thread_pool_create(5);
    for (size_t together = 2; together <= 5; together++) {
        meeting self = {.together = together};
        size_t seen = 0;
        threads_for(pool, together, meet, &self);
        for (size_t i = 0; i < 5; i++) {
            seen += self.seen[i][0];
            assert_true(self.seen[i][0] <= 1);
            assert_true(i >= together || self.worker[i] == i); /* its own share first */
        }
        assert_int_equal(seen, together);
    }
    thread_pool_destroy(pool);
}

static void a_forked_process_makes_its_own_pool(void **state) {
    (void)state;
#if defined(__SANITIZE_THREAD__)
    skip(); /* the sanitizer refuses threads after a fork of a process that has some */
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
    skip();
#endif
#endif
    thread_pool *pool = thread_pool_create(3);
    tally seen = {0};
    int status = 1;
    threads_for(pool, INDICES, visit, &seen);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        thread_pool *own = thread_pool_create(3);
        threads_for(own, INDICES, visit, &seen);
        thread_pool_destroy(own);
        _exit(all_visited(&seen, INDICES, 2) ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    threads_for(pool, INDICES, visit, &seen);
    assert_true(all_visited(&seen, INDICES, 2));
    thread_pool_destroy(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_is_visited_once_by_a_valid_worker),
        cmocka_unit_test(loops_follow_each_other),
        cmocka_unit_test(a_loop_inside_a_loop_runs_on_its_caller),
        cmocka_unit_test(many_threads_may_call_at_once),
        cmocka_unit_test(workers_run_at_the_same_time_with_numbers_of_their_own),
        cmocka_unit_test(a_forked_process_makes_its_own_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
