"""What happens: a class for each kind of event, and ``Event``, which is one of them. Plain values, safe to keep.

Tell them apart with ``isinstance`` or ``match``; a type checker then knows what each has. Names that end in ``_ns`` are whole
nanoseconds; a time that is not known is ``None``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Optional, Protocol, Tuple, Union

from .enums import (
    AttachmentChange,
    Activation,
    AudienceState,
    Cause,
    Connection,
    Difference,
    HubDoubtReason,
    ScheduleStatus,
    Intent,
    ItemState,
    ListenerWord,
    ListeningStatus,
    LogLevel,
    NoticeKind,
    Platform,
    RateReason,
    RendererState,
    RequestKind,
    RequestStatus,
    SessionState,
    Status,
    SplitKind,
    SuccessionStatus,
    TimeControl,
    TimingState,
    WaitingReason,
)
from .errors import UnisonoError, error_for
from .values import Activity, Attachment, ChatEntry, Copy, Participant, ReactionCount, ScheduledStart, WaitingFor

# ---- Whom answers go to ------------------------------------------------------------------------------------


class CommandSource(Protocol):
    """Takes the answers to commands: a coordinator."""

    def complete(self, command_id: int) -> None:
        """The command is done."""

    def fail(self, command_id: int, status: int = Status.EINTERNAL) -> None:
        """The command cannot be done."""


class RendererSource(Protocol):
    """Takes the answers to a renderer's commands: a player."""

    def report(
        self,
        state: RendererState,
        *,
        request: int = 0,
        item_time_ns: Optional[int] = None,
        host_time_ns: Optional[int] = None,
        duration_ns: Optional[int] = None,
        status: int = 0,
        message: str = "",
    ) -> None:
        """What the renderer says."""


class ConsentSource(Protocol):
    """Takes a person's answer about an activity: a session."""

    def answer_consent(self, request: int, answer: Activation, *, remember: bool = False) -> None:
        """The person's answer."""


class JoinSource(Protocol):
    """Takes a person's answer to somebody who asks: an advertiser."""

    def answer_join(self, request: int, accept: bool) -> None:
        """The person's answer."""


class Gone:
    """The source of an event whose object was closed meanwhile: an answer to it is a ClosedError."""

    def _refuse(self, *_: object, **__: object) -> None:
        raise error_for(Status.ECLOSED, "what this event is of was closed before")

    complete = fail = report = answer_consent = answer_join = _refuse


# ---- Of the context ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class EventBase:
    """The head of every event. ``source`` is the Session, Coordinator, ... it concerns; None: the context.
    ``issued_at_ns`` is the host time at which the library issued it."""

    source: object = field(repr=False)
    issued_at_ns: int


@dataclass(frozen=True)
class TimerEvent(EventBase):
    """Of ``Context.call_at``, once for each: due, or ``canceled``."""

    token: int
    due_host_time_ns: int
    canceled: bool


@dataclass(frozen=True)
class OverflowEvent(EventBase):
    """So many events were dropped here, as nobody fetched them. Commands never are."""

    messages: int
    others: int


@dataclass(frozen=True)
class ErrorEvent(EventBase):
    """A call that succeeded at first was refused later. ``operation``: the function's name in the header."""

    status: Status
    operation: str
    message: str

    @property
    def error(self) -> UnisonoError:
        """The same as an exception."""
        return error_for(self.status, f"{self.operation}: {self.message}")


@dataclass(frozen=True)
class LogEvent(EventBase):
    """A line of the library's log; it goes to the logger ``unisono`` by itself."""

    level: LogLevel
    message: str


@dataclass(frozen=True)
class Released(EventBase):
    """The last event of its source."""


@dataclass(frozen=True)
class UnknownEvent(EventBase):
    """Something that only a newer library knows; ``type`` is its number."""

    type: int


