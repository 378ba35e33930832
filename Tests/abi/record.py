#!/usr/bin/env python3
"""Prints the ABI that headers declare: functions with their marks, struct layouts, enumerators, constants.

    Tests/abi/record.py include/*.h > Tests/abi/unisono.abi

Fails when a struct has hidden padding: the sum of its fields' sizes must be its size. Needs a C compiler.
"""
import os, pathlib, re, subprocess, sys, tempfile

COMPILER = os.environ.get("CC", "cc")
MARKED = re.compile(r"^((?:UNISONO_(?:RT|LOOP|WAITS) )+)UNISONO_API\([^)]*\) (unisono_\w+)\(", re.M)


def preprocessed(includes):
    command = [COMPILER, "-std=c11", "-E", "-P", "-x", "c", "-"]
    out = subprocess.run(command, input=includes, capture_output=True, text=True, check=True)
    return re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", out.stdout)


def functions(text, marks):
    found = []
    for match in re.finditer(r"^\s*(?!typedef)([\w \*]+?)\s*(\bunisono_\w+)\s*\(((?:[^()]|\([^()]*\))*)\)\s*;", text, re.M):
        result, name, arguments = match.groups()
        arguments = ", ".join(re.sub(r"\s+", " ", one).strip() for one in arguments.split(","))
        found.append(f"function {re.sub(r' +', ' ', result).strip()} {name}({arguments}){marks.get(name, '')}")
    return sorted(found)


def fields(body):
    for declaration in filter(None, (part.strip() for part in body.split(";"))):
        pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)\s*\(", declaration)
        if pointer:
            yield pointer.group(1)
            continue
        for part in declaration.split(","):
            yield re.search(r"(\w+)\s*(?:\[\d+\])?\s*$", part).group(1)


def measured(includes, structs, constants):
    lines = ["#include <stdio.h>", "#include <stddef.h>", includes,
             "#define FIELD(s, f) offsetof(s, f), sizeof(((s *)0)->f)", "int main(void) {"]
    for name, names in structs.items():
        lines.append(f'  printf("struct {name} %zu\\n", sizeof({name}));')
        for field in names:
            lines.append(f'  printf("  {name}.{field} at %zu size %zu\\n", FIELD({name}, {field}));')
    for name in constants:
        lines.append(f'  printf("constant {name} = %lld\\n", (long long)({name}));')
    lines += ["  return 0;", "}"]
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "record.c"), pathlib.Path(folder, "record")
        source.write_text("\n".join(lines))
        subprocess.run([COMPILER, "-std=c11", str(source), "-o", str(program)], check=True)
        return subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout.splitlines()


def padding(lines):
    faults, struct, size, total = [], None, 0, 0
    for line in lines + ["struct end 0"]:
        if line.startswith("struct "):
            if struct and size != total:
                faults.append(f"{struct}: {size} bytes, but its fields have {total}")
            _, struct, size = line.split()
            size, total = int(size), 0
        elif line.startswith("  "):
            total += int(line.split()[-1])
    return faults


def lines_of(headers):
    """The record of some headers, and what is wrong with them."""
    includes = "".join(f'#include "{pathlib.Path(header).resolve()}"\n' for header in headers)
    raw = "\n".join(pathlib.Path(header).read_text() for header in headers)
    marks = {name: " " + marks.strip() for marks, name in MARKED.findall(raw)}
    text = preprocessed(includes)
    found = re.finditer(r"typedef struct (unisono_\w+)\s*\{(.*?)\}\s*\1\s*;", text, re.S)
    structs = {match.group(1): list(fields(match.group(2))) for match in found}
    enumerators = set(re.findall(r"\b(UNISONO_[A-Z0-9_]+)\s*=", text))
    numbers = re.findall(r"^#define (UNISONO_[A-Z0-9_]+) +(?:0x[0-9a-fA-F]+u?|\d+u?|INT64_M\w+)\s*(?:/\*.*)?$", raw, re.M)
    texts = re.findall(r'^#define (UNISONO_[A-Z0-9_]+) +("[^"]*")', raw, re.M)
    types = re.findall(r"^typedef .*?\b(unisono_\w+)\s*(?:;|\)\s*\([^()]*\);)", re.sub(r"\{[^{}]*\}", "", text), re.M)
    layout = measured(includes, structs, sorted(enumerators | set(numbers)))
    lines = functions(text, marks) + [f"type {name}" for name in sorted(set(types))] + layout + sorted(f"text {name} = {value}" for name, value in texts)
    return lines, padding([line for line in layout if not line.startswith("constant")])


if __name__ == "__main__":
    lines, faults = lines_of(sys.argv[1:])
    print("\n".join(lines))
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)
