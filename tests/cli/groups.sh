#!/bin/sh
# --group-column: honest figures for rows that come in groups, and a model that reads the same file
# again.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

# strangers ROWS SEED: csv rows of 60 groups with five rows each or more, close to a point of their
# group, whose label is by chance.
strangers() {
    awk -v rows="$1" -v state="$2" '
    function number() { state = (state * 16807) % 2147483647; return state / 2147483647 }
    BEGIN {
        for (g = 0; g < 60; g++) {
            for (j = 0; j < 4; j++) { centre[g, j] = number() }
            label[g] = number() < 0.5 ? "no" : "yes"
        }
        print "a,b,who,c,d,label"
        for (i = 0; i < rows; i++) {
            g = i % 60
            printf "%.4f,%.4f,p%d,%.4f,%.4f,%s\n", centre[g, 0] + number() / 100, centre[g, 1] + number() / 100, g,
                centre[g, 2] + number() / 100, centre[g, 3] + number() / 100, label[g]
        }
    }'
}

strangers 600 7 >rows.csv
score_in() { awk '$1 == "dense" { print $5 }' "$1"; }

run train --group-column who --validation 0.3 -k 64 --epochs 60 rows.csv
exits "train by groups" 0
run inspect rows.cnm
check "the column is remembered" grep -qE '^group_column +who$' out
check "it is no feature" grep -qE '^columns +4$' out
run predict rows.cnm rows.csv
exits "the same file is predicted" 0
empty "without a word" err
check "its labels are known" test -n "$(accuracy_in out)"
sed 1d rows.csv >bare.csv
run train --group-column 3 --label-column last -k 8 --epochs 5 --effort quick bare.csv
exits "by number" 0
run predict bare.cnm bare.csv
exits "the same file without names" 0
check "with labels" test -n "$(accuracy_in out)"
cut -d, -f 1,2,4,5,6 bare.csv >without.csv
run predict bare.cnm without.csv
exits "one column less is doubtful" 1
holds "what to do then" err "--group-column none"
run predict --group-column none bare.cnm without.csv
exits "--group-column none" 0
check "and labelled" test -n "$(accuracy_in out)"
run train --from rows.cnm rows.csv more.cnm
exits "going on" 0
run inspect more.cnm
check "it is still remembered" grep -qE '^group_column +who$' out

# Folds by rows leak: validation rows resemble training rows of their group. Folds by groups do not,
# and 60 random labels are guessed.
cut -d, -f 1,2,4,5,6 rows.csv >plain.csv
run tune --cv 3 --epochs 60 --max-k 64 --map-rate 1 plain.csv fooled.cnm
fooled=$(score_in out | tail -n 1)
run tune --cv 3 --epochs 60 --max-k 64 --map-rate 1 --group-column who rows.csv honest.cnm
exits "tune by groups" 0
honest=$(score_in out | tail -n 1)
at_least "by rows a cross-validation is fooled" "$fooled" 0.9
check "by groups it is not: $honest" awk "BEGIN { exit !($honest < 0.72 && $honest > 0.28) }"

run train --group-column 1 --format libsvm plain.csv
exits "LIBSVM rows have no groups" 1
finish
