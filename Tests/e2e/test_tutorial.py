"""F70: the program that docs/tutorial.md prints, taken out of the page, is compiled as the page says and ends with a film in step."""

import re
import sys

import pytest
from hosts_support import ROOT, MpvIpc, Program, Window, until
from small_programs import compiled, example, flags_of
from test_two_mpv import both_play, both_stand, in_step, standing_together

HEART = 45  # lines


def window(program, folder, name, *arguments):
    """The tutorial's program with its mpv."""
    ipc = folder / f"{name}.sock"
    return Window(ipc, program, *arguments, "vo=null", "ao=null", f"input-ipc-server={ipc}")


@pytest.fixture(scope="module")
def together(built, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tutorial")
    source = folder / "together.c"
    source.write_text(example("docs/tutorial.md", "together.c"))
    try:
        flags = flags_of("mpv")
    except Exception:
        pytest.skip("libmpv is not installed; on Debian: apt install libmpv-dev")
    return compiled(source, folder / "together", "-std=gnu17", "-Wno-unused-parameter", *flags)


def test_the_heart_of_the_tutorial_is_forty_lines():
    page = (ROOT / "docs/tutorial.md").read_text()
    heart = re.search(r"^## 3\..*?```c\n(.*?)```", page, re.S | re.M).group(1)
    assert heart.count("\n") <= HEART
    assert "static const unisono_renderer renderer" in heart


def test_the_tutorial_ends_with_a_film_in_step(together, media, tmp_path):
    copy = tmp_path / "my copy.mkv"
    copy.write_bytes(media.read_bytes())
    ann = window(together, tmp_path, "ann", "host", media)
    ben = None
    try:
        ben = window(together, tmp_path, "ben", "join", ann.invite_line, copy)
        until(lambda: all(one.mpv.get("time-pos") is not None for one in (ann, ben)), "both had loaded the film")
        ann.press("SPACE")
        both_play(ann, ben)
        in_step(ann, ben, "after the space bar")
        ben.press("RIGHT")
        ann.says_something("sought to")
        until(lambda: all((one.mpv.get("time-pos") or 0) > 10 for one in (ann, ben)), "both went on ten seconds later")
        both_play(ann, ben)
        in_step(ann, ben, "after a seek")
        ben.press("SPACE")
        both_stand(ann, ben)
        ann.says_something(" paused")
        until(lambda: standing_together(ann, ben), "both stood at one place")
        ben.press("q")
        assert ben.process.wait(20) == 0
        ann.press("SPACE")
        until(lambda: not ann.mpv.paused, "who stays can go on")
        ann.process.send_signal(2)
        assert ann.process.wait(20) == 0
    finally:
        for one in (ben, ann):
            if one is not None:
                one.close(word="")


@pytest.mark.parametrize("is_host", [True, False])
def test_a_finished_host_and_the_tutorials_program_watch_one_item(together, media, tmp_path, is_host):
    copy = tmp_path / "my copy.mkv"
    copy.write_bytes(media.read_bytes())
    player = [copy, "--vo", "null", "--ao", "null", "--ipc", tmp_path / "cem", "--name", "Cem", "--no-mpris"]
    finished = [sys.executable, "-m", "unisono.examples.mpv"]
    ann = cem = None
    try:
        if is_host:
            ann = window(together, tmp_path, "ann", "host", media)
            cem = Program(*finished, "join", re.search(r"unisono://\S+", ann.invite_line)[0], *player)
        else:
            cem = Program(*finished, "host", *player, "--listen", "127.0.0.1:0")
            ann = window(together, tmp_path, "ann", "join", cem.invite_line, media)
        other = MpvIpc(tmp_path / "cem")
        until(lambda: all(one.get("time-pos") is not None for one in (ann.mpv, other)), "both had loaded the film")
        ann.says_something("Cem ")
        ann.press("SPACE")
        until(lambda: not ann.mpv.paused and not other.paused, "both played")
        ann.press("SPACE")
        until(lambda: ann.mpv.paused and other.paused, "both stood")
    finally:
        for one in (cem, ann):
            if one is not None:
                one.close(word="")


def test_a_film_that_is_not_there_is_said_before_anything_opens(together, tmp_path):
    ann = window(together, tmp_path, "ann", "host", tmp_path / "no such film.mkv")
    assert ann.process.wait(20) == 2
    ann.says_something("no such film.mkv: No such file")
