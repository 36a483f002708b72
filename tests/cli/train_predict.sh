#!/bin/sh
# The whole path: data in, model out, predictions, metrics; names, streams, standard input and
# output, gzip, locale.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

mkdir data
rings 1500 1 >data/rings.csv
rings 1000 2 >test.csv
gzip -k data/rings.csv

# Names: DATA's base name without .gz and its ending, in the current folder.
run train -m rff -k 64 data/rings.csv.gz
exits "train" 0
check "the default name" test -s rings.cnm
lacks "results do not go to standard error" err "training-accuracy"
check "the label comes first" test "$(head -n 1 err)" = "label: label (by its name), 2 classes: in 52 %, out 48 %"
check "then the task" test "$(sed -n 2p err)" = "task: classification, since the labels are words"
check "the summary begins with the label" test "$(head -n 1 out | tr -s ' ')" = "label label"
check "then the task" test "$(sed -n 2p out | tr -s ' ')" = "task classify"
for key in rows columns classes features gamma bytes training-accuracy seconds; do
    holds "the summary" out "$key"
done
mv rings.cnm from-gz.cnm
run train -m rff -k 64 data/rings.csv named.cnm
exits "train with a name" 0
same "gzipped or not, the same model" from-gz.cnm named.cnm
"$cnm" train --estimate no -m rff -k 64 - stdin.cnm <data/rings.csv >/dev/null 2>&1
same "from standard input, the same model" stdin.cnm named.cnm
"$cnm" train --estimate no -m rff -k 64 data/rings.csv - >piped.cnm 2>err
same "onto standard output, the same model" piped.cnm named.cnm
holds "the summary then goes to standard error" err "training-accuracy"
run train -m rff -k 64 -q data/rings.csv quiet.cnm
empty "-q prints nothing" out
empty "-q prints nothing" err
run train -m rff -qk64 --seed=1 data/rings.csv together.cnm
same "letters together, value behind =" together.cnm named.cnm
run train -m rff -k 64 --seed 2 data/rings.csv seed2.cnm
check "another seed, another model" sh -c '! cmp -s seed2.cnm named.cnm'
run train -m rff -k 64 --json data/rings.csv json.cnm
check "--json is one line" test "$(wc -l <out)" = 1
holds "--json" out '"rows": 1500'
holds "--json" out '"model": "json.cnm"'

# A map separates what a line cannot; the bound is ten points lower.
run predict named.cnm test.csv
exits "predict" 0
check "the metric's form" grep -qxE 'Accuracy = [0-9.]+% \([0-9]+/1000\)' out
at_least "random features" "$(accuracy_in out)" 85
run train -m linear data/rings.csv line.cnm
exits "train -m linear" 0
run predict line.cnm test.csv
at_least "a line cannot" "$(awk "BEGIN { print 100 - $(accuracy_in out) }")" 25

# Predictions and where they go.
run predict named.cnm test.csv
cp out metric
run predict named.cnm test.csv -o labels.txt
same "-o FILE: the metric stays on standard output" out metric
check "one line a row" test "$(wc -l <labels.txt)" = 1000
check "labels only" sh -c '! grep -qvxE "in|out" labels.txt'
run predict named.cnm test.csv -o -
same "-o -: predictions on standard output" out labels.txt
same "-o -: the metric on standard error" err metric
sed 's/,[a-z]*$//' test.csv >bare.csv
run predict named.cnm bare.csv
same "rows without labels: predictions" out labels.txt
lacks "rows without labels: no metric" err "Accuracy"
"$cnm" predict named.cnm - -o - <bare.csv >out 2>err
same "from standard input" out labels.txt
correct=$(sed 1d test.csv | awk -F, '{ print $3 }' | paste -d' ' - labels.txt | awk '$1 == $2' | wc -l)
check "the metric counts right" grep -qF "($correct/1000)" metric
run predict named.cnm test.csv -o scores.txt --scores
check "--scores: label and score" sh -c '! grep -qvxE "(in|out) -?[0-9.]+(e-?[0-9]+)?" scores.txt'
cut -d' ' -f1 scores.txt >first.txt
same "--scores: labels first" first.txt labels.txt
run predict named.cnm test.csv --scores
same "--scores without -o: on standard output" out scores.txt

# Columns are matched by name.
awk -F, '{ print $3 "," $2 "," $1 }' test.csv >turned.csv
run predict named.cnm turned.csv --label-column label
same "columns in another order" out metric

# Reports.
run predict named.cnm test.csv --report
for word in "Accuracy = " "Balanced accuracy = " "AUC = " "Confusion matrix" "precision" "recall" "F1"; do
    holds "--report" out "$word"
