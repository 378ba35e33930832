"""Wish or echo: what a player with controls of its own says of itself, told apart from what it was told to do."""

from __future__ import annotations

from . import _arguments as a
from .enums import MILLISECOND


class Wishes:
    """Tells a person's wish from an echo.

    A player with a window says "paused" when a person pressed space, and just the same when its host paused it. Only the first
    is a wish, for the group to decide; answering the second as well makes everybody's players chase each other. So say here
    what the player is told, and ask here about what it says:

        wishes.told_paused(True); window.pause()
        ...
        if wishes.is_pause_wish(paused):          # the window says that it paused, or plays
            window.set_paused(wishes.paused)      # back to what it was told ...
            player.pause() if paused else player.play()   # ... and the group decides

    No clock is read: times are host times that the caller gives.
    """

    def __init__(self, *, paused: bool = True, speed: float = 1.0, echo_ns: int = 300 * MILLISECOND) -> None:
        #: What the player was told last.
        self.paused = bool(a.flag(paused, "paused"))
        self.speed = a.number_of(speed, "speed")
        self._echo_ns = a.ns(echo_ns, "echo_ns")
        self._seeking = False
        self._sought_ns = -(2**62)

    def told_paused(self, paused: bool) -> None:
        """The player is being told to stand, or to run."""
        self.paused = bool(a.flag(paused, "paused"))

    def told_speed(self, speed: float) -> None:
        """The player is being told a speed, corrections included."""
        self.speed = a.number_of(speed, "speed")

    def told_seek(self, host_time_ns: int) -> None:
        """The player is being told to seek, at this host time."""
        self._seeking, self._sought_ns = True, a.ns(host_time_ns, "host_time_ns")

    def seek_is_over(self) -> None:
        """The seek that it was told last is done, or will not be."""
        self._seeking = False

    def is_pause_wish(self, paused: bool) -> bool:
        """The player says that it stands, or runs: not as it was told?"""
        return bool(a.flag(paused, "paused")) != self.paused

    def is_speed_wish(self, speed: float) -> bool:
        """The player says at which speed it runs: not as it was told?"""
        return abs(a.number_of(speed, "speed") - self.speed) > 1e-6

    def is_seek_wish(self, host_time_ns: int) -> bool:
        """The player says that it seeks, at this host time: neither what it was told nor the end of that?"""
        return not self._seeking and a.ns(host_time_ns, "host_time_ns") - self._sought_ns > self._echo_ns
