#!/usr/bin/env python3
"""The page of a guest in Chromium beside the mpv of `unisono watch`, over an emulated network: how far apart they are, and what becomes
of it when the network changes, the hub is gone, the tab is hidden, and the device sleeps.

    sudo make bench-web                                                     profiles none and wan: a quarter of an hour
    sudo make bench-web BENCH_ARGS="--profiles none --scenes together --seconds 60"

Browser, mpv and hub have a host each; on wan browser and mpv are 100 ms apart, one way, +-40 ms. Both have the film on disk. Nothing looks
at them over the network: the page is asked by the DevTools protocol, mpv by its IPC. Linux, root (network namespaces); node, chromium,
mpv, ffmpeg."""

import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "network"), str(HERE.parent / "players")]

from emulated_network import EmulatedNetwork, unavailable  # noqa: E402
from systems import PROFILES, System, wait_until  # noqa: E402

SCENES = ("together", "elsewhere", "hub", "hidden", "sleep")
#: The browser's device, and the network that it goes to; who has mpv; the hub.
HOSTS = ("browser", "mobile", "mpv", "hub")
#: By profile: p95 of |skew|, ms, and how far apart both begin, median.
LIMITS = {"none": {"skew": 20, "starts": 40}, "wan": {"skew": 30, "starts": 40}}
#: Skew counts from so long after a command on, ms; and once players have settled.
COUNTED_FROM, SETTLED_FROM = 500, 3000
#: In step again so long after the hub was back, the network another one, or the device awake, s.
RECOVERY = 30
#: And what the other network is like.
WORSE = {"none": "wan", "lan": "wan", "wifi": "lte", "wan": "lte", "lte": "lte"}
#: For so long its device is in no network, s: the browser sees that.
GAP = 1
FILM_SECONDS = 300


def make_film(folder):
    path = folder / "film.webm"
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=25", "-f", "lavfi", "-i",
                    "sine=frequency=440:sample_rate=48000", "-t", str(FILM_SECONDS), "-c:v", "libvpx", "-deadline", "realtime",
                    "-cpu-used", "8", "-b:v", "100k", "-g", "25", "-c:a", "libopus", "-b:a", "48k", str(path)], check=True)
    return path


class Watching(System):
    """A hub that serves the page, and `unisono watch` at it."""

    def start(self, build, film):
        listen = f"{self.network.address['hub']}:7400"
        self._hub_command = [build / "unisono", "hub", "--open", "--listen", listen, "--key", self.folder / "hub.key",
                             "--web", build / "web" / "unisono"]
        line = subprocess.check_output([*map(str, self._hub_command), "--print-line"], text=True).strip()
        self.start_hub()
        settings, self.socket = self.folder / "agent.toml", self.folder / "mpv.sock"
        settings.write_text("")
        run = self.folder / "run"
        run.mkdir(mode=0o700)
        environment = dict(os.environ, XDG_RUNTIME_DIR=str(run), DISPLAY="", WAYLAND_DISPLAY="")
        self.spawn("mpv", [build / "unisono", "watch", film, "--hub", line, "--name", "Ann", "--config", settings, "--", "--no-config",
                           "--vo=null", "--ao=null", f"--input-ipc-server={self.socket}"], "watch", env=environment)
        said = self.folder / "watch.log"
        invite = wait_until(lambda: re.search(r"unisono://\S+", said.read_text()), f"an invite in {said}")[0]
        return f"http://{listen}/page/#{invite}"

    def start_hub(self):
        self._hub = self.spawn("hub", self._hub_command, "hub")

    def kill_hub(self):
        self._hub.kill()
        self._hub.wait()


def go_elsewhere(network, profile):
    network.set_profile("mobile", WORSE[profile])
    network.roam("browser", "mobile", gap=GAP)


def measure(profile, arguments, film, folder):
    """Figures by scene."""
    with EmulatedNetwork(HOSTS, arguments.seed) as network, Watching(network, folder) as watching:
        for host in ("browser", "mpv"):
            network.set_profile(host, profile)
        address = watching.start(arguments.build, film)
        acts = {"go elsewhere": lambda: go_elsewhere(network, profile), "kill the hub": watching.kill_hub, "start the hub": watching.start_hub}
        told = {"address": address, "film": str(film), "socket": str(watching.socket), "scenes": arguments.scenes,
                "seconds": arguments.seconds, "away": arguments.away, "limit": LIMITS.get(profile, LIMITS["wan"])["skew"]}
        with open(folder / "page.log", "wb") as log:
            node = network.popen("browser", ["node", str(HERE / "beside_mpv.mjs"), json.dumps(told)], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, stderr=log, text=True, bufsize=1)
        found = {}
        for line in node.stdout:
            heard = json.loads(line)
            if "ask" in heard:
                acts[heard["ask"]]()
                node.stdin.write("done\n")
            elif "scene" in heard:
                found[heard["scene"]] = heard
                print(f"  {profile}: {described(heard)}", flush=True)
            else:
                print(f"  {profile}: the page's console: {heard['line']}", flush=True)
        if node.wait() != 0:
            print((folder / "page.log").read_text(), file=sys.stderr)
        print(f"  {profile}: emulator: packets carried, dropped, late in the mean and at most, us: {network.stats()}", flush=True)
    return found


