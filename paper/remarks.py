"""The claims of the paper's side remarks, with verdicts computed from the tables: more rows of results/claims.csv."""

import statistics
from collections import defaultdict

from .results import read
from .sets import BY_NAME
from .tables import means

UNKNOWN = ("not measured", "not shown by this run")
ACTIVATIONS = "Sigmoid and ReLU can take the cosine's place"
BACK_PROPAGATION = "Back-propagation can take alternation's place"
POOR = 5.0  # points below the cosine that are called poor


def grouped(lines, keys, value):
    """{key tuple: mean of value over the other columns}"""
    groups = defaultdict(list)
    for line in lines:
        if line[value] != "":
            groups[tuple(line[k] for k in keys)].append(float(line[value]))
    return {key: statistics.mean(v) for key, v in groups.items()}


def phases(folder):
    values = grouped(read(folder, "phases"), ("phase", "k"), "shift_variance")
    if not values:
        return UNKNOWN
    ks = sorted({k for _, k in values}, key=int)
    parts, falls = [], {}
    for phase, word in (("uniform", "with"), ("none", "without")):
        first, last = values[phase, ks[0]], values[phase, ks[-1]]
        falls[phase] = first / last
        parts.append(f"{word} phases {first:.4f} at k = {ks[0]}, {last:.4f} at k = {ks[-1]}")
    refuted = falls["uniform"] > 4 * falls["none"]
    return (
        "mean squared change under a common shift: " + "; ".join(parts),
        "does not hold: more features do not make the map without phases shift-invariant"
        if refuted
        else "not refuted by this run",
    )


def plain(folder, lines):
    """{(set, recipe): accuracy} of the plain cosine map at the k of the remarks."""
    accuracy = means(read(folder, "models"), "accuracy")
    k = int(lines[0]["k"]) if lines else 0
    return {who: curve[k][0] for who, curve in accuracy.items() if k in curve}


def kind_of(line):
    return "early stopping" if line["validation"] else line["penalty"][:2]


def penalties(folder):
    lines = [r for r in read(folder, "remarks") if r["remark"] == "penalties"]
    base, parts, largest = plain(folder, lines), [], 0.0
    for name in sorted({r["set"] for r in lines}):
        if (name, "alternating") not in base:
            continue
        gains = {}
        for kind in ("l1", "l2", "early stopping"):
            ours = [r for r in lines if r["set"] == name and kind_of(r) == kind]
            best = max(grouped(ours, ("penalty",), "accuracy").values(), default=base[name, "alternating"])
            gains[kind] = best - base[name, "alternating"]
        largest = max(largest, *gains.values())
        parts.append(f"{BY_NAME[name].title} " + ", ".join(f"{kind} {gain:+.1f}" for kind, gain in gains.items()))
    if not parts:
        return UNKNOWN
    verdict = "holds: none gains more than a point" if largest <= 1.0 else "one gains more than a point"
    return "best strength of each kind (by test accuracy) less none: " + "; ".join(parts), verdict


def growth(folder):
    lines = [r for r in read(folder, "remarks") if r["remark"] == "growth"]
    parts, grown, fallen, apart = [], [], [], []
    for name in sorted({r["set"] for r in lines}):
        ours, title = [r for r in lines if r["set"] == name], BY_NAME[name].title
        norm, training, test = (
            {int(key[0]): v for key, v in grouped(ours, ("map_steps",), column).items()}
            for column in ("theta_norm", "training_accuracy", "accuracy")
        )
        first, last = min(norm), max(norm)
        grown += [title] if norm[last] > 1.1 * norm[first] else []
        fallen += [title] if test[last] < max(test.values()) - 0.5 else []
        apart += [title] if training[last] - test[last] > training[first] - test[first] + 1.0 else []
        parts.append(
            f"{title}: norm times {norm[last] / norm[first]:.2f} after {last:,} steps, training / test "
            f"{training[first]:.1f} / {test[first]:.1f} becomes {training[last]:.1f} / {test[last]:.1f}"
        )
    if not parts:
        return UNKNOWN
    verdict = f"the norm grows by more than a tenth on {', '.join(grown) or 'none'}; "
    verdict += f"training and test part by more than a point on {', '.join(apart) or 'none'}; "
    verdict += f"test accuracy falls by more than half a point on {', '.join(fallen) or 'none'}"
    return "; ".join(parts), verdict


