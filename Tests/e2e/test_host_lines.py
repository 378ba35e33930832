"""F14, F45, F70: what the sample hosts in C print: an invite that can be pasted as it was printed and who can use it, who did what, a
hub that is not there, and the end. And what they never do: open what another participant named, or outlive themselves."""

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hosts_support import BUILD, MpvIpc, Program, environment, until
from small_programs import are_heard

HEADLESS = {"SDL_VIDEODRIVER": "dummy", "SDL_RENDER_DRIVER": "software"}
HOSTS = {
    "console": ["--item", "film"],
    "pcm": ["--item", "film"],
    "mpv": ["FILE", "--vo", "null", "--ao", "null"],
    "gst": ["FILE", "--rendered", "/dev/null"],
    "sdl": ["--item", "film"],
}


@pytest.fixture
def host(built, request, tmp_path):
    running = []

    def start(kind, *arguments, name, file=None):
        program = BUILD / f"{kind}_host"
        if not program.exists():
            pytest.skip(f"build/{kind}_host is not built; run `make hosts`")
        if "FILE" in HOSTS[kind] and file is None:
            file = request.getfixturevalue("media")
        more = [str(file) if word == "FILE" else word for word in HOSTS[kind]]
        running.append(Program(program, *arguments, *more, "--name", name, **HEADLESS))
        running[-1].name = name
        return running[-1]

    yield start
    for one in running:
        one.close()


@pytest.fixture
def together(built, host, tmp_path):
    """Ann at a host in C, and Ben at one in C or in Python, in one session."""
    with contextlib.ExitStack() as ends:

        def begin(kind, *options, of_ben=()):
            file = tmp_path / "invite"
            ann = host("console", "host", "--invite-file", str(file), *options, name="Ann")
            until(file.exists, "the invite is in the file")
            if kind == "console":
                ben = host(kind, "join", f"@{file}", *of_ben, name="Ben")
            else:
                command = [sys.executable, "-m", "unisono.examples.console", "join", f"@{file}", "--item", "film", "--name", "Ben", *of_ben]
                ben = ends.enter_context(contextlib.closing(Program(*command)))
            ann.says_something("Ben")
            return ann, ben

        yield begin


@pytest.mark.parametrize("kind", ["console", "python"])
def test_f19_g6_somebody_elses_jump_is_taken_back(together, kind):
    """By a host in C or in Python, whatever the other one is."""
    ann, ben = together(kind)
    ben.type("undo")
    ben.says_something("nobody jumped")
    ben.type("play")
    ann.says_something("Ben pressed play")
    ann.type("seek 600")
    ben.says_something("Ann sought to 10:0")
    ben.type("undo")
    ann.says_something("Ben sought to 0:0")
    ben.type("undo")
    ann.says_something("Ben sought to 10:0")


@pytest.mark.parametrize("kind", ["console", "python"])
def test_z87_with_a_word_nobody_new_is_let_in_and_with_another_they_are(together, host, tmp_path, kind):
    """By a host in C or in Python, whatever the other one is."""
    ann, ben = together(kind)
    ben.type("close")
    ben.says_something("close: ")
    ann.type("close")
    for one in (ann, ben):
        one.says_something("The group is closed: nobody new is let in")
    cem = host("console", "join", f"@{tmp_path / 'invite'}", name="Cem")
    cem.says_something("trying again: ")
    assert cem.was_told("the group is closed"), cem.out.lines
    ann.type("open")
    for one in (ann, ben):
        one.says_something("The group is open again")
    ann.says_something("Cem joined")


def all_in(status):
    """What the whole lines of a host's status file say, in order."""
    return [json.loads(line) for line in status.read_text().splitlines(keepends=True) if line.endswith("\n")]


def state_in(status):
    """Whether it plays by the last line; None: there is none."""
    said = all_in(status)
    return said[-1]["state"] if said else None


