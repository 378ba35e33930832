#!/usr/bin/env python3
"""How far a Syncplay client is from a session's mpv through `unisono bridge`, on one machine: after each of so many starts, begun by
either side in turn, the skew of the sound of both over three seconds, in ms. Needs the built command and plugin, mpv, ffmpeg, syncplay and
syncplay-server. STARTS=20 bench_bridge.py"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "e2e"))

from conftest import make_film  # noqa: E402
from hosts_support import BUILD, Program, Window, until  # noqa: E402
from syncplay import SyncplayPerson, free_port, server  # noqa: E402
from test_two_mpv import both_play, both_stand, skew  # noqa: E402
from test_watch import HEADLESS, invite_of  # noqa: E402

STARTS = int(os.environ.get("STARTS", "20"))


def samples(ann, carl, seconds):
    end, found = time.monotonic() + seconds, []
    while time.monotonic() < end:
        value = skew(ann, carl)
        if value is not None:
            found.append(abs(value) * 1000)
        time.sleep(0.02)
    return found


def quantiles(values):
    ordered = sorted(values)
    return f"p50 {statistics.median(ordered):.0f}, p95 {ordered[int(0.95 * len(ordered))]:.0f}, max {ordered[-1]:.0f}"


def measure(ann, carl):
    by = {"session": (ann, []), "room": (carl, [])}
    for start in range(STARTS):
        starter, found = list(by.values())[start % 2]
        starter.mpv.command("set_property", "pause", False)
        both_play(ann, carl)
        time.sleep(2)
        found += samples(ann, carl, 3)
        other = carl if starter is ann else ann
        other.mpv.command("set_property", "pause", True)
        both_stand(ann, carl)
        time.sleep(2)
    for name, (_, found) in by.items():
        print(f"started in the {name}: {quantiles(found)} ms, {len(found)} samples", flush=True)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        film, settings, ipc = make_film(folder / "film.mkv", 600), folder / "agent.toml", folder / "ann.sock"
        settings.write_text("")
        ann = Window(
            ipc, BUILD / "unisono", "watch", film, "--name", "Ann", "--config", settings, "--", *HEADLESS, f"--input-ipc-server={ipc}",
            stdin=subprocess.DEVNULL, DISPLAY="", WAYLAND_DISPLAY="")
        ann.says_something("invite unisono://")
        port = free_port()
        hub = server(port)
        carl = SyncplayPerson("Carl", port, "room", film, folder)
        until(lambda: carl.mpv.loaded, "Carl's film was open")
        bridge = Program(BUILD / "unisono", "bridge", f"127.0.0.1:{port}", "room", invite_of(ann), stdin=subprocess.DEVNULL)
        bridge.says_something("in the room")
        try:
            measure(ann, carl)
        finally:
            bridge.process.terminate()
            bridge.process.wait(20)
            carl.leave()
            ann.quit()
            hub.kill()


if __name__ == "__main__":
    main()
