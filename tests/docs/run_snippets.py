#!/usr/bin/env python3
"""Runs what a page of the documentation shows: run_snippets.py PAGE COMMAND BUILD.

Takes the page's fenced blocks in order, in an empty folder with the rings.csv of
docs/tutorial/first-model.md and with COMMAND on the PATH: ```sh is run by a shell that stops at the
first failure, ```c is compiled against the shared library in the folder BUILD and run, ```python is
executed; blocks of Python on one page share their names. Blocks of any other language are only
shown.

A line <!-- needs: PROGRAM ... --> names programs without which the page is skipped. Blocks of
Python are skipped where numpy, scikit-learn or another module that the page imports is missing.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "docs/tutorial/first-model.md"
BLOCK = re.compile(r"^```(sh|c|python)\n(.*?)^```$", re.M | re.S)


def blocks(page):
    return BLOCK.findall(page.read_text())


def run(*command):
    sys.stdout.flush()
    done = subprocess.run(command)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed with {done.returncode}")


def run_sh(text):
    run("sh", "-euc", text)


def run_c(text, build):
    Path("program.c").write_text(text)
    include = f"-I{ROOT / 'include'}"
    link = [f"-L{build}", "-lcnm", f"-Wl,-rpath,{build}"]
    run("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", include, "program.c", "-o", "program", *link)
    run("./program")


def import_package(page, build, folder):
    """Puts the Python package beside the library of this build; False without what the page imports."""
    found = [text for language, text in blocks(page) if language == "python"]
    named = set(re.findall(r"^(?:import|from) (\w+)", "\n".join(found), re.M)) | {"numpy", "sklearn"}
    missing = [name for name in sorted(named - {"cnm"}) if importlib.util.find_spec(name) is None]
    if missing:
        print(f"no Python blocks: {' '.join(missing)} is missing")
        return False
    shutil.copytree(ROOT / "python/cnm", folder / "cnm")
    (folder / "cnm/libcnm.so").unlink(missing_ok=True)
    (folder / "cnm/libcnm.so").symlink_to(build / "libcnm.so")
    sys.path.insert(0, str(folder))
    return True


def prefer_environment():
    """Goes on as the Python of .venv, which has numpy and scikit-learn, where there is one."""
    python = ROOT / ".venv/bin/python"
    if python.exists() and sys.prefix == sys.base_prefix:
        os.execv(python, [str(python), *sys.argv])


def main():
    page, command, build = (Path(argument).resolve() for argument in sys.argv[1:4])
    prefer_environment()
    needs = re.search(r"^<!-- needs: (.*) -->$", page.read_text(), re.M)
    missing = [name for name in (needs.group(1).split() if needs else []) if shutil.which(name) is None]
    if missing:
        print(f"skipped: no {' '.join(missing)}")
        return 77
    done = 0
    names = {"__name__": "snippet"}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PATH"] = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
        work = Path(folder) / "work"
        work.mkdir()
        os.chdir(work)
        run_sh(next(text for language, text in blocks(DATA) if language == "sh"))
        has_package = None
        for language, text in blocks(page):
            print(f"--- {language}\n{text}--- gives", flush=True)
            if language == "sh":
                run_sh(text)
            elif language == "c":
                run_c(text, build)
            else:
                has_package = (
                    import_package(page, build, Path(folder) / "package") if has_package is None else has_package
                )
                if not has_package:
                    continue
                exec(compile(text, page.name, "exec"), names)
            done += 1
        os.chdir(folder)
    if done == 0:
        print("skipped: nothing on this page could be run")
        return 77
    print(f"{done} blocks of {page.name} work")
    return 0


if __name__ == "__main__":
    sys.exit(main())
