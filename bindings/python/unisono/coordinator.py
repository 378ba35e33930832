"""The coordinator: keeps one player in step with the group."""

from __future__ import annotations

import asyncio
import ctypes
from types import TracebackType
from typing import Any, Dict, Iterable, Optional, Protocol, Tuple, Type, Union

from . import _arguments as a
from . import _ffi, _reading
from . import events as e
from .context import Context, log_error
from .enums import ActionAtEnd, LeavingRule, Motion, RangeKind, Readiness, StartRule, Status, TimingState
from .errors import StateError, check
from .session import Session
from .values import CoordinatorStatistics, Participant, StartPolicy, Timing, WaitingFor

PLAY_IMMEDIATELY = 1
RESUME_IMMEDIATELY = 1


class CommandHandler(Protocol):
    """What a coordinator needs of its delegate: an object with these four methods, each for one command. Any may be
    ``async``; then a newer command cancels one that is still running."""

    def play(self, command: e.PlayCommand) -> object:
        """``item_time_ns`` holds at ``host_time_ns`` and moves with ``rate``."""

    def pause(self, command: e.PauseCommand) -> object:
        """Stop."""

    def seek(self, command: e.SeekCommand) -> object:
        """Go to ``item_time_ns`` and stand."""

    def buffer(self, command: e.BufferCommand) -> object:
        """Get ready to start at ``item_time_ns``."""


class Delegate:
    """What drives the player; derive from it, or give any object with these methods. The first four have to be there.

    Each of the four commands is answered by ``command.complete()`` once it is really done: the others may be waiting.
    A method that raises fails its command. Methods may be ``async``; then a newer command cancels one that is still running.
    """

    def play(self, command: e.PlayCommand) -> object:
        """Start so that ``command.item_time_ns`` holds at ``command.host_time_ns``; when that is past, jump onto the line."""
        raise NotImplementedError

    def pause(self, command: e.PauseCommand) -> object:
        """Stop; with ``command.snap`` at ``command.item_time_ns``."""
        raise NotImplementedError

    def seek(self, command: e.SeekCommand) -> object:
        """Go to ``command.item_time_ns`` and stand."""
        raise NotImplementedError

    def buffer(self, command: e.BufferCommand) -> object:
        """Stand at ``command.item_time_ns``, ready to start at once."""
        raise NotImplementedError

    def participants_changed(self, change: e.ParticipantsChange) -> object:
        """Others came, changed or left."""
        return None

    def suspensions_changed(self, change: e.SuspensionsChange) -> object:
        """Own suspensions, those of the library included."""
        return None

    def timing_changed(self, change: e.TimingChange) -> object:
        """The group's state, and whom it waits for."""
        return None

    def listening_changed(self, change: e.ListeningChange) -> object:
        """How it is with the audience that ``Coordinator.listen`` follows, and what there is to load: ``change.item``."""
        return None

    def invited(self, event: e.Invited) -> object:
        """After ``Coordinator.ask_to_speak``: ``event.invite`` is for ``Session.open``."""
        return None

    def error(self, event: e.ErrorEvent) -> object:
        """A call that succeeded at first was refused later."""
        log_error(event)
        return None


