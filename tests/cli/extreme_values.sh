#!/bin/sh
# Numbers at the edge: what is not finite, too large, too small or always the same; one row, one
# column, one feature, a million of them; settings at the ends of their ranges. Each gives a model
# that can be loaded and predicts finite scores, or a sentence.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

# table NAME EXPRESSION: 60 rows of two numbers u, v in (-1, 1), a class c, as the awk expression
# prints them.
table() {
    awk -v state=7 "
    function number() { state = (state * 16807) % 2147483647; return 2 * state / 2147483647 - 1 }
    BEGIN {
        for (i = 0; i < 60; i++) { u = number(); v = number(); c = u * u + v * v < 0.6 ? \"a\" : \"b\"; print $2 }
    }" >"$1"
}
table plain.csv 'u "," v "," c'
table denormal.csv 'u "e-40," v "e-310," c'
table small.csv 'u "e-30," v "e-30," c'
table large.csv 'u "e38," v "e38," c'
table apart.csv 'u "e30," v "e-30," c'
table outlier.csv '(i == 3 ? "1e30" : u) "," v "," c'
table sentinel.csv '(i == 3 ? "-3.4028234e38" : u / 1000) "," (i == 5 ? "3.4028234e38" : i % 4 ? 0 : v) "," c'
table far.csv '1700000000 + u "," v "," c'
table constant.csv '3 "," v "," c'
table constants.csv '"3,-7," c'
table zeros.csv '"0,0," c'
table column.csv 'u "," c'
table twins.csv '1 "," 2 "," (i % 2 ? "a" : "b")'
table pairs.csv 'i % 2 "," 2 "," (i % 2 ? "a" : "b")'
table numbers.csv 'u "," v "," u * v'
table same-number.csv 'u "," v "," 5'
table large-numbers.csv 'u "," v "," u * v "e37"'
table small-numbers.csv 'u "," v "," u * v "e-300"'
table nothing.libsvm '(c == "a" ? "1" : "-1")'
table empty-rows.libsvm '(c == "a" ? "1" : "-1 2:1 5:" v)'
table wide.libsvm '(c == "a" ? "1 7:1 1000000:2" : "-1 5:1 999:3")'
printf '1,2,a\n3,4,b\n' >two-rows.csv
printf '1,2,a\n' >row.csv

# sound NAME DATA OPTIONS...: a model that predicts finite scores.
sound() {
    title="$1 ($2)" data=$2
    shift 2
    run train -q "$data" model.cnm "$@"
    exits "$title" 0
    run predict model.cnm "$data" --scores -o scores
    exits "$title: predict" 0
    check "$title: scores are finite" sh -c '! grep -qiE "nan|inf" scores && test -s scores'
    run inspect model.cnm
    check "$title: inspect" sh -c '! grep -qiE "[ =](nan|-?inf)( |$)" out'
    rm -f model.cnm
}
# refused STATUS SENTENCE OPTIONS...
refused() {
    expected=$1 sentence=$2
    shift 2
    run train "$@" model.cnm
    exits "train $*" "$expected"
    holds "train $*" err "$sentence"
    check "train $*: no model" test ! -e model.cnm
}

while IFS='@' read -r name options; do
    for data in plain denormal small large apart outlier sentinel far constant constants zeros column twins pairs \
        two-rows; do
        # shellcheck disable=SC2086  # words are meant
        sound "$name" $data.csv $options
    done
    case $options in
    *alternating*) ;;
    *)
        for data in numbers same-number large-numbers small-numbers; do
            # shellcheck disable=SC2086  # words are meant
            sound "$name" $data.csv --task regress $options
        done
        ;;
    esac
    # shellcheck disable=SC2086  # words are meant
    sound "$name" empty-rows.libsvm $options
