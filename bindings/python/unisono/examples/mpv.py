"""A window of mpv, in step with everybody else's. Needs mpv in PATH and nothing else.

    python -m unisono.examples.mpv host film.mkv          prints "invite ..."
    python -m unisono.examples.mpv join INVITE film.mkv   in another terminal or on another machine

mpv runs as a process of its own and is driven through its JSON commands, by the rules of bindings/c/mpv_host.c, whose
first comment says what is particular about mpv. Keys in mpv's window act on the whole group.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import select
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from enum import Enum
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

import unisono
from unisono import MILLISECOND, SECOND
from unisono.examples._shell import Shell, line_at, parser, run

KEEPER_INTERVAL = 190 * MILLISECOND  # 5 times a second
SETTLING = 450 * MILLISECOND  # mpv's own buffers: no measurement right after a change of speed
NUDGE = 0.02  # at most this much faster or slower
NUDGE_FROM = 3 * MILLISECOND
AIM_FROM = 80 * MILLISECOND  # farther off than this, a nudge would take too long
AIM_PAUSE = 1500 * MILLISECOND
OWN_SEEK_ECHO = 300 * MILLISECOND
AIMS = 3  # then it starts where it is, as at the end of a file that is shorter here


class MpvError(OSError):
    """mpv could not be started or went away."""


class Mpv:
    """mpv's JSON commands. A request waits for its answer, which takes a sixth of a millisecond."""

    def __init__(self, arguments: List[str], path: str, on_event: Callable[[Dict[str, Any]], None]) -> None:
        command = ["mpv", "--input-ipc-server=" + path, *arguments]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self._on_event = on_event
        self._events: List[Dict[str, Any]] = []
        self._buffer = b""
        self._request = 0
        self._socket = self._connect(path)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._socket, self._readable)

    def _connect(self, path: str) -> socket.socket:
        end = time.monotonic() + 10
        while True:
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(path)
                connection.settimeout(5)
                return connection
            except OSError:
                connection.close()
                if self.process.poll() is not None or time.monotonic() > end:
                    raise MpvError("mpv did not start") from None
                time.sleep(0.02)

    def command(self, *words: Any) -> Any:
        """The answer's data; None when mpv has none or refuses."""
        self._request += 1
        request = {"command": list(words), "request_id": self._request}
        try:
            self._socket.sendall(json.dumps(request).encode() + b"\n")
            while True:
                message = self._next_message()
                if message.get("request_id") == self._request and "error" in message:
                    if self._events:
                        self._loop.call_soon(self._deliver)
                    return message.get("data") if message["error"] == "success" else None
                self._events.append(message)
        except OSError:
            self._loop.call_soon(self._lost)
            return None

    def get(self, name: str) -> Any:
        return self.command("get_property", name)

    def set(self, name: str, value: Any) -> None:
        self.command("set_property", name, value)

    def close(self) -> None:
        self._loop.remove_reader(self._socket)
        self._socket.close()
        self.process.terminate()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _next_message(self) -> Dict[str, Any]:
        while b"\n" not in self._buffer:
            data = self._socket.recv(65536)
            if not data:
                raise MpvError("mpv is gone")
            self._buffer += data
        line, self._buffer = self._buffer.split(b"\n", 1)
        message: Dict[str, Any] = json.loads(line)
        return message

    def _readable(self) -> None:
        if not select.select([self._socket], [], [], 0)[0]:
            return  # a request of this same turn of the loop has read it
        try:
            self._events.append(self._next_message())
            while b"\n" in self._buffer:
                self._events.append(self._next_message())
        except OSError:
            self._lost()
            return
        self._deliver()

    def _deliver(self) -> None:
        while self._events:
            event = self._events.pop(0)
            if "event" in event:
                self._on_event(event)

    def _lost(self) -> None:
        self._loop.remove_reader(self._socket)
        status = self.process.poll()
        if status is not None and status < 0:
            print(f"mpv ended by signal {-status}", file=sys.stderr)
        self._on_event({"event": "shutdown"})


