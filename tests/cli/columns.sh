#!/bin/sh
# What becomes of columns: those that say nothing are left out, missing cells are filled and marked,
# and both are said once.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

# people ROWS SEED [MISSING]: csv rows of a row id, an age, a constant and a number; every eighth
# age is missing where MISSING is not empty.
people() {
    awk -v rows="$1" -v state="$2" -v missing="$3" '
    function number() { state = (state * 16807) % 2147483647; return state / 2147483647 }
    BEGIN {
        print "id,age,unit,score,label"
        for (i = 1; i <= rows; i++) {
            age = 20 + 40 * number(); score = number()
            shown = missing != "" && i % 8 == 3 ? "" : sprintf("%.3f", age)
            printf "%d,%s,7,%.4f,%s\n", i, shown, score, (age / 60 + score > 1.1 ? "yes" : "no")
        }
    }'
}

people 300 5 >whole.csv
people 300 5 missing >gaps.csv

run train -k 32 --epochs 60 --effort quick whole.csv
exits "columns that say nothing" 0
holds "are named with the reason" err "columns left out: id (numbers the rows), unit (always the same)"
lacks "no cell is missing" err "missing cells"
run inspect whole.cnm
check "the model needs the file's columns" grep -qE '^columns +4$' out
check "and learns from two" grep -qE '^inputs +2$' out
check "the others are named" grep -qE '^left_out +id \(numbers the rows\), unit \(always the same\)$' out
run inspect --json whole.cnm
holds "as JSON too" out '"left_out": "id (numbers the rows), unit (always the same)"'
run predict whole.cnm whole.csv
exits "the same file is predicted" 0
empty "without a word" err
at_least "and was learned" "$(accuracy_in out)" 90

run predict whole.cnm gaps.csv
exits "missing cells where training had none" 0
holds "are counted" err "note: 38 missing cells where training had none, in age: the column's centre stands for them"
check "once" test "$(grep -c note err)" = 1
run transform whole.cnm gaps.csv -o z.npy
exits "in a transform too" 0
holds "they are counted" err "38 missing cells"
run predict -q whole.cnm gaps.csv
empty "-q says nothing" err

run train -k 32 --epochs 60 --effort quick gaps.csv
exits "missing cells" 0
holds "are filled and marked" err "missing cells: 38 in 1 column, filled with the mean; age has an indicator"
run inspect gaps.cnm
check "an indicator is an input" grep -qE '^inputs +3$' out
check "of a column that is named" grep -qE '^indicators +age$' out
run predict gaps.cnm gaps.csv
empty "training had missing cells too" err
at_least "and they do no harm" "$(accuracy_in out)" 85
run train --missing mean -k 8 --epochs 5 --effort quick gaps.csv
lacks "--missing mean marks nothing" err "indicator"
run train --missing error gaps.csv out.cnm
exits "--missing error refuses them" 1
holds "where they are" err "gaps.csv:4: found a missing value in column 2 ('age')"
run train --missing error -k 8 --epochs 5 --effort quick whole.csv
run predict whole.cnm gaps.csv
exits "and so does its model" 1

run train --columns id,unit -k 8 --epochs 5 --effort quick whole.csv
exits "columns chosen by hand" 0
lacks "stay" err "left out"
cut -d, -f 1,3,5 whole.csv >nothing.csv
run train nothing.csv out.cnm
exits "nothing is left to learn from" 1
holds "why" err "left out are id (numbers the rows), unit (always the same)"
holds "and what to do" err "--columns"

finish
