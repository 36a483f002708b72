/* Prints an evaluation of predictions in words, tables and JSON. */
#ifndef CNM_CLI_CLI_REPORT_H
#define CNM_CLI_CLI_REPORT_H

#include <stdio.h>

#include "cnm/cnm.h"

/* Prints one line: "Accuracy = 95.27% (1912/2007)" or "MSE = 0.0123 R2 = 0.87". */
void report_metric(FILE *out, const cnm_model *model, const cnm_evaluation *evaluation);
/* Prints a confusion matrix, precision, recall and F1 of each class, and AUC of two classes; RMSE
 * and MAE of regression. */
void report_details(FILE *out, const cnm_model *model, const cnm_evaluation *evaluation);
/* Prints log loss and calibration error of classes; nothing for regression. */
void report_probabilities(FILE *out, const cnm_evaluation *evaluation);
/* Prints one JSON object on one line; with details the confusion matrix too. */
void report_json(FILE *out, const cnm_model *model, const cnm_evaluation *evaluation, int details);

#endif