@pytest.mark.parametrize("kind", ["console", "python"])
def test_f84_a_start_waits_for_who_is_not_ready_or_goes_on_without(together, tmp_path, kind):
    """By a host in C or in Python, whatever the other one is."""
    status = tmp_path / "status"
    ann, ben = together(kind, "--status", str(status))

    ben.type("seek 600")
    ann.says_something("Ben sought to 10:0")
    ann.type("start-policy every 60")
    ben.type("go Nobody")
    ben.says_something("nobody here is called Nobody")
    ann.type("play")
    ben.says_something("Ann pressed play")
    ann.says_something("not-ready")
    assert state_in(status) == "waiting"
    ben.type("ready")
    until(lambda: state_in(status) == "playing", "it plays")
    ben.type("unready")
    ann.type("pause")
    ben.says_something("Ann paused")
    ann.type("play")
    until(lambda: state_in(status) == "waiting", "it waits for Ben once more")
    ann.type("go Ben")
    until(lambda: state_in(status) == "playing", "it plays without Ben's word")
    ann.type("go")
    ann.says_something("no start waits")


@pytest.mark.parametrize("kind", ["console", "python"])
def test_f89_an_advertisement_in_one_copy_is_played_apart_and_the_others_play_on(together, tmp_path, kind):
    of_ann, of_ben = tmp_path / "ann", tmp_path / "ben"
    ann, ben = together(kind, "--status", str(of_ann), of_ben=("--status", str(of_ben)))
    ann.type("play")
    until(lambda: state_in(of_ann) == state_in(of_ben) == "playing", "both play")
    before = len(all_in(of_ann))
    ben.type("ad 3")
    ben.type("ad none" if kind == "console" else "ad -1")
    ben.says_something("one advertisement at a time")
    until(lambda: all_in(of_ben)[-1]["suspended"] == ["playing-interstitial"], "Ben is in it")
    until(lambda: all_in(of_ben)[-1]["suspended"] == [], "Ben is through it")

    def ahead():
        """What Ben's place is ahead of Ann's, s, both at rate 1."""
        return [said["position"] - said["host_time"] / 1e9 for said in (all_in(of_ben)[-1], all_in(of_ann)[-1])]

    until(lambda: abs(ahead()[0] - ahead()[1] - 3) < 0.1, "Ben is where Ann is, in a copy that is 3 s longer")
    apart = [said for said in all_in(of_ben) if said["suspended"]]
    assert 2.5 < (apart[-1]["host_time"] - apart[0]["host_time"]) / 1e9 < 4 and {said["rate"] for said in apart} == {1}
    assert {(said["state"], *said["suspended"]) for said in all_in(of_ann)[before:]} == {("playing",)}, "Ann noticed nothing"


@pytest.mark.parametrize("kind", ["console", "python"])
def test_f93_all_begin_at_the_time_that_one_of_them_types(together, tmp_path, kind):
    """By a host in C or in Python, whatever the other one is."""
    status = tmp_path / "status"
    ann, ben = together(kind, "--status", str(status))

    ben.type("seek 600")
    ann.says_something("Ben sought to 10:0")
    ben.type("countdown")
    ben.says_something("nothing is scheduled")
    ben.type("at 25:00")
    ben.type("at +60")
    ann.says_something("film begins in 60 s")
    ann.type("countdown")
    ann.says_something("s until film begins")
    ann.type("at off")
    ben.says_something("The start of film was called off")
    ben.type("at +4")
    ann.says_something("film begins in 4 s")
    for left in ("3 s", "2 s", "1 s"):
        until(lambda: f"* {left}" in ann.out.lines or left in ann.out.lines, f"{left} are left")
    until(lambda: state_in(status) == "playing", "it plays")


