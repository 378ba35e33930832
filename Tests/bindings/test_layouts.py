"""F78: what bindings/generate wrote is laid out, when it runs, as the C compiler lays out the headers."""

import ctypes
import shutil
import subprocess

import pytest
import record
from conftest import BUILD, ROOT

HEADERS = sorted((ROOT / "include").glob("*.h"))


@pytest.fixture(scope="module")
def layout():
    """Lines "struct NAME SIZE" and "field STRUCT NAME OFFSET SIZE", as the C compiler has them."""
    if shutil.which(record.COMPILER) is None:
        pytest.skip("no C compiler to ask for the layouts; on Debian: apt install gcc")
    lines = []
    for line in record.lines_of(HEADERS)[0]:
        if line.startswith("struct "):
            lines.append(line)
        elif line.startswith("  "):
            name, _, offset, _, size = line.split()
            lines.append("field {} {} {} {}".format(*name.split("."), offset, size))
    assert len(lines) > 400
    return lines


def questions(layout):
    """The layout without its numbers."""
    return "".join(" ".join(line.split()[: 2 if line.startswith("struct") else 3]) + "\n" for line in layout)


def answered(command, layout, **options):
    output = subprocess.run(command, input=questions(layout), capture_output=True, text=True, **options)
    assert output.returncode == 0, output.stdout + output.stderr
    return output.stdout.splitlines()


def test_in_python(layout):
    from unisono import _ffi

    own = []
    for line in layout:
        kind, struct, *name = line.split()
        type_ = _ffi.STRUCTS[struct.removeprefix("unisono_")]
        if kind == "struct":
            own.append(f"struct {struct} {ctypes.sizeof(type_)}")
        else:
            field = getattr(type_, name[0])
            own.append(f"field {struct} {name[0]} {field.offset} {field.size}")
    assert own == layout


def test_in_luajit(layout, program):
    script = ROOT / "Tests" / "bindings" / "layout.lua"
    assert answered([program("luajit", "luajit"), str(script)], layout, cwd=ROOT) == layout


def test_in_csharp(layout, program, tmp_path):
    mono, compiler, built = program("mono", "mono-runtime"), program("mcs", "mono-mcs"), tmp_path / "layout.exe"
    sources = [ROOT / "bindings" / "csharp" / "Runtime" / "Native.cs", ROOT / "Tests" / "bindings" / "Layout.cs"]
    subprocess.run([compiler, "-unsafe", "-langversion:7", f"-out:{built}", *map(str, sources)], check=True)
    assert answered([mono, str(built)], layout) == layout


def test_in_rust(layout, program, library, tmp_path):
    """A program that asks for each, and calls the library."""
    compiler = program("rustc", "rustc-web")
    crate = ROOT / "bindings" / "rust" / "unisono-sys" / "src" / "lib.rs"
    lines = ["use unisono_sys::*;", "fn main() {"]
    for line in layout:
        kind, struct, *name = line.split()
        if kind == "struct":
            lines.append(f'println!("struct {struct} {{}}", std::mem::size_of::<{struct}>());')
        else:
            field = "r#type" if name[0] == "type" else name[0]
            size = f"{{ fn size<S, T>(_: fn(&S) -> &T) -> usize {{ std::mem::size_of::<T>() }} size(|s: &{struct}| &s.{field}) }}"
            offset = f"std::mem::offset_of!({struct}, {field})"
            lines.append(f'println!("field {struct} {name[0]} {{}} {{}}", {offset}, {size});')
    source, built = tmp_path / "layout.rs", tmp_path / "layout"
    lines += ['assert_eq!(unsafe { unisono_api_version() }, UNISONO_API_VERSION);', "}"]
    source.write_text("\n".join(lines))
    subprocess.run([compiler, "--edition", "2021", "--crate-type", "rlib", "--crate-name", "unisono_sys", "--out-dir", tmp_path, crate],
                   check=True)
    subprocess.run([compiler, "--edition", "2021", "-L", tmp_path, "-L", BUILD, "-C", f"link-arg=-Wl,-rpath,{BUILD}", "--extern",
                    f"unisono_sys={tmp_path}/libunisono_sys.rlib", source, "-o", built], check=True)
    assert answered([str(built)], layout) == layout
