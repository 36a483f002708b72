"""The sections "predict" and "classifiers": prediction at equal accuracy against LIBSVM.

Rows are written as LIBSVM text. Models of both are trained on the training file (kept in the peers'
folder, as it takes minutes), and predict the test file: in memory, one thread each, by
bench/peers/peer_predict.c; and as whole commands, reading and writing included. LIBLINEAR is
measured too.
"""

import os
import random

from lines import HERE, line

# Files and rows of a set; LIBSVM's C and gamma; our options and number of features: a power of two
# within 0.3 points of LIBSVM on the test rows, as prediction is compared at equal accuracy.
SETS = {
    "usps": {
        "train": ("usps/zip.train.gz", []),
        "test": ("usps/zip.test.gz", []),
        "svm": ["-c", "10", "-g", "0.0078"],
        "features": 128,
        "ours": ["--effort", "quick"],
    },
    "letter": {
        "train": ("letter/letter-recognition.data", ["--rows", "1:16000"]),
        "test": ("letter/letter-recognition.data", ["--rows", "16001:"]),
        "svm": ["-c", "10", "-g", "0.05"],
        "features": 512,
    },
    "ijcnn1": {
        "train": ("ijcnn1/ijcnn1.gz", []),
        "test": ("ijcnn1/ijcnn1.t.gz", []),
        "svm": ["-c", "100", "-g", "0.5"],
        "features": 64,
        "ours": ["--scale", "none"],
    },
}
MADE_UP = {"generated": {"svm": ["-c", "10", "-g", "0.05"], "features": 128}}


def generate(path, rows, seed):
    """Writes rows of ten classes, each of four normal clusters in 20 columns."""
    centres = random.Random(1)
    clusters = [[centres.gauss(0, 1.5) for _ in range(20)] for _ in range(40)]
    rest = random.Random(seed)
    with open(path, "w", encoding="ascii") as file:
        for _ in range(rows):
            cluster = rest.randrange(40)
            cells = " ".join(f"{j + 1}:{x + rest.gauss(0, 1):.5f}" for j, x in enumerate(clusters[cluster]))
            file.write(f"{cluster % 10 + 1} {cells}\n")


def numbered(path):
    """Replaces labels that are letters by numbers, as LIBSVM needs."""
    with open(path, encoding="utf-8") as file:
        rows = [text.split(" ", 1) for text in file]
    if rows and rows[0][0].isalpha():
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f"{ord(label) - ord('A') + 1} {rest}" for label, rest in rows)


def prepare_rows(bench, name, part):
    """Returns the path of a set as LIBSVM text, written once."""
    path = bench.peers / "data" / f"{name}.{part}.svm"
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_suffix(".new.libsvm")
    if name in MADE_UP:
        generate(aside, 8000 if part == "train" else 4000, 2 if part == "train" else 3)
    else:
        file, options = SETS[name][part]
        first = [] if "ijcnn" in name else ["--label-column", "first"]
        bench.run([bench.build / "cnm", "convert", "-q", *first, *options, bench.data / file, "-o", aside])
        numbered(aside)
    os.rename(aside, path)
    return path


def tool(bench, name):
    """Returns the path of a program of LIBSVM or LIBLINEAR."""
    own = bench.root / "bin" / name
    return own if own.exists() else name


def model_paths(bench, name, settings):
    """Returns the paths of LIBSVM's, LIBLINEAR's and our model; options are part of the names."""
    folder = bench.peers / "models"
    options = "".join(settings.get("ours", []))
    return (
        folder / f"{name}{''.join(settings['svm'])}.svm",
        folder / f"{name}.linear",
        folder / f"{name}-{settings['features']}{options}.cnm",
    )


def learn(bench, name, settings, train):
    """Returns the paths of the models, trained where they are missing."""
    svm, linear, ours = model_paths(bench, name, settings)
    svm.parent.mkdir(parents=True, exist_ok=True)
    libraries = {"LD_LIBRARY_PATH": str(bench.libraries)}
    if not svm.exists():
        print(f"  LIBSVM learns {name}", flush=True)
        bench.run([tool(bench, "svm-train"), "-q", *settings["svm"], train, f"{svm}.new"], **libraries)
        os.rename(f"{svm}.new", svm)
    if not linear.exists():
        bench.run([tool(bench, "liblinear-train"), "-q", "-s", "2", train, f"{linear}.new"], **libraries)
        os.rename(f"{linear}.new", linear)
    if not ours.exists():
        print(f"  ours learns {name}", flush=True)
        bench.run(
            [
                bench.build / "cnm",
                "train",
                "-q",
                "--estimate",
                "no",
                "-k",
                settings["features"],
                *settings.get("ours", []),
                train,
                f"{ours}.new",
            ]
        )
        os.rename(f"{ours}.new", ours)
    return svm, linear, ours


def accuracy(test, predictions):
    """Returns the percent of rows whose label is predicted, compared as numbers."""
    with open(test, encoding="ascii") as rows, open(predictions, encoding="ascii") as lines:
        same = [float(row.split(None, 1)[0]) == float(text) for row, text in zip(rows, lines, strict=True)]
    return 100 * sum(same) / len(same)


