"""Exports of models: plain C, or ONNX."""

from __future__ import annotations

import copy
import os
from typing import Any

from ._model import Model

_KINDS = {".c": "c", ".onnx": "onnx"}


def _score_names(estimator: Any) -> tuple[str, str]:
    name = "accuracy" if hasattr(estimator, "classes_") else "r2"
    return name, f"{name}_exported"


def _exported(estimator: Any, model: Model) -> Any:
    """Returns the estimator with another model."""
    out = copy.copy(estimator)
    out._model = model
    return out


def export(
    estimator: Any, path: str | os.PathLike[str], dtype: str | None, name: str | None, data: tuple[Any, Any] | None
) -> dict[str, Any]:
    """Writes the model of a fitted estimator; returns what ``cnm export`` prints."""
    file = os.fspath(path)
    ending = os.path.splitext(file)[1]
    if ending not in _KINDS:
        raise ValueError(f"path cannot be {file!r}: expected a name that ends in .c (plain C) or .onnx (ONNX)")
    model: Model = estimator._model
    facts: dict[str, Any] = {"file": file, "dtype": dtype or "f32"}
    if data is not None:
        usual, rounded = _score_names(estimator)
        facts[usual] = estimator.score(*data)
        facts[rounded] = _exported(estimator, model.rounded(facts["dtype"])).score(*data)
    model.export(file, _KINDS[ending], dtype, name)
    if ending == ".c":
        facts.update(header=file[:-1] + "h", **model.footprint(facts["dtype"]))
    return facts
