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


def certify(built, authority, hub, *more):
    command = [built / "unisono", "hub", "certify", "--authority-key", authority, "--hub", hub, *more]
    return subprocess.run(command, capture_output=True, text=True, env=environment())


LINE = r"--hub unisono-hub://127\.0\.0\.1:(\d+)/([a-z2-7]{26})$"


def test_a_hub_says_where_it_listens_counts_and_ends_in_order(hub):
    process = hub("--listen", "127.0.0.1:0")
    assert int(line(process, LINE).group(1)) > 0
    process.send_signal(signal.SIGUSR1)
    assert line(process, r"rooms=0 connections=0 .* probes=0")
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0


def test_a_hub_with_a_key_is_the_same_after_it_was_started_again(hub, tmp_path):
    names = []
    for _ in range(2):
        process = hub("--listen", "127.0.0.1:0", "--key", tmp_path / "hub.key")
        names.append(line(process, LINE).group(2))
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
    assert names[0] == names[1]
    assert line(hub("--listen", "127.0.0.1:0"), LINE).group(2) != names[0]


def test_an_address_in_use_is_said_and_ends_it(hub):
    port = line(hub("--listen", "127.0.0.1:0"), LINE).group(1)
    second = hub("--listen", f"127.0.0.1:{port}")
    assert second.wait(60) == 1
    assert line(second, rf"127\.0\.0\.1:{port}")


@pytest.mark.parametrize("wrong", [["--rooms", "0"], ["--listen"], ["--no-such-option"], ["--log-level", "loud"]])
def test_a_wrong_option_is_named(hub, wrong):
    process = hub(*wrong)
    assert process.wait(60) == 64
    assert line(process, re.escape(wrong[0]))


def test_the_line_of_a_hub_is_known_before_it_runs_and_a_token_goes_behind_it(hub, tmp_path, built):
    key = ["--listen", "127.0.0.1:7400", "--key", tmp_path / "hub.key"]
    told = subprocess.check_output([built / "unisono", "hub", *key, "--print-line"], text=True).strip()
    again = subprocess.check_output([built / "unisono", "hub", *key, "--print-line"], text=True).strip()
    assert told == again and re.fullmatch(r"unisono-hub://127\.0\.0\.1:7400/[a-z2-7]{26}", told)
    token = [built / "unisono", "hub", "token", "--secret", tmp_path / "hub.secret", "--rooms", "2", "--days", "30"]
    printed = subprocess.check_output(token, text=True)
    assert re.fullmatch(r"serial \d+\ntoken [a-z2-7]{74}\n", printed)
    assert (tmp_path / "hub.secret").stat().st_mode & 0o777 == 0o600
    (tmp_path / "hub.secret").chmod(0o644)
    refused = subprocess.run(token, capture_output=True, text=True)
    assert refused.returncode != 0 and "chmod 600" in refused.stderr


def test_n14_a_set_certifies_a_hub_which_gives_hosts_the_sets_id_then_and_says_when_that_ends(hub, tmp_path, built):
    key, authority, file = (tmp_path / name for name in ("hub.key", "authority.key", "hub.certificate"))
    where = ["--listen", "127.0.0.1:7400", "--key", key, "--print-line"]
    own = subprocess.check_output([built / "unisono", "hub", *where], text=True).strip()
    made = certify(built, authority, own, "--days", "5")
    assert made.returncode == 0 and re.fullmatch(r"[a-z2-7]{160}\n", made.stdout)
    assert authority.stat().st_mode & 0o777 == 0o600
    set_id, hub_id = re.fullmatch(r"set ([a-z2-7]{26}), hub ([a-z2-7]{26}), good for 5 days\n", made.stderr).groups()
    assert own.endswith(hub_id) and set_id != hub_id
    # The key is another one than any hub's, and certifies no hub by its own id.
    assert certify(built, authority, set_id).returncode == 64
    assert "--days is 367" in certify(built, authority, hub_id, "--days", "367").stderr
    file.write_text(made.stdout)
    known = subprocess.check_output([built / "unisono", "hub", *where, "--certificate", file], text=True).strip()
    assert known == own.replace(hub_id, set_id)

    process = hub("--listen", "127.0.0.1:0", "--key", key, "--certificate", file)
    assert line(process, LINE).group(2) == set_id
    assert line(process, rf"{hub_id} is certified as one of the set {set_id}")
    assert line(process, r"(?i)warning.*the certificate is over in [45] days")
    # Renewed; and then one for another hub, which changes nothing.
    file.write_text(certify(built, authority, hub_id).stdout)
    process.send_signal(signal.SIGHUP)
    until(lambda: sum("is certified" in text for text in list(process.log.lines)) == 2, "the new one is in force", 60)
    file.write_text(certify(built, authority, "a" * 26).stdout)
    process.send_signal(signal.SIGHUP)
    assert line(process, rf"not this hub's, {hub_id}.*nothing was changed")
    refused = hub("--listen", "127.0.0.1:0", "--key", key, "--certificate", file)
    assert refused.wait(60) == 1 and line(refused, rf"not this hub's, {hub_id}")
    nameless = hub("--listen", "127.0.0.1:0", "--certificate", file)
    assert nameless.wait(60) == 64 and line(nameless, "--certificate is for a hub that keeps its id")
