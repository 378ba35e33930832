"""F14, F45, F70: what happens in the group is on the player's own screen, not in the terminal alone: joined, left, sought by, waiting for
whom, paused by, a hub that is gone, the end. mpv says itself what it was told to show; SDL's window is looked at."""

import json
import re
import socket
import struct
import subprocess
import sys
import threading

import pytest
from hosts_support import BUILD, Program, until
from small_programs import are_heard

HEADLESS = {"SDL_VIDEODRIVER": "dummy", "SDL_RENDER_DRIVER": "software"}
LOST = "The connection is lost, trying again: "
ENDED = "The session was ended for everybody"


class MpvScreen:
    """What an mpv is told to show, by its own log, from now on."""

    def __init__(self, path):
        self.shown = []

        def is_there():
            self._socket = socket.socket(socket.AF_UNIX)
            return self._socket.connect_ex(str(path)) == 0

        until(is_there, f"mpv answered at {path}")
        self._socket.sendall(b'{"command": ["request_log_messages", "trace"], "request_id": 1}\n')
        self._lines = self._socket.makefile()
        while "request_id" not in json.loads(self._lines.readline()):
            pass
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self._lines:
            event = json.loads(line)
            told = re.search(r'Run command: show-text, .*args=\[text="(.*?)", duration="(\d+)"', event.get("text", ""))
            if told and int(told[2]) >= 1000:
                self.shown.append(told[1])

    def shows(self, words):
        until(lambda: any(line.startswith(words) for line in list(self.shown)), f"mpv showed {words!r}; it showed {self.shown}")


class Window:
    """The plate with the notice in SDL's window, in pictures of it."""

    def __init__(self, program, folder):
        self.program, self.folder, self.plates, self.count = program, folder, {}, 0

    def picture(self):
        """The notice that is in it, "" for none, and the pixels where it belongs."""
        self.count += 1
        path = self.folder / f"window{self.count}.bmp"
        before = len(self.program.out.lines)
        self.program.type(f"shot {path}")
        until(lambda: f"shot {path}" in self.program.out.lines[before:], "a picture was taken")
        lines = self.program.out.lines[before:]
        line = lines[lines.index(f"shot {path}") - 1] if lines.index(f"shot {path}") else ""
        data = path.read_bytes()
        start, width, height = struct.unpack_from("<I4xii", data, 10)
        stride, rows = (3 * width + 3) & ~3, range(int(abs(height) * 0.84), int(abs(height) * 0.9))
        path.unlink()
        return line.removeprefix("shown ") if line.startswith("shown ") else "", b"".join(
            data[start + row * stride + 3 * (width // 3) : start + row * stride + 3 * (2 * width // 3)] for row in rows)

    def shows(self, words):
        def is_shown():
            notice, pixels = self.picture()
            self.plates[notice] = pixels
            return notice.startswith(words)

        until(is_shown, f"the window showed {words!r}, beside {list(self.plates)}")
        notice = next(notice for notice in self.plates if notice.startswith(words))
        assert all(pixels != self.plates[notice] for other, pixels in self.plates.items() if other != notice), "it is drawn"


@pytest.fixture
def running():
    started = []

    def start(*command, **more):
        started.append(Program(*command, **more))
        return started[-1]

    yield start
    for one in started[::-1]:
        one.close()


@pytest.mark.parametrize("kind", ("mpv", "sdl", "python"))
def test_what_happens_is_on_the_screen(built, running, request, tmp_path, kind):
    if kind != "python" and not (BUILD / f"{kind}_host").exists():
        pytest.skip(f"build/{kind}_host is not built; run `make hosts`")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [built / "unisono", "hub", "--listen", f"127.0.0.1:{port}", "--key", tmp_path / "hub.key"]
    line = subprocess.check_output([*command, "--print-line"], text=True).strip()
    hub = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        ann = running(BUILD / "console_host", "host", "--hub", line, "--name", "Ann", "--item", "film", "--buffer-ms", "2500")
        invite = ann.invite_line
        ann.says_something("invite ")
        screen = None
        if kind == "sdl":
            ben = running(BUILD / "sdl_host", "join", invite, "--name", "Ben", "--item", "film", **HEADLESS)
        else:
            host = [BUILD / "mpv_host"] if kind == "mpv" else [sys.executable, "-m", "unisono.examples.mpv"]
            media = request.getfixturevalue("media")
            player = [media, "--vo", "null", "--ao", "null", "--ipc", tmp_path / "mpv"]
            link = re.search(r"unisono://\S+", invite)[0]
            ben = running(*host, "join", link, *player, "--name", "Ben", *([] if kind == "mpv" else ["--no-mpris"]))
            screen = MpvScreen(tmp_path / "mpv")
        ann.says("Ben joined")
        are_heard(ann, "Ann", [ben])
        screen = screen or Window(ben, tmp_path)

        cem = running(BUILD / "console_host", "join", invite, "--name", "Cem", "--item", "film")
        screen.shows("Cem joined")
        assert cem.close() == 0
        screen.shows("Cem left")
        ann.type("seek 62")
        screen.shows("Ann sought to 1:02")
        ann.type("play")
        screen.shows("Waiting for Ann")
        ann.type("pause")
        screen.shows("Ann paused")

        hub.kill()
        hub.wait()
        screen.shows(LOST)
        hub = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        screen.shows("Connected again")
        until(lambda: any("Connected again" in line for line in ann.out.lines), "Ann was back")
        ann.type("end")
        screen.shows(ENDED)
    finally:
        hub.kill()
        hub.wait()
