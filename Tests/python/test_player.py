"""F20-F29 from Python: two players over renderers that are lines, in one process."""

import pytest
import unisono
from group_support import pump
from unisono import SECOND, ItemState, SurfaceKind, TimeControl

SMALL = 40 * unisono.MILLISECOND


class Line(unisono.Renderer):
    """Does at once what it is told, and remembers it."""

    nudges = True

    def __init__(self, context):
        self.context = context
        self.told = []
        self.at, self.since, self.rate = 0, context.host_time_ns, 0.0
        self.speed = 1.0
        self.volume = 1.0

    def position_ns(self):
        now = self.context.host_time_ns
        return self.at + int(self.rate * self.speed * (now - self.since)), now

    def _move(self, command, at, rate):
        self.told.append(command)
        self.at, self.since, self.rate = at, self.context.host_time_ns, rate
        command.done(*self.position_ns(), duration_ns=600 * SECOND)

    def load(self, command):
        self._move(command, command.item_time_ns, 0.0)

    def cue(self, command):
        self._move(command, command.item_time_ns, 0.0)

    def play(self, command):
        self._move(command, self.position_ns()[0], command.rate)

    def pause(self, command):
        self._move(command, self.position_ns()[0], 0.0)

    def seek(self, command):
        self._move(command, command.item_time_ns, self.rate)

    def nudge(self, command):
        self.told.append(command)
        self.at, self.since = self.position_ns()
        self.speed = command.factor

    def set_volume(self, command):
        self.volume = command.volume

    def stop(self, command):
        self.told.append(command)
        self.rate = 0.0


@pytest.fixture
def alone(context):
    renderer = Line(context)
    player = unisono.Player(context, renderer)
    player.insert("film", duration_ns=600 * SECOND)
    pump([context], lambda: player.item_state == ItemState.READY, "the item was loaded")
    return context, player, renderer


@pytest.fixture
def together(library):
    with unisono.Context(device_name="a") as one, unisono.Context(device_name="b") as two:
        a, b = unisono.Player(one, Line(one)), unisono.Player(two, Line(two))
        first = unisono.Session.host(one, display_name="Ann", listen=["127.0.0.1:0"])
        second = unisono.Session.open(two, first.invite, display_name="Ben")
        for player, session in ((a, first), (b, second)):
            player.coordinate_with(session)
            player.session = session
            session.join()
            player.insert("film", duration_ns=600 * SECOND)

        def met(player, session):
            synchronised = session.statistics.clock_state == unisono.ClockState.SYNCHRONIZED
            return synchronised and [p.item for p in player.coordinator.other_participants] == ["film"]

        both = [one, two]
        pump(both, lambda: met(a, first) and met(b, second), "both joined and saw each other on the item")
        yield a, b, lambda until, what: pump(both, until, what)


def test_f20_play_asks_the_group_and_both_play_in_step(together):
    a, b, run = together
    a.play()
    run(lambda: a.time_control == b.time_control == TimeControl.PLAYING, "both played")
    run(lambda: b.statistics.skew_last_ns is not None, "the skew was measured")
    run(lambda: abs(a.renderer.position_ns()[0] - b.renderer.position_ns()[0]) < SMALL, "both were in step")
    b.pause()
    run(lambda: a.time_control == b.time_control == TimeControl.PAUSED, "both paused")
    assert a.renderer.rate == b.renderer.rate == 0


def test_f22_a_rate_change_of_another_names_its_originator(together):
    a, b, run = together
    heard = []
    b.on_event = heard.append
    a.play(1.5)

    def told():
        return [e for e in heard if isinstance(e, unisono.PlayerRateChange) and e.rate == 1.5]

    run(told, "B was told of the rate")
    assert told()[0].reason == unisono.RateReason.PARTICIPANT
    assert any(told()[0].originator)



def seen_by(other, player):
    """How a player's device is shown to the other one."""
    (shown,) = other.coordinator.other_participants
    assert shown.id == player.session.local_participant
    return shown


