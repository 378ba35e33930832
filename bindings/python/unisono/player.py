"""The player layer: give it a renderer, and it asks the group, follows it and keeps in step."""

from __future__ import annotations

import asyncio
import ctypes
from types import TracebackType
from typing import Any, Dict, Optional, Tuple, Type

from . import _arguments as a
from . import _ffi, _reading
from . import events as e
from .context import Context, Handler, log_error
from .coordinator import PLAY_IMMEDIATELY, Coordinator
from .enums import MILLISECOND, SECOND, ItemState, RendererState, SurfaceKind, TimeControl, WaitingReason
from .errors import ClosedError, StateError, check
from .session import Session
from .values import PlayerStatistics

_EXACT_START, _REVERSE, _NUDGES = 1, 2, 4
_AS_DEFAULT = 2
_POSITION_INTERVAL = 100 * MILLISECOND


class Renderer:
    """What draws and sounds; derive from it. Each task is answered by ``command.done()`` once it is really done.

    ``load``, ``cue``, ``play``, ``pause`` and ``seek`` have to be there. A method that raises fails its command. Methods may
    be ``async``; then a newer task cancels one that is still running.
    """

    #: ``play`` keeps ``host_time_ns`` within a millisecond.
    exact_start = False
    #: Negative rates.
    reverse = False
    #: ``nudge`` changes the speed without a gap.
    nudges = False
    #: Greatest change of speed, at most 0.1; 0: 0.02.
    nudge_limit = 0.0
    #: Nanoseconds that are not worth a correction; 0: 5 ms.
    dead_band_ns = 0

    def load(self, command: e.RendererLoad) -> object:
        """Get ``command.uri`` ready, standing at ``command.item_time_ns``."""
        raise NotImplementedError

    def cue(self, command: e.RendererCue) -> object:
        """Stand at ``command.item_time_ns``, ready to begin at ``command.rate``."""
        raise NotImplementedError

    def play(self, command: e.RendererPlay) -> object:
        """Begin at ``command.rate`` from where it stands; while it plays: another rate."""
        raise NotImplementedError

    def pause(self, command: e.RendererPause) -> object:
        """Stop where it is."""
        raise NotImplementedError

    def seek(self, command: e.RendererSeek) -> object:
        """Go to ``command.item_time_ns``, and play on from there if it plays."""
        raise NotImplementedError

    def nudge(self, command: e.RendererNudge) -> object:
        """The speed changes by ``command.factor``; only asked of renderers with ``nudges``."""
        return None

    def set_volume(self, command: e.RendererVolume) -> object:
        """0...1, lowered while others speak."""
        return None

    def set_render_size(self, command: e.RendererSize) -> object:
        """The size it is shown at, pixels."""
        return None

    def stop(self, command: e.RendererStop) -> object:
        """Nothing plays any more."""
        return None

    def position_ns(self) -> Optional[Tuple[int, int]]:
        """Item time, and the host time at which that held; None: not known. Asked ten times a second while it plays."""
        return None


