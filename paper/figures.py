"""Draws the paper's figures 1 to 3, and learned circulant maps beside them, from results/*.csv, as SVG and PNG."""

from pathlib import Path

from . import pictures, tables
from .drawing import draw_curve, draw_level, features_axis, finish, panels
from .results import read
from .sets import SETS


def panel(axis, a_set, values, methods, marked=()):
    """The curves of one set; returns the ends to be named."""
    ends = [draw_curve(axis, values[a_set.name, m], m) for m in methods if values.get((a_set.name, m))]
    ks = {k for m in methods for k in values.get((a_set.name, m), {})}
    axis.set_title(f"{a_set.title} (d = {a_set.columns})", loc="left", fontweight="bold")
    if ks:
        features_axis(axis, ks, marked)
    return ends


def levels(axis, machines, name):
    """The two machines as horizontal lines; returns their ends."""
    found = (("rbf", tables.rbf(machines, name)), ("linear", tables.linear(machines, name)))
    return [draw_level(axis, float(line["accuracy"]), kind) for kind, line in found if line]


def figure1(results, folder):
    accuracy, machines = tables.means(read(results, "models"), "accuracy"), read(results, "machines")
    figure, axes = panels(4, 2, width=5.6, height=3.4)
    named = []
    for a_set, axis in zip(SETS, axes):
        ends = panel(axis, a_set, accuracy, ("rff", "kernel", "alternating", "joint"))
        axis.set_ylabel("test accuracy, %")
        named.append((axis, ends + levels(axis, machines, a_set.name)))
    finish(figure, named, folder, "figure1")


def circulant(results, folder):
    """Accuracy of circulant maps, with random dense ones and the machines for comparison."""
    accuracy, machines = tables.means(read(results, "models"), "accuracy"), read(results, "machines")
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
    errors, constant = tables.means(models, "kernel_error"), tables.means(models, "constant_error")
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
    errors = tables.means(read(results, "models"), "kernel_error")
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


DRAWN = {
    "figure1": (figure1, "models"),
    "circulant": (circulant, "models"),
    "figure2": (figure2, "models"),
    "figure3": (figure3, "models"),
    "smallest": (pictures.smallest, "smallest"),
    "growth": (pictures.growth, "remarks"),
    "phases": (pictures.phases, "phases"),
    "cost": (pictures.cost, "cost"),
}


def draw_all(results, folder):
    """Every figure whose table has lines."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for draw, table in DRAWN.values():
        if read(results, table):
            draw(results, folder)
