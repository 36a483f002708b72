#!/bin/sh
# microcontroller.sh GUIDE COMMAND BUILD INCLUDE: runs what the guide shows, where there is a compiler for ARM and an emulator.
set -eu
for tool in arm-none-eabi-gcc qemu-system-arm; do
    if ! command -v $tool >/dev/null; then
        echo "skipped: no $tool (scripts/bootstrap --arm)"
        exit 77
    fi
done
exec "$(dirname "$0")/../tools/run_readme.sh" "$@"
