"""F72: the wheel of `make wheel` in a clean environment: nothing of this tree is seen there, and no library is named."""

import os
import re
import shutil
import subprocess
import sys
import zipfile

import pytest
from group_support import ROOT

WHEELS = sorted((ROOT / "build" / "wheel").glob("unisono-*.whl"))
pytestmark = pytest.mark.skipif(not WHEELS, reason="there is no wheel: make wheel")
HELLO = re.search(r"<!-- example: hello.py -->\n```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[1]


def clean_environment():
    hidden = ("UNISONO_LIBRARY", "PYTHONPATH", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if name not in hidden}


@pytest.fixture(scope="module")
def clean(tmp_path_factory):
    """A Python that has the wheel and nothing else, and an empty folder."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "venv", str(folder / "env")], check=True, env=clean_environment())
    python = folder / "env" / "bin" / "python"
    install = [str(python), "-m", "pip", "-q", "install", "--disable-pip-version-check", "--no-index", str(WHEELS[-1])]
    subprocess.run(install, check=True, env=clean_environment())
    (folder / "here").mkdir()
    return python, folder / "here"


def run(clean, *arguments):
    python, here = clean
    done = subprocess.run(
        [str(python), *arguments], cwd=here, env=clean_environment(), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_finds_the_library_and_libuv_that_are_in_it(clean):
    code = """
import re, unisono
from unisono import _ffi
with unisono.Context() as context:
    maps = open("/proc/self/maps").read()
    print(_ffi.library().path, *sorted(set(re.findall(r"/\\S*(?:libuv|libunisono)\\S*", maps))), unisono.version())
"""
    path, *loaded, version = run(clean, "-c", code).split()
    inside = str(clean[0].parent.parent)
    assert path.startswith(inside) and all(one.startswith(inside) for one in loaded) and len(loaded) == 2
    assert version == (ROOT / "VERSION").read_text().strip()


def test_hello_as_printed_plays_with_another_hello(clean):
    python, here = clean
    (here / "hello.py").write_text(HELLO)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    first = subprocess.Popen([str(python), "hello.py"], cwd=here, env=clean_environment(), text=True, **pipes)
    try:
        invite = re.search(r"unisono://\S+", first.stdout.readline())[0]
        assert "play: 0.000 s in " in run(clean, "hello.py", invite)
        says, errors = first.communicate(timeout=60)
        assert "play: 0.000 s in " in says, errors
    finally:
        first.kill()
        first.wait()


def test_its_commands_are_there(clean):
    for command in ("unisono-console", "unisono-mpv"):
        program = clean[0].parent / command
        done = subprocess.run([str(program), "--help"], env=clean_environment(), capture_output=True, text=True, timeout=60)
        assert done.returncode == 0 and "join" in done.stdout


def test_its_name_is_true_of_the_c_library_that_it_needs(tmp_path):
    if shutil.which("objdump") is None:
        pytest.skip("objdump is not installed; on Debian: apt install binutils")
    named = re.search(r"-py3-none-manylinux_(\d+)_(\d+)_(\w+)\.whl$", WHEELS[-1].name)
    assert named and named[3] == os.uname().machine
    with zipfile.ZipFile(WHEELS[-1]) as wheel:
        libraries = [name for name in wheel.namelist() if ".so" in name]
        wheel.extractall(tmp_path, libraries)
    assert len(libraries) == 2
    needed = set()
    for name in libraries:
        symbols = subprocess.run(["objdump", "-T", str(tmp_path / name)], check=True, capture_output=True, text=True).stdout
        needed |= {(int(major), int(minor)) for major, minor in re.findall(r"GLIBC_(\d+)\.(\d+)", symbols)}
    assert max(needed) == (int(named[1]), int(named[2]))


def test_the_licences_of_what_is_in_it_are_in_it():
    with zipfile.ZipFile(WHEELS[-1]) as wheel:
        texts = {name.rsplit("/", 1)[1] for name in wheel.namelist() if "/licenses/" in name}
        assert {f"LICENSE-{text.name}" for text in (ROOT / "build" / "licenses").iterdir()} <= texts
    assert {"LICENSE", "LICENSE-libuv.txt"} <= texts


def test_the_version_is_one():
    import unisono

    version = (ROOT / "VERSION").read_text().strip()
    assert unisono.__version__ == version
    assert f'version = "{version}"' in (ROOT / "bindings" / "python" / "pyproject.toml").read_text()
