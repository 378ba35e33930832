"""One host in a process of its own, for `group.py`.

It does what standard input asks, a line of JSON each, and says on standard output, a line of JSON each, what it answers and what is
so now: whenever that changed, and never in between. It ends with its standard input.
"""

import json
import os
import select
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))

import unisono  # noqa: E402
from group_support import Player  # noqa: E402

# Between two looks at where the player is to be, s; and how far it may be off before it is set right, and at most for it to be drift:
# who is further off was not told something, and stays there to be seen.
STEP = 0.25
NEAR, FAR = 2 * unisono.MILLISECOND, 100 * unisono.MILLISECOND


class Count:
    """So many, in place of all that a player was told: hosts here live for hours."""

    def __init__(self):
        self._count = 0

    def append(self, _):
        self._count += 1

    def __len__(self):
        return self._count


class Host:
    def __init__(self, name, listen):
        self.name = name
        self.listen = listen
        self.context = unisono.Context(device_name=name)
        self.player = Player(self.context)
        self.player.commands, self.player.timings, self.player.suspensions = Count(), Count(), Count()
        # All stand where the group does, not where the command found them.
        self.player.coordinator.set_pause_snaps_to_originator(True)
        self.session = None
        self.state = None
        self.errors = []
        self.doubts = []
        self.suspension = None
        self.met_nobody = False
        self.invited = False
        self.said = None
        self._keep_in_step()

    def _keep_in_step(self, timer=None):
        """As a host does whose clock becomes better known after it was told to play."""
        if timer is not None and timer.canceled:
            return
        now = self.context.host_time_ns
        item_time, host_time, rate = self.player.line
        if rate != 0 and now > host_time and self.suspension is None:
            here, expected = self.player.position(now), self.player.coordinator.expected_item_time_ns(now)
            if expected is not None and NEAR < abs(expected - here) < FAR:
                self.player.line = (expected, now, rate)
        self.context.call_at(now + int(STEP * unisono.SECOND), self._keep_in_step)

    # ---- what it is asked ----

    def do_host(self, hub=None, advertise=()):
        self._adopt(
            unisono.Session.host(
                self.context,
                display_name=self.name,
                hub=hub,
                listen=self.listen,
                advertise=advertise,
                activity=unisono.Activity(identifier="test"),
            )
        )

    def do_open(self, invite, item="film", kills=None, after=0.0, stops=False):
        """Opens an invite, joins and goes to the item. `kills`: ends that process with SIGKILL, or stops it with SIGSTOP,
        `after` seconds after the invite was opened, while joining goes on; a negative time: before."""

        def strike():
            if kills is not None:
                os.kill(kills, signal.SIGSTOP if stops else signal.SIGKILL)

        if after < 0:
            strike()
            self._turn_until(time.monotonic() - after)
        self.invited = True
        self._adopt(unisono.Session.open(self.context, invite, display_name=self.name))
        opened = time.monotonic()
        self.session.join()
        if item is not None:
            self.player.coordinator.transition_to_item(item)
        if after >= 0:
            self._turn_until(opened + after)
            strike()

    def do_join(self):
        self.session.join()

    def do_item(self, item):
        self.player.coordinator.transition_to_item(item)

    def do_play(self, rate=1.0):
        self.player.coordinator.play(rate)

    def do_pause(self):
        self.player.coordinator.pause()

    def do_seek(self, to):
        self.player.coordinator.seek(int(to * unisono.SECOND))

    def do_suspend(self, reason="user-action-required"):
        self.suspension = self.player.coordinator.suspend(reason)

    def do_resume(self):
        suspension, self.suspension = self.suspension, None
        if suspension is not None:
            suspension.end()

    def do_leave(self):
        self.session.leave()

    def do_end(self):
        self.session.end()

    def do_clock(self):
        """Session time at a host time, its stated bound, and how that grows; None: there is none."""
        try:
            clock = self.session.clock
        except unisono.StateError:
            return None
        return [clock.host_time_ns, clock.session_time_ns, clock.rate, clock.error_bound_ns, clock.error_growth]

    def _adopt(self, session):
        self.session = session
        session.on_state = self._state
        session.on_error = self._error
        session.on_clock_doubt = session.on_hub_doubt = session.on_split = self._doubt
        self.player.coordinator.coordinate_with(session)

    def _error(self, event):
        self.errors = [*self.errors[-9:], str(event.error)]

    def _doubt(self, event):
        """Of the hub, of a clock, or of a way between two."""
        if not event.over:
            number = self.doubts[-1][0] + 1 if self.doubts else 1
            self.doubts = [*self.doubts[-9:], [number, event.message]]

    def _state(self, event):
        self.state = event
        if event.state == unisono.SessionState.JOINED and self.invited and len(self.session.participants) < 2:
            if not self.said or self.said.get("status") != "JOINED":
                self.met_nobody = True

    # ---- what is so ----

    @property
    def now(self):
        timing = self.player.coordinator.timing
        item_time, host_time, rate = self.player.line
        said = {
            "commands": len(self.player.commands),
            "item": self.player.coordinator.current_item,
            "line": [item_time, host_time, rate],
            "timing": None if timing is None else unisono.TimingState(timing.state).name,
            "errors": self.errors,
            "doubts": self.doubts,
            "joined_alone": self.met_nobody,
        }
        if self.state is None:
            return said
        said.update(
            status=unisono.SessionState(self.state.state).name,
            connection=unisono.Connection(self.state.connection).name,
            reason=self.state.reason,
            message=self.state.message,
            alone=self.state.alone,
            hub=self.state.hub,
            hub_is_own=self.state.hub_is_own,
        )
        if said["status"] != "INVALIDATED":
            connected = unisono.Connection.CONNECTED
            said["people"] = sorted(p.display_name for p in self.session.participants if p.connection == connected)
            said["invite"] = self.session.invite
        return said

    def say(self, line):
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()

    # ---- the loop ----

    def turn(self, wait):
        self.context.poll(max_wait_ns=wait)
        now = self.now
        if now != self.said:
            self.said = now
            self.say({"now": now})

    def _turn_until(self, end):
        """Runs the loop until an instant, to the microsecond: without waiting in the library for longer than is left."""
        while (left := end - time.monotonic()) > 0:
            self.context.poll(max_wait_ns=min(int(left * unisono.SECOND), 500_000) if left > 0.0002 else 0)

    def run(self):
        buffer = b""
        self.say({"ready": True})
        while True:
            readable, _, _ = select.select([self.context.fileno(), 0], [], [])
            if 0 in readable:
                chunk = os.read(0, 65536)
                if not chunk:
                    return
                *lines, buffer = (buffer + chunk).split(b"\n")
                for line in lines:
                    self.answer(json.loads(line))
            self.turn(0)

    def answer(self, asked):
        number, verb = asked.pop("number"), asked.pop("do")
        try:
            value = getattr(self, "do_" + verb)(**asked)
        except unisono.Error as error:
            self.say({"answer": number, "error": str(error)})
        else:
            self.turn(0)
            self.say({"answer": number, "value": value})


if __name__ == "__main__":
    host = Host(sys.argv[1], sys.argv[2:])
    host.run()
    host.context.close()
