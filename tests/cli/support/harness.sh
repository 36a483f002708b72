# What the tests of the command share: an empty folder, runs with their outputs kept apart, and
# counted checks. A script, whose $1 is the command, does `. .../harness.sh` first and `finish`
# last.
# shellcheck shell=sh
LC_ALL=C
export LC_ALL
case $1 in
/*) cnm=$1 ;;
*) cnm=$PWD/$1 ;;
esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
passed=0
failed=0

pass() { passed=$((passed + 1)); }
fail() {
    failed=$((failed + 1))
    echo "FAILED: $*"
    for stream in out err; do
        if [ -s "$folder/$stream" ]; then
            echo "  std$stream:"
            head -n 5 "$folder/$stream" | cut -c 1-300 | sed 's/^/    /'
        fi
    done
}

# run ARGUMENTS...: the command's outputs go to the files out and err, its exit status to $status.
# A training makes no estimate, which would take as long again, unless $estimates is yes.
estimates=no
run() {
    status=0
    if [ "$1" = train ] && [ $estimates = no ]; then
        shift
        set -- train --estimate no "$@"
    fi
    "$cnm" "$@" >"$folder/out" 2>"$folder/err" </dev/null || status=$?
}

# check NAME CONDITION...: the condition is a command.
check() {
    name=$1
    shift
    if "$@"; then pass; else fail "$name"; fi
}
# exits NAME STATUS: of the latest run.
exits() { if [ "$status" = "$2" ]; then pass; else fail "$1: exit status $status instead of $2"; fi; }
# holds NAME FILE TEXT: the text stands somewhere in the file.
holds() { if grep -qF -e "$3" "$2"; then pass; else fail "$1: no \"$3\" in $2"; fi; }
lacks() { if grep -qF -e "$3" "$2"; then fail "$1: \"$3\" in $2"; else pass; fi; }
# same NAME FILE FILE: byte for byte.
same() { if cmp -s "$2" "$3"; then pass; else fail "$1: $2 and $3 differ"; fi; }
empty() { if [ -s "$2" ]; then fail "$1: $2 is not empty"; else pass; fi; }
# at_least NAME NUMBER BOUND
at_least() { if awk "BEGIN { exit !(\"$2\" != \"\" && $2 + 0 >= $3) }"; then pass; else fail "$1: $2 is below $3"; fi; }

# The percentage in "Accuracy = 95.27% (1912/2007)".
accuracy_in() { sed -n 's/^Accuracy = \([0-9.]*\)%.*/\1/p' "$1"; }

# rings ROWS SEED: csv rows x,y,label, "in" within a circle and "out" around it; the classes are
# about equally large.
rings() {
    awk -v rows="$1" -v state="$2" '
    function number() { state = (state * 16807) % 2147483647; return state / 2147483647 }
    BEGIN {
        print "x,y,label"
        for (i = 0; i < rows; i++) {
            x = 2 * number() - 1
            y = 2 * number() - 1
            printf "%.4f,%.4f,%s\n", x, y, x * x + y * y < 0.64 ? "in" : "out"
        }
    }'
}

# blobs ROWS SEED: csv rows a,b,c,label of three classes 0, 1, 2, each around its own centre.
blobs() {
    awk -v rows="$1" -v state="$2" '
    function number() { state = (state * 16807) % 2147483647; return state / 2147483647 }
    BEGIN {
        print "a,b,c,label"
        for (i = 0; i < rows; i++) {
            k = int(3 * number())
            printf "%.4f,%.4f,%.4f,%d\n", (k == 0) + number() - 0.5, (k == 1) + number() - 0.5, \
                (k == 2) + number() - 0.5, k
        }
    }'
}

finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
    exit
}
