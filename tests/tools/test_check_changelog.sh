#!/bin/sh
# check-changelog passes where the list of names and the changelog change together, and fails where
# only the names do.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
if ! command -v git >/dev/null; then
    echo "skipped: git is not installed"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/scripts" "$folder/include/cnm"
cp "$root/scripts/check-changelog" "$folder/scripts"
cd "$folder"
git init -q .
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b

save() { git add -A && git commit -qm "$1"; }
expect() { # STATUS WHAT
    status=0
    scripts/check-changelog >output || status=$?
    if [ "$status" != "$1" ]; then
        echo "$2: status $status instead of $1"
        cat output
        exit 1
    fi
}
echo cnm_one >include/cnm/symbols.txt
echo first >CHANGELOG.md
save first
expect 0 "both at once"
echo other >README.md
save other
expect 0 "neither"
echo cnm_two >>include/cnm/symbols.txt
expect 1 "a name that is not saved yet"
echo second >>CHANGELOG.md
expect 0 "both, not saved yet"
git checkout -q CHANGELOG.md
save names
expect 1 "a name without a line"
echo second >>CHANGELOG.md
expect 0 "the line, not saved yet"
save line
expect 0 "the line in a later commit"
