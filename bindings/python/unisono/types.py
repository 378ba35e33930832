"""What the library tells: plain values, copied out of its structs, safe to keep.

All times are whole nanoseconds, as in unisono.h. A time that is not known is ``None``.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple, Type

from . import _ffi
from .errors import Status, UnisonoError, check, error_for

if TYPE_CHECKING:
    from .coordinator import Coordinator
    from .player import Player

SECOND = 1_000_000_000
MILLISECOND = 1_000_000


class EventType(IntEnum):
    """Kinds of event; unknown ones of a newer library stay plain numbers."""

    NONE = 0
    TIMER = 1
    OVERFLOW = 2
    ERROR = 3
    LOG = 4
    RELEASED = 5
    SESSION_STATE = 16
    SESSION_ACTIVITY = 17
    SESSION_PARTICIPANTS = 18
    SESSION_MESSAGE = 19
    SESSION_NOTICE = 20
    SESSION_FOREGROUND = 21
    SESSION_SPEAKING = 22
    SESSION_INVITE = 23
    SESSION_CONSENT = 24
    SESSION_ACTIVATION = 25
    SESSION_WRITABLE = 27
    SESSION_SUCCESSION = 28
    SESSION_REQUEST = 29
    SESSION_IGNORED = 30
    COORDINATOR_PLAY = 48
    COORDINATOR_PAUSE = 49
    COORDINATOR_SEEK = 50
    COORDINATOR_BUFFER = 51
    COORDINATOR_PARTICIPANTS = 52
    COORDINATOR_SUSPENSIONS = 53
    COORDINATOR_TIMING = 54
    PLAYER_TIME_CONTROL = 80
    PLAYER_RATE = 81
    PLAYER_TIME_JUMPED = 82
    PLAYER_ITEM_STATE = 83
    PLAYER_ITEM_ENDED = 84
    PLAYER_SEEK_DONE = 85
    RENDERER_LOAD = 96
    RENDERER_CUE = 97
    RENDERER_PLAY = 98
    RENDERER_PAUSE = 99
    RENDERER_SEEK = 100
    RENDERER_NUDGE = 101
    RENDERER_VOLUME = 102
    RENDERER_SIZE = 103
    RENDERER_STOP = 104
    SURFACE_CHANGED = 128
    SURFACE_SKIPPED = 129
    SURFACE_WILL_BEGIN = 130
    SURFACE_WILL_END = 131
    SURFACE_RESTORE = 132
    NEARBY_JOIN_REQUESTED = 144
    NEARBY_JOIN_WITHDRAWN = 145
    NEARBY_FOUND = 146
    NEARBY_UPDATED = 147
    NEARBY_LOST = 148
    NEARBY_DIGITS = 149
    NEARBY_INVITE = 150
    NEARBY_FAILED = 151


class SessionState(IntEnum):
    WAITING = 0
    JOINED = 1
    INVALIDATED = 2


class Role(IntEnum):
    """What a participant is to the session; an owner changes roles and removes participants."""

    VIEWER = 1
    MEMBER = 2
    HOST = 3
    OWNER = 4


class ControlPolicy(IntEnum):
    """Who may command: all, hosts and owners, all but viewers."""

    EVERYONE = 0
    HOSTS_ONLY = 1
    MEMBERS = 2


class SuccessionRule(IntEnum):
    """Who stands in when no owner is there: nobody, those whom an owner named, or who has been there longest."""

    DEFAULT = 0
    NOBODY = 1
    NAMED = 2
    BY_SENIORITY = 3


class SuccessionStatus(IntEnum):
    ENDED = 0
    BEGAN = 1
    REFUSED = 2


class RequestKind(IntEnum):
    """What is asked of those who may command."""

    PAUSE = 0
    PLAY = 1
    SEEK = 2


class RequestStatus(IntEnum):
    OPEN = 0
    GRANTED = 1
    DECLINED = 2
    UNANSWERED = 3


class Platform(IntFlag):
    """Kinds of device; no bit at all means any."""

    ANY = 0
    OTHER = 1
    LINUX = 2
    MACOS = 4
    WINDOWS = 8
    ANDROID = 16
    IOS = 32
    TV = 64
    WEB = 128


class Intent(IntEnum):
    """What is asked of a device nearby."""

    UNKNOWN = 0
    JOIN = 1
    INVITE = 2


class Connection(IntEnum):
    NONE = 0
    CONNECTING = 1
    CONNECTED = 2
    RECONNECTING = 3


class TimingState(IntEnum):
    NONE = 0
    PAUSED = 1
    WAITING = 2
    PLAYING = 3


class ClockState(IntEnum):
    NONE = 0
    SYNCHRONIZING = 1
    SYNCHRONIZED = 2
    HOLDOVER = 3


class TimeControl(IntEnum):
    PAUSED = 0
    WAITING = 1
    PLAYING = 2


class WaitingReason(IntEnum):
    NONE = 0
    TO_MINIMIZE_STALLS = 1
    EVALUATING_BUFFERING_RATE = 2
    NO_ITEM = 3
    COORDINATED_PLAYBACK = 4
    INTERSTITIAL = 5


class ItemState(IntEnum):
    UNKNOWN = 0
    READY = 1
    FAILED = 2


class RateReason(IntEnum):
    SET_RATE_CALLED = 0
    SET_RATE_FAILED = 1
    INTERRUPTED = 2
    BACKGROUNDED = 3
    PARTICIPANT = 4
    LIVE_EDGE = 5
    ITEM_ENDED = 6


class RendererState(IntEnum):
    POSITION = 0
    READY = 1
    SEEKED = 2
    PLAYING = 3
    PAUSED = 4
    STALLED = 5
    RECOVERED = 6
    ENDED = 7
    FAILED = 8


class SurfaceKind(IntEnum):
    INLINE = 0
    PICTURE_IN_PICTURE = 1
    FULL_SCREEN = 2
    REMOTE = 3


class Cause(IntEnum):
    UNKNOWN = 0
    PLAY = 1
    PAUSE = 2
    SEEK = 3
    RATE = 4
    PROPOSAL = 5
    ITEM = 6
    REJOIN = 7
    REAPPLY = 8
    STALL = 9
    CLOCK = 10
    ENDED = 11


class NoticeKind(IntEnum):
    CUSTOM = 0
    PLAYED = 1
    PAUSED = 2
    SKIPPED = 3
    RATE_CHANGED = 4
    ITEM_CHANGED = 5
    QUEUE_CHANGED = 6
    LEFT_WAITING = 7
    #: Never received: for :func:`notice_text` alone, as the two after it.
    JOINED = 8
    LEFT = 9
    WAITED_FOR = 10


class ActivityType(IntEnum):
    """What a group does together. ALL is only for ``Context.forget_answers``."""

    ALL = -1
    GENERIC = 0
    WATCH_TOGETHER = 1
    LISTEN_TOGETHER = 2
    PLAY_TOGETHER = 3
    CREATE_TOGETHER = 4
    EXPLORE_TOGETHER = 5
    LEARN_TOGETHER = 6
    READ_TOGETHER = 7
    SHOP_TOGETHER = 8
    WORKOUT_TOGETHER = 9


class Activation(IntEnum):
    """What people say when asked about an activity: alone, with the group, not at all."""

    DISABLED = 0
    PREFERRED = 1
    CANCELLED = 2


class LogLevel(IntEnum):
    NONE = -1
    DEFAULT = 0
    ERROR = 1
    WARNING = 2
    INFO = 3
    DEBUG = 4


class Reason:
    """Standard reasons of suspensions; any other text of up to 127 bytes is as good."""

    AUDIO_SESSION_INTERRUPTED = "audio-session-interrupted"
    STALL_RECOVERY = "stall-recovery"
    PLAYING_INTERSTITIAL = "playing-interstitial"
    COORDINATED_PLAYBACK_NOT_POSSIBLE = "coordinated-playback-not-possible"
    USER_ACTION_REQUIRED = "user-action-required"
    USER_IS_CHANGING_CURRENT_TIME = "user-is-changing-current-time"


@dataclass(frozen=True)
class Activity:
    """What the group does together. ``payload`` is the application's own, up to 64 KiB."""

    identifier: str
    type: int = ActivityType.GENERIC
    title: Optional[str] = None
    subtitle: Optional[str] = None
    fallback_url: Optional[str] = None
    preview_image: bytes = b""
    payload: bytes = b""
    ends_with_initiator: bool = False
    supports_continuation: bool = False


