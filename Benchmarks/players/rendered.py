"""Two hosts that render sound into files (bindings/c/pcm_host.c): what would be heard, compared by cross-correlation."""

import array
import pathlib
import subprocess
import time

from mpv_ipc import summary
from systems import Typed, wait_until

RATE = 48_000
#: p95 of |lag|, ms, by profile.
RENDERED_LIMIT = {"none": 1}
#: Of a sound card that begins so much later than it is told, ms, from its second start on: |lag| at most in the first seconds, and its
#: p95 from SETTLED_FROM on, by profile.
LATE = 150
LATE_START_LIMIT = 10
LATE_LIMIT = {"none": 1, "wan": 2}
#: Before its first start all have been together for so long, seconds: a path of much jitter is asked often for so long.
LATE_SETTLE = 120.0
#: Its first start, from which it learns, and the seconds after the second one that are called its beginning.
LEARNING, BEGINNING, SETTLED_FROM = 10.0, 5.0, 20.0
#: How far apart the sounds are looked for, seconds.
REACH = 0.010
COUNT = 1_000


class Cards(Typed):
    """Two pcm_host; the hub is A's own. B's clock is another one, and its sound card a third."""

    name = "sound"
    #: ms by which B's sound card begins later than it is told.
    late = 0

    def start(self, build):
        invite = self.folder / "invite"
        self.begun = {}
        self.wall = time.time() - time.monotonic()
        for name in "ab":
            command = [build / "pcm_host", *(["host", "--listen", f"{self.network.address['a']}:7401", "--invite-file", invite]
                                             if name == "a" else ["join", self._read(invite)]),
                       "--name", name, "--drift", "0" if name == "a" else "-150", "--late", str(self.late if name == "b" else 0),
                       "--out", self.folder / f"{name}.pcm", "--times", self.folder / f"{name}.times"]
            self.begun[name] = time.monotonic()
            setattr(self, name, self.spawn(name, command, name, stdin=subprocess.PIPE))

    @staticmethod
    def _read(path):
        return wait_until(lambda: path.exists() and path.read_text().strip(), "the invite")

    def blocks(self, name):
        """Sample, true time ns, speed of every whole line.

        B's clock began to run fast when its process did; and libfaketime counts from where the wall clock stood then."""
        text = pathlib.Path(self.folder / f"{name}.times").read_text()
        other = name == "b" and self.clock != 0
        begun, wall = (self.begun[name] * 1e9, self.wall * 1e9 if other else 0.0)
        rate = 1 + (self.clock / 1e6 if other else 0.0)
        rows = []
        for line in text[: text.rfind("\n") + 1].splitlines():
            sample, heard, _, speed = line.split()
            rows.append((int(sample), begun + (int(heard) - wall - begun) / rate, float(speed)))
        return rows

    def heard(self, name, blocks, at, count):
        """What was heard from a true time on, and when its first sample was; None: it did not play then."""
        index = max((i for i, block in enumerate(blocks) if block[1] <= at), default=None)
        if index is None or index + 1 >= len(blocks) or blocks[index][2] == 0:
            return None
        (sample, heard, _), (_, following, _) = blocks[index], blocks[index + 1]
        steps = blocks[index + 1][0] - sample
        into = round((at - heard) / (following - heard) * steps)
        data = array.array("h")
        with open(self.folder / f"{name}.pcm", "rb") as file:
            file.seek(2 * (sample + into))
            data.frombytes(file.read(2 * count))
        return (data, heard + (following - heard) * into / steps) if len(data) == count else None


def lag(one, other, reach):
    """By how many samples `other`, which begins `reach` samples earlier, is late; None: the two are not alike."""
    best, at = 0, None
    for shift in range(2 * reach):
        value = sum(a * b for a, b in zip(one, other[shift:]))
        if value > best:
            best, at = value, shift
    return at - reach if at is not None and best > 0.3 * sum(a * a for a in one) else None


