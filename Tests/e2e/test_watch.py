"""F75: `unisono watch` and `unisono join`: from a film on disk to two people in step, with mpv as it is, measured from outside."""

import os
import re
import shutil
import signal
import stat
import subprocess
from pathlib import Path

import pytest
from hosts_support import Window, until
from test_two_mpv import both_play, both_stand, in_step, standing_at

NOT_HERE = 66
HEADLESS = ["--no-config", "--vo=null", "--ao=null"]
INVITE = "unisono://192.168.1.5:7400/qz2wm7gb5p4zfg6grtliwvabmm/aiybmpqit7mcmvbytzsjliidv727iipgl7snyj2mypnwk2gk2xnsqyn4o5kp3354af5h6uxdug2kzgiaais5is5b"


@pytest.fixture
def unisono(built, tmp_path):
    """Starts the command; what runs at the end of a test is ended, and must have left nothing."""
    program = built / "unisono"
    if not program.exists() or not (built / "unisono.so").exists():
        pytest.skip("build/unisono and build/unisono.so are not built; on Debian: apt install libmpv-dev, then `make`")
    run = tmp_path / "run"
    run.mkdir(mode=0o700)
    settings = tmp_path / "agent.toml"
    settings.write_text("")
    started = []

    def start(name, *arguments, config=settings, stdin=subprocess.DEVNULL, within=(), player=(), **more):
        ipc = tmp_path / f"{name}.sock"
        own = ["--name", name, "--config", config]
        window = Window(
            ipc, *within, program, *arguments, *own, "--", *HEADLESS, f"--input-ipc-server={ipc}", *player,
            stdin=stdin, XDG_RUNTIME_DIR=str(run), DISPLAY="", WAYLAND_DISPLAY="", **more)
        window.run = run
        started.append(window)
        return window

    yield start
    for window in started:
        if window.process.poll() is None:
            window.process.send_signal(signal.SIGTERM)
            window.end()
    assert list(run.iterdir()) == [], "no private file is left"


@pytest.fixture
def ann(unisono, media):
    host = unisono("Ann", "watch", media)
    host.says_something("invite unisono://")
    return host


@pytest.fixture
def folders(media, tmp_path):
    """Where Ben keeps his films: his copy is two folders down, in folders with all that takes a command line apart."""
    inner = tmp_path / "films, \"good\" ones" / "new"
    inner.mkdir(parents=True)
    shutil.copy(media, inner / media.name)
    return tmp_path / "films, \"good\" ones"


def invite_of(host):
    return re.search(r"unisono://\S+", host.invite_line)[0]


@pytest.fixture
def ben(unisono, ann, folders):
    host = unisono("Ben", "join", invite_of(ann), "--folder", folders)
    until(lambda: (host.mpv.get("path") or "").startswith(str(folders)), f"Ben's own copy was found; it said {host.out.lines}")
    ready(host, "Ben")
    return host


def ready(host, name, how="stands at"):
    def stands():
        host.press("Ctrl+u")
        return host.was_told(f"{name} (you): {how}")

    said = host.out.lines  # also what comes while this waits
    try:
        until(stands, f"{name}'s copy stood ready")
    except AssertionError as late:
        raise AssertionError(f"{late}; it said {said}") from None


def of_process(number, what):
    return Path(f"/proc/{number}/{what}").read_bytes()


def children(host):
    return [int(number) for number in of_process(host.process.pid, f"task/{host.process.pid}/children").split()]


def is_running(number):
    try:
        return b"\nState:\tZ" not in of_process(number, "status")
    except FileNotFoundError:
        return False


def test_f75_one_line_each_and_two_people_watch_together(ann, ben):
    ben.mpv.command("set_property", "pause", False)
    both_play(ann, ben)
    in_step(ann, ben, "after Ben's space bar")

    ann.mpv.command("set_property", "pause", True)
    both_stand(ann, ben)
    ben.says_something("Ann paused")
    ben.mpv.command("seek", 60, "absolute+exact")
    until(lambda: standing_at(ann, 60) and standing_at(ben, 60), "both stood at 60 s")

    players = children(ann) + children(ben)
    assert len(players) == 2
    assert ben.quit() == 0
    ann.says_something("Ben left")
    assert ann.quit() == 0
    assert not any(map(is_running, players)), "no player runs on"