def skews_of(rows, since=COUNTED_FROM):
    return [skew for after, skew in rows if after >= since]


def spread(values):
    """Median, p95 and greatest of |values|, ms."""
    ordered = sorted(map(abs, values))
    if not ordered:
        return None, None, None
    return tuple(round(value, 1) for value in (statistics.median(ordered), ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))], ordered[-1]))


def described(scene):
    if "failed" in scene:
        return f"{scene['scene']}: {scene['failed']}"
    parts = []
    for name in ("skews", "skewsAway", "starts"):
        if name in scene and name != "starts":
            for what, since in (("", COUNTED_FROM), (" settled", SETTLED_FROM)):
                counted = skews_of(scene[name], since)
                parts.append(f"{name}{what} median, p95, max of {len(counted)}: {', '.join(map(str, spread(counted)))} ms")
        elif name in scene:
            parts.append(f"{name} median, p95, max of {len(scene[name])}: {', '.join(map(str, spread(scene[name])))} ms")
    for name in ("play", "pause", "seek"):
        if scene.get(name):
            parts.append(f"{name} {statistics.median(scene[name]):.0f} ms")
    for name in ("heard", "lost", "back", "inStep"):
        if scene.get(name) is not None:
            parts.append(f"{name} after {scene[name] / 1000:.1f} s")
    if "standing" in scene:
        parts.append(f"stood {scene['standing']:.1f} s apart then")
    if "wentOn" in scene:
        parts.append(f"mpv went on by {scene['wentOn']:.1f} s")
    return f"{scene['scene']}: {'; '.join(parts)}"


def judge(profile, found, arguments):
    """What is not as promised."""
    failed = [f"{name}: no figures" for name in arguments.scenes if name not in found]
    limits = LIMITS.get(profile)
    for name, scene in found.items():
        if "failed" in scene:
            failed.append(f"{name}: {scene['failed']}")
            continue
        if limits is None:
            continue
        skew = spread(skews_of(scene["skews"]))[1]
        if name != "elsewhere" and skew > limits["skew"]:
            failed.append(f"{name}: skew p95 {skew} ms, promised {limits['skew']}")
        if "starts" in scene and spread(scene["starts"])[0] > limits["starts"]:
            failed.append(f"{name}: begun {spread(scene['starts'])[0]} ms apart, promised {limits['starts']}")
        if scene.get("inStep") is not None and scene["inStep"] > RECOVERY * 1000:
            failed.append(f"{name}: in step again after {scene['inStep'] / 1000:.1f} s, promised {RECOVERY}")
    return [f"{profile}: {each}" for each in failed]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--profiles", nargs="+", default=["none", "wan"], choices=PROFILES)
    parser.add_argument("--scenes", nargs="+", default=list(SCENES), choices=SCENES)
    parser.add_argument("--seconds", type=float, default=120, help="of play, pause and seek from both sides; a round is always finished")
    parser.add_argument("--away", type=float, default=60, help="seconds for which the tab is hidden, the device sleeps, the hub is gone")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", type=pathlib.Path, help="keeps the figures, every sample among them")
    arguments = parser.parse_args()
    arguments.build = arguments.build.resolve()

    problem = unavailable()
    for tool in ("node", "chromium", "mpv", "ffmpeg"):
        if problem is None and shutil.which(tool) is None:
            problem = f"needs {tool}"
    if problem:
        sys.exit(f"bench-web: {problem}")
    results, failed = {}, []
    with tempfile.TemporaryDirectory(prefix="unisono-bench-") as work:
        film = make_film(pathlib.Path(work))
        for profile in arguments.profiles:
            results[profile] = measure(profile, arguments, film, pathlib.Path(work) / profile)
            failed += judge(profile, results[profile], arguments)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1))
    print("verdict: " + ("; ".join(failed) if failed else "all within what is promised"))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
