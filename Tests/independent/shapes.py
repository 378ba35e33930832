"""What may stand in each frame, message and register (wire 11.3): one table, read by `check`."""

import struct

from wire import Refused, ascending, boolean, fixed, ids, integer, items, moment, number, only, required, take, text

NEEDED = "!"
# A list has in this place how many elements it may have at most; these are statements in a message, and names of registers.
MORE = 4_096
KEY = 41


def whole(form):
    return lambda value: integer(value, form)


def exactly(width):
    return lambda value: fixed(value, width)


def limited(length):
    def read(value):
        if len(value) > length:
            raise Refused("count")

    return read


def nothing(value):
    if value:
        raise Refused("trailing")


def words(limit, least=0):
    return lambda value: text(value, limit, least)


def called(value):
    """The name of a coordinator."""
    limited(32)(value)
    if any(character < " " or "\x7f" <= character <= "\x9f" for character in text(value, 32, 1)):
        raise Refused("text")


def packed(width, by=None):
    def read(value):
        ascending([entry[:by] for entry in ids(value, width)])

    return read


def inside(fields):
    return lambda value: read_items(value, fields)


def envelope(value):
    if len(value) < 578:
        raise Refused("truncated")
    limited(229_442)(value)


def key(value):
    fixed(value, KEY)
    if value[16] > 2:
        raise Refused("range")
    moment(value[17:25])


def a_range(value):
    moment(fixed(value, 17)[:8])
    moment(value[8:16])
    if value[16] not in (1, 2, 4, 8):
        raise Refused("range")


def in_order(ranges):
    """Ranges of an entry are at least 1 s long, none begins before the end of the one before, and none ends after 7 days."""
    last = 0
    for begin, end in [struct.unpack(">qq", value[:16]) for value in ranges]:
        if begin < last or end < begin + 10**9 or end > 604_800 * 10**9:
            raise Refused("range")
        last = end


def speed(value):
    if abs(number(value)) > 16:
        raise Refused("range")


def line(value):
    fixed(value, 24)
    moment(value[:8]), speed(value[8:16]), moment(value[16:])


def times(value):
    fixed(value, 16)
    moment(value[:8]), moment(value[8:])


def ready(value):
    fixed(value, 2 * KEY + 4)
    key(value[:KEY]), key(value[KEY : 2 * KEY])


def set_to_true(value):
    if not boolean(value):
        raise Refused("range")


def place(value):
    limited(64)(value)
    if not value or value[-1] == 0:
        raise Refused("range")


def status(value):
    """i32, of what failed: below 0."""
    if not integer(value, ">I") >> 31:
        raise Refused("range")


def within(form, least, most):
    def read(value):
        if not least <= integer(value, form) <= most:
            raise Refused("range")

    return read


def ahead(value):
    """By how much a copy is ahead, ns: at most 6 hours either way, not 0."""
    if not 0 < abs(moment(value)) <= 6 * 3_600 * 10**9:
        raise Refused("range")


def between(least, most):
    """So many bytes."""
    def read(value):
        if not least <= len(value) <= most:
            raise Refused("count")

    return read


def echoes(value):
    if len(value) % 28 or len(value) > 16 * 28:
        raise Refused("count")
    for entry in ids(value, 28):
        moment(entry[20:])


def clocks(value):
    """Of other hubs, at most 128: by 1,000 ppm too fast or too slow at most."""
    readings = ids(value, 36)
    if len(readings) > 128:
        raise Refused("count")
    for reading in readings:
        moment(reading[16:24])
        if abs(struct.unpack(">i", reading[24:28])[0]) > 1_000_000:
            raise Refused("range")
    ascending([reading[:16] for reading in readings])


def tallies(value):
    """Of an audience, the 8 greatest."""
    entries = ids(value, 12)
    if len(entries) > 8:
        raise Refused("count")
    ascending([entry[:8] for entry in entries])


def once(values):
    if len(set(values)) < len(values):
        raise Refused("order")


def names(value):
    """What somebody has of the chat."""
    entries = ids(value, 32)
    if len(entries) > 200:
        raise Refused("count")
    ascending([entry[:24] for entry in entries])


def attachment_key(value):
    if fixed(value, 17)[16] > 15:
        raise Refused("range")


def wanted(value):
    """A register's number and its key; an unknown one is left out."""
    number, key = take(value, 1)
    if number[0] in REGISTERS or number[0] == 2:
        KEYS.get(number[0], nothing)(key)
    elif number[0] > 127:
        raise Refused("unknownMustUnderstand")


