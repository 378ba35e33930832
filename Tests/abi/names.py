#!/usr/bin/env python3
"""Whether what the sources say of the headers is so: names in errors, and the marks of the implementations.

    Tests/abi/names.py

An error event names a function "as in this header": every such name in Sources must be declared. A function marked
UNISONO_RT must not go through what locks and sets the last error, and every other one must say its own name there.
"""
import pathlib, re, sys

import record

ROOT = pathlib.Path(__file__).resolve().parents[2]
GROUPS = "context|session|coordinator|suspension|player|surface|hub|advertiser|browser|join_request|simulation"
#: What an implementation goes through unless it is realtime-safe, with its own name.
GUARD = re.compile(r'\b(?:call\(|objectToDestroy\(\w+, \w+\.self, )"(unisono_\w+)"')
#: What a hub counts is named for Prometheus, in the same spelling.
FIGURES = ROOT / "Sources/unisono-cli/Hub/Operation"
#: Neither realtime-safe nor able to fail.
WITHOUT_ERRORS = {"unisono_last_error", "unisono_free"}


def main():
    lines, _ = record.lines_of(sorted((ROOT / "include").glob("*.h")))
    declared = {}
    for line in lines:
        match = re.match(r"function .*?\b(unisono_\w+)\(.*\)(.*)", line)
        if match:
            declared[match[1]] = match[2].split()
    sources = {path: path.read_text() for path in sorted((ROOT / "Sources").rglob("*.swift"))}
    faults, named, implemented = [], 0, {}
    for path, text in sources.items():
        for name in re.findall(rf'"((?:unisono_)?(?:{GROUPS})_[a-z_]+)"', "" if FIGURES in path.parents else text):
            named += 1
            if "unisono_" + name.removeprefix("unisono_") not in declared:
                faults.append(f"{path.relative_to(ROOT)}: there is no function {name}")
        for part in text.split('@_cdecl("')[1:]:
            implemented[part[:part.index('"')]] = part
    for name, marks in declared.items():
        guard = GUARD.search(implemented.get(name, ""))
        if name not in implemented:
            faults.append(f"{name} is not implemented")
        elif "UNISONO_RT" in marks and guard:
            faults.append(f"{name} is marked UNISONO_RT and goes through what locks")
        elif "UNISONO_RT" not in marks and name not in WITHOUT_ERRORS and (not guard or guard[1] != name):
            faults.append(f"{name} is not marked UNISONO_RT and does not say its name in errors")
    print("\n".join(faults) if faults else f"names: {named} in Sources, {len(declared)} implementations keep their marks")
    return 1 if faults or named < 150 else 0


if __name__ == "__main__":
    sys.exit(main())
