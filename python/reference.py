"""Writes what follows from the library's table of options: Python signatures and two pages.

    python/cnm/_parameters.py    constructors of the estimators, with types and docstrings
    docs/reference/options.md    one heading an option
    docs/reference/python.md     the docstrings of the package

Started by scripts/reference. Needs the standard library only: the package is read, not imported.
"""

from __future__ import annotations

import argparse
import ast
import ctypes
import re
import subprocess
import sys
import tempfile
import textwrap
from dataclasses import dataclass
from inspect import cleandoc
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "python/cnm"
WIDTH = 100
Options = list[dict[str, str]]
Nodes = dict[str, ast.ClassDef | ast.FunctionDef]

# ---- How Python differs from the table: the one place where options are named by hand ----


@dataclass(frozen=True)
class Special:
    """How the parameter of an option differs from the table's row."""

    parameter: str = ""  # name; "": the option's, with _ for -
    annotation: str = ""  # type; "": by the option's type
    shown: str = ""  # type in the docstring
    text: str = ""  # meaning; "": the option's help
    note: str = ""  # addition to the meaning


SPECIAL = {
    "features": Special("n_components"),
    "lambda": Special("alpha"),
    "seed": Special(
        "random_state",
        "int | np.random.RandomState | None",
        "int or RandomState",
        "Seed of everything random. None is the seed 1, so the same model every time: other results need "
        "another number. A RandomState gives one number for each training.",
    ),
    "threads": Special(
        "n_jobs",
        "int | None",
        "int",
        "Number of threads, as joblib counts them. None: all processors, or OMP_NUM_THREADS. "
        "Results do not depend on it.",
    ),
    "layers": Special("", "str | tuple[int | str, ...] | None", "str or tuple", note="(128, 64) is 128,64."),
    "class-weight": Special(
        "", 'dict[Any, float] | Literal["balanced"] | None', 'dict or "balanced"', "Weights of classes in training."
    ),
    "validation": Special(
        text="Fraction of the rows to hold out for validation, the last ones of each class (shuffle sorted rows "
        "first). The best parameters on them are kept."
    ),
    "metric": Special(note="The method score stays scikit-learn's."),
    "resume": Special(note="Needs the same rows and parameters."),
}

UNSET = {"", "none", "all"}  # defaults of the table that are None here: nothing, or no limit

# Parameters that are no options: (name, their entry in the docstring).
WARM_START = (
    "warm_start",
    """    warm_start : bool, default False
        Whether fit goes on from the model of an earlier fit, which must have had the same columns
        and classes: three epochs, or as many as ``epochs`` says; with a larger ``n_components``
        the map grows.""",
)
VERBOSE = (
    "verbose",
    """    verbose : bool, default False
        Show what was understood of the rows, progress (a bar where tqdm is installed), and what was
        chosen.""",
)

FIXED = {"task", "cv"}  # the classes set the first, scikit-learn has the second
CLASSIFIER_ONLY = {"class-weight", "recipe", "iterations", "head-steps"}
REGRESSOR_ONLY = {"quantile"}
BY_TASK = ("loss", "metric")  # values depend on the task: those with which the command trains
MAP = {"features", "kernel", "gamma", "phase", "activation", "scale", "missing", "seed", "threads"}
LEARNED_MAP = {"projection", "init", "map-steps", "batch", "theta-penalty", "validation"}
LONG_RUN = {"checkpoint", "checkpoint-every", "resume"}
AS_THEY_COME = (("scale", "none"),)  # for gamma's sake


@dataclass(frozen=True)
class Estimator:
    """A class of the package: its task, and which options of a training it has."""

    task: str
    only: frozenset[str] = frozenset()  # empty: all of the table
    without: frozenset[str] = frozenset()
    verbose: bool = True
    warm_start: bool = False
    defaults: tuple[tuple[str, str], ...] = ()  # of options, where they are not those of the table

    def has(self, name: str) -> bool:
        return name not in FIXED | self.without and (name in self.only or not self.only)


