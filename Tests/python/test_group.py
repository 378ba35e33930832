"""F1-F8, F30, F32, F33: two participants in one process, through the library as it is."""

import time

import pytest
import unisono
from group_support import Player, pump
from unisono import MILLISECOND, SECOND

TOGETHER = 20 * MILLISECOND  # loopback, one machine; how exact it is belongs to the benchmarks


def apart(a, b):
    when = time.monotonic_ns()
    return abs(a.position(when) - b.position(when))


def start(a, b, until):
    a.coordinator.play()
    until(lambda: a.playing and b.playing, "both played")
    last = max(a.line[1], b.line[1])
    until(lambda: time.monotonic_ns() > last, "the start was over")


def test_both_see_both(pair):
    a, b, _ = pair
    for player, other in ((a, b), (b, a)):
        names = {p.display_name for p in player.session.participants}
        assert names == {"Ann", "Ben"}
        local = [p for p in player.session.participants if p.is_local]
        assert [p.id for p in local] == [player.session.local_participant]
        assert other.session.local_participant in {p.id for p in player.coordinator.other_participants}


def test_play_starts_both_at_one_instant(pair):
    a, b, until = pair
    start(a, b, until)
    assert apart(a, b) < TOGETHER
    kinds = [type(c) for c in b.commands]
    assert unisono.BufferCommand in kinds or unisono.SeekCommand in kinds
    assert kinds[-1] == unisono.PlayCommand


def test_pause_stands_both(pair):
    a, b, until = pair
    start(a, b, until)
    b.coordinator.pause()
    until(lambda: not a.playing and not b.playing, "both stood")
    assert apart(a, b) < 100 * MILLISECOND


def test_f131_once_both_have_got_ready_while_the_group_paused_a_play_asks_nobody(pair):
    a, b, until = pair
    for player in (a, b):
        player.coordinator.set_prepares_ahead(True)
        player.coordinator.set_pause_snaps_to_originator(True)

    def asked_ahead(player, since):
        return [c for c in player.commands[since:] if type(c) is unisono.BufferCommand and c.due_host_time_ns is None]

    # That the other is ready may still be on its way when it is played: then that start asks. The next one is given more turns.
    for attempt in range(5):
        marks = len(a.commands), len(b.commands)
        until(lambda: asked_ahead(a, marks[0]) and asked_ahead(b, marks[1]), "both were asked to get ready")
        assert all(c.anticipated_rate == 1 for c in asked_ahead(b, marks[1]))
        turns = iter(range(20 * attempt))
        until(lambda turns=turns: next(turns, None) is None, "some turns went by")
        assert a.coordinator.timing.state == b.coordinator.timing.state == unisono.TimingState.PAUSED
        ready = len(b.commands)
        start(a, b, until)
        told = [type(c) for c in b.commands[ready:]]
        assert apart(a, b) < TOGETHER
        a.coordinator.pause()
        until(lambda: not a.playing and not b.playing, "both stood")
        if told == [unisono.PlayCommand]:
            return
    raise AssertionError("every start asked the other to get ready")


def test_the_others_hear_of_a_pause_before_the_own_player_has_done_it(pair):
    a, b, until = pair
    start(a, b, until)
    stand, told = b.pause, []

    def slow(command):
        told.append(command)
        pump([a.context], lambda: not a.playing, "the other heard of it while the own player was busy", 10)
        told.append("heard")
        stand(command)

    b.pause = slow
    b.coordinator.pause()
    until(lambda: told and not b.playing, "both stood")
    assert told[1:] == ["heard"]


def test_a_seek_while_paused_moves_both_and_plays_nobody(pair):
    a, b, until = pair
    b.coordinator.seek(60 * SECOND)
    now = time.monotonic_ns
    until(lambda: a.position(now()) == b.position(now()) == 60 * SECOND, "both were at 60 s")
    assert not a.playing and not b.playing


