"""Permutation importance of the columns (Breiman 2001), on a sample of the training rows.

The importance of a column is how much the loss on the sample grows when the cells of that column
are shuffled among its rows: logarithmic loss of the probabilities for classes, squared error for
regression. Importances below 0 count as 0, and all add up to 1. Correlated columns share theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from ._frames import TypedRows

Array = np.ndarray[Any, Any]

MOST_ROWS = 2000
_LEAST_ROWS, _MOST_CELLS = 100, 4_000_000  # of dense rows, so that the sample of wide ones stays small
_REPEATS, _PERMUTATIONS = 5, 500  # five of each column; fewer, at least one, where that is more than 500 in all
_LEAST_PROBABILITY = 1e-9


@dataclass(frozen=True)
class Sample:
    """Rows as they are predicted, what is true of them, and their weights."""

    X: Any
    target: Array  # positions of classes, or targets
    weights: Array | None


def take_sample(X: Any, target: Array, weights: Array | None) -> Sample:
    """Copies at most MOST_ROWS rows, drawn with a fixed seed; fewer where dense rows are wide."""
    rows, most = np.arange(X.shape[0]), MOST_ROWS
    if not sparse.issparse(X):
        most = min(most, max(_LEAST_ROWS, _MOST_CELLS // X.shape[1]))
    if len(rows) > most:
        rows = np.sort(np.random.RandomState(0).permutation(rows)[:most])
    return Sample(X[rows], np.asarray(target)[rows].copy(), None if weights is None else weights[rows].copy())


def _with_column(X: Any, column: int, order: Array) -> Any:
    """Returns rows whose cells of one column are those of the rows in this order."""
    if isinstance(X, TypedRows):
        return replace(X, values=_with_column(X.values, column, order))
    if sparse.issparse(X):
        cells = X[:, [column]]
        changes = sparse.csr_matrix(cells[order] - cells)
        places = np.full(changes.nnz, column), changes.indptr
        return (X + sparse.csr_matrix((changes.data, *places), shape=X.shape)).tocsr()
    changed = X.copy()
    changed[:, column] = X[order, column]
    return changed


def _is_constant(X: Any, column: int) -> bool:
    cells = X[:, [column]].toarray() if sparse.issparse(X) else getattr(X, "values", X)[:, column]
    return bool(np.all(cells == cells[0]))


def log_losses(probabilities: Array, codes: Array) -> Array:
    """Returns the logarithmic loss of each row."""
    found: Array = probabilities[np.arange(len(codes)), codes]
    return -np.log(np.maximum(found, _LEAST_PROBABILITY))


def importances(sample: Sample, losses: Callable[[Any], Array]) -> Array:
    """Returns the importance of each column, (columns,); losses(X) are those of the sample's rows."""
    rows, columns = sample.X.shape
    random = np.random.RandomState(0)

    def mean(X: Any) -> float:
        return float(np.average(losses(X), weights=sample.weights))

    usual, grown = mean(sample.X), np.zeros(columns)
    repeats = max(1, min(_REPEATS, _PERMUTATIONS // columns))
    for column in range(columns):
        orders = [random.permutation(rows) for _ in range(repeats)]
        if not _is_constant(sample.X, column):
            grown[column] = np.mean([mean(_with_column(sample.X, column, order)) - usual for order in orders])
    grown = np.maximum(grown, 0.0)
    total = grown.sum()
    return grown / total if total > 0 else grown
