"""The examples of the README run as printed: each language hosts once and joins once."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
LIBRARY = BUILD / "libunisono.so.0"

pytestmark = pytest.mark.skipif(not LIBRARY.exists(), reason=f"{LIBRARY} is not built: make library")


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    folder = tmp_path_factory.mktemp("readme")
    for name, text in re.findall(r"<!-- example: (\S+) -->\n```\w+\n(.*?)```", (ROOT / "README.md").read_text(), re.S):
        (folder / name).write_text(text)
    subprocess.run(
        ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}", str(folder / "hello.c"), "-o", str(folder / "hello"),
         f"-L{BUILD}", "-lunisono", f"-Wl,-rpath,{BUILD}"], check=True)
    subprocess.run(
        ["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}", str(folder / "hello.cpp"), "-o", str(folder / "hello++"),
         f"-L{BUILD}", "-lunisono", f"-Wl,-rpath,{BUILD}"], check=True)
    return {"c": [str(folder / "hello")], "c++": [str(folder / "hello++")], "python": [sys.executable, str(folder / "hello.py")]}


def start(command):
    environment = dict(os.environ, UNISONO_LIBRARY=str(LIBRARY), PYTHONPATH=str(ROOT / "bindings" / "python"))
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


@pytest.mark.parametrize("host, guest", [("c", "python"), ("python", "c++"), ("c++", "c")])
def test_the_readme_examples_play_together(examples, host, guest):
    first = start(examples[host])
    try:
        invite = re.search(r"unisono://\S+", first.stdout.readline()).group(0)
        second = start([*examples[guest], invite])
        try:
            guest_says, guest_errors = second.communicate(timeout=90)
            host_says, host_errors = first.communicate(timeout=90)
        finally:
            second.kill()
            second.wait()
    finally:
        first.kill()
        first.wait()
    for says, errors in ((host_says, host_errors), (guest_says, guest_errors)):
        assert "get ready at 0.000 s" in says, says + errors
        assert "play: 0.000 s in " in says, says + errors
