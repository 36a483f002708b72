"""From cells to results/*.csv: one line a measurement, nothing rounded, nothing derived except where the name says
so.

With `keep` (a run of one figure or set) lines of earlier runs stay unless this run has the same measurement. Every
line says in which mode it was made.
"""

import csv
import os
import platform
from pathlib import Path

from . import plan, sets

# file: (columns that identify a line, columns that were measured)
TABLES = {
    "models": (
        ("set", "method", "k", "gamma_rule", "seed"),
        (
            "accuracy",
            "training_accuracy",
            "ridge_accuracy",
            "kernel_error",
            "constant_error",
            "bytes",
            "parameters",
            "gamma",
            "iterations",
            "map_steps",
            "seconds",
            "mode",
        ),
    ),
    "remarks": (
        ("remark", "set", "recipe", "activation", "penalty", "validation", "map_steps", "k", "seed"),
        ("accuracy", "training_accuracy", "theta_norm", "iterations", "seconds", "mode"),
    ),
    "machines": (
        ("set", "machine", "gamma_rule"),
        (
            "accuracy",
            "cost",
            "gamma",
            "gamma_over_knn",
            "cv_accuracy",
            "cv_rows",
            "train_rows",
            "test_rows",
            "support_vectors",
            "bytes",
            "search_seconds",
            "train_seconds",
            "predict_seconds",
            "mode",
        ),
    ),
    "phases": (("set", "phase", "k", "seed"), ("shift_variance", "kernel_error", "constant_error", "mode")),
    "cost": (("d", "k", "projection"), ("bytes", "microseconds", "mode")),
}
REMARKS = {"growth", "penalties", "activations"}


def method_of(params):
    """The name of a curve: rff, kernel, alternating, joint, each also circulant-."""
    name = params["recipe"] if params["method"] == "cnm" else params["method"]
    return f"circulant-{name}" if params.get("projection") == "circulant" else name


def lines_of(cell, results):
    """(table, line) for each table that shows the cell."""
    line = {**cell.params, **results}
    if cell.kind == "train":
        if set(cell.figures) & REMARKS:
            remark = next(f for f in cell.figures if f in REMARKS)
            yield "remarks", {"activation": "cos", "penalty": "none", **line, "remark": remark}
        if set(cell.figures) - REMARKS:
            yield "models", {**line, "method": method_of(cell.params), "gamma_rule": cell.params["gamma"]}
    elif cell.kind in ("rbf", "linear"):
        yield "machines", {**line, "machine": cell.kind, "gamma_rule": cell.params.get("gamma", "")}
    elif cell.kind == "shift":
        yield "phases", line
    else:
        yield "cost", line


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


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def estimate(done, mode):
    """Processor seconds of a whole run of MODE: counts of arithmetic, corrected by what the trainings of this run
    took."""
    trained = [(c.cost, r["seconds"]) for c, r in done if c.kind == "train"]
    ratio = sum(s for _, s in trained) / sum(c for c, _ in trained) if trained else 1.0
    return ratio * sum(c.cost for c in plan.plan(mode))


def write(folder, cells, store, mode, tools, keep):
    """Writes every table from the cells that are done."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    done = [(c, r) for c, r in ((c, store.get(c)) for c in cells) if r is not None]
    fresh = {name: [] for name in TABLES}
    for cell, results in done:
        for table, line in lines_of(cell, results):
            fresh[table].append({**line, "mode": mode.name})
    for name, (identity, measured) in TABLES.items():

        def identify(line, names=identity):
            return tuple(str(line.get(n, "")) for n in names)

        lines = {identify(line): line for line in read(folder, name)} if keep else {}
        lines.update({identify(line): line for line in fresh[name]})
        save(folder, name, identity + measured, sorted(lines.values(), key=lambda line: order(line, identity)))
    write_sizes(folder, tools)
    write_run(folder, done, tools)


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
    save(
        folder,
        "sizes",
        (
            "set",
            "paper_rows_train",
            "paper_rows_test",
            "paper_columns",
            "rows_train",
            "rows_test",
            "columns",
            "classes",
            "scale",
            "protocol",
        ),
        lines,
    )


def write_run(folder, done, tools):
    """run.csv: what each mode means and how many measurements of it the tables hold; machine.csv: on what."""
    tables = {name: read(folder, name) for name in TABLES}
    lines = []
    for mode in (plan.QUICK, plan.FULL):
        ours = [line for name in TABLES for line in tables[name] if line["mode"] == mode.name]
        seeds = [int(line["seed"]) for line in ours if line.get("seed")]
        lines.append(
            {
                "mode": mode.name,
                "measurements": len(ours),
                "most_seeds": max(seeds, default=0),
                "iterations": mode.iterations,
                "kernel_steps": mode.kernel_steps,
                "libsvm_train_rows": mode.train_rows,
                "libsvm_test_rows": mode.test_rows,
                "cv_rows": mode.cv_rows,
                "plan": len(plan.plan(mode)),
                "processor_hours_estimated": round(estimate(done, mode) / 3600, 1),
            }
        )
    save(folder, "run", tuple(lines[0]), lines)
    facts = {
        "version": tools.command(["version"])[0].strip(),
        "command": sets.digest(tools.cnm),
        "processor": processor(),
        "cores": os.cpu_count(),
    }
    save(folder, "machine", tuple(facts), [facts])
