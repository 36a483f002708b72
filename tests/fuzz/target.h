/* Fuzz targets: each takes any bytes for one kind of untrusted input, and ends the process where an
 * assertion fails; memory errors and undefined behaviour are found by the sanitizers. fuzzer.c runs
 * one of them under libFuzzer, replay.c all of them over the seeds and regressions. */
#ifndef CNM_TESTS_FUZZ_TARGET_H
#define CNM_TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef void fuzz_target(const unsigned char *bytes, size_t size);

/* A row in TARGETS (replay.c), a line in tests.cmake, and a folder in seeds/ for each. */
fuzz_target fuzz_libsvm, fuzz_csv, fuzz_arff, fuzz_npy, fuzz_idx, fuzz_gzip, fuzz_labels, fuzz_model, fuzz_fields,
    fuzz_checkpoint, fuzz_options, fuzz_cells, fuzz_encoder;

#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            (void)fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                       \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

#endif
