#!/usr/bin/env python3
"""Compares the headers with the contract in docs/spec/c-api.md: prototypes, marks, struct layouts, enumerators.

    Tests/abi/contract.py [FOLDER]      FOLDER: of the headers; include unless given

What the contract has must be in the headers as it stands there. What the headers add is listed and allowed: at the end of
structs, new functions, structs and enumerators. Needs a C compiler.
"""
import pathlib, re, sys, tempfile

import record

ROOT = pathlib.Path(__file__).resolve().parents[2]
TAGS = {"TCR": "UNISONO_RT", "L": "UNISONO_LOOP", "TCW": "UNISONO_WAITS", "TC": None}


def contract(folder):
    """Writes the headers of the contract, one a code block, with the tags as marks; returns their paths."""
    text = (ROOT / "docs" / "spec" / "c-api.md").read_text()
    paths = []
    for name, block in re.findall(r"^#### (\w+\.h):.*?\n\n```c\n(.*?)\n```", text, re.S | re.M):
        marked = re.sub(r"^/\*(\w+) *\*/ ", lambda tag: f"{TAGS[tag[1]]} " if TAGS[tag[1]] else "", block, flags=re.M)
        paths.append(folder / name)
        paths[-1].write_text(marked + "\n")
    return paths


def facts(lines):
    """By name: functions; structs, as (size, fields by name to place); constants and texts; types."""
    functions, structs, constants, types, struct = {}, {}, {}, {}, None
    for line in lines:
        if line.startswith("function "):
            functions[re.search(r"\b(unisono_\w+)\(", line)[1]] = line.removeprefix("function ")
        elif line.startswith("type "):
            types[line.split()[1]] = "declared"
        elif line.startswith("struct "):
            _, name, size = line.split()
            struct = structs[name] = (int(size), {})
        elif line.startswith("  "):
            name, place = line.strip().split(" ", 1)
            struct[1][name] = place
        else:
            _, name, value = re.fullmatch(r"(constant|text) (\w+) = (.*)", line).groups()
            constants[name] = value
    return functions, structs, constants, types


def compare(wanted, found):
    """What differs, and what is new."""
    problems, news = [], []
    for kind, want, have in zip(("function", "struct", "constant", "type"), wanted, found):
        for name, is_wanted in want.items():
            if name not in have:
                problems.append(f"{kind} {name} is missing")
            elif kind == "struct":
                for field, place in is_wanted[1].items():
                    if have[name][1].get(field) != place:
                        problems.append(f"{field}: contract {place}, header {have[name][1].get(field, 'without it')}")
                if have[name][0] < is_wanted[0]:
                    problems.append(f"struct {name}: contract {is_wanted[0]} bytes, header {have[name][0]}")
                if have[name][0] > is_wanted[0]:
                    news.append(f"struct {name} grew from {is_wanted[0]} to {have[name][0]} bytes")
            elif have[name] != is_wanted:
                problems.append(f"{kind} {name}: contract {is_wanted}, header {have[name]}")
        news += [f"new {kind} {name}" for name in have if name not in want and not (kind == "type" and name in found[1])]
    return problems, news


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "include")
    with tempfile.TemporaryDirectory() as spare:
        wanted = facts(record.lines_of(contract(pathlib.Path(spare)))[0])
    found = facts(record.lines_of(sorted(folder.glob("*.h")))[0])
    problems, news = compare(wanted, found)
    print("\n".join(problems + news + [""] if problems or news else []), end="")
    print(f"contract: {len(wanted[0])} functions, {len(wanted[1])} structs, {len(wanted[2])} constants: {len(problems)} differ")
    return 1 if problems or len(wanted[0]) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
