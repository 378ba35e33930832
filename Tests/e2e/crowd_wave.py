"""Some newcomers in one process: `crowd_wave.py FIRST INVITE...`, one for each invite, which may lead by different addresses.

Says "joined" once all of them are in, and "left" after a line of input told them to leave; SIGKILL is the other way out.
"""

import select
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings" / "python"))

import unisono  # noqa: E402
from unisono import SessionState  # noqa: E402


def main():
    first, invites = int(sys.argv[1]), sys.argv[2:]
    contexts = [unisono.Context(device_name="crowd") for _ in invites]
    sessions = [
        unisono.Session.open(context, invite, display_name=f"N{first + index}")
        for index, (context, invite) in enumerate(zip(contexts, invites))
    ]
    for session in sessions:
        session.join()
    said = leaving = False
    while True:
        for context in contexts:
            context.poll(0.001)
        states = {session.state for session in sessions}
        if not said and states == {SessionState.JOINED}:
            print("joined", flush=True)
            said = True
        if leaving and states == {SessionState.INVALIDATED}:
            print("left", flush=True)
            return
        if not leaving and select.select([sys.stdin], [], [], 0)[0]:
            sys.stdin.readline()
            leaving = True
            for session in sessions:
                session.leave()


main()
