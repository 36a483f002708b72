"""Measurements: accuracy and kernel error of a model, growth of theta, translation, cost of maps.

Models come from the command; the exact kernel and the ridge head are NumPy.
"""

import numpy as np

from . import baselines
from .programs import tensor
from .sets import BY_NAME, load, scaled

PAIR_ROWS = 2000  # held-out rows whose pairs make a kernel error: 2000 * 1999 ordered pairs


METHODS = {"kernel": "kernel-approximation"}  # curves whose method has another name in the command


def options_of(params):
    """Returns cnm's options for the parameters of a cell."""
    options = [
        "-m",
        METHODS.get(params["method"], params["method"]),
        "--seed",
        params["seed"],
        "--scale",
        BY_NAME[params["set"]].scale,
    ]
    for name, option in (
        ("k", "-k"),
        ("gamma", "--gamma"),
        ("recipe", "--recipe"),
        ("effort", "--effort"),
        ("projection", "-p"),
        ("phase", "--phase"),
        ("activation", "--activation"),
        ("iterations", "--iterations"),
        ("map_steps", "--map-steps"),
        ("head_steps", "--head-steps"),
        ("penalty", "--theta-penalty"),
        ("validation", "--validation"),
    ):
        if name in params:
            options += [option, params[name]]
    return options


def exact_kernel(rows, gamma):
    """Returns exp(-gamma |x - y|^2), (n, n), in float64."""
    rows = np.asarray(rows, dtype=np.float64)
    squares = np.einsum("ij,ij->i", rows, rows)
    distances = squares[:, None] + squares[None, :] - 2.0 * rows @ rows.T
    return np.exp(-gamma * np.maximum(distances, 0.0))


def mean_square_off_diagonal(matrix):
    n = len(matrix)
    return float((np.sum(matrix**2) - np.sum(np.diagonal(matrix) ** 2)) / (n * (n - 1)))


def kernel_error(tools, a_set, model, gamma, folder):
    """Returns (error of the map, error of the best constant) over all pairs of PAIR_ROWS test rows,
    the diagonal left out."""
    rows = np.asarray(load(tools.prepared, a_set, "test")[0][:PAIR_ROWS])
    np.save(folder / "pairs.npy", rows)
    features = tools.transform(model, folder / "pairs.npy", folder / "features.npy").astype(np.float64)
    kernel = exact_kernel(rows / scaled(tools.prepared, a_set), gamma)
    n = len(kernel)
    mean = (kernel.sum() - np.trace(kernel)) / (n * (n - 1))
    return mean_square_off_diagonal(kernel - features @ features.T), mean_square_off_diagonal(kernel - mean)


def ridge_accuracy(tools, a_set, model, folder):
    """Returns the test accuracy of an exact head on the model's features: least squares on +-1
    targets, one against all, with an intercept; the penalty is the best of five on the last
    fifth of the training rows, then all rows are used."""
    stem = tools.prepared / a_set.name
    train = tools.transform(model, stem / "train.npy", folder / "train.npy")
    test = tools.transform(model, stem / "test.npy", folder / "test.npy")
    labels, test_labels = (load(tools.prepared, a_set, part)[1] for part in ("train", "test"))
    classes = np.unique(labels)
    targets = np.where(labels[:, None] == classes[None, :], 1.0, -1.0).astype(np.float32)
    validation = len(train) // 5

    def moments(rows, values):
        rows = np.hstack([rows, np.ones((len(rows), 1), dtype=np.float32)])
        return (rows.T @ rows).astype(np.float64), (rows.T @ values).astype(np.float64)

    def solve(gram, right, penalty):
        return np.linalg.solve(gram + penalty * np.eye(len(gram)), right)

    def percent(head, rows, truth):
        scores = rows @ head[:-1].astype(np.float32) + head[-1]
        return 100.0 * float(np.mean(classes[np.argmax(scores, axis=1)] == truth))

    gram, right = moments(train[:-validation], targets[:-validation])
    validation_gram, validation_right = moments(train[-validation:], targets[-validation:])
    penalties = [len(train) * p for p in (1e-7, 1e-6, 1e-5, 1e-4, 1e-3)]
    best = max(penalties, key=lambda p: percent(solve(gram, right, p), train[-validation:], labels[-validation:]))
    return percent(solve(gram + validation_gram, right + validation_right, best), test, test_labels)


