"""The session: a group of participants, found through an invite."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, List, Optional, Sequence, Tuple

from . import _ffi
from . import types as t
from .context import Context, logger
from .errors import check


def _c_identity(identity: bytes) -> _ffi.ParticipantID:
    if len(identity) != 16:
        raise ValueError("a participant's id has 16 bytes")
    return _ffi.ParticipantID.from_buffer_copy(identity)


def _c_activity(activity: t.Activity) -> _ffi.Activity:
    """The struct keeps references to the bytes given to it, as far as ctypes needs: keep it until the call returned."""
    image = ctypes.create_string_buffer(activity.preview_image, max(1, len(activity.preview_image)))
    payload = ctypes.create_string_buffer(activity.payload, max(1, len(activity.payload)))
    c = _ffi.Activity(
        type=activity.type,
        identifier=t.encoded(activity.identifier),
        title=t.encoded_or_none(activity.title),
        subtitle=t.encoded_or_none(activity.subtitle),
        fallback_url=t.encoded_or_none(activity.fallback_url),
        preview_image=ctypes.addressof(image) if activity.preview_image else None,
        preview_image_length=len(activity.preview_image),
        payload=ctypes.addressof(payload) if activity.payload else None,
        payload_length=len(activity.payload),
        lifetime=int(activity.ends_with_initiator),
        supports_continuation=int(activity.supports_continuation),
    )
    c._buffers = (image, payload)
    return c


class Session:
    """Made by ``Session.host`` or ``Session.open``, then ``join``.

    Handlers are attributes, called with one event each: ``on_state``, ``on_activity``, ``on_participants``,
    ``on_message``, ``on_notice``, ``on_foreground_request``, ``on_speaking``, ``on_ignored``, ``on_invite``,
    ``on_consent``, ``on_activation``, ``on_succession``, ``on_request``, ``on_writable``, ``on_error``. Whoever prefers
    iterating finds the same events in ``Context.events``.
    """

    def __init__(self, context: Context, handle: int) -> None:
        self.context = context
        self._handle = handle
        self._library = _ffi.library()
        self.on_state: Optional[Callable[[t.SessionStateChange], None]] = None
        self.on_activity: Optional[Callable[[t.ActivityChange], None]] = None
        self.on_succession: Optional[Callable[[t.SuccessionChange], None]] = None
        self.on_request: Optional[Callable[[t.RequestEvent], None]] = None
        self.on_participants: Optional[Callable[[t.ParticipantsChange], None]] = None
        self.on_message: Optional[Callable[[t.Message], None]] = None
        self.on_notice: Optional[Callable[[t.Notice], None]] = None
        self.on_foreground_request: Optional[Callable[[t.ForegroundRequest], None]] = None
        self.on_speaking: Optional[Callable[[t.SpeakingChange], None]] = None
        self.on_ignored: Optional[Callable[[t.Ignored], None]] = None
        self.on_invite: Optional[Callable[[t.InviteChange], None]] = None
        self.on_consent: Optional[Callable[[t.Consent], None]] = None
        self.on_activation: Optional[Callable[[t.ActivationAnswer], None]] = None
        self.on_writable: Optional[Callable[[t.Event], None]] = None
        self.on_error: Callable[[t.ErrorEvent], None] = _log_error
        context._register(handle, self)

    @classmethod
    def host(
        cls,
        context: Context,
        *,
        display_name: Optional[str] = None,
        activity: Optional[t.Activity] = None,
        hub: Optional[str] = None,
        control_policy: t.ControlPolicy = t.ControlPolicy.EVERYONE,
        listen: Sequence[str] = (),
        advertise: Sequence[str] = (),
        standby_hub: bool = True,
        in_background: bool = False,
        succession: int = t.SuccessionRule.DEFAULT,
        succession_delay: int = 0,
    ) -> "Session":
        """A new session. ``hub`` is the "host:port" of a hub to use; without it one runs in this process, listening on
        ``listen`` (every interface and a free port by default). ``invite`` works at once. ``succession``: who stands in when
        this owner is gone for ``succession_delay`` ns (0: 30 s)."""
        options = _ffi.SessionOptions(
            display_name=t.encoded_or_none(display_name),
            hub=t.encoded_or_none(hub),
            control_policy=int(control_policy),
            no_standby_hub=int(not standby_hub),
            in_background=int(in_background),
            succession=int(succession),
            succession_delay=succession_delay,
        )
        if listen or advertise:
            hub_options = _hub_options(listen, advertise)
            options.hub_options = ctypes.pointer(hub_options)
        if activity is not None:
            c_activity = _c_activity(activity)
            options.activity = ctypes.pointer(c_activity)
        handle = ctypes.c_void_p()
        library = _ffi.library()
        check(library.session_host(context._handle, ctypes.byref(options), None, None, ctypes.byref(handle)))
        return cls(context, handle.value or 0)

    @classmethod
    def open(
        cls,
        context: Context,
        invite: str,
        *,
        display_name: Optional[str] = None,
        standby_hub: bool = True,
        in_background: bool = False,
        role: Optional[t.Role] = None,
    ) -> "Session":
        """The session of an invite. Faults of the network appear later, as state. ``standby_hub``: serve the others when
        their hub dies. ``role``: asked for; an owner's library gives a lesser one, an owner a greater one."""
        options = _ffi.SessionOptions(
            display_name=t.encoded_or_none(display_name),
            no_standby_hub=int(not standby_hub),
            in_background=int(in_background),
            role=int(role or 0),
        )
        handle = ctypes.c_void_p()
        library = _ffi.library()
        check(
            library.session_open(
                context._handle, t.encoded(invite), ctypes.byref(options), None, None, ctypes.byref(handle)
            )
        )
        return cls(context, handle.value or 0)

    def join(self) -> None:
        check(self._library.session_join(self._handle))

    def leave(self) -> None:
        """For this participant; the state becomes INVALIDATED."""
        check(self._library.session_leave(self._handle))

    def end(self) -> None:
        """For everybody."""
        check(self._library.session_end(self._handle))

    def close(self) -> None:
        """Leaves as well as it can. For a certain goodbye: ``leave``, wait for INVALIDATED, ``close``."""
        self.context._forget(self._handle)
        if not self.context.closed:
            self._library.session_destroy(self._handle)

    @property
    def invite(self) -> str:
        return t.text_of(self._library.session_invite, self._handle, room=4096)

    @property
    def state(self) -> int:
        return t.known(t.SessionState, check(self._library.session_get_state(self._handle)))

    @property
    def connection(self) -> int:
        return t.known(t.Connection, check(self._library.session_connection(self._handle)))

    @property
    def local_participant(self) -> bytes:
        identity = _ffi.ParticipantID()
        check(self._library.session_local_participant(self._handle, ctypes.byref(identity)))
        return t.identity(identity)

    @property
    def participants(self) -> Tuple[t.Participant, ...]:
        return participants_of(self._library.session_participants, self._handle)

    @property
    def activity(self) -> Optional[t.Activity]:
        owned = ctypes.POINTER(_ffi.Activity)()
        check(self._library.session_activity(self._handle, ctypes.byref(owned)))
        if not owned:
            return None
        try:
            return t.activity_from(owned.contents)
        finally:
            self._library.free(owned)

    def activate(self, activity: t.Activity) -> None:
        """Sets or changes what the group does."""
        c_activity = _c_activity(activity)
        check(self._library.session_activate(self._handle, ctypes.byref(c_activity)))

    def set_role(self, participant: bytes, role: t.Role) -> None:
        """Owners only; ``participant`` is an id, as ``Participant.id``."""
        check(self._library.session_set_role(self._handle, ctypes.byref(_c_identity(participant)), int(role)))

    def set_control_policy(self, policy: t.ControlPolicy) -> None:
        """Who may command; owners only."""
        check(self._library.session_set_control_policy(self._handle, int(policy)))

    def set_deputies(
        self, deputies: Sequence[bytes] = (), *, rule: int = t.SuccessionRule.DEFAULT, delay: int = 0
    ) -> None:
        """Who stands in, in this order, when no owner was there for ``delay`` ns (0: 30 s); owners only. Without deputies:
        ``rule``, BY_SENIORITY or NOBODY."""
        ids = (_ffi.ParticipantID * max(1, len(deputies)))(*(_c_identity(one) for one in deputies))
        check(self._library.session_set_deputies(self._handle, ids, len(deputies), int(rule), delay))

    @property
    def succession(self) -> t.Succession:
        c = _ffi.SuccessionState()
        check(self._library.session_get_succession(self._handle, ctypes.byref(c)))
        acting = t.identity(c.acting)
        return t.Succession(
            rule=t.known(t.SuccessionRule, c.succession),
            delay=c.delay,
            deputies=tuple(t.identity(c.deputies[index]) for index in range(c.deputy_count)),
            acting=acting if any(acting) else None,
        )

    def request_command(self, kind: int, *, item_time: int = 0, text: Optional[str] = None) -> int:
        """Asks those who may command to pause, play or seek; ``on_request`` tells what became of it. Its number."""
        c = _ffi.Request(kind=int(kind), item_time=item_time, text=t.encoded_or_none(text))
        number = ctypes.c_uint64()
        check(self._library.session_request_command(self._handle, ctypes.byref(c), ctypes.byref(number)))
        return number.value

    def answer_request(self, request: t.RequestEvent, granted: bool) -> None:
        """Answers an open request; granted, it is carried out."""
        asker = ctypes.byref(_c_identity(request.asker))
        check(self._library.session_answer_request(self._handle, asker, request.number, int(granted)))

    def remove_participant(self, participant: bytes) -> None:
        """Out for good, with all devices of its person; owners only. The invite is another one afterwards."""
        check(self._library.session_remove_participant(self._handle, ctypes.byref(_c_identity(participant))))

    def prepare_for_activation(self, activity: t.Activity) -> None:
        """Asks the person here whether to begin it with the group: ``on_consent``, unless an answer is remembered; then
        ``on_activation`` with the answer."""
        c_activity = _c_activity(activity)
        check(self._library.session_prepare_for_activation(self._handle, ctypes.byref(c_activity), None, None))

    def answer_consent(self, request: int, answer: int, *, remember: bool = False) -> None:
        check(self._library.session_answer_consent(self._handle, request, answer, int(remember)))

    def send(self, data: bytes, *, reliable: bool = True, to: Sequence[bytes] = ()) -> None:
        """Bytes for all others, or for those participants that ``to`` names, whom alone they can be read by. BusyError: too
        much waits to be sent; ``on_writable`` says when to go on."""
        ids = (_ffi.ParticipantID * len(to))(*(_ffi.ParticipantID((ctypes.c_uint8 * 16)(*one)) for one in to))
        check(self._library.session_send(self._handle, data, len(data), int(not reliable), ids if to else None, len(to)))

    def post_notice(
        self,
        text: Optional[str] = None,
        *,
        kind: int = t.NoticeKind.CUSTOM,
        amount: int = 0,
        rate: float = 0.0,
        url: Optional[str] = None,
    ) -> None:
        """Tells the people of the group something."""
        c = _ffi.Notice(
            kind=kind, amount=amount, rate=rate, text=t.encoded_or_none(text), url=t.encoded_or_none(url)
        )
        check(self._library.session_post_notice(self._handle, ctypes.byref(c)))

    def request_foreground(self) -> None:
        """Asks the others to bring this session to the front."""
        check(self._library.session_request_foreground(self._handle))

    def set_speaking(self, speaking: bool) -> None:
        """The person here speaks, or ceased; a lost link ends it."""
        check(self._library.session_set_speaking(self._handle, int(speaking)))

    @property
    def statistics(self) -> t.SessionStatistics:
        c = _ffi.SessionStatistics()
        check(self._library.session_get_statistics(self._handle, ctypes.byref(c)))
        values: t.SessionStatistics = t.plain(
            c, t.SessionStatistics, optional=("round_trip", "round_trip_last", "clock_error")
        )
        return values

    @property
    def clock(self) -> t.Clock:
        """Raises StateError while there is no clock yet."""
        c = _ffi.Clock()
        check(self._library.session_clock(self._handle, ctypes.byref(c)))
        values: t.Clock = t.plain(c, t.Clock)
        return values

    def _deliver(self, event: t.Event) -> None:
        handlers: Tuple[Tuple[Any, Optional[Callable[[Any], None]]], ...] = (
            (t.SessionStateChange, self.on_state),
            (t.ActivityChange, self.on_activity),
            (t.ParticipantsChange, self.on_participants),
            (t.Message, self.on_message),
            (t.Notice, self.on_notice),
            (t.ForegroundRequest, self.on_foreground_request),
            (t.SpeakingChange, self.on_speaking),
            (t.SuccessionChange, self.on_succession),
            (t.RequestEvent, self.on_request),
            (t.Ignored, self.on_ignored),
            (t.InviteChange, self.on_invite),
            (t.Consent, self.on_consent),
            (t.ActivationAnswer, self.on_activation),
            (t.ErrorEvent, self.on_error),
        )
        for kind, handler in handlers:
            if isinstance(event, kind) and handler is not None:
                handler(event)
        if event.type == t.EventType.SESSION_WRITABLE and self.on_writable is not None:
            self.on_writable(event)


