"""Where things are, and what each language needs: what is missing skips the tests that need it, with the package's name."""

import os
import shutil
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