def test_f22_who_cannot_play_a_rate_stands_apart_and_moves_nobody(together):
    a, b, run = together
    heard = []
    b.on_event = heard.append


    def play(command):
        if command.rate > 1:
            return command.fail(unisono.Status.ENOTSUP)
        return Line.play(b.renderer, command)

    b.renderer.play = play
    a.play()
    run(lambda: a.time_control == b.time_control == TimeControl.PLAYING, "both played")
    told = len(a.renderer.told)
    a.play(1.5)
    run(lambda: a.renderer.rate == 1.5 and b.time_control == TimeControl.PAUSED, "A played on at 1.5, B paused")
    assert b.renderer.rate == 0
    assert b.coordinator.suspension_reasons == ("coordinated-playback-not-possible",)
    rates = [(e.rate, e.reason) for e in heard if isinstance(e, unisono.PlayerRateChange)]
    assert rates[-1] == (0, unisono.RateReason.SET_RATE_FAILED)
    run(lambda: seen_by(a, b).suspension_reasons == ("coordinated-playback-not-possible",), "A saw why B is apart")
    run(lambda: seen_by(a, b).rate == 0 and not seen_by(a, b).ready, "A saw that B stands")
    a.play(1.0)
    run(lambda: b.time_control == TimeControl.PLAYING and b.coordinator.suspension_reasons == (), "B was back")
    moved = (unisono.RendererSeek, unisono.RendererPause, unisono.RendererCue)
    assert not [c for c in a.renderer.told[told:] if isinstance(c, moved)], "A was moved by what B could not do"


def test_f3_who_neither_buffers_nor_plays_is_shown_as_that(together):
    a, b, run = together
    a.coordinator.set_wait_limit(SECOND)
    b.renderer.cue = b.renderer.play = lambda command: None
    a.play()
    run(lambda: a.time_control == TimeControl.PLAYING, "A played without B")
    run(lambda: b.coordinator.suspension_reasons == ("stall-recovery",), "B was shown to itself as what it is")
    assert b.coordinator.statistics.commands_overdue >= 1
    assert b.time_control == TimeControl.WAITING
    run(lambda: seen_by(a, b).suspension_reasons == ("stall-recovery",), "A was shown why")
    assert not seen_by(a, b).ready
    del b.renderer.cue, b.renderer.play
    a.pause()
    run(lambda: b.coordinator.suspension_reasons == (), "the next command had B back")


def test_f23_every_seek_is_answered(alone):
    context, player, renderer = alone
    heard = []
    player.on_event = heard.append
    first, second = player.seek(10 * SECOND), player.seek(20 * SECOND)

    def done():
        return [(e.request, e.status) for e in heard if isinstance(e, unisono.PlayerSeekDone)]

    pump([context], lambda: len(done()) == 2, "both seeks were answered")
    assert done() == [(first, unisono.Status.ECANCELED), (second, 0)]
    assert renderer.at == 20 * SECOND
    assert player.current_time_ns[0] == 20 * SECOND


def test_f25_scrubbing_moves_the_group_only_when_released(together):
    a, b, run = together
    a.begin_scrub()
    a.scrub_to(30 * SECOND)
    run(lambda: a.renderer.at == 30 * SECOND, "the own picture followed")
    assert b.renderer.at == 0
    a.end_scrub(True)
    run(lambda: b.renderer.at == 30 * SECOND, "the group followed")


def test_f26_the_queue_goes_on_at_the_end(alone):
    context, player, renderer = alone
    player.insert("next")
    player.play()
    pump([context], lambda: renderer.rate == 1, "it played")
    player.report(unisono.RendererState.ENDED)
    pump([context], lambda: isinstance(renderer.told[-1], unisono.RendererPlay) and renderer.told[-1].item == "next", "on")
    with pytest.raises(unisono.NotFoundError):
        player.remove("film")