ESTIMATORS = {
    "CNMClassifier": Estimator("classify", without=frozenset(REGRESSOR_ONLY), warm_start=True),
    "CNMRegressor": Estimator("regress", without=frozenset(CLASSIFIER_ONLY), warm_start=True),
    "RandomFourierMap": Estimator("map", only=frozenset(MAP | {"init"}), verbose=False, defaults=AS_THEY_COME),
    "CirculantMap": Estimator("map", only=frozenset(MAP), verbose=False, defaults=AS_THEY_COME),
    "CompactKernelMap": Estimator("map", only=frozenset(MAP | LEARNED_MAP | LONG_RUN), defaults=AS_THEY_COME),
}

# ---- The library and the command ----


def read_version(path: Path) -> int:
    """Returns CNM_VERSION of the library."""
    return int(ctypes.CDLL(str(path.resolve())).cnm_version_number())


def read_options(path: Path) -> Options:
    """Returns every option that the library offers, by the names of cnm_options_text."""
    library = ctypes.CDLL(str(path.resolve()))
    library.cnm_options_count.restype = ctypes.c_size_t
    library.cnm_options_text.argtypes = [
        ctypes.c_size_t,
        ctypes.c_char_p,
        ctypes.c_char_p,
        ctypes.c_size_t,
        ctypes.c_void_p,
    ]

    def text(i: int, field: str) -> str:
        out = ctypes.create_string_buffer(512)
        if library.cnm_options_text(i, field.encode(), out, len(out), None) != 0:
            raise ValueError(f"option {i} has no {field}")
        return out.value.decode()

    fields = ("name", "type", "default", "values", "help", "group", "purpose")
    rows = range(library.cnm_options_count())
    return [{f: text(i, f) for f in fields} for i in rows]


def read_commands(command: Path) -> dict[str, str]:
    """Returns the whole help text of each command that has one."""

    def text(*words: str) -> str:
        return subprocess.run([command, "help", *words], check=True, capture_output=True, text=True).stdout

    names = re.findall(r"^  cnm (\w+)", text(), flags=re.M)
    return {name: text("--all", name) for name in names if name not in ("help", "version")}


def accepted(command: Path, task: str, option: dict[str, str]) -> list[str]:
    """Returns the values of an option with which the command trains a model for the task."""
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder, "rows.csv")
        rows.write_text("".join(f"{i},{i * i % 7},{i % 2}\n" for i in range(20)))
        train = [command.resolve(), "train", "-q", "--task", task, "--effort", "quick", "-k", "1", "--epochs", "1"]

        def works(value: str) -> bool:
            words = [*train, f"--{option['name']}", value, rows, Path(folder, "model.cnm")]
            return subprocess.run(words, capture_output=True, check=False).returncode == 0

        return [value for value in option["values"].split("|") if works(value)]


# ---- The constructors ----


def parameter_of(option: str) -> str:
    return SPECIAL.get(option, Special()).parameter or option.replace("-", "_")


def default_of(option: dict[str, str], estimator: Estimator | None = None) -> str:
    """Returns the default of a parameter as Python; None where the option is not set by default."""
    text = dict(estimator.defaults if estimator else ()).get(option["name"], option["default"])
    if SPECIAL.get(option["name"], Special()).annotation or (option["type"] != "choice" and text in UNSET):
        return "None"
    if option["type"] == "flag":
        return str(text == "yes")
    numeric = re.fullmatch(r"[0-9.]+", text) is not None
    return f'"{text}"' if not numeric else str(int(text) if option["type"] == "count" else float(text))


def kind(option: dict[str, str], values: list[str]) -> tuple[str, str]:
    """Returns the type of a parameter for an annotation and for a docstring."""
    special, default = SPECIAL.get(option["name"], Special()), default_of(option)
    if special.annotation:
        return special.annotation, special.shown
    if option["type"] == "choice":
        words = ", ".join(f'"{value}"' for value in values)
        return f"Literal[{words}]", f"{{{words}}}"
    unset = " | None" if default == "None" else ""
    if option["values"] in ("FILE", "MODEL"):
        return f"str | os.PathLike[str]{unset}", "str or path"
    plain = {"count": "int", "number": "float", "flag": "bool", "text": "str"}[option["type"]]
    if plain == "float" and len(values) > 2:
        return f"{plain} | str{unset}", f"{plain} or str"
    if default == '"auto"':
        return f'{plain} | Literal["auto"]', f'{plain} or "auto"'
    return f"{plain}{unset}", plain


