"""The shared library: its functions as include/cnm declares them, and their errors as exceptions.

No struct of the headers is declared here: objects are addresses, and functions return a struct's
fields by name. While a function runs, ctypes has released the GIL.
"""

from __future__ import annotations

import ctypes
import re
import sys
import weakref
from collections.abc import Callable
from ctypes import POINTER, c_char_p, c_double, c_int, c_size_t, c_uint64, c_void_p
from pathlib import Path
from typing import Any

from ._parameters import OPTIONS, VERSION_NUMBER

PROGRESS = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)
NOTICE = ctypes.CFUNCTYPE(None, c_char_p, c_void_p)

_OUT, _COUNTS = POINTER(c_void_p), POINTER(c_size_t)
_STEPS, _REAL = POINTER(c_uint64), POINTER(c_double)

# name: (result, arguments). Those that return a status take an error after these arguments.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "cnm_version": (c_char_p, []),
    "cnm_version_number": (c_int, []),
    "cnm_options_destroy": (None, [c_void_p]),
    "cnm_data_destroy": (None, [c_void_p]),
    "cnm_data_checksum": (c_uint64, [c_void_p]),
    "cnm_model_destroy": (None, [c_void_p]),
    "cnm_model_columns": (c_size_t, [c_void_p]),
    "cnm_model_features": (c_size_t, [c_void_p]),
    "cnm_model_outputs": (c_size_t, [c_void_p]),
    "cnm_model_classes": (c_size_t, [c_void_p]),
    "cnm_model_label": (c_char_p, [c_void_p, c_size_t]),
    "cnm_model_column_name": (c_char_p, [c_void_p, c_size_t]),
    "cnm_model_inputs": (c_size_t, [c_void_p]),
    "cnm_model_input_name": (c_char_p, [c_void_p, c_size_t]),
    "cnm_model_history": (c_int, [c_void_p, c_size_t, POINTER(c_char_p), _STEPS, _STEPS, _REAL, _REAL]),
    "cnm_model_describe": (c_int, [c_void_p, c_size_t, POINTER(c_char_p), POINTER(c_char_p)]),
    "cnm_error_create": (c_void_p, []),
    "cnm_error_message": (c_char_p, [c_void_p]),
    "cnm_error_destroy": (None, [c_void_p]),
    "cnm_callbacks_create": (c_void_p, [PROGRESS, NOTICE, c_void_p]),
    "cnm_callbacks_set_info": (None, [c_void_p, NOTICE]),
    "cnm_callbacks_destroy": (None, [c_void_p]),
    "cnm_progress_phase": (c_char_p, [c_void_p]),
}
CHECKED: dict[str, list[Any]] = {
    "cnm_progress_get": [c_void_p, c_char_p, POINTER(c_double)],
    "cnm_options_create": [_OUT],
    "cnm_options_set": [c_void_p, c_char_p, c_char_p],
    "cnm_options_check": [c_void_p],
    "cnm_data_view_dense": [_OUT, c_void_p, c_size_t, c_size_t, c_size_t],
    "cnm_data_view_csr": [_OUT, c_void_p, c_void_p, c_void_p, c_size_t, c_size_t],
    "cnm_data_copy_double": [_OUT, c_void_p, c_size_t, c_size_t, c_size_t, c_void_p],
    "cnm_data_set_labels": [c_void_p, c_void_p],
    "cnm_data_set_targets": [c_void_p, c_void_p],
    "cnm_data_set_weights": [c_void_p, c_void_p],
    "cnm_data_set_groups": [c_void_p, c_void_p],
    "cnm_data_set_names": [c_void_p, c_void_p],
    "cnm_data_set_words": [c_void_p, c_size_t, c_void_p, c_size_t],
    "cnm_data_set_categories": [c_void_p, c_size_t, c_void_p, c_size_t],
    "cnm_data_set_times": [c_void_p, c_size_t],
    "cnm_data_folds": [c_void_p, c_void_p, c_size_t, c_void_p, _COUNTS],
    "cnm_train": [_OUT, c_void_p, c_void_p, c_void_p],
    "cnm_train_continue": [_OUT, c_void_p, c_void_p, c_void_p, c_void_p],
    "cnm_train_validated": [_OUT, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p],
    "cnm_model_load": [_OUT, c_char_p],
    "cnm_model_save": [c_void_p, c_char_p],
    "cnm_model_to_bytes": [c_void_p, c_void_p, c_size_t, _COUNTS],
    "cnm_model_from_bytes": [_OUT, c_char_p, c_size_t],
    "cnm_model_export": [c_void_p, c_char_p, c_char_p, c_char_p, c_char_p],
    "cnm_model_round": [_OUT, c_void_p, c_char_p],
    "cnm_model_footprint": [c_void_p, c_char_p, _COUNTS, _COUNTS],
    "cnm_model_array": [c_void_p, c_char_p, _COUNTS, _COUNTS, c_void_p],
    "cnm_model_count_unseen": [c_void_p, c_void_p, c_void_p, c_void_p],
    "cnm_predict_scores": [c_void_p, c_void_p, c_size_t, c_void_p],
    "cnm_predict_classes": [c_void_p, c_void_p, c_size_t, c_void_p],
    "cnm_predict_probabilities": [c_void_p, c_void_p, c_size_t, c_void_p],
    "cnm_transform": [c_void_p, c_void_p, c_size_t, c_void_p],
}

