"""The eight data sets: their files, how rows are cut, and the sizes they must have.

A set is prepared once: `cnm convert` reads its files and writes rows as float32 .npy to the scratch
folder, so that every method, LIBSVM included, has the same values. Columns are not scaled here:
each method does that (see `scaled`).
"""

import csv
import functools
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Part:
    """Rows of one file: its path below the data folder, its label file if apart, and `cnm` options
    that cut them."""

    file: str
    labels: str = ""
    options: tuple = ()


@dataclass(frozen=True)
class DataSet:
    name: str
    title: str
    train: Part
    test: Part
    scale: str  # cnm's --scale; the same for every method
    rows: tuple  # (train, test), as the paper's Table 1 where known
    columns: int
    classes: int
    protocol: str  # one sentence for the page
    words: bool = False  # labels that are no numbers

    def files(self):
        return sorted({f for p in (self.train, self.test) for f in (p.file, p.labels) if f})


def _idx(folder, part, options=()):
    return Part(f"{folder}/{part}-images-idx3-ubyte.gz", f"{folder}/{part}-labels-idx1-ubyte.gz", options)


ANIMALS = ("--positive", "2,3,4,5,6,7")
FOREST = ("--positive", "2")
MAGIC = ("--positive", "g", "--shuffle", "1")

SETS = (
    DataSet(
        "usps",
        "USPS",
        Part("usps/zip.train.gz", options=("--label-column", "first")),
        Part("usps/zip.test.gz", options=("--label-column", "first")),
        "global",
        (7291, 2007),
        256,
        10,
        "the usual split; values as in The Elements of Statistical Learning, not LIBSVM's smoothed copy",
    ),
    DataSet(
        "banana",
        "BANANA",
        Part("banana/banana.dat", options=("--rows", "1:1000")),
        Part("banana/banana.dat", options=("--rows", "1001:5300")),
        "global",
        (1000, 4300),
        2,
        2,
        "first 1,000 rows train, the other 4,300 test; the paper's own split is not known",
    ),
    DataSet(
        "mnist",
        "MNIST",
        _idx("mnist", "train"),
        _idx("mnist", "t10k"),
        "global",
        (60000, 10000),
        784,
        10,
        "the usual split",
    ),
    DataSet(
        "cifar",
        "CIFAR",
        _idx("cifar10_gray20", "train", ANIMALS),
        _idx("cifar10_gray20", "t10k", ANIMALS),
        "global",
        (50000, 10000),
        400,
        2,
        "animals against vehicles, 20 x 20 grey images; the paper's 400 features are not public, so levels differ",
    ),
    DataSet(
        "forest",
        "FOREST",
        Part("covtype/covtype.data.gz", options=FOREST + ("--rows", "1:522910")),
        Part("covtype/covtype.data.gz", options=FOREST + ("--rows", "522911:581012")),
        "standard",
        (522910, 58102),
        54,
        2,
        "class 2 against the rest; a shuffled copy of the file, first 522,910 rows train, last 58,102 test",
    ),
    DataSet(
        "letter",
        "LETTER",
        Part("letter/letter-recognition.data", options=("--rows", "1:12000", "--label-column", "first")),
        Part("letter/letter-recognition.data", options=("--rows", "12001:18000", "--label-column", "first")),
        "global",
        (12000, 6000),
        16,
        26,
        "rows 1-12,000 train, 12,001-18,000 test; the paper's selection is not known",
        words=True,
    ),
    DataSet(
        "magic04",
        "MAGIC04",
        Part("magic04/magic04.data", options=MAGIC + ("--rows", "1:14020")),
        Part("magic04/magic04.data", options=MAGIC + ("--rows", "14021:19020")),
        "standard",
        (14020, 5000),
        10,
        2,
        "shuffled (seed 1), first 14,020 rows train, the other 5,000 test; the paper's split is not known",
    ),
    DataSet(
        "ijcnn",
        "IJCNN",
        Part("ijcnn1/ijcnn1.gz"),
        Part("ijcnn1/ijcnn1.t.gz"),
        "global",
        (49990, 91701),
        22,
        2,
        "the files of the LIBSVM page; the test rows come later in time than the training rows",
    ),
)
BY_NAME = {s.name: s for s in SETS}


def digest(path):
    sha = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            sha.update(block)
    return sha.hexdigest()


def missing(data):
    """Returns the files that the eight sets need and DATA lacks."""
    return [f for s in SETS for f in s.files() if not (Path(data) / f).is_file()]


def _convert_numbers(command, arguments, stem):
    command(["convert", "-q", *arguments, "-o", f"{stem}.npy", "--labels-out", f"{stem}-labels.npy"])


def _convert_words(command, arguments, stem):
    """Converts rows with word labels through CSV: labels become indices in the sorted words."""
    command(["convert", "-q", *arguments, "-o", f"{stem}.csv"])
    with open(f"{stem}.csv", newline="") as file:
        lines = [line for line in csv.reader(file) if line]
    alphabetic = [i for i, cell in enumerate(lines[-1]) if cell.isalpha()]
    column = alphabetic[0]
    if not lines[0][column].isalpha() or len(lines[0][column]) > 1:
        lines = lines[1:]
    words = np.array([line[column] for line in lines])
    rows = np.array([[float(c) for i, c in enumerate(line) if i != column] for line in lines], dtype=np.float32)
    np.save(f"{stem}.npy", rows)
    np.save(f"{stem}-labels.npy", np.unique(words, return_inverse=True)[1].astype(np.float64))
    os.remove(f"{stem}.csv")


def prepare(a_set, data, folder, command):
    """Writes {train,test}.npy and {train,test}-labels.npy of the set into FOLDER/NAME, unless they
    are there."""
    target = Path(folder) / a_set.name
    stamp = target / "files.txt"
    wanted = "".join(f"{digest(Path(data) / f)}  {f}\n" for f in a_set.files()) + repr((a_set.train, a_set.test))
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    target.mkdir(parents=True, exist_ok=True)
    for name, part in (("train", a_set.train), ("test", a_set.test)):
        arguments = [*part.options, str(Path(data) / part.file)]
        if part.labels:
            arguments = ["--labels", str(Path(data) / part.labels), *arguments]
        (_convert_words if a_set.words else _convert_numbers)(command, arguments, str(target / name))
    stamp.write_text(wanted)


def load(folder, a_set, part):
    """Returns (rows, columns) float32, mapped from disk, and (rows,) labels of one part."""
    stem = Path(folder) / a_set.name / part
    return np.load(f"{stem}.npy", mmap_mode="r"), np.load(f"{stem}-labels.npy")


def sizes(folder, a_set):
    """Returns the sizes of the prepared rows, for the check of Table 1."""
    train, train_labels = load(folder, a_set, "train")
    test, test_labels = load(folder, a_set, "test")
    return {
        "rows_train": len(train),
        "rows_test": len(test),
        "columns": train.shape[1],
        "classes": len(np.unique(np.concatenate([train_labels, test_labels]))),
    }


@functools.cache
def scaled(folder, a_set):
    """Returns the divisors (columns,) of cnm's --scale, fitted on all training rows: one number for
    `global`, each column's deviation for `standard` (columns that do not vary are dropped:
    divisor infinite)."""
    train, _ = load(folder, a_set, "train")
    deviation = np.std(np.asarray(train, dtype=np.float32), axis=0, dtype=np.float64)
    if a_set.scale == "global":
        return np.full(train.shape[1], np.sqrt(np.mean(deviation**2)))
    return np.where(deviation <= 1e-6 * deviation.max(), np.inf, deviation)
