#!/bin/sh
# Smaller models of the same task: --prune, --teacher, and both with 16 bits.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

rings 500 51 >rings.csv
rings 400 52 >test.csv
blobs 60 53 >blobs.csv

run train -k 32 --epochs 60 --effort quick --prune 0.75 rings.csv pruned.cnm
exits "prune" 0
run inspect pruned.cnm
check "features are gone" grep -qE '^features +8$' out
check "inspect shows how many there were" grep -qE '^pruned_from +32$' out
run predict pruned.cnm test.csv
at_least "a pruned model predicts" "$(accuracy_in out)" 90

run train -q -k 64 --epochs 60 --effort quick rings.csv large.cnm
run train -k 8 --epochs 60 --effort quick --dtype f16 --teacher large.cnm rings.csv small.cnm
exits "teacher" 0
run inspect small.cnm
check "inspect shows the size of the teacher" grep -qE '^teacher_features +64$' out
check "16 bits go with it" grep -qE '^dtype +f16$' out
run predict small.cnm test.csv
at_least "a student predicts" "$(accuracy_in out)" 88

run train --teacher large.cnm rings.csv large.cnm
exits "a model over its teacher" 2
holds "what to do" err "would overwrite its teacher"
run train -q --teacher absent.cnm rings.csv small.cnm
exits "a teacher that is not there" 1
holds "its name" err "absent.cnm"
run train -q --teacher large.cnm blobs.csv small.cnm
exits "a teacher of other rows" 1
holds "why" err "the rows have 3 columns, the model expects 2"
run train --prune 0.5 -p circulant rings.csv
exits "circulant maps are not pruned" 2
holds "why not" err "share their parameters"
run train --prune 0.5 --grow 32 rings.csv
exits "nor grown ones" 2
run tune --prune 0.5 rings.csv
exits "nor tuned ones" 2
finish
