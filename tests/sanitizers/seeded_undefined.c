/* A signed overflow on purpose: the undefined-behaviour sanitizer must report it. */
#include <limits.h>
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    printf("%d\n", INT_MAX - 1 + 2 * argc);
    return 0;
}
