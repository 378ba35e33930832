"""Exchanges between two clocks over modelled paths, from a seed: what a prober would see, and the truth next to it.

A direction of a path is a floor and what comes on top. Figures are one way, in milliseconds:

    const    base
    uniform  base +- jitter, evenly spread
    gamma    base - jitter, and two exponential waits of jitter / 2 each: a hard floor and a long tail, as queues make it
    burst    (enter, leave, low, high): chances per packet to enter and leave a bad state with low to high on top

The remote clock shows true time; the host's is `OFFSET` ahead and runs `drift` ppm fast.
"""

import random
import zlib

OFFSET_NS = 123_456_789_012
PROCESSING_NS = 50_000

_WIFI = dict(base=3, jitter=2, shape="gamma", burst=(0.02, 0.15, 20, 150), loss=0.001, burst_loss=0.05)

# name: (what it models, there, back)
PROFILES = {
    "lan": ("wired network", dict(base=0.2, jitter=0.1, shape="gamma"), dict(base=0.2, jitter=0.1, shape="gamma")),
    "wifi": ("Wi-Fi with bursts", _WIFI, _WIFI),
    "wan": ("50 ± 20 ms each way, even", *[dict(base=50, jitter=20, shape="uniform")] * 2),
    "wan-q": ("50 ± 20 ms each way, queues", *[dict(base=50, jitter=20, shape="gamma")] * 2),
    "wan1w": ("50 ± 20 ms there and back, even", *[dict(base=25, jitter=10, shape="uniform")] * 2),
    "lte": ("mobile network", *[dict(base=80, jitter=60, shape="gamma", loss=0.005)] * 2),
    "asym": ("40 ms there, 10 ms back, no jitter", dict(base=40), dict(base=10)),
    "asym-j": ("40 ms there, 10 ms back, queues", dict(base=40, jitter=5, shape="gamma"),
               dict(base=10, jitter=2, shape="gamma")),
    "sat": ("satellite", *[dict(base=600, jitter=50, shape="uniform", loss=0.002)] * 2),
}


class Direction:
    def __init__(self, seed, base, jitter=0.0, shape="const", burst=None, loss=0.0, burst_loss=0.0):
        self.base, self.jitter, self.shape = base, jitter, shape
        self.burst, self.loss, self.burst_loss = burst, loss, burst_loss
        self.random, self.is_bad = random.Random(seed), False

    def floor_ms(self):
        return max(0.0, self.base - self.jitter)

    def draw_ns(self):
        """One passage, or None: lost."""
        delay, loss, draw = self.base, self.loss, self.random
        if self.shape == "uniform":
            delay += draw.uniform(-self.jitter, self.jitter)
        elif self.shape == "gamma":
            delay += -self.jitter + draw.gammavariate(2, self.jitter / 2)
        if self.burst:
            enter, leave, low, high = self.burst
            self.is_bad = draw.random() >= leave if self.is_bad else draw.random() < enter
            if self.is_bad:
                delay += draw.uniform(low, high)
                loss = max(loss, self.burst_loss)
        if loss and draw.random() < loss:
            return None
        return round(max(0.0, delay) * 1e6)


class Trace:
    """`count` asks, `interval` seconds apart; the exchanges that were not lost, in the order of their answers."""

    def __init__(self, profile, drift_ppm, seed, count=1200, interval=1.0):
        there, back = self.directions(profile, seed)
        self.profile, self.drift_ppm, self.seed = profile, drift_ppm, seed
        self.floors_ms = (there.floor_ms(), back.floor_ms())
        self.rate = 1 + drift_ppm * 1e-6
        self.exchanges = []
        for index in range(count):
            asked = round(index * interval * 1e9)
            passage, return_passage = there.draw_ns(), back.draw_ns()
            if passage is None or return_passage is None:
                continue
            received = asked + passage
            replied = received + PROCESSING_NS
            answered = replied + return_passage
            self.exchanges.append((self.host(asked), received, replied, self.host(answered)))
        self.exchanges.sort(key=lambda exchange: exchange[3])

    @staticmethod
    def directions(profile, seed):
        _, there, back = PROFILES[profile]
        root = zlib.crc32(profile.encode()) * 1_000 + seed * 2
        return Direction(root, **there), Direction(root + 1, **back)

    @property
    def asymmetry_ms(self):
        """The error that no exchange from two ends can show."""
        return abs(self.floors_ms[0] - self.floors_ms[1]) / 2

    def host(self, true_ns):
        """Host time at a true time, ns."""
        return OFFSET_NS + true_ns + round(true_ns * self.drift_ppm * 1e-6)

    def offset(self, host_ns):
        """Remote minus host time at a host time, ns: the truth."""
        shown = host_ns - OFFSET_NS
        return -OFFSET_NS - shown * (self.drift_ppm * 1e-6) / self.rate
