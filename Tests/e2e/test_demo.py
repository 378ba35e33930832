"""F1, F2, F6, F39, F41: the demo's own verdict, on console hosts."""

import subprocess
import sys

import pytest
from hosts_support import ROOT, environment


def test_the_demo_ends_in_step(built, tmp_path):
    if not (built / "console_host").exists():
        pytest.skip("build/console_host is not built; run `make hosts`")
    picture = tmp_path / "live.svg"
    demo = [sys.executable, str(ROOT / "bindings" / "demo" / "demo.py"), "--build", str(built)]
    run = subprocess.run(
        [*demo, "--player", "console", "--snapshot", str(picture)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "verdict: in step" in run.stdout
    assert picture.read_text().startswith("<svg")
