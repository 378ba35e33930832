"""F76: an operator's day of `unisono hub`: settings, figures, logs, reload, and an end that nobody notices."""

import base64
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from hosts_support import environment, until
from hub_process import LINE, Hub, check

ROOT = Path(__file__).resolve().parents[2]
STEP = 0.040  # seconds


@pytest.fixture
def program(built):
    path = built / "unisono"
    if not path.exists():
        pytest.skip("build/unisono is not built; run `make`")
    return path


@pytest.fixture
def hub(program):
    running = []

    def start(*arguments, **variables):
        running.append(Hub(program, ["--listen", "127.0.0.1:0", *arguments], variables))
        return running[-1]

    yield start
    for one in running:
        one.process.kill()
        one.process.wait()


def families(text):
    from prometheus_client.parser import text_string_to_metric_families

    return {family.name: family for family in text_string_to_metric_families(text)}


# Settings


def test_the_page_and_the_file_have_all_settings(program):
    said = check(program, "--config", "/dev/null")
    assert said.returncode == 0
    names = {line.split(" = ")[0] for line in said.stdout.splitlines()}
    page = (ROOT / "docs" / "operations.md").read_text()
    table = page.split("| setting | is |")[1].split("\n\n")[0]
    first = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    assert set(re.findall(r"`([a-z-]+)`", " ".join(first))) == names
    file = (ROOT / "packaging" / "hub.toml").read_text()
    assert set(re.findall(r"^# ([a-z-]+) = ", file, re.MULTILINE)) == names


def test_what_is_in_force_is_said_with_where_it_is_from(program, tmp_path):
    file = tmp_path / "hub.toml"
    file.write_text('rooms = 5\nmemory = 6\nlog-level = "debug"\n')
    said = check(program, "--config", file, "--rooms", "7", UNISONO_HUB_MEMORY="64", UNISONO_HUB_ROOM="1")
    assert said.returncode == 0
    lines = dict(re.split(r" = ", line, maxsplit=1) for line in said.stdout.splitlines())
    assert re.fullmatch(r"7 +# option --rooms", lines["rooms"])
    assert re.fullmatch(r"64 +# variable UNISONO_HUB_MEMORY", lines["memory"])
    assert re.fullmatch(rf'"debug" +# {re.escape(str(file))}, line 3', lines["log-level"])
    assert re.fullmatch(r"4096 +# default", lines["connections"])
    assert "UNISONO_HUB_ROOM is no setting" in said.stderr and "did you mean UNISONO_HUB_ROOMS?" in said.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [("room = 5", "line 1: there is no setting \"room\"; did you mean rooms?"), ("\nrooms = 0", "line 2: rooms is 0; it must be 1...")],
)
def test_a_wrong_file_ends_it_with_the_line_and_a_hint(program, tmp_path, text, words):
    file = tmp_path / "hub.toml"
    file.write_text(text)
    said = check(program, UNISONO_HUB_CONFIG=str(file))
    assert said.returncode == 64 and words in said.stderr


def test_the_sample_of_a_file_is_what_is_the_default(program, tmp_path):
    text = (ROOT / "packaging" / "hub.toml").read_text()
    assert check(program, "--config", ROOT / "packaging" / "hub.toml").returncode == 0
    # And with every comment that is a setting taken for one; a command without NATS refuses what is for a set of hubs.
    of_sets = {"nats", "nats-credentials", "nats-ca", "set-key"}
    is_without = "built without NATS" in check(program, "--nats", "nats://127.0.0.1").stderr
    left_out = of_sets if is_without else set()
    for key in left_out:
        text = re.sub(rf"(?m)^# {key} = .*\n", "", text)
    file = tmp_path / "hub.toml"
    file.write_text(re.sub(r"(?m)^# ([a-z-]+ = )", r"\1", text))
    said = check(program, "--config", file)
    assert said.returncode == 0, said.stderr
    given = {line.split(" = ")[0] for line in said.stdout.splitlines() if str(file) in line}
    assert given == {line.split(" = ")[0] for line in said.stdout.splitlines()} - left_out
    plain = dict(line.split("  #")[0].split(" = ", 1) for line in check(program).stdout.splitlines())
    filled = dict(line.split("  #")[0].split(" = ", 1) for line in said.stdout.splitlines())
    own = {"listen", "advertise", "next", "origin", "proxy", "web", "media", "key", "certificate", "secret", "revoke", "metrics"} | of_sets
    assert {key: value.strip() for key, value in plain.items() if key not in own} == {
        key: value.strip() for key, value in filled.items() if key not in own
    }


# Figures


