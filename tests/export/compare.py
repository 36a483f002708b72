"""compare.py CNM: one model, the same predictions through the command, the Python package, exported C
and onnxruntime.

Models of all kinds are trained with the command on generated rows, and on the public data sets where
$CNM_DATA is. For each:
- exported C in float32, compiled with -ffp-contract=off, gives the scores of
  CNM_SIMD=reference bit for bit;
- the default SIMD level and onnxruntime give them within 1e-5 (1 + sum |W|), sqrt(2/k) being folded
  into W;
- the Python package, on the shared library that lies beside CNM, gives the command's own bits;
- labels agree wherever the two best scores differ by more than twice that; probabilities follow;
- the onnx package's checker has no complaint, and inputs and outputs are named and shaped as by
  scikit-learn's exporters.
"""

import ctypes
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import warnings

import numpy
from safetensors import safe_open

try:
    import onnx
    import onnxruntime
except ImportError:
    onnx = onnxruntime = None

CNM = os.path.abspath(sys.argv[1])
warnings.filterwarnings("ignore", "X does not have valid feature names")  # rows are plain arrays here
ROWS = 400


def run(*arguments, **environment):
    result = subprocess.run(arguments, capture_output=True, text=True, env={**os.environ, **environment})
    if result.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


# ---- What the command says ----


class Answers:
    """Labels (rows) as texts, scores (rows, outputs) float32, probabilities (rows, classes) or None."""

    def __init__(self, model, data, classes, options=(), **environment):
        lines = run(CNM, "predict", "-q", "--scores", "-o", "-", *options, model, data, **environment).splitlines()
        cells = [line.split(" ") for line in lines]
        if classes == 0:
            self.labels = None
            self.scores = numpy.array([[cell[0]] for cell in cells], dtype=numpy.float32)
            self.probabilities = None
            return
        outputs = 1 if classes == 2 else classes
        self.labels = [" ".join(cell[:-outputs]) for cell in cells]
        self.scores = numpy.array([cell[-outputs:] for cell in cells], dtype=numpy.float32)
        lines = run(CNM, "predict", "-q", "--probability", "-o", "-", *options, model, data, **environment).splitlines()
        self.probabilities = numpy.array([line.split(" ")[-classes:] for line in lines], dtype=float)


def read_head(model):
    with safe_open(model, framework="numpy") as file:
        exponent = int(file.metadata().get("exponent_head", 0))
        return file.get_tensor("head").astype(float) * 2.0**exponent, file.metadata()


# ---- Exported C ----


class Program:
    def __init__(self, folder, model, weights="f32"):
        source = os.path.join(folder, "it.c")
        run(CNM, "export", "-q", "--dtype", weights, "--name", "it", model, "-o", source)
        strict = ["-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror"]
        library = os.path.join(folder, f"it{len(os.listdir(folder))}.so")
        run(
            os.environ.get("CC") or "cc",
            "-std=c99",
            "-O2",
            "-ffp-contract=off",
            *strict,
            "-fPIC",
            "-shared",
            source,
            "-o",
            library,
            "-lm",
        )
        self.library = ctypes.CDLL(library)

    def base(self, columns):
        try:
            return numpy.array((ctypes.c_double * columns).in_dll(self.library, "it_base"))
        except ValueError:
            return numpy.zeros(columns)

    def call(self, name, x, width):
        out = numpy.empty((len(x), width), dtype=numpy.float32)
        pointer = ctypes.POINTER(ctypes.c_float)
        function = getattr(self.library, f"it_{name}")
        for row, result in zip(x, out):
            function(row.ctypes.data_as(pointer), result.ctypes.data_as(pointer))
        return out

    def labels(self, x, classes):
        labels = (ctypes.c_char_p * classes).in_dll(self.library, "it_labels")
        pointer = ctypes.POINTER(ctypes.c_float)
        return [labels[self.library.it_predict(row.ctypes.data_as(pointer))].decode() for row in x]


# ---- ONNX ----


class Graph:
    def __init__(self, folder, model, classes):
        path = os.path.join(folder, "it.onnx")
        run(CNM, "export", "-q", model, "-o", path)
        proto = onnx.load(path)
        onnx.checker.check_model(proto, full_check=True)
        names = [output.name for output in proto.graph.output]
        assert names == (["label", "probabilities"] if classes else ["variable"]), names
        if classes:  # scores lie inside: shown for the comparison only
            proto.graph.output.append(onnx.helper.make_tensor_value_info("scores", onnx.TensorProto.FLOAT, None))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(proto.SerializeToString(), options, ["CPUExecutionProvider"])
        self.double = self.session.get_inputs()[0].type == "tensor(double)"

    def run(self, x):
        outputs = [output.name for output in self.session.get_outputs()]
        x = x if self.double else x.astype(numpy.float32)
        return dict(zip(outputs, self.session.run(None, {"X": x})))


