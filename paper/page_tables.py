"""The tables of the page as Markdown, each made from lines of a CSV file."""

from . import paper_numbers
from .results import CURVES, rbf
from .sets import BY_NAME, SETS

NAMES = {
    "rff": "random",
    "kernel": "kernel-approximating",
    "alternating": "alternating",
    "joint": "joint",
    "circulant-rff": "circulant random",
    "circulant-alternating": "circulant alternating",
    "circulant-joint": "circulant joint",
    "rbf": "RBF SVM",
}


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(c).replace("|", "\\|") for c in row) + " |" for row in rows])


def number(text, digits=1):
    return "-" if text in ("", None) else f"{float(text):,.{digits}f}"


def whole(text):
    return "-" if text in ("", None) else f"{int(float(text)):,}"


def spread(line, name, digits=2):
    """Returns mean ± deviation, the latter only with several seeds."""
    if line.get(name, "") == "":
        return "-"
    several = int(line["seeds"] or 1) > 1
    return number(line[name], digits) + (f" ± {number(line[name + '_deviation'], digits)}" if several else "")


def limit(text):
    return "all" if int(text) >= 10**9 else f"at most {int(text):,}"


def machines(lines):
    rows = []
    for a_set in SETS:
        ours = {(m["machine"], m["gamma_rule"]): m for m in lines if m["set"] == a_set.name}
        if not ours:
            continue
        cells = [number(ours.get(("rbf", rule), {}).get("accuracy"), 2) for rule in ("knn", "paper", "tuned")]
        best, line = rbf(lines, a_set.name) or {}, ours.get(("linear", ""), {})
        rows.append(
            (
                a_set.title,
                *cells,
                best.get("gamma_rule", "-"),
                best.get("cost", "-"),
                number(best.get("gamma_over_knn"), 2),
                whole(best.get("support_vectors")),
                whole(best.get("train_rows")),
                whole(best.get("test_rows")),
                number(line.get("accuracy"), 2),
            )
        )
    return table(
        (
            "set",
            "RBF, gamma knn",
            "gamma paper",
            "gamma tuned",
            "best",
            "its C",
            "its gamma / knn",
            "its support vectors",
            "trained on",
            "tested on",
            "linear",
        ),
        rows,
    )


def second_table(lines):
    rows = []
    for t in lines:
        printed = f"{number(t['paper'], 2)} ± {number(t['paper_deviation'], 2)}" if t["paper"] else "-"
        rows.append(
            (
                BY_NAME[t["set"]].title,
                f"{t['k']} ({t['times_d'] if t['times_d'] != '1' else ''}d)",
                NAMES[t["method"]],
                printed,
                spread(t, "knn_pegasos"),
                spread(t, "knn_exact"),
                spread(t, "paper_pegasos"),
                spread(t, "paper_exact"),
            )
        )
    return table(("set", "k", "map", "paper", "here, gamma knn", "exact head", "gamma paper", "exact head"), rows)


def smallest(lines):
    rows = []
    for a_set in SETS:
        ours = {s["method"]: s for s in lines if s["set"] == a_set.name}
        if "rbf" not in ours:
            continue
        row = [a_set.title, number(ours["rbf"]["accuracy"], 2), whole(ours["rbf"]["bytes"])]
        for method in CURVES:
            s = ours.get(method)
            if s is None:
                row.append("")
            elif s["reached"] == "yes":
                row.append(f"{s['k']} ({whole(s['bytes'])} B)")
            else:
                row.append(f"not reached: {number(s['accuracy'])} at {s['k']}")
        rows.append(row)
    return table(("set", "RBF SVM %", "its bytes", *(NAMES[m] for m in CURVES)), rows)


def mean(lines, column):
    values = [float(r[column]) for r in lines if r[column] != ""]
    return sum(values) / len(values) if values else None


def remark_rows(remarks, models, name, columns):
    """Returns a table of a remark: one row a setting, one column a set. The plain setting is from
    Figure 1."""
    lines = [r for r in remarks if r["remark"] == name]
    names = sorted({r["set"] for r in lines})
    k = lines[0]["k"]
    rows = []
    for label, test in columns:
        row = [label]
        for a_set in names:
            plain = [
                m
                for m in models
                if m["set"] == a_set and m["k"] == k and m["gamma_rule"] == "knn" and m["method"] == test
            ]
            ours = plain if isinstance(test, str) else [r for r in lines if r["set"] == a_set and test(r)]
            row.append(
                f"{number(mean(ours, 'accuracy'), 2)} ({number(mean(ours, 'training_accuracy'), 1)})" if ours else "-"
            )
        rows.append(row)
    return table((f"k = {k}: test (training) %", *(BY_NAME[n].title for n in names)), rows)


def penalties(remarks, models):
    kinds = sorted({r["penalty"] for r in remarks if r["remark"] == "penalties" and r["penalty"] != "none"})
    columns = [("none", "alternating")]
    columns += [(kind, lambda r, kind=kind: r["penalty"] == kind) for kind in kinds]
    columns += [("early stopping (a fifth of the rows held back)", lambda r: r["validation"] != "")]
    return remark_rows(remarks, models, "penalties", columns)


def activations(remarks, models):
    columns = []
    for recipe in ("alternating", "joint"):
        columns.append((f"cos, {recipe}", recipe))
        columns += [
            (f"{a}, {recipe}", lambda r, a=a, recipe=recipe: (r["activation"], r["recipe"]) == (a, recipe))
            for a in ("sigmoid", "relu")
        ]
    return remark_rows(remarks, models, "activations", columns)


def costs(lines):
    rows = []
    for d, k in sorted({(int(r["d"]), int(r["k"])) for r in lines}):
        dense, circulant = (
            next((r for r in lines if (r["d"], r["k"], r["projection"]) == (str(d), str(k), p)), {})
            for p in ("dense", "circulant")
        )
        rows.append(
            (
                d,
                k,
                number(dense.get("microseconds")),
                number(circulant.get("microseconds")),
                whole(dense.get("bytes")),
                whole(circulant.get("bytes")),
            )
        )
    return table(("d", "k", "dense, µs a row", "circulant, µs a row", "dense, bytes", "circulant, bytes"), rows)


# column of table2.csv: (its gamma, its head)
SETTINGS = {
    "knn_pegasos": "gamma knn, Pegasos",
    "knn_exact": "gamma knn, exact head",
    "paper_pegasos": "gamma paper, Pegasos",
    "paper_exact": "gamma paper, exact head",
}


def table2_note(lines):
    """Returns a note: where the random columns are more than two points above the paper's, or more
    than one below, and which of the four settings is nearest there."""
    above, below = [], []
    for t in lines:
        if t["method"] not in paper_numbers.TABLE2_METHODS[:2] or not t["knn_pegasos"]:
            continue
        gap = {name: float(t[name]) - float(t["paper"]) for name in SETTINGS if t[name] != ""}
        nearest = min(gap, key=lambda name: abs(gap[name]))
        cell = f"{BY_NAME[t['set']].title} k = {t['k']} {NAMES[t['method']]}"
        row = (cell, f"{gap['knn_pegasos']:+.2f}", SETTINGS[nearest], f"{gap[nearest]:+.2f}")
        if gap["knn_pegasos"] > 2:
            above.append(row)
        elif gap["knn_pegasos"] < -1:
            below.append(cell)
    text = "Random columns more than one point below the paper's number: " + (", ".join(below) or "none") + "."
    if not above:
        return text + " None is more than two above."
    head = ("more than two points above the paper's", "by", "nearest of the four settings", "its difference")
    return f"{text}\n\n{table(head, above)}"
