"""K2: somebody sets the clock of two machines at play, back and forth; nobody moves, and they go on commanding each other."""

import subprocess
import time

import pytest
from hosts_support import HostProcess, environment, until
from wall_clock import WallClock, build_preload

STEP = 0.040  # seconds
HOUR = 3_600


class Machine(HostProcess):
    """A console host whose calendar clock can be set."""

    def __init__(self, arguments, name, folder, build, preload):
        self.clock = WallClock(folder / f"{name}.wall", preload)
        self.environment = dict(environment(), **self.clock.variables)
        command = [str(build / "console_host"), *arguments, "--item", "film"]
        super().__init__(command, name, folder, self.environment)

    @property
    def shown_time(self):
        """What a program on this machine takes the calendar time to be."""
        return float(subprocess.run(["date", "+%s"], env=self.environment, capture_output=True, check=True).stdout)

    @property
    def line(self):
        """Where its position would have been at host time 0, seconds; both have one monotonic clock here."""
        status = self.status
        return status["position"] - status["host_time"] / 1e9

    @property
    def told(self):
        return self.status_file.read_text().splitlines()


def play_on(hosts, seconds):
    """Waits until all have told so much more of themselves; all that they said."""
    counts = [len(host.told) for host in hosts]
    ends = [host.status["host_time"] + seconds * 1e9 for host in hosts]
    until(lambda: all(h.status.get("host_time", 0) > end for h, end in zip(hosts, ends)), f"{seconds} s were told of")
    return [line for host, count in zip(hosts, counts) for line in host.told[count:]]


@pytest.fixture
def two(built, tmp_path):
    if not (built / "console_host").exists():
        pytest.skip("build/console_host is not built; run `make hosts`")
    preload = build_preload(tmp_path)
    ann = Machine(["host", "--listen", "127.0.0.1:0"], "Ann", tmp_path, built, preload)
    invite = ann.process.stdout.readline().split()[1]
    hosts = [ann, Machine(["join", invite], "Ben", tmp_path, built, preload)]
    try:
        until(lambda: all(len(h.status.get("participants", ())) == 2 for h in hosts), "both were in")
        yield hosts
    finally:
        for host in hosts:
            host.close()


def test_k2_a_clock_that_is_set_back_moves_nothing(two):
    ann, ben = two
    ann.type("play")
    until(lambda: all(h.status.get("state") == "playing" for h in two), "both played")
    until(lambda: abs(ann.line - ben.line) < STEP, "they were in step")
    before = [host.line for host in two]
    for ann_ahead, ben_ahead in ((-HOUR, 0), (-HOUR, 0.01), (24 * HOUR, -0.5), (0, 0)):
        ann.clock.set(ann_ahead)
        ben.clock.set(ben_ahead)
        for host, ahead in ((ann, ann_ahead), (ben, ben_ahead)):
            assert abs(host.shown_time - time.time() - ahead) < 30, "the clock is set indeed"
        told = play_on(two, 1.5)
        assert all('"playing"' in one and '"connected"' in one for one in told), "nobody stopped or lost the other"
        assert all(abs(host.line - line) < STEP for host, line in zip(two, before)), "nobody moved"
    ben.type("pause")
    until(lambda: all(h.status.get("state") == "paused" for h in two), "both stood")
    assert abs(ann.status["position"] - ben.status["position"]) < STEP
