"""Enumerations and units: the numbers of unisono.h by name.

Enumerations grow: a number that only a newer library knows becomes a member named UNKNOWN_<number> of its enumeration.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import TypeVar

SECOND = 1_000_000_000
MILLISECOND = 1_000_000

_Open = TypeVar("_Open", bound="OpenEnum")


class OpenEnum(IntEnum):
    """An enumeration that keeps numbers which it does not know."""

    @classmethod
    def _missing_(cls, value: object) -> "OpenEnum":
        if not isinstance(value, int):
            raise ValueError(f"{value!r} is no {cls.__name__}")
        return cls._unknown(value)

    @classmethod
    def _unknown(cls: "type[_Open]", value: int) -> "_Open":
        member = int.__new__(cls, value)
        member._name_ = f"UNKNOWN_{value}"
        member._value_ = value
        return member


class EventType(OpenEnum):
    """Kinds of event in the queue. Each has a class of its own in ``unisono.events``."""

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
    SESSION_CLOCK_DOUBT = 31
    SESSION_ATTACHMENT = 26
    SESSION_SPLIT = 32
    SESSION_HUB_DOUBT = 33
    SESSION_AUDIENCE = 38
    SESSION_LISTENER = 39
    SESSION_SCHEDULE = 40
    SESSION_CHAT = 34
    SESSION_PLAYLIST = 36
    SESSION_COPY = 37
    COORDINATOR_PLAY = 48
    COORDINATOR_PAUSE = 49
    COORDINATOR_SEEK = 50
    COORDINATOR_BUFFER = 51
    COORDINATOR_PARTICIPANTS = 52
    COORDINATOR_SUSPENSIONS = 53
    COORDINATOR_TIMING = 54
    COORDINATOR_LISTENING = 55
    COORDINATOR_INVITED = 56
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


class Status(OpenEnum):
    """Result codes of the library."""

    OK = 0
    EINVAL = -101
    ENOMEM = -102
    ECLOSED = -103
    ESTATE = -104
    ETIMEDOUT = -105
    ENETWORK = -106
    EPROTOCOL = -107
    EVERSION = -108
    EAUTH = -109
    EDENIED = -110
    EFULL = -111
    ETOOBIG = -112
    ENOTFOUND = -113
    EBUSY = -114
    ECANCELED = -115
    EINTERNAL = -116
    ENOTSUP = -117
    EIO = -118
    EENDED = -119


class SessionState(OpenEnum):
    """A session waits to be in the group, is in it, or is over for good."""

    WAITING = 0
    JOINED = 1
    INVALIDATED = 2


class Role(OpenEnum):
    """What a participant is to the session; an owner changes roles and removes participants. DEFAULT is only asked for."""

    DEFAULT = 0
    VIEWER = 1
    MEMBER = 2
    HOST = 3
    OWNER = 4


class ControlPolicy(OpenEnum):
    """Who may command: all, hosts and owners, all but viewers."""

    EVERYONE = 0
    HOSTS_ONLY = 1
    MEMBERS = 2


class SuccessionRule(OpenEnum):
    """Who stands in when no owner is there: nobody, those whom an owner named, or who has been there longest."""

    DEFAULT = 0
    NOBODY = 1
    NAMED = 2
    BY_SENIORITY = 3


class AttachmentChange(OpenEnum):
    """What became of an attachment. ``FORGED``: bytes of somebody were not it, others are asked; ``LOST``: the own file that
    others were given has changed or is gone."""

    ADDED = 0
    REMOVED = 1
    PROGRESS = 2
    LOADED = 3
    FAILED = 4
    FORGED = 5
    LOST = 6


class SuccessionStatus(OpenEnum):
    """A deputy stands in no more, does now, or says so while an owner is there."""

    ENDED = 0
    BEGAN = 1
    REFUSED = 2


class RequestKind(OpenEnum):
    """What is asked of those who may command."""

    PAUSE = 0
    PLAY = 1
    SEEK = 2


class RequestStatus(OpenEnum):
    """What became of a request."""

    OPEN = 0
    GRANTED = 1
    DECLINED = 2
    UNANSWERED = 3


class Difference(IntFlag):
    """What of two copies differs; 0: nothing. CONTAINER: they are of the same length all the same, as far as can be told only packed
    otherwise."""

    NONE = 0
    DURATION = 1
    SIZE = 2
    HASH = 4
    CONTAINER = 8


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


class SplitKind(IntFlag):
    """In which way two participants do not hear each other."""

    NONE = 0
    #: Others hear it, this participant does not.
    UNHEARD = 1
    #: It hears others, and not this participant, as it says.
    DEAF = 2
    #: It is at the hub and speaks, and nothing of it can be read here.
    UNREADABLE = 4


class ScheduleStatus(OpenEnum):
    """What becomes of a scheduled start."""

    SET = 0
    CANCELED = 1
    REMAINING = 2
    DUE = 3


class HubDoubtReason(OpenEnum):
    """Why a hub is in doubt (CLOCK, SPLIT) or was set aside."""

    CLOCK = 1
    SPLIT = 2
    IDENTITY = 3
    REFUSAL = 4
    REPLACEMENT = 5


class Intent(OpenEnum):
    """What is asked of a device nearby."""

    UNKNOWN = 0
    JOIN = 1
    INVITE = 2


class Connection(OpenEnum):
    """The link of a session."""

    NONE = 0
    CONNECTING = 1
    CONNECTED = 2
    RECONNECTING = 3


class TimingState(OpenEnum):
    """What the group does with an item. NONE: there is no timing for it yet."""

    NONE = 0
    PAUSED = 1
    WAITING = 2
    PLAYING = 3


class ClockState(OpenEnum):
    """How well the group's clock is known. HOLDOVER: from before, while there is no link."""

    NONE = 0
    SYNCHRONIZING = 1
    SYNCHRONIZED = 2
    HOLDOVER = 3


