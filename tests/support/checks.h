/* Checks that all tests share, and memory that they take. Also what every cmocka program has to
 * include, in the order it asks for. */
#ifndef CNM_TESTS_SUPPORT_CHECKS_H
#define CNM_TESTS_SUPPORT_CHECKS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/memory.h"
#include "cnm/types.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Numbers of threads that must give the same bits. */
extern const size_t THREADS[3];

/* Returns zeroed memory, to be freed with free(). */
void *take(size_t count, size_t size);
/* Returns zeroed memory that the library may own and free. */
void *take_owned(size_t count, size_t size);
/* Returns a copy of a text that the library may own and free. */
char *copy_owned(const char *text);

/* Checks that the call that filled `error` succeeded. */
void check_ok(cnm_status status, const cnm_error *error);

/* Checks that a call failed as expected, with a message that has `words` in it. */
void check_refusal(cnm_status status, cnm_status expected, const cnm_error *error, const char *words);

/* Checks that two arrays have the same bits. */
void check_same_floats(const float *a, const float *b, size_t count, const char *what);

/* Checks that |got - expected| <= bound; a message names `what` and its element i. */
void check_near(double got, double expected, double bound, const char *what, size_t i);

#endif
