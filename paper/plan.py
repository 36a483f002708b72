"""Which cells a run needs: every figure, table and side remark as a list of cells, for the quick
mode and for the full one.

A cell that two figures share appears once. Costs are rough processor seconds from counts of
arithmetic; the progress line corrects them by what finished cells really took.
"""

from dataclasses import replace

from .cells import Cell
from .modes import COSTLY, WIDE
from .sets import BY_NAME, SETS, digest

LINEAR_COSTS = (0.001, 0.01, 0.1, 1, 10)
CIRCULANT_SETS = ("usps", "cifar", "mnist")
REMARK_FEATURES = 32
PENALTIES = ("l1:1e-5", "l1:1e-4", "l1:1e-3", "l2:1e-4", "l2:1e-3", "l2:1e-2")
GROWTH_STEPS = (1, 10, 100, 1000, 10000)
TRANSLATION_FEATURES = (32, 128, 512, 2048)


def train_cost(p):
    """Returns rough processor seconds of a training: rows times arithmetic a row, on one core."""
    a_set = BY_NAME[p["set"]]
    d, k, outputs = a_set.columns, p["k"], a_set.classes if a_set.classes > 2 else 1
    product = 60.0 * d if p.get("projection") == "circulant" else 2.0 * d * k
    forward = product + 40.0 * k + 4.0 * k * outputs
    setup = 0.5 + a_set.rows[0] * d / 5e7
    # A head alone sees features that are kept: each training row is mapped once.
    head = 5e6 * k * (4.0 * outputs + 16.0) / 3.5e10 + a_set.rows[0] * forward / 5e10
    if p["method"] == "kernel":
        steps = p.get("map_steps", 1000)
        return setup + head + steps * (500 * 4.0 * d * k / 6e10 + 500 * 500 * 8.0 * k / 1.2e10)
    if p["method"] == "rff":
        return setup + head
    if p["recipe"] == "alternating":
        return (
            setup
            + p.get("iterations", 2) * 500 * (p.get("head_steps", 100) + 1.5 * p.get("map_steps", 100)) * forward / 4e10
        )
    steps = min(max(16000 * 128 / (d + 64), 5000), 16000)
    searched = 1.0 if "effort" in p else 3.0
    return setup + searched * max(25 * a_set.rows[0], steps * 256) * 3.0 * forward / 5e10


def train(figures, **params):
    cost = train_cost(params)
    rows = BY_NAME[params["set"]].rows[0] if "ridge" in params.get("measure", []) else 0
    return Cell("train", params, figures, cost + rows * params["k"] ** 2 / 2e10, 0.6 + 3e-9 * 4 * rows * params["k"])


def seeds(mode, a_set):
    return range(1, (mode.costly_seeds if a_set.name in COSTLY else mode.seeds) + 1)


def iterations(mode, a_set):
    return {"iterations": mode.wide_iterations if a_set.name in WIDE else mode.iterations}


def curves(mode, a_set):
    """Figures 1 and 2: the curves over k of one set."""
    grid = sorted({*mode.features, *mode.further.get(a_set.name, ())})
    beyond = () if a_set.name in CIRCULANT_SETS else mode.random_features
    random_grid = sorted({*grid, *beyond, *mode.further_random.get(a_set.name, ())})
    for seed in seeds(mode, a_set):
        base = {"set": a_set.name, "gamma": "knn", "seed": seed}
        for k in random_grid:
            yield train(("figure1", "figure2"), **base, method="rff", k=k, measure=["kernel"])
        for k in grid:
            if k <= mode.kernel_features:
                steps = mode.kernel_steps
                yield train(("figure1", "figure2"), **base, method="kernel", k=k, map_steps=steps, measure=["kernel"])
            yield train(("figure1",), **base, method="cnm", recipe="alternating", k=k, **iterations(mode, a_set))
            yield train(("figure1",), **base, method="cnm", recipe="joint", k=k, **mode.joint)


def machines(mode, a_set):
    """The baselines of figure 1, without k and seed."""
    limits = {"set": a_set.name, "cv_rows": mode.cv_rows, "folds": 3}
    rows, tested = mode.further_rows.get(a_set.name, mode.train_rows), mode.test_rows
    scale = 8.0 * (min(a_set.columns, 400) + 20)
    trained = min(rows, a_set.rows[0])
    fits = 2.5 * trained * (trained + min(tested, a_set.rows[1])) * scale / 1e10
    search = len(mode.multiples) * len(mode.costs) * min(mode.cv_rows, a_set.rows[0]) ** 2 * scale / 3e9
    yield Cell(
        "libsvm",
        {
            **limits,
            "train_rows": rows,
            "test_rows": tested,
            "multiples": list(mode.multiples),
            "costs": list(mode.costs),
        },
        ("figure1", "machines"),
        1 + fits + search,
        0.5 + min(4e-9 * trained**2, 2.0),
    )
    yield Cell(
        "liblinear",
        {**limits, "costs": list(LINEAR_COSTS)},
        ("figure1", "machines"),
        1 + a_set.rows[0] * min(a_set.columns, 400) * a_set.classes / 2e7,
        1.0,
    )


