#!/bin/sh
# Help of each command: a screen of examples and common options, all options on demand, the manual
# pages, and what shells complete.
# shellcheck source-path=SCRIPTDIR source=support/harness.sh
. "$(dirname "$0")/support/harness.sh"

commands=$("$cnm" help | sed -n 's/^  cnm \([a-z]*\) .*/\1/p')
check "there are commands" test "$(echo "$commands" | wc -l)" -ge 10
for command in $commands; do
    run "$command" --help
    exits "$command --help" 0
    empty "$command --help" err
    cp out short
    run help "$command"
    same "$command --help is help $command" out short
    # shellcheck disable=SC2016  # awk's own dollar
    check "$command --help fits a screen of 80 columns" awk 'length($0) > 80 { exit 1 }' short
    check "$command --help has an example" grep -q "^  cnm $command" short
    run "$command" --help-all
    cp out all
    run help --all "$command"
    same "$command --help-all is help --all $command" out all
    # shellcheck disable=SC2016  # awk's own dollar
    check "$command --help-all has 80 columns" awk 'length($0) > 80 { exit 1 }' all
    sed -n 's/^ *\(-., \)\{0,1\}\(--[a-z-]*\) .*/\2/p' short >listed
    while read -r option; do
        check "$command: $option of --help is in --help-all" grep -q -e "^ .*$option" all
    done <listed
done

# One screen for train: examples, what most people use, and where the rest is.
run help train
check "help train fits 24 lines" test "$(wc -l <out)" -le 24
for option in --features --effort --metric --label-column --drop --missing --seed --threads --dtype \
    "cnm train --help-all"; do
    holds "help train" out "$option"
done
lacks "help train leaves the rest out" out "--theta-penalty"
check "help train has three examples" test "$(grep -c '^  cnm train' out)" = 3
holds "the help shows defaults" out "[normal]"

run train --help-all
for option in method features projection init phase kernel gamma activation task recipe iterations head-steps \
    map-steps loss lambda theta-penalty epochs batch teacher prune validation patience checkpoint checkpoint-every \
    resume skip class-weight scale missing grow from format labels label-column weight-column group-column positive \
    shuffle rows seed threads quiet json; do
    holds "train --help-all" out "--$option"
done
lacks "train --help-all shows only what is offered" out "--cv"
for group in Method Training Data Running; do
    holds "train --help-all has groups" out "$group options"
done
for example in "-k 16" "-p circulant" "--recipe alternating" "-m kernel-approximation --task map" "cnm transform" \
    "--grow" "--from"; do
    holds "train --help-all has the example" out "$example"
done
run predict --help-all
lacks "predict has no training options" out "--gamma"
holds "predict reads data" out "--separator"

# tune refuses these.
run tune --help-all
for option in --features --layers --checkpoint --resume --prune; do
    check "tune --help-all leaves $option out" sh -c "! grep -qE -e '^ +(-., )?$option' out"
done
holds "tune takes the other options of train" out "--gamma"

# Manual pages.
for command in "" $commands; do
    # shellcheck disable=SC2086  # no word for cnm's own page
    run help --format man $command
    exits "the page of cnm $command" 0
    cp out page.1
    for section in NAME SYNOPSIS "EXIT STATUS" "SEE ALSO"; do
        check "the page of cnm $command has $section" grep -qx ".SH $section" page.1
    done
    if command -v groff >/dev/null; then
        # shellcheck disable=SC2016  # of the inner shell
        check "groff takes the page of cnm $command" sh -c 'test -z "$(groff -man -ww -z page.1 2>&1)"'
    fi
    if command -v mandoc >/dev/null; then # pages have no date
        check "mandoc takes the page of cnm $command" \
            sh -c '! mandoc -Tlint -Wwarning page.1 | grep -v "missing date" | grep -q .'
    fi
done
if command -v groff >/dev/null; then
    run help --format man train
    groff -man -Tascii out 2>/dev/null | sed "s/$(printf '\033')\[[0-9;]*m//g; s/.$(printf '\b')//g" >text
    holds "a page as it is read" text "K = exp(-gamma |x-y|^2)"
fi

# Completion in bash, as readline asks for it.
run help --format bash
exits "help --format bash" 0
cp out completion
completes() { # WORDS EXPECTED: the words of the line, the last of them begun
    bash -c '. ./completion
        read -r -a COMP_WORDS <<<"$1"
        [[ $1 == *" " ]] && COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _cnm
        echo "${COMPREPLY[*]}"' bash "$1" >completed 2>&1
    check "bash completes \"$1\": $(cat completed)" test "$(cat completed)" = "$2"
}
if command -v bash >/dev/null; then
    touch rows.csv
    completes "cnm train --eff" "--effort"
    completes "cnm train --effort " "quick normal thorough"
    completes "cnm train --effort = th" "thorough"
    completes "cnm tra" "train transform"
    completes "cnm help pre" "predict"
    completes "cnm train ro" "rows.csv"
    completes "cnm train --labels ro" "rows.csv"
    completes "cnm train --seed " ""
    completes "cnm export --to " "c onnx"
    completes "cnm tune --feat" ""
fi

# The others are at least scripts of their shells.
for shell in zsh fish; do
    run help --format $shell
    exits "help --format $shell" 0
    for word in effort "quick normal thorough" transform; do
        holds "help --format $shell" out "$word"
    done
    if command -v $shell >/dev/null; then
        check "$shell takes its completions" $shell -n out
    else
        echo "$shell is not installed: its completions were not parsed"
    fi
done
finish
