"""Draws the figures from results/*.csv as SVG and PNG.

Figures 1 to 3 of the paper, learned circulant maps, the smallest models, and the side remarks:
growth of theta, phases, cost.
"""

from pathlib import Path

import matplotlib.pyplot as plt

from .drawing import STYLES, draw_curve, draw_level, features_axis, finish, panels, save
from .results import CURVES, grouped_means, linear, means, rbf, read
from .sets import BY_NAME, SETS


def panel(axis, a_set, values, methods, marked=()):
    """Draws the curves of one set; returns their ends."""
    ends = [draw_curve(axis, values[a_set.name, m], m) for m in methods if values.get((a_set.name, m))]
    ks = {k for m in methods for k in values.get((a_set.name, m), {})}
    axis.set_title(f"{a_set.title} (d = {a_set.columns})", loc="left", fontweight="bold")
    if ks:
        features_axis(axis, ks, marked)
    return ends


def levels(axis, machines, name):
    """Draws the two SVMs as horizontal lines; returns their ends."""
    found = (("rbf", rbf(machines, name)), ("linear", linear(machines, name)))
    return [draw_level(axis, float(line["accuracy"]), kind) for kind, line in found if line]


def figure1(results, folder):
    accuracy, machines = means(read(results, "models"), "accuracy"), read(results, "machines")
    figure, axes = panels(4, 2, width=5.6, height=3.4)
    named = []
    for a_set, axis in zip(SETS, axes):
        ends = panel(axis, a_set, accuracy, ("rff", "kernel", "alternating", "joint"))
        axis.set_ylabel("test accuracy, %")
        named.append((axis, ends + levels(axis, machines, a_set.name)))
    finish(figure, named, folder, "figure1")


def circulant(results, folder):
    """Accuracy of circulant maps, compared with random dense maps and the SVMs."""
    accuracy, machines = means(read(results, "models"), "accuracy"), read(results, "machines")
    shown = [s for s in SETS if accuracy.get((s.name, "circulant-rff"))]
    if not shown:
        return
    figure, axes = panels(len(shown), 1, width=6.6, height=3.0)
    named = []
    for a_set, axis in zip(shown, axes):
        methods = ("rff", "circulant-rff", "circulant-alternating", "circulant-joint")
        ends = panel(axis, a_set, accuracy, methods, (a_set.columns, 2 * a_set.columns))
        axis.set_ylabel("test accuracy, %")
        named.append((axis, ends + levels(axis, machines, a_set.name)))
    finish(figure, named, folder, "circulant")


def figure2(results, folder):
    models = read(results, "models")
    errors, constant = means(models, "kernel_error"), means(models, "constant_error")
    figure, axes = panels(4, 2, width=5.6, height=3.0)
    named = []
    for a_set, axis in zip(SETS, axes):
        axis.set_yscale("log")
        ends = panel(axis, a_set, errors, ("rff", "kernel"))
        level = constant.get((a_set.name, "rff"))
        if level:
            ends.append(draw_level(axis, next(iter(level.values()))[0], "constant"))
        axis.set_ylabel("mean squared kernel error")
        named.append((axis, ends))
    finish(figure, named, folder, "figure2")


def figure3(results, folder):
    errors = means(read(results, "models"), "kernel_error")
    shown = [s for s in SETS if errors.get((s.name, "circulant-rff"))]
    if not shown:
        return
    figure, axes = panels(1, len(shown), width=4.6, height=3.0)
    named = []
    for a_set, axis in zip(shown, axes):
        axis.set_yscale("log")
        marked = (a_set.columns, 2 * a_set.columns)
        named.append((axis, panel(axis, a_set, errors, ("rff", "circulant-rff"), marked)))
        axis.set_ylabel("mean squared kernel error")
    finish(figure, named, folder, "figure3")


ROWS = (*CURVES, "rbf")


def smallest(results, folder):
    """Bytes of the smallest model within half a point of the RBF SVM, one line a method; a hollow
    mark where none is that near."""
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
    """Accuracy above; below the norm of theta over its norm after the fewest steps."""
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


DRAWN = {
    "figure1": (figure1, "models"),
    "circulant": (circulant, "models"),
    "figure2": (figure2, "models"),
    "figure3": (figure3, "models"),
    "smallest": (smallest, "smallest"),
    "growth": (growth, "remarks"),
    "phases": (phases, "phases"),
    "cost": (cost, "cost"),
}


def draw_all(results, folder):
    """Every figure whose table has lines."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for draw, table in DRAWN.values():
        if read(results, table):
            draw(results, folder)
