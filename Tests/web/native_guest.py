"""A native participant of Tests/web: joins by an invite, plays silence, says what it does, and is told to act in lines: pause, seek
SECONDS, where (its place and the calendar clock then, ns), leave."""

import asyncio
import sys
import time

import unisono
from unisono import SECOND, Context, Player, Session


class Silence(unisono.Renderer):
    """600 s of it, at ``place_ns`` since ``since_ns``."""

    nudges = True

    def __init__(self, context: Context) -> None:
        self.context = context
        self.place_ns, self.since_ns, self.rate, self.factor = 0, context.host_time_ns, 0.0, 1.0
        self.player = Player(context, self)

    def position_ns(self):
        now = self.context.host_time_ns
        return self.place_ns + int(self.rate * self.factor * (now - self.since_ns)), now

    def move(self, place_ns, rate):
        self.place_ns, self.since_ns, self.rate = place_ns, self.context.host_time_ns, rate

    def load(self, command):
        self.move(command.item_time_ns, 0.0)
        command.done(command.item_time_ns, duration_ns=600 * SECOND)

    def cue(self, command):
        self.move(command.item_time_ns, 0.0)
        command.done(command.item_time_ns)

    def play(self, command):
        self.move(self.position_ns()[0], command.rate)
        command.done(self.place_ns)
        print("playing", flush=True)

    def pause(self, command):
        self.move(self.position_ns()[0], 0.0)
        command.done(self.place_ns)
        print("paused", flush=True)

    def seek(self, command):
        self.move(command.item_time_ns, self.rate)
        command.done(command.item_time_ns)

    def nudge(self, command):
        self.move(self.position_ns()[0], self.rate)
        self.factor = command.factor

    def stop(self, command):
        self.rate = 0.0


async def main(invite: str, item: str) -> None:
    left = asyncio.Event()
    with Context() as context:
        context.attach()
        renderer = Silence(context)
        async with Session.open(context, invite) as session:
            said = []

            def heard(event):
                if session.state == unisono.SessionState.JOINED and not said:
                    said.append("joined")
                    print("joined", flush=True)
                if isinstance(event, unisono.Chat) and not event.own:
                    print("chat", event.entry.text, flush=True)

            context.on_event = heard
            renderer.player.coordinate_with(session)
            renderer.player.replace_current(item)
            session.join()

            def told(line):
                word, _, argument = (line or "leave").strip().partition(" ")
                if word == "pause":
                    renderer.player.pause()
                elif word == "seek":
                    renderer.player.seek(unisono.seconds(float(argument)))
                elif word == "where":
                    print("at", renderer.position_ns()[0], time.time_ns(), flush=True)
                elif word == "leave":
                    left.set()

            unisono.read_lines(told)
            await left.wait()


asyncio.run(main(sys.argv[1], sys.argv[2]))
