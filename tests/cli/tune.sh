#!/bin/sh
# cnm tune: the frontier of size against accuracy, its file of results, its picture, and the model
# at the knee.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

rings 400 41 >rings.csv
rings 300 42 >test.csv
blobs 150 43 >blobs.csv
quick="--cv 2 --epochs 10 --map-rate 1"

# tune ARGUMENTS...: with quick trainings.
tune() {
    # shellcheck disable=SC2086  # words are meant
    run tune $quick "$@"
}
# figures FILE: the table without its times, which no run repeats.
figures() { awk '$1 == "dense" || $1 == "circulant" { print $1, $2, $3, $5, $6 }' "$1"; }
# entries FILE: how many results it keeps.
entries() { grep -cE '^(dense|circulant)[a-z-]* ' "$1"; }
# is_json FILE, is_svg FILE LINES: where python3 is installed. Both are conditions for check.
# shellcheck disable=SC2317
is_json() { ! command -v python3 >/dev/null || python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1"; }
# shellcheck disable=SC2317
is_svg() {
    ! command -v python3 >/dev/null ||
        python3 -c 'import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
lines = len(root.findall(".//{*}polyline"))
sys.exit(root.tag != "{http://www.w3.org/2000/svg}svg" or lines != int(sys.argv[2]))' "$1" "$2"
}

# The table, the marks, the model and the picture.
tune --max-k 32 --plot rings.svg rings.csv
exits "tune" 0
cp out table
figures table >first
check "its sizes" test "$(awk '{ printf "%s ", $2 }' first)" = "8 16 32 "
check "files grow with them" sh -c "awk '{ print \$3 }' first | sort -nuC"
# shellcheck disable=SC2016  # awk's own dollars
check "scores are fractions" awk '$4 < 0.5 || $4 > 1 || $5 < 0 || $5 > 0.5 { exit 1 }' first
for mark in best knee; do
    check "the $mark is marked" \
        grep -qE "^$mark: dense, (8|16|32) features, [0-9]+ bytes, accuracy 0\.[0-9]{4} \+- 0\.[0-9]{4}" table
done
knee=$(sed -n 's/^knee: dense, \([0-9]*\) features.*/\1/p' table)
# shellcheck disable=SC2016  # awk's own dollars
check "the knee is the smallest within one error of the best" awk -v knee="$knee" '
    { size[NR] = $2; score[NR] = $4; if (NR == 1 || $4 > best) { best = $4; error = $5 } }
    END { for (i = 1; i <= NR && score[i] < best - error; i++); exit !(size[i] == knee) }' first
holds "the model is named" table "model: rings.cnm, dense, $knee features, $(wc -c <rings.cnm) bytes"
run inspect rings.cnm
check "the model has the knee's features" grep -qE "^features +$knee\$" out
run predict rings.cnm test.csv
at_least "the model predicts" "$(accuracy_in out)" 75
check "the picture" is_svg rings.svg 1
holds "the picture marks the knee" rings.svg "knee: $knee features"
check "the file of results" test "$(entries rings.cnm.tune)" = 6

holds "trainings on folds are quick" rings.cnm.tune " effort quick "
tune --max-k 8 --effort thorough rings.csv thorough.cnm
holds "unless the line has --effort" thorough.cnm.tune " effort thorough "

# The model is what cnm train gives.
run train -q -k "$knee" --epochs 10 --map-rate 1 rings.csv alone.cnm
same "the chosen map, trained on all rows" alone.cnm rings.cnm

# The scores are those of the folds: halves of each class in the order of the file.
sed 1d rings.csv | awk -F, '{ label[NR] = $3; line[NR] = $0; count[$3]++ }
    END { print "x,y,label" >"a.csv"; print "x,y,label" >"b.csv"
    for (i = 1; i <= NR; i++) { c = label[i]; print line[i] >(seen[c]++ < count[c] / 2 ? "a.csv" : "b.csv") } }'
run train -q -k 8 --epochs 10 --map-rate 1 --effort quick b.csv b.cnm
run predict b.cnm a.csv
one=$(accuracy_in out)
run train -q -k 8 --epochs 10 --map-rate 1 --effort quick a.csv a.cnm
run predict a.cnm b.csv
# shellcheck disable=SC2016  # awk's own dollars
check "the score is the mean over the folds" awk -v one="$one" -v two="$(accuracy_in out)" '
    $2 == 8 { d = 100 * $4 - (one + two) / 2; exit !(d < 0.011 && d > -0.011) }' first

# Going on: what is there is not trained again.
tune --max-k 16 rings.csv again.cnm
exits "a small frontier" 0
sed -n '2,5p' again.cnm.tune >kept
tune --max-k 32 rings.csv again.cnm
exits "a larger one" 0
holds "the note counts the results" err "4 results of an earlier run are in again.cnm.tune"
sed -n '2,5p' again.cnm.tune >still
same "they stay as they are, times included" kept still
figures out >second
same "and the table is that of one run" first second
tune --max-k 8 rings.csv again.cnm
check "a smaller one forgets nothing" test "$(entries again.cnm.tune)" = 6

# A score that was changed by hand would show: the file is believed. Its line has a checksum, so
# that damage is not.
sed -e '2s/^dense 8 0 /dense 8 1 /' -e '4s/....$//' -e '5s/.*/what is this/' -e '$s/$/junk/' again.cnm.tune >damaged
cp damaged again.cnm.tune
tune --max-k 32 rings.csv again.cnm
exits "a damaged file" 0
holds "a damaged file" err "2 results of an earlier run"
figures out >second
same "damaged lines are done again" first second
tune --max-k 8 --seed 2 rings.csv again.cnm
exits "another seed" 0
holds "another seed" err "again.cnm.tune was made with other rows or options: starting afresh"
check "another seed" test "$(entries again.cnm.tune)" = 2
tune --max-k 8 --seed 2 test.csv again.cnm
holds "other rows" err "starting afresh"
echo "my notes" >notes.cnm.tune
tune --max-k 8 rings.csv notes.cnm
exits "a file that is something else" 1
holds "a file that is something else" err "notes.cnm.tune is not a file of cnm tune"
check "it stays" grep -qx "my notes" notes.cnm.tune

# Ctrl-C after the first row of a table without an end.
mkfifo rows
# shellcheck disable=SC2086  # words are meant
"$cnm" tune $quick --max-k 100000000 rings.csv long.cnm >rows 2>err &
process=$!
exec 3<rows
read -r line <&3
read -r line <&3
kill -INT $process
cat <&3 >out
status=0
wait $process || status=$?
exec 3<&-
exits "interrupted" 130
check "interrupted" grep -qE "interrupted; [0-9]+ results are in long.cnm.tune: the same line goes on from there" err
check "what was done is kept" test "$(entries long.cnm.tune)" -ge 2
check "no model yet" test ! -e long.cnm
tune --max-k 32 rings.csv long.cnm
exits "after the interruption" 0
holds "after the interruption" err "results of an earlier run are in long.cnm.tune"
figures out >second
same "after the interruption" first second
check "no part is left" sh -c '! ls | grep -qE "part|tmp"'

# JSON, quiet, --pick, --max-bytes.
tune --max-k 16 --json --pick best blobs.csv
exits "--json" 0
check "--json is JSON" is_json out
check "--json is one line" test "$(wc -l <out)" = 1
holds "--json" out \
    '"metric": "accuracy", "folds": 2, "reused": 0, "frontier": [{"projection": "dense", "features": 8, '
holds "--json: layers" out '"features": 8, "layers": null, "bytes": '
best=$(grep -oE '"features": [0-9]+, [^{]*"best": true' out | grep -oE '^"features": [0-9]+')
check "--pick best" test "$(grep -oE '"features": [0-9]+' out | tail -n 1)" = "$best"
tune -q --max-k 8 rings.csv quiet.cnm
exits "-q" 0
empty "-q" out
empty "-q" err
bound=$(awk '$2 == 16 { print $3 }' first)
tune --max-bytes "$bound" rings.csv small.cnm
exits "--max-bytes" 0
check "--max-bytes bounds the table" test "$(figures out | awk '{ printf "%s ", $2 }')" = "8 16 "
check "--max-bytes bounds the model" test "$(wc -c <small.cnm)" -le "$bound"
holds "--max-bytes is noted" err "dense maps of 32 features and more are larger than --max-bytes"
tune --max-bytes 100 rings.csv none.cnm
exits "--max-bytes for nothing" 2
holds "--max-bytes for nothing" err "--max-bytes 100 is too small: a model of 8 features has "

# Wide rows: circulant maps too, unless one kind is asked for. Numbers: R2, or errors, the lower the
# better.
awk 'BEGIN { state = 7; for (i = 0; i < 60; i++) { printf "%d", i % 2
    for (j = 0; j < 64; j++) {
        state = (state * 16807) % 2147483647
        printf ",%.3f", state / 2147483647 + (i % 2) * (j % 3) / 4
    }
    print "" } }' >wide.csv
