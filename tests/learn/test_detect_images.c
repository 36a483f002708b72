/* Rows that are images are found and translated: strokes on a square. Not the same cells in another
 * order, nor a time series, nor clouds that no translation turns into each other. */
#include "support/trainings.h"

#include "data/scale/scaling.h"

enum { SIDE = 12, CELLS = SIDE * SIDE };

/* Makes images of a stroke, vertical or horizontal, somewhere near the middle, with a little
 * noise. */
static table *make_strokes(uint64_t seed, size_t rows) {
    table *out = table_make(rows, CELLS);
    normals(seed, rows * CELLS, 0.03, out->values);
    for (size_t i = 0; i < rows; i++) {
        const double across = 4.0 * (uniform(seed, 2 * i) - 0.5) + 5.5,
                     down = 4.0 * (uniform(seed, 2 * i + 1) - 0.5) + 5.5;
        const double wide = i % 2 == 0 ? 1.3 : 2.2, high = i % 2 == 0 ? 2.2 : 1.3;
        for (size_t n = 0; n < CELLS; n++) {
            const double x = ((double)(n % SIDE) - across) / wide, y = ((double)(n / SIDE) - down) / high;
            out->values[i * CELLS + n] += (float)exp(-x * x - y * y);
        }
        label_text(out, i % 2 == 0 ? "upright" : "lying");
    }
    return out;
}

/* Permutes the cells: cell j goes to 5 j mod 144. */
static void mix_cells(table *self) {
    for (size_t i = 0; i < self->rows; i++) {
        float *row = self->values + i * CELLS, mixed[CELLS];
        for (size_t n = 0; n < CELLS; n++) {
            mixed[5 * n % CELLS] = row[n];
        }
        memcpy(row, mixed, sizeof mixed);
    }
}

/* Makes values that change little from cell to cell and from line to line, and differ from row to
 * row. */
static table *make_weather(uint64_t seed, size_t rows, bool in_time) {
    table *out = table_make(rows, CELLS);
    for (size_t i = 0; i < rows; i++) {
        for (size_t n = 0; n < CELLS; n++) {
            double sum = 0.0;
            for (size_t wave = 0; wave < 20; wave++) {
                const uint64_t at = 3 * (20 * i + wave);
                const double along = in_time ? 0.05 * (double)n : (double)(n % SIDE) * (2.0 * uniform(seed, at) - 1.0);
                const double down = in_time ? 0.0 : (double)(n / SIDE) * (2.0 * uniform(seed, at + 1) - 1.0);
                sum += sin(along * (double)(in_time ? wave + 1 : 1) + down + 6.283 * uniform(seed, at + 2));
            }
            out->values[i * CELLS + n] = (float)(0.5 + sum / 40.0);
        }
        label_text(out, i % 2 == 0 ? "sun" : "rain");
    }
    return out;
}

static settings automatic(void) {
    return (settings){.map_rate = 1.0,
                      .features = 8,
                      .seed = 1,
                      .threads = 1,
                      .epochs = 2,
                      .effort = EFFORT_QUICK,
                      .scale = 1 + SCALING_GLOBAL,
                      .difference_noise = -1.0,
                      .translate = -1.0};
}

/* Returns a number of the metadata; -1: rows were not taken for images. */
static double figure(const table *rows, const settings *wanted, const char *key) {
    cnm_model *model = train(rows, wanted);
    const char *text = record_get(&model->record, key);
    const double value = text == NULL ? -1.0 : strtod(text, NULL);
    model_destroy(model);
    return value;
}

static double shift_of(const table *rows, const settings *wanted) { return figure(rows, wanted, "translate"); }

static void images_are_found_by_neighbouring_cells(void **unused) {
    (void)unused;
    settings wanted = automatic();
    table *strokes = make_strokes(1, 200), *photographs = make_weather(2, 200, false),
          *series = make_weather(3, 200, true);
    assert_true(shift_of(strokes, &wanted) == 0.4);
    assert_true(shift_of(photographs, &wanted) == 0.0);
    assert_true(shift_of(series, &wanted) == -1.0);
    wanted.translate = 0.7; /* as asked, where it can be */
    assert_true(shift_of(strokes, &wanted) == 0.7);
    assert_true(shift_of(photographs, &wanted) == 0.7);
    assert_true(shift_of(series, &wanted) == -1.0);
    wanted.translate = 0.0;
    assert_true(shift_of(strokes, &wanted) == -1.0);
    wanted.translate = -1.0;
    mix_cells(strokes);
    assert_true(shift_of(strokes, &wanted) == -1.0);
    table_destroy(strokes);
    table_destroy(photographs);
    table_destroy(series);
}

/* Strokes are as likely on the left as on the right. Brighter ones on the left are not mirrored,
 * nor are any with --translate 0. */
static void images_are_mirrored_where_mirror_images_are_alike(void **unused) {
    (void)unused;
    settings wanted = automatic();
    table *rows = make_strokes(7, 300);
    assert_true(figure(rows, &wanted, "mirror") == 1.0);
    wanted.translate = 0.0;
    assert_true(figure(rows, &wanted, "mirror") == -1.0);
    wanted.translate = -1.0;
    for (size_t i = 0; i < rows->rows * CELLS; i++) {
        rows->values[i] *= i % SIDE < SIDE / 2 ? 2.0F : 1.0F;
    }
    assert_true(figure(rows, &wanted, "mirror") == 0.0);
    table_destroy(rows);
}

/* 16 strokes are too few for all positions without translations. */
static void translations_generalise_to_other_positions(void **unused) {
    (void)unused;
    table *rows = make_strokes(4, 16), *others = make_strokes(5, 400);
    double errors[2] = {0.0, 0.0};
    for (size_t n = 0; n < 10; n++) {
        settings wanted = automatic();
        wanted.features = 64;
        wanted.epochs = 300;
        wanted.seed = 1 + n / 2;
        wanted.translate = n % 2 == 0 ? 0.0 : 0.8;
        cnm_model *model = train(rows, &wanted);
        errors[n % 2] += 1.0 - figure_of(model, others, "accuracy");
        model_destroy(model);
    }
    if (!(errors[1] < 0.7 * errors[0])) {
        fail_msg("errors %g with shifts, %g without", errors[1], errors[0]);
    }
    table_destroy(rows);
    table_destroy(others);
}

static void the_same_bits_for_any_number_of_threads(void **unused) {
    (void)unused;
    table *rows = make_strokes(6, 600);
    cnm_model *models[COUNT_OF(THREADS)];
    for (size_t i = 0; i < COUNT_OF(THREADS); i++) {
        settings wanted = automatic();
        wanted.threads = THREADS[i];
        wanted.difference_noise = 0.1;
        models[i] = train(rows, &wanted);
        check_same_model(models[0], models[i], true, "threads");
    }
    for (size_t i = 0; i < COUNT_OF(THREADS); i++) {
        model_destroy(models[i]);
    }
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_are_found_by_neighbouring_cells),
        cmocka_unit_test(images_are_mirrored_where_mirror_images_are_alike),
        cmocka_unit_test(translations_generalise_to_other_positions),
        cmocka_unit_test(the_same_bits_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
