/* Transfer set: synthetic rows near the training rows with the targets of an ensemble, on which a
 * map and its head are fitted. Rows are made as in MUNGE (Bucila, Caruana and Niculescu-Mizil
 * 2006), as many as needed. */
#ifndef CNM_LEARN_DISTILL_TRANSFER_SET_H
#define CNM_LEARN_DISTILL_TRANSFER_SET_H

#include "learn/distill/neighbours.h"
#include "learn/fit/fit_session.h"

enum { TRANSFER_BATCH = 256 };

typedef struct transfer_set {
    size_t rows, columns, outputs;
    float *values;      /* (rows, columns), scaled */
    float *targets;     /* (rows, outputs) scores, or probabilities of classes */
    bool probabilities; /* which of the two */
    double weight;      /* of the squared error of a score */
    size_t *order;      /* (rows) 0, 1, 2 ... */
} transfer_set;

/* Returns how many rows a transfer set for so many steps has. */
size_t transfer_set_rows(const fit_session *of, uint64_t steps);

/* Makes rows from the training rows of a session: of ten, three are copies, two are moved along the
 * difference of two other rows by the mean distance to the nearest row, three towards one of their
 * neighbours or away from it, and two take some of their cells from another row. They are as many
 * as `steps` batches of TRANSFER_BATCH see four times, up to 40,000. Targets are 0. */
cnm_status transfer_set_create(transfer_set *out, const fit_session *of, const neighbours *around, uint64_t steps,
                               cnm_error *err);
void transfer_set_free(transfer_set *self);

/* Sets the weight of squared errors to one over the variance of the targets. */
void transfer_set_weight(transfer_set *self);

/* A session on the rows of a transfer set, which it borrows; it owns its data set and
 * preprocessing. */
typedef struct transfer_session {
    dataset data;
    input_stage input;
    fit_session fit;
} transfer_session;

/* Binds the rows of the transfer set for a session that follows the steps of `of`. The map and head
 * are borrowed from `of`: replace them before they are changed. `out` must not move while it is in
 * use; fit_session_free() ends what its `fit` owns. */
cnm_status transfer_session_create(transfer_session *out, const transfer_set *on, const fit_session *of,
                                   cnm_error *err);

/* Fills scores (rows, outputs) of the transfer set by the map and head of a session. */
cnm_status transfer_set_scores(const transfer_set *self, const fit_session *of, float *scores, cnm_error *err);

/* Fits map and head of a session on the transfer set, from where they are: by squared errors of
 * scores, or by the cross-entropy of probabilities. `rate` is the learning rate of phases, and of
 * the head in its own unit; `map_factor` times that the one of theta in its unit. There is no
 * penalty, decay or noise. */
cnm_status transfer_set_fit(const transfer_set *self, transfer_session *student, uint64_t steps, double rate,
                            double map_factor, cnm_error *err);

/* Returns the mean loss of a session's map and head over the transfer set, less the least that is
 * possible: half of a share of the variance of scores, or the relative entropy of probabilities.
 * Not finite where the fit diverged. */
cnm_status transfer_set_loss(const transfer_set *self, const fit_session *of, double *loss, cnm_error *err);

#endif
