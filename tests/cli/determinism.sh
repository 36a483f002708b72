#!/bin/sh
# The same data, options and seed give the same bits for any number of threads, and a row's
# prediction depends on nothing but the row: not on its batch, its neighbours or its position.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

rings 3000 5 >rings.csv
blobs 2000 6 >blobs.csv
for options in "-m rff -k 100" "-m linear" "-m rff -k 100 -p circulant" "-m rff -k 33 --init orthogonal" \
    "-k 20 --scale asinh"; do
    for data in rings blobs; do
        for threads in 1 2 7; do
            # shellcheck disable=SC2086  # words are meant
            run train -q $options --epochs 2 --threads $threads $data.csv $threads.cnm
            exits "train $options --threads $threads $data.csv" 0
            run predict -q --threads $threads $threads.cnm $data.csv --scores -o $threads.txt
            exits "predict --threads $threads" 0
        done
        for threads in 2 7; do
            same "$options $data: the model of $threads threads" 1.cnm $threads.cnm
            same "$options $data: the predictions of $threads threads" 1.txt $threads.txt
        done
    done
done

# Learned maps: few rows and steps, but batches of more than one block of rows.
for options in "--epochs 4" "--epochs 4 --validation 0.2" "--map-rate 0" \
    "--recipe alternating --iterations 2 --head-steps 3 --map-steps 3" \
    "-m kernel-approximation --map-steps 5 --epochs 2"; do
    for projection in dense circulant circulant-diagonal; do
        for threads in 1 2 7; do
            # shellcheck disable=SC2086  # words are meant
            run train -q -k 24 -p $projection $options --batch 300 --rows 1:900 --threads $threads \
                blobs.csv $threads.cnm
            exits "train $options -p $projection --threads $threads" 0
        done
        for threads in 2 7; do
            same "$options -p $projection: the model of $threads threads" 1.cnm $threads.cnm
        done
    done
done
for threads in 1 2 7; do
    run train -q --from 1.cnm --epochs 2 --batch 300 --rows 901:2000 --threads $threads blobs.csv on$threads.cnm
    exits "train --from --threads $threads" 0
    run train -q --grow 16 --epochs 2 --batch 300 --rows 1:900 --threads $threads blobs.csv grown$threads.cnm
    exits "train --grow --threads $threads" 0
done
for threads in 2 7; do
    same "--from: the model of $threads threads" on1.cnm on$threads.cnm
    same "--grow: the last model of $threads threads" grown1-k16.cnm grown$threads-k16.cnm
done

# Batches: more rows than one batch holds, against the same rows a few at a time.
run train -q -k 50 --epochs 5 rings.csv model.cnm
rings 20000 7 >many.csv
run predict -q model.cnm many.csv --scores -o whole.txt
check "all rows come out" test "$(wc -l <whole.txt)" = 20000
: >parts.txt
for part in 1:1 2:100 101:8200 8201:16385 16386:; do
    run predict -q model.cnm many.csv --rows $part --scores -o part.txt
    exits "--rows $part" 0
    cat part.txt >>parts.txt
done
same "rows in parts" whole.txt parts.txt
{ head -n 1 many.csv; sed 1d many.csv | sort -r; } >turned.csv
run predict -q model.cnm turned.csv --scores -o turned.txt
sed 1d many.csv | paste -d' ' - whole.txt | sort >one
sed 1d turned.csv | paste -d' ' - turned.txt | sort >two
same "rows in another order" one two
{ head -n 1 many.csv; sed 1d many.csv | awk -F, 'NR % 2 { print } !(NR % 2) { print "1e30,-1e30,in" }'; } >wild.csv
run predict -q model.cnm wild.csv --scores -o wild.txt
awk 'NR % 2' whole.txt >one
awk 'NR % 2' wild.txt >two
same "neighbours of 1e30" one two
run predict -q model.cnm many.csv --shuffle 3 --scores -o shuffled.txt
sort whole.txt >one
sort shuffled.txt >two
same "shuffled rows are the same rows" one two
check "they are shuffled" sh -c '! cmp -s whole.txt shuffled.txt'
finish
