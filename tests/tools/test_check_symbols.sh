#!/bin/sh
# check_symbols.sh passes a sound library and refuses one that prints, leaks a name, or lacks one.
set -eu
check=$(cd "$(dirname "$0")" && pwd)/check_symbols.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf 'cnm_one\ncnm_two\n' >list

build() {
    printf '%s\n' "$1" >library.c
    cc -fPIC -c library.c -o library.o
    cc -shared library.o -o library.so
    rm -f library.a
    ar rcs library.a library.o
}
expect() { # STATUS WHAT
    status=0
    "$check" library.so library.a list >output || status=$?
    if [ "$status" != "$1" ]; then
        echo "$2: status $status instead of $1"
        cat output
        exit 1
    fi
}
build 'static int inner(void) { return 1; } int cnm_one(void) { return inner(); } int cnm_two(void) { return 2; }'
expect 0 "a sound library"
build 'int cnm_one(void) { return 1; }'
expect 1 "a name missing"
build 'int cnm_one(void) { return 1; } int cnm_two(void) { return 2; } int map_create(void) { return 3; }'
expect 1 "an inner name offered"
for call in 'printf("%d", 1)' 'puts("x")' 'exit(1)' 'abort()' 'setlocale(LC_ALL, "")' 'strtod("1", 0)' \
    'fprintf(stderr, "x")'; do
    build "#include <stdio.h>
#include <stdlib.h>
#include <locale.h>
int cnm_one(void) { $call; return 1; } int cnm_two(void) { return 2; }"
    expect 1 "$call"
done
for state in 'static int calls; int cnm_one(void) { return ++calls; }' \
    'int cnm_one(void) { static int calls = 3; return ++calls; }' \
    'static _Thread_local int calls; int cnm_one(void) { return ++calls; }' \
    'static const char *names[] = {"a"}; int cnm_one(void) { return names[0]++ != 0; }'; do
    build "$state int cnm_two(void) { return 2; }"
    expect 1 "$state"
done
build 'static const char *const NAMES[] = {"a", "b"};
int cnm_one(void) { return NAMES[0] != 0; }
int cnm_two(void) { return 2; }'
expect 0 "a table of constants"
build '#include <stdio.h>
int cnm_one(void) { char text[8]; return snprintf(text, sizeof text, "%p", (void *)text); }
int cnm_two(void) { return 2; }'
expect 0 "snprintf is fine"
