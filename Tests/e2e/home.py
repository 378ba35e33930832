"""A home behind a router, and a friend elsewhere, in namespaces: `with Home(folder, "enable_natpmp=yes") as home: home.command("ann", [...])`.

ann (10.80.0.2) and ben (10.80.0.3) are at home, cem (45.80.0.9) is elsewhere. Between them is a router, 10.80.0.1 at home and 45.80.0.1
outside, which lets nothing in but what miniupnpd was asked for; without settings for that there is no miniupnpd.
"""

import os
import shutil
import subprocess

from hosts_support import until

OUTSIDE = "45.80.0.1"
MINIUPNPD = shutil.which("miniupnpd") or next((path for path in ("/usr/sbin/miniupnpd",) if os.path.exists(path)), None)
RULES = """
table inet filter {
  chain forward {
    type filter hook forward priority 0; policy drop;
    ct state established,related accept
    iifname "home" oifname "wan" accept
    jump miniupnpd
  }
  chain miniupnpd { }
  chain prerouting { type nat hook prerouting priority -100; policy accept; jump prerouting_miniupnpd; }
  chain prerouting_miniupnpd { }
  chain postrouting { type nat hook postrouting priority 100; policy accept; oifname "wan" masquerade; }
  chain postrouting_miniupnpd { }
}
"""
SETTINGS = """
ext_ifname=wan
listening_ip=home
port=0
secure_mode=yes
system_uptime=yes
upnp_table_name=filter
upnp_nat_table_name=filter
upnp_forward_chain=miniupnpd
upnp_nat_chain=prerouting_miniupnpd
upnp_nat_postrouting_chain=postrouting_miniupnpd
allow 1024-65535 10.80.0.0/24 1024-65535
deny 0-65535 0.0.0.0/0 0-65535
"""


def unavailable():
    """Why no such home can be had here, or None."""
    missing = [name for name in ("nft", "ip") if shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin") is None]
    if MINIUPNPD is None or missing:
        return "needs miniupnpd, nft and ip (apt-get install miniupnpd-nftables nftables iproute2)"
    return None


class Home:
    def __init__(self, folder, *settings, outside=OUTSIDE):
        self._folder = folder
        self._settings = settings
        self._outside = outside
        self._router = None

    def __enter__(self):
        try:
            for name in ("router", "switch", "ann", "ben", "cem"):
                self._ip("netns", "add", self.space(name))
                self._ip("-n", self.space(name), "link", "set", "lo", "up")
            self._ip("-n", self.space("switch"), "link", "add", "br0", "type", "bridge", "mcast_snooping", "0")
            self._ip("-n", self.space("switch"), "link", "set", "br0", "up")
            for place, name, own in ((1, "router", "home"), (2, "ann", "eth0"), (3, "ben", "eth0")):
                self._ip(
                    "-n", self.space("switch"), "link", "add", f"v{place}", "type", "veth", "peer", "name", own,
                    "netns", self.space(name))
                self._ip("-n", self.space("switch"), "link", "set", f"v{place}", "master", "br0", "up")
                self._up(name, own, f"10.80.0.{place}/24")
                if name != "router":
                    self._ip("-n", self.space(name), "route", "add", "default", "via", "10.80.0.1")
            self._ip(
                "-n", self.space("router"), "link", "add", "wan", "type", "veth", "peer", "name", "eth0", "netns", self.space("cem"))
            self._up("router", "wan", f"{self._outside}/24")
            self._up("cem", "eth0", self._outside.rsplit(".", 1)[0] + ".9/24")
            self.run("router", "sysctl", "-qw", "net.ipv4.ip_forward=1")
            self.run("router", "nft", "-f", "-", input=RULES)
            if self._settings:
                self._start_router()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.stop_router()
        for name in ("router", "switch", "ann", "ben", "cem"):
            self._ip("netns", "del", self.space(name), check=False)

    def _start_router(self):
        path = self._folder / "miniupnpd.conf"
        path.write_text(SETTINGS + "\n".join(self._settings) + "\n")
        log = open(self._folder / "miniupnpd.log", "w")
        self._router = subprocess.Popen(
            self.command("router", [MINIUPNPD, "-d", "-f", path, "-P", self._folder / "miniupnpd.pid"]), stdout=log, stderr=log)
        until(lambda: ":5351" in self.run("router", "ss", "-lunH") or "isten" in self.router_log, "the router listened")

    def stop_router(self):
        """It answers no more, and what it let in stays."""
        if self._router is not None:
            self._router.kill()
            self._router.wait()
            self._router = None

    def restart_router(self):
        """It has forgotten all."""
        self.stop_router()
        self.run("router", "nft", "flush", "chain", "inet", "filter", "prerouting_miniupnpd")
        self.run("router", "nft", "flush", "chain", "inet", "filter", "miniupnpd")
        self._start_router()

    def drop_natpmp(self):
        """Of the two that the router speaks at one port it hears PCP alone: the first byte of the other is 0."""
        rule = ["input", "udp", "dport", "5351", "@th,64,8", "0", "drop"]
        self.run("router", "nft", "add", "chain", "inet", "filter", "input", "{ type filter hook input priority 0; }")
        self.run("router", "nft", "add", "rule", "inet", "filter", *rule)

    @property
    def router_log(self):
        return (self._folder / "miniupnpd.log").read_text()

    @property
    def let_in(self):
        """What the router sends on from outside: (protocol, port outside)."""
        rules = self.run("router", "nft", "list", "chain", "inet", "filter", "prerouting_miniupnpd").splitlines()
        # As miniupnpd writes it, nft shows the protocol by its number in the packet's head.
        names = {"0x6": "tcp", "0x11": "udp"}
        words = [line.split() for line in rules if "dnat" in line]
        return {(names[line[line.index("@nh,72,8") + 1]], int(line[line.index("dport") + 1])) for line in words}

    def command(self, name, command):
        """`command`, to be run on that host."""
        return ["ip", "netns", "exec", self.space(name), *map(str, command)]

    def run(self, name, *command, input=None):
        return subprocess.run(self.command(name, command), check=True, capture_output=True, text=True, input=input).stdout

    @staticmethod
    def space(name):
        return f"unisono-{os.getpid()}-{name}"

    def _up(self, name, link, address):
        self._ip("-n", self.space(name), "addr", "add", address, "dev", link)
        self._ip("-n", self.space(name), "link", "set", link, "up")

    @staticmethod
    def _ip(*arguments, check=True):
        subprocess.run(["ip", *arguments], check=check, capture_output=True)
