#!/bin/sh
# Failures of input and output: full disks, closed streams, folders that cannot be written, inputs
# that vanish or become shorter. Each time a sentence and exit status 1; an old file stays as it
# was, and no part of a new one is left.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

rings 300 8 >rings.csv
run train -q -k 8 --epochs 20 --effort quick rings.csv good.cnm
exits "a model to work with" 0
echo old >old

# fails_for NAME SENTENCE: the latest run.
fails_for() {
    exits "$1" 1
    holds "$1" err "$2"
    check "$1: no part is left" sh -c '! ls -a | grep -q part'
}

# What cannot be written is reported at once: this training would never end.
forever="--epochs 1000000"
while IFS='@' read -r path sentence; do
    # shellcheck disable=SC2086  # words are meant
    run train $forever rings.csv "$path"
    fails_for "train to $path" "cnm train: cannot write $path: $sentence"
    empty "train to $path" out
done <<'END_OF_PATHS'
nofolder/x.cnm@No such file or directory
rings.csv/x.cnm@Not a directory
/proc/x.cnm@
.@it is a folder
END_OF_PATHS
long=$(printf '%0300d' 0)
run train --epochs 1000000 rings.csv "$long.cnm"
fails_for "a name too long" "File name too long"
for line in "predict good.cnm rings.csv -o" "transform good.cnm rings.csv -o" "convert rings.csv -o" \
    "demo --picture"; do
    # shellcheck disable=SC2086  # words are meant
    run $line nofolder/x.npy
    case $line in
    demo*) exits "$line: only .svg and .png" 2 ;;
    *) fails_for "$line" "cannot write nofolder/x.npy: No such file or directory" ;;
    esac
done
mkdir closed
cp old closed/x.cnm
chmod a-w closed closed/x.cnm
if [ ! -w closed ]; then # root may write anywhere
    run train --epochs 1000000 rings.csv closed/y.cnm
    fails_for "a folder that is read-only" "cannot write closed/y.cnm: Permission denied"
    run train --epochs 1000000 rings.csv closed/x.cnm
    fails_for "a file in it" "cannot write closed/x.cnm: Permission denied"
fi
chmod u+w closed closed/x.cnm
same "an old file in a closed folder" old closed/x.cnm

# A disk that fills up while a file is written: no file may grow beyond a block here.
limited() { # SENTENCE-NAME OLD-FILE ARGUMENTS...
    name=$1 kept=$2
    shift 2
    cp old "$kept"
    status=0
    (
        GCOV_PREFIX=$folder/counts # where a build counts lines, it shall not leave half a file of them
        export GCOV_PREFIX
        ulimit -f 1 2>/dev/null || exit 1
        exec "$cnm" "$@"
    ) >/dev/null 2>pipe </dev/null || status=$?
    cp pipe err
    : >out
    fails_for "$name" "cannot write $kept: File too large"
    same "$name: the old file" old "$kept"
}
rings 3000 9 >more.csv
limited "a model" kept.cnm train --estimate no -q -k 400 -m rff --epochs 1 rings.csv kept.cnm
limited "predictions" kept.txt predict -q good.cnm more.csv -o kept.txt
limited "features" kept.npy transform -q good.cnm more.csv -o kept.npy
limited "rows" kept.libsvm convert more.csv -o kept.libsvm
if [ -w /dev/full ]; then
    run train -q -k 8 --epochs 1 --effort quick rings.csv /dev/full
    fails_for "a model onto a full device" "cannot write /dev/full: No space left on device"
    for line in "train -k 8 --epochs 1 --effort quick rings.csv kept.cnm" \
        "train --json -k 8 --epochs 1 --effort quick rings.csv -" \
        "predict good.cnm rings.csv" "predict good.cnm rings.csv --report" "inspect --json good.cnm" \
        "version" "help"; do
        status=0
        # shellcheck disable=SC2086  # words are meant
        "$cnm" $line >/dev/full 2>err </dev/null || status=$?
        : >out
        fails_for "a full disk: $line" "cannot write standard output: No space left on device"
    done
