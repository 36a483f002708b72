/* A read one past the end of a block on purpose: the address sanitizer must report it. */
#include <stdlib.h>

char *volatile block;

int main(void) {
    block = malloc(16);
    int past = block == NULL ? 0 : block[16];
    free(block);
    return past;
}
