#!/bin/sh
# test_install.sh BUILD SOURCE: installs into an empty prefix, moves it, and builds the examples as
# a user would: with pkg-config, with find_package against both libraries, and from C++.
set -eu
build=$1 source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
say() { echo "--- $*"; }

say "install, then move the prefix: nothing inside may remember where it was"
cmake --install "$build" --prefix "$folder/first" >"$folder/log" || { cat "$folder/log"; exit 1; }
mv "$folder/first" "$folder/prefix"
libraries=$(dirname "$(find "$folder/prefix" -name libcnm.so)")
export LD_LIBRARY_PATH="$libraries" PKG_CONFIG_PATH="$libraries/pkgconfig"
"$folder/prefix/bin/cnm" version
for name in lib/libcnm.a include/cnm/cnm.h include/cnm/types.h include/cnm/data.h include/cnm/advanced.h \
    include/cnm/bindings.h; do
    [ -e "$folder/prefix/$name" ] || [ -e "$libraries/$(basename "$name")" ] || { echo "missing: $name"; exit 1; }
done
for command in $("$folder/prefix/bin/cnm" help | sed -n 's/^  cnm \([a-z]*\) .*/-\1/p') ""; do
    [ -s "$folder/prefix/share/man/man1/cnm$command.1" ] || { echo "missing: the page cnm$command(1)"; exit 1; }
done
for name in bash-completion/completions/cnm zsh/site-functions/_cnm fish/vendor_completions.d/cnm.fish; do
    [ -s "$folder/prefix/share/$name" ] || { echo "missing: share/$name"; exit 1; }
done

run_example() { # PROGRAM
    mkdir -p "$folder/run"
    (cd "$folder/run" && "$1" >output 2>&1) || { cat "$folder/run/output"; echo "$1 failed"; exit 1; }
    rm -rf "$folder/run"
}

say "pkg-config: $(pkg-config --modversion cnm), $(pkg-config --cflags --libs cnm)"
for example in "$source"/examples/*.c; do
    name=$(basename "$example" .c)
    # shellcheck disable=SC2046  # lists of words
    cc -std=c11 -Wall -Wextra -Werror "$example" $(pkg-config --cflags --libs cnm) -lm -o "$folder/$name"
    run_example "$folder/$name"
    # shellcheck disable=SC2046
    cc -std=c11 "$example" $(pkg-config --cflags cnm) "$libraries/libcnm.a" \
        $(pkg-config --static --libs-only-l cnm | sed 's/-lcnm//') -lm -o "$folder/$name-static"
    run_example "$folder/$name-static"
done

say "a user's program may call its functions as ours are called inside"
cat >"$folder/own.c" <<'END'
#include <cnm/cnm.h>
int map_create(void);
int map_create(void) { return 0; }
int error_set(void);
int error_set(void) { return 0; }
int main(void) { return cnm_version()[0] == '\0' ? 1 : map_create() + error_set(); }
END
# shellcheck disable=SC2046
cc -std=c11 "$folder/own.c" $(pkg-config --cflags cnm) "$libraries/libcnm.a" \
    $(pkg-config --static --libs-only-l cnm | sed 's/-lcnm//') -o "$folder/own"
"$folder/own"

say "C++"
cat >"$folder/plus.cpp" <<'END'
#include <cnm/cnm.h>
int main() { return cnm_version()[0] == '\0'; }
END
# shellcheck disable=SC2046
c++ -Wall -Wextra -Werror "$folder/plus.cpp" $(pkg-config --cflags --libs cnm) -o "$folder/plus"
"$folder/plus"

say "find_package"
mkdir "$folder/project"
cat >"$folder/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(user C)
find_package(cnm 0.1 REQUIRED)
file(GLOB examples ${EXAMPLES}/*.c)
foreach(example IN LISTS examples)
  get_filename_component(name ${example} NAME_WE)
  foreach(kind IN ITEMS cnm static)
    add_executable(${name}_${kind} ${example})
    target_link_libraries(${name}_${kind} PRIVATE cnm::${kind} m)
  endforeach()
endforeach()
END
cmake -G Ninja -S "$folder/project" -B "$folder/project/build" \
    -DCMAKE_PREFIX_PATH="$folder/prefix" -DEXAMPLES="$source/examples" \
    >"$folder/log" || { cat "$folder/log"; exit 1; }
cmake --build "$folder/project/build" >"$folder/log" || { cat "$folder/log"; exit 1; }
for example in "$source"/examples/*.c; do
    name=$(basename "$example" .c)
    run_example "$folder/project/build/${name}_cnm"
    run_example "$folder/project/build/${name}_static"
done
say "all well"