# ---- Of a session ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SessionStateChange(EventBase):
    """``reason``: why it is over, or is not connected; OK after ``leave``. ``message``: the same for people."""

    state: SessionState
    connection: Connection
    reason: Status
    message: str
    hub: str
    """``host:port`` of the hub in use; empty: none."""
    hub_is_own: bool
    """It is the one in this process."""
    alone: bool
    """No other participant is in touch."""
    closed: bool = False
    """An owner closed the group: nobody new is let in."""


@dataclass(frozen=True)
class ActivityChange(EventBase):
    """The group does something else; None: nothing any more. ``is_local``: this participant set it."""

    originator: bytes
    activity: Optional[Activity]
    is_local: bool


@dataclass(frozen=True)
class ParticipantsChange(EventBase):
    """Who came, changed and left. ``is_complete``: ``joined`` is the whole list. Told of a session and, without the local
    one, of its coordinator: see ``source``."""

    is_complete: bool
    joined: Tuple[Participant, ...]
    updated: Tuple[Participant, ...]
    left: Tuple[Participant, ...]


@dataclass(frozen=True)
class Message(EventBase):
    """Another participant's bytes; ``sender`` is proven. ``type`` and ``version``: what the bytes are; "" and 0: not said."""

    sender: bytes
    data: bytes
    reliable: bool
    type: str
    version: int
    #: The place that it waited for (``send_at``); "": none.
    item: str = ""
    item_time_ns: int = 0


@dataclass(frozen=True)
class Notice(EventBase):
    """What ``originator`` did, for people to see. ``sentence`` says it in English: "Ann sought to 1:02:03"; the parts are for
    other languages. ``name``: of the originator, as known; ``amount_ns``: of a skip, and ``item_time_ns`` where it led;
    ``rate``: the new one; ``coordinator``: the name of the one on whose items it was done, None: the session's first one, or none."""

    kind: NoticeKind
    originator: bytes
    amount_ns: int
    rate: float
    text: Optional[str]
    url: Optional[str]
    name: Optional[str]
    item_time_ns: Optional[int]
    sentence: str
    coordinator: Optional[str] = None


@dataclass(frozen=True)
class ForegroundRequest(EventBase):
    """``in_background``: this session was started without a window, which is asked for now."""

    participant: bytes
    in_background: bool


@dataclass(frozen=True)
class SpeakingChange(EventBase):
    """Somebody began to speak, or ceased."""

    participant: bytes
    speaking: bool


@dataclass(frozen=True)
class SuccessionChange(EventBase):
    """``deputy`` acts as owner, as none is there (BEGAN), or does not any more (ENDED), or says so while an owner is there
    (REFUSED). ``named``: by an owner, not by seniority."""

    deputy: bytes
    status: SuccessionStatus
    named: bool


@dataclass(frozen=True)
class CommandRequest(EventBase):
    """``asker`` asks for a command (OPEN: answer with ``Session.answer_request``), or what became of it."""

    number: int
    asker: bytes
    answerer: bytes
    status: RequestStatus
    kind: RequestKind
    item_time_ns: int
    item: str
    text: Optional[str]


@dataclass(frozen=True)
class Ignored(EventBase):
    """``participant`` is ignored until ``until_ns`` (host time), or with ``by_other`` says that it ignores this one; ``status``
    says why, ``message`` the same for people."""

    participant: bytes
    by_other: bool
    status: Status
    until_ns: int
    message: str


@dataclass(frozen=True)
class ClockDoubt(EventBase):
    """The clock of ``participant`` is in doubt, or with ``over`` is not any more: compared past the hub, it contradicts the
    others'. ``own``: it is this one's. ``offset_ns``: that clock less the one that it was compared with. ``message``: the same
    for people."""

    participant: bytes
    own: bool
    over: bool
    offset_ns: int
    hub: str
    message: str


@dataclass(frozen=True)
class Split(EventBase):
    """``participant`` and this one do not hear each other, though both are at the hub, or with ``over`` do again. ``kind``: one
    way. UNREADABLE: it may be somebody who is in no list. ``since_ns``: host time at which it was found first. ``message``: the
    same for people."""

    participant: bytes
    kind: SplitKind
    over: bool
    since_ns: int
    hub: str
    message: str