def train(tools, params):
    """Trains a model; returns accuracies, bytes, processor seconds, and what `measure` lists."""
    a_set = BY_NAME[params["set"]]
    stem = tools.prepared / a_set.name
    with tools.folder() as folder:
        model = folder / "model.cnm"
        arguments = [*options_of(params), "--labels", stem / "train-labels.npy", stem / "train.npy"]
        summary, seconds = tools.train(arguments, model)
        facts = tools.inspect(model)
        results = {
            "accuracy": tools.accuracy(model, stem / "test.npy", stem / "test-labels.npy"),
            "bytes": model.stat().st_size,
            "parameters": int(facts["parameters"]),
            "seconds": seconds,
        }
        if "training-accuracy" in summary:
            results["training_accuracy"] = 100.0 * summary["training-accuracy"]
        if "gamma" in facts:
            results["gamma"] = float(facts["gamma"])
        measures = params.get("measure", [])
        if "kernel" in measures:
            results["kernel_error"], results["constant_error"] = kernel_error(
                tools, a_set, model, results["gamma"], folder
            )
        if "ridge" in measures:
            results["ridge_accuracy"] = ridge_accuracy(tools, a_set, model, folder)
        if "theta" in measures:
            results["theta_norm"] = float(np.linalg.norm(tensor(model, "theta").astype(np.float64)))
    return results


def translation(tools, params):
    """Measures the mean squared change of Z(x).Z(y) when both rows are translated by one random
    vector, and the map's kernel error. Both go to zero as k grows only where the map is
    shift-invariant on average."""
    a_set = BY_NAME[params["set"]]
    stem = tools.prepared / a_set.name
    random = np.random.default_rng(params["seed"])
    with tools.folder() as folder:
        model = folder / "model.cnm"
        arguments = [
            "-m",
            "rff",
            "--task",
            "map",
            "-k",
            params["k"],
            "--gamma",
            "knn",
            "--phase",
            params["phase"],
            "--seed",
            params["seed"],
            "--scale",
            a_set.scale,
            "--label-column",
            "none",
            stem / "train.npy",
        ]
        tools.train(arguments, model)
        gamma = float(tools.inspect(model)["gamma"])
        error, constant = kernel_error(tools, a_set, model, gamma, folder)
        divisors = scaled(tools.prepared, a_set)
        rows = np.asarray(load(tools.prepared, a_set, "test")[0][:PAIR_ROWS], dtype=np.float64)
        here = tools.transform(model, folder / "pairs.npy", folder / "z.npy").astype(np.float64)
        # One vector for all rows, of length 1/sqrt(gamma) in scaled columns: the distance over
        # which the kernel falls to 1/e.
        move = random.standard_normal(rows.shape[1])
        move *= np.where(np.isfinite(divisors), divisors, 0.0) / (np.linalg.norm(move) * np.sqrt(gamma))
        np.save(folder / "moved.npy", (rows + move).astype(np.float32))
        there = tools.transform(model, folder / "moved.npy", folder / "z.npy").astype(np.float64)
        return {
            "shift_variance": mean_square_off_diagonal(here @ here.T - there @ there.T),
            "kernel_error": error,
            "constant_error": constant,
        }


def cost(tools, params):
    """Measures bytes of a map and processor microseconds to map one row of d random values. The
    time of a small file is subtracted: start and loading the model do not count, reading and
    writing rows do."""
    d, k, many, few = params["d"], params["k"], params["rows"], 256
    random = np.random.default_rng(1)
    with tools.folder() as folder:
        rows = random.standard_normal((many, d), dtype=np.float32)
        np.save(folder / "many.npy", rows)
        np.save(folder / "few.npy", rows[:few])
        model = folder / "map.cnm"
        tools.train(
            [
                "-m",
                "rff",
                "--task",
                "map",
                "-k",
                k,
                "-p",
                params["projection"],
                "--gamma",
                1.0 / d,
                "--scale",
                "none",
                "--label-column",
                "none",
                folder / "few.npy",
            ],
            model,
        )

        def seconds(name):
            line = [
                "transform",
                "-q",
                "--threads",
                "1",
                "--label-column",
                "none",
                model,
                folder / name,
                "-o",
                folder / "z.npy",
            ]
            return min(tools.command(line)[1] for _ in range(params["repeats"]))

        spent = seconds("many.npy") - seconds("few.npy")
        return {"bytes": model.stat().st_size, "microseconds": 1e6 * spent / (many - few)}


KINDS = {
    "train": train,
    "libsvm": baselines.libsvm,
    "liblinear": baselines.liblinear,
    "translation": translation,
    "cost": cost,
}
