#!/bin/sh
# Learned maps through the command: their accuracy, what inspect prints, models of growing k, going
# on with new rows.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

rings 1200 21 >rings.csv
rings 1000 22 >test.csv
blobs 600 23 >blobs.csv
blobs 500 24 >blobs-test.csv

# value_of KEY: of the latest `inspect` or summary.
value_of() { awk -v key="$1" '$1 == key { print $2 }' out; }
# learned OPTIONS: trains on the rings; the test accuracy goes to $accuracy.
learned() {
    # shellcheck disable=SC2086  # words are meant
    run train $1 rings.csv model.cnm
    exits "train $1" 0
    run predict model.cnm test.csv
    accuracy=$(accuracy_in out)
}

# A circle needs a few cosines only when they are chosen for it.
learned "-m rff -k 4 --epochs 200"
random=$accuracy
learned "-k 4"
at_least "four learned features" "$accuracy" 90
at_least "four learned features against four random ones" "$accuracy" "$random"
run inspect model.cnm
for entry in "method cnm" "recipe joint" "loss softmax" "features 4"; do
    check "inspect: $entry" test "$(value_of "${entry% *}")" = "${entry#* }"
done

# The paper's recipe.
learned "-k 8 --recipe alternating --iterations 60 --head-steps 20 --map-steps 20"
at_least "alternating" "$accuracy" 75
run inspect model.cnm
check "inspect: the recipe" test "$(value_of recipe)" = alternating
check "inspect: the paper's loss" test "$(value_of loss)" = hinge
check "inspect: its steps, the last turn without the map's" test "$(value_of steps)" = $((60 * 40 - 20))

# Every loss, every penalty, weights of classes.
for loss in hinge squared-hinge logistic softmax crammer-singer; do
    learned "-k 8 --epochs 60 --loss $loss"
    at_least "--loss $loss" "$accuracy" 75
done
for options in "--theta-penalty l1:1e-4" "--theta-penalty l2:1e-4" "--class-weight balanced" \
    "--class-weight in:2,out:1"; do
    learned "-k 8 --epochs 60 $options"
    at_least "$options" "$accuracy" 75
done
run train --class-weight strange:2 rings.csv model.cnm
exits "a weight for a label that no row has" 2
holds "a weight for a label that no row has" err 'no row has the label "strange"'

# Validation rows: the score is in the summary and the model, and it is the score of the last fifth
# of each class.
run train -k 8 --epochs 40 --validation 0.2 rings.csv model.cnm
exits "--validation" 0
score=$(value_of validation)
at_least "--validation" "$score" 0.8
run inspect model.cnm
check "inspect: the score" test "$(value_of validation_score | cut -c 1-5)" = "$(printf '%s' "$score" | cut -c 1-5)"
sed 1d rings.csv | awk -F, '{ label[NR] = $3; line[NR] = $0; count[$3]++ }
    END { print "x,y,label"; for (i = 1; i <= NR; i++) { c = label[i]; out = int(0.2 * count[c])
    if (seen[c]++ >= count[c] - out) print line[i] } }' >validation.csv
run predict model.cnm validation.csv
check "it is the score of the validation rows" \
    awk "BEGIN { d = $(accuracy_in out) - 100 * $score; exit !(d < 0.006 && d > -0.006) }"
run train -k 8 --validation 0.2 --patience 1 --epochs 100000 --json rings.csv model.cnm
exits "--patience ends a training" 0
check "--json: the score is a number" grep -qE '"validation": 0\.[0-9]+' out

# A map for a kernel: closer to it than the random one, and than no map at all.
run train -m kernel-approximation -k 16 --map-steps 100 --batch 100 --epochs 50 rings.csv kernel.cnm
exits "-m kernel-approximation" 0
error=$(value_of kernel-error)
check "closer than the random map" awk "BEGIN { exit !($error < $(value_of kernel-error-random)) }"
check "closer than a constant" awk "BEGIN { exit !($error < $(value_of kernel-error-constant)) }"
run inspect kernel.cnm
check "inspect: the kernel's error" grep -qE '^kernel_error +0\.' out
run predict kernel.cnm test.csv
at_least "-m kernel-approximation" "$(accuracy_in out)" 75
sed 's/,[a-z]*$//' rings.csv >bare.csv
run train -m kernel-approximation --task map -k 16 --map-steps 100 --batch 100 bare.csv map.cnm
exits "a map without labels" 0
holds "a map without labels" out "kernel-error-constant"
run transform map.cnm bare.csv -o z.npy
exits "transform" 0
check "its features" test "$(wc -c <z.npy)" = $((128 + 1200 * 16 * 4))

# Numbers.
awk -F, 'NR == 1 { print "a,b,target" } NR > 1 { print $1 "," $2 "," $1 * $2 }' rings.csv >wave.csv
for loss in squared huber epsilon; do
    run train -k 16 --epochs 60 --loss $loss wave.csv wave.cnm
    exits "--loss $loss" 0
    at_least "--loss $loss" "$(value_of training-r2)" 0.8
