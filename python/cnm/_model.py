"""A trained model of the library: its description, predictions and file."""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from ._data import rows_of
from ._frames import TypedRows
from ._library import LIBRARY, Handle, call
from ._warnings import warn

Array = np.ndarray[Any, Any]

# Columns of the course of a training.
HISTORY = ("phase", "done", "total", "loss", "validation")


# How many columns a warning names.
_LISTED = 3


class Model:
    """A model, which never changes; pickled as the bytes of its file."""

    def __init__(self, address: int | None) -> None:
        self._handle = Handle(address, LIBRARY.cnm_model_destroy)

    @property
    def address(self) -> int | None:
        return self._handle.address

    # ---- Files ----

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        if not os.path.exists(path):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
        out = ctypes.c_void_p()
        call("cnm_model_load", ctypes.byref(out), os.fsencode(path))
        return cls(out.value)

    @classmethod
    def from_bytes(cls, data: bytes) -> Model:
        out = ctypes.c_void_p()
        call("cnm_model_from_bytes", ctypes.byref(out), data, len(data))
        return cls(out.value)

    def save(self, path: str | os.PathLike[str]) -> None:
        call("cnm_model_save", self.address, os.fsencode(path))

    def to_bytes(self) -> bytes:
        size = ctypes.c_size_t()
        call("cnm_model_to_bytes", self.address, None, 0, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        call("cnm_model_to_bytes", self.address, buffer, size.value, ctypes.byref(size))
        return buffer.raw

    # ---- Exports ----

    def export(self, path: str, kind: str, dtype: str | None, name: str | None) -> None:
        texts = [None if text is None else text.encode() for text in (dtype, name)]
        call("cnm_model_export", self.address, kind.encode(), *texts, os.fsencode(path))

    def rounded(self, dtype: str) -> Model:
        """Returns the model with the weights that an export to C has."""
        out = ctypes.c_void_p()
        call("cnm_model_round", ctypes.byref(out), self.address, dtype.encode())
        return Model(out.value)

    def footprint(self, dtype: str) -> dict[str, int]:
        """Returns about how many bytes the exported C needs on a Cortex-M4."""
        flash, stack = ctypes.c_size_t(), ctypes.c_size_t()
        call("cnm_model_footprint", self.address, dtype.encode(), ctypes.byref(flash), ctypes.byref(stack))
        return {"flash": flash.value, "stack": stack.value}

    def __reduce__(self) -> tuple[Callable[[bytes], Model], tuple[bytes]]:
        return Model.from_bytes, (self.to_bytes(),)

    # ---- Description ----

    @property
    def columns(self) -> int:
        return int(LIBRARY.cnm_model_columns(self.address))

    @property
    def features(self) -> int:
        return int(LIBRARY.cnm_model_features(self.address))

    @property
    def outputs(self) -> int:
        return int(LIBRARY.cnm_model_outputs(self.address))

    @property
    def labels(self) -> list[str]:
        count = LIBRARY.cnm_model_classes(self.address)
        return [LIBRARY.cnm_model_label(self.address, i).decode() for i in range(count)]

    @property
    def names(self) -> list[str] | None:
        if LIBRARY.cnm_model_column_name(self.address, 0) is None:
            return None
        return [LIBRARY.cnm_model_column_name(self.address, i).decode() for i in range(self.columns)]

    @property
    def inputs(self) -> list[str]:
        """Names of the map's inputs, which are the columns or made of them."""
        names = [LIBRARY.cnm_model_input_name(self.address, i) for i in range(LIBRARY.cnm_model_inputs(self.address))]
        return [f"x{i}" if name is None else name.decode() for i, name in enumerate(names)]

    def description(self) -> dict[str, str]:
        """Returns the entries that ``cnm inspect`` shows."""
        out: dict[str, str] = {}
        key, value = ctypes.c_char_p(), ctypes.c_char_p()
        while LIBRARY.cnm_model_describe(self.address, len(out), ctypes.byref(key), ctypes.byref(value)):
            out[(key.value or b"").decode()] = (value.value or b"").decode()
        return out

    def history(self) -> dict[str, Array]:
        """Returns the course of the training at fixed steps; empty arrays for a model that was loaded."""
        rows: list[tuple[Any, ...]] = []
        phase, step, total = ctypes.c_char_p(), ctypes.c_uint64(), ctypes.c_uint64()
        loss, score = ctypes.c_double(), ctypes.c_double()
        out = [ctypes.byref(value) for value in (phase, step, total, loss, score)]
        while LIBRARY.cnm_model_history(self.address, len(rows), *out):
            rows.append(((phase.value or b"").decode(), step.value, total.value, loss.value, score.value))
        columns = zip(*rows, strict=True) if rows else [()] * len(HISTORY)
        return {name: np.array(values) for name, values in zip(HISTORY, columns, strict=True)}

    def array(self, name: str) -> Array | None:
        """Returns an array by a name of cnm_model_array, or None where the model lacks it."""
        rows, columns = ctypes.c_size_t(), ctypes.c_size_t()
        shape = (ctypes.byref(rows), ctypes.byref(columns))
        call("cnm_model_array", self.address, name.encode(), *shape, None)
        if rows.value == 0:
            return None
        out = np.empty((rows.value, columns.value))
        call("cnm_model_array", self.address, name.encode(), *shape, out.ctypes.data)
        return out

    # ---- Prediction, of rows that are checked already ----

    def _fill(self, function: str, X: Any, threads: int, out: Array) -> Array:
        rows = rows_of(X, self.address)
        if isinstance(X, TypedRows):
            self._warn_of_words(rows, X.shape[1])
        call(function, self.address, rows.address, threads, out.ctypes.data)
        return out

    def _warn_of_words(self, rows: Handle, columns: int) -> None:
        """Warns of words that training never saw."""
        words, missing = np.zeros(columns, np.uint64), np.zeros(columns, np.uint64)
        call("cnm_model_count_unseen", self.address, rows.address, words.ctypes.data, missing.ctypes.data)
        names, total = self.names, int(words.sum())
        if total > 0:
            found = [f"column {j}" if names is None else names[j] for j in np.flatnonzero(words)]
            more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
            where = ", ".join(found[:_LISTED]) + more
            kind = "word" if total == 1 else "words"
            warn(f"{total} {kind} that training never saw, in {where}: counted as none of its words")

    def scores(self, X: Any, threads: int) -> Array:
        return self._fill("cnm_predict_scores", X, threads, np.empty((X.shape[0], self.outputs), np.float32))

    def classes(self, X: Any, threads: int) -> Array:
        return self._fill("cnm_predict_classes", X, threads, np.empty(X.shape[0], np.int32))

    def probabilities(self, X: Any, threads: int) -> Array:
        count = LIBRARY.cnm_model_classes(self.address)
        return self._fill("cnm_predict_probabilities", X, threads, np.empty((X.shape[0], count)))

    def transform(self, X: Any, threads: int) -> Array:
        return self._fill("cnm_transform", X, threads, np.empty((X.shape[0], self.features), np.float32))
