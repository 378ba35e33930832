"""From the structs of C to the values and events of this package: everything is copied."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, cast
from dataclasses import fields
from typing import Any, Callable, Dict, Optional, Tuple, Type, TypeVar

from . import _ffi, enums, events, values
from .enums import EventType
from .errors import check

T = TypeVar("T")

# ---- Values ------------------------------------------------------------------------------------------------


def time_or_none(value: int) -> Optional[int]:
    return None if value == _ffi.TIME_INVALID else value


def text(value: Optional[bytes]) -> str:
    return (value or b"").decode("utf-8", "replace")


def text_or_none(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else value.decode("utf-8", "replace")


def identity(value: Any) -> bytes:
    return bytes(value.bytes)


def texts(array: Any, count: int) -> Tuple[str, ...]:
    return tuple(text(array[i]) for i in range(count))


def text_of(function: Callable[..., int], *arguments: Any, room: int) -> str:
    """Text from a getter of the form (..., buffer, length)."""
    buffer = ctypes.create_string_buffer(room)
    length = ctypes.c_size_t(room)
    check(function(*arguments, buffer, ctypes.byref(length)))
    return buffer.value.decode("utf-8", "replace")


def activity(c: Any) -> values.Activity:
    return values.Activity(
        identifier=text(c.identifier),
        type=enums.ActivityType(c.type),
        title=text_or_none(c.title),
        subtitle=text_or_none(c.subtitle),
        fallback_url=text_or_none(c.fallback_url),
        preview_image=ctypes.string_at(c.preview_image, c.preview_image_length) if c.preview_image_length else b"",
        payload=ctypes.string_at(c.payload, c.payload_length) if c.payload_length else b"",
        ends_with_initiator=c.lifetime == 1,
        supports_continuation=bool(c.supports_continuation),
    )


def participant(c: Any) -> values.Participant:
    return values.Participant(
        id=identity(c.id),
        person=identity(c.person),
        display_name=text(c.display_name),
        device_name=text(c.device_name),
        item=text_or_none(c.item),
        connection=enums.Connection(c.connection),
        suspension_reasons=texts(c.suspension_reasons, c.suspension_reason_count),
        role=enums.Role(c.role),
        is_local=bool(c.is_local),
        ready=bool(c.ready),
        speaking=bool(c.speaking),
        rate=c.rate,
        item_time_ns=time_or_none(c.item_time),
        host_time_ns=time_or_none(c.host_time),
        round_trip_ns=time_or_none(c.round_trip),
        clock_error_ns=time_or_none(c.clock_error),
        failure=c.failure,
        split=enums.SplitKind(c.split),
        readiness=enums.Readiness(c.readiness),
        cut_offset_ns=c.cut_offset,
        given_up=bool(c.given_up),
    )


def participants(array: Any, count: int) -> Tuple[values.Participant, ...]:
    return tuple(participant(array[i].contents) for i in range(count))


def participants_of(function: Callable[..., int], handle: Any) -> Tuple[values.Participant, ...]:
    """The list from a getter that returns an owned snapshot."""
    owned = ctypes.POINTER(_ffi.Participants)()
    check(function(handle, ctypes.byref(owned)))
    if not owned:
        return ()
    try:
        return participants(owned.contents.items, owned.contents.count)
    finally:
        _ffi.library().free(owned)


def attachment(c: Any) -> values.Attachment:
    return values.Attachment(
        id=identity(c.id),
        owner=somebody(c.owner),
        length=c.length,
        name=text(c.name),
        media_type=text(c.media_type),
        available=bool(c.is_available),
    )


def attachments_of(function: Callable[..., int], handle: Any) -> Tuple[values.Attachment, ...]:
    owned = ctypes.POINTER(_ffi.Attachments)()
    check(function(handle, ctypes.byref(owned)))
    try:
        return tuple(attachment(owned.contents.items[i].contents) for i in range(owned.contents.count))
    finally:
        _ffi.library().free(owned)


def somebody(value: Any) -> Optional[bytes]:
    found = identity(value)
    return found if any(found) else None


def chat_entry(c: Any) -> values.ChatEntry:
    return values.ChatEntry(
        author=identity(c.author),
        number=c.number,
        text=text(c.text),
        name=text_or_none(c.name),
        reaction=c.kind == 1,
        said_ns=time_or_none(c.said),
        item=text_or_none(c.item),
        item_time_ns=time_or_none(c.item_time),
    )


def chat_of(function: Callable[..., int], handle: Any) -> Tuple[values.ChatEntry, ...]:
    owned = ctypes.POINTER(_ffi.Chat)()
    check(function(handle, ctypes.byref(owned)))
    try:
        return tuple(chat_entry(owned.contents.items[i].contents) for i in range(owned.contents.count))
    finally:
        _ffi.library().free(owned)


def copy_of(c: Any) -> values.Copy:
    return values.Copy(c.duration or None, c.file_size or None, bytes(c.hash) if c.has_hash else None)


def identity_or_none(c: Any) -> Optional[bytes]:
    found = identity(c)
    return found if any(found) else None


def skip_range(c: Any) -> values.SkipRange:
    return values.SkipRange(c.begin, c.end, enums.RangeKind(c.kind))


def playlist_entry(c: Any) -> values.PlaylistEntry:
    return values.PlaylistEntry(
        id=identity(c.id),
        item=text(c.item),
        title=text_or_none(c.title),
        copy=copy_of(c.copy.contents) if c.copy else None,
        addresses=tuple(text(c.addresses[i]) for i in range(c.address_count)),
        ranges=tuple(skip_range(c.ranges[i]) for i in range(c.range_count)),
    )


def _reactions(c: Any) -> Tuple[values.ReactionCount, ...]:
    return tuple(values.ReactionCount(text(c.reactions[i].reaction), c.reactions[i].count) for i in range(c.reaction_count))


def scheduled_start(c: Any) -> values.ScheduledStart:
    return values.ScheduledStart(
        text(c.item), c.host_time, time_or_none(c.calendar_time), c.error_bound, identity_or_none(c.originator)
    )


def scheduled_start_of(function: Callable[..., int], handle: Any) -> Optional[values.ScheduledStart]:
    owned = ctypes.POINTER(_ffi.ScheduledStart)()
    check(function(handle, ctypes.byref(owned)))
    if not owned:
        return None
    try:
        return scheduled_start(owned.contents)
    finally:
        _ffi.library().free(owned)


def playlist_of(function: Callable[..., int], handle: Any) -> values.Playlist:
    owned = ctypes.POINTER(_ffi.Playlist)()
    check(function(handle, ctypes.byref(owned)))
    try:
        found = owned.contents
        entries = tuple(playlist_entry(found.items[i].contents) for i in range(found.count))
        return values.Playlist(entries, identity_or_none(found.current))
    finally:
        _ffi.library().free(owned)


def waiting_for(array: Any, count: int) -> Tuple[values.WaitingFor, ...]:
    return tuple(values.WaitingFor(identity(array[i].participant), text(array[i].reason)) for i in range(count))


def plain(c: Any, kind: Type[T], optional: Tuple[str, ...] = (), **enumerations: Type[enums.OpenEnum]) -> T:
    """A dataclass whose fields have the names of the struct's fields, but for ``_ns``; ``optional`` times may be unknown."""
    found: Dict[str, Any] = {}
    for field in fields(kind):  # type: ignore[arg-type]
        value = getattr(c, field.name[:-3] if field.name.endswith("_ns") else field.name)
        if field.name in optional:
            value = time_or_none(value)
        found[field.name] = enumerations[field.name](value) if field.name in enumerations else value
    return kind(**found)


