"""What may stand in each frame, message and register (wire 11.3): one table, read by `check`."""

import struct

from wire import Refused, ascending, boolean, fixed, ids, integer, items, moment, number, only, required, take, text

MORE, NEEDED = "*", "!"
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


def words(limit, least=0):
    return lambda value: text(value, limit, least)


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
WAIT = inside({1: (words(127, 1), NEEDED), 2: (U32, "")})
MEMBERS, GONE, IDS = packed(28, 24), packed(24), packed(16)

HUB = {
    1: {1: (exactly(7), NEEDED), 2: (U8, NEEDED), 3: (U8, NEEDED), 4: (exactly(32), NEEDED), 5: (exactly(1_216), NEEDED)},
    2: {1: (U8, NEEDED), 2: (exactly(32), NEEDED), 3: (exactly(1_120), NEEDED)},
    3: {
        1: (exactly(32), NEEDED), 2: (exactly(32), NEEDED), 3: (exactly(64), NEEDED), 4: (exactly(64), NEEDED), 5: (boolean, ""),
        6: (exactly(38), ""),
    },
    4: {1: (U64, NEEDED), 2: (MEMBERS, NEEDED), 3: (U64, NEEDED), 4: (U16, NEEDED), 5: (U32, NEEDED), 6: (U32, NEEDED)},
    5: {1: (U32, NEEDED), 2: (words(127), ""), 3: (U32, "")},
    6: {1: (MEMBERS, ""), 2: (GONE, ""), 3: (GONE, "")},
    7: {1: (IDS, ""), 255: (envelope, NEEDED)},
    8: {255: (envelope, NEEDED)},
    10: {1: (U64, NEEDED)},
    11: {1: (U64, NEEDED)},
    12: {},
    13: {255: (envelope, NEEDED)},
    14: {1: (exactly(32), NEEDED), 2: (exactly(16), NEEDED), 3: (boolean, ""), 255: (exactly(64), NEEDED)},
    16: {1: (inside({1: (words(263, 1), NEEDED), 2: (exactly(16), NEEDED)}), MORE), 2: (U32, NEEDED)},
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
    2: {
        1: (INTRO, NEEDED), 2: (exactly(32), ""), 3: (U8, ""), 4: (exactly(1_216), NEEDED), 5: (exactly(16), NEEDED),
    },
    3: {1: (INTRO, NEEDED), 2: (limited(229_308), NEEDED)},
    4: {1: (SIGNED, MORE), 2: (INTRO, MORE), 3: (LEVEL, MORE)},
    5: {1: (exactly(32), NEEDED), 2: (moment, NEEDED), 3: (U32, NEEDED), 4: (U32, NEEDED)},
    6: {1: (lambda value: moment(value[1:9]), MORE)},
    7: {1: (lambda value: take(value, 1), MORE)},
    8: {1: (U16, NEEDED), 2: (U16, NEEDED), 3: (SIGNED, MORE), 4: (LEVEL, MORE), 5: (INTRO, MORE)},
    9: {1: (U64, NEEDED), 2: (limited(65_536), NEEDED), 3: (U64, ""), 4: (words(127, 1), ""), 5: (U32, ""), 6: (words(1_023, 1), ""), 7: (moment, "")},
    10: {1: (U8, ""), 2: (moment, ""), 3: (number, ""), 4: (words(255), ""), 5: (words(2_047), "")},
    11: {1: (exactly(96), MORE), 2: (limited(229_308), NEEDED)},
    12: {
        1: (LEVEL, MORE), 2: (RECORD, ""), 3: (exactly(1_216), MORE), 4: (LEVEL, MORE), 5: (INTRO, MORE), 6: (boolean, ""),
        7: (U8, ""), 8: (U8, ""),
    },
    14: {1: (boolean, NEEDED)},
    15: {1: (boolean, NEEDED)},
    16: {1: (U64, NEEDED), 2: (U8, ""), 3: (words(1_023, 1), NEEDED), 4: (moment, ""), 5: (words(255), "")},
    17: {1: (exactly(16), NEEDED), 2: (U64, NEEDED), 3: (boolean, "")},
    20: {},
    21: {1: (RECORD, MORE), 2: (INTRO, MORE)},
    22: {1: (exactly(12), ""), 2: (exactly(32), NEEDED), 3: (IDS, "")},
}
CELL = {1: (U8, NEEDED), 9: (exactly(16), ""), 10: (moment, ""), 11: (moment, ""), 12: (IDS, "")}
REGISTERS = {
    1: {1: (moment, NEEDED), 2: (U32, NEEDED)},
    3: {1: (set_to_true, NEEDED)},
    4: {
        1: (U8, ""), 2: (words(255, 1), NEEDED), 3: (words(255), ""), 4: (words(255), ""), 5: (words(2_047), ""),
        6: (limited(65_536), ""), 7: (limited(65_536), ""), 8: (U8, ""), 9: (boolean, ""),
    },
    5: {
        **CELL, 2: (speed, NEEDED), 3: (moment, NEEDED), 4: (key, ""), 5: (boolean, ""), 6: (WAIT, MORE), 7: (moment, ""),
        8: (moment, ""),
    },
    6: {**CELL, 2: (moment, NEEDED), 3: (WAIT, MORE), 4: (moment, "")},
    7: {
        1: (key, NEEDED), 2: (key, NEEDED), 3: (U32, NEEDED), 4: (U8, NEEDED), 5: (U16, ""), 6: (moment, ""), 7: (moment, ""),
        8: (line, ""), 9: (moment, ""), 10: (exactly(16), ""), 11: (moment, ""),
    },
    8: {
        1: (U64, NEEDED), 2: (words(255, 1), ""), 3: (moment, ""), 4: (ready, ""),
        5: (inside({1: (words(127, 1), NEEDED), 2: (moment, NEEDED)}), MORE), 6: (times, ""), 7: (times, ""), 8: (times, MORE),
        9: (WAIT, MORE), 10: (moment, ""), 11: (moment, ""), 12: (words(63), ""), 13: (words(63), ""),
        14: (inside({1: (words(263, 1), NEEDED), 2: (exactly(16), NEEDED)}), MORE), 15: (boolean, ""), 16: (U8, ""),
        17: (number, ""), 18: (moment, ""), 19: (moment, ""), 20: (U8, ""),
        21: (inside({1: (exactly(16), NEEDED), **copy_from(2)}), ""),
    },
    9: {1: (boolean, NEEDED), 2: (moment, NEEDED), 3: (moment, NEEDED)},
    10: {1: (U8, NEEDED)},
    11: {1: (U8, ""), 2: (moment, ""), 3: (U8, "")},
    17: {1: (words(1_023, 1), ""), 2: (moment, ""), 3: (moment, "")},
    12: {
        1: (place, NEEDED), 2: (words(1_023, 1), NEEDED), 3: (moment, NEEDED), 4: (boolean, ""), 5: (words(255, 1), ""),
        **copy_from(6), 9: (words(2_047, 1), MORE),
    },
    13: {1: (exactly(16), NEEDED), 2: (exactly(16), ""), 3: (moment, ""), 4: (U32, ""), 5: (boolean, "")},
}
KEYS = {12: exactly(16), 1: exactly(16), 5: words(255, 1), 6: words(255, 1), 7: words(255, 1), 8: exactly(16)}
# Of C: a line, a hold, the end; what must be there, and what must not.
CONTINUATIONS = {1: ({5, 6}, {9}), 2: ({7, 9}, {5, 6, 8}), 3: ({7}, {5, 6, 8, 9})}


