"""Model files as estimators."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ._base import Base
from ._classifier import CNMClassifier
from ._labels import classes_of
from ._library import parameter_name
from ._maps import CirculantMap, CompactKernelMap, RandomFourierMap
from ._model import Model
from ._regressor import CNMRegressor

# Entries of a model's description that become parameters, so that a clone is of the same kind.
_KEPT = ("method", "features", "projection", "kernel", "activation")


def _kind(description: dict[str, str]) -> type[Base]:
    tasks: dict[str, type[Base]] = {"classify": CNMClassifier, "regress": CNMRegressor}
    if description["task"] in tasks:
        return tasks[description["task"]]
    if description.get("method") == "kernel-approximation":
        return CompactKernelMap
    return RandomFourierMap if description["projection"] == "dense" else CirculantMap


def _different(names: list[str]) -> list[str]:
    """Returns names of which none comes twice, as pandas reads a file's: a, a.1, a.2."""
    out: list[str] = []
    for name in names:
        number = 0
        while (f"{name}.{number}" if number > 0 else name) in out:
            number += 1
        out.append(f"{name}.{number}" if number > 0 else name)
    return out


def load(path: str | os.PathLike[str]) -> Any:
    """Returns the estimator of a .cnm file, written by Python, C or the command.

    Classes are integers, floats or texts, as the labels in the file are.

    Examples
    --------
    >>> import os, tempfile
    >>> import cnm
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> path = os.path.join(tempfile.mkdtemp(), "iris.cnm")
    >>> model = cnm.CNMClassifier(n_components=8, effort="quick", epochs=20).fit(X, y)
    >>> model.save(path)
    >>> bool((cnm.load(path).predict(X) == model.predict(X)).all())
    True
    """
    model = Model.load(path)
    description = model.description()
    kind = _kind(description)
    known = kind._get_param_names()
    kept = {parameter_name(o): description[o] for o in _KEPT if o in description and parameter_name(o) in known}
    if description.get("method") == "linear":
        kept = {"method": "linear"}
    elif "n_components" in kept:
        kept["n_components"] = int(kept["n_components"])  # type: ignore[assignment]
    estimator = kind(**kept)
    estimator.history_ = model.history()
    estimator.understood_ = []
    estimator.n_features_in_ = model.columns
    estimator._by_name = True
    if model.names is not None:
        estimator.feature_names_in_ = np.array(_different(model.names), dtype=object)
    if isinstance(estimator, CNMClassifier):
        estimator.classes_ = classes_of(model.labels)
    estimator._adopt(model)
    return estimator
