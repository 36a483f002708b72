#!/bin/sh
# arm.sh CNM: exported C on a Cortex-M4: no warning, no more flash and stack than `cnm export`
# states, and under an emulator the bits of the reference loops. scripts/bootstrap --arm installs
# the compiler and the emulator.
if ! command -v arm-none-eabi-gcc >/dev/null; then
    echo "skipped: no arm-none-eabi-gcc (scripts/bootstrap --arm)"
    exit 77
fi
tests=$(cd "$(dirname "$0")/.." && pwd)
[ ! -d "${CNM_DATA:-}" ] || CNM_DATA=$(cd "$CNM_DATA" && pwd)
# shellcheck source=tests/cli/support/harness.sh
. "$tests/cli/support/harness.sh"
core="-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16"

blobs 400 3 >blobs.csv
sed 1d blobs.csv | sed 's/,[0-9]*$//' >bare.csv
awk -v state=7 '
    function number() { state = (state * 16807) % 2147483647; return state / 2147483647 }
    BEGIN { for (i = 0; i < 300; i++) { s = 0; line = ""
        for (j = 0; j < 26; j++) { x = 2 * number() - 1; s += x * x; line = line sprintf("%.3f,", x) }
        print line (s < 8.6 ? "near" : "far") } }' >wide.csv
sed 's/,[a-z]*$//' wide.csv >bare-wide.csv

# model NAME DATA OPTIONS...
model() {
    kind=$1 data=$2
    shift 2
    run train -q --effort quick --epochs 3 --label-column last "$@" "$data" "$kind.cnm"
    exits "train $kind" 0
}
model dense blobs.csv -k 24
model bent blobs.csv -k 8 --scale asinh --activation sigmoid
model half wide.csv -k 20 -p circulant
model pairs wide.csv -k 60 -p circulant --scale standard
model diagonals wide.csv -k 40 -p circulant-diagonal
model stack wide.csv --layers 32,16,8
model mixed wide.csv --layers circulant:52,dense:20
model all wide.csv --layers dense:20,circulant:20,circulant-diagonal:36,dense:12
model columns wide.csv --layers columns:4,16
model knots wide.csv -k 16 --scale quantile

# The bytes of all sections that stay in flash, and the stack of all functions together: more than
# any chain of calls.
for kind in dense bent half pairs diagonals stack mixed all columns knots; do
    for weights in f32 f16 i8; do
        run export --json --dtype $weights --name model "$kind.cnm" -o model.c
        flash=$(sed 's/.*"flash": \([0-9]*\).*/\1/' out)
        stack=$(sed 's/.*"stack": \([0-9]*\).*/\1/' out)
        # shellcheck disable=SC2086  # words are meant
        check "$kind $weights compiles" arm-none-eabi-gcc $core -std=c99 -Os -Wall -Wextra -Wconversion \
            -pedantic -Werror -fstack-usage -c model.c -o model.o
        used=$(arm-none-eabi-size model.o | awk 'NR == 2 { print $1 + $2 }')
        deep=$(awk '{ sum += $2 } END { print sum }' model.su)
        check "$kind $weights: $used bytes of flash, at most $flash" \
            test "$used" -le "$flash" -a "$flash" -le $((used * 5 / 4 + 100))
        check "$kind $weights: $deep bytes of stack, at most $stack" \
            test "$deep" -le "$stack" -a "$stack" -le $((deep + 256))
        variables=$(arm-none-eabi-size model.o | awk 'NR == 2 { print $2 + $3 }')
        check "$kind $weights: no data, no bss" test "$variables" = 0
    done
done

# The promise for real digits: 64 features in 8 bits take under 24 kB and lose at most half a point.
if [ -d "${CNM_DATA:-}" ]; then
    run train -q -k 64 --effort quick --epochs 4 "$CNM_DATA/usps/zip.train.gz" usps.cnm
    exits "train USPS" 0
    run export --json --dtype i8 --name model --data "$CNM_DATA/usps/zip.test.gz" usps.cnm -o model.c
    # shellcheck disable=SC2086
    check "USPS compiles" arm-none-eabi-gcc $core -std=c99 -Os -c model.c -o model.o
    used=$(arm-none-eabi-size model.o | awk 'NR == 2 { print $1 + $2 }')
    check "USPS: $used bytes of flash" test "$used" -lt 24000
    at_least "USPS: accuracy kept" "$(sed 's/.*"accuracy": \([0-9.]*\), "accuracy-exported": \([0-9.]*\).*/\2 \1/' out |
        awk '{ print $1 - $2 }')" -0.005
fi

if ! command -v qemu-system-arm >/dev/null; then
    echo "no qemu-system-arm: nothing was run"
    finish
fi

# rows NAME FILE: a C array of the numbers in lines of numbers.
rows() {
    awk -v name="$1" '
        BEGIN { print "static const float " name "[] = {" }
        { gsub(/,/, " "); for (i = 1; i <= NF; i++) printf "%s%s,", $i, $i ~ /[.e]/ ? "f" : ".0f"; print "" }
        END { print "};" }' "$2"
}

for pair in dense:bare.csv bent:bare.csv half:bare-wide.csv pairs:bare-wide.csv diagonals:bare-wide.csv \
    stack:bare-wide.csv mixed:bare-wide.csv all:bare-wide.csv columns:bare-wide.csv knots:bare-wide.csv; do
    kind=${pair%%:*} data=${pair#*:}
    CNM_SIMD=reference "$cnm" predict -q --scores -o scores.txt "$kind.cnm" "$data"
    run export -q --name model "$kind.cnm" -o model.c
    {
        rows rows "$data"
        cut -d' ' -f2- scores.txt >numbers.txt
        rows expected numbers.txt
    } >rows.h
    # shellcheck disable=SC2086
    check "$kind links" arm-none-eabi-gcc $core -std=c99 -Os -Wall -Wextra -Werror -I. --specs=rdimon.specs \
        -Wl,--section-start=.vectors=0 "$tests/export/bits.c" "$tests/export/startup.c" model.c -lm -o model.elf
    timeout 60 qemu-system-arm -M mps2-an386 -nographic -semihosting -kernel model.elf >out 2>err </dev/null
    check "$kind: the bits of the reference loops" grep -qxE '[1-9][0-9]* scores, 0 differ' out
done
finish
