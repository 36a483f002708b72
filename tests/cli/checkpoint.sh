#!/bin/sh
# --checkpoint and --resume: after SIGTERM, Ctrl-C, a time limit and the end; what is refused, and
# why.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

rings 1000 10 >rings.csv
rings 1000 11 >others.csv
long="-k 24 --effort quick --epochs 2000 --estimate no"

# shellcheck disable=SC2086  # words are meant
run train -q $long rings.csv whole.cnm
exits "the whole training" 0

# stop_with SIGNAL: as soon as there is a checkpoint. Where this script was kept waiting until the
# training had ended, once more.
stop_with() {
    for attempt in 1 2 3 4 5 6 7 8 9 10; do
        rm -f state model.cnm
        # shellcheck disable=SC2086  # words are meant
        "$cnm" train $long --checkpoint state --checkpoint-every 0.001 rings.csv model.cnm >out 2>err &
        process=$!
        until [ -e state ]; do sleep 0.01; done
        kill -"$1" $process
        status=0
        wait $process || status=$?
        [ $status = 0 ] || break
        echo "attempt $attempt: the training ended before SIG$1 came"
    done
}

for signal in TERM INT; do
    stop_with $signal
    exits "a training that got SIG$signal" "$([ $signal = TERM ] && echo 143 || echo 130)"
    holds "SIG$signal" err "interrupted; the model so far is in model.cnm, and --resume goes on from state"
    run predict model.cnm rings.csv
    exits "SIG$signal: the model so far can be used" 0
    # shellcheck disable=SC2086  # words are meant
    run train $long --checkpoint state --resume --threads 1 rings.csv model.cnm
    exits "SIG$signal, resumed" 0
    check "SIG$signal: the note names the step" \
        grep -qE "note: goes on from state with step [1-9][0-9]* of [0-9]+ \([a-z]+\)" err
    same "SIG$signal: the same model as if nothing had been" model.cnm whole.cnm
done

# shellcheck disable=SC2086  # words are meant
run train $long --checkpoint state --resume rings.csv again.cnm
exits "resumed after the end" 0
holds "resumed after the end" err "was finished with step"
same "resumed after the end" again.cnm whole.cnm

# What does not fit.
# shellcheck disable=SC2086  # words are meant
run train $long -k 25 --checkpoint state --resume rings.csv wrong.cnm
exits "another option" 2
holds "another option" err "state is from a training with --features 24, and this one has 25"
# shellcheck disable=SC2086  # words are meant
run train $long --checkpoint state --resume others.csv wrong.cnm
exits "other rows" 2
holds "other rows" err "state is from a training with other data"
head -c 300 state >short
# shellcheck disable=SC2086  # words are meant
run train $long --checkpoint short --resume rings.csv wrong.cnm
exits "a cut checkpoint" 1
holds "a cut checkpoint" err "cut"
run train -k 8 --checkpoint others.csv rings.csv wrong.cnm
exits "a file that is no checkpoint" 1
holds "a file that is no checkpoint" err "others.csv is there and is not a checkpoint"
run train -k 8 --checkpoint nowhere/state rings.csv wrong.cnm
exits "a folder that is not there" 1
holds "a folder that is not there" err "cannot write nowhere/state"
check "nothing was written for these" test ! -e wrong.cnm

run train --effort quick --epochs 1 -k 8 --checkpoint new --resume rings.csv new.cnm
exits "nothing to resume yet" 0
holds "nothing to resume yet" err "there is no checkpoint new yet: the training starts afresh"

# A time limit ends a training, which can go on without one.
run train -q -k 16 --epochs 20000 --time-limit 0.2 --checkpoint limited rings.csv limited.cnm
exits "a time limit" 0
check "a time limit leaves a checkpoint" test -s limited
holds "a time limit" limited "time limit"
run train -k 16 --epochs 20000 --time-limit 0.3 --checkpoint limited --resume rings.csv limited.cnm
exits "resumed after a time limit" 0
holds "resumed after a time limit" err "goes on from limited with step"
check "no part is left" sh -c '! ls | grep -qE "partial"'
finish
