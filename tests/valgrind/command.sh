#!/bin/sh
# command.sh CNM VALGRIND...: a tiny training of each kind, its predictions and its features, under
# valgrind.
set -eu
cnm=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
awk 'BEGIN {
    print "x,y,label"
    for (i = 0; i < 60; i++) { x = i % 7 - 3; y = i % 11 - 5; print x "," y "," (x * y > 0 ? "a" : "b") }
}' >rows.csv
while read -r options; do
    echo "$options"
    # shellcheck disable=SC2086  # words are meant
    "$@" "$cnm" train -q --estimate no $options rows.csv model.cnm
    "$@" "$cnm" transform -q model.cnm rows.csv -o z.npy
    case $options in
    *map) ;;
    *) "$@" "$cnm" predict -q model.cnm rows.csv -o labels.txt ;;
    esac
done <<'END_OF_OPTIONS'
-k 3 --epochs 2 --effort quick
-k 3 --epochs 2 --effort quick -p circulant-diagonal --checkpoint state
-k 3 -p circulant --recipe alternating --iterations 2 --head-steps 2 --map-steps 2
-m kernel-approximation -k 3 --map-steps 2 --task map
END_OF_OPTIONS
"$@" "$cnm" inspect model.cnm >inspected
test -s inspected
