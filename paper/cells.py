"""Cells: one measurement each, kept as one small JSON file named after everything that went into it.

A cell that is done is never done again: the file's name is a hash of the kind of measurement, its parameters, the
checksums of the data files and of the command, and PROTOCOL. Files are written beside their name and renamed,
so that a run may be killed at any moment. Standard library only.
"""

import hashlib
import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

PROTOCOL = 1  # raised when a measurement of the same name and parameters comes to mean something else


@dataclass(frozen=True)
class Cell:
    kind: str  # a name of measures.KINDS
    params: dict  # JSON values only
    figures: tuple = ()  # where it is shown
    cost: float = 1.0  # rough processor seconds
    memory: float = 0.5  # rough GiB
    parts: dict = field(default_factory=dict)  # what else identifies it: checksums

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
        """The cell's results, or None when it is not done; a file that is no whole cell counts as not done."""
        try:
            record = json.loads(self.path(cell).read_text())
            return record["results"]
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def finished(self):
        """(cell, results) of every whole file here, whoever asked for it, in the order of their names."""
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
        """Removes what a killed run left half written."""
        for leftover in self.folder.glob(".new-*"):
            leftover.unlink()
