/* An ensemble of kernel ridge models of the training rows, selected by leave-one-out loss. */
#ifndef CNM_LEARN_DISTILL_KERNEL_ENSEMBLE_H
#define CNM_LEARN_DISTILL_KERNEL_ENSEMBLE_H

#include "learn/detect/facts.h"
#include "learn/fit/fit_session.h"
#include "learn/krr/krr_search.h"

/* Candidates: each kernel in each scaling, and in its best scaling with weighted columns, in two
 * rounds; for three classes or more also one-vs-one, in its best scaling and with its best
 * weights. */
enum { ENSEMBLE_SCALINGS = 3, ENSEMBLE_ROUNDS = 2, ENSEMBLE_PAIRS = 2 };
enum { ENSEMBLE_CANDIDATES = KRR_KERNELS * (ENSEMBLE_SCALINGS + ENSEMBLE_ROUNDS + ENSEMBLE_PAIRS) };
enum { ENSEMBLE_LEAST_ROWS = 40 };

/* The best model of each candidate that is about as good as the best of all, which comes first. */
typedef struct kernel_ensemble {
    kernel_rows *rows[ENSEMBLE_CANDIDATES]; /* (row_sets) which models share where they can */
    size_t row_sets;
    kernel_model models[ENSEMBLE_CANDIDATES];
    double inverse_temperature[ENSEMBLE_CANDIDATES]; /* of the scores of classes */
    size_t count;                                    /* of models */
    double loss;  /* of the first, leave-one-out: the loss by which trials are compared */
    bool stopped; /* the caller asked to stop during the search */
} kernel_ensemble;

/* Fits an ensemble to the training rows of a session. The search may cost `search_work`
 * multiply-adds, and sees fewer of the rows where they are many. Only the map's scaling is tried
 * where models in all scalings would cost more than `member_work`. There are no models for fewer
 * than ENSEMBLE_LEAST_ROWS rows, or where so many rows are copies that leave-one-out losses mean
 * nothing. */
cnm_status kernel_ensemble_fit(kernel_ensemble *out, const fit_session *of, const facts *known, double search_work,
                               double member_work, cnm_error *err);
void kernel_ensemble_free(kernel_ensemble *self);

/* Returns how many multiply-adds the models of so many rows take in so many scalings, without the
 * search. */
double kernel_ensemble_work(const fit_session *of, size_t rows, size_t scalings);

/* What an ensemble is expected to take, for the progress: the search, the models, and their scores
 * of so many rows; in the unit of fit_session_step_time. */
typedef struct kernel_times {
    double search, models, scores;
} kernel_times;

/* Returns these for so many training rows, with the arguments of kernel_ensemble_fit. */
kernel_times kernel_ensemble_expected(const fit_session *of, size_t rows, double search_work, double member_work,
                                      size_t scored);

/* Returns where kernel models take the rows of a session from. */
static inline krr_source krr_source_of(const fit_session *of) {
    return (krr_source){of->data, &of->scaled->scaling, &of->source};
}

#endif