# ---- Python ----


def python_package(folder):
    """The package from its sources and the library as it was built; None where there is no shared library."""
    library = os.path.join(os.path.dirname(CNM), "libcnm.so")
    sources = os.path.join(os.path.dirname(__file__), "..", "..", "python", "cnm")
    if not os.path.exists(library):
        return None
    package = os.path.join(folder, "package", "cnm")
    os.makedirs(package)
    for path in [library, *glob.glob(os.path.join(sources, "*.py"))]:
        shutil.copy(path, package)
    sys.path.insert(0, os.path.dirname(package))
    import cnm

    return cnm


def check_python(name, package, model, x, default, classes):
    estimator = package.load(model)
    if classes == 0:
        scores = estimator.predict(x).reshape(-1, 1)
    else:
        scores = estimator.decision_function(x).reshape(len(x), -1)
        assert [str(label) for label in estimator.predict(x)] == default.labels, f"{name}: labels of the Python package"
        check_close(f"{name}, probabilities of the package", estimator.predict_proba(x), default.probabilities, 1e-8)
    assert (scores.astype(numpy.float32) == default.scores).all(), f"{name}: scores of the Python package"


# ---- Comparing ----

PACKAGE = None  # the Python package, where there is one


def check_close(what, got, expected, bound):
    worst = (numpy.abs(got.astype(float) - expected.astype(float)) / bound).max()
    assert worst <= 1, f"{what}: off by {worst} times the bound"


def check_labels(what, got, expected, scores, bound):
    scores = numpy.column_stack([-scores, scores]) / 2 if scores.shape[1] == 1 else scores
    best = numpy.sort(scores, axis=1)
    clear = best[:, -1] - best[:, -2] > 2 * bound.max()
    assert clear.mean() > 0.5, f"{what}: too many ties to tell"
    wrong = [i for i in numpy.flatnonzero(clear) if got[i] != expected[i]]
    assert not wrong, f"{what}: row {wrong[0]} is {got[wrong[0]]} instead of {expected[wrong[0]]}"


def compare(name, folder, model, data, x, classes, options=()):
    """x (rows, columns): what DATA holds, as float64 where a model has a base, else as float32."""
    reference = Answers(model, data, classes, options, CNM_SIMD="reference")
    default = Answers(model, data, classes, options)
    head, metadata = read_head(model)
    bound = 1e-5 * (1 + numpy.abs(head).sum(axis=0))
    sharpness = max(1.0, 1.0 / float(metadata.get("temperature", 1)))
    program = Program(folder, model)
    rows = numpy.ascontiguousarray((x - program.base(x.shape[1])).astype(numpy.float32))
    scores = program.call("scores", rows, reference.scores.shape[1])
    differing = (scores.view(numpy.uint32) != reference.scores.view(numpy.uint32)).sum()
    assert differing == 0, f"{name}: {differing} scores of exported C have other bits"
    check_close(f"{name}, default SIMD level", default.scores, reference.scores, bound)
    if classes:
        assert program.labels(rows, classes) == reference.labels, f"{name}: labels of exported C"
        check_labels(f"{name}, default SIMD level", default.labels, reference.labels, reference.scores, bound)
        check_close(
            f"{name}, probabilities of C", program.call("probabilities", rows, classes), reference.probabilities, 3e-6
        )
    if PACKAGE is not None and not numpy.isnan(x).any():  # its estimators refuse missing values, as most do
        check_python(name, PACKAGE, model, x, default, classes)
    if onnx is None:
        return
    outputs = Graph(folder, model, classes).run(x)
    check_close(f"{name}, onnxruntime", outputs["scores" if classes else "variable"], reference.scores, bound)
    if classes:
        labels = [str(label) for label in outputs["label"]]
        check_labels(f"{name}, onnxruntime", labels, reference.labels, reference.scores, bound)
        assert outputs["probabilities"].shape == (len(x), classes) and outputs["label"].shape == (len(x),)
        check_close(
            f"{name}, probabilities of onnxruntime",
            outputs["probabilities"],
            reference.probabilities,
            sharpness * bound.max() + 3e-6,
        )


# ---- Generated rows ----


def make_rows(columns, classes):
    random = numpy.random.default_rng(11)
    x = (random.normal(size=(ROWS, columns)) * (1 + numpy.arange(columns)) + 3 * numpy.arange(columns)).astype(
        numpy.float32
    )
    height = numpy.linalg.norm((x - x.mean(axis=0)) / x.std(axis=0), axis=1)
    if classes == 0:
        return x, height
    return x, numpy.searchsorted(numpy.quantile(height, numpy.arange(1, classes) / classes), height)


