"""F52: an agent that follows a group offers its person what the group begins: with the program that is configured for it, or, where
that is not installed, at the address that the activity names. `ln -s` writes down exactly what it was given."""

import os
import signal
import subprocess
import sys

import pytest
from hosts_support import ROOT, Lines, environment, until

sys.path.insert(0, str(ROOT / "bindings" / "python"))
import unisono  # noqa: E402
from group_support import pump  # noqa: E402

FILM = unisono.Activity("org.example.film", title="The film", fallback_url="https://example.org/film")


@pytest.fixture
def group(built, monkeypatch):
    """A session of one, as Ann has it before anybody comes."""
    monkeypatch.setenv("UNISONO_LIBRARY", environment()["UNISONO_LIBRARY"])
    with unisono.Context(device_name="phone") as context:
        session = unisono.Session.host(context, display_name="Ann", listen=["127.0.0.1:0"])
        session.join()
        pump([context], lambda: session.state == unisono.SessionState.JOINED, "Ann had joined")
        yield context, session


class Agent:
    def __init__(self, built, folder, session, program="ln"):
        self.opened, self.page, self.invite = folder / "opened", folder / "page", folder / "home.invite"
        self.invite.write_text(session.invite + "\n")
        browser = folder / "bin" / "xdg-open"
        browser.parent.mkdir()
        browser.write_text(f'#!/bin/sh\nexec ln -s -- "$1" "{self.page}"\n')
        browser.chmod(0o755)
        settings = folder / "agent.toml"
        settings.write_text(
            f'name = "sofa"\n[group.home]\ninvite = "{self.invite}"\n[activity."org.example.film"]\nusage = "Watch together"\n'
            f'command = ["{program}", "-s", "{{invite}}", "{self.opened}"]\n'
        )
        self.process = subprocess.Popen(
            [built / "unisono", "agent", "--config", settings, "--ask", "terminal"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=dict(environment(), PATH=f"{browser.parent}:{os.environ['PATH']}"), text=True, bufsize=1)
        self.out, self.log = Lines(self.process.stdout), Lines(self.process.stderr)

    def logged(self, words):
        return any(words in line for line in list(self.log.lines))

    def asked(self, words):
        return any(words in line for line in list(self.out.lines))

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            assert self.process.wait(60) == 0
        finally:
            self.process.kill()


@pytest.fixture
def start(built, group, tmp_path):
    if not (built / "unisono").exists():
        pytest.skip("build/unisono is not built; run `make`")
    started = []

    def agent(**more):
        started.append(Agent(built, tmp_path, group[1], **more))
        pump([group[0]], lambda: started[0].logged("home: found"), "the agent found the group")
        return started[0]

    yield agent
    for one in started:
        one.close()


def test_what_the_group_begins_is_opened_after_a_yes(group, start):
    context, session = group
    agent = start()
    session.activate(FILM)
    pump([context], lambda: agent.asked('"Ann" begins "The film" in the group "home"'), "the person was asked")
    # Nobody but Ann takes part: the device looks on.
    assert [p.display_name for p in session.participants if p.display_name] == ["Ann"]
    agent.process.stdin.write("y\n")
    until(agent.opened.is_symlink, "the program was started")
    assert os.readlink(agent.opened) == session.invite
    assert not agent.page.is_symlink()
    assert "unisono://" not in "\n".join(agent.log.lines)


def test_without_its_program_the_activity_leads_to_its_address(group, start):
    context, session = group
    agent = start(program="/no/such/player")
    session.activate(FILM)
    pump([context], lambda: agent.asked("Open https://example.org/film instead?"), "the person was asked")
    agent.process.stdin.write("y\n")
    until(agent.page.is_symlink, "the address was opened")
    assert os.readlink(agent.page) == FILM.fallback_url
    assert not agent.opened.is_symlink()


def test_nothing_is_opened_after_a_no_and_what_is_over_is_not_asked_any_more(group, start):
    context, session = group
    agent = start()
    session.activate(FILM)
    pump([context], lambda: agent.asked('"The film"'), "the person was asked")
    agent.process.stdin.write("n\n")
    pump([context], lambda: agent.logged("home: denied"), "the agent heard the no")
    session.activate(unisono.Activity("org.example.film", title="Another one"))
    pump([context], lambda: agent.asked('"Another one"'), "the person was asked again")
    session.activate(unisono.Activity("org.example.game", title="A game"))
    pump([context], lambda: agent.asked("not asked any more"), "the question was taken back")
    pump([context], lambda: agent.logged("org.example.game is not offered"), "what cannot be offered is in the log")
    assert not agent.opened.is_symlink()


@pytest.mark.parametrize("goes_on", [False, True])
def test_what_is_under_way_is_offered_where_it_may_be_gone_on_with(group, start, goes_on):
    context, session = group
    session.activate(unisono.Activity("org.example.film", title="The film", supports_continuation=goes_on))
    agent = start()
    if goes_on:
        pump([context], lambda: agent.asked('"Ann" has begun "The film"'), "the person was asked")
    else:
        pump([context], lambda: agent.logged("it is under way"), "it was left alone")
        assert not agent.asked("The film")


def test_where_a_device_nearby_asked_for_what_is_not_installed_it_leads_to_its_address(group, start):
    context, session = group
    session.activate(FILM)
    agent = start(program="/no/such/player")
    line = next(line for line in agent.log.lines if "takes asks at" in line)
    browser = unisono.Browser(context, unisono.Service("org.example.film", "Watch together"))
    digits, failures = [], []
    browser.on_digits, browser.on_failed = digits.append, failures.append
    device = browser.add_address(line.split("takes asks at ")[1].split(",")[0])
    browser.invite(device, session)
    pump([context], lambda: digits and agent.asked("asks this device to take part"), "both saw the digits")
    browser.confirm(device, True)
    agent.process.stdin.write("y\n")
    pump([context], lambda: agent.asked("Open https://example.org/film instead?"), "the address was offered")
    assert not failures and agent.logged("/no/such/player is not installed")
    agent.process.stdin.write("y\n")
    until(agent.page.is_symlink, "the address was opened")
    assert os.readlink(agent.page) == FILM.fallback_url
