#!/usr/bin/env python3
"""The readers of cnm against NumPy's and scikit-learn's on eight public data sets.

    compare_readers.py DIR CNM

DIR holds the sets (usps/, banana/, ...), CNM is the command. Each file goes through `cnm convert`
and must give, value for value and label for label, what the other reader gives, rounded to float32.
Prints one line a set, then a summary; exit status 1 after any difference. Prints "skipped" and exits
with 0 when DIR does not exist. Needs python3-numpy and python3-sklearn.
"""

import csv
import gzip
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from sklearn.datasets import load_svmlight_file
except ImportError as missing:
    np, MISSING = None, missing


def read_first_label(path):
    """Blank-separated numbers, the label first."""
    cells = np.loadtxt(path)
    return cells[:, 1:], cells[:, 0]


def read_last_label(path):
    """Comma-separated numbers, the label last."""
    cells = np.loadtxt(path, delimiter=",")
    return cells[:, :-1], cells[:, -1]


def read_keel(path):
    """KEEL: header lines start with @, blank lines anywhere, the label last."""
    with open(path, encoding="ascii") as lines:
        cells = np.loadtxt((line for line in lines if line.strip() and line[0] != "@"), delimiter=",")
    return cells[:, :-1], cells[:, -1]


def read_word_first(path):
    cells = np.loadtxt(path, delimiter=",", dtype=str)
    return cells[:, 1:].astype(float), cells[:, 0]


def read_word_last(path):
    cells = np.loadtxt(path, delimiter=",", dtype=str)
    return cells[:, :-1].astype(float), cells[:, -1]


def read_idx(path):
    """Images as uint8, one a row."""
    with gzip.open(path) as file:
        head = np.frombuffer(file.read(16), dtype=">u4")
        return np.frombuffer(file.read(), dtype=np.uint8).reshape(head[1], head[2] * head[3])


def read_images(path):
    with gzip.open(labels_of(path)) as file:
        file.read(8)
        labels = np.frombuffer(file.read(), dtype=np.uint8)
    return read_idx(path), labels


def read_libsvm(path):
    rows, labels = load_svmlight_file(path, n_features=22)
    return rows.toarray(), labels


def labels_of(path):
    return path.replace("images-idx3", "labels-idx1")


IMAGES = ["train-images-idx3-ubyte.gz", "t10k-images-idx3-ubyte.gz"]
SETS = [
    ("usps", ["zip.train.gz", "zip.test.gz"], read_first_label),
    ("banana", ["banana.dat"], read_keel),
    ("mnist", IMAGES, read_images),
    ("cifar10_gray20", IMAGES, read_images),
    ("covtype", ["covtype.data.gz"], read_last_label),
    ("letter", ["letter-recognition.data"], read_word_first),
    ("magic04", ["magic04.data"], read_word_last),
    ("ijcnn1", ["ijcnn1.gz", "ijcnn1.t.gz"], read_libsvm),
]


def convert(cnm, path, arguments):
    options = ["--labels", labels_of(path)] if "images-idx3" in path else []
    command = [cnm, "convert", *options, path, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: status {done.returncode}: {done.stderr.strip()}")


def converted(cnm, path, words, folder):
    """Rows and labels as cnm reads them. Labels that are words go through csv, which holds them."""
    rows_path, labels_path = os.path.join(folder, "rows.npy"), os.path.join(folder, "labels.npy")
    if not words:
        convert(cnm, path, ["-o", rows_path, "--labels-out", labels_path])
        return np.load(rows_path), np.load(labels_path)
    csv_path = os.path.join(folder, "rows.csv")
    convert(cnm, path, ["-o", rows_path])
    convert(cnm, path, ["-o", csv_path])
    with open(csv_path, newline="", encoding="utf-8") as file:
        table = list(csv.reader(file))
    rows = np.load(rows_path)
    through_csv = np.array([row[:-1] for row in table[1:]], dtype=float)
    if table[0][-1] != "label" or not np.array_equal(through_csv.astype(rows.dtype), rows):
        raise RuntimeError("npy and csv differ")
    return rows, np.array([row[-1] for row in table[1:]])


def difference(found, expected):
    """None when equal, else a sentence."""
    (rows, labels), (want_rows, want_labels) = found, expected
    if rows.shape != want_rows.shape or labels.shape != want_labels.shape:
        return f"shape {rows.shape}, {labels.shape}, expected {want_rows.shape}, {want_labels.shape}"
    wrong = np.argwhere(rows.astype(np.float32) != want_rows.astype(np.float32))
    if len(wrong) > 0:
        i, j = wrong[0]
        found, expected = rows[i, j], want_rows[i, j]
        return f"{len(wrong)} values differ, first row {i + 1} column {j + 1}: {found!r}, expected {expected!r}"
    wrong = np.flatnonzero(labels != want_labels)
    if len(wrong) > 0:
        i = wrong[0]
        return f"{len(wrong)} labels differ, first row {i + 1}: {labels[i]!r}, expected {want_labels[i]!r}"
    return None


def compare_set(directory, cnm, name, files, read):
    """The line for one set, and whether it is right."""
    shapes = []
    for file in files:
        path = os.path.join(directory, name, file)
        expected = read(path)
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = converted(cnm, path, expected[1].dtype.kind == "U", folder)
            except (RuntimeError, OSError, ValueError) as problem:
                return f"{name}: {file}: {problem}", False
        problem = difference(found, expected)
        if problem is not None:
            return f"{name}: {file}: {problem}", False
        shapes.append(f"{expected[0].shape[0]} x {expected[0].shape[1]}")
    return f"{name}: same ({', '.join(shapes)})", True


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    directory, cnm = sys.argv[1:]
    if not os.path.isdir(directory):
        print(f"skipped: there is no directory {directory}")
        return 0
    if np is None:
        print(f"NumPy and scikit-learn are needed to compare with: {MISSING}", file=sys.stderr)
        return 1
    right = 0
    for name, files, read in SETS:
        line, same = compare_set(directory, cnm, name, files, read)
        print(line, flush=True)
        right += same
    print(f"{right} of {len(SETS)} sets are read the same")
    return 0 if right == len(SETS) else 1


if __name__ == "__main__":
    sys.exit(main())
