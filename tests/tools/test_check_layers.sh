#!/bin/sh
# check-layers passes a tree that keeps the order of the modules and refuses each way to break it.
set -eu
check=$(cd "$(dirname "$0")/../../scripts" && pwd)/check-layers
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# expect STATUS FILE LINE: a sound tree plus one file with LINE.
expect() {
    rm -rf "$folder/tree"
    mkdir -p "$folder/tree/src/base" "$folder/tree/$(dirname "$2")"
    echo '#include "cnm/types.h"' >"$folder/tree/src/base/sound.c"
    echo "$3" >"$folder/tree/$2"
    status=0
    "$check" "$folder/tree" >"$folder/output" || status=$?
    if [ "$status" != "$1" ]; then
        echo "$2 with $3: status $status instead of $1"
        cat "$folder/output"
        exit 1
    fi
    if [ "$1" = 1 ] && ! grep -q "$2:1: " "$folder/output"; then
        echo "$2 with $3: the message does not name the line"
        exit 1
    fi
}

expect 0 src/map/dense.c '#include "math/gemm/gemm.h"'
expect 0 src/map/dense.c '#include "base/core/rows_view.h"'
expect 0 src/map/dense.c '#include <stdio.h>'
expect 0 src/base/core/random.c '#include "base/core/philox.h"'
expect 0 src/model/model.c '#include "data/table/table.h"'
expect 0 src/learn/train/train.c '#include "learn/distill/student.h"'
expect 0 src/learn/search/trial.c '#include "learn/fit/fit_joint.h"'
expect 0 src/learn/krr/one_vs_one.c '#include "learn/settings.h"'
expect 0 src/api/train.c '#include "cnm/cnm.h"'
expect 0 cli/train.c '#include "cnm/cnm.h"'
expect 0 cli/train.c '#include "arguments.h"'
expect 0 examples/train.c '#include <cnm/cnm.h>'
expect 0 tests/map/test_dense.c '#include "map/map.h"'
expect 0 tests/map/test_dense.c '#include "support/random.h"'
expect 0 tests/map/test_dense.c '#include <cmocka.h>'

expect 1 src/base/core/rows_view.c '#include "math/gemm/gemm.h"'
expect 1 src/math/gemm/gemm.c '#include "map/map.h"'
expect 1 src/map/dense.c '#include "data/table/table.h"'
expect 1 src/data/formats/csv.c '#include "map/map.h"'
expect 1 src/data/formats/csv.c '  #  include <model/model.h>'
expect 1 src/model/model.c '#include "learn/settings.h"'
expect 1 src/learn/fit/fit_joint.c '#include "learn/search/trial.h"'
expect 1 src/learn/krr/one_vs_one.c '#include "learn/fit/fit_joint.h"'
expect 1 src/learn/search/trial.c '#include "learn/distill/student.h"'
expect 1 src/learn/progress.c '#include "learn/fit/fit_joint.h"'
expect 1 src/learn/attic/old.c '#include "learn/settings.h"'
expect 1 src/learn/train/train.c '#include "api/options.h"'
expect 1 src/learn/train/train.c '#include "cnm/cnm.h"'
expect 1 src/map/dense.c '#include "gemm.h"'
expect 1 src/map/dense.c '#include "../data/table/table.h"'
expect 1 src/attic/old.c '#include "base/core/rows_view.h"'
expect 1 cli/train.c '#include "api/options.h"'
expect 1 examples/train.c '#include "model/model.h"'
expect 1 tests/map/test_dense.c '#include "model/model.h"'

# refuse SENTENCE: the tree as it is.
refuse() {
    if "$check" "$folder/tree" >"$folder/output" || ! grep -qF "$1" "$folder/output"; then
        echo "no \"$1\" for a tree that has one"
        cat "$folder/output"
        exit 1
    fi
}
expect 0 src/map/one.c '#include "map/two.h"'
echo '#include "map/one.h"' >"$folder/tree/src/map/two.c"
refuse "files include each other in a circle"
expect 0 src/map/same.c '#include <stdio.h>'
cp "$folder/tree/src/map/same.c" "$folder/tree/src/base/same.c"
refuse "file names are unique"

mkdir -p "$folder/empty"
if "$check" "$folder/empty" >/dev/null; then
    echo "an empty tree passes"
    exit 1
fi
