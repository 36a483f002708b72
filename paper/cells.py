"""Cells: one measurement each, kept as one JSON file that is named by a hash of its inputs.

The hash is of the kind of measurement, its parameters, the checksums of the data files and of the
command, and PROTOCOL: a measurement that is there is not repeated. Files are written under another
name and renamed, so that a run may be killed at any moment. Standard library only.
"""

import hashlib
import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

PROTOCOL = 1  # increased when a measurement changes but not its name and parameters


@dataclass(frozen=True)
class Cell:
    kind: str  # a name of measures.KINDS
    params: dict  # JSON values only
    figures: tuple = ()  # figures that show it
    cost: float = 1.0  # rough processor seconds
    memory: float = 0.5  # rough GiB
    parts: dict = field(default_factory=dict)  # checksums that identify it too

    def key(self):
        what = {"kind": self.kind, "params": self.params, "parts": self.parts, "protocol": PROTOCOL}
        text = json.dumps(what, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:24]


class Store:
    """The folder of finished cells."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def path(self, cell):
        return self.folder / f"{cell.kind}-{cell.key()}.json"

    def get(self, cell):
        """Returns the cell's results, or None without a complete file."""
        try:
            record = json.loads(self.path(cell).read_text())
            return record["results"]
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def finished(self):
        """Yields (cell, results) of every complete file, in the order of their names."""
        for path in sorted(self.folder.glob("*.json")):
            try:
                record = json.loads(path.read_text())
                cell = Cell(record["kind"], record["params"], parts=record["parts"])
                results, protocol = record["results"], record["protocol"]
            except (OSError, ValueError, KeyError, TypeError):
                continue
            if protocol == PROTOCOL:
                yield cell, results

    def put(self, cell, results):
        record = {
            "kind": cell.kind,
            "params": cell.params,
            "parts": cell.parts,
            "protocol": PROTOCOL,
            "results": results,
        }
        handle, name = tempfile.mkstemp(prefix=".new-", dir=self.folder)
        try:
            with os.fdopen(handle, "w") as file:
                json.dump(record, file, indent=1, sort_keys=True)
                file.write("\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, self.path(cell))
        except BaseException:
            os.unlink(name)
            raise

    def sweep(self):
        """Removes incomplete files of a killed run."""
        for leftover in self.folder.glob(".new-*"):
            leftover.unlink()
