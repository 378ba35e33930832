#!/usr/bin/env python3
"""The shared clock between two processes whose monotonic clocks differ, beside GStreamer's network clock. Root, Linux.

    sudo bench_clock_live.py --build build [--rounds 3] [--profiles loopback lan wan wifi lte] [--json FILE] [--normal]
    sudo bench_clock_live.py --build build --change lan:wan wifi:lte lan:lopsided [--rounds 3] [--json FILE] [--normal]

Two network namespaces joined by the emulator of Benchmarks/network, a time namespace each: the raw clocks are 3,000 s apart,
and by how much is known exactly, which is the truth. Both clocks run at once, over the same link. |error| is read twenty
times a second, in three stretches after the start: 0 to 10 s, 10 to 30 s, 30 to 75 s.

How exactly that is known: the hub's clock is its machine's plus a constant that it tells; ours is a line, evaluated at the very
instant that it is compared at, so reading it adds nothing; GStreamer's is read between two readings of the own clock, and half
their distance, which is printed, is what that may add or take away.

With --change the path of guests who joined 40 s ago becomes another one, each guest's at the same moment and each behind a link of its
own; as many join then, over such a path. Their clocks run 100 ppm fast or slow in turn (libfaketime); what they take for the time is
compared with the true one, which the kernel tells beside each reading. From 20 s after the change on the first are to know the time
as well as the second, and what all of them state as their bound is to hold at every instant. GStreamer has no part in that, and is
not needed.

Everything runs with real-time priority, both clocks and the emulator alike, so that other programs of this machine matter
little; --normal: as usual.
"""

import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "network"), str(HERE.parent / "players")]
from emulated_network import EmulatedNetwork, unavailable  # noqa: E402
from systems import libfaketime, other_clock  # noqa: E402

SERVER_S, CLIENT_S = 5_000, 2_000
STRETCHES = {"0-10 s": (0, 10), "10-30 s": (10, 30), "30-75 s": (30, 75)}
PROFILES = ("loopback", "lan", "wan", "wifi", "lte")
#: What a path can become, and what of.
LINKS = ("lan", "wan", "wifi", "lte", "lopsided")
#: With --change: so many seconds after the first joined, so many guests before and after it; from when until when they are compared.
CHANGED_S, GUESTS, LEARNT_S, COMPARED_S = 40, 4, 20, 95
#: By how much the clocks of those guests are fast, in turn, parts per million.
PPM = (100, -100)
#: Readings of the first and of the second are of packets that met different delays: "as well" is up to this factor, and these ms.
ABOUT, LEAST_MS = 1.5, 0.1
PORT = 7_444


def missing(gstreamer):
    """What keeps this from running here, or None."""
    if reason := unavailable():
        return reason
    if shutil.which("unshare") is None:
        return "needs unshare (apt-get install util-linux)"
    if subprocess.run(["unshare", "--time", "--monotonic", "1", "true"], capture_output=True).returncode != 0:
        return "needs time namespaces (Linux 5.6 or newer)"
    if not gstreamer:
        return None if libfaketime() else "needs libfaketime for clocks that run fast and slow (apt-get install faketime)"
    probe = "import gi; gi.require_version('GstNet', '1.0'); from gi.repository import GstNet"
    if subprocess.run(["/usr/bin/python3", "-c", probe], capture_output=True).returncode != 0:
        return ("needs GStreamer for Python: apt-get install python3-gi gir1.2-gst-plugins-base-1.0 "
                "(SETUP_BENCH=1 make bench-clock-live does it)")
    return None


def clocked(seconds, command):
    return ["unshare", "--time", "--monotonic", str(seconds), "--fork", "--kill-child", *command]


def samples(output, truth_offset):
    """[(seconds since start, error ns, bound ns)]; `truth_offset`: what the shared clock is ahead of the reader's own."""
    rows = []
    for line in output.splitlines():
        _, since, host, value, bound, *_ = line.split()
        rows.append((int(since) / 1e9, int(value) - int(host) - truth_offset, int(bound)))
    return rows


