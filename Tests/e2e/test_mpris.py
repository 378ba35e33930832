"""F29, F72: media keys. A bus of its own, two Python mpv hosts on it; playerctl is what a desktop's keys and applets are."""

import subprocess
import threading

import pytest
from hosts_support import Host, Lines, environment, until

pytest.importorskip("dbus_fast", reason="dbus-fast is not installed; pip install dbus-fast, or apt install python3-dbus-fast")


@pytest.fixture
def hosts(built, media, tmp_path, bus, monkeypatch):
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus)
    ann = Host("python", ["host", "--listen", "127.0.0.1:0", media], "Ann", tmp_path, built)
    ben = None
    try:
        ben = Host("python", ["join", ann.invite, media], "Ben", tmp_path, built)
        both = (ann, ben)
        until(lambda: all(len(h.status.get("participants", ())) == 2 for h in both), "both were in")
        until(lambda: all(h.status.get("position") is not None for h in both), "both had loaded the file")
        yield both
    finally:
        ended = [h.close() for h in (ben, ann) if h is not None]
    assert ended == [0, 0], "both hosts end cleanly"


class Keys:
    """The keys of one person's desktop."""

    def __init__(self, host):
        self._player = ["playerctl", "--player", f"unisono.instance{host.process.pid}"]

    def press(self, *words):
        done = subprocess.run([*self._player, *words], env=environment(), capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def follow(self):
        """What an applet shows of the status, as it changes."""
        process = subprocess.Popen(
            [*self._player, "--follow", "status"], env=environment(), stdout=subprocess.PIPE, text=True, bufsize=1
        )
        lines = []
        threading.Thread(target=lambda: lines.extend(map(str.strip, process.stdout)), daemon=True).start()
        return process, lines


def all_are(hosts, state):
    until(lambda: all(h.status.get("state") == state for h in hosts), f"all were {state}")


def all_stand_at(hosts, seconds):
    def near(host):
        return host.status["state"] == "paused" and abs(host.status["position"] - seconds) < 0.05

    until(lambda: all(map(near, hosts)), f"all stood at {seconds} s")


def test_a_media_key_of_one_moves_the_whole_group(hosts):
    keys = Keys(hosts[1])
    assert keys.press("status") == "Paused"
    keys.press("play-pause")
    all_are(hosts, "playing")
    assert keys.press("status") == "Playing"
    keys.press("pause")
    all_are(hosts, "paused")
    keys.press("position", "30")
    all_stand_at(hosts, 30)
    keys.press("position", "10+")
    all_stand_at(hosts, 40)
    keys.press("position", "15-")
    all_stand_at(hosts, 25)
    assert abs(float(keys.press("position")) - 25) < 0.05
    keys.press("play")
    all_are(hosts, "playing")
    keys.press("stop")
    all_are(hosts, "paused")
    assert hosts[0].status["position"] > 20, "nobody lost the place"


def test_applets_see_what_others_do(hosts):
    ann, ben = hosts
    keys = Keys(ben)
    process, shown = keys.follow()
    until(lambda: shown[-1:] == ["Paused"], "the applet showed a player that stands")
    ann.type("play")
    until(lambda: shown[-1:] == ["Playing"], "the applet showed that Ann plays")
    ann.type("pause")
    until(lambda: shown[-1:] == ["Paused"], "the applet showed that Ann paused")
    process.terminate()
    process.wait()
    assert keys.press("metadata", "title") == "film"
    assert int(keys.press("metadata", "mpris:length")) == pytest.approx(600_000_000, abs=100_000)


def test_a_jump_is_signalled_with_its_place(hosts, bus):
    ann, ben = hosts
    match = "type='signal',interface='org.mpris.MediaPlayer2.Player',member='Seeked'"
    monitor = subprocess.Popen(["dbus-monitor", "--address", bus, match], stdout=subprocess.PIPE, text=True, bufsize=1)
    heard = Lines(monitor.stdout)
    heard.wait("signal", "the monitor was there")  # what the bus tells everybody who comes
    ben.type("seek 50")
    heard.wait("int64 50000000", "the jump was signalled")
    monitor.terminate()
    monitor.wait()


def test_rate_and_volume_over_the_bus(hosts, bus):
    ann, ben = hosts
    name = f"org.mpris.MediaPlayer2.unisono.instance{ann.process.pid}"

    def put(what, value):
        command = ["dbus-send", f"--bus={bus}", "--print-reply", f"--dest={name}", "/org/mpris/MediaPlayer2"]
        words = ["org.freedesktop.DBus.Properties.Set", "string:org.mpris.MediaPlayer2.Player", f"string:{what}"]
        subprocess.run([*command, *words, f"variant:double:{value}"], check=True, capture_output=True, timeout=60)

    put("Rate", 1.5)
    Keys(ann).press("play")
    until(lambda: all(h.mpv.get("speed") == pytest.approx(1.5, rel=0.03) and not h.mpv.paused for h in hosts), "both at 1.5")
    put("Rate", 1)
    until(lambda: all(h.mpv.get("speed") == pytest.approx(1, rel=0.03) for h in hosts), "both as the film was made")
    put("Volume", 0.25)
    until(lambda: ann.mpv.get("volume") == pytest.approx(63, abs=0.1), "Ann's own volume")
    assert ben.mpv.get("volume") == 100, "which is nobody else's"
    put("Rate", 0)
    all_are(hosts, "paused")


def test_a_player_without_a_bus_is_a_player_still(built, media, tmp_path, monkeypatch):
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/nowhere")
    host = Host("python", ["host", "--listen", "127.0.0.1:0", media], "Ann", tmp_path, built)
    until(lambda: host.status.get("position") is not None, "it had loaded the file")
    assert host.close() == 0
