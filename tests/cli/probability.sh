#!/bin/sh
# Probabilities through the command: what predict --probability writes, and what it prints about
# calibration.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

blobs 400 31 >blobs.csv
blobs 300 32 >test.csv
rings 400 33 >rings.csv

# sums COUNT FILE: each line is a label and COUNT numbers that add up to 1; the label is that of the
# largest, of 0, 1, 2 ...
sums() {
    # shellcheck disable=SC2317  # check calls it
    awk -v count="$1" '
    NF != count + 1 { exit 1 }
    { sum = 0; best = 2; for (i = 2; i <= NF; i++) { sum += $i; if ($i > $best) best = i } }
    sum < 1 - 1e-8 || sum > 1 + 1e-8 || (count == 3 && $1 != best - 2) { exit 1 }
    END { if (NR == 0) exit 1 }' "$2"
}

for options in "-k 8 --epochs 20" "-m rff -k 16 --epochs 50" "-m linear --loss logistic --epochs 50"; do
    # shellcheck disable=SC2086  # words are meant
    run train $options blobs.csv model.cnm
    exits "train $options" 0
    run predict --probability model.cnm test.csv
    exits "predict --probability after $options" 0
    check "rows add up after $options" sums 3 out
    holds "the metric goes to standard error" err "Accuracy = "
    holds "the log loss is printed" err "Log loss = "
    holds "the calibration error is printed" err "Calibration error = "
done

run train -m rff -k 16 --epochs 50 rings.csv two.cnm
run predict --probability two.cnm rings.csv -o two.txt
check "two classes have two numbers" sums 2 two.txt
holds "with -o the metric is on standard output" out "Calibration error = "
run inspect two.cnm
holds "a margin loss has a temperature" out temperature
run predict --report two.cnm rings.csv
holds "--report prints the calibration" out "Calibration error = "
run predict --json two.cnm rings.csv
holds "--json prints the calibration" out '"calibration": '

# The probability of the second class is the sigmoid of the score over the temperature.
run inspect two.cnm
temperature=$(awk '$1 == "temperature" { print $2 }' out)
run predict --scores two.cnm rings.csv -o scores.txt
paste -d ' ' scores.txt two.txt >both.txt
# shellcheck disable=SC2016  # awk's own dollars
check "probabilities of scores" awk -v t="$temperature" '
{ d = 1 / (1 + exp(-$2 / t)) - $5; if (d > 1e-7 || d < -1e-7) exit 1 }' both.txt

run predict --probability --scores two.cnm rings.csv
exits "--probability with --scores" 2
awk 'BEGIN { print "x,y"; for (i = 0; i < 60; i++) print i / 10 "," i * i / 7 }' >numbers.csv
run train -m linear --task regress numbers.csv numbers.cnm
run predict --probability numbers.cnm numbers.csv
exits "numbers have no probabilities" 1
holds "numbers have no probabilities" err "no probabilities"
finish
