"""F101: several coordinators in one session, over the C API with real time."""

import pytest
import unisono
from group_support import Player, pump


class Screen(Player):
    """A player beside a session's first one."""

    def __init__(self, player, name):
        super().__init__(player.context)
        self.session = player.session
        self.coordinator.coordinate_with(player.session, name)

    def others(self):
        return [one.id for one in self.coordinator.other_participants]


@pytest.fixture
def screens(pair):
    """Two in a session who have a second screen each, on an item that is called like the film."""
    a, b, until = pair
    both = [Screen(player, "second screen") for player in (a, b)]
    for screen in both:
        screen.coordinator.transition_to_item("film")
    until(lambda: all(len(screen.others()) == 1 for screen in both), "the second screens see each other")
    return a, b, both, until


def test_f101_a_second_screen_plays_by_itself(screens):
    a, b, both, until = screens
    for player in (a, b):
        player.commands.clear()
    both[0].coordinator.seek(40 * unisono.SECOND)
    both[0].coordinator.play()
    until(lambda: all(screen.playing for screen in both), "both second screens play")
    now = unisono.host_time_ns()
    assert both[0].position(now) > 39 * unisono.SECOND
    assert abs(both[0].position(now) - both[1].position(now)) < 20 * unisono.MILLISECOND
    assert not a.playing and not b.playing and not a.commands and not b.commands
    # Now the film, too: each by its own commands.
    b.coordinator.play()
    until(lambda: a.playing and b.playing, "the film plays")
    both[1].coordinator.pause()
    until(lambda: not any(screen.playing for screen in both), "the second screens are paused")
    assert a.playing and b.playing
    assert both[0].coordinator.current_item == "film" and a.coordinator.timing.state == unisono.TimingState.PLAYING


def test_f101_what_people_are_told_says_whose_items_it_was(screens):
    a, b, both, until = screens
    heard = []
    a.session.on_notice = lambda notice: notice.kind == unisono.NoticeKind.PLAYED and heard.append(notice)
    both[1].coordinator.play()
    until(lambda: all(screen.playing for screen in both), "both second screens play")
    until(lambda: heard, "a is told")
    assert heard[0].coordinator == "second screen" and heard[0].sentence.startswith("second screen: ")
    heard.clear()
    b.coordinator.play()
    until(lambda: heard, "a is told of the film, too")
    assert heard[0].coordinator is None and "second" not in heard[0].sentence


def test_f101_a_place_is_for_one_and_free_when_it_goes(screens):
    a, b, both, until = screens
    with pytest.raises(unisono.BusyError, match='another coordinator "second screen"'):
        Screen(a, "second screen")
    both[0].coordinator.close()
    until(lambda: both[1].others() == [], "b sees nobody there")
    again = Screen(a, "second screen")
    again.coordinator.transition_to_item("film")
    until(lambda: len(both[1].others()) == 1, "b sees a again")
    both[1].coordinator.play()
    until(lambda: again.playing and both[1].playing, "both play")
    # Renamed it is elsewhere, and back on its own it plays on.
    again.coordinator.coordinate_with(a.session, "garden")
    until(lambda: both[1].others() == [], "b is alone there")
    again.coordinator.coordinate_with(None)
    until(lambda: again.coordinator.timing.state == unisono.TimingState.PLAYING, "it plays on alone")


def test_f101_no_more_than_eight_and_names_that_are_none(screens):
    a, _, _, _ = screens
    kept = [Screen(a, f"room {number}") for number in range(7)]
    with pytest.raises(unisono.FullError):
        Screen(a, "one more")
    kept[0].coordinator.close()
    kept.append(Screen(a, "one more"))
    for name in ("", "x" * 33, "a\x07", "\x85"):
        with pytest.raises(unisono.InvalidArgumentError):
            kept[1].coordinator.coordinate_with(a.session, name)
    with pytest.raises(unisono.InvalidArgumentError):
        kept[1].coordinator.coordinate_with(None, "x")
    with pytest.raises(unisono.BusyError):
        kept[1].coordinator.coordinate_with(a.session)


def test_f101_what_is_the_playlists_is_refused(screens):
    _, _, both, until = screens
    told = []
    both[0].error = told.append
    both[0].coordinator.set_skipped_ranges([unisono.RangeKind.INTRO])
    until(lambda: told, "it is refused")
    assert told[0].status == unisono.Status.ESTATE and told[0].operation == "unisono_coordinator_set_skipped_ranges"


def test_f101_a_player_of_the_library_and_a_session_that_ends(library):
    """Alone it plays on before the session is joined, and after it is over."""
    with unisono.Context() as one, unisono.Context() as two:
        film, other = Player(one), Player(two)
        film.attach(unisono.Session.host(one, display_name="Ann", listen=["127.0.0.1:0"]))
        beside = Screen(film, "x")
        beside.coordinator.transition_to_item("song")
        beside.coordinator.play()
        pump([one, two], lambda: beside.playing, "it plays before anybody is there")
        other.session = unisono.Session.open(two, film.session.invite, display_name="Ben", standby_hub=False)
        late = Screen(other, "x")
        late.coordinator.transition_to_item("song")
        other.session.join()
        pump([one, two], lambda: late.playing and len(late.others()) == 1, "who joins later is where it is")
        now = unisono.host_time_ns()
        assert abs(late.position(now) - beside.position(now)) < 20 * unisono.MILLISECOND
        other.session.leave()
        pump([one, two], lambda: beside.others() == [], "it is gone")
        pump([one, two], lambda: late.coordinator.timing.state == unisono.TimingState.PLAYING, "and plays on alone")
        assert late.playing and beside.playing
