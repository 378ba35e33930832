#!/usr/bin/env python3
"""Writes what the recorded vectors hold as first inputs for the fuzzer, a folder for each target.   seeds.py FOLDER"""

import json
import sys
from pathlib import Path

# By number, which is an input's first byte.
TARGETS = ("stream", "frame", "envelope", "message", "statement", "beacon", "pairing", "invite", "options", "room", "record", "websocket", "continuation", "site")
STREAM, FRAME, ENVELOPE, MESSAGE, STATEMENT, BEACON, PAIRING, INVITE, OPTIONS, ROOM, RECORD, WEBSOCKET, CONTINUATION, SITE = range(len(TARGETS))
VECTORS = Path(__file__).parents[1] / "vectors"
# How many calls options.c chooses among.
CALLS = 10


def cases(group):
    return json.loads((VECTORS / f"{group}.json").read_text())["cases"]


def item(tag, value):
    return bytes([tag]) + len(value).to_bytes(3, "big") + value


def framed(kind, body):
    return (len(body) + 1).to_bytes(4, "big") + bytes([kind]) + body


def act(number, part):
    """One deed of the room's liar: number, length, bytes."""
    if len(part) < 256:
        return bytes([number, len(part)]) + part
    part = part[: 16 * 255]
    return bytes([number | 0x80, -(-len(part) // 16)]) + part + bytes(-len(part) % 16)


def from_frames():
    for case in cases("frames"):
        form, kind, body = case["in"]["form"], case["in"]["type"], bytes.fromhex(case["in"]["body"])
        if form == "hub":
            yield FRAME, bytes([kind]) + body
            yield STREAM, framed(kind, body)
        elif form == "pairing":
            yield PAIRING, bytes([kind]) + body
        elif form == "message":
            yield MESSAGE, bytes([kind]) + body
            yield ROOM, act(0, bytes([kind]) + body) + act(5, b"\1\0\0\0\0")
        else:
            yield STATEMENT, body
            yield ROOM, act(1, body) + act(5, b"\1\0\0\0\0")
            yield ROOM, act(4, b"\0") + act(2, stated(kind, body)) + act(5, b"\1\0\0\0\0")


def stated(register, body):
    """Register, stamp, kind of key, value: of a statement's body."""
    found = {}
    while body:
        length = int.from_bytes(body[1:4], "big")
        found[body[0]], body = body[4 : 4 + length], body[4 + length :]
    kind = {5: 1, 6: 1, 7: 1, 8: 2}.get(register, 0)
    if register == 1:
        return bytes([register]) + found[5] + b"\3" + found[2] + found.get(6, b"")
    return bytes([register]) + found.get(5, bytes(8)) + bytes([kind]) + found.get(6, b"")


def inputs():
    yield from from_frames()
    for entry in cases("session")[0]["out"]["frames"]:
        frame = bytes.fromhex(entry["frame"])
        yield STREAM, frame
        if "content" in entry:
            yield ROOM, act(0, bytes.fromhex(entry["content"]))
            yield ENVELOPE, frame[frame.index(b"\xff\0") + 4 :]
    for case in cases("envelope"):
        for value in (case.get("out") or case["in"]).values():
            if isinstance(value, str) and len(value) > 64:
                yield ENVELOPE, bytes.fromhex(value)
    for case in cases("probe"):
        yield ENVELOPE, bytes.fromhex((case.get("out") or case["in"])["packet"])
    for case in cases("pairing"):
        for kind, name in ((32, "ask"), (33, "offer"), (34, "reveal"), (35, "grant"), (36, "pass")):
            if name in case["in"]:
                yield PAIRING, bytes([kind]) + bytes.fromhex(case["in"][name])
    for case in cases("invite"):
        yield INVITE, case["in"]["text"].encode()
    service = item(2, b"a")
    for kind in (1, 2, 3):
        rest = item(6, b"u") + item(7, b"\0\x09") if kind == 1 else b""
        yield BEACON, b"UNIB\x01" + item(1, bytes(8)) + service + rest + item(8, bytes([kind]))
    # A deputy takes over: at once, and when everybody waited.
    for time in (0, 60 * 10**9, 2**62):
        yield ROOM, act(6, b"\0" + time.to_bytes(8, "big")) + act(5, (6 * 10**9).to_bytes(6, "big")) + act(6, b"\0" + time.to_bytes(8, "big"))
    # Records: a right one, one more from where it speaks then, one that shows another key, one with a body of its own.
    for mode in range(4):
        yield ROOM, act(7, bytes([mode]) + bytes(range(32))) + act(0, b"\x05" + item(1, bytes(32))) + act(7, bytes([mode, 1]))
    for case in cases("record"):
        yield ROOM, act(7, b"\3" + bytes.fromhex(case["in"]["record"]))
        yield MESSAGE, b"\x15" + item(1, bytes.fromhex(case["in"]["record"]))
        yield RECORD, bytes.fromhex(case["in"]["record"])[4:]
    roster = bytes(range(32))
    yield RECORD, item(1, b"r") + item(2, bytes(32)) + b"".join(item(tag, b"x") for tag in (3, 4, 5)) + item(6, roster) + item(7, b"y")
    request = (
        b"GET / HTTP/1.1\r\nHost: 10.0.0.7\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    )
    yield WEBSOCKET, request + b"Origin: http://10.0.0.7\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n"
    yield WEBSOCKET, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    for frames in (
        b"\x82\x85\0\0\0\0\0\0\0\1a", b"\x02\x82\1\2\3\4\1\2\x80\x83\0\0\0\0\0\1b", b"\x89\x83\0\0\0\0abc\x8a\x80\0\0\0\0",
        b"\x88\x85\0\0\0\0\3\xe8bye", b"\x82\xfe\0\x84\0\0\0\0\0\0\0\x80" + bytes(128), b"\x82\xff\0\0\0\0\0\1\0\0\0\0\0\0\0\0\xff\xfc" + bytes(300),
    ):
        yield WEBSOCKET, request + b"\r\n" + frames
    for target in (b"/", b"/page/?key=0a1b", b"/media/a%20b.mp4", b"/media/", b"/%2e%2e/x", b"/a%2fb", b"/.x", b"//x"):
        yield SITE, b"GET " + target + b" HTTP/1.1\r\nHost: 10.0.0.7:7400\r\n\r\n"
    for field in (b"bytes=0-1", b"bytes=-5", b"bytes=7-", b"bytes=99999999999999999999-", b"bytes=5-4", b"bytes=0-1,3-4"):
        yield SITE, b"GET /media/a HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: \"x\", W/\"1-2-3\"\r\nRange: " + field + b"\r\n\r\n"
    yield SITE, b"HEAD /a HTTP/1.1\r\nHost: [::1]\r\nIf-Match: *\r\nIf-Range: \"1-2-3\"\r\n\r\n"
    yield CONTINUATION, b"UNIC\x01" + bytes(32 + 16)
    welcome = item(1, b"r") + item(2, bytes(32)) + item(3, b"x") + item(6, bytes(16))
    token = item(1, b"\x02" + bytes(16) + b"\0\x02") + item(2, bytes(8)) + item(3, bytes(8)) + item(4, bytes(4))
    yield CONTINUATION, token + item(7, welcome)
    hub = item(5, item(1, b"192.0.2.1:7400") + item(2, bytes(16))) + item(6, bytes(16 + 38))
    yield CONTINUATION, token + hub + item(7, welcome) + item(8, b"level") + item(9, item(1, b"body") + item(2, bytes(64)))
    # Each call with nothing, with little of everything, and with much of everything.
    for call in range(CALLS):
        for filler in (b"", b"\1" * 400, b"\x7f" * 400, b"\xff" * 400, bytes(range(1, 255)) * 3):
            yield OPTIONS, bytes([call]) + filler


def main():
    folder = Path(sys.argv[1])
    counts = dict.fromkeys(TARGETS, 0)
    for target, value in inputs():
        name = TARGETS[target]
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / f"seed-{counts[name]}").write_bytes(bytes([target]) + value)
        counts[name] += 1
    print("first inputs:", ", ".join(f"{name} {count}" for name, count in counts.items()))


if __name__ == "__main__":
    main()
