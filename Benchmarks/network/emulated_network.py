"""Network namespaces joined by the emulator: `with EmulatedNetwork(["a", "b", "s"]) as net: net.popen("a", [...])`."""

import os
import pathlib
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def unavailable():
    """Why no emulated network can be had here, or None."""
    if os.geteuid() != 0:
        return "needs root for network namespaces and TUN devices: run it with sudo"
    if not os.path.exists("/dev/net/tun"):
        return "needs /dev/net/tun"
    if subprocess.run(["sh", "-c", "command -v ip"], capture_output=True).returncode != 0:
        return "needs the command ip (apt-get install iproute2)"
    return None


class EmulatedNetwork:
    """Hosts 10.78.0.1, .2, ... in the order given, each in a namespace of its own."""

    def __init__(self, names, seed=1):
        self.names = list(names)
        self.seed = seed
        self.address = {name: f"10.78.0.{i + 1}" for i, name in enumerate(self.names)}
        self._emulator = None

    def __enter__(self):
        binary = pathlib.Path(tempfile.gettempdir()) / f"unisono-emulator-{os.getpid()}"
        subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-o", str(binary), str(HERE / "emulator.c"), "-lm"], check=True)
        self._emulator = subprocess.Popen([str(binary), str(self.seed), *self.names], stdin=subprocess.PIPE,
                                          stdout=subprocess.PIPE, text=True, bufsize=1)
        if self._emulator.stdout.readline() != "ready\n":
            raise RuntimeError("the network emulator did not start")
        binary.unlink()
        for name in self.names:
            space, device = self._space(name), self._device(name)
            self._ip("netns", "add", space)
            self._ip("link", "set", device, "netns", space)
            self._ip("-n", space, "link", "set", "lo", "up")
            self._join(space, device, self.address[name])
        return self

    def _join(self, space, device, address):
        self._ip("-n", space, "link", "set", device, "mtu", "1500", "txqueuelen", "2000", "up")
        self._ip("-n", space, "addr", "add", f"{address}/24", "brd", "+", "dev", device)
        self._ip("-n", space, "route", "add", "224.0.0.0/4", "dev", device, check=False)

    def __exit__(self, *_):
        self._emulator.stdin.close()
        self._emulator.wait(timeout=30)
        for name in self.names:
            self._ip("netns", "del", self._space(name), check=False)

    def _device(self, name):
        return f"u{self._emulator.pid}_{self.names.index(name)}"

    def _space(self, name):
        return f"unisono-{self._emulator.pid}-{name}"

    @staticmethod
    def _ip(*arguments, check=True):
        subprocess.run(["ip", *arguments], check=check, capture_output=True)

    def roam(self, name, other, gap):
        """`name`'s device goes to the network of `other`, whose namespace nothing else is in: for so many seconds it is in none, and its
        address is that one's from then on."""
        space, device = self._space(name), self._device(other)
        self._ip("-n", space, "link", "set", self._device(name), "down")
        time.sleep(gap)
        self._ip("-n", self._space(other), "link", "set", device, "netns", space)
        self._join(space, device, self.address[other])

    def _ask(self, line):
        self._emulator.stdin.write(line + "\n")
        answer = self._emulator.stdout.readline().strip()
        if answer.startswith("error"):
            raise ValueError(f"{line}: {answer}")
        return answer

    def set_profile(self, name, profile):
        """Both directions of the link of `name`: none, lan, wifi, wan, lte, or lopsided, which is 40 ms from it and 10 ms towards it."""
        self._ask(f"profile {name} {profile}")

    def stats(self):
        """(packets carried, dropped, mean lateness us, greatest lateness us) of the emulator itself."""
        carried, dropped, mean, worst = self._ask("stats").split()
        return int(carried), int(dropped), float(mean), float(worst)

    def popen(self, name, command, **options):
        """A process inside the namespace of `name`."""
        return subprocess.Popen(["ip", "netns", "exec", self._space(name), *command], **options)
