"""A host that plays silence, with everything that hosts have: keyboard, status lines, devices nearby, stalls on purpose.

    python -m unisono.examples.console host --item film      prints "invite ..."
    python -m unisono.examples.console join INVITE           in another terminal; then type play, pause, seek 60, ...

The player is only a line: it was at ``item_time_ns`` at ``host_time_ns`` and moves with ``rate``, exactly what a play
command carries. bindings/c/console_host.c is the same host in C. To begin a host of your own, take bindings/python/templates.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from typing import List, Optional, Tuple

import unisono
from unisono import MILLISECOND, SECOND, seconds
from unisono.examples._shell import Shell, line_at, parser, run


@dataclass
class Line:
    item_time_ns: int
    host_time_ns: int
    rate: float

    def at(self, when: int) -> int:
        return line_at(self.item_time_ns, self.host_time_ns, self.rate, when)


class Console(Shell):
    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(options)
        self.buffer_ns = int(options.buffer_ms * MILLISECOND)
        self.seek_ns = int(options.seek_ms * MILLISECOND)
        self.now = Line(0, 0, 0.0)  # where the player is
        self.next: Optional[Line] = None  # where it goes at next.host_time_ns
        self.stalled_at: Optional[int] = None  # the position it is stuck at
        self.pending: Optional[unisono.Command] = None  # being worked on
        self.timer: Optional[int] = None  # fires when its work is done
        self.work_is_done = False  # done, but told only when the stall is over
        self.ads: List[Tuple[int, int]] = []  # what is cut into this copy of the item, in order

    # ---- the player ----

    def line(self, when: int) -> Line:
        return self.next if self.next is not None and when >= self.next.host_time_ns else self.now

    def position(self, when: int) -> Optional[int]:
        return self.line(when).at(when) if self.stalled_at is None else self.stalled_at

    def rate(self) -> float:
        return self.line(self.context.host_time_ns).rate if self.stalled_at is None else 0.0

    def stalled(self) -> bool:
        return self.stalled_at is not None

    def stand_at(self, item_time_ns: int) -> None:
        self.next = None
        self.now = Line(item_time_ns, self.context.host_time_ns, 0.0)

    def load(self, item: str) -> bool:
        self.stand_at(0)  # silence needs no file
        self.ads = []  # this copy is loaded without any
        self.coordinator.set_interstitials(item, self.ads)
        return True

    def keep(self) -> None:
        """Clocks drift, and the group's is known better after a while: the line of the play command is where to start,
        the coordinator knows where to be. A real player would play a little faster or slower instead."""
        if self.stalled() or self.next is not None or self.now.rate == 0 or self.reasons:
            return
        now = self.context.host_time_ns
        expected = self.coordinator.expected_item_time_ns(now)
        if expected is not None:
            self.now = Line(expected, now, self.now.rate)

    # ---- work that takes time ----

    def begin_work(self, command: unisono.Command, done_at: int) -> None:
        """A newer command replaces the one being worked on; the older one needs no answer any more."""
        if self.timer is not None:
            self.context.cancel(self.timer)
        self.pending, self.work_is_done = command, False
        self.timer = self.context.call_at(done_at, self.on_work_done)
        self.changed()

    def on_work_done(self, event: unisono.TimerEvent) -> None:
        if event.canceled:
            return
        self.timer = None
        if self.next is not None and event.issued_at_ns >= self.next.host_time_ns:
            self.now, self.next = self.next, None
        self.finish_work()

    def finish_work(self) -> None:
        self.work_is_done = True
        if self.stalled() or self.pending is None:
            return  # a stalled player is not ready: the stall's end comes back here
        self.pending.complete()
        self.pending = None
        self.changed()

    # ---- what the group asks of this player ----

    def play(self, command: unisono.PlayCommand) -> None:
        """``item_time_ns`` holds at ``host_time_ns``: in the future (all start together) or in the past (we came late)."""
        now = self.context.host_time_ns
        start = command.host_time_ns
        line = Line(command.item_time_ns, start, command.rate)
        if start > now:
            self.next = line  # until then the old line holds
        else:
            self.now, self.next = line, None
        self.begin_work(command, max(start, now))

    def pause(self, command: unisono.PauseCommand) -> None:
        now = self.context.host_time_ns
        self.stand_at(command.item_time_ns if command.snap else self.position(now) or 0)
        self.begin_work(command, now)

    def seek(self, command: unisono.SeekCommand) -> None:
        self.stand_at(command.item_time_ns)  # a play command follows when the group goes on
        takes = self.seek_ns + (self.buffer_ns if command.buffer_in_anticipation else 0)
        self.begin_work(command, self.context.host_time_ns + takes)

    def buffer(self, command: unisono.BufferCommand) -> None:
        """The others wait until everybody has completed it, or the deadline passes."""
        self.stand_at(command.item_time_ns)
        self.begin_work(command, self.context.host_time_ns + self.buffer_ns)

    # ---- stalling on purpose ----

    def command(self, word: str, argument: str) -> bool:
        if word == "stall":
            self.stall(argument)
        elif word == "ad":
            self.cut_in(argument)
        else:
            return False
        return True

    def stall(self, argument: str) -> None:
        duration = int(float(argument) * MILLISECOND)
        if self.stalled() or duration <= 0:
            raise ValueError("give milliseconds, one stall at a time")
        now = self.context.host_time_ns
        self.stalled_at = self.position(now)
        self.report()
        self.context.call_at(now + duration, self.on_stall_over)

    def on_stall_over(self, event: unisono.TimerEvent) -> None:
        if event.canceled:
            return
        self.stalled_at = None  # the line was kept, so the player is where it should be again
        if self.work_is_done:
            self.finish_work()
        self.report()

    # ---- an advertisement in this copy alone ----

    def cut_in(self, argument: str) -> None:
        """What a server would have cut into this person's copy, of 5 s or so many, from a second ahead on. The library has the
        group's time line without it: this player runs through it, apart from the others, and is then told where they are. What
        comes after it is that much later in this copy."""
        length = seconds(float(argument or 5))
        begin = (self.position(self.context.host_time_ns) or 0) + SECOND
        before = [ad for ad in self.ads if ad[0] < begin]
        if self.item is None or length <= 0 or (before and before[-1][1] > begin):
            raise ValueError("give seconds, one advertisement at a time")
        after = [(start + length, end + length) for start, end in self.ads[len(before) :]]
        ads = [*before, (begin, begin + length), *after]
        self.coordinator.set_interstitials(self.item, ads)
        self.ads = ads
        self.changed()


def add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--buffer-ms", type=float, default=20.0, metavar="MS", help="how long buffering takes")
    command.add_argument("--seek-ms", type=float, default=20.0, metavar="MS", help="how long a seek takes")


def main(arguments: Optional[List[str]] = None) -> int:
    return run(Console, parser("unisono-console", add_options).parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