def held(value):
    """A register's number, the stamp, author and sum of what is there, and its key."""
    head, name = take(value, 41)
    moment(head[1:9])
    wanted(head[:1] + name)


def positive(form):
    def read(value):
        (moment if form == "q" else whole(">Q"))(value)
        if struct.unpack(">" + form, value)[0] <= 0:
            raise Refused("range")

    return read


def copy_from(tag):
    """Duration, size and hash of a copy, under three tags in a row."""
    return {tag: (positive("q"), ""), tag + 1: (positive("Q"), ""), tag + 2: (exactly(32), "")}


U8, U16, U32, U64 = (whole(form) for form in (">B", ">H", ">I", ">Q"))
INTRO, LEVEL, RECORD = limited(1_900), limited(16_384), limited(8_704)
SIGNED = inside({1: (limited(202_048), NEEDED), 2: (exactly(64), NEEDED)})
SAID = inside({1: (limited(3_200), NEEDED), 2: (exactly(64), NEEDED)})
CONTENT, ITEM = exactly(32), words(1_023, 1)
PIECE_FROM = within(">Q", 0, 100_000_000)
WAIT = inside({1: (words(127, 1), NEEDED), 2: (U32, "")})
HUB_ADDRESS = inside({1: (words(263, 1), NEEDED), 2: (exactly(16), NEEDED)})
MEMBERS, GONE, IDS = packed(28, 24), packed(24), packed(16)

