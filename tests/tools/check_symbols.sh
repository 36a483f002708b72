#!/bin/sh
# check_symbols.sh SHARED STATIC LIST: what the built libraries offer and what they ask for.
#
# Offered: exactly the names in LIST, by both libraries; anything else could clash with a user's
# program, and a name that disappears breaks one. Asked for: nothing that prints, ends the process,
# or depends on the locale. Kept: no variable that outlives a call, so that threads and trainings do
# not meet in one; but for the answer to which SIMD level this machine runs, which is the same
# whoever asks first (src/math/simd/simd_dispatch.c).
set -eu
export LC_ALL=C
shared=$1 static=$2 list=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

names() { awk 'NF >= 2 { print $NF }' | sed 's/@.*//' | sort -u; }
check_offered() { # LIBRARY NAMES
    if ! diff "$list" "$2" >"$folder/difference"; then
        echo "$1 does not offer the names in $list (< listed, > offered):"
        cat "$folder/difference"
        failed=1
    fi
}
check_asked() { # LIBRARY NAMES
    if grep -xE "$forbidden" "$2"; then
        echo "$1 must not use these: the library never prints, exits, aborts or follows the locale"
        failed=1
    fi
}

check_kept() { # STATIC
    objdump -t "$1" | awk '
        NF < 4 { next }
        { name = $NF; size = $(NF - 1); section = $(NF - 2) }
        section ~ /^(\.(data|bss|tdata|tbss)(\..*)?|\*COM\*)$/ && section !~ /^\.data\.rel\.ro/ && size !~ /^0+$/ {
            print section, name
        }' | grep -vE ' ([a-z_]+\.)?chosen(\.[0-9]+)?$' >"$folder/kept" || return 0
    cat "$folder/kept"
    echo "$1 must not keep these: the library has no state"
    failed=1
}

forbidden='(__)?v?f?d?printf(_chk)?|f?puts|f?putc|putchar|perror|stderr|_?exit|_Exit|quick_exit|abort|__assert_fail'
forbidden="$forbidden|setlocale|uselocale|newlocale|strto(d|f|ld)|atof|(__isoc(99|23)_)?v?[fs]?scanf"

nm -D --defined-only "$shared" | names >"$folder/shared"
nm -g --defined-only "$static" | names >"$folder/static"
check_offered "$shared" "$folder/shared"
check_offered "$static" "$folder/static"
nm -D --undefined-only "$shared" | names >"$folder/shared"
nm -u "$static" | names >"$folder/static"
check_asked "$shared" "$folder/shared"
check_asked "$static" "$folder/static"
check_kept "$static"
exit $failed