def circulant(mode, a_set):
    """Figure 3 (kernel error of random circulant maps), Table 2 (k = d, 2d), circulant curves."""
    d = a_set.columns
    for seed in range(1, mode.table2_seeds + 1):
        base = {"set": a_set.name, "seed": seed}
        for k in (d, 2 * d):
            yield from table2(mode, a_set, k, base)
        if seed not in seeds(mode, a_set):
            continue
        for k in mode.features:
            yield train(
                ("figure3",), **base, method="rff", projection="circulant", k=k, gamma="knn", measure=["kernel"]
            )
        for k in mode.circulant_features:
            yield from circulant_learned(mode, a_set, k, base, ("circulant",))


def circulant_learned(mode, a_set, k, base, figures):
    for recipe, extra in (("alternating", iterations(mode, a_set)), ("joint", mode.joint)):
        yield train(figures, **base, method="cnm", recipe=recipe, projection="circulant", k=k, gamma="knn", **extra)


def table2(mode, a_set, k, base):
    """One row of Table 2 for one seed: random maps with both gammas and both heads, learned
    circulant maps."""
    figures, measure = ("figure3", "table2", "circulant"), ["kernel", "ridge"]
    for rule in ("knn", "paper"):
        for projection in ({}, {"projection": "circulant"}):
            yield train(figures, **base, method="rff", k=k, gamma=rule, measure=measure, **projection)
    yield from circulant_learned(mode, a_set, k, base, ("circulant", "table2"))


def remarks(mode, a_set):
    """The paper's side remarks on one set."""
    base = {"set": a_set.name, "method": "cnm", "k": REMARK_FEATURES, "gamma": "knn"}
    for seed in seeds(mode, a_set):
        alternating = {**base, "seed": seed, "recipe": "alternating"}
        growth = {**alternating, "iterations": 2, "head_steps": 1000, "measure": ["theta"]}
        for steps in GROWTH_STEPS:
            yield train(("growth",), **growth, map_steps=steps)
        alternating.update(iterations(mode, a_set))
        for penalty in PENALTIES:
            yield train(("penalties",), **alternating, penalty=penalty)
        yield train(("penalties",), **alternating, validation=0.2)
        for activation in ("sigmoid", "relu"):
            yield train(("activations",), **alternating, activation=activation)
            yield train(("activations",), **base, recipe="joint", seed=seed, activation=activation, **mode.joint)
        for k in TRANSLATION_FEATURES:
            for phase in ("uniform", "none"):
                yield Cell("translation", {"set": a_set.name, "k": k, "phase": phase, "seed": seed}, ("phases",), 0.6)


def costs(mode):
    for d in mode.cost_sizes:
        rows = 4352 if d <= 1024 else 1280
        for k in (d // 4, d, 2 * d):
            for projection in ("dense", "circulant"):
                params = {"d": d, "k": k, "projection": projection, "rows": rows, "repeats": 3}
                spent = 1 + 3.0 * d * k / 1e8 + rows * 2.0 * d * k * 3 / 8e10
                yield Cell("cost", params, ("cost",), spent, 1.0 + 1e-9 * 8 * d * k)


def merge(cells):
    """Returns one cell for equal trainings, with the figures and measurements of all of them."""
    merged = {}
    for cell in cells:
        params = {name: value for name, value in cell.params.items() if name != "measure"}
        text = repr((cell.kind, sorted(params.items(), key=str)))
        earlier = merged.get(text)
        if earlier is not None:
            measures = sorted({*cell.params.get("measure", []), *earlier.params.get("measure", [])})
            cell = replace(
                cell,
                figures=tuple(sorted({*cell.figures, *earlier.figures})),
                params={**params, "measure": measures} if measures else params,
                cost=max(cell.cost, earlier.cost),
                memory=max(cell.memory, earlier.memory),
            )
        merged[text] = cell
    return list(merged.values())


def plan(mode):
    cells = []
    for a_set in SETS:
        cells += [*curves(mode, a_set), *machines(mode, a_set)]
        if a_set.name in CIRCULANT_SETS:
            cells += circulant(mode, a_set)
        if a_set.name in mode.remark_sets:
            cells += remarks(mode, a_set)
    return merge([*cells, *costs(mode)])


def identities(data, command):
    """Returns {set: what identifies its cells besides their parameters}: checksums of the command
    and of the set's files, how rows are cut; "" is for cells of no set."""
    parts = {"": {"command": command, "files": {}, "protocol": ""}}
    for a_set in SETS:
        parts[a_set.name] = {
            "command": command,
            "files": {name: digest(f"{data}/{name}") for name in a_set.files()},
            "protocol": repr((a_set.train, a_set.test, a_set.scale)),
        }
    return parts


def keyed(cells, parts):
    """Returns the cells with their identities."""
    return [replace(c, parts=parts[c.params.get("set", "")]) for c in cells]


FIGURES = (
    *("figure1", "figure2", "figure3", "table2", "circulant", "machines"),
    *("growth", "penalties", "activations", "phases", "cost"),
)


def only(cells, name):
    """Returns the cells of one figure or one set."""
    return [c for c in cells if name in c.figures or c.params.get("set") == name]