def run(profile, seed, seconds, peer):
    names = ["server", "client"]
    with EmulatedNetwork(names, seed=seed) as network:
        client_node = "server" if profile == "loopback" else "client"
        address = "127.0.0.1" if profile == "loopback" else network.address["server"]
        if profile != "loopback":
            network.set_profile("client", profile)
        pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        gst = ["/usr/bin/python3", str(HERE / "gst_peer.py")]
        host = network.popen("server", clocked(SERVER_S, [peer, "host", f"{address}:{PORT}"]), **pipes)
        gst_host = network.popen("server", clocked(SERVER_S, [*gst, "host", address, str(PORT + 1)]), **pipes)
        invite = host.stdout.readline().split()[1]
        offset = int(host.stdout.readline().split()[1])
        if gst_host.stdout.readline() != "ready\n":
            raise RuntimeError("GStreamer's clock provider did not start")
        ahead = (SERVER_S - CLIENT_S) * 10**9
        guests = {
            "unisono": (network.popen(client_node, clocked(CLIENT_S, [peer, "guest", invite, str(seconds)]), **pipes),
                        ahead + offset),
            "gstreamer": (network.popen(client_node, clocked(
                CLIENT_S, [*gst, "guest", address, str(PORT + 1), str(seconds)]), **pipes), ahead)}
        result = {name: samples(guest.communicate(timeout=seconds + 60)[0], truth)
                  for name, (guest, truth) in guests.items()}
        for server in (host, gst_host):
            server.stdin.close()
            server.wait(timeout=10)
        return result


def run_change(before, after, seed, peer, folder):
    """{"joined before": readings, "joined after": readings}, of all guests of a kind: (seconds since the change, error ns, bound ns)."""
    early, late = ([f"{kind}{number}" for number in range(GUESTS)] for kind in ("early", "late"))
    with EmulatedNetwork(["server", *early, *late], seed=seed) as network:
        pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        host = network.popen("server", clocked(SERVER_S, [peer, "host", f"{network.address['server']}:{PORT}"]), **pipes)
        invite = host.stdout.readline().split()[1]
        truth = (SERVER_S - CLIENT_S) * 10**9 + int(host.stdout.readline().split()[1])

        def readings(process, seconds):
            output, _ = process.communicate(timeout=seconds + 60)
            if process.returncode != 0:
                raise RuntimeError(f"a guest ended with {process.returncode}")
            return output

        # A hundred seconds of readings are more than a pipe holds: each is emptied by a thread of its own.
        with concurrent.futures.ThreadPoolExecutor(2 * GUESTS) as pool:
            def begin(name, profile, seconds):
                network.set_profile(name, profile)
                clock = other_clock(PPM[int(name[-1]) % len(PPM)], folder)
                process = network.popen(name, clocked(CLIENT_S, [*clock, peer, "guest", invite, str(seconds)]), **pipes)
                return pool.submit(readings, process, seconds)

            first = [begin(name, before, CHANGED_S + COMPARED_S) for name in early]
            time.sleep(CHANGED_S)
            for name in early:
                network.set_profile(name, after)
            changed = time.monotonic_ns() + CLIENT_S * 10**9
            second = [begin(name, after, COMPARED_S) for name in late]
            result = {kind: [((instant - changed) / 1e9, error, bound) for one in outputs
                             for instant, error, bound in at_true_times(one.result(), truth)]
                      for kind, outputs in (("joined before", first), ("joined after", second))}
        host.stdin.close()
        host.wait(timeout=10)
        return result


def at_true_times(output, truth_offset):
    """[(true time ns, error ns, bound ns)]; `truth_offset`: what the shared clock is ahead of the true one of the guests' machine."""
    rows = (line.split() for line in output.splitlines())
    return [(int(true), int(value) - int(true) - truth_offset, int(bound)) for *_, value, bound, true in rows]