tune --max-k 16 --label-column first --header no --plot wide.svg wide.csv
exits "wide rows" 0
check "wide rows: both projections" \
    test "$(figures out | awk '{ printf "%s%s ", $1, $2 }')" = "dense8 circulant8 dense16 circulant16 "
check "wide rows: two lines" is_svg wide.svg 2
tune --max-k 8 -p circulant --label-column first --header no wide.csv
check "-p" test "$(figures out | awk '{ printf "%s%s ", $1, $2 }')" = "circulant8 "

# Stacks of two layers, where the dense maps go to as many parameters: with a head of one column
# 16,8 has 192, 64 features of two columns have 256, and 32,16 has 640.
tune --max-k 64 --plot stacks.svg rings.csv stacks.cnm
exits "stacks" 0
cp out table
figures table >first
check "stacks: in the order of the last layer" test "$(awk '{ printf "%s ", $2 }' first)" = "8 16,8 16 32 64 "
check "stacks: a line of their own" is_svg stacks.svg 2
holds "stacks: in the picture" stacks.svg ">16,8<"
holds "stacks: in the picture" stacks.svg ">two layers<"
check "stacks: kept as they are" test "$(grep -c '^dense 16,8 [01] ' stacks.cnm.tune)" = 2
sed -i '/^dense 16,8 1 /d' stacks.cnm.tune
tune --max-k 64 rings.csv stacks.cnm
holds "stacks: found again" err "9 results of an earlier run"
figures out >second
same "stacks: one run and two" first second
# shellcheck disable=SC2016  # awk's own dollars
check "stacks: the knee is chosen by bytes" awk '
    FNR == NR { text[NR] = $2; size[NR] = $3; score[NR] = $4; if (NR == 1 || $4 > best) { best = $4; error = $5 }
        rows = NR; next }
    /^knee:/ { knee = $3 == "layers" ? $4 : $3; sub(",$", "", knee) }
    END { for (i = 1; i <= rows; i++) if (score[i] >= best - error && (!least || size[i] < least)) {
        least = size[i]; name = text[i] } exit knee != name }' first table