def sentence(option: dict[str, str], options: Options, parameters: set[str]) -> str:
    """Returns an option's help as a sentence, with the names of options and parameters as code."""

    def named(found: re.Match[str]) -> str:
        name, word = found.group(1), found.group(3) or ""
        values = next((o["values"].split("|") for o in options if o["name"] == name), [])
        parameter, value = parameter_of(name), word if word in values else ""
        rest = f" {word}" if word and not value else ""
        if parameter in parameters:
            return f"``{parameter}" + (f'="{value}"``' if value else "``") + rest
        return f"``--{name}" + (f" {value}``" if value else "``") + rest

    pattern = r"--([a-z]+(?:-[a-z]+)*)( ([a-z0-9-]+))?"
    text = re.sub(pattern, named, option["help"]).strip().rstrip(".") + "."
    word = re.split(r"\W", text)[0]
    return text if word in re.split(r"\W", option["values"]) else text[0].upper() + text[1:]


def entry(
    option: dict[str, str], options: Options, values: list[str], parameters: set[str], estimator: Estimator
) -> str:
    """Returns the lines of a parameter in a numpydoc section."""
    special = SPECIAL.get(option["name"], Special())
    text = special.text or sentence(option, options, parameters)
    name, initial = f"    {parameter_of(option['name'])} : ", default_of(option, estimator)
    head, listed = f"{name}{kind(option, values)[1]}, default {initial}", option["type"] == "choice"
    if len(head) > WIDTH - 8:
        head, listed = f"{name}str, default {initial}", False
    if not special.annotation and not listed and "|" in option["values"] and option["type"] != "flag":
        text += f" Values: {', '.join(values)}."
    text = textwrap.fill(f"{text} {special.note}".strip(), WIDTH - 12, break_on_hyphens=False)
    return f"{head}\n{textwrap.indent(text, ' ' * 8)}"


def constructor(name: str, options: Options, command: Path) -> str:
    """Returns the class that gives an estimator its parameters."""
    estimator = ESTIMATORS[name]
    ours = [o for o in options if "train" in o["purpose"].split() and estimator.has(o["name"])]
    ours.sort(key=lambda o: o["group"] == "Running")
    parameters = {parameter_of(o["name"]) for o in ours}
    signature, assignments, entries = [], [], []
    for option in ours:
        values = option["values"].split("|")
        if option["name"] in BY_TASK:
            values = accepted(command, estimator.task, option)
        parameter = parameter_of(option["name"])
        signature.append(f"        {parameter}: {kind(option, values)[0]} = {default_of(option, estimator)},")
        assignments.append(f"        self.{parameter} = {parameter}")
        entries.append(entry(option, options, values, parameters, estimator))
    switches = [(WARM_START, estimator.warm_start), (VERBOSE, estimator.verbose)]
    for name_of_switch, described in [switch for switch, there in switches if there]:
        signature.append(f"        {name_of_switch}: bool = False,")
        assignments.append(f"        self.{name_of_switch} = {name_of_switch}")
        entries.append(described)
    documentation = textwrap.indent("Parameters\n----------\n" + cleandoc("\n".join(entries)), " " * 8).strip()
    return "\n".join(
        [
            f"class {name}Parameters:",
            f'    """Parameters of :class:`{name}`."""\n',
            "    def __init__(\n        self,\n        *,",
            *signature,
            "    ) -> None:",
            f'        """\n        {documentation}\n        """',
            *assignments,
        ]
    )


HEAD = '''"""Constructors of the estimators, written by scripts/reference from the table of options."""

from __future__ import annotations

import os
from typing import Any, Literal

import numpy as np

# CNM_VERSION of the library that has this table.
VERSION_NUMBER = %d

# The option of each parameter.
OPTIONS = {
%s
}

# The library's defaults, where they are not None.
DEFAULTS = {
%s
}

# Parameters that are whole numbers.
COUNTS = {
%s
}
'''