@pytest.mark.parametrize("kind", ["console", "python"])
def test_f86_g21_hosts_share_a_playlist_by_their_keyboards(together, kind):
    ann, ben = together(kind)

    def lists(one, *lines):
        wanted = [line.strip() for line in lines]

        def found():
            one.type("list")
            return any(wanted == one.out.lines[at : at + len(wanted)] for at in range(len(one.out.lines)))

        until(found, f"the list {lines} was printed")

    lists(ben, "the playlist is empty")
    ann.type("add second")
    lists(ben, "  1 second")
    ben.type("add third")
    lists(ann, "  1 second", "  2 third")
    ben.type("move 2 1")
    lists(ann, "  1 third", "  2 second")
    ann.type("select 1")
    lists(ben, "> 1 third", "  2 second")
    ben.type("next")
    lists(ann, "  1 third", "> 2 second")
    ben.type("drop 1")
    lists(ann, "> 1 second")


@pytest.mark.parametrize("kind", ["console", "python"])
def test_f81_f87_f91_hosts_say_react_show_what_was_said_who_is_there_and_whose_copy_differs(together, tmp_path, kind):
    ann, ben = together(kind)
    ben.type("say hello there")
    ann.says("Ben: hello there")
    ann.type("react clap")
    ben.says("Ann: clap")
    for one in (ann, ben):
        one.type("history")
        until(lambda: sum(line.endswith("Ben: hello there") for line in one.out.lines) == 2, f"it is kept: {one.out.lines}")  # noqa: B023
        assert sum(line.endswith("Ann: clap") for line in one.out.lines) == 1, "a reaction is not"
    ben.type("unready")

    def is_shown():
        ann.type("who")
        return "Ben, not ready" in ann.out.lines and "Ann" in ann.out.lines

    until(is_shown, "Ann saw that Ben is not ready")
    ann.type("add second")
    until(lambda: ann.type("list") or "1 second" in ann.out.lines, "the entry is there")
    ann.type("select 1")
    until(lambda: ben.type("list") or "> 1 second" in ben.out.lines, "Ben is at the entry")
    for one, content in ((ann, b"the film"), (ben, b"the director's cut of it")):
        path = tmp_path / f"{one.process.pid}.film"
        path.write_bytes(content)
        one.type(f"copy {path}")
    ann.says("Ben has another file")
    ben.says("Ann has another file")
    ben.type("cut long")
    ben.type("cut 5")
    until(lambda: ann.type("who") or "Ben, cut 5.0 s" in ann.out.lines, "Ann saw by how much Ben's cut is another")
    ben.type("cut 0")
    before = len(ann.out.lines)
    until(lambda: ann.type("who") or "Ben" in ann.out.lines[before:], "and that it is not any more")


@pytest.mark.parametrize("way", ["file", "input"])
@pytest.mark.parametrize("kind", ["console", "pcm", "python"])
def test_f45_an_invite_is_handed_over_where_no_one_else_reads_it(built, host, tmp_path, kind, way):
    """By a file that is its owner's alone, or by the input: what a command line says everybody on the machine can read."""
    file = tmp_path / "invite"
    file.touch(mode=0o644)
    module = [sys.executable, "-m", "unisono.examples.console"]
    with contextlib.ExitStack() as ends:
        def run(*arguments, name):
            if kind != "python":
                return host(kind, *arguments, name=name)
            return ends.enter_context(contextlib.closing(Program(*module, *arguments, "--item", "film", "--name", name)))

        first = run("host", "--invite-file", str(file), name="Ann")
        until(lambda: file.stat().st_size > 0, "the invite is in the file")
        assert file.stat().st_mode & 0o777 == 0o600
        second = run("join", f"@{file}" if way == "file" else "-", name="Ben")
        if way == "input":
            second.type(file.read_text().strip())
        first.says_something("Ben")


@pytest.mark.parametrize(
    "command",
    [
        [BUILD / "mpv_host", "host"],
        [BUILD / "gst_host", "host"],
        [sys.executable, "-m", "unisono.examples.mpv", "host"],
    ],
    ids=["mpv", "gst", "python"],
)
def test_a_file_that_is_not_there_is_named_at_once(built, command, tmp_path):
    if not Path(command[0]).exists():
        pytest.skip(f"{command[0]} is not built; run `make hosts`")
    film = tmp_path / "flim.mkv"
    done = subprocess.run([*command, film], env=environment(), capture_output=True, text=True, timeout=30)
    assert done.returncode != 0
    assert str(film) in done.stderr and "unisono://" not in done.stdout