def both(cards, runs):
    """Waits until both sound, or both are silent."""
    wait_until(lambda: all(any(b[2] for b in cards.blocks(n)[-3:]) == runs for n in "ab"), "the sound" if runs else "silence", 30, 0.2)


def lags(cards, first, last):
    """|B is late by|, seconds, each half second of that time; and how often the two were not alike, which counts as far away."""
    reach = round(REACH * RATE)
    blocks = {name: cards.blocks(name) for name in "ab"}
    found, missing, at = [], 0, first * 1e9
    while at < last * 1e9:
        one = cards.heard("a", blocks["a"], at, COUNT)
        other = cards.heard("b", blocks["b"], at - REACH * 1e9, COUNT + 2 * reach)
        samples = lag(one[0], other[0], reach) if one and other else None
        if samples is None:
            missing += 1
            found.append(REACH)
        else:
            # Both begin at a sample, which is not exactly the instant asked for.
            found.append(((other[1] + REACH * 1e9) - one[1]) / 1e9 + samples / RATE)
        at += 0.5e9
    return found, missing


def compare_sound(network, profile, arguments, folder):
    for name in ("a", "b"):
        network.set_profile(name, profile)
    Cards.clock = arguments.clock
    with Cards(network, folder) as cards:
        cards.start(arguments.build)
        time.sleep(arguments.settle)
        cards.play(None)
        both(cards, True)
        first = time.monotonic()
        time.sleep(arguments.rendered + 1)
        found, missing = lags(cards, first + 0.5, first + arguments.rendered)
    return {**summary(found), "missing": missing}


class LateCards(Cards):
    late = LATE


def compare_late(network, profile, arguments, folder):
    """B's sound card begins later than it is told, as Bluetooth does, and says so of no start: from the second one on it is told earlier.
    The hub is A's own, which has no delay; B is behind the profile's."""
    network.set_profile("a", "none")
    network.set_profile("b", profile)
    LateCards.clock = arguments.clock
    with LateCards(network, folder) as cards:
        cards.start(arguments.build)
        time.sleep(max(LATE_SETTLE, arguments.settle))
        cards.play(None)
        both(cards, True)
        time.sleep(LEARNING)
        cards.pause(None)
        both(cards, False)
        cards.play(None)
        both(cards, True)
        first = time.monotonic()
        time.sleep(SETTLED_FROM + arguments.rendered + 1)
        beginning, _ = lags(cards, first + 0.5, first + BEGINNING)
        found, missing = lags(cards, first + SETTLED_FROM, first + SETTLED_FROM + arguments.rendered)
    return {**summary(found), "missing": missing, "start": summary(beginning)["max"]}


def show_sounds(sounds, late):
    for profile, row in sounds.items():
        print(f"rendered sound, {profile}: |lag| median {row.get('median')} p95 {row.get('p95')} max {row.get('max')} ms")
    for profile, row in late.items():
        print(f"a sound card {LATE} ms late, {profile}, second start: |lag| {row['start']} ms at most in the first seconds; from {SETTLED_FROM:.0f} s on "
              f"median {row.get('median')} p95 {row.get('p95')} max {row.get('max')} ms")


def judge_sounds(sounds, late):
    """What is not as promised."""
    failed = [f"{profile}: rendered sound {row.get('p95')} ms apart, promised {RENDERED_LIMIT[profile]}" for profile, row in sounds.items()
              if profile in RENDERED_LIMIT and (row.get("p95") is None or row["p95"] > RENDERED_LIMIT[profile])]
    for profile, row in late.items():
        if row["start"] is None or row["start"] > LATE_START_LIMIT:
            failed.append(f"{profile}: a sound card {LATE} ms late starts {row['start']} ms off, promised {LATE_START_LIMIT}")
        if profile in LATE_LIMIT and (row.get("p95") is None or row["p95"] > LATE_LIMIT[profile]):
            failed.append(f"{profile}: a sound card {LATE} ms late is {row.get('p95')} ms apart, promised {LATE_LIMIT[profile]}")
    return failed
