#!/usr/bin/env python3
"""Draws error and stated bound over time for each profile, as docs/time-error.svg. Standard library only.

    plot_clock.py --replay build/clock-replay [--out docs/time-error.svg]
"""

import argparse
import math
import os

from bench_clock import Ours
from references import REFERENCES
from traces import PROFILES, Trace

SECONDS, DRIFT_PPM, SEED = 600, 20, 101
WIDTH, HEIGHT, COLUMNS = 300, 180, 3
LEFT, TOP, RIGHT, BOTTOM = 46, 34, 12, 26
LOW, HIGH = 1e-4, 1e3  # ms
COMPARED = "minima 64"
COLOURS = {"bound": "#9a9a9a", COMPARED: "#e08a00", "unisono": "#0b63c5"}


def lines(replay, profile):
    """name: [(s, ms)]"""
    trace = Trace(profile, DRIFT_PPM, SEED, SECONDS)
    ours = Ours(replay, trace.exchanges)
    other = REFERENCES[COMPARED]()
    rows = {name: [] for name in COLOURS}
    start = trace.exchanges[0][0]
    for index, exchange in enumerate(trace.exchanges):
        host = exchange[3]
        other.add(exchange)
        truth, at = trace.offset(host), (host - start) / 1e9
        rows["unisono"].append((at, abs(ours.offset(index, host) - truth) / 1e6))
        rows[COMPARED].append((at, abs(other.offset(host) - truth) / 1e6))
        rows["bound"].append((at, ours.bound(index, host) / 1e6))
    return rows


def panel(profile, rows, x0, y0):
    inner_width, inner_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    span = math.log10(HIGH / LOW)

    def place(at, value):
        value = min(max(value, LOW), HIGH)
        return x0 + LEFT + at / SECONDS * inner_width, y0 + TOP + (1 - math.log10(value / LOW) / span) * inner_height

    parts = [f'<text x="{x0 + LEFT}" y="{y0 + TOP - 10}" class="title">{profile}</text>',
             f'<text x="{x0 + WIDTH - RIGHT}" y="{y0 + TOP - 10}" class="note" text-anchor="end">{PROFILES[profile][0]}</text>']
    for power in range(round(math.log10(LOW)), round(math.log10(HIGH)) + 1):
        _, y = place(0, 10.0**power)
        parts.append(f'<path class="grid" d="M{x0 + LEFT} {y:.1f}h{inner_width}"/>')
        if power % 2 == 0:
            label = f"{10.0**power:g}" if power >= 0 else f"{10.0**power:.{-power}f}"
            parts.append(f'<text x="{x0 + LEFT - 5}" y="{y + 3:.1f}" class="tick" text-anchor="end">{label}</text>')
    for at in range(0, SECONDS + 1, 200):
        x, y = place(at, LOW)
        parts.append(f'<text x="{x:.1f}" y="{y + 13:.1f}" class="tick" text-anchor="middle">{at}</text>')
    for name, colour in COLOURS.items():
        points = " ".join("%.1f,%.1f" % place(*point) for point in rows[name])
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{1.4 if name == "unisono" else 1}"/>')
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replay", required=True)
    parser.add_argument("--out", default="docs/time-error.svg")
    arguments = parser.parse_args()
    count = math.ceil(len(PROFILES) / COLUMNS)
    width, height = COLUMNS * WIDTH, count * HEIGHT + 30
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
             "<style>text{font:11px sans-serif;fill:#333}.title{font-weight:bold}.note,.tick{font-size:9px;fill:#666}"
             ".grid{stroke:#e4e4e4;fill:none}</style>", f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for number, profile in enumerate(PROFILES):
        x0, y0 = number % COLUMNS * WIDTH, number // COLUMNS * HEIGHT
        parts.append(panel(profile, lines(os.path.abspath(arguments.replay), profile), x0, y0))
    x, y = LEFT, count * HEIGHT + 14
    names = {"unisono": "|error|, unisono", COMPARED: "|error|, separate minima of 64", "bound": "stated bound, unisono"}
    for name, text in names.items():
        parts.append(f'<path d="M{x} {y}h22" stroke="{COLOURS[name]}" stroke-width="2"/><text x="{x + 28}" y="{y + 4}">{text}</text>')
        x += 200
    parts.append(f'<text x="{width - RIGHT}" y="{y + 4}" class="note" text-anchor="end">ms over s; drift {DRIFT_PPM} ppm, one exchange a second</text>')
    parts.append("</svg>\n")
    with open(arguments.out, "w") as file:
        file.write("\n".join(parts))
    print(f"wrote {arguments.out}")


if __name__ == "__main__":
    main()
