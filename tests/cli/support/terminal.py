"""The bar of progress, as a terminal shows it: never wider than the terminal, never backwards, gone
at the end. Called with the command and a CSV file; prints what is wrong and exits with 1.

Every report is drawn (CNM_PROGRESS_AFTER=0), so that nothing here waits for a clock: what needs a
long training stops it as soon as it has seen what it looks for.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable

BAR = re.compile(r"\b(\d+)%")
TOKENS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|\r|\n|[^\x1b\r\n]+")


class Screen:
    """A terminal that wraps long lines, and wraps them again when its width changes."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.rows = [""]
        self.row = self.column = 0

    def write(self, text: str) -> None:
        for token in TOKENS.findall(text):
            if token == "\r":
                self.column = 0
            elif token == "\n":
                self.row += 1
                self.rows += [""] * (self.row + 1 - len(self.rows))
            elif token == "\x1b[J":
                del self.rows[self.row + 1 :]
                self.rows[self.row] = self.rows[self.row][: self.column]
            elif token.startswith("\x1b"):
                raise AssertionError(f"a control sequence that is not known: {token!r}")
            else:
                self.put(token)

    def put(self, text: str) -> None:
        for letter in text:
            if self.column == self.columns:
                self.row, self.column = self.row + 1, 0
                self.rows += [""] * (self.row + 1 - len(self.rows))
            line = self.rows[self.row].ljust(self.column)
            self.rows[self.row] = line[: self.column] + letter + line[self.column + 1 :]
            self.column += 1

    def resize(self, columns: int) -> None:
        rows, row, column = [], 0, self.column
        for i, line in enumerate(self.rows):
            if i == self.row:
                row, column = len(rows) + self.column // columns, self.column % columns
            rows += [line[j : j + columns] for j in range(0, max(len(line), 1), columns)]
        self.columns, self.rows, self.row, self.column = columns, rows, row, column


class Run:
    """One run of the command on a terminal of its own."""

    def __init__(self, columns: int, *words: str, **environment: str) -> None:
        self.screen, self.bars, self.text = Screen(columns or 80), [], ""
        new = {**os.environ, "TERM": "xterm", "CNM_PROGRESS_AFTER": "0", **environment}
        new.pop("COLUMNS", None) if "COLUMNS" not in environment else None
        started, start = os.pipe()  # the command waits until its terminal has its size
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.close(start)
            os.read(started, 1)
            os.execve(words[0], words, new)
        os.close(started)
        self.resize(columns)
        os.close(start)

    def resize(self, columns: int) -> None:
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def read(self) -> bool:
        """Takes what the command wrote; returns whether there may be more."""
        try:
            text = os.read(self.terminal, 65536).decode()
        except OSError:
            text = ""
        self.text += text
        self.screen.write(text)
        self.bars = [token for token in TOKENS.findall(self.text) if "rows/s" in token or BAR.search(token)]
        return text != ""

    def wait(self, done: Callable[[], bool] = lambda: False) -> Run:
        """Reads until `done`, or to the end."""
        while not done() and self.read():
            pass
        return self

    def end(self) -> int:
        """Reads to the end and returns the exit status."""
        self.wait()
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def check_bars(run: Run, width: int, least: int) -> None:
    bars = [bar for bar in run.bars if not re.match(r"(label: |none  |random  |learned  )", bar)]
    assert len(bars) >= least, f"{len(bars)} bars instead of {least} or more: {run.text!r}"
    wide = [bar for bar in bars if len(bar) >= width]
    assert not wide, f"wider than a terminal of {width} columns: {wide}"
    done = [int(BAR.search(bar).group(1)) for bar in bars if BAR.search(bar)]
    assert done == sorted(done), f"percentages fall: {done}"


def check_clean(run: Run) -> None:
    left = [row for row in run.screen.rows if re.search(r"\[#*-*\]|rows/s|\d%, | left", row)]
    assert not left, f"left on the screen: {left}"


