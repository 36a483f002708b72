#!/bin/sh
# --metric balanced and f1 where one class is rare: what is decided, what inspect shows, and what
# probabilities then mean.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

# uneven ROWS SEED: csv rows x,y,label; one row in twenty is "rare", around another place that
# overlaps with the rest's.
uneven() {
    awk -v rows="$1" -v state="$2" '
    function number() { state = (state * 16807) % 2147483647; return state / 2147483647 }
    function bell() { return number() + number() + number() + number() - 2 }
    BEGIN {
        print "x,y,label"
        for (i = 0; i < rows; i++) {
            rare = i % 20 == 7
            printf "%.4f,%.4f,%s\n", bell() + (rare ? 0.9 : 0), bell(), rare ? "rare" : "usual"
        }
    }'
}
uneven 2000 41 >rows.csv
uneven 8000 42 >fresh.csv

# figure MODEL NAME: the number that predict --json gives.
figure() {
    run predict --json "$1" fresh.csv
    sed -n "s/.*\"$2\": \([0-9.e-]*\).*/\1/p" out
}
less() { awk "BEGIN { print $1 - $2 }"; }

train="train -q -k 16 --effort quick --epochs 60"
for metric in accuracy balanced f1; do
    # shellcheck disable=SC2086  # words are meant
    run $train --metric $metric rows.csv $metric.cnm
    exits "train --metric $metric" 0
done

# Each is best at what it is for, by far.
for metric in balanced f1; do
    for other in accuracy balanced f1; do
        if [ $metric != $other ]; then
            gain=$(less "$(figure $metric.cnm $metric)" "$(figure $other.cnm $metric)")
            at_least "$metric of --metric $metric less that of $other" "$gain" 0.02
        fi
    done
    run inspect $metric.cnm
    check "inspect shows the offset of $metric" grep -qE "^decision_offset +-?[0-9.]+$" out
    run inspect --json $metric.cnm
    check "inspect --json: the offset of $metric is a list of numbers" grep -qE '"decision_offset": \[-?[0-9.]+\]' out
    run inspect $metric.cnm
    check "inspect shows the temperature of $metric" grep -qE "^temperature +[0-9.]+$" out
    run predict $metric.cnm fresh.csv
    check "predict shows $metric" grep -qE "^$metric = 0\.[0-9]+" out
done
run inspect accuracy.cnm
lacks "no offset for accuracy" out decision_offset

# The summary of a training shows the offset, too.
run train -k 16 --effort quick --epochs 60 --metric balanced rows.csv again.cnm
holds "the summary names the metric" out balanced
check "the summary shows the offset" grep -qE "^decision-offset +-?[0-9.]+$" out
same "the same bits again" balanced.cnm again.cnm
for threads in 1 2 7; do
    # shellcheck disable=SC2086  # words are meant
    run $train --metric f1 --threads $threads rows.csv again.cnm
    same "the same bits with $threads threads" f1.cnm again.cnm
done

# Probabilities are those of the rows as they come: their mean is the share of the rare class, 0.05,
# and the log loss is no worse.
# shellcheck disable=SC2016  # awk's own dollars
for metric in balanced f1; do
    run predict --probability $metric.cnm fresh.csv -o likely.txt
    check "probabilities of $metric keep the share" awk '
    { sum += $2 } END { mean = sum / NR; exit !(mean > 0.03 && mean < 0.07) }' likely.txt
    check "a class need not be the most probable ($metric)" awk '
    $1 == "rare" && $2 < 0.5 { found = 1 } END { exit !found }' likely.txt
    at_least "log loss of $metric" "$(less "$(figure accuracy.cnm logloss)" "$(figure $metric.cnm logloss)")" -0.01
done

# Class weights that are given decide; no threshold is fitted.
for weights in none balanced usual:1,rare:1; do
    # shellcheck disable=SC2086  # words are meant
    run $train --metric balanced --class-weight $weights rows.csv given.cnm
    run inspect given.cnm
    lacks "--class-weight $weights: no offset" out decision_offset
done
# shellcheck disable=SC2086  # words are meant
run $train --metric balanced --class-weight auto rows.csv given.cnm
same "--class-weight auto is the default" balanced.cnm given.cnm

# A model that goes on keeps its metric, and gets an offset of its own.
run train -q --from balanced.cnm --epochs 1 rows.csv more.cnm
exits "train --from a model with an offset" 0
run inspect more.cnm
check "going on keeps the metric" grep -qE "^metric +balanced$" out
gain=$(less "$(figure more.cnm balanced)" "$(figure accuracy.cnm balanced)")
at_least "balanced after going on, less that of accuracy" "$gain" 0.1

# A metric of the other kind is refused before any training: which labels count as classes is the
# file's affair, or --task's.
awk -F, 'NR == 1 { print "x,y,grade,height" } NR > 1 { print $1 "," $2 "," 1 + NR % 5 "," $1 - $2 }' \
    rows.csv >numbers.csv
# other LABELS METRIC SENTENCE: column LABELS does not go with METRIC.
other() {
    run train -k 8 --epochs 5 --label-column "$1" --metric "$2" numbers.csv other.cnm
    exits "$1 and --metric $2" 2
    empty "$1 and --metric $2" out
    check "$1 and --metric $2: one sentence" test "$(cat err)" = "cnm train: --metric $2 is for $3"
    check "$1 and --metric $2: no model" test ! -e other.cnm
}
for metric in rmse mae; do
    other grade $metric "numbers, but the labels are classes: if they are meant as numbers, say --task regress"
done
for metric in accuracy balanced auc f1 logloss; do
    other height $metric "classes, but the labels are numbers: if they are meant as classes, say --task classify"
done
for metric in rmse mae; do
    run train -q -k 8 --epochs 5 --effort quick --label-column grade --task regress --metric $metric \
        numbers.csv given.cnm
    exits "--task regress --metric $metric" 0
done
run train -q --from balanced.cnm --metric rmse rows.csv other.cnm
exits "--from a model of classes, --metric rmse" 2
holds "--from a model of classes, --metric rmse" err "but the model to go on from predicts classes"
finish
