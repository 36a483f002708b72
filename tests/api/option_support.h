/* What the tests of options share. */
#ifndef CNM_TESTS_API_OPTION_SUPPORT_H
#define CNM_TESTS_API_OPTION_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/option_table.h"
#include "api/options.h"

/* Returns options with the defaults. */
static inline cnm_options *fresh(void) {
    cnm_options *options;
    assert_int_equal(cnm_options_create(&options, NULL), CNM_OK);
    return options;
}

/* Returns the value in force. */
static inline const char *value_of(const cnm_options *options, const char *name) {
    const char *value;
    assert_int_equal(cnm_options_get(options, name, &value, NULL), CNM_OK);
    return value;
}

/* Amounts that have no option are those of others. */
#define SAME_AMOUNT(ID, field, option, most, help) assert_true(a->field == b->field);
#define NO_AMOUNT(ID, field)

/* Compares field by field: padding does not count, and texts are compared as pointers (all NULL in
 * the defaults). */
static inline void assert_same_settings(const settings *a, const settings *b) {
    assert_int_equal(a->method, b->method);
    assert_int_equal(a->projection, b->projection);
    assert_int_equal(a->init, b->init);
    assert_int_equal(a->phase, b->phase);
    assert_int_equal(a->features, b->features);
    assert_int_equal(a->kernel, b->kernel);
    assert_int_equal(a->gamma, b->gamma);
    assert_true(a->gamma_number == b->gamma_number);
    assert_int_equal(a->activation, b->activation);
    assert_int_equal(a->task, b->task);
    assert_int_equal(a->dtype, b->dtype);
    assert_int_equal(a->recipe, b->recipe);
    assert_int_equal(a->iterations, b->iterations);
    assert_int_equal(a->head_steps, b->head_steps);
    assert_int_equal(a->map_steps, b->map_steps);
    assert_int_equal(a->loss, b->loss);
    assert_true(a->lambda == b->lambda);
    assert_int_equal(a->theta_penalty, b->theta_penalty);
    assert_true(a->theta_penalty_weight == b->theta_penalty_weight);
    assert_int_equal(a->epochs, b->epochs);
    assert_int_equal(a->batch, b->batch);
    AUGMENTATION_LIST(SAME_AMOUNT, NO_AMOUNT)
    assert_true(a->decay == b->decay && a->map_rate == b->map_rate);
    assert_int_equal(a->distill, b->distill);
    assert_int_equal(a->estimate, b->estimate);
    assert_int_equal(a->effort, b->effort);
    assert_int_equal(a->metric, b->metric);
    assert_ptr_equal(a->teacher, b->teacher);
    assert_ptr_equal(a->skip, b->skip);
    assert_true(a->prune == b->prune);
    assert_true(a->validation == b->validation);
    assert_int_equal(a->patience, b->patience);
    assert_int_equal(a->cv, b->cv);
    assert_true(a->time_limit == b->time_limit);
    assert_ptr_equal(a->class_weight, b->class_weight);
    assert_int_equal(a->seed, b->seed);
    assert_int_equal(a->threads, b->threads);
    assert_ptr_equal(a->checkpoint, b->checkpoint);
    assert_true(a->checkpoint_every == b->checkpoint_every);
    assert_int_equal(a->resume, b->resume);
    assert_int_equal(a->scale, b->scale);
    assert_int_equal(a->missing, b->missing);
    assert_int_equal(a->format, b->format);
    assert_int_equal(a->header, b->header);
    assert_int_equal(a->separator, b->separator);
    assert_ptr_equal(a->labels, b->labels);
    assert_ptr_equal(a->label_column, b->label_column);
    assert_ptr_equal(a->weight_column, b->weight_column);
    assert_ptr_equal(a->group_column, b->group_column);
    assert_ptr_equal(a->positive, b->positive);
    assert_ptr_equal(a->id_column, b->id_column);
    assert_ptr_equal(a->rows, b->rows);
    assert_int_equal(a->first_row, b->first_row);
    assert_int_equal(a->last_row, b->last_row);
    assert_int_equal(a->shuffle, b->shuffle);
    assert_int_equal(a->shuffle_seed, b->shuffle_seed);
}

#endif
