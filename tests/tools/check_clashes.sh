#!/bin/sh
# check_clashes.sh MODULES OBJECT...: the objects of the command have no external name in common
# with the library's modules. Where libcnm.a hides nothing (no objcopy: macOS, a cross compiler) the
# linker would refuse the command.
set -eu
export LC_ALL=C
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
modules=$1
shift

names() { awk 'NF == 3 { print $3 }' | sort -u; }
nm -g --defined-only "$modules" | names >"$folder/modules"
nm -g --defined-only "$@" | names >"$folder/command"
for side in modules command; do
    [ -s "$folder/$side" ] || { echo "no names of the $side"; exit 1; }
done
comm -12 "$folder/modules" "$folder/command" >"$folder/both"
if [ -s "$folder/both" ]; then
    cat "$folder/both"
    echo "cli/ must not use these names: src/ has functions of the same names"
    exit 1
fi