def test_f130_the_media_keys_of_one_move_all(unisono, ann, folders, bus):
    """By Debian's mpv-mpris, which mpv loads by itself for everybody who has it, but not with --no-config."""
    mpris = Path("/usr/lib/mpv-mpris/mpris.so")
    if not mpris.exists():
        pytest.skip("mpv-mpris is not installed; on Debian: apt install mpv-mpris")
    ben = unisono(
        "Ben", "join", invite_of(ann), "--folder", folders, player=[f"--script={mpris}"], DBUS_SESSION_BUS_ADDRESS=bus)
    ready(ben, "Ben")

    def key(*words):
        command = ["playerctl", "--player", "mpv", *words]
        done = subprocess.run(command, env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": bus}, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    key("play")  # before that mpv-mpris 0.7 may call a film that stands "Stopped", and its play-pause does something else
    both_play(ann, ben)
    in_step(ann, ben, "after Ben's media key")
    assert key("status") == "Playing"
    key("play-pause")
    both_stand(ann, ben)
    ann.says_something("Ben paused")
    key("position", "60")
    until(lambda: standing_at(ann, 60) and standing_at(ben, 60), "both stood at 60 s")
    ann.mpv.command("set_property", "pause", False)
    both_play(ann, ben)
    until(lambda: key("status") == "Playing", "the desktop shows what Ann did")


def test_f75_neither_invite_nor_film_nor_name_is_in_what_others_can_read_of_the_processes(ann, ben, media):
    secrets = [invite_of(ann).encode(), b"Ann", b"Ben", b"good"]
    for player in children(ann) + children(ben):
        line = of_process(player, "cmdline")
        assert b"mpv" in line
        # What the person gave mpv's own options, as the socket of this test, is theirs.
        given = [word for word in line.split(b"\0") if not word.startswith(b"--input-ipc-server")]
        assert not any(secret in word for secret in [*secrets, media.name.encode()] for word in given), line
    assert invite_of(ann).encode() not in of_process(ben.process.pid, "cmdline"), "the invite was taken out of the command line"
    files = [path for folder in ann.run.iterdir() for path in (folder, *folder.iterdir())]
    assert len(files) >= 6
    assert all(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 for path in files)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_f75_a_signal_leaves_in_order(ann, ben, number):
    players = children(ben)
    ben.process.send_signal(number)
    assert ben.end() == 0
    ann.says_something("Ben left")
    assert not any(map(is_running, players))


def test_f75_mpv_does_not_outlive_a_command_that_is_killed(ann, ben):
    players = children(ben)
    ben.kill()
    until(lambda: not any(map(is_running, players)), "Ben's player ended")
    ann.says_something("Ben left")
    for folder in ann.run.iterdir():  # which nobody could take away
        if str(folder).encode() not in of_process(children(ann)[0], "cmdline"):
            shutil.rmtree(folder)


def test_f75_who_is_in_a_session_brings_the_next_film(unisono, ann, ben, media, folders, tmp_path):
    second = tmp_path / "second.mkv"
    shutil.copy(media, second)
    shutil.copy(media, folders / second.name)
    cem = unisono("Cem", "watch", second, "--session", invite_of(ann))
    until(lambda: (ben.mpv.get("path") or "").endswith("second.mkv"), f"Ben's copy of it was opened; it said {ben.out.lines}")
    ready(cem, "Cem", "stands")
    assert cem.quit() == 0


def test_f75_ones_own_copy_may_have_another_name(unisono, ann, media, tmp_path):
    copy = tmp_path / "-my, own \"copy\".mkv"
    shutil.copy(media, copy)
    ben = unisono("Ben", "join", invite_of(ann), copy)
    until(lambda: ben.mpv.get("path") == str(copy), f"it was opened; it said {ben.out.lines}")
    ready(ben, "Ben")
    assert ben.quit() == 0


def test_f75_settings_say_where_films_are(unisono, ann, folders, tmp_path):
    settings = tmp_path / "ben.toml"
    name = str(folders).replace("\"", "\\\"")
    settings.write_text(f'[watch]\nfolders = ["/nowhere", "{name}"]\n')
    ben = unisono("Ben", "join", invite_of(ann), config=settings)
    until(lambda: (ben.mpv.get("path") or "").startswith(str(folders)), f"it was found; it said {ben.out.lines}")


def test_f75_who_has_no_copy_and_no_terminal_is_told_what_to_give(unisono, ann, tmp_path):
    (tmp_path / "empty").mkdir()
    ben = unisono("Ben", "join", invite_of(ann), "--folder", tmp_path / "empty")
    assert ben.end() == NOT_HERE
    ben.says_something("which is not in your folders")


def test_f75_a_link_opens_mpv_where_no_program_is_configured(built, unisono, ann, folders, tmp_path):
    settings = tmp_path / "ben.toml"
    name = str(folders).replace("\"", "\\\"")
    settings.write_text(f'[watch]\nname = "Ben"\nfolders = ["{name}"]\n')
    command = [built / "unisono", "open", invite_of(ann), "--yes", "--config", settings]
    ben = Window(None, *command, XDG_RUNTIME_DIR=str(ann.run), DISPLAY="", WAYLAND_DISPLAY="", MPV_HOME=str(quiet_mpv(tmp_path)))
    ann.says_something("Ben joined")
    ben.process.send_signal(signal.SIGTERM)
    assert ben.end() == 0


def quiet_mpv(folder):
    """A folder of settings by which mpv shows nothing."""
    home = folder / "mpv"
    home.mkdir(exist_ok=True)
    (home / "mpv.conf").write_text("vo=null\nao=null\n")
    return home


def stand_in(folder, script):
    """A program named mpv, and nothing else on the path."""
    place = folder / "bin"
    place.mkdir()
    program = place / "mpv"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return str(place)


@pytest.mark.parametrize(
    "script,status,words",
    [
        (None, 1, "mpv was not found"),
        ("echo 'mpv 0.32.0 Copyright'", 1, "version 0.32, which loads no plugin of this kind; 0.33 or newer is needed"),
        ("[ \"$1\" = --version ] && exec echo 'mpv 0.35.1'; exit 2", 2, "mpv ended with status 2: the file could not be played"),
        ("[ \"$1\" = --version ] && exec echo 'mpv 0.35.1'; kill -SEGV $$", 139, "mpv was ended by signal 11"),
    ],
)
def test_f75_what_is_wrong_with_mpv_is_said(unisono, media, tmp_path, script, status, words):
    path = stand_in(tmp_path, script) if script else str(tmp_path)
    ann = unisono("Ann", "watch", media, PATH=path)
    assert ann.end() == status
    ann.says_something(words)


def test_f75_a_plugin_that_is_not_there_is_said(unisono, media, tmp_path):
    ann = unisono("Ann", "watch", media, UNISONO_MPV_PLUGIN=str(tmp_path / "unisono.so"))
    assert ann.end() == 1
    ann.says_something("unisono-mpv")


@pytest.mark.parametrize(
    "arguments,words",
    [
        (["watch", "/nowhere/film.mkv"], "/nowhere/film.mkv: no such file"),
        (["watch"], "Missing expected argument '<films>"),
        (["join", "unisono://nobody"], "invite"),
        (["join", "@/nowhere/invite"], "cannot read /nowhere/invite"),
        (["join", INVITE, "/nowhere/film.mkv"], "/nowhere/film.mkv: no such file"),
        (["join", INVITE, "--folder", "/a:b"], "has a colon"),
        (["join", INVITE, "--trust", "http://a.example"], "is no host"),
    ],
)
def test_f75_wrong_arguments_are_said_before_anything_opens(unisono, arguments, words):
    refused = unisono("Ann", *arguments)
    assert refused.end() == 64
    refused.says_something(words)


def test_f75_who_has_no_copy_is_asked_at_the_terminal(unisono, ann, media, tmp_path):
    copy = tmp_path / "my copy.mkv"
    shutil.copy(media, copy)
    outer, inner = os.openpty()
    ben = unisono("Ben", "join", invite_of(ann), stdin=inner)
    ben.says_something("The group watches")
    ben.says_something("The path of your copy")
    os.write(outer, b"/nowhere/film.mkv\n")
    ben.says_something("/nowhere/film.mkv: no such file")
    os.write(outer, f"'{copy}'\n".encode())
    ready(ben, "Ben")
    assert ben.mpv.get("path") == str(copy)
    assert ben.quit() == 0


def test_f75_nothing_typed_is_not_now(unisono, ann):
    outer, inner = os.openpty()
    ben = unisono("Ben", "join", invite_of(ann), stdin=inner)
    ben.says_something("The path of your copy")
    os.write(outer, b"\n")
    assert ben.end() == NOT_HERE