@pytest.mark.parametrize(
    "command",
    [[BUILD / "console_host"], [BUILD / "pcm_host"], [sys.executable, "-m", "unisono.examples.console"]],
    ids=["console", "pcm", "python"],
)
@pytest.mark.parametrize("names", [{"USER": "Zoe"}, {"USER": "", "LOGNAME": "Zoe"}], ids=["USER", "LOGNAME"])
def test_who_gives_no_name_has_that_of_the_account(host, command, names):
    ann = host("console", "host", "--listen", "127.0.0.1:0", name="Ann")
    invite = ann.invite_line.split()[1]
    zoe = Program(*command, "join", invite, "--item", "film", **names)
    try:
        ann.says("Zoe joined")
    finally:
        assert zoe.close() == 0


@pytest.mark.parametrize("kind", HOSTS)
def test_the_invite_line_of_each_host_can_be_pasted_and_says_who_can_use_it(host, kind):
    ann = host(kind, "host", "--listen", "127.0.0.1:0", name="Ann")
    line = ann.invite_line
    assert re.fullmatch(r"invite unisono://[a-z0-9:/.-]+", line), "no character of it means anything to a shell"
    ann.says("(this invite leads to this machine alone: only programs here can join)")
    ben = host(kind, "join", f" {line}\n", name="Ben")
    ann.says("Ben joined")
    ben.says("Ann is here")


def test_what_people_do_is_told_in_every_host(host):
    ann = host("console", "host", "--listen", "127.0.0.1:0", "--buffer-ms", "2500", name="Ann")
    others = [host(kind, "join", ann.invite_line, name=kind) for kind in HOSTS if (BUILD / f"{kind}_host").exists()]
    for one in others:
        one.says("Ann is here")
    until(lambda: len([line for line in ann.out.lines if line.endswith(" joined")]) == len(others), "Ann knew of all")
    are_heard(ann, "Ann", others)
    ann.type("play")
    for one in others:
        one.says("Ann pressed play")
        one.says("Waiting for Ann")
    ann.says("Waiting for this player")
    ann.type("pause")
    ann.type("seek 62")
    for one in others:
        one.says("Ann paused")
        one.says("Ann sought to 1:02")
    others[0].close()
    for one in others[1:]:
        one.says("console left")


