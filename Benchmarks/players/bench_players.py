#!/usr/bin/env python3
"""Skew and latency of two mpv hosts over an emulated network, with Syncplay beside them in the same run.

    sudo make bench-players                                     profiles none and wan, 5 rounds each
    sudo make bench-players BENCH_ARGS="--profiles none --rounds 1 --steady 5"

Each round: play, steady play, seek while playing, pause, seek while paused, resume, pause. Both players are sampled from
outside at 20 Hz through audio-pts. Linux, root (network namespaces); mpv, ffmpeg, and for the comparison syncplay."""

import argparse
import json
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "network")]

from emulated_network import EmulatedNetwork, unavailable  # noqa: E402
from mpv_ipc import skew, summary  # noqa: E402
from systems import Syncplay, Unisono, wait_until  # noqa: E402

SAMPLE = 0.05
# What the project promises of its own figures: p95 of |skew| and medians of command latencies, in ms.
LIMITS = {
    "none": {"skew": 5, "play": 80, "pause": 15, "seek_paused": 60},
    "wan": {"skew": 15, "play": 260, "pause": 130},
}


def make_media(folder):
    """Eleven minutes of picture and sound, small."""
    path = folder / "film.mkv"
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=25", "-f", "lavfi", "-i",
                    "sine=frequency=440:sample_rate=48000", "-t", "660", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25",
                    "-c:a", "aac", str(path)], check=True)
    return path


def sample(players, seconds, skip=0.0):
    """Skews over a stretch of play, leaving out its first `skip` seconds."""
    a, b = players
    start = time.monotonic()
    rows, due = [], start
    while time.monotonic() < start + seconds:
        value = skew(a, b)
        if time.monotonic() - start >= skip:
            rows.append(value)
        due += SAMPLE
        time.sleep(max(0, due - time.monotonic()))
    return rows


def until_both(players, done, limit=15):
    """Seconds until `done` held once for each player."""
    start = time.monotonic()
    waiting = set(players)
    while waiting:
        waiting -= {player for player in waiting if done(player)}
        if time.monotonic() - start > limit:
            return None
        time.sleep(0.001)
    return time.monotonic() - start


def near(target, tolerance=0.3):
    """Whether a player has come to `target`; time-pos, because audio-pts says nothing while paused."""
    def done(player):
        position = player.get("time-pos")
        return position is not None and not player.get("seeking") and target - 0.06 <= position < target + tolerance
    return done


def one_round(system, players, steady, rng, number):
    a, b = players
    result = {"skew": []}
    time.sleep(rng.uniform(0.2, 1.4))  # a random phase against anybody's timers
    system.play(a)
    result["play"] = until_both(players, lambda p: p.moving())
    result["skew"] += sample(players, 5 + steady, skip=0.5)

    target = 60 + 70 * number + rng.uniform(0, 20)
    system.seek(a, target)
    result["seek_playing"] = until_both(players, near(target, 12))
    result["skew"] += sample(players, 5, skip=0.5)

    time.sleep(rng.uniform(0.2, 1.4))
    system.pause(a)
    result["pause"] = until_both(players, lambda p: p.get("pause") is True)
    time.sleep(1.5)
    first, second = a.get("time-pos"), b.get("time-pos")
    result["paused_apart"] = None if None in (first, second) else abs(first - second)

    target = 80 + 70 * number + rng.uniform(0, 20)
    system.seek(a, target)
    result["seek_paused"] = until_both(players, near(target))
    time.sleep(1.5)

    system.play(a)
    result["resume"] = until_both(players, lambda p: p.moving())
    result["skew"] += sample(players, 5, skip=0.5)
    system.pause(a)
    until_both(players, lambda p: p.get("pause") is True)
    time.sleep(2)
    return result


def measure(kind, network, profile, arguments, media, folder):
    for name in network.names:
        network.set_profile(name, "none")
    with kind(network, folder / f"{kind.name}-{profile}") as system:
        players = system.start(arguments.build, media)
        wait_until(lambda: all((p.get("duration") or 0) > 100 for p in players), "loading of the file", 40, 0.1)
        for name in ("a", "b"):
            network.set_profile(name, profile)
        time.sleep(arguments.settle)
        rng = random.Random(arguments.seed)
        rounds = []
        for number in range(arguments.rounds):
            rounds.append(one_round(system, players, arguments.steady, rng, number))
            seen = summary(rounds[-1]["skew"])
            print(f"  {kind.name:8} {profile:5} round {number + 1}: skew median {seen.get('median')} p95 {seen.get('p95')} ms", flush=True)
    latencies = {}
    for key in ("play", "seek_playing", "pause", "seek_paused", "resume", "paused_apart"):
        values = [r[key] for r in rounds]
        latencies[key] = None if None in values else round(statistics.median(values) * 1e3, 1)
    return {"skew": summary([v for r in rounds for v in r["skew"]]), **latencies}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--profiles", nargs="+", default=["none", "wan"], choices=["none", "lan", "wifi", "wan", "lte"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steady", type=float, default=30)
    parser.add_argument("--settle", type=float, default=15, help="seconds between joining and the first round")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--media", type=pathlib.Path)
    parser.add_argument("--only", choices=["unisono", "syncplay"])
    parser.add_argument("--second", choices=["c", "python"], default="c", help="which sample mpv host player B is")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.build = arguments.build.resolve()
    Unisono.second = arguments.second

    problem = unavailable()
    for tool in ("mpv", "ffmpeg"):
        if problem is None and shutil.which(tool) is None:
            problem = f"needs {tool} (apt-get install {tool})"
    if problem:
        sys.exit(f"bench-players: {problem}")
    systems = [kind for kind in (Unisono, Syncplay) if arguments.only in (None, kind.name)]
    if Syncplay in systems and shutil.which("syncplay-server") is None:
        print("bench-players: no Syncplay here (apt-get install syncplay syncplay-server): measured without it")
        systems.remove(Syncplay)

    results, failed = {}, []
    with tempfile.TemporaryDirectory(prefix="unisono-bench-") as work, EmulatedNetwork(["a", "b", "s"]) as network:
        folder = pathlib.Path(work)
        media = arguments.media.resolve() if arguments.media else make_media(folder)
        for profile in arguments.profiles:
            for kind in systems:
                results[f"{kind.name} {profile}"] = measure(kind, network, profile, arguments, media, folder)

    print(f"\n{'ms':18}{'skew med':>9}{'p95':>9}{'max':>9}{'play':>8}{'pause':>8}{'resume':>8}{'seek':>8}{'paused seek':>12}{'paused apart':>13}")
    for name, row in results.items():
        s = row["skew"]
        print(f"{name:18}{s.get('median')!s:>9}{s.get('p95')!s:>9}{s.get('max')!s:>9}{row['play']!s:>8}{row['pause']!s:>8}"
              f"{row['resume']!s:>8}{row['seek_playing']!s:>8}{row['seek_paused']!s:>12}{row['paused_apart']!s:>13}")
        system, profile = name.split()
        for what, limit in LIMITS.get(profile, {}).items() if system == "unisono" else ():
            value = s.get("p95") if what == "skew" else row[what]
            if value is None or value > limit:
                failed.append(f"{profile}: {what} {value} ms, promised {limit}")
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1))
    print("verdict: " + ("; ".join(failed) if failed else "all within what is promised"))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