@dataclass(frozen=True)
class Participant:
    """One device in the session. ``rate``, ``item_time`` at ``host_time``: as last reported by it."""

    id: bytes
    person: bytes
    display_name: str
    device_name: str
    item: Optional[str]
    connection: int
    suspension_reasons: Tuple[str, ...]
    role: int
    is_local: bool
    ready: bool
    speaking: bool
    rate: float
    item_time: Optional[int]
    host_time: Optional[int]
    round_trip: Optional[int]
    clock_error: Optional[int]


@dataclass(frozen=True)
class Clock:
    """The line of session time: session = session_time + rate * (host - host_time)."""

    state: int
    epoch: int
    host_time: int
    session_time: int
    rate: float
    error_bound: int
    error_growth: float


@dataclass(frozen=True)
class SessionStatistics:
    clock_state: int
    round_trip: Optional[int]
    round_trip_last: Optional[int]
    clock_offset: int
    clock_error: Optional[int]
    clock_drift_ppm: float
    probes_sent: int
    probes_received: int
    messages_sent: int
    messages_received: int
    bytes_sent: int
    bytes_received: int
    messages_refused: int
    reconnects: int
    hub_changes: int
    send_queue_bytes: int


@dataclass(frozen=True)
class CoordinatorStatistics:
    state: int
    commands_issued: int
    commands_completed: int
    commands_failed: int
    commands_superseded: int
    commands_overdue: int
    starts: int
    starts_late: int
    last_start_wait: int
    last_start_error: Optional[int]


