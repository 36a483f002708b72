#!/bin/sh
# run_readme.sh README COMMAND BUILD INCLUDE: runs what the README shows, so that it stays true.
#
# Blocks of ```sh and ```c behind a line <!-- tested --> are taken in order, in an empty folder with the command on the
# PATH: shell blocks are run, C blocks are compiled against the shared library in BUILD and run.
set -eu
readme=$1 command=$2 build=$3 include=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

awk -v folder="$folder" '
/^<!-- tested -->$/ { marked = NR; next }
/^```(sh|c)$/ && NR == marked + 1 { count++; name = sprintf("%s/block-%02d.%s", folder, count, substr($0, 4)); next }
/^```$/ && name { close(name); name = ""; next }
name { print > name }
' "$readme"

mkdir "$folder/run"
cd "$folder/run"
PATH=$(dirname "$command"):$PATH
export PATH
count=0
for block in "$folder"/block-*; do
    [ -e "$block" ] || break
    count=$((count + 1))
    echo "--- $(basename "$block")"
    cat "$block"
    echo "--- gives"
    case $block in
    *.sh) sh -eu "$block" ;;
    *.c)
        cc -std=c11 -Wall -Wextra -Werror -I"$include" "$block" -o "$folder/program" -L"$build" -lcnm -Wl,-rpath,"$build"
        "$folder/program"
        ;;
    esac
done
if [ $count = 0 ]; then
    echo "$readme holds no tested block"
    exit 1
fi
echo "$count blocks of the README work"
