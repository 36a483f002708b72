"""The shared library: its functions as include/cnm/cnm.h declares them, and their errors as exceptions.

No struct of the header is spelled out here: objects are addresses, and what a struct holds is asked for by name. While a function
runs, ctypes has released the GIL.
"""

from __future__ import annotations

import ctypes
import functools
import re
import sys
import weakref
from collections.abc import Callable
from ctypes import POINTER, c_char_p, c_double, c_int, c_size_t, c_uint64, c_void_p
from pathlib import Path
from typing import Any

PROGRESS = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)
NOTICE = ctypes.CFUNCTYPE(None, c_char_p, c_void_p)

_OUT, _COUNTS = POINTER(c_void_p), POINTER(c_size_t)

# name: (result, arguments). Those that return a status take an error behind the arguments given here.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "cnm_version": (c_char_p, []),
    "cnm_options_count": (c_size_t, []),
    "cnm_options_text": (c_char_p, [c_size_t, c_char_p]),
    "cnm_options_destroy": (None, [c_void_p]),
    "cnm_data_destroy": (None, [c_void_p]),
    "cnm_data_checksum": (c_uint64, [c_void_p]),
    "cnm_model_destroy": (None, [c_void_p]),
    "cnm_model_columns": (c_size_t, [c_void_p]),
    "cnm_model_features": (c_size_t, [c_void_p]),
    "cnm_model_outputs": (c_size_t, [c_void_p]),
    "cnm_model_classes": (c_size_t, [c_void_p]),
    "cnm_model_label": (c_char_p, [c_void_p, c_size_t]),
    "cnm_model_name": (c_char_p, [c_void_p, c_size_t]),
    "cnm_model_describe": (c_int, [c_void_p, c_size_t, POINTER(c_char_p), POINTER(c_char_p)]),
    "cnm_error_create": (c_void_p, []),
    "cnm_error_message": (c_char_p, [c_void_p]),
    "cnm_error_destroy": (None, [c_void_p]),
    "cnm_callbacks_create": (c_void_p, [PROGRESS, NOTICE, c_void_p]),
    "cnm_callbacks_destroy": (None, [c_void_p]),
    "cnm_progress_phase": (c_char_p, [c_void_p]),
    "cnm_progress_get": (c_double, [c_void_p, c_char_p]),
}
CHECKED: dict[str, list[Any]] = {
    "cnm_options_create": [_OUT],
    "cnm_options_set": [c_void_p, c_char_p, c_char_p],
    "cnm_data_view_dense": [_OUT, c_void_p, c_size_t, c_size_t, c_size_t],
    "cnm_data_view_csr": [_OUT, c_void_p, c_void_p, c_void_p, c_size_t, c_size_t],
    "cnm_data_copy_double": [_OUT, c_void_p, c_size_t, c_size_t, c_size_t, c_void_p],
    "cnm_data_set_labels": [c_void_p, c_void_p],
    "cnm_data_set_targets": [c_void_p, c_void_p],
    "cnm_data_set_weights": [c_void_p, c_void_p],
    "cnm_data_set_groups": [c_void_p, c_void_p],
    "cnm_data_set_names": [c_void_p, c_void_p],
    "cnm_train": [_OUT, c_void_p, c_void_p, c_void_p],
    "cnm_train_more": [_OUT, c_void_p, c_void_p, c_void_p, c_void_p],
    "cnm_model_load": [_OUT, c_char_p],
    "cnm_model_save": [c_void_p, c_char_p],
    "cnm_model_to_bytes": [c_void_p, c_void_p, c_size_t, _COUNTS],
    "cnm_model_from_bytes": [_OUT, c_char_p, c_size_t],
    "cnm_model_array": [c_void_p, c_char_p, _COUNTS, _COUNTS, c_void_p],
    "cnm_predict_scores": [c_void_p, c_void_p, c_size_t, c_void_p],
    "cnm_predict_classes": [c_void_p, c_void_p, c_size_t, c_void_p],
    "cnm_predict_probabilities": [c_void_p, c_void_p, c_size_t, c_void_p],
    "cnm_transform": [c_void_p, c_void_p, c_size_t, c_void_p],
}

# Options that scikit-learn has a name of its own for.
RENAMED = {"features": "n_components", "lambda": "alpha", "seed": "random_state", "threads": "n_jobs"}

# The statuses of cnm/types.h; the numbers are part of the interface.
OK, CANCELLED = 0, 7
EXCEPTIONS: dict[int, type[Exception]] = {2: MemoryError, 3: OSError}  # all others: ValueError


def parameter_name(option: str) -> str:
    """The constructor's parameter for an option: map_steps for map-steps."""
    return RENAMED.get(option, option.replace("-", "_"))


def _open() -> ctypes.CDLL:
    name = "libcnm.dylib" if sys.platform == "darwin" else "libcnm.so"
    library = ctypes.CDLL(str(Path(__file__).with_name(name)))
    for function, (result, arguments) in FUNCTIONS.items():
        declared = getattr(library, function)
        declared.restype, declared.argtypes = result, arguments
    for function, arguments in CHECKED.items():
        declared = getattr(library, function)
        declared.restype, declared.argtypes = c_int, [*arguments, c_void_p]
    return library


LIBRARY = _open()
VERSION: str = LIBRARY.cnm_version().decode()


def sentence(message: str) -> str:
    """A sentence of the library, with parameters' names in place of the command's options."""
    return re.sub(r"--([a-z]+(?:-[a-z]+)*)", lambda found: parameter_name(found.group(1)), message)


def as_exception(status: int, message: str) -> Exception:
    """What a status is in Python."""
    return EXCEPTIONS.get(status, ValueError)(sentence(message))


def attempt(function: str, *arguments: Any) -> tuple[int, str]:
    """Calls a function that returns a status: (status, message)."""
    error = LIBRARY.cnm_error_create()
    try:
        status = getattr(LIBRARY, function)(*arguments, error)
        return status, "" if status == OK else LIBRARY.cnm_error_message(error).decode(errors="replace")
    finally:
        LIBRARY.cnm_error_destroy(error)


def call(function: str, *arguments: Any) -> None:
    """Calls a function that returns a status; raises what it reports."""
    status, message = attempt(function, *arguments)
    if status != OK:
        raise as_exception(status, message)


class Handle:
    """An object of the library, ended when nothing refers to it any more. `kept` lives as long: arrays that it borrows."""

    def __init__(self, address: int | None, destroy: Callable[[int | None], None], kept: tuple[Any, ...] = ()) -> None:
        self.address = address
        self.kept = kept
        weakref.finalize(self, destroy, address)


@functools.cache
def option_table() -> list[dict[str, str]]:
    """Every option that the library offers: name, type, initial, values, help, group, purpose."""
    fields = ("name", "type", "initial", "values", "help", "group", "purpose")
    return [
        {field: LIBRARY.cnm_options_text(i, field.encode()).decode() for field in fields}
        for i in range(LIBRARY.cnm_options_count())
    ]


def as_text(value: Any) -> str:
    """A parameter's value as the library reads it."""
    value = value.item() if hasattr(value, "item") and getattr(value, "ndim", None) == 0 else value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    return str(value)


def make_options(values: dict[str, Any]) -> Handle:
    """Options from names as the command has them; None stands for the library's own default."""
    out = c_void_p()
    call("cnm_options_create", ctypes.byref(out))
    options = Handle(out.value, LIBRARY.cnm_options_destroy)
    for name, value in values.items():
        if value is not None:
            call("cnm_options_set", options.address, name.encode(), as_text(value).encode())
    return options
