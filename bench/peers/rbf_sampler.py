"""Compares CNMClassifier with RBFSampler and LinearSVC of as many features on public data sets.

    python rbf_sampler.py DATA [--sets usps,letter] [--efforts quick,normal] [--jobs N]
        [--seeds N] > results

DATA is the folder of the public data sets ($CNM_DATA). Columns are scaled for RBFSampler (standard,
or one factor for pixels), and its gamma is the best of five around its own "scale" on a validation
fifth of at most 12,000 training rows: that search is not timed. Ours gets unscaled rows and no
gamma. Times are those of fit and predict, wall clock and processor, in turn in one process. One
line a model: means over seeds, as on small sets seeds differ by more than the two methods.
"""

import argparse
import gzip
import os
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_svmlight_file
from sklearn.kernel_approximation import RBFSampler
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import LinearSVC

from cnm import CNMClassifier

FEATURES = 256


def idx(path):
    """Returns the rows of an IDX file of bytes."""
    data = gzip.open(path).read()
    shape = np.frombuffer(data, ">i4", data[3], 4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(shape[0], -1)


def pixels(folder, positive=None):
    parts = []
    for name in ("train", "t10k"):
        parts.append(idx(folder / f"{name}-images-idx3-ubyte.gz"))
        labels = idx(folder / f"{name}-labels-idx1-ubyte.gz")[:, 0]
        parts.append(labels if positive is None else np.isin(labels, positive).astype(int))
    return parts


def table(path, label, cut, positive=None, shuffle=None, **options):
    frame = pd.read_csv(path, header=None, **options)
    labels = frame.pop(frame.columns[label]).to_numpy()
    labels = labels if positive is None else (labels == positive).astype(int)
    rows = frame.to_numpy(np.float32)
    order = np.arange(len(rows)) if shuffle is None else np.random.RandomState(shuffle).permutation(len(rows))
    train, test = order[: cut[0]], order[cut[0] : cut[1]]
    return rows[train], labels[train], rows[test], labels[test]


def usps(data):
    parts = [np.loadtxt(data / f"usps/zip.{name}.gz", dtype=np.float32) for name in ("train", "test")]
    return parts[0][:, 1:], parts[0][:, 0].astype(int), parts[1][:, 1:], parts[1][:, 0].astype(int)


def ijcnn1(data):
    X, y = load_svmlight_file(str(data / "ijcnn1/ijcnn1.gz"), n_features=22, dtype=np.float32)
    Xt, yt = load_svmlight_file(str(data / "ijcnn1/ijcnn1.t.gz"), n_features=22, dtype=np.float32)
    return X.toarray(), y.astype(int), Xt.toarray(), yt.astype(int)


ANIMALS = [2, 3, 4, 5, 6, 7]
SETS = {
    "banana": lambda data: table(data / "banana/banana.dat", -1, (1000, 5300), comment="@"),
    "usps": usps,
    "letter": lambda data: table(data / "letter/letter-recognition.data", 0, (12000, 18000)),
    "magic04": lambda data: table(data / "magic04/magic04.data", -1, (14020, 19020), shuffle=1),
    "ijcnn1": ijcnn1,
    "cifar": lambda data: pixels(data / "cifar10_gray20", ANIMALS),
    "mnist": lambda data: pixels(data / "mnist"),
    "forest": lambda data: table(data / "covtype/covtype.data.gz", -1, (522910, 581012), positive=2),
}


def scaler(X):
    """Returns a scaler: one factor for pixels, else the deviation of each column."""
    if X.dtype == np.uint8:
        return FunctionTransformer(lambda rows: rows.astype(np.float32) / 255)
    return StandardScaler()


def sampler(X, gamma, seed):
    return make_pipeline(
        scaler(X),
        RBFSampler(gamma=gamma, n_components=FEATURES, random_state=seed),
        LinearSVC(random_state=seed),
    )


def best_gamma(X, y):
    """Returns the best of five on a validation fifth of the rows."""
    rows = np.random.RandomState(0).permutation(len(X))[:12000]
    X, y, cut = X[rows], y[rows], len(rows) * 4 // 5
    usual = 1 / (X.shape[1] * np.var(scaler(X).fit_transform(X)))
    scores = {}
    for gamma in usual * np.array([0.1, 0.3, 1, 3, 10]):
        scores[gamma] = sampler(X, gamma, 0).fit(X[:cut], y[:cut]).score(X[cut:], y[cut:])
    return max(scores, key=scores.get)


def measure(name, what, models, X, y, Xt, yt):
    scores = []
    wall, processor = time.perf_counter(), time.process_time()
    for model in models:
        predicted = model.fit(X, y).predict(Xt)
        scores.append(100 * np.mean(predicted == yt))
    wall, processor = (time.perf_counter() - wall) / len(models), (time.process_time() - processor) / len(models)
    spread = f" ± {np.std(scores, ddof=1) / len(scores) ** 0.5:.2f} of {len(scores)} seeds" if len(scores) > 1 else ""
    print(f"{name:8} {what:10} {np.mean(scores):6.2f} % {wall:9.2f} s {processor:9.2f} s processor{spread}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--efforts", default="quick,normal")
    parser.add_argument("--jobs", type=int, default=None)
    parser.add_argument("--seeds", type=int, default=1, choices=range(1, 101), metavar="N")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, {FEATURES} features", file=sys.stderr)
    for name in arguments.sets.split(","):
        X, y, Xt, yt = SETS[name](arguments.data)
        print(
            f"{name}: {X.shape[0]} + {Xt.shape[0]} rows, {X.shape[1]} columns, {len(np.unique(y))} classes",
            file=sys.stderr,
        )
        for effort in filter(None, arguments.efforts.split(",")):
            ours = [
                CNMClassifier(n_components=FEATURES, effort=effort, n_jobs=arguments.jobs, random_state=1 + seed)
                for seed in range(arguments.seeds)
            ]
            measure(name, effort, ours, X, y, Xt, yt)
        gamma = best_gamma(X, y)
        measure(name, "sampler", [sampler(X, gamma, seed) for seed in range(arguments.seeds)], X, y, Xt, yt)


if __name__ == "__main__":
    main()
