#!/bin/sh
# What cnm train says of rows that did not train the model: its own estimate, and --test.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"
estimates=yes

rings 400 71 >rings.csv
rings 300 72 >test.csv
awk -F, -v OFS=, 'NR > 1 { $3 = $3 == "in" ? "out" : "in" } { print }' test.csv >flipped.csv
awk -F, -v OFS=, -v state=7 'NR > 1 { state = (state * 16807) % 2147483647; $3 = state % 2 ? "in" : "out" } { print }' \
    rings.csv >random.csv
quick="-k 16 --effort quick --epochs 100"

# value_of KEY: of the latest `inspect`, or of the summary.
value_of() { awk -v key="$1" '$1 == key { print $2 }' out; }
# has_stages NAME STAGES: of the latest `inspect`.
has_stages() { check "$1: the stages" grep -qxE "stages +$2" out; }

# The default: an estimate, near the accuracy on other rows; what the model has seen comes last.
# shellcheck disable=SC2086  # words are meant
run train $quick rings.csv model.cnm
exits "train" 0
check "label, task, estimate, baseline, linear come first" \
    test "$(awk 'NR <= 5 { printf "%s ", $1 }' out)" = "label task estimate baseline linear "
check "the estimate with its error" grep -qxE \
    'estimate +0\.[0-9]{3} \+- 0\.0[0-9]{2} \(accuracy on 80 rows that did not train it\)' out
check "the baseline" grep -qxE 'baseline +0\.[0-9]{3} \(always saying the largest class\)' out
check "a linear model beside it" grep -qxE 'linear +0\.[0-9]{3} \(a linear model\)' out
check "the score on training rows is last" test "$(tail -n 1 out | awk '{ print $1 }')" = training-accuracy
estimate=$(value_of estimate)
run inspect model.cnm
check "inspect has the estimate" test "$(printf '%.3f' "$(value_of estimate)")" = "$estimate"
check "and its rows" test "$(value_of estimate_rows)" = 80
has_stages "an estimate" "dataset, detect, estimate, search, fit, distill, calibrate, assemble"
run predict model.cnm test.csv
at_least "other rows" "$(accuracy_in out)" "$(awk "BEGIN { print 100 * $estimate - 10 }")"
at_least "the estimate" "$estimate" "$(awk "BEGIN { print $(accuracy_in out) / 100 - 0.1 }")"

# Numbers are numbers in JSON, under the keys of inspect.
# shellcheck disable=SC2086  # words are meant
run train $quick --json rings.csv model.cnm
for key in estimate estimate_standard_error estimate_rows baseline linear training-accuracy; do
    check "--json: $key" grep -qE "\"$key\": [0-9.]+[,}]" out
done

# It is left out where that is asked for, and where rows are held out otherwise.
for options in "--skip estimate" "--estimate no" "--validation 0.2" "--test 0.2"; do
    # shellcheck disable=SC2086  # words are meant
    run train $quick $options rings.csv without.cnm
    exits "train $options" 0
    run inspect without.cnm
    lacks "train $options: no estimate" out estimate
done
run train -m rff -k 8 --task map rings.csv map.cnm
exits "a map alone" 0
# shellcheck disable=SC2086  # words are meant
run train $quick --epochs 2 --from model.cnm rings.csv more.cnm
exits "--from" 0
lacks "--from: no estimate" out estimate
run train --estimate yes --from model.cnm rings.csv more.cnm
exits "--from and --estimate yes" 2
# shellcheck disable=SC2086  # words are meant
run train $quick --rows 1:19 rings.csv few.cnm
lacks "fewer than 20 rows: no estimate" out estimate

# Random labels: nothing beats the largest class, and nothing is searched for.
run train -k 8 --epochs 100 random.csv noise.cnm
exits "random labels" 0
holds "random labels" err "no better than always saying the largest class: accuracy 0."
run inspect noise.cnm
has_stages "random labels" "dataset, detect, estimate, fit, calibrate, assemble"

# A stopped training goes on from its checkpoint to the same model.
stopped="-k 8 --effort quick --epochs 300 --checkpoint state --checkpoint-every 0.001"
# shellcheck disable=SC2086  # words are meant
run train -q $stopped rings.csv whole.cnm
exits "with a checkpoint" 0
# shellcheck disable=SC2086  # words are meant
run train $stopped --resume rings.csv again.cnm
exits "resumed" 0
holds "resumed" err "was finished with step"
same "resumed: the same model" again.cnm whole.cnm

