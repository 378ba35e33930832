"""What a group and its members are: plain values, safe to keep. Names that end in ``_ns`` are whole nanoseconds; a time that
is not known is ``None``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from .enums import (
    ActivityType,
    ClockState,
    Connection,
    LeavingRule,
    Platform,
    RangeKind,
    Readiness,
    Role,
    SplitKind,
    StartRule,
    SuccessionRule,
    TimingState,
)


@dataclass(frozen=True)
class Activity:
    """What the group does together. ``payload`` is the application's own, up to 64 KiB."""

    identifier: str
    type: ActivityType = ActivityType.GENERIC
    title: Optional[str] = None
    subtitle: Optional[str] = None
    fallback_url: Optional[str] = None
    preview_image: bytes = b""
    payload: bytes = b""
    ends_with_initiator: bool = False
    supports_continuation: bool = False


@dataclass(frozen=True)
class Attachment:
    """Something that is offered to the group. ``id``: SHA-256 of the content, zeros while it has none; ``owner``: None where it was never
    offered; ``length``: bytes; ``name``: could be that of a file; ``available``: all of it is here, and others are given it."""

    id: bytes
    owner: Optional[bytes]
    length: int
    name: str
    media_type: str
    available: bool


@dataclass(frozen=True)
class ChatEntry:
    """Something said in writing, or a ``reaction`` (number 0). ``author``: proven by signature. ``said_ns``: host time; ``item``,
    ``item_time_ns``: what was on, and where; None: not known."""

    author: bytes
    number: int
    text: str
    name: Optional[str]
    reaction: bool
    said_ns: Optional[int]
    item: Optional[str]
    item_time_ns: Optional[int]


@dataclass(frozen=True)
class Copy:
    """What identifies the copy that somebody has of an item; None: not known. ``hash``: 32 bytes, see ``of_file``."""

    duration_ns: Optional[int] = None
    file_size: Optional[int] = None
    hash: Optional[bytes] = None


@dataclass(frozen=True)
class SkipRange:
    """A part of an entry that the group may leave out, of the group's item time; at least a second long."""

    begin_ns: int
    end_ns: int
    kind: RangeKind


@dataclass(frozen=True)
class PlaylistEntry:
    """An entry of the playlist. ``item``: what coordinators call it. ``copy``: how to recognise a copy of it. ``addresses``: where it
    can be had. ``ranges``: what the group may leave out."""

    id: bytes
    item: str
    title: Optional[str]
    copy: Optional[Copy]
    addresses: Tuple[str, ...]
    ranges: Tuple[SkipRange, ...] = ()


@dataclass(frozen=True)
class ScheduledStart:
    """A start at a time that the group agreed on. ``calendar_time_ns``: since 1970, by the clock of ``originator``; None: it did not
    say. ``originator`` None: this participant."""

    item: str
    host_time_ns: int
    calendar_time_ns: Optional[int]
    error_bound_ns: int
    originator: Optional[bytes]


@dataclass(frozen=True)
class ReactionCount:
    """One of an audience's reactions, and how many listeners reacted by it last, in the last 10 s: the hub's word."""

    reaction: str
    count: int


@dataclass(frozen=True)
class Playlist:
    """The playlist, in the order in which it is played. ``current``: id of the entry that the group is at, which may have been
    removed; None: nowhere yet."""

    entries: Tuple[PlaylistEntry, ...]
    current: Optional[bytes]


@dataclass(frozen=True)
class Participant:
    """One device in the session. ``rate``, ``item_time_ns`` at ``host_time_ns``: as last reported by it. ``failure``: the status
    with which its player failed, while it is suspended for that; 0 none. ``split``: in which ways it and this participant do not
    hear each other."""

    id: bytes
    person: bytes
    display_name: str
    device_name: str
    item: Optional[str]
    connection: Connection
    suspension_reasons: Tuple[str, ...]
    role: Role
    is_local: bool
    ready: bool
    speaking: bool
    rate: float
    item_time_ns: Optional[int]
    host_time_ns: Optional[int]
    round_trip_ns: Optional[int]
    clock_error_ns: Optional[int]
    failure: int = 0
    split: SplitKind = SplitKind.NONE
    #: What its person says of being ready; ``ready`` is its player's.
    readiness: Readiness = Readiness.NOT_SAID
    #: How far its copy is ahead of the group's item time.
    cut_offset_ns: int = 0
    #: It was not ready for two starts in a row, and none waits for it until it was ready for one.
    given_up: bool = False


@dataclass(frozen=True)
class StartPolicy:
    """What starts wait for beside players, and what happens when a person leaves; of the whole session."""

    start: StartRule = StartRule.AT_ONCE
    limit_ns: int = 0
    leaving: LeavingRule = LeavingRule.GO_ON


@dataclass(frozen=True)
class Clock:
    """The line of session time: session = session_time_ns + rate * (host - host_time_ns)."""

    state: ClockState
    epoch: int
    host_time_ns: int
    session_time_ns: int
    rate: float
    error_bound_ns: int
    error_growth: float


@dataclass(frozen=True)
class Timing:
    """A line: position(h) = item_time_ns + rate * (h - host_time_ns). As a proposal, ``host_time_ns`` None means now."""

    item_time_ns: int = 0
    rate: float = 0.0
    host_time_ns: Optional[int] = None
    state: TimingState = TimingState.NONE
    error_bound_ns: int = 0


@dataclass(frozen=True)
class WaitingFor:
    """``reason`` is "" while that participant is still preparing, else why it is suspended."""

    participant: bytes
    reason: str


@dataclass(frozen=True)
class Succession:
    """Who stands in when no owner was there for ``delay_ns``: the first of ``deputies`` who is. ``acting``: who does so now."""

    rule: SuccessionRule
    delay_ns: int
    deputies: Tuple[bytes, ...]
    acting: Optional[bytes]


@dataclass(frozen=True)
class Service:
    """What an application declares to devices nearby; both sides have to agree on it.

    ``identifier``: 1...63 bytes of a-z 0-9 - . ``usage_description``: what it is for, for people; 1...255 bytes.
    ``platforms``: those it works with. ``platform``: this device's; ANY: found out. ``device_name``: everybody on the
    network can read it; None: the context's."""

    identifier: str
    usage_description: str
    platforms: Platform = Platform.ANY
    platform: Platform = Platform.ANY
    device_name: Optional[str] = None


@dataclass(frozen=True)
class SessionStatistics:
    """Counters and clock figures of a session."""

    clock_state: ClockState
    round_trip_ns: Optional[int]
    round_trip_last_ns: Optional[int]
    clock_offset_ns: int
    clock_error_ns: Optional[int]
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
    checked_bound_ns: Optional[int]


@dataclass(frozen=True)
class CoordinatorStatistics:
    """Counters of a coordinator. ``last_start_error_ns``: reported position against expected."""

    state: TimingState
    commands_issued: int
    commands_completed: int
    commands_failed: int
    commands_superseded: int
    commands_overdue: int
    starts: int
    starts_late: int
    last_start_wait_ns: int
    last_start_error_ns: Optional[int]


@dataclass(frozen=True)
class HubStatistics:
    """Counters of a hub."""

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
class PlayerStatistics:
    """How far a player was from the group, ahead positive; None: not measured yet. And what was done about it."""

    skew_last_ns: Optional[int]
    skew_median_ns: Optional[int]
    skew_p95_ns: Optional[int]
    skew_maximum_ns: Optional[int]
    nudges: int
    seeks: int
    stalls: int
    learnt_start_latency_ns: int
    learnt_seek_cost_ns: int
