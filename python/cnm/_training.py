"""One training: progress, notices, and Ctrl-C.

The library calls back from the thread that called it. A Python exception cannot pass through C,
so a callback keeps it, and it is raised when the library has returned.
"""

from __future__ import annotations

import contextlib
import ctypes
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

from ._library import LIBRARY, NOTICE, PROGRESS, Handle, as_exception, attempt, make_options, sentence
from ._model import Model
from ._warnings import warn

FIELDS = ("done", "total", "loss", "fraction")


class Meter:
    """Shows progress on standard error: one bar with tqdm for all stages, else a line every few
    seconds."""

    SECONDS = 5.0
    FORMAT = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}{postfix}"

    def __init__(self) -> None:
        self._printed = -self.SECONDS  # the first report is shown
        self._bar: Any = None
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._make = None
        else:
            self._make = tqdm

    def show(self, phase: str, values: dict[str, float]) -> None:
        fraction = values["fraction"]
        if self._make is None:
            now = time.monotonic()
            if self._printed < 0 or now - self._printed >= self.SECONDS:
                self._printed = now
                print(f"{fraction:.0%} {phase}, loss {values['loss']:.4g}", file=sys.stderr)
            return
        if self._bar is None:
            self._bar = self._make(total=100, bar_format=self.FORMAT)
        self._bar.set_description_str(phase, refresh=False)
        self._bar.set_postfix(loss=f"{values['loss']:.4g}", refresh=False)
        self._bar.update(100 * fraction - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _number_in(progress: int, field: str) -> float:
    """Returns a field of the library's progress."""
    value = ctypes.c_double()
    LIBRARY.cnm_progress_get(progress, field.encode(), ctypes.byref(value), None)
    return value.value


class Watch:
    """Receives the callbacks of one training and keeps their values."""

    def __init__(self, verbose: bool) -> None:
        self.notices: list[str] = []
        self.understood: list[str] = []
        self.interrupted = False
        self.failure: BaseException | None = None
        self.meter = Meter() if verbose else None

    def progress(self, progress: int, _user: int | None) -> int:
        try:
            phase = LIBRARY.cnm_progress_phase(progress).decode()
            if self.meter is not None:
                self.meter.show(phase, {field: _number_in(progress, field) for field in FIELDS})
        except BaseException as failure:
            self.failure = failure
        return int(self.interrupted or self.failure is not None)

    def notice(self, text: bytes, _user: int | None) -> None:
        self.notices.append(text.decode(errors="replace"))

    def info(self, text: bytes, _user: int | None) -> None:
        said = sentence(text.decode(errors="replace"))
        self.understood.append(said)
        if self.meter is not None:
            print(said, file=sys.stderr)


@contextlib.contextmanager
def _interrupts(watch: Watch) -> Iterator[None]:
    """Notes Ctrl-C instead of raising: an exception at the start of a callback would be lost."""
    usual = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )

    def note(_signal: int, _frame: Any) -> None:
        watch.interrupted = True

    if usual:
        signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        if usual:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def train(
    rows: Handle,
    settings: dict[str, Any],
    start: Model | None = None,
    verbose: bool = False,
    validation: Handle | None = None,
) -> tuple[Model, list[str], bool]:
    """Trains a model, or continues with the model `start`; returns (model, understood, interrupted).

    validation: rows that only validate.

    A training that was stopped early, by Ctrl-C or otherwise, has a model all the same."""
    options = make_options(settings)
    watch = Watch(verbose)
    progress, notice, info = PROGRESS(watch.progress), NOTICE(watch.notice), NOTICE(watch.info)
    callbacks = Handle(LIBRARY.cnm_callbacks_create(progress, notice, None), LIBRARY.cnm_callbacks_destroy)
    LIBRARY.cnm_callbacks_set_info(callbacks.address, info)
    out = ctypes.c_void_p()
    end = (rows.address, options.address, callbacks.address)
    with _interrupts(watch):
        if validation is not None:
            first = None if start is None else start.address
            middle = (rows.address, validation.address, options.address, callbacks.address)
            status, message = attempt("cnm_train_validated", ctypes.byref(out), first, *middle)
        elif start is None:
            status, message = attempt("cnm_train", ctypes.byref(out), *end)
        else:
            status, message = attempt("cnm_train_continue", ctypes.byref(out), start.address, *end)
    if watch.meter is not None:
        watch.meter.close()
    model = Model(out.value) if out.value is not None else None
    if watch.failure is not None:
        raise watch.failure
    for text in watch.notices:
        warn(sentence(text))
    if model is not None:  # finished, or stopped early
        return model, watch.understood, watch.interrupted
    if watch.interrupted:
        raise KeyboardInterrupt
    raise as_exception(status, message)
