#!/bin/sh
# Ctrl-C: the program ends with 130; a training writes what it has.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

rings 3000 10 >rings.csv
mkfifo progress

# A training far longer than this test may last; its first line of progress says that it is under way.
"$cnm" train -k 64 --epochs 1000000 rings.csv model.cnm >out 2>progress &
process=$!
exec 3<progress
read -r line <&3
kill -INT $process
cat <&3 >err
status=0
wait $process || status=$?
exec 3<&-
exits "an interrupted training" 130
case $line in
train*%*left*) pass ;;
*) fail "a plain line of progress with an estimate, not: $line" ;;
esac
check "the model was written" test -s model.cnm
holds "and said so" err "interrupted; the model so far is in model.cnm"
holds "the summary says so too" out "interrupted"
run predict model.cnm rings.csv
exits "the model can be used" 0
check "no part is left" sh -c '! ls | grep -qE "part|tmp"'

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