@dataclass(frozen=True)
class HubDoubt(EventBase):
    """The hub at ``hub`` does not do as it should: with CLOCK and SPLIT it is the last choice from now on, until the event comes
    with ``over``; else it is left alone until ``until_ns``, host time. ``message``: the same for people."""

    hub: str
    reason: HubDoubtReason
    over: bool
    until_ns: Optional[int]
    message: str


@dataclass(frozen=True)
class AttachmentEvent(EventBase):
    """What became of an attachment. ``request``: of the own ``attach``, 0: of none; ``transferred``: bytes that are here;
    ``participant``: whose bytes were not it, None: nobody knows; ``status``, ``message``: why it failed."""

    change: AttachmentChange
    attachment: Attachment
    request: int
    transferred: int
    participant: Optional[bytes]
    status: Status
    message: str


@dataclass(frozen=True)
class ScheduleChange(EventBase):
    """A scheduled start was set or called off, comes nearer or is due."""

    change: ScheduleStatus
    start: ScheduledStart
    remaining_ns: int


@dataclass(frozen=True)
class AudienceChange(EventBase):
    """The session's audience is in another state, or of another size. ``listeners`` is the hub's word, and so is
    ``left_out``: how often it did not pass on what a listener said, as there was too much; ``ready``: how many are ready for the start
    that waits for them; and the counts of ``reactions``. ``reason``: why it is closed, or not open yet, for people."""

    state: AudienceState
    listeners: int
    left_out: int
    reason: str
    ready: int = 0
    reactions: Tuple[ReactionCount, ...] = ()


@dataclass(frozen=True)
class ListenerNews(EventBase):
    """Somebody of the audience that this participant speaks to asks to speak (``Session.invite_listener``), or says something. Who it is
    nobody knows; ``listener`` stays the same as long as it listens."""

    listener: bytes
    word: ListenerWord
    text: str


@dataclass(frozen=True)
class Invited(EventBase):
    """A coordinator that listens, and asked to speak, is invited into the session: ``invite`` is for ``Session.open``."""

    invite: str


@dataclass(frozen=True)
class ListeningChange(EventBase):
    """How it is with the audience that a coordinator listens to, all of it. ``item``: what the group is at, to be loaded and
    transitioned to; None: nothing, or not known. ``listeners``: to two digits, the hub's word; 0: not known. ``clock_doubt``: the group's
    signed times contradict the hub's; ``reason`` says by how much at least. ``clock_ahead_ns``, ``clock_behind_ns``: how far the player may
    be before and after the group at most, whatever the hub says of the time; None: not bounded yet. ``reactions``: by which one may react
    (``Coordinator.react``), and how many did, to two digits, the hub's word."""

    status: ListeningStatus
    listeners: int
    item: Optional[str]
    activity: Optional[Activity]
    reason: str
    clock_ahead_ns: Optional[int] = None
    clock_behind_ns: Optional[int] = None
    clock_doubt: bool = False
    reactions: Tuple[ReactionCount, ...] = ()


@dataclass(frozen=True)
class Chat(EventBase):
    """Something that was said in writing, or a reaction; the own ones, too. ``is_history``: it was said before this one came, or
    while it was away."""

    entry: ChatEntry
    own: bool
    is_history: bool


@dataclass(frozen=True)
class PlaylistChange(EventBase):
    """The playlist, or where the group is in it, changed; the own changes, too. ``current_changed``: the host loads ``item`` and makes a
    transition to it, proposing to play with ``by_end``: the one before had ended. ``originator``: who brought the group there; None:
    this participant, or nobody."""

    entries_changed: bool
    current_changed: bool
    by_end: bool
    current: Optional[bytes]
    originator: Optional[bytes]
    item: Optional[str]


@dataclass(frozen=True)
class CopyComparison(EventBase):
    """Another participant's copy of the current entry, compared with the own one, as far as both are known; told once, and again when
    something else ``differs``. ``copy``: the other's, as it says. ``message``: the same for people."""

    participant: bytes
    entry: bytes
    differs: Difference
    copy: Copy
    message: str


