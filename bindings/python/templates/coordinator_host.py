"""A host on the coordinator layer, to begin with: copy it and put your player in the place of MyPlayer.

    python coordinator_host.py              hosts, and prints how the others join
    python coordinator_host.py INVITE       joins
    then type: play, pause, seek SECONDS, space (what a person does in the player's own window), quit

This layer is for a player that can start at an instant and keep to a line by itself: a game, a light show, a sync engine.
For one that loads, plays, pauses and seeks take player_host.py: the library then does the correcting.
"""

import asyncio
import signal
import sys
from typing import Callable, Optional, Union

import unisono
from unisono import MILLISECOND, SECOND, Context, Coordinator, Motion, Narrator, Session

FILM = unisono.Activity("org.example.host", title="A film", payload=b"film")  # what is watched: the group compares the payload


class MyPlayer:
    """YOURS. This one plays silence: it was at ``place_ns`` at ``since_ns``, and moves with ``rate``."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self.clock = clock
        self.place_ns, self.since_ns, self.rate = 0, clock(), 0.0
        self.on_paused: Callable[[bool], None] = lambda paused: None  # it stands or runs, whoever did that

    def position_ns(self) -> int:
        return self.place_ns + int(self.rate * (self.clock() - self.since_ns))

    def run(self, place_ns: int, rate: float) -> None:
        self.place_ns, self.since_ns, self.rate = place_ns, self.clock(), rate
        print(f"playing from {place_ns / SECOND:.3f} s" if rate else f"standing at {place_ns / SECOND:.3f} s", flush=True)
        self.on_paused(rate == 0)

    async def prepare(self) -> None:
        await asyncio.sleep(0.02)  # decoding takes a while


class Host(unisono.Delegate):
    """What the group asks for is done, then completed. A newer command cancels the coroutine of the one before."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.player = MyPlayer(lambda: context.host_time_ns)
        self.player.on_paused = self.on_paused
        self.coordinator = Coordinator(context, self)

    async def play(self, command: unisono.PlayCommand) -> None:
        """``item_time_ns`` holds at ``host_time_ns``: wait for that, or jump onto the line when it is past."""
        await asyncio.sleep(max(0, command.host_time_ns - self.context.host_time_ns) / SECOND)
        late_ns = self.context.host_time_ns - command.host_time_ns
        self.run(command.item_time_ns + int(command.rate * late_ns), command.rate)
        command.complete()

    def pause(self, command: unisono.PauseCommand) -> None:
        self.run(command.item_time_ns if command.snap else self.player.position_ns(), 0.0)
        command.complete()

    async def seek(self, command: unisono.SeekCommand) -> None:
        await self.buffer(command)

    async def buffer(self, command: Union[unisono.BufferCommand, unisono.SeekCommand]) -> None:
        self.run(command.item_time_ns, 0.0)
        await self.player.prepare()
        command.complete()  # the others waited for this

    def run(self, place_ns: int, rate: float) -> None:
        self.coordinator.expect_motion(Motion.RUNNING, rate != 0)  # the player will say so
        self.player.run(place_ns, rate)

    def on_paused(self, paused: bool) -> None:
        """A person's wish is undone and goes to the group, which decides; the echo of what it was told does neither."""
        if self.coordinator.is_wish(Motion.RUNNING, not paused):
            self.player.run(self.player.position_ns(), 1.0 if paused else 0.0)
            self.coordinator.pause() if paused else self.coordinator.play()

    async def keep_in_step(self) -> None:
        """Two crystals differ: stay where the group is, and say where that is. A real one changes its speed a little."""
        while True:
            expected_ns = self.coordinator.expected_item_time_ns()
            if self.player.rate and expected_ns is not None and not self.coordinator.suspension_reasons:
                if abs(self.player.position_ns() - expected_ns) > 2 * MILLISECOND:
                    self.player.place_ns, self.player.since_ns = expected_ns, self.context.host_time_ns
            self.coordinator.report(rate=self.player.rate, item_time_ns=self.player.position_ns())
            await asyncio.sleep(0.2)

    def type(self, line: str) -> None:
        word, _, argument = line.strip().partition(" ")
        try:
            if word == "play":
                self.coordinator.play()
            elif word == "pause":
                self.coordinator.pause()
            elif word == "seek":
                self.coordinator.seek(unisono.seconds(float(argument)))
            elif word == "space":
                self.player.run(self.player.position_ns(), 0.0 if self.player.rate else 1.0)
        except (unisono.UnisonoError, ValueError) as error:
            print(f"{word}: {error}", file=sys.stderr)


async def main(invite: Optional[str]) -> None:
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
                    host.coordinator.transition_to_item(event.activity.payload.decode())
            context.on_event = on_event
            host.coordinator.coordinate_with(session)
            session.join()
            print("join with:", sys.argv[0], session.invite, flush=True)
            keeping = asyncio.ensure_future(host.keep_in_step())
            unisono.read_lines(lambda line: ended.set() if line in (None, "quit") else host.type(line))
            await ended.wait()
            keeping.cancel()


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else None))
