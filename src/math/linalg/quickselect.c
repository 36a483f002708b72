/* Selection by rank (Hoare 1961). */
#include "math/linalg/quickselect.h"

static void swap(float *a, float *b) {
    const float kept = *a;
    *a = *b;
    *b = kept;
}

/* Partitions around the median of three until the rank is alone. */
float quickselect(float *values, size_t count, size_t rank) {
    size_t low = 0, high = count - 1;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (values[middle] < values[low]) {
            swap(&values[middle], &values[low]);
        }
        if (values[high] < values[low]) {
            swap(&values[high], &values[low]);
        }
        if (values[high] < values[middle]) {
            swap(&values[high], &values[middle]);
        }
        const float pivot = values[middle];
        size_t i = low, j = high;
        for (;;) {
            while (values[i] < pivot) {
                i++;
            }
            while (values[j] > pivot) {
                j--;
            }
            if (i >= j) {
                break;
            }
            swap(&values[i++], &values[j--]);
        }
        /* values up to j are <= pivot, those from j + 1 on are >= pivot */
        if (rank <= j) {
            high = j;
        } else {
            low = j + 1;
        }
    }
    return values[rank];
}
