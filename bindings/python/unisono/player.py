"""The player layer: give it a renderer, and it asks the group, follows it and keeps in step."""

from __future__ import annotations

import ctypes
from types import TracebackType
from typing import Any, Callable, Dict, Optional, Tuple, Type

from . import _ffi
from . import types as t
from .context import Context, logger
from .coordinator import PLAY_IMMEDIATELY, Coordinator
from .errors import ClosedError, StateError, Status, check

_EXACT_START, _REVERSE, _NUDGES = 1, 2, 4
_AS_DEFAULT = 2
_POSITION_INTERVAL = 100 * t.MILLISECOND


class Renderer:
    """What draws and sounds; derive from it. Each command is answered by ``command.done()`` once it is really done.

    A method that raises fails its command.
    """

    #: ``play`` keeps ``host_time`` within a millisecond.
    exact_start = False
    #: Negative rates.
    reverse = False
    #: ``nudge`` changes the speed without a gap.
    nudges = False
    #: Greatest change of speed, at most 0.1; 0: 0.02.
    nudge_limit = 0.0
    #: Nanoseconds that are not worth a correction; 0: 5 ms.
    dead_band = 0

    def load(self, command: t.RendererCommand) -> None:
        """Get ``command.uri`` ready, standing at ``command.item_time``."""
        raise NotImplementedError

    def cue(self, command: t.RendererCommand) -> None:
        """Stand at ``command.item_time``, ready to begin at ``command.rate``."""
        raise NotImplementedError

    def play(self, command: t.RendererCommand) -> None:
        raise NotImplementedError

    def pause(self, command: t.RendererCommand) -> None:
        raise NotImplementedError

    def seek(self, command: t.RendererCommand) -> None:
        """Go to ``command.item_time``, and play on from there if it plays."""
        raise NotImplementedError

    def nudge(self, command: t.RendererCommand) -> None:
        """The speed changes by the factor ``command.rate``; only asked of renderers with ``nudges``."""

    def set_volume(self, command: t.RendererCommand) -> None:
        """0...1, lowered while others speak."""

    def set_render_size(self, command: t.RendererCommand) -> None:
        """The size it is shown at, pixels."""

    def stop(self, command: t.RendererCommand) -> None:
        """Nothing plays any more."""

    def position(self) -> Optional[Tuple[int, int]]:
        """Where it is, and the host time at which that held; None: not known. Asked ten times a second while it plays."""
        return None


