"""Draws results/*.csv: SVG and PNG. Curves differ by colour (Okabe and Ito's palette), marker and dashes, so that
they can be told apart in black and white and by the colour-blind, and each carries its name at its end."""

import statistics
from collections import defaultdict
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator  # noqa: E402

from . import tables  # noqa: E402
from .results import read  # noqa: E402
from .sets import BY_NAME, SETS  # noqa: E402

# curve: (name on the figure, colour, marker, dashes)
STYLES = {
    "rff": ("random", "#000000", "o", (None, None)),
    "kernel": ("kernel-approx.", "#E69F00", "s", (5, 2)),
    "alternating": ("learned, alternating", "#0072B2", "^", (None, None)),
    "joint": ("learned, joint", "#D55E00", "D", (None, None)),
    "circulant-rff": ("circulant random", "#56B4E9", "v", (2, 2)),
    "circulant-alternating": ("circulant alternating", "#009E73", "<", (6, 2, 1, 2)),
    "circulant-joint": ("circulant joint", "#CC79A7", ">", (3, 1)),
}
MACHINES = {"rbf": ("RBF SVM", "#555555", (0, (6, 3))), "linear": ("linear SVM", "#555555", (0, (1, 2)))}
plt.rcParams.update(
    {
        "font.size": 8,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "svg.hashsalt": "cnm",
        "axes.grid": True,
        "grid.color": "#e6e6e6",
        "grid.linewidth": 0.5,
        "figure.constrained_layout.use": True,
    }
)


def features_axis(axis, ks):
    axis.set_xscale("log", base=2)
    axis.xaxis.set_major_locator(FixedLocator(sorted(ks)))
    axis.xaxis.set_minor_locator(NullLocator())
    axis.xaxis.set_major_formatter(FuncFormatter(lambda k, _: f"{k:g}"))
    axis.tick_params(axis="x", labelrotation=45 if len(ks) > 6 else 0)


def powers(ks):
    """Of many k, those that a small axis can carry."""
    ks = sorted(ks)
    return [k for k in ks if k & (k - 1) == 0] or ks


def draw_curve(axis, curve, method):
    """One line with its band over seeds; returns where its name goes."""
    name, colour, marker, dashes = STYLES[method]
    ks = list(curve)
    mean = [curve[k][0] for k in ks]
    (line,) = axis.plot(
        ks,
        mean,
        color=colour,
        marker=marker,
        markersize=3.5,
        linewidth=1.2,
        markerfacecolor="white",
        markeredgewidth=1.0,
    )
    if dashes[0] is not None:
        line.set_dashes(dashes)
    if any(curve[k][1] for k in ks):
        axis.fill_between(
            ks,
            [curve[k][0] - curve[k][1] for k in ks],
            [curve[k][0] + curve[k][1] for k in ks],
            color=colour,
            alpha=0.18,
            linewidth=0,
        )
    return ks[-1], mean[-1], name, colour


def label_ends(axis, ends):
    """Names right of the axes, at their curves' heights, pushed apart where they would touch."""
    if not ends:
        return
    axis.figure.canvas.draw()
    inverse = axis.transAxes.inverted()
    heights = [inverse.transform(axis.transData.transform((x, y)))[1] for x, y, _, _ in ends]
    order = sorted(range(len(ends)), key=lambda i: heights[i])
    gap, placed = 0.085, {}
    low = -0.05
    for i in order:
        placed[i] = max(min(heights[i], 1.02), low)
        low = placed[i] + gap
    top = 1.04
    for i in reversed(order):
        placed[i] = min(placed[i], top)
        top = placed[i] - gap
    for i, (x, y, name, colour) in enumerate(ends):
        axis.annotate(
            name,
            xy=(x, y),
            xycoords="data",
            xytext=(1.03, placed[i]),
            textcoords="axes fraction",
            color=colour,
            fontsize=7,
            va="center",
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.4, "shrinkA": 0, "shrinkB": 2},
        )


def save(figure, folder, name):
    for ending in ("svg", "png"):
        figure.savefig(Path(folder) / f"{name}.{ending}", dpi=110, metadata={"Date": None} if ending == "svg" else None)
    plt.close(figure)


def eight_panels():
    return plt.subplots(4, 2, figsize=(11, 13))