HUB = {
    1: {1: (exactly(7), NEEDED), 2: (U8, NEEDED), 3: (U8, NEEDED), 4: (exactly(32), NEEDED), 5: (exactly(1_216), NEEDED)},
    2: {1: (U8, NEEDED), 2: (exactly(32), NEEDED), 3: (exactly(1_120), NEEDED)},
    3: {
        1: (exactly(32), NEEDED), 2: (exactly(32), NEEDED), 3: (exactly(64), ""), 4: (exactly(64), NEEDED), 5: (boolean, ""),
        6: (exactly(38), ""), 7: (U32, NEEDED), 8: (U8, ""),
    },
    4: {
        1: (U64, NEEDED), 2: (MEMBERS, NEEDED), 3: (U64, NEEDED), 4: (U16, NEEDED), 5: (U32, NEEDED), 6: (U32, NEEDED),
        7: (words(263, 1), 16),
    },
    5: {1: (U32, NEEDED), 2: (words(127), ""), 3: (U32, "")},
    6: {1: (MEMBERS, ""), 2: (GONE, ""), 3: (GONE, "")},
    7: {1: (IDS, ""), 255: (envelope, NEEDED)},
    8: {255: (envelope, NEEDED)},
    10: {1: (U64, NEEDED)},
    11: {1: (U64, NEEDED)},
    12: {},
    13: {1: (within(">B", 0, 1), ""), 255: (envelope, "")},
    14: {
        1: (exactly(32), NEEDED), 2: (exactly(16), NEEDED), 3: (boolean, ""), 4: (exactly(100), ""), 255: (exactly(64), NEEDED),
    },
    15: {1: (moment, NEEDED), 2: (clocks, NEEDED)},
    16: {1: (HUB_ADDRESS, 16), 2: (U32, NEEDED)},
    17: {1: (U64, NEEDED), 2: (within(">H", 1_024, 65_535), NEEDED)},
    18: {1: (U64, NEEDED), 2: (U8, NEEDED), 3: (words(45), "")},
    19: {1: (IDS, NEEDED)},
    20: {1: (U32, NEEDED), 3: (U32, ""), 4: (tallies, ""), 5: (tallies, "")},
    21: {1: (within(">B", 0, 1), NEEDED), 2: (U64, NEEDED)},
}
PAIRING = {
    32: {1: (exactly(32), NEEDED), 2: (U8, NEEDED), 3: (words(63, 1), NEEDED), 4: (words(63), ""), 5: (U32, ""), 6: (U8, NEEDED)},
    33: {1: (exactly(32), NEEDED), 2: (exactly(32), NEEDED), 4: (words(63), "")},
    34: {1: (exactly(32), NEEDED), 2: (exactly(32), NEEDED)},
    35: {1: (exactly(4_624), NEEDED)},
    36: {1: (exactly(4_624), NEEDED)},
    37: {},
}
MESSAGES = {
    2: {1: (INTRO, NEEDED), 2: (exactly(32), ""), 3: (U8, ""), 4: (exactly(1_216), NEEDED)},
    3: {1: (INTRO, NEEDED), 2: (limited(229_308), NEEDED)},
    4: {1: (SIGNED, MORE), 2: (INTRO, 512), 3: (LEVEL, 136)},
    5: {
        1: (exactly(32), NEEDED), 2: (moment, NEEDED), 3: (U32, NEEDED), 4: (U32, NEEDED), 5: (moment, ""), 6: (U32, ""),
        7: (echoes, ""), 8: (U32, ""), 9: (limited(64), ""),
    },
    6: {1: (held, MORE), 2: (U8, ""), 3: (U8, "")},
    7: {1: (wanted, MORE)},
    8: {1: (U16, NEEDED), 2: (U16, NEEDED), 3: (SIGNED, MORE), 4: (LEVEL, 136), 5: (INTRO, 512)},
    9: {
        1: (U64, NEEDED), 2: (limited(65_536), NEEDED), 3: (U64, ""), 4: (words(127, 1), ""), 5: (U32, ""), 6: (ITEM, ""),
        7: (moment, ""),
    },
    10: {1: (U8, ""), 2: (moment, ""), 3: (number, ""), 4: (words(255), ""), 5: (words(2_047), "")},
    11: {1: (exactly(96), 256), 2: (limited(229_308), NEEDED)},
    12: {
        1: (LEVEL, 8), 2: (RECORD, ""), 3: (exactly(1_216), 128), 4: (LEVEL, 8), 5: (INTRO, 8), 6: (boolean, ""),
        7: (U8, ""), 8: (U8, ""),
    },
    14: {1: (boolean, NEEDED)},
    15: {1: (boolean, NEEDED)},
    16: {1: (U64, NEEDED), 2: (U8, ""), 3: (ITEM, NEEDED), 4: (moment, ""), 5: (words(255), "")},
    17: {1: (exactly(16), NEEDED), 2: (U64, NEEDED), 3: (boolean, "")},
    18: {1: (U8, ""), 2: (U32, NEEDED)},
    19: {1: (INTRO, NEEDED), 2: (U8, ""), 3: (LEVEL, 8), 4: (INTRO, 8), 5: (SIGNED, "")},
    20: {},
    21: {1: (RECORD, 64), 2: (INTRO, 512)},
    22: {1: (exactly(12), ""), 2: (exactly(32), NEEDED), 3: (IDS, "")},
    28: {1: (SAID, NEEDED)},
    29: {1: (words(32, 1), NEEDED), 2: (ITEM, ""), 3: (moment, "")},
    30: {1: (exactly(32), NEEDED)},
    31: {1: (names, "")},
    32: {1: (SAID, 200)},
    33: {1: (CONTENT, NEEDED), 2: (PIECE_FROM, NEEDED), 3: (within(">B", 1, 8), NEEDED)},
    34: {1: (CONTENT, NEEDED), 2: (PIECE_FROM, NEEDED), 3: (between(1, 32_768), NEEDED)},
    35: {1: (CONTENT, NEEDED), 2: (U8, NEEDED)},
    36: {1: (called, NEEDED), 2: (limited(229_308), NEEDED)},
    37: {1: (moment, ""), 2: (U32, ""), 3: (SIGNED, 3), 4: (boolean, "")},
    38: {
        1: (LEVEL, 8), 2: (exactly(32), 256), 3: (SIGNED, 256), 4: (ITEM, ""), 5: (HUB_ADDRESS, 16), 6: (exactly(64), ""), 7: (boolean, ""),
        8: (within(">B", 0, 100), ""), 9: (words(32, 1), 8),
    },
    39: {
        1: (exactly(32), NEEDED), 2: (within(">B", 1, 3), NEEDED), 3: (words(255, 1), ""), 4: (U32, NEEDED), 5: (exactly(1_216), ""),
    },
    40: {1: (between(1_137, 5_231), NEEDED)},
    41: {1: (exactly(32), NEEDED), 2: (exactly(32), "")},
    42: {1: (exactly(16), NEEDED), 2: (U32, NEEDED), 3: (moment, NEEDED), 4: (U32, NEEDED)},
}
CELL = {1: (U8, NEEDED), 9: (exactly(16), ""), 10: (moment, ""), 11: (moment, ""), 12: (IDS, "")}
REGISTERS = {
    1: {1: (moment, NEEDED), 2: (U32, NEEDED), 3: (U32, "")},
    3: {1: (set_to_true, NEEDED)},
    4: {
        1: (U8, ""), 2: (words(255, 1), NEEDED), 3: (words(255), ""), 4: (words(255), ""), 5: (words(2_047), ""),
        6: (limited(65_536), ""), 7: (limited(65_536), ""), 8: (U8, ""), 9: (boolean, ""),
    },
    5: {
        **CELL, 2: (speed, NEEDED), 3: (moment, NEEDED), 4: (key, ""), 5: (boolean, ""), 6: (WAIT, 64), 7: (moment, ""),
        8: (moment, ""),
    },
    6: {**CELL, 2: (moment, NEEDED), 3: (WAIT, 64), 4: (moment, "")},
    7: {
        1: (key, NEEDED), 2: (key, NEEDED), 3: (U32, NEEDED), 4: (U8, NEEDED), 5: (U16, ""), 6: (moment, ""), 7: (moment, ""),
        8: (line, ""), 9: (moment, ""), 10: (exactly(16), ""), 11: (moment, ""), 12: (moment, ""),
    },
    8: {
        1: (U64, NEEDED), 2: (ITEM, ""), 3: (moment, ""), 4: (ready, ""),
        5: (inside({1: (words(127, 1), NEEDED), 2: (moment, NEEDED), 3: (status, "")}), 64), 6: (times, ""), 7: (times, ""),
        8: (times, 16), 9: (WAIT, 64), 10: (moment, ""), 11: (moment, ""), 12: (words(63), ""), 13: (words(63), ""),
        14: (HUB_ADDRESS, 16), 15: (boolean, ""), 16: (U8, ""), 17: (number, ""), 18: (moment, ""), 19: (moment, ""), 20: (U8, ""),
        21: (inside({1: (exactly(16), NEEDED), **copy_from(2)}), ""),
        22: (inside({1: (exactly(16), NEEDED), 2: (ahead, NEEDED)}), 8), 23: (called, 8),
    },
    9: {1: (boolean, NEEDED), 2: (moment, NEEDED), 3: (moment, NEEDED)},
    10: {1: (U8, NEEDED)},
    11: {1: (U8, ""), 2: (moment, ""), 3: (U8, "")},
    12: {
        1: (place, NEEDED), 2: (ITEM, NEEDED), 3: (moment, NEEDED), 4: (boolean, ""), 5: (words(255, 1), ""),
        **copy_from(6), 9: (words(2_047, 1), 8), 10: (a_range, 16),
    },
    13: {1: (exactly(16), NEEDED), 2: (exactly(16), ""), 3: (moment, ""), 4: (U32, ""), 5: (boolean, "")},
    15: {1: (CONTENT, ""), 2: (words(255, 1), ""), 3: (words(127), ""), 4: (within(">Q", 0, 100_000_000), "")},
    17: {1: (ITEM, ""), 2: (moment, ""), 3: (moment, "")},
    18: {1: (within(">B", 0, 15), NEEDED)},
    19: {
        1: (exactly(32), ""), 2: (exactly(32), ""), 3: (HUB_ADDRESS, 16), 4: (exactly(32), ""), 5: (within(">B", 0, 100), ""),
        6: (within(">I", 1, 10_000), ""), 7: (words(32, 1), 8),
    },
}
KEYS = {1: exactly(16), 5: ITEM, 6: ITEM, 7: ITEM, 8: exactly(16), 12: exactly(16), 15: attachment_key}
# Items that come both or neither.
PAIRS = {("message", 5): [(5, 6)], ("message", 37): [(1, 2)], ("message", 9): [(4, 5), (6, 7)]}
PAIRS |= {("register", 5): [(9, 10)], ("register", 6): [(9, 10)], ("register", 7): [(10, 11)], ("register", 13): [(2, 3)]}
PAIRS |= {("register", 17): [(1, 2)], ("register", 19): [(1, 2)]}
# Of C: a line, a hold, the end; what must be there, and what must not.
CONTINUATIONS = {1: ({5, 6}, {9, 12}), 2: ({7, 9}, {5, 6, 8}), 3: ({7}, {5, 6, 8, 9, 12})}


