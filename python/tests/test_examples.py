"""Examples work: those of the docstrings, and blocks of Python in the README and the documents."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import cnm

ROOT = Path(__file__).resolve().parents[2]
MODULES = [f"cnm.{module.name}" for module in pkgutil.iter_modules(cnm.__path__) if module.name != "libcnm"]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [str(path.relative_to(ROOT)) for path in DOCUMENTS if "\n```python\n" in path.read_text()]


@pytest.mark.parametrize("name", ["cnm", *MODULES])
def test_docstrings(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_pages_are_found():
    assert "README.md" in PAGES
    assert len(PAGES) >= 3


@pytest.mark.parametrize("page", PAGES)
def test_pages(page, tmp_path, monkeypatch):
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / page).read_text(), flags=re.M | re.S)
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "example"}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