def panel(axis, title, values, name, methods):
    """The curves of one set; returns the ends to be named."""
    ends = [draw_curve(axis, values[name, m], m) for m in methods if values.get((name, m))]
    ks = {k for m in methods for k in values.get((name, m), {})}
    axis.set_title(title, loc="left", fontweight="bold")
    if ks:
        features_axis(axis, powers(ks))
    axis.set_xlabel("features k")
    return ends


def figure1(results, folder):
    accuracy, machines = tables.means(read(results, "models"), "accuracy"), read(results, "machines")
    figure, axes = eight_panels()
    named = []
    for a_set, axis in zip(SETS, axes.flat):
        ends = panel(
            axis,
            f"{a_set.title} (d = {a_set.columns})",
            accuracy,
            a_set.name,
            ("rff", "kernel", "alternating", "joint", "circulant-alternating", "circulant-joint"),
        )
        for kind, line in (("rbf", tables.rbf(machines, a_set.name)), ("linear", tables.linear(machines, a_set.name))):
            if line:
                name, colour, dash = MACHINES[kind]
                height = float(line["accuracy"])
                axis.axhline(height, color=colour, linestyle=dash, linewidth=1.0)
                ends.append((axis.get_xlim()[1], height, name, colour))
        axis.set_ylabel("test accuracy, %")
        named.append((axis, ends))
    finish(figure, named, folder, "figure1")


def finish(figure, named, folder, name):
    figure.canvas.draw()
    for axis, ends in named:
        label_ends(axis, ends)
    save(figure, folder, name)


def figure2(results, folder):
    models = read(results, "models")
    errors, constant = tables.means(models, "kernel_error"), tables.means(models, "constant_error")
    figure, axes = eight_panels()
    named = []
    for a_set, axis in zip(SETS, axes.flat):
        axis.set_yscale("log")
        ends = panel(axis, f"{a_set.title} (d = {a_set.columns})", errors, a_set.name, ("rff", "kernel"))
        level = constant.get((a_set.name, "rff"))
        if level:
            height = next(iter(level.values()))[0]
            axis.axhline(height, color="#555555", linestyle=(0, (1, 2)), linewidth=1.0)
            ends.append((axis.get_xlim()[1], height, "best constant", "#555555"))
        axis.set_ylabel("mean squared kernel error")
        named.append((axis, ends))
    finish(figure, named, folder, "figure2")


def figure3(results, folder):
    errors = tables.means(read(results, "models"), "kernel_error")
    shown = [s for s in SETS if errors.get((s.name, "circulant-rff"))]
    figure, axes = plt.subplots(1, max(len(shown), 1), figsize=(12, 3.2), squeeze=False)
    named = []
    for a_set, axis in zip(shown, axes.flat):
        axis.set_yscale("log")
        named.append(
            (axis, panel(axis, f"{a_set.title} (d = {a_set.columns})", errors, a_set.name, ("rff", "circulant-rff")))
        )
        axis.set_ylabel("mean squared kernel error")
    finish(figure, named, folder, "figure3")


