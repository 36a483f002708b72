#!/bin/sh
# Predictions as tables: the header, the column of --id, quoting, and the numbers of rows.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

rings 300 41 >rings.csv
sed 's/,in$/,"in, ""side"""/' rings.csv >quoted.csv
blobs 200 42 >blobs.csv
awk 'BEGIN { print "x,y"; for (i = 0; i < 60; i++) print i / 10 "," i * i / 7 }' >numbers.csv
run train -q -k 16 --effort quick --epochs 20 rings.csv
run train -q -k 16 --effort quick --epochs 20 quoted.csv
run train -q -k 8 --effort quick --epochs 20 blobs.csv
run train -q -m linear --task regress numbers.csv

# A table has a header and the predictions of the lines.
run predict rings.cnm rings.csv -o lines.txt
run predict rings.cnm rings.csv -o table.csv
exits "a table" 0
holds "the metric is on standard output" out "Accuracy = "
{ echo prediction && cat lines.txt; } >expected
same "a header, then the lines" table.csv expected
run predict --probability blobs.cnm blobs.csv -o lines.txt
run predict --probability blobs.cnm blobs.csv -o table.tsv
check "tabs" test "$(head -n 1 table.tsv | tr '\t' ' ')" = "prediction probability_0 probability_1 probability_2"
sed 1d table.tsv | tr '\t' ' ' >expected
same "the numbers of the lines" lines.txt expected
run predict --scores blobs.cnm blobs.csv -o table.csv
check "a score a class" test "$(head -n 1 table.csv)" = "prediction,score_0,score_1,score_2"
run predict --scores rings.cnm rings.csv -o table.csv
check "two classes share a score" test "$(head -n 1 table.csv)" = "prediction,score_out"
run predict numbers.cnm numbers.csv -o table.csv
check "a regression" test "$(head -n 1 table.csv)" = prediction
check "all rows" test "$(wc -l <table.csv)" = 61

# Quotes: the command's own reader gets the labels back.
run predict --probability quoted.cnm quoted.csv -o table.csv
holds "names are quoted" table.csv 'prediction,"probability_in, ""side""",probability_out'
run convert --label-column prediction table.csv -o back.csv
exits "a table is read again" 0
check "two numbers a row" test "$(sed -n 2p back.csv | awk -F, '{ print NF - 1 }')" -ge 2
run predict quoted.cnm quoted.csv -o lines.txt
run predict quoted.cnm quoted.csv -o table.csv
sed '1d; s/^"//; s/"$//; s/""/"/g' table.csv >unquoted.txt
same "quoting loses nothing" unquoted.txt lines.txt

# Numbers of rows are those of the file, whatever is selected.
run predict --id row --rows 8200:8202 rings.cnm rings.csv
exits "rows that are not there" 1
rings 9000 43 >many.csv
run predict --id row rings.cnm many.csv -o all.csv
check "rows are numbered over batches" test "$(tail -n 1 all.csv | cut -d, -f1)" = 9000
run predict --id row --rows 8190:8195 rings.cnm many.csv
holds "--id alone prints a table" out "row,prediction"
sed 1d out >part
sed -n 8191,8196p all.csv >expected
same "--rows" part expected
holds "the metric goes to standard error" err "Accuracy = "
run predict --id row --shuffle 3 rings.cnm many.csv -o shuffled.csv
sort all.csv >expected
sort shuffled.csv >part
same "--shuffle keeps numbers with predictions" part expected
check "--shuffle shuffles" sh -c '! cmp -s all.csv shuffled.csv'
run convert many.csv -o many.libsvm
run predict --id row rings.cnm many.libsvm -o sparse.csv
same "rows of other formats" sparse.csv all.csv
run predict --id name rings.cnm many.libsvm -o none.csv
exits "a column of a file without columns" 2
holds "a column of a file without columns" err "--id row numbers them"
check "nothing is left behind" test ! -e none.csv
run transform --id row rings.cnm rings.csv -o z.npy
exits "features have no ids" 2
finish
