"""F133, F134: a session that others listen to, over the C API with real time."""

import pytest
import unisono
from group_support import Player, pump


class Listener(Player):
    """A player that follows an audience: it goes to what the group is at."""

    def __init__(self, context):
        super().__init__(context)
        self.told = []
        self.refused = []
        self.invites = []

    def invited(self, event):
        self.invites.append(event.invite)

    def listening_changed(self, change):
        self.told.append(change)
        if change.item and change.status != unisono.ListeningStatus.OVER and change.item != self.coordinator.current_item:
            self.coordinator.transition_to_item(change.item)

    def error(self, event):
        self.refused.append(event)

    @property
    def status(self):
        return self.told[-1].status if self.told else None

    @property
    def follows(self):
        return self.status == unisono.ListeningStatus.FOLLOWING and self.told[-1].item is not None


class Stage(Player):
    """Who hosts a session in which hosts alone command, at "film", with an open audience."""

    def __init__(self, context):
        super().__init__(context)
        self.changes = []
        activity = unisono.Activity("org.example.premiere", title="A premiere", payload=b"film")
        hosts = unisono.ControlPolicy.HOSTS_ONLY
        self.attach(
            unisono.Session.host(context, display_name="Ann", listen=["127.0.0.1:0"], control_policy=hosts, activity=activity)
        )
        self.session.on_audience = self.changes.append
        self.heard = []
        self.session.on_listener = self.heard.append

    @property
    def state(self):
        return self.changes[-1].state if self.changes else unisono.AudienceState.CLOSED

    @property
    def listeners(self):
        return self.changes[-1].listeners if self.changes else 0


def in_step(one, other):
    now = unisono.host_time_ns()
    return one.playing == other.playing and abs(one.position(now) - other.position(now)) < 20 * unisono.MILLISECOND


@pytest.fixture
def stage(library):
    """Ann's audience is open, and two listen, each with a context of its own."""
    with unisono.Context(device_name="a") as one, unisono.Context(device_name="b") as two, unisono.Context(device_name="c") as three:
        contexts = [one, two, three]
        ann = Stage(one)
        assert ann.session.audience_link is None
        pump(contexts, lambda: ann.session.state == unisono.SessionState.JOINED, "Ann joined")
        ann.session.open_audience()
        pump(contexts, lambda: ann.state == unisono.AudienceState.OPEN, "the audience is open")
        both = [Listener(two), Listener(three)]
        for listener in both:
            listener.coordinator.listen(ann.session.audience_link)
        pump(contexts, lambda: all(listener.follows for listener in both), "both follow")
        yield ann, both, lambda until, what: pump(contexts, until, what)


def test_f133_f134_listeners_do_what_the_group_does(stage):
    ann, both, until = stage
    until(lambda: ann.listeners == 2, "the hub counts two")
    for listener in both:
        assert listener.told[0].status == unisono.ListeningStatus.CONNECTING
        until(lambda: listener.told[-1].activity is not None, "the activity is heard")
        activity = listener.told[-1].activity
        assert (activity.identifier, activity.title, activity.payload) == ("org.example.premiere", "A premiere", b"film")
        assert listener.told[-1].item == "film" and listener.coordinator.current_item == "film"
    ann.coordinator.seek(30 * unisono.SECOND)
    ann.coordinator.play()
    until(lambda: ann.playing and all(in_step(ann, one) for one in both), "all play in step")
    # They begin 1.5 s after the start was written, and count from before it until then.
    assert both[0].position(unisono.host_time_ns()) > 28 * unisono.SECOND
    ann.coordinator.pause()
    until(lambda: not ann.playing and not any(one.playing for one in both), "all stand")
    # Listeners are in no list, and the group goes on without waiting for one that does nothing.
    assert [one.display_name for one in ann.session.participants] == ["Ann"]
    assert ann.coordinator.other_participants == ()


def test_f134_another_item_and_who_comes_late(stage):
    ann, both, until = stage
    ann.coordinator.transition_to_item("second")
    ann.coordinator.seek(90 * unisono.SECOND)
    until(lambda: all(one.coordinator.current_item == "second" for one in both), "both went to the second item")
    ann.coordinator.play()
    until(lambda: ann.playing and all(in_step(ann, one) for one in both), "all play in step")
    late = Listener(both[0].context)
    late.coordinator.listen(ann.session.audience_link)
    until(lambda: late.playing and in_step(ann, late), "who comes late plays along")
    assert late.coordinator.current_item == "second" and late.position(unisono.host_time_ns()) > 88 * unisono.SECOND
    until(lambda: ann.listeners == 3, "the hub counts three")