def test_f6_a_player_that_fails_is_seen_to_with_its_status_until_it_can(pair):
    a, b, until = pair
    b.buffer = lambda command: command.fail(unisono.Status.EIO)
    b.seek = lambda command: command.fail(unisono.Status.EIO)
    a.coordinator.play()

    def ben(player):
        return next(p for p in player.session.participants if p.display_name == "Ben")

    until(lambda: ben(a).failure == ben(b).failure == unisono.Status.EIO, "the failure was seen by both")
    assert ben(a).suspension_reasons == ("coordinated-playback-not-possible",)
    until(lambda: a.playing, "the group went on without it")
    b.buffer = b.seek = lambda command: command.complete()
    a.coordinator.seek(30 * SECOND)
    until(lambda: ben(a).failure == 0 and b.playing, "the next command found it well")


def test_a_participant_that_may_not_command_moves_its_own_player_while_the_others_are_out_of_reach(library):
    """The owner's process is stopped for good: the hub is its own. Nobody else is there."""
    with unisono.Context() as two:
        one = unisono.Context()
        a, b = Player(one), Player(two)
        a.attach(unisono.Session.host(one, display_name="Ann", listen=["127.0.0.1:0"], control_policy=unisono.ControlPolicy.HOSTS_ONLY))
        b.attach(unisono.Session.open(two, a.session.invite, display_name="Ben"))
        pump([one, two], lambda: b.coordinator.timing is not None, "both had the item's timing")
        refused = []
        alone = []

        def on_event(event):
            if isinstance(event, unisono.ErrorEvent):
                refused.append(event)
            if isinstance(event, unisono.SessionStateChange):
                alone.append(event.alone)

        two.on_event = on_event
        b.coordinator.seek(9 * SECOND)
        pump([one, two], lambda: refused, "it was refused")
        assert refused[0].status == unisono.Status.EDENIED and refused[0].operation == "unisono_coordinator_coordinate_seek"
        # Ann's machine hangs: it is not polled any more, so the hub falls silent.
        pump([two], lambda: alone[-1:] == [True], "Ben was alone", limit=40)
        b.coordinator.seek(50 * SECOND)
        pump([two], lambda: b.position(time.monotonic_ns()) == 50 * SECOND, "Ben's player went there")
        assert len(refused) == 1
        one.close()


def test_the_originator_is_told(pair):
    a, b, until = pair
    start(a, b, until)
    play = next(c for c in reversed(b.commands) if isinstance(c, unisono.PlayCommand))
    assert play.originator == a.session.local_participant
    assert not play.is_local
    assert next(c for c in reversed(a.commands) if isinstance(c, unisono.PlayCommand)).is_local


def test_expected_item_time_moves_with_the_group(pair):
    a, b, until = pair
    start(a, b, until)
    when = time.monotonic_ns()
    assert abs(a.coordinator.expected_item_time_ns(when) - a.position(when)) < TOGETHER
    assert b.coordinator.expected_item_time_ns(when + SECOND) - b.coordinator.expected_item_time_ns(when) == pytest.approx(
        SECOND, abs=MILLISECOND
    )


def test_a_suspension_is_a_context_manager(pair):
    a, b, until = pair
    start(a, b, until)
    with a.coordinator.suspend(unisono.Reason.USER_IS_CHANGING_CURRENT_TIME) as suspension:
        assert suspension.reason == unisono.Reason.USER_IS_CHANGING_CURRENT_TIME
        until(lambda: ("user-is-changing-current-time",) in a.suspensions, "the suspension was told")
        until(
            lambda: any(p.suspension_reasons for p in b.coordinator.other_participants),
            "the other one saw the suspension",
        )
        a.coordinator.seek(5 * SECOND)
        until(lambda: a.commands[-1].item_time_ns == 5 * SECOND, "it was at 5 s alone")
        assert b.playing
    with pytest.raises(unisono.StateError):
        suspension.end()
    until(lambda: a.playing and apart(a, b) < TOGETHER, "it was back in step")