done
run train -k 16 --epochs 60 --loss quantile --quantile 0.9 wave.csv wave.cnm
exits "--loss quantile" 0
at_least "--loss quantile" "$(value_of quantile)" 0.9
check "--loss quantile: its own figure" grep -qE '^training-pinball +[0-9.e-]+$' out
run predict wave.cnm wave.csv
holds "predict of a quantile" out "(quantile 0.9; "
check "predict of a quantile: no R2" test -z "$(grep R2 out)"
run predict --json wave.cnm wave.csv
holds "predict --json of a quantile" out '"coverage": 0.'
run export wave.cnm -o wave.c --dtype i8 --data wave.csv
check "export of a quantile" grep -qE '^pinball-exported +[0-9.e-]+$' out
run tune --max-k 8 --cv 2 --epochs 20 --loss quantile wave.csv
exits "tune --loss quantile" 0
holds "tune --loss quantile" out "pinball"
run train --quantile 0.9 wave.csv wave.cnm
exits "--quantile for another loss" 2
holds "--quantile for another loss" err "--quantile 0.9 needs --loss quantile"
run train --loss hinge wave.csv wave.cnm
exits "a loss for classes on numbers" 2
holds "a loss for classes on numbers" err "--loss hinge is for classes"

# A series along k.
run train --grow 40 -k 4 --epochs 20 rings.csv series.cnm
exits "--grow" 0
for k in 4 8 16 32; do
    run inspect series-k$k.cnm
    check "--grow: k = $k" test "$(value_of features)" = $k
done
check "--grow stops at its bound" test ! -e series-k64.cnm
check "--grow writes nothing else" test ! -e series.cnm
run train --grow 16 --epochs 20 rings.csv
exits "--grow with names and features of its own" 0
cp out table
check "--grow: the table" grep -qE "^ +16 +$(wc -c <rings-k16.cnm) +[01]\.[0-9]{4}  rings-k16.cnm$" table
run predict rings-k16.cnm rings.csv
check "--grow: the table's score" \
    awk "BEGIN { d = $(accuracy_in out) - 100 * $(awk '$1 == 16 { print $3 }' table); exit !(d < 0.011 && d > -0.011) }"
run train -q -k 8 --epochs 20 rings.csv alone.cnm
same "--grow: the first is an ordinary training" alone.cnm rings-k8.cnm
run train -q --from rings-k8.cnm -k 16 --epochs 20 rings.csv alone.cnm
same "--grow: the next goes on from it" alone.cnm rings-k16.cnm
run train --grow 16 --epochs 20 --validation 0.2 --json rings.csv grown.cnm
check "--grow --json is one line" test "$(wc -l <out)" = 1
check "--grow --json" grep -qE \
    '^\{"models": \[\{"features": 8, "bytes": [0-9]+, "validation": [01]\.?[0-9]*, "model": "grown-k8.cnm"\}, ' out
run train -q --grow 16 --epochs 2 rings.csv quiet.cnm
empty "--grow -q prints nothing" out
empty "--grow -q prints nothing" err

# Going on with new rows.
run train -q -k 8 --epochs 10 rings.csv first.cnm
run train --from first.cnm test.csv second.cnm
exits "--from" 0
check "--from keeps the features" test "$(value_of features)" = 8
run inspect second.cnm
check "--from: inspect shows it" grep -q "^warm_start " out
run inspect first.cnm
gamma=$(value_of gamma)
run inspect second.cnm
check "--from keeps gamma" test "$(value_of gamma)" = "$gamma"
run predict second.cnm test.csv
at_least "--from" "$(accuracy_in out)" 80
run train --from first.cnm -k 24 --epochs 20 test.csv larger.cnm
check "--from -k grows" test "$(value_of features)" = 24
run train --from first.cnm -k 4 test.csv smaller.cnm
exits "--from cannot shrink" 2
holds "--from cannot shrink" err "--features 4 is less than the 8 that first.cnm has"
run train --from first.cnm blobs.csv other.cnm
exits "--from with other columns" 1
run train --from map.cnm rings.csv other.cnm
exits "--from a map alone" 1
holds "--from a map alone" err "only a model with a map and a head can be trained further"
run train --from missing.cnm rings.csv other.cnm
exits "--from nothing" 1
check "no model of them" test ! -e other.cnm
cp first.cnm same.cnm
run train -q --from same.cnm test.csv same.cnm
exits "--from a model that is replaced" 0
same "--from a model that is replaced" same.cnm second.cnm
run train -q -k 8 --epochs 20 --positive 2 blobs.csv two.cnm
run train -q --from two.cnm blobs-test.csv two-more.cnm
exits "--from remembers --positive" 0
run predict two-more.cnm blobs-test.csv
at_least "--from remembers --positive" "$(accuracy_in out)" 80
finish
