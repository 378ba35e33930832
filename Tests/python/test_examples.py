"""F72: the console example, run as a new user would, beside the C one where it is built."""

import os
import subprocess
import sys

import pytest
from group_support import ROOT
from host_process import HostProcess
from waiting import until

C_HOST = ROOT / "build" / "console_host"
PYTHON_HOST = [sys.executable, "-m", "unisono.examples.console"]


class Console(HostProcess):
    def __init__(self, command, folder, name):
        super().__init__(command, name, folder, dict(os.environ, PYTHONPATH=str(ROOT / "bindings" / "python")))


@pytest.mark.parametrize("host", ["python", "c"])
def test_console_hosts_play_pause_and_seek_together(library, tmp_path, host):
    if host == "c" and not C_HOST.exists():
        pytest.skip("build/console_host is not built; run `make hosts`")
    command = PYTHON_HOST if host == "python" else [str(C_HOST)]
    ann = Console([*command, "host", "--listen", "127.0.0.1:0", "--item", "film"], tmp_path, "Ann")
    ben = None
    try:
        invite = ann.process.stdout.readline().split()
        assert invite[:1] == ["invite"]
        ben = Console([*PYTHON_HOST, "join", invite[1]], tmp_path, "Ben")
        both = (ann, ben)
        until(lambda: all(len(c.status.get("participants", ())) == 2 for c in both), "both were in")
        until(lambda: all(c.status.get("item") == "film" for c in both), "both were on the item")
        ann.type("play")
        until(lambda: all(c.status.get("state") == "playing" for c in both), "both played")
        ben.type("pause")
        until(lambda: all(c.status.get("state") == "paused" for c in both), "both stood")
        ben.type("seek 12.5")
        until(lambda: all(c.status.get("position") == 12.5 for c in both), "both were at 12.5 s")
        assert set(ann.status) == set(ben.status)
    finally:
        ended = [c.close() for c in (ben, ann) if c is not None]
    assert ended == [0, 0]


def test_a_bad_invite_is_one_line(library):
    run = subprocess.run([*PYTHON_HOST, "join", "nonsense"], capture_output=True, text=True, timeout=60,
                         env=dict(os.environ, PYTHONPATH=str(ROOT / "bindings" / "python")))
    assert run.returncode == 1
    assert "Traceback" not in run.stderr and "UNISONO_EINVAL" in run.stderr
