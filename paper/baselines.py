"""The real baselines: LIBSVM for the RBF machine, LIBLINEAR for the linear one, C by their own cross-validation.

Columns are divided as cnm's --scale does, but not centred: a Gaussian kernel does not see the difference, the zeros
stay zeros and LIBSVM's sparse rows stay short. LIBLINEAR gets a bias column (-B 1). Where a set has more rows than
the stated limits, the first rows are taken; every set's file is in random order, except IJCNN's, whose order is time.
"""

import re

import numpy as np

from .programs import run
from .sets import BY_NAME, load, scaled


def write_rows(tools, a_set, part, limit, target):
    """The first LIMIT rows as LIBSVM text; returns how many there are."""
    rows, labels = load(tools.prepared, a_set, part)
    rows, labels = np.asarray(rows[:limit]), labels[:limit]
    array, labels_file = target.with_suffix(".npy"), target.with_suffix(".labels.npy")
    np.save(array, (rows / scaled(tools.prepared, a_set)).astype(np.float32))
    np.save(labels_file, labels)
    tools.command(
        ["convert", "-q", "--label-column", "none", "--labels", labels_file, array, "-o", target, "--to", "libsvm"]
    )
    array.unlink()
    labels_file.unlink()
    return len(rows)


def cross_validate(command):
    """(percent, processor seconds) of LIBSVM's or LIBLINEAR's -v."""
    out, seconds, _ = run(command)
    return float(re.search(r"Cross Validation Accuracy = ([0-9.]+)%", out).group(1)), seconds


def predict(program, rows, model, target):
    out, seconds, _ = run([program, rows, model, target])
    return float(re.search(r"Accuracy = ([0-9.]+)%", out).group(1)), seconds


def neighbour_gamma(tools, a_set, folder):
    """gamma of `--gamma knn`, asked from cnm itself."""
    stem = tools.prepared / a_set.name / "train"
    arguments = ["-m", "rff", "-k", "1", "--gamma", "knn", "--scale", a_set.scale, "--epochs", "1"]
    tools.train([*arguments, "--labels", f"{stem}-labels.npy", f"{stem}.npy"], folder / "gamma.cnm")
    return float(tools.inspect(folder / "gamma.cnm")["gamma"])


def choose(candidates, score):
    """The best candidate, the first of equals, and the processor seconds that the search took."""
    best, best_percent, spent = None, -1.0, 0.0
    for candidate in candidates:
        percent, seconds = score(candidate)
        spent += seconds
        if percent > best_percent:
            best, best_percent = candidate, percent
    return best, best_percent, spent


def rbf(tools, params):
    """An RBF machine: gamma by a rule (knn, paper = 4 knn, or tuned over multiples of knn), C by cross-validation."""
    a_set = BY_NAME[params["set"]]
    with tools.folder() as folder:
        knn = neighbour_gamma(tools, a_set, folder)
        multiples = {"knn": [1.0], "paper": [4.0], "tuned": params.get("multiples")}[params["gamma"]]
        cv_rows = write_rows(tools, a_set, "train", params["cv_rows"], folder / "cv.libsvm")
        rows = write_rows(tools, a_set, "train", params["train_rows"], folder / "train.libsvm")
        tested = write_rows(tools, a_set, "test", params["test_rows"], folder / "test.libsvm")
        grid = [(multiple, c) for multiple in multiples for c in params["costs"]]

        def score(candidate):
            multiple, c = candidate
            return cross_validate(
                [
                    "svm-train",
                    "-q",
                    "-m",
                    400,
                    "-h",
                    0,
                    "-v",
                    params["folds"],
                    "-g",
                    multiple * knn,
                    "-c",
                    c,
                    folder / "cv.libsvm",
                ]
            )

        (multiple, c), cv_percent, search = choose(grid, score)
        model = folder / "model"
        _, seconds, _ = run(
            ["svm-train", "-q", "-m", 400, "-h", 0, "-g", multiple * knn, "-c", c, folder / "train.libsvm", model]
        )
        accuracy, predicting = predict("svm-predict", folder / "test.libsvm", model, folder / "out")
        vectors = int(re.search(r"^total_sv (\d+)", model.read_text(), re.M).group(1))
        outputs = max(a_set.classes - 1, 1)
    return {
        "accuracy": accuracy,
        "gamma": multiple * knn,
        "gamma_over_knn": multiple,
        "cost": c,
        "cv_accuracy": cv_percent,
        "cv_rows": cv_rows,
        "train_rows": rows,
        "test_rows": tested,
        "support_vectors": vectors,
        "bytes": 4 * vectors * (a_set.columns + outputs),
        "search_seconds": search,
        "train_seconds": seconds,
        "predict_seconds": predicting,
    }


def linear(tools, params):
    """A linear machine (L2-regularised L2-loss, LIBLINEAR's default dual or primal by rows), C by cross-validation."""
    a_set = BY_NAME[params["set"]]
    solver = 2 if a_set.columns < 2000 else 1  # primal: rows outnumber columns in all eight sets
    with tools.folder() as folder:
        cv_rows = write_rows(tools, a_set, "train", params["cv_rows"], folder / "cv.libsvm")
        rows = write_rows(tools, a_set, "train", params["train_rows"], folder / "train.libsvm")
        tested = write_rows(tools, a_set, "test", params["test_rows"], folder / "test.libsvm")

        def score(c):
            return cross_validate(
                ["liblinear-train", "-q", "-s", solver, "-B", 1, "-v", params["folds"], "-c", c, folder / "cv.libsvm"]
            )

        c, cv_percent, search = choose(params["costs"], score)
        model = folder / "model"
        _, seconds, _ = run(["liblinear-train", "-q", "-s", solver, "-B", 1, "-c", c, folder / "train.libsvm", model])
        accuracy, predicting = predict("liblinear-predict", folder / "test.libsvm", model, folder / "out")
    outputs = a_set.classes if a_set.classes > 2 else 1
    return {
        "accuracy": accuracy,
        "cost": c,
        "cv_accuracy": cv_percent,
        "cv_rows": cv_rows,
        "train_rows": rows,
        "test_rows": tested,
        "bytes": 4 * outputs * (a_set.columns + 1),
        "search_seconds": search,
        "train_seconds": seconds,
        "predict_seconds": predicting,
    }
