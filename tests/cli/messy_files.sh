#!/bin/sh
# Files as people have them: each is learned without an option that says how to read it, the label
# is the right column, and new rows of the same kind are predicted. A file with a mistake gets a
# sentence that names the option which settles it.
# shellcheck disable=SC2016  # awk's own dollars
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

# people ROWS SEED: columns by tabs: number, age, income, share, day, city, sex, whether the person
# left, which follows from the income.
people() {
    awk -v rows="$1" -v state="$2" '
    function number() { state = (state * 16807) % 2147483647; return state / 2147483647 }
    BEGIN {
        for (i = 1; i <= rows; i++) {
            income = 1000 + 99000 * number()
            printf "%d\t%d\t%.2f\t%.1f\t2023-%02d-%02d\tcity%d\t%s\t%s\n", i, 18 + 60 * number(), income,
                100 * number(), 1 + 12 * number(), 1 + 28 * number(), 300 * number(), number() < 0.5 ? "M" : "F",
                (income > 50000 ? "Yes" : "No")
        }
    }'
}

options='--effort quick -k 16' # for speed
people 400 5 >old.tsv
people 100 6 >new.tsv

# make NAME PROGRAM: NAME.csv for training and NAME-new.csv to predict, each written by an awk
# program of the columns above; -v begin=1 while it writes the header.
make() {
    for age in "" -new; do
        source=old.tsv
        if [ -n "$age" ]; then source=new.tsv; fi
        awk -F '\t' "function thousands(whole) {
                return (whole >= 1000 ? int(whole / 1000) sep sprintf(\"%03d\", whole % 1000) : whole)
            }
            $2" $source >"$1$age.csv"
    done
}

# learns NAME LABEL: trains without an option about reading, and predicts; the label must be that.
learns() {
    # shellcheck disable=SC2086  # words are meant
    run train $options "$1.csv" "$1.cnm"
    exits "train $1" 0
    check "the label of $1" grep -qE "^label +$2\$" out
    run predict "$1.cnm" "$1-new.csv"
    exits "predict $1" 0
    at_least "the accuracy of $1" "$(accuracy_in out)" 90
}

make semicolon 'BEGIN { print "Kunde;Einkommen;Alter;churned" }
    { sub(/\./, ",", $3); print $1 ";" $3 ";" $2 ";" $8 }'
learns semicolon churned
make grouped 'BEGIN { sep = "."; print "Alter;Einkommen;churned" }
    { cents = sprintf("%02d", $3 * 100 % 100); print $2 ";" thousands(int($3)) "," cents ";" $8 }'
learns grouped churned
make dates 'BEGIN { print "signup,income,churned" } { print $5 "," $3 "," $8 }'
learns dates churned
make units 'BEGIN { sep = ","; print "income,share,churned" }
    { print "\"$" thousands(int($3)) ".50\"," $4 "%," $8 }'
learns units churned
make ids 'BEGIN { print "Kunde,Name,remark,income,churned" }
    { printf "K%05d,\"Name %d, of %s\",said %d things,%s,%s\n", $1, $1, $6, $1 * 7, $3, $8 }'
learns ids churned
make cities 'BEGIN { print "city,income,churned" } { print $6 "," $3 "," $8 }'
learns cities churned
make markers 'BEGIN { split("-,.,None,<NA>,#N/A,\\N,NA,?,,null", marker, ","); print "age,sex,income,churned" }
    { print ($1 % 9 ? $2 : marker[$1 % 10 + 1]) "," ($1 % 11 ? $7 : marker[$1 % 10 + 1]) "," $3 "," $8 }'
learns markers churned
make quoted 'BEGIN { print "age,sex,income,churned" }
    { print ($1 % 9 ? $2 : "\"NA\"") "," ($1 % 11 ? $7 : "\"?\"") ",\"" $3 "\"," $8 }'
learns quoted churned
make trailing 'BEGIN { print "# made by hand\n# in two lines\nage,income,churned," } { print $2 "," $3 "," $8 "," }'
learns trailing churned
make blank 'BEGIN { printf "\357\273\277age,note,income,churned\r\n" }
    { printf "%s,\"one\r\ntwo %s\",%s,%s\r\n\r\n", $2, $7, $3, $8 }'
learns blank churned
make truth 'BEGIN { print "customer_id,age,churned,income,sex,zip" }
    { print $1 "," $2 "," ($8 == "Yes" ? "True" : "False") "," $3 "," $7 "," 10000 + $1 * 37 % 90 }'
learns truth churned
make us3 'BEGIN { print "customer_id,age,churned,income,sex,balance,zip" }
    { print $1 "," $2 "," $8 "," $3 "," $7 "," $4 "," 10000 + $1 * 37 % 90 }'
learns us3 churned
make titanic 'BEGIN { print "PassengerId,Survived,Pclass,Name,Sex,Age,Ticket,Fare,Cabin,Embarked" }
    { print $1 "," ($8 == "Yes") "," $1 % 3 + 1 ",\"Nr, Mr. " $1 "\"," ($7 == "M" ? "male" : "female") "," \
        ($1 % 5 ? $2 : "") ",A/5 " $1 * 13 "," $3 "," ($1 % 4 ? "" : "C" $1) "," substr("SCQ", $1 % 3 + 1, 1) }'
options='' # at all
learns titanic Survived
options='--effort quick -k 16'

# Other encodings, and standard input.
make latin 'BEGIN { print "Gr\366\337e,Stadt,churned" } { print $3 ",K\366ln " $1 % 5 "," $8 }'
learns latin churned
run train --effort quick -k 16 latin.csv latin.cnm
holds "the encoding is said" err "is read as Latin-1"
run convert latin.csv -o names.csv
holds "names are UTF-8" names.csv "$(printf 'Gr\303\266\303\237e')"
# wide FILE: as UTF-16, of ASCII
wide() {
    printf '\377\376'
    awk 'BEGIN { ORS = "" }
        { for (i = 1; i <= length($0); i++) print substr($0, i, 1) "@"; print "\n@" }' "$1" | tr '@' '\0'
}
wide dates.csv >wide.csv
wide dates-new.csv >wide-new.csv
learns wide churned
gzip -c wide.csv | "$cnm" train --estimate no --effort quick -k 16 -q - piped.cnm 2>err
same "from standard input and gzipped" wide.cnm piped.cnm

# One cell that does not fit is a mistake in a column of numbers, never a label.
awk 'BEGIN { print "a,b,y" } { print $3 "," $2 "," $4 / 7 }' old.tsv | sed '61s/^[^,]*/banana/' >stray.csv
run train --effort quick stray.csv out.cnm
exits "a stray cell" 1
holds "a stray cell" err "stray.csv:61: found 'banana' in column 1 ('a'), expected a number; --na 'banana' takes"
run train --effort quick -k 8 --na banana stray.csv out.cnm
exits "--na settles it" 0
check "the label of stray" grep -qE "^label +y$" out
run train --effort quick -k 8 --drop a stray.csv out.cnm
exits "--drop settles it" 0
{ cat dates.csv && echo 'Total,,'; } >total.csv
run train --effort quick -k 8 total.csv out.cnm
exits "a total" 1
holds "a total" err "total.csv:402: found 'Total' in column 1 ('signup')"
holds "a total" err "or take the other rows alone by --rows A:B"
run train --effort quick -k 8 --rows 1:400 total.csv out.cnm
exits "--rows settles it" 0

# Typed columns are written as they were, or as features.
run convert dates.csv -o out.csv
holds "times as text" out.csv 2023-04-19,
run convert cities.csv -o out.libsvm
exits "words as features" 0
check "words as features" grep -qE '^(Yes|No) .*[0-9]+:1( |$)' out.libsvm

# The decimal sign, where one comma may be either.
printf 'a;b;y\n1.250;3;1\n2.500;4;2\n1.125;5;3\n2.375;6;4\n' >sign.csv
run convert --decimal comma sign.csv -o comma.csv
run convert --decimal point sign.csv -o point.csv
holds "--decimal comma" comma.csv "1250,3"
holds "--decimal point" point.csv "1.25,3"
finish