@dataclass(frozen=True)
class InviteChange(EventBase):
    """The invite to pass on is another one."""

    invite: str


@dataclass(frozen=True)
class Writable(EventBase):
    """After a BusyError of ``Session.send``: there is room again."""


@dataclass(frozen=True)
class Consent(EventBase):
    """Is this activity to be begun with the group? Answer once."""

    source: ConsentSource = field(repr=False)
    request: int
    activity: Activity

    def answer(self, answer: Activation, *, remember: bool = False) -> None:
        """What the person says; ``remember``: for every activity of this type."""
        self.source.answer_consent(self.request, answer, remember=remember)


@dataclass(frozen=True)
class ActivationAnswer(EventBase):
    """What came of ``Session.prepare_for_activation``; ``remembered``: it is a remembered answer.
    Alone in the session nobody is asked: DISABLED."""

    request: int
    activity: Activity
    result: Activation
    remembered: bool


# ---- Of a coordinator --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Command(EventBase):
    """What the group asks of the player. Answer with ``complete()`` once it is really done, or ``fail()``. A newer command
    replaces one that is still being worked on, whose answer then counts for nothing.

    ``originator`` is all zero for what was done here, or is sent again."""

    source: CommandSource = field(repr=False)
    id: int
    originator: bytes
    item: str
    item_time_ns: int
    is_local: bool
    cause: Cause

    def complete(self) -> None:
        """It is really done: the others may be waiting."""
        self.source.complete(self.id)

    def fail(self, status: int = Status.EINTERNAL) -> None:
        """It cannot be done; the others see this player as suspended."""
        self.source.fail(self.id, status)


@dataclass(frozen=True)
class PlayCommand(Command):
    """``item_time_ns`` holds at ``host_time_ns``, which may be past, and moves with ``rate``."""

    rate: float
    host_time_ns: int


@dataclass(frozen=True)
class PauseCommand(Command):
    """Stop. With ``snap`` go to ``item_time_ns``, else stay where you stopped."""

    snap: bool


@dataclass(frozen=True)
class SeekCommand(Command):
    """Go to ``item_time_ns`` and stand. ``buffer_in_anticipation``: also get ready for ``anticipated_rate`` before completing."""

    buffer_in_anticipation: bool
    anticipated_rate: float
    due_host_time_ns: Optional[int]


@dataclass(frozen=True)
class BufferCommand(Command):
    """Stand at ``item_time_ns`` and get ready to start there with ``anticipated_rate``; without a due time nobody has asked yet."""

    anticipated_rate: float
    due_host_time_ns: Optional[int]


@dataclass(frozen=True)
class TimingChange(EventBase):
    """What the group does now. ``deadline_ns``: when waiting ends at the latest; ``waiting_for``: whom it waits for."""

    state: TimingState
    cause: Cause
    originator: bytes
    item: Optional[str]
    rate: float
    item_time_ns: int
    host_time_ns: Optional[int]
    deadline_ns: Optional[int]
    waiting_for: Tuple[WaitingFor, ...]


@dataclass(frozen=True)
class SuspensionsChange(EventBase):
    """Why this player is apart from the group; empty: it is not."""

    reasons: Tuple[str, ...]


# ---- Of a renderer -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RendererCommand(EventBase):
    """What a renderer is to do with ``item``."""

    source: RendererSource = field(repr=False)
    request: int
    item: Optional[str]


@dataclass(frozen=True)
class RendererTask(RendererCommand):
    """Is answered: ``done()`` once it is, or ``fail()``. A newer one replaces one that is under way."""

    _answer: ClassVar[RendererState]

    def done(
        self,
        item_time_ns: Optional[int] = None,
        host_time_ns: Optional[int] = None,
        *,
        duration_ns: Optional[int] = None,
    ) -> None:
        """It is done; say where the renderer then is, if that is known."""
        self.source.report(
            self._answer,
            request=self.request,
            item_time_ns=item_time_ns,
            host_time_ns=host_time_ns,
            duration_ns=duration_ns,
        )

    def fail(self, status: int = Status.EINTERNAL, message: str = "") -> None:
        """It cannot be done; ``message`` says why, for people."""
        self.source.report(RendererState.FAILED, request=self.request, status=status, message=message)