def smallest(results, folder):
    """Bytes of the smallest model within half a point of the RBF machine; a hollow mark where none came that near."""
    lines = read(results, "smallest")
    figure, axis = plt.subplots(figsize=(8.5, 4.2))
    names = [s.name for s in SETS]
    for line in lines:
        method = line["method"]
        name, colour, marker = ("RBF SVM", "#555555", "*") if method == "rbf" else STYLES[method][:3]
        reached = line["reached"] == "yes"
        axis.plot(
            float(line["bytes"]),
            names.index(line["set"]),
            marker=marker,
            markersize=7,
            color=colour,
            linestyle="none",
            markerfacecolor=colour if reached else "white",
            label=name if reached else None,
        )
    axis.set_xscale("log")
    axis.set_yticks(range(len(names)), [BY_NAME[n].title for n in names])
    axis.invert_yaxis()
    axis.set_xlabel(
        "bytes of the model (filled: within half a point of the RBF SVM; hollow: best reached, but below that)"
    )
    entries = dict(zip(*reversed(axis.get_legend_handles_labels())))
    axis.legend(entries.values(), entries.keys(), loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    save(figure, folder, "smallest")


def grouped(lines, keys, value):
    """{key tuple: mean of value over the other columns}"""
    groups = defaultdict(list)
    for line in lines:
        if line[value] != "":
            groups[tuple(line[k] for k in keys)].append(float(line[value]))
    return {key: statistics.mean(v) for key, v in groups.items()}


def growth(results, folder):
    lines = [r for r in read(results, "remarks") if r["remark"] == "growth"]
    names = sorted({r["set"] for r in lines})
    figure, axes = plt.subplots(1, max(len(names), 1), figsize=(4 * max(len(names), 1), 3.2), squeeze=False)
    for name, axis in zip(names, axes.flat):
        ours = [r for r in lines if r["set"] == name]
        norm, test, training = (
            grouped(ours, ("map_steps",), v) for v in ("theta_norm", "accuracy", "training_accuracy")
        )
        steps = sorted((key for key in norm), key=lambda key: int(key[0]))
        xs = [int(s[0]) for s in steps]
        axis.semilogx(xs, [training[s] for s in steps], "--s", color="#E69F00", markersize=4, markerfacecolor="white")
        axis.semilogx(xs, [test[s] for s in steps], "-o", color="#0072B2", markersize=4, markerfacecolor="white")
        axis.annotate(
            "training",
            (xs[-1], training[steps[-1]]),
            xytext=(-4, 5),
            textcoords="offset points",
            ha="right",
            color="#E69F00",
        )
        axis.annotate(
            "test", (xs[-1], test[steps[-1]]), xytext=(-4, -10), textcoords="offset points", ha="right", color="#0072B2"
        )
        for x, s in zip(xs, steps):
            axis.annotate(
                f"x{norm[s] / norm[steps[0]]:.1f}",
                (x, test[s]),
                xytext=(0, -20),
                textcoords="offset points",
                ha="center",
                fontsize=6.5,
            )
        axis.margins(y=0.3)
        axis.set_title(
            f"{BY_NAME[name].title}, k = {ours[0]['k']}; x: growth of |theta|", loc="left", fontweight="bold"
        )
        axis.set_xlabel("steps of theta with W fixed")
        axis.set_ylabel("accuracy, %")
    save(figure, folder, "growth")


def phases(results, folder):
    lines = read(results, "phases")
    names = sorted({r["set"] for r in lines})
    figure, axes = plt.subplots(1, max(len(names), 1), figsize=(4 * max(len(names), 1), 3), squeeze=False)
    for name, axis in zip(names, axes.flat):
        values = grouped([r for r in lines if r["set"] == name], ("phase", "k"), "shift_variance")
        for phase, label, colour, marker in (
            ("uniform", "with phases", "#0072B2", "-o"),
            ("none", "without", "#D55E00", "--s"),
        ):
            ks = sorted(int(k) for p, k in values if p == phase)
            ys = [values[phase, str(k)] for k in ks]
            axis.loglog(ks, ys, marker, color=colour, markersize=4, markerfacecolor="white")
            axis.annotate(label, (ks[-1], ys[-1]), xytext=(0, 6), textcoords="offset points", ha="right", color=colour)
        features_axis(axis, ks)
        axis.margins(y=0.2)
        axis.set_title(BY_NAME[name].title, loc="left", fontweight="bold")
        axis.set_xlabel("features k")
        axis.set_ylabel("squared change under a shift")
    save(figure, folder, "phases")


def cost(results, folder):
    lines = [r for r in read(results, "cost") if r["k"] == r["d"]]
    figure, axes = plt.subplots(1, 2, figsize=(8, 3))
    for axis, value, label in zip(
        axes, ("microseconds", "bytes"), ("processor microseconds a row", "bytes of the map")
    ):
        for projection, colour, marker in (("dense", "#000000", "-o"), ("circulant", "#009E73", "--s")):
            ours = sorted((int(r["d"]), float(r[value])) for r in lines if r["projection"] == projection)
            if not ours:
                continue
            axis.loglog(*zip(*ours), marker, color=colour, markersize=4, markerfacecolor="white")
            axis.annotate(projection, ours[-1], xytext=(-4, 7), textcoords="offset points", ha="right", color=colour)
        features_axis(axis, sorted({int(r["d"]) for r in lines}))
        axis.margins(y=0.2)
        axis.set_xlabel("columns d = features k")
        axis.set_ylabel(label)
    save(figure, folder, "cost")


DRAWN = {
    "figure1": (figure1, "models"),
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
