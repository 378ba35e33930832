"""The session: a group of participants, found through an invite."""

from __future__ import annotations

import asyncio
import ctypes
import os
import time
from types import TracebackType
from typing import Any, Dict, List, Optional, Sequence, Tuple, Type, Union

from . import _arguments as a
from . import _ffi, _reading
from . import events as e
from .context import Context, Handler, log_error
from .enums import (
    SECOND,
    Activation,
    ClockState,
    Connection,
    ControlPolicy,
    NoticeKind,
    RequestKind,
    Role,
    SessionState,
    Status,
    SuccessionRule,
)
from .errors import NotFoundError, StateError, check
from .values import (
    Activity,
    Attachment,
    ChatEntry,
    Clock,
    Copy,
    HubStatistics,
    Participant,
    Playlist,
    ScheduledStart,
    SessionStatistics,
    SkipRange,
    Succession,
)


class Session:
    """Made by ``Session.host`` or ``Session.open``, then ``join``. Leaving its ``with`` (or ``async with``) block says goodbye
    in order: see ``depart``.

    Handlers are attributes, called with one event each: ``on_state``, ``on_activity``, ``on_participants``,
    ``on_message``, ``on_notice``, ``on_foreground_request``, ``on_speaking``, ``on_ignored``,
    ``on_clock_doubt``, ``on_split``, ``on_hub_doubt``, ``on_schedule``, ``on_audience``, ``on_listener``, ``on_chat``, ``on_playlist``,
    ``on_copy``, ``on_attachment``, ``on_invite``, ``on_consent``, ``on_activation``, ``on_succession``, ``on_request``, ``on_writable``,
    ``on_error``. Whoever prefers iterating finds the same events in ``Context.events``.
    """

    def __init__(self, context: Context, handle: int) -> None:
        self.context = context
        self._handle = handle
        self._library = _ffi.library()
        self._was_told: Optional[bool] = None  # the others, of its end; None: it has not ended here
        self.on_state: Optional[Handler[e.SessionStateChange]] = None
        self.on_activity: Optional[Handler[e.ActivityChange]] = None
        self.on_participants: Optional[Handler[e.ParticipantsChange]] = None
        self.on_message: Optional[Handler[e.Message]] = None
        self.on_notice: Optional[Handler[e.Notice]] = None
        self.on_foreground_request: Optional[Handler[e.ForegroundRequest]] = None
        self.on_speaking: Optional[Handler[e.SpeakingChange]] = None
        self.on_ignored: Optional[Handler[e.Ignored]] = None
        self.on_clock_doubt: Optional[Handler[e.ClockDoubt]] = None
        self.on_split: Optional[Handler[e.Split]] = None
        self.on_hub_doubt: Optional[Handler[e.HubDoubt]] = None
        self.on_schedule: Optional[Handler[e.ScheduleChange]] = None
        self.on_audience: Optional[Handler[e.AudienceChange]] = None
        self.on_listener: Optional[Handler[e.ListenerNews]] = None
        self.on_chat: Optional[Handler[e.Chat]] = None
        self.on_playlist: Optional[Handler[e.PlaylistChange]] = None
        self.on_copy: Optional[Handler[e.CopyComparison]] = None
        self.on_attachment: Optional[Handler[e.AttachmentEvent]] = None
        self.on_invite: Optional[Handler[e.InviteChange]] = None
        self.on_consent: Optional[Handler[e.Consent]] = None
        self.on_activation: Optional[Handler[e.ActivationAnswer]] = None
        self.on_succession: Optional[Handler[e.SuccessionChange]] = None
        self.on_request: Optional[Handler[e.CommandRequest]] = None
        self.on_writable: Optional[Handler[e.Writable]] = None
        self.on_error: Handler[e.ErrorEvent] = log_error
        context._register(handle, self)

    @classmethod
    def host(
        cls,
        context: Context,
        *,
        display_name: Optional[str] = None,
        activity: Optional[Activity] = None,
        hub: Optional[str] = None,
        control_policy: ControlPolicy = ControlPolicy.EVERYONE,
        listen: Sequence[str] = (),
        advertise: Sequence[str] = (),
        standby_hub: bool = True,
        in_background: bool = False,
        succession: SuccessionRule = SuccessionRule.DEFAULT,
        succession_delay_ns: int = 0,
        continuation: bytes = b"",
        continuation_key: bytes = b"",
        continuation_age_ns: int = 0,
    ) -> "Session":
        """A new session. ``hub`` is the "host:port" of a hub to use; without it one runs in this process, listening on
        ``listen`` (every interface and a free port by default). ``invite`` works at once. ``succession``: who stands in when
        this owner is gone for ``succession_delay_ns`` (0: 30 s). ``continuation``: what ``continuation()`` gave on another
        day, to go on with that group; ``continuation_key``: what it was sealed with, empty: the context's ``person``; older
        ones than ``continuation_age_ns`` (0: 90 days) are refused."""
        options = _ffi.SessionOptions(
            display_name=a.text_or_none(display_name, "display_name"),
            hub=a.text_or_none(hub, "hub"),
            control_policy=a.i32(control_policy, "control_policy"),
            no_standby_hub=1 - a.flag(standby_hub, "standby_hub"),
            in_background=a.flag(in_background, "in_background"),
            succession=a.i32(succession, "succession"),
            succession_delay=a.ns(succession_delay_ns, "succession_delay_ns"),
        )
        _go_on(options, continuation, continuation_key, continuation_age_ns)
        hub_options = _hub_options(listen, advertise)
        if hub_options.listen_count or hub_options.advertise_count:
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
        role: Role = Role.DEFAULT,
        continuation: bytes = b"",
        continuation_key: bytes = b"",
        continuation_age_ns: int = 0,
    ) -> "Session":
        """The session of an invite. Faults of the network appear later, as state. ``standby_hub``: serve the others when
        their hub dies. ``role``: asked for; an owner's library gives a lesser one, an owner a greater one. ``continuation`` and what belongs to
        it as for ``host``: this participant comes to where the group is by now, as who it was."""
        options = _ffi.SessionOptions(
            display_name=a.text_or_none(display_name, "display_name"),
            no_standby_hub=1 - a.flag(standby_hub, "standby_hub"),
            in_background=a.flag(in_background, "in_background"),
            role=a.i32(role, "role"),
        )
        _go_on(options, continuation, continuation_key, continuation_age_ns)
        handle = ctypes.c_void_p()
        library = _ffi.library()
        text = a.text(invite, "invite")
        check(
            library.session_open(
                context._handle, text, ctypes.byref(options), None, None, ctypes.byref(handle)
            )
        )
        return cls(context, handle.value or 0)

    # ---- life ----

    def join(self) -> None:
        """Enters the group; the state becomes JOINED when that is done."""
        check(self._library.session_join(self._handle))

    def continuation(self, key: bytes = b"") -> bytes:
        """What this participant goes on from on another day, for a file that nobody else may read: a secret. Sealed with ``key``,
        16 to 1,024 bytes that nobody can guess; empty: with the context's ``person``. It knows of nothing later: take a new one
        every few minutes, when the invite or the participants change, and before ``leave`` and ``end``."""
        secret = a.data(key, "key")
        owned = ctypes.POINTER(_ffi.Continuation)()
        check(self._library.session_continuation(self._handle, secret or None, len(secret), ctypes.byref(owned)))
        try:
            return ctypes.string_at(owned.contents.bytes, owned.contents.length)
        finally:
            self._library.free(owned)

    def leave(self) -> None:
        """For this participant; the state becomes INVALIDATED."""
        check(self._library.session_leave(self._handle))

    def end(self) -> None:
        """For everybody."""
        check(self._library.session_end(self._handle))

    def close(self) -> None:
        """Leaves as well as it can, at once. ``depart`` makes sure that the others hear it."""
        if self._was_told is None:
            self._was_told = False
        self.context._forget(self._handle)
        if not self.context.closed:
            self._library.session_destroy(self._handle)

    def depart(self, *, max_wait_ns: int = 2 * SECOND) -> bool:
        """Leaves in order: says goodbye, fetches events until that is done (unless another thread does), at most so long, and
        closes. True: the others were told; False: they will see it as lost. Again: the same answer. In asyncio: ``await
        session.depart_async()``."""
        wait = a.ns(max_wait_ns, "max_wait_ns")
        if self.context._attached_here:
            raise StateError(Status.ESTATE, "in asyncio it would wait for itself: await session.depart_async()")
        said = self._begin_departure()
        end = self.context.host_time_ns + wait if said else 0
        while said and not self._is_over:
            left = end - self.context.host_time_ns
            if left <= 0:
                break
            if self.context._is_fetched_elsewhere:
                time.sleep(min(left / SECOND, 0.005))
            else:
                self.context.next_event(max_wait_ns=left)
        return self._end_departure()

    async def depart_async(self, *, max_wait_ns: int = 2 * SECOND) -> bool:
        """As ``depart``, in asyncio."""
        wait = a.ns(max_wait_ns, "max_wait_ns")
        if self._begin_departure():
            stream = self.context.stream()

            async def hear() -> None:
                while not self._is_over:
                    try:
                        await stream.__anext__()
                    except StopAsyncIteration:
                        return

            try:
                await asyncio.wait_for(hear(), wait / SECOND)
            except asyncio.TimeoutError:
                pass  # told by the result
        return self._end_departure()

    def _begin_departure(self) -> bool:
        """False: there is nothing to wait for."""
        if self.context.closed or self._was_told is not None or self._is_over:
            return False
        self.leave()
        return True

    def _end_departure(self) -> bool:
        if self._was_told is None:
            self._was_told = not self.context.closed and self._is_over
            self.close()
        return self._was_told

    @property
    def _is_over(self) -> bool:
        return self.context.closed or self.state == SessionState.INVALIDATED

    def __enter__(self) -> "Session":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.depart()

    async def __aenter__(self) -> "Session":
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.depart_async()

    # ---- how it is ----

    @property
    def invite(self) -> str:
        """To pass on; whoever has it can join. It may change: ``on_invite``."""
        return _reading.text_of(self._library.session_invite, self._handle, room=4096)

    @property
    def state(self) -> SessionState:
        """Waiting, joined or over."""
        return SessionState(check(self._library.session_get_state(self._handle)))

    @property
    def connection(self) -> Connection:
        """Its link."""
        return Connection(check(self._library.session_connection(self._handle)))

    @property
    def local_participant(self) -> bytes:
        """The id of this one."""
        identity = _ffi.ParticipantID()
        check(self._library.session_local_participant(self._handle, ctypes.byref(identity)))
        return _reading.identity(identity)

    @property
    def participants(self) -> Tuple[Participant, ...]:
        """Who is there, this one included."""
        return _reading.participants_of(self._library.session_participants, self._handle)

    @property
    def activity(self) -> Optional[Activity]:
        """What the group does; None: nothing yet."""
        owned = ctypes.POINTER(_ffi.Activity)()
        check(self._library.session_activity(self._handle, ctypes.byref(owned)))
        if not owned:
            return None
        try:
            return _reading.activity(owned.contents)
        finally:
            self._library.free(owned)

    @property
    def statistics(self) -> SessionStatistics:
        """Counters and clock figures."""
        c = _ffi.SessionStatistics()
        check(self._library.session_get_statistics(self._handle, ctypes.byref(c)))
        unknown = ("round_trip_ns", "round_trip_last_ns", "clock_error_ns", "checked_bound_ns")
        return _reading.plain(c, SessionStatistics, unknown, clock_state=ClockState)

    @property
    def clock(self) -> Clock:
        """Raises StateError while there is no clock yet."""
        c = _ffi.Clock()
        check(self._library.session_clock(self._handle, ctypes.byref(c)))
        return _reading.plain(c, Clock, state=ClockState)

    # ---- what the group does together ----

    def activate(self, activity: Activity) -> None:
        """Sets or changes what the group does."""
        c_activity = _c_activity(activity)
        check(self._library.session_activate(self._handle, ctypes.byref(c_activity)))

    def prepare_for_activation(self, activity: Activity) -> None:
        """Asks the person here whether to begin it with the group: ``on_consent``, unless an answer is remembered; then
        ``on_activation`` with the answer."""
        c_activity = _c_activity(activity)
        check(self._library.session_prepare_for_activation(self._handle, ctypes.byref(c_activity), None, None))

    def answer_consent(self, request: int, answer: Activation, *, remember: bool = False) -> None:
        """The person's answer to a Consent; ``remember``: for every activity of this type."""
        number, said = a.u64(request, "request"), a.i32(answer, "answer")
        check(self._library.session_answer_consent(self._handle, number, said, a.flag(remember, "remember")))

    # ---- who may what ----

    def set_role(self, participant: bytes, role: Role) -> None:
        """Owners only; ``participant`` is an id, as ``Participant.id``."""
        identity = a.identity(participant, "participant")
        check(self._library.session_set_role(self._handle, ctypes.byref(identity), a.i32(role, "role")))

    def set_control_policy(self, policy: ControlPolicy) -> None:
        """Who may command; owners only."""
        check(self._library.session_set_control_policy(self._handle, a.i32(policy, "policy")))

    def set_closed(self, closed: bool) -> None:
        """Nobody new is let in while the group is closed, whoever has the invite; owners only. Told by ``SessionStateChange.closed``."""
        check(self._library.session_set_closed(self._handle, a.flag(closed, "closed")))

    def open_audience(
        self, *, ready_share: int = 0, ready_wait_ns: int = 0, reactions: Sequence[str] = ()
    ) -> None:
        """Whoever has ``audience_link`` follows what the group plays, by ``Coordinator.listen``, any number of devices, and takes part in
        nothing. It takes a session in which hosts alone command (``ControlPolicy.HOSTS_ONLY``) and newcomers are less than that.
        ``on_audience`` tells when it is open, and how many listen. A single stranger cannot be put out of it. ``ready_share``: so many
        percent of those who listen are waited for before the group plays, ``ready_wait_ns`` after the command at most (0: 10 s).
        ``reactions``: by which they may react, at most 8 of 32 bytes each."""
        c = _ffi.AudienceOptions(ready_share=a.u32(ready_share, "ready_share"), ready_wait=a.ns(ready_wait_ns, "ready_wait_ns"))
        array, c.reaction_count = a.texts(reactions, "reactions")
        if array is not None:
            c.reactions = ctypes.cast(array, ctypes.POINTER(ctypes.c_char_p))
        check(self._library.session_open_audience(self._handle, ctypes.byref(c)))

    def renew_audience(self) -> None:
        """It gets another ``audience_link``: the old one is known to who should not have it. Who listens goes along, good or bad, and who
        comes with the old link later than in ten minutes is told so. ``on_audience`` tells when the new one is good."""
        check(self._library.session_renew_audience(self._handle))

    def close_audience(self) -> None:
        """Its listeners are told so, and their players go on alone. One that is closed: nothing happens."""
        check(self._library.session_close_audience(self._handle))

    @property
    def audience_link(self) -> Optional[str]:
        """What listeners need, and no invite; None: no audience is open here. It is the same until the audience is renewed or closed."""
        try:
            return _reading.text_of(self._library.session_audience_link, self._handle, room=4096)
        except StateError:
            return None

    def invite_listener(self, listener: bytes) -> None:
        """Hands the invite to a listener who asked to speak (``on_listener``), so that nobody else can read it."""
        identity = a.identity(listener, "listener")
        check(self._library.session_invite_listener(self._handle, ctypes.byref(identity)))

    def set_deputies(
        self,
        deputies: Sequence[bytes] = (),
        *,
        rule: SuccessionRule = SuccessionRule.DEFAULT,
        delay_ns: int = 0,
    ) -> None:
        """Who stands in, in this order, when no owner was there for ``delay_ns`` (0: 30 s); owners only. Without deputies:
        ``rule``, BY_SENIORITY or NOBODY."""
        ids, count = a.identities(deputies, "deputies")
        succession, delay = a.i32(rule, "rule"), a.ns(delay_ns, "delay_ns")
        check(self._library.session_set_deputies(self._handle, ids, count, succession, delay))

    @property
    def succession(self) -> Succession:
        """Who stands in when no owner is there, and who does so now."""
        c = _ffi.SuccessionState()
        check(self._library.session_get_succession(self._handle, ctypes.byref(c)))
        acting = _reading.identity(c.acting)
        return Succession(
            rule=SuccessionRule(c.succession),
            delay_ns=c.delay,
            deputies=tuple(_reading.identity(c.deputies[index]) for index in range(c.deputy_count)),
            acting=acting if any(acting) else None,
        )

    def request_command(self, kind: RequestKind, *, item_time_ns: int = 0, text: Optional[str] = None) -> int:
        """Asks those who may command to pause, play or seek; ``on_request`` tells what became of it. Its number."""
        c = _ffi.Request(
            kind=a.i32(kind, "kind"), item_time=a.ns(item_time_ns, "item_time_ns"), text=a.text_or_none(text, "text")
        )
        number = ctypes.c_uint64()
        check(self._library.session_request_command(self._handle, ctypes.byref(c), ctypes.byref(number)))
        return number.value

    def answer_request(self, request: e.CommandRequest, granted: bool) -> None:
        """Answers an open request; granted, it is carried out."""
        asked: e.CommandRequest = a.instance(request, e.CommandRequest, "request")
        asker, said = a.identity(asked.asker, "asker"), a.flag(granted, "granted")
        check(self._library.session_answer_request(self._handle, ctypes.byref(asker), asked.number, said))

    def remove_participant(self, participant: bytes) -> None:
        """Out for good, with all devices of its person; owners only. The invite is another one afterwards."""
        identity = a.identity(participant, "participant")
        check(self._library.session_remove_participant(self._handle, ctypes.byref(identity)))

    # ---- what is said ----

    def send(
        self, data: bytes, *, reliable: bool = True, to: Sequence[bytes] = (), type: Optional[str] = None, version: int = 0
    ) -> None:
        """Bytes for all others, or for those participants that ``to`` names, whom alone they can be read by. BusyError: too
        much waits to be sent; ``on_writable`` says when to go on. ``type``, 1...127 bytes, and ``version`` say what the bytes
        are: receivers tell messages apart by them."""
        sent, (ids, count) = a.data(data, "data"), a.identities(to, "to")
        delivery = 1 - a.flag(reliable, "reliable")
        name, number = a.text_or_none(type, "type"), a.u32(version, "version")
        if name is None:
            check(self._library.session_send(self._handle, sent, len(sent), delivery, ids, count))
        else:
            check(self._library.session_send_typed(self._handle, name, number, sent, len(sent), delivery, ids, count))

    def send_at(
        self, item: str, item_time_ns: int, data: bytes, *, to: Sequence[bytes] = (), type: Optional[str] = None, version: int = 0
    ) -> None:
        """Bytes that the others get when their own playback is at a place of an item: once, when it stands there or runs past it.
        A jump over it does not count, and who joins later does not get it."""
        place, time = a.text(item, "item"), a.ns(item_time_ns, "item_time_ns")
        sent, (ids, count) = a.data(data, "data"), a.identities(to, "to")
        name, number = a.text_or_none(type, "type"), a.u32(version, "version")
        check(self._library.session_send_at(self._handle, place, time, name, number, sent, len(sent), ids, count))

    def schedule_start(self, item: str, *, host_time_ns: int, calendar_time_ns: Optional[int] = None) -> None:
        """Everybody on the item begins to play at this host time, 7 days ahead at most. ``calendar_time_ns``, since 1970, is what
        people are told. At a time of day: ``schedule_start_at``."""
        place, time = a.text(item, "item"), a.ns(host_time_ns, "host_time_ns")
        shown = _ffi.TIME_INVALID if calendar_time_ns is None else a.ns(calendar_time_ns, "calendar_time_ns")
        check(self._library.session_schedule_start(self._handle, place, time, shown))

    def schedule_start_at(self, item: str, calendar_time_ns: int) -> None:
        """The same at a time of day, ns since 1970, by the clock of this device: it is right for all as far as that clock is."""
        ahead = a.ns(calendar_time_ns, "calendar_time_ns") - time.time_ns()
        self.schedule_start(item, host_time_ns=self.context.host_time_ns + ahead, calendar_time_ns=calendar_time_ns)

    def cancel_start(self) -> None:
        """Calls the scheduled start off."""
        check(self._library.session_cancel_start(self._handle))

    @property
    def scheduled_start(self) -> Optional[ScheduledStart]:
        """The start that is scheduled and still to come."""
        return _reading.scheduled_start_of(self._library.session_scheduled_start, self._handle)

    def chat(self, text: str) -> int:
        """Says something in writing: everybody gets ``Chat``, this one, too. Returns its number."""
        number = ctypes.c_uint64()
        check(self._library.session_chat(self._handle, a.text(text, "text"), ctypes.byref(number)))
        return number.value

    def react(self, text: str) -> None:
        """Reacts to what is on just now; not kept."""
        check(self._library.session_react(self._handle, a.text(text, "text")))

    @property
    def chat_history(self) -> Tuple[ChatEntry, ...]:
        """What is kept of the chat, in its order."""
        return _reading.chat_of(self._library.session_chat_history, self._handle)

    def add_entry(
        self,
        item: str,
        title: Optional[str] = None,
        *,
        copy: Optional[Copy] = None,
        addresses: Sequence[str] = (),
        ranges: Sequence[SkipRange] = (),
        before: Optional[bytes] = None,
    ) -> bytes:
        """Puts an entry on the playlist that the group shares, ``before`` another one; None: at its end. Returns its id. What the
        group refuses later comes as an error event. ``ranges``: in their order, none overlapping the next."""
        (given, count) = a.texts(addresses, "addresses")
        (skips, skip_count) = a.ranges(ranges, SkipRange, "ranges")
        known = _copy(copy) if copy is not None else None
        c = _ffi.PlaylistEntry(
            item=a.text(item, "item"),
            title=a.text_or_none(title, "title"),
            copy=ctypes.pointer(known) if known is not None else None,
            addresses=given,
            address_count=count,
            ranges=skips,
            range_count=skip_count,
        )
        made = _ffi.EntryID()
        check(self._library.session_add_entry(self._handle, ctypes.byref(c), a.entry(before, "before"), ctypes.byref(made)))
        return bytes(made.bytes)

    def move_entry(self, entry: bytes, before: Optional[bytes] = None) -> None:
        """``before`` None: to the end."""
        check(self._library.session_move_entry(self._handle, a.entry(entry, "entry"), a.entry(before, "before")))

    def remove_entry(self, entry: bytes) -> None:
        """Takes an entry off the playlist, for good."""
        check(self._library.session_remove_entry(self._handle, a.entry(entry, "entry")))

    def select_entry(self, entry: bytes) -> None:
        """The group goes to an entry."""
        check(self._library.session_select_entry(self._handle, a.entry(entry, "entry")))

    def next_entry(self, follows: Optional[bytes] = None) -> None:
        """The group goes on to the next entry, unless it went on from ``follows`` already; None: from wherever it is."""
        check(self._library.session_next_entry(self._handle, a.entry(follows, "follows")))

    @property
    def playlist(self) -> Playlist:
        """As of the last ``PlaylistChange``."""
        return _reading.playlist_of(self._library.session_playlist, self._handle)

    def set_copy(self, entry: Optional[bytes], copy: Optional[Copy] = None) -> None:
        """Says which copy this participant plays of an entry; None: none any more. What differs from others' comes by ``on_copy``."""
        known = _copy(copy) if copy is not None else None
        c = ctypes.pointer(known) if known is not None else None
        check(self._library.session_set_copy(self._handle, a.entry(entry, "entry"), c))

    def set_cut_offset(self, offset_ns: int, entry: Optional[bytes] = None) -> None:
        """How far this participant's copy of an entry is ahead of the group's item time, at most six hours either way; None: of the
        entry that the group is at. While the group is there all item times of this host are those of its own copy."""
        check(self._library.session_set_cut_offset(self._handle, a.entry(entry, "entry"), a.ns(offset_ns, "offset_ns")))

    # ---- attachments ----

    def attach(self, path: "str | os.PathLike[str]", *, name: Optional[str] = None, media_type: Optional[str] = None) -> int:
        """Offers a file to the group: everybody gets ``AttachmentEvent``, who comes later, too. It must stay as it is. ``name`` None:
        the last part of the path. Returns the request, which comes with what becomes of it."""
        request = ctypes.c_uint64()
        file, called, kind = a.path(path, "path"), a.text_or_none(name, "name"), a.text_or_none(media_type, "media_type")
        check(self._library.session_attach(self._handle, file, called, kind, ctypes.byref(request)))
        return request.value

    def attach_bytes(self, data: bytes, name: str, *, media_type: Optional[str] = None) -> int:
        """The same with bytes, at most 1,048,576, which are kept in memory for as long as they are offered."""
        request = ctypes.c_uint64()
        sent, called, kind = a.data(data, "data"), a.text(name, "name"), a.text_or_none(media_type, "media_type")
        check(self._library.session_attach_bytes(self._handle, sent, len(sent), called, kind, ctypes.byref(request)))
        return request.value

    @property
    def attachments(self) -> Tuple[Attachment, ...]:
        """What is offered to the group now, in the order in which it was offered."""
        return _reading.attachments_of(self._library.session_attachments, self._handle)

    def load_attachment(self, attachment: Union[Attachment, bytes], path: "str | os.PathLike[str]") -> None:
        """Loads it into a new file, from whoever has it; ``on_attachment`` tells how far it is, and LOADED or FAILED."""
        identity, file = a.attachment_id(attachment, "attachment"), a.path(path, "path")
        check(self._library.session_load_attachment(self._handle, ctypes.byref(identity), file))

    def cancel_attachment(self, attachment: Union[Attachment, bytes]) -> None:
        """Ends loading it; what came so far is thrown away."""
        identity = a.attachment_id(attachment, "attachment")
        check(self._library.session_cancel_attachment(self._handle, ctypes.byref(identity)))

    def remove_attachment(self, attachment: Union[Attachment, bytes]) -> None:
        """Takes it back, for all: who offers it may, and who may command."""
        identity = a.attachment_id(attachment, "attachment")
        check(self._library.session_remove_attachment(self._handle, ctypes.byref(identity)))

    def post_notice(
        self,
        text: Optional[str] = None,
        *,
        kind: NoticeKind = NoticeKind.CUSTOM,
        amount_ns: int = 0,
        rate: float = 0.0,
        url: Optional[str] = None,
    ) -> None:
        """Tells the people of the group something."""
        c = _ffi.Notice(
            kind=a.i32(kind, "kind"),
            amount=a.ns(amount_ns, "amount_ns"),
            rate=a.number_of(rate, "rate"),
            text=a.text_or_none(text, "text"),
            url=a.text_or_none(url, "url"),
        )
        check(self._library.session_post_notice(self._handle, ctypes.byref(c)))

    def request_foreground(self) -> None:
        """Asks the others to bring this session to the front."""
        check(self._library.session_request_foreground(self._handle))

    def set_speaking(self, speaking: bool) -> None:
        """The person here speaks, or ceased; a lost link ends it."""
        check(self._library.session_set_speaking(self._handle, a.flag(speaking, "speaking")))

    # ---- inside ----

    def _deliver(self, event: e.Event) -> None:
        name = _HANDLERS.get(type(event))
        if name is not None:
            self.context._call(getattr(self, name), event)