def change_figures(rounds, kind):
    rows = [row for one in rounds for row in one[kind]]
    learnt = [row for row in rows if row[0] >= LEARNT_S]
    errors = [abs(error) / 1e6 for _, error, _ in learnt]
    between = [abs(error) / 1e6 for since, error, _ in rows if 0 <= since < LEARNT_S]
    return dict(readings=len(rows), inside=sum(abs(error) <= bound for _, error, bound in rows) / max(1, len(rows)),
                between=max(between, default=math.nan), median=quantile(errors, 0.5), p95=quantile(errors, 0.95),
                max=max(errors, default=math.nan), bound=quantile([bound / 1e6 for *_, bound in learnt], 0.5))


def judge_change(name, both):
    """What does not hold, in words."""
    wrong = [f"{name}: the bound of who {kind} holds in {100 * one['inside']:.2f} % of {one['readings']} readings"
             for kind, one in both.items() if not one["inside"] >= 0.999]
    mine, limit = both["joined before"]["p95"], ABOUT * both["joined after"]["p95"] + LEAST_MS
    if not mine <= limit:
        wrong.append(f"{name}: p95 from {LEARNT_S} s after the change on is {mine:.3f} ms, promised is about a newcomer's: {limit:.3f}")
    return wrong


def changes(arguments, peer, how):
    """Prints the table; the figures and what does not hold."""
    print(f"|error| in ms, {arguments.rounds} rounds of {GUESTS} guests each, {PPM} ppm; {how}; load {os.getloadavg()[0]:.1f}\n")
    print(f"| path | guests | max 0-{LEARNT_S} s after | median from {LEARNT_S} s | p95 | max | stated bound | inside | readings |")
    print("|---|---|---|---|---|---|---|---|---|")
    everything, wrong = {}, []
    for before, after in arguments.change:
        name = f"{before} to {after}"
        with tempfile.TemporaryDirectory(prefix="unisono-bench-") as folder:
            rounds = [run_change(before, after, seed, peer, pathlib.Path(folder)) for seed in range(1, arguments.rounds + 1)]
        both = everything[name] = {kind: change_figures(rounds, kind) for kind in rounds[0]}
        for kind, one in both.items():
            print(f"| {name} | {kind} | {one['between']:.3f} | {one['median']:.3f} | {one['p95']:.3f} | {one['max']:.3f} | "
                  f"{one['bound']:.2f} | {100 * one['inside']:.2f} % | {one['readings']} |", flush=True)
        wrong += judge_change(name, both)
    return everything, wrong


def change_of(text):
    before, _, after = text.partition(":")
    if before not in LINKS or after not in LINKS:
        raise argparse.ArgumentTypeError(f"BEFORE:AFTER, each of {', '.join(LINKS)}")
    return before, after


def quantile(values, share):
    return sorted(values)[int((len(values) - 1) * share)] if values else math.nan


def figures(rounds, name):
    result = {}
    for stretch, (low, high) in STRETCHES.items():
        rows = [row for one in rounds for row in one[name] if low <= row[0] < high]
        errors = [abs(error) / 1e6 for _, error, _ in rows]
        result[stretch] = dict(median=quantile(errors, 0.5), p95=quantile(errors, 0.95), max=max(errors, default=math.nan))
        # A reading of the other clock is not quite of the instant that it is compared at.
        if name == "gstreamer":
            result[stretch]["reading"] = quantile([bound / 1e6 for *_, bound in rows], 0.95)
        else:
            result[stretch]["inside"] = sum(abs(error) <= bound for _, error, bound in rows) / max(1, len(rows))
            result[stretch]["bound"] = quantile([bound / 1e6 for *_, bound in rows], 0.5)
    first = [one[name][0] for one in rounds if one[name]]
    result["told after"] = quantile([row[0] for row in first], 0.5)
    result["first error"] = quantile([abs(row[1]) / 1e6 for row in first], 0.5)
    return result


