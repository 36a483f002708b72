#!/bin/sh
# CNM_SIMD: the reference predicts what the others do, within their rounding; a word that names
# nothing is refused.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

blobs 500 3 >blobs.csv
for projection in dense circulant circulant-diagonal; do
    run train -q -m rff -k 40 -p $projection blobs.csv model.cnm
    exits "train -p $projection" 0
    run predict -q model.cnm blobs.csv --scores -o here.txt
    exits "predict" 0
    CNM_SIMD=reference
    export CNM_SIMD
    run predict -q model.cnm blobs.csv --scores -o reference.txt
    exits "predict by the reference" 0
    unset CNM_SIMD
    # Scores of 40 features of at most 1 in size: a few 1e-7 for each weight. Labels stand in the
    # first column.
    if paste here.txt reference.txt | awk '{
        for (i = 2; i <= NF / 2; i++) { d = $i - $(i + NF / 2); if (d > 1e-4 || d < -1e-4) exit 1 }
    }'; then good=0; else good=1; fi
    check "$projection: the scores agree" test $good = 0
done
CNM_SIMD=fastest
export CNM_SIMD
run predict model.cnm blobs.csv
exits "predict with an unknown level" 2
holds "predict with an unknown level" err "CNM_SIMD=fastest: this machine runs reference, baseline"
run train -q -m rff -k 4 blobs.csv other.cnm
exits "train with an unknown level" 2
check "no model is written" test ! -e other.cnm
finish