@dataclass(frozen=True)
class RendererLoad(RendererTask):
    """Get ``uri`` ready, standing at ``item_time_ns``."""

    _answer = RendererState.READY
    uri: str
    item_time_ns: int


@dataclass(frozen=True)
class RendererCue(RendererTask):
    """Stand at ``item_time_ns``, ready to start at ``rate``."""

    _answer = RendererState.READY
    rate: float
    item_time_ns: int


@dataclass(frozen=True)
class RendererPlay(RendererTask):
    """Begin now at ``rate``; with ``exact_start`` so that ``item_time_ns`` holds at ``host_time_ns``."""

    _answer = RendererState.PLAYING
    rate: float
    item_time_ns: int
    host_time_ns: Optional[int]


@dataclass(frozen=True)
class RendererPause(RendererTask):
    """Stop where you are."""

    _answer = RendererState.PAUSED


@dataclass(frozen=True)
class RendererSeek(RendererTask):
    """Go to ``item_time_ns``, and play on from there if you play. So far off is good enough where that is faster."""

    _answer = RendererState.SEEKED
    item_time_ns: int
    tolerance_before_ns: int
    tolerance_after_ns: int


@dataclass(frozen=True)
class RendererNudge(RendererCommand):
    """Change the speed by ``factor``, on top of what is played at; 1 ends it."""

    factor: float


@dataclass(frozen=True)
class RendererVolume(RendererCommand):
    """0...1, lowered while others speak."""

    volume: float


@dataclass(frozen=True)
class RendererSize(RendererCommand):
    """The size it is shown at, pixels."""

    width: int
    height: int


@dataclass(frozen=True)
class RendererStop(RendererCommand):
    """Nothing plays any more; what was loaded can go."""


# ---- Of a player -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlayerEvent(EventBase):
    """How a player is. ``originator`` is all zero for what was done here."""

    time_control: TimeControl
    waiting_reason: WaitingReason
    item_state: ItemState
    originator: bytes
    item: Optional[str]
    rate: float
    item_time_ns: Optional[int]
    host_time_ns: Optional[int]


@dataclass(frozen=True)
class PlayerTimeControlChange(PlayerEvent):
    """It plays, waits or stands: ``time_control``."""


@dataclass(frozen=True)
class PlayerRateChange(PlayerEvent):
    """It plays at another ``rate``, and why."""

    reason: RateReason


@dataclass(frozen=True)
class PlayerTimeJump(PlayerEvent):
    """It goes to another place: ``item_time_ns``."""


@dataclass(frozen=True)
class PlayerItemStateChange(PlayerEvent):
    """Its item can be played, or failed: ``status`` says why."""

    status: Status


@dataclass(frozen=True)
class PlayerItemEnd(PlayerEvent):
    """Its item was played to the end."""


@dataclass(frozen=True)
class PlayerSeekDone(PlayerEvent):
    """Answers ``Player.seek``: OK, or ECANCELED by a newer one."""

    request: int
    status: Status


# ---- Of a surface ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SurfaceEvent(EventBase):
    """``start_ns`` is None while there is nothing to play; ``duration_ns`` None is unknown, TIME_INDEFINITE is live."""

    is_paused: bool
    start_ns: Optional[int]
    duration_ns: Optional[int]
    item_time_ns: Optional[int]
    host_time_ns: Optional[int]


@dataclass(frozen=True)
class SurfaceChange(SurfaceEvent):
    """What it shows is another thing."""


@dataclass(frozen=True)
class SurfaceSkipDone(SurfaceEvent):
    """Answers ``Surface.skip_by``."""

    request: int
    status: Status


@dataclass(frozen=True)
class SurfaceWillBegin(SurfaceEvent):
    """It is about to be shown."""


