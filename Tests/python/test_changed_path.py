"""F60 in real time: the path of somebody becomes longer, and lopsided, while the group plays; what it states of its clock stays true."""

import pytest
import unisono
from delaying_relay import DelayingRelay
from group_support import pump
from test_player import Line
from unisono import MILLISECOND, SECOND, TimeControl

#: Seconds of the path after which it changes, within which it is learnt, and for which it is looked at then.
BEFORE, LEARNT, AFTER = 6, 20, 8
#: What a player is let be off by beside its clock, and what a nudge that was fetched late adds.
FEW = 5 * MILLISECOND


class Reader(Line):
    """A line that can be asked where it is at an instant."""

    def position_at(self, host_time_ns):
        here, now = self.position_ns()
        return here + int(self.rate * self.speed * (host_time_ns - now))


class Apart:
    """Ann beside the hub, and others behind a relay. All live by the clock of this process, so that what is true is known: nothing
    is between them."""

    def __init__(self, hub):
        self.contexts = [hub, *(unisono.Context(device_name=name, own_thread=True) for name in ("a", "b", "c"))]
        hub = unisono.Hub(hub, listen=["127.0.0.1:0"])
        self.relay = DelayingRelay(hub.lines[0])
        ann = unisono.Session.host(self.contexts[1], display_name="Ann", hub=hub.lines[0], standby_hub=False)
        self.ann = self._join(self.contexts[1], ann)

    def come(self, context, name):
        """Somebody behind the relay."""
        invite = self.relay.address_of(self.ann.session.invite)
        return self._join(context, unisono.Session.open(context, invite, display_name=name, standby_hub=False))

    @staticmethod
    def _join(context, session):
        player = unisono.Player(context, Reader(context))
        player.session = session
        player.coordinate_with(session)
        session.join()
        player.insert("film", duration_ns=600 * SECOND)
        return player

    def close(self):
        for context in self.contexts[1:]:
            context.close()
        self.relay.close()

    def run(self, until, what):
        pump(self.contexts, until, what)

    def readings(self, seconds, *others):
        """For so long, again and again, of each other who knows the time: what is between Ann's session time and its at one instant, and
        between their places, and how much they state that the first may be."""
        end = self.contexts[0].host_time_ns + seconds * SECOND
        while (now := self.contexts[0].host_time_ns) < end:
            here, sure = session_time(self.ann.session, now)
            place = self.ann.renderer.position_at(now)
            for player in filter(knows_the_time, others):
                there, bound = session_time(player.session, now)
                yield player, abs(there - here), abs(player.renderer.position_at(now) - place), sure + bound
            for context in self.contexts:
                context.poll(max_wait_ns=2 * MILLISECOND)


def knows_the_time(player):
    return player.session.statistics.clock_state == unisono.ClockState.SYNCHRONIZED


def session_time(session, host_time_ns):
    """What it is then by this one's clock, and the bound that is stated for it."""
    clock = session.clock
    age = host_time_ns - clock.host_time_ns
    return clock.session_time_ns + round(clock.rate * age), clock.error_bound_ns + clock.error_growth * max(0, age)


@pytest.fixture
def apart(library):
    with unisono.Context(device_name="hub", own_thread=True) as hub:
        made = Apart(hub)
        try:
            yield made
        finally:
            made.close()


def test_f60_while_a_group_plays_over_a_path_that_becomes_lopsided_its_bounds_stay_true(apart):
    ann, ben = apart.ann, apart.come(apart.contexts[2], "Ben")

    def met(player):
        return knows_the_time(player) and [other.item for other in player.coordinator.other_participants] == ["film"]

    apart.run(lambda: met(ann) and met(ben), "both joined and saw each other on the item")
    ann.play()
    apart.run(lambda: ann.time_control == ben.time_control == TimeControl.PLAYING, "both played")
    for _, error, _, stated in apart.readings(BEFORE, ben):
        assert error <= stated, "before the change"
    assert ben.session.statistics.round_trip_ns < 50 * MILLISECOND
    apart.relay.out, apart.relay.back = 0.040, 0.010
    cem = apart.come(apart.contexts[3], "Cem")
    for player, error, _, stated in apart.readings(LEARNT, ben, cem):
        assert error <= stated, f"while {'Ben' if player is ben else 'Cem'} learnt the other path"
    errors, places, bounds = {}, {}, {}
    for player, error, off, stated in apart.readings(AFTER, ben, cem):
        assert error <= stated, "when it was learnt"
        assert off <= stated + FEW, "the players were further from each other than their clocks can be"
        for kept, value in ((errors, error), (places, off), (bounds, stated)):
            kept.setdefault(player, []).append(value)
    for player, name in ((ben, "Ben"), (cem, "Cem")):
        worst = (max(kept[player]) / 1e6 for kept in (errors, places, bounds))
        print(name, "from Ann at most, ms: clock {:.2f}, place {:.2f}, stated {:.2f}".format(*worst))
        assert player.session.statistics.round_trip_last_ns >= 50 * MILLISECOND, "it was the longer path that it measured"
    # What is measured from its ends says nothing of which way is the longer one: a newcomer is half the difference off, and must say so.
    assert min(errors[cem]) > 10 * MILLISECOND
    assert max(errors[ben]) < min(errors[cem]), "who knew the time before the change knows it better"
    assert 0 < apart.relay.datagrams[1] <= apart.relay.datagrams[0], "the clocks were compared by datagrams, both ways"
