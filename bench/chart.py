#!/usr/bin/env python3
"""Draws docs/accuracy.svg and writes the figures of README.md, both from bench/accuracy.json.

    bench/chart.py            writes both
    bench/chart.py --check    writes nothing; fails where a file is not what it would write

The chart has accuracy against the size of the model, for each method the mean over all sets with
classes: of the accuracies, and of the bytes the geometric one. No package beside Python's own.
"""

import json
import math
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
CHART, README = ROOT / "docs/accuracy.svg", ROOT / "README.md"
BEGIN, END = "<!-- bench/chart.py writes from here -->\n", "<!-- to here -->\n"

REGRESSION = {"diabetes", "diamonds", "computers", "chicago"}  # scored by 100 R2
# Where the text of each stands beside its dot: right, down, and which end of it is there.
METHODS = {
    "cnm": (0, -32, "middle"),
    "MLP": (-13, -8, "end"),
    "tuned RBF SVM": (0, 24, "middle"),
    "LightGBM": (13, 6, "start"),
    "random features": (0, 24, "middle"),
    "linear": (13, -7, "start"),
}


class Method(NamedTuple):
    """What a method gives on the sets with classes."""

    score: float
    bytes: float
    microseconds: float
    seconds: float


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def summarise(results):
    """Returns a Method for each of METHODS."""
    assert REGRESSION <= results.keys()
    rows = [found for name, found in results.items() if name not in REGRESSION]
    return {
        method: Method(
            sum(row[method]["score"] for row in rows) / len(rows),
            *(geometric_mean([row[method][key] for row in rows]) for key in Method._fields[1:]),
        )
        for method in METHODS
    }


# ---- The chart ----

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 58, 52
BYTES, SCORES = (2e3, 3e6), (80, 92)
TICKS_X = [(2e3, "2 kB"), (1e4, "10 kB"), (1e5, "100 kB"), (1e6, "1 MB")]
STYLE = """
    text { font: 13px system-ui, sans-serif; fill: #24292f }
    .title { font-size: 15px; font-weight: 600 }
    .small { font-size: 12px; fill: #57606a }
    .ours { font-weight: 700; fill: #0550ae }
    .paper { fill: #ffffff }
    .grid { stroke: #d0d7de; stroke-width: 1 }
    .dot { fill: #8c959f }
    .dot.ours { fill: #0969da }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 }
      .small { fill: #9da7b3 }
      .ours { fill: #79c0ff }
      .paper { fill: #0d1117 }
      .grid { stroke: #30363d }
      .dot { fill: #8b949e }
      .dot.ours { fill: #58a6ff }
    }
"""


def x_of(size):
    low, high = map(math.log, BYTES)
    return LEFT + (math.log(size) - low) / (high - low) * (WIDTH - LEFT - RIGHT)


def y_of(score):
    return HEIGHT - BOTTOM - (score - SCORES[0]) / (SCORES[1] - SCORES[0]) * (HEIGHT - TOP - BOTTOM)


def kilobytes(size):
    return f"{size / 1000:.1f} kB" if size < 9950 else f"{size / 1000:.0f} kB"


def text(x, y, content, kind="", anchor="start"):
    kind = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{kind}>{content}</text>'


def draw_dot(name, method):
    ours = name == "cnm"
    x, y, kind = x_of(method.bytes), y_of(method.score), "ours" if ours else ""
    right, down, anchor = METHODS[name]
    return [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{9 if ours else 7}" class="{"dot ours" if ours else "dot"}"/>',
        text(x + right, y + down, name, kind, anchor),
        text(x + right, y + down + 16, f"{method.score:.1f} %, {kilobytes(method.bytes)}", "small", anchor),
    ]


def draw(methods, sets):
    for method in methods.values():
        assert BYTES[0] < method.bytes < BYTES[1] and SCORES[0] < method.score < SCORES[1]
    lines = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" class="paper"/>',
        text(LEFT, 24, f"Accuracy against size of the model: mean over {sets} public sets", "title"),
        text(LEFT, 43, "up and to the left is better", "small"),
    ]
    for score in range(SCORES[0], SCORES[1] + 1, 2):
        y = y_of(score)
        lines += [f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" class="grid"/>']
        lines += [text(LEFT - 8, y + 4, f"{score} %", "small", "end")]
    for size, shown in TICKS_X:
        x = x_of(size)
        lines += [f'<line x1="{x:.1f}" y1="{HEIGHT - BOTTOM}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM + 5}" class="grid"/>']
        lines += [text(x, HEIGHT - BOTTOM + 18, shown, "small", "middle")]
    lines += [text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, "bytes of the model (logarithmic)", "small", "middle")]
    for name, method in methods.items():
        lines += draw_dot(name, method)
    summary = ", ".join(f"{name} {m.score:.1f} % at {kilobytes(m.bytes)}" for name, m in methods.items())
    return (
        "\n  ".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
                f'width="{WIDTH}" height="{HEIGHT}" role="img">',
                "<!-- made by bench/chart.py from bench/accuracy.json -->",
                f"<title>Mean accuracy and size of the model: {summary}</title>",
                f"<style>{STYLE}  </style>",
                *lines,
            ]
        )
        + "\n</svg>\n"
    )


# ---- The figures of the README ----


def compare(results, other, beyond):
    """Counts the sets where cnm is above another method, and names where it is that far below."""
    gains = {name: found["cnm"]["score"] - found[other]["score"] for name, found in results.items()}
    worse = sorted((gain, name) for name, gain in gains.items() if gain < -beyond)
    return sum(gain > 0 for gain in gains.values()), worse


def figures(results, methods):
    rows = [
        f"| {'**cnm**' if name == 'cnm' else name} | {m.score:.1f} % | {kilobytes(m.bytes)} "
        f"| {m.microseconds:.2g} | {m.seconds:.2g} |"
        for name, m in methods.items()
    ]
    svm, svm_worse = compare(results, "tuned RBF SVM", 0.3)
    trees, trees_worse = compare(results, "LightGBM", 1.0)
    assert not svm_worse
    lost = " and ".join(f"{-gain:.1f} points on {name}" for gain, name in trees_worse)
    sizes = sorted(found["cnm"]["bytes"] for found in results.values())
    return "\n".join(
        [
            f"| {len(results) - len(REGRESSION)} sets with classes | accuracy | model | µs a row | training, s |",
            "|---|---|---|---|---|",
            *rows,
            "",
            f"On all {len(results)} sets, {len(REGRESSION)} regressions among them:",
            "",
            f"- above a tuned RBF SVM on {svm}, and more than 0.3 points below it on none;",
            f"- above LightGBM on {trees}, and below it by {lost};",
            f"- models of {kilobytes(sizes[0])} to {kilobytes(sizes[-1])}, "
            f"{sum(size < 40000 for size in sizes)} of them below 40 kB.",
            "",
        ]
    )


def main():
    results = json.loads((ROOT / "bench/accuracy.json").read_text())
    methods = summarise(results)
    page = README.read_text()
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    wanted = {
        CHART: draw(methods, len(results) - len(REGRESSION)),
        README: f"{before}{BEGIN}\n{figures(results, methods)}\n{END}{after}",
    }
    if sys.argv[1:] == ["--check"]:
        stale = [str(path.relative_to(ROOT)) for path, content in wanted.items() if path.read_text() != content]
        print(f"not what bench/chart.py makes: {', '.join(stale)}" if stale else "chart and figures are up to date")
        return bool(stale)
    for path, content in wanted.items():
        path.write_text(content)
        print(f"{path.relative_to(ROOT)} is written")
    return False


if __name__ == "__main__":
    sys.exit(main())