def test_f134_a_listener_commands_nobody(stage):
    ann, both, until = stage
    listener = both[0]
    before = ann.coordinator.timing
    listener.coordinator.play()
    listener.coordinator.seek(7 * unisono.SECOND)
    until(lambda: len(listener.refused) == 2, "both are refused")
    assert {event.status for event in listener.refused} == {unisono.Status.EDENIED}
    assert [event.operation for event in listener.refused] == [
        "unisono_coordinator_coordinate_rate_change",
        "unisono_coordinator_coordinate_seek",
    ]
    assert not listener.playing and not ann.playing
    assert ann.coordinator.timing.item_time_ns == before.item_time_ns
    # What is its own is its own: it is away for a while, and back where the group is.
    with listener.coordinator.suspend(unisono.Reason.USER_ACTION_REQUIRED):
        ann.coordinator.play()
        until(lambda: ann.playing and in_step(ann, both[1]), "the others play")
        assert not listener.playing
    until(lambda: listener.playing and in_step(ann, listener), "it is back")


def test_f137_a_renewed_audience_goes_along(stage):
    ann, both, until = stage
    old = ann.session.audience_link
    ann.coordinator.play()
    until(lambda: ann.playing and all(in_step(ann, one) for one in both), "all play in step")
    ann.session.renew_audience()
    until(lambda: ann.state == unisono.AudienceState.OPEN and ann.session.audience_link != old, "the new link is good")
    until(lambda: all(one.told[-1].clock_behind_ns is not None for one in both), "group time is bounded on both sides")
    assert all(one.playing and in_step(ann, one) for one in both)
    assert all(one.status == unisono.ListeningStatus.FOLLOWING and not one.told[-1].clock_doubt for one in both)
    assert all(0 <= one.told[-1].clock_ahead_ns < unisono.SECOND for one in both)
    ann.coordinator.pause()
    until(lambda: not ann.playing and not any(one.playing for one in both), "all stand")


def test_f133_a_closed_audience_is_told_to_its_listeners(stage):
    ann, both, until = stage
    old = ann.session.audience_link
    ann.coordinator.play()
    until(lambda: ann.playing and all(in_step(ann, one) for one in both), "all play in step")
    ann.session.close_audience()
    until(lambda: all(one.status == unisono.ListeningStatus.OVER for one in both), "both are told")
    assert all(one.told[-1].reason for one in both)
    until(lambda: ann.state == unisono.AudienceState.CLOSED, "it is closed")
    assert ann.session.audience_link is None
    # Each is on its own, and the group is without them.
    assert all(one.playing for one in both)
    both[0].coordinator.pause()
    until(lambda: not both[0].playing, "the first stands")
    assert both[1].playing and ann.playing and not both[0].refused
    ann.session.open_audience()
    until(lambda: ann.state == unisono.AudienceState.OPEN, "another one is open")
    assert ann.session.audience_link != old
    both[0].coordinator.listen(ann.session.audience_link)
    until(lambda: both[0].playing and in_step(ann, both[0]), "the first plays along again")


def test_f134_who_stops_acts_alone(stage):
    ann, both, until = stage
    until(lambda: ann.listeners == 2, "the hub counts two")
    ann.coordinator.play()
    until(lambda: ann.playing and all(in_step(ann, one) for one in both), "all play in step")
    both[0].coordinator.stop_listening()
    both[0].coordinator.stop_listening()
    until(lambda: ann.listeners == 1, "the hub counts one")
    ann.coordinator.pause()
    until(lambda: not ann.playing and not both[1].playing, "the group stands")
    assert both[0].playing
    both[0].coordinator.pause()
    until(lambda: not both[0].playing, "it stands, too, as its own person wished")


def test_f135_a_listener_asks_and_is_invited(stage):
    ann, both, until = stage
    one, other = both
    one.coordinator.say_to_hosts("what is this?")
    one.coordinator.ask_to_speak("may I?")
    with pytest.raises(unisono.BusyError, match="try again in"):
        one.coordinator.ask_to_speak()
    other.coordinator.ask_to_speak()
    until(lambda: len(ann.heard) == 3, "Ann hears all three")
    said = {(event.word, event.text): event.listener for event in ann.heard}
    asks = said[unisono.ListenerWord.ASKS, "may I?"]
    assert said[unisono.ListenerWord.SAYS, "what is this?"] == asks and said[unisono.ListenerWord.ASKS, ""] != asks
    with pytest.raises(unisono.NotFoundError):
        ann.session.invite_listener(bytes(16))
    ann.session.invite_listener(asks)
    until(lambda: one.invites, "it is invited")
    assert not other.invites and ann.changes[-1].left_out == 0
    one.coordinator.stop_listening()
    one.attach(unisono.Session.open(one.context, one.invites[0], display_name="Eve"))
    until(lambda: one.session.state == unisono.SessionState.JOINED, "it is in the session")
    until(lambda: sorted(each.display_name for each in ann.session.participants) == ["Ann", "Eve"], "both are there")
    for text in ("", "a\x1b[2J", "x" * 256):
        with pytest.raises(unisono.UnisonoError):
            other.coordinator.say_to_hosts(text)
    with pytest.raises(unisono.StateError):
        one.coordinator.say_to_hosts("gone")


