"""The warning that the package gives, shown at the line of the caller's own code."""

from __future__ import annotations

import sys
import warnings


class CNMWarning(UserWarning):
    """A notice about a training, or about rows to predict, that went on."""


def _caller() -> int:
    """Returns how many frames above its caller the first frame outside of this package is."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        frame, level = frame.f_back, level + 1
    return level


def warn(text: str) -> None:
    warnings.warn(text, CNMWarning, stacklevel=_caller())
