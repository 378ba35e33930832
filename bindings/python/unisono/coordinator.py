"""The coordinator: keeps one player in step with the group."""

from __future__ import annotations

import ctypes
from types import TracebackType
from typing import Any, Callable, Dict, Iterable, Optional, Tuple, Type

from . import _ffi
from . import types as t
from .context import Context, logger
from .errors import StateError, Status, check
from .session import Session, participants_of

PLAY_IMMEDIATELY = 1
RESUME_IMMEDIATELY = 1


class Delegate:
    """What drives the player; derive from it, or give any object with these methods.

    Each of the four commands is answered by ``command.complete()`` once it is really done: the others may be waiting.
    A method that raises fails its command.
    """

    def play(self, command: t.Command) -> None:
        raise NotImplementedError

    def pause(self, command: t.Command) -> None:
        raise NotImplementedError

    def seek(self, command: t.Command) -> None:
        raise NotImplementedError

    def buffer(self, command: t.Command) -> None:
        raise NotImplementedError

    def participants_changed(self, change: t.ParticipantsChange) -> None:
        """Others came, changed or left."""

    def suspensions_changed(self, change: t.SuspensionsChange) -> None:
        """Own suspensions, those of the library included."""

    def timing_changed(self, change: t.TimingChange) -> None:
        """The group's state, and whom it waits for."""

    def error(self, event: t.ErrorEvent) -> None:
        """A call that succeeded at first was refused later."""
        logger.error("%s", event.error)


