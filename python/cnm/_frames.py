"""Columns of frames and arrays as the library takes them: numbers, positions of words, days.

pandas, polars, pyarrow and whatever offers ``__arrow_c_stream__`` are read column by column, and so
are arrays of objects or texts. Rows that are numbers already do not come here: scikit-learn's checks
take them as they are. Nothing here decides what a training makes of words and times: the library
does.
"""

from __future__ import annotations

import datetime
import decimal
import numbers
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy import sparse

Array = np.ndarray[Any, Any]

_NUMBERS = "biuf"  # kinds of dtypes that scikit-learn's checks make floats of
_DAY = np.timedelta64(1, "D")
_EPOCH = np.datetime64("1970-01-01", "us")
_MIDNIGHT = datetime.datetime(1970, 1, 1)


@dataclass(frozen=True)
class TypedRows:
    """Rows of numbers, words and times."""

    values: Array  # (rows, columns), float64: numbers, positions in `words`, days since 1970; NaN is missing
    words: dict[int, list[str]] = field(default_factory=dict)  # by the number of the column
    categories: tuple[int, ...] = ()  # numbers of columns whose words stay words even where all are numbers
    times: tuple[int, ...] = ()  # numbers of columns
    names: list[Any] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        return self.values.shape[0], self.values.shape[1]

    def plain(self) -> Any:
        """Returns the values alone where all columns are numbers."""
        return self if self.words or self.times else self.values

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: Any) -> TypedRows:
        return replace(self, values=self.values[rows])


def append_rows(X: Any, more: Any) -> Any:
    """Returns the rows of X and then those of `more`, which are rows of X."""
    if isinstance(X, TypedRows):
        return replace(X, values=np.vstack([X.values, more.values]))
    return sparse.vstack([X, more], format="csr") if sparse.issparse(X) else np.vstack([X, more])


@dataclass(frozen=True)
class Cells:
    """One column."""

    values: Array
    words: list[str] | None = None  # None: numbers, or times
    is_time: bool = False
    is_category: bool = False


# ---- Which rows come here ----


def _library_of(X: Any) -> str:
    """Returns "pandas", "polars", "pyarrow" or "arrow" (another library's) for a frame, "" for anything else."""
    if hasattr(X, "iloc") and hasattr(X, "dtypes") and hasattr(X, "columns"):
        return "pandas"
    module = type(X).__module__.partition(".")[0]
    if module in ("polars", "pyarrow") and hasattr(X, "columns"):
        return module
    return "arrow" if hasattr(X, "__arrow_c_stream__") and not hasattr(X, "__array__") else ""


def as_frame(X: Any) -> Any:
    """Returns a pyarrow table of what another library offers as a stream of Arrow data; anything else as it is."""
    if _library_of(X) != "arrow":
        return X
    try:
        import pyarrow
    except ImportError:
        raise TypeError(f"rows of type {type(X).__qualname__} need pyarrow to be read: pip install pyarrow") from None
    return pyarrow.table(X)


def names_of(X: Any) -> list[Any] | None:
    """Returns the names of a frame's columns; None for what is no frame."""
    kind = _library_of(X)
    if kind == "":
        return X.names if isinstance(X, TypedRows) else None
    return list(X.column_names if kind == "pyarrow" else X.columns)


def select(X: Any, names: list[Any]) -> Any:
    """Returns a frame with these of its columns, in this order."""
    return X[names] if _library_of(X) == "pandas" else X.select(names)


def _is_number_type(dtype: Any, kind: str) -> bool:
    if kind == "pandas":
        return not hasattr(dtype, "categories") and getattr(dtype, "kind", "O") in _NUMBERS
    if kind == "polars":
        return bool(dtype.is_numeric())
    return str(dtype).startswith(("int", "uint", "float", "double", "halffloat"))


