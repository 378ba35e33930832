"""Groups order and copy: which of two statements about a playlist counts (coordination 2.17), and by what a copy is known (wire 8.15)."""

from common import A, B, case, i64, item, sha, u8, u32, u64
from frames import ENTRY, statement

SAMPLE = 65_536


def order():
    """Two bodies of one register, under one policy. `order` is that of the left one; the greater one counts, and comes first in names."""
    cases = []

    def add(name, register, counts, other):
        cases.append(case(name, {"register": register, "left": counts, "right": other}, {"order": "greater"}))
        cases.append(case(f"{name}, the other way round", {"register": register, "left": other, "right": counts}, {"order": "less"}))

    def entry(time, author=A, place=b"\x05", removed=False, first=None):
        value = item(1, place) + item(2, b"film") + item(3, i64(7)) + (item(4, u8(1)) if removed else b"")
        return statement(12, ENTRY, value, time, author) + said_first(first)

    def said_first(first):
        return item(7, first[1].id) + item(8, i64(first[0])) if first else b""

    low, high = sorted((A, B), key=lambda who: who.id)
    add("the later of two moves", 12, entry(2_000, place=b"\x01"), entry(1_000, B, place=b"\x09"))
    add("of two moves at one time that of the greater id", 12, entry(1_000, high, place=b"\x01"), entry(1_000, low, place=b"\x09"))
    add("a removal and a later move", 12, entry(1_000, removed=True), entry(2_000, B))
    add("a removal and an earlier move", 12, entry(2_000, removed=True), entry(1_000, B))
    add("the later of two removals", 12, entry(2_000, removed=True), entry(1_000, B, removed=True))
    add("a move and one of before that another confirmed later", 12, entry(2_000), entry(3_000, B, b"\x09", first=(1_000, B)))
    add("the later of two confirmations of one move", 12, entry(3_000, B, first=(1_000, A)), entry(2_000, A, first=(1_000, A)))

    def current(time, author=A, base=None, step=0, by_end=False, first=None, name=ENTRY):
        value = item(1, name)
        if base:
            value += item(2, base[1].id) + item(3, i64(base[0])) + item(4, u32(step))
        return statement(13, b"", value + (item(5, u8(1)) if by_end else b""), time, author) + said_first(first)

    other = bytes(range(1, 17))
    base = (1_000, A)
    add("the later of two commands", 13, current(2_000), current(1_000, B, name=other))
    add("of two commands at one time that of the greater id", 13, current(1_000, high), current(1_000, low, name=other))
    add("a step and the command that it goes on from", 13, current(3_000, B, base, 1), current(1_000, name=other))
    add("a command that came since and a later step", 13, current(2_000, B), current(9_000, A, base, 7, name=other))
    add("of two steps on from one entry the first", 13, current(2_000, B, base, 1), current(3_000, A, base, 1, name=other))
    add("of two steps at one time that of the lesser id", 13, current(2_000, low, base, 1), current(2_000, high, base, 1, name=other))
    add("by the end or not is the same step", 13, current(2_000, B, base, 1, by_end=True), current(3_000, A, base, 1))
    add("the second step and the first one, written later", 13, current(2_000, B, base, 2), current(9_000, A, base, 1, name=other))
    add("a command and one of before that another confirmed later", 13, current(2_000), current(9_000, B, first=(1_000, B), name=other))
    return cases


def copy():
    """The content of a file is byte(i) = i x factor mod modulus."""
    cases = []
    for size in (1, 7, 3 * SAMPLE, 3 * SAMPLE + 1, 3 * SAMPLE + 2, 1_000_001):
        content = bytes(index * 7 % 251 for index in range(size))
        half = size // 2 - SAMPLE // 2
        samples = content if size <= 3 * SAMPLE else content[:SAMPLE] + content[half : half + SAMPLE] + content[-SAMPLE:]
        cases.append(case(f"{size} bytes", {"size": size, "factor": 7, "modulus": 251}, {"hash": sha(u64(size) + samples)}))
    return cases