done
at_least "AUC" "$(sed -n 's/^AUC = //p' out)" 0.9
run predict named.cnm test.csv --report --json
check "--json is one line" test "$(wc -l <out)" = 1
for word in '"rows": 1000' '"accuracy": 0.' '"auc": 0.' '"confusion": [[' '"labels": ["in", "out"]'; do
    holds "--report --json" out "$word"
done

# A label that training never saw counts as an error and is reported.
{ cat test.csv; echo "0.0,0.0,strange"; } >strange.csv
run predict named.cnm strange.csv
holds "an unknown label counts" out "/1001)"
holds "an unknown label is reported" out "never seen in training"

# More than two classes, numbers as labels, --positive.
blobs 900 3 >blobs.csv
blobs 500 4 >blobs-test.csv
run train -k 64 --epochs 20 blobs.csv
exits "three classes" 0
run predict blobs.cnm blobs-test.csv --report
at_least "three classes" "$(accuracy_in out)" 85
run predict blobs.cnm blobs-test.csv -o - --scores
check "three scores a row" sh -c '! grep -qvxE "[012]( -?[0-9.]+(e-?[0-9]+)?){3}" out'
run train -k 64 --epochs 20 --positive 2 blobs.csv two.cnm
exits "--positive" 0
run predict two.cnm blobs-test.csv
exits "--positive is kept in the model" 0
at_least "--positive" "$(accuracy_in out)" 85
run inspect two.cnm
holds "--positive makes two classes" out "-1, 1"

# Other maps, random and learned.
for options in "-p circulant" "-p circulant-diagonal" "--kernel laplacian" "--kernel cauchy" "--init orthogonal" \
    "--activation relu" "--activation sigmoid" "--phase none" "--scale asinh" "--gamma 2.5" "--gamma paper" \
    "--lambda 1e-3"; do
    for method in rff cnm; do
        # shellcheck disable=SC2086  # words are meant
        run train -m $method -k 32 --epochs 20 $options data/rings.csv other.cnm
        exits "train -m $method $options" 0
        run predict other.cnm test.csv
        exits "predict after -m $method $options" 0
        at_least "after -m $method $options" "$(accuracy_in out)" 50
    done
done

# What inspect shows.
run inspect named.cnm
exits "inspect" 0
for key in task columns features bytes labels method; do
    check "inspect: $key" grep -q "^$key " out
done
size=$(wc -c <named.cnm)
check "inspect knows the size" sh -c "grep -qE '^bytes +$((size))\$' out"
run inspect --json named.cnm
holds "inspect --json: a number" out '"features": 64,'
holds "inspect --json: labels are a list" out '"labels": ["'
holds "inspect --json: stages are a list" out '"stages": ["dataset", '
lacks "inspect --json: no number is a text" out '"gamma": "'
printf 'a,b,7\n' >numbers.csv
awk 'BEGIN { for (i = 0; i < 40; i++) print i % 5 "," i % 3 "," (i % 2 ? "\"x, \"\"y\"\"\"" : "1") }' >>numbers.csv
run train -q --effort quick -k 2 --label-column 7 --header yes numbers.csv numbers.cnm
exits "a column whose name is a number" 0
run inspect --json numbers.cnm
holds "inspect --json: a name that is a number stays a text" out '"label_column": "7"'
holds "inspect --json: labels with commas and quotes" out '"labels": ["1", "x, \"y\""]'

# Weights of 16 bits where they are as good: half the bytes.
for weights in f32 f16 auto; do
    run train -q -k 64 --epochs 5 --dtype $weights blobs.csv $weights.cnm
    exits "--dtype $weights" 0
    run predict -q $weights.cnm blobs-test.csv
    at_least "--dtype $weights" "$(accuracy_in out)" 80
    run inspect $weights.cnm
    check "inspect: --dtype $weights" grep -qE "^dtype +f$([ $weights = f32 ] && echo 32 || echo 16)\$" out
done
same "auto takes 16 bits here" auto.cnm f16.cnm
check "they are smaller" test "$(wc -c <f16.cnm)" -lt $(($(wc -c <f32.cnm) * 7 / 10))

# A locale that writes 0,5 changes nothing.
if locale -a 2>/dev/null | grep -qi '^de_DE.utf'; then
    LC_ALL=de_DE.UTF-8 "$cnm" train --estimate no -m rff -k 64 --gamma 0.5 data/rings.csv comma.cnm >/dev/null 2>&1
    run train -m rff -k 64 --gamma 0.5 data/rings.csv point.cnm
    same "the same model in a comma locale" comma.cnm point.cnm
fi
finish