def has_types(X: Any) -> bool:
    """Returns whether some column may hold other things than numbers."""
    kind = _library_of(X)
    if kind != "":
        types = X.schema.types if kind == "pyarrow" else X.dtypes
        return not all(_is_number_type(dtype, kind) for dtype in types)
    if isinstance(X, (list, tuple)):
        try:
            X = np.asarray(X)
        except ValueError:  # rows of different lengths: the checks of arrays say so
            return False
    return isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "OUSMm"


# ---- One column ----


def _days(times: Array) -> Array:
    """Returns days since 1970 of datetime64."""
    days: Array = (times.astype("datetime64[us]") - _EPOCH) / _DAY
    return days


def _is_missing(cell: Any) -> bool:
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(cell, (float, np.floating, decimal.Decimal, np.datetime64, np.timedelta64)) and bool(cell != cell)


def _day_of(cell: Any) -> float:
    """Returns days since 1970 of a date, with or without a time of day; of such a time alone, the part of a day."""
    if isinstance(cell, np.datetime64):
        return float((cell - _EPOCH) / _DAY)
    if isinstance(cell, datetime.time):
        cell = datetime.datetime.combine(_MIDNIGHT, cell.replace(tzinfo=None))
    elif not isinstance(cell, datetime.datetime):
        cell = datetime.datetime.combine(cell, datetime.time())
    elif cell.tzinfo is not None:
        cell = cell.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return float((cell - _MIDNIGHT) / datetime.timedelta(days=1))


def _span_of(cell: Any) -> float:
    """Returns the days of a timedelta."""
    return float(cell / (_DAY if isinstance(cell, np.timedelta64) else datetime.timedelta(days=1)))


_NUMBER_TYPES = (numbers.Real, np.bool_, decimal.Decimal)
_TIME_TYPES = (datetime.date, datetime.time, np.datetime64)
_SPAN_TYPES = (datetime.timedelta, np.timedelta64)
_READERS = ((_SPAN_TYPES, _span_of, False), (_NUMBER_TYPES, float, False), (_TIME_TYPES, _day_of, True))
_NO_WORDS = (list, tuple, set, dict, np.ndarray, complex)


def _text_of(cell: Any) -> str:
    if isinstance(cell, bytes):
        return cell.decode(errors="replace")
    if isinstance(cell, (float, np.floating)) and float(cell).is_integer() and abs(cell) < 2**53:
        return str(int(cell))  # 8.0 of a column with missing cells is the word 8
    return str(cell)


def _checked_words(words: Iterable[Any], name: str) -> list[str]:
    """Returns words as texts that the library can keep."""
    texts = []
    for word in words:
        if isinstance(word, _NO_WORDS):
            raise ValueError(
                f"{name} holds a cell of type {type(word).__name__}: expected numbers, texts, categories or times"
            )
        text = _text_of(word)
        if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
            raise ValueError(f"{name} holds {text!r}: a text may have no NUL and no half of a surrogate pair")
        texts.append(text)
    return texts


def _words_at(cells: Iterable[Any], words: list[Any], name: str) -> Cells:
    """Returns the column whose cells are positions in `words`, -1 where missing; equal and blank texts are joined."""
    numbers_of: dict[str, int] = {}
    texts = _checked_words(words, name)
    known = [numbers_of.setdefault(text, len(numbers_of)) if text.strip() else np.nan for text in texts]
    return Cells(np.array([*known, np.nan])[np.asarray(cells, dtype=np.intp)], list(numbers_of))


def _category_cells(cells: Any, name: str) -> Cells:
    """Reads a column of categories, whatever they are."""
    cells = np.asarray(cells).astype(object)
    return replace(_word_cells(cells, _present(cells), name), is_category=True)


def _present(cells: Array) -> Array:
    return np.array([not _is_missing(cell) for cell in cells], dtype=bool)


def _object_cells(cells: Array, name: str) -> Cells:
    """Reads a column of objects by what they are: all numbers, all times, all spans of time, else words."""
    present = _present(cells)
    types = set(map(type, cells[present]))
    for wanted, read, is_time in _READERS:
        if types and all(issubclass(kind, wanted) for kind in types):
            values = np.full(len(cells), np.nan)
            values[present] = [read(cell) for cell in cells[present]]
            return Cells(values, is_time=is_time)
    return _word_cells(cells, present, name)


