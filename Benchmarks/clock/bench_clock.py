#!/usr/bin/env python3
"""How near the clock filter comes to the truth, beside others on the same exchanges. Standard library only.

    bench_clock.py --replay build/clock-replay [--seeds 12] [--profiles lan wan ...] [--json FILE]

One exchange a second for twenty minutes, per profile, drift and seed; first with the seeds on which the filter was tuned, then
with as many that it never saw, which are what is printed and counts most. Errors are read at the end of each exchange, from the
third minute on; the bound is tried from the first exchange on, at its end, half-way to the next, and just before it. The
exit status is 0 only if, with either seeds, in every cell ours is not worse than the best of the others by more than 10 % (median and p95), the
bound holds in 99.9 % of the instants, and ours is better in the geometric mean.
"""

import argparse
import json
import math
import multiprocessing
import os
import subprocess
import sys

from references import REFERENCES, ShortestRoundTrip
from traces import PROFILES, Trace

DRIFTS_PPM = (0, 20, 100)
WARM_UP_NS = 120e9
OURS = "unisono"
# The first seed of those that the filter was tuned on, and of those that it never saw.
TUNED, HELD_OUT = 1, 101
WORST_RATIO = 1.1
LEAST_COVER = 0.999
# An error counts as under its target once it has stayed there for this long.
STEADY_NS = 30e9


