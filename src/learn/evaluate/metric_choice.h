/* The words of --metric: their names, and whether they judge classes or numbers. How they judge is in judge.h. */
#ifndef CNM_LEARN_EVALUATE_METRIC_CHOICE_H
#define CNM_LEARN_EVALUATE_METRIC_CHOICE_H

#include "learn/dataset/dataset.h"

bool metric_is_for_numbers(int metric); /* setting_metric, not auto, which is for both */
int metric_find(const char *name);      /* METRIC_AUTO where there is none; name may be NULL */

/* Whether the metric that was asked for fits the task; the labels may have settled it. */
cnm_status metric_check(const problem *self, cnm_error *err);

#endif