class Hub:
    """A hub in this process, for groups of other processes. Most programs never need one: see ``Session.host``."""

    def __init__(self, context: Context, *, listen: Sequence[str] = (), advertise: Sequence[str] = ()) -> None:
        options = _hub_options(listen, advertise)
        handle = ctypes.c_void_p()
        self._library = _ffi.library()
        check(self._library.hub_create(context._handle, ctypes.byref(options), None, None, ctypes.byref(handle)))
        self._handle = handle.value
        self.context = context

    @property
    def addresses(self) -> List[str]:
        from .errors import NotFoundError

        found: List[str] = []
        while True:
            try:
                found.append(t.text_of(self._library.hub_address, self._handle, len(found), room=512))
            except NotFoundError:
                return found

    @property
    def statistics(self) -> t.HubStatistics:
        c = _ffi.HubStatistics()
        check(self._library.hub_get_statistics(self._handle, ctypes.byref(c)))
        values: t.HubStatistics = t.plain(c, t.HubStatistics)
        return values

    def close(self) -> None:
        if not self.context.closed:
            self._library.hub_destroy(self._handle)

    def __enter__(self) -> "Hub":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def notice_text(
    kind: int,
    *,
    name: Optional[str] = None,
    amount: int = 0,
    rate: float = 0.0,
    item_time: Optional[int] = None,
    text: Optional[str] = None,
) -> str:
    """A notice as a sentence for people, in English; with JOINED, LEFT and WAITED_FOR also of what other events say."""
    c = _ffi.Notice(kind=kind, name=t.encoded_or_none(name), amount=amount, rate=rate, text=t.encoded_or_none(text))
    if item_time is not None:
        c.item_time, c.flags = item_time, _ffi.HAS_POSITION
    return t.text_of(_ffi.library().notice_text, ctypes.byref(c), room=1024)


def _hub_options(listen: Sequence[str], advertise: Sequence[str]) -> _ffi.HubOptions:
    c = _ffi.HubOptions()
    listen_array, c.listen_count = t.strings(list(listen))
    advertise_array, c.advertise_count = t.strings(list(advertise))
    if listen_array is not None:
        c.listen = ctypes.cast(listen_array, ctypes.POINTER(ctypes.c_char_p))
    if advertise_array is not None:
        c.advertise = ctypes.cast(advertise_array, ctypes.POINTER(ctypes.c_char_p))
    c._arrays = (listen_array, advertise_array)
    return c


def participants_of(function: Callable[..., int], handle: Any) -> Tuple[t.Participant, ...]:
    """The list from a getter that returns an owned snapshot."""
    owned = ctypes.POINTER(_ffi.Participants)()
    check(function(handle, ctypes.byref(owned)))
    if not owned:
        return ()
    try:
        return t.participants_from(owned.contents.items, owned.contents.count)
    finally:
        _ffi.library().free(owned)


def _log_error(event: t.ErrorEvent) -> None:
    logger.error("%s", event.error)
