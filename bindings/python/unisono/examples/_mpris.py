"""A player on the session bus, as org.mpris.MediaPlayer2 says: media keys, applets and playerctl act on the whole group.

It is a remote surface of the player. The bus is dbus-fast's (pip install dbus-fast; Debian: python3-dbus-fast); without it,
or without a session bus, ``Mpris.open`` says so and there are no media keys. Times on the bus are microseconds.
"""

from __future__ import annotations

import hashlib
import os
import sys
from typing import Any, Callable, Dict, List, Optional

import unisono
from unisono import EventType, TimeControl

NAME = "org.mpris.MediaPlayer2.unisono"
NO_TRACK = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
MICROSECOND = 1_000


def track_of(item: Optional[str]) -> str:
    """An object path that stands for an item."""
    return NO_TRACK if item is None else "/org/unisono/item/" + hashlib.sha256(item.encode()).hexdigest()[:16]


class Remote:
    """What the bus may ask of the player and tell of it, without any D-Bus."""

    RATES = (0.25, 4.0)

    def __init__(self, player: unisono.Player, set_speed: Callable[[float], None]) -> None:
        self.player = player
        self.set_speed = set_speed
        self.surface = unisono.Surface(player, unisono.SurfaceKind.REMOTE)
        self.item: Optional[str] = None
        self.rate = 1.0
        self.volume = 1.0

    def note(self, event: unisono.PlayerEvent) -> None:
        self.item = event.item
        if event.type == EventType.PLAYER_RATE and event.rate != 0:
            self.rate = event.rate

    @property
    def status(self) -> str:
        if self.surface.time_range is None:
            return "Stopped"
        return "Paused" if self.player.time_control == TimeControl.PAUSED else "Playing"

    @property
    def length(self) -> int:
        """0: not known."""
        duration = (self.surface.time_range or (0, None))[1]
        return 0 if duration is None or duration == unisono.TIME_INDEFINITE else duration // MICROSECOND

    @property
    def position(self) -> int:
        here = self.player.current_time
        if here is None:
            return 0
        item_time, host_time = here
        plays = self.player.time_control == TimeControl.PLAYING
        moved = (self.player.context.host_time - host_time) * self.rate if plays else 0
        return max(0, int(item_time + moved) // MICROSECOND)

    @property
    def metadata(self) -> Dict[str, Any]:
        if self.item is None:
            return {"mpris:trackid": ("o", NO_TRACK)}
        tags: Dict[str, Any] = {"mpris:trackid": ("o", track_of(self.item)), "xesam:title": ("s", self.item)}
        if self.length:
            tags["mpris:length"] = ("x", self.length)
        return tags

    def play_pause(self) -> None:
        self.surface.set_playing(self.surface.is_paused)

    def skip(self, offset: int) -> None:
        self.surface.skip_by(offset * MICROSECOND)

    def set_rate(self, rate: float) -> None:
        """0 is a pause, as the specification has it."""
        if rate == 0:
            self.surface.set_playing(False)
        else:
            self.set_speed(min(max(rate, self.RATES[0]), self.RATES[1]))

    def set_volume(self, volume: float) -> None:
        self.volume = min(max(volume, 0.0), 1.0)
        self.player.set_volume(self.volume)

    def set_position(self, track: str, position: int) -> None:
        """A position out of the item, or of another item than the present one, is a mistake that changes nothing."""
        if track == track_of(self.item) and 0 <= position <= (self.length or position):
            self.player.seek(position * MICROSECOND)


class Mpris:
    """The player as the desktop sees it: "unisono", or "unisono.instance" and the number of the process."""

    _TOLD = ("PlaybackStatus", "Rate", "Metadata", "CanPlay", "CanPause", "CanSeek")

    def __init__(self, bus: Any, remote: Remote, controls: Any) -> None:
        self._bus = bus
        self._remote = remote
        self._controls = controls
        self._told: Dict[str, Any] = {}
        remote.surface.on_event = lambda event: self._tell()

    @classmethod
    async def open(
        cls, player: unisono.Player, name: str, set_speed: Callable[[float], None], quit: Callable[[], None]
    ) -> Optional["Mpris"]:
        """None where there is no bus: a player without media keys is a player still."""
        if not os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
            return None
        try:
            from unisono.examples import _mpris_bus
        except ImportError:
            print("no media keys: pip install dbus-fast, or on Debian: apt install python3-dbus-fast", file=sys.stderr)
            return None
        remote = Remote(player, set_speed)
        try:
            bus, controls = await _mpris_bus.put_on_bus(
                f"{NAME}.instance{os.getpid()}", f"Unisono ({name})", remote, quit
            )
        except (OSError, ValueError, EOFError) as error:
            print(f"no media keys: {error}", file=sys.stderr)
            return None
        return cls(bus, remote, controls)

    def close(self) -> None:
        self._bus.disconnect()

    def on_player_event(self, event: unisono.PlayerEvent) -> None:
        self._remote.note(event)
        if event.type == EventType.PLAYER_TIME_JUMPED and event.item_time is not None and self._bus.connected:
            self._controls.Seeked(event.item_time // MICROSECOND)  # where it is going, on its way or there
        self._tell()

    def _tell(self) -> None:
        """What is different from what was told last."""
        if not self._bus.connected or self._remote.player.closed:
            return
        remote = self._remote
        has_item = remote.item is not None
        present: List[Any] = [remote.status, remote.rate, remote.metadata, has_item, has_item, has_item]
        changed = {name: value for name, value in zip(self._TOLD, present) if self._told.get(name) != value}
        self._told.update(changed)
        if changed:
            self._controls.tell(changed)
