"""Checks of rows and targets: scikit-learn's, for columns of words and times too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.utils import check_array, check_consistent_length, check_X_y
from sklearn.utils.validation import column_or_1d, validate_data

from ._data import rows_of, set_names
from ._frames import TypedRows, as_frame, column_label, has_types, names_of, select, typed_rows
from ._library import Handle

Array = np.ndarray[Any, Any]

# Types whose values a float32 represents exactly.
_SMALL = (np.bool_, np.int8, np.int16, np.uint8, np.uint16, np.float16)


def _row_type(X: Any) -> Any:
    """Returns the types that rows may have: float64 unless float32 is enough."""
    small = getattr(X, "dtype", None) in [np.dtype(kind) for kind in _SMALL]
    return [np.float32] if small else [np.float64, np.float32]


def _first_column(X: Any, is_wrong: Any) -> int | None:
    """Returns the first column with a cell of which is_wrong says so."""
    if sparse.issparse(X):
        cells = X.tocoo()
        columns = cells.col[is_wrong(cells.data)]
    else:
        cells = np.asarray(X.values if isinstance(X, TypedRows) else X)
        cells = cells if cells.dtype.kind == "f" else cells.astype(np.float64)
        columns = np.flatnonzero(is_wrong(cells).any(axis=0))
    return int(columns.min()) if len(columns) > 0 else None


def _with_column_named(X: Any, names: Any, check: Callable[[], Any]) -> Any:
    """Returns check(); where it fails for an infinite number, raises an error that names the column."""
    try:
        return check()
    except ValueError as error:
        column = _first_column(X, np.isinf) if "infinity" in str(error) else None
        if column is None:
            raise
        named = column_label(names, column)
    raise ValueError(f"{named} holds an infinite number: expected finite ones, or NaN where a cell is missing")


def in_order(X: Any, wanted: Any) -> Any:
    """Returns a frame with the wanted columns in their order; other columns are left out."""
    names = names_of(X)
    if names is None or not all(isinstance(name, str) for name in names) or names == list(wanted):
        return X
    missing = [name for name in wanted if name not in names]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise ValueError(f"the rows have no column {missing[0]!r}{more}, which the model needs; they have {names[:20]}")
    twice = [name for name in wanted if names.count(name) > 1]
    if twice:
        raise ValueError(f"the rows have more than one column {twice[0]!r}")
    return select(X, list(wanted))


def check_one_target(y: Any, estimator: str, wrapper: str) -> None:
    """Refuses targets of several columns."""
    listed = isinstance(y, (list, tuple)) and len(y) > 0 and isinstance(y[0], (list, tuple, np.ndarray))
    shape: Any = (len(y), len(y[0])) if listed else getattr(y, "shape", ())
    if len(shape) == 2 and shape[1] > 1:
        raise ValueError(
            f"y has {shape[1]} columns, and {estimator} learns one: "
            f"sklearn.multioutput.{wrapper}({estimator}()) fits a model for each"
        )


def one_pair(eval_set: Any) -> tuple[Any, Any]:
    """Returns X and y of an eval_set: a pair, or a list with one pair."""
    listed = isinstance(eval_set, list) and all(isinstance(entry, tuple) for entry in eval_set)
    if listed and len(eval_set) == 1:
        eval_set, listed = eval_set[0], False
    if listed or not isinstance(eval_set, (list, tuple)) or len(eval_set) != 2:
        raise ValueError("eval_set must be one pair (X, y) of rows that validate")
    return eval_set[0], eval_set[1]


class RowChecks:
    """Turns what a user passes into checked rows, and these into rows of the library."""

    _least_rows: ClassVar[int] = 1
    _by_name: bool = False  # whether columns of frames are found by their names, as the command does

    def _limits(self, *, reset: bool) -> dict[str, Any]:
        least = self._least_rows if reset else 1
        return {"ensure_all_finite": "allow-nan", "ensure_min_samples": least}

    def _read(self, X: Any, *, reset: bool) -> Any:
        """Reads columns that are not all numbers; leaves other rows as they are."""
        if self._by_name and reset:
            self._by_name = False
        wanted = getattr(self, "feature_names_in_", None)
        if self._by_name and wanted is not None:
            X = in_order(X, wanted)
        if not has_types(X):
            return X
        validate_data(self, X, reset=reset, skip_check_array=True)  # names and number of columns
        return typed_rows(X)

    def _checked(self, X: Any, check: Callable[[Any], Any]) -> Any:
        """Returns check(X), whose failures for infinite and missing numbers name the column."""
        names = names_of(X)
        checked = _with_column_named(X, names, lambda: check(X))
        rows = checked[0] if isinstance(checked, tuple) else checked
        refused = self._refused_missing(rows)
        column = _first_column(rows, np.isnan) if refused else None
        if column is not None:
            raise ValueError(f"{column_label(names, column)} holds NaN, and {refused}")
        return checked

    def _refused_missing(self, rows: Any) -> str:
        """Returns why missing cells are refused, or nothing."""
        if sparse.issparse(rows):
            return "in sparse rows a cell that is absent is 0: dense rows may have missing cells"
        if getattr(self, "missing", "") == "error":
            return 'missing="error": missing="auto" takes missing cells'
        return ""

    def _check_rows(self, X: Any, *, reset: bool) -> Any:
        X = self._read(as_frame(X), reset=reset)
        limits = self._limits(reset=reset)
        if isinstance(X, TypedRows):
            self._checked(X, lambda rows: check_array(rows.values, estimator=self, **limits))
            return X.plain()
        limits.update(accept_sparse="csr", dtype=_row_type(X), reset=reset)
        return self._checked(X, lambda rows: validate_data(self, rows, **limits))

    def _check_both(self, X: Any, y: Any, *, reset: bool, numeric: bool) -> tuple[Any, Any]:
        X = self._read(as_frame(X), reset=reset)
        limits = {**self._limits(reset=reset), "y_numeric": numeric, "ensure_min_samples": 1}
        if isinstance(X, TypedRows):
            if y is None:
                raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
            _, y = self._checked(X, lambda rows: check_X_y(rows.values, y, estimator=self, **limits))
            return X.plain(), y
        limits.update(accept_sparse="csr", dtype=_row_type(X), reset=reset)
        checked: tuple[Any, Any] = self._checked(X, lambda rows: validate_data(self, rows, y, **limits))
        return checked

    def _check_groups(self, X: Any, groups: Any) -> Array | None:
        """Returns a number for each row's group."""
        if groups is None:
            return None
        names = column_or_1d(groups)
        check_consistent_length(X, names)
        return np.asarray(np.unique(names, return_inverse=True)[1])

    def _rows(self, X: Any) -> Handle:
        rows = rows_of(X)
        set_names(rows, getattr(self, "feature_names_in_", None))
        return rows
