"""Runs programs: `cnm`, LIBSVM's and LIBLINEAR's, and measures their processor time."""

import json
import os
import shutil
import struct
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np


class Failure(Exception):
    """A program failed; the text is its error message."""


LIVE = set()  # running processes, which a stopped run ends


def stop_all():
    for process in list(LIVE):
        process.kill()


def run(command):
    """Returns (standard output, processor seconds, wall seconds) of a command; raises Failure."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen([str(c) for c in command], stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        LIVE.add(process)
        try:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        finally:
            LIVE.discard(process)
        out.seek(0)
        if process.returncode:
            err.seek(0)
            text = err.read().decode(errors="replace").strip().splitlines()[-3:]
            raise Failure(f"{' '.join(map(str, command))}: status {process.returncode}: {' / '.join(text)}")
        return out.read().decode(), usage.ru_utime + usage.ru_stime, time.monotonic() - start


@dataclass(frozen=True)
class Tools:
    """The command, the folder of prepared rows, and a folder for temporary files."""

    cnm: Path
    prepared: Path
    scratch: Path

    def command(self, arguments):
        return run([self.cnm, *arguments])

    def train(self, arguments, model):
        """Trains with one thread; returns (the command's own summary, processor seconds)."""
        line = ["train", "-q", "--json", "--estimate", "no", "--threads", "1", *arguments, model]
        out, seconds, _ = run([self.cnm, *line])
        return json.loads(out), seconds

    def accuracy(self, model, rows, labels):
        """Returns the percent of rows whose label the model predicts."""
        out, _, _ = run([self.cnm, "predict", "-q", "--json", "--threads", "1", "--labels", labels, model, rows])
        return 100.0 * json.loads(out)["accuracy"]

    def inspect(self, model):
        return json.loads(run([self.cnm, "inspect", "--json", model])[0])

    def transform(self, model, rows, target):
        run([self.cnm, "transform", "-q", "--threads", "1", "--label-column", "none", model, rows, "-o", target])
        return np.load(target)

    @contextmanager
    def folder(self):
        path = Path(tempfile.mkdtemp(dir=self.scratch))
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)


def tensor(model, name):
    """Returns one array of a model file (safetensors: length, JSON header, raw little-endian
    arrays) as float32.

    An array of 16 bits is multiplied by the power of two that the metadata "exponent_NAME"
    names."""
    data = Path(model).read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + length])
    entry, metadata = header[name], header.get("__metadata__", {})
    start, end = (8 + length + offset for offset in entry["data_offsets"])
    values = np.frombuffer(data[start:end], dtype={"F16": "<f2", "F32": "<f4"}[entry["dtype"]])
    exponent = int(metadata.get(f"exponent_{name}", "0"))
    return np.ldexp(values.astype(np.float32), exponent).reshape(entry["shape"])
