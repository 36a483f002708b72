"""From cells to results/*.csv: one line a measurement, nothing rounded, nothing derived.

The tables show every finished cell of this command and this data, whichever run asked for it: what a quick run plans
is part of what is there. With `keep` (a run of one figure or set) lines of other builds stay unless there is a newer
one for the same measurement. Every line names its build, and builds.csv says what that was.
"""

import csv
import os
import platform
from pathlib import Path

from . import modes, plan, sets

# file: (columns that identify a line, columns that were measured or say how)
TABLES = {
    "models": (
        ("set", "method", "k", "gamma_rule", "seed"),
        (
            *("accuracy", "training_accuracy", "ridge_accuracy", "kernel_error", "constant_error", "bytes"),
            *("parameters", "gamma", "iterations", "map_steps", "search", "seconds", "build"),
        ),
    ),
    "remarks": (
        ("remark", "set", "recipe", "activation", "penalty", "validation", "map_steps", "k", "seed"),
        ("accuracy", "training_accuracy", "theta_norm", "iterations", "search", "seconds", "build"),
    ),
    "machines": (
        ("set", "machine", "gamma_rule"),
        (
            *("accuracy", "cost", "gamma", "gamma_over_knn", "cv_accuracy", "cv_rows", "train_rows", "test_rows"),
            *("support_vectors", "bytes", "search_seconds", "train_seconds", "predict_seconds", "build"),
        ),
    ),
    "phases": (("set", "phase", "k", "seed"), ("shift_variance", "kernel_error", "constant_error", "build")),
    "cost": (("d", "k", "projection"), ("bytes", "microseconds", "rows", "build")),
}
# Of two measurements that differ in these alone, the one with more is shown.
EFFORT = {
    "models": ("iterations", "map_steps", "search"),
    "remarks": ("iterations", "search"),
    "machines": ("train_rows", "cv_rows"),
    "cost": ("rows",),
}
BUILD = 12  # characters of the command's checksum that name a build


def method_of(params):
    """The name of a curve: rff, kernel, alternating, joint, each also circulant-."""
    name = params["recipe"] if params["method"] == "cnm" else params["method"]
    return f"circulant-{name}" if params.get("projection") == "circulant" else name


def remark_of(params):
    """The side remark that a training belongs to, or None."""
    if "theta" in params.get("measure", []):
        return "growth"
    if "penalty" in params or "validation" in params:
        return "penalties"
    return "activations" if "activation" in params else None


def lines_of(cell, results):
    """(table, line) for each line that the cell makes."""
    line = {**cell.params, **results, "build": cell.parts["command"][:BUILD]}
    if cell.kind == "train":
        if cell.params.get("recipe") == "joint":
            line["search"] = int("effort" not in cell.params)  # whether settings were chosen on the training rows
        remark = remark_of(cell.params)
        if remark:
            yield "remarks", {"activation": "cos", "penalty": "none", **line, "remark": remark}
        else:
            yield "models", {**line, "method": method_of(cell.params), "gamma_rule": cell.params["gamma"]}
    elif cell.kind == "libsvm":
        for rule, found in results["rules"].items():
            yield "machines", {**line, **found, "machine": "rbf", "gamma_rule": rule}
    elif cell.kind == "liblinear":
        yield "machines", {**line, "machine": "linear", "gamma_rule": ""}
    elif cell.kind in ("shift", "cost"):
        yield {"shift": "phases", "cost": "cost"}[cell.kind], line