# ---- Events ------------------------------------------------------------------------------------------------

Head = Tuple[Any, int]
Reader = Callable[[Head, Any], events.Event]


def _state(head: Head, c: Any) -> events.Event:
    return events.SessionStateChange(
        *head,
        enums.SessionState(c.state),
        enums.Connection(c.connection),
        enums.Status(c.reason),
        text(c.message),
        hub=text(c.hub),
        hub_is_own=bool(c.hub_is_own),
        alone=bool(c.alone),
        closed=bool(c.closed),
    )


def _message(head: Head, c: Any) -> events.Event:
    data = ctypes.string_at(c.data, c.length) if c.length else b""
    return events.Message(*head, identity(c.sender), data, c.delivery == 0, text(c.type), c.version, text(c.item), c.item_time)


def _notice(head: Head, c: Any) -> events.Event:
    notice = c.notice.contents
    return events.Notice(
        *head,
        kind=enums.NoticeKind(notice.kind),
        originator=identity(notice.originator),
        amount_ns=notice.amount,
        rate=notice.rate,
        text=text_or_none(notice.text),
        url=text_or_none(notice.url),
        name=text_or_none(notice.name),
        item_time_ns=notice.item_time if notice.flags & _ffi.HAS_POSITION else None,
        sentence=text_of(_ffi.library().notice_text, ctypes.byref(notice), room=1024),
        coordinator=text_or_none(notice.coordinator),
    )