class Work(Enum):
    """What the player is doing for a command."""

    NONE = 0
    STAND = 1  # pause and seek: done when the place is reached
    READY = 2  # buffer, and seek with anticipation: done when it could start at once
    AIM = 3  # play: seeking a little ahead of the line, to start when the line comes by
    START = 4  # play: standing, waiting for the instant
    RATE = 5  # play: running already, waiting for the instant of another rate


class MpvHost(Shell):
    def __init__(self, options: argparse.Namespace) -> None:
        options.item = options.item or Path(options.file).name
        super().__init__(options)
        self.loaded = self.running = self.is_stalled = self.at_end = False
        self.stand = 0  # where it stands while not running
        self.pending: Optional[unisono.Command] = None  # being worked on
        self.waiting: Optional[unisono.Command] = None  # came before the file was loaded
        self.work = Work.NONE
        self.start_timer: Optional[int] = None
        self.nudge_timer: Optional[int] = None
        self.aims = 0
        self.line_rate, self.line_item_time, self.line_host_time = 1.0, 0, 0  # the line to follow while playing
        self.seeking = self.user_seeking = False
        self.seek_target = self.seek_began = self.last_own_seek = 0
        self.seek_cost = 80 * MILLISECOND  # learnt: how long a seek takes
        self.start_latency = 0  # learnt: from being told to sounding
        self.learn_from_start = False
        self.own_pause, self.own_speed = True, 1.0  # what was last told to mpv
        self.measure_from = self.last_aim = self.keep_from = 0
        self.errors: List[int] = []  # the latest, ahead positive

    async def start(self) -> None:
        options = self.options
        self._folder = tempfile.TemporaryDirectory(prefix="unisono-mpv-")
        path = options.ipc or os.path.join(self._folder.name, "mpv")
        arguments = ["--pause", "--hr-seek=yes", "--keep-open=yes", "--keep-open-pause=no", "--no-terminal"]
        arguments += ["--idle=yes", "--audio-pitch-correction=no"]
        if options.vo is None and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            options.vo = "null"
        arguments += ["--audio-fallback-to-null=yes"]  # without a sound card there is still a clock to follow
        arguments += [f"--vo={options.vo}"] if options.vo else []
        arguments += [f"--ao={options.ao}"] if options.ao else []
        arguments += [] if options.vo == "null" else ["--force-window=yes"]
        try:
            self.mpv = Mpv(arguments, path, self.on_mpv_event)
        except FileNotFoundError:
            raise MpvError("mpv is not installed") from None
        for number, name in enumerate(("pause", "speed", "eof-reached", "paused-for-cache"), 1):
            self.mpv.command("observe_property", number, name)

    async def stop(self) -> None:
        self.mpv.close()
        self._folder.cleanup()

    # ---- talking to mpv ----

    @property
    def now(self) -> int:
        return self.context.host_time

    def set_pause(self, pause: bool) -> None:
        self.own_pause = pause
        self.mpv.set("pause", pause)

    def set_speed(self, speed: float) -> None:
        """Ends a nudge, too."""
        if self.nudge_timer is not None:
            self.context.cancel(self.nudge_timer)
        self.nudge_timer = None
        if abs(speed - self.own_speed) < 1e-9:
            return
        self.own_speed = speed
        self.mpv.set("speed", speed)
        self.measure_from = self.now + SETTLING
        self.errors.clear()

    def set_rate(self, rate: float) -> None:
        """At the usual speed nudges have to be exact, which they are without the filter that keeps the pitch."""
        self.mpv.set("audio-pitch-correction", abs(rate - 1) > 2 * NUDGE)
        self.set_speed(rate)

    def time(self, name: str) -> Optional[int]:
        value = self.mpv.get(name)
        return None if value is None else round(value * SECOND)

    def running_position(self, when: int) -> Optional[int]:
        """What is heard at ``when``, while running. Without sound: what is seen, to a frame."""
        before, position, after = self.now, self.time("audio-pts"), self.now
        if position is None:
            position = self.time("time-pos")
        return None if position is None else line_at(position, (before + after) // 2, self.own_speed, when)

    def position(self, when: int) -> Optional[int]:
        if not self.loaded:
            return None
        return self.running_position(when) if self.running else self.stand

    def rate(self) -> float:
        return self.own_speed if self.running and not self.at_end and not self.is_stalled else 0.0

    def stalled(self) -> bool:
        return self.is_stalled

    # ---- standing, seeking, starting ----

    def cancel_start(self) -> None:
        if self.start_timer is not None:
            self.context.cancel(self.start_timer)
        self.start_timer = None

    def stand_still(self) -> None:
        self.cancel_start()
        if not self.running:
            return
        self.set_pause(True)
        here = self.running_position(self.now)
        self.stand = self.stand if here is None else here
        self.running = False
        self.set_speed(self.line_rate)

    def done(self) -> None:
        self.work = Work.NONE
        if self.pending is not None:
            self.pending.complete()
        self.pending = None
        self.report()
        self.changed()

    def begin_seek(self, target: int) -> None:
        if self.seeking and self.seek_target == target:
            return
        self.seeking, self.user_seeking = True, False
        self.seek_target = target
        self.seek_began = self.last_own_seek = self.now
        self.mpv.command("seek", target / SECOND, "absolute+exact")

    def line(self, when: int) -> int:
        return line_at(self.line_item_time, self.line_host_time, self.line_rate, when)

    def start_instant(self) -> int:
        """When the line comes by the place where the player stands, less what a start takes."""
        return self.line_host_time + int((self.stand - self.line_item_time) / self.line_rate) - self.start_latency

    def set_off(self) -> None:
        now = self.now
        self.set_rate(self.line_rate)
        self.set_pause(False)
        self.running = True
        self.learn_from_start = now - self.start_instant() < MILLISECOND  # it was on time
        self.measure_from = now + SETTLING
        self.errors.clear()
        self.done()

    def change_rate(self) -> None:
        """What is in mpv's buffers would still be heard at the old speed, a third of a second of it; a seek drops it."""
        self.stand_still()
        self.aim()

    def on_due(self, event: unisono.TimerEvent) -> None:
        if event.canceled:
            return
        self.start_timer = None
        if self.work is Work.START:
            self.set_off()
        elif self.work is Work.RATE:
            self.change_rate()

    def aim(self) -> None:
        """Seeks ahead of the line, far enough that the line comes by only after the seek is over."""
        now = self.now
        self.last_aim = now
        self.aims += 1
        self.work = Work.AIM
        self.begin_seek(self.line(max(now + self.seek_cost, self.line_host_time)))

    def start_on_line(self) -> None:
        """The player stands: start when the line comes by, or aim again if it passed too long ago."""
        now, due = self.now, self.start_instant()
        ahead = self.stand - self.line(max(now, self.line_host_time))
        if (ahead > SECOND or now - due > AIM_FROM) and self.aims < AIMS:
            self.aim()
            return
        self.work = Work.START
        if due <= now:
            self.set_off()  # a little late: the keeper nudges
        else:
            self.start_timer = self.context.call_at(due, self.on_due)

    def could_start(self) -> bool:
        if self.seeking or self.mpv.get("seeking") or self.mpv.get("paused-for-cache"):
            return False
        cached = self.time("demuxer-cache-duration")
        if cached is None or cached >= SECOND:
            return True
        return bool(self.mpv.get("demuxer-cache-idle") or self.mpv.get("eof-reached"))

    def go_on(self) -> None:
        """A seek is over, or some time has passed: is what the command asked for done?"""
        if self.seeking:
            return
        if self.work is Work.STAND or (self.work is Work.READY and self.could_start()):
            self.done()
        elif self.work is Work.AIM:
            self.start_on_line()

    def on_seek_over(self) -> None:
        here, took = self.time("time-pos"), self.now - self.seek_began
        if self.mpv.get("seeking"):
            return  # a newer one is under way
        elsewhere = here is None or abs(here - self.seek_target) > SECOND // 4
        if elsewhere and took < SECOND:
            return  # of an older seek; the keeper accepts it later, as at a file's end
        self.seeking = False
        if here is not None:
            self.stand = here
        if not elsewhere:  # up at once, down slowly: a seek that takes longer than expected costs a second one
            wanted = took + took // 2 + 20 * MILLISECOND
            longer = wanted > self.seek_cost
            self.seek_cost = wanted if longer else self.seek_cost - (self.seek_cost - wanted) // 8
        self.go_on()

    # ---- what the group asks of this player ----

    def begin(self, command: unisono.Command) -> bool:
        """A newer command replaces the one being worked on. False while there is nothing loaded to do it with."""
        self.pending, self.work, self.aims = command, Work.NONE, 0
        self.cancel_start()
        self.waiting = None if self.loaded else command
        self.changed()
        return self.loaded

    def play(self, command: unisono.Command) -> None:
        if not self.begin(command):
            return
        if not 0.01 <= command.rate <= 100:  # mpv plays no film backwards at an exact speed
            self.pending = None
            command.fail(unisono.Status.ENOTSUP)
            return
        now, rate_before = self.now, self.line_rate
        self.line_rate, self.line_item_time = command.rate, command.item_time
        self.line_host_time = now if command.host_time is None else command.host_time
        if self.running and abs(command.rate - rate_before) > NUDGE:
            self.work = Work.RATE
            if self.line_host_time > now:  # until then the old line holds
                self.start_timer = self.context.call_at(self.line_host_time, self.on_due)
            else:
                self.change_rate()
            return
        here = self.running_position(now) if self.running else None
        if here is not None and abs(here - self.line(now)) < AIM_FROM:
            self.done()  # it plays already, near enough: the keeper does the rest
            return
        self.stand_still()
        if self.seeking:
            self.work = Work.AIM
        else:
            self.start_on_line()

    def pause(self, command: unisono.Command) -> None:
        if not self.begin(command):
            return
        self.stand_still()
        self.work = Work.READY if command.buffer_in_anticipation else Work.STAND
        if command.snap:  # everybody seeks, so that everybody stands on the same frame
            self.begin_seek(command.item_time)
        self.go_on()

    def seek(self, command: unisono.Command) -> None:
        if not self.begin(command):
            return
        self.stand_still()
        self.work = Work.READY if command.buffer_in_anticipation else Work.STAND
        self.begin_seek(command.item_time)

    def buffer(self, command: unisono.Command) -> None:
        """Standing a little ahead is fine, one starts that much later. Standing behind needs a seek."""
        if not self.begin(command):
            return
        self.stand_still()
        self.work = Work.READY
        if not -MILLISECOND <= self.stand - command.item_time <= 60 * MILLISECOND:
            self.begin_seek(command.item_time)
        self.go_on()

    # ---- what the person at mpv's window does: the group is asked, and its commands are followed ----

    def propose_pause(self) -> None:
        if self.mpv.get("pause") == self.own_pause:
            return  # an echo of our own
        wants_play = self.own_pause
        if wants_play:
            self.mpv.set("pause", True)
        self.own_pause = True
        here = self.time("audio-pts")  # it ran for a moment, or up to now
        self.stand = self.stand if here is None else here
        if not wants_play:
            self.running = False
            self.set_speed(self.line_rate)
        self.ask(lambda: self.coordinator.play(self.own_speed) if wants_play else self.coordinator.pause())

    def propose_speed(self) -> None:
        speed = self.mpv.get("speed")
        if speed is None or abs(speed - self.own_speed) < 1e-6:
            return
        self.own_speed = speed
        if self.running:
            self.ask(lambda: self.coordinator.play(speed))

    def propose_seek(self) -> None:
        self.user_seeking = False
        here = self.time("time-pos")
        if here is None:
            return
        target = here
        if not self.running:
            self.stand = target
        self.ask(lambda: self.coordinator.seek(target))

    def ask(self, what: Callable[[], None]) -> None:
        try:
            what()
        except unisono.UnisonoError as error:
            print(f"{self.options.name}: {error}", file=sys.stderr)
        self.changed()

    # ---- mpv's events ----

    def on_mpv_event(self, event: Dict[str, Any]) -> None:
        kind = event["event"]
        if kind == "shutdown":
            self.finish()  # the window was closed
        elif self.context.closed:
            return
        elif kind == "playback-restart":
            self.on_restart()
        elif kind == "property-change" and self.loaded:
            self.on_property(event["name"])
        elif kind == "seek" and not self.seeking and self.now - self.last_own_seek > OWN_SEEK_ECHO:
            self.user_seeking = True
        elif kind == "end-file" and event.get("reason") == "error":
            print(f"mpv cannot play {self.options.file}: {event.get('file_error', 'no reason given')}", file=sys.stderr)

    def on_restart(self) -> None:
        if not self.loaded:
            self.loaded = True
            self.stand = self.time("time-pos") or 0
            self.report()
            self.changed()
            if self.waiting is not None:
                self._deliver_again(self.waiting)
        elif self.seeking:
            self.on_seek_over()
        elif self.user_seeking:
            self.propose_seek()

    def _deliver_again(self, command: unisono.Command) -> None:
        methods = {
            unisono.EventType.COORDINATOR_PLAY: self.play,
            unisono.EventType.COORDINATOR_PAUSE: self.pause,
            unisono.EventType.COORDINATOR_SEEK: self.seek,
            unisono.EventType.COORDINATOR_BUFFER: self.buffer,
        }
        methods[unisono.EventType(command.type)](command)

    def on_property(self, name: str) -> None:
        if name == "pause":
            self.propose_pause()
        elif name == "speed":
            self.propose_speed()
        elif name == "eof-reached":
            self.at_end = bool(self.mpv.get("eof-reached"))
        elif name == "paused-for-cache":
            self.is_stalled = self.running and bool(self.mpv.get("paused-for-cache"))
            self.measure_from = self.now + SETTLING
            self.errors.clear()
            self.report()
            self.changed()

    # ---- the keeper: stays on the line ----

    def keep(self) -> None:
        now = self.now
        if now < self.keep_from:
            return
        self.keep_from = now + KEEPER_INTERVAL
        if self.seeking and now - self.seek_began > SECOND:
            self.on_seek_over()
        if self.work is Work.READY:
            self.go_on()  # the cache fills without telling
        if not self.running or self.is_stalled or self.at_end or self.user_seeking:
            return
        if self.work is Work.RATE or now < self.measure_from:
            return
        self.errors = self.errors[-2:] + [self.error_now()]
        if len(self.errors) < 3:
            return
        error = int(statistics.median(self.errors))
        if self.learn_from_start:
            self.learn_from_start = False
            self.start_latency = min(max(0, self.start_latency - error // 2), SECOND // 5)
        if abs(error) > AIM_FROM and now - self.last_aim > AIM_PAUSE:
            self.stand_still()
            self.aim()
        elif abs(error) > NUDGE_FROM:
            self.nudge(error)

    def error_now(self) -> int:
        """Ahead of where the group has it. Apart from the group, its own line counts."""
        now = self.now
        here = self.running_position(now)
        expected = None if self.reasons else self.coordinator.expected_item_time(now)
        return 0 if here is None else here - (self.line(now) if expected is None else expected)

    def nudge(self, error: int) -> None:
        now, lasts = self.now, int(abs(error) / (NUDGE * self.line_rate))
        self.set_speed(self.line_rate * (1 - NUDGE if error > 0 else 1 + NUDGE))
        self.measure_from = now + lasts + SETTLING
        self.nudge_timer = self.context.call_at(now + lasts, self.on_nudge_over)

    def on_nudge_over(self, event: unisono.TimerEvent) -> None:
        if event.canceled:
            return
        self.nudge_timer = None
        if self.running:
            self.set_speed(self.line_rate)

    # ---- loading ----

    def load(self, item: str) -> bool:
        """The identifier is what the group compares; the file belongs to this host alone."""
        path = self.options.file if item == self.options.item else item
        if "://" not in path and not os.path.exists(path):
            print(f"the group moved to {item}, which is not here", file=sys.stderr)
            return False
        self.stand_still()
        self.loaded = self.seeking = self.user_seeking = self.at_end = False
        self.mpv.command("loadfile", path)
        return True


def add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", help="what mpv plays; its base name is the item")
    command.add_argument("--vo", help="mpv's video output; null: no window")
    command.add_argument("--ao", help="mpv's audio output; null: no sound")
    command.add_argument("--ipc", metavar="SOCKET", help="where mpv takes JSON commands, for measuring from outside")


def main(arguments: Optional[List[str]] = None) -> int:
    return run(MpvHost, parser("unisono-mpv", add_options).parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