class Coordinator:
    """With a delegate its methods are called; without one the commands are events of ``Context.events``."""

    def __init__(self, context: Context, delegate: Optional[Any] = None) -> None:
        handle = ctypes.c_void_p()
        self._library = _ffi.library()
        check(self._library.coordinator_create(context._handle, None, None, ctypes.byref(handle)))
        self._handle = handle.value or 0
        self.context = context
        self.delegate = delegate
        context._register(self._handle, self)

    @classmethod
    def _borrowed(cls, context: Context, handle: int) -> "Coordinator":
        """A player's own: transport goes through the player, and closing that closes this."""
        coordinator = cls.__new__(cls)
        coordinator._library = _ffi.library()
        coordinator._handle = handle
        coordinator.context = context
        coordinator.delegate = None
        context._register(handle, coordinator)
        return coordinator

    def close(self) -> None:
        self.context._forget(self._handle)
        if not self.context.closed:
            self._library.coordinator_destroy(self._handle)

    def coordinate_with(self, session: Optional[Session]) -> None:
        """None: on its own again."""
        check(self._library.coordinator_coordinate_with_session(self._handle, session._handle if session else None))

    # ---- what people do ----

    def transition_to_item(self, identifier: Optional[str], proposal: Optional[t.Timing] = None) -> None:
        """The current item; None: nothing plays. Without a proposal a new item stands at 0; the group's state wins."""
        c = None
        if proposal is not None:
            c = _ffi.Timing(rate=proposal.rate, item_time=proposal.item_time)
            if proposal.host_time is not None:
                c.host_time, c.flags = proposal.host_time, _ffi.HAS_HOST_TIME
        name = t.encoded_or_none(identifier)
        check(self._library.coordinator_transition_to_item(self._handle, name, ctypes.byref(c) if c else None))

    @property
    def current_item(self) -> Optional[str]:
        return t.text_of(self._library.coordinator_current_item, self._handle, room=1024) or None

    def play(self, rate: float = 1.0, *, immediately: bool = False) -> None:
        """Everybody plays, together; ``immediately``: without waiting for anybody."""
        options = PLAY_IMMEDIATELY if immediately else 0
        check(self._library.coordinator_coordinate_rate_change(self._handle, rate, options))

    def pause(self) -> None:
        check(self._library.coordinator_coordinate_rate_change(self._handle, 0.0, 0))

    def seek(self, item_time: int, *, resume_immediately: bool = False) -> None:
        """Everybody goes to ``item_time`` (nanoseconds)."""
        options = RESUME_IMMEDIATELY if resume_immediately else 0
        check(self._library.coordinator_coordinate_seek(self._handle, item_time, options))

    def suspend(self, reason: str) -> "Suspension":
        """Apart from the group until it ends; use it as a context manager, or ``end`` it."""
        handle = ctypes.c_void_p()
        check(self._library.coordinator_begin_suspension(self._handle, t.encoded(reason), ctypes.byref(handle)))
        return Suspension(self, handle.value or 0)

    # ---- what the player says ----

    def complete(self, command_id: int) -> None:
        check(self._library.coordinator_complete(self._handle, command_id))

    def fail(self, command_id: int, status: int = Status.EINTERNAL) -> None:
        check(self._library.coordinator_fail(self._handle, command_id, status))

    def report(
        self,
        *,
        rate: float,
        item_time: Optional[int] = None,
        host_time: Optional[int] = None,
        stalled: bool = False,
        earliest: Optional[int] = None,
        latest: Optional[int] = None,
    ) -> None:
        """Where the player really is. ``item_time`` holds at ``host_time`` (now, when left out). ``earliest`` and
        ``latest``, both or none: what it can reach."""
        if (earliest is None) != (latest is None):
            raise ValueError("earliest and latest go together: give both, or none")
        c = _ffi.PlaybackReport(stalled=int(stalled), rate=rate)
        if item_time is not None:
            c.item_time = item_time
            c.host_time = self.context.host_time if host_time is None else host_time
            c.flags |= _ffi.HAS_POSITION
        if earliest is not None and latest is not None:
            c.earliest, c.latest = earliest, latest
            c.flags |= _ffi.HAS_RANGE
        check(self._library.coordinator_report(self._handle, ctypes.byref(c)))

    def reapply(self) -> None:
        """Sends the group's state to the delegate again, as after a change of the output device."""
        check(self._library.coordinator_reapply_current_item_state(self._handle))

    # ---- where the group is ----

    def expected_item_time(self, host_time: Optional[int] = None) -> Optional[int]:
        """Where this player should be at ``host_time`` (now, when left out); None: the group has no timing yet."""
        out = ctypes.c_int64()
        when = self.context.host_time if host_time is None else host_time
        status = self._library.coordinator_expected_item_time(self._handle, when, ctypes.byref(out))
        if status == Status.ESTATE:
            return None
        check(status)
        return out.value

    @property
    def timing(self) -> Optional[t.Timing]:
        c = _ffi.Timing()
        status = self._library.coordinator_timing(self._handle, ctypes.byref(c))
        if status == Status.ESTATE:
            return None
        check(status)
        return t.Timing(c.item_time, c.rate, c.host_time, t.known(t.TimingState, c.state), c.error_bound)

    @property
    def other_participants(self) -> Tuple[t.Participant, ...]:
        return participants_of(self._library.coordinator_other_participants, self._handle)

    @property
    def waiting_for(self) -> Tuple[t.WaitingFor, ...]:
        owned = ctypes.POINTER(_ffi.WaitingFor)()
        count = ctypes.c_size_t()
        check(self._library.coordinator_waiting_for(self._handle, ctypes.byref(owned), ctypes.byref(count)))
        try:
            return t.waiting_from(owned, count.value)
        finally:
            self._library.free(owned)

    @property
    def suspension_reasons(self) -> Tuple[str, ...]:
        owned = ctypes.POINTER(ctypes.c_char_p)()
        count = ctypes.c_size_t()
        check(self._library.coordinator_suspension_reasons(self._handle, ctypes.byref(owned), ctypes.byref(count)))
        try:
            return t.texts(owned, count.value)
        finally:
            self._library.free(owned)

    @property
    def statistics(self) -> t.CoordinatorStatistics:
        c = _ffi.CoordinatorStatistics()
        check(self._library.coordinator_get_statistics(self._handle, ctypes.byref(c)))
        values: t.CoordinatorStatistics = t.plain(c, t.CoordinatorStatistics, optional=("last_start_error",))
        return values

    # ---- settings ----

    def set_waiting_reasons(self, reasons: Iterable[str]) -> None:
        """A start waits for those who are suspended for one of these reasons."""
        array, count = t.strings(list(reasons))
        check(self._library.coordinator_set_waiting_reasons(self._handle, array, count))

    def set_participant_limit(self, reason: str, limit: int) -> None:
        """Above so many participants nobody waits for this reason; 0: never."""
        check(self._library.coordinator_set_participant_limit(self._handle, t.encoded(reason), limit))

    def set_pause_snaps_to_originator(self, snaps: bool) -> None:
        check(self._library.coordinator_set_pause_snaps_to_originator(self._handle, int(snaps)))

    def set_wait_limit(self, limit: int) -> None:
        """Nanoseconds, up to 600 s; 0: do not wait."""
        check(self._library.coordinator_set_wait_limit(self._handle, limit))

    def set_stall_policy(self, wait: bool, *, debounce: int = 0, limit: int = 0) -> None:
        """Whether the running group waits for one that stalls; of the whole session. Nanoseconds; 0: 300 ms and 10 s."""
        c = _ffi.StallPolicy(wait=int(wait), debounce=debounce, limit=limit)
        check(self._library.coordinator_set_stall_policy(self._handle, ctypes.byref(c)))

    def set_output_offset(self, offset: int) -> None:
        """Nanoseconds by which this player's output is heard late, up to 5 s."""
        check(self._library.coordinator_set_output_offset(self._handle, offset))

    # ---- inside ----

    def _deliver(self, event: t.Event) -> None:
        if self.delegate is None:
            return
        if isinstance(event, t.Command):
            method = _COMMANDS[event.type]
            try:
                getattr(self.delegate, method)(event)
            except Exception:
                event.fail()
                raise
        elif type(event) in _CHANGES:
            handler: Optional[Callable[[Any], None]] = getattr(self.delegate, _CHANGES[type(event)], None)
            if handler is not None:
                handler(event)


