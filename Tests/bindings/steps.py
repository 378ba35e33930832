"""Two processes in step: their traces, a line a frame of host time, position and cost of the poll, in nanoseconds."""

import bisect
import os
import re
import subprocess

from waiting import until  # noqa: F401

#: What each sample was measured to be, printed at the end.
FIGURES = {}
#: How many frames to measure, where somebody measures (make bench-bindings).
MEASURED = int(os.environ.get("BINDINGS_FRAMES", "0"))
#: Milliseconds. What is wanted is judged where it is measured, on a machine that has nothing else to do (docs/benchmarks.md); a busy one must
#: pass the tests, too: a process whose library gets no processor time reads its clock late.
APART_MEDIAN, APART_P95, POLL, POLL_P99 = (0.05, 0.05, 0.2, 0.2) if MEASURED else (5.0, 30.0, 20.0, float("inf"))


def enough(frames):
    """How many frames to wait for."""
    return max(frames, MEASURED)


class Typed:
    """A sample in a process with a keyboard: `process`, its `name`, and the file `printed` that has what it printed."""

    @property
    def text(self):
        return self.printed.read_text()

    @property
    def invite(self):
        until(lambda: re.search(r"^invite \S+\n", self.text, re.M), f"{self.name} printed its invite: {self.text}")
        return re.search(r"^invite (\S+)", self.text, re.M)[1]

    def type(self, line):
        self.process.stdin.write(line + "\n")

    def close(self):
        if self.process.poll() is None:
            self.type("quit")
        try:
            return self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


def frames(path):
    """The whole lines that are there."""
    try:
        text = path.read_text()
    except FileNotFoundError:
        return []
    return [tuple(map(int, line.split())) for line in text.split("\n")[:-1]]


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))]


def apart(one, other):
    """Milliseconds between two positions at the same host time, for each frame of one with one of the other within 100 ms. All play
    at rate 1, so that a frame says where its process was shortly before and after."""
    times = [frame[0] for frame in other]
    found = []
    for host_time, position, _ in one:
        index = bisect.bisect(times, host_time)
        near = min(other[max(0, index - 1) : index + 1], key=lambda frame: abs(frame[0] - host_time), default=None)
        if near is not None and abs(near[0] - host_time) < 100_000_000:
            found.append(abs((position - host_time) - (near[1] - near[0])) / 1e6)
    return found


def judge(name, one, other, enough):
    """Both played at once, in step, and their frames did not wait for the library."""
    distances = apart(one, other)
    polls = [frame[2] / 1e6 for frame in one + other if frame[2] > 0]  # 0: the sample does not measure it
    assert len(distances) >= enough, f"{len(one)} and {len(other)} frames, {len(distances)} of them at one time"
    figures = dict(frames=len(distances), apart_p50=percentile(distances, 0.5), apart_p95=percentile(distances, 0.95))
    if polls:
        figures.update(poll_p50=percentile(polls, 0.5), poll_p99=percentile(polls, 0.99))
    FIGURES[name] = figures
    assert figures["apart_p50"] <= APART_MEDIAN and figures["apart_p95"] <= APART_P95, figures
    assert figures.get("poll_p50", 0) <= POLL and figures.get("poll_p99", 0) <= POLL_P99, figures
    assert one[-1][1] - one[0][1] > 0, "the position moves"
