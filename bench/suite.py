"""Runs the sections one after the other, each against its peer; started by scripts/bench.

usage: suite.py [--quick] [--only NAME] --build FOLDER --peers FOLDER [--data FOLDER]

Writes bench/results.json and the table in bench/README.md. With --only the other lines stay. Needs
the standard library only. Exits with 1 when a check inside a program failed; a line that misses its
bound is marked and is no failure.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys
import textwrap

from learning import learning
from lines import Bench, convolve, growth, maps, one_row, readers, stacks, step
from prediction import classifiers, predict

HERE = pathlib.Path(__file__).resolve().parent
SECTIONS = {
    "maps": maps,
    "convolve": convolve,
    "stacks": stacks,
    "one_row": one_row,
    "predict": predict,
    "classifiers": classifiers,
    "learning": learning,
    "step": step,
    "readers": readers,
    "growth": growth,
}
BEGIN, END = "<!-- the table begins -->", "<!-- the table ends -->"


def machine():
    """Returns the processor, the system and the load."""
    model = platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    system = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "system": system,
        "load": round(os.getloadavg()[0], 2),
        "date": datetime.date.today().isoformat(),
    }


def number(value):
    """Returns a number with three digits and no exponent."""
    if value is None:
        return ""
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f}"


def row(line):
    wanted = "" if line["wanted"] is None else ("≤ " if line["less"] else "≥ ") + number(line["wanted"])
    value = number(line["value"])
    if line["wanted"] is not None:
        value = f"**{value}**" if line["reached"] else f"{value} (missed)"
    cells = [line["what"], line["ours"], line["peer"], value, wanted, number(line["floor"])]
    return "| " + " | ".join(cells) + " |"


def table(results):
    of = results["machine"]
    out = [
        f"{of['processor']}, {of['cores']} cores, {of['system']}; load {of['load']} when it began, {of['date']}"
        + (", `--quick`" if results["quick"] else ""),
        "",
        "| what | ours | peer | ratio | wanted | of the floor |",
        "|---|---|---|---|---|---|",
    ]
    out += [row(line) for line in results["lines"]]
    notes = [line for line in results["lines"] if line["note"]]
    if notes:
        out.append("")
        out += [textwrap.fill(f"- {line['what']}: {line['note']}", 100, subsequent_indent="  ") for line in notes]
    return "\n".join(out)


def keep(results):
    (HERE / "results.json").write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    readme = HERE / "README.md"
    text = readme.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    readme.write_text(f"{before}{BEGIN}\n{table(results)}\n{END}{after}", encoding="utf-8")


def earlier():
    try:
        return json.loads((HERE / "results.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=sorted(SECTIONS))
    for name in ("--build", "--peers"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path)
    given = parser.parse_args()
    bench = Bench(given)
    before = earlier() if given.only else None
    results = {"machine": machine(), "quick": given.quick, "lines": []}
    failed = []
    for name, section in SECTIONS.items():
        if given.only not in (None, name):
            results["lines"] += [line for line in (before or {"lines": []})["lines"] if line["section"] == name]
            continue
        print(f"== {name}", flush=True)
        try:
            lines = section(bench)
        except (RuntimeError, subprocess.SubprocessError, OSError, KeyError) as problem:
            print(f"FAILED: {name}: {problem}", flush=True)
            failed.append(name)
            continue
        results["lines"] += [{"section": name, **line} for line in lines]
    keep(results)
    print(table(results))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
