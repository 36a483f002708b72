/* What others say of rows that lie where rows could, for a map and its head to learn to say: a lesson has no noise in it, and as many rows as
 * it takes. */
#ifndef CNM_LEARN_DISTILL_TRANSFER_SET_H
#define CNM_LEARN_DISTILL_TRANSFER_SET_H

#include "learn/distill/neighbours.h"
#include "learn/fit/fit_session.h"

typedef struct lesson {
    size_t rows, columns, outputs;
    float *values;      /* (rows, columns), scaled */
    float *wanted;      /* (rows, outputs) scores, or ... */
    bool probabilities; /* ... probabilities of classes */
    double weight;      /* of a square between scores */
    size_t *order;      /* (rows) 0, 1, 2 ... */
} lesson;

/* Of the rows x that train, in turn: three in ten as they are, two moved by a difference of two others as far as the nearest other row is, three
 * towards one of their neighbours or away from it, and two with some of their cells taken from another row. As many as `steps` of LESSON_BATCH
 * see four times, up to 40,000. What is wanted of them is all 0. */
enum { LESSON_BATCH = 256 };
cnm_status lesson_create(lesson *out, const training *of, const neighbours *around, uint64_t steps, cnm_error *err);
void lesson_free(lesson *self);

/* The weight for scores: one over the variance of what is wanted. */
void lesson_weigh(lesson *self);

/* scores (rows, outputs): what the training's map and head say of the lesson's rows. */
cnm_status lesson_scores(const lesson *self, training *of, float *scores, cnm_error *err);

/* Map and head of `of` learn from the lesson, from where they are: by squares between scores, or by the cross-entropy of probabilities. `rate` is that
 * of phases, and of the head in its own unit; `pace` times that of theta in its unit. */
cnm_status lesson_learn(const lesson *self, training *of, uint64_t steps, double rate, double pace, cnm_error *err);

/* How far off map and head are, as a mean over the lesson's rows: half of a share of the variance of scores, or the relative entropy of probabilities.
 * Not finite where they ran away. */
cnm_status lesson_loss(const lesson *self, training *of, double *loss, cnm_error *err);

#endif