tune --max-k 64 -p dense rings.csv plain.cnm
check "-p dense: no stacks" test "$(figures out | awk '{ printf "%s ", $2 }')" = "8 16 32 64 "
awk '$2 != "16,8"' first >single
figures out >second
same "-p dense: the others as they were" single second
while IFS='@' read -r sizes line; do
    # shellcheck disable=SC2086  # words are meant
    run tune --cv 2 --max-k 64 $line rings.csv method.cnm
    exits "tune $line" 0
    check "tune $line: its sizes" test "$(figures out | awk '{ printf "%s ", $2 }')" = "$sizes "
done <<'END'
8 16 32 64@-m kernel-approximation --map-steps 5 --epochs 2
8 16 32 64@--distill yes --epochs 2
8 16,8 16 32 64@-m rff --epochs 2
8 16,8 16 32 64@--recipe alternating --iterations 2
END

# checksum LINE: that of a line of results, FNV-1a.
checksum() {
    sum=2166136261
    for byte in $(printf %s "$1" | od -An -v -tu1); do
        sum=$((((sum ^ byte) * 16777619) & 4294967295))
    done
    printf %08x "$sum"
}
# With results that put a stack before all others, it is what cnm train gives.
while read -r projection size fold bytes times score sum; do
    case $size in
    16,8) score=1 sum=$(checksum "$projection $size $fold $bytes $times 1") ;;
    esac
    echo "$projection $size $fold $bytes $times $score $sum"
