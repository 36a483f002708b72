"""Writes results/*.csv: tables of cells, one line a measurement, and tables derived from them.

The tables have every finished cell of this command and this data, whichever run measured it. With
`keep` (a run of one figure or set) lines of other builds stay unless there is a newer one for the
same measurement. Every line names its build, and builds.csv describes the builds. Derived tables
are means over seeds, Table 2 and the smallest models: the page and the figures show only numbers of
these files, or means of them.
"""

import csv
import os
import platform
import statistics
from collections import defaultdict
from pathlib import Path

from . import modes, paper_numbers, plan, sets
from .sets import BY_NAME, SETS

# file: (columns that identify a line, measured columns)
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
MARGIN = 0.5  # points below the RBF SVM that still count as reaching it
CURVES = ("rff", "kernel", "alternating", "joint", "circulant-rff", "circulant-alternating", "circulant-joint")
BUILD = 12  # characters of the command's checksum that name a build


def method_of(params):
    """Returns the name of a curve: rff, kernel, alternating, joint, each also circulant-."""
    name = params["recipe"] if params["method"] == "cnm" else params["method"]
    return f"circulant-{name}" if params.get("projection") == "circulant" else name


def remark_of(params):
    """Returns the side remark that a training belongs to, or None."""
    if "theta" in params.get("measure", []):
        return "growth"
    if "penalty" in params or "validation" in params:
        return "penalties"
    return "activations" if "activation" in params else None


def lines_of(cell, results):
    """Yields (table, line) for each line of the cell."""
    line = {**cell.params, **results, "build": cell.parts["command"][:BUILD]}
    if cell.kind == "train":
        if cell.params.get("recipe") == "joint":
            line["search"] = int("effort" not in cell.params)  # 1: settings were searched
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
    elif cell.kind in ("translation", "cost"):
        yield {"translation": "phases", "cost": "cost"}[cell.kind], line


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
    """Returns a key that sorts numbers by size and words by letters."""
    values = (str(line.get(name, "")) for name in identity)
    return [(0, float(v), "") if v.replace(".", "", 1).isdigit() else (1, 0.0, v) for v in values]


def identify(line, names):
    return tuple(str(line.get(name, "")) for name in names)


def thorough(lines, identity, effort):
    """Returns, of lines that differ in seed and effort only, those with the most effort."""
    names = [name for name in identity if name != "seed"]

    def spent(line):
        return [float(line.get(name) or 0) for name in effort]

    most = {}
    for line in lines:
        who = identify(line, names)
        most[who] = max(most.get(who, []), spent(line))
    return [line for line in lines if spent(line) == most[identify(line, names)]]


def measured(store, parts):
    """Yields the finished cells of this command and this data."""
    for cell, results in store.finished():
        if parts.get(cell.params.get("set", "")) == cell.parts:
            yield cell, results


def write(folder, store, parts, tools, commit, keep):
    """Writes every table from the finished cells."""
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
        for s in SETS
    ]
    save(folder, "sizes", tuple(lines[0]), lines)


def estimate(done, mode):
    """Estimates processor seconds of a whole run of MODE: arithmetic, corrected by measured
    trainings."""
    trained = [(plan.train_cost(c.params), r["seconds"]) for c, r in done if c.kind == "train"]
    ratio = sum(s for _, s in trained) / sum(c for c, _ in trained) if trained else 1.0
    return ratio * sum(c.cost for c in plan.plan(mode))


