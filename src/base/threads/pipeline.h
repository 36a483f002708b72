/* Items that are filled one after the other, worked on by several threads at once, and taken in
 * their order: one thread reads and decompresses bytes while others parse earlier ones.
 *
 * The results do not depend on the number of threads. The items are the caller's, few, and used
 * again and again, so memory stays bounded. A pipeline belongs to one reader and ends with it. */
#ifndef CNM_BASE_THREADS_PIPELINE_H
#define CNM_BASE_THREADS_PIPELINE_H

#include <stdbool.h>

#include "cnm/types.h"

typedef struct pipeline pipeline;

typedef struct pipeline_steps {
    /* Fills an item; returns 0 at the end, when nothing is left to fill, otherwise how many items
     * may be in flight with this one: fewer where it is large. Never runs at the same time as
     * another fill. */
    size_t (*fill)(void *context, void *item);
    /* Works on a filled item, at the same time as other items are filled and worked on. */
    void (*work)(void *context, void *item);
} pipeline_steps;

/* Return how many threads a pipeline uses of `threads` (0: all), the caller counted, and how many
 * items keep them busy. */
size_t pipeline_threads(size_t threads);
size_t pipeline_items(size_t threads);

/* Creates a pipeline over items (count) of `size` bytes each, which stay the caller's. Threads are
 * started once one item was not enough; where the system refuses one, the others do its work. */
cnm_status pipeline_create(pipeline **out, size_t threads, void *items, size_t count, size_t size,
                           const pipeline_steps *steps, void *context, cnm_error *err);
/* Waits for steps that are running, then frees self; the items may be freed afterwards. */
void pipeline_destroy(pipeline *self);

/* Returns the next item in order, filled and worked on; NULL behind the last. The item taken before
 * may be filled again from now on. */
void *pipeline_take(pipeline *self);

#endif
