"""A run of cells can be stopped and started again: what is finished is not done twice, what is not is done.
No third-party package, no data: the measurements are counters."""

import io
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from paper.cells import Cell, Store  # noqa: E402
from paper.run import run_missing  # noqa: E402

# Finishes cells 0 and 1, says so, and then hangs in cell 2 until it is killed.
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

    def test_leftovers_are_swept(self):
        Path(self.folder.name, ".new-abc").write_text("{")
        self.store.sweep()
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_cells_that_need_much_memory_still_run(self):
        self.run_cells([Cell("count", {"n": n}, memory=1e9) for n in range(3)])
        self.assertEqual(sorted(self.measured), [0, 1, 2])


if __name__ == "__main__":
    unittest.main()
