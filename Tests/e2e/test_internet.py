"""F98: hosting from behind a router, with nothing rented: a real miniupnpd gives the port, a friend elsewhere joins, and the port is given
back."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from home import Home, unavailable
from hosts_support import Program, environment, until
from lan import unavailable as no_namespaces
from test_two_mpv import both_play, in_step
from test_watch import folders, invite_of, ready, unisono  # noqa: F401

WHY = no_namespaces() or unavailable()
pytestmark = pytest.mark.skipif(WHY is not None, reason=str(WHY))

PORT_CONTROL = ["enable_natpmp=yes", "enable_upnp=no", "min_lifetime=2"]
WAYS = {"nat-pmp": PORT_CONTROL, "pcp": PORT_CONTROL, "upnp": ["enable_natpmp=no", "enable_upnp=yes"]}

NO_WAY = "NAT-PMP: the router does not answer; PCP: the router does not answer; UPnP: no router answers"


@pytest.fixture(scope="session")
def port_program(built):
    if not (built / "unisono-port").exists():
        pytest.skip("build/unisono-port is not built; on Debian: apt install libminiupnpc-dev libnatpmp-dev, then `make`")
    return built / "unisono-port"


@pytest.fixture(params=WAYS)
def home(request, port_program, tmp_path):
    with Home(tmp_path, *WAYS[request.param]) as made:
        made.way = request.param
        if made.way == "pcp":
            made.drop_natpmp()
        yield made


def watch(home, unisono, film, *options):  # noqa: F811
    ann = unisono("Ann", "watch", film, "--internet", *options, within=home.command("ann", []))
    ann.says_something("invite unisono://")
    return ann


def port_of(ann):
    said = next(line for line in ann.out.lines if "the router lets" in line)
    return int(re.search(r"TCP and UDP to 45\.80\.0\.1:(\d+) in", said)[1])


def test_f98_a_friend_elsewhere_joins_through_the_port_and_it_is_given_back(home, unisono, media, folders):  # noqa: F811
    ann = watch(home, unisono, media)
    port = port_of(ann)
    assert home.let_in == {("tcp", port), ("udp", port)}
    assert any(f"({home.way})" in line for line in ann.out.lines)
    assert invite_of(ann).startswith(f"unisono://45.80.0.1:{port}/")
    assert not any("private" in line for line in ann.out.lines)

    cem = unisono("Cem", "join", invite_of(ann), "--folder", folders, within=home.command("cem", []))
    ann.says_something("Cem joined")
    ready(cem, "Cem")
    cem.mpv.command("set_property", "pause", False)
    both_play(ann, cem)
    in_step(ann, cem, "through the router")
    # At home the router's own address leads nowhere, and one of the others does.
    if home.way == "nat-pmp":
        ben = unisono("Ben", "join", invite_of(ann), "--folder", folders, within=home.command("ben", []))
        ann.says_something("Ben joined")
        assert ben.quit() == 0

    assert ann.quit() == 0
    assert home.let_in == set()
    cem.says_something("Ann left")


@pytest.mark.parametrize("home", ["nat-pmp"], indirect=True)
def test_f98_the_port_is_given_back_when_the_command_is_killed(home, unisono, media):  # noqa: F811
    ann = watch(home, unisono, media)
    assert home.let_in
    ann.kill()
    until(lambda: home.let_in == set(), "the router lets nothing in any more")
    shutil.rmtree(next(ann.run.iterdir()))


def test_f98_without_a_router_that_gives_ports_it_is_said_and_the_invite_is_private(port_program, unisono, media, tmp_path):  # noqa: F811
    with Home(tmp_path) as home:
        ann = watch(home, unisono, media)
        assert any(f"the router gives no port ({NO_WAY})" in line for line in ann.out.lines)
        assert invite_of(ann).startswith("unisono://10.80.0.2:")
        ann.says_something("its addresses are private")
        assert ann.quit() == 0


def lines_of(process, count):
    return [process.stdout.readline().split() for _ in range(count)]


def test_f98_a_port_is_renewed_and_had_again_after_the_router_forgot_it(home, port_program):
    command = home.command("ann", [port_program, "--lease", "4", "4711"])
    keeper = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert lines_of(keeper, 1) == [["open", home.way, "45.80.0.1", "4711", "tcp+udp", "4"]]
    home.restart_router()
    assert home.let_in == set()
    until(lambda: home.let_in == {("tcp", 4711), ("udp", 4711)}, "it was renewed")
    if home.way != "upnp":
        home.stop_router()
        assert lines_of(keeper, 1)[0][0] == "lost"
    keeper.terminate()
    assert lines_of(keeper, 1) == [["closed"]] and keeper.wait(20) == 0


def test_f98_a_port_that_is_somebodys_is_not_taken_from_them(home, port_program):
    ben = subprocess.Popen(home.command("ben", [port_program, "4711"]), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert lines_of(ben, 1)[0][3] == "4711"
    ann = subprocess.Popen(home.command("ann", [port_program, "4711"]), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    [[word, _, _, port, protocols, _]] = lines_of(ann, 1)
    assert (word, protocols) == ("open", "tcp") and port != "4711", "UDP needs the same number on both sides"
    assert home.let_in == {("tcp", 4711), ("udp", 4711), ("tcp", int(port))}
    for keeper in (ann, ben):
        keeper.stdin.close()
        assert keeper.wait(20) == 0
    assert home.let_in == set()


SAYS = {
    "fair": "open pcp 45.80.0.1 4711 tcp+udp 600", "short": "does not answer", "nonce": "does not answer", "port": "has no port left",
    "address": "is not connected itself", "ipv6": "answers something else", "refused": "refuses", "version": "answers something else"}


@pytest.mark.parametrize("what", SAYS)
def test_f98_what_a_router_answers_by_pcp_is_judged(what, port_program, tmp_path):
    with Home(tmp_path) as home:
        router = subprocess.Popen(
            home.command("router", [sys.executable, Path(__file__).parent / "odd_router.py", what]), stdout=subprocess.PIPE, text=True)
        try:
            assert router.stdout.readline() == "listening\n"
            keeper = subprocess.Popen(home.command("ann", [port_program, "4711"]), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            said = keeper.stdout.readline().strip()
            assert said == SAYS[what] if what == "fair" else f"; PCP: the router {SAYS[what]};" in said
        finally:
            router.kill()
            router.wait()
        keeper.stdin.close()
        keeper.wait(20)


@pytest.mark.parametrize("home", ["nat-pmp", "pcp"], indirect=True)
def test_f98_the_doctor_says_which_router_there_is(home, built):
    command = home.command("ann", [built / "unisono", "doctor", "--config", "/dev/null", "--json"])
    out = subprocess.run(command, capture_output=True, text=True, timeout=90, env=environment()).stdout
    found = {one["subject"]: one for one in json.loads(out)["findings"]}
    assert found["nat"]["verdict"] == "good" and found["nat"]["figures"]["router"] == "45.80.0.1"
    assert found["outside"]["verdict"] == "unknown" and "--internet" in found["outside"]["advice"]


@pytest.fixture
def hub_elsewhere(home, built):
    """How a hub is named that lets anybody in, where Cem is."""
    hub = Program(*home.command("cem", [built / "unisono", "hub", "--listen", "45.80.0.9:7400", "--open"]), stdin=subprocess.DEVNULL)
    hub.says_something("unisono-hub://")
    yield next(word for line in hub.out.lines for word in line.split() if word.startswith("unisono-hub://"))
    hub.process.terminate()
    assert hub.process.wait(30) == 0


def outside(home, built, line, *options):
    command = home.command("ann", [built / "unisono", "doctor", "--config", "/dev/null", "--json", "--hub", line, *options])
    out = subprocess.run(command, capture_output=True, text=True, timeout=90, env=environment()).stdout
    return {one["subject"]: one for one in json.loads(out)["findings"]}["outside"]


def test_f128_a_hub_elsewhere_tries_the_port_that_the_router_gives_and_it_is_given_back(home, built, hub_elsewhere):
    found = outside(home, built, hub_elsewhere)
    assert found["verdict"] == "good" and "by TCP and UDP" in found["fact"], found
    assert found["figures"]["tried"].startswith("45.80.0.1:") and found["figures"]["tcp"] and found["figures"]["udp"]
    until(lambda: home.let_in == set(), "the port was given back")


@pytest.mark.parametrize("home", ["nat-pmp"], indirect=True)
def test_f128_where_nothing_leads_in_the_hub_says_so(home, built, hub_elsewhere):
    found = outside(home, built, hub_elsewhere, "--port", "40123")
    assert found["verdict"] == "bad" and "45.80.0.1:40123" in found["fact"], found
    assert not found["figures"]["tcp"] and not found["figures"]["udp"] and "--hub" in found["advice"]
