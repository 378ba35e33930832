"""F70, F27 with GStreamer: pipelines that run on the session's clock. What counts is when frames are rendered: each host
writes every frame and every block of sound down with the host time at which its sink let go of it. Frames of the same item
time are compared, and waited for: a busy machine may be late with some, never with most."""

import shutil
import statistics
import subprocess

import pytest
from hosts_support import BUILD, ROOT, HostProcess, environment, until
from range_server import serving

SECOND = 1_000_000_000
#: Median, of frames that two processes of one machine rendered; the benchmark has the figures.
IN_STEP = 5_000_000
LIMIT = 120


@pytest.fixture(scope="session")
def film(tmp_path_factory):
    """Two minutes of picture and sound in formats that GStreamer plays by itself."""
    if shutil.which("gst-launch-1.0") is None:
        pytest.skip("GStreamer's tools are not installed; on Debian: apt install gstreamer1.0-tools gstreamer1.0-plugins-good")
    path = tmp_path_factory.mktemp("gst") / "film.mkv"
    picture = "videotestsrc num-buffers=3000 pattern=ball ! video/x-raw,width=160,height=120,framerate=25/1 ! jpegenc"
    sound = "audiotestsrc num-buffers=5625 samplesperbuffer=1024 ! audio/x-raw,rate=48000,channels=1 ! flacenc"
    pipeline = f"matroskamux name=m ! filesink location={path} {picture} ! queue ! m. {sound} ! queue ! m."
    subprocess.run(["gst-launch-1.0", "-q", *pipeline.split()], check=True, timeout=300)
    return path


class Pipeline(HostProcess):
    def __init__(self, folder, film, name, *arguments):
        self.frames_file = folder / f"{name}.frames"
        command = [BUILD / "gst_host", *arguments, film, "--item", "film", "--rendered", self.frames_file]
        super().__init__(command, name, folder, environment())

    def frames(self, stream="v", after=0):
        """Item time and host time of every frame rendered after a host time."""
        text = self.frames_file.read_text() if self.frames_file.exists() else ""
        lines = [line.split() for line in text[: text.rfind("\n") + 1].splitlines()]
        return [(int(item), int(host)) for kind, item, host in lines if kind == stream and int(host) > after]

    @property
    def now(self):
        return self.status["host_time"]

    def shows(self, state, position=None):
        status = self.status
        here = status.get("position")
        return status.get("state") == state and (position is None or here == position)


@pytest.fixture
def start(film, tmp_path):
    if not (BUILD / "gst_host").exists():
        pytest.skip("build/gst_host is not built; on Debian: apt install libgstreamer1.0-dev, then `make hosts`")
    made = []

    def make(name, *arguments):
        made.append(Pipeline(tmp_path, film, name, *arguments))
        return made[-1]

    yield make
    assert [host.close() for host in reversed(made)] == [0] * len(made), "all end cleanly"


@pytest.fixture
def pair(start):
    ann = start("ann", "host", "--listen", "127.0.0.1:0")
    invite = ann.process.stdout.readline().split()[1]
    ben = start("ben", "join", invite)
    until(lambda: all(len(host.status.get("participants", ())) == 2 for host in (ann, ben)), "both were in", LIMIT)
    until(lambda: all(host.shows("paused", 0) for host in (ann, ben)), "both had loaded the file", LIMIT)
    return ann, ben, invite


def apart(one, other, stream, after):
    """By how much the newest fifty common frames were rendered apart, median in ns; None: not that many yet."""
    theirs = dict(other.frames(stream, after))
    gaps = [abs(host - theirs[item]) for item, host in one.frames(stream, after) if item in theirs]
    return statistics.median(gaps[-50:]) if len(gaps) >= 50 else None


def rendered_in_step(one, other, after):
    for stream in "va":
        until(lambda: (apart(one, other, stream, after) or SECOND) < IN_STEP, f"both rendered {stream} in step", LIMIT)


def rate_of(host, frames):
    first, last = frames[0], frames[-1]
    return (last[0] - first[0]) / (last[1] - first[1])


