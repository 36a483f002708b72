"""A model's description with numbers and lists in place of texts."""

from __future__ import annotations

import math
from typing import Any

from ._labels import classes_of
from ._model import Model

# Entries that are names or words of a user, which may look like numbers.
_TEXTS = ("label_column", "group_column", "positive")
_LISTS = ("stages",)


def number_or_text(text: str) -> int | float | str:
    """Returns the number that a text is, or the text."""
    for kind in (int, float):
        try:
            value: int | float = kind(text)
        except ValueError:
            continue
        return value if math.isfinite(value) else text
    return text


def described(model: Model) -> dict[str, Any]:
    """Returns the entries that ``cnm inspect`` shows."""
    out: dict[str, Any] = {}
    for key, text in model.description().items():
        if key == "labels":
            out[key] = classes_of(model.labels).tolist()
        elif key in _LISTS:
            out[key] = text.split(", ")
        else:
            out[key] = text if key in _TEXTS else number_or_text(text)
    return out


# What a training chooses, in the order of the sentence that verbose shows.
_CHOSEN = (
    "features",
    "projection",
    "scale",
    "loss",
    "gamma",
    "width",
    "map_rate",
    "decay",
    "lambda",
    "noise",
    "difference_noise",
    "translate",
    "batch",
    "steps",
    "dtype",
)


def chosen(model: Model) -> str:
    """Returns what a training chose, as one line."""
    entries = model.description()
    values = [(key, number_or_text(entries[key])) for key in _CHOSEN if key in entries]
    texts = [f"{key} {value:.4g}" if isinstance(value, float) else f"{key} {value}" for key, value in values]
    return f"chosen: {', '.join(texts)}; {entries['bytes']} bytes"
