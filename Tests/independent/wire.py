"""Frames, items and their rules (wire 11)."""

import math
import struct


class Refused(Exception):
    """What came is not what the protocol allows."""


def take(data, length):
    if len(data) < length:
        raise Refused("truncated")
    return data[:length], data[length:]


def each(body, lists=()):
    """Tags and values, as they stand."""
    last = 0
    while body:
        head, body = take(body, 4)
        word = struct.unpack(">I", head)[0]
        tag, length = word >> 24, word & 0xFFFFFF
        if tag == 0 or tag < last or (tag == last and tag not in lists):
            raise Refused("order")
        value, body = take(body, length)
        last = tag
        yield tag, value


def items(body, lists=()):
    """Tag to value, or to a list of values for the tags in `lists`; unknown tags stay for the caller to leave alone."""
    found = {tag: [] for tag in lists}
    for tag, value in each(body, lists):
        if tag in lists:
            found[tag].append(value)
        else:
            found[tag] = value
    return found


def only(found, known):
    """Refuses what must be understood and is not known."""
    if any(tag > 127 and tag not in known for tag in found):
        raise Refused("unknownMustUnderstand")
    return found


def integer(value, form):
    if len(value) != struct.calcsize(form):
        raise Refused("width")
    return struct.unpack(form, value)[0]


def number(value):
    """A finite number, never -0."""
    read = integer(value, ">d")
    if not math.isfinite(read) or value == b"\x80" + bytes(7):
        raise Refused("range")
    return read


def moment(value):
    """A time, ns."""
    read = integer(value, ">q")
    if read == -(2**63):
        raise Refused("range")
    return read


def boolean(value):
    read = integer(value, ">B")
    if read > 1:
        raise Refused("range")
    return bool(read)


def text(value, limit, least=0):
    if not least <= len(value) <= limit or b"\0" in value:
        raise Refused("text")
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise Refused("text") from None


def required(found, tag):
    if tag not in found:
        raise Refused("truncated")
    return found[tag]


def fixed(value, width):
    if len(value) != width:
        raise Refused("width")
    return value


def ascending(values):
    if any(low >= high for low, high in zip(values, values[1:])):
        raise Refused("order")
    return values


def frame(kind, body=b""):
    return struct.pack(">IB", len(body) + 1, kind) + body


def frames(buffer):
    """Cuts whole frames, as they are before there is a link, from the front of a bytearray."""
    while len(buffer) >= 4:
        length = struct.unpack_from(">I", buffer)[0]
        if not 1 <= length <= 262_144:
            raise Refused(f"a frame of {length} bytes")
        if len(buffer) < 4 + length:
            return
        body = bytes(buffer[5 : 4 + length])
        kind = buffer[4]
        del buffer[: 4 + length]
        yield kind, body


def ids(value, width=16):
    if len(value) % width:
        raise Refused("width")
    return [value[at : at + width] for at in range(0, len(value), width)]


def padded_length(content):
    """Length of the plain text around this many bytes."""
    needed = 68 + content
    if needed <= 8_192:
        return max(512, 1 << (needed - 1).bit_length())
    unit = 2 ** (needed.bit_length() - 1 - 3)
    return -(-needed // unit) * unit
