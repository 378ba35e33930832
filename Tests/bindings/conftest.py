"""Where things are, and what each language needs: what is missing skips the tests that need it, with the package's name."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("UNISONO_BUILD", ROOT / "build"))
LIBRARY = Path(os.environ.setdefault("UNISONO_LIBRARY", str(BUILD / "libunisono.so.0")))
sys.path[:0] = [str(ROOT / "Tests" / "abi"), str(ROOT / "Tests" / "python"), str(ROOT / "bindings" / "python")]


@pytest.fixture(scope="session")
def program():
    """Finds a program, or skips with the Debian package that has it."""

    def find(name, package):
        path = shutil.which(name)
        if path is None:
            pytest.skip(f"{name} is not installed; on Debian: apt install {package}")
        return path

    return find


@pytest.fixture(scope="session")
def library():
    if not LIBRARY.exists():
        pytest.skip(f"{LIBRARY} is not built; run `make` first")
    return LIBRARY


def pytest_terminal_summary(terminalreporter):
    """What was measured, in milliseconds: docs/benchmarks.md says under which conditions it counts."""
    import steps

    for name, figures in steps.FIGURES.items():
        text = ", ".join(f"{key} {value:g}" if isinstance(value, int) else f"{key} {value:.4f} ms" for key, value in figures.items())
        terminalreporter.write_line(f"{name}: {text}")


@pytest.fixture
def display(program, tmp_path):
    """Makes screens that nobody sees; each is a DISPLAY."""
    server, started = program("Xvfb", "xvfb"), []

    def make():
        reading, writing = os.pipe()
        command = [server, "-displayfd", str(writing), "-screen", "0", "960x540x24", "-nolisten", "tcp"]
        log = open(tmp_path / f"xvfb{len(started)}.log", "w")
        started.append(subprocess.Popen(command, pass_fds=[writing], stdout=log, stderr=log))
        os.close(writing)
        with os.fdopen(reading) as answer:
            return ":" + answer.readline().strip()

    yield make
    for one in started:
        one.terminate()
        one.wait()