fi

# Closed streams: what is printed is missed, and never lands in a file that took the stream's
# number.
for line in "version" "predict good.cnm rings.csv" "predict good.cnm rings.csv -o -" \
    "convert rings.csv --to csv -o -"; do
    status=0
    # shellcheck disable=SC2086  # words are meant
    "$cnm" $line >&- 2>err </dev/null || status=$?
    fails_for "closed standard output: $line" "cannot write standard output: Bad file descriptor"
done
run train -q -k 8 --epochs 20 --effort quick rings.csv expected.cnm
status=0
"$cnm" train --estimate no -k 8 --epochs 20 --effort quick rings.csv closed.cnm >&- 2>err </dev/null || status=$?
fails_for "a training with its output closed" "cannot write standard output"
same "its model is whole all the same" closed.cnm expected.cnm
"$cnm" train --estimate no -q -k 8 --epochs 20 --effort quick rings.csv silent.cnm >&- 2>&- <&- ||
    fail "a quiet training without any stream"
same "a quiet training without any stream" silent.cnm expected.cnm
status=0
"$cnm" train -k 8 nothing.csv x.cnm >&- 2>&- <&- || status=$?
exits "an error without a stream to report it" 1
status=0
"$cnm" predict good.cnm - <&- >out 2>err || status=$?
fails_for "closed standard input" "standard input: cannot be read: Bad file descriptor"

# Inputs that vanish, end early or become shorter.
run predict gone.cnm rings.csv
fails_for "no model" "cannot read gone.cnm: No such file or directory"
run predict good.cnm gone.csv -o old.txt
fails_for "no rows" "gone.csv: cannot be opened: No such file or directory"
run convert rings.csv -o rings.npy --to npy --label-column none --rows 1:2
ln -s gone.csv dangling.csv
run train dangling.csv x.cnm
fails_for "a link to nothing" "dangling.csv: cannot be opened: No such file or directory"

# cut_while_read NAME FILE SIZE SENTENCE: a file is cut once its first predictions are there. Nobody
# takes the others until it is: the command waits in a full pipe, far from the end of the file,
# however fast it is.
cut_while_read() {
    "$cnm" predict -q --label-column none good.cnm "$2" >predictions 2>err </dev/null &
    process=$!
    exec 3<predictions
    read -r line <&3
    truncate -s "$3" "$2"
    cat <&3 >rest
    status=0
    wait $process || status=$?
    exec 3<&-
    check "$1: first a prediction" test "$line" = in -o "$line" = out
    : >out
    fails_for "$1" "$4"
}
if command -v truncate >/dev/null; then
    mkfifo predictions
    for order in False True; do
        printf "\223NUMPY\001\000\077\000{'descr': '|u1', 'fortran_order': %-5s, 'shape': (90000000,2)}" $order \
            >long.npy
        size=$(wc -c <long.npy)
        truncate -s $((size + 180000000)) long.npy
        case $order in
        False) sentence="long.npy: became shorter while it was read" ;;
        True) sentence="long.npy: found" ;;
        esac
        cut_while_read "an array that is cut ($order)" long.npy "$size" "$sentence"
    done
    rm -f long.npy
    yes 0.25,-0.5 | head -n 12000000 >long.csv
    cut_while_read "a text that is cut" long.csv 1000 "long.csv: became shorter while it was read"
    rm -f long.csv rest predictions
fi

# Rows that turn out bad when the first predictions are written: the old predictions stay.
{
    yes 0.25,-0.5 | head -n 300000
    echo 0.25,half
} >late.csv
cp old late.txt
run predict -q --label-column none good.cnm late.csv -o late.txt
fails_for "a bad row at the end" "late.csv:300001: found"
same "a bad row at the end: the old predictions" old late.txt
finish
