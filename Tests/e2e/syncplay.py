"""A Syncplay server, and Syncplay's own client without its window, with mpv: as people have them."""

import shutil
import socket
import subprocess

import pytest
from hosts_support import Program, Window, until
from systems import ipc_path

SETTINGS = """[client_settings]
unpauseaction = Always
readyatstart = True
autoplayinitialstate = False
[general]
checkforupdatesautomatically = False
language = en
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def server(port):
    """Listening already."""
    for name in ("syncplay-server", "syncplay"):
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not installed; on Debian: apt install --no-install-recommends {name}")
    program = Program("syncplay-server", "--port", port, stdin=subprocess.DEVNULL, PYTHONUNBUFFERED="1")

    def answers():
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        except OSError:
            return False

    until(answers, "the Syncplay server listened")
    return program


class SyncplayPerson(Window):
    """Who has Syncplay; acts on its mpv, as by keys, and types what its console takes."""

    def __init__(self, name, port, room, film, folder):
        home = folder / f"home-{name}"
        (home / ".config").mkdir(parents=True)
        (home / ".config" / "syncplay.ini").write_text(SETTINGS)
        super().__init__(
            None, "syncplay", "--no-gui", "-a", f"127.0.0.1:{port}", "-n", name, "-r", room, "--player-path", shutil.which("mpv"), film,
            "--", "--vo=null", "--ao=null", "--config=no",
            HOME=str(home), XDG_CONFIG_HOME=str(home / ".config"), PYTHONUNBUFFERED="1")

    @property
    def mpv(self):
        if self._mpv is None:
            until(lambda: ipc_path(self.process.pid), "Syncplay had its mpv")
            self._ipc = ipc_path(self.process.pid)
        return super().mpv

    def leave(self):
        """As by closing the window; the console may hang on its input, which nobody waits for."""
        self.mpv.quit()
        self.process.terminate()
        try:
            self.process.wait(3)
        except subprocess.TimeoutExpired:
            pass
        if self.process.poll() is None:
            self.kill()