def test_the_clock_of_a_pipeline_is_the_sessions(tmp_path):
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "gstreamer-1.0"], capture_output=True, text=True)
    if flags.returncode != 0:
        pytest.skip("GStreamer's headers are not installed; on Debian: apt install libgstreamer1.0-dev")
    source = [ROOT / "Tests" / "e2e" / "gst_clock_test.c", ROOT / "bindings" / "c" / "gst_session_clock.c"]
    include = [f"-I{ROOT / 'include'}", f"-I{ROOT / 'bindings' / 'c'}"]
    program = tmp_path / "gst_clock_test"
    subprocess.run(["cc", "-std=c11", *include, *source, "-o", program, *flags.stdout.split(), "-lm"], check=True)
    ran = subprocess.run([program], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr


def test_two_pipelines_render_the_same_frames_at_the_same_time(pair):
    ann, ben, _ = pair
    ann.type("play")
    rendered_in_step(ann, ben, 0)

    ben.type("pause")
    until(lambda: ann.shows("paused") and ben.shows("paused"), "both paused", LIMIT)
    ann.type("seek 30")
    until(lambda: ann.shows("paused", 30) and ben.shows("paused", 30), "both stood at 30 s exactly", LIMIT)
    stood = ann.now
    ben.type("play")
    rendered_in_step(ann, ben, stood)
    for host in (ann, ben):
        assert min(item for item, _ in host.frames("v", stood)) == 30 * SECOND, "the frame that was sought is the first"

    sought = ann.now
    ann.type("seek 60")
    until(lambda: all(host.status["position"] > 60 for host in (ann, ben)), "both played on from 60 s", LIMIT)
    rendered_in_step(ann, ben, max(ann.now, sought))


def test_both_change_their_rate_at_the_same_instant(pair):
    ann, ben, _ = pair
    ann.type("play")
    rendered_in_step(ann, ben, 0)
    ben.type("rate 1.5")
    until(lambda: all(host.status["rate"] == pytest.approx(1.5, rel=0.03) for host in (ann, ben)), "both were at rate 1.5", LIMIT)
    changed = max(ann.now, ben.now)
    rendered_in_step(ann, ben, changed)
    for host in (ann, ben):
        frames = host.frames("v", changed)
        assert rate_of(host, frames) == pytest.approx(1.5, abs=0.05)


def test_backwards_is_a_rate_like_any_other(pair):
    ann, ben, _ = pair
    ann.type("seek 60")
    until(lambda: ann.shows("paused", 60) and ben.shows("paused", 60), "both stood at 60 s", LIMIT)
    ann.type("rate -1")
    until(lambda: all(host.status["rate"] == pytest.approx(-1, rel=0.03) for host in (ann, ben)), "both ran backwards", LIMIT)
    until(lambda: (apart(ann, ben, "v", 0) or SECOND) < IN_STEP, "both rendered in step", LIMIT)
    items = [item for item, _ in ann.frames("v")]
    assert items == sorted(items, reverse=True)


def test_who_comes_late_renders_what_the_others_do(pair, start):
    ann, ben, invite = pair
    ann.type("play")
    rendered_in_step(ann, ben, 0)
    late = start("cem", "join", invite)
    until(lambda: late.status.get("state") == "playing", "the late one played", LIMIT)
    rendered_in_step(ann, late, late.now)
    rendered_in_step(ann, ben, late.now)


def test_the_hubs_end_stops_no_pipeline(pair, start):
    ann, ben, invite = pair
    cem = start("cem", "join", invite)
    until(lambda: len(ben.status.get("participants", ())) == 3, "all three were in", LIMIT)
    until(lambda: cem.shows("paused", 0), "the third had loaded the file", LIMIT)
    ben.type("play")
    rendered_in_step(ben, cem, 0)
    ann.type("quit")
    until(lambda: all(host.status["participants"] == ["ben", "cem"] or host.status["participants"] == ["cem", "ben"]
                      for host in (ben, cem)), "the two went on without the first", LIMIT)
    gone = max(ben.now, cem.now)
    rendered_in_step(ben, cem, gone)
    for host in (ben, cem):
        items = [item for item, _ in host.frames("v")]
        assert items == sorted(items), "the change of the clock moved nobody back"


def test_the_end_of_the_file_is_the_end_for_both(pair):
    ann, ben, _ = pair
    ann.type("seek 118")
    until(lambda: ann.shows("paused", 118) and ben.shows("paused", 118), "both stood near the end", LIMIT)
    ann.type("play")
    until(lambda: all(host.shows("paused", 120) for host in (ann, ben)), "both stood at the end", LIMIT)
    ben.type("seek 10")
    until(lambda: all(host.shows("paused", 10) for host in (ann, ben)), "both went back", LIMIT)
    ann.type("play")
    until(lambda: all(host.status["position"] > 10 and host.shows("playing") for host in (ann, ben)), "on again", LIMIT)


@pytest.fixture
def streams(film, tmp_path):
    """Two hosts, each of which gets the film over a server of its own."""
    if not (BUILD / "gst_host").exists():
        pytest.skip("build/gst_host is not built; on Debian: apt install libgstreamer1.0-dev, then `make hosts`")
    if subprocess.run(["gst-inspect-1.0", "souphttpsrc"], capture_output=True).returncode != 0:
        pytest.skip("GStreamer's source for HTTP is not installed; on Debian: apt install gstreamer1.0-plugins-good")
    with serving(film) as anns, serving(film) as bens:
        ann = Pipeline(tmp_path, anns.address, "ann", "host", "--listen", "127.0.0.1:0")
        ben = Pipeline(tmp_path, bens.address, "ben", "join", ann.process.stdout.readline().split()[1])
        until(lambda: all(len(host.status.get("participants", ())) == 2 for host in (ann, ben)), "both were in", LIMIT)
        until(lambda: all(host.shows("paused", 0) for host in (ann, ben)), "both had loaded the stream", LIMIT)
        yield ann, ben, bens
        assert [ben.close(), ann.close()] == [0, 0], "both end cleanly"


def test_streams_over_http_are_sought_by_ranges_and_rendered_in_step(streams):
    ann, ben, server = streams
    ann.type("play")
    rendered_in_step(ann, ben, 0)
    begun = len(server.begun)
    ben.type("seek 100")
    until(lambda: all(host.status["position"] > 100 for host in (ann, ben)), "both played on from 100 s", LIMIT)
    rendered_in_step(ann, ben, max(ann.now, ben.now))
    assert max(server.begun[begun:]) > len(server.data) / 2, "the rest was asked for, not all of it"


def test_a_stream_that_runs_dry_stalls_its_player_alone(streams):
    ann, ben, server = streams
    # Some seconds from there are in the buffers; what comes later does not.
    server.hold(len(server.data) // 2, len(server.data) * 3 // 4)
    ann.type("seek 50")
    until(lambda: ann.shows("paused", 50) and ben.shows("paused", 50), "both stood at 50 s", LIMIT)
    ann.type("play")
    until(lambda: "stall-recovery" in ben.status["suspended"] and ben.status["stalled"], "it ran dry and said so", LIMIT)
    dry = ann.now
    until(lambda: len(ann.frames("v", dry)) > 50, "the other played on", LIMIT)
    assert ann.status["suspended"] == []
    server.release()
    until(lambda: ben.status["suspended"] == [] and ben.shows("playing"), "it went on when data came", LIMIT)
    rendered_in_step(ann, ben, ben.now)


def test_a_file_that_cannot_be_played_is_said_and_the_others_play(start, tmp_path, film):
    broken = tmp_path / "broken.mkv"
    broken.write_bytes(b"\x1aE\xdf\xa3" + bytes(4096))
    ann = start("ann", "host", "--listen", "127.0.0.1:0")
    host = Pipeline(tmp_path, broken, "dora", "join", ann.process.stdout.readline().split()[1])
    until(lambda: host.status.get("joined") and len(ann.status.get("participants", ())) == 2, "both were in", LIMIT)
    ann.type("play")
    until(lambda: len(ann.frames("v")) > 10, "the other one plays", LIMIT)
    until(lambda: "coordinated-playback-not-possible" in host.status["suspended"], "it is apart, with the reason", LIMIT)
    assert host.close() == 0