def parameters_module(version: int, options: Options, command: Path) -> str:
    ours = [o for o in options if "train" in o["purpose"].split() and o["name"] not in FIXED]
    named = [(f'"{parameter_of(o["name"])}"', o) for o in ours]
    table = "\n".join(f'    {parameter}: "{o["name"]}",' for parameter, o in named)
    defaults = "\n".join(f"    {p}: {default_of(o)}," for p, o in named if default_of(o) != "None")
    counts = [p for p, o in named if o["type"] == "count" and o["name"] not in ("seed", "threads")]
    listed = "\n".join(f"    {p}," for p in counts)
    return "\n\n".join(
        [
            HEAD % (version, table, defaults, listed),
            *(constructor(name, options, command) + "\n" for name in ESTIMATORS),
        ]
    )


# ---- Markdown ----


def bullets(lines: list[str]) -> str:
    return "\n".join(
        textwrap.fill(f"- {line}", WIDTH, subsequent_indent="  ", break_on_hyphens=False) for line in lines
    )


def code(words: list[str]) -> str:
    return ", ".join(f"`{word}`" if not word.startswith("a ") else word for word in words)


def unmarked(text: str) -> str:
    """Returns text of a docstring as Markdown: ``code`` and :func:`name` become `code`."""
    return re.sub(r"``(.+?)``", r"`\1`", re.sub(r":\w+:`([^`]+)`", r"`\1`", text))


def example_blocks(text: str) -> str:
    """Returns the text of an Examples section with its sessions as blocks of code."""
    blocks = re.split(r"\n{2,}", text.strip())
    return "\n\n".join(f"```pycon\n{b}\n```" if b.startswith(">>>") else unmarked(b) for b in blocks)


def entries_as_list(text: str) -> str:
    """Returns a list of the entries of a Parameters, Attributes or Returns section."""
    lines = []
    for found in re.finditer(r"^(\S.*)\n?((?:^ .*\n?)*)", text, flags=re.M):
        names, _, shown = found.group(1).partition(" : ")
        meaning = " ".join(found.group(2).split())
        lines.append(f"{code(names.split(', '))}{': ' + shown if shown else ''}{'. ' + meaning if meaning else ''}")
    return bullets([unmarked(line) for line in lines])


def markdown(documentation: str) -> str:
    """Returns a numpydoc docstring as Markdown."""
    parts = re.split(r"^(\w+)\n-{3,}\n", cleandoc(documentation), flags=re.M)
    out = [unmarked(parts[0].strip())] if parts[0].strip() else []
    for title, text in zip(parts[1::2], parts[2::2], strict=True):
        out.append(f"**{title}**\n\n" + (example_blocks if title == "Examples" else entries_as_list)(text.strip()))
    return "\n\n".join(out)


# ---- The page of options ----


def option_section(option: dict[str, str], options: Options, commands: dict[str, str]) -> str:
    name = option["name"]
    found = {c: re.search(rf"^ +(-\w)?,? *--{name}(?![\w-])", text, flags=re.M) for c, text in commands.items()}
    users = [c for c, line in found.items() if line]
    letter = next((f", `{line.group(1)}`" for line in found.values() if line and line.group(1)), "")
    lines = [f"Values: {code(option['values'].split('|'))}"]
    lines += [f"Default: `{option['default']}`"] if option["default"] else []
    lines += [f"Commands: {code(users)}"] if users else []
    classes = [c for c, e in ESTIMATORS.items() if "train" in option["purpose"].split() and e.has(name)]
    lines += [f"Python: `{parameter_of(name)}` of {code(classes)}"] if classes else []
    help_text = textwrap.fill(unmarked(sentence(option, options, set())), WIDTH, break_on_hyphens=False)
    return f"### `--{name}`{letter}\n\n{help_text}\n\n{bullets(lines)}"


OPTIONS_PAGE = """# Options

One table in the library has every option of the command `cnm`, of `cnm_options_set` and of the
Python constructors. `scripts/reference` writes this page from the table. `cnm help --all
COMMAND` also lists the options that only one command has."""