def write_csv(path, x, y, words=None):
    with open(path, "w", encoding="utf-8") as file:
        for row, label in zip(x, y):
            cells = ["" if numpy.isnan(value) else repr(float(value)) for value in row]
            file.write(",".join([*cells, words[label] if words else repr(label.item())]) + "\n")


def generated(folder):
    quick = ["--epochs", "3", "--effort", "quick"]
    cases = [
        (5, 3, ["-k", "16", "--loss", "softmax"]),
        (5, 2, ["-k", "16"]),
        (5, 3, ["-k", "16", "--loss", "logistic", "--dtype", "f32"]),
        (5, 4, ["-k", "16", "--loss", "hinge", "--validation", "0.2"]),
        (5, 2, ["-k", "16", "--metric", "f1"]),
        (5, 4, ["-k", "16", "--loss", "hinge", "--metric", "f1"]),
        (5, 3, ["-k", "16", "--scale", "asinh"]),
        (5, 3, ["-k", "16", "--scale", "standard", "--activation", "sigmoid"]),
        (5, 3, ["-k", "16", "--scale", "standard", "--activation", "relu", "--phase", "none"]),
        (5, 3, ["-k", "3", "--scale", "none"]),
        (5, 0, ["-k", "16", "--task", "regress"]),
        (7, 3, ["-m", "rff", "-k", "32", "--kernel", "laplacian", "--scale", "range"]),
        (12, 3, ["-k", "24", "-p", "circulant", "--scale", "standard"]),
        (11, 3, ["-k", "9", "-p", "circulant", "--scale", "global"]),
        (11, 2, ["-k", "40", "-p", "circulant-diagonal"]),
        (6, 3, ["--layers", "24,12"]),
        (6, 2, ["--layers", "16,12,8", "--scale", "asinh", "--activation", "sigmoid"]),
        (12, 3, ["--layers", "circulant:12,dense:16"]),
        (11, 4, ["--layers", "dense:10,circulant-diagonal:25,circulant:9", "--scale", "standard", "--dtype", "f32"]),
        (5, 3, ["--layers", "columns:6,24"]),
        (5, 0, ["--layers", "columns:4,circulant:30,8", "--task", "regress", "--scale", "standard"]),
        (5, 3, ["-k", "16", "--scale", "quantile"]),
        (5, 2, ["--scale", "quantile", "--layers", "columns:5,16,8"]),
        (9, 0, ["-m", "linear", "--task", "regress"]),
        (9, 3, ["-m", "linear", "--scale", "asinh"]),
    ]
    for number, (columns, classes, options) in enumerate(cases):
        name = f"{columns} columns, {classes} classes, {' '.join(options)}"
        words = ["none", "a few", "what??!", "*/", "caf\u00e9"] if number % 4 == 1 and classes else None
        x, y = make_rows(columns, classes)
        data, model = os.path.join(folder, "rows.csv"), os.path.join(folder, "model.cnm")
        write_csv(data, x, y, words)
        linear = "linear" in options or "rff" in options
        run(
            CNM,
            "train",
            "-q",
            *options,
            *(["--epochs", "3"] if linear else quick),
            "--label-column",
            "last",
            data,
            model,
        )
        compare(name, folder, model, data, x, classes)
    return len(cases) + missing(folder, quick) + far(folder, quick) + thrown(folder, quick) + alone(folder)


def missing(folder, quick):
    """Empty cells, filled with the mean: NaN for C and ONNX."""
    x, y = make_rows(6, 3)
    x[numpy.random.default_rng(5).random(x.shape) < 0.1] = numpy.nan
    data, model = os.path.join(folder, "gaps.csv"), os.path.join(folder, "gaps.cnm")
    write_csv(data, x, y)
    run(CNM, "train", "-q", "-k", "16", "--missing", "mean", *quick, "--label-column", "last", data, model)
    compare("missing values", folder, model, data, x, 3)
    return 1


def far(folder, quick):
    """Columns like 1.7e9 +- 3600, which float32 cannot hold: C gets them less a base, ONNX as doubles."""
    x, y = make_rows(4, 3)
    x = x.astype(float) * 1000 + [1.7e9, 2.0e9, 1e8, 0.0]
    data, model = os.path.join(folder, "far.csv"), os.path.join(folder, "far.cnm")
    write_csv(data, x, y)
    run(CNM, "train", "-q", "-k", "16", *quick, "--label-column", "last", data, model)
    compare("far from zero", folder, model, data, x, 3)
    return 1