def test_figures_are_read_by_prometheus_own_reader_and_health_is_told(hub):
    pytest.importorskip("prometheus_client")
    one = hub("--metrics", "127.0.0.1:0")
    status, kind, text = one.ask("/metrics")
    assert (status, kind) == (200, "text/plain; version=0.0.4; charset=utf-8")
    found = families(text)
    for name, family in found.items():
        assert name.startswith(("unisono_hub_", "process_")) and family.documentation
        assert family.type in ("gauge", "counter", "histogram")
    assert found["unisono_hub_rooms"].samples[0].value == 0
    assert found["process_resident_memory_bytes"].samples[0].value > 1 << 20
    assert found["process_open_fds"].samples[0].value > 3
    assert abs(found["process_start_time_seconds"].samples[0].value - time.time()) < 600
    until(lambda: families(one.ask("/metrics")[2])["unisono_hub_loop_lag_seconds"].samples[-1].value > 0, "the loop was looked at", 30)
    assert one.ask("/healthz")[0] == 200 and one.ask("/readyz")[0] == 200
    assert one.ask("/")[0] == 404


def test_bad_requests_are_answered_slow_ones_are_closed_and_there_are_16_at_most(hub):
    one = hub("--metrics", "127.0.0.1:0")
    port = int(one.page.rpartition(":")[2])

    def say(text):
        with socket.create_connection(("127.0.0.1", port), timeout=30) as peer:
            peer.sendall(text)
            return b"".join(iter(lambda: peer.recv(4_096), b"")).split(b"\r\n")[0]

    assert say(b"GET / HTTP/1.1\r\n\r\n") == b"HTTP/1.1 400 Bad Request"
    assert say(b"POST /metrics HTTP/1.1\r\nHost: a\r\n\r\n") == b"HTTP/1.1 405 Method Not Allowed"
    assert say(b"GET /" + b"a" * 9_000) == b"HTTP/1.1 414 URI Too Long"
    assert say(b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n") == b"HTTP/1.1 400 Bad Request"
    slow = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in range(16)]
    for peer in slow:
        peer.sendall(b"GET /metrics HT")
    assert say(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n") == b"HTTP/1.1 503 Service Unavailable"
    for peer in slow:
        assert peer.recv(4_096).startswith(b"HTTP/1.1 408 ") and peer.recv(4_096) == b""
        peer.close()
    assert one.ask("/healthz")[0] == 200


def test_the_dashboard_shows_what_there_is_and_all_of_it(hub, program, tmp_path):
    pytest.importorskip("prometheus_client")
    key, certificate = tmp_path / "hub.key", tmp_path / "hub.certificate"
    line = subprocess.check_output(
        [program, "hub", "--key", key, "--listen", "127.0.0.1:7400", "--print-line"], text=True, env=environment()).strip()
    authority = ["--authority-key", tmp_path / "authority.key"]
    certificate.write_text(
        subprocess.check_output([program, "hub", "certify", *authority, "--hub", line], text=True, env=environment()))
    found = families(hub("--metrics", "127.0.0.1:0", "--key", key, "--certificate", certificate).ask("/metrics")[2])
    assert "unisono_hub_certificate_end_time_seconds" in found
    there = {sample.name for family in found.values() for sample in family.samples}
    board = json.loads((ROOT / "packaging" / "grafana" / "unisono-hub.json").read_text())
    asked = " ".join(target["expr"] for panel in board["panels"] for target in panel["targets"])
    shown = set(re.findall(r"\b(?:unisono_hub|process)_\w+", asked))
    assert shown == there
    page = (ROOT / "docs" / "operations.md").read_text()
    assert {name for name in found if f"`{name}" not in page} == set()


# Logs, reload


def test_lines_of_the_log_are_objects_with_time_level_and_room_and_without_secrets(hub, tmp_path):
    key, secret = tmp_path / "hub.key", tmp_path / "hub.secret"
    one = hub("--log-format", "json", "--key", key, "--secret", secret)
    one.line("hosts use it with")
    one.send(signal.SIGUSR1)
    one.line('"probes":')
    one.send(signal.SIGTERM)
    assert one.process.wait(60) == 0
    one.log._thread.join(60)
    told = [json.loads(line) for line in one.log.lines]
    for line in told:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"])
        assert line["level"] in ("info", "warning") and line["message"]
    assert [line for line in told if line.get("rooms") == 0 and line.get("probes") == 0]
    everything = "\n".join(one.log.lines)
    assert all(file.read_bytes().hex() not in everything for file in (key, secret))


def test_a_reload_brings_limits_into_force_and_says_what_waits_and_what_is_wrong(hub, tmp_path):
    pytest.importorskip("prometheus_client")
    file = tmp_path / "hub.toml"
    file.write_text('rooms = 5\n')
    one = hub("--config", file, "--metrics", "127.0.0.1:0")

    def figure(name, **labels):
        family = families(one.ask("/metrics")[2])[name]
        return next(sample.value for sample in family.samples if labels.items() <= sample.labels.items())

    assert figure("unisono_hub_rooms_limit") == 5
    file.write_text('rooms = 6\nlog-format = "json"\n')
    one.send(signal.SIGHUP)
    one.line("log-format is another now, which the next start brings into force")
    until(lambda: figure("unisono_hub_rooms_limit") == 6, "the limit was another", 30)
    file.write_text("rooms = -1\n")
    one.send(signal.SIGHUP)
    one.line(r"hub\.toml, line 1: rooms is -1; it must be 1\.\.\.1000000; nothing was changed")
    until(lambda: figure("unisono_hub_reloads", result="failed") == 1, "the failure was counted", 30)
    assert figure("unisono_hub_rooms_limit") == 6 and figure("unisono_hub_reloads", result="ok") == 1


# The end


@pytest.fixture
def two(hub, built, tmp_path):
    """Two hosts that play at a hub of its own."""
    from test_survival import Console

    if not (built / "console_host").exists():
        pytest.skip("build/console_host is not built; run `make hosts`")
    one = hub("--metrics", "127.0.0.1:0", "--drain", "10s", "--open")
    line = one.line(LINE).group(1)
    ann = Console(["host", "--hub", line], "Ann", tmp_path, built)
    invite = ann.process.stdout.readline().split()[1]
    hosts = [ann, Console(["join", invite], "Ben", tmp_path, built)]
    try:
        until(lambda: all(len(h.status.get("participants", ())) == 2 for h in hosts), "both were in")
        yield one, hosts
    finally:
        for host in hosts:
            host.close()


def test_a_hub_that_is_ended_is_left_without_a_jump_and_nobody_is_gone(two):
    one, hosts = two
    ann, ben = hosts
    ann.type("play")
    until(lambda: all(h.status.get("state") == "playing" for h in hosts), "both played")
    until(lambda: abs(ann.line - ben.line) < STEP, "they were in step")
    before = {host: (host.line, len(host.lines)) for host in hosts}
    begun = time.monotonic()
    one.send(signal.SIGTERM)
    assert one.process.wait(30) == 0
    assert time.monotonic() - begun < 8, "it did not wait for its time to be over"
    assert one.line("2 participants in 1 rooms are told to go to the next hub")
    ann.type("pause")
    until(lambda: all(h.status.get("state") == "paused" for h in hosts), "both stood, by word through the next hub")
    for host in hosts:
        start, count = before[host]
        after = host.lines[count:]
        assert all(line["connection"] == "connected" for line in after), "nobody was without a hub"
        assert all(len(line["participants"]) == 2 for line in after), "nobody was missed"
        played = [line["position"] - line["host_time"] / 1e9 for line in after if line["state"] == "playing"]
        assert max((abs(line - start) for line in played), default=0) <= STEP, "nobody jumped"


def test_a_draining_hub_is_not_ready_lets_nobody_in_and_a_second_signal_ends_it_at_once(hub):
    pytest.importorskip("cryptography", reason="needs the Python package cryptography: pip install cryptography")
    sys.path.insert(0, str(ROOT / "Tests" / "independent"))
    from hub import Hub as Client
    from hub import HubRefused
    from primitives import Signer, item, u32
    from room import Door
    from wire import items

    heard = []

    class Listener(Client):
        def _take(self, kind, body):
            heard.append((kind, body))
            return super()._take(kind, body)

    one = hub("--metrics", "127.0.0.1:0", "--drain", "3600", "--open")
    port, name = re.fullmatch(r"unisono-hub://127\.0\.0\.1:(\d+)/(\w+)", one.line(LINE).group(1)).groups()
    address, door = ("127.0.0.1", int(port)), Door(os.urandom(32), os.urandom(32))

    def enter():
        return closing(Listener(address, base64.b32decode(name.upper() + "======"), door, Signer(os.urandom(32))))

    def wait(member, done, what):
        def turn():
            member.poll(0.01)
            return done()

        until(turn, what, 30)

    with enter() as member:
        wait(member, lambda: member.entered, "it was in")
        one.send(signal.SIGTERM)
        one.line("1 participants in 1 rooms are told")
        wait(member, lambda: [kind for kind, _ in heard if kind == 16], "it was told")
        body = next(body for kind, body in heard if kind == 16)
        left = int.from_bytes(items(body)[2], "big")
        assert body == item(2, u32(left)) and 3_500_000 < left <= 3_600_000
        with enter() as late, pytest.raises(HubRefused) as refused:
            wait(late, lambda: False, "it was refused")
        assert refused.value.status == -111 and "turn to another" in str(refused.value)
        assert one.ask("/readyz")[::2] == (503, "draining\n") and one.ask("/healthz")[0] == 200
        assert "\nunisono_hub_draining 1\n" in one.ask("/metrics")[2]
        assert '{reason="draining"} 1\n' in one.ask("/metrics")[2]
        one.send(signal.SIGTERM)
        assert one.process.wait(30) == 0
        one.line("SIGTERM: closing at once")
