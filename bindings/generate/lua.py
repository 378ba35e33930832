"""LuaJIT's ffi: bindings/lua/unisono_ffi.lua, the declarations as C with the enumerations as tables."""

import re

PATH = "bindings/lua/unisono_ffi.lua"
#: An int32_t is a truth value unless it is an enumeration, or called so.
NUMBERS = {"width", "height"}
#: Structs that are identifiers: texts of bytes in Lua.
IDS = {"unisono_participant_id", "unisono_entry_id", "unisono_attachment_id"}
#: Those that are a unisono_status.
STATUSES = {"status", "reason"}
HEAD = """-- The C side of Unisono for LuaJIT: made by bindings/generate from include/*.h, not to be edited.
--
-- Returns a table:
--   constants      numbers and texts, without UNISONO_
--   enumerations   by name, without unisono_: number of each enumerator, without its prefix
--   structs        by name: fields in their order, each { name, kind, type, field that counts it }
--   functions      by name, without unisono_: { result, parameters }, each parameter { name, kind, type }
--   readers        functions that give the payload behind an event's head, and its struct
-- It loads nothing: that is unisono.lua's part, which also says what the kinds are. An enumeration is an int32_t here, so that what
-- is read from a struct is a number.
local ffi = require("ffi")

ffi.cdef([[
"""


def declared(type_, name):
    """A field or a parameter as C has it."""
    if "(*)" in type_.c:
        return type_.c.replace("(*)", f"(*{name})")
    if type_.count:
        return f"{type_.c[:type_.c.index('[')]} {name}[{type_.count}]"
    return f"{type_.c}{'' if type_.c.endswith('*') else ' '}{name}"


def block(comment, indent=""):
    return [f"{indent}/* " + comment.replace("\n", f"\n{indent} * ").replace(" \n", "\n") + " */"] if comment else []


def behind(comment):
    return f" /* {comment} */" if comment else ""


def number(value):
    if isinstance(value, str):
        return '"' + value + '"'
    if abs(value) >= 2**53:
        return {-(2**63): "-0x7fffffffffffffffLL - 1", 2**63 - 1: "0x7fffffffffffffffLL"}[value]
    return str(value)


def table(name, members, cut):
    lines = [f"{name} = {{"]
    for one in members:
        lines.append(f"  {one.name.removeprefix(cut)} = {number(one.value)}," + (f" -- {one.comment}" if one.comment else ""))
    return [*lines, "}"]


def counter(members, index):
    """The field beside a pointer that counts what is behind it."""
    for other in (members[index + 1 : index + 2] + members[index - 1 : index]):
        if other.value.c == "size_t" and other.name.endswith(("count", "length")):
            return other.name
    return "deputy_count" if members[index].name == "deputies" else None


def kind(interface, name, type_, counted):
    """What a field or a parameter is, for unisono.lua; with the struct where it is about one."""
    struct = interface.is_struct(type_)
    if type_.base == "function":
        return "function", None
    if type_.base in IDS:
        return ("ids" if counted else "id"), type_.base
    if type_.base == "char":
        return ("texts" if type_.stars == 2 else "text" if type_.stars else "chars"), None
    if type_.base == "uint8_t":
        return "bytes", None
    if type_.base == "void":
        return ("data" if counted else "pointer"), None
    if interface.is_handle(type_):
        return "handle", type_.short
    if interface.is_enumeration(type_):
        return "enumeration", type_.short
    if type_.c == "int32_t" and name in STATUSES:
        return "enumeration", "status"
    if type_.c == "int32_t" and name not in NUMBERS:
        return "truth", None
    if struct and counted:
        return ("views" if type_.stars == 2 else "list"), type_.base
    if struct:
        return ("view" if type_.stars else "struct"), type_.base
    return {"int64_t": "time", "uint64_t": "wide"}.get(type_.base, "number"), None


def fields(interface, group):
    counters = {counter(group.members, index) for index, one in enumerate(group.members)
                if one.value.stars or one.name == "deputies"}
    for index, one in enumerate(group.members):
        if one.name in counters:
            yield one.name, "count", None, None
            continue
        count = counter(group.members, index) if one.value.stars or one.value.count and one.value.base != "uint8_t" else None
        yield one.name, *kind(interface, one.name, one.value, count), count


