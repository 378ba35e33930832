"""F74: C# under Mono: the console sample, and Unity's components on a stand-in for Unity; two processes each."""

import json
import os
import re
import subprocess
import time

import pytest
import sharing
import steps
from conftest import LIBRARY, ROOT

PACKAGE = ROOT / "bindings" / "csharp"
UNITY = [path for folder in (PACKAGE / "Runtime", PACKAGE / "Runtime" / "Unity", PACKAGE / "Samples~" / "WatchTogether",
                             ROOT / "Tests" / "bindings" / "unity") for path in sorted(folder.glob("*.cs"))]


class Program(steps.Typed):
    """A process with a keyboard, a trace and what it printed."""

    def __init__(self, command, name, folder, *arguments):
        self.name = name
        before = len(list(folder.glob("*.txt")))
        self.trace, self.printed = folder / f"{name}.{before}.trace", folder / f"{name}.{before}.txt"
        libraries = folder / "libraries"
        libraries.mkdir(exist_ok=True)
        if not (libraries / "libunisono.so").exists():
            (libraries / "libunisono.so").symlink_to(LIBRARY.resolve())
        environment = dict(os.environ, LD_LIBRARY_PATH=str(libraries))
        whole = [*command, *arguments, "--name", name, "--trace", str(self.trace)]
        with open(self.printed, "w") as out:
            self.process = subprocess.Popen(whole, env=environment, stdin=subprocess.PIPE, stdout=out, stderr=out, text=True, bufsize=1)

    @property
    def frames(self):
        return steps.frames(self.trace)


