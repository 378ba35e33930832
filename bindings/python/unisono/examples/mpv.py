"""A window of mpv, in step with everybody else's, and with the desktop's media keys. Needs mpv in PATH.

    python -m unisono.examples.mpv host film.mkv          prints "invite ..."
    python -m unisono.examples.mpv join INVITE film.mkv   in another terminal or on another machine

mpv runs as a process of its own (``_mpv_process``) and is the renderer (``_mpv_renderer``) of a ``unisono.Player``. Keys in
mpv's window act on the whole group; so do media keys and the desktop's applets (``_mpris``; pip install dbus-fast).

Only files that were given here are played: the file of the command line is this one's copy of what the group watches, whatever
its name is. When the group moves on to something else it says so; type ``file PATH`` to play your copy of that.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Callable, Dict, List, Optional

import unisono
from unisono.examples._mpris import Mpris
from unisono.examples._mpv_process import MpvError
from unisono.examples._mpv_renderer import MpvRenderer
from unisono.examples._shell import Shell, parser, run


class MpvHost(Shell):
    player: unisono.Player

    def __init__(self, options: argparse.Namespace) -> None:
        if options.command == "host":
            options.item = options.item or Path(options.file).name
        super().__init__(options)
        self.files: Dict[str, str] = {}  # item: the file that was given here for it
        self.wanted: Optional[str] = None  # the group's item, where there is none
        self.mpris: Optional[Mpris] = None

    def make_player(self) -> unisono.Player:
        self.renderer = MpvRenderer(self.context)
        player = self.renderer.player = unisono.Player(self.context, self.renderer)
        self.renderer.wish_pause = lambda pause: self.ask(lambda: player.pause() if pause else player.play())
        self.renderer.wish_seek = lambda item_time_ns: self.ask(lambda: player.seek(item_time_ns))
        self.renderer.wish_speed = lambda speed: self.ask(lambda: self.set_speed(speed))
        self.renderer.wish_close = self.finish
        return player

    async def start(self) -> None:
        options = self.options
        if not _is_there(options.file):
            raise MpvError(f"{options.file} is not there")
        arguments = ["--pause", "--hr-seek=yes", "--keep-open=yes", "--keep-open-pause=no", "--no-terminal"]
        arguments += ["--idle=yes", "--audio-pitch-correction=no", "--input-media-keys=no"]
        if options.vo is None and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            options.vo = "null"
        arguments += ["--audio-fallback-to-null=yes"]  # without a sound card there is still a clock to follow
        arguments += [f"--vo={options.vo}"] if options.vo else []
        arguments += [f"--ao={options.ao}"] if options.ao else []
        arguments += [] if options.vo == "null" else ["--force-window=yes"]
        arguments += [f"--input-ipc-server={options.ipc}"] if options.ipc else []
        try:
            self.renderer.start(arguments)
        except FileNotFoundError:
            raise MpvError("mpv is not installed") from None
        if not options.no_mpris:
            self.mpris = await Mpris.open(self.player, options.name, self.set_speed, self.quit)

    async def stop(self) -> None:
        if self.mpris is not None:
            self.mpris.close()
        self.renderer.mpv.close()

    def show(self, line: str) -> None:
        super().show(line)
        self.renderer.mpv.command("show-text", line, 3000)

    def position(self, when: int) -> Optional[int]:
        return self.renderer.position_at(when)

    def rate(self) -> float:
        return self.renderer.rate()

    def stalled(self) -> bool:
        return self.renderer.stalled

    def keep(self) -> None:
        self.renderer.keep()

    def on_player_event(self, event: unisono.PlayerEvent) -> None:
        self.changed()
        if self.mpris is not None:
            self.mpris.on_player_event(event)

    def set_speed(self, speed: float) -> None:
        """What plays is played at this speed, and what is played later."""
        self.player.set_default_rate(speed)
        if self.player.time_control != unisono.TimeControl.PAUSED:
            self.player.play(speed)

    def ask(self, what: Callable[[], object]) -> None:
        try:
            what()
        except unisono.UnisonoError as error:
            print(f"{self.options.name}: {error}", file=sys.stderr)
        self.changed()

    def load(self, item: str) -> bool:
        """The identifier is what the group compares; what is played is a file that was given here."""
        if not self.files:
            self.files[item] = self.options.file
        if item not in self.files:
            self.wanted = item
            self.show(f"The group moved on to {_plain(item)}: type file PATH to play your copy of it")
            return False
        self.wanted = None
        path = self.files[item]
        self.player.replace_current(item, uri=path if "://" in path else os.path.abspath(path))
        return True

    def choose(self, argument: str) -> str:
        if not _is_there(argument):
            raise ValueError(f"{argument} is not there")
        item = Path(argument).name
        self.files[item] = argument
        return item

    def command(self, word: str, argument: str) -> bool:
        if word != "file":
            return False
        if self.wanted is None:
            raise ValueError("the group watches nothing that is not here; item PATH moves it to another file")
        if not _is_there(argument):
            raise ValueError(f"{argument} is not there")
        self.files[self.wanted] = argument
        self._move_to(self.wanted)
        return True


def _is_there(path: str) -> bool:
    return "://" in path or os.path.exists(path)


def _plain(text: str) -> str:
    """What others named, without what controls a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", help="what mpv plays: your copy of what the group watches. A host's item is its base name")
    command.add_argument("--vo", help="mpv's video output; null: no window")
    command.add_argument("--ao", help="mpv's audio output; null: no sound")
    command.add_argument("--ipc", metavar="SOCKET", help="where mpv takes JSON commands, for measuring from outside")
    command.add_argument("--no-mpris", action="store_true", help="media keys are somebody else's")


def main(arguments: Optional[List[str]] = None) -> int:
    return run(MpvHost, parser("unisono-mpv", add_options).parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