class Player:
    """A queue of items over a renderer. ``coordinator`` joins it to a session: ``player.coordinate_with(session)``.

    ``on_event`` gets every PlayerEvent, ``on_error`` calls that were refused later.
    """

    def __init__(self, context: Context, renderer: Renderer) -> None:
        c = _ffi.Renderer(
            capabilities=_EXACT_START * renderer.exact_start + _REVERSE * renderer.reverse + _NUDGES * renderer.nudges,
            nudge_limit=renderer.nudge_limit,
            dead_band=renderer.dead_band,
        )
        self._library = _ffi.library()
        self.context = context
        self.renderer = renderer
        self.on_event: Callable[[t.PlayerEvent], None] = lambda event: None
        self.on_error: Callable[[t.ErrorEvent], None] = lambda event: logger.error("%s", event.error)
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

    def coordinate_with(self, session: Optional[Any]) -> None:
        """None: on its own again."""
        self.coordinator.coordinate_with(session)

    # ---- the queue ----

    def insert(
        self,
        identifier: str,
        *,
        uri: Optional[str] = None,
        after: Optional[str] = None,
        start_time: int = 0,
        duration: Optional[int] = None,
        is_live: bool = False,
    ) -> None:
        """The first item is loaded at once; ``after`` None: at the end. Times in nanoseconds."""
        c = self._item(identifier, uri, start_time, duration, is_live)
        check(self._library.player_insert_item(self._handle, ctypes.byref(c), t.encoded_or_none(after)))

    def replace_current(
        self,
        identifier: Optional[str],
        *,
        uri: Optional[str] = None,
        start_time: int = 0,
        duration: Optional[int] = None,
    ) -> None:
        """None: nothing plays."""
        c = None if identifier is None else self._item(identifier, uri, start_time, duration, False)
        check(self._library.player_replace_current_item(self._handle, ctypes.byref(c) if c else None))

    def remove(self, identifier: str) -> None:
        check(self._library.player_remove_item(self._handle, t.encoded(identifier)))

    def advance(self) -> None:
        check(self._library.player_advance(self._handle))

    @staticmethod
    def _item(
        identifier: str, uri: Optional[str], start_time: int, duration: Optional[int], is_live: bool
    ) -> _ffi.PlayerItem:
        return _ffi.PlayerItem(
            identifier=t.encoded(identifier),
            uri=t.encoded_or_none(uri),
            start_time=start_time,
            duration=_ffi.TIME_INVALID if duration is None else duration,
            is_live=int(is_live),
        )

    # ---- what people do ----

    def play(self, rate: Optional[float] = None, *, immediately: bool = False) -> None:
        """Everybody plays, together; without a rate at the default one. ``immediately``: waiting for nobody."""
        options = PLAY_IMMEDIATELY if immediately else 0
        if rate is None:
            check(self._library.player_play(self._handle, options))
        else:
            check(self._library.player_set_rate(self._handle, rate, options))

    def pause(self) -> None:
        check(self._library.player_pause(self._handle))

    def set_default_rate(self, rate: float) -> None:
        """Of ``play`` without a rate and of surfaces; what plays is not changed."""
        check(self._library.player_set_rate(self._handle, rate, _AS_DEFAULT))

    def seek(self, item_time: int, *, tolerance_before: int = 0, tolerance_after: int = 0) -> int:
        """Everybody goes there; returns the number in the SEEK_DONE event that answers."""
        request = ctypes.c_uint64()
        status = self._library.player_seek(
            self._handle, item_time, tolerance_before, tolerance_after, ctypes.byref(request)
        )
        check(status)
        return request.value

    def begin_scrub(self) -> None:
        """A slider is held: this player alone shows ``scrub_to``, until ``end_scrub`` moves the group there, or not."""
        check(self._library.player_begin_scrub(self._handle))

    def scrub_to(self, item_time: int) -> None:
        check(self._library.player_scrub_to(self._handle, item_time))

    def end_scrub(self, commit: bool) -> None:
        check(self._library.player_end_scrub(self._handle, int(commit)))

    def replay(self, back: int = 10 * t.SECOND, rate: float = 0.0) -> None:
        """What did they say: back by so much, faster, and in step again by itself."""
        check(self._library.player_replay(self._handle, back, rate))

    def begin_interruption(self) -> None:
        check(self._library.player_begin_interruption(self._handle))

    def end_interruption(self, should_resume: bool) -> None:
        check(self._library.player_end_interruption(self._handle, int(should_resume)))

    def begin_interstitial(self) -> None:
        check(self._library.player_begin_interstitial(self._handle))

    def end_interstitial(self) -> None:
        check(self._library.player_end_interstitial(self._handle))

    def set_volume(self, volume: float) -> None:
        """0...1."""
        check(self._library.player_set_volume(self._handle, volume))

    # ---- what the renderer says ----

    def report(
        self,
        state: int,
        *,
        request: int = 0,
        item_time: Optional[int] = None,
        host_time: Optional[int] = None,
        duration: Optional[int] = None,
        seekable: Optional[Tuple[int, int]] = None,
        status: int = 0,
        message: str = "",
    ) -> None:
        """An answer to a command, or, with request 0, something that happened by itself."""
        c = _ffi.RendererReport(state=state, request=request, status=status)
        c.duration = _ffi.TIME_INVALID if duration is None else duration
        c.message = t.encoded(message)
        if seekable is not None:
            c.seekable_start, c.seekable_end = seekable
            c.flags |= _ffi.HAS_RANGE
        if item_time is not None:
            c.item_time = item_time
            c.host_time = self.context.host_time if host_time is None else host_time
            c.flags |= _ffi.HAS_POSITION
        check(self._library.player_report(self._handle, ctypes.byref(c)))

    # ---- how it is ----

    @property
    def time_control(self) -> int:
        return t.known(t.TimeControl, check(self._library.player_time_control(self._handle)))

    @property
    def waiting_reason(self) -> int:
        return t.known(t.WaitingReason, check(self._library.player_waiting_reason(self._handle)))

    @property
    def item_state(self) -> int:
        return t.known(t.ItemState, check(self._library.player_item_state(self._handle)))

    @property
    def current_time(self) -> Optional[Tuple[int, int]]:
        """Item time and the host time at which it held; None: nothing is loaded."""
        item_time, host_time = ctypes.c_int64(), ctypes.c_int64()
        try:
            status = self._library.player_current_time(self._handle, ctypes.byref(item_time), ctypes.byref(host_time))
            check(status)
        except StateError:
            return None
        return item_time.value, host_time.value

    @property
    def statistics(self) -> t.PlayerStatistics:
        c = _ffi.PlayerStatistics()
        check(self._library.player_get_statistics(self._handle, ctypes.byref(c)))
        skews = ("skew_last", "skew_median", "skew_p95", "skew_maximum")
        values: t.PlayerStatistics = t.plain(c, t.PlayerStatistics, optional=skews)
        return values

    # ---- inside ----

    def _deliver(self, event: t.Event) -> None:
        if isinstance(event, t.RendererCommand):
            self._tell(event)
        elif isinstance(event, t.PlayerEvent):
            self.on_event(event)
        elif isinstance(event, t.ErrorEvent):
            self.on_error(event)
        elif event.type == t.EventType.RELEASED:
            self._closed = True
            self.context._forget(self._handle)

    def _tell(self, command: t.RendererCommand) -> None:
        try:
            getattr(self.renderer, _METHODS[command.type])(command)
        except Exception:
            command.fail(Status.EINTERNAL)
            raise
        if command.type in _STANDS:
            self._plays = False
        elif command.type == t.EventType.RENDERER_PLAY:
            self._plays = True
            if not self._asks:
                self._asks = True
                self._ask()

    def _ask(self, event: Optional[t.TimerEvent] = None) -> None:
        """Positions cannot be asked for through a queue: they are reported."""
        if self.closed or (event is not None and event.canceled):
            return
        here = self.renderer.position()
        try:
            if here is not None:
                self.report(t.RendererState.POSITION, item_time=here[0], host_time=here[1])
            if not self._plays:
                self._asks = False
                return
        except ClosedError:
            return
        self.context.call_at(self.context.host_time + _POSITION_INTERVAL, self._ask)


