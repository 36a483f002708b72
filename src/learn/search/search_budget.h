/* A search for a recipe under way, and what its parts share: learn/search/budgeted_search.c runs rounds, learn/search/compare_profiles.c compares whole manners. */
#ifndef CNM_LEARN_SEARCH_SEARCH_BUDGET_H
#define CNM_LEARN_SEARCH_SEARCH_BUDGET_H

#include "learn/search/trial.h"
#include "learn/search/coordinate_search.h"

enum { MOST_TRIALS = 12, LEAST_PILOT_STEPS = 200, HELD_ROWS = 10000 };

/* A rival that needs no better judgement than pilots have: it has to bring the loss below half. */
static const double FAR_BETTER = 0.5;

typedef struct choosing {
    training *training;
    pilots *runner;
    recipe_open open;
    double budget;
    double loss;   /* of the best recipe in the last round */
    bool features; /* are open too */
    bool ordered;  /* rows come in time */
    bool last;     /* a drawn map is looked at last */
    bool stopped;
    bool shortened; /* by a time limit */
} choosing;

/* Two fifths of a time limit are for looking around: when they end, or 0. */
double choosing_deadline(const training *self);
/* They have ended; a search that is done again ends where it ended then. */
bool choosing_is_late(const training *self);

/* A search_judge's function; the context is the choosing. */
cnm_status choosing_judge(void *context, const recipe *tried, double *loss, bool *stop, cnm_error *err);

/* How many pilots whose head is solved for fit in a share of the budget. */
size_t choosing_solutions(const choosing *self, double share, size_t most);

#endif
