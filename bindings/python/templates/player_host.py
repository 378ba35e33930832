"""A host on the player layer, to begin with: copy it and put your player in the place of MyPlayer.

    python player_host.py FILE              hosts, and prints how the others join
    python player_host.py FILE INVITE       joins; FILE is your copy of what the group watches
    then type: play, pause, seek SECONDS, space (what a person does in the player's own window), quit

This layer is for most players: whatever loads, plays, pauses, seeks and tells where it is. The library does the rest: the
common start, corrections by small changes of speed, stalls, the queue.
"""

import asyncio
import signal
import sys
from typing import Callable, Optional, Tuple

import unisono
from unisono import SECOND, Context, Motion, Narrator, Player, Session

FILM = unisono.Activity("org.example.host", title="A film", payload=b"film")  # what is watched: the group compares the payload


class MyPlayer:
    """YOURS. This one plays silence, 600 s of it: it was at ``place_ns`` at ``since_ns``, and moves with ``speed``."""

    length_ns = 600 * SECOND

    def __init__(self, clock: Callable[[], int]) -> None:
        self.clock = clock
        self.place_ns, self.since_ns, self.speed = 0, clock(), 0.0
        self.on_paused: Callable[[bool], None] = lambda paused: None  # it stands or runs, whoever did that

    async def load(self, path: str, place_ns: int) -> None:
        await asyncio.sleep(0.02)  # opening takes a while
        self.run(place_ns, 0.0)

    def position_ns(self) -> int:
        return self.place_ns + int(self.speed * (self.clock() - self.since_ns))

    def run(self, place_ns: int, speed: float) -> None:
        was, self.place_ns, self.since_ns, self.speed = self.speed, place_ns, self.clock(), speed
        if (was == 0) != (speed == 0) or speed == 0:
            print(f"{'playing from' if speed else 'standing at'} {place_ns / SECOND:.3f} s", flush=True)
        self.on_paused(speed == 0)


class Host(unisono.Renderer):
    """What the library asks for is done, then ``done``. A newer task cancels the coroutine of the one before."""

    nudges = True  # its speed can be changed without a gap

    def __init__(self, context: Context) -> None:
        self.context = context
        self.window = MyPlayer(lambda: context.host_time_ns)
        self.window.on_paused = self.on_paused
        self.rate, self.factor = 1.0, 1.0
        self.player = Player(context, self)

    async def load(self, command: unisono.RendererLoad) -> None:
        await self.window.load(command.uri, command.item_time_ns)
        command.done(command.item_time_ns, duration_ns=self.window.length_ns)

    def cue(self, command: unisono.RendererCue) -> None:
        self.window.run(command.item_time_ns, 0.0)
        command.done(command.item_time_ns)

    def play(self, command: unisono.RendererPlay) -> None:
        self.rate = command.rate
        self.window.run(self.window.position_ns(), self.rate * self.factor)
        command.done(*self.position_ns())

    def pause(self, command: unisono.RendererPause) -> None:
        self.window.run(self.window.position_ns(), 0.0)
        command.done(*self.position_ns())

    def seek(self, command: unisono.RendererSeek) -> None:
        self.window.run(command.item_time_ns, self.window.speed)
        command.done(*self.position_ns())

    def nudge(self, command: unisono.RendererNudge) -> None:
        self.factor = command.factor
        if self.window.speed:
            self.window.run(self.window.position_ns(), self.rate * self.factor)

    def position_ns(self) -> Tuple[int, int]:
        return self.window.position_ns(), self.context.host_time_ns

    def on_paused(self, paused: bool) -> None:
        """A person's wish is undone and goes to the group, which decides; the echo of what it was told does neither."""
        if self.player.coordinator.is_wish(Motion.RUNNING, not paused):
            self.window.run(self.window.position_ns(), self.rate * self.factor if paused else 0.0)
            self.player.pause() if paused else self.player.play()

    def type(self, line: str) -> None:
        word, _, argument = line.strip().partition(" ")
        try:
            if word == "play":
                self.player.play()
            elif word == "pause":
                self.player.pause()
            elif word == "seek":
                self.player.seek(unisono.seconds(float(argument)))
            elif word == "space":
                self.window.run(self.window.position_ns(), 0.0 if self.window.speed else self.rate)
        except (unisono.UnisonoError, ValueError) as error:
            print(f"{word}: {error}", file=sys.stderr)


async def main(path: str, invite: Optional[str]) -> None:
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    with Context() as context:
        context.attach()  # handlers are called by asyncio from now on
        host = Host(context)
        async with Session.open(context, invite) if invite else Session.host(context, activity=FILM) as session:
            narrator = Narrator(session, lambda line: print("*", line, flush=True))
            def on_event(event: unisono.Event) -> None:
                for line in narrator.lines(event):
                    print("*", line, flush=True)
                if isinstance(event, unisono.ActivityChange) and event.activity:
                    host.player.replace_current(event.activity.payload.decode(), uri=path)
            context.on_event = on_event
            host.player.coordinate_with(session)
            session.join()
            print("join with:", sys.argv[0], "FILE", session.invite, flush=True)
            unisono.read_lines(lambda line: ended.set() if line in (None, "quit") else host.type(line))
            await ended.wait()


asyncio.run(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None))