@dataclass(frozen=True)
class HubStatistics:
    rooms: int
    connections: int
    frames_in: int
    frames_out: int
    bytes_in: int
    bytes_out: int
    refused: int
    closed_slow: int
    probes: int


@dataclass(frozen=True)
class Timing:
    """A line: position(h) = item_time + rate * (h - host_time). As a proposal, ``host_time`` None means now."""

    item_time: int = 0
    rate: float = 0.0
    host_time: Optional[int] = None
    state: int = TimingState.NONE
    error_bound: int = 0


@dataclass(frozen=True)
class WaitingFor:
    """``reason`` is "" while that participant is still preparing, else why it is suspended."""

    participant: bytes
    reason: str


@dataclass(frozen=True)
class Event:
    """The head of every event. ``source`` is the Session, Coordinator, ... it concerns; None: the context.
    ``issued_at`` is the host time at which the library issued it."""

    type: int
    source: Any = field(repr=False)
    issued_at: int


@dataclass(frozen=True)
class TimerEvent(Event):
    token: int
    due_host_time: int
    canceled: bool


@dataclass(frozen=True)
class OverflowEvent(Event):
    messages: int
    others: int


@dataclass(frozen=True)
class ErrorEvent(Event):
    """A call that succeeded at first and failed later."""

    status: int
    operation: str
    message: str

    @property
    def error(self) -> UnisonoError:
        return error_for(self.status, f"{self.operation}: {self.message}")


@dataclass(frozen=True)
class LogEvent(Event):
    level: int
    message: str


@dataclass(frozen=True)
class SessionStateChange(Event):
    state: int
    connection: int
    reason: int
    message: str
    hub: str
    """``host:port`` of the hub in use; empty: none."""
    hub_is_own: bool
    """It is the one in this process."""
    alone: bool
    """No other participant is in touch."""


@dataclass(frozen=True)
class ActivityChange(Event):
    originator: bytes
    activity: Optional[Activity]


@dataclass(frozen=True)
class Message(Event):
    """Another participant's bytes; ``sender`` is proven."""

    sender: bytes
    data: bytes
    reliable: bool


@dataclass(frozen=True)
class Notice(Event):
    """What ``originator`` did, for people to see. ``sentence`` says it in English: "Ann sought to 1:02:03"; the parts are for
    other languages. ``name``: of the originator, as known; ``amount``: ns, of a skip, and ``item_time`` where it led;
    ``rate``: the new one.

    ``kind`` is a :class:`NoticeKind`, or the plain number of one that only a newer library knows."""

    kind: int
    originator: bytes
    amount: int
    rate: float
    text: Optional[str]
    url: Optional[str]
    name: Optional[str]
    item_time: Optional[int]
    sentence: str


@dataclass(frozen=True)
class ForegroundRequest(Event):
    """``in_background``: this session was started without a window, which is asked for now."""

    participant: bytes
    in_background: bool


@dataclass(frozen=True)
class SpeakingChange(Event):
    participant: bytes
    speaking: bool


@dataclass(frozen=True)
class SuccessionChange(Event):
    """``deputy`` acts as owner, as none is there (BEGAN), or does not any more (ENDED), or says so while an owner is there
    (REFUSED)."""

    deputy: bytes
    status: int
    named: bool


@dataclass(frozen=True)
class RequestEvent(Event):
    """``asker`` asks for a command (OPEN: answer with ``Session.answer_request``), or what became of it."""

    number: int
    asker: bytes
    answerer: bytes
    status: int
    kind: int
    item_time: int
    item: str
    text: Optional[str]


