#!/bin/sh
# Command lines: help, wrong usage, and the sentence for each slip. Needs no data.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

run
exits "no command" 2
empty "no command" out
holds "no command" err "cnm train"

for line in "help" "--help" "-h"; do
    run "$line"
    exits "cnm $line" 0
    empty "cnm $line" err
    for command in train predict transform inspect convert demo help version; do
        holds "cnm $line" out "cnm $command "
    done
done
for line in "version" "--version"; do
    run "$line"
    exits "cnm $line" 0
    check "cnm $line" grep -qxE 'cnm [0-9]+\.[0-9]+\.[0-9]+' out
done

run help train
cp out help-train
exits "help train" 0
for option in method features projection init phase kernel gamma activation task loss lambda epochs batch scale missing \
    format labels label-column weight-column positive shuffle rows seed threads quiet json; do
    holds "help train" out "--$option"
done
for option in cv checkpoint resume time-limit recipe; do
    lacks "help train shows only what is offered" out "--$option"
done
holds "the help shows defaults" out "[128]"
run train --help
same "train --help is help train" out help-train
run help predict
lacks "predict has no training options" out "--gamma"
holds "predict reads data" out "--label-column"
# shellcheck disable=SC2016  # awk's own dollar
check "help fits a wide terminal" awk 'length($0) > 110 { exit 1 }' help-train
run help frobnicate
exits "help on nothing" 2

# Wrong lines: the arguments, a bar, and the sentence on standard error. All exit with 2 and print nothing else.
echo "1,2,3" >rows.csv
while IFS='@' read -r line sentence; do
    # shellcheck disable=SC2086  # words are meant
    run $line
    exits "cnm $line" 2
    empty "cnm $line" out
    holds "cnm $line" err "$sentence"
done <<'END'
trian rows.csv@cnm: there is no command "trian"; did you mean train?
frobnicate@cnm: there is no command "frobnicate"
train@cnm train: too few arguments; usage: cnm train [options] DATA [MODEL]
train a b c@cnm train: "c" is one argument too many
predict model.cnm@cnm predict: too few arguments
inspect@cnm inspect: too few arguments
train --gama 1 rows.csv@cnm train: there is no option --gama; did you mean --gamma?
train --feature=8 rows.csv@there is no option --feature; did you mean --features?
train --frobnicate rows.csv@there is no option --frobnicate
train -z rows.csv@there is no option -z
train -k@cnm train: -k needs a value
train rows.csv --gamma@--gamma needs a value
train --json=1 rows.csv@--json takes no value
train -k 0 rows.csv@--features cannot be "0": expected a whole number: 1 to 1e9
train -k8x rows.csv@--features cannot be "8x"
train -p circular rows.csv@--projection cannot be "circular": expected dense or circulant; did you mean circulant?
train --gamma 0,5 rows.csv@--gamma cannot be "0,5"
train --gamma -1 rows.csv@--gamma cannot be "-1"
train --rows 5:2 rows.csv@--rows cannot be "5:2"
train --shuffle yes rows.csv@--shuffle cannot be "yes"
train -m cnm rows.csv@--method cnm is not in this version yet: use rff or linear
train -m kernel rows.csv@--method kernel is not in this version yet: use rff or linear
train --loss softmax rows.csv@--loss softmax is not in this version yet: use auto or hinge
train --cv 5 rows.csv@--cv is not in this version yet
train --checkpoint file rows.csv@--checkpoint is not in this version yet
train --resume rows.csv@--resume is not in this version yet
train --time-limit 5 rows.csv@--time-limit is not in this version yet: bound the work by --epochs
predict --gamma 1 m.cnm rows.csv@--gamma is not an option of cnm predict
predict --score m.cnm rows.csv@there is no option --score; did you mean --scores?
predict --probability m.cnm rows.csv@--probability is not in this version yet: use --scores
inspect --gamma 1 m.cnm@--gamma is not an option of cnm inspect
transform m.cnm rows.csv@cnm transform: -o FILE.npy is needed
transform m.cnm rows.csv -o z.csv@"z.csv" does not end in .npy
convert rows.csv@cnm convert: -o FILE is needed
convert rows.csv -o -@add --to libsvm|csv|npy
demo --shape cube@--shape cannot be "cube": expected spiral or banana
demo --picture file.bmp@--picture cannot be "file.bmp"
train -@DATA is standard input and has no name
END

# The model would replace the data.
cp rows.csv rows.cnm
run train rows.cnm
exits "the data are called .cnm" 2
holds "the data are called .cnm" err "would overwrite the data"
same "the data are untouched" rows.csv rows.cnm
finish
