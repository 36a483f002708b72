#!/bin/sh
# with_comma_locale.sh PRELOAD SCRIPT COMMAND: runs a test script of the command with COMMAND in a
# comma locale. Only the command is put there, not the shell and its tools.
set -eu
preload=$1 script=$2 command=$3
status=0
LD_PRELOAD=$preload "$command" version >/dev/null 2>&1 || status=$?
if [ "$status" = 77 ]; then
    echo "skipped: the locale de_DE.UTF-8 is not installed"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/cnm" <<END
#!/bin/sh
LD_PRELOAD='$preload' exec '$command' "\$@"
END
chmod +x "$folder/cnm"
"$script" "$folder/cnm"
