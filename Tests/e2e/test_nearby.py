"""F50-F52 between hosts in network namespaces joined by a bridge: browse, ask, compare, accept, play in step; somebody
between them; interfaces that come and go; the agent. Needs root and iproute2. Waits are for events, with generous limits:
how soon things happen is tested on virtual time (Tests/UnisonoRuntimeTests/Nearby)."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hosts_support import HostProcess, Lines, environment, until
from lan import Lan, unavailable

LIMIT = 60  # seconds; a machine that is busy with other things needs some
IN_STEP = 0.1  # seconds between two console hosts at one instant
CONSOLE = [sys.executable, "-m", "unisono.examples.console"]

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


class Device(HostProcess):
    def __init__(self, lan, name, arguments, folder, host=None):
        command = lan.command(host or name, [*CONSOLE, *arguments])
        super().__init__(command, name, folder, environment())
        self.out = Lines(self.process.stdout)

    def kill(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def lan(built):
    with Lan(["tv", "phone", "between"]) as made:
        yield made


@pytest.fixture
def start(lan, tmp_path):
    started = []

    def device(name, *arguments, host=None):
        made = Device(lan, name, arguments, tmp_path, host)
        started.append(made)
        return made

    yield device
    for made in reversed(started):
        if made.process.poll() is None:
            made.close()


def found(device, name, intent):
    """The number of a device that is told by name."""
    until(
        lambda: any(line.split()[2:] == [intent, name] for line in list(device.out.lines) if line.startswith("found ")),
        f"{name} was found",
        LIMIT,
    )
    lines = [line.split() for line in device.out.lines if line.startswith("found ")]
    return next(words[1] for words in lines if words[2:] == [intent, name])


def in_step(one, other):
    def apart():
        a, b = one.status, other.status
        if a.get("state") != "playing" or b.get("state") != "playing":
            return None
        # One machine, one monotonic clock: both are brought to the instant of the first.
        return a["position"] - (b["position"] + b["rate"] * (a["host_time"] - b["host_time"]) / 1e9)

    until(lambda: apart() is not None, "both played", LIMIT)
    until(lambda: (gap := apart()) is not None and abs(gap) < IN_STEP, "both were in step", LIMIT)


def test_two_hosts_find_ask_compare_accept_and_play_in_step(start):
    tv = start("tv", "host", "--nearby", "--item", "film")
    phone = start("phone", "nearby")
    phone.type(f"ask {found(phone, 'tv', 'join')}")
    shown, name = phone.out.wait("digits ")
    asked, asker = tv.out.wait("asked ")
    assert (len(shown), shown) == (6, asked)
    assert (name, asker) == ("tv", "phone")
    tv.type("yes")
    phone.type("same")
    phone.out.wait("let in")
    until(lambda: all(len(d.status.get("participants", ())) == 2 for d in (tv, phone)), "both were in", LIMIT)
    until(lambda: all(d.status.get("item") == "film" for d in (tv, phone)), "both were on the item", LIMIT)
    phone.type("play")
    in_step(tv, phone)

    tv.type("quit")
    phone.out.wait("lost ")


def test_somebody_who_poses_as_the_television_makes_the_digits_differ(start):
    tv = start("tv", "host", "--nearby", "--item", "film")
    real = tv.out.wait("address ")[0]
    # Towards the phone a television, towards the television a phone.
    posing = start("tv ", "host", "--nearby", "--item", "film", host="between")
    phone = start("phone", "nearby")
    phone.type("type " + posing.out.wait("address ")[0])
    phone.type("ask 2")
    towards = start("phone ", "nearby", host="between")
    towards.type("type " + real)
    towards.type("ask 2")
    on_phone = phone.out.wait("digits ")[0]
    on_tv, name = tv.out.wait("asked ")
    assert name == "phone"
    assert on_phone != on_tv
    tv.type("no")
    phone.type("different")
    assert "UNISONO_ECANCELED" in " ".join(phone.out.wait("failed "))
    assert "let in" not in phone.out.lines + towards.out.lines


def test_one_letter_changed_on_the_way_makes_the_digits_differ(lan, start):
    tv = start("tv", "host", "--nearby", "--item", "film")
    phone = start("phone", "nearby")
    script = Path(__file__).with_name("between.py")
    command = lan.command("between", [sys.executable, script, tv.out.wait("address ")[0]])
    between = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        port = Lines(between.stdout).wait("address ")[0]
        phone.type(f"type {lan.address['between']}:{port}")
        phone.type("ask 2")
        on_phone = phone.out.wait("digits ")[0]
        on_tv, name = tv.out.wait("asked ")
        assert name != "phone"
        assert on_phone != on_tv
        # Even if both people were careless, nothing opens.
        tv.type("yes")
        phone.type("same")
        assert "UNISONO_EAUTH" in " ".join(phone.out.wait("failed "))
        assert "let in" not in phone.out.lines
    finally:
        between.kill()
        between.wait()


def test_interfaces_come_and_go(lan, start):
    lan.disconnect("phone")
    phone = start("phone", "nearby")
    tv = start("tv", "host", "--nearby", "--item", "film")
    tv.out.wait("address ")
    until(lambda: phone.status, "the phone was there", LIMIT)
    lan.connect("phone")
    found(phone, "tv", "join")
    lan.disconnect("tv")
    phone.out.wait("lost ")
    phone.out.lines.clear()
    lan.connect("tv")
    found(phone, "tv", "join")
    tv.kill()
    phone.out.wait("lost ")


def test_several_applications_on_one_machine_find_each_other(start):
    one = start("one", "host", "--nearby", "--item", "film", host="tv")
    two = start("two", "host", "--nearby", "--item", "film", host="tv")
    phone = start("phone", "nearby")
    for device, names in ((one, ["two"]), (two, ["one"]), (phone, ["one", "two"])):
        for name in names:
            found(device, name, "join")


@pytest.fixture
def agent(built, lan, tmp_path):
    program = built / "unisono"
    if not program.exists():
        pytest.skip("build/unisono is not built; run `make`")
    settings = tmp_path / "agent.toml"
    command = [*CONSOLE, "join", "{invite}", "--name", "opened", "--no-stdin", "--status", str(tmp_path / "opened.jsonl")]
    words = ", ".join(f'"{word}"' for word in command)
    settings.write_text(
        f'name = "sofa"\n[activity."org.unisono.sample.watch"]\nusage = "Watch something together"\ncommand = [{words}]\n'
    )
    process = subprocess.Popen(
        lan.command("tv", [program, "agent", "--config", settings, "--ask", "terminal"]),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        text=True,
        bufsize=1,
    )
    yield process, Lines(process.stdout), Lines(process.stderr)
    process.send_signal(signal.SIGTERM)
    try:
        assert process.wait(LIMIT) == 0
    except subprocess.TimeoutExpired:
        process.kill()
        raise


def test_the_agent_opens_the_configured_program_after_a_yes(agent, start, tmp_path):
    process, out, log = agent
    phone = start("phone", "host", "--nearby", "--item", "film")
    number = found(phone, "sofa", "invite")

    phone.type(f"ask {number}")
    digits = phone.out.wait("digits ")[0]
    out.wait('"phone" asks')
    assert "".join(out.wait("Both screens must show ")).rstrip(".") == digits
    process.stdin.write("y\n")
    phone.type("same")
    phone.out.wait("invited")
    both = ["opened", "phone"]
    until(lambda: sorted(phone.status.get("participants", ())) == both, "the started program had joined", LIMIT)
    log_text = "\n".join(log.lines)
    assert digits not in log_text and "unisono://" not in log_text
    started = next(line for line in log.lines if "as process" in line)
    os.kill(int(started.split("as process")[1].split()[0]), signal.SIGTERM)
    until(lambda: len(phone.status.get("participants", ())) == 1, "it had left", LIMIT)


def test_the_agent_starts_nothing_after_a_no(agent, start):
    process, out, log = agent
    phone = start("phone", "host", "--nearby", "--item", "film")
    phone.type(f"ask {found(phone, 'sofa', 'invite')}")
    phone.out.wait("digits ")
    out.wait("Both screens must show ")
    process.stdin.write("n\n")
    phone.type("same")
    log_line = lambda: any("denied" in line for line in list(log.lines))  # noqa: E731
    until(log_line, "the agent had denied it", LIMIT)
    phone.type("different")
    phone.out.wait("failed ")
    assert not any("started" in line for line in log.lines)
