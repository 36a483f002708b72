"""Measures rows a second of scikit-learn's RBFSampler in float32: the peer of maps.c.

usage: sampler.py COLUMNS FEATURES ROWS SECONDS

The BLAS is that of this Python's NumPy; threads and core type are set by OMP_NUM_THREADS and
OPENBLAS_CORETYPE. Prints "@ rows VALUE", the best of many rounds. Checked first: products of
features approximate the kernel.
"""

import sys
import time

import numpy as np
from sklearn.kernel_approximation import RBFSampler


def main():
    columns, features, rows, seconds = (int(word) for word in sys.argv[1:])
    random = np.random.default_rng(1)
    x = random.random((rows, columns)).astype(np.float32)
    gamma = 3.0 / columns
    sampler = RBFSampler(gamma=gamma, n_components=features, random_state=1).fit(x)
    # fit draws in double: unless its arrays are rounded, products with float32 are in double too
    sampler.random_weights_ = sampler.random_weights_.astype(np.float32)
    sampler.random_offset_ = sampler.random_offset_.astype(np.float32)
    z = sampler.transform(x)
    if z.dtype != np.float32:
        sys.exit(f"the peer computes in {z.dtype}")
    kernel = np.exp(-gamma * np.sum((x[1:] - x[:-1]) ** 2, axis=1))
    if np.mean((np.sum(z[1:] * z[:-1], axis=1) - kernel) ** 2) > 2 / features:
        sys.exit("the peer's features do not approximate the kernel")
    best, end = 0.0, time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        sampler.transform(x)
        best = max(best, rows / (time.perf_counter() - start))
    print(f"@ rows {best:.6g}")


main()
