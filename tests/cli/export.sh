#!/bin/sh
# cnm export: what is written, what is printed, what is refused. tests/export compares predictions.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

rings 600 1 >rings.csv
rings 300 2 >test.csv
blobs 300 3 >blobs.csv
run train -q -k 64 --effort quick --epochs 20 rings.csv
run train -q -m rff -k 8 --task map rings.csv map.cnm

# Two files, and what they need.
run export rings.cnm -o rings.c
exits "to C" 0
check "two files" test -s rings.c -a -s rings.h
for word in "file                   rings.c" "header                 rings.h" "dtype                  f32" \
    "flash " "stack "; do
    holds "what is printed" out "$word"
done
holds "a header with an example" rings.h "puts(rings_labels[rings_predict(x)]);"
holds "the columns are named" rings.h "x, y"
lacks "no libm but for asinh" rings.c "malloc"
cp rings.c again.c
run export rings.cnm -o rings.c
same "the same file again" rings.c again.c
run export --quiet rings.cnm -o quiet.c
empty "-q prints nothing" out
run export --to c rings.cnm -o "7 odd-name.c" --json
check "--json is one line" test "$(wc -l <out)" = 1
holds "--json" out '"header": "7 odd-name.h"'
holds "a name that C takes" "7 odd-name.h" "m_7_odd_name_predict("
run export --name other rings.cnm -o rings.c
holds "--name" rings.h "int other_predict(const float *x);"
run export map.cnm -o map.c
holds "a map alone" map.h "void map_features(const float *x, float *z);"

# Several layers: columns of single columns' cosines, a matrix, filters.
run train -q --layers columns:3,dense:12,circulant:20 --scale quantile --effort quick --epochs 20 rings.csv stack.cnm
run inspect stack.cnm
holds "layers" out "columns:3,dense:12,circulant:20"
bytes=$(wc -c <stack.cnm)
holds "the file's size" out "bytes             $((bytes))"
# frequencies, phases and mix of 2 columns; theta, phases; filters, phases; head and bias
parameters=$((2 * 3 * (1 + 1 + 4) + 10 * 12 + 12 + 2 * 12 + 20 + 20 + 1))
holds "parameters of all layers" out "parameters        $parameters"
for weights in f32 f16 i8; do
    run export --dtype $weights --data test.csv stack.cnm -o stack.c
    exits "a stack, $weights" 0
    sed -n 's/^flash *//p' out >$weights.flash
done
for weights in f16 i8; do
    check "a stack, less flash: $weights" test "$(cat $weights.flash)" -lt "$(cat f32.flash)"
done
holds "layers in the header" stack.h "3 layers (columns:3,dense:12,circulant:20; cos)"
holds "arrays of layers" stack.c "layer3_filters"
run export stack.cnm -o stack.onnx
exits "a stack to ONNX" 0
holds "a stack to ONNX" stack.onnx "layer2.theta"

# Columns of words: programs take rows as files have them; cells may be missing as in predictions.
awk 'BEGIN { print "size,color,grade"
    for (i = 0; i < 200; i++) {
        printf "%g,%s,%.3f\n", i % 17, (i % 3 ? "red" : "dark blue"), i % 17 * 1.3 + i % 3
    } }' >typed.csv
run train -q -k 8 --effort quick --epochs 20 --label-column grade typed.csv typed.cnm
printf 'size,color\n3,red\n,dark blue\n5,green\n,\n' >ask.csv
run predict -q typed.cnm ask.csv -o expected.txt
run export typed.cnm -o typed.c
exits "columns of words" 0
holds "numbers may be missing" typed.h "NAN stands for a missing number"
run export typed.cnm -o typed.onnx
exits "columns of words to ONNX" 0
if command -v cc >/dev/null; then
    cat >row.c <<'END'
#include <math.h>
#include <stdio.h>
#include "typed.h"

int main(void) {
    const struct typed_columns rows[] = {{3, TYPED_COLOR_RED},
                                         {NAN, TYPED_COLOR_DARK_BLUE},
                                         {5, TYPED_COLOR_other},
                                         {NAN, TYPED_COLOR_missing}};
    for (int i = 0; i < 4; i++) {
        float x[TYPED_COLUMNS];
        typed_row(&rows[i], x);
        printf("%.9g\n", (double)typed_value(x));
    }
    return 0;
}
END
    check "rows compile" cc -std=c99 -Wall -Wextra -Wconversion -pedantic -Werror row.c typed.c -lm -o row
    ./row >found.txt
    # shellcheck disable=SC2016  # awk's own dollars
    check "rows give the same predictions" awk 'NR == FNR { want[NR] = $1; next }
        !($1 - want[FNR] < 1e-4 && want[FNR] - $1 < 1e-4) { bad = 1 }
        END { exit bad || FNR != 4 }' expected.txt found.txt
