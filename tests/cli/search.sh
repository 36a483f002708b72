#!/bin/sh
# What is chosen for a joint training, through the command: inspect shows it, options fix it, wrong
# values get a sentence.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

rings 400 31 >rings.csv
rings 500 32 >test.csv

# value_of KEY: of the latest `inspect`.
value_of() { awk -v key="$1" '$1 == key { print $2 }' out; }
# chosen OPTIONS: trains for 4,000 steps, enough for both rounds of trials, and inspects.
chosen() {
    # shellcheck disable=SC2086  # words are meant
    run train -q -k 4 --epochs 250 $1 rings.csv model.cnm
    exits "train $1" 0
    run inspect model.cnm
}

# inspect shows what was chosen, each a value of its list.
chosen ""
for entry in 'scale (global|standard|asinh)' 'width (1|2)' 'decay (0|0\.01|0\.03|0\.1|0\.3|1|3)' \
    'noise (0|0\.1|0\.25|0\.5|1)'; do
    check "inspect: ${entry%% *}" grep -qxE "${entry%% *} +${entry#* }" out
done
cp out first
run predict model.cnm test.csv
at_least "what was chosen" "$(accuracy_in out)" 90
chosen "--threads 1"
same "the same choices and figures with one thread" out first

# --effort quick takes the usual values.
chosen "--effort quick"
for entry in "scale asinh" "width 1" "decay 0.03" "noise 0.25" "difference_noise 0"; do
    check "--effort quick: $entry" test "$(value_of "${entry% *}")" = "${entry#* }"
done

# A stage that is skipped does not run, and what it would have chosen stays as usual.
chosen "--effort normal"
check "inspect shows the stages" grep -qxE "stages +dataset, detect, search, fit, distill, calibrate, assemble" out
chosen "--skip search,distill"
check "inspect shows which stages ran" grep -qxE "stages +dataset, detect, fit, calibrate, assemble" out
for entry in "scale asinh" "width 1" "decay 0.03" "noise 0.25" "difference_noise 0"; do
    check "--skip search: $entry" test "$(value_of "${entry% *}")" = "${entry#* }"
done

# What is given is kept, digit for digit.
chosen "--noise 0.37 --difference-noise 0.21 --decay 0.0123 --scale range --gamma 0.77"
for entry in "noise 0.37" "difference_noise 0.21" "decay 0.0123" "scale range" "gamma 0.77" "width 1"; do
    check "given: $entry" test "$(value_of "${entry% *}")" = "${entry#* }"
done
chosen "--noise 0 --decay 0"
check "--noise 0 is a value" test "$(value_of noise)" = 0
check "--decay 0 is a value" test "$(value_of decay)" = 0
chosen "--effort quick --noise auto --decay auto"
check "--noise auto" test "$(value_of noise)" = 0.25
check "--decay auto" test "$(value_of decay)" = 0.03

# Every metric is taken.
for metric in accuracy balanced auc f1 logloss; do
    chosen "--metric $metric"
done

# What --metric named is what predict shows, beside the accuracy.
for metric in balanced auc f1 logloss; do
    run train -q --effort quick -k 8 --metric $metric rings.csv metric.cnm
    run predict metric.cnm rings.csv
    check "predict shows $metric" grep -qE "^$metric = [0-9.]+" out
done

# A time limit that cannot hold the usual steps leaves some out, reports that, and still gives a
# model.
run train -q --time-limit 0.05 -k 16 rings.csv hurried.cnm
exits "train --time-limit" 0
run inspect hurried.cnm
check "inspect shows that steps were left out" grep -qE "^time_limit +trials or steps were left out" out
run train -m rff --time-limit 5 rings.csv wrong.cnm
exits "train -m rff --time-limit" 2

# inspect shows no hyperparameters where none were searched for.
run train -q -m rff -k 4 --epochs 5 rings.csv random.cnm
run inspect random.cnm
for key in width decay noise; do
    check "a random map has no $key" test -z "$(value_of $key)"
done

# Nor for a frozen random map, whose head has a closed form or L-BFGS.
run train -q -k 4 --map-rate 0 rings.csv frozen.cnm
run inspect frozen.cnm
check "a frozen map has a width" test -n "$(value_of width)"
for key in decay noise difference_noise steps; do
    check "a frozen map has no $key" test -z "$(value_of $key)"
done

# Whole numbers that could be either: scores where some are in a single row, classes where they are
# not, and a note.
scores() { # RARE: 22 whole numbers, 20 rows each, and one more in RARE rows
    awk -v rare="$1" 'BEGIN { for (i = 0; i < 440; i++) print i % 22 "," i % 22 / 7 "," i % 5;
                              for (i = 0; i < rare; i++) print "99,4," i }'
}
scores 1 >scores.csv
run train --effort quick -k 4 --label-column 1 scores.csv scores.cnm
exits "scores" 0
holds "scores" err "taken for numbers: --task classify takes them for classes"
run train --effort quick -k 4 --label-column 1 --task classify scores.csv scores.cnm
check "no note where --task is given" sh -c '! grep -q "taken for" err'
run inspect scores.cnm
check "--task classify" test "$(value_of task)" = classify
scores 20 >even.csv
run train --effort quick -k 4 --label-column 1 even.csv even.cnm
check "no note where it is clear" sh -c '! grep -q "taken for numbers" err'
awk 'BEGIN { for (i = 0; i < 1100; i++) print i % 22 "," i % 22 / 7 "," i % 5
    print "99,4,0"; print "99,4,1" }' >uneven.csv
run train --effort quick -k 4 --label-column 1 uneven.csv uneven.cnm
holds "uneven classes" err "taken for classes: --task regress takes them for numbers"

# Wrong values: the option, a bar, and the sentence on standard error.
regression="rmse or mae"
run help --all train
if grep -q test-largest-error out; then # a build with tests/rows
    regression="rmse, mae or test-largest-error"
fi
while IFS='@' read -r line sentence; do
    case $sentence in
        *REGRESSION) sentence=${sentence%REGRESSION}$regression ;;
    esac
    # shellcheck disable=SC2086  # words are meant
    run train $line rings.csv wrong.cnm
    exits "train $line" 2
    empty "train $line" out
    holds "train $line" err "$sentence"
done <<'END'
--effort huge@cnm train: --effort cannot be "huge": expected quick, normal or thorough
--metric best@cnm train: --metric cannot be "best": expected auto, accuracy, balanced, auc, f1, logloss, REGRESSION
--noise soft@cnm train: --noise cannot be "soft": expected a number: auto or 0 to 100
--noise=-1@cnm train: --noise cannot be "-1": expected a number: auto or 0 to 100
--noise 101@cnm train: --noise cannot be "101": expected a number: auto or 0 to 100
--noise nan@cnm train: --noise cannot be "nan": expected a number: auto or 0 to 100
--decay=-0.1@cnm train: --decay cannot be "-0.1": expected a number: auto or 0 to 100
--skip fit@cnm train: --skip fit: fit is needed by every training; what can be skipped is detect, estimate
--skip detect,tea@cnm train: --skip detect,tea: tea is no stage; what can be skipped is detect, estimate, search
--decay much@cnm train: --decay cannot be "much": expected a number: auto or 0 to 100
END
check "no model of them" test ! -e wrong.cnm
finish