def write_modes(folder, done):
    """Writes modes.csv: what the two modes plan and how long they would take."""
    lines = [
        {
            "mode": mode.name,
            "cells": len(plan.plan(mode)),
            "seeds": mode.seeds,
            "dear_seeds": mode.costly_seeds,
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
    """Writes builds.csv: which build, on which machine, measured how many lines."""
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


# ---- Derived tables: means over seeds, Table 2, the smallest models ----


def deviation(values):
    return statistics.stdev(values) if len(values) > 1 else 0.0


def means(models, value, rule="knn"):
    """Returns {(set, method): {k: (mean, deviation, seeds)}} of one measured column."""
    curves = defaultdict(list)
    for line in models:
        if line["gamma_rule"] == rule and line[value] != "":
            curves[line["set"], line["method"]].append(line)
    return {who: grouped_means(lines, "k", value) for who, lines in curves.items()}


def grouped_means(lines, x, value):
    """Returns {x: (mean, deviation, seeds)} of one column over the lines that share x."""
    values = defaultdict(list)
    for line in lines:
        if line[value] != "":
            values[int(line[x])].append(float(line[value]))
    return {at: (statistics.mean(v), deviation(v), len(v)) for at, v in sorted(values.items())}


def rbf(machines, name):
    """Returns the line of a set's RBF SVM, or None. Of its gammas it is the best on the test rows,
    which favours the SVM."""
    ours = [m for m in machines if (m["set"], m["machine"]) == (name, "rbf")]
    return max(ours, key=lambda m: float(m["accuracy"]), default=None)


def spans(lines, column):
    """Returns the smallest and the largest value of a column as text: "3" or "3 to 5"."""
    values = {int(float(line[column])) for line in lines if line.get(column, "") != ""}
    if not values:
        return "none"
    return f"{min(values):,}" if len(values) == 1 else f"{min(values):,} to {max(values):,}"


def seeds(lines, identity):
    """Returns how many seeds the measurements in LINES have, as text: "1 seed", "3 to 5 seeds"."""
    counts = defaultdict(set)
    for line in lines:
        counts[tuple(line[name] for name in identity)].add(line["seed"])
    text = spans([{"n": len(found)} for found in counts.values()], "n")
    return f"{text} seed{'' if text == '1' else 's'}"


def linear(machines, name):
    return next((m for m in machines if (m["set"], m["machine"]) == (name, "linear")), None)


def table2(folder):
    models = read(folder, "models")
    lines = []
    for (name, times), printed in paper_numbers.TABLE2.items():
        k = times * BY_NAME[name].columns
        for method in (*paper_numbers.TABLE2_METHODS, "circulant-joint"):
            line = {"set": name, "k": k, "times_d": times, "method": method}
            if method in paper_numbers.TABLE2_METHODS:
                line["paper"], line["paper_deviation"] = printed[paper_numbers.TABLE2_METHODS.index(method)]
            for rule in ("knn", "paper"):
                for column, head in (("accuracy", "pegasos"), ("ridge_accuracy", "exact")):
                    found = means(models, column, rule).get((name, method), {}).get(k)
                    if found:
                        line[f"{rule}_{head}"], line[f"{rule}_{head}_deviation"], line["seeds"] = found
            lines.append(line)
    names = [
        f"{rule}_{head}{end}"
        for rule in ("knn", "paper")
        for head in ("pegasos", "exact")
        for end in ("", "_deviation")
    ]
    save(folder, "table2", ("set", "k", "times_d", "method", "paper", "paper_deviation", *names, "seeds"), lines)


def smallest(folder):
    """Writes, for each set and method, the smallest measured k within MARGIN of the RBF SVM."""
    models, machines = read(folder, "models"), read(folder, "machines")
    accuracy, size = means(models, "accuracy"), means(models, "bytes")
    lines = []
    for a_set in SETS:
        machine = rbf(machines, a_set.name)
        if machine is None:
            continue
        goal = float(machine["accuracy"]) - MARGIN
        lines.append(
            {
                "set": a_set.name,
                "method": "rbf",
                "goal": goal,
                "reached": "yes",
                "bytes": machine["bytes"],
                "accuracy": machine["accuracy"],
            }
        )
        for method in CURVES:
            curve = accuracy.get((a_set.name, method), {})
            if not curve:
                continue
            k = next((k for k, (mean, _, _) in curve.items() if mean >= goal), None)
            shown = k if k is not None else max(curve, key=lambda at: curve[at][0])
            lines.append(
                {
                    "set": a_set.name,
                    "method": method,
                    "goal": goal,
                    "reached": "no" if k is None else "yes",
                    "k": shown,
                    "bytes": size[a_set.name, method][shown][0],
                    "accuracy": curve[shown][0],
                }
            )
    save(folder, "smallest", ("set", "method", "goal", "reached", "k", "bytes", "accuracy"), lines)


def write_derived(folder):
    table2(folder)
    smallest(folder)
