"""The claims of the paper's figures and tables, each with its number, ours, and a verdict in words: results/claims.csv,
derived from the other tables; those of its side remarks are in `remarks`. A verdict is computed from what was
measured; a claim that a run did not measure is called so."""

import statistics

from . import paper_numbers as paper
from . import remarks
from .checks import first_at
from .remarks import UNKNOWN
from .results import read, save
from .sets import BY_NAME, SETS
from .tables import means, rbf


def verdict_usps(accuracy):
    random, learned = (first_at(accuracy.get(("usps", m), {}), paper.USPS_PERCENT) for m in ("rff", "alternating"))
    ours = f"random features reach 90 % at k = {random}, the alternating map at k = {learned}"
    if not random or not learned:
        return f"{ours} (none: not within the measured k)", "not shown by this run"
    factor = random / learned
    ours += f": {factor:.0f} times fewer"
    printed = paper.USPS_RANDOM_FEATURES / paper.USPS_LEARNED_FEATURES
    return ours, "holds" if factor >= printed else "holds in direction, with a smaller factor"


def compare(first, second, largest=10**9):
    """[(k, first - second)] at the k that both curves have."""
    return [(k, first[k][0] - second[k][0]) for k in first if k in second and k <= largest]


def worst_by_set(values, methods, largest=10**9):
    """{set: [(k, difference)]} of two methods' curves."""
    pairs = {
        s.name: compare(values.get((s.name, methods[0]), {}), values.get((s.name, methods[1]), {}), largest)
        for s in SETS
    }
    return {name: pair for name, pair in pairs.items() if pair}


def verdict_above(accuracy, method):
    pairs = worst_by_set(accuracy, (method, "rff"))
    below = [f"{BY_NAME[n].title} k = {k} ({d:+.1f})" for n, pair in pairs.items() for k, d in pair if d < 0]
    count = sum(len(pair) for pair in pairs.values())
    gains = [d for pair in pairs.values() for _, d in pair]
    if not gains:
        return UNKNOWN
    ours = f"above in {count - len(below)} of {count} measured (set, k); "
    ours += f"gain {min(gains):+.1f} to {max(gains):+.1f} points"
    if below:
        ours += "; below at " + ", ".join(below)
    return ours, "holds" if not below else "holds except where named"


def verdict_kernel_error(errors):
    pairs = worst_by_set(errors, ("kernel", "rff"), 128)
    worse = [f"{BY_NAME[n].title} k = {k}" for n, pair in pairs.items() for k, d in pair if d >= 0]
    ratios = [errors[n, "rff"][k][0] / errors[n, "kernel"][k][0] for n, pair in pairs.items() for k, _ in pair]
    if not ratios:
        return UNKNOWN
    ours = (
        f"on {len(pairs)} sets, k up to 128: random error / learned error from {min(ratios):.1f} to {max(ratios):.1f}"
    )
    return ours + (
        f"; not lower at {', '.join(worse)}" if worse else ""
    ), "does not hold where named" if worse else "holds"


def verdict_kernel_accuracy(accuracy):
    pairs = worst_by_set(accuracy, ("kernel", "rff"))
    gaps = [d for pair in pairs.values() for _, d in pair]
    learned = [d for pair in worst_by_set(accuracy, ("alternating", "rff")).values() for _, d in pair]
    if not gaps or not learned:
        return UNKNOWN
    ours = (
        f"kernel-approximating less random: median {statistics.median(gaps):+.1f} points "
        f"({min(gaps):+.1f} to {max(gaps):+.1f}); "
        f"learned less random: median {statistics.median(learned):+.1f}"
    )
    close = abs(statistics.median(gaps)) <= 1.0
    return (
        ours,
        "holds in the middle, not at every k"
        if close
        else "does not hold as said: they classify better than random ones",
    )


def verdict_circulant_error(errors):
    ratios = {
        n: [
            errors[n, "circulant-rff"][k][0] / errors[n, "rff"][k][0]
            for k, _ in compare(errors.get((n, "circulant-rff"), {}), errors.get((n, "rff"), {}))
        ]
        for n in BY_NAME
    }
    ratios = {n: r for n, r in ratios.items() if r}
    if not ratios:
        return UNKNOWN
    ours = "circulant error / dense error: " + ", ".join(
        f"{BY_NAME[n].title} {min(r):.2f} to {max(r):.2f}" for n, r in ratios.items()
    )
    largest = max(max(r) for r in ratios.values())
    return ours, "holds" if largest < 1.5 else f"not at every k: up to {largest:.1f} times the dense error"