def test_f6_who_was_apart_is_told_where_the_group_is_and_nobody_is_named(pair):
    a, b, until = pair
    start(a, b, until)
    with a.coordinator.suspend(unisono.Reason.USER_IS_CHANGING_CURRENT_TIME):
        until(lambda: any(p.suspension_reasons for p in b.coordinator.other_participants), "Ben saw that Ann is apart")
        b.coordinator.seek(50 * SECOND)
        until(lambda: a.coordinator.expected_item_time_ns() >= 50 * SECOND and b.playing, "the group was elsewhere, as Ann knew")
        until(lambda: b.line[0] == 50 * SECOND, "Ben was there")
        told = len(a.commands)
    until(lambda: a.playing and apart(a, b) < TOGETHER, "Ann was back in step")
    (back,) = a.commands[told:]
    assert type(back) is unisono.PlayCommand and back.cause == unisono.Cause.REJOIN
    assert back.originator == bytes(16) and not back.is_local


def test_a_suspension_that_proposes_moves_the_group(pair):
    a, b, until = pair
    with a.coordinator.suspend("scrubbing") as suspension:
        suspension.propose(90 * SECOND)
    now = time.monotonic_ns
    until(lambda: b.position(now()) == 90 * SECOND, "the other one was at 90 s")


def test_a_delegate_that_raises_fails_its_command_and_hangs_nobody(pair):
    a, b, until = pair
    caught = []
    b.context.on_exception = caught.append

    def broken(command):
        raise RuntimeError("no decoder")

    b.buffer = b.seek = broken
    a.coordinator.play()
    until(lambda: a.playing, "the other one played")
    assert [str(e) for e in caught][:1] == ["no decoder"]
    until(lambda: a.coordinator.statistics.starts >= 1, "a start was counted")


def test_f3_who_never_completes_what_it_is_told_is_apart_as_all_see_until_it_does(pair):
    a, b, until = pair
    held = []
    b.buffer = b.seek = b.play = held.append
    ben = b.session.local_participant

    def seen():
        return next(p.suspension_reasons for p in a.coordinator.other_participants if p.id == ben)

    assert b.coordinator.statistics.commands_overdue == 0
    a.coordinator.set_wait_limit(2 * SECOND)
    a.coordinator.play()
    until(lambda: a.playing, "Ann played without Ben")
    # Ten seconds after the first of them.
    until(lambda: b.suspensions[-1:] == [(unisono.Reason.STALL_RECOVERY,)], "Ben knew that its player is overdue")
    assert b.coordinator.statistics.commands_overdue >= 1
    until(lambda: seen() == (unisono.Reason.STALL_RECOVERY,), "Ann saw it")
    assert a.playing and a.suspensions == []
    late = held[-1]
    late.complete()
    until(lambda: b.suspensions[-1] == () and seen() == (), "both saw that Ben takes part again")
    until(lambda: held[-1] is not late and held[-1].cause == unisono.Cause.REJOIN, "Ben was told where the group is")


def test_waiting_is_shown_with_for_whom(pair):
    a, b, until = pair
    held = []
    b.buffer = b.seek = held.append
    a.coordinator.play()
    ben = b.session.local_participant
    until(lambda: any(ben in {w.participant for w in t.waiting_for} for t in a.timings), "Ann saw Ben waited for")
    assert not a.playing
    held[-1].complete()
    until(lambda: a.playing and b.playing, "both played")


def test_what_others_do_is_noticed(pair):
    a, b, until = pair
    seen = []
    b.session.on_notice = seen.append
    start(a, b, until)
    a.coordinator.seek(90 * SECOND)
    until(lambda: len(seen) == 2, "Ben was told of the play and of the skip")
    assert [n.kind for n in seen] == [unisono.NoticeKind.PLAYED, unisono.NoticeKind.SKIPPED]
    assert {n.originator for n in seen} == {a.session.local_participant}
    assert 0 < seen[1].amount_ns <= 90 * SECOND
    assert seen[1].item_time_ns == 90 * SECOND and seen[1].name
    assert [n.sentence for n in seen] == [f"{seen[0].name} pressed play", f"{seen[0].name} sought to 1:30"]


