#!/bin/sh
# Command lines: the list of commands, wrong usage, and the sentence for each slip. Needs no data.
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
    for command in train tune predict transform inspect export convert demo help version; do
        holds "cnm $line" out "cnm $command "
    done
done
for line in "version" "--version"; do
    run "$line"
    exits "cnm $line" 0
    check "cnm $line" grep -qxE 'cnm [0-9]+\.[0-9]+\.[0-9]+' out
done

# Wrong lines: the arguments, a bar, and the sentence on standard error. All exit with 2 and print
# nothing else.
echo "1,2,3" >rows.csv
projections="dense, circulant or circulant-diagonal"
run help --all train
if grep -q test-columns out; then # a build with tests/rows
    projections="dense, circulant, circulant-diagonal or test-columns"
fi
while IFS='@' read -r line sentence; do
    case $sentence in
        *PROJECTIONS) sentence=${sentence%PROJECTIONS}$projections ;;
    esac
    # shellcheck disable=SC2086  # words are meant
    run $line
    exits "cnm $line" 2
    empty "cnm $line" out
    holds "cnm $line" err "$sentence"
done <<'END'
trian rows.csv@cnm: there is no command "trian"; did you mean train?
frobnicate@cnm: there is no command "frobnicate"
help trian@cnm: there is no command "trian"; did you mean train?
help --format html@cnm help: --format cannot be "html": expected man, bash, zsh or fish
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
train -k 0 rows.csv@--features cannot be "0": expected a whole number: auto or 1 to 1e9
train -k8x rows.csv@--features cannot be "8x"
train -p circular rows.csv@--projection cannot be "circular": expected PROJECTIONS
train -p circular rows.csv@did you mean circulant?
train --gamma 0,5 rows.csv@--gamma cannot be "0,5"
train --gamma -1 rows.csv@--gamma cannot be "-1"
train --rows 5:2 rows.csv@--rows cannot be "5:2"
train --shuffle yes rows.csv@--shuffle cannot be "yes"
train -m cmn rows.csv@--method cannot be "cmn": expected cnm, rff, kernel-approximation or linear; did you mean cnm?
train --loss soft-max rows.csv@--loss cannot be "soft-max"
train --theta-penalty 1 rows.csv@--theta-penalty cannot be "1": expected none, l1:V or l2:V
train --validation 1 rows.csv@--validation cannot be "1"
train --cv 5 rows.csv@--cv is not in this version yet
train --checkpoint rows.csv rows.csv@the checkpoint rows.csv would overwrite the data: give it another name
train --checkpoint m.cnm rows.csv m.cnm@the checkpoint m.cnm would overwrite the model: give it another name
train --checkpoint - rows.csv@--checkpoint - is standard output, and a checkpoint is a file
train --checkpoint state -m rff --task map rows.csv@--checkpoint state means nothing for --task map with a random map
train --checkpoint state --grow 64 rows.csv@--checkpoint does not go with --grow
train --resume rows.csv@--resume yes needs --checkpoint FILE
train --checkpoint-every 5 rows.csv@--checkpoint-every 5 needs --checkpoint FILE
tune --checkpoint state rows.csv@--checkpoint does not go with tune
train -m rff --recipe alternating rows.csv@--recipe alternating needs --method cnm
train -m kernel-approximation --recipe joint rows.csv@--recipe joint needs --method cnm
train --iterations 5 rows.csv@--iterations 5 needs --method cnm --recipe alternating
train -m kernel-approximation --head-steps 5 rows.csv@--head-steps 5 needs --method cnm --recipe alternating
train --map-steps 5 rows.csv@--map-steps 5 needs --method cnm --recipe alternating, or --method kernel-approximation
train --recipe alternating --epochs 5 rows.csv@--epochs 5 means nothing for --recipe alternating, which counts
train --recipe alternating --loss softmax rows.csv@--loss softmax does not go with --recipe alternating
train --recipe alternating --task regress rows.csv@--task regress does not go with --recipe alternating
train -mrff --theta-penalty l1:1 rows.csv@--theta-penalty l1:1 needs a learned map: --method cnm or kernel-approximation
train -m rff --validation 0.1 rows.csv@--validation 0.1 needs a learned map: --method cnm or kernel-approximation
train --patience 3 rows.csv@--patience 3 needs --method cnm and --validation
train -m linear -k 8 rows.csv@--features 8 means nothing for --method linear, which has no map
train -m linear -p circulant rows.csv@--projection circulant means nothing for --method linear
train -m linear --kernel cauchy rows.csv@--kernel cauchy means nothing for --method linear
train -m linear --gamma 1 rows.csv@--gamma 1 means nothing for --method linear
train -m linear --init orthogonal rows.csv@--init orthogonal means nothing for --method linear
train -m linear --phase none rows.csv@--phase none means nothing for --method linear
train -m linear --activation relu rows.csv@--activation relu means nothing for --method linear
train --task map rows.csv@--task map needs no labels, and --method cnm learns from them
train -m rff --task map --loss hinge rows.csv@--loss hinge means nothing for --task map
train -m rff --task map --lambda 1 rows.csv@--lambda 1 means nothing for --task map
train -m rff --task map --epochs 1 rows.csv@--epochs 1 means nothing for --task map
train -m rff --task map --class-weight balanced rows.csv@--class-weight balanced means nothing for --task map
train -m rff --task map --batch 9 rows.csv@--batch 9 means nothing for --task map with a random map
train -m rff --grow 32 rows.csv@--grow needs --method cnm --recipe joint
train --recipe alternating --grow 32 rows.csv@--grow needs --method cnm --recipe joint
train --grow 4 rows.csv@--grow cannot be "4": expected a whole number from 8
train -k 16 --grow 15 rows.csv@--grow cannot be "15": expected a whole number from 16
train --grow 32x rows.csv@--grow cannot be "32x"
train --grow 32 rows.csv -@--grow writes several models: give MODEL a name
train --grow 32 --from m.cnm rows.csv@--grow does not go with --from
train --from m.cnm -m rff rows.csv@--method does not go with --from: the model's own stays
train --from m.cnm --recipe joint rows.csv@--recipe does not go with --from
train --from m.cnm -p dense rows.csv@--projection does not go with --from
train --from m.cnm --init random rows.csv@--init does not go with --from
train --from m.cnm --phase none rows.csv@--phase does not go with --from
train --from m.cnm --kernel cauchy rows.csv@--kernel does not go with --from
train --from m.cnm --gamma 1 rows.csv@--gamma does not go with --from
train --from m.cnm --activation relu rows.csv@--activation does not go with --from
train --from m.cnm --task classify rows.csv@--task does not go with --from
train --from m.cnm --scale none rows.csv@--scale does not go with --from
train --from m.cnm --iterations 3 rows.csv@--iterations does not go with --from
train --from m.cnm --head-steps 3 rows.csv@--head-steps does not go with --from
train --from m.cnm --map-steps 3 rows.csv@--map-steps does not go with --from
train --from m.cnm --positive a rows.csv@--positive does not go with --from
train --from m.cnm --patience 3 rows.csv@--patience 3 needs --method cnm and --validation
predict --gamma 1 m.cnm rows.csv@--gamma is not an option of cnm predict
predict --score m.cnm rows.csv@there is no option --score; did you mean --scores?
predict --probability --scores m.cnm rows.csv@--scores and --probability do not go together: ask for one
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
