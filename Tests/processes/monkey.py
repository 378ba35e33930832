"""A monkey at real processes: what it does is drawn from a seed, when it happens is up to the machine.

    monkey.py [--seconds 180] [--size 16] [SEED...]

Up to `size` hosts play, pause, seek, change the rate, stand aside, leave, come, and die, hubs among them. Every now and then it rests:
after 5 s of quiet all that live are together, with one item, state and rate, and positions within 10 ms. Nobody says JOINED while alone
(`Group` sees to that). Without seeds: one of the time of day.
"""

import argparse
import random
import sys
import time

from group import Group, Refused, hubs

# Seconds of commotion between two rests, and of quiet after which all must agree.
COMMOTION = 12
QUIET = 5
# So many are always left.
LEAST = 3


class Monkey:
    def __init__(self, group, seed, size):
        self.group = group
        self.random = random.Random(seed)
        self.size = size
        self.born = 0
        self.suspended = set()
        self.kept = []  # who is never dismissed
        self.deeds = []
        first = self._new()
        self._begin(first)
        self.hosts = [first]
        self._wait(lambda: first.status == "JOINED", f"{first.name} had a session", 10)
        while len(self.hosts) < min(5, size):
            self.come()

    def _new(self):
        self.born += 1
        return self.group.add(f"P{self.born}")

    def _begin(self, host):
        """Has it found the session."""
        host.host()

    def _wait(self, condition, what, within):
        begin = time.monotonic()
        with self.group.news:
            while not condition():
                left = begin + within - time.monotonic()
                if left <= 0 or not self.group.news.wait(left) and not condition():
                    self._fail(f"it did not happen within {within:.1f} s that {what}", condition)
        return time.monotonic() - begin

    def _fail(self, what, condition):
        """With what those who live say, what was done before, and whether it came about later."""
        when = time.monotonic_ns()
        seen = "\n  ".join(
            f"at {host.position(when) / 1e9:.3f} s, {host!r}, its invite: {hubs(host.invite or '')}"
            for host in self.hosts
            if host.said
        )
        lately = "\n  ".join(self.deeds[-40:])
        begin = time.monotonic()
        while not condition() and time.monotonic() < begin + 30:
            self.group.news.wait(begin + 30 - time.monotonic())
        later = f"after {time.monotonic() - begin:.2f} s more" if condition() else "not within 30 s more"
        raise AssertionError(f"{what}; it did {later}:\n  {seen}\nit had done:\n  {lately}")

    # ---- what it does ----

    def come(self):
        newcomer = self._new()
        inviter = self._one()
        invite = self._invite(inviter)
        newcomer.open(invite, wait=False)
        self.hosts.append(newcomer)
        return f"{newcomer.name} by {inviter.name}'s invite to {hubs(invite)}"

    def _invite(self, inviter):
        """What a newcomer is handed."""
        return inviter.invite

    def play(self):
        return self._command(lambda host: host.play())

    def pause(self):
        return self._command(lambda host: host.pause())

    def seek(self):
        to = self.random.uniform(0, 3_600)
        return f"{self._command(lambda host: host.seek(to))} to {to:.1f}"

    def rate(self):
        rate = self.random.choice([0.5, 1.25, 2.0])
        return f"{self._command(lambda host: host.play(rate))} x{rate}"

    def suspend(self):
        host = self._one()
        if host not in self.suspended and self._do(host, lambda: host.suspend()):
            self.suspended.add(host)
        return host.name

    def resume(self):
        awake = sorted((host for host in self.suspended if not host.is_frozen), key=lambda host: host.name)
        if not awake:
            return "nobody"
        host = self.random.choice(awake)
        self._resume(host)
        return host.name

    def leave(self):
        host = self._dismissed()
        if host is None:
            return "nobody"
        self._do(host, lambda: host.leave())
        host.quit()
        return host.name

    def die(self):
        host = self._dismissed()
        if host is None:
            return "nobody"
        host.kill()
        return host.name

    def die_with_hub(self):
        hub = self._one().hub
        keepers = [host for host in self.hosts if host.hub_is_own and host.hub == hub]
        if not keepers or len(self.hosts) <= LEAST:
            return "nobody"
        self._remove(keepers[0])
        keepers[0].kill()
        return keepers[0].name

    def _command(self, verb):
        host = self._one()
        self._do(host, lambda: verb(host))
        return host.name

    def _do(self, host, verb):
        """False: refused, as it may be while it is on its way in."""
        try:
            verb()
        except Refused as refusal:
            assert host.status != "JOINED", f"refused to one that had joined: {refusal}"
            return False
        return True

    def _resume(self, host):
        self.suspended.discard(host)
        self._do(host, lambda: host.resume())

    def resume_all(self):
        for host in sorted(self.suspended, key=lambda host: host.name):
            self._resume(host)

    def _one(self):
        """One that is in and not stopped, if there is any; else one that has an invite."""
        awake = [host for host in self.hosts if not host.is_frozen]
        inside = [host for host in awake if host.status == "JOINED"]
        return self.random.choice(inside or [host for host in awake if host.invite] or awake)

    def _dismissed(self):
        """One that is to go; None: too few would be left."""
        inside = [host for host in self.hosts if host.status == "JOINED" and not host.is_frozen]
        if len(inside) <= LEAST:
            return None
        host = self.random.choice([host for host in inside if host not in self.kept])
        self._remove(host)
        return host

    def _remove(self, host):
        self.hosts.remove(host)
        self.suspended.discard(host)

    # ---- commotion and rest ----

    def rage(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            deeds = [self.play] * 4 + [self.pause] * 3 + [self.seek] * 4 + [self.rate] * 2 + [self.suspend] * 2
            deeds += [self.resume] * 3 + [self.leave, self.die, self.die_with_hub]
            if len(self.hosts) < self.size:
                deeds += [self.come] * 3
            deed = self.random.choice(deeds)
            self.deeds.append(f"{time.monotonic() - self.group.began:7.2f} {deed.__name__}: {deed()}")
            # What hosts say meanwhile is heard; nobody waits for it.
            self.group.pass_time(self.random.choice([0.0, 0.05, 0.2, 0.5]))

    def rest(self):
        """All that live agree after the quiet; returns the seconds it took."""
        self.resume_all()
        self.deeds.append(f"{time.monotonic() - self.group.began:7.2f} rest")
        return self._wait(
            lambda: self.group.are_together(*self.hosts) and self.group.agree(*self.hosts),
            f"{len(self.hosts)} were together and agreed",
            QUIET,
        )


def run(seed, seconds, size):
    """The longest that a rest took, and how many rests there were."""
    with Group() as group:
        monkey = Monkey(group, seed, size)
        took = []
        while time.monotonic() < group.began + seconds:
            monkey.rage(COMMOTION)
            took.append(monkey.rest())
        return max(took), len(took), monkey.born


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--size", type=int, default=16)
    parser.add_argument("seeds", nargs="*", type=int)
    options = parser.parse_args()
    for seed in options.seeds or [time.time_ns() % 1_000_000]:
        longest, rests, born = run(seed, options.seconds, options.size)
        print(f"seed {seed}: {rests} rests, {born} hosts, all agreed after {longest:.2f} s at the latest", flush=True)


if __name__ == "__main__":
    sys.exit(main())
