"""F71: mpv as it is, with the plugin in it: two on one film, measured from outside."""

import shutil
import stat
import subprocess
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from hosts_support import Window, until
from range_server import serving
from test_two_mpv import both_play, both_stand, in_step, standing_at

NOT_HERE = 66  # mpv's status where the film is not among what one has


class Mpv(Window):
    """One headless mpv with the plugin."""

    def __init__(self, plugin, name, folder, options, *arguments):
        ipc = folder / f"{name}.sock"
        given = ",".join(f"unisono-{key}={value}" for key, value in {"name": name, **options}.items())
        command = ["mpv", "--no-config", "--vo=null", "--ao=null", f"--script={plugin}", f"--script-opts={given}"]
        super().__init__(ipc, *command, f"--input-ipc-server={ipc}", *arguments, stdin=subprocess.DEVNULL)


@pytest.fixture
def plugin(built):
    path = built / "unisono.so"
    if not path.exists():
        pytest.skip("build/unisono.so is not built; on Debian: apt install libmpv-dev, then `make plugin`")
    return path


@pytest.fixture
def ann(plugin, media, tmp_path):
    invite = tmp_path / "invite"
    host = Mpv(plugin, "Ann", tmp_path, {"host": "yes", "invite-file": invite}, media)
    host.invite = invite
    try:
        until(lambda: invite.exists() and invite.stat().st_size > 0, "the invite was written")
        yield host
    finally:
        ended = host.quit()
    assert ended == 0, "Ann's mpv ends cleanly"


@pytest.fixture
def folders(media, tmp_path):
    """Where Ben keeps his films: his copy is two folders down."""
    inner = tmp_path / "films" / "new"
    inner.mkdir(parents=True)
    shutil.copy(media, inner / media.name)
    return tmp_path / "films"


def stands(host):
    host.press("Ctrl+u")
    return host.was_told("Ben (you): stands at 0:00:00")


def one_picture(a, b):
    places = [one.mpv.get("time-pos") for one in (a, b)]
    return None not in places and abs(places[0] - places[1]) < 0.001


@pytest.fixture
def ben(plugin, ann, folders, tmp_path):
    host = Mpv(plugin, "Ben", tmp_path, {"invite": f"@{ann.invite}", "folders": folders}, "--idle=yes")
    try:
        until(lambda: (host.mpv.get("path") or "").startswith(str(folders)), "Ben's own copy was found")
        until(lambda: stands(host), f"Ben's copy stood ready; it said:\n{host.out.lines}")
        yield host
    finally:
        ended = host.quit()
    assert ended == 0, "Ben's mpv ends cleanly"


def test_f71_the_invite_is_for_its_owner_alone(ann):
    assert stat.S_IMODE(ann.invite.stat().st_mode) == 0o600


def test_f71_two_people_press_their_own_keys_and_stay_together(ann, ben):
    ben.mpv.command("set_property", "pause", False)
    both_play(ann, ben)
    in_step(ann, ben, "after Ben's space bar")

    ben.mpv.command("set_property", "pause", True)
    both_stand(ann, ben)
    ann.says_something("Ben paused")
    until(lambda: one_picture(ann, ben), "both show one picture")

    ann.mpv.command("seek", 60, "absolute+exact")
    until(lambda: standing_at(ann, 60) and standing_at(ben, 60), "both stood at 60 s")


def test_f71_who_seeks_and_presses_play_at_once_starts_all_from_there(ann, ben):
    ben.mpv.command("seek", 247, "absolute+exact")
    ben.mpv.command("set_property", "pause", False)
    both_play(ann, ben)
    in_step(ann, ben, "after a seek and a press of play")
    assert 247 < ann.mpv.get("time-pos") < 347


def test_f71_a_key_says_who_is_here_and_goodbye_is_told(ann, ben):
    ann.press("Ctrl+u")
    ann.says_something("Ben: stands")
    assert ann.was_told("(you): stands")
    assert ben.quit() == 0
    ann.says_something("Ben left")


def test_f71_what_one_writes_both_read_as_it_was_written(ann, ben):
    ann.mpv.command("script-message", "unisono-say", "a word; and \"another\"")
    ben.says_something("Ann: a word; and \"another\"")
    ann.says_something("Ann: a word; and \"another\"")

    ben.mpv.command("script-message", "unisono-say", "${path} and ${filename}")
    ann.says_something("Ben: ${path} and ${filename}")


def is_writing(host):
    """mpv's console has the keys."""
    bindings = host.mpv.get("input-bindings") or []
    return any(one["key"] == "ENTER" and "console" in one["cmd"] for one in bindings)


