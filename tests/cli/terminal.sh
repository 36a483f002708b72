#!/bin/sh
# The bar on terminals of several widths; terminal.py has the tests.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
here=$(cd "$(dirname "$0")" && pwd)
. "$here/support/harness.sh"
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
rings 300 5 >rings.csv
check "the bar on a terminal" python3 "$here/support/terminal.py" "$cnm" rings.csv

# Elsewhere than on a terminal: whole lines.
CNM_PROGRESS_AFTER=0
export CNM_PROGRESS_AFTER
run train --effort quick -k 8 rings.csv model.cnm
holds "plain lines name the stage and the share" err "fit "
check "plain lines are lines" sh -c '! tr -d "\n -~" <err | grep -q .'
run train -q --effort quick -k 8 rings.csv model.cnm
empty "-q: no lines" err
CNM_PROGRESS_AFTER=100000
run train --effort quick -k 8 rings.csv model.cnm
lacks "none before they begin" err "%, loss"
finish
