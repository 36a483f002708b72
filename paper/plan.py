"""Which cells a run needs: every figure, table and side remark as a list of cells, for the quick mode and for the
full one.

A cell that two figures share appears once. Costs are rough processor seconds from counts of arithmetic; the progress
line corrects them by what finished cells really took.
"""

from dataclasses import dataclass, replace

from .cells import Cell
from .sets import BY_NAME, SETS, digest


@dataclass(frozen=True)
class Mode:
    """The sizes of a run. Limits of rows are LIBSVM's and LIBLINEAR's only: cnm always trains and tests on all rows."""

    name: str
    features: tuple  # k of figures 1 and 2
    random_features: tuple  # further k for random features
    further: dict  # further k of one set
    further_random: dict  # further k of one set, for random features
    seeds: int
    iterations: int  # turns of the alternating recipe
    kernel_steps: int
    cv_rows: int
    train_rows: int
    test_rows: int
    multiples: tuple  # gamma / knn for the tuned machine
    costs: tuple
    remark_sets: tuple
    cost_sizes: tuple


EVERYTHING = 10**9
QUICK = Mode(
    "quick",
    (8, 32, 128),
    (512,),
    {"banana": (16,)},
    {"usps": (16, 64, 256)},
    1,
    100,
    400,
    1200,
    6000,
    5000,
    (0.5, 1.0, 4.0, 16.0),
    (1, 10, 100),
    ("usps", "banana", "letter"),
    (256, 1024, 4096),
)
FULL = Mode(
    "full",
    (8, 16, 32, 64, 128, 256, 512),
    (1024, 2048),
    {},
    {},
    5,
    200,
    1000,
    3000,
    20000,
    EVERYTHING,
    (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0),
    (0.1, 1, 10, 100, 1000),
    ("usps", "banana", "letter", "magic04"),
    (256, 512, 1024, 2048, 4096, 8192),
)
LINEAR_COSTS = (0.001, 0.01, 0.1, 1, 10)
CIRCULANT_SETS = ("usps", "cifar", "mnist")
REMARK_FEATURES = 32
PENALTIES = ("l1:1e-5", "l1:1e-4", "l1:1e-3", "l2:1e-4", "l2:1e-3", "l2:1e-2")
GROWTH_STEPS = (1, 10, 100, 1000, 10000)
SHIFT_FEATURES = (32, 128, 512, 2048)


def train_cost(p):
    """Rough processor seconds of a training: rows seen times arithmetic a row, at the rates of one core."""
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
    return setup + max(12 * a_set.rows[0], 3000 * 256) * 3.0 * forward / 5e10


def train(figures, **params):
    cost = train_cost(params)
    rows = BY_NAME[params["set"]].rows[0] if "ridge" in params.get("measure", []) else 0
    return Cell("train", params, figures, cost + rows * params["k"] ** 2 / 2e10, 0.6 + 3e-9 * 4 * rows * params["k"])


def curves(mode, a_set):
    """Figures 1 and 2: the curves over k of one set."""
    grid = sorted({*mode.features, *mode.further.get(a_set.name, ())})
    random_grid = sorted({*grid, *mode.random_features, *mode.further_random.get(a_set.name, ())})
    for seed in range(1, mode.seeds + 1):
        for k in random_grid:
            yield train(
                ("figure1", "figure2"), set=a_set.name, method="rff", k=k, gamma="knn", seed=seed, measure=["kernel"]
            )
        for k in grid:
            yield train(
                ("figure1", "figure2"),
                set=a_set.name,
                method="kernel",
                k=k,
                gamma="knn",
                seed=seed,
                map_steps=mode.kernel_steps,
                measure=["kernel"],
            )
            yield train(
                ("figure1",),
                set=a_set.name,
                method="cnm",
                recipe="alternating",
                k=k,
                gamma="knn",
                seed=seed,
                iterations=mode.iterations,
            )
            yield train(("figure1",), set=a_set.name, method="cnm", recipe="joint", k=k, gamma="knn", seed=seed)


def machines(mode, a_set):
    """The baselines of figure 1: they have no k and no seed."""
    limits = {
        "set": a_set.name,
        "cv_rows": mode.cv_rows,
        "train_rows": mode.train_rows,
        "test_rows": mode.test_rows,
        "folds": 3,
    }
    scale = (a_set.columns + 20) * (a_set.classes + 3)
    fit = min(mode.train_rows, a_set.rows[0]) * min(mode.train_rows + mode.test_rows, sum(a_set.rows)) * scale / 2e10
    search = mode.cv_rows**2 * scale / 2e9
    for rule, tries in (("knn", 1), ("paper", 1), ("tuned", len(mode.multiples))):
        params = {**limits, "gamma": rule, "costs": list(mode.costs)}
        if rule == "tuned":
            params["multiples"] = list(mode.multiples)
        yield Cell("rbf", params, ("figure1",), 1 + fit + tries * len(mode.costs) * search / 3, 1.0)
    yield Cell(
        "linear",
        {
            **limits,
            "train_rows": EVERYTHING,
            "test_rows": EVERYTHING,
            "cv_rows": 4 * mode.cv_rows,
            "costs": list(LINEAR_COSTS),
        },
        ("figure1",),
        2 + a_set.rows[0] * a_set.columns * a_set.classes / 2e7,
        1.0,
    )