def test_a_running_group_waits_for_one_that_stalls(pair):
    a, b, until = pair
    a.coordinator.set_stall_policy(True, debounce_ns=1)
    start(a, b, until)
    held = []
    b.seek = b.buffer = held.append
    b.coordinator.report(rate=0.0, stalled=True, item_time_ns=b.position(time.monotonic_ns()))
    ben = b.session.local_participant
    until(lambda: not a.playing and held, "all stood")
    until(lambda: any(ben in {w.participant for w in t.waiting_for} for t in a.timings), "Ann saw for whom")
    assert a.timings[-1].cause == unisono.Cause.STALL
    held[-1].complete()
    until(lambda: a.playing and b.playing, "both went on")


def test_nobody_is_sent_past_its_edge(pair):
    a, b, until = pair
    b.coordinator.report(rate=0.0, item_time_ns=0, earliest_ns=0, latest_ns=60 * SECOND)
    a.coordinator.seek(100 * SECOND)
    until(lambda: a.commands and a.commands[-1].item_time_ns == 100 * SECOND, "Ann was at 100 s")
    until(lambda: b.commands and b.commands[-1].item_time_ns == 60 * SECOND, "Ben was at its edge")
    assert b.coordinator.expected_item_time_ns(time.monotonic_ns()) == 60 * SECOND


def test_the_group_is_paused_where_all_have_ended(pair):
    a, b, until = pair
    start(a, b, until)
    for player in (a, b):
        end = player.position(time.monotonic_ns())
        player.coordinator.report(rate=0.0, item_time_ns=end, earliest_ns=0, latest_ns=end)
    until(lambda: not a.playing and not b.playing, "both were told to pause")
    assert a.commands[-1].cause == unisono.Cause.ENDED


def test_an_activity_reaches_everybody(pair):
    a, b, until = pair
    seen = []
    b.session.on_activity = lambda event: seen.append(event.activity)
    made = unisono.Activity("org.example.film", unisono.ActivityType.WATCH_TOGETHER, title="Ein Film", payload=b"\0\1x")
    a.session.activate(made)
    until(lambda: any(s is not None and s.identifier == made.identifier for s in seen), "the other one was told")
    activity = b.session.activity
    assert (activity.title, activity.payload, activity.type) == ("Ein Film", b"\0\1x", made.type)


def test_leaving_is_seen_and_ends_the_session(pair):
    a, b, until = pair
    states = []
    b.session.on_state = lambda event: states.append((event.state, event.reason))
    b.session.leave()
    until(lambda: (unisono.SessionState.INVALIDATED, 0) in states, "it had left")
    until(lambda: len(a.session.participants) == 1, "the other one saw it go")


def test_the_clock_is_synchronised_and_honest(pair):
    a, b, until = pair
    status = unisono.ClockState.SYNCHRONIZED
    until(lambda: all(p.session.statistics.clock_state == status for p in (a, b)), "both clocks were synchronised")
    when = time.monotonic_ns()

    def session_time(player):
        clock = player.session.clock
        return clock.session_time_ns + int(clock.rate * (when - clock.host_time_ns)), clock.error_bound_ns

    (one, bound_one), (two, bound_two) = session_time(a), session_time(b)
    assert abs(one - two) <= bound_one + bound_two + 1000


def test_a_third_joins_in_place(pair):
    a, b, until = pair
    start(a, b, until)
    with unisono.Context(device_name="c") as context:
        late = Player(context)
        before = len(a.commands)
        late.attach(unisono.Session.open(context, a.session.invite, display_name="Cem"))
        pump([a.context, b.context, context], lambda: late.playing and apart(a, late) < TOGETHER, "it was in step")
        assert len(a.commands) == before


