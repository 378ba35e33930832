"""A group of hosts, each in a process of its own, over real sockets: what the simulator does with time, with SIGKILL and cables.

    with Group() as group:
        ann = group.add("Ann").host()
        ben = group.add("Ben").open(ann.invite)
        group.together(ann, ben, within=5)
        ann.play()
        group.wait_until(lambda: group.agree(ann, ben), "both play in step", within=5)
        ann.kill()
        group.wait_until(lambda: ben.alone, "Ben is told that nobody is there", within=5)

Verbs: `host`, `open`, `join`, `item`, `play`, `pause`, `seek`, `suspend`, `resume`, `leave`, `end`; of the process: `quit`,
`kill` (SIGKILL), `freeze` (SIGSTOP), `thaw`; and with `Group(lan=[names])`, which needs root, `cut` and `restore` of the
machine's cable. What a host says of itself is read as an attribute: `status`, `connection`, `reason`, `alone`, `hub`,
`hub_is_own`, `people`, `invite`, `item`, `timing`, `position(when)`.

Nothing here sleeps: whoever waits is woken by what a host says. At the end of a group everything it saw must have been
honest: who opened an invite and said JOINED had met somebody.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests" / "python"), str(ROOT / "Tests" / "e2e")]

from hosts_support import environment  # noqa: E402
from lan import Lan, unavailable  # noqa: E402, F401

MILLISECOND = 1_000_000


class Refused(Exception):
    """The library's answer to a verb was an error."""


