#!/usr/bin/env python3
"""Checks the pages of documentation.

Links lead somewhere; prose is at most 100 columns wide (tables, links and code aside); a heading
comes at least every 30 lines of prose; a decision has a status and at most 60 lines.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
MADE = ["docs/accuracy.md", "docs/reference/options.md", "docs/reference/python.md"]  # by scripts
WIDTH, SCREEN, DECISION = 100, 30, 60


def slug(heading):
    text = re.sub(r"[`*]|\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(page):
    return {slug(line.lstrip("#")) for line in page.read_text().splitlines() if re.match(r"#+ ", line)}


def check_links(page, text):
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.M | re.S)):
        path, _, anchor = target.partition("#")
        goal = page if path == "" else (page.parent / path).resolve()
        if re.match(r"\w+:", target) or (not goal.exists() and str(goal.relative_to(ROOT)) in MADE):
            continue
        if not goal.exists():
            yield f"{target} leads nowhere"
        elif anchor and goal.suffix == ".md" and anchor not in anchors(goal):
            yield f"{goal.name} has no heading for #{anchor}"


def check_lines(text):
    fenced, last = False, 0
    for number, line in enumerate(text.splitlines(), 1):
        fenced ^= line.startswith("```")
        is_prose = not (fenced or line.startswith(("|", "    ", "```")))
        if is_prose and len(line) > WIDTH and len(re.sub(r"\]\([^)]*\)", "]", line)) > WIDTH:
            yield f"line {number} has {len(line)} columns"
        if re.match(r"#+ ", line) or not is_prose:
            last = number
        if number - last == SCREEN:
            yield f"no heading in the {SCREEN} lines up to {number}"


def check_decision(text):
    if len(text.splitlines()) > DECISION:
        yield f"has more than {DECISION} lines"
    if not re.search(r"^Status: (accepted|superseded by \[\d{4}\]\(.*\))$", text, re.M):
        yield "has no line 'Status: accepted' or 'Status: superseded by ...'"


def main():
    complaints = []
    for page in sorted(PAGES):
        name, text = str(page.relative_to(ROOT)), page.read_text()
        found = list(check_links(page, text))
        if name not in MADE and not name.startswith(("docs/experiments/", "docs/decisions/")):
            found += check_lines(text)
        if re.match(r"docs/decisions/\d", name):
            found += check_decision(text)
        complaints += [f"{name}: {what}" for what in found]
    print("\n".join(complaints) or f"{len(PAGES)} pages are in order")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
