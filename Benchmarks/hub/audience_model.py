#!/usr/bin/env python3
"""N31: a pause for 100,000 who listen at the hubs of a set: when all hubs have written it, and when who listens has it. A model, no machine.

A line of one publisher goes to its hub over an access network, from there to the other hubs over the service between them, and from each
hub to its listeners in turns of 256, one after the other. What a turn takes is the measured cost of a delivery (docs/benchmarks.md); between
two turns the hub waits 50 us and does what else it has to do. Each listener has an access network of its own, which loses packets.

Each round of random numbers is its seed's, so that the same arguments give the same figures.

audience_model.py [--listeners N] [--hubs N …] [--cost US …] [--rounds N] [--busy SHARE]
"""

import argparse
import math
import random
import statistics

# As Sources/UnisonoRuntime/Hub/Audiences.swift has them.
PER_TURN = 256
PAUSE = 50e-6
# Processor of a hub for one delivery, us: to 5,000 who listen, on processors that they share; one frame to 64 receivers on a quiet machine;
# to 64 where several frames leave in one write.
COSTS = (13.7, 7.0, 3.1)
# Of nats-server for one delivery, and from one hub to another beside it, s.
SERVICE = 13e-6
BETWEEN = (0.3e-3, 8e-3)
# What comes once for a frame at a hub: read, opened, its text made.
ONCE = 50e-6
# One way of an access network: median and spread (of its logarithm), share of packets that are lost, least time until one is sent again.
ACCESS = (20e-3, 0.35)
LOSS = 0.005
AGAIN = 0.2


def access(rng, loss=LOSS):
    """How long one packet takes over one access network, s."""
    delay = rng.lognormvariate(math.log(ACCESS[0]), ACCESS[1])
    wait = AGAIN + 2 * delay
    while rng.random() < loss:
        delay += wait
        wait *= 2
    return delay


def hub(rng, came, listeners, cost, busy):
    """When a hub that has a frame at `came` has written it, and when its listeners have it, s."""
    # It waits for what is under way, up to a turn of somebody else's.
    time, arrivals = came + ONCE + rng.random() * busy * PER_TURN * cost, []
    for first in range(0, listeners, PER_TURN):
        count = min(PER_TURN, listeners - first)
        # What is sealed for those of a turn leaves one after the other.
        arrivals += [time + (place + 1) * cost + access(rng) for place in range(count)]
        time += count * cost
        written = time
        time += max(PAUSE, count * cost * busy / (1 - busy))
    return written, arrivals


def line(seed, listeners, hubs, cost, busy):
    """One line: when all hubs have written it since the publisher's had it, and when 50, 99, 100 of 100 have it since it was said, s."""
    rng = random.Random(seed)
    up, writes, arrivals = access(rng), [], []
    for number in range(hubs):
        hop = 0 if number == 0 else number * SERVICE + rng.uniform(*BETWEEN)
        share = listeners * (number + 1) // hubs - listeners * number // hubs
        written, some = hub(rng, up + ONCE + hop, share, cost, busy)
        writes.append(written - up)
        arrivals += some
    arrivals.sort()
    return max(writes), arrivals[len(arrivals) // 2], arrivals[len(arrivals) * 99 // 100], arrivals[-1]


def figures(listeners, hubs, cost, busy=0.25, rounds=5):
    """The medians of some lines, s. `cost`: us a delivery; `busy`: share of its time in which a hub does something else."""
    lines = [line(seed, listeners, hubs, cost / 1e6, busy) for seed in range(rounds)]
    return tuple(statistics.median(values) for values in zip(*lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--listeners", type=int, default=100_000)
    parser.add_argument("--hubs", type=int, nargs="+", default=[10, 20, 32])
    parser.add_argument("--cost", type=float, nargs="+", default=COSTS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--busy", type=float, default=0.25)
    options = parser.parse_args()
    print("| us a delivery | hubs | all have written it | 50, 99, 100 of 100 have it |\n|---|---|---|---|")
    for cost in options.cost:
        for hubs in options.hubs:
            values = [f"{value * 1e3:.0f}" for value in figures(options.listeners, hubs, cost, options.busy, options.rounds)]
            print(f"| {cost} | {hubs} | {values[0]} ms | {', '.join(values[1:])} ms |", flush=True)


if __name__ == "__main__":
    main()
