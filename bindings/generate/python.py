"""ctypes: bindings/python/unisono/_declarations.py, which _ffi.py offers to the rest of the package."""

import textwrap

PATH = "bindings/python/unisono/_declarations.py"
WIDTH = 120
HEAD = '''"""The structs, functions and numbers of the headers, for ctypes.

Made by bindings/generate from include/*.h: not to be edited. Handles and callbacks are ``c_void_p``; an enumeration is ``c_int32``.
"""

# ruff: noqa
# fmt: off
from __future__ import annotations

import ctypes
from ctypes import (
    POINTER, Structure, c_char, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p,
)
from typing import Any, Dict, Sequence, Tuple

'''
SIZED = '''

class Sized(Structure):
    """A struct that begins with its own size; zero means "the default" in every other field."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(size=ctypes.sizeof(type(self)), **fields)
'''


def camel(name):
    return "".join("ID" if part == "id" else part.capitalize() for part in name.split("_"))


def wrapped(text, indent, mark="# "):
    """A comment's lines as they are, and broken where they are too long."""
    lines = []
    for line in text.split("\n"):
        lines += textwrap.wrap(line, WIDTH - len(indent) - len(mark), subsequent_indent="  " if line.startswith(" ") else "") or [""]
    return [f"{indent}{mark}{line}".rstrip() for line in lines]


def ctype(interface, type_):
    if type_.base == "function":
        return "c_void_p"
    if type_.base == "void":
        return "c_void_p" if type_.stars else "None"
    if type_.base == "char":
        one = "c_char_p" if type_.stars else "c_char"
        stars = max(type_.stars - 1, 0)
    elif interface.is_handle(type_):
        one, stars = "c_void_p", type_.stars - 1
    else:
        scalar = "c_size_t" if type_.base == "size_t" else "c_" + type_.base.removesuffix("_t")
        one = "c_int32" if interface.is_enumeration(type_) else camel(type_.short) if interface.is_struct(type_) else scalar
        stars = type_.stars
    for _ in range(stars):
        one = f"POINTER({one})"
    return f"{one} * {type_.count}" if type_.count else one


def commented(indent, code, comment):
    """A line with its comment behind it, or above it where that is too long."""
    line = f"{indent}{code}"
    if not comment:
        return [line]
    if len(line) + len(comment) + 4 <= WIDTH:
        return [f"{line}  # {comment}"]
    return [*wrapped(comment, indent), line]


def written(interface):
    lines = [HEAD.rstrip("\n"), ""]
    for one in interface.constants:
        lines += commented("", f"{one.short} = {python_value(one.value)}", one.comment)
    lines += ["", "#: Name and number of each enumerator, without its prefix, by the enumeration's name without ``unisono_``.",
              "ENUMERATIONS: Dict[str, Dict[str, int]] = {"]
    for group in interface.enumerations:
        lines += wrapped(group.comment, "    ") if group.comment else []
        lines.append(f'    "{group.short}": {{')
        for one in group.members:
            lines += commented(" " * 8, f'"{one.name.removeprefix(group.prefix)}": {one.value},', one.comment)
        lines.append("    },")
    lines += ["}", SIZED.rstrip("\n")]
    for group in interface.structs:
        lines += ["", "", f"class {camel(group.short)}({'Sized' if group.is_given else 'Structure'}):"]
        if group.comment:
            text = group.comment.replace("\\", "\\\\")
            body = wrapped(text, "    ", "")
            lines += [f'    """{body[0].strip()}', *body[1:], '    """', ""] if len(body) > 1 else [f'    """{body[0].strip()}"""', ""]
        lines.append("    _fields_ = [")
        for one in group.members:
            lines += commented(" " * 8, f'("{one.name}", {ctype(interface, one.value)}),', one.comment)
        lines.append("    ]")
    lines += ["", "", "#: Each struct by its name in the headers, without ``unisono_``.", "STRUCTS = {"]
    lines += [f'    "{group.short}": {camel(group.short)},' for group in interface.structs]
    lines += ["}", "", "#: Result and parameters of each function, without the prefix ``unisono_``.",
              "PROTOTYPES: Dict[str, Tuple[Any, Sequence[Any]]] = {"]
    for one in interface.functions:
        lines += wrapped(" ".join(one.marks + [""]) + one.comment if one.marks else one.comment, "    ")
        parameters = [ctype(interface, parameter.value) for parameter in one.parameters]
        code = f'    "{one.short}": ({ctype(interface, one.result)}, [{", ".join(parameters)}]),'
        if len(code) > WIDTH:
            code = f'    "{one.short}": (\n        {ctype(interface, one.result)},\n        [{", ".join(parameters)}],\n    ),'
        lines.append(code)
    return "\n".join([*lines, "}", ""])


def python_value(value):
    if isinstance(value, str):
        return '"' + value + '"'
    return {-(2**63): "-(2**63)", 2**63 - 1: "2**63 - 1"}.get(value, str(value))
