"""Sections of the measurements: each function runs programs and returns lines of the table."""

import os
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def line(what, ours, peer, value, wanted=None, *, less=False, floor=None, note=""):
    """Returns one line: a value, such as a ratio, and its bound `wanted`, a lower one unless
    `less`."""
    reached = None if wanted is None else (value <= wanted if less else value >= wanted)
    return {
        "what": what,
        "ours": ours,
        "peer": peer,
        "value": value,
        "wanted": wanted,
        "less": less,
        "reached": reached,
        "floor": floor,
        "note": note,
    }


class Bench:
    """Paths of programs and data, and how programs are run."""

    def __init__(self, given):
        self.quick, self.only = given.quick, given.only
        self.build, self.peers, self.data = given.build.resolve(), given.peers.resolve(), given.data
        self.venv = self.peers / "venv" / "bin" / "python"
        torch = os.environ.get("CNM_BENCH_TORCH")
        self.torch = torch if torch else str(self.peers / "torch" / "bin" / "python")
        self.root = self.peers / "root" / "usr"
        self.libraries = self.root / "lib" / "x86_64-linux-gnu"

    def run(self, command, **environment):
        """Returns the program's output; raises with the end of its error text when it fails."""
        words = [str(word) for word in command]
        done = subprocess.run(
            words, env={**os.environ, **environment}, capture_output=True, text=True, check=False, timeout=900
        )
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}: {(done.stderr or done.stdout).strip()[-300:]}")
        return done.stdout

    def figures(self, command, **environment):
        """Returns the lines "@ NAME VALUE" of a program's output; prints the others."""
        found = {}
        for text in self.run(command, **environment).splitlines():
            if text.startswith("@ "):
                name, value = text[2:].split()
                found[name] = float(value)
            else:
                print(f"  {text}", flush=True)
        return found

    def program(self, name):
        return self.build / "bench" / name

    def flags(self):
        return ["--quick"] if self.quick else []

    def seconds(self, command, tries, **environment):
        """Returns seconds of a whole command, the best of some runs."""
        best = float("inf")
        for _ in range(tries):
            start = time.perf_counter()
            self.run(command, **environment)
            best = min(best, time.perf_counter() - start)
        return best

    def memory(self, command):
        """Returns the most bytes that a command had in memory."""
        child = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise RuntimeError(f"{command[0]} {command[1]}: exit status {child.returncode}")
        return used.ru_maxrss * 1024


def best_of(found, more):
    """Keeps the larger of two rates for each name, in `found`."""
    for name, value in more.items():
        found[name] = max(found.get(name, 0.0), value)


# ---- Maps ----


def sampler_settings(bench):
    """Returns settings of RBFSampler: name, Python, environment."""
    blas, plain = bench.libraries / "openblas-pthread", bench.libraries / "blas"
    system, packages = "/usr/bin/python3", "/usr/lib/python3/dist-packages/sklearn"
    out = []
    if plain.exists() and os.path.exists(packages):
        out.append(("Debian's libblas3", system, {"LD_LIBRARY_PATH": str(plain)}))
    if blas.exists() and os.path.exists(packages):
        blas = str(blas)
        out.append(("Debian's OpenBLAS as shipped", system, {"LD_LIBRARY_PATH": blas}))
        for core in ("SkylakeX", "Haswell", "Zen"):
            out.append((f"Debian's OpenBLAS, {core}", system, {"LD_LIBRARY_PATH": blas, "OPENBLAS_CORETYPE": core}))
    if bench.venv.exists():
        out.append(("PyPI's OpenBLAS as shipped", bench.venv, {}))
        out.append(("PyPI's OpenBLAS, SkylakeX", bench.venv, {"OPENBLAS_CORETYPE": "SkylakeX"}))
    return out


