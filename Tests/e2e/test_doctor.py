"""F97: `unisono doctor` in networks of which a part is cut off: what is so is said, and nothing else."""

import json
import os
import subprocess

import pytest
from hosts_support import Program, environment
from lan import Lan, unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

CUT_OFF = {
    "phone": "table inet cut { chain out { type filter hook output priority 0; ip daddr 239.255.71.40 drop; ip6 daddr ff02::7140 drop\n}\n}\n",
    "radio": "table inet cut { chain out { type filter hook output priority 0; udp dport 7400 drop\n}\n}\n",
}


@pytest.fixture(scope="module")
def program(built):
    if not (built / "unisono").exists():
        pytest.skip("build/unisono is not built; run `make` first")
    return built / "unisono"


@pytest.fixture(scope="module")
def lan(program):
    with Lan(["hub", "tv", "phone", "radio"]) as made:
        for name, rules in CUT_OFF.items():
            subprocess.run(made.command(name, ["nft", "-f", "-"]), input=rules, text=True, check=True)
        yield made


@pytest.fixture(scope="module")
def line(lan, program):
    """How a hub in the network is named."""
    hub = Program(*lan.command("hub", [program, "hub", "--listen", "0.0.0.0:7400"]), stdin=subprocess.DEVNULL)
    hub.says_something("unisono-hub://")
    yield next(word for line in hub.out.lines for word in line.split() if word.startswith("unisono-hub://"))
    hub.process.terminate()
    assert hub.process.wait(30) == 0


def start(lan, program, name, *arguments, path=os.environ["PATH"]):
    command = lan.command(name, ["env", f"PATH={path}", program, "doctor", "--config", "/dev/null", *arguments])
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())


def result(process):
    """What it found of each subject, and its exit status."""
    out, said = process.communicate(timeout=90)
    assert said == ""
    record = json.loads(out)
    assert record["is_fine"] == (process.returncode == 0)
    return {one["subject"]: one for one in record["findings"]}, process.returncode


@pytest.fixture(scope="module")
def together(lan, program, line):
    """All three at the same time, so that they hear each other."""
    started = {name: start(lan, program, name, "--json", "--hub", line) for name in ("tv", "phone", "radio")}
    return {name: result(process) for name, process in started.items()}


def test_f97_where_all_is_well_each_thing_was_tried_and_is_said_to_be_good(together):
    found, _ = together["tv"]
    assert found["hub"]["verdict"] == found["udp"]["verdict"] == "good"
    asked = found["udp"]["figures"]
    assert asked["answered"] == asked["asked"] >= 8
    assert found["clock"]["verdict"] == "good" and found["clock"]["figures"]["error"] < 0.02
    history = found["clock"]["figures"]["history"]
    assert len(history) >= 8 and history[-1]["error"] == found["clock"]["figures"]["error"]
    assert [one["after"] for one in history] == sorted(one["after"] for one in history)
    assert found["multicast"]["verdict"] == "good" and found["multicast"]["figures"]["others"]
    assert found["loop"]["figures"]["count"] == 100
    outside = found["outside"]
    assert outside["verdict"] == "unknown" and "within this network" in outside["fact"], "the hub is no further away"
    assert outside["figures"]["tcp"] and outside["figures"]["udp"]


def test_f97_where_multicast_is_cut_off_it_is_said_to_be_and_the_rest_is_judged_by_itself(together):
    found, status = together["phone"]
    assert found["multicast"]["verdict"] == "doubtful", "it hears the others, and they do not hear it"
    assert found["multicast"]["figures"]["silent"] and "firewall" in found["multicast"]["advice"]
    assert found["udp"]["verdict"] == "good"
    assert lan_address("phone") not in together["tv"][0]["multicast"]["figures"]["others"]


def lan_address(name):
    return f"10.79.0.{['hub', 'tv', 'phone', 'radio'].index(name) + 1}"


def test_f97_where_udp_is_cut_off_it_is_said_to_be_and_the_clock_is_measured_by_tcp(together):
    found, status = together["radio"]
    assert status == 1
    assert found["udp"]["verdict"] == "bad" and found["udp"]["figures"]["answered"] == 0 < found["udp"]["figures"]["asked"]
    assert "7400" in found["udp"]["advice"]
    assert found["hub"]["verdict"] == "good" and found["clock"]["figures"]["error"] < 0.1


def test_f97_what_was_not_tried_is_said_not_to_be_known(lan, program, line, tmp_path):
    nobody = line.replace("7400", "7401")
    alone = start(lan, program, "tv", path=tmp_path)
    gone = start(lan, program, "radio", "--json", "--hub", nobody)
    found, status = result(gone)
    assert status == 1
    assert [found[name]["verdict"] for name in ("hub", "udp", "clock")] == ["bad", "unknown", "unknown"]
    out, said = alone.communicate(timeout=90)
    assert (alone.returncode, said) == (1, ""), "there is no player"
    lines = out.splitlines()
    assert any(line.startswith("bad       player    mpv was not found") for line in lines), out
    for subject in ("udp", "clock"):
        assert any(line.startswith(f"not known {subject}") for line in lines), out
    assert all(len(line) <= 80 for line in lines) and "\x1b" not in out


def test_f97_a_wrong_line_of_a_hub_is_refused(lan, program):
    process = start(lan, program, "tv", "--hub", "unisono-hub://h")
    _, said = process.communicate(timeout=30)
    assert process.returncode == 64 and "hub" in said