def read(folder, name):
    path = Path(folder) / f"{name}.csv"
    if not path.is_file():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def save(folder, name, columns, lines):
    path = Path(folder) / f"{name}.csv"
    new = path.with_suffix(".new")
    with open(new, "w", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="", extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
    os.replace(new, path)


def order(line, identity):
    """Numbers by size, words by letters."""
    values = (str(line.get(name, "")) for name in identity)
    return [(0, float(v), "") if v.replace(".", "", 1).isdigit() else (1, 0.0, v) for v in values]


def identify(line, names):
    return tuple(str(line.get(name, "")) for name in names)


def thorough(lines, identity, effort):
    """Of lines that measure the same (but for the seed) with different effort, those with the most of it."""
    names = [name for name in identity if name != "seed"]

    def spent(line):
        return [float(line.get(name) or 0) for name in effort]

    most = {}
    for line in lines:
        who = identify(line, names)
        most[who] = max(most.get(who, []), spent(line))
    return [line for line in lines if spent(line) == most[identify(line, names)]]


def measured(store, parts):
    """The finished cells of this command and this data."""
    for cell, results in store.finished():
        if parts.get(cell.params.get("set", "")) == cell.parts:
            yield cell, results


def write(folder, store, parts, tools, commit, keep):
    """Writes every table from the cells that are done."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    done = list(measured(store, parts))
    fresh = {name: [] for name in TABLES}
    for cell, results in done:
        for table, line in lines_of(cell, results):
            fresh[table].append(line)
    for name, (identity, columns) in TABLES.items():
        ours = thorough(fresh[name], identity, EFFORT.get(name, ()))
        lines = {identify(line, identity): line for line in read(folder, name)} if keep else {}
        lines.update({identify(line, identity): line for line in ours})
        save(folder, name, identity + columns, sorted(lines.values(), key=lambda line: order(line, identity)))
    write_sizes(folder, tools)
    write_modes(folder, done)
    write_builds(folder, tools, commit)


def write_sizes(folder, tools):
    lines = [
        {
            "set": s.name,
            "paper_rows_train": s.rows[0],
            "paper_rows_test": s.rows[1],
            "paper_columns": s.columns,
            **sets.sizes(tools.prepared, s),
            "scale": s.scale,
            "protocol": s.protocol,
        }
        for s in sets.SETS
    ]
    save(folder, "sizes", tuple(lines[0]), lines)


def estimate(done, mode):
    """Processor seconds of a whole run of MODE: counts of arithmetic, corrected by what the trainings here took."""
    trained = [(plan.train_cost(c.params), r["seconds"]) for c, r in done if c.kind == "train"]
    ratio = sum(s for _, s in trained) / sum(c for c, _ in trained) if trained else 1.0
    return ratio * sum(c.cost for c in plan.plan(mode))


def write_modes(folder, done):
    """modes.csv: what the two modes plan and how long they would take."""
    lines = [
        {
            "mode": mode.name,
            "cells": len(plan.plan(mode)),
            "seeds": mode.seeds,
            "dear_seeds": mode.dear_seeds,
            "table2_seeds": mode.table2_seeds,
            "features": " ".join(map(str, mode.features)),
            "iterations": mode.iterations,
            "wide_iterations": mode.wide_iterations,
            "kernel_steps": mode.kernel_steps,
            "libsvm_train_rows": mode.train_rows,
            "libsvm_test_rows": mode.test_rows,
            "cv_rows": mode.cv_rows,
            "processor_minutes_estimated": round(estimate(done, mode) / 60),
        }
        for mode in (modes.QUICK, modes.FULL)
    ]
    save(folder, "modes", tuple(lines[0]), lines)


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def write_builds(folder, tools, commit):
    """builds.csv: which build, on which machine, made how many lines; builds that none names are dropped."""
    counts = {}
    for name in TABLES:
        for line in read(folder, name):
            counts[line["build"]] = counts.get(line["build"], 0) + 1
    ours = {
        "build": sets.digest(tools.cnm)[:BUILD],
        "version": tools.command(["version"])[0].strip(),
        "commit": commit,
        "processor": processor(),
        "cores": os.cpu_count(),
    }
    known = {line["build"]: line for line in [*read(folder, "builds"), ours]}
    lines = [{**known.get(build, {"build": build}), "lines": count} for build, count in sorted(counts.items())]
    save(folder, "builds", (*ours, "lines"), lines)