def read_items(body, fields, pairs=()):
    lists = tuple(tag for tag, (_, how) in fields.items() if isinstance(how, int))
    found = only(items(body, lists), fields)
    for tag, (read, how) in fields.items():
        if tag in lists and len(found[tag]) > how:
            raise Refused("count")
        for value in found[tag] if tag in lists else [found[tag]] if tag in found else []:
            read(value)
    for tag, (_, how) in fields.items():
        if how == NEEDED:
            required(found, tag)
    for pair in pairs:
        if len(found.keys() & set(pair)) == 1:
            raise Refused("truncated")
    return found


def check(form, kind, body):
    """Raises what is wrong; False: of a later version, to be skipped."""
    if form == "register":
        return _register(body)
    tables = {"hub": HUB, "pairing": PAIRING, "message": MESSAGES}[form]
    if form == "hub" and kind == 9:
        if len(body) != 64:
            raise Refused("truncated" if len(body) < 64 else "trailing")
        return True
    if kind not in tables:
        if kind > 127:
            raise Refused("unknownMustUnderstand")
        return False
    found = read_items(body, tables[kind], PAIRS.get((form, kind), ()))
    if form == "hub":
        _judge_frame(kind, found)
    if form != "message":
        return True
    _judge_message(kind, found)
    # A kind of request that this version does not know cannot be granted.
    return kind != 16 or found.get(2, b"\0")[0] < 3


