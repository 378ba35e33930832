"""The group's state: statements, their orders, and what follows from them (wire 8.5, 11.3)."""

import struct

from primitives import i64, item, sha, u8, u32
from wire import each, integer, items

CLOCKS, POLICY, END, ACTIVITY, RATE, POSITION, CONTINUATION, PARTICIPANT = range(1, 9)
STALLS, AT_END, STARTS, ENTRY, CURRENT = range(9, 14)
ATTACHMENT, SCHEDULED, AUDIENCE = 15, 17, 19
KEYED = {CLOCKS, RATE, POSITION, CONTINUATION, PARTICIPANT, ENTRY, ATTACHMENT}
# Tags of lists in what a participant says of itself.
LISTS = (5, 8, 9, 14, 22, 23)
COMMAND = 2
LINE, HOLD, ENDED = 1, 2, 3
ORIGIN_POLICY = sha(b"")[:16]


class Statement:
    """What an author said about a register: body, signature, and the fields of the body."""

    def __init__(self, body, signature):
        self.body, self.signature = body, signature
        found = items(body)
        self.register = integer(found[1], ">B")
        self.key = found.get(2, b"")
        self.author, self.policy = found[3], found[4]
        self.time = integer(found[5], ">q")
        self.said = (integer(found[8], ">q"), found[7]) if 7 in found else (self.time, self.author)
        self.value = found[6]
        lists = {RATE: (6,), POSITION: (3,), PARTICIPANT: LISTS, ENTRY: (9, 10), AUDIENCE: (3, 7)}
        self.fields = items(self.value, lists=lists.get(self.register, ()))

    @property
    def name(self):
        return (self.register, self.key)

    @property
    def stamp(self):
        return (self.time, self.author)

    @property
    def cell_key(self):
        """As other values name this cell; a confirmation repeats another's command and keeps its stamp."""
        time, author = self.fields.get(10, i64(self.time)), self.fields.get(9, self.author)
        return self.policy + self.fields[1] + time + author

    @property
    def digest_input(self):
        if self.register == PARTICIPANT:
            lasting = (item(tag, value) for tag, value in each(self.value, LISTS) if tag not in (18, 19))
            return u8(self.register) + self.key + b"".join(lasting)
        return self.body

    @property
    def had(self):
        """How HAVE says that somebody has it."""
        return i64(self.time) + self.author + sha(self.digest_input)[:16]

    def order(self):
        """Greater wins."""
        if self.register in (RATE, POSITION):
            return cell_order(self.cell_key)
        if self.register == CONTINUATION:
            return continuation_order(self)
        if self.register == CLOCKS:
            error = max(integer(self.fields[2], ">I"), 100) // 1000
            return (-error, tuple(-byte for byte in self.author))
        if self.register == ENTRY:
            return (self.fields.get(4) == b"\1", self.said, self.stamp)
        if self.register == CURRENT:
            base = (integer(self.fields[3], ">q"), self.fields[2]) if 2 in self.fields else self.said
            earlier = (-self.said[0], tuple(-byte for byte in self.said[1]))
            return (base, integer(self.fields.get(4, bytes(4)), ">I"), earlier, self.stamp)
        if self.register in (ACTIVITY, STALLS, AT_END, STARTS, SCHEDULED):
            return (self.said, self.stamp)
        return self.stamp


def body_of(register, key, author, time, value):
    """The bytes of a statement, to be signed."""
    keyed = item(2, key) if register in KEYED else b""
    return item(1, u8(register)) + keyed + item(3, author) + item(4, ORIGIN_POLICY) + item(5, i64(time)) + item(6, value)


def cell_order(key):
    """Commands: the newest wins; proposals: an explicit one beats none, the oldest wins."""
    rank, time, author = key[16], struct.unpack(">q", key[17:25])[0], key[25:41]
    if rank == COMMAND:
        return (rank, time, tuple(author))
    return (rank, -time, tuple(-byte for byte in author))


def continuation_order(statement):
    fields = statement.fields
    kind = fields[4][0]
    if kind == LINE:
        tail = (integer(fields[5], ">H"), integer(fields[6], ">q"))
    else:
        # Of two holds the one farther behind counts: this client plays nothing backwards.
        at = integer(fields[7], ">q")
        tail = (-at if kind == HOLD else at, 0)
    return (cell_order(fields[1]), cell_order(fields[2]), integer(fields[3], ">I"), kind, tail, statement.author)


class State:
    """What a group does with an item: `kind` is "paused", "preparing" or "playing"."""

    def __init__(self, kind, at, rate=0.0, since=0, pair=b"", sequence=0):
        self.kind, self.at, self.rate, self.since = kind, at, rate, since
        self.pair, self.sequence = pair, sequence

    def position(self, group_time):
        return self.at + int(self.rate * max(0, group_time - self.since))


class Registers:
    """The greatest statement of each register."""

    def __init__(self):
        self.statements = {}
        self.newest_time = 0

    def merge(self, statement):
        """True: it is news."""
        self.newest_time = max(self.newest_time, statement.time)
        known = self.statements.get(statement.name)
        # Who lies signs two values with one stamp: then the bytes decide.
        if known and (statement.order(), statement.body) <= (known.order(), known.body):
            return False
        self.statements[statement.name] = statement
        return True

    def get(self, register, key=b""):
        return self.statements.get((register, key))

    def clock_offset(self, clock_id):
        known = self.get(CLOCKS, clock_id)
        return integer(known.fields[1], ">q") if known else None

    def state(self, item_id):
        """Coordination's effective state; None: the item has none."""
        rate, position = self.get(RATE, item_id), self.get(POSITION, item_id)
        if not rate or not position:
            return None
        pair = rate.cell_key + position.cell_key
        speed = integer(rate.fields[2], ">d")
        follows = rate.fields.get(4) == position.cell_key
        at = integer(rate.fields[3] if follows else position.fields[2], ">q")
        more = self.get(CONTINUATION, item_id)
        if not more or more.fields[1] + more.fields[2] != pair:
            return State("preparing", at, speed, pair=pair) if speed else State("paused", at, pair=pair)
        sequence = integer(more.fields[3], ">I")
        kind = more.fields[4][0]
        if not speed and kind != ENDED:
            return State("paused", at, pair=pair)
        if 7 in more.fields:
            at = integer(more.fields[7], ">q")
        if kind == LINE:
            return State("playing", at, speed, integer(more.fields[6], ">q"), pair, sequence)
        return State("preparing" if kind == HOLD else "paused", at, speed, pair=pair, sequence=sequence)

    def is_in_force(self, statement):
        """Continuations of cells that were replaced are not; of cells that never came they are, as they hide all others."""
        if statement.register != CONTINUATION:
            return True
        cells = self.get(RATE, statement.key), self.get(POSITION, statement.key)
        if not all(cells):
            return False
        named = cell_order(statement.fields[1]), cell_order(statement.fields[2])
        return named >= (cell_order(cells[0].cell_key), cell_order(cells[1].cell_key))


def readiness(state):
    """What a participant's register says of a start it is ready for."""
    return state.pair + u32(state.sequence)
