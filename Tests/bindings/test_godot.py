"""F74: Godot 3 and 4 by the native extension, without a window: two scenes in step, and a Python host that leads them.

GODOT_HEADERS: folders (with a colon between them) with the engines' own gdnative_api_struct.gen.h (3) and gdextension_interface.h (4).
GODOT3, GODOT4: the programs, unless they are godot3-server and godot.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import sharing
import steps
from conftest import BUILD, LIBRARY, ROOT

GODOT = ROOT / "bindings" / "godot"


class Scene:
    def __init__(self, command, name, folder, *options, **variables):
        self.trace, self.printed = folder / f"{name}.trace", folder / f"{name}.txt"
        whole = [*command, *options, f"--name={name}", f"--trace={self.trace}"]
        environment = dict(os.environ, HOME=str(folder), **variables)
        with open(self.printed, "w") as out:
            self.process = subprocess.Popen(whole, env=environment, stdin=subprocess.PIPE, stdout=out, stderr=out, text=True, bufsize=1)

    @property
    def text(self):
        return self.printed.read_text(errors="replace")

    @property
    def frames(self):
        return steps.frames(self.trace)

    @property
    def invite(self):
        steps.until(lambda: re.search(r"^invite \S+\n", self.text, re.M), f"the scene printed its invite, in {self.printed}")
        return re.search(r"^invite (\S+)", self.text, re.M)[1]


class TypedScene(steps.Typed, Scene):
    """A scene with a keyboard: its sentences and states as those of the other samples."""

    def __init__(self, command, name, folder, *options, **variables):
        self.name = name
        Scene.__init__(self, command, name, folder, *options, **variables)

    @property
    def text(self):
        text = re.sub(r"^told ", "", self.printed.read_text(errors="replace"), flags=re.M)
        return re.sub(r"^timing (\w+) (\S+) .*", r"\1 at \2", text, flags=re.M)


class SceneTypedByFile(TypedScene):
    """The native samples: an engine without a window has no keyboard."""

    def __init__(self, command, name, folder, *options, **variables):
        self.typed = folder / f"{name}.typed"
        self.typed.touch()
        super().__init__(command, name, folder, *options, f"--typed={self.typed}", **variables)

    def type(self, line):
        with open(self.typed, "a") as file:
            file.write(line + "\n")


def project(tmp_path, major):
    """A copy of the sample with the extension built against the engine's header."""
    header = {"3": "gdnative_api_struct.gen.h", "4": "gdextension_interface.h"}[major]
    folders = [Path(folder).resolve() for folder in os.environ.get("GODOT_HEADERS", "").split(":") if folder]
    found = [folder for folder in folders if (folder / header).exists()]
    if not found:
        pytest.skip(f"no {header} in GODOT_HEADERS: Godot {major} is not tested here; bindings/godot/README.md says where it is from")
    copy = tmp_path / "project"
    shutil.copytree(GODOT / f"sample{major}", copy)
    done = subprocess.run(["make", "-C", GODOT / "native", f"godot{major}", f"GODOT_HEADERS={found[0]}", f"OUT={copy / 'bin'}", f"LIBDIR={BUILD}"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    shutil.copy(LIBRARY.resolve(), copy / "bin" / "libunisono.so.0")
    return copy


@pytest.fixture(params=["3", "4"])
def edition(request, library, tmp_path):
    """The engine's version, its command, and a project with the extension."""
    major = request.param
    engine = os.environ.get(f"GODOT{major}") or shutil.which({"3": "godot3-server", "4": "godot"}[major])
    copy = project(tmp_path, major)
    if not engine:
        pytest.skip(f"the extension for Godot {major} compiles; there is no Godot {major} to run it" +
                    (": on Debian: apt install godot3-server" if major == "3" else ""))
    if major == "4":
        (copy / ".godot").mkdir()
        (copy / ".godot" / "extension_list.cfg").write_text("res://unisono.gdextension\n")
    return major, [engine, *(["--headless"] if major == "4" else []), "--path", copy], copy


@pytest.fixture
def scenes(edition, tmp_path):
    major, command, _ = edition
    command = [*command, *(["--"] if major == "4" else [])]
    started = []
    try:
        started.append(Scene(command, "Ann", tmp_path, "--host", "--listen=127.0.0.1:0"))
        started.append(Scene(command, "Ben", tmp_path, f"--join={started[0].invite}"))
        yield major, *started
    finally:
        for one in started:
            if one.process.poll() is None:
                one.process.terminate()
            one.process.wait()


def test_two_scenes_are_in_step_and_a_python_host_leads_them(scenes):
    major, ann, ben = scenes
    both = (ann, ben)
    import unisono
    from group_support import Player

    with unisono.Context(device_name="test") as context:
        lead = Player(context)
        lead.attach(unisono.Session.open(context, ann.invite, display_name="Cid"), "orrery")

        def until(holds, what):
            steps.until(lambda: context.poll(max_wait_ns=5_000_000) < 0 or holds(), f"{what}: {ann.text[-800:]} {ben.text[-800:]}")

        until(lambda: len(lead.coordinator.other_participants) == 2 and lead.coordinator.timing is not None, "all three are in")
        until(lambda: {p.item for p in lead.coordinator.other_participants} == {"orrery"}, "all are on one item")
        lead.coordinator.play()
        until(lambda: all(len(scene.frames) > steps.enough(200) for scene in both), "both play")
        steps.judge(f"Godot {major}", ann.frames, ben.frames, 150)
        lead.session.send(b"\0\1\2\0")
        until(lambda: all("message of 4 bytes" in scene.text for scene in both), "bytes came through")
        until(lambda: any("message of 14 bytes: hello from" in scene.text for scene in both), "and a script's own")
        lead.coordinator.seek(100 * unisono.SECOND)
        until(lambda: all(scene.frames[-1][1] > 100e9 for scene in both), "both went on elsewhere")
        lead.coordinator.pause()
        until(lambda: all(re.search(r"^timing paused 10\d\.", scene.text, re.M) for scene in both), "both stand")
        stands = [re.findall(r"^timing paused (10\d\.\d+)", scene.text, re.M)[-1] for scene in both]
        assert stands[0] == stands[1], "at one position"
        assert all("told Cid paused" in scene.text for scene in both), "and say who did it"
        lead.session.end()
        until(lambda: all(scene.process.poll() is not None for scene in both), "both scenes end")
    assert [scene.process.returncode for scene in both] == [0, 0]
    assert all("state over" in scene.text for scene in both)
    faults = [line for scene in both for line in scene.text.split("\n") if re.search(r"SCRIPT ERROR|leaked|Group", line)]
    assert not faults, faults


def test_f81_f84_f86_f87_f91_f93_f42_f19_two_scenes_show_what_the_group_shares(edition, tmp_path):
    major, command, _ = edition
    command = [*command, *(["--"] if major == "4" else [])]
    started = []
    try:
        started.append(SceneTypedByFile(command, "Ann", tmp_path, "--host", "--listen=127.0.0.1:0"))
        started.append(SceneTypedByFile(command, "Ben", tmp_path, f"--join={started[0].invite}"))
        sharing.share(*started, tmp_path)
    finally:
        codes = [one.close() for one in started]
    assert codes == [0, 0], [one.text for one in started]
    faults = [line for one in started for line in one.text.split("\n") if re.search(r"SCRIPT ERROR|leaked", line)]
    assert not faults, faults


#: What a script without types may ask, and get wrong. {made}: a new Group; {bytes}: how a text becomes bytes.
WITHOUT_TYPES = """extends SceneTree
var told = []

func refused(why):
	told.append(why)

func _init():
	var one = {made}
	{connected}
	print("position ", is_nan(one.position()), " ", is_nan(one.position_at(one.host_time())))
	print("playing ", one.is_playing(), " ", one.play(1), " ", told.size())
	print("send ", one.send("text".{bytes}(), false), " ", told.size())
	print("open ", one.open("nonsense", ""), " ", told[-1].begins_with("unisono_session_open"))
	print("seek ", one.seek(NAN), " ", one.seek(INF), " ", one.pause())
	print("host ", one.host("Zoë", "127.0.0.1:0").begins_with("unisono://"), " ", one.host("Zoë", "nowhere") == "")
	print("item ", one.transition_to("film"), " ", one.poll() >= 0)
	one.leave()
	one.leave()
	one.free()
	print("done")
	quit()
"""


def test_a_script_without_types_is_answered_and_told_what_is_wrong(edition, tmp_path):
    major, command, copy = edition
    words = {"made": "Group.new()", "connected": "one.refused.connect(refused)", "bytes": "to_utf8_buffer"}
    if major == "3":
        words = {"made": 'preload("res://group.gdns").new()', "connected": 'one.connect("refused", self, "refused")', "bytes": "to_utf8"}
    (copy / "check.gd").write_text(WITHOUT_TYPES.format(**words))
    done = subprocess.run([*command, "--script", "res://check.gd"], env=dict(os.environ, HOME=str(tmp_path)), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=60)
    said = [line.lower() for line in done.stdout.split("\n")]
    for line in ["position true true", "playing false false 1", "send false 2", "open false true", "seek false false false",
                 "host true true", "item true true", "done"]:
        assert line in said, done.stdout + done.stderr
    assert done.returncode == 0


@pytest.fixture
def stand_in(library, program, tmp_path):
    """The scene of the .NET edition under Mono, as a command and the folder of its library."""
    mono, compiler, built = program("mono", "mono-runtime"), program("mcs", "mono-mcs"), tmp_path / "orrery.exe"
    sources = [path for folder in (ROOT / "bindings" / "csharp" / "Runtime", GODOT / "dotnet", ROOT / "Tests" / "bindings" / "godot_dotnet")
               for path in sorted(folder.glob("*.cs"))]
    subprocess.run([compiler, "-unsafe", "-langversion:7", "-codepage:utf8", "-warnaserror", f"-out:{built}", *map(str, sources)], check=True)
    (tmp_path / "libunisono.so").symlink_to(LIBRARY.resolve())
    return [mono, str(built)], str(tmp_path)


def test_f81_f84_f86_f87_f91_f93_f42_f19_two_scenes_of_the_net_edition_show_what_the_group_shares(stand_in, tmp_path):
    command, folder = stand_in
    started = []
    try:
        for name, begin in (("Ann", lambda: "--host"), ("Ben", lambda: f"--join={started[0].invite}")):
            started.append(TypedScene(command, name, tmp_path, begin(), "--listen=127.0.0.1:0", LD_LIBRARY_PATH=folder))
        sharing.share(*started, tmp_path)
    finally:
        codes = [one.close() for one in started]
    assert codes == [0, 0], [one.text for one in started]


def test_the_node_for_the_net_edition_on_a_stand_in(stand_in, tmp_path):
    """Two scenes under Mono, keys pressed in either; then a third participant ends it for all."""
    import unisono

    command, folder = stand_in
    started = []
    try:
        for name, begin in (("Ann", lambda: "--host"), ("Ben", lambda: f"--join={started[0].invite}")):
            started.append(Scene(command, name, tmp_path, begin(), "--listen=127.0.0.1:0", LD_LIBRARY_PATH=folder))
        ann, ben = started
        steps.until(lambda: "state joined" in ben.text and "timing paused" in ben.text, "Ben joined")
        ben.process.stdin.write("Space\n")
        steps.until(lambda: all(len(scene.frames) > 100 for scene in started), "both play")
        steps.judge("Godot .NET, stand-in", ann.frames, ben.frames, 80)
        before = ben.frames[-1][1]
        ann.process.stdin.write("Right\n")
        steps.until(lambda: ben.frames[-1][1] > before + 9e9, "a key took both on")
        assert "told Ben pressed play" in ann.text
        with unisono.Context(device_name="test") as context:
            session = unisono.Session.open(context, ann.invite, display_name="Cid")
            session.join()
            steps.until(lambda: context.poll(max_wait_ns=10_000_000) < 0 or session.state == unisono.SessionState.JOINED, "Cid joined")
            session.end()
            steps.until(lambda: context.poll(max_wait_ns=10_000_000) < 0 or all(scene.process.poll() is not None for scene in started), "both end")
        assert [scene.process.returncode for scene in started] == [0, 0], [scene.text for scene in started]
        assert all("state over" in scene.text and "drawn True" in scene.text for scene in started)
    finally:
        for one in started:
            if one.process.poll() is None:
                one.process.terminate()
            one.process.wait()


def test_both_samples_know_the_same_group():
    """The methods and signals that the scripts use are those of the tables, in either edition."""
    table = (GODOT / "native" / "group_node.c").read_text()
    methods = set(re.findall(r'^    \{"(\w+)", \w+, VALUE', table, re.M))
    signals = set(re.findall(r'^    \[\w+\] = \{"(\w+)"', table, re.M))
    assert len(methods) >= 13 and len(signals) >= 8
    for major in "34":
        script = (GODOT / f"sample{major}" / "main.gd").read_text()
        connected = set(re.findall(r'group\.connect\("(\w+)"|group\.(\w+)\.connect\(', script))
        connected = {first or second for first, second in connected}
        used = set(re.findall(r"group\.(\w+)\(", script)) - {"connect", "new"}
        assert connected == signals, f"Godot {major}"
        assert used <= methods and len(used) >= 8, f"Godot {major}"
    node = (GODOT / "dotnet" / "UnisonoGroup.cs").read_text()
    declared = {re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower() for name in re.findall(r"delegate void (\w+)EventHandler", node)}
    assert declared == signals, "the .NET edition"


def test_no_header_of_an_engine_is_in_the_project():
    assert not [path for path in GODOT.rglob("*") if path.name in ("gdnative_api_struct.gen.h", "gdextension_interface.h")]
