"""The section "learning": a whole training, search included, against one fit of LIBSVM.

LIBSVM has C and gamma given. Both read the same LIBSVM text and use one thread. They start
together, and processor seconds are compared, which a busy machine changes little; so all sets run
at once. LIBSVM is stopped at a multiple of our seconds. Accuracies are shown to compare fits of
similar quality.
"""

import collections
import concurrent.futures
import gzip
import os
import subprocess
import tempfile
import time

from lines import line
from prediction import accuracy, numbered, prepare_rows, tool

# Our number of features; LIBSVM's C and gamma; the bound of its processor seconds over ours, and
# the ratio at which it is stopped. MNIST has values from 0 to 1, FOREST (class 2 against the rest)
# columns from 0 to 1.
SETS = {
    "forest": {"features": 512, "svm": ["-c", "32", "-g", "32"], "wanted": 1.0, "stop": 5},
    "mnist": {"features": 128, "svm": ["-c", "10", "-g", "0.02"], "wanted": 1.0, "stop": 5},
    "ijcnn1": {"features": 64, "svm": ["-c", "100", "-g", "0.5"], "wanted": 1.0, "stop": 10},
    "letter": {"features": 256, "svm": ["-c", "10", "-g", "0.05"], "wanted": 0.2, "stop": 10},
}
MADE_UP = {"generated": {"features": 128, "svm": ["-c", "10", "-g", "0.05"], "wanted": None, "stop": 10}}
LONG = ("forest", "mnist")
TICK = os.sysconf("SC_CLK_TCK")

# ---- Rows as LIBSVM text ----


def letter_rows(bench, part, path):
    """Writes the first 12,000 rows, or the 6,000 after them."""
    rows = "1:12000" if part == "train" else "12001:18000"
    file = bench.data / "letter" / "letter-recognition.data"
    convert = ["convert", "-q", "--to", "libsvm", "--label-column", "first", "--rows", rows]
    bench.run([bench.build / "cnm", *convert, file, "-o", path])
    numbered(path)


def mnist_rows(bench, part, path):
    """Writes rows of IDX files: images of 784 bytes after 16, labels after 8."""
    name = "train" if part == "train" else "t10k"
    folder = bench.data / "mnist"
    images = gzip.decompress((folder / f"{name}-images-idx3-ubyte.gz").read_bytes())[16:]
    labels = gzip.decompress((folder / f"{name}-labels-idx1-ubyte.gz").read_bytes())[8:]
    shade = [f"{value / 255:.5g}" for value in range(256)]
    with open(path, "w", encoding="ascii") as file:
        for i, label in enumerate(labels):
            image = enumerate(images[784 * i : 784 * (i + 1)], start=1)
            file.write(f"{label} " + " ".join(f"{j}:{shade[value]}" for j, value in image if value) + "\n")


FOREST_TRAIN = 522910


def forest_cells(path):
    """Returns for each column the text of every value, scaled to 0 to 1 on training rows."""
    seen = collections.defaultdict(set)
    kept = collections.defaultdict(set)
    with gzip.open(path, "rt", encoding="ascii") as file:
        for i, text in enumerate(file):
            for j, cell in enumerate(text.split(",")[:-1]):
                seen[j].add(cell)
            if i + 1 == FOREST_TRAIN:
                kept = {j: set(cells) for j, cells in seen.items()}
    out = []
    for j, cells in seen.items():
        low, high = min(map(int, kept[j])), max(map(int, kept[j]))
        scaled = {cell: (int(cell) - low) / max(high - low, 1) for cell in cells}
        out.append({cell: f" {j + 1}:{value:.5g}" if value else "" for cell, value in scaled.items()})
    return out


def forest_rows(bench, part, path):
    source = bench.data / "covtype" / "covtype.data.gz"
    cells = forest_cells(source)
    with gzip.open(source, "rt", encoding="ascii") as rows, open(path, "w", encoding="ascii") as file:
        for i, text in enumerate(rows):
            if (i < FOREST_TRAIN) == (part == "train"):
                *values, label = text.split(",")
                row = "".join([of[value] for of, value in zip(cells, values, strict=True)])
                file.write(f"{1 if int(label) == 2 else -1}{row}\n")


MAKERS = {"letter": letter_rows, "mnist": mnist_rows, "forest": forest_rows}


