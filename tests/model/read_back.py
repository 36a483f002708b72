"""read_back.py COMMAND: reads a model file with another program.

Trains with the command on generated rows, opens the file with Python's safetensors package, checks
names and shapes against the table in src/model/file/model_file.h, and predicts with NumPy from the
arrays alone: the labels must be the command's own.
"""

import os
import subprocess
import sys
import tempfile

import numpy
from safetensors import safe_open

COLUMNS = 5
# The command works in float32, NumPy here in float64. Rows whose two best scores are nearer than
# this may be decided either way.
TIE = 1e-3


def make_rows(classes, count=600):
    """Makes rows (count, COLUMNS) and a class index for each: shells, which a curve separates."""
    random = numpy.random.default_rng(7)
    normal = random.normal(size=(count, COLUMNS))
    height = 2 * normal[:, 0] + numpy.linalg.norm(normal, axis=1)
    edges = numpy.quantile(height, numpy.arange(1, classes) / classes)
    return normal * [1, 2, 3, 4, 5] + [0, 1, -2, 30, 400], numpy.searchsorted(edges, height)


def run(*arguments):
    result = subprocess.run(arguments, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: status {result.returncode}\n{result.stderr}")
    return result.stdout


def read_model(path):
    """Arrays by name, 16-bit ones times their power of two, and the metadata."""
    with safe_open(path, framework="numpy") as file:
        arrays, metadata = {name: file.get_tensor(name) for name in file.keys()}, file.metadata()
    for name, array in arrays.items():
        if array.dtype == numpy.float16:
            arrays[name] = array.astype(float) * 2.0 ** int(metadata.get("exponent_" + name, 0))
    return arrays, metadata


def explicit_theta(arrays, features):
    """Theta (COLUMNS, features) of a map; a circulant one has R_ij = r[(i - j) mod d]."""
    if "theta" in arrays:
        return arrays["theta"].astype(float)
    filters = arrays["filters"].astype(float)
    diagonals = arrays.get("diagonal", numpy.ones((1, COLUMNS))) * numpy.ones((len(filters), 1))
    if "signs" in arrays:
        bits = numpy.unpackbits(arrays["signs"], bitorder="little")[:COLUMNS]
        diagonals = diagonals * numpy.where(bits == 1, -1.0, 1.0)
    i, j = numpy.ogrid[:COLUMNS, :COLUMNS]
    blocks = [filter_[(i - j) % COLUMNS] * diagonal for filter_, diagonal in zip(filters, diagonals)]
    return numpy.concatenate(blocks)[:features].T


def scores_of(arrays, rows, features):
    prepared = rows - arrays.get("offset", numpy.zeros(COLUMNS)) - arrays.get("base", numpy.zeros(COLUMNS))
    if "phase" in arrays:
        prepared = numpy.cos(prepared @ explicit_theta(arrays, features) + arrays["phase"])
    return prepared @ arrays["head"].astype(float) + arrays["bias"]


def check(command, folder, classes, options, shapes):
    rows, labels = make_rows(classes)
    data, model, predicted = (os.path.join(folder, name) for name in ("data.csv", "model.cnm", "predicted.txt"))
    numpy.savetxt(data, numpy.column_stack([rows, labels]), fmt=["%.17g"] * COLUMNS + ["%d"], delimiter=",")
    run(command, "train", "--quiet", *options, data, model)
    run(command, "predict", "--quiet", "-o", predicted, model, data)
    arrays, metadata = read_model(model)
    for name, shape in shapes.items():
        found = arrays[name].shape if name in arrays else None
        assert found == shape, f"{options}: {name} has shape {found} instead of {shape}"
    assert metadata["format"] == "cnm 2" and metadata["columns"] == str(COLUMNS), metadata
    assert all(numpy.isfinite(array).all() for array in arrays.values())

    scores = scores_of(arrays, rows, int(metadata["features"]))
    if classes == 2:
        scores = numpy.column_stack([-scores, scores])
    best = numpy.sort(scores, axis=1)
    clear = best[:, -1] - best[:, -2] > TIE
    assert clear.mean() > 0.9, f"{options}: too many ties to tell"
    theirs = numpy.loadtxt(predicted, dtype=int)
    wrong = (scores.argmax(axis=1) != theirs) & clear
    assert not wrong.any(), f"{options}: {wrong.sum()} rows are predicted otherwise than the file says"


def main():
    command = sys.argv[1]
    cases = [
        (3, ["-m", "cnm", "-k", "8"], {"theta": (5, 8), "phase": (8,), "head": (8, 3), "bias": (3,)}),
        (2, ["-m", "cnm", "-p", "circulant", "-k", "8"], {"theta": None, "filters": (2, 5), "head": (8, 1)}),
        (
            3,
            ["-p", "circulant-diagonal", "-k", "8"],
            {"signs": None, "filters": (2, 5), "diagonal": (2, 5), "head": (8, 3)},
        ),
        (
            3,
            ["-m", "rff", "-k", "32", "--dtype", "f32"],
            {"theta": (5, 32), "phase": (32,), "head": (32, 3), "bias": (3,)},
        ),
        (2, ["-m", "rff", "-k", "32"], {"theta": (5, 32), "phase": (32,), "head": (32, 1), "bias": (1,)}),
        (3, ["-m", "rff", "-k", "32", "--scale", "none"], {"theta": (5, 32), "offset": None}),
        (
            3,
            ["-m", "rff", "-p", "circulant", "-k", "32"],
            {"theta": None, "filters": (7, 5), "signs": (1,), "head": (32, 3)},
        ),
        (
            2,
            ["-m", "rff", "-p", "circulant", "-k", "3"],
            {"theta": None, "filters": (1, 5), "phase": (3,), "head": (3, 1)},
        ),
        (3, ["-m", "linear"], {"theta": None, "phase": None, "head": (5, 3), "bias": (3,)}),
    ]
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            check(command, folder, *case)
    print(f"{len(cases)} models read back")


if __name__ == "__main__":
    main()
