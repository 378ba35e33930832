"""Lines for people: who came and left, who paused and sought, who is waited for, how the session is."""

from __future__ import annotations

from typing import Callable, List, Optional, Tuple

from . import _arguments as a
from . import events as e
from .enums import AttachmentChange, Connection, NoticeKind, ScheduleStatus, SessionState, Status, SuccessionStatus, TimingState
from .session import Session, notice_text


class Narrator:
    """What happens in a session as lines for people, in English: for a terminal, or the player's screen.

        narrator = Narrator(session)
        context.on_event = lambda event: [print(line) for line in narrator.lines(event)]

    It reads events and answers none. What others wrote in it cannot control a terminal.
    """

    #: A start that takes less is nothing to talk about, ns.
    PATIENCE_NS = 700_000_000

    def __init__(self, session: Session, say: Optional[Callable[[str], None]] = None) -> None:
        """``say`` is given lines that no event brings: who is waited for, once that takes a moment. Without it they are
        among the lines of the event that began the wait."""
        self._session: Session = a.instance(session, Session, "session")
        self._say = None if say is None else a.function(say, "say")
        self._wait = 0
        #: Of the others.
        self._names = {one.id: one.display_name for one in session.participants if not one.is_local}
        self._joined = self._lost = self._complained = self._closed = False
        self._waiting: Tuple[bytes, ...] = ()

    def lines(self, event: e.Event) -> List[str]:
        """What there is to say about an event; mostly nothing."""
        if isinstance(event, e.SessionStateChange) and event.source is self._session:
            return self._state(event)
        if isinstance(event, e.ParticipantsChange) and event.source is self._session:
            self._participants(event)
            return []
        if isinstance(event, e.Notice):
            return [event.sentence]
        if isinstance(event, e.TimingChange):
            return self._timing(event)
        if isinstance(event, e.Ignored):
            return [_plain(f"{self._name(event.participant)}: {event.message}")]
        if isinstance(event, e.Chat):
            return [_plain(f"{event.entry.name or self._name(event.entry.author)}: {event.entry.text}")]
        if isinstance(event, e.AttachmentEvent):
            return _attachment(event)
        if isinstance(event, e.ScheduleChange):
            return [_plain(_scheduled(event))]
        if isinstance(event, e.CopyComparison):
            return [_plain(event.message)] if event.differs else []
        if isinstance(event, (e.ClockDoubt, e.Split, e.HubDoubt)):
            return [_plain(event.message)]
        if isinstance(event, e.SuccessionChange) and event.status == SuccessionStatus.BEGAN:
            return [_plain(f"{self._name(event.deputy)} stands in for the owner")]
        if isinstance(event, e.CommandRequest):
            return self._request(event)
        if isinstance(event, e.ErrorEvent):
            return [_plain(f"refused: {event.message}")]
        return []

    def _state(self, event: e.SessionStateChange) -> List[str]:
        if event.state == SessionState.INVALIDATED:
            if event.reason == Status.OK:
                return ["You left the session"]
            if event.reason == Status.EENDED:
                return ["The session was ended for everybody"]
            return [_plain(f"The session is over: {event.message}")]
        if event.connection == Connection.CONNECTED:
            lines = ["Connected again"] if self._lost else []
            if event.state == SessionState.JOINED and not self._joined:
                self._joined = True
                lines.append("You joined")
            if event.state == SessionState.JOINED and event.closed != self._closed:
                self._closed = event.closed
                lines.append("The group is closed: nobody new is let in" if event.closed else "The group is open again")
            self._lost = self._complained = False
            return lines
        if event.connection == Connection.RECONNECTING and not self._lost:
            self._lost = True
            return [_plain(f"The connection is lost, trying again: {event.message}")]
        if event.connection == Connection.CONNECTING and event.reason != Status.OK and not self._complained:
            self._complained = True
            return [_plain(f"The group is not reached yet, trying on: {event.message}")]
        return []

    def _participants(self, event: e.ParticipantsChange) -> None:
        if event.is_complete:
            self._names.clear()
        for one in event.left:
            self._names.pop(one.id, None)
        self._names.update((one.id, one.display_name) for one in (*event.joined, *event.updated) if not one.is_local)

    def _timing(self, event: e.TimingChange) -> List[str]:
        waiting = event.waiting_for if event.state == TimingState.WAITING else ()
        newly = [one for one in waiting if one.participant not in self._waiting]
        self._waiting = tuple(one.participant for one in waiting)
        if not waiting:
            self._wait += 1  # what was to be said of it is not said any more
        local = self._session.local_participant
        lines = [
            notice_text(NoticeKind.WAITED_FOR, name=self._name(one.participant), text=one.reason or None)
            for one in newly
            if one.participant != local
        ]
        if self._say is None or not lines:
            return lines
        say, wait, context = self._say, self._wait, self._session.context

        def late(timer: e.TimerEvent) -> None:
            if not timer.canceled and wait == self._wait:
                for line in lines:
                    say(line)

        context.call_at(context.host_time_ns + self.PATIENCE_NS, late)
        return []

    def _request(self, event: e.CommandRequest) -> List[str]:
        what = event.kind.name.lower().replace("_", " ")
        if event.asker == self._session.local_participant:
            return [f"Your request to {what}: {event.status.name.lower()}"]
        return [_plain(f"{self._name(event.asker)} asks to {what}" + (f": {event.text}" if event.text else ""))]

    def _name(self, identity: bytes) -> str:
        return self._names.get(identity) or "Somebody"


def _scheduled(event: e.ScheduleChange) -> str:
    if event.change == ScheduleStatus.CANCELED:
        return f"The start of {event.start.item} was called off"
    if event.change == ScheduleStatus.DUE:
        return f"{event.start.item} begins"
    left = f"{round(event.remaining_ns / 1e9)} s"
    return left if event.change == ScheduleStatus.REMAINING else f"{event.start.item} begins in {left}"


def _attachment(event: e.AttachmentEvent) -> List[str]:
    name = event.attachment.name
    if event.change == AttachmentChange.ADDED:
        return [_plain(f"Offered: {name}, {event.attachment.length / 1e6:.1f} MB")]
    if event.change == AttachmentChange.REMOVED:
        return [_plain(f"Not offered any more: {name}")]
    if event.change == AttachmentChange.LOADED:
        return [_plain(f"Loaded: {name}")]
    return [_plain(f"{name}: {event.message}")] if event.message else []


def _plain(text: str) -> str:
    """What controls a terminal becomes a space."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