class Ours:
    """The models that the filter of this project stated, one after each exchange."""

    def __init__(self, replay, exchanges):
        text = "".join(" ".join(map(str, exchange)) + "\n" for exchange in exchanges)
        lines = subprocess.run([replay], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
        self.models = []
        for line in lines:
            host, remote, rate, bound, growth, published, published_bound = line.split()
            self.models.append((int(host), int(remote), float(rate), int(bound), float(growth), int(published),
                                int(published_bound)))

    def offset(self, index, host):
        at, remote, rate = self.models[index][:3]
        return remote - at + (rate - 1) * (host - at)

    def bound(self, index, host):
        at, _, _, bound, growth, _, _ = self.models[index]
        return bound + growth * max(0, host - at)


def quantile(values, share):
    return sorted(values)[int((len(values) - 1) * share)] if values else math.nan


def time_until(series, target):
    """Seconds until `series` of (host ns from the start, |error|) stays under `target` for a while; inf: never."""
    since = None
    for at, error in series:
        if error > target:
            since = None
        elif since is None:
            since = at
        if since is not None and at - since >= STEADY_NS:
            return since / 1e9
    return math.inf


def path_bound(trace):
    """What the shortest of 64 round trips proves in the median, ns: half of what it took too long, and the asymmetry."""
    trips = [(answered - asked) - (replied - received) for asked, received, replied, answered in trace.exchanges]
    floor = sum(trace.floors_ms) * 1e6
    best = [min(trips[max(0, i - 63):i + 1]) for i in range(63, len(trips))]
    return max(0.0, quantile(best, 0.5) - floor) / 2 + trace.asymmetry_ms * 1e6


def run(job):
    profile, drift, seed, count, replay = job
    trace = Trace(profile, drift, seed, count)
    ours = Ours(replay, trace.exchanges)
    filters = {name: make() for name, make in REFERENCES.items()}
    errors = {name: [] for name in [OURS, *filters]}
    series = {name: [] for name in errors}
    start = trace.exchanges[0][0]
    inside = instants = played_inside = 0
    for index, exchange in enumerate(trace.exchanges):
        host = exchange[3]
        truth = trace.offset(host)
        found = {OURS: ours.offset(index, host) - truth}
        for name, one in filters.items():
            one.add(exchange)
            found[name] = one.offset(host) - truth
        for name, error in found.items():
            series[name].append((host - start, abs(error)))
            if host - start >= WARM_UP_NS:
                errors[name].append(abs(error))
        following = trace.exchanges[index + 1][3] if index + 1 < len(trace.exchanges) else host + 10**9
        for instant in (host, (host + following) // 2, following - 1):
            instants += 1
            inside += abs(ours.offset(index, instant) - trace.offset(instant)) <= ours.bound(index, instant)
        _, _, _, _, _, published, published_bound = ours.models[index]
        played_inside += abs(published - host - truth) <= published_bound
    # Rounding of the clocks, for the paths without any jitter.
    target = max(1e6, path_bound(trace) + 2_000)
    return dict(
        profile=profile, drift=drift, seed=seed, errors=errors, instants=instants, inside=inside,
        played=len(trace.exchanges), played_inside=played_inside,
        until={name: time_until(one, target) for name, one in series.items()},
        bounds=[ours.bound(i, e[3]) for i, e in enumerate(trace.exchanges) if e[3] - start >= WARM_UP_NS])


def cell(results):
    """The results of all seeds of one profile and drift, ms and s."""
    figures = {}
    for name in [OURS, *REFERENCES]:
        errors = sorted(error / 1e6 for result in results for error in result["errors"][name])
        figures[name] = dict(
            median=quantile(errors, 0.5), p95=quantile(errors, 0.95), max=errors[-1],
            until=quantile([result["until"][name] for result in results], 0.5))
    best = {key: min(figures[name][key] for name in REFERENCES) for key in ("median", "p95")}
    return dict(
        profile=results[0]["profile"], drift=results[0]["drift"], figures=figures,
        ratio={key: figures[OURS][key] / best[key] for key in best},
        cover=sum(result["inside"] for result in results) / sum(result["instants"] for result in results),
        played_cover=sum(r["played_inside"] for r in results) / sum(r["played"] for r in results),
        bound=quantile([bound / 1e6 for result in results for bound in result["bounds"]], 0.5))


def number(value):
    return "-" if math.isinf(value) else f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 10 else f"{value:.1f}"


def table(cells):
    names = [OURS, *REFERENCES]
    lines = ["| profile | ppm | " + " | ".join(f"{name}" for name in names)
             + " | to the best | max | bound | inside | until |",
             "|---|---|" + "---|" * (len(names) + 5)]
    for one in cells:
        columns = [f"{number(one['figures'][name]['median'])} / {number(one['figures'][name]['p95'])}" for name in names]
        quickest = min(one["figures"][name]["until"] for name in REFERENCES)
        lines.append(
            f"| {one['profile']} | {one['drift']} | " + " | ".join(columns)
            + f" | {one['ratio']['median']:.2f} / {one['ratio']['p95']:.2f} | {number(one['figures'][OURS]['max'])} | "
            + f"{number(one['bound'])} | {100 * one['cover']:.2f} % | "
            + f"{one['figures'][OURS]['until']:.0f} / {quickest:.0f} s |")
    return "\n".join(lines)


def judge(cells):
    """What does not hold, in words."""
    wrong = []
    for one in cells:
        where = f"{one['profile']} at {one['drift']} ppm"
        for key, ratio in one["ratio"].items():
            if ratio > WORST_RATIO:
                wrong.append(f"{where}: {key} is {ratio:.2f} of the best other's, at most {WORST_RATIO} is allowed")
        for key, what in (("cover", "the bound"), ("played_cover", "the bound while something plays")):
            if one[key] < LEAST_COVER:
                wrong.append(f"{where}: {what} holds {100 * one[key]:.3f} % of the time, 99.9 % are promised")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replay", required=True, help="the filter of this project, built from replay.swift")
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--profiles", nargs="+", choices=PROFILES, default=list(PROFILES))
    parser.add_argument("--count", type=int, default=1200, help="exchanges of a trace")
    parser.add_argument("--json", help="keep the figures here")
    arguments = parser.parse_args()
    with multiprocessing.Pool() as pool:
        tuned, held_out = (measure(pool, arguments, first) for first in (TUNED, HELD_OUT))
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(held_out, file, indent=1)
    last = HELD_OUT + arguments.seeds - 1
    print(f"error in ms, median / p95, seeds {HELD_OUT} to {last}; unisono, then the others; max, bound (median): unisono's;\n"
          "to the best: unisono's over the best of the others; until: under 1 ms or the path's bound, unisono / best other\n")
    print(table(held_out))
    tuned_wrong, tuned_line = verdict(tuned)
    wrong, line = verdict(held_out)
    print()
    for what, lines in (("tuned on", tuned_wrong), ("held out", wrong)):
        for one in lines:
            print(f"does not hold ({what}): {one}")
    print(f"seeds {TUNED} to {TUNED + arguments.seeds - 1}, on which the filter was tuned: {tuned_line}")
    print(f"bench-clock: {'FAILED' if wrong or tuned_wrong else 'holds'}: seeds {HELD_OUT} to {last}, which it never saw: {line}")
    return 1 if wrong or tuned_wrong else 0


def measure(pool, arguments, first):
    """The cells of all profiles and drifts with the seeds from `first` on."""
    jobs = [(profile, drift, seed, arguments.count, os.path.abspath(arguments.replay))
            for profile in arguments.profiles for drift in DRIFTS_PPM for seed in range(first, first + arguments.seeds)]
    results = pool.map(run, jobs, chunksize=1)
    return [cell([r for r in results if (r["profile"], r["drift"]) == (profile, drift)])
            for profile in arguments.profiles for drift in DRIFTS_PPM]


def verdict(cells):
    """What does not hold, and all of it in a line."""
    ratios = [ratio for one in cells for ratio in one["ratio"].values()]
    better = math.exp(-sum(map(math.log, ratios)) / len(ratios))
    wrong = judge(cells)
    if better <= 1:
        wrong.append(f"in the geometric mean the best of the others is better: {better:.2f}")
    return wrong, (f"{len(cells)} cells, error {better:.2f} times smaller than the best other's (geometric mean), worst cell "
                   f"{max(ratios):.2f} of it, bound true in at least {100 * min(one['cover'] for one in cells):.2f} % of the time")


if __name__ == "__main__":
    sys.exit(main())