def copy_of_file(path: str) -> Copy:
    """Size and hash of a file, for ``Session.set_copy``; reads from the disk."""
    c = _ffi.Copy()
    check(_ffi.library().copy_of_file(a.text(path, "path"), ctypes.byref(c)))
    return _reading.copy_of(c)


def _copy(given: Copy) -> Any:
    a.instance(given, Copy, "copy")
    c = _ffi.Copy(
        duration=a.ns(given.duration_ns or 0, "duration_ns"), file_size=a.u64(given.file_size or 0, "file_size")
    )
    if given.hash is not None:
        c.has_hash = 1
        c.hash[:] = a.sized(given.hash, 32, "hash")
    return c


_HANDLERS: Dict[Type[Any], str] = {
    e.SessionStateChange: "on_state",
    e.ActivityChange: "on_activity",
    e.ParticipantsChange: "on_participants",
    e.Message: "on_message",
    e.Notice: "on_notice",
    e.ForegroundRequest: "on_foreground_request",
    e.SpeakingChange: "on_speaking",
    e.SuccessionChange: "on_succession",
    e.CommandRequest: "on_request",
    e.Ignored: "on_ignored",
    e.ClockDoubt: "on_clock_doubt",
    e.Split: "on_split",
    e.HubDoubt: "on_hub_doubt",
    e.ScheduleChange: "on_schedule",
    e.AudienceChange: "on_audience",
    e.ListenerNews: "on_listener",
    e.Chat: "on_chat",
    e.PlaylistChange: "on_playlist",
    e.CopyComparison: "on_copy",
    e.AttachmentEvent: "on_attachment",
    e.InviteChange: "on_invite",
    e.Consent: "on_consent",
    e.ActivationAnswer: "on_activation",
    e.Writable: "on_writable",
    e.ErrorEvent: "on_error",
}


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
    def lines(self) -> List[str]:
        """By which ``Session.host`` uses it, one for each of its addresses: "unisono-hub://host:port/id"."""
        found: List[str] = []
        while True:
            try:
                found.append(_reading.text_of(self._library.hub_line, self._handle, len(found), room=512))
            except NotFoundError:
                return found

    @property
    def statistics(self) -> HubStatistics:
        """Counters of the hub."""
        c = _ffi.HubStatistics()
        check(self._library.hub_get_statistics(self._handle, ctypes.byref(c)))
        return _reading.plain(c, HubStatistics)

    def close(self) -> None:
        """Ends it; its groups go on with a hub of their own, where they can."""
        if not self.context.closed:
            self._library.hub_destroy(self._handle)

    def __enter__(self) -> "Hub":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def notice_text(
    kind: NoticeKind,
    *,
    name: Optional[str] = None,
    amount_ns: int = 0,
    rate: float = 0.0,
    item_time_ns: Optional[int] = None,
    text: Optional[str] = None,
) -> str:
    """A notice as a sentence for people, in English; with WAITED_FOR also of what another event says."""
    c = _ffi.Notice(
        kind=a.i32(kind, "kind"),
        name=a.text_or_none(name, "name"),
        amount=a.ns(amount_ns, "amount_ns"),
        rate=a.number_of(rate, "rate"),
        text=a.text_or_none(text, "text"),
    )
    if item_time_ns is not None:
        c.item_time, c.flags = a.ns(item_time_ns, "item_time_ns"), _ffi.HAS_POSITION
    return _reading.text_of(_ffi.library().notice_text, ctypes.byref(c), room=1024)


