#!/usr/bin/env python3
"""Whether CHANGELOG.md names every symbol that came, went or changed since API 0.1, and the headers mark what is new.

    Tests/abi/changes.py

Tests/abi/unisono-0.1.abi is what 0.1 declared, Tests/abi/unisono.abi what is declared now. The section "API 0.2" has lines
"- added: ...", "- removed: ...", "- renamed: `old` to `new`, ..." and "- changed: ...", with symbols in backquotes. A new
function or struct says "@since 0.2" in its comment.
"""
import pathlib, re, sys

import contract

ROOT = pathlib.Path(__file__).resolve().parents[2]
SINCE = "@since 0.2"


def symbols(path):
    """(is a function, name) to what it is, without marks: a name may go from a function to a type."""
    functions, structs, constants, types = contract.facts(path.read_text().splitlines())
    plain = {(True, name): re.sub(r" UNISONO_\w+", "", text) for name, text in functions.items()}
    return plain | {(False, name): what for name, what in {**types, **structs, **constants}.items()}


def told(changelog):
    """What the section says: kind to names; renamed ones as pairs."""
    section = re.search(r"^### API 0\.2\n(.*?)(?=^##)", changelog, re.S | re.M)[1]
    lines = {kind: text for kind, text in re.findall(r"^- (\w+): (.*?)(?=^- |\Z)", section, re.S | re.M)}
    names = {kind: set(re.findall(r"`(\w+)`", text)) for kind, text in lines.items()}
    names["renamed"] = set(re.findall(r"`(\w+)`\s+to\s+`(\w+)`", lines["renamed"]))
    return names


def unmarked(headers, names):
    """Those declared without the mark: it stands in the comment before, or in the declaration."""
    for name in names:
        before = rf"(?:/\*(?:(?!\*/).)*?\*/\s*)?(?:UNISONO_\w+ )*UNISONO_API\([^)]*\) {name}\(|"
        before += rf"(?:/\*(?:(?!\*/).)*?\*/\s*)?typedef struct {name} "
        found = re.search(before, headers, re.S)
        if found and SINCE not in found[0]:
            yield name


def main():
    before, now = symbols(ROOT / "Tests/abi/unisono-0.1.abi"), symbols(ROOT / "Tests/abi/unisono.abi")
    names = told((ROOT / "CHANGELOG.md").read_text())
    facts = {
        "added": {name for _, name in set(now) - set(before)}, "removed": {name for _, name in set(before) - set(now)},
        "changed": {key[1] for key in now if key in before and now[key] != before[key]},
    }
    said = {
        "added": names["added"] | {new for _, new in names["renamed"]},
        "removed": names["removed"] | {old for old, _ in names["renamed"]}, "changed": names["changed"],
    }
    faults = [f"CHANGELOG.md does not say that {name} was {kind}" for kind in facts for name in sorted(facts[kind] - said[kind])]
    faults += [f"CHANGELOG.md says {name} was {kind}: it was not" for kind in facts for name in sorted(said[kind] - facts[kind])]
    headers = "\n".join(path.read_text() for path in sorted((ROOT / "include").glob("*.h")))
    faults += [f"{name} is new and not marked {SINCE}" for name in unmarked(headers, sorted(facts["added"]))]
    print("\n".join(faults) if faults else f"changes: {', '.join(f'{len(facts[kind])} {kind}' for kind in facts)}, as CHANGELOG.md has it")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
