"""A local network of hosts in namespaces joined by a bridge: `with Lan(["tv", "phone"]) as lan: lan.command("tv", [...])`.

Everything lives in namespaces of its own, the bridge too, so nothing of the machine's own network is touched.
"""

import os
import shutil
import subprocess


def unavailable():
    """Why no such network can be had here, or None."""
    if os.geteuid() != 0:
        return "needs root for network namespaces: run it with sudo"
    if shutil.which("ip") is None:
        return "needs the command ip (apt-get install iproute2)"
    probe = f"unisono-{os.getpid()}-probe"
    made = subprocess.run(["ip", "netns", "add", probe], capture_output=True, text=True)
    subprocess.run(["ip", "netns", "del", probe], capture_output=True)
    return None if made.returncode == 0 else f"no network namespaces here: {made.stderr.strip()}"


class Lan:
    def __init__(self, names):
        self.names = list(names)
        self.address = {name: f"10.79.0.{i + 1}" for i, name in enumerate(self.names)}

    def __enter__(self):
        try:
            self._ip("netns", "add", self._space("bridge"))
            bridge = self._space("bridge")
            self._ip("-n", bridge, "link", "add", "br0", "type", "bridge", "mcast_snooping", "0")
            self._ip("-n", bridge, "link", "set", "br0", "up")
            for i, name in enumerate(self.names):
                space = self._space(name)
                self._ip("netns", "add", space)
                self._ip("-n", space, "link", "set", "lo", "up")
                self._ip("-n", bridge, "link", "add", f"v{i}", "type", "veth", "peer", "name", "eth0", "netns", space)
                self._ip("-n", bridge, "link", "set", f"v{i}", "master", "br0", "up")
                self.connect(name)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for name in [*self.names, "bridge"]:
            self._ip("netns", "del", self._space(name), check=False)

    def connect(self, name):
        """Its interface is up, with its address."""
        self._ip("-n", self._space(name), "link", "set", "eth0", "up")
        self._ip("-n", self._space(name), "addr", "replace", f"{self.address[name]}/24", "dev", "eth0")

    def disconnect(self, name):
        """Its interface is down: the machine is gone for everybody, without a goodbye."""
        self._ip("-n", self._space(name), "link", "set", "eth0", "down")

    def command(self, name, command):
        """`command`, to be run on that host."""
        return ["ip", "netns", "exec", self._space(name), *map(str, command)]

    def _space(self, name):
        return f"unisono-{os.getpid()}-{name}"

    @staticmethod
    def _ip(*arguments, check=True):
        subprocess.run(["ip", *arguments], check=check, capture_output=True)
