"""F99: a film is shown to those nearby, and a friend in the same network joins without a link, after both compared six digits."""

import re
import subprocess

import pytest
from lan import Lan, unavailable
from test_watch import folders, ready, unisono  # noqa: F401

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


@pytest.fixture
def lan():
    with Lan(["ann", "ben"]) as made:
        yield made


def digits_of(lines):
    found = [match[1] for match in (re.search(r"[Bb]oth screens must show (\d{3} \d{3})", line) for line in lines) if match]
    return found[-1] if found else None


def test_f99_a_friend_nearby_is_chosen_from_a_list_and_let_in_by_a_key(lan, unisono, media, folders):  # noqa: F811
    ann = unisono("Ann", "watch", media, "--nearby", within=lan.command("ann", []))
    ann.says_something('devices nearby see "Ann"')
    ann.says_something("invite unisono://")
    ben = unisono("Ben", "join", "--folder", folders, within=lan.command("ben", []), stdin=subprocess.PIPE)
    ben.says("1  Ann")
    ben.type("7")
    ben.says("there is no number 7")
    ben.type("1")
    ben.says_something("both screens must show")
    ann.says_something('"Ben" asks to watch with you.')
    ann.says_something("Both screens must show")
    assert digits_of(ann.out.lines) == digits_of(ben.out.lines)
    ann.press("Ctrl+y")
    assert not ann.was_told("Ben joined"), "Ben has not said yet that the digits are the same"
    ben.type("y")
    ann.says_something("Ben joined")
    ready(ben, "Ben")
    assert ben.quit() == 0
    assert ann.quit() == 0


def test_f99_who_does_not_show_itself_is_not_found(lan, unisono, media):  # noqa: F811
    ann = unisono("Ann", "watch", media, within=lan.command("ann", []))
    ann.says_something("invite unisono://")
    ben = unisono("Ben", "join", within=lan.command("ben", []), stdin=subprocess.PIPE)
    ben.says_something("nobody yet")
    ben.process.stdin.close()
    assert ben.end() == 1
    assert not ben.was_told("Ann")
    assert ann.quit() == 0
