"""Measures reading of LIBSVM and CSV text against load_svmlight_file and pandas.read_csv.

usage: readers.py [--quick] LIBRARY [DATA]

LIBRARY is the shared library, libcnm.so. DATA is a folder with covtype/covtype.data.gz and
ijcnn1/ijcnn1.t.gz, which are read too if present. In this one process, first every value and label
is compared with the peer's, then both are timed, best of five (three for a peer that takes
seconds), each from the file's path to rows in memory, the file in the system's cache. pandas reads
large files with its own threads (since version 3); it is measured so and also on one processor,
which gives its C parser alone. A copy of a large array, measured in the same run, is the limit of
the memory. `cores` is processor time over wall-clock time: less than the number of threads means
that other programs used the rest; `a core` is per second of processor time. Lines "@ NAME VALUE",
in bytes a second, are for suite.py.

Needs NumPy, SciPy, scikit-learn and pandas.
"""

import ctypes
import gzip
import os
import sys
import tempfile
import time

try:
    import numpy as np
    import pandas
    from sklearn.datasets import load_svmlight_file
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)


class Library:
    """The functions of cnm.h that are used here."""

    def __init__(self, path):
        self.calls = ctypes.CDLL(os.path.abspath(path))
        for name in ("cnm_data_rows", "cnm_data_columns", "cnm_data_label"):
            getattr(self.calls, name).restype = ctypes.c_size_t
        self.calls.cnm_error_create.restype = ctypes.c_void_p
        self.calls.cnm_error_message.restype = ctypes.c_char_p
        self.error = ctypes.c_void_p(self.calls.cnm_error_create())

    def check(self, status):
        if status != 0:
            raise RuntimeError(self.calls.cnm_error_message(self.error).decode())

    def load(self, path, threads, settings):
        """Returns rows as the library has them; to be given to release."""
        options, data = ctypes.c_void_p(), ctypes.c_void_p()
        self.check(self.calls.cnm_options_create(ctypes.byref(options), self.error))
        for name, value in [*settings, ("threads", str(threads))]:
            self.check(self.calls.cnm_options_set(options, name.encode(), value.encode(), self.error))
        self.check(self.calls.cnm_data_load(ctypes.byref(data), path.encode(), options, None, None, self.error))
        self.calls.cnm_options_destroy(options)
        return data

    def release(self, data):
        self.calls.cnm_data_destroy(data)

    def arrays(self, data):
        """Returns rows as one float32 array, and labels as numbers."""
        count, columns = self.calls.cnm_data_rows(data), self.calls.cnm_data_columns(data)
        rows, labels = np.empty((count, columns), np.float32), np.empty(count)
        text = ctypes.create_string_buffer(64)
        first, stride = rows.ctypes.data, rows.strides[0]
        for i in range(count):
            self.calls.cnm_data_row(data, ctypes.c_size_t(i), ctypes.c_void_p(first + i * stride), None)
            self.calls.cnm_data_label(data, ctypes.c_size_t(i), text, ctypes.c_size_t(len(text)))
            labels[i] = float(text.value)
        return rows, labels


def sparse_peer(path):
    return load_svmlight_file(path)


def sparse_arrays(read):
    return read[0].toarray(), read[1]


def table_peer(path):
    return pandas.read_csv(path, header=None, engine="c")


def table_arrays(read):
    cells = read.to_numpy()
    return cells[:, :-1], cells[:, -1]


