#!/bin/sh
# Files out: conversions that come back, features as .npy, files written aside, outputs that cannot
# be written.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

rings 300 8 >rings.csv
run train -q -k 16 --epochs 20 rings.csv

# There and back.
run convert rings.csv -o rings.libsvm
exits "to libsvm" 0
run convert rings.libsvm -o back.csv
exits "back to csv" 0
run convert back.csv -o again.libsvm
same "libsvm and back" rings.libsvm again.libsvm
run convert blobs-none.csv -o x.csv
exits "no such file" 1
blobs 200 9 >blobs.csv
run convert blobs.csv -o x.npy --labels-out y.npy
exits "to npy" 0
run convert x.npy --labels y.npy -o from-npy.libsvm
exits "from npy" 0
run convert blobs.csv -o blobs.libsvm
same "npy and back" from-npy.libsvm blobs.libsvm
run convert blobs.csv -o - --to csv
exits "onto standard output" 0
check "onto standard output" test "$(wc -l <out)" -ge 200
run convert --rows 11:20 blobs.csv -o ten.libsvm
sed -n 11,20p blobs.libsvm >expected
same "--rows" ten.libsvm expected
run convert --rows 1:9999 blobs.csv -o none.libsvm
exits "more rows than there are" 1
check "nothing is left behind" test ! -e none.libsvm
run convert --shuffle 1 blobs.csv -o shuffled.libsvm
sort blobs.libsvm >one
sort shuffled.libsvm >two
same "--shuffle keeps all rows" one two

# Features: a header of 128 bytes, then 300 rows of 16 floats.
run transform rings.cnm rings.csv -o z.npy
exits "transform" 0
check "the size of z.npy" test "$(wc -c <z.npy)" = $((128 + 300 * 16 * 4))
holds "the shape of z.npy" z.npy "'shape': (300, 16)"
"$cnm" transform rings.cnm rings.csv -o - >z2.npy 2>err
same "onto standard output" z.npy z2.npy
"$cnm" transform rings.cnm - -o z3.npy <rings.csv >out 2>err
same "from standard input" z.npy z3.npy
run transform --threads 2 rings.cnm rings.csv -o z4.npy
same "on two threads" z.npy z4.npy
run convert z.npy -o z.libsvm
exits "its own reader reads it" 0
check "all rows" test "$(wc -l <z.libsvm)" = 300
run train -q -m rff --task map -k 24 rings.csv map.cnm
exits "a map alone" 0
run transform map.cnm rings.csv -o map.npy
check "its features" test "$(wc -c <map.npy)" = $((128 + 300 * 24 * 4))
run predict map.cnm rings.csv
exits "a map alone predicts nothing" 1
holds "a map alone predicts nothing" err "use cnm transform"

# Outputs that cannot be written.
run predict rings.cnm rings.csv -o no/such/folder/labels.txt
exits "no such folder" 1
holds "no such folder" err "cannot write no/such/folder/labels.txt"
run train -k 8 --epochs 1 rings.csv no/such/folder/model.cnm
exits "no such folder for the model" 1
holds "no such folder for the model" err "cannot write no/such/folder/model.cnm"
mkdir folder.npy
run transform rings.cnm rings.csv -o folder.npy
exits "a folder in the way" 1
if [ -w /dev/full ]; then
    for line in "predict rings.cnm rings.csv -o -" "help train" "inspect rings.cnm" \
        "transform rings.cnm rings.csv -o -" "convert rings.csv --to csv -o -"; do
        status=0
        # shellcheck disable=SC2086  # words are meant
        "$cnm" $line >/dev/full 2>err || status=$?
        exits "a full disk: $line" 1
        holds "a full disk: $line" err "space"
    done
    run predict rings.cnm rings.csv -o /dev/full
    exits "a full device" 1
fi
check "/dev/null stays a device" \
    sh -c "'$cnm' predict -q rings.cnm rings.csv -o /dev/null >/dev/null && test -c /dev/null"
rings 60000 8 >many.csv
{
    status=0
    "$cnm" predict rings.cnm many.csv -o - 2>err || status=$?
    echo $status >status
} | head -n 1 >/dev/null
check "a reader that goes away: status 1" test "$(cat status)" = 1
holds "a reader that goes away" err "standard output"

# An old file survives a failure, and no part is left.
echo old >labels.txt
head -c 2000 many.csv >broken.csv
echo "1,2,3,4,5,6" >>broken.csv
run predict rings.cnm broken.csv -o labels.txt
exits "a broken file" 1
check "the old predictions survive" test "$(cat labels.txt)" = old
check "no part is left" sh -c '! ls | grep -q "part"'
run train -k 16 --epochs 20 rings.csv rings.cnm
exits "an existing model is replaced" 0
ln -s labels.txt link.txt
run predict -q rings.cnm rings.csv -o link.txt
check "a link stays a link" test -L link.txt
check "what it points to is written" test "$(wc -l <labels.txt)" = 300

# The demonstration and its pictures.
run demo --shape banana --picture picture.svg
exits "demo" 0
check "an SVG" sh -c 'head -c 4 picture.svg | grep -q "<svg" && tail -n 1 picture.svg | grep -qx "</svg>"'
run demo --picture picture.png
exits "demo" 0
for word in none random learned 8 512 accuracy "us a row"; do
    holds "the demonstration's table" out "$word"
done
# The closing sentence agrees with the table.
sed -n 's/^\([0-9]*\) learned features classify \([0-9.]*\)% .*, \([0-9]*\) random ones \([0-9.]*\)%.*/\1 \2 \3 \4/p' \
    out >claim
read -r learned learned_accuracy random random_accuracy <claim
check "the claim: the learned map's row" grep -qE "^learned +$learned +[0-9]+ +$learned_accuracy%" out
check "the claim: the random map's row" grep -qE "^random +$random +[0-9]+ +$random_accuracy%" out
at_least "the claim: learned against random" "$learned_accuracy" "$random_accuracy"
holds "the claim: its factor" out "saves a factor of $((random / learned)) here"
check "a PNG" sh -c "head -c 8 picture.png | od -An -tx1 | grep -q '89 50 4e 47 0d 0a 1a 0a'"
check "letters where there is no terminal" sh -c "! grep -q \"\$(printf '\\033')\" out"
finish