class Coordinator:
    """With a delegate its methods are called; without one the commands are events of ``Context.events``."""

    def __init__(self, context: Context, delegate: Optional[CommandHandler] = None) -> None:
        self._delegate: Optional[CommandHandler] = None
        self.delegate = delegate  # judged before anything is made
        handle = ctypes.c_void_p()
        self._library = _ffi.library()
        check(self._library.coordinator_create(context._handle, None, None, ctypes.byref(handle)))
        self._begin(context, handle.value or 0)

    def _begin(self, context: Context, handle: int) -> None:
        self._handle = handle
        self._working: Optional["asyncio.Task[Any]"] = None
        self.context = context
        context._register(handle, self)

    @classmethod
    def _borrowed(cls, context: Context, handle: int) -> "Coordinator":
        """A player's own: transport goes through the player, and closing that closes this."""
        coordinator = cls.__new__(cls)
        coordinator._library = _ffi.library()
        coordinator._delegate = None
        coordinator._is_players = True
        coordinator._begin(context, handle)
        return coordinator

    _is_players = False

    @property
    def delegate(self) -> Optional[Any]:
        """What drives the player. A player's own coordinator commands nobody: its delegate needs no methods."""
        return self._delegate

    @delegate.setter
    def delegate(self, delegate: Optional[Any]) -> None:
        if delegate is not None and not self._is_players:
            a.methods(delegate, tuple(_COMMANDS.values()), Delegate, "delegate")
        self._delegate = delegate

    def close(self) -> None:
        """The player goes on alone, as it is."""
        self.context._forget(self._handle)
        if not self.context.closed:
            self._library.coordinator_destroy(self._handle)

    def coordinate_with(self, session: Optional[Session], name: Optional[str] = None) -> None:
        """Keeps the player in step with this session's group. None: on its own again.

        ``name``, 1...32 bytes: beside the session's first coordinator, with those that are called the same, as for a second
        screen or the sound of another room. They have items of their own, and the session's members, roles and time."""
        handle = None if session is None else a.instance(session, Session, "session")._handle
        called = a.text_or_none(name, "name")
        check(self._library.coordinator_coordinate_with_session_as(self._handle, handle, called))

    def listen(self, link: str) -> None:
        """Follows the audience of a ``Session.audience_link``: the player does what the group does, and takes part in nothing. It is in
        no session meanwhile. ``listening_changed`` of the delegate tells what there is to load, for ``transition_to_item``. What would move
        the group is refused, as an error event."""
        check(self._library.coordinator_listen(self._handle, a.text(link, "link")))

    def stop_listening(self) -> None:
        """On its own again, with what plays. Where it does not listen: nothing happens."""
        check(self._library.coordinator_stop_listening(self._handle))

    def ask_to_speak(self, text: Optional[str] = None) -> None:
        """Tells the hosts of the audience that this one wants to be invited, with up to 255 bytes of text, once in 5 s. ``invited`` of the
        delegate is called when one of them does it; nothing tells whether they saw it."""
        check(self._library.coordinator_ask_to_speak(self._handle, a.text_or_none(text, "text")))

    def say_to_hosts(self, text: str) -> None:
        """Up to 255 bytes in writing to the hosts of the audience, and to nobody else, once in 5 s."""
        check(self._library.coordinator_say_to_hosts(self._handle, a.text(text, "text")))

    def react(self, reaction: str) -> None:
        """One of ``ListeningChange.reactions``, once in a second; who speaks to the audience and who listens are told how many did."""
        check(self._library.coordinator_react(self._handle, a.text(reaction, "reaction")))

    # ---- what people do ----

    def transition_to_item(self, identifier: Optional[str], proposal: Optional[Timing] = None) -> None:
        """The current item; None: nothing plays. Without a proposal a new item stands at 0; the group's state wins."""
        c = None
        if proposal is not None:
            given: Timing = a.instance(proposal, Timing, "proposal")
            c = _ffi.Timing(
                rate=a.number_of(given.rate, "rate"), item_time=a.ns(given.item_time_ns, "item_time_ns")
            )
            if given.host_time_ns is not None:
                c.host_time, c.flags = a.ns(given.host_time_ns, "host_time_ns"), _ffi.HAS_HOST_TIME
        name = a.text_or_none(identifier, "identifier")
        check(self._library.coordinator_transition_to_item(self._handle, name, ctypes.byref(c) if c else None))

    @property
    def current_item(self) -> Optional[str]:
        """The item's identifier; None: nothing plays."""
        return _reading.text_of(self._library.coordinator_current_item, self._handle, room=1024) or None

    def play(self, rate: float = 1.0, *, immediately: bool = False) -> None:
        """Everybody plays, together; ``immediately``: without waiting for anybody."""
        options = PLAY_IMMEDIATELY * a.flag(immediately, "immediately")
        check(self._library.coordinator_coordinate_rate_change(self._handle, a.number_of(rate, "rate"), options))

    def pause(self) -> None:
        """Everybody stops."""
        check(self._library.coordinator_coordinate_rate_change(self._handle, 0.0, 0))

    def seek(self, item_time_ns: int, *, resume_immediately: bool = False) -> None:
        """Everybody goes there; ``resume_immediately``: and on, without waiting for anybody."""
        options = RESUME_IMMEDIATELY * a.flag(resume_immediately, "resume_immediately")
        check(self._library.coordinator_coordinate_seek(self._handle, a.ns(item_time_ns, "item_time_ns"), options))

    def undo_jump(self) -> None:
        """Takes the last jump back, whoever made it: everybody goes to where the group was before. Once more, and they are where it
        led. What the group refuses, as nobody jumped on this item, comes as an error event."""
        check(self._library.coordinator_undo_jump(self._handle))

    def suspend(self, reason: str) -> "Suspension":
        """Apart from the group until it ends; use it as a context manager, or ``end`` it."""
        handle = ctypes.c_void_p()
        check(self._library.coordinator_begin_suspension(self._handle, a.text(reason, "reason"), ctypes.byref(handle)))
        return Suspension(self, handle.value or 0)

    # ---- what the player says ----

    def complete(self, command_id: int) -> None:
        """The player has done what a command asked."""
        check(self._library.coordinator_complete(self._handle, a.u64(command_id, "command_id")))

    def fail(self, command_id: int, status: int = Status.EINTERNAL) -> None:
        """The player cannot do what a command asked; ``status`` is negative."""
        number, why = a.u64(command_id, "command_id"), a.i32(status, "status")
        check(self._library.coordinator_fail(self._handle, number, why))

    def report(
        self,
        *,
        rate: float,
        item_time_ns: Optional[int] = None,
        host_time_ns: Optional[int] = None,
        stalled: bool = False,
        earliest_ns: Optional[int] = None,
        latest_ns: Optional[int] = None,
    ) -> None:
        """Where the player really is. ``item_time_ns`` holds at ``host_time_ns`` (now, when left out). ``earliest_ns`` and
        ``latest_ns``, both or none: what it can reach."""
        if (earliest_ns is None) != (latest_ns is None):
            raise a.invalid("earliest_ns and latest_ns go together: give both, or none")
        c = _ffi.PlaybackReport(stalled=a.flag(stalled, "stalled"), rate=a.number_of(rate, "rate"))
        if item_time_ns is not None:
            c.item_time = a.ns(item_time_ns, "item_time_ns")
            c.host_time = self.context.host_time_ns if host_time_ns is None else a.ns(host_time_ns, "host_time_ns")
            c.flags |= _ffi.HAS_POSITION
        elif host_time_ns is not None:
            raise a.invalid("host_time_ns says when item_time_ns held: give both")
        if earliest_ns is not None and latest_ns is not None:
            c.earliest, c.latest = a.ns(earliest_ns, "earliest_ns"), a.ns(latest_ns, "latest_ns")
            c.flags |= _ffi.HAS_RANGE
        check(self._library.coordinator_report(self._handle, ctypes.byref(c)))

    def is_wish(self, motion: Motion, value: Union[bool, float]) -> bool:
        """Wish or echo: the player says this of itself. True: a person did it, at controls of the player's own. Then set the
        player back to what it was told, and ask the group; False: it does what it was told, or what it did before.

        ``value``: RUNNING whether it runs, RATE how fast (corrections included), SEEKING whether it is on its way: of the
        end of a seek it is True when that was the person's. As it is now, if the player can be asked. A ``Player`` knows
        what its renderer was told; other hosts say it with ``expect_motion``.
        """
        return bool(check(self._library.coordinator_is_wish(self._handle, *_motion(motion, value))))

    def expect_motion(self, motion: Motion, value: Union[bool, float]) -> None:
        """This host is telling its player so, which will say it: no wish of a person. Before each thing that it is told. It
        stands, at the speed 1, in the beginning; a seek that never ends is over after 10 s."""
        check(self._library.coordinator_expect_motion(self._handle, *_motion(motion, value)))

    def reapply(self) -> None:
        """Sends the group's state to the delegate again, as after a change of the output device."""
        check(self._library.coordinator_reapply_current_item_state(self._handle))

    # ---- where the group is ----

    def expected_item_time_ns(self, host_time_ns: Optional[int] = None) -> Optional[int]:
        """Where this player should be at ``host_time_ns`` (now, when left out); None: the group has no timing yet."""
        out = ctypes.c_int64()
        when = self.context.host_time_ns if host_time_ns is None else a.ns(host_time_ns, "host_time_ns")
        status = self._library.coordinator_expected_item_time(self._handle, when, ctypes.byref(out))
        if status == Status.ESTATE:
            return None
        check(status)
        return out.value

    @property
    def timing(self) -> Optional[Timing]:
        """The group's newest line; None: it has none."""
        c = _ffi.Timing()
        status = self._library.coordinator_timing(self._handle, ctypes.byref(c))
        if status == Status.ESTATE:
            return None
        check(status)
        return Timing(c.item_time, c.rate, c.host_time, TimingState(c.state), c.error_bound)

    @property
    def other_participants(self) -> Tuple[Participant, ...]:
        """Who else is there."""
        return _reading.participants_of(self._library.coordinator_other_participants, self._handle)

    @property
    def waiting_for(self) -> Tuple[WaitingFor, ...]:
        """Whom a start is waiting for, and why."""
        owned = ctypes.POINTER(_ffi.WaitingFor)()
        count = ctypes.c_size_t()
        check(self._library.coordinator_waiting_for(self._handle, ctypes.byref(owned), ctypes.byref(count)))
        try:
            return _reading.waiting_for(owned, count.value)
        finally:
            self._library.free(owned)

    @property
    def suspension_reasons(self) -> Tuple[str, ...]:
        """Why this player is apart; empty: it is not."""
        owned = ctypes.POINTER(ctypes.c_char_p)()
        count = ctypes.c_size_t()
        check(self._library.coordinator_suspension_reasons(self._handle, ctypes.byref(owned), ctypes.byref(count)))
        try:
            return _reading.texts(owned, count.value)
        finally:
            self._library.free(owned)

    @property
    def statistics(self) -> CoordinatorStatistics:
        """Counters of this coordinator."""
        c = _ffi.CoordinatorStatistics()
        check(self._library.coordinator_get_statistics(self._handle, ctypes.byref(c)))
        return _reading.plain(c, CoordinatorStatistics, ("last_start_error_ns",), state=TimingState)

    # ---- settings ----

    def set_waiting_reasons(self, reasons: Iterable[str]) -> None:
        """A start waits for those who are suspended for one of these reasons."""
        array, count = a.texts(reasons, "reasons")
        check(self._library.coordinator_set_waiting_reasons(self._handle, array, count))

    def set_participant_limit(self, reason: str, limit: int) -> None:
        """Above so many participants nobody waits for this reason; 0: never."""
        why, most = a.text(reason, "reason"), a.u32(limit, "limit")
        check(self._library.coordinator_set_participant_limit(self._handle, why, most))

    def set_pause_snaps_to_originator(self, snaps: bool) -> None:
        """A pause made here takes everybody to the exact position of this player."""
        check(self._library.coordinator_set_pause_snaps_to_originator(self._handle, a.flag(snaps, "snaps")))

    def set_prepares_ahead(self, prepares: bool) -> None:
        """This player gets ready while the group pauses, by a ``BufferCommand`` without a due time: a play waits for nobody then."""
        check(self._library.coordinator_set_prepares_ahead(self._handle, a.flag(prepares, "prepares")))

    def set_wait_limit(self, limit_ns: int) -> None:
        """How long a start asked for here waits, up to 600 s; 0: do not wait."""
        check(self._library.coordinator_set_wait_limit(self._handle, a.ns(limit_ns, "limit_ns")))

    def set_stall_policy(self, wait: bool, *, debounce_ns: int = 0, limit_ns: int = 0) -> None:
        """Whether the running group waits for one that stalls; of the whole session. 0: 300 ms and 10 s."""
        c = _ffi.StallPolicy(
            wait=a.flag(wait, "wait"), debounce=a.ns(debounce_ns, "debounce_ns"), limit=a.ns(limit_ns, "limit_ns")
        )
        check(self._library.coordinator_set_stall_policy(self._handle, ctypes.byref(c)))

    def set_skipped_ranges(self, kinds: Iterable[RangeKind]) -> None:
        """Which ranges of entries of the playlist the group leaves out; one setting of the whole session: the newest counts."""
        check(self._library.coordinator_set_skipped_ranges(self._handle, a.flags(kinds, "kinds")))

    def set_interstitials(self, identifier: str, ranges: Iterable[Tuple[int, int]]) -> None:
        """Ranges of the own copy of an item that are not the group's: (begin, end) in ns of the own copy; none: all of it is."""
        (made, count) = a.spans(ranges, "ranges")
        check(self._library.coordinator_set_interstitials(self._handle, a.text(identifier, "identifier"), made, count))

    @property
    def skipped_ranges(self) -> Tuple[RangeKind, ...]:
        """What is left out, of the session this coordinator is in."""
        bits = check(self._library.coordinator_skipped_ranges(self._handle))
        return tuple(kind for kind in RangeKind if bits & kind)

    def set_action_at_end(self, action: ActionAtEnd) -> None:
        """What happens when an item is played to its end; of the whole session."""
        check(self._library.coordinator_set_action_at_end(self._handle, a.i32(action, "action")))

    @property
    def action_at_end(self) -> ActionAtEnd:
        """What happens when an item is played to its end: the session's, where there is one."""
        return ActionAtEnd(check(self._library.coordinator_action_at_end(self._handle)))

    def set_start_policy(
        self, start: StartRule, *, limit_ns: int = 0, leaving: LeavingRule = LeavingRule.GO_ON
    ) -> None:
        """Which starts wait for persons, for how long (0: 60 s), and what happens when one leaves; of the whole session."""
        c = _ffi.StartPolicy(
            start=a.i32(start, "start"), limit=a.ns(limit_ns, "limit_ns"), leaving=a.i32(leaving, "leaving")
        )
        check(self._library.coordinator_set_start_policy(self._handle, ctypes.byref(c)))

    @property
    def start_policy(self) -> StartPolicy:
        """The session's."""
        c = _ffi.StartPolicy()
        check(self._library.coordinator_get_start_policy(self._handle, ctypes.byref(c)))
        return StartPolicy(start=StartRule(c.start), limit_ns=c.limit, leaving=LeavingRule(c.leaving))

    def set_ready(self, readiness: Readiness) -> None:
        """This device's person says that it is ready, or not; it stands until it says otherwise, or leaves the item."""
        check(self._library.coordinator_set_ready(self._handle, a.i32(readiness, "readiness")))

    def start_without(self, participants: Iterable[bytes] = ()) -> None:
        """The start that waits for persons goes on without those of these participants; none: without waiting for any."""
        ids, count = a.identities(participants, "participants")
        check(self._library.coordinator_start_without(self._handle, ids, count))

    def set_output_offset(self, offset_ns: int) -> None:
        """By how much this player's output is heard late, up to 5 s."""
        check(self._library.coordinator_set_output_offset(self._handle, a.ns(offset_ns, "offset_ns")))

    # ---- inside ----

    def _deliver(self, event: e.Event) -> None:
        if isinstance(event, e.Command):
            if self._working is not None:
                self._working.cancel()  # a newer command replaces it
            self._working = None
            if self._delegate is not None and not self._is_players:
                handler = getattr(self._delegate, _COMMANDS[type(event)])
                self._working = self.context._call(handler, event, event.fail)
        elif type(event) in _CHANGES:
            name = _CHANGES[type(event)]
            if isinstance(event, e.ErrorEvent) and not hasattr(self._delegate, name):
                log_error(event)  # is lost nowhere
            else:
                self.context._call(getattr(self._delegate, name, None), event)


