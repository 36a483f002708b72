"""Shared by the figures: styles of curves, axes over k, bands over seeds, names of curves, saving.

Curves differ by colour (Okabe and Ito's palette), marker and dashes, so that they can be
distinguished in black and white and by the colour-blind. A name is right of the panel with a sample
of its curve, in the order in which the curves end, so that no two connecting lines cross.
"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator  # noqa: E402

SOLID = (0, ())
# curve: (name on the figure, colour, marker, dashes)
STYLES = {
    "rff": ("random", "#000000", "o", SOLID),
    "kernel": ("kernel-approximating", "#E69F00", "s", (0, (5, 2))),
    "alternating": ("alternating (learned)", "#0072B2", "^", SOLID),
    "joint": ("joint (learned)", "#D55E00", "D", (0, (7, 1.5, 1.5, 1.5))),
    "circulant-rff": ("circulant random", "#56B4E9", "v", (0, (2, 2))),
    "circulant-alternating": ("circulant alternating", "#009E73", "<", SOLID),
    "circulant-joint": ("circulant joint", "#CC79A7", ">", (0, (7, 1.5, 1.5, 1.5))),
    "rbf": ("RBF SVM", "#555555", None, (0, (6, 3))),
    "linear": ("linear SVM", "#555555", None, (0, (1, 2))),
    "constant": ("best constant", "#555555", None, (0, (1, 2))),
    "training": ("training", "#E69F00", "s", (0, (5, 2))),
    "test": ("test", "#0072B2", "o", SOLID),
    "norm": ("norm of theta", "#000000", "D", SOLID),
    "uniform": ("with phases", "#0072B2", "o", SOLID),
    "none": ("without phases", "#D55E00", "s", (0, (5, 2))),
    "dense": ("dense", "#000000", "o", SOLID),
    "circulant": ("circulant", "#009E73", "s", (0, (5, 2))),
}
NAME_HEIGHT = 11.0  # points from one name to the next
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


def style_of(name):
    """Returns the arguments of plot() for a curve, or a sample of it."""
    _, colour, marker, dashes = STYLES[name]
    return {
        "color": colour,
        "marker": marker,
        "linestyle": dashes,
        "linewidth": 1.2,
        "markersize": 4,
        "markerfacecolor": "white",
        "markeredgewidth": 1.0,
    }


def panels(rows, columns, width=3.9, height=2.9):
    """Returns a figure and its axes as a flat list."""
    figure, axes = plt.subplots(rows, columns, figsize=(width * columns, height * rows), squeeze=False)
    return figure, list(axes.flat)


def features_axis(axis, ks, marked=(), text="features k"):
    """Makes the axis logarithmic, with ticks at those of KS that are MARKED and at powers of two
    not near them."""
    marked = [k for k in ks if k in marked]
    powers = [k for k in ks if k & (k - 1) == 0 and all(max(k / m, m / k) > 1.6 for m in marked)]
    axis.set_xscale("log", base=2)
    axis.xaxis.set_major_locator(FixedLocator(sorted(powers + marked)))
    axis.xaxis.set_minor_locator(NullLocator())
    axis.xaxis.set_major_formatter(FuncFormatter(lambda k, _: f"{k:g}"))
    axis.set_xlabel(text)


def draw_curve(axis, curve, name):
    """Draws a curve {x: (mean, deviation, seeds)} with its band; returns (end, name in STYLES)."""
    xs = list(curve)
    mean = [curve[x][0] for x in xs]
    axis.plot(xs, mean, **style_of(name))
    if any(curve[x][1] for x in xs):
        low, high = ([curve[x][0] + sign * curve[x][1] for x in xs] for sign in (-1, 1))
        axis.fill_between(xs, low, high, color=STYLES[name][1], alpha=0.18, linewidth=0)
    return xs[-1], mean[-1], name


def draw_level(axis, height, name):
    """Draws a horizontal line across the panel; returns its end as draw_curve does."""
    style = style_of(name)
    axis.axhline(height, color=style["color"], linestyle=style["linestyle"], linewidth=1.0)
    return None, height, name


def spread(heights, gap, low, high):
    """Returns heights for names at HEIGHTS, in the same order, GAP apart and between LOW and HIGH
    where they fit."""
    order, placed = sorted(range(len(heights)), key=lambda i: heights[i]), [0.0] * len(heights)
    for i in order:
        placed[i] = max(heights[i], low)
        low = placed[i] + gap
    for i in reversed(order):
        placed[i] = min(placed[i], high)
        high = placed[i] - gap
    return placed


def name_ends(axis, ends):
    """Draws names right of the panel, each with a sample of its curve, joined to the end of the
    curve."""
    axis.autoscale(False)
    right = axis.get_xlim()[1]
    to_panel = axis.transAxes.inverted()
    gap = NAME_HEIGHT / (axis.get_window_extent().height * 72 / axis.figure.dpi)
    heights = [to_panel.transform(axis.transData.transform((right, y)))[1] for _, y, _ in ends]
    for (x, y, name), height, position in zip(ends, heights, spread(heights, gap, 0.0, 1.0)):
        style, outside = style_of(name), {"transform": axis.transAxes, "clip_on": False}
        if x is not None and x < right:
            axis.plot([x, right], [y, y], color=style["color"], linewidth=0.5, alpha=0.45, zorder=1)
        axis.plot([1.0, 1.05], [height, position], color=style["color"], linewidth=0.5, **outside)
        axis.plot([1.06, 1.105, 1.15], [position] * 3, **{**style, "markevery": [1]}, **outside)
        axis.text(1.17, position, STYLES[name][0], color=style["color"], fontsize=7, va="center", **outside)


def finish(figure, named, folder, name):
    """Names the curves of each (axis, ends), in the layout as it will be, and saves the figure."""
    longest = max((STYLES[style][0] for _, ends in named for _, _, style in ends), key=len)
    reserve = [axis.text(1.17, 0.5, f"{longest}  ", fontsize=7, transform=axis.transAxes) for axis, _ in named]
    figure.canvas.draw()
    figure.set_layout_engine("none")
    for text in reserve:
        text.remove()
    for axis, ends in named:
        name_ends(axis, ends)
    save(figure, folder, name)


def save(figure, folder, name):
    for ending in ("svg", "png"):
        metadata = {"Date": None} if ending == "svg" else None
        figure.savefig(Path(folder) / f"{name}.{ending}", dpi=120, metadata=metadata)
    plt.close(figure)