def on_one_core(action):
    """Runs an action on one processor, so that it starts no threads; returns its result."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        return action()
    finally:
        os.sched_setaffinity(0, allowed)


LIBSVM = ("load_svmlight_file", sparse_peer, sparse_arrays, [("format", "libsvm")])
CSV = ("pandas.read_csv", table_peer, table_arrays, [("format", "csv"), ("label-column", "last")])


def write_sparse(path, rows):
    """Writes 150 of 784 cells a row, as in handwritten digits, from 0 to 1 with six digits."""
    random = np.random.default_rng(1)
    with open(path, "w", encoding="ascii") as file:
        for _ in range(rows):
            columns = np.sort(random.permutation(784)[:150]) + 1
            pairs = " ".join(f"{j}:{x:.6f}" for j, x in zip(columns.tolist(), random.random(150).tolist()))
            file.write(f"{random.integers(10)} {pairs}\n")


def write_mixed(path, rows):
    """Writes 54 columns, integers and decimals with four digits in turn, and the label."""
    random = np.random.default_rng(2)
    with open(path, "w", encoding="ascii") as file:
        for i in range(rows):
            whole, decimal = random.integers(-500, 10000, 27).tolist(), random.normal(0, 30, 27).tolist()
            cells = ",".join(f"{a},{b:.4f}" for a, b in zip(whole, decimal))
            file.write(f"{cells},{i % 7}\n")


def unpacked(path, folder):
    target = os.path.join(folder, os.path.basename(path)[: -len(".gz")])
    with gzip.open(path) as packed, open(target, "wb") as file:
        file.write(packed.read())
    return target


def cases(folder, quick, data):
    """Returns (name, path, bytes of text, peer) of each file."""
    sparse, mixed = os.path.join(folder, "sparse.svm"), os.path.join(folder, "mixed.csv")
    write_sparse(sparse, 3000 if quick else 60000)
    write_mixed(mixed, 10000 if quick else 300000)
    found = [("LIBSVM, 150 of 784 cells", sparse, LIBSVM), ("CSV, 54 columns", mixed, CSV)]
    for name, peer in (("ijcnn1/ijcnn1.t.gz", LIBSVM), ("covtype/covtype.data.gz", CSV)):
        path = os.path.join(data, name) if data is not None else ""
        if os.path.exists(path) and not quick:
            found.append((name.split("/", maxsplit=1)[0], unpacked(path, folder), peer))
            found.append((name.split("/")[1], path, peer))
    sizes = {path: os.path.getsize(path) for _, path, _ in found}
    for _, path, _ in found:
        if path.endswith(".gz"):
            sizes[path] = sizes[os.path.join(folder, os.path.basename(path)[: -len(".gz")])]
    return [(name, path, sizes[path], peer) for name, path, peer in found]


def best(action, tries):
    """Returns the shortest time, and the processor time of that run divided by it."""
    shortest, cores = float("inf"), 0
    for _ in range(tries):
        start, before = time.perf_counter(), time.process_time()
        action()
        taken = time.perf_counter() - start
        if taken < shortest:
            shortest, cores = taken, (time.process_time() - before) / taken
    return shortest, cores


def copy_speed():
    """Returns bytes read and written a second by one thread that copies 256 MB."""
    source = np.ones(32 << 20)
    target = np.empty_like(source)
    return 2 * source.nbytes / best(lambda: np.copyto(target, source), 7)[0]


def difference(library, path, peer):
    """Returns None if values and labels are the peer's, rounded to float32; else a sentence."""
    _, read, arrays, settings = peer
    want_rows, want_labels = arrays(read(path))
    for threads in (1, 2):
        data = library.load(path, threads, settings)
        rows, labels = library.arrays(data)
        library.release(data)
        if rows.shape != want_rows.shape:
            return f"{threads} threads: shape {rows.shape}, expected {want_rows.shape}"
        if not np.array_equal(rows, want_rows.astype(np.float32)):
            return f"{threads} threads: {np.sum(rows != want_rows.astype(np.float32))} values differ"
        if not np.array_equal(labels, want_labels):
            return f"{threads} threads: {np.sum(labels != want_labels)} labels differ"
    return None


def line(name, size, timed):
    taken, cores = timed
    speed = size / taken / 1e6
    return f"    {name:20} {speed:7.1f} MB/s  {cores:4.2f} cores  {speed / cores:6.1f} MB/s a core"


KEYS = {"LIBSVM, 150 of 784 cells": "libsvm", "CSV, 54 columns": "csv", "ijcnn1": "ijcnn1", "covtype": "covtype"}


def measure_peer(read, path):
    first = best(lambda: read(path), 1)
    return min(first, best(lambda: read(path), 4 if first[0] < 2 else 2))


def measure(library, path, size, peer, memory, key):
    """Returns the lines of one file."""
    name, read, _, settings = peer
    theirs = measure_peer(read, path)
    lines = [line(name, size, theirs)]
    if key:
        lines.append(f"@ {key}_peer {size / theirs[0]:.6g}")
    if peer is CSV:
        alone = on_one_core(lambda: measure_peer(read, path))
        lines.append(line("pandas, one core", size, alone))
        if key:
            lines.append(f"@ {key}_peer_core {size / alone[0]:.6g}")
    for threads in (1, 2):
        own = best(lambda t=threads: library.release(library.load(path, t, settings)), 5)
        words = f"cnm, {threads} thread{'s' if threads > 1 else ''}"
        times, core_times = theirs[0] / own[0], theirs[0] * theirs[1] / (own[0] * own[1])
        share = 100 * size / own[0] / memory
        lines.append(f"{line(words, size, own)}  {times:5.1f} times, {core_times:5.1f} a core; {share:.1f} % of memory")
        if key:
            lines.append(f"@ {key}_ours_{threads} {size / own[0]:.6g}")
    return lines


def main():
    words = [word for word in sys.argv[1:] if word != "--quick"]
    if not 1 <= len(words) <= 2:
        print(__doc__, file=sys.stderr)
        return 2
    library, quick = Library(words[0]), "--quick" in sys.argv[1:]
    memory = copy_speed()
    print(f"pandas {pandas.__version__}, {len(os.sched_getaffinity(0))} processors", flush=True)
    print(f"copying in memory: {memory / 1e9:.1f} GB/s\n@ memory {memory:.6g}", flush=True)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, path, size, peer in cases(folder, quick, words[1] if len(words) > 1 else None):
            problem = difference(library, path, peer)
            print(f"{name}, {size / 1e6:.1f} MB of text: {problem or 'same values and labels'}", flush=True)
            failed += problem is not None
            if problem is None:
                print("\n".join(measure(library, path, size, peer, memory, KEYS.get(name))), flush=True)
    if failed:
        print(f"FAILED: {failed} files are read differently")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
