"""Clock filters to compare with, each fed the same four timestamps: `add(exchange)`, then `offset(host)`, ns.

What is published: the clock filter of RFC 5905 (the shortest round trip of the last eight) and a longer one, the separate
minima of both directions, and the regression of GStreamer's network clock. The first three correct for drift with the
frequency that the least squares through the shortest round trips of the last minutes give.
"""

from collections import deque


def slope(points):
    """Least squares."""
    count = len(points)
    mean_x = sum(x for x, _ in points) / count
    mean_y = sum(y for _, y in points) / count
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else 0.0


class ShortestRoundTrip:
    """The offset of the exchange with the shortest round trip of the last `window`."""

    PICKS = 64
    SPAN_NS = 60e9

    def __init__(self, window):
        self.window = deque(maxlen=window)
        self.picks = deque(maxlen=self.PICKS)
        self.base = None

    def add(self, exchange):
        asked, received, replied, answered = exchange
        if self.base is None:
            self.base = received - asked
        ahead, behind = received - asked - self.base, replied - answered - self.base
        self.window.append((answered, (ahead + behind) / 2, ahead - behind, ahead, behind))
        best = min(self.window, key=lambda sample: sample[2])
        if not self.picks or self.picks[-1] is not best:
            self.picks.append(best)
        span = self.picks[-1][0] - self.picks[0][0]
        self.frequency = 0.0
        if len(self.picks) >= 8 and span > self.SPAN_NS:
            self.frequency = slope([(pick[0], pick[1]) for pick in self.picks])
        self.best = best

    def offset(self, host):
        return self.base + self.best[1] + self.frequency * (host - self.best[0])


class SeparateMinima(ShortestRoundTrip):
    """The shortest way there and the shortest way back, each taken for itself, drift removed."""

    def offset(self, host):
        ceiling = min(ahead + self.frequency * (host - at) for at, _, _, ahead, _ in self.window)
        floor = max(behind + self.frequency * (host - at) for at, _, _, _, behind in self.window)
        return self.base + (ceiling + floor) / 2


class Regression:
    """As GStreamer's network clock works: long round trips left out, a line through 32 points, steps held to a quarter."""

    POINTS, LEAST = 32, 4
    MEDIAN_WINDOW = 9
    MOST_SKIPPED = 5

    def __init__(self):
        self.points = deque(maxlen=self.POINTS)
        self.trips = deque(maxlen=self.MEDIAN_WINDOW)
        self.average = None
        self.line = (0.0, 0.0, 0.0)
        self.base, self.skipped = None, 0

    def add(self, exchange):
        asked, received, replied, answered = exchange
        if self.base is None:
            self.base = ((received - asked) + (replied - answered)) // 2
            self.line = (answered, 0.0, 0.0)
        trip = (answered - asked) - (replied - received)
        self.trips.append(trip)
        if len(self.trips) == self.MEDIAN_WINDOW and trip > 2 * sorted(self.trips)[self.MEDIAN_WINDOW // 2]:
            return
        if self.average is None:
            self.average = trip
        else:
            weight = 3 if trip < self.average else 15
            self.average = (weight * self.average + trip) / (weight + 1)
        if trip > 2 * self.average:
            return
        middle = ((received - asked) + (replied - answered)) / 2 - self.base
        self.points.append(((asked + answered) / 2, middle))
        if len(self.points) < self.LEAST:
            return
        # Regressed from the newest point, so that the numbers keep their digits.
        origin = answered
        drift = slope([(at - origin, offset) for at, offset in self.points])
        mean_at = sum(at - origin for at, _ in self.points) / len(self.points)
        mean_offset = sum(offset for _, offset in self.points) / len(self.points)
        new = (origin, mean_offset - drift * mean_at, drift)
        most = self.average / 4
        was_in_step = self._explains(self.line, asked, answered, middle, most)
        step = new[1] - self._at(self.line, origin)
        if was_in_step and abs(step) > most:
            new = (origin, new[1] - step + (most if step > 0 else -most), drift)
        if was_in_step or self._explains(new, asked, answered, middle, most) or self.skipped > self.MOST_SKIPPED:
            self.line, self.skipped = new, 0
        else:
            self.skipped += 1

    @staticmethod
    def _at(line, host):
        return line[1] + line[2] * (host - line[0])

    def _explains(self, line, asked, answered, middle, most):
        """Whether the remote time seen lies between what the line says of both ends of the exchange, or nearly."""
        seen = (asked + answered) / 2 + middle
        return asked + self._at(line, asked) - seen < most and seen - answered - self._at(line, answered) < most

    def offset(self, host):
        return self.base + self._at(self.line, host)


# What ours is compared with, by the names of the table.
REFERENCES = {
    "rtt 8": lambda: ShortestRoundTrip(8),
    "rtt 64": lambda: ShortestRoundTrip(64),
    "minima 64": lambda: SeparateMinima(64),
    "gst 32": Regression,
}
