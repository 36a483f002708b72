"""Measures stacks of layers for docs/explanation/stacked-maps.md and docs/experiments/0033.

Each run is trained with data options, --layers or -k, --dtype f16, --seed and --estimate no only, and
scored once. Runs are kept in bench/stacks.json by a key of all their inputs; a run that is there
already is not repeated. Parts:

  rules       trains on 80 % of the training rows and scores the other 20 %: never a test row.
              Commands built with a rule changed are given by --variant NAME=COMMAND: noise
              (stack_noise_parameters = 0 in src/learn/tuning.h), steps (shared = false in
              src/learn/search/profiles.c), rate3 and rate5 (units of layers above the first
              times 0.3 and 0.5 in src/learn/fit/fit_joint.c)
  table       stacks and one layer of about as many bytes, seeds 1 to 3, on the test rows
  steps       one circulant layer with as many steps as stacks of them
  activation  the same stacks with --activation relu and sigmoid
  mlp         scikit-learn's MLPClassifier of the same widths and steps
  lightgbm    LightGBM on FOREST: defaults, and 1,000 trees; the kept stack's times
  tables      prints the tables of the pages

    python bench/stacks.py --cnm build/release/cnm --data FOLDER table
"""

import argparse
import gzip
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import mean, stdev

RECORD = Path(__file__).with_name("stacks.json")
SEEDS = (1, 2, 3)
DIAGONAL = "circulant-diagonal"


class Set:
    """Files and rows of one set: of training, of testing, and the last fifth of the training rows."""

    def __init__(self, train, rows, *options, test=None, first_test=0, last_test=0):
        self.train, self.rows, self.options = train, rows, list(options)
        self.test, self.first_test, self.last_test = test or train, first_test, last_test

    def files(self, folder, held):
        """Returns the options and data of training and scoring, with the last fifth held out or the test rows."""
        cut = self.rows * 4 // 5
        test = self.train if held else self.test
        train_rows = f"1:{cut}" if held else f"1:{self.rows}"
        test_rows = [f"{cut + 1}:{self.rows}"] if held else []
        if not held and self.first_test:
            test_rows = [f"{self.first_test}:{self.last_test}"]
        return (
            [*self.options, "--rows", train_rows, *labels(folder, self.train), str(folder / self.train)],
            [x for r in test_rows for x in ("--rows", r)] + labels(folder, test),
            str(folder / test),
        )


def labels(folder, images):
    """Returns the option that names the labels of images, which have a file of their own."""
    return ["--labels", str(folder / images.replace("images-idx3", "labels-idx1"))] if "-images-" in images else []


SETS = {
    "FOREST": Set("covtype/covtype.data.gz", 522910, "--positive", "2", first_test=522911, last_test=581012),
    "FOREST100K": Set("covtype/covtype.data.gz", 100000, "--positive", "2", first_test=522911, last_test=581012),
    "LETTER": Set("letter/letter-recognition.data", 12000, first_test=12001, last_test=18000),
    "IJCNN1": Set("ijcnn1/ijcnn1.gz", 49990, test="ijcnn1/ijcnn1.t.gz"),
    "USPS": Set("usps/zip.train.gz", 7291, test="usps/zip.test.gz"),
    "MNIST": Set("mnist/train-images-idx3-ubyte.gz", 60000, test="mnist/t10k-images-idx3-ubyte.gz"),
    "CIFAR": Set(
        "cifar10_gray20/train-images-idx3-ubyte.gz",
        50000,
        "--positive",
        "2,3,4,5,6,7",
        test="cifar10_gray20/t10k-images-idx3-ubyte.gz",
    ),
}
LABEL_COLUMN = {
    "FOREST": "last",
    "FOREST100K": "last",
    "LETTER": "first",
    "IJCNN1": None,
    "USPS": "first",
    "MNIST": None,
    "CIFAR": None,
}