@dataclass(frozen=True)
class Succession:
    """Who stands in when no owner was there for ``delay`` ns: the first of ``deputies`` who is. ``acting``: who does so
    now."""

    rule: int
    delay: int
    deputies: Tuple[bytes, ...]
    acting: Optional[bytes]


@dataclass(frozen=True)
class Ignored(Event):
    """``participant`` is ignored until ``until`` (host time), or with ``by_other`` says that it ignores this one; ``status``
    says why."""

    participant: bytes
    by_other: bool
    status: int
    until: int
    message: str


@dataclass(frozen=True)
class InviteChange(Event):
    invite: str


@dataclass(frozen=True)
class Consent(Event):
    """Is this activity to be begun with the group? Answer once."""

    request: int
    activity: Activity

    def answer(self, answer: int, *, remember: bool = False) -> None:
        self.source.answer_consent(self.request, answer, remember=remember)


@dataclass(frozen=True)
class ActivationAnswer(Event):
    request: int
    activity: Activity
    result: int
    remembered: bool


@dataclass(frozen=True)
class ParticipantsChange(Event):
    """``is_complete``: ``joined`` is the whole list."""

    is_complete: bool
    joined: Tuple[Participant, ...]
    updated: Tuple[Participant, ...]
    left: Tuple[Participant, ...]


@dataclass(frozen=True)
class Command(Event):
    """What the group asks of the player. Answer with ``complete()`` once it is really done, or ``fail()``.

    play: ``item_time`` holds at ``host_time`` (which may be past) and moves with ``rate``. pause: with ``snap`` go to
    ``item_time``, else stay where you stopped. seek: go to ``item_time`` and stand. buffer: get ready to start there.
    """

    id: int
    originator: bytes
    item: str
    rate: float
    item_time: int
    host_time: Optional[int]
    due_host_time: Optional[int]
    anticipated_rate: float
    is_local: bool
    snap: bool
    buffer_in_anticipation: bool
    cause: int

    def complete(self) -> None:
        coordinator: "Coordinator" = self.source
        coordinator.complete(self.id)

    def fail(self, status: int = Status.EINTERNAL) -> None:
        coordinator: "Coordinator" = self.source
        coordinator.fail(self.id, status)


@dataclass(frozen=True)
class TimingChange(Event):
    state: int
    cause: int
    originator: bytes
    item: Optional[str]
    rate: float
    item_time: int
    host_time: Optional[int]
    deadline: Optional[int]
    waiting_for: Tuple[WaitingFor, ...]


@dataclass(frozen=True)
class SuspensionsChange(Event):
    reasons: Tuple[str, ...]


@dataclass(frozen=True)
class RendererCommand(Event):
    """What a renderer is to do. Answer with ``done()`` once it is, or ``fail()``.

    load: get ``uri`` ready at ``item_time``. cue: stand at ``item_time``, ready to start at ``rate``. play: begin now at
    ``rate`` (exact renderers: so that ``item_time`` holds at ``host_time``). nudge: ``rate`` is a factor on top.
    """

    request: int
    item: Optional[str]
    uri: Optional[str]
    rate: float
    item_time: int
    host_time: Optional[int]
    tolerance_before: int
    tolerance_after: int
    volume: float
    width: int
    height: int

    def done(
        self, item_time: Optional[int] = None, host_time: Optional[int] = None, duration: Optional[int] = None
    ) -> None:
        """It is done; say where the renderer then is, if that is known."""
        state = _ANSWERS.get(self.type)
        if state is not None:
            player: "Player" = self.source
            player.report(state, request=self.request, item_time=item_time, host_time=host_time, duration=duration)

    def fail(self, status: int = Status.EINTERNAL, message: str = "") -> None:
        player: "Player" = self.source
        player.report(RendererState.FAILED, request=self.request, status=status, message=message)


_ANSWERS: Dict[int, RendererState] = {
    EventType.RENDERER_LOAD: RendererState.READY,
    EventType.RENDERER_CUE: RendererState.READY,
    EventType.RENDERER_PLAY: RendererState.PLAYING,
    EventType.RENDERER_PAUSE: RendererState.PAUSED,
    EventType.RENDERER_SEEK: RendererState.SEEKED,
}


@dataclass(frozen=True)
class PlayerEvent(Event):
    """How a player is. ``originator`` is all zero for what was done here; ``request`` and ``status`` belong to seeks."""

    time_control: int
    waiting_reason: int
    item_state: int
    rate_reason: int
    originator: bytes
    item: Optional[str]
    rate: float
    item_time: Optional[int]
    host_time: Optional[int]
    request: int
    status: int