def a_training(cnm: str, rows: str) -> None:
    for columns in (14, 35, 40, 80, 132):
        run = Run(columns, cnm, "train", "--effort", "quick", "-k", "8", rows, "model.cnm")
        assert run.end() == 0
        check_bars(run, columns, 2)
        check_clean(run)
        assert columns == 14 or any(re.match(r"seconds +\d", row) for row in run.screen.rows), run.screen.rows


def a_terminal_that_does_not_tell(cnm: str, rows: str) -> None:
    for columns, environment in ((80, {}), (50, {"COLUMNS": "50"})):
        run = Run(0, cnm, "train", "--effort", "quick", "-k", "8", rows, "model.cnm", **environment)
        assert run.end() == 0
        check_bars(run, columns, 2)


def several_models(cnm: str, rows: str) -> None:
    for words in (["train", "--grow", "8", "-k", "2"], ["tune", "--max-k", "8", "--cv", "2"]):
        run = Run(80, cnm, *words, "--effort", "quick", "--distill", "no", rows, "series.cnm")
        assert run.end() == 0, run.text
        check_bars(run, 80, 4)
        check_clean(run)
        assert any(re.match(r"(\d+ features|dense, 8 features, fold 1 of 2): ", bar) for bar in run.bars), run.bars


def the_demo(cnm: str, _: str) -> None:
    run = Run(80, cnm, "demo")
    run.wait(lambda: len(re.findall(r"^random .*\n", run.text.replace("\x1b[J", "\n"), re.M)) >= 3)
    os.kill(run.pid, signal.SIGINT)
    run.end()
    check_clean(run)
    table = [row for row in run.screen.rows if row.startswith(("none", "random"))]
    assert len(table) >= 4, run.screen.rows
    assert all(re.fullmatch(r"\w+ +[-\d]+ +\d+ +[\d.]+% +[\d.]+", row) for row in table), table


def the_demo_in_a_pipe(cnm: str, _: str) -> None:
    environment = {**os.environ, "CNM_PROGRESS_AFTER": "0"}
    run = subprocess.Popen([cnm, "demo"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    lines = [run.stdout.readline() for _ in range(6)]
    run.send_signal(signal.SIGINT)
    run.communicate()
    assert all(re.fullmatch(r"\w+ +[-\d]+ +\d+ +[\d.]+% +[\d.]+\n", line) for line in lines[3:]), lines


def a_resize(cnm: str, rows: str) -> None:
    run = Run(132, cnm, "train", "--epochs", "1000000", "--effort", "quick", "-k", "8", rows, "model.cnm")
    run.wait(lambda: bool(run.bars))
    seen = len(run.bars)
    run.resize(40)
    run.screen.resize(40)
    run.wait(lambda: len(run.bars) > seen and len(run.bars[-1]) < 40)
    narrow = len(run.bars)
    run.wait(lambda: len(run.bars) >= narrow + 2)
    os.kill(run.pid, signal.SIGINT)
    assert run.end() == 130
    late = [bar for bar in run.bars[narrow:] if len(bar) >= 40]
    assert not late, f"wider than the terminal after a resize: {late}"
    check_clean(run)


def a_terminal_that_cannot_clear(cnm: str, rows: str) -> None:
    run = Run(80, cnm, "train", "--effort", "quick", "-k", "8", rows, "model.cnm", TERM="dumb")
    assert run.end() == 0
    assert "\x1b" not in run.text and "[#" not in run.text, run.text
    assert re.search(r"^fit \d+%, loss", run.text, re.M), run.text


def main() -> int:
    wrong = 0
    tests = (
        a_training,
        a_terminal_that_does_not_tell,
        several_models,
        the_demo,
        the_demo_in_a_pipe,
        a_resize,
        a_terminal_that_cannot_clear,
    )
    for test in tests:
        try:
            test(sys.argv[1], sys.argv[2])
        except AssertionError as error:
            wrong += 1
            print(f"FAILED: {test.__name__}: {error}")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
