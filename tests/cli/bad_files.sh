#!/bin/sh
# Bad files, and options that do not fit them: each gets a sentence that names the file, the place
# and what was expected, exit status 1 (2 where the line was wrong), and no output file.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

rings 200 1 >good.csv
"$cnm" train --estimate no -q -k 8 good.csv
: >empty.csv
mkdir folder
printf 'x,y,label\n' >header-only.csv
printf 'x,y,label\n1,2,a\n1,2,3,b\n' >ragged.csv
printf 'x,y,label\n1,,a\n2,3,b\n,4,a\n' >gaps.csv
{ head -n 40 good.csv && printf '1,red,in\n'; } >words.csv
awk 'BEGIN { print "day,x,label" } { printf "2023-10-%02d,%d,%d\n", NR, NR % 7, NR % 2 }' good.csv |
    head -n 25 >days.csv
printf '2023-02-30,1,1\n' >>days.csv
printf '\377\3761\000,\0002\000\n\000\000\330,\000' >half.csv
printf '+1 -1:0.5 2:1\n-1 -1:1\n' >negative.libsvm
printf '1,2,a\n3,4,a\n' >one-class.csv
printf 'x,y,label\n1,1e999,a\n2,3,b\n' >infinite.csv
printf 'x,y,label\n1,"2,a\n2,3,b\n' >quote.csv
printf '+1 1:0.5 2:x\n-1 1:1\n' >value.libsvm
printf '+1 3:0.5 2:1\n-1 1:1\n' >order.libsvm
printf '+1 1:0.5 1:1\n-1 1:1\n' >twice.libsvm
printf '+1 1:0.5\n-1 99999999999:1\n' >huge.libsvm
printf '+1 1:0.5\n-1 2\n' >no-colon.libsvm
printf '@relation r\n@attribute x strange\n@data\n1\n' >type.arff
printf '\223NUMPY\001\000\166\000{bad' >header.npy
printf '\000\000\010\003\000\000\000\002\000\000\000\002\000\000\000\002ab' >short.idx
gzip -c good.csv | head -c 200 >cut.csv.gz
printf '\037\213\010garbage....' >garbage.gz
printf 'a,b,c,d,e\n1,2,3,4,5\n' >wide.csv
printf '1,2,3,4,5\n' >wide-bare.csv
head -c 300 good.cnm >cut.cnm
cp good.cnm flipped.cnm
printf 'X' | dd of=flipped.cnm bs=1 seek=$(($(wc -c <good.cnm) - 5)) conv=notrunc 2>/dev/null

# status @ arguments @ sentence. Whatever is written is called out.FORMAT.
while IFS='@' read -r expected line sentence; do
    # shellcheck disable=SC2086  # words are meant
    run $line
    exits "cnm $line" "$expected"
    empty "cnm $line" out
    holds "cnm $line" err "cnm ${line%% *}: $sentence"
    check "cnm $line: one sentence" test "$(grep -vcE '^(Try|label|task): ' err)" = 1
done <<'END'
1@train missing.csv out.cnm@missing.csv: cannot be opened: No such file or directory
1@train folder out.cnm@folder: cannot be read: Is a directory
1@train empty.csv out.cnm@empty.csv: found no rows, expected at least one
1@train header-only.csv out.cnm@header-only.csv: found no rows, expected at least one
1@train ragged.csv out.cnm@ragged.csv:3: found 4 cells, expected 3
1@train --missing error gaps.csv out.cnm@gaps.csv:2: found a missing value in column 2 ('y')
1@train words.csv out.cnm@words.csv:41: found 'red' in column 2 ('y'), expected a number; --na 'red' takes it for
1@train days.csv out.cnm@days.csv:26: found '2023-02-30' in column 1 ('day'), expected a date as 2023-10-13
1@train half.csv out.cnm@half.csv:2: found half a surrogate pair, expected text in UTF-16
1@train negative.libsvm out.cnm@negative.libsvm:1: found '-1:0.5', expected a whole number before the colon
2@train good.csv --encoding ascii out.cnm@--encoding cannot be "ascii": expected auto, utf-8, latin-1 or utf-16
1@train one-class.csv out.cnm@all 2 rows have the same label "a"
1@train infinite.csv out.cnm@infinite.csv:2: found '1e999' in column 2 ('y'), expected a finite number
1@train quote.csv out.cnm@quote.csv:2: found a quote in column 2 ('y') that is never closed
1@train value.libsvm out.cnm@value.libsvm:1: found '2:x', expected
1@train order.libsvm out.cnm@order.libsvm:1: found '2:1', expected ascending indices
1@train twice.libsvm out.cnm@twice.libsvm:1: found '1:1', expected each index once
1@train huge.libsvm out.cnm@huge.libsvm:2: found '99999999999:1', expected an index below
1@train no-colon.libsvm out.cnm@no-colon.libsvm:2: found '2', expected index:value
1@train type.arff out.cnm@type.arff:2: found 'strange', expected a type
1@train header.npy out.cnm@header.npy: found the end of the file in the npy header
1@train short.idx out.cnm@short.idx: found 2 bytes of values, expected more
1@train cut.csv.gz out.cnm@cut.csv.gz: the gzip data ends too early
1@train garbage.gz out.cnm@garbage.gz: the gzip data is damaged
2@train good.csv --label-column nothing out.cnm@good.csv: there is no column named 'nothing'
2@train good.csv --label-column 9 out.cnm@good.csv: the label column is 9
1@train good.csv --positive zebra out.cnm@good.csv: positive: no row has the label 'zebra'
1@train good.csv --rows 2000:3000 out.cnm@good.csv: --rows 2000:3000: there are 200 rows
1@train --init orthogonal --kernel cauchy good.csv out.cnm@--init orthogonal needs --kernel gaussian
1@predict good.csv good.csv@good.csv: not a safetensors file
1@predict cut.cnm good.csv@cut.cnm: not a safetensors file, or a cut one
1@predict missing.cnm good.csv@cannot read missing.cnm: No such file or directory
1@inspect flipped.cnm@flipped.cnm is damaged
1@predict good.cnm wide.csv@wide.csv: the column 'x', which the model expects, is missing
1@predict good.cnm wide-bare.csv@wide-bare.csv: found 5 columns, but the model expects 2, or 3 with labels
1@predict good.cnm empty.csv@empty.csv: found no rows
1@predict good.cnm good.csv --rows 5000:@good.csv: --rows 5000:: there are 200 rows
1@predict good.cnm good.csv --rows 5:900 -o out.txt@good.csv: --rows 5:900: there are 200 rows
1@predict good.cnm ragged.csv -o out.txt@ragged.csv:3: found 4 cells
2@convert good.csv -o out.xyz@out.xyz: the name does not tell the format
1@convert good.csv -o out.npy --labels-out out.labels.npy@out.labels.npy: the labels are words
2@convert good.csv -o out.libsvm --to excel@found the format 'excel', expected libsvm, csv or npy
END
check "no output of any of them" sh -c '! ls | grep -q "^out\."'
finish
