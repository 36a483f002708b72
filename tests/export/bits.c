/* Compares the scores of an exported model with those of the library, bit by bit, wherever this
 * runs. rows.h has both. */
#include <stdio.h>
#include <string.h>

#include "model.h"
#include "rows.h"

int main(void) {
    const int count = (int)(sizeof expected / sizeof *expected);
    int differing = 0;
    for (int i = 0; i < count; i += MODEL_OUTPUTS) {
        float scores[MODEL_OUTPUTS];
        model_scores(rows + i / MODEL_OUTPUTS * MODEL_COLUMNS, scores);
        differing += memcmp(scores, expected + i, sizeof scores) != 0;
    }
    printf("%d scores, %d differ\n", count, differing);
    return 0;
}
