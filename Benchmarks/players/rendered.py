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
#: How far apart the sounds are looked for, seconds.
REACH = 0.010
COUNT = 1_000


class Cards(Typed):
    """Two pcm_host; the hub is A's own. B's clock is another one, and its sound card a third."""

    name = "sound"

    def start(self, build):
        invite = self.folder / "invite"
        self.begun = {}
        self.wall = time.time() - time.monotonic()
        for name in "ab":
            command = [build / "pcm_host", *(["host", "--listen", f"{self.network.address['a']}:7401", "--invite-file", invite]
                                             if name == "a" else ["join", self._read(invite)]),
                       "--name", name, "--drift", "0" if name == "a" else "-150",
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


def compare_sound(network, profile, arguments, folder):
    for name in ("a", "b"):
        network.set_profile(name, profile)
    Cards.clock = arguments.clock
    reach = round(REACH * RATE)
    with Cards(network, folder) as cards:
        cards.start(arguments.build)
        time.sleep(arguments.settle)
        cards.play(None)
        wait_until(lambda: all(any(b[2] for b in cards.blocks(n)[-3:]) for n in "ab"), "the sound", 30, 0.2)
        first = time.monotonic()
        time.sleep(arguments.rendered + 1)
        blocks = {name: cards.blocks(name) for name in "ab"}
        lags, missing, at = [], 0, (first + 0.5) * 1e9
        while at < (first + arguments.rendered) * 1e9:
            one = cards.heard("a", blocks["a"], at, COUNT)
            other = cards.heard("b", blocks["b"], at - REACH * 1e9, COUNT + 2 * reach)
            found = lag(one[0], other[0], reach) if one and other else None
            if found is None:  # counts as far away
                missing += 1
                lags.append(REACH)
            else:
                # Both begin at a sample, which is not exactly the instant asked for.
                lags.append(((other[1] + REACH * 1e9) - one[1]) / 1e9 + found / RATE)
            at += 0.5e9
    return {**summary(lags), "missing": missing}