def circulant(mode, a_set):
    """Figure 3 (kernel error of random circulant maps), Table 2 (k = d and 2d), and circulant curves for figure 1."""
    d = a_set.columns
    grid = sorted(set(mode.features) | {d, 2 * d})
    for seed in range(1, mode.seeds + 1):
        for k in grid:
            table = k in (d, 2 * d)
            for rule in ("knn", "paper") if table else ("knn",):
                measure = ["kernel", "ridge"] if table else ["kernel"]
                figures = ("figure3", "table2") if table else ("figure3",)
                if table:
                    yield train(figures, set=a_set.name, method="rff", k=k, gamma=rule, seed=seed, measure=measure)
                yield train(
                    figures,
                    set=a_set.name,
                    method="rff",
                    projection="circulant",
                    k=k,
                    gamma=rule,
                    seed=seed,
                    measure=measure,
                )
            for recipe in ("alternating", "joint"):
                extra = {"iterations": mode.iterations} if recipe == "alternating" else {}
                yield train(
                    ("figure1", "table2") if table else ("figure1",),
                    set=a_set.name,
                    method="cnm",
                    recipe=recipe,
                    projection="circulant",
                    k=k,
                    gamma="knn",
                    seed=seed,
                    **extra,
                )


def remarks(mode, a_set):
    """The paper's side remarks on one set."""
    k = REMARK_FEATURES
    base = {"set": a_set.name, "method": "cnm", "k": k, "gamma": "knn"}
    for seed in range(1, mode.seeds + 1):
        for steps in GROWTH_STEPS:
            yield train(
                ("growth",),
                **base,
                recipe="alternating",
                seed=seed,
                iterations=2,
                head_steps=1000,
                map_steps=steps,
                measure=["theta"],
            )
        for penalty in PENALTIES:
            yield train(
                ("penalties",), **base, recipe="alternating", seed=seed, iterations=mode.iterations, penalty=penalty
            )
        yield train(("penalties",), **base, recipe="alternating", seed=seed, iterations=mode.iterations, validation=0.2)
        for activation in ("sigmoid", "relu"):
            yield train(
                ("activations",),
                **base,
                recipe="alternating",
                seed=seed,
                iterations=mode.iterations,
                activation=activation,
            )
            yield train(("activations",), **base, recipe="joint", seed=seed, activation=activation)
        for k_shift in SHIFT_FEATURES:
            for phase in ("uniform", "none"):
                yield Cell("shift", {"set": a_set.name, "k": k_shift, "phase": phase, "seed": seed}, ("phases",), 2.0)


def costs(mode):
    for d in mode.cost_sizes:
        for k in (d // 4, d, 2 * d):
            for projection in ("dense", "circulant"):
                params = {"d": d, "k": k, "projection": projection, "rows": 4352, "repeats": 3}
                yield Cell("cost", params, ("cost",), 1 + 4352 * 2.0 * d * k * 3 / 6e10, 1.0 + 1e-9 * 8 * d * k)


def merge(cells):
    """One cell for equal trainings, with the figures of all and everything that any of them measures."""
    merged = {}
    for cell in cells:
        params = {name: value for name, value in cell.params.items() if name != "measure"}
        text = repr((cell.kind, sorted(params.items(), key=str)))
        twin = merged.get(text)
        if twin is not None:
            measures = sorted({*cell.params.get("measure", []), *twin.params.get("measure", [])})
            cell = replace(
                cell,
                figures=tuple(sorted({*cell.figures, *twin.figures})),
                params={**params, "measure": measures} if measures else params,
                cost=max(cell.cost, twin.cost),
                memory=max(cell.memory, twin.memory),
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


def keyed(cells, data, command):
    """The cells with what else identifies them: checksums of their set's files and of the command, how rows are cut."""
    sums = {s.name: {f: digest(f"{data}/{f}") for f in s.files()} for s in SETS}
    protocol = {s.name: repr((s.train, s.test, s.scale)) for s in SETS}
    return [
        replace(
            c,
            parts={
                "command": command,
                "files": sums.get(c.params.get("set"), {}),
                "protocol": protocol.get(c.params.get("set"), ""),
            },
        )
        for c in cells
    ]


FIGURES = ("figure1", "figure2", "figure3", "table2", "growth", "penalties", "activations", "phases", "cost")


def only(cells, name):
    """The cells of one figure or one set."""
    return [c for c in cells if name in c.figures or c.params.get("set") == name]
