#!/usr/bin/python3
"""One end of the live clock benchmark: GStreamer's network clock, for comparison (python3-gi, gir1.2-gst-plugins-base-1.0).

gst_peer.py host ADDRESS PORT              until input ends
gst_peer.py guest ADDRESS PORT SECONDS     prints twenty times a second
"s SINCE_START HOST_TIME CLOCK_TIME UNCERTAINTY", ns: HOST_TIME is that much earlier or later than CLOCK_TIME at most
"""

import sys
import time

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstNet", "1.0")
from gi.repository import Gst, GstNet  # noqa: E402

Gst.init(None)
mode, address, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
if mode == "host":
    provider = GstNet.NetTimeProvider.new(Gst.SystemClock.obtain(), address, port)
    print("ready", flush=True)
    sys.stdin.read()
    sys.exit(0)

started = time.monotonic_ns()
clock = GstNet.NetClientClock.new("net", address, port, 0)
end = started + int(float(sys.argv[4]) * 1e9)
due = started
while time.monotonic_ns() < end:
    if clock.is_synced():
        readings = []
        for _ in range(3):  # the tightest pair of readings of the own clock around the other's
            before = time.monotonic_ns()
            value = clock.get_time()
            after = time.monotonic_ns()
            readings.append((after - before, (before + after) // 2, value))
        width, host, value = min(readings)
        print("s", host - started, host, value, (width + 1) // 2)
    due += 50_000_000
    time.sleep(max(0, (due - time.monotonic_ns()) / 1e9))