@dataclass(frozen=True)
class SurfaceEvent(Event):
    """``start`` is None while there is nothing to play; ``duration`` None is unknown, TIME_INDEFINITE is live."""

    request: int
    is_paused: bool
    status: int
    start: Optional[int]
    duration: Optional[int]
    item_time: Optional[int]
    host_time: Optional[int]


@dataclass(frozen=True)
class PlayerStatistics:
    """Skews in nanoseconds, ahead of the group positive; None: not measured yet."""

    skew_last: Optional[int]
    skew_median: Optional[int]
    skew_p95: Optional[int]
    skew_maximum: Optional[int]
    nudges: int
    seeks: int
    stalls: int
    learnt_start_latency: int
    learnt_seek_cost: int


# ---- Copying out of the C structs --------------------------------------------------------------------------


@dataclass(frozen=True)
class NearbyEvent(Event):
    """Something about another device. Its texts are its own word until two people compared the digits."""

    device: int
    request: int = field(repr=False)
    device_name: str
    usage_description: str
    #: Of NEARBY_INVITE.
    invite: Optional[str] = field(repr=False)
    platform: Platform
    #: Of NEARBY_FAILED: why.
    status: int
    #: Six digits for both screens, never for a log.
    digits: str = field(repr=False)
    intent: int

    @property
    def error(self) -> Optional[UnisonoError]:
        if self.status >= 0:
            return None
        return error_for(self.status, text(_ffi.library().strerror(self.status)))


def known(kind: Type[IntEnum], value: int) -> int:
    """The member of an enumeration, or the plain number if a newer library sent one that is not in it."""
    try:
        return kind(value)
    except ValueError:
        return value


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


def activity_from(c: Any) -> Activity:
    import ctypes

    return Activity(
        identifier=text(c.identifier),
        type=known(ActivityType, c.type),
        title=text_or_none(c.title),
        subtitle=text_or_none(c.subtitle),
        fallback_url=text_or_none(c.fallback_url),
        preview_image=ctypes.string_at(c.preview_image, c.preview_image_length) if c.preview_image_length else b"",
        payload=ctypes.string_at(c.payload, c.payload_length) if c.payload_length else b"",
        ends_with_initiator=c.lifetime == 1,
        supports_continuation=bool(c.supports_continuation),
    )


def participant_from(c: Any) -> Participant:
    return Participant(
        id=identity(c.id),
        person=identity(c.person),
        display_name=text(c.display_name),
        device_name=text(c.device_name),
        item=text_or_none(c.item),
        connection=known(Connection, c.connection),
        suspension_reasons=texts(c.suspension_reasons, c.suspension_reason_count),
        role=known(Role, c.role),
        is_local=bool(c.is_local),
        ready=bool(c.ready),
        speaking=bool(c.speaking),
        rate=c.rate,
        item_time=time_or_none(c.item_time),
        host_time=time_or_none(c.host_time),
        round_trip=time_or_none(c.round_trip),
        clock_error=time_or_none(c.clock_error),
    )


def participants_from(array: Any, count: int) -> Tuple[Participant, ...]:
    return tuple(participant_from(array[i].contents) for i in range(count))


def waiting_from(array: Any, count: int) -> Tuple[WaitingFor, ...]:
    return tuple(WaitingFor(identity(array[i].participant), text(array[i].reason)) for i in range(count))


def plain(c: Any, kind: Any, optional: Tuple[str, ...] = ()) -> Any:
    """A dataclass whose fields have the names of the struct's fields."""
    values = {name: getattr(c, name) for name in kind.__dataclass_fields__}
    for name in optional:
        values[name] = time_or_none(values[name])
    return kind(**values)


def strings(values: List[str]) -> Tuple[Any, int]:
    """A C array of strings and its length; NULL when there is none."""
    from ctypes import c_char_p

    if not values:
        return None, 0
    return (c_char_p * len(values))(*[encoded(v) for v in values]), len(values)


def text_of(function: Callable[..., int], *arguments: Any, room: int) -> str:
    """Text from a getter of the form (..., buffer, length)."""
    buffer = ctypes.create_string_buffer(room)
    length = ctypes.c_size_t(room)
    check(function(*arguments, buffer, ctypes.byref(length)))
    return buffer.value.decode("utf-8", "replace")


def encoded(value: str) -> bytes:
    """UTF-8, refused when it has a NUL inside, which C would cut off silently."""
    data = value.encode("utf-8")
    if b"\0" in data:
        raise ValueError("text with a NUL inside cannot be given to the library")
    return data


def encoded_or_none(value: Optional[str]) -> Optional[bytes]:
    return None if value is None else encoded(value)
