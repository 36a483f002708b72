#!/bin/sh
# test_missing_pieces.sh: configures with a PATH that lacks one thing after the other: each ends in
# a sentence with the packages of Debian, Fedora and Alpine that bring it.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0 cc=
say() { echo "test_missing_pieces: $*"; }

for program in cmake make cc; do
    ln -s "$(command -v $program)" "$folder/$program" || exit 1
done
mkdir "$folder/without_cc" "$folder/without_headers"
for program in cmake make; do
    ln -s "$folder/$program" "$folder/without_cc/$program"
    ln -s "$folder/$program" "$folder/without_headers/$program"
done
printf '#!/bin/sh\nexit 1\n' >"$folder/without_headers/cc"
chmod +x "$folder/without_headers/cc"

# expect WHAT PATH SENTENCE PACKAGES ARGUMENTS...: configuring with this PATH and these arguments
# fails with the sentence and, for each system, with the package.
expect() {
    what=$1 path=$2 sentence=$3 packages=$4
    shift 4
    rm -rf "$folder/build"
    env -i PATH="$path" ${cc:+CC="$cc"} cmake -S "$root" -B "$folder/build" -DCNM_TESTS=OFF "$@" >"$folder/out" 2>&1
    status=$?
    if [ $status = 0 ]; then
        say "FAILED: $what: configuring succeeds" && failures=$((failures + 1))
        return
    fi
    tr -s ' \n' '  ' <"$folder/out" >"$folder/text" # CMake breaks lines where it likes
    for part in "$sentence" $packages; do
        if ! grep -qF -- "$part" "$folder/text"; then
            say "FAILED: $what: no \"$part\" in:" && cat "$folder/out"
            failures=$((failures + 1))
        fi
    done
}

expect "no compiler" "$folder/without_cc" "cnm needs a C compiler" "libc6-dev dnf apk xcode-select" -G "Unix Makefiles"
cc="gcc -O2" # as pip sets it
expect "no compiler of CC's name" "$folder/without_cc" "looked for gcc)" "libc6-dev dnf apk" -G "Unix Makefiles"
cc=
expect "no headers" "$folder/without_headers" "finds no stdio.h" "libc6-dev glibc-devel musl-dev" -G "Unix Makefiles"
expect "no Ninja" "$folder" "cnm is built with Ninja" "apt-get ninja-build samurai" -G Ninja
expect "no zlib" "$PATH" "cnm needs zlib" "zlib1g-dev zlib-devel zlib-dev" -G "Unix Makefiles" \
    -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON
# Nothing is missing: what failed above did so for that reason.
rm -rf "$folder/build"
if ! env -i PATH="$PATH" cmake -S "$root" -B "$folder/build" -DCNM_TESTS=OFF -G "Unix Makefiles" \
    >"$folder/out" 2>&1; then
    say "FAILED: with everything there" && cat "$folder/out"
    failures=$((failures + 1))
fi
[ $failures = 0 ] && say "each missing piece is named with its packages"
exit $failures
