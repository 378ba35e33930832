"""VLC as `unisono watch --player vlc` opens it, without a picture and a sound, and a person at it: VLC's own interface for other programs."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import pytest
from hosts_support import Program, until

# VLC does not run as root, and who it runs as then reads what lies here alone.
NOBODY = "65534"
QUIET = ["--intf=oldrc", "--rc-fake-tty", "--vout=dummy", "--aout=dummy", "--no-dbus"]


class VlcPlace:
    """A folder with what VLC needs, which whoever it runs as can read."""

    def __init__(self, built):
        if shutil.which("vlc") is None:
            pytest.skip("vlc is not installed; on Debian: apt install vlc-bin vlc-plugin-base")
        if not (built / "unisono").exists() or not (built / "unisono-vlc").exists():
            pytest.skip("build/unisono and build/unisono-vlc are not built; run `make` first")
        self.folder = Path(tempfile.mkdtemp(prefix="unisono-vlc-"))
        self.folder.chmod(0o755)
        (self.folder / "home").mkdir()
        (self.folder / "home").chmod(0o777)
        for name in ("unisono-vlc", "unisono.lua"):
            shutil.copy(built / name, self.folder / name)
        (self.folder / "unisono.lua").chmod(0o644)
        self.program = self.folder / "vlc"
        # Found before the real one.
        self.program.write_text(f'#!/bin/sh\nexec {self._other_user()} {shutil.which("vlc")} "$@"\n')
        self.program.chmod(0o755)
        self.environment = {
            "PATH": f"{self.folder}:{os.environ['PATH']}", "UNISONO_VLC": str(self.folder / "unisono-vlc"), "LD_LIBRARY_PATH": str(built),
            "DISPLAY": "", "WAYLAND_DISPLAY": ""}

    def _other_user(self):
        home = f"env HOME={self.folder}/home"
        return home if os.geteuid() != 0 else f"setpriv --reuid={NOBODY} --regid={NOBODY} --clear-groups {home}"

    def film(self, media, name="film.mkv"):
        path = self.folder / name
        if not path.exists():
            shutil.copy(media, path)
            path.chmod(0o644)
        return path

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class VlcWindow(Program):
    """The command with its VLC."""

    def __init__(self, built, place, name, *arguments, **more):
        self._socket = place.folder / "home" / f"{name}.rc"
        self._connection = None
        self._heard = ""
        super().__init__(
            built / "unisono", *arguments, "--player", "vlc", "--name", name, "--config", "/dev/null", "--", *QUIET,
            f"--rc-unix={self._socket}", stdin=subprocess.DEVNULL, **dict(place.environment, **more))

    def does(self, line):
        """What the person at VLC does. How much VLC had said before."""
        if self._connection is None:
            self._connection = socket.socket(socket.AF_UNIX)
            until(self._is_connected, "VLC took what a person does")
            threading.Thread(target=self._hear, args=(self._connection,), daemon=True).start()
        before = len(self._heard)
        self._connection.sendall((line + "\n").encode())
        return before

    def _is_connected(self):
        try:
            self._connection.connect(str(self._socket))
        except OSError:
            return False
        return True

    def _hear(self, connection):
        try:
            while bytes_read := connection.recv(4096):
                self._heard += bytes_read.decode(errors="replace")
        except OSError:
            pass

    def stands_at_beginning_of(self, name, since):
        """Waits until VLC says that it has opened such a film, and that it stands."""

        def is_so():
            self.does("get_title")  # it says what has happened when it is spoken to
            return "pause state" in self._heard[since:].rpartition("new input:")[2].partition(f"{name} )")[2]

        until(is_so, f"VLC stood at the beginning of {name}; it said {self._heard[since:][-500:]}", meanwhile=lambda: time.sleep(0.1))

    def has_open(self, name):
        """Whether VLC reads a file called so: its rc interface may hold on to the film before, if that stood when it was left."""
        for number in self.processes:
            for descriptor in Path(f"/proc/{number}/fd").iterdir():
                with contextlib.suppress(OSError):
                    if Path(os.readlink(descriptor)).name == name:
                        return True
        return False

    @property
    def processes(self):
        """What it started, and what that started."""
        found, new = [], [self.process.pid]
        while new:
            number = new.pop()
            new += [int(child) for child in Path(f"/proc/{number}/task/{number}/children").read_text().split()]
            found.append(number)
        return found[1:]

    def end(self, limit=30):
        try:
            return super().end(limit)
        finally:
            if self._connection is not None:
                self._connection.close()

    def leave(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.end()