def commands(bench, name, models, test):
    """Returns seconds and accuracy of each whole command: ours, LIBSVM's, LIBLINEAR's."""
    svm, linear, ours = models
    libraries = {"LD_LIBRARY_PATH": str(bench.libraries)}
    target = bench.peers / f"{name}.predictions"
    out = []
    for command, tries, environment in (
        ([bench.build / "cnm", "predict", "-q", ours, test, "-o", target], 3 if bench.quick else 7, {}),
        ([tool(bench, "svm-predict"), "-q", test, svm, target], 1, libraries),
        ([tool(bench, "liblinear-predict"), "-q", test, linear, target], 3, libraries),
    ):
        seconds = bench.seconds(command, tries, **environment)
        out.append((seconds, accuracy(test, target)))
    return out


def one_set(bench, name, settings):
    train, test = prepare_rows(bench, name, "train"), prepare_rows(bench, name, "test")
    models = learn(bench, name, settings, train)
    own, theirs, plain = commands(bench, name, models, test)
    found = bench.figures([bench.program("peer_predict"), models[0], models[2], test, *bench.flags()])
    behind = theirs[1] - own[1]
    note = "" if behind <= 0.3 else f"{behind:.2f} points below LIBSVM"
    wanted = (300.0, 30.0) if name in SETS else (None, None)
    return [
        line(
            f"{name}: prediction in memory against LIBSVM, one thread",
            f"{1e6 * found['cnm_seconds']:.2f} µs a row; {found['cnm_features']:.0f} features, {own[1]:.2f} %",
            f"{1e6 * found['svm_seconds']:.0f} µs; {found['svm_vectors']:.0f} vectors, {theirs[1]:.2f} %",
            found["svm_seconds"] / found["cnm_seconds"],
            wanted[0],
            note=note,
        ),
        line(
            f"{name}: whole command against svm-predict",
            f"{own[0]:.3f} s",
            f"{theirs[0]:.2f} s",
            theirs[0] / own[0],
            wanted[1],
            note=note,
        ),
        line(
            f"{name}: whole command against LIBLINEAR's predict, a linear model of {plain[1]:.2f} %",
            f"{own[0]:.3f} s",
            f"{plain[0]:.3f} s",
            plain[0] / own[0],
        ),
    ]


def memory(bench, name, settings):
    """Compares memory for eight times the rows: prediction keeps a batch, not all rows."""
    test = prepare_rows(bench, name, "test")
    model = learn(bench, name, settings, prepare_rows(bench, name, "train"))[2]
    target, longer = bench.peers / "predictions", bench.peers / "data" / f"{name}.eight.svm"
    longer.write_bytes(test.read_bytes() * 8)
    once, often = (
        bench.memory([bench.build / "cnm", "predict", "-q", model, path, "-o", target]) for path in (test, longer)
    )
    longer.unlink()
    what = f"{name}: memory of cnm predict, 8 times the rows against once"
    return [line(what, f"{often / 1e6:.1f} MB", f"{once / 1e6:.1f} MB", often / once)]


def predict(bench):
    there = bench.data is not None and all((bench.data / of["test"][0]).exists() for of in SETS.values())
    sets = SETS if there else MADE_UP
    out, last = [], ""
    for name, settings in sets.items():
        there = all(path.exists() for path in model_paths(bench, name, settings))
        if bench.quick and not there and name in ("letter", "ijcnn1"):
            print(f"  {name} is left out: its models take minutes; a run without --quick makes them")
            continue
        out += one_set(bench, name, settings)
        last = name
    return out + memory(bench, last, sets[last])


NAMES = {"svc": "SVC", "sampler": "RBFSampler and LinearSVC", "mlp": "MLPClassifier"}


def classifiers(bench):
    """Compares our whole command with training in scikit-learn, without a bound."""
    there = bench.data is not None and (bench.data / SETS["usps"]["train"][0]).exists()
    name = "usps" if there else "generated"
    train, test = prepare_rows(bench, name, "train"), prepare_rows(bench, name, "test")
    count = 2000 if bench.quick else 100000
    peers = [bench.venv, os.path.join(HERE, "peers", "classifiers.py"), train, test, 128, count]
    found = bench.figures(peers)
    model, target = bench.peers / "classifier.cnm", bench.peers / "predictions"
    rows = ["--rows", f"1:{count}"] if bench.quick else []
    line = ["train", "-q", "--estimate", "no", "--effort", "quick", "-k", 128, *rows, train, model]
    fit = bench.seconds([bench.build / "cnm", *line], 1)
    bench.run([bench.build / "cnm", "predict", "-q", model, test, "-o", target])
    own = accuracy(test, target)
    out = []
    for key, words in NAMES.items():
        peer = f"{found[key + '_fit']:.1f} s, {found[key + '_accuracy']:.2f} %"
        ours = f"{fit:.1f} s, {own:.2f} %"
        out.append(line(f"{name}: learning, 128 features, against {words}", ours, peer, found[f"{key}_fit"] / fit))
    return out
