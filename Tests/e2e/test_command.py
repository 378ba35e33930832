"""F52: `unisono open` and the settings, as a person meets them. `ln -s` writes down exactly what it was given."""

import os
import subprocess

import pytest
from hosts_support import environment, until

INVITE = "unisono://192.168.1.5:7400/qz2wm7gb5p4zfg6grtliwvabmm/aiybmpqit7mcmvbytzsjliidv727iipgl7snyj2mypnwk2gk2xnsqyn4o5kp3354af5h6uxdug2kzgiaais5is5b"


@pytest.fixture
def unisono(built, tmp_path):
    program = built / "unisono"
    if not program.exists():
        pytest.skip("build/unisono is not built; run `make`")
    link = tmp_path / "opened"
    settings = tmp_path / "agent.toml"
    settings.write_text(
        f'[activity."org.example.watch"]\nusage = "Watch films together"\n'
        f'command = ["ln", "-s", "{{invite}}", "{link}"]\n'
    )

    def run(*arguments, answer="", config=settings, path=None):
        given = dict(environment(), PATH=f"{path}:{os.environ['PATH']}") if path else environment()
        command = [str(program), *arguments, "--config", str(config)]
        return subprocess.run(command, input=answer, env=given, capture_output=True, text=True, timeout=60)

    run.link = link
    return run


def opened(unisono):
    until(lambda: unisono.link.is_symlink(), "the program was started", 60)
    return os.readlink(unisono.link)


def test_a_link_is_opened_with_the_configured_program(unisono):
    assert unisono("open", INVITE, "--yes").returncode == 0
    assert opened(unisono) == INVITE


def test_f45_an_invite_is_read_from_the_input(unisono):
    assert unisono("open", "-", "--yes", answer=f"{INVITE}\n").returncode == 0
    assert opened(unisono) == INVITE


def test_f45_what_follows_the_invite_in_the_input_answers_the_question(unisono):
    assert unisono("open", "-", "--ask", "terminal", answer=f"{INVITE}\ny\n").returncode == 0
    assert opened(unisono) == INVITE


@pytest.mark.parametrize("text", ["", "\n", "unisono://\n"])
def test_f45_an_input_without_an_invite_is_said_to_be_none(unisono, text):
    refused = unisono("open", "-", "--yes", answer=text)
    assert refused.returncode != 0 and refused.stderr and not unisono.link.is_symlink()


@pytest.mark.parametrize("answer,starts", [("y\n", True), ("perhaps\nyes\n", True), ("n\n", False), ("", False)])
def test_the_person_is_asked_first(unisono, answer, starts):
    asked = unisono("open", INVITE, "--ask", "terminal", answer=answer)
    assert "192.168.1.5:7400" in asked.stdout and "Watch films together" in asked.stdout
    assert asked.returncode == (0 if starts else 1)
    if starts:
        assert opened(unisono) == INVITE
    else:
        assert not unisono.link.is_symlink()


@pytest.mark.parametrize("word,starts", [("yes", True), ("no", False), ("", False)])
def test_a_notification_asks_and_its_button_answers(unisono, tmp_path, word, starts):
    folder = tmp_path / "bin"
    folder.mkdir()
    shown = tmp_path / "shown"
    stand_in = folder / "notify-send"
    stand_in.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{shown}"\necho {word}\n')
    stand_in.chmod(0o755)
    asked = unisono("open", INVITE, "--ask", "notification", path=folder)
    assert asked.returncode == (0 if starts else 1)
    words = shown.read_text().splitlines()
    assert words[words.index("--") + 1] == "Watch films together"
    if starts:
        assert opened(unisono) == INVITE


@pytest.mark.parametrize("link", ["unisono://a:1/$(touch opened)", "https://example.org", INVITE + "x", INVITE[:-1], ""])
def test_what_is_no_invite_starts_nothing(unisono, link):
    refused = unisono("open", link, "--yes")
    assert refused.returncode == 64
    assert "Error: " in refused.stderr
    assert not unisono.link.is_symlink()


def test_settings_that_are_missing_or_wrong_are_said(unisono, tmp_path):
    missing = unisono("open", INVITE, "--yes", config=tmp_path / "nowhere.toml")
    assert missing.returncode == 64 and "nowhere.toml" in missing.stderr
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("[activity.a]\ncommand = 7\n")
    refused = unisono("agent", config=wrong)
    assert refused.returncode == 64 and "line 2" in refused.stderr
