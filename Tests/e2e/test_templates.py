"""F70: the templates in one file, of both layers: they compile, play together, and leave in order."""

import re

import pytest
from hosts_support import BUILD, ROOT, Program, until
from small_programs import are_heard, compiled

LINES = 130
TEMPLATES = ("template_player", "template_coordinator")


@pytest.fixture(scope="module")
def templates(built, tmp_path_factory):
    folder = tmp_path_factory.mktemp("templates")
    return {name: compiled(ROOT / "bindings" / "c" / f"{name}.c", folder / name, "-Wpedantic", "-Wno-unused-parameter") for name in TEMPLATES}


@pytest.fixture
def programs():
    running = []

    def start(*command):
        running.append(Program(*command))
        return running[-1]

    yield start
    for one in running:
        one.close()


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_is_one_file_of_at_most_130_lines(name):
    text = (ROOT / "bindings" / "c" / f"{name}.c").read_text()
    assert text.count("\n") <= LINES
    assert '#include "' not in text, "it needs no other file"


def place(program, word):
    """Where it was when it last said so, seconds; None: it never did."""
    said = [line.split()[2] for line in program.out.lines if line.startswith(f"{word} at ")]
    return float(said[-1]) if said else None


def state(program):
    """What it said last that it does."""
    return next((line.split()[0] for line in program.out.lines[::-1] if re.match("(playing|waiting|paused) at ", line)), None)


@pytest.mark.parametrize("hosting,joining", [TEMPLATES, TEMPLATES[::-1]])
def test_templates_of_both_layers_play_together_and_say_who_did_what(templates, programs, hosting, joining):
    ann = programs(templates[hosting], "host", "Ann")
    ben = programs(templates[joining], "join", ann.invite_line, "Ben")
    ben.says("Ann is here")
    ann.says("Ben joined")
    # A finished host takes what is watched from the session's activity, as they do.
    watcher = programs(BUILD / "console_host", "join", ann.invite_line, "--name", "Cem")
    are_heard(ann, "Ann", (ben, watcher))
    are_heard(ben, "Ben", (ann, watcher))
    ann.type("seek 60")
    ben.says("Ann sought to 1:00")
    ann.type("play")
    ben.says("Ann pressed play")
    until(lambda: place(ann, "playing") == 60 and place(ben, "playing") == 60, "both played from 60 s on")
    ben.type("pause")
    ann.says("Ben paused")
    until(lambda: place(ann, "paused") and place(ben, "paused"), "both stood")
    assert abs(place(ann, "paused") - place(ben, "paused")) <= 0.2
    # At the player's own window: the group is asked, once, and what the commands do to the window is no wish of anybody.
    ben.type("space")
    ann.says("Ben pressed play")
    until(lambda: state(ann) == state(ben) == "playing", "both played again")
    ann.type("space")
    ben.says("Ann paused")
    until(lambda: state(ann) == state(ben) == "paused", "both stood again")
    said = [line for line in watcher.out.lines if line.endswith((" paused", " pressed play"))]
    assert said == ["Ann pressed play", "Ben paused", "Ben pressed play", "Ann paused"]
    ben.type("fly")
    ben.says("fly: UNISONO_EINVAL: invalid argument")

    # The others know at once: also when the hub goes with it.
    assert ben.close() == 0
    watcher.says("Ben left", limit=5)
    assert ann.close() == 0
    watcher.says("Ann left", limit=5)


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_that_is_given_nonsense_says_so(templates, programs, name):
    wrong = programs(templates[name], "join", "nonsense", "Ben")
    assert wrong.process.wait(20) == 1
    until(lambda: any("unisono://" in line for line in wrong.out.lines), "it said what an invite looks like")
    assert programs(templates[name]).process.wait(20) == 2
