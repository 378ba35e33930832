"""A participant in a process of its own: `crowd_member.py NAME INVITE`.

Says "joined" once it is in. After a line of input with how many are to be in the room when one of those who are here was removed it says
"ready" once it shows one more than that, then "there S" once it has the next room's invite and shows so many there (S: time.monotonic(), one
clock for all processes), or "removed". It ends with its process.
"""

import select
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings" / "python"))

import unisono  # noqa: E402
from unisono import SessionState  # noqa: E402


def main():
    name, invite = sys.argv[1:]
    context = unisono.Context(device_name="crowd")
    session = unisono.Session.open(context, invite, display_name=name)
    session.join()

    def until(holds):
        while not holds():
            context.poll(max_wait_ns=50 * unisono.MILLISECOND)

    def there():
        return sum(one.connection == unisono.Connection.CONNECTED for one in session.participants)

    def is_removed():
        return session.state == SessionState.INVALIDATED

    until(lambda: session.state == SessionState.JOINED)
    print("joined", flush=True)
    until(lambda: select.select([sys.stdin], [], [], 0)[0])
    count = int(sys.stdin.readline())
    until(lambda: there() == count + 1)
    print("ready", flush=True)
    old = session.invite
    until(lambda: is_removed() or session.invite != old and session.state == SessionState.JOINED and there() == count)
    print("removed" if is_removed() else f"there {time.monotonic()}", flush=True)
    until(lambda: False)


main()