def _judge_frame(kind, found):
    """The same of frames."""
    if kind == 3:
        listens = found.get(8) == b"\2"
        if not listens:
            required(found, 3)
        elif 3 in found:
            raise Refused("range")
        if found.get(5) == b"\1" and found.get(8) in (b"\1", b"\2"):
            raise Refused("range")
    if kind == 13 and 1 in found and len(required(found, 255)) > (8_258 if found[1][0] else 32_834):
        raise Refused("count")


def _judge_message(kind, found):
    """What items say together."""
    if kind == 5 and found.keys() & {7, 8}:
        required(found, 5)
    if kind == 6 and not found.get(2, b"\0")[0] < found.get(3, b"\1")[0] <= 32:
        raise Refused("range")
    if kind == 39:
        asks = found[2] == b"\1"
        if found[2] == b"\2":
            required(found, 3)
        if asks != (5 in found) or found[2] == b"\3" and 3 in found:
            raise Refused("range")
    if kind == 38:
        once(found[9])
    if kind == 38 and 6 in found and found.get(7) == b"\1":
        raise Refused("range")
    if kind == 19:
        ended = found.get(2) == b"\2"
        if ended != (5 in found) or (not ended and (found[3] or found[4])):
            raise Refused("range")


def _register(body):
    plain = lambda value: value  # noqa: E731
    shape = {1: (U8, NEEDED), 2: (plain, ""), 3: (exactly(16), NEEDED), 4: (exactly(16), NEEDED), 5: (moment, NEEDED), 6: (plain, NEEDED)}
    found = read_items(body, {**shape, 7: (exactly(16), ""), 8: (moment, ""), 128: (called, "")}, [(7, 8)])
    register = found[1][0]
    if 128 in found and register in REGISTERS:
        raise Refused("range")  # of another coordinator's items than the session's first one
    if register not in REGISTERS:
        if register > 127:
            raise Refused("unknownMustUnderstand")
        return False
    KEYS.get(register, nothing)(found.get(2, b""))
    _judge_register(register, read_items(found[6], REGISTERS[register], PAIRS.get(("register", register), ())))
    return True


def _judge_register(register, value):
    """What items of a value say together."""
    if register == 7:
        needed, barred = CONTINUATIONS[value[4][0]]
        if not needed <= value.keys():
            raise Refused("truncated")
        if barred & value.keys():
            raise Refused("range")
    if register == 8:
        entries = [items(cut)[1] for cut in value[22]]
        if len(set(entries)) < len(entries):
            raise Refused("order")
        if any(one >= other for one, other in zip(value[23], value[23][1:])):
            raise Refused("order")
    if register == 19 and ((1 in value) != bool(value[3]) or 4 in value and 1 not in value):
        raise Refused("truncated")
    if register == 19:
        once(value[7])
        if 1 not in value and (value.get(5, b"\0") != b"\0" or value.get(6, b"\0\0\x27\x10") != b"\0\0\x27\x10" or value[7]):
            raise Refused("truncated")
    if register == 12 and value.get(4) == b"\1" and (value.keys() & {5, 6, 7, 8} or value[9] or value[10]):
        raise Refused("range")
    if register == 12:
        in_order(value[10])
    if register == 13 and (2 in value) != (value.get(4, bytes(4)) != bytes(4)):
        raise Refused("range")
    if register == 15:
        if 1 not in value and value.keys() & {2, 3, 4}:
            raise Refused("range")
        if 1 in value:
            required(value, 2), required(value, 4)
