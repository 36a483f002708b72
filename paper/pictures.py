"""Draws the summary of smallest models and the side remarks from results/*.csv: growth of theta, phases, cost."""

import matplotlib.pyplot as plt

from .drawing import STYLES, draw_curve, features_axis, finish, panels, save
from .results import read
from .sets import BY_NAME, SETS
from .tables import CURVES, grouped_means

ROWS = (*CURVES, "rbf")


def smallest(results, folder):
    """Bytes of the smallest model within half a point of the RBF machine, one line a method; a hollow mark where none
    came that near."""
    lines = {(s["set"], s["method"]): s for s in read(results, "smallest")}
    rows = [(s.name, m) for s in SETS for m in ROWS if (s.name, m) in lines]
    figure, axis = plt.subplots(figsize=(8.5, 0.19 * len(rows) + 1.2))
    for height, who in enumerate(rows):
        draw_mark(axis, height, lines[who], who[1])
    starts = [i for i, (name, _) in enumerate(rows) if i == 0 or rows[i - 1][0] != name]
    for start, end in zip(starts, [*starts[1:], len(rows)]):
        axis.axhline(end - 0.5, color="#999999", linewidth=0.6)
        title = BY_NAME[rows[start][0]].title
        axis.text(
            -0.29, (start + end - 1) / 2, title, transform=axis.get_yaxis_transform(), fontweight="bold", va="center"
        )
    axis.set_xscale("log")
    axis.set_yticks(range(len(rows)), [STYLES[m][0] for _, m in rows], fontsize=7)
    axis.set_ylim(len(rows) - 0.5, -0.5)
    axis.set_xlim(right=axis.get_xlim()[1] * 3)
    axis.set_xlabel("bytes of the model; filled: within half a point of the RBF SVM; hollow: its best, further below")
    save(figure, folder, "smallest")


def draw_mark(axis, height, line, method):
    colour, marker = STYLES[method][1], STYLES[method][2] or "*"
    size, reached = float(line["bytes"]), line["reached"] == "yes"
    axis.plot(size, height, marker=marker, markersize=6, color=colour, markerfacecolor=colour if reached else "white")
    text = f"{float(line['accuracy']):.1f} %" + (f" at k = {line['k']}" if line["k"] else "")
    axis.annotate(text, (size, height), xytext=(8, 0), textcoords="offset points", va="center", fontsize=6.5)


def growth(results, folder):
    """Above accuracy, below the norm of theta over its norm after the fewest steps."""
    lines = [r for r in read(results, "remarks") if r["remark"] == "growth"]
    names = sorted({r["set"] for r in lines})
    if not names:
        return
    figure, axes = panels(2, len(names), width=4.0, height=2.5)
    named = []
    for i, name in enumerate(names):
        ours = [r for r in lines if r["set"] == name]
        above, below = axes[i], axes[len(names) + i]
        curves = {n: grouped_means(ours, "map_steps", c) for n, c in COLUMNS.items()}
        start = next(iter(curves["norm"].values()))[0]
        growing = {x: (mean / start, deviation / start, n) for x, (mean, deviation, n) in curves["norm"].items()}
        for axis in (above, below):
            axis.set_xscale("log")
            axis.set_xlabel("steps of theta with W fixed")
        above.set_title(f"{BY_NAME[name].title}, k = {ours[0]['k']}", loc="left", fontweight="bold")
        above.set_ylabel("accuracy, %")
        below.set_ylabel("norm of theta / after 1 step")
        named.append((above, [draw_curve(above, curves[n], n) for n in ("training", "test")]))
        named.append((below, [draw_curve(below, growing, "norm")]))
    low, high = (choose(axis.get_ylim()[i] for axis in axes[len(names) :]) for i, choose in enumerate((min, max)))
    for axis in axes[len(names) :]:
        axis.set_ylim(low, high)
    finish(figure, named, folder, "growth")


COLUMNS = {"training": "training_accuracy", "test": "accuracy", "norm": "theta_norm"}


def phases(results, folder):
    lines = read(results, "phases")
    names = sorted({r["set"] for r in lines})
    figure, axes = panels(1, len(names), width=4.4, height=2.8)
    named = []
    for name, axis in zip(names, axes):
        axis.set_yscale("log")
        curves = {
            phase: grouped_means([r for r in lines if (r["set"], r["phase"]) == (name, phase)], "k", "shift_variance")
            for phase in ("uniform", "none")
        }
        named.append((axis, [draw_curve(axis, curve, phase) for phase, curve in curves.items()]))
        features_axis(axis, {k for curve in curves.values() for k in curve})
        axis.set_title(BY_NAME[name].title, loc="left", fontweight="bold")
        axis.set_ylabel("squared change under a shift")
    finish(figure, named, folder, "phases")


def cost(results, folder):
    lines = [r for r in read(results, "cost") if r["k"] == r["d"]]
    figure, axes = panels(1, 2, width=5.0, height=2.8)
    named = []
    for axis, value, label in zip(
        axes, ("microseconds", "bytes"), ("processor microseconds a row", "bytes of the map")
    ):
        axis.set_yscale("log")
        ends = []
        for projection in ("dense", "circulant"):
            curve = grouped_means([r for r in lines if r["projection"] == projection], "d", value)
            ends += [draw_curve(axis, curve, projection)] if curve else []
        features_axis(axis, {int(r["d"]) for r in lines}, text="columns d = features k")
        axis.set_ylabel(label)
        named.append((axis, ends))
    finish(figure, named, folder, "cost")
