"""The package says of itself that it is typed (py.typed): a strict checker finds nothing in it."""

import subprocess
import sys

import pytest
from group_support import ROOT


def test_the_package_passes_a_strict_type_checker(tmp_path):
    pytest.importorskip("mypy", reason="needs mypy (pip install mypy, or Debian's python3-mypy)")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path)], cwd=ROOT / "bindings" / "python",
        capture_output=True, text=True, timeout=300)
    assert checked.returncode == 0, checked.stdout + checked.stderr
