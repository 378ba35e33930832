"""Several hubs of one operator: `unisono hub --nats`, through a real nats-server on 127.0.0.1, and who is in rooms at them."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest
from hosts_support import ROOT, environment, until
from test_survival import STEP, Console
from hub_process import LINE, Hub

pytest.importorskip("cryptography", reason="needs the Python package cryptography: pip install cryptography")

from hub_set import NO_SERVER, SERVER, Guest, Nats, command_with_nats, others, write_key  # noqa: E402
from link import LEAVE  # noqa: E402
from room import Door  # noqa: E402
from wire import Refused  # noqa: E402


@pytest.fixture
def nats():
    if SERVER is None:
        pytest.skip(NO_SERVER)
    server = Nats()
    yield server
    server.kill()


@pytest.fixture
def command(built):
    path = command_with_nats(built)
    if path is None:
        pytest.skip("no command is built with NATS; on Debian: apt install libnats-dev, then make test-swift")
    return path


@pytest.fixture
def key(tmp_path):
    return write_key(tmp_path / "set.key")


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
    other = write_key(tmp_path / "other.key")
    one, two = hub("--nats", nats.url, "--set-key", key), hub("--nats", nats.url, "--set-key", other)
    for each in (one, two):
        each.line("hears other hubs through NATS")
    three = hub("--nats", nats.url, "--set-key", key)
    until(lambda: others(one) == 1 and others(three) == 1, "those of one key hear each other", 20)
    assert others(two) == 0


def test_a_hub_says_at_its_start_what_it_needs_of_nats(nats, key, hub, tmp_path):
    one = hub("--nats", nats.url, "--set-key", key)
    name = one.line(r"is one of a set of hubs, whose subjects in NATS are (u2\.[\w-]{22})\.>$").group(1)
    assert nats.heard("u2.*.hubs") == f"{name}.hubs"
    two = hub("--nats", nats.url, "--set-key", write_key(tmp_path / "new.key"), "--set-key", key)
    two.line(rf"whose subjects in NATS are u2\.[\w-]{{22}}\.> and {re.escape(name)}\.>$")


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


# ---- rooms ----


def together(holds, what, *guests):
    def poll():
        for guest in guests:
            guest.poll(0.002)

    until(holds, what, 60, poll)


@pytest.fixture
def hubs(nats, key, hub):
    three = [hub("--nats", nats.url, "--set-key", key) for _ in range(3)]
    for each in three:
        until(lambda each=each: others(each) == 2, "it hears the others", 60)
    return three


@pytest.fixture
def guests(hubs):
    """The room's door, and one guest at each hub."""
    door = Door(os.urandom(32), os.urandom(32))
    ones = [Guest(each, door) for each in hubs]
    together(lambda: all(len(one.present) == 3 for one in ones), "all see each other", *ones)
    yield door, ones
    for one in ones:
        one.connection.close()


def test_n1_members_at_different_hubs_see_each_other_and_hear_each_other_once_and_in_order(guests):
    _, ones = guests
    for _ in range(100):
        for one in ones:
            one.say()
        for one in ones:
            one.poll(0)
    together(lambda: all(len(one.heard) >= 200 for one in ones), "all has come", *ones)
    for one in ones:
        for other in ones:
            assert one.said(other) == (list(range(100)) if other is not one else [])
    ones[0].connection.send(LEAVE)
    ones[0].poll(0.1)
    together(lambda: all(ones[0].id in one.gone for one in ones[1:]), "its leaving is known at the other hubs", *ones[1:])


def test_n14_who_knows_the_sets_id_alone_enters_at_each_hub_that_it_certified_and_at_no_other(nats, key, hub, command, tmp_path):
    def certified(number, authority):
        own = tmp_path / f"{number}.key"
        told = [command, "hub", "--listen", "127.0.0.1:7400", "--key", own, "--print-line"]
        line = subprocess.check_output(told, text=True, env=environment()).strip()
        file = tmp_path / f"{number}.certificate"
        certify = [command, "hub", "certify", "--authority-key", tmp_path / authority, "--hub", line]
        file.write_text(subprocess.check_output(certify, text=True, env=environment()))
        return hub("--nats", nats.url, "--set-key", key, "--key", own, "--certificate", file)

    ours = [certified(number, "authority") for number in range(2)]
    other = certified(2, "other")
    for each in (*ours, other):
        until(lambda each=each: others(each) == 2, "it hears the others", 60)
    names = [each.line(LINE).group(1)[-26:] for each in (*ours, other)]
    assert names[0] == names[1] != names[2]
    door = Door(os.urandom(32), os.urandom(32))
    ones = [Guest(each, door) for each in ours]
    together(lambda: all(len(one.present) == 2 for one in ones), "they see each other", *ones)
    stranger = Guest(other, door, expected=names[0])
    with pytest.raises(Refused, match="wrongHub"):
        together(lambda: stranger.present, "it is refused", stranger)
    for one in (*ones, stranger):
        one.connection.close()


def test_n4_who_was_at_a_hub_that_died_is_seen_at_the_next_one_without_having_been_gone(hubs, guests):
    door, (first, second, third) = guests
    hubs[1].process.kill()
    turn = first.present[second.id]
    again = Guest(hubs[2], door, second.signer)
    together(lambda: first.present.get(second.id, turn)[0] != turn[0], "it is seen with a later turn", first, third, again)
    again.say()
    together(lambda: first.said(again) == [0] and third.said(again) == [0], "it is heard", first, third, again)
    assert again.id not in first.gone + third.gone
    again.connection.close()


