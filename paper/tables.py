"""What is derived from results/*.csv: means over seeds, Table 2 and the smallest models.

Each derived table is a CSV in its own right, so that the page and the figures only ever show numbers that lie in
results/ or are means of them.
"""

import statistics
from collections import defaultdict

from . import paper_numbers as paper
from .results import read, save
from .sets import BY_NAME, SETS

MARGIN = 0.5  # points below the RBF machine that still count as reaching it
CURVES = ("rff", "kernel", "alternating", "joint", "circulant-rff", "circulant-alternating", "circulant-joint")


def deviation(values):
    return statistics.stdev(values) if len(values) > 1 else 0.0


def means(models, value, rule="knn"):
    """{(set, method): {k: (mean, deviation, seeds)}} of one measured column."""
    curves = defaultdict(list)
    for line in models:
        if line["gamma_rule"] == rule and line[value] != "":
            curves[line["set"], line["method"]].append(line)
    return {who: grouped_means(lines, "k", value) for who, lines in curves.items()}


def grouped_means(lines, x, value):
    """{x: (mean, deviation, seeds)} of one column over the lines that share x."""
    values = defaultdict(list)
    for line in lines:
        if line[value] != "":
            values[int(line[x])].append(float(line[value]))
    return {at: (statistics.mean(v), deviation(v), len(v)) for at, v in sorted(values.items())}


def rbf(machines, name):
    """The line of a set's RBF machine, or None: the best of its gammas on the test rows, so that nothing of ours is
    compared with less than it can do."""
    ours = [m for m in machines if (m["set"], m["machine"]) == (name, "rbf")]
    return max(ours, key=lambda m: float(m["accuracy"]), default=None)


def spans(lines, column):
    """The smallest and the largest whole number of a column, as words: "3" or "3 to 5"."""
    values = {int(float(line[column])) for line in lines if line.get(column, "") != ""}
    if not values:
        return "none"
    return f"{min(values):,}" if len(values) == 1 else f"{min(values):,} to {max(values):,}"


def seeds(lines, identity):
    """How many seeds the measurements have that LINES show, as words: "1 seed", "3 to 5 seeds"."""
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
    for (name, times), printed in paper.TABLE2.items():
        k = times * BY_NAME[name].columns
        for method in (*paper.TABLE2_METHODS, "circulant-joint"):
            line = {"set": name, "k": k, "times_d": times, "method": method}
            if method in paper.TABLE2_METHODS:
                line["paper"], line["paper_deviation"] = printed[paper.TABLE2_METHODS.index(method)]
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
    """For each set and method the smallest measured k whose mean accuracy is within MARGIN of the RBF machine."""
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


def write_all(folder):
    table2(folder)
    smallest(folder)
