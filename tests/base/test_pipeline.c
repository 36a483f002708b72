/* Items in order, each filled once and worked on once, few at a time, for any number of threads;
 * and a clean end at any moment. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pthread.h>

#include "base/threads/pipeline.h"

enum { MOST_ITEMS = 32, ITEMS = 2000 };

typedef struct item {
    size_t number, product;
    bool worked;
} item;

typedef struct shop {
    size_t wanted, filled;    /* filled: by one thread at a time, so no lock */
    _Atomic size_t filling;   /* threads in fill */
    _Atomic size_t in_flight; /* items filled and not given back */
    size_t most;              /* of them at once; looked at while filling */
    size_t share;             /* as many may be in flight */
    _Atomic bool helped;      /* a thread other than the caller ran a step */
    _Atomic bool over;        /* no step may run any more */
    _Atomic bool broken;      /* a step saw what must not be; asserts are for the caller's thread */
    pthread_t caller;
    item items[MOST_ITEMS];
} shop;

static void expect(shop *self, bool truth) {
    if (!truth) {
        atomic_store(&self->broken, true);
    }
}

static void note_thread(shop *self) {
    expect(self, !atomic_load(&self->over));
    if (!pthread_equal(self->caller, pthread_self())) {
        atomic_store(&self->helped, true);
    }
}

static size_t fill(void *context, void *place) {
    shop *self = context;
    item *out = place;
    note_thread(self);
    expect(self, atomic_fetch_add(&self->filling, 1) == 0);
    const bool more = self->filled < self->wanted;
    if (more) {
        *out = (item){.number = self->filled++};
        const size_t held = atomic_fetch_add(&self->in_flight, 1) + 1;
        self->most = held > self->most ? held : self->most;
    }
    if (self->filled % 7 == 0) {
        sched_yield(); /* others get their chance to be here at the same time */
    }
    atomic_fetch_sub(&self->filling, 1);
    return more ? self->share : 0;
}

static void work(void *context, void *place) {
    shop *self = context;
    item *out = place;
    note_thread(self);
    expect(self, !out->worked);
    for (size_t i = 0; i < out->number % 5; i++) {
        sched_yield(); /* later items may be ready before */
    }
    out->product = out->number * out->number;
    out->worked = true;
}

static const pipeline_steps STEPS = {fill, work};

static pipeline *open_shop(shop *self, size_t wanted, size_t threads) {
    pipeline *opened;
    *self = (shop){.wanted = wanted, .share = SIZE_MAX, .caller = pthread_self()};
    assert_true(pipeline_items(threads) <= MOST_ITEMS);
    assert_int_equal(pipeline_create(&opened, threads, self->items, pipeline_items(threads), sizeof *self->items,
                                     &STEPS, self, NULL),
                     CNM_OK);
    return opened;
}

/* Takes `count` items, or all of them; checks their order. */
static void take(shop *self, pipeline *opened, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const item *got = pipeline_take(opened);
        if (i >= self->wanted) {
            assert_null(got);
            return;
        }
        assert_non_null(got);
        assert_true(got->worked && got->number == i && got->product == i * i);
        atomic_fetch_sub(&self->in_flight, 1);
    }
}

static void items_come_in_order_once_each(void **state) {
    static const size_t THREADS[] = {0, 1, 2, 7}, COUNTS[] = {0, 1, 2, 3, ITEMS};
    (void)state;
    for (size_t i = 0; i < sizeof THREADS / sizeof *THREADS; i++) {
        for (size_t j = 0; j < sizeof COUNTS / sizeof *COUNTS; j++) {
            shop own;
            pipeline *opened = open_shop(&own, COUNTS[j], THREADS[i]);
            take(&own, opened, SIZE_MAX);
            assert_null(pipeline_take(opened)); /* and again */
            pipeline_destroy(opened);
            assert_int_equal(own.filled, COUNTS[j]);
            assert_true(own.most <= pipeline_items(THREADS[i]));
            assert_false(own.broken);
        }
    }
}

static void one_thread_is_the_caller(void **state) {
    (void)state;
    shop own;
    pipeline *opened = open_shop(&own, ITEMS, 1);
    take(&own, opened, SIZE_MAX);
    pipeline_destroy(opened);
    assert_false(own.helped);
    assert_int_equal(own.most, 1);
    assert_int_equal(pipeline_items(1), 1);
}

/* Checks items so large that few fit; the first is filled before that is known. */
static void no_more_are_in_flight_than_fit(void **state) {
    (void)state;
    for (size_t share = 1; share <= 3; share++) {
        shop own;
        pipeline *opened = open_shop(&own, ITEMS, 7);
        own.share = share;
        take(&own, opened, SIZE_MAX);
        pipeline_destroy(opened);
        assert_true(own.most <= share);
        assert_false(own.broken);
    }
}

/* One item alone needs no other thread. */
static void short_work_starts_no_threads(void **state) {
    (void)state;
    shop own;
    pipeline *opened = open_shop(&own, 1, 7);
    take(&own, opened, SIZE_MAX);
    pipeline_destroy(opened);
    assert_false(own.helped);
}

/* Checks that, with long work, some other thread gets a turn. */
static void other_threads_help(void **state) {
    (void)state;
    bool helped = false;
    for (size_t tries = 0; tries < 1000 && !helped; tries++) {
        shop own;
        pipeline *opened = open_shop(&own, ITEMS, 2);
        take(&own, opened, SIZE_MAX);
        pipeline_destroy(opened);
        helped = own.helped;
    }
    assert_true(helped);
}

/* Checks that a pipeline may end at any moment: nothing runs afterwards (the steps check that), and
 * the memory of the threads can be used again. */
static void it_may_be_left_early(void **state) {
    (void)state;
    for (size_t taken = 0; taken < 60; taken++) {
        shop own;
        pipeline *opened = open_shop(&own, ITEMS, 3);
        take(&own, opened, taken);
        pipeline_destroy(opened);
        atomic_store(&own.over, true);
        memset(own.items, 0, sizeof own.items);
        assert_false(own.broken);
    }
    pipeline_destroy(NULL);
}

static void many_threads_are_not_used(void **state) {
    (void)state;
    assert_int_equal(pipeline_threads(4096), 16);
    assert_int_equal(pipeline_threads(3), 3);
    assert_true(pipeline_threads(0) >= 1);
    assert_int_equal(pipeline_items(4096), 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_come_in_order_once_each),  cmocka_unit_test(one_thread_is_the_caller),
        cmocka_unit_test(short_work_starts_no_threads),   cmocka_unit_test(other_threads_help),
        cmocka_unit_test(no_more_are_in_flight_than_fit), cmocka_unit_test(it_may_be_left_early),
        cmocka_unit_test(many_threads_are_not_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
