"""F71: films one after the other, ready, and what one takes back, with the plugin in real players."""

import shutil

import pytest
from conftest import make_film
from hosts_support import until
from test_mpv_plugin import Mpv, plugin  # noqa: F401  a fixture
from test_two_mpv import both_play, both_stand, place_of, standing_at, standing_together


@pytest.fixture
def open_host(plugin, tmp_path):  # noqa: F811
    """Opens players, and ends each one that a test opened."""
    hosts = []

    def opened(name, options, *arguments):
        hosts.append(Mpv(plugin, name, tmp_path, options, *arguments))
        return hosts[-1]

    yield opened
    ended = [host.quit() for host in reversed(hosts)]
    assert ended == [0] * len(hosts), "each mpv ends cleanly"


@pytest.fixture
def start(open_host, season, tmp_path):
    """Ann with what she was given, and Ben with the folder of the season, both at the first film."""

    def started(*films, **options):
        invite = tmp_path / "invite"
        ann = open_host("Ann", {"host": "yes", "invite-file": invite, **options}, *films)
        until(lambda: invite.exists() and invite.stat().st_size > 0, "the invite was written")
        ben = open_host("Ben", {"invite": f"@{invite}", "folders": season}, "--idle=yes")
        until(lambda: opens(ben, "one.mkv"), f"Ben's copy was found; it said:\n{ben.out.lines}")
        until(lambda: says_by_key(ann, "Ctrl+u", "Ben: stands"), f"Ben's copy stood ready; Ann's said:\n{ann.out.lines}")
        return ann, ben

    return started


def opens(host, name):
    return (host.mpv.get("path") or "").endswith(name) and host.mpv.place is not None


def says_by_key(host, key, words):
    host.press(key)
    return host.was_told(words)


def both_run(ann, ben):
    """For some time already: what a person does before mpv has said that it runs may be lost."""
    both_play(ann, ben)
    until(lambda: all((host.mpv.position()[0] or 0) > 0.5 for host in (ann, ben)), "both films had run for half a second")


def both_open(ann, ben, name):
    until(lambda: opens(ann, name) and opens(ben, name), f"both had {name} open; Ann's said {ann.out.lines}, Ben's {ben.out.lines}")


def test_f71_at_the_end_of_a_film_all_go_on_to_the_next_on_the_list(start, season):
    ann, ben = start(season / "one.mkv", season / "two.mkv")
    until(lambda: ann.mpv.get("playlist-count") == 1, "Ann's list was the group's")
    ben.mpv.command("set_property", "pause", False)
    both_play(ann, ben)
    both_open(ann, ben, "two.mkv")
    both_play(ann, ben)


def test_f71_keys_go_along_the_list_for_all(start, season):
    ann, ben = start(season / "one.mkv", season / "two.mkv")
    until(lambda: says_by_key(ben, "Ctrl+l", "two.mkv"), "Ben's window listed the second film")
    assert ben.was_told("> one.mkv")
    ben.press("<")
    ben.says_something("Nothing comes before this film")
    ben.press(">")
    both_open(ann, ben, "two.mkv")
    ann.press(">")
    ann.says_something("Nothing comes after this film")
    ann.press("<")
    both_open(ann, ben, "one.mkv")


def test_f71_what_one_opens_comes_behind_the_current_film(start, season):
    ann, ben = start(season / "one.mkv", season / "two.mkv")
    ben.mpv.command("loadfile", str(season / "three.mkv"))
    until(lambda: (ann.mpv.get("path") or "").endswith("one.mkv"), "Ann has no copy of the third film")
    ann.says_something("The group watches \"three.mkv\"")
    ann.mpv.command("loadfile", str(season / "three.mkv"))
    both_open(ann, ben, "three.mkv")
    ann.press(">")
    both_open(ann, ben, "two.mkv")


def test_f71_a_start_waits_until_its_person_is_ready(start, season):
    ann, ben = start(season / "one.mkv", start="every")
    ann.mpv.command("set_property", "pause", False)
    ann.says_something("Waiting for Ben")
    assert ann.mpv.paused and ben.mpv.paused
    ben.press("Ctrl+r")
    ben.says_something("You are ready")
    both_play(ann, ben)