@dataclass(frozen=True)
class SurfaceWillEnd(SurfaceEvent):
    """It is about to go; ``status`` is OK when the window was restored."""

    status: Status


@dataclass(frozen=True)
class SurfaceRestore(SurfaceEvent):
    """The window is wanted back: answer with ``Surface.complete_restore(request, ...)``."""

    request: int


# ---- Of devices nearby -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NearbyEvent(EventBase):
    """Something about another device. Its texts are its own word until two people compared the digits."""

    device: int
    device_name: str
    usage_description: str
    platform: Platform
    intent: Intent


@dataclass(frozen=True)
class NearbyJoinRequested(NearbyEvent):
    """Somebody asks. Answer once, until ``request`` is withdrawn; afterwards an answer is a ClosedError. ``digits``: six, for
    both screens, never for a log."""

    source: JoinSource = field(repr=False)
    request: int = field(repr=False)
    digits: str = field(repr=False)

    def accept(self) -> None:
        """Let it in, or come."""
        self.source.answer_join(self.request, True)

    def deny(self) -> None:
        """No; the asker sees a time-out."""
        self.source.answer_join(self.request, False)


@dataclass(frozen=True)
class NearbyJoinWithdrawn(NearbyEvent):
    """That ``request`` is not open any more."""

    request: int = field(repr=False)


@dataclass(frozen=True)
class NearbyFound(NearbyEvent):
    """A device that may be asked for ``intent``."""


@dataclass(frozen=True)
class NearbyUpdated(NearbyEvent):
    """It says something else of itself."""


@dataclass(frozen=True)
class NearbyLost(NearbyEvent):
    """It is not there any more."""


@dataclass(frozen=True)
class NearbyDigits(NearbyEvent):
    """Show these ``digits``, six for both screens, never for a log; then ``Browser.confirm``."""

    digits: str = field(repr=False)


@dataclass(frozen=True)
class NearbyInvite(NearbyEvent):
    """The invite for ``Session.open``, or that the own one was handed over."""

    invite: Optional[str] = field(repr=False)


@dataclass(frozen=True)
class NearbyFailed(NearbyEvent):
    """Nothing came of it."""

    status: Status
    message: str

    @property
    def error(self) -> UnisonoError:
        """The same as an exception."""
        return error_for(self.status, self.message)


#: What ``Context.next_event``, ``events`` and ``stream`` give: one of these.
Event = Union[
    TimerEvent,
    OverflowEvent,
    ErrorEvent,
    LogEvent,
    Released,
    UnknownEvent,
    SessionStateChange,
    ActivityChange,
    ParticipantsChange,
    Message,
    Notice,
    ForegroundRequest,
    SpeakingChange,
    SuccessionChange,
    CommandRequest,
    Ignored,
    ClockDoubt,
    Split,
    HubDoubt,
    ScheduleChange,
    AudienceChange,
    ListenerNews,
    AttachmentEvent,
    Chat,
    PlaylistChange,
    CopyComparison,
    InviteChange,
    Writable,
    Consent,
    ActivationAnswer,
    PlayCommand,
    PauseCommand,
    SeekCommand,
    BufferCommand,
    TimingChange,
    SuspensionsChange,
    ListeningChange,
    Invited,
    RendererLoad,
    RendererCue,
    RendererPlay,
    RendererPause,
    RendererSeek,
    RendererNudge,
    RendererVolume,
    RendererSize,
    RendererStop,
    PlayerTimeControlChange,
    PlayerRateChange,
    PlayerTimeJump,
    PlayerItemStateChange,
    PlayerItemEnd,
    PlayerSeekDone,
    SurfaceChange,
    SurfaceSkipDone,
    SurfaceWillBegin,
    SurfaceWillEnd,
    SurfaceRestore,
    NearbyJoinRequested,
    NearbyJoinWithdrawn,
    NearbyFound,
    NearbyUpdated,
    NearbyLost,
    NearbyDigits,
    NearbyInvite,
    NearbyFailed,
]
