"""Several hubs of one operator in processes: the NATS server between them, and guests in a room at them."""

import os
import re
import shutil
import socket
import subprocess
import sys
from contextlib import closing

from hosts_support import ROOT
from hub_process import LINE, check

sys.path.insert(0, str(ROOT / "Tests" / "independent"))

from hub import SEND  # noqa: E402
from hub import Hub as Connection  # noqa: E402
from primitives import Signer, item, unb32  # noqa: E402
from room import ORDERED, Header  # noqa: E402

SERVER = shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin")
NO_SERVER = "nats-server is not installed; on Debian: apt install nats-server"


def command_with_nats(build):
    """The command in a folder that was built with NATS, as `make test-swift` does where libnats is installed; None: there is none."""
    settings = ["--nats", "nats://127.0.0.1", "--set-key", "/dev/null"]
    commands = (build / "unisono", build / "tests" / "debug" / "unisono-cli")
    return next((path for path in commands if path.exists() and check(path, *settings).returncode == 0), None)


class Nats:
    """A nats-server, which can be stopped and killed. `wrap`: a command, as it is run on the machine with that address."""

    def __init__(self, address="127.0.0.1", wrap=list):
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"nats://{address}:{self.port}"
        self.process = None
        self._command = wrap([SERVER, "-a", address, "-p", str(self.port), "-l", "/dev/null"])
        self.start()

    def start(self):
        self.process = subprocess.Popen(self._command)

    def heard(self, pattern):
        """The subject of the next message on those of a pattern."""
        with socket.create_connection(("127.0.0.1", self.port), 20) as link, link.makefile("rb") as lines:
            link.sendall(f'CONNECT {{"verbose":false}}\r\nSUB {pattern} 1\r\n'.encode())
            return next(line.split()[1].decode() for line in lines if line.startswith(b"MSG "))

    def send(self, number):
        self.process.send_signal(number)

    def kill(self):
        self.process.kill()
        self.process.wait()


def figure(hub, name):
    """One of a hub's figures."""
    text = hub.ask("/metrics")[2]
    return int(next(line for line in text.splitlines() if line.startswith(name + " ")).split()[1])


def others(hub):
    """Hubs that this one hears."""
    return figure(hub, "unisono_hub_other_hubs")


def write_key(path):
    """A key of a set."""
    path.write_bytes(os.urandom(32))
    path.chmod(0o600)
    return path


class Guest:
    """A connection to a hub, and what came of it. `expected`: the id that it must prove, in base 32; None: that in its line."""

    def __init__(self, hub, door, signer=None, expected=None):
        port, name = re.search(r"127\.0\.0\.1:(\d+)/([a-z2-7]{26})", hub.line(LINE).group(1)).groups()
        self.signer = signer or Signer(os.urandom(32))
        self.connection = Connection(("127.0.0.1", int(port)), unb32(expected or name), door, self.signer)
        self.heard = []
        self.gone = []
        self._lane = os.urandom(12)
        self._said = 0

    @property
    def id(self):
        return self.signer.id

    @property
    def present(self):
        return self.connection.present

    def poll(self, timeout):
        before = set(self.present)
        self.heard += map(Header.read, self.connection.poll(timeout))
        self.gone += before - set(self.present)

    def say(self):
        header = Header(ORDERED, bytes(12), self.id, self._lane, self._said)
        self.connection.send(SEND, item(255, header.bytes + os.urandom(528)))
        self._said += 1

    def said(self, of):
        """What came of another, as numbers."""
        return [header.counter for header in self.heard if header.sender == of.id]
