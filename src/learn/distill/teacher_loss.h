/* Distilling: rows are learned from a larger model's scores beside their labels. */
#ifndef CNM_LEARN_DISTILL_TEACHER_LOSS_H
#define CNM_LEARN_DISTILL_TEACHER_LOSS_H

#include "engine/plan.h"
#include "learn/dataset/dataset.h"

typedef struct teacher teacher;

/* Loads the model that the settings name and lets it score the problem's rows; task->hint is then the teacher's. *out = NULL where they
 * name none. Fails with the reason where the model does not know these columns, or these labels. */
cnm_status teacher_create(teacher **out, problem *task, cnm_error *err);
void teacher_destroy(teacher *self);

/* Features of its map. */
size_t teacher_features(const teacher *self);

#endif