fi

# Smaller weights, and what they cost.
for weights in f32 f16 i8; do
    run export --dtype $weights --data test.csv rings.cnm -o $weights.c
    exits "--dtype $weights" 0
    sed -n 's/^accuracy-exported *//p' out >$weights.accuracy
    sed -n 's/^flash *//p' out >$weights.flash
done
run predict rings.cnm test.csv
predicted=$(awk -F'[(/)]' '/^Accuracy/ { printf "%.6g", $2 / $3 }' out)
check "the accuracy is predict's" test "$(cat f32.accuracy)" = "$predicted"
at_least "8 bits cost little" "$(awk "BEGIN { print 1 - $predicted + $(cat i8.accuracy) }")" 0.98
for weights in f16 i8; do
    check "fewer bits, less flash: $weights" test "$(cat $weights.flash)" -lt "$(cat f32.flash)"
done
run export --rows 1:100 --data test.csv rings.cnm -o rows.c
exits "the options of reading" 0

# Whatever locale this runs in, floats have points.
check "points, not commas" sh -c '! grep -qE "[0-9],[0-9]+f" f32.c'

# Compiled and called, where there is a compiler.
if command -v cc >/dev/null; then
    run export -q --name it stack.cnm -o it.c
    check "a stack compiles" cc -std=c99 -Wall -Wextra -Wconversion -pedantic -Werror -c it.c -o it.o
    run export -q --name it rings.cnm -o it.c
    cat >call.c <<'END'
#include <stdio.h>
#include "it.h"
int main(void) {
    float x[IT_COLUMNS];
    while (scanf("%f,%f", &x[0], &x[1]) == 2) {
        puts(it_labels[it_predict(x)]);
    }
    return 0;
}
END
    check "it compiles" cc -std=c99 -Wall -Wextra -Wconversion -pedantic -Werror call.c it.c -lm -o call
    sed 1d test.csv | sed 's/,[a-z]*$//' | LC_ALL=C ./call >labels.txt
    CNM_SIMD=reference "$cnm" predict -q rings.cnm test.csv -o expected.txt >out
    same "the command's labels" labels.txt expected.txt
    run export -q --name it rings.cnm -o "$(printf 'caf\303\251 @1.c')"
    check "a file's name is not C" cc -std=c99 -Werror -c "$(printf 'caf\303\251 @1.c')" -o odd.o
fi

# ONNX: tests/export reads it.
run export rings.cnm -o rings.onnx
exits "to ONNX" 0
holds "to ONNX" rings.onnx "probabilities"
"$cnm" export -q --to onnx rings.cnm -o - >piped.onnx
same "onto standard output" piped.onnx rings.onnx
run export map.cnm -o map.onnx
holds "a map alone" map.onnx "features"

# What is refused.
run export rings.cnm
exits "no file" 2
run export rings.cnm -o rings.txt
exits "no such ending" 2
holds "no such ending" err "neither in .c nor in .onnx"
run export --to c rings.cnm -o -
exits "two files do not go into one stream" 2
run export --to java rings.cnm -o rings.java
exits "no such language" 2
holds "no such language" err "c or onnx"
run export --dtype i4 rings.cnm -o bad.c
exits "no such weights" 2
holds "no such weights" err "f32, f16 or i8"
run export --dtype i8 rings.cnm -o bad.onnx
exits "8 bits in ONNX" 1
holds "8 bits in ONNX" err "32 bits"
run export --name 'a b' rings.cnm -o bad.c
exits "a name that C does not take" 2
holds "a name that C does not take" err "letters, digits"
run export rings.cnm -o 'bad"name.c'
exits "a header that cannot be included" 2
run export --name it rings.cnm -o bad.onnx
exits "names in ONNX" 2
run export rings.csv -o bad.c
exits "not a model" 1
run export --data blobs.csv rings.cnm -o bad.c
exits "rows of other columns" 1
run export rings.cnm -o no/such/folder/bad.c
exits "no such folder" 1
check "nothing is left behind" sh -c '! ls | grep -qE "bad|partial"'
run help export
holds "help by example" out "cnm export digits.cnm -o digits.c"
finish
