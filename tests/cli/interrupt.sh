#!/bin/sh
# Ctrl-C: the program ends with 130; a training writes what it has.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

rings 3000 10 >rings.csv
mkfifo progress

# stop_at_first_line ARGUMENTS...: a training far longer than this test may last; its first line of
# progress behind what was understood, kept in $line, says that it is under way.
stop_at_first_line() {
    "$cnm" train "$@" >out 2>progress &
    process=$!
    exec 3<progress
    read -r line <&3
    while case $line in label:* | task:*) true ;; *) false ;; esac; do
        read -r line <&3
    done
    kill -INT $process
    cat <&3 >err
    status=0
    wait $process || status=$?
    exec 3<&-
}

for options in "-m rff --epochs 1000000" "--epochs 1000000 --validation 0.2" \
    "--recipe alternating --iterations 1000000" "-m kernel-approximation --map-steps 10000000 --epochs 10"; do
    rm -f model.cnm
    # shellcheck disable=SC2086  # words are meant
    stop_at_first_line -k 16 $options rings.csv model.cnm
    exits "train $options, interrupted" 130
    case $line in
    [a-z]*" "[0-9]*%*loss*rows/s*left*) pass ;;
    *) fail "train $options: a plain line of progress with an estimate, not: $line" ;;
    esac
    check "train $options: the model was written" test -s model.cnm
    holds "train $options: and reported" err "interrupted; the model so far is in model.cnm"
    holds "train $options: the summary too" out "interrupted"
    run predict model.cnm rings.csv
    exits "train $options: the model can be used" 0
    run inspect model.cnm
    check "train $options: the model remembers" grep -qE "^stopped +before the end" out
done
check "no part is left" sh -c '! ls | grep -qE "part|tmp"'

# A series that grows: what was written stays. The second model goes on from the first, which ended
# by itself.
stop_at_first_line -k 2 --grow 1000000 rings.csv series.cnm
exits "an interrupted series" 130
holds "an interrupted series" err "models are written, the last as it stood"
case $line in
*" features: "[a-z]*%*) pass ;;
*) fail "a line of progress that names the model, not: $line" ;;
esac
check "its first model was written" test -s series-k2.cnm
check "its table lists what was written" test "$(grep -c cnm out)" = "$(find . -name 'series-k*.cnm' | wc -l)"
for model in series-k*.cnm; do
    run predict "$model" rings.csv
    exits "$model can be used" 0
done

# While reading: nothing is written. The end of the rows comes after the signal.
mkfifo rows
"$cnm" train -k 8 rows other.cnm >out 2>err &
process=$!
exec 4>rows
cat rings.csv >&4
kill -INT $process
exec 4>&-
status=0
wait $process || status=$?
exits "an interrupted reading" 130
finish
