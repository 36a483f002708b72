"""A stopped run of cells continues: finished cells are not repeated, the others are run.

No third-party package, no data: the measurements are counters."""

import importlib.util
import io
import json
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from paper.cells import Cell, Store  # noqa: E402
from paper.run import run_missing  # noqa: E402

# Finishes cells 0 and 1, prints a line, and then hangs in cell 2 until it is killed.
HANGING = """
import sys, time
sys.path.insert(0, sys.argv[1])
from paper.cells import Cell, Store
from paper.run import run_missing
def measure(cell):
    if cell.params["n"] == 2:
        print("hanging", flush=True)
        time.sleep(600)
    return {"n": cell.params["n"]}
run_missing([Cell("count", {"n": n}, cost=10 - n) for n in range(4)], Store(sys.argv[2]), measure, workers=1)
"""

# Measures 40 cells, two at a time; each prints its number.
COUNTING = """
import os, sys
sys.path.insert(0, sys.argv[1])
from paper.cells import Cell, Store
from paper.run import run_missing
def measure(cell):
    os.write(1, b"%d\\n" % cell.params["n"])
    return {"n": cell.params["n"]}
run_missing([Cell("count", {"n": n}) for n in range(40)], Store(sys.argv[2]), measure, workers=2)
"""


class Cells(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.store = Store(self.folder.name)
        self.measured = []

    def measure(self, cell):
        self.measured.append(cell.params["n"])
        return {"n": cell.params["n"]}

    def run_cells(self, cells):
        return run_missing(cells, self.store, self.measure, workers=2, out=io.StringIO())

    def test_finished_cells_are_not_done_again(self):
        cells = [Cell("count", {"n": n}) for n in range(5)]
        self.run_cells(cells[:3])
        self.run_cells(cells)
        self.assertEqual(sorted(self.measured), [0, 1, 2, 3, 4])
        self.assertEqual([self.store.get(c) for c in cells], [{"n": n} for n in range(5)])

    def test_a_killed_run_goes_on_where_it_stopped(self):
        process = subprocess.Popen(
            [sys.executable, "-c", HANGING, str(ROOT), self.folder.name],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.assertEqual(process.stdout.readline(), b"hanging\n")
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        self.run_cells([Cell("count", {"n": n}) for n in range(4)])
        self.assertEqual(sorted(self.measured), [2, 3])

    def test_killed_anywhere_and_started_again_every_cell_is_finished_once(self):
        cells, moments, finished = [Cell("count", {"n": n}) for n in range(40)], random.Random(4), []
        while len(finished) < len(cells):
            process = subprocess.Popen(
                [sys.executable, "-c", COUNTING, str(ROOT), self.folder.name],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            measured = [process.stdout.readline() for _ in range(moments.randint(4, 9))]
            process.send_signal(signal.SIGKILL)
            measured = [int(line) for line in [*measured, *process.stdout.readlines()] if line.endswith(b"\n")]
            process.wait()
            process.stdout.close()
            self.assertEqual(set(measured) & set(finished), set())
            finished = [cell.params["n"] for cell in cells if self.store.get(cell) is not None]
            self.assertLessEqual(len(set(measured) - set(finished)), 2)
        self.run_cells(cells)
        self.assertEqual(self.measured, [])

    def test_everything_that_went_in_changes_the_key(self):
        cell = Cell("count", {"n": 1}, parts={"files": {"a": "00"}})
        others = [
            Cell("other", {"n": 1}, parts={"files": {"a": "00"}}),
            Cell("count", {"n": 2}, parts={"files": {"a": "00"}}),
            Cell("count", {"n": 1}, parts={"files": {"a": "01"}}),
        ]
        self.assertEqual(len({c.key() for c in [cell, *others]}), 4)

    def test_what_does_not_matter_leaves_the_key(self):
        self.assertEqual(
            Cell("count", {"n": 1, "k": 2}).key(),
            Cell("count", {"k": 2, "n": 1}, figures=("figure1",), cost=9.0, memory=9.0).key(),
        )

    def test_half_a_file_counts_as_not_done(self):
        cell = Cell("count", {"n": 1})
        self.store.put(cell, {"n": 1})
        path = self.store.path(cell)
        path.write_text(path.read_text()[:20])
        self.assertIsNone(self.store.get(cell))
        self.run_cells([cell])
        self.assertEqual(self.store.get(cell), {"n": 1})

    def test_a_failure_is_named_and_the_others_go_on(self):
        def measure(cell):
            if cell.params["n"] == 1:
                raise ValueError("no")
            return self.measure(cell)

        cells = [Cell("count", {"n": n}) for n in range(3)]
        failures = run_missing(cells, self.store, measure, workers=2, out=io.StringIO())
        self.assertEqual([cell.params["n"] for cell, _ in failures], [1])
        self.assertEqual(sorted(self.measured), [0, 2])

    def test_what_is_finished_can_be_listed_and_half_a_file_is_not(self):
        cells = [Cell("count", {"n": n}, parts={"command": "00"}) for n in range(3)]
        self.run_cells(cells)
        self.store.path(cells[1]).write_text("{")
        listed = {cell.key(): results for cell, results in self.store.finished()}
        self.assertEqual(listed, {cells[0].key(): {"n": 0}, cells[2].key(): {"n": 2}})

    def test_leftovers_are_swept(self):
        Path(self.folder.name, ".new-abc").write_text("{")
        self.store.sweep()
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_cells_that_need_much_memory_still_run(self):
        self.run_cells([Cell("count", {"n": n}, memory=1e9) for n in range(3)])
        self.assertEqual(sorted(self.measured), [0, 1, 2])


@unittest.skipUnless(importlib.util.find_spec("numpy"), "NumPy is not installed")
class Tensors(unittest.TestCase):
    def write(self, kind, halves, **metadata):
        """Writes a model file with one array, a row of two values, and returns its path."""
        entry = {"dtype": kind, "shape": [1, 2], "data_offsets": [0, len(halves)]}
        header = json.dumps({"__metadata__": metadata, "theta": entry}).encode()
        file = tempfile.NamedTemporaryFile(suffix=".cnm")
        self.addCleanup(file.close)
        file.write(struct.pack("<Q", len(header)) + header + halves)
        file.flush()
        return file.name

    def test_arrays_of_32_and_16_bits_are_read(self):
        from paper.programs import tensor

        plain = self.write("F32", struct.pack("<2f", 1.5, -2.0))
        half = self.write("F16", struct.pack("<2e", 1.5, -2.0))
        scaled = self.write("F16", struct.pack("<2e", 1.5, -2.0), exponent_theta="-3")
        self.assertEqual(tensor(plain, "theta").tolist(), [[1.5, -2.0]])
        self.assertEqual(tensor(half, "theta").tolist(), [[1.5, -2.0]])
        self.assertEqual(tensor(scaled, "theta").tolist(), [[1.5 / 8, -2.0 / 8]])


if __name__ == "__main__":
    unittest.main()