# set, layers, options of one layer of about as many bytes, and the bars: accuracy at least, bytes
# at most
TABLE = [
    ("LETTER", "64,64", ["-k", "163"], 97.5, 17000),
    ("IJCNN1", "256,64", ["-k", "937"], 98.85, 48000),
    ("USPS", "64,32", ["-k", "71"], 96.0, 42000),
    ("FOREST", "128,64", ["-k", "276"], 96.0, 34000),
    ("CIFAR", f"{DIAGONAL}:400,{DIAGONAL}:400", ["-p", DIAGONAL, "-k", "690"], 83.8, 10500),
    ("MNIST", f"{DIAGONAL}:784,{DIAGONAL}:784", ["-p", DIAGONAL, "-k", "868"], 98.1, 32000),
    ("MNIST", f"{DIAGONAL}:784,dense:64", ["-k", "67"], 98.4, 113000),
    ("FOREST", "256,128", ["-k", "845"], 97.0, 100000),
]

# One circulant layer with the 16,000 steps that stacks of circulant layers have.
STEPS_OF_STACKS = [
    ("CIFAR", ["-p", DIAGONAL, "-k", "690", "--epochs", "82"]),
    ("MNIST", ["-p", DIAGONAL, "-k", "868", "--epochs", "68"]),
]


# ---- The record ----


class Record:
    def __init__(self, path):
        self.path, self.lock = path, threading.Lock()
        self.runs = json.loads(path.read_text()) if path.is_file() else {}

    def add(self, key, value):
        with self.lock:
            self.runs[key] = value
            lines = [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(self.runs.items())]
            self.path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
            print(key, json.dumps(value), flush=True)


def key_of(part, name, what, seed):
    return f"{part} {name} {what} seed {seed}"


# ---- Peers ----


def arrays(name, folder):
    """Returns training rows and labels, and test rows and labels, of a set that scikit-learn's network learns."""
    import numpy as np
    from sklearn.datasets import load_svmlight_files

    if name == "IJCNN1":
        a, ya, b, yb = load_svmlight_files([str(folder / "ijcnn1/ijcnn1.gz"), str(folder / "ijcnn1/ijcnn1.t.gz")])
        return a.toarray(), ya, b.toarray(), yb
    if name == "USPS":
        a, b = (np.loadtxt(gzip.open(folder / f"usps/zip.{part}.gz")) for part in ("train", "test"))
        return a[:, 1:], a[:, 0], b[:, 1:], b[:, 0]
    if name == "LETTER":
        cells = np.loadtxt(folder / SETS[name].train, dtype=str, delimiter=",")
        rows, y = cells[:, 1:].astype(float), cells[:, 0]
        return rows[:12000], y[:12000], rows[12000:18000], y[12000:18000]
    cells = np.loadtxt(gzip.open(folder / SETS["FOREST"].train), delimiter=",", dtype=np.float32)
    rows, y = cells[:, :-1], cells[:, -1] == 2
    last = SETS[name].rows
    return rows[:last], y[:last], rows[522910:], y[522910:]


# Steps of cnm's trainings on these sets, of min(rows / 16, 256) rows each.
NETWORKS = [
    ("LETTER", (64, 64), 16000),
    ("IJCNN1", (256, 64), 16000),
    ("USPS", (64, 32), 6400),
    ("FOREST100K", (128, 64), 16000),
]


