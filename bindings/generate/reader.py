"""What the headers declare, for those who write it down in another language.

clang reads the C: names, types, values, the comments of fields and enumerators. packaging/declarations.py, which the manual is
made with, has the comments of everything at the top level, and the marks.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

import declarations  # noqa: E402

#: In the order of their layers; each includes the first.
HEADERS = [ROOT / "include" / name for name in ("unisono.h", "unisono_player.h", "unisono_nearby.h", "unisono_simulation.h")]
SCALARS = {"void", "char", "double", "size_t", "uint8_t", "int32_t", "uint32_t", "int64_t", "uint64_t"}
DEFINED = re.compile(r"^#\s*define\s+(UNISONO_[A-Z0-9_]+)\s+(\S.*?)\s*(?:/\*\s*(.*?)\s*\*/)?\s*$", re.M)


@dataclass(frozen=True)
class Type:
    """`c` as clang spells it; `base` behind `stars` pointers, `count` of them in a row (0: one). Functions: base "function"."""

    c: str
    base: str
    stars: int = 0
    count: int = 0

    @property
    def short(self):
        return self.base.removeprefix("unisono_")


@dataclass
class Named:
    """A field, a parameter, an enumerator, a constant: with its type or its value, and what is said of it."""

    name: str
    value: object
    comment: str = ""

    @property
    def short(self):
        return self.name.removeprefix("UNISONO_").removeprefix("unisono_")


@dataclass
class Group:
    """A struct with its fields, or an enumeration with its enumerators. `is_given`: hosts fill it, beginning with its size."""

    name: str
    members: list
    comment: str
    is_given: bool = False

    @property
    def short(self):
        return self.name.removeprefix("unisono_")

    @property
    def prefix(self):
        """What all enumerators begin with."""
        common = os.path.commonprefix([member.name for member in self.members])
        return common[: common.rindex("_") + 1]


@dataclass
class Function:
    name: str
    result: Type
    parameters: list
    comment: str
    marks: list

    @property
    def short(self):
        return self.name.removeprefix("unisono_")


@dataclass
class Interface:
    handles: list = field(default_factory=list)
    callbacks: list = field(default_factory=list)  # Named, of a function's Type
    enumerations: list = field(default_factory=list)
    structs: list = field(default_factory=list)
    functions: list = field(default_factory=list)
    constants: list = field(default_factory=list)  # of numbers and texts

    def is_enumeration(self, type_):
        return any(type_.base == one.name for one in self.enumerations)

    def is_struct(self, type_):
        return any(type_.base == one.name for one in self.structs)

    def is_handle(self, type_):
        return type_.base in self.handles


def clang():
    """The one that came with Swift, or any other; None without."""
    swift = shutil.which("swift")
    beside = Path(swift).resolve().parent / "clang" if swift else None
    return str(beside) if beside and beside.exists() else shutil.which("clang")


def type_of(node):
    c = node["type"]["qualType"]
    if "(*)" in c or c.endswith("_fn"):
        return Type(c, "function")
    count = re.search(r"\[(\d+)\]$", c)
    bare = re.sub(r"\b(?:const|struct|enum)\b|\[\d+\]", "", c)
    return Type(c, bare.replace("*", "").strip(), bare.count("*"), int(count[1]) if count else 0)


def comment_of(node):
    """The words of a comment in one line."""
    words = []

    def walk(part):
        if part["kind"] == "TextComment":
            words.append(part["text"])
        elif part["kind"] == "BlockCommandComment":
            words.append(" @" + part["name"])
        for inner in part.get("inner", []):
            walk(inner)

    for part in node.get("inner", []):
        if part["kind"] == "FullComment":
            walk(part)
    return " ".join("".join(words).split())


def value_of(node):
    for part in node.get("inner", []):
        if part["kind"] == "ConstantExpr":
            return int(part["value"])
        if part["kind"] == "StringLiteral":
            return json.loads(part["value"])
        value = value_of(part)
        if value is not None:
            return value
    return None


def tree(constants):
    """clang's reading of the headers, and of each constant as a number or a text."""
    lines = [f'#include "{path}"' for path in HEADERS]
    for name, text in constants:
        lines.append(f"static const char *const value_of_{name} = {name};" if text.startswith('"') else
                     f"enum : long long {{ value_of_{name} = (long long)({name}) }};")
    command = [clang(), "-std=gnu23", "-fsyntax-only", "-fparse-all-comments", "-Wno-everything", "-Xclang", "-ast-dump=json"]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "all.c")
        source.write_text("\n".join(lines) + "\n")
        return json.loads(subprocess.run([*command, str(source)], check=True, capture_output=True, text=True).stdout)["inner"]


def read():
    declared = [one for path in HEADERS for one in declarations.declarations(path)]
    comments = {one.name: one.comment for one in declared}
    marks = {one.name: one.marks for one in declared}
    given = {one.name for one in declared if f"#define {one.name.upper()}_INIT" in one.text}
    defined = [found.groups() for one in declared if one.kind == "macros" for found in DEFINED.finditer(one.text)]
    nodes, interface = tree([(name, text) for name, text, _ in defined]), Interface()
    values = {}
    for node in nodes:
        name = node.get("name", "")
        inner = node.get("inner", [])
        if node["kind"] == "EnumDecl" and not name:
            values.update({one["name"].removeprefix("value_of_"): value_of(one) for one in inner if one["kind"] == "EnumConstantDecl"})
        elif name.startswith("value_of_"):
            values[name.removeprefix("value_of_")] = value_of(node)
        elif not name.startswith("unisono_"):
            continue
        elif node["kind"] == "EnumDecl":
            members = [Named(one["name"], value_of(one), comment_of(one)) for one in inner if one["kind"] == "EnumConstantDecl"]
            interface.enumerations.append(Group(name, members, comments.get(name, "")))
        elif node["kind"] == "RecordDecl" and node.get("completeDefinition"):
            members = [Named(one["name"], type_of(one), comment_of(one)) for one in inner if one["kind"] == "FieldDecl"]
            interface.structs.append(Group(name, members, comments.get(name, ""), name in given))
        elif node["kind"] == "TypedefDecl" and type_of(node).base == "function":
            interface.callbacks.append(Named(name, type_of(node), comments.get(name, "")))
        elif node["kind"] == "FunctionDecl" and node.get("storageClass") != "static":
            result = Type(*_result(node["type"]["qualType"]))
            parameters = [Named(one["name"], type_of(one)) for one in inner if one["kind"] == "ParmVarDecl"]
            interface.functions.append(Function(name, result, parameters, comments.get(name, ""), marks.get(name, [])))
    structs = {one.name for one in interface.structs}
    interface.handles = [one.name for one in declared if one.kind == "handle" and one.name not in structs]
    interface.constants = [Named(name, values[name], comment or "") for name, _, comment in defined]
    return interface


def _result(function_type):
    c = function_type.split("(")[0].strip()
    bare = re.sub(r"\b(?:const|struct|enum)\b", "", c)
    return c, bare.replace("*", "").strip(), bare.count("*")