_STANDS = (t.EventType.RENDERER_LOAD, t.EventType.RENDERER_CUE, t.EventType.RENDERER_PAUSE, t.EventType.RENDERER_STOP)
_METHODS: Dict[int, str] = {
    t.EventType.RENDERER_LOAD: "load",
    t.EventType.RENDERER_CUE: "cue",
    t.EventType.RENDERER_PLAY: "play",
    t.EventType.RENDERER_PAUSE: "pause",
    t.EventType.RENDERER_SEEK: "seek",
    t.EventType.RENDERER_NUDGE: "nudge",
    t.EventType.RENDERER_VOLUME: "set_volume",
    t.EventType.RENDERER_SIZE: "set_render_size",
    t.EventType.RENDERER_STOP: "stop",
}


class Surface:
    """A place where a player is shown and controlled: a window, picture in picture, full screen, media keys.

    ``on_event`` gets every SurfaceEvent. A RESTORE wants the window back: answer with ``complete_restore``.
    """

    def __init__(self, player: Player, kind: int = t.SurfaceKind.INLINE) -> None:
        self._library = _ffi.library()
        self.player = player
        self.on_event: Callable[[t.SurfaceEvent], None] = lambda event: None
        handle = ctypes.c_void_p()
        check(self._library.surface_create(player._handle, kind, None, None, ctypes.byref(handle)))
        self._handle = handle.value or 0
        player.context._register(self._handle, self)

    def close(self) -> None:
        self.player.context._forget(self._handle)
        if not self.player.context.closed:
            self._library.surface_destroy(self._handle)

    def begin(self) -> None:
        check(self._library.surface_begin(self._handle))

    def end(self) -> None:
        check(self._library.surface_end(self._handle))

    def set_playing(self, playing: bool) -> None:
        check(self._library.surface_set_playing(self._handle, int(playing)))

    def skip_by(self, interval: int) -> int:
        """Nanoseconds, signed; returns the number in the SKIPPED event that answers."""
        request = ctypes.c_uint64()
        check(self._library.surface_skip_by(self._handle, interval, ctypes.byref(request)))
        return request.value

    @property
    def time_range(self) -> Optional[Tuple[int, Optional[int]]]:
        """Start and duration, which is None while it is not known; None: nothing to play."""
        start, duration = ctypes.c_int64(), ctypes.c_int64()
        check(self._library.surface_time_range(self._handle, ctypes.byref(start), ctypes.byref(duration)))
        return None if start.value == _ffi.TIME_INVALID else (start.value, t.time_or_none(duration.value))

    @property
    def is_paused(self) -> bool:
        return check(self._library.surface_is_paused(self._handle)) == 1

    def set_render_size(self, width: int, height: int) -> None:
        check(self._library.surface_set_render_size(self._handle, width, height))

    def complete_restore(self, request: int, restored: bool) -> None:
        check(self._library.surface_complete_restore(self._handle, request, int(restored)))

    def _deliver(self, event: t.Event) -> None:
        if isinstance(event, t.SurfaceEvent):
            self.on_event(event)
