"""Compares RandomFourierMap with RBFSampler: time, kernel error and accuracy.

    python random_maps.py [--quick] [--data DATA] > results

Times are the best of several, taken in turn in one process: fit, and fit with transform, of float32
rows. One thread is timed by its processor time, two by the clock. Before that the kernel error is
measured: the root of the mean square of Z(x)ᵀZ(y) − K(x, y) over pairs of rows, means over seeds.
With DATA, the folder of the public data sets, also the accuracy of LinearSVC on the features, with
the gamma that is best for RBFSampler on validation rows. rbf_sampler.py compares CNMClassifier.
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
from rbf_sampler import SETS, best_gamma, scaler
from sklearn.kernel_approximation import RBFSampler
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from cnm import RandomFourierMap

KINDS = {"RBFSampler": RBFSampler, "RandomFourierMap": RandomFourierMap}


def normal_rows(rows, columns):
    return np.random.RandomState(0).normal(size=(rows, columns)).astype(np.float32)


def kernel_error(kind, columns, features, seeds):
    """Returns the root mean square error of the kernel, with gamma for K(x, y) of about 1/e."""
    X = normal_rows(400, columns)
    gamma = 1 / (2 * columns)
    K = np.exp(-gamma * ((X[:, None].astype(float) - X[None]) ** 2).sum(axis=2))
    maps = (kind(gamma=gamma, n_components=features, random_state=seed) for seed in range(seeds))
    errors = [np.mean((Z @ Z.T - K) ** 2) for Z in (a_map.fit_transform(X) for a_map in maps)]
    return np.sqrt(np.mean(errors))


def best(clock, times, *functions):
    """Returns the least milliseconds of each function, called in turn."""
    found = [[] for _ in functions]
    for _ in range(times):
        for function, own in zip(functions, found, strict=True):
            start = clock()
            function()
            own.append(clock() - start)
    return [1e3 * min(own) for own in found]


def time_maps(rows, columns, features, threads):
    X = normal_rows(rows, columns)
    clock = time.process_time if threads == 1 else time.perf_counter
    theirs = RBFSampler(gamma=1 / columns, n_components=features, random_state=0)
    ours = RandomFourierMap(gamma=1 / columns, n_components=features, random_state=0, n_jobs=threads)
    actions = [lambda m=m: m.fit(X) for m in (theirs, ours)] + [
        lambda m=m: m.fit(X).transform(X) for m in (theirs, ours)
    ]
    with threadpool_limits(threads):
        fit, own_fit, both, own_both = best(clock, max(3, 30000 // rows), *actions)
    print(
        f"{threads} thread{'s' if threads > 1 else ' '} {columns:4} columns {features:5} features {rows:6} rows"
        f"  fit {fit:7.2f} {own_fit:7.2f} ms  fit, transform {both:8.2f} {own_both:8.2f} ms  {own_both / both:5.2f}",
        flush=True,
    )


def accuracy(name, data, seeds):
    X, y, Xt, yt = SETS[name](data)
    gamma = best_gamma(X, y)
    for what, kind in KINDS.items():
        scores = []
        for seed in range(seeds):
            a_map = kind(gamma=gamma, n_components=256, random_state=seed)
            model = make_pipeline(scaler(X), a_map, LinearSVC(random_state=seed))
            scores.append(100 * model.fit(X, y).score(Xt, yt))
        print(f"{name:8} {what:16} {np.mean(scores):6.2f} % ± {np.std(scores) / np.sqrt(seeds):.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few rows, one thread")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--sets", default="usps,letter,magic04,ijcnn1")
    parser.add_argument("--seeds", type=int, default=5)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    for columns in (20, 256):
        for features in (64, 256, 1024):
            theirs, ours = (kernel_error(kind, columns, features, 10) for kind in KINDS.values())
            assert ours < np.sqrt(1.5 / features), "this is not the kernel"
            print(f"{columns:4} columns {features:5} features  kernel error {theirs:.4f} {ours:.4f}", flush=True)
    for threads in (1,) if arguments.quick else (1, 2):
        for columns in (20, 256, 784):
            for features in (256, 1024):
                for rows in (1000,) if arguments.quick else (1000, 10000, 50000):
                    time_maps(rows, columns, features, threads)
    for name in arguments.sets.split(",") if arguments.data else []:
        accuracy(name, arguments.data, arguments.seeds)


if __name__ == "__main__":
    main()