def _motion(motion: Motion, value: Union[bool, float]) -> Tuple[int, float]:
    """How fast is a number; whether it runs or seeks is a truth value."""
    number = a.i32(motion, "motion")
    return number, a.number_of(value, "value") if number == Motion.RATE else float(a.flag(value, "value"))


_COMMANDS: Dict[Type[Any], str] = {
    e.PlayCommand: "play",
    e.PauseCommand: "pause",
    e.SeekCommand: "seek",
    e.BufferCommand: "buffer",
}
_CHANGES: Dict[Type[Any], str] = {
    e.ParticipantsChange: "participants_changed",
    e.SuspensionsChange: "suspensions_changed",
    e.TimingChange: "timing_changed",
    e.ListeningChange: "listening_changed",
    e.Invited: "invited",
    e.ErrorEvent: "error",
}


class Suspension:
    """Open from the start; ``end`` it once, or leave its ``with`` block. ``propose`` a place for everybody to go to."""

    def __init__(self, coordinator: Coordinator, handle: int) -> None:
        self._coordinator = coordinator
        self._handle = handle
        self._library = _ffi.library()
        self._proposal: Optional[int] = None
        self.is_open = True

    def propose(self, item_time_ns: int) -> None:
        """Leaving the ``with`` block will move the group there."""
        self._proposal = a.ns(item_time_ns, "item_time_ns")

    def end(self, proposing_ns: Optional[int] = None) -> None:
        """Back to the group; with a proposal the group comes here instead. Ending twice: StateError."""
        if not self.is_open:
            raise StateError(Status.ESTATE, "the suspension has ended before")
        if proposing_ns is None:
            check(self._library.suspension_end(self._handle))
        else:
            check(self._library.suspension_end_proposing(self._handle, a.ns(proposing_ns, "proposing_ns")))
        self.is_open = False

    @property
    def reason(self) -> str:
        """The reason as given."""
        return _reading.text_of(self._library.suspension_reason, self._handle, room=128)

    @property
    def begin_time_ns(self) -> int:
        """The host time at which it began."""
        out = ctypes.c_int64()
        check(self._library.suspension_begin_time(self._handle, ctypes.byref(out)))
        return out.value

    def close(self) -> None:
        """Ends it, if open, without a proposal, and gives the handle back."""
        if not self._coordinator.context.closed:
            self._library.suspension_destroy(self._handle)
        self.is_open = False

    def __enter__(self) -> "Suspension":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        try:
            if self.is_open and error is None:
                self.end(self._proposal)
        finally:
            self.close()
