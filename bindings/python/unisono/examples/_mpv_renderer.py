"""mpv as a renderer of ``unisono.Player``, by the rules of bindings/c/mpv_renderer.c, whose first comment says what is
particular about mpv. What a person does in mpv's window is undone and told as a wish: the group decides."""

from __future__ import annotations

import enum
from typing import Any, Callable, Dict, List, Optional, Tuple

import unisono
from unisono import MILLISECOND, SECOND, Motion, RendererState
from unisono.examples._mpv_process import Mpv

SETTLING = 250 * MILLISECOND  # mpv's position is not to be believed right after a start
SLOW_ANSWER = 3 * MILLISECOND  # a position that took longer to get is not worth having
AHEAD = 60 * MILLISECOND  # standing so little ahead is as good: it starts that much later
KEEP_PITCH_FROM = 0.05
QUIET = 100 * MILLISECOND  # who holds a key down seeks forty times a second
PERSONS_TURN = 400 * MILLISECOND
OBSERVED = ("pause", "speed", "eof-reached", "paused-for-cache", "core-idle")


class UserSeek(enum.Enum):
    """What the person seeks, and whether the group knows."""

    NONE = enum.auto()
    BEGUN = enum.auto()
    OVER = enum.auto()
    TOLD = enum.auto()  # before it was over


