"""From the event queue's C structs to the dataclasses of ``types``."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, cast
from typing import Any, Callable, Dict, Tuple

from . import _ffi, types as t

Head = Tuple[int, Any, int]


def _timer(head: Head, c: Any) -> t.Event:
    return t.TimerEvent(*head, c.token, c.due_host_time, c.status != 0)


def _overflow(head: Head, c: Any) -> t.Event:
    return t.OverflowEvent(*head, c.messages, c.others)


def _error(head: Head, c: Any) -> t.Event:
    return t.ErrorEvent(*head, c.status, t.text(c.operation), t.text(c.message))


def _log(head: Head, c: Any) -> t.Event:
    return t.LogEvent(*head, t.known(t.LogLevel, c.level), t.text(c.message))


def _state(head: Head, c: Any) -> t.Event:
    state, connection = t.known(t.SessionState, c.state), t.known(t.Connection, c.connection)
    hub = (t.text(c.hub), bool(c.hub_is_own))
    return t.SessionStateChange(*head, state, connection, c.reason, t.text(c.message), *hub, bool(c.alone))


def _activity(head: Head, c: Any) -> t.Event:
    activity = t.activity_from(c.activity.contents) if c.activity else None
    return t.ActivityChange(*head, t.identity(c.originator), activity)


def _message(head: Head, c: Any) -> t.Event:
    data = ctypes.string_at(c.data, c.length) if c.length else b""
    return t.Message(*head, t.identity(c.sender), data, c.delivery == 0)


def _notice(head: Head, c: Any) -> t.Event:
    notice = c.notice.contents
    return t.Notice(
        *head,
        kind=t.known(t.NoticeKind, notice.kind),
        originator=t.identity(notice.originator),
        amount=notice.amount,
        rate=notice.rate,
        text=t.text_or_none(notice.text),
        url=t.text_or_none(notice.url),
        name=t.text_or_none(notice.name),
        item_time=notice.item_time if notice.flags & _ffi.HAS_POSITION else None,
        sentence=t.text_of(_ffi.library().notice_text, ctypes.byref(notice), room=1024),
    )


def _foreground(head: Head, c: Any) -> t.Event:
    return t.ForegroundRequest(*head, t.identity(c.participant), bool(c.in_background))


def _speaking(head: Head, c: Any) -> t.Event:
    return t.SpeakingChange(*head, t.identity(c.participant), bool(c.active))


def _succession(head: Head, c: Any) -> t.Event:
    return t.SuccessionChange(*head, t.identity(c.deputy), t.known(t.SuccessionStatus, c.status), bool(c.named))


def _request(head: Head, c: Any) -> t.Event:
    return t.RequestEvent(
        *head,
        number=c.number,
        asker=t.identity(c.asker),
        answerer=t.identity(c.answerer),
        status=t.known(t.RequestStatus, c.status),
        kind=t.known(t.RequestKind, c.kind),
        item_time=c.item_time,
        item=t.text(c.item),
        text=t.text_or_none(c.text),
    )


def _ignored(head: Head, c: Any) -> t.Event:
    return t.Ignored(*head, t.identity(c.participant), bool(c.by_other), c.status, c.until, t.text(c.message))


def _invite(head: Head, c: Any) -> t.Event:
    return t.InviteChange(*head, t.text(c.invite))


def _consent(head: Head, c: Any) -> t.Event:
    return t.Consent(*head, c.request, t.activity_from(c.activity.contents))


def _activation(head: Head, c: Any) -> t.Event:
    result = t.known(t.Activation, c.result)
    return t.ActivationAnswer(*head, c.request, t.activity_from(c.activity.contents), result, bool(c.remembered))


def _participants(head: Head, c: Any) -> t.Event:
    return t.ParticipantsChange(
        *head,
        bool(c.is_complete),
        t.participants_from(c.joined, c.joined_count),
        t.participants_from(c.updated, c.updated_count),
        t.participants_from(c.left, c.left_count),
    )


def _command(head: Head, c: Any) -> t.Event:
    return t.Command(
        *head,
        id=c.id,
        originator=t.identity(c.originator),
        item=t.text(c.item),
        rate=c.rate,
        item_time=c.item_time,
        host_time=t.time_or_none(c.host_time),
        due_host_time=t.time_or_none(c.due_host_time),
        anticipated_rate=c.anticipated_rate,
        is_local=bool(c.is_local),
        snap=bool(c.snap),
        buffer_in_anticipation=bool(c.buffer_in_anticipation),
        cause=t.known(t.Cause, c.cause),
    )


def _timing(head: Head, c: Any) -> t.Event:
    return t.TimingChange(
        *head,
        state=t.known(t.TimingState, c.state),
        cause=t.known(t.Cause, c.cause),
        originator=t.identity(c.originator),
        item=t.text_or_none(c.item),
        rate=c.rate,
        item_time=c.item_time,
        host_time=t.time_or_none(c.host_time),
        deadline=t.time_or_none(c.deadline),
        waiting_for=t.waiting_from(c.waiting_for, c.waiting_for_count),
    )


def _suspensions(head: Head, c: Any) -> t.Event:
    return t.SuspensionsChange(*head, t.texts(c.reasons, c.reason_count))


def _nearby(head: Head, c: Any) -> t.Event:
    return t.NearbyEvent(
        *head,
        device=c.device,
        request=c.request or 0,
        device_name=t.text(c.device_name),
        usage_description=t.text(c.usage_description),
        invite=t.text_or_none(c.invite),
        platform=t.Platform(c.platform),
        status=c.status,
        digits=t.text(c.digits),
        intent=t.known(t.Intent, c.intent),
    )


def _renderer(head: Head, c: Any) -> t.Event:
    return t.RendererCommand(
        *head,
        request=c.request,
        item=t.text_or_none(c.item),
        uri=t.text_or_none(c.uri),
        rate=c.rate,
        item_time=c.item_time,
        host_time=t.time_or_none(c.host_time),
        tolerance_before=c.tolerance_before,
        tolerance_after=c.tolerance_after,
        volume=c.volume,
        width=c.width,
        height=c.height,
    )


def _player(head: Head, c: Any) -> t.Event:
    return t.PlayerEvent(
        *head,
        time_control=t.known(t.TimeControl, c.time_control),
        waiting_reason=t.known(t.WaitingReason, c.waiting_reason),
        item_state=t.known(t.ItemState, c.item_state),
        rate_reason=t.known(t.RateReason, c.rate_reason),
        originator=t.identity(c.originator),
        item=t.text_or_none(c.item),
        rate=c.rate,
        item_time=t.time_or_none(c.item_time),
        host_time=t.time_or_none(c.host_time),
        request=c.request,
        status=c.status,
    )


def _surface(head: Head, c: Any) -> t.Event:
    return t.SurfaceEvent(
        *head,
        request=c.request,
        is_paused=bool(c.is_paused),
        status=c.status,
        start=t.time_or_none(c.start),
        duration=t.time_or_none(c.duration),
        item_time=t.time_or_none(c.item_time),
        host_time=t.time_or_none(c.host_time),
    )


_READERS: Dict[int, Tuple[Any, Callable[[Head, Any], t.Event]]] = {
    t.EventType.TIMER: (_ffi.TimerEvent, _timer),
    t.EventType.OVERFLOW: (_ffi.OverflowEvent, _overflow),
    t.EventType.ERROR: (_ffi.ErrorEvent, _error),
    t.EventType.LOG: (_ffi.LogEvent, _log),
    t.EventType.SESSION_STATE: (_ffi.SessionStateEvent, _state),
    t.EventType.SESSION_ACTIVITY: (_ffi.ActivityEvent, _activity),
    t.EventType.SESSION_PARTICIPANTS: (_ffi.ParticipantsChange, _participants),
    t.EventType.SESSION_MESSAGE: (_ffi.Message, _message),
    t.EventType.SESSION_NOTICE: (_ffi.NoticeEvent, _notice),
    t.EventType.SESSION_FOREGROUND: (_ffi.ParticipantEvent, _foreground),
    t.EventType.SESSION_SPEAKING: (_ffi.ParticipantEvent, _speaking),
    t.EventType.SESSION_IGNORED: (_ffi.IgnoredEvent, _ignored),
    t.EventType.SESSION_INVITE: (_ffi.InviteEvent, _invite),
    t.EventType.SESSION_CONSENT: (_ffi.ActivationEvent, _consent),
    t.EventType.SESSION_ACTIVATION: (_ffi.ActivationEvent, _activation),
    t.EventType.SESSION_SUCCESSION: (_ffi.SuccessionEvent, _succession),
    t.EventType.SESSION_REQUEST: (_ffi.RequestEvent, _request),
    t.EventType.COORDINATOR_PLAY: (_ffi.Command, _command),
    t.EventType.COORDINATOR_PAUSE: (_ffi.Command, _command),
    t.EventType.COORDINATOR_SEEK: (_ffi.Command, _command),
    t.EventType.COORDINATOR_BUFFER: (_ffi.Command, _command),
    t.EventType.COORDINATOR_PARTICIPANTS: (_ffi.ParticipantsChange, _participants),
    t.EventType.COORDINATOR_SUSPENSIONS: (_ffi.SuspensionsChange, _suspensions),
    t.EventType.COORDINATOR_TIMING: (_ffi.TimingChange, _timing),
    **{kind: (_ffi.NearbyEvent, _nearby) for kind in t.EventType if kind.name.startswith("NEARBY_")},
}
for _type in t.EventType:
    if _type.name.startswith("RENDERER_"):
        _READERS[_type] = (_ffi.RendererCommand, _renderer)
    elif _type.name.startswith("PLAYER_"):
        _READERS[_type] = (_ffi.PlayerEvent, _player)
    elif _type.name.startswith("SURFACE_"):
        _READERS[_type] = (_ffi.SurfaceEvent, _surface)


def event_from(pointer: Any, source: Any) -> t.Event:
    """Copies the event at ``pointer``. Kinds that this package does not know come as a bare ``Event``."""
    base = pointer.contents
    head: Head = (t.known(t.EventType, base.type), source, base.host_time)
    if base.type not in _READERS:
        return t.Event(*head)
    struct, read = _READERS[base.type]
    return read(head, cast(pointer, POINTER(struct)).contents)
