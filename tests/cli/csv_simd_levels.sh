#!/bin/sh
# CSV text: every SIMD level reads the same bits and reports the same errors.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

# table ROWS SHAPE: 11 numbers and a label a row. SHAPE odd: among them rows that need a closer
# look.
table() {
    awk -v rows="$1" -v shape="$2" 'BEGIN {
        srand(5)
        for (i = 1; i <= rows; i++) {
            line = int(rand() * 10) "," int(rand() * 20000) - 500 "," sprintf("%.4f", rand() * 200 - 100)
            line = line "," sprintf("%.9f", rand() - 0.5) "," sprintf("%.12g", (rand() - 0.5) * 1e5)
            line = line "," sprintf("%.17g", rand()) "," sprintf("%.3e", rand() * 1e-5) "," i ",000" i ".50,-0,." i
            kind = shape == "odd" && i > 4096 ? int(rand() * 60) : 60
            if (kind == 0) print ""
            if (kind == 1) sub(/,/, " , ", line)
            if (kind == 2) sub(/[0-9]+/, "\"1.5\"", line)
            if (kind == 3) sub(/,[^,]*,/, ",+1,", line)
            if (kind == 4) sub(/,[^,]*,/, ",1e2,", line)
            if (kind == 5) sub(/,[^,]*,/, ",\"7\",", line)
            if (kind == 6) sub(/,[^,]*,/, ",5.,", line)
            printf "%s,%s%s\n", line, i % 3, (kind > 6 && kind < 20 ? "\r" : "")
        }
    }'
}

# read_all FILE [OPTION...]: converts FILE at every SIMD level; what comes out must be the
# same.
read_all() {
    file=$1
    shift
    rm -f first.*
    for level in reference baseline avx2 avx512; do
        CNM_SIMD=$level
        export CNM_SIMD
        rm -f x.npy y.npy
        run convert -q "$file" -o x.npy --labels-out y.npy "$@"
        unset CNM_SIMD
        if grep -q "CNM_SIMD=" err; then continue; fi # not on this machine
        if [ ! -e first.err ]; then
            cp err first.err
            [ ! -e x.npy ] || cp x.npy first.x
            [ ! -e y.npy ] || cp y.npy first.y
        fi
        same "$file: the messages of $level" err first.err
        [ ! -e first.x ] || same "$file: rows by $level" x.npy first.x
        [ ! -e first.y ] || same "$file: labels by $level" y.npy first.y
    done
}

table 9000 plain >plain.csv
read_all plain.csv --label-column last
exits "plain.csv" 0
read_all plain.csv --label-column 4 # a label between features
exits "a label in the middle" 0
table 9000 plain | sed 's/$/\r/' >crlf.csv
run convert -q plain.csv -o plain.npy --labels-out labels.npy --label-column last
read_all crlf.csv --label-column last
same "crlf.csv" first.x plain.npy
sed 's/,/;/g' plain.csv >semicolons.csv
read_all semicolons.csv --label-column last
same "semicolons.csv" first.x plain.npy
table 9000 odd >odd.csv
read_all odd.csv --label-column last
exits "odd.csv" 0
{
    table 8000 plain
    echo "1,2,3,4,5,6,7,8,9,1x,11,0"
    table 10 plain
} >bad.csv
read_all bad.csv --label-column last
holds "bad.csv" first.err "bad.csv:8001: found '1x' in column 10, expected a number"
{
    table 8000 plain
    echo "1,2,3,4,5,6,7,8,9,10,11"
} >short.csv
read_all short.csv --label-column last
holds "short.csv" first.err "short.csv:8001: found 11 cells, expected 12"
{
    table 8000 plain
    echo "1,2,3,4,5,6,7,8,9,1e39,11,0"
    echo "1,2"
} >large.csv
read_all large.csv --label-column last
holds "large.csv" first.err "large.csv:8001: found 1e39 in column 10"
finish