def options_page(options: Options, command: Path) -> str:
    commands, parts = read_commands(command), [OPTIONS_PAGE]
    for group in dict.fromkeys(o["group"] for o in options):
        parts.append(f"## {group}")
        parts += [option_section(o, options, commands) for o in options if o["group"] == group]
    return "\n\n".join(parts) + "\n"


# ---- The page of the package ----


def modules() -> Nodes:
    """Returns every class and function of the package by name."""
    found: Nodes = {}
    for path in sorted(PACKAGE.glob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                found[node.name] = node
    return found


def signature(node: ast.FunctionDef) -> str:
    """Returns a function's name and arguments without types; a property's name alone."""
    if any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list):
        return node.name
    arguments = node.args.args[node.args.args[:1] != [] and node.args.args[0].arg == "self" :]
    defaults = [""] * (len(arguments) - len(node.args.defaults))
    defaults += [f"={ast.unparse(default)}" for default in node.args.defaults]
    return f"{node.name}({', '.join(a.arg + d for a, d in zip(arguments, defaults, strict=True))})"


def methods(owner: ast.ClassDef, known: Nodes) -> dict[str, ast.FunctionDef]:
    """Returns the public methods of a class and of its bases in the package, but for Base."""
    found: dict[str, ast.FunctionDef] = {}
    for base in owner.bases:
        if isinstance(base, ast.Name) and base.id in known and base.id != "Base":
            found.update(methods(known[base.id], known))
    for node in owner.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            found[node.name] = node
    return found


def method_sections(owner: ast.ClassDef, known: Nodes) -> list[str]:
    nodes = methods(owner, known).values()
    return [f"### `{signature(node)}`\n\n{markdown(ast.get_docstring(node) or '')}" for node in nodes]


PYTHON_PAGE = """# Python

The package `cnm`: scikit-learn estimators. `scripts/reference` writes this page from the docstrings
of the package. Parameters are options of the library ([options](options.md)); "auto" leaves a
choice to the library."""


def python_page(parameters: str) -> str:
    known = modules()
    for node in ast.parse(parameters).body:  # as it is now, not as it was committed
        if isinstance(node, ast.ClassDef):
            known[node.name] = node
    exported = ast.parse((PACKAGE / "__init__.py").read_text()).body
    names = next(ast.literal_eval(n.value) for n in exported if isinstance(n, ast.Assign))
    parts = [PYTHON_PAGE]
    for name in names:
        node = known.get(name)
        if node is None:
            continue
        documentation = ast.get_docstring(node) or ""
        if isinstance(node, ast.FunctionDef):
            parts.append(f"## `{signature(node)}`\n\n{markdown(documentation)}")
            continue
        if name in ESTIMATORS:
            start = known[f"{name}Parameters"].body[1]
            documentation = documentation.replace("{parameters}", ast.get_docstring(start) or "")
        parts += [f"## `{name}`\n\n{markdown(documentation)}", *method_sections(node, known)]
    base = known["Base"]
    parts.append("## All estimators\n\nAttributes and methods of every estimator above.")
    parts += method_sections(base, known)
    return "\n\n".join(parts) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/reference", description="Writes what follows from the option table.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a committed file differs")
    parser.add_argument("--library", type=Path, default=ROOT / "build/release/libcnm.so", metavar="FILE")
    parser.add_argument("--command", type=Path, default=ROOT / "build/release/cnm", metavar="FILE")
    arguments = parser.parse_args()
    options, command = read_options(arguments.library), arguments.command.resolve()
    parameters = parameters_module(read_version(arguments.library), options, command)
    wanted = {
        PACKAGE / "_parameters.py": parameters,
        ROOT / "docs/reference/options.md": options_page(options, command),
        ROOT / "docs/reference/python.md": python_page(parameters),
    }
    differ = [path for path, text in wanted.items() if not path.is_file() or path.read_text() != text]
    for path in differ:
        if not arguments.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path])
        print(f"{path.relative_to(ROOT)} {'differs: run scripts/reference' if arguments.check else 'is written'}")
    return int(arguments.check and bool(differ))


if __name__ == "__main__":
    sys.exit(main())
