#!/usr/bin/env python3
"""lines_covered.py BUILD LEAST: which lines of src/ ran, from what clang's counters left in BUILD (-DCNM_COVERAGE=ON).

Prints a line for each module and one for all; writes the lines that no test ran to
BUILD/coverage.txt. Fails below LEAST per cent. A line that is compiled several times (headers, SIMD
code for several CPUs) counts once, and ran where any of them did.
"""

import collections
import pathlib
import subprocess
import sys

BATCH = 40  # files that one llvm-cov gets
NOT_RUN = {"#####", "====="}


def counts(build):
    """(path below src, line) -> whether it ran."""
    notes = sorted(str(path.resolve()) for path in build.rglob("*.gcno"))
    ran = {}
    for first in range(0, len(notes), BATCH):
        command = ["llvm-cov", "gcov", "-t", *notes[first : first + BATCH]]
        output = subprocess.run(command, check=True, capture_output=True, text=True, cwd=build).stdout
        name = None
        for text in output.splitlines():  # "count:line:source", "-" for lines without code; line 0 names the file
            count, line, source = (part.strip() for part in text.split(":", 2))
            if line == "0" and source.startswith("Source:"):
                parts = pathlib.PurePath(source.removeprefix("Source:")).parts
                name = "/".join(parts[parts.index("src") :]) if "src" in parts else None
            elif name is not None and count != "-":
                key = (name, int(line))
                ran[key] = ran.get(key, False) or count not in NOT_RUN
    return ran


def main():
    build, least = pathlib.Path(sys.argv[1]), float(sys.argv[2])
    ran = {key: hit for key, hit in counts(build).items() if pathlib.Path(key[0]).exists()}
    if not ran:
        sys.exit(f"{build} holds no counts of src: build it with -DCNM_COVERAGE=ON and run its tests")
    modules = collections.defaultdict(lambda: [0, 0])
    for (name, _), hit in ran.items():
        module = "/".join(name.split("/")[:2])
        modules[module][0] += hit
        modules[module][1] += 1
    for module, (hit, total) in sorted(modules.items()):
        print(f"  {module:<12} {100 * hit / total:5.1f} % of {total} lines")
    missed = [f"{name}:{line}" for (name, line), hit in sorted(ran.items()) if not hit]
    (build / "coverage.txt").write_text("\n".join([*missed, ""]))
    share = 100 * (1 - len(missed) / len(ran))
    print(f"line coverage of src: {share:.1f} % of {len(ran)} lines")
    sys.exit(share < least)


if __name__ == "__main__":
    main()
