"""The package says of itself that it is typed (py.typed): a strict checker finds nothing in it, nor in what is shown of it."""

import re
import subprocess
import sys

import pytest
from group_support import ROOT

PACKAGE = ROOT / "bindings" / "python"


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """Checks files as somebody would who uses the package; what is found, a line each."""
    pytest.importorskip("mypy", reason="needs mypy (pip install mypy, or Debian's python3-mypy)")
    cache = tmp_path_factory.mktemp("mypy")

    def check(*arguments, cwd=PACKAGE):
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(cache), *map(str, arguments)]
        done = subprocess.run(
            command, cwd=cwd, capture_output=True, text=True, timeout=300, env={"MYPYPATH": str(PACKAGE)})
        assert done.returncode in (0, 1), done.stdout + done.stderr
        return [line for line in done.stdout.splitlines() if "error:" in line]

    return check


def test_the_package_passes_a_strict_type_checker(strict):
    assert strict() == []


def test_the_readme_s_example_passes_a_strict_type_checker(strict, tmp_path):
    text = re.search(r"<!-- example: hello.py -->\n```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[1]
    (tmp_path / "hello.py").write_text(text)
    assert strict(tmp_path / "hello.py", cwd=tmp_path) == []


def test_the_templates_pass_a_strict_type_checker(strict):
    for template in sorted((PACKAGE / "templates").glob("*.py")):
        assert strict(template) == [], template.name


USE = """
import unisono
from unisono import SECOND

class Player(unisono.Delegate):
    async def play(self, command: unisono.PlayCommand) -> None:
        command.host_time_ns + SECOND
        command.complete()
    def pause(self, command: unisono.PauseCommand) -> None: ...
    def seek(self, command: unisono.SeekCommand) -> None: ...
    def buffer(self, command: unisono.BufferCommand) -> None: ...

def use(context: unisono.Context, session: unisono.Session) -> None:
    unisono.Coordinator(context, Player())
    async def on_message(message: unisono.Message) -> None:
        message.data.decode()
    session.on_message = on_message
    for event in context.events(max_wait_ns=SECOND):
        if isinstance(event, unisono.TimingChange):
            event.waiting_for[0].reason.upper()
        elif isinstance(event, unisono.SessionStateChange):
            event.state.name.lower()
"""

MISUSE = """
import unisono

class Half:
    def play(self, command: unisono.PlayCommand) -> None: ...

def misuse(context: unisono.Context, session: unisono.Session, event: unisono.Event) -> None:
    event.item_time_ns  # 1: not every event has one
    if isinstance(event, unisono.PauseCommand):
        event.host_time_ns  # 2: a pause has none
    unisono.Coordinator(context, Half())  # 3: no buffer
    session.on_message = lambda message: message.text  # 4: it is data
    session.send("text")  # 5
    context.poll(max_wait_ns=0.1)  # 6
    unisono.Coordinator(context).seek(12.5)  # 7
"""


def test_a_type_checker_knows_what_each_event_has(strict, tmp_path):
    (tmp_path / "use.py").write_text(USE)
    assert strict(tmp_path / "use.py", cwd=tmp_path) == []


def test_a_type_checker_finds_each_misuse(strict, tmp_path):
    (tmp_path / "misuse.py").write_text(MISUSE)
    found = {int(re.match(r"[^:]*:(\d+):", line)[1]) for line in strict(tmp_path / "misuse.py", cwd=tmp_path)}
    expected = {number for number, line in enumerate(MISUSE.splitlines(), 1) if re.search(r"# \d", line)}
    assert found == expected
