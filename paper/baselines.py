"""Baselines: LIBSVM for the RBF SVM, LIBLINEAR for the linear SVM, C by their cross-validation.

Columns are divided as cnm's --scale does, but not centred: centring does not change a Gaussian
kernel, and zeros stay zeros, so that LIBSVM's sparse rows stay short. LIBLINEAR gets a bias column
(-B 1). Where a set has more rows than the stated limits, evenly spaced rows are taken: some files
have an order (IJCNN's is time, and the first half of MNIST's test rows is the easier one).
"""

import re

import numpy as np

from .programs import run
from .sets import BY_NAME, load, scaled


def even_rows(count, limit):
    """Returns at most LIMIT of COUNT row indices, evenly spaced."""
    return np.arange(count) if count <= limit else np.arange(limit) * count // limit


def write_rows(tools, a_set, part, limit, target):
    """Writes at most LIMIT rows, evenly spaced, as LIBSVM text; returns their number."""
    rows, labels = load(tools.prepared, a_set, part)
    chosen = even_rows(len(rows), limit)
    rows, labels = np.asarray(rows[chosen]), labels[chosen]
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
    """Returns (percent, processor seconds) of LIBSVM's or LIBLINEAR's -v."""
    out, seconds, _ = run(command)
    return float(re.search(r"Cross Validation Accuracy = ([0-9.]+)%", out).group(1)), seconds


def predict(program, rows, model, target):
    out, seconds, _ = run([program, rows, model, target])
    return float(re.search(r"Accuracy = ([0-9.]+)%", out).group(1)), seconds


def neighbour_gamma(tools, a_set, folder):
    """Returns the gamma that cnm computes for `--gamma knn`."""
    stem = tools.prepared / a_set.name / "train"
    arguments = ["-m", "rff", "-k", "1", "--gamma", "knn", "--scale", a_set.scale, "--epochs", "1"]
    tools.train([*arguments, "--labels", f"{stem}-labels.npy", f"{stem}.npy"], folder / "gamma.cnm")
    return float(tools.inspect(folder / "gamma.cnm")["gamma"])


def search(candidates, score):
    """Returns ({candidate: percent}, processor seconds) of cross-validations."""
    scored = {candidate: score(candidate) for candidate in candidates}
    return {c: percent for c, (percent, _) in scored.items()}, sum(seconds for _, seconds in scored.values())


def best(percents):
    """Returns the candidate with the highest percent, the first of equals."""
    return max(percents, key=percents.get)


def libsvm(tools, params):
    """Measures RBF SVMs by three rules for gamma (knn, paper = 4 knn, tuned: the best of the
    multiples of knn), each with the best C; all by one cross-validation over the grid."""
    a_set = BY_NAME[params["set"]]
    with tools.folder() as folder:
        knn = neighbour_gamma(tools, a_set, folder)
        counts = {
            name: write_rows(tools, a_set, part, params[name], folder / f"{name}.libsvm")
            for name, part in (("cv_rows", "train"), ("train_rows", "train"), ("test_rows", "test"))
        }

        def options(candidate):
            return ["svm-train", "-q", "-m", 2000, "-h", 0, "-g", candidate[0] * knn, "-c", candidate[1]]

        def score(candidate):
            return cross_validate([*options(candidate), "-v", params["folds"], folder / "cv_rows.libsvm"])

        grid = [(multiple, c) for multiple in params["multiples"] for c in params["costs"]]
        percents, seconds = search(grid, score)
        fitted, rules = {}, {}
        for rule, multiples in (("knn", [1.0]), ("paper", [4.0]), ("tuned", params["multiples"])):
            chosen = best({c: percent for c, percent in percents.items() if c[0] in multiples})
            if chosen not in fitted:
                fitted[chosen] = fit(options(chosen), folder, a_set)
            choice = {"gamma": chosen[0] * knn, "gamma_over_knn": chosen[0], "cost": chosen[1]}
            rules[rule] = {**choice, "cv_accuracy": percents[chosen], **fitted[chosen]}
    return {"rules": rules, **counts, "search_seconds": seconds}


def fit(command, folder, a_set):
    """Trains an SVM by COMMAND and measures it on the test rows."""
    model = folder / "model"
    _, seconds, _ = run([*command, folder / "train_rows.libsvm", model])
    accuracy, predicting = predict("svm-predict", folder / "test_rows.libsvm", model, folder / "out")
    with open(model) as file:
        vectors = next(int(line.split()[1]) for line in file if line.startswith("total_sv "))
    return {
        "accuracy": accuracy,
        "support_vectors": vectors,
        "bytes": 4 * vectors * (a_set.columns + max(a_set.classes - 1, 1)),
        "train_seconds": seconds,
        "predict_seconds": predicting,
    }


def liblinear(tools, params):
    """Measures a linear SVM (L2-regularised L2-loss, primal: rows outnumber columns in all eight
    sets) on all rows, C by cross-validation on four times LIBSVM's rows."""
    a_set = BY_NAME[params["set"]]
    everything = max(a_set.rows)
    with tools.folder() as folder:
        cv_rows = write_rows(tools, a_set, "train", 4 * params["cv_rows"], folder / "cv.libsvm")
        rows = write_rows(tools, a_set, "train", everything, folder / "train.libsvm")
        tested = write_rows(tools, a_set, "test", everything, folder / "test.libsvm")

        def options(c):
            return ["liblinear-train", "-q", "-s", 2, "-B", 1, "-c", c]

        percents, spent = search(
            params["costs"], lambda c: cross_validate([*options(c), "-v", params["folds"], folder / "cv.libsvm"])
        )
        chosen, model = best(percents), folder / "model"
        _, seconds, _ = run([*options(chosen), folder / "train.libsvm", model])
        accuracy, predicting = predict("liblinear-predict", folder / "test.libsvm", model, folder / "out")
    outputs = a_set.classes if a_set.classes > 2 else 1
    return {
        "accuracy": accuracy,
        "cost": chosen,
        "cv_accuracy": percents[chosen],
        "cv_rows": cv_rows,
        "train_rows": rows,
        "test_rows": tested,
        "bytes": 4 * outputs * (a_set.columns + 1),
        "search_seconds": spent,
        "train_seconds": seconds,
        "predict_seconds": predicting,
    }