def sampler_rates(bench, rates):
    """Measures rows a second of every setting and keeps the best in `rates`."""
    for name, python, environment in sampler_settings(bench):
        try:
            command = [python, os.path.join(HERE, "peers", "sampler.py"), 784, 784, 2048, 1 if bench.quick else 3]
            found = bench.figures(command, OPENBLAS_NUM_THREADS="2", **environment)
        except RuntimeError as problem:
            print(f"  no peer '{name}': {problem}")
            continue
        rates[name] = max(rates.get(name, 0.0), found["rows"])


def maps(bench):
    ours, theirs = {}, {}
    for _ in range(2 if bench.quick else 3):
        best_of(ours, bench.figures([bench.program("maps"), *bench.flags()]))
        sampler_rates(bench, theirs)
    fraction = ours["dense_rows_1"] * 784 * 784 / ours["peak"]
    both = ours["dense_all_2"] * 784 * 784 / (2 * ours["peak"])
    dense, circulant = 1e6 / ours["dense_rows_1"], 1e6 / ours["circulant_rows_1"]
    out = [
        line(
            "dense map, d = k = 784, cosine included: fraction of the peak of multiply-adds",
            f"{dense:.2f} µs a row",
            f"{ours['peak'] / 1e9:.1f} G multiply-adds/s",
            fraction,
            0.85,
            floor=fraction,
        )
    ]

    def against(what, name, wanted):
        value, share = ours["dense_all_2"] / theirs[name], theirs[name] * 784 * 784 / (2 * ours["peak"])
        rate, peer = (
            f"{ours['dense_all_2'] / 1e3:.0f} k rows/s",
            f"RBFSampler, {name}: {theirs[name] / 1e3:.0f} k rows/s",
        )
        note = f"the peer is at {share:.2f} of the peak: float32 allows at most {1 / share:.2f} times"
        return line(
            what, rate, peer, value, wanted, floor=both, note=note if wanted is not None and 1 / share < wanted else ""
        )

    shipped = [name for name in theirs if name.startswith("Debian") and name.endswith("shipped")]
    for name in shipped or list(theirs)[:1]:
        out.append(against("the same against scikit-learn, float32, 2 threads", name, 5.0))
    for name in (name for name in theirs if name.endswith("libblas3")):
        out.append(against("the same, with the BLAS that Debian's NumPy brings", name, None))
    if theirs:
        out.append(against("the same, the best setting of its BLAS", max(theirs, key=theirs.get), 1.6))
    out.append(
        line(
            "circulant map, d = k = 784, against our dense map",
            f"{circulant:.2f} µs a row",
            f"{dense:.2f} µs a row",
            dense / circulant,
            6.0,
        )
    )
    for name in ("dense", "circulant"):
        one, two = ours[f"{name}_all_1"], ours[f"{name}_all_2"]
        out.append(
            line(
                f"{name} map, two threads against one",
                f"{two / 1e3:.0f} k rows/s",
                f"{one / 1e3:.0f} k",
                two / one,
                1.8,
            )
        )
    return out


# ---- Convolution ----


def convolve(bench):
    found = bench.figures([bench.program("inner_convolve"), *bench.flags()])
    out = []
    for d, wanted in ((256, None), (784, 2.5), (1024, None), (4096, 1.8)):
        ours, peer = found[f"convolve_{d}"], found[f"convolve_{d}_fftw"]
        out.append(
            line(
                f"circular convolution, d = {d}, against FFTW",
                f"{1e6 * ours:.3f} µs a row",
                f"{1e6 * peer:.3f} µs",
                peer / ours,
                wanted,
            )
        )
    ours, alone = found["convolve_784"], found["convolve_784_alone"]
    out.append(
        line(
            "one row alone, d = 784, against a row among others (times as long)",
            f"{1e6 * alone:.2f} µs",
            f"{1e6 * ours:.3f} µs",
            alone / ours,
        )
    )
    return out


# ---- Stacks of layers ----

STACKS = {"dense": "54 columns, layers of 256 and 128", "circulant": "784 columns, circulant 784, then 64"}


