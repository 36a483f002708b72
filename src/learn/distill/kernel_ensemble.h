/* Kernel machines of a training's rows that are good at rows which they have not seen: what several say on average is better than what the best of
 * them says. */
#ifndef CNM_LEARN_DISTILL_KERNEL_ENSEMBLE_H
#define CNM_LEARN_DISTILL_KERNEL_ENSEMBLE_H

#include "learn/krr/krr_search.h"

/* Ways of taking rows: each kernel in each scaling, and in its best one with columns weighed, in two rounds; of three classes or more also by pairs of
 * classes, in its best scaling and with its best weights. */
enum { COUNCIL_SCALINGS = 3, COUNCIL_ROUNDS = 2, COUNCIL_PAIRS = 2 };
enum { COUNCIL_WAYS = MACHINE_KINDS * (COUNCIL_SCALINGS + COUNCIL_ROUNDS + COUNCIL_PAIRS) };
enum { COUNCIL_LEAST_ROWS = 40 };

/* The best machine of each way that is about as good as the best; the best of all first. */
typedef struct council {
    machine_rows *rows[COUNCIL_WAYS]; /* (sorts) */
    size_t sorts;
    kernel_machine machines[COUNCIL_WAYS];
    double sharpness[COUNCIL_WAYS]; /* scores of classes times this are what log-probabilities would be */
    size_t count;                   /* 0: there is none */
    double loss;                    /* of the first, on rows that it has not seen: as pilots are judged */
    bool stopped;                   /* meanwhile the caller asked to */
} council;

/* Of the training's rows. The search may cost `search_work` products; it sees fewer of the rows where they are many. In the map's scaling alone where
 * machines in all of them would cost more than `member_work`. None of fewer than COUNCIL_LEAST_ROWS rows, or where so many are copies that others
 * tell nothing of a row that was left out. */
cnm_status council_find(council *out, const training *of, double search_work, double member_work, cnm_error *err);
void council_free(council *self);

/* How many products machines of so many of its rows, in so many scalings, take, beside the search for them. */
double council_work(const training *of, size_t rows, size_t scalings);

#endif