def _c_activity(activity: Activity) -> _ffi.Activity:
    """The struct keeps references to the bytes given to it, as far as ctypes needs: keep it until the call returned."""
    given: Activity = a.instance(activity, Activity, "activity")
    preview, content = a.data(given.preview_image, "preview_image"), a.data(given.payload, "payload")
    image = ctypes.create_string_buffer(preview, max(1, len(preview)))
    payload = ctypes.create_string_buffer(content, max(1, len(content)))
    c = _ffi.Activity(
        type=a.i32(given.type, "type"),
        identifier=a.text(given.identifier, "identifier"),
        title=a.text_or_none(given.title, "title"),
        subtitle=a.text_or_none(given.subtitle, "subtitle"),
        fallback_url=a.text_or_none(given.fallback_url, "fallback_url"),
        preview_image=ctypes.addressof(image) if preview else None,
        preview_image_length=len(preview),
        payload=ctypes.addressof(payload) if content else None,
        payload_length=len(content),
        lifetime=a.flag(given.ends_with_initiator, "ends_with_initiator"),
        supports_continuation=a.flag(given.supports_continuation, "supports_continuation"),
    )
    c._buffers = (image, payload)
    return c


def _go_on(options: Any, continuation: bytes, key: bytes, age_ns: int) -> None:
    """Another day to go on from, in the options of a session."""
    past, secret = a.data(continuation, "continuation"), a.data(key, "continuation_key")
    options.continuation_age = a.ns(age_ns, "continuation_age_ns")
    # The call copies what is here; until then it has to stay.
    options._kept = [ctypes.create_string_buffer(one, len(one)) for one in (past, secret)]
    if past:
        options.continuation, options.continuation_length = ctypes.addressof(options._kept[0]), len(past)
    if secret:
        options.continuation_key, options.continuation_key_length = ctypes.addressof(options._kept[1]), len(secret)


def _hub_options(listen: Sequence[str], advertise: Sequence[str]) -> _ffi.HubOptions:
    c = _ffi.HubOptions()
    listen_array, c.listen_count = a.texts(listen, "listen")
    advertise_array, c.advertise_count = a.texts(advertise, "advertise")
    if listen_array is not None:
        c.listen = ctypes.cast(listen_array, ctypes.POINTER(ctypes.c_char_p))
    if advertise_array is not None:
        c.advertise = ctypes.cast(advertise_array, ctypes.POINTER(ctypes.c_char_p))
    c._arrays = (listen_array, advertise_array)
    return c