def parameters(interface, function):
    """Each with its kind: fields' kinds for what is given, "out..." for what comes back, "null" for callbacks, which are not used."""
    found, rest = [], list(function.parameters)
    while rest:
        one = rest.pop(0)
        type_, following = one.value, rest[0].name if rest else ""
        if type_.base == "function" or one.name in ("user", "renderer_user") or one.name in ("callbacks", "delegate"):
            found.append((one.name, "null", None))
        elif type_.base == "char" and following == "length":
            found.append((one.name, "out_text", None))
            rest.pop(0)
        elif one.name == "owned":
            counted = following == "count"
            found.append((one.name, "out_texts" if type_.base == "char" else "out_list" if counted else "out_view", type_.base))
            del rest[: 1 if counted else 0]
        elif interface.is_handle(type_) and type_.stars == 2:
            found.append((one.name, "out_borrowed" if one.name == "borrowed" else "out_handle", type_.base))
        elif type_.stars and "const" not in type_.c and not interface.is_handle(type_) and type_.base != "void":
            outer = {"int64_t": "out_time", "uint64_t": "out_wide"}.get(type_.base, "out_id" if type_.base in IDS else "out_struct")
            found.append((one.name, outer, type_.base))
        else:
            counted = type_.stars and following.endswith(("count", "length"))
            found.append((one.name, *kind(interface, one.name, type_, counted)))
            del rest[: 1 if counted else 0]
    return found


def row(values):
    values = list(values)
    while values and values[-1] is None:
        values.pop()
    return "{ " + ", ".join("nil" if value is None else f'"{value}"' for value in values) + " }"


def written(interface):
    lines = [f"typedef struct {name} {name};" for name in interface.handles]
    lines += [f"typedef int32_t {group.name};" for group in interface.enumerations]
    lines += [f"typedef struct {group.name} {group.name};" for group in interface.structs]
    for one in interface.callbacks:
        lines += ["", *block(one.comment), f"typedef {declared(one.value, one.name)};"]
    for group in interface.structs:
        lines += ["", *block(group.comment), f"struct {group.name} {{"]
        lines += [f"  {declared(one.value, one.name)};{behind(one.comment)}" for one in group.members]
        lines.append("};")
    for one in interface.functions:
        given = ", ".join(declared(parameter.value, parameter.name) for parameter in one.parameters) or "void"
        comment = f"{' '.join(one.marks)}. {one.comment}" if one.marks else one.comment
        lines += ["", *block(comment), f"{declared(one.result, one.name)}({given});"]
    lines += ["]])", "", "local declared = { enumerations = {}, structs = {}, functions = {} }", ""]
    lines += table("declared.constants", interface.constants, "UNISONO_")
    for group in interface.enumerations:
        lines += ["", *(f"-- {line}".rstrip() for line in group.comment.split("\n") if line)]
        lines += table(f"declared.enumerations.{group.short}", group.members, group.prefix)
    for group in interface.structs:
        lines += ["", f"declared.structs.{group.name} = {{", *(f"  {row(one)}," for one in fields(interface, group)), "}"]
    readers = []
    for one in interface.functions:
        if one.name.startswith("unisono_event_"):
            readers.append(row((one.short, one.result.base)))
            continue
        lines += ["", f"declared.functions.{one.short} = {{", f"  {row(result(interface, one))},", "  {"]
        lines += [*(f"    {row(parameter)}," for parameter in parameters(interface, one)), "  },", "}"]
    return HEAD + "\n".join([*lines, "", "declared.readers = {", *(f"  {one}," for one in readers), "}", "", "return declared", ""])


def result(interface, function):
    """What comes back of one: its kind, for an enumeration with its name. "answer": none yet is no error."""
    c = function.result.c
    if c != "int32_t":
        return ({"int64_t": "time", "const char *": "text", "void": "nothing"}.get(c, "number"),)
    named = re.search(r"\b(?:a|as a) unisono_(\w+)", function.comment)
    if named and any(named[1] == group.short for group in interface.enumerations):
        return "enumeration", named[1]
    if "_is_" in function.name:
        return ("truth",)
    return ("answer" if "UNISONO_RT" in function.marks else "status",)