def verdict_table2(folder):
    lines = {(t["set"], int(t["times_d"]), t["method"]): t for t in read(folder, "table2")}
    worse, fewer, measured = [], [], 0
    for name, times in paper.TABLE2:
        optimised, random = (
            lines.get((name, times, m), {}).get("knn_pegasos") for m in ("circulant-alternating", "circulant-rff")
        )
        if not optimised or not random:
            continue
        measured += 1
        place = f"{BY_NAME[name].title} {times if times > 1 else ''}d"
        if float(optimised) <= float(random):
            worse.append(place)
        if float(optimised) <= paper.TABLE2[name, times][2][0]:
            fewer.append(place)
    if not measured:
        return UNKNOWN
    ours = f"optimised above random in {measured - len(worse)} of {measured} cells"
    ours += f" (not {', '.join(worse)})" if worse else ""
    ours += f"; above the paper's number in {measured - len(fewer)}" + (f" (not {', '.join(fewer)})" if fewer else "")
    return ours, "holds" if not worse else "does not hold where named"


def verdict_machine(accuracy, machines):
    approach, exceed, away = [], [], []
    for a_set in SETS:
        machine, curve = rbf(machines, a_set.name), accuracy.get((a_set.name, "rff"), {})
        if machine is None or not curve:
            continue
        goal = float(machine["accuracy"])
        ks = sorted(curve)
        approach.append(f"{a_set.title} {curve[ks[0]][0] - goal:+.1f} to {curve[ks[-1]][0] - goal:+.1f}")
        if abs(curve[ks[-1]][0] - goal) > abs(curve[ks[0]][0] - goal):
            away.append(a_set.title)
        over = [
            (k, m) for m in ("alternating", "joint") for k in [first_at(accuracy.get((a_set.name, m), {}), goal)] if k
        ]
        if over:
            exceed.append(f"{a_set.title} ({', '.join(f'{m} from k = {k}' for k, m in over)})")
    if not approach:
        return UNKNOWN
    ours = "random less RBF machine, smallest to largest k: " + ", ".join(approach)
    ours += ". Learned maps reach or exceed it on " + (", ".join(exceed) or "none")
    if away:
        return ours, f"does not hold on {', '.join(away)}"
    return ours, "random features come nearer on each set" + ("; learned maps exceed it where named" if exceed else "")


def write(folder):
    models, machines = read(folder, "models"), read(folder, "machines")
    accuracy, errors = means(models, "accuracy"), means(models, "kernel_error")
    figure1, figure2 = "all eight panels of Figure 1", "all eight panels of Figure 2"
    sizes = f"k = {paper.USPS_LEARNED_FEATURES} against {paper.USPS_RANDOM_FEATURES} ({paper.USPS_FACTOR} times)"
    rows = [
        ("USPS: 90 % with far fewer features", sizes, *verdict_usps(accuracy)),
        (
            "Learned maps (alternating) are above random features at every k on all sets",
            figure1,
            *verdict_above(accuracy, "alternating"),
        ),
        ("The same for the joint recipe (ours)", "not in the paper", *verdict_above(accuracy, "joint")),
        ("Kernel-approximating maps have a lower error than random ones", figure2, *verdict_kernel_error(errors)),
        ("... but classify about like them", "Figure 1", *verdict_kernel_accuracy(accuracy)),
        (
            "Random circulant maps have nearly the kernel error of dense ones",
            "Figure 3",
            *verdict_circulant_error(errors),
        ),
        (
            "Optimised circulant maps classify better than random ones",
            "all six cells of Table 2",
            *verdict_table2(folder),
        ),
        (
            "Random features approach the RBF SVM as k grows; learned maps can exceed it",
            "Figure 1",
            *verdict_machine(accuracy, machines),
        ),
        *remarks.rows(folder),
    ]
    columns = ("claim", "paper", "ours", "verdict")
    save(folder, "claims", columns, [dict(zip(columns, r)) for r in rows])
