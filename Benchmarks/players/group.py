"""Eight mpv hosts in one session, each in a namespace of its own: how far apart any two of them are while a film plays."""

import itertools
import subprocess
import time

from mpv_ipc import MpvIpc, summary
from systems import Unisono, wait_until

COUNT = 8
#: Between joining and play, seconds: a path of much jitter is asked often for so long.
SETTLE = 120.0
#: Between two looks at all of them, seconds.
SAMPLE = 0.25
#: Skew counts from so long after the start on, seconds.
COUNTED_FROM = 20.0
#: p95 of |skew| of the worst pair, ms, that is promised.
LIMITS = {"none": 1, "wan": 2}
NAMES = [chr(ord("a") + i) for i in range(COUNT)]


class Group(Unisono):
    name = "group"

    def start(self, build, media):
        first = super().start(build, media)
        invite = (self.folder / "invite").read_text().strip()
        others = []
        for name in NAMES[2:]:
            socket = self.folder / f"{name}.sock"
            self.spawn(name, [build / "mpv_host", "join", invite, "--ipc", socket, "--name", name.upper(), "--item", "film", "--snap",
                              "--vo", "null", "--ao", "null", media], f"host_{name}", stdin=subprocess.PIPE)
            others.append(socket)
        return [*first, *map(MpvIpc, others)]


def places(players):
    """Where each would be at one instant, seconds; None where one has no place."""
    found = [player.position() for player in players]
    return [None if place is None else place - at for place, at in found]


def pairs(rows):
    """By pair of names p95, ms, over all looks; one that had no place is no small distance."""
    found = {}
    for i, k in itertools.combinations(range(COUNT), 2):
        apart = [row[i] - row[k] if None not in (row[i], row[k]) else float("inf") for row in rows]
        found[NAMES[i] + NAMES[k]] = summary(apart)["p95"]
    return found


def measure_group(network, profile, arguments, media, folder):
    for name in network.names:
        network.set_profile(name, "none" if name == "s" else profile)
    with Group(network, folder / f"group-{profile}") as system:
        players = system.start(arguments.build, media)
        wait_until(lambda: all(p.loaded for p in players), "loading of the file", 60, 0.1)
        time.sleep(max(SETTLE, arguments.settle))
        system.play(None)
        wait_until(lambda: all(p.moving() for p in players), "the common start", 30, 0.05)
        begun, rows = time.monotonic(), []
        while time.monotonic() < begun + COUNTED_FROM + arguments.group_seconds:
            row = places(players)
            if time.monotonic() > begun + COUNTED_FROM:
                rows.append(row)
            time.sleep(SAMPLE)
    apart = pairs(rows)
    worst = max(apart, key=apart.get)
    return {"looks": len(rows), "worst": worst, "p95": apart[worst],
            "median": sorted(apart.values())[len(apart) // 2], "pairs": apart}


def show_group(results):
    for profile, row in results.items():
        print(f"{COUNT} hosts, {profile}: p95 of |skew| {row['p95']} ms between the worst two ({row['worst']}), {row['median']} ms in the "
              f"middle of {len(row['pairs'])} pairs; {row['looks']} looks")


def judge_group(results):
    """What is not as promised."""
    return [f"{COUNT} hosts, {profile}: {row['worst']} are {row['p95']} ms apart, promised {LIMITS[profile]}"
            for profile, row in results.items() if row["p95"] > LIMITS.get(profile, float("inf"))]