def judge(profile, ours, theirs):
    """What does not hold, in words."""
    wrong = []

    def at_most(stretch, key, share):
        mine, limit = ours[stretch][key], theirs[stretch][key] * share
        if not mine <= limit:
            wrong.append(f"{profile}: {key} in {stretch} is {mine:.3f} ms, promised is at most {share:g} of GStreamer's: {limit:.3f}")

    if profile in ("loopback", "lan"):
        at_most("30-75 s", "median", 1)
        at_most("30-75 s", "p95", 1)
    else:
        at_most("30-75 s", "p95", 0.25)
        at_most("0-10 s", "p95", 0.5)
    for stretch in STRETCHES:
        if ours[stretch]["inside"] < 0.999:
            wrong.append(f"{profile}: the bound holds {100 * ours[stretch]['inside']:.2f} % of {stretch}")
    return wrong


def conclude(arguments, everything, wrong, names, how):
    """Keeps the figures and says whether all holds; the exit status."""
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(everything, file, indent=1)
    for line in wrong:
        print(f"does not hold: {line}")
    print(f"bench-clock-live: {'FAILED' if wrong else 'holds'}: {', '.join(names)}; {how}, load {os.getloadavg()[0]:.1f}")
    return 1 if wrong else 0


def raise_priority():
    """For this process and all that it starts; says what became of it."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    except OSError as error:
        return f"normal priority (real-time: {error.strerror})"
    return "real-time priority"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="where libunisono.so is")
    parser.add_argument("--profiles", nargs="+", choices=PROFILES, default=list(PROFILES))
    parser.add_argument("--change", nargs="+", type=change_of, metavar="BEFORE:AFTER", help="instead: paths that change after joining")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=75)
    parser.add_argument("--json", help="keep the figures here")
    parser.add_argument("--normal", action="store_true", help="no real-time priority")
    arguments = parser.parse_args()
    if reason := missing(gstreamer=not arguments.change):
        print(f"bench-clock-live: not run: {reason}")
        return 2
    build = pathlib.Path(arguments.build).resolve()
    peer = build / "clock_peer"
    subprocess.run(["cc", "-std=c11", "-O2", "-Wall", "-Wextra", f"-I{HERE.parent.parent / 'include'}", "-o", peer,
                    HERE / "clock_peer.c", f"-L{build}", "-lunisono", f"-Wl,-rpath,{build}"], check=True)
    how = raise_priority() if not arguments.normal else "normal priority"
    if arguments.change:
        everything, wrong = changes(arguments, str(peer), how)
        return conclude(arguments, everything, wrong, [f"{before} to {after}" for before, after in arguments.change], how)
    print(f"|error| in ms, median / p95, {arguments.rounds} rounds; {how}; load {os.getloadavg()[0]:.1f}\n")
    print("| profile | clock | " + " | ".join(STRETCHES) + " | max after 30 s | told after | first error | inside | bound |")
    print("|---|---|" + "---|" * (len(STRETCHES) + 5))
    everything, wrong = {}, []
    for profile in arguments.profiles:
        rounds = [run(profile, seed, arguments.seconds, str(peer)) for seed in range(1, arguments.rounds + 1)]
        both = {name: figures(rounds, name) for name in ("unisono", "gstreamer")}
        everything[profile] = both
        for name, one in both.items():
            cells = [f"{one[stretch]['median']:.3f} / {one[stretch]['p95']:.3f}" for stretch in STRETCHES]
            last = one["30-75 s"]
            extra = [f"{100 * min(one[s]['inside'] for s in STRETCHES):.1f} %", f"{last['bound']:.2f}"] if name == "unisono" else ["-", "-"]
            print(f"| {profile} | {name} | " + " | ".join(cells) + f" | {last['max']:.3f} | {one['told after']:.2f} s | "
                  f"{one['first error']:.3f} | " + " | ".join(extra) + " |", flush=True)
        wrong += judge(profile, both["unisono"], both["gstreamer"])
    reading = max(one["gstreamer"][stretch]["reading"] for one in everything.values() for stretch in STRETCHES)
    print(f"\nreading GStreamer's clock: within {1000 * reading:.1f} us in 95 of 100; ours: exact")
    return conclude(arguments, everything, wrong, arguments.profiles, how)


if __name__ == "__main__":
    sys.exit(main())
