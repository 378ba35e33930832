"""F40: the process that holds the hub of three hosts is killed; the other two are in step again, and command each other."""

import json

import pytest
from hosts_support import HostProcess, environment, until

STEP = 0.040  # seconds


class Console(HostProcess):
    """A console host: a player that is a line, so that its status says where it is to the nanosecond."""

    def __init__(self, arguments, name, folder, build):
        command = [str(build / "console_host"), *arguments, "--item", "film"]
        super().__init__(command, name, folder, environment())

    @property
    def lines(self):
        complete, _, _ = self.status_file.read_bytes().rpartition(b"\n")
        return [json.loads(line) for line in complete.split(b"\n")]

    @property
    def line(self):
        """Where its position would have been at host time 0, seconds; the hosts share one clock here."""
        status = self.status
        return status["position"] - status["host_time"] / 1e9

    def became(self, connection, after):
        return any(line["connection"] == connection for line in self.lines[after:])


@pytest.fixture
def three(built, tmp_path):
    if not (built / "console_host").exists():
        pytest.skip("build/console_host is not built; run `make hosts`")
    ann = Console(["host", "--listen", "127.0.0.1:0"], "Ann", tmp_path, built)
    invite = ann.process.stdout.readline().split()[1]
    hosts = [ann] + [Console(["join", invite], name, tmp_path, built) for name in ("Ben", "Cem")]
    try:
        until(lambda: all(len(h.status.get("participants", ())) == 3 for h in hosts), "all three were in")
        yield hosts
    finally:
        for host in hosts:
            host.close()


def test_f40_the_hub_is_killed_and_the_other_two_go_on_in_step(three):
    ann, ben, cem = three
    rest = (ben, cem)
    ann.type("play")
    until(lambda: all(h.status.get("state") == "playing" for h in three), "all three played")
    until(lambda: abs(ben.line - cem.line) < STEP, "they were in step")
    before = {host: (host.line, len(host.lines)) for host in rest}
    ann.process.kill()
    ann.process.wait()
    until(lambda: all(h.became("reconnecting", before[h][1]) for h in rest), "both noticed")
    until(lambda: all(h.status.get("connection") == "connected" for h in rest), "both reached the next hub")
    for host in rest:
        assert host.status["state"] == "playing"
        assert all(line["state"] == "playing" for line in host.lines[before[host][1] :]), "nobody stopped"
        assert abs(host.line - before[host][0]) < STEP, "nobody jumped"
    assert abs(ben.line - cem.line) < STEP

    cem.type("pause")
    until(lambda: all(h.status.get("state") == "paused" for h in rest), "both stood")
    until(lambda: all("Ann" not in h.status["participants"] for h in rest), "Ann was off the list", limit=45)
    ben.type("play")
    until(lambda: all(h.status.get("state") == "playing" for h in rest), "both played again")
    until(lambda: abs(ben.line - cem.line) < STEP, "they were in step again")
