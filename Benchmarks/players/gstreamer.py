"""Two gst_host (bindings/c): what their sinks let go of, and when. Each writes every frame down with the host time at which
it was rendered, right after the wait for the clock; that is compared, so what is measured is what would be seen."""

import json
import os
import subprocess
import time

from systems import Typed, wait_until

#: A frame older than this says nothing about now, seconds: it stands, or is between places.
FRESH = 0.2


def wall_ahead():
    """By how much the wall clock is ahead of time.monotonic_ns()."""
    before, wall, after = time.monotonic_ns(), time.time_ns(), time.monotonic_ns()
    return wall - (before + after) // 2


class Frames:
    """One gst_host as the benchmark reads players. With `ppm` the clock of its process shows the wall's time from `begun`
    (ns of time.monotonic_ns(), and that to some hundredths of a second) on, and so much faster: that is libfaketime's way."""

    def __init__(self, frames, status, begun, ppm):
        self._files = {frames: None, status: None}
        self._frames, self._status = frames, status
        self._begun, self._fast = begun, 1 + ppm / 1e6
        self._ahead = wall_ahead() if ppm else 0
        self._frame, self._state = None, {}

    def _lines(self, path):
        """Whole lines that were written since the last time."""
        if self._files[path] is None:
            if not path.exists():
                return []
            self._files[path] = (open(path), "")
        file, rest = self._files[path]
        text = rest + file.read()
        end = text.rfind("\n") + 1
        self._files[path] = (file, text[end:])
        return text[:end].splitlines()

    def _read(self):
        for line in self._lines(self._frames):
            stream, item, host = line.split()
            if stream == "v":
                true = self._begun + (int(host) - self._ahead - self._begun) / self._fast
                self._frame = (int(item) / 1e9, true / 1e9)
        for line in self._lines(self._status)[-1:]:
            self._state = json.loads(line)

    def position(self):
        """Item time of the newest frame, and when it was rendered; (None, now) while there is none."""
        self._read()
        now = time.monotonic()
        return self._frame if self._frame and now - self._frame[1] < FRESH else (None, now)

    def moving(self):
        first, _ = self.position()
        return first is not None and self._state.get("state") == "playing"

    @property
    def paused(self):
        self._read()
        return self._state.get("state") == "paused"

    @property
    def place(self):
        self._read()
        return self._state.get("position") if self._state.get("rate") == 0 else self._frame and self._frame[0]

    @property
    def speed(self):
        self._read()
        return self._state.get("rate")

    @property
    def loaded(self):
        self._read()
        return self._state.get("position") is not None and len(self._state.get("participants", ())) == 2


class GStreamer(Typed):
    """The sample GStreamer hosts through a stand-alone hub in s; the person acts at a."""

    name = "gstreamer"
    limits = {"none": {"skew": 0.3}, "wan": {"skew": 3}}
    profiles = tuple(limits)

    def start(self, build, media):
        film = self._playable(media)
        hub = f"{self.network.address['s']}:7400"
        command = [build / "unisono", "hub", "--listen", hub, "--key", self.folder / "hub.key"]
        hub = subprocess.check_output([*command, "--print-line"], text=True).strip()
        self.spawn("s", command, "hub")
        invite_file = self.folder / "invite"
        self.a, a = self._host(build, film, "a", ["host", "--hub", hub, "--invite-file", invite_file])
        invite = wait_until(lambda: invite_file.exists() and invite_file.read_text().strip(), "the invite")
        _, b = self._host(build, film, "b", ["join", invite])
        return a, b

    def _host(self, build, film, name, arguments):
        frames, status = self.folder / f"{name}.frames", self.folder / f"{name}.status"
        command = [build / "gst_host", *arguments, film, "--item", "film", "--name", name, "--snap"]
        begun = time.monotonic_ns()
        process = self.spawn(name, [*command, "--rendered", frames, "--status", status], f"host_{name}", stdin=subprocess.PIPE)
        return process, Frames(frames, status, begun, self.clock if name == "b" else 0)

    @staticmethod
    def _playable(media):
        """Picture and sound in formats that GStreamer plays without further packages; made once, beside the file."""
        film = media.with_suffix(".gst.mkv")
        if not film.exists():
            unfinished = media.with_suffix(f".{os.getpid()}.mkv")
            subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-i", str(media), "-c:v", "mjpeg", "-q:v", "8", "-pix_fmt",
                            "yuvj420p", "-c:a", "flac", str(unfinished)], check=True)
            os.replace(unfinished, film)
        return film
