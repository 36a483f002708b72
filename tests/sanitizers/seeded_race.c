/* A race on purpose: two OpenMP threads add to one counter without a lock. The thread sanitizer must report it; were it
 * silent, its silence about the library would mean nothing. */
#include <stdio.h>

int main(void) {
    long counter = 0;
#pragma omp parallel for num_threads(2) shared(counter)
    for (int i = 0; i < 100000; i++) {
        counter++;
    }
    printf("%ld\n", counter);
    return 0;
}
