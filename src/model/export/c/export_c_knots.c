/* Writes the functions of columns through knots as C: data/scale/knots.c. */
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "model/export/c/export_c.h"

enum { CODE_KNOTS = 170, FRAMES_KNOTS = 24 }; /* bytes */

/* Packs numbers in 16 bits where that loses nothing, as it mostly does for knots, else in 32. */
static cnm_status pack_exactly(packed_matrix *out, const float *values, size_t count, cnm_error *err) {
    float *back;
    cnm_status status;
    TRY(memory_take(&back, count, sizeof *back, "knots", err));
    TRY_DONE(packed_matrix_create(out, values, 1, count, EXPORT_F16, true, err));
    packed_matrix_unpack(out, back);
    if (memcmp(back, values, count * sizeof *back) != 0) {
        packed_matrix_free(out);
        TRY_DONE(packed_matrix_create(out, values, 1, count, EXPORT_F32, true, err));
    }
done:
    memory_free(back);
    return status;
}

/* Writes a table and the function NAME_of that reads it. */
static void emit_numbers(c_writer *out, const char *name, const float *values, size_t count) {
    packed_matrix packed = {0};
    if (!EMIT_TRY(out, pack_exactly(&packed, values, count, out->err))) {
        return;
    }
    emit_matrix(out, name, &packed);
    emit_format(out, "\nstatic float %s_of(size_t i) { return ", name);
    if (packed.scale != NULL) {
        emit_float(out, packed.scale[0]);
        emit(out, " * ");
    }
    emit_read(out, &packed, name, "i");
    emit(out, "; }\n\n");
    packed_matrix_free(&packed);
}

static void emit_starts(c_writer *out, const knot_table *self) {
    uint32_t *starts;
    if (!EMIT_TRY(out, memory_take(&starts, self->columns + 1, sizeof *starts, "knots", out->err))) {
        return;
    }
    for (size_t j = 0; j <= self->columns; j++) {
        starts[j] = (uint32_t)self->starts[j];
    }
    emit_counts(out, "knot_starts", starts, self->columns + 1);
    memory_free(starts);
}

static const char THROUGH_KNOTS[] =
    "/* What column j makes of t: a line from each of its knots to the next, beyond them their ends. */\n"
    "static float through_knots(size_t j, float t) {\n"
    "    size_t low = knot_starts[j], count = knot_starts[j + 1] - low;\n"
    "    const size_t last = low + count - 1;\n"
    "    if (t != t) {\n"
    "        return t;\n"
    "    }\n"
    "    while (count > 1) {\n"
    "        const size_t half = count / 2;\n"
    "        low += knot_at_of(low + half) <= t ? half : 0;\n"
    "        count -= half;\n"
    "    }\n"
    "    const float at = knot_at_of(low), value = knot_value_of(low);\n"
    "    if (low == last || t <= at) {\n"
    "        return value;\n"
    "    }\n"
    "    const float next = knot_value_of(low + 1), slope = (next - value) / (knot_at_of(low + 1) - at);\n"
    "    const float between = value + (t - at) * slope;\n"
    "    return between < next ? between : next;\n"
    "}\n";

void emit_knots(c_writer *out, const knot_table *self) {
    const size_t count = self->starts[self->columns];
    emit_starts(out, self);
    emit_numbers(out, "knot_at", self->at, count);
    emit_numbers(out, "knot_value", self->value, count);
    emit(out, THROUGH_KNOTS);
    out->code += CODE_KNOTS;
    out->stack += FRAMES_KNOTS;
}
