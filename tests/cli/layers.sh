#!/bin/sh
# Stacks of layers from the command line: train, inspect, predict, go on, learn from a teacher, and
# what does not go together.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

rings 500 61 >rings.csv
rings 400 62 >test.csv

run train --layers 16,circulant:8 --epochs 60 --effort quick rings.csv stack.cnm
exits "a stack" 0
run inspect stack.cnm
check "inspect shows the layers" grep -qE '^layers +dense:16,circulant:8$' out
check "features are those of the last layer" grep -qE '^features +8$' out
run predict stack.cnm test.csv
at_least "a stack predicts" "$(accuracy_in out)" 90

run train --layers columns:4,12,8 --scale quantile --epochs 60 --effort quick rings.csv columns.cnm
exits "columns and quantiles" 0
run inspect columns.cnm
check "inspect shows columns" grep -qE '^layers +columns:4,dense:12,dense:8$' out
check "inspect shows the scaling" grep -qE '^scale +quantile$' out
run predict columns.cnm test.csv
at_least "it predicts" "$(accuracy_in out)" 90

run train --layers 16,8 --recipe alternating --iterations 20 rings.csv turns.cnm
exits "a stack, layer by layer" 0
run predict turns.cnm test.csv
at_least "it predicts" "$(accuracy_in out)" 90

run train -q --from columns.cnm -k 10 --epochs 5 rings.csv grown.cnm
exits "a stack goes on" 0
run inspect grown.cnm
check "its last layer grows" grep -qE '^layers +columns:4,dense:12,dense:10$' out

run train --layers circulant:12,4 --grow 16 --epochs 30 --effort quick rings.csv sizes.cnm
exits "the last layer grows, size by size" 0
check "a row for each size" test "$(awk '$1 ~ /^[0-9]+$/ { printf "%s ", $1 }' out)" = "4 8 16 "
for size in 4 8 16; do
    run inspect sizes-k$size.cnm
    check "layers of $size" grep -qE "^layers +circulant:12,dense:$size\$" out
done
run train -q --layers circulant:12,4 --epochs 30 --effort quick rings.csv first.cnm
check "the first is that of --layers" cmp -s first.cnm sizes-k4.cnm
run train -q --from first.cnm -k 8 --epochs 30 --effort quick rings.csv second.cnm
check "the second is that of --from" cmp -s second.cnm sizes-k8.cnm

run train -q --layers 8,8 --teacher columns.cnm --epochs 20 --effort quick rings.csv student.cnm
exits "a stack learns from a stack" 0

run train -q -p circulant -k 12 --epochs 20 --effort quick rings.csv one.cnm
run train -q --layers circulant:12 --epochs 20 --effort quick rings.csv same.cnm
check "one layer is -p and -k" cmp -s one.cnm same.cnm

refuses() { # sentence options...
    sentence=$1
    shift
    run "$@" rings.csv refused.cnm
    exits "$*" 2
    holds "$*" err "$sentence"
}
refuses "--features 8 does not go with --layers" train --layers 8,8 -k 8
refuses "--projection circulant does not go with --layers" train --layers 8,8 -p circulant
refuses "expected FEATURES or PROJECTION:FEATURES for each layer" train --layers 8,
refuses "has more than one layer, and --distill yes trains one" train --layers 8,8 --distill yes
refuses "has more than one layer" train --layers 8,8 --method kernel-approximation
refuses "expected a whole number from 8, the features to begin with" train --layers 8,8 --grow 7
refuses "--layers does not go with --from" train --layers 8,8 --from stack.cnm
refuses "--layers does not go with tune" tune --layers 8,8
run train --layers 8,columns:4 rings.csv refused.cnm
holds "columns last" err "prepares rows for another layer"

finish