def test_f71_a_key_goes_on_without_who_is_not_ready(start, season):
    ann, ben = start(season / "one.mkv", start="every")
    ann.mpv.command("set_property", "pause", False)
    ann.says_something("Waiting for Ben")
    ann.press("Ctrl+g")
    both_play(ann, ben)


def test_f71_a_copy_of_another_length_is_told_to_both(start, season, tmp_path):
    other = tmp_path / "other" / "one.mkv"
    other.parent.mkdir()
    make_film(other, 12)
    ann, ben = start(other)
    for host in (ann, ben):
        host.says_something("has a copy of another length")


def test_f71_a_key_takes_the_last_jump_back(start, season):
    ann, ben = start(season / "one.mkv")
    ben.mpv.command("set_property", "pause", False)
    both_run(ann, ben)
    ben.mpv.command("set_property", "pause", True)
    ann.says_something("Ben paused")
    until(lambda: standing_together(ann, ben), "both stood at one place")
    here = place_of(ann)
    ann.mpv.command("seek", 6, "absolute+exact")
    until(lambda: standing_at(ann, 6) and standing_at(ben, 6), "both stood at 6 s")
    ben.press("Ctrl+z")
    until(lambda: standing_at(ann, here) and standing_at(ben, here), "both were back")


def test_f91_who_has_another_cut_stands_at_its_own_place_of_it(start, season):
    ann, ben = start(season / "one.mkv")
    ben.mpv.command("set_property", "pause", False)
    both_run(ann, ben)
    ben.mpv.command("set_property", "pause", True)
    ann.says_something("Ben paused")
    both_stand(ann, ben)
    until(lambda: standing_together(ann, ben), "both stood at one place")
    ann.mpv.command("seek", 2, "absolute+exact")
    until(lambda: standing_at(ann, 2) and standing_at(ben, 2), "both stood at 2 s")
    ben.mpv.command("script-message", "unisono-offset", "3")
    until(lambda: standing_at(ben, 5), "Ben stood 3 s on")
    assert standing_at(ann, 2)
    ben.mpv.command("script-message", "unisono-offset", "three")
    ben.says_something("unisono-offset takes seconds")


def test_f71_a_reaction_is_shown_to_all(start, season):
    ann, ben = start(season / "one.mkv")
    ben.mpv.command("script-message", "unisono-react", "❤")
    ann.says_something("Ben: ❤")
    both_stand(ann, ben)


def test_f71_only_who_hosts_commands_and_puts_somebody_out(start, season):
    ann, ben = start(season / "one.mkv", control="hosts")
    ann.mpv.command("set_property", "pause", False)
    both_run(ann, ben)
    ben.mpv.command("set_property", "pause", True)
    until(lambda: ben.was_told("command"), f"Ben was told that he may not; he was told {ben.out.lines}")
    both_play(ann, ben)
    ann.mpv.command("script-message", "unisono-remove", "Nobody")
    ann.says_something("Nobody here is called Nobody")
    ann.mpv.command("script-message", "unisono-remove", "Ben")
    ben.says_something("The session is over")


def test_f71_all_pause_when_somebody_leaves(start, open_host, season):
    ann, ben = start(season / "one.mkv", leaving="pause")
    ann.mpv.command("set_property", "pause", False)
    both_play(ann, ben)
    assert ben.quit() == 0
    until(lambda: ann.mpv.paused, "Ann's film stood")


@pytest.mark.parametrize("option", ["start", "leaving", "control"])
def test_f71_an_option_that_is_none_is_said(plugin, season, tmp_path, option):  # noqa: F811
    host = Mpv(plugin, "Ann", tmp_path, {"host": "yes", "quit": "yes", option: "perhaps"}, season / "one.mkv")
    assert host.end() == 1
    host.says_something(f'unisono-{option} is "perhaps"; give ')
