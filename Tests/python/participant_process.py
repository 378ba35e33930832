"""One participant in a process of its own, for tests that kill it: calls as JSON lines in, events as JSON lines out.

    participant_process.py host NAME RULE DELAY_NS         hosts, only hosts may command; prints {"invite": ...}
    participant_process.py join NAME INVITE

A line in is [function, arguments...]: a name of Calls. Its player is a line that completes everything at once.
"""

import json
import os
import sys
import threading

from group_support import Player

import unisono


class Calls:
    def __init__(self, player):
        self.player, self.session, self.requests = player, player.session, {}

    def pause(self):
        self.player.coordinator.pause()

    def play(self):
        self.player.coordinator.play()

    def seek(self, seconds):
        self.player.coordinator.seek(seconds * unisono.SECOND)

    def deputies(self, ids, delay):
        self.session.set_deputies([bytes.fromhex(one) for one in ids], delay=delay)

    def ask(self, kind, text):
        tell(asked=self.session.request_command(kind, text=text))

    def answer(self, number, granted):
        self.session.answer_request(self.requests[number], granted)


def tell(**values):
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()


def status(player):
    session = player.session
    succession = session.succession
    return {
        "invite": session.invite,
        "joined": session.state == unisono.SessionState.JOINED,
        "playing": player.playing,
        "position": player.position(player.context.host_time),
        "roles": {p.display_name: int(p.role) for p in session.participants if p.connection == unisono.Connection.CONNECTED},
        "items": sum(p.item == "film" for p in session.participants),
        "deputies": [one.hex() for one in succession.deputies],
        "acting": succession.acting.hex() if succession.acting else None,
    }


def main():
    mode, name, *rest = sys.argv[1:]
    waiting = []

    def read():
        for line in sys.stdin:
            waiting.append(json.loads(line))
        os._exit(0)

    with unisono.Context(device_name=name) as context:
        player = Player(context)
        if mode == "host":
            session = unisono.Session.host(
                context, display_name=name, listen=["127.0.0.1:0"], control_policy=unisono.ControlPolicy.HOSTS_ONLY,
                succession=int(rest[0]), succession_delay=int(rest[1]))
        else:
            session = unisono.Session.open(context, rest[0], display_name=name)
        player.attach(session)
        calls = Calls(player)
        player.error = lambda event: tell(error=[event.status, event.operation])
        session.on_succession = lambda e: tell(succession=[int(e.status), e.deputy.hex(), e.named])

        def requested(event):
            calls.requests[event.number] = event
            tell(request=[event.number, event.asker.hex(), int(event.status), int(event.kind), event.text, event.item])

        session.on_request = requested
        session.on_error = lambda e: tell(error=[e.status, e.operation])
        tell(invite=session.invite, id=session.local_participant.hex())
        threading.Thread(target=read, daemon=True).start()
        last = None
        while True:
            context.poll(0.02)
            while waiting:
                function, *arguments = waiting.pop(0)
                try:
                    getattr(calls, function)(*arguments)
                except unisono.UnisonoError as error:
                    tell(error=[error.code, function])
            now = status(player)
            seen = {key: value for key, value in now.items() if key != "position" or not now["playing"]}
            if seen != last:
                last = seen
                tell(status=now)


main()