def test_roles_bind_and_removal_renews_the_invite(pair):
    a, b, until = pair
    other = b.session.local_participant
    with pytest.raises(unisono.DeniedError):
        b.session.set_role(other, unisono.Role.OWNER)
    a.session.set_control_policy(unisono.ControlPolicy.MEMBERS)
    a.session.set_role(other, unisono.Role.VIEWER)

    def role():
        return next(p.role for p in b.session.participants if p.id == other)

    until(lambda: role() == unisono.Role.VIEWER, "B knew that it may only view")
    with pytest.raises(unisono.DeniedError):
        b.session.end()
    before = a.session.invite
    a.session.remove_participant(other)
    until(lambda: b.session.state == unisono.SessionState.INVALIDATED, "B was out")
    until(lambda: a.session.invite != before, "the invite was another one")
    assert a.session.state == unisono.SessionState.JOINED
    assert [p.id for p in a.session.participants] == [a.session.local_participant]


def test_f19_who_may_not_command_takes_no_jump_back(pair):
    a, b, until = pair
    refused = []
    b.context.on_event = lambda event: refused.append(event) if isinstance(event, unisono.ErrorEvent) else None
    a.session.set_control_policy(unisono.ControlPolicy.HOSTS_ONLY)
    a.coordinator.seek(60 * SECOND)
    now = time.monotonic_ns
    until(lambda: a.position(now()) == b.position(now()) == 60 * SECOND, "both were at 60 s")
    b.coordinator.undo_jump()
    until(lambda: refused, "it was refused")
    assert refused[0].status == unisono.Status.EDENIED and refused[0].operation == "unisono_coordinator_undo_jump"
    a.coordinator.undo_jump()
    until(lambda: a.position(now()) == b.position(now()) == 0, "both were where they came from, by who may command")
    assert len(refused) == 1


def connected(player):
    return {one.id for one in player.session.participants if one.connection == unisono.Connection.CONNECTED}


def test_z87_who_wants_into_a_closed_group_waits_until_it_is_open(pair):
    a, b, until = pair
    with pytest.raises(unisono.DeniedError):
        b.session.set_closed(True)
    told = []
    b.session.on_state = lambda event: told.append(event.closed)
    a.session.set_closed(True)
    until(lambda: told and told[-1], "B knew that the group is closed")
    with unisono.Context(device_name="c") as context:
        late, states = Player(context), []
        session = unisono.Session.open(context, a.session.invite, display_name="Cem")
        session.on_state = states.append
        late.attach(session)
        contexts = [a.context, b.context, context]
        pump(contexts, lambda: states and states[-1].reason == unisono.Status.EDENIED, "C knew why it waits")
        assert states[-1].state == unisono.SessionState.WAITING and states[-1].connection == unisono.Connection.CONNECTING
        assert connected(a) == connected(b) == {a.session.local_participant, b.session.local_participant}
        a.session.set_closed(False)
        pump(contexts, lambda: session.state == unisono.SessionState.JOINED and not told[-1], "C was in")
        pump(contexts, lambda: session.local_participant in connected(a) & connected(b), "both saw C")


def test_iterating_works_without_a_delegate(context):
    coordinator = unisono.Coordinator(context)
    session = unisono.Session.host(context, listen=["127.0.0.1:0"])
    coordinator.coordinate_with(session)
    coordinator.transition_to_item("film")
    session.join()
    coordinator.play()
    end = time.monotonic() + 10
    kinds = []
    while unisono.PlayCommand not in kinds and time.monotonic() < end:
        for event in context.events(max_wait_ns=100 * MILLISECOND):
            kinds.append(type(event))
            if isinstance(event, unisono.Command):
                assert event.source is coordinator
                event.complete()
    assert unisono.PlayCommand in kinds


def test_a_hub_has_an_address_and_counts(context):
    with unisono.Hub(context, listen=["127.0.0.1:0"]) as hub:
        assert hub.lines and hub.lines[0].startswith("unisono-hub://127.0.0.1:")
        assert hub.statistics.rooms == 0