done <stacks.cnm.tune | sed '1d' >better
sed -n '1p' stacks.cnm.tune | cat - better >better.cnm.tune
tune --max-k 64 --json rings.csv better.cnm
exits "a stack before all others" 0
holds "it is the best and the knee" out '"score": 1, "error": 0, "best": true, "knee": true}'
check "--json has its layers" grep -qE '"pick": "knee", .*"projection": "dense", "features": 8, "layers": "16,8", ' out
holds "and its place" out '"features": 8, "layers": "16,8", "bytes": '
run train -q --layers 16,8 --epochs 10 --map-rate 1 rings.csv alone.cnm
same "the stack, trained on all rows" alone.cnm better.cnm

awk -F, 'NR == 1 { print "a,b,target" } NR > 1 { print $1 "," $2 "," $1 * $2 }' rings.csv >wave.csv
for metric in f1 logloss; do
    tune --max-k 8 --metric $metric rings.csv
    exits "--metric $metric" 0
    holds "--metric $metric" out " $metric "
done
tune --max-k 8 wave.csv
exits "numbers" 0
holds "numbers" out " r2 "
tune --max-k 16 --metric rmse --json wave.csv
exits "--metric rmse" 0
# shellcheck disable=SC2016  # awk's own dollars
check "--metric rmse: the best is the lowest" sh -c 'grep -oE "\"score\": [0-9.e-]+|\"best\": [a-z]+" out |
    awk "\$1 ~ /score/ { score = \$2; if (!n++ || score < low) low = score }
        \$1 ~ /best/ && \$2 == \"true\" { best = score } END { exit !(best == low) }"'

# Lines and rows that cannot be.
awk 'NR == 1 || /in$/' rings.csv >one.csv
printf 'x,y,label\n1,2,in\n2,1,out\n1,1,in\n2,2,out\n' >few.csv
while IFS='@' read -r expected line sentence; do
    # shellcheck disable=SC2086  # words are meant
    run tune --epochs 2 $line
    exits "tune $line" "$expected"
    empty "tune $line" out
    holds "tune $line" err "$sentence"
done <<'END'
2@@too few arguments
2@--estimate yes rings.csv@--estimate yes does not go with tune
2@-k 8 rings.csv@-k does not go with tune, which tries 8, 16, 32
2@-m linear rings.csv@--method linear has no map whose size could be chosen
2@-m rff --task map rings.csv@--task map predicts nothing that could be evaluated
2@--max-k 7 rings.csv@--max-k cannot be "7": expected a whole number from 8
2@--max-k many rings.csv@--max-k cannot be "many"
2@--max-bytes 0 rings.csv@--max-bytes cannot be "0"
2@--cv 1 rings.csv@--cv cannot be "1": expected a whole number from 2 to 1000
2@--pick elbow rings.csv@--pick cannot be "elbow": expected best or knee
2@--plot rings.png rings.csv@--plot cannot be "rings.png": expected a name that ends in .svg
2@--metric f1 wave.csv@--metric f1 is for classification, but the labels are regression targets
2@--metric rmse rings.csv@--metric rmse is for regression, but the labels are classes: if they are regression targets
2@--metric auc blobs.csv@--metric auc is for two classes, and there are 3
2@--iterations 5 rings.csv@--iterations 5 needs --method cnm --recipe alternating
2@rings.csv -@standard output carries the table: give MODEL a name
2@-@DATA is standard input and has no name
2@rings.csv rings.csv@rings.csv would overwrite the data
1@one.csv@all 
1@few.csv@2 rows in the largest class are too few for 5 folds
1@missing.csv@missing.csv
1@rings.csv nowhere/model.cnm@cannot write nowhere/model.cnm
END

run help --all tune
exits "help tune" 0
for example in "--max-bytes 20000" "--max-k 128 --cv 3" "--plot" "--pick best" "MODEL.tune" "--effort quick"; do
    holds "the help has the example" out "$example"
done
# shellcheck disable=SC2016  # awk's own dollar
check "help fits a wide terminal" awk 'length($0) > 110 { exit 1 }' out
finish
