/* The temperature T of softmax(scores / T): one for all classes, fitted on held-out scores. */
#ifndef CNM_LEARN_CALIBRATE_TEMPERATURE_H
#define CNM_LEARN_CALIBRATE_TEMPERATURE_H

#include "learn/calibrate/heldout_scores.h"

/* Fits the temperature by Newton's method (Platt 1999, Guo et al. 2017). smoothing: Platt's share
 * of the other classes, which keeps the temperature above 0 where every row is classified
 * correctly; 0: none. */
double temperature_fit(const heldout_scores *held, double smoothing);

#endif