def test_n4_who_does_not_come_back_after_its_hub_died_is_gone_for_the_others(hubs, guests):
    _, (first, second, third) = guests
    hubs[1].process.kill()
    begin = time.monotonic()
    together(lambda: second.id in first.gone and second.id in third.gone, "it is gone for the others", first, third)
    assert time.monotonic() - begin > 2, "sooner it cannot be known (hubs 5.1)"


def test_n5_a_nats_server_that_is_started_again_takes_nobody_away_and_loses_nothing(nats, guests):
    _, ones = guests
    for step in (None, nats.kill, nats.start):
        if step:
            step()
        for one in ones:
            one.say()
            one.poll(0.01)
    together(lambda: all(len(one.heard) >= 6 for one in ones), "all has come", *ones)
    for one in ones:
        assert one.gone == []
        for other in ones:
            assert one.said(other) == ([0, 1, 2] if other is not one else [])


def test_n6_without_nats_a_hub_serves_its_own_and_those_of_others_are_gone_until_it_is_back(nats, hubs, guests):
    door, (first, second, third) = guests
    nats.kill()
    together(lambda: {second.id, third.id} <= set(first.gone), "the others are gone", first, second, third)
    beside = Guest(hubs[0], door)
    together(lambda: beside.id in first.present, "a newcomer at the same hub is seen", first, beside)
    nats.start()
    everybody = (first, second, third, beside)
    together(lambda: all(len(one.present) == 4 for one in everybody), "all see each other again", *everybody)
    beside.connection.close()


def test_n9_guests_of_hubs_with_another_key_are_in_another_room(nats, guests, hub, tmp_path):
    door, ones = guests
    other = write_key(tmp_path / "other.key")
    guest = Guest(hub("--nats", nats.url, "--set-key", other), door)
    together(lambda: guest.connection.entered, "it is in", guest, *ones)
    ones[0].say()
    guest.say()
    together(lambda: ones[1].heard and ones[2].heard, "the others heard the first", guest, *ones)
    assert guest.heard == [] and list(guest.present) == [guest.id]
    assert all(guest.id not in one.present for one in ones)


# ---- The demo ----


def test_three_hubs_and_their_server_are_killed_before_ones_eyes_and_all_see_each_other_again(command):
    if SERVER is None:
        pytest.skip(NO_SERVER)
    run = subprocess.run(
        [sys.executable, str(ROOT / "Tests" / "processes" / "hubs.py"), "--seconds", "10", "--command", str(command)], env=environment(),
        capture_output=True, text=True, timeout=180)
    assert run.returncode == 0, run.stdout + run.stderr
    for words in ("hub 2 is killed", "hub 2 is started", "the NATS server is killed", "the NATS server is started", "all see each other"):
        assert words in run.stdout


# ---- sessions ----


@pytest.fixture
def hosts(hubs, built, tmp_path):
    """Ann, who knows the first hub alone, and one at each hub who knows all of them; the hubs' clocks are days apart."""
    if not (built / "console_host").exists():
        pytest.skip("build/console_host is not built; run `make hosts`")
    lines = [each.line(LINE).group(1) for each in hubs]
    places = [line.removeprefix("unisono-hub://") for line in lines]
    ann = Console(["host", "--hub", lines[0]], "Ann", tmp_path, built)
    key = ann.process.stdout.readline().split()[1].rpartition("/")[2]
    all_of_them = [ann]
    try:
        for first, name in enumerate(("Ben", "Cem", "Dora")):
            order = places[first:] + places[:first]
            all_of_them.append(Console(["join", f"unisono://{'/'.join(order)}/{key}"], name, tmp_path, built))
        until(lambda: all(len(host.status.get("participants", ())) == 4 for host in all_of_them), "all were in", 60)
        yield all_of_them
    finally:
        for host in all_of_them:
            host.close()


def test_n11_hosts_at_three_hubs_play_in_step_and_go_on_when_the_hub_of_their_clock_is_killed(hubs, hosts):
    ann, *rest = hosts
    ann.type("play")
    until(lambda: all(host.status.get("state") == "playing" for host in hosts), "all played")
    until(lambda: max(host.line for host in hosts) - min(host.line for host in hosts) < STEP, "they were in step")
    before = {host: (host.line, len(host.lines)) for host in rest}
    hubs[0].process.kill()
    until(lambda: rest[0].became("reconnecting", before[rest[0]][1]), "Ben noticed")
    until(lambda: rest[0].status.get("connection") == "connected", "Ben reached another hub")
    rest[2].type("pause")
    until(lambda: all(host.status.get("state") == "paused" for host in rest), "all stood, at whichever hub they were")
    for host in rest:
        start, count = before[host]
        played = [line["position"] - line["host_time"] / 1e9 for line in host.lines[count:] if line["state"] == "playing"]
        assert max((abs(line - start) for line in played), default=0) <= STEP, "nobody jumped"
        assert all(line["state"] == "playing" for line in host.lines[count:][: len(played)]), "nobody stopped"