PARAMETERS = {option: parameter for parameter, option in OPTIONS.items()}

# The statuses of cnm/types.h; the numbers are part of the interface.
OK = 0
EXCEPTIONS: dict[int, type[Exception]] = {2: MemoryError, 3: OSError}  # all others: ValueError


def parameter_name(option: str) -> str:
    """Returns the constructors' parameter for an option: map_steps for map-steps."""
    return PARAMETERS.get(option, option.replace("-", "_"))


def _open() -> ctypes.CDLL:
    name = "libcnm.dylib" if sys.platform == "darwin" else "libcnm.so"
    library = ctypes.CDLL(str(Path(__file__).with_name(name)))
    for function, (result, arguments) in FUNCTIONS.items():
        declared = getattr(library, function)
        declared.restype, declared.argtypes = result, arguments
    for function, arguments in CHECKED.items():
        declared = getattr(library, function)
        declared.restype, declared.argtypes = c_int, [*arguments, c_void_p]
    number = library.cnm_version_number()
    if number // 100 != VERSION_NUMBER // 100 or number < VERSION_NUMBER:  # CNM_VERSION_FITS of cnm/cnm.h
        raise ImportError(f"{library._name} is of another version than the package: install cnm anew")
    return library


LIBRARY = _open()
VERSION: str = LIBRARY.cnm_version().decode()


def sentence(message: str) -> str:
    """Returns a message of the library with parameters' names in place of the command's options."""
    return re.sub(r"--([a-z]+(?:-[a-z]+)*)", lambda found: parameter_name(found.group(1)), message)


def as_exception(status: int, message: str) -> Exception:
    """Returns the exception for a status."""
    return EXCEPTIONS.get(status, ValueError)(sentence(message))


def attempt(function: str, *arguments: Any) -> tuple[int, str]:
    """Calls a function that returns a status; returns (status, message)."""
    error = LIBRARY.cnm_error_create()
    try:
        status = getattr(LIBRARY, function)(*arguments, error)
        return status, "" if status == OK else LIBRARY.cnm_error_message(error).decode(errors="replace")
    finally:
        LIBRARY.cnm_error_destroy(error)


def call(function: str, *arguments: Any) -> None:
    """Calls a function that returns a status; raises the exception for a failure."""
    status, message = attempt(function, *arguments)
    if status != OK:
        raise as_exception(status, message)


class Handle:
    """An object of the library, destroyed with its last reference; `kept`: what it borrows."""

    def __init__(self, address: int | None, destroy: Callable[[int | None], None], kept: tuple[Any, ...] = ()) -> None:
        self.address = address
        self.kept = kept
        weakref.finalize(self, destroy, address)


def as_text(value: Any) -> str:
    """Returns a parameter's value as the text that the library reads."""
    value = value.item() if hasattr(value, "item") and getattr(value, "ndim", None) == 0 else value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    if isinstance(value, (tuple, list)):
        return ",".join(as_text(part) for part in value)
    return str(value)


def make_options(values: dict[str, Any]) -> Handle:
    """Returns options with these values, by the options' names; None is the library's default."""
    out = c_void_p()
    call("cnm_options_create", ctypes.byref(out))
    options = Handle(out.value, LIBRARY.cnm_options_destroy)
    for name, value in values.items():
        if value is not None:
            call("cnm_options_set", options.address, name.encode(), as_text(value).encode())
    return options
