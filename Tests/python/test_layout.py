"""F72: the ctypes structs, prototypes and numbers are exactly those of the headers. Needs a C compiler, no library."""

import ctypes
import re
import shutil
import subprocess

import pytest
from group_support import ROOT
from unisono import _ffi, enums

INCLUDE = ROOT / "include"
HEADERS = sorted(INCLUDE.glob("*.h"))
TEXT = "\n".join(re.sub(r"/\*.*?\*/|//[^\n]*", " ", header.read_text(), flags=re.DOTALL) for header in HEADERS)
DECLARED = {name: struct for name, struct in _ffi.STRUCTS.items() if re.search(rf"struct unisono_{name}\s*{{", TEXT)}


def fields(struct):
    return [name for name, *_ in struct._fields_]


@pytest.fixture(scope="module")
def probe(tmp_path_factory):
    """Lines "struct field offset size" of a compiled C program; field "" is the struct itself."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler to ask for the layouts")
    lines = [*(f'#include "{header.name}"' for header in HEADERS), "#include <stdio.h>", "int main(void) {"]
    for name, struct in DECLARED.items():
        c = f"unisono_{name}"
        lines.append(f'  printf("{name},,0,%zu\\n", sizeof({c}));')
        for field in fields(struct):
            size = f"sizeof((({c} *)0)->{field})"
            lines.append(f'  printf("{name},{field},%zu,%zu\\n", offsetof({c}, {field}), {size});')
    folder = tmp_path_factory.mktemp("probe")
    source, program = folder / "probe.c", folder / "probe"
    source.write_text("\n".join(lines + ["  return 0;", "}", ""]))
    subprocess.run([compiler, "-std=c11", f"-I{INCLUDE}", str(source), "-o", str(program)], check=True)
    output = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    rows = [line.split(",") for line in output.splitlines()]
    return {(name, field): (int(offset), int(size)) for name, field, offset, size in rows}


def test_the_header_declares_the_structs_of_the_first_release():
    assert {"command", "context_options", "session_options", "timing_change", "participant"} <= set(DECLARED)


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_struct_is_laid_out_as_in_c(name, probe):
    struct = DECLARED[name]
    assert ctypes.sizeof(struct) == probe[name, ""][1]
    for field in fields(struct):
        descriptor = getattr(struct, field)
        assert (descriptor.offset, descriptor.size) == probe[name, field], f"{name}.{field}"


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_struct_has_every_field_and_no_padding(name):
    struct = DECLARED[name]
    used = sum(getattr(struct, field).size for field in fields(struct))
    assert used == ctypes.sizeof(struct), "a field of the header is missing, or there is padding"


SIMPLE = {
    "void": None,
    "int32_t": ctypes.c_int32,
    "uint32_t": ctypes.c_uint32,
    "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64,
    "double": ctypes.c_double,
    "size_t": ctypes.c_size_t,
    "const char *": ctypes.c_char_p,
    "char *": ctypes.c_char_p,
    "void *": ctypes.c_void_p,
    "const void *": ctypes.c_void_p,
    "const char *const *": ctypes.POINTER(ctypes.c_char_p),
    "const char *const **": ctypes.POINTER(ctypes.POINTER(ctypes.c_char_p)),
    "size_t *": ctypes.POINTER(ctypes.c_size_t),
    "int64_t *": ctypes.POINTER(ctypes.c_int64),
    "uint64_t *": ctypes.POINTER(ctypes.c_uint64),
}


def accepted(c_type):
    """The ctypes that may stand for a C type; a struct may also go as a bare pointer."""
    c_type = re.sub(r"\s+", " ", c_type).strip()
    if c_type in SIMPLE:
        return [SIMPLE[c_type]]
    if c_type.endswith("_fn"):
        return [ctypes.c_void_p]
    match = re.fullmatch(r"(?:const )?unisono_(\w+) ?(\**)", c_type)
    assert match, f"no ctypes known for {c_type!r}"
    struct, stars = _ffi.STRUCTS.get(match[1]), match[2]
    if stars == "":
        return [ctypes.c_int32]  # an enumeration
    pointed = ctypes.POINTER(struct) if struct is not None else ctypes.c_void_p
    return [pointed, ctypes.c_void_p] if stars == "*" else [ctypes.POINTER(pointed)]


def prototypes():
    for result, name, parameters in re.findall(r"UNISONO_API\(([^)]*)\)\s*unisono_(\w+)\(([^)]*)\);", TEXT):
        if name not in _ffi.PROTOTYPES:
            continue  # not offered in Python yet
        types_only = [re.sub(r"\b\w+$", "", p.strip()) for p in parameters.split(",")]
        yield name, result, [] if parameters.strip() == "void" else types_only


@pytest.mark.parametrize("name,result,parameters", list(prototypes()))
def test_prototype_is_that_of_the_header(name, result, parameters):
    own_result, own_parameters = _ffi.PROTOTYPES[name]
    assert own_result in accepted(result)
    assert len(own_parameters) == len(parameters)
    for own, c_type in zip(own_parameters, parameters):
        assert own in accepted(c_type), f"{name}: {c_type}"


@pytest.mark.parametrize(
    "prefix,enumeration",
    [
        ("", enums.Status),
        ("EVENT_", enums.EventType),
        ("SESSION_", enums.SessionState),
        ("CONNECTION_", enums.Connection),
        ("TIMING_", enums.TimingState),
        ("CLOCK_", enums.ClockState),
        ("CAUSE_", enums.Cause),
        ("MOTION_", enums.Motion),
        ("AT_END_", enums.ActionAtEnd),
        ("READINESS_", enums.Readiness),
        ("START_", enums.StartRule),
        ("LEAVING_", enums.LeavingRule),
        ("ACTIVITY_", enums.ActivityType),
        ("LOG_", enums.LogLevel),
        ("ACTIVATION_", enums.Activation),
        ("NOTICE_", enums.NoticeKind),
        ("INTENT_", enums.Intent),
        ("TIME_CONTROL_", enums.TimeControl),
        ("WAITING_", enums.WaitingReason),
        ("ITEM_", enums.ItemState),
        ("RATE_REASON_", enums.RateReason),
        ("RENDERER_", enums.RendererState),
        ("SURFACE_", enums.SurfaceKind),
        ("SUCCESSION_", enums.SuccessionRule),
        ("SUCCESSION_", enums.SuccessionStatus),
        ("REQUEST_", enums.RequestKind),
        ("REQUEST_", enums.RequestStatus),
        ("ROLE_", enums.Role),
        ("CONTROL_", enums.ControlPolicy),
    ],
)
def test_enumerators_have_the_numbers_of_the_header(prefix, enumeration):
    numbers = {name: int(value) for name, value in re.findall(r"UNISONO_(\w+)\s*=\s*(-?\d+)", TEXT)}
    for member in enumeration:
        assert numbers.get(prefix + member.name) == member.value, f"UNISONO_{prefix}{member.name}"


def test_reasons_are_those_of_the_header():
    reasons = dict(re.findall(r'#define UNISONO_REASON_(\w+)\s+"([^"]*)"', TEXT))
    assert reasons == {name: value for name, value in vars(enums.Reason).items() if name.isupper()}