class Player:
    """A queue of items over a renderer. ``coordinator`` joins it to a session: ``player.coordinate_with(session)``.

    ``on_event`` gets every PlayerEvent, ``on_error`` calls that were refused later.
    """

    def __init__(self, context: Context, renderer: Renderer) -> None:
        a.methods(renderer, ("load", "cue", "play", "pause", "seek"), Renderer, "renderer")
        a.instance(renderer, Renderer, "renderer")
        capabilities = _EXACT_START * a.flag(renderer.exact_start, "exact_start")
        capabilities += _REVERSE * a.flag(renderer.reverse, "reverse") + _NUDGES * a.flag(renderer.nudges, "nudges")
        c = _ffi.Renderer(
            capabilities=capabilities,
            nudge_limit=a.number_of(renderer.nudge_limit, "nudge_limit"),
            dead_band=a.ns(renderer.dead_band_ns, "dead_band_ns"),
        )
        self._library = _ffi.library()
        self.context = context
        self.renderer = renderer
        self.on_event: Optional[Handler[e.PlayerEvent]] = None
        self.on_error: Handler[e.ErrorEvent] = log_error
        self._working: Optional["asyncio.Task[Any]"] = None
        handle, borrowed = ctypes.c_void_p(), ctypes.c_void_p()
        check(self._library.player_create(context._handle, ctypes.byref(c), None, None, None, ctypes.byref(handle)))
        self._handle = handle.value or 0
        check(self._library.player_coordinator(self._handle, ctypes.byref(borrowed)))
        self.coordinator = Coordinator._borrowed(context, borrowed.value or 0)
        self._asks = self._plays = self._closed = False
        context._register(self._handle, self)

    def close(self) -> None:
        """Gives it up; it lives on while a surface of it does."""
        self.context._forget(self.coordinator._handle)
        if not self.context.closed:
            self._library.player_destroy(self._handle)

    @property
    def closed(self) -> bool:
        """Nothing holds it any more: its last event has come."""
        return self._closed or self.context.closed

    def __enter__(self) -> "Player":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def coordinate_with(self, session: Optional[Session]) -> None:
        """Keeps in step with this session's group. None: on its own again."""
        self.coordinator.coordinate_with(session)

    # ---- the queue ----

    def insert(
        self,
        identifier: str,
        *,
        uri: Optional[str] = None,
        after: Optional[str] = None,
        start_time_ns: int = 0,
        duration_ns: Optional[int] = None,
        is_live: bool = False,
    ) -> None:
        """The first item is loaded at once; ``after`` None: at the end. ``uri``: for the renderer alone; the identifier is
        what the group compares."""
        c = self._item(identifier, uri, start_time_ns, duration_ns, is_live)
        check(self._library.player_insert_item(self._handle, ctypes.byref(c), a.text_or_none(after, "after")))

    def replace_current(
        self,
        identifier: Optional[str],
        *,
        uri: Optional[str] = None,
        start_time_ns: int = 0,
        duration_ns: Optional[int] = None,
    ) -> None:
        """Another item becomes the current one; the queue behind it stays. None: nothing plays."""
        c = None if identifier is None else self._item(identifier, uri, start_time_ns, duration_ns, False)
        check(self._library.player_replace_current_item(self._handle, ctypes.byref(c) if c else None))

    def remove(self, identifier: str) -> None:
        """Out of the queue; of the current item it goes on to the next."""
        check(self._library.player_remove_item(self._handle, a.text(identifier, "identifier")))

    def advance(self) -> None:
        """On to the next item."""
        check(self._library.player_advance(self._handle))

    @staticmethod
    def _item(
        identifier: str, uri: Optional[str], start_time_ns: int, duration_ns: Optional[int], is_live: bool
    ) -> _ffi.PlayerItem:
        return _ffi.PlayerItem(
            identifier=a.text(identifier, "identifier"),
            uri=a.text_or_none(uri, "uri"),
            start_time=a.ns(start_time_ns, "start_time_ns"),
            duration=a.ns_or_invalid(duration_ns, "duration_ns"),
            is_live=a.flag(is_live, "is_live"),
        )

    # ---- what people do ----

    def play(self, rate: Optional[float] = None, *, immediately: bool = False) -> None:
        """Everybody plays, together; without a rate at the default one. ``immediately``: waiting for nobody."""
        options = PLAY_IMMEDIATELY * a.flag(immediately, "immediately")
        if rate is None:
            check(self._library.player_play(self._handle, options))
        else:
            check(self._library.player_set_rate(self._handle, a.number_of(rate, "rate"), options))

    def pause(self) -> None:
        """Everybody stops."""
        check(self._library.player_pause(self._handle))

    def set_default_rate(self, rate: float) -> None:
        """Of ``play`` without a rate and of surfaces; what plays is not changed."""
        check(self._library.player_set_rate(self._handle, a.number_of(rate, "rate"), _AS_DEFAULT))

    def seek(self, item_time_ns: int, *, tolerance_before_ns: int = 0, tolerance_after_ns: int = 0) -> int:
        """Everybody goes there; returns the number in the PlayerSeekDone that answers."""
        request = ctypes.c_uint64()
        before, after = a.ns(tolerance_before_ns, "tolerance_before_ns"), a.ns(tolerance_after_ns, "tolerance_after_ns")
        where = a.ns(item_time_ns, "item_time_ns")
        check(self._library.player_seek(self._handle, where, before, after, ctypes.byref(request)))
        return request.value

    def begin_scrub(self) -> None:
        """A slider is held: this player alone shows ``scrub_to``, until ``end_scrub`` moves the group there, or not."""
        check(self._library.player_begin_scrub(self._handle))

    def scrub_to(self, item_time_ns: int) -> None:
        """The slider moves."""
        check(self._library.player_scrub_to(self._handle, a.ns(item_time_ns, "item_time_ns")))

    def end_scrub(self, commit: bool) -> None:
        """The slider is released; ``commit``: the group goes there."""
        check(self._library.player_end_scrub(self._handle, a.flag(commit, "commit")))

    def replay(self, back_ns: int = 10 * SECOND, rate: float = 0.0) -> None:
        """What did they say: back by so much, faster, and in step again by itself."""
        back, speed = a.ns(back_ns, "back_ns"), a.number_of(rate, "rate")
        check(self._library.player_replay(self._handle, back, speed))

    def begin_interruption(self) -> None:
        """Another sound has taken over: this player stands, apart from the group."""
        check(self._library.player_begin_interruption(self._handle))

    def end_interruption(self, should_resume: bool) -> None:
        """It is over; without ``should_resume`` this player stays apart until ``play``."""
        resume = a.flag(should_resume, "should_resume")
        check(self._library.player_end_interruption(self._handle, resume))

    def begin_interstitial(self) -> None:
        """Something else plays elsewhere: the item stands, apart from the group."""
        check(self._library.player_begin_interstitial(self._handle))

    def end_interstitial(self) -> None:
        """It is over: back to where the group is now."""
        check(self._library.player_end_interstitial(self._handle))

    def set_volume(self, volume: float) -> None:
        """The person's own, 0...1."""
        check(self._library.player_set_volume(self._handle, a.number_of(volume, "volume")))

    # ---- what the renderer says ----

    def report(
        self,
        state: RendererState,
        *,
        request: int = 0,
        item_time_ns: Optional[int] = None,
        host_time_ns: Optional[int] = None,
        duration_ns: Optional[int] = None,
        seekable_ns: Optional[Tuple[int, int]] = None,
        status: int = 0,
        message: str = "",
    ) -> None:
        """An answer to a command, or, with request 0, something that happened by itself. ``seekable_ns``: first and last
        position that can be reached."""
        c = _ffi.RendererReport(
            state=a.i32(state, "state"), request=a.u64(request, "request"), status=a.i32(status, "status")
        )
        c.duration = a.ns_or_invalid(duration_ns, "duration_ns")
        c.message = a.text(message, "message")
        if seekable_ns is not None:
            first, last = seekable_ns
            c.seekable_start, c.seekable_end = a.ns(first, "seekable_ns"), a.ns(last, "seekable_ns")
            c.flags |= _ffi.HAS_RANGE
        if item_time_ns is not None:
            c.item_time = a.ns(item_time_ns, "item_time_ns")
            c.host_time = self.context.host_time_ns if host_time_ns is None else a.ns(host_time_ns, "host_time_ns")
            c.flags |= _ffi.HAS_POSITION
        elif host_time_ns is not None:
            raise a.invalid("host_time_ns says when item_time_ns held: give both")
        check(self._library.player_report(self._handle, ctypes.byref(c)))

    # ---- how it is ----

    @property
    def time_control(self) -> TimeControl:
        """Whether it plays."""
        return TimeControl(check(self._library.player_time_control(self._handle)))

    @property
    def waiting_reason(self) -> WaitingReason:
        """Why it waits."""
        return WaitingReason(check(self._library.player_waiting_reason(self._handle)))

    @property
    def item_state(self) -> ItemState:
        """Whether the current item can be played."""
        return ItemState(check(self._library.player_item_state(self._handle)))

    @property
    def current_time_ns(self) -> Optional[Tuple[int, int]]:
        """Item time and the host time at which it held; None: nothing is loaded."""
        item_time, host_time = ctypes.c_int64(), ctypes.c_int64()
        try:
            status = self._library.player_current_time(self._handle, ctypes.byref(item_time), ctypes.byref(host_time))
            check(status)
        except StateError:
            return None
        return item_time.value, host_time.value

    @property
    def statistics(self) -> PlayerStatistics:
        """How far it was from the group."""
        c = _ffi.PlayerStatistics()
        check(self._library.player_get_statistics(self._handle, ctypes.byref(c)))
        skews = ("skew_last_ns", "skew_median_ns", "skew_p95_ns", "skew_maximum_ns")
        return _reading.plain(c, PlayerStatistics, skews)

    # ---- inside ----

    def _deliver(self, event: e.Event) -> None:
        if isinstance(event, e.RendererCommand):
            self._tell(event)
        elif isinstance(event, e.PlayerEvent):
            self.context._call(self.on_event, event)
        elif isinstance(event, e.ErrorEvent):
            self.context._call(self.on_error, event)
        elif isinstance(event, e.Released):
            self._closed = True
            self.context._forget(self._handle)

    def _tell(self, command: e.RendererCommand) -> None:
        handler = getattr(self.renderer, _METHODS[type(command)])
        event: Any = command
        if not isinstance(command, (e.RendererTask, e.RendererStop)):
            self.context._call(handler, event)
            return
        if self._working is not None:
            self._working.cancel()  # a newer command replaces it
        failed = command.fail if isinstance(command, e.RendererTask) else None
        self._working = self.context._call(handler, event, failed)
        if isinstance(command, e.RendererPlay):
            self._plays = True
            if not self._asks:
                self._asks = True
                self._ask()
        elif not isinstance(command, e.RendererSeek):
            self._plays = False

    def _ask(self, event: Optional[e.TimerEvent] = None) -> None:
        """Positions cannot be asked for through a queue: they are reported."""
        if self.closed or (event is not None and event.canceled):
            return
        try:
            here = self.renderer.position_ns()
        except Exception as error:
            self._asks = False
            self.context.on_exception(error)
            return
        try:
            if here is not None:
                self.report(RendererState.POSITION, item_time_ns=here[0], host_time_ns=here[1])
            if not self._plays:
                self._asks = False
                return
        except ClosedError:
            return
        self.context.call_at(self.context.host_time_ns + _POSITION_INTERVAL, self._ask)