def test_a_hub_that_is_not_there_and_the_end_are_told_in_every_host(host, built, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        where = ["--listen", f"127.0.0.1:{port}", "--key", tmp_path / "hub.key"]
        line = subprocess.check_output([built / "unisono", "hub", *where, "--print-line"], text=True).strip()
        ann = host("console", "host", "--hub", line, name="Ann")
        others = [host(kind, "join", ann.invite_line, name=kind) for kind in HOSTS if (BUILD / f"{kind}_host").exists()]
        for one in (ann, *others):
            one.says_something("Not connected, trying again: ")
    hub = subprocess.Popen([built / "unisono", "hub", *where], stderr=subprocess.DEVNULL)
    try:
        ann.says("Connected")
        for one in others:
            one.says("Connected")
            one.says_something("Ann ")  # is here, or joined where this one was there first
        others[-1].type("leave")
        others[-1].says("You left the session")
        others[0].says(f"{others[-1].name} left")
        ann.type("end")
        for one in (ann, *others[:-1]):
            one.says("The session was ended for everybody")
            assert one.close() == 0
    finally:
        hub.terminate()
        hub.wait()


def test_invites_at_a_hub_lead_to_what_it_advertises(host, built):
    hub = Program(built / "unisono", "hub", "--listen", "127.0.0.1:0", "--advertise", "localhost:7400")
    try:
        until(lambda: any("hosts use it with: --hub unisono-hub://localhost:7400/" in line for line in hub.out.lines), "the hub said how to use it")
        assert any("reached from this machine alone" in line for line in hub.out.lines)
    finally:
        hub.process.terminate()
        hub.process.wait()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    hub = Program(built / "unisono", "hub", "--listen", f"127.0.0.1:{port}", "--advertise", f"localhost:{port}")
    try:
        until(lambda: any("hosts use it with" in line for line in hub.out.lines), "the hub listened")
        line = next(line for line in hub.out.lines if "hosts use it with" in line).split("--hub ")[1].strip()
        # By where this host finds the hub; the next invite has what the hub says of itself.
        ann = host("console", "host", "--hub", line.replace("localhost", "127.0.0.1"), name="Ann")
        until(lambda: any(line.startswith(f"invite unisono://localhost:{port}/") for line in ann.out.lines), "the invite was told anew")
        ben = host("console", "join", [line for line in ann.out.lines if "localhost" in line][0], name="Ben")
        ben.says("Ann is here")
    finally:
        hub.process.terminate()
        hub.process.wait()


def reads_of(process):
    """What a process has open, a line each."""
    paths = []
    for descriptor in Path(f"/proc/{process.pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed since it was listed
            paths.append(os.readlink(descriptor))
    return "\n".join(paths)


def test_what_another_participant_named_is_never_opened_but_the_file_that_was_given_here(host, media, tmp_path):
    secret = tmp_path / "secret.mkv"
    secret.write_bytes(media.read_bytes())
    copy = tmp_path / "my copy.mkv"
    copy.write_bytes(media.read_bytes())
    # The group's item has the name of a file that the joiner could read: it plays its own copy all the same.
    ann = host("console", "host", "--listen", "127.0.0.1:0", name="Ann")
    ann.type(f"item {secret}")
    ben = host("mpv", "join", ann.invite_line, name="Ben", file=copy)
    until(lambda: copy.name in reads_of(ben.process), "Ben's own file was open")
    assert secret.name not in reads_of(ben.process)
    # Another item, another address: the person is asked, and nothing is opened before.
    ann.type("item http://127.0.0.1:1/secret.mkv")
    ben.says('The group is at "http://127.0.0.1:1/secret.mkv". Which file here is it? Type: file PATH')
    assert secret.name not in reads_of(ben.process)
    ben.type(f"file {secret}")
    until(lambda: secret.name in reads_of(ben.process), "the file that the person named was open")
    ann.type(f"item {secret}")
    until(lambda: copy.name in reads_of(ben.process), "each item has the file that was given for it")


def test_mpv_does_not_outlive_its_host(host, tmp_path):
    pipe = tmp_path / "ann.sock"
    ann = host("mpv", "host", "--listen", "127.0.0.1:0", "--ipc", str(pipe), name="Ann")
    mpv = MpvIpc(pipe)
    until(lambda: mpv.get("duration"), "the film was loaded")
    assert mpv.get("pid") == ann.process.pid, "mpv is in the host's own process"
    ann.kill()
    end = time.monotonic() + 5
    while time.monotonic() < end:
        with socket.socket(socket.AF_UNIX) as again:
            if again.connect_ex(str(pipe)) != 0:
                break
    else:
        pytest.fail("mpv still answers")
    left = subprocess.run(["pgrep", "-f", str(pipe)], capture_output=True, text=True).stdout
    assert left == "", "nothing that was started with it is left"


def test_closing_mpv_s_window_leaves_the_group_in_order(host, tmp_path):
    pipe = tmp_path / "ben.sock"
    ann = host("console", "host", "--listen", "127.0.0.1:0", name="Ann")
    ben = host("mpv", "join", ann.invite_line, "--ipc", str(pipe), name="Ben")
    ann.says("Ben joined")
    quit_mpv(pipe)
    assert ben.process.wait(20) == 0
    ann.says("Ben left", limit=5)


def quit_mpv(pipe):
    """As its key does; it may be gone before it answers."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(pipe))
        connection.sendall(b'{"command": ["quit"]}\n')
        connection.recv(64)
