#!/bin/sh
# kills.sh [COUNT [CNM]]: trains with checkpoints, kills the training COUNT times (100) at random
# moments, resumes it each time, and compares: every model must be, to the byte, that of a training
# that was left alone, and nine in ten must have gone on past step 0.
#
# The steps that a checkpoint stands for are counted in it: those before the kill and those after it
# must be the whole training's. What the kill itself lost is the age of the checkpoint, which is
# printed at the end. How old it may be, to the step, is the business of
# tests/learn/test_checkpoint.c, where the clock is the test's own; here it depends on other
# programs on the machine.
set -eu
LC_ALL=C
export LC_ALL
count=${1:-100}
cnm=${2:-$(dirname "$0")/../../build/release/cnm}
every=0.05
case $cnm in
/*) ;;
*) cnm=$PWD/$cnm ;;
esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

now() { date +%s.%N; }

# Three turns of two spirals, and columns that mean nothing.
awk 'BEGIN {
    state = 5
    print "a,b,c,d,e,f,arm"
    for (i = 0; i < 2500; i++) {
        for (j = 0; j < 7; j++) { state = (state * 16807) % 2147483647; u[j] = state / 2147483647 }
        angle = 9 * u[0] + 3.14159265 * (i % 2)
        radius = 1 + 9 * u[0]
        printf "%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%s\n", radius * cos(angle) + u[1], radius * sin(angle) + u[2], \
            u[3], u[4], u[5], u[6], i % 2 ? "one" : "two"
    }
}' >spirals.csv

options="-k 64 --epochs 1500" # so long that most moments come after the first checkpoint, on fast machines, too
began=$(now)
# shellcheck disable=SC2086  # words are meant
"$cnm" train -q --estimate no $options --checkpoint whole.state --checkpoint-every $every spirals.csv whole.cnm
ended=$(now)
whole=$(awk "BEGIN { print $ended - $began }")
# made FILE: the steps of all phases that a checkpoint stands for.
made() { sed -n 's/.*"made":"\([0-9]*\)".*/\1/p' "$1" | head -n 1; }
steps=$(made whole.state)
echo "a training with a checkpoint every $every s takes $whole s and $steps steps"

killed=0
same=0
past=0
seed=1
: >ages
while [ "$killed" -lt "$count" ]; do
    seed=$((seed + 1))
    moment=$(awk "BEGIN { srand($seed); rand(); printf \"%.3f\", 0.01 + rand() * $whole }")
    rm -f state model.cnm
    status=0
    # shellcheck disable=SC2086  # words are meant
    timeout -s KILL "$moment" "$cnm" train -q --estimate no $options --checkpoint state --checkpoint-every $every \
        spirals.csv model.cnm 2>err || status=$?
    ended=$(now)
    if [ "$status" = 0 ]; then # faster this time: it was through before the moment came
        continue
    fi
    if [ "$status" != 137 ]; then
        echo "FAILED: the training to be killed ended with $status: $(cat err)"
        exit 1
    fi
    killed=$((killed + 1))
    if [ -e state ]; then
        awk "BEGIN { print $ended - $(stat -c %.Y state) }" >>ages
        before=$(made state)
    else
        before=0
    fi
    # shellcheck disable=SC2086  # words are meant
    "$cnm" train --estimate no $options --checkpoint state --checkpoint-every $every --resume \
        --threads $((1 + killed % 2)) \
        spirals.csv model.cnm >out 2>err
    place=$(sed -n 's/.* with step \([0-9]*\) of \([0-9]*\) (\([a-z]*\)).*/\1 of \2 (\3)/p' err)
    case $place in
    "" | 0*) echo "kill $killed after $moment s: started afresh" ;;
    *)
        past=$((past + 1))
        echo "kill $killed after $moment s: went on with step $place, $before steps made"
        ;;
    esac
    if ! cmp -s model.cnm whole.cnm; then
        echo "FAILED: another model than the whole training's"
    elif [ "$(made state)" != "$steps" ]; then
        echo "FAILED: $(made state) steps behind the model instead of $steps"
    else
        same=$((same + 1))
    fi
done

left=$(find . -name 'state.partial-*' | wc -l)
echo "$killed kills: $same identical models, $past continued past step 0, $left parts of files left"
sort -n ages | awk '{ age[NR] = $1 }
    END { if (NR > 0) printf "age of the checkpoint at the kill: median %.3f s, largest %.3f s\n",
        age[int((NR + 1) / 2)], age[NR] }'
[ "$same" = "$count" ] && [ "$left" = 0 ] && [ $((past * 10)) -ge $((count * 9 - 9)) ]