def stacks(bench):
    found = bench.figures([bench.program("inner_stack"), *bench.flags()])
    return [
        line(
            f"prediction with a stack, {words}: times its floor without cosines",
            f"{1e6 * found[f'{key}_seconds']:.2f} µs a row",
            f"{1e6 * found[f'{key}_floor']:.2f} µs",
            found[f"{key}_seconds"] / found[f"{key}_floor"],
            less=True,
        )
        for key, words in STACKS.items()
    ]


# ---- One row ----


def one_row(bench):
    found = bench.figures([bench.program("one_row"), *bench.flags()])
    out = [line("one row, d = 22, k = 64, two classes: µs", "", "", 1e6 * found["one_row_binary"], 0.5, less=True)]
    out.append(line("one row, d = k = 256, ten classes: µs", "", "", 1e6 * found["one_row_digits"]))
    out.append(line("one row, circulant, d = k = 784, ten classes: µs", "", "", 1e6 * found["one_row_circulant"]))
    return out


# ---- Training ----


def step(bench):
    command = [bench.program("step"), *bench.flags()]
    if os.path.exists(bench.torch):
        command += ["--peer", f"{bench.torch} {os.path.join(HERE, 'step_torch.py')}"]
    found = bench.figures(command)
    out = []
    for name, what in (
        ("mnist", "MNIST-like, k = 784"),
        ("usps", "USPS-like, k = 256"),
        ("stack", "54 columns, layers of 256 and 128"),
        ("below", "784 columns, circulant 784, then 64"),
    ):
        ours = f"{1e3 * found[name + '_seconds_2']:.1f} ms an epoch"
        floor = found.get(f"{name}_floor_2")
        if f"{name}_peer" in found:
            peer = f"PyTorch: {1e3 * found[name + '_peer']:.1f} ms"
            ratio = found[f"{name}_peer"] / found[f"{name}_seconds_2"]
            out.append(line(f"joint training, {what}, 2 threads, against PyTorch", ours, peer, ratio, 3.0, floor=floor))
        if floor is not None:
            out.append(
                line(f"joint training, {what}, 2 threads: fraction of the floor", ours, "", floor, 0.7, floor=floor)
            )
        scaling = found[f"{name}_seconds_1"] / found[f"{name}_seconds_2"]
        out.append(line(f"joint training, {what}, two threads against one", ours, "", scaling, 1.8))
    return out


# ---- Readers ----


def readers(bench):
    command = [bench.venv, os.path.join(HERE, "readers.py"), *bench.flags(), bench.build / "libcnm.so"]
    found = bench.figures(command + ([bench.data] if bench.data else []))
    out = []
    for name, who, what, wanted in (
        ("libsvm", "peer", "LIBSVM text, 150 of 784 cells, 2 threads, against load_svmlight_file", 25.0),
        ("csv", "peer_core", "CSV, 54 columns, 2 threads, against pandas' C parser (one core)", 8.0),
        ("csv", "peer", "CSV, 54 columns, 2 threads, against pandas with its own threads", None),
        ("ijcnn1", "peer", "LIBSVM text, ijcnn1.t, 2 threads, against load_svmlight_file", None),
        ("covtype", "peer_core", "CSV, covtype, 2 threads, against pandas' C parser (one core)", None),
        ("covtype", "peer", "CSV, covtype, 2 threads, against pandas with its own threads", None),
    ):
        if f"{name}_ours_2" in found:
            ours, peer = found[f"{name}_ours_2"], found[f"{name}_{who}"]
            share = ours / found["memory"]
            out.append(line(what, f"{ours / 1e6:.0f} MB/s", f"{peer / 1e6:.0f} MB/s", ours / peer, wanted, floor=share))
    return out


# ---- Growth ----


def growth(bench):
    found = bench.figures([bench.program("growth"), *bench.flags()])
    return [
        line(f"growth of training time: {name.replace('_', ' ')}", "", "", value, 1.05, less=True)
        for name, value in found.items()
    ]
