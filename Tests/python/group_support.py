"""What the tests of the Python package share: where things are, waiting, and a player that is a line."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings" / "python"))

import unisono  # noqa: E402
import waiting  # noqa: E402

LIMIT = 60.0


def pump(contexts, until, what, limit=LIMIT):
    """Polls all contexts in turn until `until()`; fails with a sentence after the limit."""

    def turn():
        for context in contexts:
            context.poll(max_wait_ns=2 * unisono.MILLISECOND)

    waiting.until(until, what, limit, turn)


class Player(unisono.Delegate):
    """A player that is a line, and completes everything at once. It remembers what it was told."""

    def __init__(self, context):
        self.context = context
        self.coordinator = unisono.Coordinator(context, self)
        self.commands = []
        self.timings = []
        self.suspensions = []
        self.line = (0, 0, 0.0)
        self.session = None

    def attach(self, session, item="film"):
        self.session = session
        self.coordinator.coordinate_with(session)
        session.join()
        self.coordinator.transition_to_item(item)

    def position(self, when):
        item_time_ns, host_time_ns, rate = self.line
        return item_time_ns + int(rate * (when - host_time_ns))

    def _stand(self, command, item_time_ns):
        self.commands.append(command)
        self.line = (item_time_ns, self.context.host_time_ns, 0.0)
        self.coordinator.report(rate=0.0, item_time_ns=item_time_ns)
        command.complete()

    def play(self, command):
        self.commands.append(command)
        self.line = (command.item_time_ns, command.host_time_ns, command.rate)
        command.complete()

    def pause(self, command):
        here = self.position(self.context.host_time_ns)
        self._stand(command, command.item_time_ns if command.snap else here)

    def seek(self, command):
        self._stand(command, command.item_time_ns)

    def buffer(self, command):
        self._stand(command, command.item_time_ns)

    def timing_changed(self, change):
        self.timings.append(change)

    def suspensions_changed(self, change):
        self.suspensions.append(change.reasons)

    @property
    def playing(self):
        return self.line[2] != 0
