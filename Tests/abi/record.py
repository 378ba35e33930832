#!/usr/bin/env python3
"""Prints the ABI that a header declares: functions, struct layouts, enumerators, constants. Needs a C compiler.

    Tests/abi/record.py include/unisono.h > Tests/abi/unisono.abi

Fails when a struct has hidden padding: the sum of its fields' sizes must be its size.
"""
import os, pathlib, re, subprocess, sys, tempfile

header = pathlib.Path(sys.argv[1]).resolve()
compiler = os.environ.get("CC", "cc")


def preprocessed():
    out = subprocess.run([compiler, "-std=c11", "-E", "-P", "-x", "c", str(header)], capture_output=True, text=True, check=True)
    return re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", out.stdout)


def functions(text):
    found = []
    for match in re.finditer(r"^\s*(?!typedef)([\w \*]+?)\s*(\bunisono_\w+)\s*\(((?:[^()]|\([^()]*\))*)\)\s*;", text, re.M):
        result, name, arguments = match.groups()
        arguments = ", ".join(re.sub(r"\s+", " ", one).strip() for one in arguments.split(","))
        found.append(f"function {re.sub(r' +', ' ', result).strip()} {name}({arguments})")
    return sorted(found)


def fields(body):
    for declaration in filter(None, (part.strip() for part in body.split(";"))):
        pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)\s*\(", declaration)
        if pointer:
            yield pointer.group(1)
            continue
        for part in declaration.split(","):
            yield re.search(r"(\w+)\s*(?:\[\d+\])?\s*$", part).group(1)


def measured(structs, constants):
    lines = ["#include <stdio.h>", "#include <stddef.h>", f'#include "{header}"',
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
        subprocess.run([compiler, "-std=c11", str(source), "-o", str(program)], check=True)
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


text = preprocessed()
structs = {m.group(1): list(fields(m.group(2))) for m in re.finditer(r"typedef struct (unisono_\w+)\s*\{(.*?)\}\s*\1\s*;", text, re.S)}
enumerators = set(re.findall(r"\b(UNISONO_[A-Z0-9_]+)\s*=", text))
numbers = set(re.findall(r"^#define (UNISONO_[A-Z0-9_]+) +(?:0x[0-9a-fA-F]+u?|\d+u?|INT64_M\w+)\s*(?:/\*.*)?$", header.read_text(), re.M))
texts = re.findall(r'^#define (UNISONO_[A-Z0-9_]+) +("[^"]*")', header.read_text(), re.M)
layout = measured(structs, sorted(enumerators | numbers))
print("\n".join(functions(text) + layout + sorted(f"text {name} = {value}" for name, value in texts)))
faults = padding([line for line in layout if not line.startswith("constant")])
for fault in faults:
    print(fault, file=sys.stderr)
sys.exit(1 if faults else 0)
