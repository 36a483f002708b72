"""Passes rows, labels, weights and groups from NumPy and SciPy to the library, without a copy
where that is possible; columns of words and times as _frames.py reads them."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from scipy import sparse

from ._frames import TypedRows
from ._library import LIBRARY, Handle, call


def _address(array: np.ndarray[Any, Any]) -> int:
    return int(array.ctypes.data)


def _dense_float(X: np.ndarray[Any, Any]) -> Handle:
    """Borrows rows: a stride between rows is fine, columns must be adjacent."""
    rows, columns = X.shape
    step = X.strides[0] if rows > 1 else 4 * columns
    if not (X.strides[1] == 4 or columns == 1) or step % 4 != 0 or step < 4 * columns or not X.flags.aligned:
        X, step = np.ascontiguousarray(X), 4 * columns
    out = ctypes.c_void_p()
    call("cnm_data_view_dense", ctypes.byref(out), _address(X), rows, columns, step // 4)
    return Handle(out.value, LIBRARY.cnm_data_destroy, (X,))


def _dense_double(X: np.ndarray[Any, Any], model: int | None) -> Handle:
    """Copies rows so that columns far from zero keep their digits."""
    X = np.ascontiguousarray(X, dtype=np.float64)
    rows, columns = X.shape
    out = ctypes.c_void_p()
    call("cnm_data_copy_double", ctypes.byref(out), _address(X), rows, columns, columns, model)
    return Handle(out.value, LIBRARY.cnm_data_destroy)


def _sparse(X: Any) -> Handle:
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    values = np.ascontiguousarray(X.data, dtype=np.float32)
    index = np.ascontiguousarray(X.indices)
    index = index.view(np.uint32) if index.dtype == np.int32 else index.astype(np.uint32)
    starts = np.ascontiguousarray(X.indptr, dtype=np.uintp)
    rows, columns = X.shape
    out = ctypes.c_void_p()
    call("cnm_data_view_csr", ctypes.byref(out), _address(values), _address(index), _address(starts), rows, columns)
    return Handle(out.value, LIBRARY.cnm_data_destroy, (values, index, starts))


def _texts(words: list[str]) -> tuple[list[Any], np.ndarray[Any, Any]]:
    """Returns the words as C strings, and their addresses."""
    if any("\0" in word for word in words):
        raise ValueError("a name holds a NUL character, where the library ends a text")
    buffers = [ctypes.create_string_buffer(word.encode()) for word in words]
    return buffers, np.array([ctypes.addressof(buffer) for buffer in buffers], dtype=np.uintp)


def _typed(X: TypedRows, model: int | None) -> Handle:
    rows = _dense_double(X.values, model)
    for column, words in X.words.items():
        buffers, addresses = _texts(words)
        function = "cnm_data_set_categories" if column in X.categories else "cnm_data_set_words"
        call(function, rows.address, column, _address(addresses), len(words))
        del buffers
    for column in X.times:
        call("cnm_data_set_times", rows.address, column)
    return rows


def rows_of(X: Any, model: int | None = None) -> Handle:
    """Returns checked rows for the library. `model`: address of the model that predicts them."""
    if isinstance(X, TypedRows):
        return _typed(X, model)
    if sparse.issparse(X):
        return _sparse(X)
    return _dense_float(X) if X.dtype == np.float32 else _dense_double(X, model)


def set_targets(rows: Handle, targets: np.ndarray[Any, Any]) -> None:
    """Sets regression targets, or classes that are numbers."""
    array = np.ascontiguousarray(targets, dtype=np.float64)
    call("cnm_data_set_targets", rows.address, _address(array))


def set_classes(rows: Handle, words: list[str], codes: np.ndarray[Any, Any]) -> None:
    """Sets classes by name: row i has the class words[codes[i]]. The library copies the texts."""
    buffers, addresses = _texts(words)
    pointers = addresses[codes]
    call("cnm_data_set_labels", rows.address, _address(pointers))
    del buffers


def set_weights(rows: Handle, weights: np.ndarray[Any, Any] | None) -> None:
    if weights is not None:
        array = np.ascontiguousarray(weights, dtype=np.float64)
        call("cnm_data_set_weights", rows.address, _address(array))


def set_groups(rows: Handle, groups: np.ndarray[Any, Any] | None) -> None:
    """Sets the group of each row: no group is split between training and validation rows."""
    if groups is not None:
        array = np.ascontiguousarray(groups, dtype=np.uint64)
        call("cnm_data_set_groups", rows.address, _address(array))


def set_names(rows: Handle, names: np.ndarray[Any, Any] | None) -> None:
    if names is not None:
        buffers, addresses = _texts([str(name) for name in names])
        call("cnm_data_set_names", rows.address, _address(addresses))
        del buffers
