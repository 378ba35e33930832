"""F86, F87: the playlist that a group shares, and copies of what is on it, over the C API."""

import hashlib
import time

import pytest
import unisono

INTRO = unisono.SkipRange(0, 90_000_000_000, unisono.RangeKind.INTRO)
CREDITS = unisono.SkipRange(90_000_000_000, 91_000_000_000, unisono.RangeKind.CREDITS)


def items(player):
    return [entry.item for entry in player.session.playlist.entries]


def test_f86_both_edit_one_list_and_a_late_joiner_has_it(pair):
    a, b, until = pair
    changes = []
    b.session.on_playlist = changes.append
    copy = unisono.Copy(duration_ns=5_400_000_000_000, file_size=700, hash=bytes(range(32)))
    first = a.session.add_entry("film", "A film", copy=copy, addresses=["https://example.org/film"], ranges=[INTRO, CREDITS])
    second = b.session.add_entry("short", before=None)
    until(lambda: sorted(items(a)) == ["film", "short"] == sorted(items(b)), "both have both")
    a.session.move_entry(second, before=first)
    until(lambda: items(b) == ["short", "film"], "the other has the move")
    entry = b.session.playlist.entries[1]
    assert entry == unisono.PlaylistEntry(first, "film", "A film", copy, ("https://example.org/film",), (INTRO, CREDITS))
    b.session.select_entry(second)
    until(lambda: any(change.current_changed for change in changes), "it is told of its choice")
    last = [change for change in changes if change.current_changed][-1]
    assert (last.current, last.item, last.by_end, last.originator) == (second, "short", False, None)
    until(lambda: a.session.playlist.current == second, "the other has the choice")
    a.session.next_entry(follows=second)
    until(lambda: b.session.playlist.current == first, "the group went on")
    assert [change for change in changes if change.current_changed][-1].originator == a.session.local_participant
    late = unisono.Session.open(b.context, a.session.invite, display_name="Zoe", standby_hub=False)
    told = []
    late.on_playlist = told.append
    late.join()
    until(lambda: told, "the late joiner was told")
    assert told[0].current == first and [entry.item for entry in late.playlist.entries] == ["short", "film"]
    late.leave()
    a.session.remove_entry(first)
    until(lambda: items(b) == ["short"], "it is gone")


def test_g26_f86_who_have_played_an_entry_to_its_end_go_on_to_the_next_one_and_are_told_why(pair):
    a, b, until = pair
    moves = {a: [], b: []}
    for player in (a, b):
        player.session.on_playlist = lambda change, own=moves[player]: own.append(change) if change.current_changed else None
    first = a.session.add_entry("film")
    second = a.session.add_entry("short")
    until(lambda: items(b) == ["film", "short"], "both have the list")
    a.session.select_entry(first)
    until(lambda: all(moves.values()), "both were told of the choice")
    a.coordinator.play()
    until(lambda: a.playing and b.playing, "both played")
    begins = max(a.line[1], b.line[1])
    until(lambda: time.monotonic_ns() > begins, "the start was over")
    for player in (a, b):
        end = player.position(time.monotonic_ns())
        player.coordinator.report(rate=0.0, item_time_ns=end, earliest_ns=0, latest_ns=end)
    until(lambda: all(len(own) == 2 for own in moves.values()), "both were told that the group went on")
    for own in moves.values():
        assert [(change.current, change.item, change.by_end) for change in own] == [(first, "film", False), (second, "short", True)]


@pytest.mark.parametrize(
    "arguments",
    [{"item": ""}, {"item": "x" * 1024}, {"item": "x", "title": "t" * 256}, {"item": "x", "title": "\x1b[2J"}]
    + [{"item": "x", "addresses": ["a"] * 9}, {"item": "x", "copy": unisono.Copy(duration_ns=-1)}]
    + [{"item": "x", "copy": unisono.Copy(hash=b"short")}, {"item": "x", "before": b"short"}]
    + [{"item": "x", "ranges": [CREDITS, INTRO]}, {"item": "x", "ranges": [INTRO] * 17}]
    + [{"item": "x", "ranges": [unisono.SkipRange(begin, end, kind)]} for begin, end, kind in [(-1, 5 * 10**9, 1), (0, 1, 1), (0, 2**63, 1)]]
    + [{"item": "x", "ranges": [unisono.SkipRange(0, 5 * 10**9, kind)]} for kind in (0, 3, 256)],
)
def test_f86_what_is_no_entry_is_refused_and_nothing_comes_of_it(pair, arguments):
    a, _, _ = pair
    with pytest.raises(unisono.UnisonoError):
        a.session.add_entry(**arguments)
    assert items(a) == []


def test_f86_what_is_gone_by_then_is_refused_late(pair):
    a, _, until = pair
    errors = []
    a.session.on_error = errors.append
    a.session.remove_entry(bytes(range(16)))
    a.session.next_entry()
    until(lambda: len(errors) == 2, "both were refused")
    assert {error.operation for error in errors} == {"unisono_session_remove_entry", "unisono_session_next_entry"}
    assert all(error.status == unisono.Status.ENOTFOUND for error in errors)


@pytest.mark.parametrize("size", [1, 196_608, 196_609, 1_000_000])
def test_f87_a_file_is_known_by_its_size_and_by_samples_of_it(library, tmp_path, size):
    path = tmp_path / "film"
    data = bytes(index * 7 % 251 for index in range(size))
    path.write_bytes(data)
    head = size.to_bytes(8, "big")
    samples = data if size <= 196_608 else data[:65_536] + data[size // 2 - 32_768 :][:65_536] + data[-65_536:]
    found = unisono.copy_of_file(str(path))
    assert found == unisono.Copy(None, size, hashlib.sha256(head + samples).digest())


def test_f87_a_file_that_is_none_is_refused(library, tmp_path):
    with pytest.raises(unisono.NotFoundError):
        unisono.copy_of_file(str(tmp_path / "nowhere"))
    with pytest.raises(unisono.UnisonoError, match="no regular file"):
        unisono.copy_of_file(str(tmp_path))
    (tmp_path / "empty").touch()
    with pytest.raises(unisono.UnisonoError, match="empty"):
        unisono.copy_of_file(str(tmp_path / "empty"))


def test_f87_both_sides_are_told_what_differs_of_their_copies(pair):
    a, b, until = pair
    told = {a: [], b: []}
    for player in (a, b):
        player.session.on_copy = told[player].append
    entry = a.session.add_entry("film")
    film = unisono.Copy(duration_ns=5_400_000_000_000, file_size=700, hash=bytes(32))
    cut = unisono.Copy(duration_ns=5_430_000_000_000, file_size=700, hash=bytes([1] * 32))
    a.session.set_copy(entry, film)
    b.session.set_copy(entry, cut)
    until(lambda: all(told.values()), "both were told")
    for player, other, copy in ((a, b, cut), (b, a, film)):
        assert len(told[player]) == 1
        news = told[player][0]
        assert news.participant == other.session.local_participant and news.entry == entry and news.copy == copy
        assert news.differs == unisono.Difference.DURATION | unisono.Difference.HASH
    b.session.set_copy(entry, film)
    until(lambda: all(len(events) == 2 for events in told.values()), "both were told that it is the same")
    assert all(events[1].differs == unisono.Difference.NONE for events in told.values())