def activation_gaps(folder):
    """{(recipe, activation): {set: accuracy less the cosine's}}"""
    lines = [r for r in read(folder, "remarks") if r["remark"] == "activations"]
    base, gaps = plain(folder, lines), defaultdict(dict)
    for (recipe, activation, name), accuracy in grouped(lines, ("recipe", "activation", "set"), "accuracy").items():
        if (name, recipe) in base:
            gaps[recipe, activation][name] = accuracy - base[name, recipe]
    return gaps


def activations(folder):
    gaps = activation_gaps(folder)
    if not gaps:
        return UNKNOWN
    parts, poor = [], []
    for (recipe, activation), by_set in sorted(gaps.items()):
        parts.append(
            f"{activation}, {recipe}: " + ", ".join(f"{BY_NAME[n].title} {gap:+.1f}" for n, gap in by_set.items())
        )
        bad = [BY_NAME[n].title for n, gap in by_set.items() if gap < -POOR]
        poor += [f"{activation} with {recipe} on {', '.join(bad)}"] if bad else []
    verdict = (
        f"more than {POOR:.0f} points below the cosine: {'; '.join(poor)}"
        if poor
        else (f"none is more than {POOR:.0f} points below the cosine")
    )
    return "less the cosine at the same k: " + "; ".join(parts), verdict


def back_propagation(folder):
    accuracy = means(read(folder, "models"), "accuracy")
    gains, best = defaultdict(list), []
    for (name, method), curve in accuracy.items():
        if method == "joint":
            for k in set(curve) & set(accuracy.get((name, "alternating"), {})):
                gains[name].append(curve[k][0] - accuracy[name, "alternating"][k][0])
    if not gains:
        return UNKNOWN
    shown = ", ".join(f"{BY_NAME[n].title} {min(g):+.1f} to {max(g):+.1f}" for n, g in gains.items())
    best = [g for found in gains.values() for g in found]
    ahead = sum(g > 0 for g in best)
    return (
        f"joint less alternating at equal k: {shown}",
        f"joint is ahead at {ahead} of {len(best)} measured (set, k); median {statistics.median(best):+.1f} points",
    )


def circulant_cost(folder):
    lines = read(folder, "cost")
    pairs = []
    for r in lines:
        if r["projection"] == "dense":
            twin = [t for t in lines if (t["d"], t["k"], t["projection"]) == (r["d"], r["k"], "circulant")]
            pairs += [(int(r["d"]), int(r["k"]), r, t) for t in twin]
    if not pairs:
        return UNKNOWN
    parts = [
        f"d = {d}, k = {k}: {float(a['microseconds']) / float(b['microseconds']):.1f} times faster, "
        f"{float(a['bytes']) / float(b['bytes']):,.0f} times fewer bytes"
        for d, k, a, b in sorted(pairs, key=lambda p: p[:2])
        if d == k
    ]
    slower = [f"d = {d}, k = {k}" for d, k, a, b in pairs if float(a["microseconds"]) < float(b["microseconds"])]
    return "; ".join(parts), f"holds except at {', '.join(slower)}" if slower else "holds at every measured size"


def rows(folder):
    """(claim, the paper's, ours, verdict) of each remark."""
    return [
        ("Proposition 1: the map without phases is shift-invariant", "stated as proved", *phases(folder)),
        ("Penalties on theta and early stopping change little", '"only marginal"', *penalties(folder)),
        ("Trained alone with W fixed, theta grows and the map overfits", "stated", *growth(folder)),
        (ACTIVATIONS, "a remark", *activations(folder)),
        (BACK_PROPAGATION, "a remark", *back_propagation(folder)),
        ("Circulant maps need less time and memory", "O(d log d), O(d)", *circulant_cost(folder)),
    ]