class TimeControl(OpenEnum):
    """Whether a player plays."""

    PAUSED = 0
    WAITING = 1
    PLAYING = 2


class WaitingReason(OpenEnum):
    """Why a player waits."""

    NONE = 0
    TO_MINIMIZE_STALLS = 1
    EVALUATING_BUFFERING_RATE = 2
    NO_ITEM = 3
    COORDINATED_PLAYBACK = 4
    INTERSTITIAL = 5


class ItemState(OpenEnum):
    """Whether a player's item can be played."""

    UNKNOWN = 0
    READY = 1
    FAILED = 2


class RateReason(OpenEnum):
    """Why a player's rate changed."""

    SET_RATE_CALLED = 0
    SET_RATE_FAILED = 1
    INTERRUPTED = 2
    BACKGROUNDED = 3
    PARTICIPANT = 4
    LIVE_EDGE = 5
    ITEM_ENDED = 6


class RendererState(OpenEnum):
    """What a renderer reports."""

    POSITION = 0
    READY = 1
    SEEKED = 2
    PLAYING = 3
    PAUSED = 4
    STALLED = 5
    RECOVERED = 6
    ENDED = 7
    FAILED = 8


class SurfaceKind(OpenEnum):
    """Where a player is shown and controlled."""

    INLINE = 0
    PICTURE_IN_PICTURE = 1
    FULL_SCREEN = 2
    REMOTE = 3


class Cause(OpenEnum):
    """What brought a command or a change of the group's timing about."""

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
    LEFT = 12
    RANGE = 13


class Readiness(OpenEnum):
    """What a person says of being ready: ``Coordinator.set_ready``."""

    NOT_SAID = 0
    READY = 1
    NOT_READY = 2


class StartRule(OpenEnum):
    """Which starts wait until all persons have said that they are ready: ``Coordinator.set_start_policy``."""

    AT_ONCE = 0
    FIRST_WHEN_READY = 1
    WHEN_READY = 2


class LeavingRule(OpenEnum):
    """What the running group does when a person leaves: ``Coordinator.set_start_policy``."""

    GO_ON = 0
    PAUSE = 1


class Motion(OpenEnum):
    """What a player with controls of its own does, and says of itself: ``Coordinator.is_wish``."""

    RUNNING = 1
    RATE = 2
    SEEKING = 3


class ActionAtEnd(OpenEnum):
    """What happens when an item is played to its end: ``Coordinator.set_action_at_end``."""

    ADVANCE = 0
    PAUSE = 1
    NONE = 2


class RangeKind(OpenEnum):
    """What a range of an entry is: ``SkipRange.kind``; several of them are what a group leaves out."""

    INTRO = 1
    RECAP = 2
    CREDITS = 4
    OTHER = 8


class NoticeKind(OpenEnum):
    """What a notice tells. From ``JOINED`` on the library tells them by itself, and they cannot be posted; ``WAITED_FOR`` is
    never received: it is for ``notice_text``."""

    CUSTOM = 0
    PLAYED = 1
    PAUSED = 2
    SKIPPED = 3
    RATE_CHANGED = 4
    ITEM_CHANGED = 5
    QUEUE_CHANGED = 6
    LEFT_WAITING = 7
    JOINED = 8
    LEFT = 9
    WAITED_FOR = 10
    PRESENT = 11
    ELSEWHERE = 12
    RANGE_SKIPPED = 13


class ActivityType(OpenEnum):
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


class AudienceState(OpenEnum):
    """Whether the audience that a participant opened is there."""

    CLOSED = 0
    OPENING = 1
    OPEN = 2


class ListenerWord(OpenEnum):
    """What somebody of an audience says to hosts: that it wants to speak, or something in writing."""

    ASKS = 1
    SAYS = 2


class ListeningStatus(OpenEnum):
    """How a coordinator follows an audience. SILENT: nobody of the group speaks; what was heard last goes on. OVER: it is on its own."""

    CONNECTING = 1
    FOLLOWING = 2
    SILENT = 3
    OVER = 4


class Activation(OpenEnum):
    """What people say when asked about an activity: alone, with the group, not at all."""

    DISABLED = 0
    PREFERRED = 1
    CANCELLED = 2


class LogLevel(OpenEnum):
    """How much the library logs. DEFAULT: WARNING."""

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
    #: Of ``waiting_for`` only: the person has not said that it is ready.
    NOT_READY = "not-ready"
