#!/bin/sh
# test_bootstrap.sh: scripts/bootstrap on systems without apt prints the one line that installs what
# is missing, and stops; where nothing is missing it says nothing.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
say() { echo "test_bootstrap: $*"; }
fake() { # FOLDER PROGRAM...: programs that do nothing
    into=$1
    shift
    mkdir -p "$into"
    for program in "$@"; do
        printf '#!/bin/sh\nexit 0\n' >"$into/$program" && chmod +x "$into/$program"
    done
}

mkdir "$folder/tools"
for program in sh dirname cat tr grep printf; do
    ln -s "$(command -v $program)" "$folder/tools/$program"
done

# expect WHAT STATUS PROGRAMS LINE: with these programs alone, and what the script itself calls.
expect() {
    rm -rf "$folder/programs"
    # shellcheck disable=SC2086  # a list of words
    fake "$folder/programs" $3
    env -i PATH="$folder/programs:$folder/tools" "$folder/tools/sh" "$root/scripts/bootstrap" >"$folder/out" 2>&1
    status=$?
    if [ $status != "$2" ] || [ "$(sed 's/ *$//' "$folder/out")" != "$4" ]; then
        say "FAILED: $1: status $status, and"
        cat "$folder/out"
        failures=$((failures + 1))
    fi
}

expect "Fedora with nothing" 1 "dnf" \
    "bootstrap: this needs: sudo dnf install cmake ninja-build gcc glibc-devel zlib-devel"
expect "Alpine with nothing" 1 "apk" "bootstrap: this needs: sudo apk add cmake samurai gcc musl-dev zlib-dev"
expect "macOS with a compiler" 1 "brew cc" "bootstrap: this needs: brew install cmake ninja"
expect "Fedora without CMake" 1 "dnf ninja-build cc" "bootstrap: this needs: sudo dnf install cmake"
expect "Fedora with everything" 0 "dnf cmake ninja-build cc" ""
expect "Alpine with everything" 0 "apk cmake samu cc" ""
expect "an unknown system" 1 "cc ninja" \
    "bootstrap: no apt, dnf, apk or brew to name packages for; in Fedora's words this needs: cmake"
[ $failures = 0 ] && say "each system gets its line"
exit $failures