def _request(head: Head, c: Any) -> events.Event:
    return events.CommandRequest(
        *head,
        number=c.number,
        asker=identity(c.asker),
        answerer=identity(c.answerer),
        status=enums.RequestStatus(c.status),
        kind=enums.RequestKind(c.kind),
        item_time_ns=c.item_time,
        item=text(c.item),
        text=text_or_none(c.text),
    )


def _participants(head: Head, c: Any) -> events.Event:
    return events.ParticipantsChange(
        *head,
        bool(c.is_complete),
        participants(c.joined, c.joined_count),
        participants(c.updated, c.updated_count),
        participants(c.left, c.left_count),
    )


def _activation(head: Head, c: Any) -> events.Event:
    return events.ActivationAnswer(
        *head, c.request, activity(c.activity.contents), enums.Activation(c.result), bool(c.remembered)
    )


def _command(c: Any) -> Dict[str, Any]:
    return {
        "id": c.id,
        "originator": identity(c.originator),
        "item": text(c.item),
        "item_time_ns": c.item_time,
        "is_local": bool(c.is_local),
        "cause": enums.Cause(c.cause),
    }


def _prepared(c: Any) -> Dict[str, Any]:
    """A command for which a player gets ready."""
    due = time_or_none(c.due_host_time)
    return {**_command(c), "anticipated_rate": c.anticipated_rate, "due_host_time_ns": due}


def _play(head: Head, c: Any) -> events.Event:
    return events.PlayCommand(*head, **_command(c), rate=c.rate, host_time_ns=c.host_time)


def _pause(head: Head, c: Any) -> events.Event:
    return events.PauseCommand(*head, **_command(c), snap=bool(c.snap))


def _seek(head: Head, c: Any) -> events.Event:
    ahead = bool(c.buffer_in_anticipation)
    return events.SeekCommand(*head, **_prepared(c), buffer_in_anticipation=ahead)


def _timing(head: Head, c: Any) -> events.Event:
    return events.TimingChange(
        *head,
        state=enums.TimingState(c.state),
        cause=enums.Cause(c.cause),
        originator=identity(c.originator),
        item=text_or_none(c.item),
        rate=c.rate,
        item_time_ns=c.item_time,
        host_time_ns=time_or_none(c.host_time),
        deadline_ns=time_or_none(c.deadline),
        waiting_for=waiting_for(c.waiting_for, c.waiting_for_count),
    )


def _renderer(kind: Any, take: Callable[[Any], Dict[str, Any]]) -> Tuple[Any, Reader]:
    def read(head: Head, c: Any) -> events.Event:
        made: events.Event = kind(*head, request=c.request, item=text_or_none(c.item), **take(c))
        return made

    return _ffi.RendererCommand, read


def _player(kind: Any, take: Callable[[Any], Dict[str, Any]]) -> Tuple[Any, Reader]:
    def read(head: Head, c: Any) -> events.Event:
        made: events.Event = kind(
            *head,
            time_control=enums.TimeControl(c.time_control),
            waiting_reason=enums.WaitingReason(c.waiting_reason),
            item_state=enums.ItemState(c.item_state),
            originator=identity(c.originator),
            item=text_or_none(c.item),
            rate=c.rate,
            item_time_ns=time_or_none(c.item_time),
            host_time_ns=time_or_none(c.host_time),
            **take(c),
        )
        return made

    return _ffi.PlayerEvent, read