_METHODS: Dict[Type[Any], str] = {
    e.RendererLoad: "load",
    e.RendererCue: "cue",
    e.RendererPlay: "play",
    e.RendererPause: "pause",
    e.RendererSeek: "seek",
    e.RendererNudge: "nudge",
    e.RendererVolume: "set_volume",
    e.RendererSize: "set_render_size",
    e.RendererStop: "stop",
}


class Surface:
    """A place where a player is shown and controlled: a window, picture in picture, full screen, media keys.

    ``on_event`` gets every SurfaceEvent. A SurfaceRestore wants the window back: answer with ``complete_restore``.
    """

    def __init__(self, player: Player, kind: SurfaceKind = SurfaceKind.INLINE) -> None:
        self._library = _ffi.library()
        self.player: Player = a.instance(player, Player, "player")
        self.on_event: Optional[Handler[e.SurfaceEvent]] = None
        handle = ctypes.c_void_p()
        which = a.i32(kind, "kind")
        check(self._library.surface_create(player._handle, which, None, None, ctypes.byref(handle)))
        self._handle = handle.value or 0
        player.context._register(self._handle, self)

    def close(self) -> None:
        """Ends it; an open skip is not answered any more."""
        self.player.context._forget(self._handle)
        if not self.player.context.closed:
            self._library.surface_destroy(self._handle)

    def begin(self) -> None:
        """It is about to be shown."""
        check(self._library.surface_begin(self._handle))

    def end(self) -> None:
        """It is about to go."""
        check(self._library.surface_end(self._handle))

    def set_playing(self, playing: bool) -> None:
        """Its button, for the group."""
        check(self._library.surface_set_playing(self._handle, a.flag(playing, "playing")))

    def skip_by(self, interval_ns: int) -> int:
        """Seeks by so much, signed, for the group; returns the number in the SurfaceSkipDone that answers."""
        request = ctypes.c_uint64()
        interval = a.ns(interval_ns, "interval_ns")
        check(self._library.surface_skip_by(self._handle, interval, ctypes.byref(request)))
        return request.value

    @property
    def time_range_ns(self) -> Optional[Tuple[int, Optional[int]]]:
        """Start and duration, which is None while it is not known; None: nothing to play."""
        start, duration = ctypes.c_int64(), ctypes.c_int64()
        check(self._library.surface_time_range(self._handle, ctypes.byref(start), ctypes.byref(duration)))
        if start.value == _ffi.TIME_INVALID:
            return None
        return start.value, _reading.time_or_none(duration.value)

    @property
    def is_paused(self) -> bool:
        """Its button shows "play"."""
        return check(self._library.surface_is_paused(self._handle)) == 1

    def set_render_size(self, width: int, height: int) -> None:
        """It has another size, pixels."""
        wide, high = a.i32(width, "width"), a.i32(height, "height")
        check(self._library.surface_set_render_size(self._handle, wide, high))

    def complete_restore(self, request: int, restored: bool) -> None:
        """Answers a SurfaceRestore."""
        number, back = a.u64(request, "request"), a.flag(restored, "restored")
        check(self._library.surface_complete_restore(self._handle, number, back))

    def _deliver(self, event: e.Event) -> None:
        if isinstance(event, e.SurfaceEvent):
            self.player.context._call(self.on_event, event)