def test_f71_a_key_opens_a_line_to_write_in(ann, ben):
    ben.press("Ctrl+Enter")
    until(lambda: is_writing(ben), "the line was open")
    for key in ("h", "i", "ENTER"):
        ben.press(key)
    ann.says_something("Ben: hi")
    until(lambda: not is_writing(ben), "the line was closed")


def test_f71_who_has_no_copy_is_told_what_to_give(plugin, ann, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    options = {"invite": f"@{ann.invite}", "folders": empty, "quit": "yes"}
    cem = Mpv(plugin, "Cem", tmp_path, options, "--idle=yes")
    assert cem.end() == NOT_HERE
    cem.says_something("which is not in your folders")


@pytest.fixture
def address(media):
    """The film, served by this process."""
    handler = partial(SimpleHTTPRequestHandler, directory=media.parent)
    handler.log_message = lambda *_: None
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/{media.name}"
    server.shutdown()
    server.server_close()


def test_f71_an_address_from_the_group_is_opened_only_from_trusted_hosts(plugin, ann, address, tmp_path):
    ann.mpv.command("loadfile", address)
    until(lambda: ann.mpv.get("path") == address and ann.mpv.loaded, "Ann's mpv had the address open")
    options = {"invite": f"@{ann.invite}", "quit": "yes"}

    cem = Mpv(plugin, "Cem", tmp_path, {**options, "trusted-hosts": "films.example"}, "--idle=yes")
    assert cem.end() == NOT_HERE
    cem.says_something("127.0.0.1 is not among your trusted_hosts")

    dan = Mpv(plugin, "Dan", tmp_path, {**options, "trusted-hosts": "films.example:127.0.0.1"}, "--idle=yes")
    try:
        until(lambda: dan.mpv.get("path") == address, f"Dan's mpv opened it; it said:\n{dan.out.lines}")
    finally:
        assert dan.quit() == 0


@pytest.fixture
def held(media):
    """A server of the film that gives nothing of it yet."""
    with serving(media) as server:
        server.hold(0, len(server.data))
        yield server


def press_play_while_nothing_is_there(host, server):
    until(lambda: host.mpv.get("path") == server.address and server.begun, "mpv was opening the film")
    assert not host.mpv.loaded
    host.mpv.command("set_property", "pause", False)
    until(lambda: host.mpv.paused, "mpv was set back until the group starts")


def test_f71_who_opens_a_film_and_presses_play_before_it_is_there_starts_it_for_all(plugin, ann, held, tmp_path):
    options = {"invite": f"@{ann.invite}", "trusted-hosts": "127.0.0.1"}
    dan = Mpv(plugin, "Dan", tmp_path, options, "--idle=yes")
    try:
        ann.mpv.command("loadfile", held.address)
        press_play_while_nothing_is_there(ann, held)
        held.release()
        until(lambda: dan.mpv.get("path") == held.address, f"Dan's mpv opened it; it said:\n{dan.out.lines}")
        both_play(ann, dan)
        in_step(ann, dan, "after a press of play that came before the film")
    finally:
        assert dan.quit() == 0


def test_f71_a_guest_who_presses_play_while_the_own_copy_loads_starts_it_for_all(plugin, ann, held, tmp_path):
    held.release()
    ann.mpv.command("loadfile", held.address)
    until(lambda: ann.mpv.get("path") == held.address and ann.mpv.loaded, "Ann's mpv had the address open")
    held.hold(0, len(held.data))
    held.begun.clear()
    options = {"invite": f"@{ann.invite}", "trusted-hosts": "127.0.0.1"}
    dan = Mpv(plugin, "Dan", tmp_path, options, "--idle=yes")
    try:
        press_play_while_nothing_is_there(dan, held)
        held.release()
        both_play(ann, dan)
        in_step(ann, dan, "after a press of play that came before the copy")
    finally:
        assert dan.quit() == 0


def test_f71_a_press_of_play_before_ones_copy_is_opened_starts_it_for_all(plugin, ann, media, tmp_path):
    dan = Mpv(plugin, "Dan", tmp_path, {"invite": f"@{ann.invite}"}, "--idle=yes")
    try:
        dan.says_something("Open your copy of it in this window")
        dan.mpv.command("set_property", "pause", False)
        until(lambda: dan.mpv.paused, "mpv was set back until the group starts")
        assert ann.mpv.paused
        dan.mpv.command("loadfile", str(media))
        both_play(ann, dan)
        in_step(ann, dan, "after a press of play that came before the copy")
    finally:
        assert dan.quit() == 0


# The group's answer to the first film is on its way for some milliseconds: in some of so many rounds the second meets it.
ROUNDS = 24


def open_in_a_row(host, first, second, pause):
    """As a person does who took the wrong file: the second once the first is there and `pause`, s, has passed."""
    host.mpv.command("loadfile", first)
    until(lambda: host.mpv.get("path") == first and host.mpv.loaded, "the first was there", meanwhile=lambda: None)
    time.sleep(pause)
    host.mpv.command("loadfile", second)
    until(lambda: host.mpv.get("path") == second and host.mpv.loaded, f"the second was there after {pause} s")


def test_f71_who_opens_another_film_at_once_keeps_that_one_open(ann, media, tmp_path):
    paths = [str(shutil.copy(media, tmp_path / name)) for name in ("one.mkv", "two.mkv")]
    until(lambda: ann.mpv.loaded, "Ann's film was there")
    for step in range(ROUNDS):
        paths.reverse()
        open_in_a_row(ann, *paths, step * 0.0003)


# Pauses mpv the moment that it is told to play, as often as it is asked to by "script-message next".
AT_ONCE = """
local armed = false
mp.register_script_message("next", function() armed = true end)
mp.observe_property("pause", "bool", function(_, paused)
  if armed and not paused then armed = false; mp.set_property_bool("pause", true) end
end)
"""
STARTS = 6


def test_f71_a_pause_in_the_moment_of_a_start_is_a_persons(plugin, ann, folders, tmp_path):
    script = tmp_path / "at_once.lua"
    script.write_text(AT_ONCE)
    options = {"invite": f"@{ann.invite}", "folders": folders}
    dan = Mpv(plugin, "Dan", tmp_path, options, "--idle=yes", f"--script={script}")
    try:
        until(lambda: (dan.mpv.get("path") or "").startswith(str(folders)), "Dan's own copy was found")
        for start in range(STARTS):
            told = sum("Dan paused" in line for line in list(ann.out.lines))
            dan.mpv.command("script-message", "next")
            ann.mpv.command("set_property", "pause", False)
            until(lambda: sum("Dan paused" in line for line in list(ann.out.lines)) > told, f"Dan paused all at start {start}")
            both_stand(ann, dan)
    finally:
        assert dan.quit() == 0


def test_f71_who_may_not_command_and_presses_play_before_the_copy_is_there_is_told_and_stands(plugin, media, held, tmp_path):
    invite = tmp_path / "invite"
    ann = Mpv(plugin, "Ann", tmp_path, {"host": "yes", "control": "hosts", "invite-file": invite}, media)
    dan = None
    try:
        until(lambda: invite.exists() and invite.stat().st_size > 0, "the invite was written")
        dan = Mpv(plugin, "Dan", tmp_path, {"invite": f"@{invite}", "copy": held.address}, "--idle=yes")
        press_play_while_nothing_is_there(dan, held)
        dan.says_something("the session's policy does not let this participant command")
        held.release()
        until(lambda: dan.mpv.loaded, "Dan's copy was there")
        until(lambda: standing_at(dan, 0), f"Dan's mpv stood at the beginning; it said {dan.out.lines}")
        assert dan.mpv.paused and ann.mpv.paused
    finally:
        ended = [one.quit() for one in (dan, ann) if one is not None]
    assert ended == [0, 0]


def test_f127_who_may_not_command_asks_by_a_key_and_who_may_answers_by_one(plugin, folders, media, tmp_path):
    invite = tmp_path / "invite"
    ann = Mpv(plugin, "Ann", tmp_path, {"host": "yes", "control": "hosts", "invite-file": invite}, media)
    ben = None
    try:
        until(lambda: invite.exists() and invite.stat().st_size > 0, "the invite was written")
        ben = Mpv(plugin, "Ben", tmp_path, {"invite": f"@{invite}", "folders": folders}, "--idle=yes")
        until(lambda: stands(ben), f"Ben's copy stood ready; it said:\n{ben.out.lines}")
        ben.mpv.command("set_property", "pause", False)
        ben.says_something("Ctrl+a asks those who may")
        until(lambda: ben.mpv.paused and ann.mpv.paused, "both stood, as Ben may not command")

        ben.press("Ctrl+a")
        ann.says_something("Ben asks to play; Ctrl+y: yes, Ctrl+n: no")
        ann.press("Ctrl+n")
        ben.says_something("You asked to play: Ann declined")
        assert ann.mpv.paused and ben.mpv.paused

        # One in a second is taken.
        asked = "You asked those who may command to play"
        until(lambda: sum(asked in line for line in list(ben.out.lines)) == 2 or ben.press("Ctrl+a"), "Ben asked once more")
        until(lambda: sum("Ben asks to play" in line for line in list(ann.out.lines)) == 2, "Ann heard of it")
        ann.press("Ctrl+y")
        both_play(ann, ben)
        ben.says_something("Ann did as you asked")
        ann.press("Ctrl+y")
        ann.says_something("Nobody asks for anything")
    finally:
        ended = [one.quit() for one in (ben, ann) if one is not None]
    assert ended == [0, 0]