def run_networks(options, record):
    """Trains MLPClassifier: Adam at its default rate of 0.001, relu, alpha 1e-4, standardised columns."""
    import warnings

    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    warnings.simplefilter("ignore")
    for name, widths, steps in NETWORKS:
        keys = [key_of("mlp", name, ",".join(map(str, widths)), seed) for seed in SEEDS]
        if all(key in record.runs for key in keys) or options.only not in name:
            continue
        rows, y, test_rows, test_y = arrays(name, options.data)
        for seed, key in zip(SEEDS, keys):
            if key in record.runs:
                continue
            passes = -(-steps // -(-len(rows) // 256))
            network = MLPClassifier(widths, batch_size=256, max_iter=passes, n_iter_no_change=passes, random_state=seed)
            started = time.time()
            fitted = make_pipeline(StandardScaler(), network).fit(rows, y)
            seconds = time.time() - started
            numbers = sum(w.size for w in network.coefs_ + network.intercepts_)
            result = {"accuracy": round(100.0 * fitted.score(test_rows, test_y), 4), "rows": len(test_y)}
            record.add(key, {**result, "bytes": 2 * numbers, "seconds": round(seconds, 1), "passes": passes})


def single_rows(booster, rows):
    """Returns processor microseconds of the C API's fast predictions of one row at a time."""
    import ctypes

    import lightgbm
    import numpy as np

    library, handle, fast = lightgbm.basic._LIB, booster._handle, ctypes.c_void_p()
    out, length = (ctypes.c_double * 2)(), ctypes.c_int64()
    rows = np.ascontiguousarray(rows, dtype=np.float32)
    width = rows.shape[1]
    library.LGBM_BoosterPredictForMatSingleRowFastInit(
        handle, 0, 0, -1, 0, ctypes.c_int32(width), b"num_threads=1", ctypes.byref(fast)
    )
    addresses = [ctypes.c_void_p(rows.ctypes.data + 4 * width * i) for i in range(len(rows))]
    call, to, size = library.LGBM_BoosterPredictForMatSingleRowFast, out, ctypes.byref(length)
    started = time.process_time()
    for address in addresses:
        call(fast, address, size, to)
    taken = time.process_time() - started
    library.LGBM_FastConfigFree(fast)
    return 1e6 * taken / len(rows)


def time_stack(options, record, rows):
    """Records processor microseconds of the kept stack of 256 and 128."""
    import numpy as np

    with tempfile.TemporaryDirectory() as folder:
        numbers = Path(folder) / "rows"
        np.ascontiguousarray(rows, dtype=np.float32).tofile(numbers)
        model = options.keep / "FOREST---layers-256,128-1.cnm"
        line = [options.one_model, model, numbers]
        alone, batch = map(float, subprocess.run(line, check=True, capture_output=True, text=True).stdout.split())
    size = {"bytes": model.stat().st_size, "gzipped": len(gzip.compress(model.read_bytes()))}
    record.add(key_of("times", "FOREST", "256,128", 1), {**size, "us_batch": batch, "us_one_row_c": alone})


def run_lightgbm(options, record):
    """LightGBM on FOREST. Times are processor seconds, with one thread for predictions."""
    import lightgbm

    settings = [("defaults", {}), ("1,000 trees", {"n_estimators": 1000})]
    keys = [key_of("lightgbm", "FOREST", what, 1) for what, _ in settings]
    if all(key in record.runs for key in keys):
        return
    rows, y, test_rows, test_y = arrays("FOREST", options.data)
    if options.one_model:
        time_stack(options, record, test_rows[:5000])
    for key, (_, given) in zip(keys, settings):
        model = lightgbm.LGBMClassifier(random_state=1, n_jobs=options.threads, verbosity=-1, **given)
        started = time.time()
        model.fit(rows, y)
        seconds = time.time() - started
        text = model.booster_.model_to_string().encode()
        started = time.process_time()
        scores = model.booster_.predict(test_rows, num_threads=1)
        batch = 1e6 * (time.process_time() - started) / len(test_rows)
        few = test_rows[:2000]
        started = time.process_time()
        for i in range(len(few)):
            model.booster_.predict(few[i : i + 1], num_threads=1)
        python = 1e6 * (time.process_time() - started) / len(few)
        right = float(((scores > 0.5) == test_y).mean())
        record.add(
            key,
            {
                "accuracy": round(100.0 * right, 4),
                "rows": len(test_y),
                "bytes": len(text),
                "gzipped": len(gzip.compress(text)),
                "seconds": round(seconds, 1),
                "us_batch": round(batch, 2),
                "us_one_row_c": round(single_rows(model.booster_, test_rows[:5000]), 2),
                "us_one_row_python": round(python, 1),
            },
        )


# ---- cnm ----


def train_and_score(command, options, name, shape, seed, held):
    column = LABEL_COLUMN[name]
    train, choice, test = SETS[name].files(options.data, held)
    labelled = ["--label-column", column] if column else []
    with tempfile.TemporaryDirectory() as folder:
        model = Path(options.keep or folder) / f"{name}-{'-'.join(shape).replace(':', '')}-{seed}.cnm"
        line = [command, "train", "-q", *shape, "--dtype", "f16", "--seed", str(seed), "--estimate", "no"]
        started = time.time()
        subprocess.run([*line, "--threads", str(options.threads), *labelled, *train, str(model)], check=True)
        seconds = time.time() - started
        positive = SETS[name].options
        scored = subprocess.run(
            [command, "predict", "-q", *labelled, *positive, *choice, str(model), test],
            check=True,
            capture_output=True,
            text=True,
        )
        right, rows = map(int, re.search(r"\((\d+)/(\d+)\)", scored.stdout + scored.stderr).groups())
        return {
            "accuracy": round(100.0 * right / rows, 4),
            "rows": rows,
            "bytes": model.stat().st_size,
            "seconds": round(seconds, 1),
        }


# Which variants of a rule are compared on which sets: variant, set, shape, seeds. The default
# command is "".
RULES = (
    [(v, "FOREST", ["--layers", "128,64"], s) for s in (1, 2) for v in ("", "noise")]
    + [
        (v, name, ["--layers", layers], s)
        for s in (1, 2)
        for name, layers in (("LETTER", "64,64"), ("USPS", "64,32"), ("IJCNN1", "256,64"), ("FOREST", "128,64"))
        for v in ("", "rate3", "rate5")
    ]
    + [
        (v, name, ["--layers", f"{DIAGONAL}:{d},{DIAGONAL}:{d}"], 1)
        for name, d in (("CIFAR", 400), ("MNIST", 784))
        for v in ("", "steps")
    ]
    + [(v, "CIFAR", ["--layers", f"{DIAGONAL}:400,{DIAGONAL}:400"], 2) for v in ("", "steps")]
    + [("", "IJCNN1", ["--layers", "256,64", "--noise", "0"], s) for s in (1, 2)]
    + [("", "LETTER", ["--layers", "64,64", "--noise", "0"], s) for s in (1, 2)]
    + [("", "FOREST", ["--layers", "256,128", *noise], 1) for noise in ([], ["--noise", "0"])]
)


def jobs_of(part, options, variants):
    """Yields key, command, set, options of the shape, seed, and whether training rows are held out."""
    default = options.cnm
    if part == "rules":
        for variant, name, shape, seed in RULES:
            command = variants.get(variant, default if not variant else None)
            if command:
                yield (
                    key_of("rules", name, f"{' '.join(shape[1:])} {variant or 'default'}", seed),
                    command,
                    name,
                    shape,
                    seed,
                    True,
                )
    elif part == "table":
        for seed in SEEDS:
            for name, layers, one, *_ in TABLE:
                for shape in (["--layers", layers], one):
                    yield key_of("table", name, " ".join(shape), seed), default, name, shape, seed, False
    elif part == "steps":
        for seed in SEEDS:
            for name, one in STEPS_OF_STACKS:
                yield key_of("table", name, " ".join(one), seed), default, name, one, seed, False
    elif part == "activation":
        for name, widths, _ in NETWORKS:
            for seed in SEEDS:
                for activation in ("cos", "relu", "sigmoid"):
                    shape = ["--layers", ",".join(map(str, widths))]
                    shape += ["--activation", activation] if activation != "cos" else []
                    yield key_of("table", name, " ".join(shape), seed), default, name, shape, seed, False


def run_parts(options, record):
    variants = dict(v.split("=", 1) for v in options.variant)
    jobs = [j for part in options.parts for j in jobs_of(part, options, variants)]
    jobs = [j for j in jobs if j[0] not in record.runs and (not options.only or options.only in j[0])]

    def run(job):
        key, command, name, shape, seed, held = job
        try:
            record.add(key, train_and_score(command, options, name, shape, seed, held))
        except subprocess.CalledProcessError as failed:
            print(key, "failed:", failed, failed.stderr, file=sys.stderr, flush=True)

    with ThreadPoolExecutor(options.workers) as pool:
        list(pool.map(run, jobs))


# ---- Tables ----


def of_seeds(record, part, name, what):
    """Returns the runs of SEEDS that are there, by seed."""
    keys = {seed: key_of(part, name, what, seed) for seed in SEEDS}
    return {seed: record.runs[key] for seed, key in keys.items() if key in record.runs}


def average(runs, of="accuracy"):
    return mean(run[of] for run in runs.values())


def error_of(values):
    """Returns the standard error of a mean."""
    return stdev(values) / len(values) ** 0.5 if len(values) > 1 else float("nan")


def print_table(record):
    """Prints stacks beside one layer, bold where they are better by more than two standard errors."""
    print("| set | layers | accuracy % | bytes | one layer | accuracy % | bytes | difference |")
    print("|---|---|---|---|---|---|---|---|")
    notes = []
    for name, layers, one, least, most in TABLE:
        stack = of_seeds(record, "table", name, f"--layers {layers}")
        layer = of_seeds(record, "table", name, " ".join(one))
        gains = [stack[seed]["accuracy"] - layer[seed]["accuracy"] for seed in stack if seed in layer]
        if not gains:
            continue
        gain, error = mean(gains), error_of(gains)
        bold = "**" if gain > 2 * error else ""
        projections = layers.split(",")
        shape = f"{projections[0]} twice" if projections == projections[:1] * 2 and ":" in layers else layers
        other = f"{DIAGONAL}, {one[-1]}" if "-p" in one else one[-1]
        print(
            f"| {name} | {shape} | {bold}{average(stack):.2f}{bold} | {average(stack, 'bytes'):,.0f} | {other} | "
            f"{average(layer):.2f} | {average(layer, 'bytes'):,.0f} | {gain:+.2f} ± {error:.2f} |"
        )
        met = average(stack) >= least and average(stack, "bytes") <= most
        each = [run["accuracy"] for run in stack.values()]
        notes.append(f"{name} {shape}: wanted {least} in {most:,} bytes, {'met' if met else 'missed'}; {each}")
    print("", *notes, "", sep="\n")
    for name, one in STEPS_OF_STACKS:
        for seed, run in of_seeds(record, "table", name, " ".join(one)).items():
            print(name, *one, "seed", seed, run)


def print_activations(record):
    print("\n| set | layers | cos | relu | sigmoid | MLPClassifier |\n|---|---|---|---|---|---|")
    for name, widths, _ in NETWORKS:
        layers = ",".join(map(str, widths))
        shapes = [f"--layers {layers}{rest}" for rest in ("", " --activation relu", " --activation sigmoid")]
        given = [of_seeds(record, "table", name, shape) for shape in shapes]
        cells = []
        for runs in [*given, of_seeds(record, "mlp", name, layers)]:
            values = [run["accuracy"] for run in runs.values()]
            cells.append(f"{mean(values):.2f} ± {error_of(values):.2f} ({len(values)})" if values else "")
        print(f"| {name} | {layers} | " + " | ".join(cells) + " |")
    for key, run in sorted(record.runs.items()):
        if not key.startswith(("table", "mlp")):
            print(key, run)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="+", choices="rules table steps activation mlp lightgbm tables".split())
    parser.add_argument("--cnm", default="build/release/cnm")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--variant", action="append", default=[], metavar="NAME=COMMAND")
    parser.add_argument("--keep", type=Path, help="a folder for the models; none are kept without it")
    parser.add_argument("--one-model", help="the program of bench/one_model.c: lightgbm times the kept stack, too")
    parser.add_argument("--record", type=Path, default=RECORD)
    parser.add_argument("--only", default="", help="keys that hold this text")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    record = Record(options.record)
    run_parts(options, record)
    if "tables" in options.parts:
        print_table(record)
        print_activations(record)
    if "mlp" in options.parts:
        run_networks(options, record)
    if "lightgbm" in options.parts:
        run_lightgbm(options, record)


if __name__ == "__main__":
    main()