def rows_of(bench, name, part):
    """Returns the path of a set's LIBSVM text, written once."""
    if name not in MAKERS:
        return prepare_rows(bench, name, part)
    path = bench.peers / "data" / f"{name}.learning.{part}.svm"
    if not path.exists():
        print(f"  {name}: writing {path.name}", flush=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_suffix(".new")
        MAKERS[name](bench, part, aside)
        os.rename(aside, path)
    return path


# ---- Processor seconds ----


class Command:
    """A running program and its processor seconds."""

    def __init__(self, words, **environment):
        self.words = [str(word) for word in words]
        self.errors = tempfile.TemporaryFile()
        quiet = {"stdout": subprocess.DEVNULL, "stderr": self.errors}
        self.child = subprocess.Popen(self.words, env={**os.environ, **environment}, **quiet)
        self.seconds = 0.0
        self.ended = False

    def poll(self):
        """Updates `seconds` and returns whether the program still runs; raises when it failed."""
        if self.ended:
            return False
        with open(f"/proc/{self.child.pid}/stat", encoding="ascii") as file:
            cells = file.read().rsplit(")", 1)[1].split()
        self.seconds = (int(cells[11]) + int(cells[12])) / TICK
        pid, status, used = os.wait4(self.child.pid, os.WNOHANG)
        if pid == 0:
            return True
        self.ended = True
        self.seconds = used.ru_utime + used.ru_stime
        self.child.returncode = os.waitstatus_to_exitcode(status)
        if self.child.returncode != 0:
            self.errors.seek(0)
            last = self.errors.read().decode(errors="replace").strip()[-300:]
            raise RuntimeError(f"{' '.join(self.words)}: {last}")
        return False

    def stop(self):
        if not self.ended:
            self.child.kill()
            self.child.wait()
            self.ended = True

    def finish(self):
        while self.poll():
            time.sleep(0.1)


def race(name, own, peer, times):
    """Waits for our command, and for the peer's up to `times` our processor seconds; returns
    whether the peer finished."""
    shown = time.monotonic()
    try:
        while True:
            going = [own.poll(), peer.poll()]
            if not any(going):
                return True
            if not going[0] and peer.seconds > times * own.seconds:
                return False
            if time.monotonic() - shown > 60:
                shown = time.monotonic()
                limit = "" if going[0] else f", at most {times * own.seconds - peer.seconds:.0f} s more"
                print(f"  {name}: ours {own.seconds:.0f} s, LIBSVM {peer.seconds:.0f} s{limit}", flush=True)
            time.sleep(0.1)
    finally:
        own.stop()
        peer.stop()


# ---- Lines ----


def one_set(bench, name, settings):
    train, test = rows_of(bench, name, "train"), rows_of(bench, name, "test")
    folder = bench.peers / "learning"
    folder.mkdir(exist_ok=True)
    model, theirs, target = folder / f"{name}.cnm", folder / f"{name}.svm", folder / f"{name}.predictions"
    libraries = {"LD_LIBRARY_PATH": str(bench.libraries)}
    options, features, stop = settings["svm"], settings["features"], settings["stop"]
    print(f"  {name}: both learn; LIBSVM has {stop} times our seconds at most", flush=True)
    peer = Command([tool(bench, "svm-train"), "-q", "-m", 1000, *options, train, theirs], **libraries)
    quiet = ["train", "-q", "--estimate", "no", "--threads", 1]
    own = Command([bench.build / "cnm", *quiet, "-k", features, train, model])
    ended = race(name, own, peer, stop)
    Command([bench.build / "cnm", "predict", "-q", model, test, "-o", target]).finish()
    ours = f"{own.seconds:.1f} s, {accuracy(test, target):.2f} %"
    if ended:
        print(f"  {name}: LIBSVM predicts", flush=True)
        Command([tool(bench, "svm-predict"), "-q", test, theirs, target], **libraries).finish()
        result = f"{peer.seconds:.1f} s, {accuracy(test, target):.2f} %"
    else:
        result = f"more than {stop} times: stopped at {peer.seconds:.0f} s"
    print(f"  {name}: ours {ours}; LIBSVM {result}", flush=True)
    return line(
        f"{name}: whole cnm train, {features} features, against one fit of svm-train, processor seconds",
        ours,
        result,
        peer.seconds / own.seconds,
        settings["wanted"],
        note=f"one thread each, at the same time on a shared machine; svm-train {' '.join(options)} -m 1000",
    )


def learning(bench):
    folders = ("covtype", "mnist", "ijcnn1", "letter")
    there = bench.data is not None and all((bench.data / folder).exists() for folder in folders)
    sets = SETS if there else MADE_UP
    names = [name for name in sets if not (bench.quick and name in LONG)]
    if len(names) < len(sets):
        print(f"  {' and '.join(LONG)} are left out: they take minutes; a run without --quick has them")
    with concurrent.futures.ThreadPoolExecutor(len(names)) as pool:
        return list(pool.map(lambda name: one_set(bench, name, sets[name]), names))