# --test SHARE: a fifth of the rows does not train.
# shellcheck disable=SC2086  # words are meant
run train $quick --test 0.2 rings.csv share.cnm
exits "--test 0.2" 0
check "the rows that train" test "$(value_of rows)" = 320
check "the score on the others" grep -qxE \
    'test-accuracy +[01]\.[0-9]{3} \+- 0\.0[0-9]{2} \(accuracy on 80 rows that did not train it\)' out
# shellcheck disable=SC2086  # words are meant
run train $quick --test 0.2 --json rings.csv share.cnm
for key in test-accuracy test_standard_error test_rows test_baseline; do
    check "--test --json: $key" grep -qE "\"$key\": [0-9.]+[,}]" out
done
sed "s/in\$/1.5/; s/out\$/-2.25/" rings.csv >numbers.csv
# shellcheck disable=SC2086  # words are meant
run train $quick --label-column label --task regress --test 0.3 numbers.csv numbers.cnm
check "of numbers, R2" grep -qxE 'test-r2 +[01]\.[0-9]{3} \+- 0\.[0-9]{3} \(r2 on 120 rows that did not train it\)' out
check "whose baseline is the mean" grep -qxE 'test_baseline +0\.000 \(always predicting the mean\)' out

# A quantile is scored by its own loss, against the quantile of the training rows.
# shellcheck disable=SC2086  # words are meant
run train $quick --label-column label --task regress --loss quantile --quantile 0.9 --test 0.3 --json \
    numbers.csv high.cnm
check "of a quantile, D2" grep -qE '"test-d2-pinball": -?[01]\.?[0-9]*[,}]' out
awk -F, -v OFS=, 'NR > 1 { $3 = $1 + 0.3 * $2 * $2 } { print }' rings.csv >slope.csv
# shellcheck disable=SC2086  # words are meant
run train $quick --label-column label --task regress --loss quantile --quantile 0.9 slope.csv high.cnm
check "the estimate of a quantile" grep -qxE \
    'estimate +0\.[0-9]{3} \+- 0\.[0-9]{3} \(d2-pinball on 80 rows that did not train it\)' out
check "whose baseline is the quantile" grep -qxE 'baseline +0\.000 \(always predicting the quantile\)' out
check "and a linear model of the quantile" grep -qxE 'linear +-?0\.[0-9]{3} \(a linear model\)' out
run inspect high.cnm
check "inspect names the score" test "$(value_of estimate_metric)" = d2-pinball

# --test FILE: what predict says; its labels do not matter to the model.
# shellcheck disable=SC2086  # words are meant
run train $quick --test test.csv rings.csv file.cnm
exits "--test FILE" 0
score=$(value_of test-accuracy)
run predict file.cnm test.csv
found=$(awk "BEGIN { printf \"%.3f\", $(accuracy_in out) / 100 }")
check "the accuracy that predict finds" test "$found" = "$score"
# shellcheck disable=SC2086  # words are meant
run train $quick --test flipped.csv rings.csv other.cnm
rest=$(awk "BEGIN { printf \"%.3f\", 1 - $score }")
check "flipped labels, the rest of the score" test "$(value_of test-accuracy)" = "$rest"
same "flipped labels, the same model" file.cnm other.cnm

# What does not fit.
cut -d, -f1,2 test.csv >unlabelled.csv
head -n 3 rings.csv >two.csv
# refused STATUS SENTENCE ARGUMENTS...
refused() {
    expected=$1
    sentence=$2
    shift 2
    run train "$@" wrong.cnm
    exits "train $*" "$expected"
    holds "train $*" err "$sentence"
}
# shellcheck disable=SC2086  # words are meant
{
    refused 2 '--test cannot be "1": expected a share between 0 and 1, or a file' $quick --test 1 rings.csv
    refused 2 '--test cannot be "-0.5": expected a share' $quick --test=-0.5 rings.csv
    refused 2 "--test nothing.csv: there is no such file" $quick --test nothing.csv rings.csv
    refused 2 "--test does not go with --grow" $quick --test 0.2 --grow 32 rings.csv
    refused 2 "--test means nothing for --task map" -m rff --task map --test 0.2 rings.csv
    refused 1 "unlabelled.csv" $quick --test unlabelled.csv rings.csv
    refused 1 "2 rows are too few to hold some out" $quick --test 0.2 two.csv
    refused 2 "--estimate yes means nothing for --task map" -m rff --task map --estimate yes rings.csv
    refused 2 "--estimate yes does not go with --teacher" $quick --teacher model.cnm --estimate yes rings.csv
}
finish
