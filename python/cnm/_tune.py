"""Cross-validation of models of many sizes: ``cnm tune`` for estimators."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_features, _num_samples, column_or_1d

from ._classifier import CNMClassifier
from ._data import rows_of, set_classes, set_groups, set_targets
from ._library import OK, attempt, call, make_options
from ._model import Array
from ._regressor import CNMRegressor

_FEWEST = 8  # features of the smallest model
_WIDE = 64  # from so many columns on, circulant maps are tried too
_SCORERS = {
    "balanced": "balanced_accuracy",
    "auc": "roc_auc",
    "f1": "f1_macro",
    "logloss": "neg_log_loss",
    "rmse": "neg_root_mean_squared_error",
    "mae": "neg_mean_absolute_error",
}


@dataclass
class Tuning:
    """What :func:`tune` found.

    Attributes
    ----------
    table : list of dict
        One record for each model that was tried: features (of the last layer), projection, layers
        (``"16,8"`` for a stack of two, None for one layer), bytes (the largest of its folds), score
        (mean of the folds; more is better) and se, the standard error of that mean
    chosen : dict
        The record of the smallest model within one standard error of the best score
    best_estimator_ : CNMClassifier or CNMRegressor
        Trained on all rows with the chosen size
    """

    table: list[dict[str, Any]]
    chosen: dict[str, Any]
    best_estimator_: Any

    def __repr__(self) -> str:
        lines = [_line("features", "projection", "bytes", "score", "se")]
        lines += [_shown(record, chosen=record is self.chosen) for record in self.table]
        return "\n".join(lines)


def _line(*cells: str) -> str:
    return "{:>8}  {:<18}{:>10}{:>10}{:>10}".format(*cells)


def _shown(record: dict[str, Any], *, chosen: bool = False) -> str:
    numbers = (f"{record['score']:.4f}", f"{record['se']:.4f}")
    line = _line(record["layers"] or str(record["features"]), record["projection"], str(record["bytes"]), *numbers)
    return f"{line}  <- chosen" if chosen else line


# ---- Folds ----


def _library_folds(y: Array, groups: Any, folds: int, task: str | None) -> tuple[Array, int]:
    """Returns the fold of each row, and the number of classes: 0 for regression."""
    rows = rows_of(np.zeros((len(y), 1), dtype=np.float32))
    if y.dtype.kind in "iuf":
        set_targets(rows, y)
    else:
        words, codes = np.unique(y.astype(str), return_inverse=True)
        set_classes(rows, list(words), codes)
    set_groups(rows, None if groups is None else np.unique(column_or_1d(groups), return_inverse=True)[1])
    fold, classes = np.empty(len(y), dtype=np.uintp), ctypes.c_size_t()
    options = make_options({"task": task})
    call("cnm_data_folds", rows.address, options.address, folds, fold.ctypes.data, ctypes.byref(classes))
    return fold, classes.value


def _splits(X: Any, y: Array, groups: Any, cv: Any, estimator: Any) -> tuple[Any, list[tuple[Array, Array]], int]:
    """Returns the estimator, pairs of training and validation rows, and the number of classes."""
    task = None if estimator is None else "classify" if is_classifier(estimator) else "regress"
    folds = cv if isinstance(cv, (int, np.integer)) else 2
    fold, classes = _library_folds(y, groups, int(folds), task)
    if estimator is None:
        estimator = CNMClassifier() if classes > 0 else CNMRegressor()
    if isinstance(cv, (int, np.integer)):
        return estimator, [(np.flatnonzero(fold != i), np.flatnonzero(fold == i)) for i in range(int(cv))], classes
    return estimator, list(check_cv(cv, y, classifier=is_classifier(estimator)).split(X, y, groups)), classes


# ---- Sizes ----


def _check(estimator: Any, max_components: int) -> None:
    if not isinstance(estimator, (CNMClassifier, CNMRegressor)):
        raise TypeError(f"estimator is a {type(estimator).__name__}: expected CNMClassifier or CNMRegressor")
    if estimator.method == "linear":
        raise ValueError('method="linear" has no map whose size could be chosen')
    for name in ("n_components", "layers", "prune", "checkpoint"):
        default = getattr(type(estimator)(), name)
        if getattr(estimator, name) != default:
            raise ValueError(f"{name} does not go with tune, which tries 8, 16, 32, ... components")
    if estimator.estimate == "yes":
        raise ValueError('estimate="yes" does not go with tune, which scores each size on rows that did not train it')
    if max_components < _FEWEST:
        raise ValueError(f"max_components cannot be {max_components}: expected a whole number from {_FEWEST}")


def _parameters(columns: int, outputs: int, features: int, below: int = 0) -> int:
    """Returns the parameters of a dense map and its head, with ``below`` features in a layer under the last."""
    first = below or features
    return first * (columns + 1) + (features * (below + 1) if below else 0) + features * outputs


def _trains_stacks(estimator: Any) -> bool:
    settings = clone(estimator)._settings()  # of a copy: a generator of random numbers stays where it is
    options = make_options({**settings, "layers": "16,8"})
    return estimator.projection == "dense" and attempt("cnm_options_check", options.address)[0] == OK


def _sizes(X: Any, estimator: Any, classes: int, most: int, stacks: bool) -> Iterator[dict[str, Any]]:
    """Yields features, projections and layers in the order of ``cnm tune``."""
    columns, outputs = _num_features(X), classes if classes > 2 else 1
    both = estimator.projection == "dense" and columns >= _WIDE
    sizes = [_FEWEST << i for i in range((most // _FEWEST).bit_length())]
    largest = _parameters(columns, outputs, sizes[-1])
    stacks = stacks and _trains_stacks(estimator)
    for features in sizes:
        for projection in ("dense", "circulant") if both else (estimator.projection,):
            yield {"features": features, "projection": projection, "layers": None}
        if stacks and _parameters(columns, outputs, features, 2 * features) <= largest:
            yield {"features": features, "projection": "dense", "layers": f"{2 * features},{features}"}


def _shape(record: dict[str, Any]) -> dict[str, Any]:
    """Returns the parameters of an estimator that give it the map of a record."""
    if record["layers"] is not None:
        return {"layers": record["layers"]}
    return {"n_components": record["features"], "projection": record["projection"]}


def _of_rows(values: Any, rows: Array) -> Any:
    return None if values is None else _safe_indexing(values, rows)


def _evaluate(estimator: Any, scorer: Any, X: Any, y: Array, extra: dict[str, Any], splits: Any) -> dict[str, Any]:
    """Trains on the other rows of each fold and scores on its own."""
    scores, sizes = [], []
    for train, validation in splits:
        fit = {name: _of_rows(values, train) for name, values in extra.items()}
        model = clone(estimator).fit(_safe_indexing(X, train), y[train], **fit)
        scores.append(scorer(model, _safe_indexing(X, validation), y[validation]))
        sizes.append(len(model._model.to_bytes()))
    error = float(np.std(scores, ddof=1) / np.sqrt(len(scores))) if len(scores) > 1 else 0.0
    return {"bytes": max(sizes), "score": float(np.mean(scores)), "se": error}


def _knee(table: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns the smallest model whose score is within one standard error of the best."""
    best = max(table, key=lambda record: (record["score"], -record["bytes"]))
    near = [record for record in table if record["score"] >= best["score"] - best["se"]]
    return min(near, key=lambda record: record["bytes"])