def thrown(folder, quick):
    """Single cells at the ends of float32's range, which their columns' scale takes beyond it."""
    x, y = make_rows(5, 3)
    x *= numpy.float32(1e-3)
    ends = numpy.finfo(numpy.float32)
    for column, value in enumerate([ends.max, ends.min, 1e30, -1e38]):
        x[9 * column + 4, column] = value
    data, model = os.path.join(folder, "thrown.csv"), os.path.join(folder, "thrown.cnm")
    write_csv(data, x, y)
    run(CNM, "train", "-q", "-k", "16", "--scale", "asinh", *quick, "--label-column", "last", data, model)
    compare("cells far out", folder, model, data, x, 3)
    return 1


def alone(folder):
    """A map without a head: its features."""
    x, y = make_rows(6, 3)
    data, model, z = (os.path.join(folder, name) for name in ("map.csv", "map.cnm", "z.npy"))
    write_csv(data, x, y)
    run(
        CNM,
        "train",
        "-q",
        "-m",
        "rff",
        "-k",
        "20",
        "-p",
        "circulant",
        "--task",
        "map",
        "--label-column",
        "last",
        data,
        model,
    )
    run(CNM, "transform", "-q", model, data, "-o", z, CNM_SIMD="reference")
    expected = numpy.load(z)
    features = Program(folder, model).call("features", x, 20)
    assert (features == expected).all(), "a map alone: features of exported C"
    if onnx is not None:
        path = os.path.join(folder, "map.onnx")
        run(CNM, "export", "-q", model, "-o", path)
        onnx.checker.check_model(onnx.load(path), full_check=True)
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        check_close("a map alone, onnxruntime", session.run(["features"], {"X": x})[0], expected, 1e-5)
    return 1


# ---- The public data sets ----

SETS = [
    ("usps", 10, "usps/zip.train.gz", "usps/zip.test.gz", None, []),
    ("banana", 2, "banana/banana.dat", "banana/banana.dat", None, []),
    ("mnist", 10, "mnist/train-images-idx3-ubyte.gz", "mnist/t10k-images-idx3-ubyte.gz", "labels", ["-p", "circulant"]),
    (
        "cifar10",
        10,
        "cifar10_gray20/train-images-idx3-ubyte.gz",
        "cifar10_gray20/t10k-images-idx3-ubyte.gz",
        "labels",
        ["-p", "circulant-diagonal"],
    ),
    ("covtype", 7, "covtype/covtype.data.gz", "covtype/covtype.data.gz", None, []),
    ("letter", 26, "letter/letter-recognition.data", "letter/letter-recognition.data", None, []),
    ("magic04", 2, "magic04/magic04.data", "magic04/magic04.data", None, []),
    ("ijcnn1", 2, "ijcnn1/ijcnn1.gz", "ijcnn1/ijcnn1.t.gz", None, []),
]


def read_libsvm(path, columns):
    with open(path, encoding="utf-8") as file:
        rows = [[cell.split(":") for cell in line.split()[1:]] for line in file]
    x = numpy.zeros((len(rows), columns), dtype=numpy.float32)
    for row, cells in zip(x, rows):
        for index, value in cells:
            row[int(index) - 1] = value
    return x


def labels_beside(path):
    return ["--labels", path.replace("images-idx3", "labels-idx1")]


def public(folder, where):
    for name, classes, training, test, labels, options in SETS:
        training, test = os.path.join(where, training), os.path.join(where, test)
        cut = ["--shuffle", "1"] if name == "magic04" else []
        model, text = os.path.join(folder, f"{name}.cnm"), os.path.join(folder, f"{name}.libsvm")
        run(
            CNM,
            "train",
            "-q",
            "-k",
            "24",
            "--effort",
            "quick",
            "--epochs",
            "2",
            *options,
            *cut,
            "--rows",
            "1:1500",
            *(labels_beside(training) if labels else []),
            training,
            model,
        )
        some = [*cut, "--rows", "1701:2000", *(labels_beside(test) if labels else [])]
        run(CNM, "convert", "-q", *some, test, "-o", text)
        x = read_libsvm(text, int(read_head(model)[1]["columns"]))
        compare(name, folder, model, test, x, classes, some)
    return len(SETS)


def main():
    global PACKAGE
    where = os.environ.get("CNM_DATA")
    with tempfile.TemporaryDirectory() as folder:
        PACKAGE = python_package(folder)
        count = generated(folder)
        if where and os.path.isdir(where):
            count += public(folder, where)
        else:
            print("no public data (CNM_DATA): only generated rows were compared")
    ways = ["the command", "exported C"] + ["Python"] * (PACKAGE is not None) + ["onnxruntime"] * (onnx is not None)
    print(f"{count} models compared through {', '.join(ways)}")


if __name__ == "__main__":
    main()