@pytest.mark.parametrize("action", [unisono.ActionAtEnd.PAUSE, unisono.ActionAtEnd.NONE])
def test_f26_the_action_at_the_end_is_the_same_for_everybody(together, action):
    a, b, run = together
    for player in (a, b):
        player.insert("series", duration_ns=600 * SECOND)
    assert a.coordinator.action_at_end == b.coordinator.action_at_end == unisono.ActionAtEnd.ADVANCE
    b.coordinator.set_action_at_end(action)
    run(lambda: a.coordinator.action_at_end == b.coordinator.action_at_end == action, "both knew the action")
    heard = {a: [], b: []}
    for player in (a, b):
        player.on_event = heard[player].append
    a.seek(599 * SECOND + 500 * unisono.MILLISECOND)
    a.play()
    run(lambda: a.time_control == b.time_control == TimeControl.PLAYING, "both played")
    run(lambda: a.renderer.position_ns()[0] > 600 * SECOND < b.renderer.position_ns()[0], "both came to the end")
    for player in (a, b):
        player.report(unisono.RendererState.ENDED)

    def ended():
        return all(any(isinstance(e, unisono.PlayerItemEnd) for e in events) for events in heard.values())

    run(ended, "both were told of the end")
    expected = TimeControl.PAUSED if action == unisono.ActionAtEnd.PAUSE else TimeControl.WAITING
    run(lambda: a.time_control == b.time_control == expected, "both stood, as the action says")
    state = unisono.TimingState.PAUSED if action == unisono.ActionAtEnd.PAUSE else unisono.TimingState.PLAYING
    run(lambda: [p.coordinator.statistics.state for p in (a, b)] == [state, state], "the group was as the action says")
    # Nobody has gone on to the next item.
    assert [p.item for player in (a, b) for p in player.coordinator.other_participants] == ["film", "film"]
    b.seek(0)
    b.play()
    run(lambda: a.time_control == b.time_control == TimeControl.PLAYING, "both played from the beginning")
    assert all(player.renderer.position_ns()[0] < 10 * SECOND for player in (a, b))


def test_f28_the_volume_reaches_the_renderer(alone):
    context, player, renderer = alone
    player.set_volume(0.5)
    pump([context], lambda: renderer.volume == 0.5, "the volume was set")
    with pytest.raises(unisono.InvalidArgumentError):
        player.set_volume(2.0)


def test_f28_while_another_speaks_the_content_is_lower(together):
    a, b, run = together
    a.set_volume(0.5)
    b.session.set_speaking(True)
    run(lambda: abs(a.renderer.volume - 0.15) < 1e-9, "the content was lowered")
    b.session.set_speaking(False)
    run(lambda: a.renderer.volume == 0.5, "the content was as loud as before")


def test_f29_picture_in_picture(alone):
    context, player, renderer = alone
    surface = unisono.Surface(player, SurfaceKind.PICTURE_IN_PICTURE)
    heard = []
    surface.on_event = heard.append

    def types():
        return [type(event) for event in heard]

    surface.begin()
    surface.set_playing(True)
    pump([context], lambda: renderer.rate == 1 and not surface.is_paused, "it played")
    request = surface.skip_by(15 * SECOND)
    pump([context], lambda: unisono.SurfaceSkipDone in types(), "the skip was answered")
    assert [e.request for e in heard if isinstance(e, unisono.SurfaceSkipDone)] == [request]
    assert renderer.at >= 15 * SECOND
    assert surface.time_range_ns == (0, 600 * SECOND)
    surface.end()
    pump([context], lambda: unisono.SurfaceRestore in types(), "the window was wanted back")
    surface.complete_restore(heard[-1].request, True)
    pump([context], lambda: unisono.SurfaceWillEnd in types(), "it ended")
    player.close()
    surface.set_playing(False)
    pump([context], lambda: renderer.rate == 0, "the player lived while the surface did")
    surface.close()
    pump([context], lambda: player.closed, "nothing was left")


def test_a_refusal_that_comes_late_is_told(alone):
    context, player, _ = alone
    refused = []
    player.on_error = refused.append
    player.end_interruption(True)
    pump([context], lambda: refused, "the refusal came")
    assert refused[0].operation == "unisono_player_end_interruption"
    assert isinstance(refused[0].error, unisono.StateError)


def test_a_renderer_that_raises_fails_its_command(context):
    class Broken(Line):
        def load(self, command):
            raise RuntimeError("no such file")

    errors = []
    context.on_exception = errors.append
    player = unisono.Player(context, Broken(context))
    player.insert("film")
    pump([context], lambda: player.item_state == ItemState.FAILED, "the item failed")
    assert [str(error) for error in errors] == ["no such file"]