done <<'END_OF_METHODS'
joint@-k 8 --epochs 10 --effort quick
circulant@-k 8 --epochs 10 --effort quick -p circulant --scale standard
diagonals@-k 8 --epochs 10 --effort quick -p circulant-diagonal --scale range
random@-m rff -k 8 --epochs 10 --scale asinh
kernel@-m kernel-approximation -k 8 --map-steps 10 --epochs 10 --scale global
linear@-m linear --epochs 10
alternating@-k 8 --recipe alternating --iterations 2 --head-steps 5 --map-steps 5
END_OF_METHODS
sound "a training that chooses" zeros.csv -k 4 --epochs 300 --batch 20
sound "a training that chooses" outlier.csv -k 4 --epochs 300 --batch 20

# Sizes.
sound "one feature" plain.csv -k 1 --epochs 10 --effort quick
sound "one feature, circulant" plain.csv -k 1 --epochs 10 --effort quick -p circulant
sound "one feature of one column" column.csv -k 1 --epochs 10 --effort quick -p circulant-diagonal
sound "a million features" two-rows.csv -m rff -k 1000000 --epochs 1 --batch 2
sound "a million columns" wide.libsvm -m rff -k 2 --epochs 1
sound "a million columns, circulant" wide.libsvm -k 2 -p circulant --epochs 1 --effort quick
refused 1 "needs 8.0 GB, over the limit of 4.3 GB: use --projection circulant" -k 1000000000 -m rff plain.csv

# Settings at the ends of their ranges, and beyond.
for gamma in 1e-20 1e20; do
    for options in "--effort quick" "-m rff" "-m rff --kernel cauchy" "-p circulant --effort quick" \
        "-m kernel-approximation --map-steps 3"; do
        # shellcheck disable=SC2086  # words are meant
        sound "gamma $gamma $options" plain.csv --gamma $gamma -k 8 --epochs 5 $options
    done
done
for gamma in 1e-30 1e30 0 -1 nan inf; do
    refused 2 "--gamma cannot be \"$gamma\"" --gamma=$gamma plain.csv
done
for lambda in 1e-12 1e6; do
    for options in "--effort quick -k 8" "-m rff -k 8" "-m linear" "-m rff -k 8 --loss logistic"; do
        # shellcheck disable=SC2086  # words are meant
        sound "lambda $lambda $options" plain.csv --lambda $lambda --epochs 5 $options
    done
done
for lambda in 1e-30 1e30 0 -1 nan; do
    refused 2 "--lambda cannot be \"$lambda\"" --lambda=$lambda plain.csv
done

# Rows that no model comes of.
table nan.csv '(i == 5 ? "nan" : u) "," v "," c'
table infinite.csv '(i == 5 ? "-inf" : u) "," v "," c'
table beyond.csv 'u "e300," v "," c'
table beyond-numbers.csv 'u "," v "," u * v "e300"'
table one-class.csv 'u "," v ",a"'
refused 1 "nan.csv:6: found a missing value in column 1" nan.csv --missing error
sound "a missing value" nan.csv -k 8 --epochs 5 --effort quick
refused 1 "infinite.csv:6: found '-inf' in column 1, expected a finite number" infinite.csv
refused 1 "in column 1, expected a number below 3.4e38 in size" beyond.csv
refused 1 "expected at most 1e37 in size" beyond-numbers.csv
refused 1 "have the same label \"a\" in column 'last': at least two classes are needed" one-class.csv
refused 1 "found one row alone: at least two classes are needed" row.csv
refused 1 "nothing.libsvm: found no values in any row" --format libsvm nothing.libsvm

# Rows to predict that are not like those trained on.
run train -q -k 8 --epochs 10 --effort quick plain.csv model.cnm
printf '0.5,0.5,never-seen\n0.1,0.1,a\n' >unknown.csv
run predict model.cnm unknown.csv
exits "a label never seen" 0
holds "a label never seen is an error of prediction" out "/2)"
printf '3e38,-3e38\n1e-44,0\n' >extreme.csv
run predict model.cnm extreme.csv --scores -o scores
exits "columns far outside" 0
check "columns far outside: scores are finite" sh -c '! grep -qiE "nan|inf" scores'
check "columns far outside: all of them" test "$(wc -l <scores)" = 2
run predict model.cnm infinite.csv
exits "an infinite column" 1
finish
