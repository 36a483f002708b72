/* A leak on purpose: the leak sanitizer must report it. */
#include <stdlib.h>

void *volatile block;

int main(void) {
    block = malloc(64);
    block = NULL;
    return 0;
}