def tune(
    X: Any,
    y: Any,
    *,
    estimator: Any = None,
    cv: Any = 5,
    max_components: int = 512,
    max_bytes: float = np.inf,
    scoring: Any = None,
    stacks: bool = True,
    sample_weight: Any = None,
    groups: Any = None,
) -> Tuning:
    """Finds the smallest model that predicts about as well as the best, by cross-validation.

    Models of 8, 16, 32, ... components are tried, as ``cnm tune`` does; from 64 columns on circulant
    maps too, and stacks of two layers (16,8; 32,16; ...) with at most the parameters of the largest
    dense map, unless the estimator has another projection. The smallest model (in bytes) whose mean
    score is within one standard error of the best is trained once more on all rows.

    Parameters
    ----------
    X : array, sparse matrix or DataFrame of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    estimator : CNMClassifier or CNMRegressor, optional
        Has all parameters but the size. Default: what the labels ask for. On the folds
        ``effort="normal"`` becomes ``"quick"``; the last training has what the estimator says.
    cv : int, splitter or iterable, default 5
        A number: folds that are contiguous in each class, as those of ``cnm tune``
    max_components : int, default 512
        The most components to try
    max_bytes : float, default unlimited
        The most bytes that a model may have
    scoring : str or callable, optional
        A scorer of scikit-learn; default: that of the estimator's ``metric``, accuracy or R2
    stacks : bool, default True
        Try stacks of two layers too
    sample_weight : array of shape (n_samples,), optional
        Weights of the training rows
    groups : array of shape (n_samples,), optional
        Group of each row; no group is split

    Returns
    -------
    Tuning
        With ``table``, ``chosen`` and ``best_estimator_``

    Examples
    --------
    >>> import cnm
    >>> from sklearn.datasets import make_moons
    >>> X, y = make_moons(400, noise=0.2, random_state=0)
    >>> found = cnm.tune(X, y, estimator=cnm.CNMClassifier(epochs=20), cv=3, max_components=32)
    >>> [record["features"] for record in found.table]
    [8, 16, 32]
    >>> found.best_estimator_.transform(X).shape[1] == found.chosen["features"]
    True
    """
    target = column_or_1d(y)
    if _num_samples(X) != len(target):
        raise ValueError(f"X has {_num_samples(X)} rows, and y {len(target)}")
    if estimator is not None:
        _check(estimator, max_components)
    estimator, splits, classes = _splits(X, target, groups, cv, estimator)
    _check(estimator, max_components)
    searches = estimator.method == "cnm" and getattr(estimator, "recipe", "joint") == "joint"
    quick = "quick" if searches and estimator.effort in ("normal", None) else estimator.effort
    scorer = check_scoring(estimator, scoring=_SCORERS.get(estimator.metric) if scoring is None else scoring)
    extra = {"sample_weight": sample_weight, "groups": groups}
    table: list[dict[str, Any]] = []
    dropped: set[tuple[str, bool]] = set()
    smallest = np.inf
    for size in _sizes(X, estimator, classes, max_components, stacks):
        kind = (size["projection"], size["layers"] is None)
        if kind in dropped:
            continue
        model = clone(estimator).set_params(**_shape(size), effort=quick, verbose=False)
        record = {**size, **_evaluate(model, scorer, X, target, extra, splits)}
        smallest = min(smallest, record["bytes"])
        if record["bytes"] > max_bytes:
            dropped.add(kind)
            continue
        table.append(record)
        if estimator.verbose:
            print(_shown(record), file=sys.stderr)
    if not table:
        raise ValueError(f"max_bytes={max_bytes:g} is too small: the smallest model has {smallest:.0f} bytes")
    chosen = _knee(table)
    best = clone(estimator).set_params(**_shape(chosen))
    return Tuning(table, chosen, best.fit(X, target, **extra))