_COMMANDS: Dict[int, str] = {
    t.EventType.COORDINATOR_PLAY: "play",
    t.EventType.COORDINATOR_PAUSE: "pause",
    t.EventType.COORDINATOR_SEEK: "seek",
    t.EventType.COORDINATOR_BUFFER: "buffer",
}
_CHANGES: Dict[Type[t.Event], str] = {
    t.ParticipantsChange: "participants_changed",
    t.SuspensionsChange: "suspensions_changed",
    t.TimingChange: "timing_changed",
    t.ErrorEvent: "error",
}


class Suspension:
    """Open from the start; ``end`` it once, or leave its ``with`` block. ``propose`` a place for everybody to go to."""

    def __init__(self, coordinator: Coordinator, handle: int) -> None:
        self._coordinator = coordinator
        self._handle = handle
        self._library = _ffi.library()
        self._proposal: Optional[int] = None
        self.is_open = True

    def propose(self, item_time: int) -> None:
        """Leaving the ``with`` block will move the group there."""
        self._proposal = item_time

    def end(self, proposing: Optional[int] = None) -> None:
        """Back to the group; with a proposal (nanoseconds) the group comes here instead. Ending twice: StateError."""
        if not self.is_open:
            raise StateError(Status.ESTATE, "the suspension has ended before")
        if proposing is None:
            check(self._library.suspension_end(self._handle))
        else:
            check(self._library.suspension_end_proposing(self._handle, proposing))
        self.is_open = False

    @property
    def reason(self) -> str:
        return t.text_of(self._library.suspension_reason, self._handle, room=128)

    @property
    def begin_time(self) -> int:
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
