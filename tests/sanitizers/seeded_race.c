/* A race on purpose: two threads add to one counter without a lock. The thread sanitizer must
 * report it; were it silent, its silence about the library would mean nothing. */
#include <pthread.h>
#include <stdio.h>

static void *count(void *counter) {
    for (int i = 0; i < 100000; i++) {
        ++*(long *)counter;
    }
    return NULL;
}

int main(void) {
    long counter = 0;
    pthread_t other;
    if (pthread_create(&other, NULL, count, &counter) != 0) {
        return 1;
    }
    count(&counter);
    pthread_join(other, NULL);
    printf("%ld\n", counter);
    return 0;
}