class Host:
    """One process. Made by `Group.add`."""

    def __init__(self, group, name, machine, variables):
        self.group = group
        self.name = name
        self.said = {}
        self.was_in = False
        self.is_frozen = False
        self._answers = {}
        self._number = 0
        self._ready = False
        command = [sys.executable, str(Path(__file__).with_name("host.py")), name]
        command += ["0.0.0.0:0"] if group.lan else ["127.0.0.1:0"]
        self.process = subprocess.Popen(
            group.lan.command(machine or name, command) if group.lan else command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=variables or environment(),
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            # Who is killed may have been in the middle of one.
            if not line.endswith(b"\n"):
                break
            said = json.loads(line)
            with self.group.news:
                if "now" in said:
                    self.said = said["now"]
                    self.was_in = self.was_in or self.status == "JOINED"
                elif "answer" in said:
                    self._answers[said["answer"]] = said.get("error"), said.get("value")
                else:
                    self._ready = True
                self.group.news.notify_all()
        with self.group.news:
            self.group.news.notify_all()

    def __getattr__(self, name):
        if name in ("status", "connection", "reason", "message", "alone", "hub", "hub_is_own", "people", "invite",
                    "item", "timing", "errors", "doubts", "joined_alone", "commands"):
            return self.said.get(name)
        raise AttributeError(name)

    def __repr__(self):
        seen = {key: value for key, value in self.said.items() if key not in ("invite", "line", "errors")}
        life = "" if self.lives else " (ended)"
        return f"{self.name}{life}: {seen}"

    # ---- verbs of the library ----

    def do(self, verb, wait=True, **arguments):
        """Asks it; returns once the library answered, unless it is not to be waited for."""
        self._ask(verb, wait, **arguments)
        return self

    def _ask(self, verb, wait=True, **arguments):
        self._number += 1
        number = self._number
        line = json.dumps({"number": number, "do": verb, **arguments}) + "\n"
        self.process.stdin.write(line.encode())
        self.process.stdin.flush()
        if wait:
            ended = self.process.poll
            answers = self._answers
            self.group.wait_until(
                lambda: number in answers or ended() is not None, f"{self.name} answered to {verb}", within=20
            )
            assert number in answers, f"{self.name} ended before it answered to {verb}"
            error, value = self._answers.pop(number)
            if error is not None:
                raise Refused(f"{self.name}, {verb}: {error}")
            return value
        return None

    def host(self, item="film", **options):
        """Begins a session, joins it and goes to the item."""
        self.do("host", **options).do("join")
        return self.do("item", item=item) if item is not None else self

    def open(self, invite, wait=True, kills=None, **options):
        """Opens an invite, joins and goes to the item; see `host.py` for `kills`, a host."""
        if kills is not None:
            options["kills"] = kills.process.pid
        return self.do("open", wait=wait, invite=invite, **options)

    def join(self):
        return self.do("join")

    def go_to(self, item):
        return self.do("item", item=item)

    def play(self, rate=1.0):
        return self.do("play", rate=rate)

    def pause(self):
        return self.do("pause")

    def seek(self, seconds):
        return self.do("seek", to=seconds)

    def suspend(self):
        return self.do("suspend")

    def resume(self):
        return self.do("resume")

    def leave(self):
        return self.do("leave")

    def end(self):
        return self.do("end")

    @property
    def clock(self):
        """Its session time: (host time, session time then, rate, stated bound then, growth of that), ns; None: it has none."""
        return self._ask("clock")

    # ---- verbs of the process and of its machine ----

    @property
    def lives(self):
        return self.process.poll() is None

    def kill(self):
        self.process.kill()
        self.process.wait()

    def freeze(self):
        self.is_frozen = True
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.is_frozen = False
        self.process.send_signal(signal.SIGCONT)

    def quit(self):
        """Ends in order, with a goodbye as far as it goes; its exit status."""
        self.process.stdin.close()
        return self.process.wait(10)

    def cut(self):
        self.group.lan.disconnect(self.name)

    def restore(self):
        self.group.lan.connect(self.name)

    # ---- what it says ----

    def position(self, when):
        """Where its player is at a host time, ns."""
        item_time, host_time, rate = self.said["line"]
        return item_time + int(rate * (when - host_time))

    @property
    def rate(self):
        return self.said["line"][2]


class Group:
    """Hosts that are ended, whatever happens, when the group is. `lan`: names that get a machine each, and a cable to it. `network`:
    a `Lan` that several groups share, on whose machines the hosts are."""

    def __init__(self, lan=(), network=None):
        self.hosts = []
        self.news = threading.Condition()
        self.began = time.monotonic()
        self.lan = network or (Lan(lan) if lan else None)
        self._own_lan = self.lan if network is None else None

    def __enter__(self):
        if self._own_lan:
            self._own_lan.__enter__()
        return self

    def __exit__(self, kind, *_):
        try:
            for host in self.hosts:
                if host.lives:
                    if host.is_frozen:
                        host.thaw()
                    host.kill()
                host.process.stdin.close()
                host.process.stdout.close()
        finally:
            if self._own_lan:
                self._own_lan.__exit__()
        if kind is None:
            for host in self.hosts:
                assert not host.joined_alone, f"{host.name} said JOINED, and had met nobody of its invite's group"

    def add(self, *names, machine=None, variables=None):
        """Processes that are ready; one name: one host, else a list. `machine`: where they are, if not on one of their name."""
        made = [Host(self, name, machine, variables) for name in names]
        self.hosts += made
        self.wait_until(lambda: all(host._ready for host in made), "the processes were ready", within=30)
        return made[0] if len(made) == 1 else made

    @property
    def living(self):
        return [host for host in self.hosts if host.lives and not host.is_frozen]

    def wait_until(self, condition, what, within):
        """Returns the seconds it took until `condition()`; fails with a sentence and what everybody said last."""
        begin = time.monotonic()
        with self.news:
            while not condition():
                left = begin + within - time.monotonic()
                if left <= 0 or not self.news.wait(left):
                    if condition():
                        break
                    seen = "\n  ".join(map(repr, self.hosts))
                    raise AssertionError(f"it did not happen within {within:g} s that {what}:\n  {seen}")
        return time.monotonic() - begin

    @contextmanager
    def never(self, condition, what):
        """Fails when `condition()` held at any moment inside the block that some host spoke in."""
        stop = threading.Event()
        seen = []

        def watch():
            with self.news:
                while not stop.is_set():
                    if condition():
                        seen.append("\n  ".join(map(repr, self.hosts)))
                        return
                    self.news.wait(1)

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            stop.set()
            with self.news:
                self.news.notify_all()
            watcher.join()
        assert not seen, f"it was to happen at no time that {what}:\n  {seen[0]}"

    def are_together(self, *hosts):
        """All are joined and connected, each with exactly all of them."""
        names = sorted(host.name for host in hosts)
        return all(
            host.status == "JOINED" and host.connection == "CONNECTED" and host.people == names for host in hosts
        )

    def together(self, *hosts, within):
        names = ", ".join(host.name for host in hosts)
        return self.wait_until(lambda: self.are_together(*hosts), f"{names} were together", within)

    def agree(self, *hosts, within=10 * MILLISECOND):
        """All have one item, one status, one rate, and positions within so much of each other now."""
        if any(not host.said or host.timing is None for host in hosts):
            return False
        same = {(host.item, host.timing, host.rate) for host in hosts}
        return len(same) == 1 and self.spread(*hosts) <= within

    def spread(self, *hosts):
        """The greatest distance between their positions now, ns."""
        when = time.monotonic_ns()
        positions = [host.position(when) for host in hosts]
        return max(positions) - min(positions)

    def pass_time(self, seconds):
        """What hosts say meanwhile is heard."""
        end = time.monotonic() + seconds
        with self.news:
            while (left := end - time.monotonic()) > 0:
                self.news.wait(left)

    def play(self, by, *others, within=10):
        """`by` plays; returns when all of them do, in step."""
        by.play()
        hosts = (by, *others)
        self.wait_until(
            lambda: all(host.timing == "PLAYING" for host in hosts) and self.agree(*hosts), "all played in step", within
        )


def hubs(invite):
    """The addresses that an invite lists, in its order."""
    return [part for part in invite.removeprefix("unisono://").split("/") if ":" in part]


def runs_as_root():
    return os.geteuid() == 0
