/* Distillation from a teacher: rows are learned from the scores of a larger model beside their
 * labels. */
#ifndef CNM_LEARN_DISTILL_TEACHER_LOSS_H
#define CNM_LEARN_DISTILL_TEACHER_LOSS_H

#include "engine/plan.h"
#include "learn/dataset/dataset.h"

typedef struct teacher teacher;

/* Loads the model of --teacher, computes its predictions for all rows, and makes its loss the hint
 * of the data set; *out = NULL where the option is not given. Fails with the reason where columns
 * or labels are not those of the model. */
cnm_status teacher_create(teacher **out, dataset *data, cnm_error *err);
void teacher_destroy(teacher *self);

/* Returns the number of features of its map. */
size_t teacher_features(const teacher *self);

#endif