def _surface(kind: Any, take: Callable[[Any], Dict[str, Any]]) -> Tuple[Any, Reader]:
    def read(head: Head, c: Any) -> events.Event:
        made: events.Event = kind(
            *head,
            is_paused=bool(c.is_paused),
            start_ns=time_or_none(c.start),
            duration_ns=time_or_none(c.duration),
            item_time_ns=time_or_none(c.item_time),
            host_time_ns=time_or_none(c.host_time),
            **take(c),
        )
        return made

    return _ffi.SurfaceEvent, read


def _nearby(kind: Any, take: Callable[[Any], Dict[str, Any]]) -> Tuple[Any, Reader]:
    def read(head: Head, c: Any) -> events.Event:
        made: events.Event = kind(
            *head,
            device=c.device,
            device_name=text(c.device_name),
            usage_description=text(c.usage_description),
            platform=enums.Platform(c.platform),
            intent=enums.Intent(c.intent),
            **take(c),
        )
        return made

    return _ffi.NearbyEvent, read


def _nothing(c: Any) -> Dict[str, Any]:
    return {}


def _status(c: Any) -> Dict[str, Any]:
    return {"status": enums.Status(c.status)}


def _answer(c: Any) -> Dict[str, Any]:
    return {"request": c.request, **_status(c)}


def _failure(c: Any) -> Dict[str, Any]:
    return {**_status(c), "message": text(_ffi.library().strerror(c.status))}


