#!/usr/bin/env python3
"""Every row of docs/scenarios.md has a test whose display name, or in Python whose name, begins with its id.

    Tests/scenarios/check.py           exit status 1 if a row has no test, or if one marked *missing* has
    Tests/scenarios/check.py --list    the tests of every row, with their files
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "scenarios.md"
ROW = re.compile(r"^\| ([A-Z]\d+) \|(.*)\|$", re.M)
TEST = re.compile(r'@Test\(\s*"((?:[^"\\]|\\.)*)"')
PYTHON_TEST = re.compile(r"^def test_(\w+)", re.M)
# One id begins a name; those after it ("J8, J9: …") have tests of their own.
BEGINS = re.compile(r"([A-Z]\d+)(?![\w.])")


def rows():
    """Ids in the order of the page, and whether they are marked as missing."""
    found = {}
    for name, text in ROW.findall(PAGE.read_text(encoding="utf-8")):
        if name in found:
            sys.exit(f"{PAGE.name}: {name} has two rows; give one another id")
        found[name] = "*missing*" in text
    return found


def tests():
    """Display names by the id that they begin with."""
    found = {}
    for path in sorted((ROOT / "Tests").rglob("*.swift")):
        for name in TEST.findall(path.read_text(encoding="utf-8")):
            if match := BEGINS.match(name):
                found.setdefault(match[1], []).append((name, path.relative_to(ROOT)))
    for path in sorted((ROOT / "Tests").rglob("test_*.py")):
        for name in PYTHON_TEST.findall(path.read_text(encoding="utf-8")):
            sentence = name.replace("_", " ")
            if match := BEGINS.match(sentence[:1].upper() + sentence[1:]):
                found.setdefault(match[1], []).append((sentence, path.relative_to(ROOT)))
    return found


def main():
    wanted, present = rows(), tests()
    if not wanted:
        sys.exit(f"{PAGE.name} has no rows of the form | id | … |")
    if "--list" in sys.argv[1:]:
        for row in wanted:
            for name, path in present.get(row, [("-", "-")]):
                print(f"{row:4} {name}\n     {path}")
        return
    faults = []
    for row, is_missing in wanted.items():
        if row not in present and not is_missing:
            faults.append(f"{row} has no test: write one whose display name begins with {row}")
        if row in present and is_missing:
            faults.append(f'{row} has a test ("{present[row][0][0]}"): take *missing* out of its row')
    for fault in faults:
        print(f"docs/{PAGE.name}: {fault}", file=sys.stderr)
    missing = [row for row, is_missing in wanted.items() if is_missing]
    print(f"{len(wanted)} rows, {len(wanted) - len(missing)} with a test" + (
        f", known as missing: {', '.join(missing)}" if missing else ""))
    sys.exit(1 if faults else 0)


main()