def test_f139_f140_listeners_are_waited_for_and_react(stage):
    ann, both, until = stage
    ann.session.close_audience()
    until(lambda: ann.state == unisono.AudienceState.CLOSED and both[0].status == unisono.ListeningStatus.OVER, "it is closed")
    for wrong in ({"ready_share": 101}, {"ready_wait_ns": -1}, {"reactions": ["a"] * 9}, {"reactions": ["a", "a"]}, {"reactions": [""]}):
        with pytest.raises(unisono.UnisonoError):
            ann.session.open_audience(**wrong)
    ann.session.open_audience(ready_share=100, ready_wait_ns=3 * unisono.SECOND, reactions=["+1", "\u2764"])
    until(lambda: ann.state == unisono.AudienceState.OPEN, "another one is open")
    for listener in both:
        listener.coordinator.listen(ann.session.audience_link)
    until(lambda: ann.listeners == 2 and all(one.told[-1].reactions for one in both), "both follow")
    assert [one.reaction for one in both[0].told[-1].reactions] == ["+1", "\u2764"]
    both[0].coordinator.react("\u2764")
    with pytest.raises(unisono.BusyError):
        both[0].coordinator.react("+1")
    with pytest.raises(unisono.InvalidArgumentError):
        both[1].coordinator.react("-1")
    counted = (unisono.ReactionCount("+1", 0), unisono.ReactionCount("\u2764", 1))
    until(lambda: ann.changes[-1].reactions == counted, "Ann is told the count")
    begun = unisono.host_time_ns()
    ann.coordinator.play()
    until(lambda: ann.playing and all(in_step(ann, one) for one in both), "all play in step")
    assert unisono.host_time_ns() - begun < 8 * unisono.SECOND
    assert ann.changes[-1].ready == 2


def test_f133_f134_what_is_refused_at_once(stage):
    ann, both, until = stage
    link = ann.session.audience_link
    with pytest.raises(unisono.StateError, match="stop_listening"):
        both[0].coordinator.listen(link)
    alone = Listener(ann.context)
    with pytest.raises(unisono.StateError, match="coordinate_with_session"):
        ann.coordinator.listen(link)
    with pytest.raises(unisono.InvalidArgumentError, match="unisono_session_open"):
        alone.coordinator.listen(ann.session.invite)
    with pytest.raises(unisono.InvalidArgumentError, match="unisono_coordinator_listen"):
        unisono.Session.open(ann.context, link)
    for text in ("", "film", "unisono://", link[:-1], link[:-3] + "???"):
        with pytest.raises(unisono.InvalidArgumentError):
            alone.coordinator.listen(text)
    with pytest.raises(unisono.StateError):
        ann.session.open_audience()
    assert alone.told == []
    # Listening it is in no session, and its place there is free all the same.
    alone.coordinator.listen(link)
    with pytest.raises(unisono.StateError, match="stop_listening"):
        alone.coordinator.coordinate_with(ann.session, "beside")
    alone.coordinator.stop_listening()
    alone.coordinator.coordinate_with(ann.session, "beside")


def test_f133_where_everybody_commands_there_is_no_audience(pair):
    a, b, until = pair
    with pytest.raises(unisono.StateError):
        a.session.open_audience()
    a.session.set_control_policy(unisono.ControlPolicy.HOSTS_ONLY)
    until(lambda: is_denied(b.session.open_audience), "b knows that hosts alone command")
    assert b.session.audience_link is None
    until(lambda: not is_refused(a.session.open_audience), "a knows it, too")
    until(lambda: a.session.audience_link is not None, "a has a link")


def is_denied(call):
    """Until the policy is known here it is the policy that stands in the way, and not the role."""
    try:
        call()
    except unisono.DeniedError:
        return True
    except unisono.StateError:
        pass
    return False


def is_refused(call):
    try:
        call()
        return False
    except unisono.StateError:
        return True
