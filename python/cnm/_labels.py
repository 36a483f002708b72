"""Labels of models, which are texts in a file, as NumPy arrays of classes."""

from __future__ import annotations

import numpy as np

from ._model import Array


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def class_numbers(labels: list[str], classes: Array) -> Array:
    """Returns the index among the classes of each label of a model.

    The library compares labels that are numbers as numbers."""
    by_text = {str(value): i for i, value in enumerate(classes)}
    by_number = {_number(text): i for text, i in by_text.items() if _number(text) is not None}
    found = [by_text.get(label, by_number.get(_number(label))) for label in labels]
    if None in found or len(set(found)) != len(classes):
        raise ValueError(f"classes must differ as numbers where they all are numbers: {list(by_text)[:10]}")
    return np.array(found)


def classes_of(labels: list[str]) -> Array:
    """Returns classes from the labels of a file: integers, floats or texts."""
    numbers = [_number(label) for label in labels]
    if any(number is None for number in numbers):
        return np.array(labels)
    values = np.array(numbers, dtype=float)
    whole = np.all(np.isfinite(values)) and np.all(values == np.round(values)) and np.all(np.abs(values) < 2**53)
    return values.astype(int) if whole else values
