"""C#: bindings/csharp/Runtime/Native.cs, blittable structs and P/Invoke without marshalling, so that ahead-of-time compilers take it."""

from xml.sax.saxutils import escape

PATH = "bindings/csharp/Runtime/Native.cs"
HEAD = """// The C side of Unisono: made by bindings/generate from include/*.h, not to be edited.
//
// Structs are laid out as in C and hold pointers as they are; strings are byte*, in UTF-8. Handles, callbacks and untyped pointers
// are IntPtr. Nothing is marshalled.
#pragma warning disable 0649
using System;
using System.Runtime.InteropServices;

namespace Unisono
{
"""
SCALARS = {"double": "double", "size_t": "UIntPtr", "uint8_t": "byte", "char": "byte", "int32_t": "int", "uint32_t": "uint",
           "int64_t": "long", "uint64_t": "ulong", "void": "void"}
KEYWORDS = {"base", "delegate", "event", "params", "out", "in", "lock", "object", "operator", "string", "is", "as", "ref", "fixed", "checked"}


def named(name):
    return f"@{name}" if name in KEYWORDS else name


#: What Unity calls something else.
RENAMED = {"event_type": "EventKind"}


def pascal(name):
    return RENAMED.get(name) or "".join(part.capitalize() for part in name.split("_"))


def enumerator(group, one):
    """unisono_status has errno's way of naming, the others are words."""
    short = one.name.removeprefix(group.prefix)
    return short if group.short == "status" else pascal(short)


def cs(interface, type_):
    if type_.base == "function" or type_.base == "void" and type_.stars == 1:
        return "IntPtr"
    stars = type_.stars
    if interface.is_handle(type_):
        one, stars = "IntPtr", stars - 1
    elif interface.is_enumeration(type_):
        one = pascal(type_.short)
    elif interface.is_struct(type_):
        one = type_.base
    else:
        one = SCALARS[type_.base]
    return one + "*" * stars


def summary(comment, indent, marks=()):
    lines = [" ".join(marks) + ":"] if marks else []
    lines += comment.split("\n") if comment else []
    if not lines:
        return []
    if len(lines) == 1:
        return [f"{indent}/// <summary>{escape(lines[0])}</summary>"]
    return [f"{indent}/// <summary>", *(f"{indent}/// {escape(line)}".rstrip() for line in lines), f"{indent}/// </summary>"]


def field(interface, one):
    if not one.value.count:
        return f"public {cs(interface, one.value)} {named(one.name)};"
    if interface.is_struct(one.value):  # only of bytes: unisono_participant_id
        group = next(group for group in interface.structs if group.name == one.value.base)
        return f"public fixed byte {named(one.name)}[{one.value.count * group.members[0].value.count}];"
    return f"public fixed {SCALARS[one.value.base]} {named(one.name)}[{one.value.count}];"


def constant(value):
    if isinstance(value, str):
        return f'string {{}} = "{value}"'
    if value in (-(2**63), 2**63 - 1):
        return f"long {{}} = {'long.MinValue' if value < 0 else 'long.MaxValue'}"
    return f"uint {{}} = {value}"


def written(interface):
    lines = []
    for group in interface.enumerations:
        lines += [*summary(group.comment, "    "), f"    public enum {pascal(group.short)} : int", "    {"]
        for one in group.members:
            lines += [*summary(one.comment, " " * 8), f"        {enumerator(group, one)} = {one.value},"]
        lines += ["    }", ""]
    lines += ["    /// <summary>What the headers define as numbers and texts.</summary>", "    public static class Constants", "    {"]
    for one in interface.constants:
        lines += [*summary(one.comment, " " * 8), f"        public const {constant(one.value).format(one.short)};"]
    lines += ["    }", ""]
    for group in interface.structs:
        lines += [*summary(group.comment, "    "), "    [StructLayout(LayoutKind.Sequential)]", f"    public unsafe struct {group.name}", "    {"]
        for one in group.members:
            lines += [*summary(one.comment, " " * 8), f"        {field(interface, one)}"]
        lines += ["    }", ""]
    lines += ["    public static unsafe class Native", "    {",
              "#if (UNITY_IOS || UNITY_WEBGL) && !UNITY_EDITOR", '        const string Library = "__Internal";',
              "#else", '        const string Library = "unisono";', "#endif"]
    for one in interface.functions:
        parameters = ", ".join(f"{cs(interface, parameter.value)} {named(parameter.name)}" for parameter in one.parameters)
        lines += ["", *summary(one.comment, " " * 8, one.marks),
                  " " * 8 + "[DllImport(Library, CallingConvention = CallingConvention.Cdecl)]",
                  f"        public static extern {cs(interface, one.result)} {one.name}({parameters});"]
    return HEAD + "\n".join([*lines, "    }", "}", ""])
