"""What a group shares (F19, F42, F81, F84-F87, F91, F93), by what is typed to the sample hosts in C and Python."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hosts_support import BUILD, ROOT, environment, until

sys.path.append(str(ROOT / "Tests" / "bindings"))

import sharing  # noqa: E402
import steps  # noqa: E402

#: How the hosts say what others say in other words.
WORDING = {"times": "a time of day (20:15 or 20:15:30), + and seconds", "last": "* 1 s\n"}
COMMANDS = {
    "console in C": [BUILD / "console_host"],
    "console in Python": [sys.executable, "-m", "unisono.examples.console"],
    "mpv in C": [BUILD / "mpv_host"],
    "mpv in Python": [sys.executable, "-m", "unisono.examples.mpv"],
}


class Host(steps.Typed):
    """A sample host in a process; in which state it is says its status file."""

    def __init__(self, kind, name, folder, *arguments):
        self.name = name
        self.printed, self._status = (folder / f"{name}.{len(list(folder.iterdir()))}.{what}" for what in ("txt", "jsonl"))
        command = [*COMMANDS[kind], *arguments, "--name", name, "--status", self._status]
        with open(self.printed, "w") as out:
            self.process = subprocess.Popen(
                list(map(str, command)), stdin=subprocess.PIPE, stdout=out, stderr=out, text=True, bufsize=1, env=environment())

    @property
    def status(self):
        """The last whole line; empty before the first one."""
        whole = self._status.read_text().split("\n")[:-1] if self._status.exists() else []
        return json.loads(whole[-1]) if whole else {}

    @property
    def group_state(self):
        return self.status.get("state")


def need(kind):
    program = Path(COMMANDS[kind][0])
    if not program.exists():
        pytest.skip(f"{program} is not built; run `make hosts`")


@pytest.fixture
def host(built, tmp_path):
    started = []

    def start(kind, name, *arguments):
        need(kind)
        started.append(Host(kind, name, tmp_path, *arguments))
        return started[-1]

    yield start
    assert [one.close() for one in started] == [0] * len(started), [one.text[-1500:] for one in started]


BOTH_WAYS = pytest.mark.parametrize(("of_ann", "of_ben"), [("C", "Python"), ("Python", "C")])


@BOTH_WAYS
def test_f81_f84_f86_f87_f91_f93_f42_f19_two_consoles_show_what_the_group_shares(host, tmp_path, of_ann, of_ben):
    ann = host(f"console in {of_ann}", "Ann", "host", "--listen", "127.0.0.1:0", "--item", "film")
    ben = host(f"console in {of_ben}", "Ben", "join", ann.invite)
    sharing.share(ann, ben, tmp_path, **WORDING)


@BOTH_WAYS
def test_f81_f84_f86_f87_f91_f93_f42_f19_two_windows_of_mpv_show_it_by_their_lines(host, media, tmp_path, of_ann, of_ben):
    """As the consoles do, but that a person says which file here an entry of the playlist is: none that others named is opened."""
    without_window = [media, "--vo", "null", "--ao", "null"]
    ann = host(f"mpv in {of_ann}", "Ann", "host", "--listen", "127.0.0.1:0", *without_window)
    ben = host(f"mpv in {of_ben}", "Ben", "join", ann.invite, *without_window)

    def arrive(one, item):
        until(lambda: re.search(rf"\b{item}\b.* [Tt]ype:? file PATH", one.text), f"{one.name} asked for {item}: {one.text[-600:]}")
        one.type(f"file {media}")
        until(lambda: one.status["item"] == item and one.status["position"] is not None, f"{one.name} opened {item}")

    sharing.acquaint(ann, ben)
    sharing.talk(ann, ben)
    sharing.close_and_open(ann, ben)
    sharing.keep_a_playlist(ann, ben, arrive)
    sharing.compare_copies(ann, ben, tmp_path)
    sharing.have_another_cut(ann, ben)
    sharing.schedule(ann, ben, **WORDING)
    sharing.attach(ann, ben, tmp_path)
    sharing.wait_for_each_other(ann, ben)
    sharing.take_back_a_jump(ann, ben, seconds=300)
    sharing.leave(ann, ben)


@pytest.mark.parametrize("of_ann", ["C", "Python"])
def test_f85_two_devices_of_one_person_are_one_and_ready_together(host, of_ann):
    """One of them a host in C, the other one in Python; a third person sees one, whatever she has."""
    ann = host(f"console in {of_ann}", "Ann", "host", "--listen", "127.0.0.1:0", "--item", "film")
    secret = ("--person", "Ben's own secret")
    desk = host("console in C", "Ben", "join", ann.invite, "--device", "desk", *secret)
    phone = host("console in Python", "Ben", "join", ann.invite, "--device", "phone", *secret)
    sharing.be_one_person(ann, desk, phone)


@pytest.mark.parametrize("kind", ["console in C", "console in Python"])
def test_f85_a_secret_of_another_length_is_refused_in_a_line(built, kind):
    need(kind)
    command = [*map(str, COMMANDS[kind]), "host", "--name", "Ann", "--person", "too short"]
    done = subprocess.run(command, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0 and "16" in done.stderr and "Traceback" not in done.stderr and "invite" not in done.stdout
