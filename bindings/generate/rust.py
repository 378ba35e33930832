"""Rust: bindings/rust/unisono-sys/src/lib.rs, declarations alone."""

import re

PATH = "bindings/rust/unisono-sys/src/lib.rs"
HEAD = """//! The C side of Unisono: made by bindings/generate from include/*.h, not to be edited.
//!
//! Enumerations are `i32` with constants, because they grow. See the headers for threads, lifetimes and errors.
#![no_std]
#![allow(non_camel_case_types)]

use core::ffi::{c_char, c_void};

"""
SCALARS = {"double": "f64", "size_t": "usize", "uint8_t": "u8", "char": "c_char", "int32_t": "i32", "uint32_t": "u32",
           "int64_t": "i64", "uint64_t": "u64", "void": "c_void"}
KEYWORDS = {"fn", "type", "in", "ref", "move", "match", "loop", "use", "where", "final", "box"}


def named(name):
    return f"r#{name}" if name in KEYWORDS else name


def spelled(interface, c):
    """A C type: constness belongs to what a pointer points at."""
    c = c.strip()
    if c.endswith("_fn"):
        return c
    if "(*)" in c:
        result, parameters = re.fullmatch(r"(.*?)\s*\(\*\)\((.*)\)", c).groups()
        types = [] if parameters == "void" else [spelled(interface, one) for one in parameters.split(",")]
        back = "" if result == "void" else f" -> {spelled(interface, result)}"
        return f"Option<unsafe extern \"C\" fn({', '.join(types)}){back}>"
    if count := re.search(r"\[(\d+)\]$", c):
        return f"[{spelled(interface, c[:count.start()])}; {count[1]}]"
    c = c.removesuffix("const").strip() if not c.startswith("const ") or c.endswith("const") else c
    if c.endswith("*"):
        inner = c[:-1].strip()
        is_const = inner.endswith("const") or inner.startswith("const ") and not inner.endswith("*")
        return f"*{'const' if is_const else 'mut'} {spelled(interface, inner)}"
    bare = c.removeprefix("const ").strip()
    return SCALARS.get(bare, bare)


def documented(comment, indent=""):
    return [f"{indent}/// {line}".rstrip() for line in comment.split("\n")] if comment else []


def written(interface):
    lines = []
    for name in interface.handles:
        lines += ["#[repr(C)]", f"pub struct {name} {{", "    _private: [u8; 0],", "}", ""]
    for group in interface.enumerations:
        lines += [*documented(group.comment), f"pub type {group.name} = i32;"]
        for one in group.members:
            lines += [*documented(one.comment), f"pub const {one.name}: {group.name} = {one.value};"]
        lines.append("")
    for one in interface.constants:
        kind, value = ("&core::ffi::CStr", f'c"{one.value}"') if isinstance(one.value, str) else ("u32", str(one.value))
        if one.value in (-(2**63), 2**63 - 1):
            kind, value = "i64", "i64::MIN" if one.value < 0 else "i64::MAX"
        lines += [*documented(one.comment), f"pub const {one.name}: {kind} = {value};"]
    for one in interface.callbacks:
        lines += ["", *documented(one.comment), f"pub type {one.name} = {spelled(interface, one.value.c)};"]
    for group in interface.structs:
        lines += ["", *documented(group.comment), "#[repr(C)]", "#[derive(Clone, Copy)]", f"pub struct {group.name} {{"]
        for one in group.members:
            lines += [*documented(one.comment, "    "), f"    pub {named(one.name)}: {spelled(interface, one.value.c)},"]
        lines.append("}")
    lines += ["", '#[link(name = "unisono")]', 'extern "C" {']
    for one in interface.functions:
        parameters = ", ".join(f"{named(parameter.name)}: {spelled(interface, parameter.value.c)}" for parameter in one.parameters)
        back = "" if one.result.c == "void" else f" -> {spelled(interface, one.result.c)}"
        comment = f"{' '.join(one.marks)}.\n\n{one.comment}" if one.marks else one.comment
        lines += [*documented(comment, "    "), f"    pub fn {one.name}({parameters}){back};"]
    return HEAD + "\n".join([*lines, "}", ""])