class MpvRenderer(unisono.Renderer):
    nudges = True
    dead_band_ns = 3 * MILLISECOND

    def __init__(self, context: unisono.Context) -> None:
        self.context = context
        self.player: unisono.Player  # both are there before the first command
        self.mpv: Mpv
        self.loaded = self.running = self.stalled = self.at_end = False
        self.stand = 0  # where it stands while not running
        self.speed, self.factor = 1.0, 1.0  # the rate, and the nudge on top
        self.working: Optional[unisono.RendererTask] = None
        self.seeking = False  # as it was told
        self.seek_target = self.seek_before = self.seek_began = 0
        self.user_seek = UserSeek.NONE
        self.user_sought = 0  # when a person did, or did last of several times
        self.user_seeks_on = False  # it was not the first of several
        self.measured_from = 0
        # What the person at the window wishes.
        self.wish_pause: Callable[[bool], None] = lambda pause: None
        self.wish_seek: Callable[[int], None] = lambda item_time_ns: None
        self.wish_speed: Callable[[float], None] = lambda speed: None
        self.wish_close: Callable[[], None] = lambda: None

    def start(self, arguments: List[str]) -> None:
        self.mpv = Mpv(arguments, self._on_event)
        for number, name in enumerate(OBSERVED, 1):
            self.mpv.command("observe_property", number, name)

    # ---- where it is ----

    def position_at(self, when: int) -> Optional[int]:
        if not self.loaded:
            return None
        if not self.running:
            return self.stand
        here, at, _ = self._measure()
        return None if here is None else here + int((when - at) * self._full_speed)

    def rate(self) -> float:
        return self._full_speed if self.running and not self.at_end and not self.stalled else 0.0

    def position_ns(self) -> Optional[Tuple[int, int]]:
        settled = self.loaded and self.running and not self.stalled and not self.at_end
        if not settled or self.seeking or self.user_seek is not UserSeek.NONE or self._now < self.measured_from:
            return None
        here, at, took = self._measure()
        return None if here is None or took > SLOW_ANSWER else (here, at)

    def _measure(self) -> Tuple[Optional[int], int, int]:
        """What is heard; without sound what is seen, to a frame. When that held, and how long it took to get."""
        before, here = self._now, self._time("audio-pts")
        took = self._now - before
        if here is None:
            here = self._time("time-pos")
        return here, before + took // 2, took

    @property
    def _now(self) -> int:
        return self.context.host_time_ns

    @property
    def _full_speed(self) -> float:
        return self.speed * self.factor

    def _time(self, name: str) -> Optional[int]:
        value = self.mpv.get(name)
        return None if value is None else round(value * SECOND)

    # ---- what the player tells it ----

    def load(self, command: unisono.RendererLoad) -> None:
        self._stand_still()
        self.loaded = self.seeking = self.at_end = False
        self.user_seek = UserSeek.NONE
        self.stand = command.item_time_ns
        self.working = command
        self.mpv.set("start", str(command.item_time_ns / SECOND))
        self.mpv.command("loadfile", command.uri)

    def cue(self, command: unisono.RendererCue) -> None:
        self._stand_still()
        self.working = command
        ahead = (self.seek_target if self.seeking else self.stand) - command.item_time_ns
        if not -MILLISECOND <= ahead <= AHEAD:
            self._begin_seek(command.item_time_ns)
        self._go_on()

    def play(self, command: unisono.RendererPlay) -> None:
        if not 0.01 <= command.rate <= 100:  # mpv plays no film backwards at an exact speed
            command.fail(unisono.Status.ENOTSUP, "mpv plays at 0.01 to 100 times the usual speed")
            return
        self.working = command
        if command.rate != self.speed:
            self.mpv.set("audio-pitch-correction", abs(command.rate - 1) > KEEP_PITCH_FROM)
        self._set_speed(command.rate, self.factor)
        if not self.running:
            self.running = True
            self.measured_from = self._now + SETTLING
            self._set_pause(False)
        self._go_on()

    def pause(self, command: unisono.RendererPause) -> None:
        self._stand_still()
        self.working = None
        command.done(self.stand)

    def seek(self, command: unisono.RendererSeek) -> None:
        self.working = command
        self._begin_seek(command.item_time_ns)

    def nudge(self, command: unisono.RendererNudge) -> None:
        self._set_speed(self.speed, command.factor)

    def set_volume(self, command: unisono.RendererVolume) -> None:
        self.mpv.set("volume", 100 * command.volume ** (1 / 3))  # its scale is the cube root of what is heard

    def stop(self, command: unisono.RendererStop) -> None:
        self._stand_still()
        self.loaded = False
        self.mpv.command("stop")

    # ---- standing, seeking, starting ----

    def _set_speed(self, speed: float, factor: float) -> None:
        before = self._full_speed
        self.speed, self.factor = speed, factor
        if abs(self._full_speed - before) > 1e-9:
            self.mpv.set("speed", self._full_speed)

    def _stand_still(self) -> None:
        if not self.running:
            return
        self._set_pause(True)
        here = self.position_at(self._now)
        self.stand = self.stand if here is None else here
        self.running = self.stalled = False

    def _begin_seek(self, target: int) -> None:
        if (self.seeking and self.seek_target == target) or self._is_persons_turn():
            return
        self.seek_before = self.seek_target if self.seeking else target
        self.seeking, self.user_seek = True, UserSeek.NONE
        self.seek_target = target
        self.seek_began = self._now
        self.mpv.command("seek", target / SECOND, "absolute+exact")

    def _is_persons_turn(self) -> bool:
        """The person seeks at this moment: the group will hear of that, and what it said meanwhile is over then."""
        return self.user_seek in (UserSeek.BEGUN, UserSeek.OVER) and self._now - self.user_sought < PERSONS_TURN

    def _could_start(self) -> bool:
        if self.mpv.get("seeking") or self.mpv.get("paused-for-cache"):
            return False
        cached = self.mpv.get("demuxer-cache-duration")
        return cached is None or cached >= 1 or bool(self.mpv.get("demuxer-cache-idle")) or self.at_end

    def _go_on(self) -> None:
        """A seek is over, or something else has changed: is what was asked for done?"""
        command = self.working
        if command is None or self.seeking or not self.loaded:
            return
        if isinstance(command, unisono.RendererCue) and not self._could_start():
            return
        if isinstance(command, unisono.RendererPlay) and self.mpv.get("core-idle"):
            return
        self.working = None
        # mpv says that it seeks before it says that it is there: what it says from now on is a person's, at once.
        self.player.coordinator.expect_motion(Motion.SEEKING, False)
        now = self._now
        command.done(self.position_at(now), now, duration_ns=self._time("duration"))

    def keep(self) -> None:
        """Ten times a second. A cache fills without telling, and mpv may need to be asked before it ends a seek."""
        if self.seeking:
            self._on_seek_over()
        if self.user_seek is UserSeek.OVER and self._now - self.user_sought > QUIET:
            self._tell_user_seek()
        self._go_on()

    def _on_seek_over(self) -> None:
        if self.mpv.get("seeking"):
            return  # a newer one is under way
        here = self._time("time-pos")
        elsewhere = here is None or abs(here - self.seek_target) > SECOND // 4
        if elsewhere and self._now - self.seek_began < SECOND:
            return  # of an older seek, unless nothing else comes
        self.seeking = False
        self.measured_from = self._now + SETTLING
        if here is not None:
            self.stand = here
        self._go_on()

    # ---- what happens in mpv ----

    def _tell(self, state: RendererState) -> None:
        now = self._now
        self.player.report(state, item_time_ns=self.position_at(now), host_time_ns=now)

    def _on_event(self, event: Dict[str, Any]) -> None:
        kind = event["event"]
        if kind == "shutdown":
            self.wish_close()  # the window was closed
        elif self.context.closed:
            return
        elif kind == "playback-restart":
            self._on_restart()
        elif kind == "property-change":
            self._on_property(event["name"])
        elif kind == "seek":
            self._on_seek_begun()
        elif kind == "end-file" and event.get("reason") == "error":
            self._on_failure(event.get("file_error", "mpv cannot play it"))

    def _on_failure(self, why: str) -> None:
        command, self.working = self.working, None
        self.loaded = self.running = False
        if command is not None:
            command.fail(unisono.Status.ENOTFOUND, why)
        else:
            self.player.report(RendererState.FAILED, status=unisono.Status.ENOTFOUND, message=why)

    def _is_wish(self, motion: Motion, value: float) -> bool:
        """Of the person at the window, and no echo of what mpv was told."""
        return self.player.coordinator.is_wish(motion, value)

    def _set_pause(self, pause: bool) -> None:
        """It does so at once: what it says of that from now on is a person's, also where this has not come yet."""
        self.mpv.set("pause", pause)
        self._is_wish(Motion.RUNNING, not pause)

    def _on_restart(self) -> None:
        is_wished = self._is_wish(Motion.SEEKING, False)
        is_users = self.user_seek is UserSeek.BEGUN or (is_wished and self.user_seek is not UserSeek.TOLD)
        if self.user_seek is not UserSeek.OVER:
            self.user_seek = UserSeek.NONE
        if not self.loaded:
            self.loaded = True
            here = self._time("time-pos")
            self.stand = self.stand if here is None else here
            self._go_on()
        elif self.seeking:
            self._on_seek_over()
        elif is_users:
            self.measured_from = self._now + SETTLING
            self.user_seek = UserSeek.OVER
            if not self.user_seeks_on:
                self._tell_user_seek()

    def _on_seek_begun(self) -> None:
        if self._is_wish(Motion.SEEKING, True) or self._is_sought_elsewhere():
            self.seeking, self.user_seek = False, UserSeek.BEGUN
            self.user_seeks_on = self._now - self.user_sought < PERSONS_TURN
            self.user_sought = self._now

    def _is_sought_elsewhere(self) -> bool:
        """A person seeks while mpv is on the way to where it was told to go: it says at once that it is elsewhere. Not known at the end."""
        here, duration = self._time("time-pos"), self._time("duration")
        if not self.seeking or here is None or duration is None or self.seek_target > duration - SECOND:
            return False
        return abs(here - self.seek_target) > SECOND // 4 and abs(here - self.seek_before) > SECOND // 4

    def _tell_user_seek(self) -> None:
        """The group hears where the person sought to: of one seek at once, of several in a row also when no other followed for a moment, and
        before it hears of the person's next wish, which is meant for that place. mpv says that it is there already while it seeks."""
        here = self._time("time-pos")
        if self.user_seek not in (UserSeek.BEGUN, UserSeek.OVER) or here is None:
            return
        self.user_seek = UserSeek.NONE if self.user_seek is UserSeek.OVER else UserSeek.TOLD
        if not self.running and self.user_seek is UserSeek.NONE:
            self.stand = here
            self._tell(RendererState.POSITION)
        self.wish_seek(here)

    def _on_property(self, name: str) -> None:
        if name == "pause":
            self._on_pause()
        elif name == "speed":
            self._on_speed()
        elif name == "eof-reached":
            self.at_end = bool(self.mpv.get("eof-reached"))
            if self.at_end and self.running:
                self._tell(RendererState.ENDED)
        elif name == "paused-for-cache":
            self._on_cache()
        else:
            self._go_on()

    def _on_pause(self) -> None:
        pause = bool(self.mpv.get("pause"))
        if not self._is_wish(Motion.RUNNING, not pause):
            return
        self._set_pause(not self.running)
        self._tell_user_seek()
        if not pause and self.loaded:  # it ran for a moment
            here = self._time("audio-pts")
            self.stand = self.stand if here is None else here
            self._tell(RendererState.POSITION)
        self.wish_pause(pause)

    def _on_speed(self) -> None:
        asked = self.mpv.get("speed")
        if asked is None or not self._is_wish(Motion.RATE, asked):
            return
        self.mpv.set("speed", self._full_speed)
        self.wish_speed(asked / self.factor)

    def _on_cache(self) -> None:
        stalled = self.running and bool(self.mpv.get("paused-for-cache"))
        if stalled != self.stalled:
            self.stalled = stalled
            self.measured_from = self._now + SETTLING
            self._tell(RendererState.STALLED if stalled else RendererState.RECOVERED)
