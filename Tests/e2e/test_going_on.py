"""F94: `--continue FILE`: two people watch, quit, and go on on another day, each from a file of their own."""

import stat

import pytest
from hosts_support import until
from test_two_mpv import both_play, in_step, standing_at
from test_watch import folders, invite_of, unisono  # noqa: F401  fixtures

PLACE = 75  # seconds


@pytest.fixture
def person(unisono, tmp_path):  # noqa: F811
    """Starts the command for somebody, whose key and file are the same on each day."""

    def start(name, *arguments, **more):
        home = tmp_path / f"{name}'s data"
        home.mkdir(exist_ok=True)
        kept = tmp_path / f"{name}, next"
        window = unisono(name, *arguments, "--continue", kept, XDG_DATA_HOME=str(home), **more)
        window.kept = kept
        return window

    return start


def stand_at_place(*people):
    until(lambda: all(standing_at(one, PLACE) for one in people), f"all stood at {PLACE} s, {[one.out.lines for one in people]}")


@pytest.fixture
def evening(person, media, folders):  # noqa: F811
    """The first one: it ends where both stood. Both have quit."""
    ann = person("Ann", "watch", media)
    ben = person("Ben", "join", invite_of(ann), "--folder", folders)
    until(lambda: ben.mpv.loaded, f"Ben had his copy open; it said {ben.out.lines}")
    ann.mpv.command("seek", PLACE, "absolute+exact")
    stand_at_place(ann, ben)
    assert ann.quit() == 0
    assert ben.quit() == 0
    return ann.kept, ben.kept


def test_f94_what_is_kept_is_for_its_owner_alone_and_says_nothing(evening):
    for kept in evening:
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        data = kept.read_bytes()
        assert len(data) > 200
        assert not any(word in data for word in (b"Ann", b"Ben", b"film", b"unisono://"))
        assert not kept.with_name(kept.name + ".part").exists()


@pytest.mark.parametrize("first", ["Ann", "Ben"])
def test_f94_two_go_on_where_they_were_whoever_is_there_first(evening, person, media, folders, first):  # noqa: F811
    begin = {
        "Ann": lambda: person("Ann", "watch", media),
        "Ben": lambda: person("Ben", "join", "--folder", folders),
    }
    people = {first: begin.pop(first)()}
    stand_at_place(*people.values())
    people.update((name, start()) for name, start in begin.items())
    ann, ben = people["Ann"], people["Ben"]
    until(lambda: ann.was_told("Ben joined") or ben.was_told("Ann joined"), f"they met; they said {ann.out.lines} {ben.out.lines}")
    stand_at_place(ann, ben)

    ben.mpv.command("set_property", "pause", False)
    both_play(ann, ben)
    in_step(ann, ben, "on the other day")
    assert (ann.mpv.get("time-pos") or 0) >= PLACE


def test_f94_who_brings_another_film_watches_that_with_the_same_group(evening, person, media, folders, tmp_path):  # noqa: F811
    ben = person("Ben", "join", "--folder", folders)
    stand_at_place(ben)
    next_film = folders / "the next one.mkv"
    next_film.write_bytes(media.read_bytes())
    ann = person("Ann", "watch", next_film)
    until(lambda: ben.mpv.get("path") == str(next_film), f"Ben's mpv went on to it; it said {ben.out.lines}")
    until(lambda: standing_at(ann, 0) and standing_at(ben, 0), "both stood at its beginning")


def test_f94_a_new_invite_and_what_one_kept_lead_to_the_group_as_who_one_was(evening, person, media, folders):  # noqa: F811
    ann = person("Ann", "watch", media)
    ben = person("Ben", "join", invite_of(ann), "--folder", folders)
    until(lambda: ann.was_told("Ben joined"), f"they met; they said {ann.out.lines} {ben.out.lines}")
    stand_at_place(ann, ben)


def refused(window, words):
    assert window.end() == 1, window.out.lines
    window.says_something(words)


def test_f94_what_cannot_be_gone_on_from_is_said_with_what_to_do(evening, person, unisono, media, tmp_path):  # noqa: F811
    kept, bens = evening
    held = kept.read_bytes()

    kept.chmod(0o644)
    refused(person("Ann", "watch", media), "chmod 600 it")
    kept.chmod(0o600)

    kept.write_bytes(bens.read_bytes())
    refused(person("Ann", "watch", media), "was kept by somebody else, or with another key")

    kept.write_bytes(b"a letter to Ben\n")
    refused(person("Ann", "watch", media), "holds nothing to go on from: name another file")
    assert kept.read_bytes() == b"a letter to Ben\n", "what is not ours is not written over"

    kept.write_bytes(held)
    other = unisono("Cem", "watch", media)
    refused(person("Ann", "join", invite_of(other), media), "leave out the invite if that is of another group")
    assert kept.read_bytes() == held

    nowhere = unisono("Ann", "watch", media, "--continue", tmp_path / "nowhere" / "kept", XDG_DATA_HOME=str(tmp_path))
    assert nowhere.end() == 64
    nowhere.says_something("no such file or directory")