_READERS: Dict[int, Tuple[Any, Reader]] = {
    EventType.TIMER: (
        _ffi.TimerEvent,
        lambda head, c: events.TimerEvent(*head, c.token, c.due_host_time, c.status != 0),
    ),
    EventType.OVERFLOW: (_ffi.OverflowEvent, lambda head, c: events.OverflowEvent(*head, c.messages, c.others)),
    EventType.ERROR: (
        _ffi.ErrorEvent,
        lambda head, c: events.ErrorEvent(*head, enums.Status(c.status), text(c.operation), text(c.message)),
    ),
    EventType.LOG: (_ffi.LogEvent, lambda head, c: events.LogEvent(*head, enums.LogLevel(c.level), text(c.message))),
    EventType.RELEASED: (_ffi.ContextEvent, lambda head, c: events.Released(*head)),
    EventType.SESSION_STATE: (_ffi.SessionStateEvent, _state),
    EventType.SESSION_ACTIVITY: (
        _ffi.ActivityEvent,
        lambda head, c: events.ActivityChange(
            *head, identity(c.originator), activity(c.activity.contents) if c.activity else None, bool(c.is_local)
        ),
    ),
    EventType.SESSION_PARTICIPANTS: (_ffi.ParticipantsChange, _participants),
    EventType.SESSION_MESSAGE: (_ffi.Message, _message),
    EventType.SESSION_NOTICE: (_ffi.NoticeEvent, _notice),
    EventType.SESSION_FOREGROUND: (
        _ffi.ParticipantEvent,
        lambda head, c: events.ForegroundRequest(*head, identity(c.participant), bool(c.in_background)),
    ),
    EventType.SESSION_SPEAKING: (
        _ffi.ParticipantEvent,
        lambda head, c: events.SpeakingChange(*head, identity(c.participant), bool(c.active)),
    ),
    EventType.SESSION_IGNORED: (
        _ffi.IgnoredEvent,
        lambda head, c: events.Ignored(
            *head, identity(c.participant), bool(c.by_other), enums.Status(c.status), c.until, text(c.message)
        ),
    ),
    EventType.SESSION_CLOCK_DOUBT: (
        _ffi.ClockDoubtEvent,
        lambda head, c: events.ClockDoubt(
            *head, identity(c.participant), bool(c.own), bool(c.over), c.offset, text(c.hub), text(c.message)
        ),
    ),
    EventType.SESSION_SPLIT: (
        _ffi.SplitEvent,
        lambda head, c: events.Split(
            *head, identity(c.participant), enums.SplitKind(c.kind), bool(c.over), c.since, text(c.hub), text(c.message)
        ),
    ),
    EventType.SESSION_HUB_DOUBT: (
        _ffi.HubDoubtEvent,
        lambda head, c: events.HubDoubt(
            *head, text(c.hub), enums.HubDoubtReason(c.reason), bool(c.over), time_or_none(c.until), text(c.message)
        ),
    ),
    EventType.SESSION_AUDIENCE: (
        _ffi.AudienceEvent,
        lambda head, c: events.AudienceChange(
            *head, enums.AudienceState(c.state), c.listeners, c.left_out, text(c.reason), c.ready, _reactions(c)
        ),
    ),
    EventType.SESSION_LISTENER: (
        _ffi.ListenerEvent,
        lambda head, c: events.ListenerNews(*head, identity(c.listener), enums.ListenerWord(c.word), text(c.text)),
    ),
    EventType.SESSION_SCHEDULE: (
        _ffi.ScheduleEvent,
        lambda head, c: events.ScheduleChange(
            *head, enums.ScheduleStatus(c.change), scheduled_start(c.start.contents), c.remaining
        ),
    ),
    EventType.SESSION_ATTACHMENT: (
        _ffi.AttachmentEvent,
        lambda head, c: events.AttachmentEvent(
            *head,
            enums.AttachmentChange(c.change),
            attachment(c.attachment.contents),
            c.request,
            c.transferred,
            somebody(c.participant),
            enums.Status(c.status),
            text(c.message),
        ),
    ),
    EventType.SESSION_CHAT: (
        _ffi.ChatEvent,
        lambda head, c: events.Chat(*head, chat_entry(c.entry.contents), bool(c.own), bool(c.is_history)),
    ),
    EventType.SESSION_PLAYLIST: (
        _ffi.PlaylistEvent,
        lambda head, c: events.PlaylistChange(
            *head,
            bool(c.entries_changed),
            bool(c.current_changed),
            bool(c.by_end),
            identity_or_none(c.current),
            identity_or_none(c.originator),
            text_or_none(c.item),
        ),
    ),
    EventType.SESSION_COPY: (
        _ffi.CopyEvent,
        lambda head, c: events.CopyComparison(
            *head,
            identity(c.participant),
            identity(c.entry),
            enums.Difference(c.differs),
            copy_of(c.copy.contents),
            text(c.message),
        ),
    ),
    EventType.SESSION_INVITE: (_ffi.InviteEvent, lambda head, c: events.InviteChange(*head, text(c.invite))),
    EventType.SESSION_CONSENT: (
        _ffi.ActivationEvent,
        lambda head, c: events.Consent(*head, c.request, activity(c.activity.contents)),
    ),
    EventType.SESSION_ACTIVATION: (_ffi.ActivationEvent, _activation),
    EventType.SESSION_WRITABLE: (_ffi.ContextEvent, lambda head, c: events.Writable(*head)),
    EventType.SESSION_SUCCESSION: (
        _ffi.SuccessionEvent,
        lambda head, c: events.SuccessionChange(
            *head, identity(c.deputy), enums.SuccessionStatus(c.status), bool(c.named)
        ),
    ),
    EventType.SESSION_REQUEST: (_ffi.RequestEvent, _request),
    EventType.COORDINATOR_PLAY: (_ffi.Command, _play),
    EventType.COORDINATOR_PAUSE: (_ffi.Command, _pause),
    EventType.COORDINATOR_SEEK: (_ffi.Command, _seek),
    EventType.COORDINATOR_BUFFER: (_ffi.Command, lambda head, c: events.BufferCommand(*head, **_prepared(c))),
    EventType.COORDINATOR_PARTICIPANTS: (_ffi.ParticipantsChange, _participants),
    EventType.COORDINATOR_SUSPENSIONS: (
        _ffi.SuspensionsChange,
        lambda head, c: events.SuspensionsChange(*head, texts(c.reasons, c.reason_count)),
    ),
    EventType.COORDINATOR_TIMING: (_ffi.TimingChange, _timing),
    EventType.COORDINATOR_INVITED: (_ffi.InviteEvent, lambda head, c: events.Invited(*head, text(c.invite))),
    EventType.COORDINATOR_LISTENING: (
        _ffi.ListeningEvent,
        lambda head, c: events.ListeningChange(
            *head,
            enums.ListeningStatus(c.status),
            c.listeners,
            text_or_none(c.item),
            activity(c.activity.contents) if c.activity else None,
            text(c.reason),
            time_or_none(c.clock_ahead),
            time_or_none(c.clock_behind),
            bool(c.clock_doubt),
            _reactions(c),
        ),
    ),
    EventType.RENDERER_LOAD: _renderer(
        events.RendererLoad, lambda c: {"uri": text(c.uri) or text(c.item), "item_time_ns": c.item_time}
    ),
    EventType.RENDERER_CUE: _renderer(events.RendererCue, lambda c: {"rate": c.rate, "item_time_ns": c.item_time}),
    EventType.RENDERER_PLAY: _renderer(
        events.RendererPlay,
        lambda c: {"rate": c.rate, "item_time_ns": c.item_time, "host_time_ns": time_or_none(c.host_time)},
    ),
    EventType.RENDERER_PAUSE: _renderer(events.RendererPause, _nothing),
    EventType.RENDERER_SEEK: _renderer(
        events.RendererSeek,
        lambda c: {
            "item_time_ns": c.item_time,
            "tolerance_before_ns": c.tolerance_before,
            "tolerance_after_ns": c.tolerance_after,
        },
    ),
    EventType.RENDERER_NUDGE: _renderer(events.RendererNudge, lambda c: {"factor": c.rate}),
    EventType.RENDERER_VOLUME: _renderer(events.RendererVolume, lambda c: {"volume": c.volume}),
    EventType.RENDERER_SIZE: _renderer(events.RendererSize, lambda c: {"width": c.width, "height": c.height}),
    EventType.RENDERER_STOP: _renderer(events.RendererStop, _nothing),
    EventType.PLAYER_TIME_CONTROL: _player(events.PlayerTimeControlChange, _nothing),
    EventType.PLAYER_RATE: _player(events.PlayerRateChange, lambda c: {"reason": enums.RateReason(c.rate_reason)}),
    EventType.PLAYER_TIME_JUMPED: _player(events.PlayerTimeJump, _nothing),
    EventType.PLAYER_ITEM_STATE: _player(events.PlayerItemStateChange, _status),
    EventType.PLAYER_ITEM_ENDED: _player(events.PlayerItemEnd, _nothing),
    EventType.PLAYER_SEEK_DONE: _player(events.PlayerSeekDone, _answer),
    EventType.SURFACE_CHANGED: _surface(events.SurfaceChange, _nothing),
    EventType.SURFACE_SKIPPED: _surface(events.SurfaceSkipDone, _answer),
    EventType.SURFACE_WILL_BEGIN: _surface(events.SurfaceWillBegin, _nothing),
    EventType.SURFACE_WILL_END: _surface(events.SurfaceWillEnd, _status),
    EventType.SURFACE_RESTORE: _surface(events.SurfaceRestore, lambda c: {"request": c.request}),
    EventType.NEARBY_JOIN_REQUESTED: _nearby(
        events.NearbyJoinRequested, lambda c: {"request": c.request or 0, "digits": text(c.digits)}
    ),
    EventType.NEARBY_JOIN_WITHDRAWN: _nearby(events.NearbyJoinWithdrawn, lambda c: {"request": c.request or 0}),
    EventType.NEARBY_FOUND: _nearby(events.NearbyFound, _nothing),
    EventType.NEARBY_UPDATED: _nearby(events.NearbyUpdated, _nothing),
    EventType.NEARBY_LOST: _nearby(events.NearbyLost, _nothing),
    EventType.NEARBY_DIGITS: _nearby(events.NearbyDigits, lambda c: {"digits": text(c.digits)}),
    EventType.NEARBY_INVITE: _nearby(events.NearbyInvite, lambda c: {"invite": text_or_none(c.invite)}),
    EventType.NEARBY_FAILED: _nearby(events.NearbyFailed, _failure),
}


def event_from(pointer: Any, source: Any) -> events.Event:
    """Copies the event at ``pointer``. Kinds that this package does not know come as an ``UnknownEvent``."""
    base = pointer.contents
    head: Head = (source, base.host_time)
    if base.type not in _READERS:
        return events.UnknownEvent(*head, base.type)
    struct, read = _READERS[base.type]
    return read(head, cast(pointer, POINTER(struct)).contents)
