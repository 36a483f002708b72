/* Cuts features into parts, and lays arrays out by parts: (parts, columns, features of the part)
 * with a page between parts, instead of (columns, features). Theta and its moments are moved there
 * and back. */
#include <string.h>

#include "engine/cpu/cpu.h"

enum {
    LINE = 16,      /* floats: parts begin and end with a cache line */
    PART_LINES = 3, /* in the widest part: a panel of a product on the widest vectors */
    GAP = 1024      /* floats between parts, a page: hardware does not read ahead across it */
};

/* Returns an even number, for two workers, unless all features fit into one part. */
size_t cpu_part_count(size_t features) {
    const size_t lines = (features + LINE - 1) / LINE, pair = 2 * PART_LINES;
    return lines <= PART_LINES ? 1 : 2 * ((lines + pair - 1) / pair);
}

feature_part cpu_part(size_t features, size_t number) {
    const size_t lines = (features + LINE - 1) / LINE, parts = cpu_part_count(features);
    const size_t first = lines * number / parts * LINE, end = lines * (number + 1) / parts * LINE;
    return (feature_part){first, (end < features ? end : features) - first};
}

size_t cpu_part_gaps(size_t features) { return (cpu_part_count(features) - 1) * GAP; }

size_t cpu_part_start(size_t features, size_t count, size_t number) {
    return cpu_part(features, number).first * count + number * GAP;
}

/* One array (columns, features) and the same by parts. */
typedef struct relayout {
    float *whole, *by_parts;
    size_t columns, features;
    bool back; /* from parts */
} relayout;

static void relayout_part(void *context, size_t number, size_t worker) {
    const relayout *self = context;
    const feature_part part = cpu_part(self->features, number);
    (void)worker;
    for (size_t column = 0; column < self->columns; column++) {
        float *whole = self->whole + column * self->features + part.first;
        float *own = self->by_parts + cpu_part_start(self->features, self->columns, number) + column * part.count;
        if (self->back) {
            memcpy(whole, own, part.count * sizeof *whole);
        } else {
            memcpy(own, whole, part.count * sizeof *own);
        }
    }
}

static void move(cpu_engine *self, float *whole, float *by_parts, bool back) {
    const map *own = self->setup.map;
    relayout task = {whole, by_parts, own->columns, own->features, back};
    threads_for(self->pool, cpu_part_count(own->features), relayout_part, &task);
}

/* Moves theta's moments into parts or back, through the memory for theta, which no step uses
 * meanwhile. */
static void move_moments(cpu_engine *self, bool back) {
    const layer_tensor *tensor = &map_first(self->setup.map)->tensors[0];
    const size_t cells = tensor->rows * tensor->columns + (back ? cpu_part_gaps(tensor->columns) : 0);
    for (size_t j = 0; self->moments_by_parts == back && j < 2; j++) {
        float *moments = self->layers[0].tensor_moments[0][j];
        if (moments != NULL) {
            memcpy(self->theta, moments, cells * sizeof *moments);
            move(self, back ? moments : self->theta, back ? self->theta : moments, back);
        }
    }
    self->moments_by_parts = !back;
}

void cpu_parts_begin(cpu_engine *self) {
    move_moments(self, false);
    move(self, map_first(self->setup.map)->tensors[0].values, self->theta, false);
}

void cpu_parts_end(cpu_engine *self) {
    move(self, map_first(self->setup.map)->tensors[0].values, self->theta, true);
    map_refresh(self->setup.map);
    self->cached = false;
}

void cpu_parts_leave(cpu_engine *self) {
    if (self->theta != NULL) {
        move_moments(self, true);
    }
}