def read_items(body, fields):
    lists = tuple(tag for tag, (_, how) in fields.items() if how == MORE)
    found = only(items(body, lists), fields)
    for tag, (read, how) in fields.items():
        for value in found[tag] if how == MORE else [found[tag]] if tag in found else []:
            read(value)
    for tag, (_, how) in fields.items():
        if how == NEEDED:
            required(found, tag)
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
    found = read_items(body, tables[kind])
    # A kind of request that this version does not know cannot be granted.
    return form != "message" or kind != 16 or found.get(2, b"\0")[0] < 3


def _register(body):
    plain = lambda value: value  # noqa: E731
    shape = {1: (U8, NEEDED), 2: (plain, ""), 3: (exactly(16), NEEDED), 4: (exactly(16), NEEDED), 5: (moment, NEEDED), 6: (plain, NEEDED)}
    found = read_items(body, shape)
    register = found[1][0]
    if register not in REGISTERS:
        if register > 127:
            raise Refused("unknownMustUnderstand")
        return False
    KEYS.get(register, exactly(0))(found.get(2, b""))
    value = read_items(found[6], REGISTERS[register])
    if register == 7:
        needed, barred = CONTINUATIONS[value[4][0]]
        if not needed <= value.keys():
            raise Refused("truncated")
        if barred & value.keys():
            raise Refused("range")
    if register == 12 and value.get(4) == b"\1" and (value.keys() & {5, 6, 7, 8} or value[9]):
        raise Refused("range")
    if register == 13:
        if (2 in value) != (3 in value):
            raise Refused("truncated")
        if (2 in value) != (value.get(4, bytes(4)) != bytes(4)):
            raise Refused("range")
    originator = (10, 11) if register == 7 else (9, 10)
    if register in (5, 6, 7) and len(value.keys() & set(originator)) == 1:
        raise Refused("truncated")
    return True
