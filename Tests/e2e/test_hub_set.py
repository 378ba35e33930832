"""Several hubs of one operator: `unisono hub --nats`, through a real nats-server on 127.0.0.1."""

import os
import shutil
import signal
import socket
import subprocess
import time
from contextlib import closing

import pytest
from hosts_support import until
from test_hub_operation import Hub, check

SERVER = shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin")


class Nats:
    """A nats-server, which can be stopped and killed."""

    def __init__(self):
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"nats://127.0.0.1:{self.port}"
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen([SERVER, "-a", "127.0.0.1", "-p", str(self.port), "-l", "/dev/null"])

    def send(self, number):
        self.process.send_signal(number)

    def kill(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def nats():
    if SERVER is None:
        pytest.skip("nats-server is not installed; on Debian: apt install nats-server")
    server = Nats()
    yield server
    server.kill()


@pytest.fixture
def command(built, tmp_path):
    path = built / "unisono"
    if not path.exists():
        pytest.skip("build/unisono is not built; run `make`")
    if "built without NATS" in check(path, "--nats", "nats://127.0.0.1", "--set-key", tmp_path / "set.key").stderr:
        pytest.skip("build/unisono was built without NATS; run `make command TRAITS=NATS`")
    return path


@pytest.fixture
def key(tmp_path):
    path = tmp_path / "set.key"
    path.write_bytes(os.urandom(32))
    path.chmod(0o600)
    return path


@pytest.fixture
def hub(command):
    running = []

    def start(*arguments):
        running.append(Hub(command, ["--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", *arguments], {}))
        return running[-1]

    yield start
    for one in running:
        one.process.kill()
        one.process.wait()


def others(hub):
    """Hubs that this one hears."""
    text = hub.ask("/metrics")[2]
    return int(next(line for line in text.splitlines() if line.startswith("unisono_hub_other_hubs ")).split()[1])


def test_hubs_of_a_set_find_each_other_and_one_that_ends_is_gone_at_once(nats, key, hub):
    one, two = (hub("--nats", nats.url, "--set-key", key) for _ in range(2))
    for each in (one, two):
        each.line(rf"hears other hubs through NATS at {nats.url}$")
        until(lambda each=each: others(each) == 1, "it hears the other", 20)
        assert each.ask("/readyz")[0] == 200
    begin = time.monotonic()
    two.send(signal.SIGTERM)
    assert two.process.wait(20) == 0
    until(lambda: others(one) == 0, "it knows that the other is gone", 20)
    assert time.monotonic() - begin < 2.5, "3 s would be silence, not its word"


def test_a_hub_with_another_key_is_in_another_set(nats, key, hub, tmp_path):
    other = tmp_path / "other.key"
    other.write_bytes(os.urandom(32))
    other.chmod(0o600)
    one, two = hub("--nats", nats.url, "--set-key", key), hub("--nats", nats.url, "--set-key", other)
    for each in (one, two):
        each.line("hears other hubs through NATS")
    three = hub("--nats", nats.url, "--set-key", key)
    until(lambda: others(one) == 1 and others(three) == 1, "those of one key hear each other", 20)
    assert others(two) == 0


def test_n16_a_server_that_stands_still_holds_no_hub_up_and_is_told(nats, key, hub):
    one, two = (hub("--nats", nats.url, "--set-key", key) for _ in range(2))
    for each in (one, two):
        until(lambda each=each: others(each) == 1, "it hears the other", 20)
    nats.send(signal.SIGSTOP)
    one.line("the connection to NATS at .* is over: it did not answer for 2 s")
    until(lambda: one.ask("/readyz") == (503, "text/plain; charset=utf-8", "other hubs are not heard\n"), "it is not ready", 20)
    assert one.ask("/healthz")[0] == 200
    nats.send(signal.SIGCONT)
    for each in (one, two):
        until(lambda each=each: others(each) == 1 and each.ask("/readyz")[0] == 200, "they hear each other again", 20)


def test_a_hub_without_its_nats_serves_its_own_members_and_joins_when_it_comes(nats, key, hub):
    nats.kill()
    one = hub("--nats", nats.url, "--set-key", key)
    one.line("listens on")
    one.line(rf"nothing answers at {nats.url}: is the NATS server running there")
    assert one.ask("/healthz")[0] == 200
    nats.start()
    one.line("hears other hubs through NATS")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, "cannot read the key file"),
        (lambda path: path.write_bytes(b"x" * 31), "does not hold 32 bytes; name another, or take it from another hub of the set"),
        (lambda path: (path.write_bytes(b"x" * 32), path.chmod(0o644)), "can be read by others; chmod 600 it, or take it from"),
    ],
)
def test_a_key_that_cannot_be_used_is_refused(nats, hub, tmp_path, make, words):
    path = tmp_path / "bad.key"
    path.touch(mode=0o600)
    if make(path) is None and not path.stat().st_size:
        path.unlink()
    one = hub("--nats", nats.url, "--set-key", path)
    one.line(words)
    assert one.process.wait(20) == 1