def _word_cells(cells: Array, present: Array, name: str) -> Cells:
    positions: dict[Any, int] = {}
    try:
        codes = [
            positions.setdefault(cell, len(positions)) if there else -1
            for cell, there in zip(cells, present, strict=True)
        ]
    except TypeError:  # a cell that cannot be a key of a dict
        _checked_words(cells[present], name)
        raise
    return _words_at(codes, list(positions), name)


def _array_cells(cells: Array, name: str) -> Cells:
    kind = cells.dtype.kind
    if kind in _NUMBERS:
        return Cells(cells.astype(np.float64))
    if kind == "M":
        return Cells(_days(cells), is_time=True)
    if kind == "m":
        return Cells(cells / _DAY)
    if kind in "OUS":
        return _object_cells(cells.astype(object), name)
    raise ValueError(f"{name} holds cells of type {cells.dtype}: expected numbers, texts, categories or times")


def _pandas_cells(series: Any, name: str) -> Cells:
    dtype = series.dtype
    if hasattr(dtype, "categories"):
        codes = _words_at(series.cat.codes.to_numpy(), list(series.cat.categories), name)
        return replace(codes, is_category=True)
    if getattr(dtype, "tz", None) is not None:
        series = series.dt.tz_convert("UTC").dt.tz_localize(None)
    elif hasattr(dtype, "freq"):  # periods
        series = series.dt.to_timestamp()
    kind = getattr(dtype, "kind", "O")
    if kind in _NUMBERS and not isinstance(dtype, np.dtype):  # pandas' own, with pd.NA
        return Cells(series.to_numpy(dtype=np.float64, na_value=np.nan))
    if kind in "Mm":
        return _array_cells(series.to_numpy(dtype=f"{kind}8[us]"), name)
    return _array_cells(np.asarray(series) if kind in _NUMBERS else series.to_numpy(dtype=object), name)


def _arrow_cells(column: Any, name: str) -> Cells:
    """Reads a column of pyarrow."""
    column = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    if hasattr(column, "dictionary_decode"):
        return _category_cells(column.dictionary_decode().to_numpy(zero_copy_only=False), name)
    return _array_cells(np.asarray(column.to_numpy(zero_copy_only=False)), name)


def _polars_cells(series: Any, name: str) -> Cells:
    if str(series.dtype).startswith(("Categorical", "Enum")):
        return _category_cells(series.to_numpy(), name)
    return _array_cells(series.to_numpy(), name)


# ---- All columns ----


def column_label(names: Any, j: int) -> str:
    """Returns a column as messages name it; names: None, or those of all columns."""
    return f"column {j}" if names is None else f"column {str(names[j])!r}"


def _cells_of(X: Any) -> list[Cells]:
    kind = _library_of(X)
    if kind == "":
        objects = np.asarray(X, dtype=None if isinstance(X, np.ndarray) else object)
        return [_array_cells(objects[:, j], column_label(None, j)) for j in range(objects.shape[1])]
    names = names_of(X)
    if kind == "pandas":
        return [_pandas_cells(X.iloc[:, j], column_label(names, j)) for j in range(X.shape[1])]
    if kind == "polars":
        return [_polars_cells(series, column_label(names, j)) for j, series in enumerate(X.get_columns())]
    return [_arrow_cells(column, column_label(names, j)) for j, column in enumerate(X.columns)]


def typed_rows(X: Any) -> TypedRows:
    """Reads rows for which has_types is true."""
    columns = _cells_of(X)
    values = np.empty((len(columns[0].values) if columns else 0, len(columns)))
    for j, column in enumerate(columns):
        values[:, j] = column.values
    return TypedRows(
        values,
        {j: column.words for j, column in enumerate(columns) if column.words is not None},
        tuple(j for j, column in enumerate(columns) if column.is_category),
        tuple(j for j, column in enumerate(columns) if column.is_time),
        names_of(X),
    )
