"""F76: `unisono hub`, as who runs one meets it."""

import re
import signal
import subprocess

import pytest
from hosts_support import Lines, environment, until


@pytest.fixture
def hub(built):
    program = built / "unisono"
    if not program.exists():
        pytest.skip("build/unisono is not built; run `make`")
    running = []

    def start(*arguments):
        process = subprocess.Popen([str(program), "hub", *map(str, arguments)], stderr=subprocess.PIPE, text=True, env=environment())
        running.append(process)
        process.log = Lines(process.stderr)
        return process

    yield start
    for process in running:
        process.kill()
        process.wait()


def line(process, pattern):
    """The first line of the log that has this in it."""

    def found():
        return next((match for text in list(process.log.lines) if (match := re.search(pattern, text))), None)

    until(lambda: found() is not None, f"a line with {pattern!r} came", 60)
    return found()


LISTENS = r"hub ([0-9a-f]+) listens on 127\.0\.0\.1:(\d+)"


def test_a_hub_says_where_it_listens_counts_and_ends_in_order(hub):
    process = hub("--listen", "127.0.0.1:0")
    assert int(line(process, LISTENS).group(2)) > 0
    process.send_signal(signal.SIGUSR1)
    assert line(process, r"rooms=0 connections=0 .* probes=0")
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0


def test_a_hub_with_a_key_is_the_same_after_it_was_started_again(hub, tmp_path):
    names = []
    for _ in range(2):
        process = hub("--listen", "127.0.0.1:0", "--key", tmp_path / "hub.key")
        names.append(line(process, LISTENS).group(1))
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
    assert names[0] == names[1]
    assert line(hub("--listen", "127.0.0.1:0"), LISTENS).group(1) != names[0]


def test_an_address_in_use_is_said_and_ends_it(hub):
    port = line(hub("--listen", "127.0.0.1:0"), LISTENS).group(2)
    second = hub("--listen", f"127.0.0.1:{port}")
    assert second.wait(60) == 1
    assert line(second, rf"127\.0\.0\.1:{port}")


@pytest.mark.parametrize("wrong", [["--rooms", "0"], ["--listen"], ["--no-such-option"], ["--log-level", "loud"]])
def test_a_wrong_option_is_named(hub, wrong):
    process = hub(*wrong)
    assert process.wait(60) == 64
    assert line(process, re.escape(wrong[0]))