@pytest.fixture
def pair(library, program, tmp_path):
    """Compiles sources, and runs two of them in one group: Ann's, and Ben's, or as many of his as `joining` has options for."""
    mono, compiler, started = program("mono", "mono-runtime"), program("mcs", "mono-mcs"), []

    def run(sources, flags, host, both=(), joining=((),)):
        built = tmp_path / "program.exe"
        command = [compiler, "-unsafe", "-langversion:7", "-codepage:utf8", "-warnaserror", *flags, f"-out:{built}", *map(str, sources)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        started.append(Program([mono, str(built)], "Ann", tmp_path, "host", *host, *both))
        for options in joining:
            started.append(Program([mono, str(built)], "Ben", tmp_path, "join", started[0].invite, *options, *both))
        return started

    yield run
    codes = [one.close() for one in started]
    assert codes == [0] * len(started), [one.text for one in started]


@pytest.mark.parametrize("program_of_it", ["Package", "Simulated"])
def test_the_package_and_f88_a_host_s_own_test_on_virtual_time(library, program, tmp_path, program_of_it):
    mono, compiler, built = program("mono", "mono-runtime"), program("mcs", "mono-mcs"), tmp_path / "package.exe"
    sources = [*sorted((PACKAGE / "Runtime").glob("*.cs")), ROOT / "Tests" / "bindings" / f"{program_of_it}.cs"]
    subprocess.run([compiler, "-unsafe", "-langversion:7", "-codepage:utf8", "-warnaserror", f"-out:{built}", *map(str, sources)], check=True)
    (tmp_path / "libunisono.so").symlink_to(LIBRARY.resolve())
    done = subprocess.run([mono, "--debug", str(built)], env=dict(os.environ, LD_LIBRARY_PATH=str(tmp_path)), capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stdout + done.stderr


def test_two_consoles_are_in_step(pair):
    sources = [*sorted((PACKAGE / "Runtime").glob("*.cs")), PACKAGE / "Samples~" / "Console" / "Program.cs"]
    ann, ben = pair(sources, [], ["--listen", "127.0.0.1:0"])
    steps.until(lambda: "session Joined Connected" in ben.text, "Ben joined")
    sharing.ask(ben, "play", lambda: "Playing at 0.0" in ann.text and "Playing at 0.0" in ben.text, "both play")
    steps.until(lambda: all(len(one.frames) > steps.enough(150) for one in (ann, ben)), "both played a while")
    steps.judge("C#", ann.frames, ben.frames, 100)
    assert "* Ben pressed play" in ann.text
    ann.type("seek 60")
    steps.until(lambda: all("Playing at 60.000" in one.text for one in (ann, ben)), "both went on elsewhere")
    ann.type("pause")
    steps.until(lambda: all(re.search(r"^Paused at 6\d\.", one.text, re.M) for one in (ann, ben)), "both stand")
    stands = [re.findall(r"^Paused at (6\S+)", one.text, re.M)[-1] for one in (ann, ben)]
    assert stands[0] == stands[1], "at one position"


def test_f81_f84_f86_f87_f42_f19_two_consoles_show_what_the_group_shares(pair, tmp_path):
    sources = [*sorted((PACKAGE / "Runtime").glob("*.cs")), PACKAGE / "Samples~" / "Console" / "Program.cs"]
    ann, ben = pair(sources, [], ["--listen", "127.0.0.1:0"])
    sharing.share(ann, ben, tmp_path)


def test_f85_two_devices_of_one_person_are_one_and_ready_together(pair):
    sources = [*sorted((PACKAGE / "Runtime").glob("*.cs")), PACKAGE / "Samples~" / "Console" / "Program.cs"]
    secret = ("--person", "Ben's own secret")
    devices = [("--device", name, *secret) for name in ("desk", "phone")]
    sharing.be_one_person(*pair(sources, [], ["--listen", "127.0.0.1:0"], joining=devices))


def test_f81_f84_f86_f87_f91_f93_f42_f19_the_line_of_unitys_sample_shows_what_the_group_shares(pair, tmp_path):
    """All that the console shows; the video stays what it is, and is an entry of the playlist in the end."""
    ann, ben = pair(UNITY, ["-define:UNITY_5_3_OR_NEWER"], [], ["--url", "film.mp4"])
    steps.until(lambda: "\njoined\n" in "\n" + ben.text, "Ben joined")
    sharing.acquaint(ann, ben)
    sharing.talk(ann, ben)
    sharing.close_and_open(ann, ben)
    sharing.keep_a_playlist(ann, ben)
    ann.type("add film")
    sharing.lists(ann, "> 1 second", "  2 film")
    ann.type("select 2")
    sharing.arrive(ann, "film")
    sharing.arrive(ben, "film")
    sharing.compare_copies(ann, ben, tmp_path)
    sharing.have_another_cut(ann, ben)
    sharing.schedule(ann, ben, item="film")
    sharing.attach(ann, ben, tmp_path)
    sharing.wait_for_each_other(ann, ben)
    sharing.take_back_a_jump(ann, ben, seconds=300)
    sharing.leave(ann, ben)


def test_unitys_components_keep_a_video_in_step(pair):
    """The video of each process is 0.03 % too fast, starts 30 ms late and takes 50 ms to seek."""
    ann, ben = pair(UNITY, ["-define:UNITY_5_3_OR_NEWER"], [], ["--url", "film.mp4"])
    steps.until(lambda: "\njoined\n" in "\n" + ben.text, "Ben joined")
    sharing.ask(ben, "play", lambda: ann.frames and ben.frames, "both videos run")
    steps.until(lambda: all(one.frames[-1][1] > 4e9 for one in (ann, ben)), "both ran four seconds")
    for one in (ann, ben):
        sharing.ask(one, "state", lambda: "state Playing Ready 1.00" in one.text, "the player says so")
    # Without a correction the two starts would be as far apart as the two processes answered; with it, within frames.
    late = [frame for frame in ann.frames if frame[1] > 2e9], [frame for frame in ben.frames if frame[1] > 2e9]
    distances = steps.apart(*late)
    assert len(distances) > 50 and steps.percentile(distances, 0.5) < 40, "the videos are in step"
    ann.type("seek 60")
    steps.until(lambda: all(frame.frames[-1][1] > 60e9 for frame in (ann, ben)), "both went on elsewhere")
    ben.type("pause")

    def standing():
        """Ten turns of each loop, each of which would have traced a frame of a video that runs."""
        counts = [len(one.frames) for one in (ann, ben)]
        for one in (ann, ben) * 10:
            answers = one.text.count("\nstate ")
            one.type("state")
            steps.until(lambda: one.text.count("\nstate ") > answers, "its loop went on")
        return counts == [len(one.frames) for one in (ann, ben)]

    steps.until(standing, "both stand")
    assert "status Ben paused" in ann.text


def test_a_video_that_cannot_be_opened_is_apart_and_stops_nobody(pair):
    ann, ben = pair(UNITY, ["-define:UNITY_5_3_OR_NEWER"], ["--url", "film.mp4"], ["--url", "missing.mp4"])
    steps.until(lambda: "\njoined\n" in "\n" + ben.text, "Ben joined")
    sharing.ask(ben, "state", lambda: "state Paused Failed" in ben.text, "Ben's failed")
    sharing.ask(ann, "play", lambda: ann.frames, "Ann's video runs")
    assert not ben.frames


def test_unity_finds_every_file_by_a_name_of_its_own():
    """Unity ignores what has no .meta in packages, and mixes up what shares a guid."""
    package = json.loads((PACKAGE / "package.json").read_text())
    assert all((PACKAGE / sample["path"]).is_dir() for sample in package["samples"])
    assert package["version"] == (ROOT / "VERSION").read_text().strip()
    assert json.loads((PACKAGE / "Runtime" / "Unisono.asmdef").read_text())["allowUnsafeCode"] is True
    paths = [path for path in PACKAGE.rglob("*") if "~" not in str(path.relative_to(PACKAGE))]
    guids = {}
    for path in paths:
        if path.suffix == ".meta":
            assert path.with_suffix("").exists(), f"{path.name} is for nothing"
            guids.setdefault(re.search(r"^guid: ([0-9a-f]{32})$", path.read_text(), re.M)[1], []).append(path)
        else:
            assert path.with_name(path.name + ".meta").exists(), f"{path.name} has no .meta"
    assert all(len(same) == 1 for same in guids.values()) and len(guids) > 10


def test_nothing_of_the_runtime_is_called_from_c():
    """IL2CPP cannot hand a method of an object to C, and Unity's threads are not ours: there is no way back at all."""
    text = "\n".join(path.read_text() for path in (PACKAGE / "Runtime").rglob("*.cs"))
    assert not re.search(r"GetFunctionPointerForDelegate|UnmanagedFunctionPointer|MonoPInvokeCallback|MarshalAs", text)
