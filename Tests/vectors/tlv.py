"""Group tlv: items, and the values in them, as wire 11.2 has them."""

from common import A, B, case, i64, item, u8, u16, u32, u64


def _items(*pairs):
    return [{"tag": tag, "value": value} for tag, value in pairs]


def tlv():
    cases = []

    def good(name, data, found, known=b"", lists=b"", comment=None):
        cases.append(case(name, {"bytes": data, "known": known, "lists": lists}, {"items": _items(*found)}, comment=comment))

    def bad(name, data, error, known=b"", lists=b""):
        cases.append(case(name, {"bytes": data, "known": known, "lists": lists}, result=error))

    def reads(name, form, value, text=None, error=None, limit=0):
        out = None if error else {"reads": text}
        cases.append(case(name, {"form": form, "value": value, "limit": limit}, out, error or "ok"))

    one, two = item(1, b"a"), item(2, b"")
    good("nothing", b"", [])
    good("one item", one, [(1, b"a")], known=b"\1")
    good("an item of no bytes", two, [(2, b"")], known=b"\2")
    good("two items", one + two, [(1, b"a"), (2, b"")], known=b"\1\2")
    good("a list, and one after it", one + one + two, [(1, b"a"), (1, b"a"), (2, b"")], known=b"\1\2", lists=b"\1")
    good("the last tag", item(255, b"x"), [(255, b"x")], known=b"\xff")
    good("a long item", item(7, b"\7" * 300), [(7, b"\7" * 300)], known=b"\7")
    good("tag 60 of a later version", one + item(60, b"later"), [(1, b"a")], known=b"\1", comment="skipped")
    good("tag 127 of a later version", item(127, b""), [], comment="the last that is skipped")
    bad("tag 128 of a later version", one + item(128, b""), "unknownMustUnderstand", known=b"\1")
    bad("tag 200 of a later version", item(200, b"later"), "unknownMustUnderstand")
    bad("tag 255 unknown", item(255, b""), "unknownMustUnderstand")
    bad("tag 0", item(0, b""), "order")
    bad("doubled where no list is", one + one, "order", known=b"\1")
    bad("descending", two + one, "order", known=b"\1\2")
    bad("descending inside what is skipped", item(61, b"") + item(60, b""), "order")
    bad("half a head", b"\1\0", "truncated")
    bad("a head alone that announces a byte", b"\1\0\0\1", "truncated", known=b"\1")
    bad("one byte too few", item(1, b"abc")[:-1], "truncated", known=b"\1")
    bad("announces all that fits", b"\1\xff\xff\xff" + bytes(8), "truncated", known=b"\1")
    bad("trailing bytes", one + b"\0", "truncated", known=b"\1")

    reads("u8", "u8", u8(255), "255")
    reads("u16", "u16", u16(65535), "65535")
    reads("u32", "u32", u32(1), "1")
    reads("u64", "u64", u64(2**64 - 1), "18446744073709551615")
    reads("u8 of two bytes", "u8", u16(1), error="width")
    reads("u32 of three bytes", "u32", u32(1)[1:], error="width")
    reads("u64 of no bytes", "u64", b"", error="width")
    reads("true", "bool", b"\1", "1")
    reads("false", "bool", b"\0", "0")
    reads("a boolean of 2", "bool", b"\2", error="range")
    reads("a boolean of two bytes", "bool", b"\0\1", error="width")
    reads("a time", "time", i64(-1), "-1")
    reads("the least time", "time", i64(-(2**63) + 1), str(-(2**63) + 1))
    reads("INT64_MIN", "time", i64(-(2**63)), error="range")
    reads("a time of seven bytes", "time", i64(1)[1:], error="width")
    reads("1.5", "f64", bytes.fromhex("3ff8000000000000"), "1.5")
    reads("0.0", "f64", bytes(8), "0.0")
    reads("-16.0", "f64", bytes.fromhex("c030000000000000"), "-16.0")
    reads("-0.0", "f64", bytes.fromhex("8000000000000000"), error="range")
    reads("infinity", "f64", bytes.fromhex("7ff0000000000000"), error="range")
    reads("no number", "f64", bytes.fromhex("7ff8000000000001"), error="range")
    low, high = sorted((A.id, B.id))
    reads("an id", "id", low, low.hex())
    reads("an id of 15 bytes", "id", low[1:], error="width")
    reads("no ids", "ids", b"", "", limit=2)
    reads("ids", "ids", low + high, (low + high).hex(), limit=2)
    reads("ids descending", "ids", high + low, error="order", limit=2)
    reads("an id twice", "ids", low + low, error="order", limit=2)
    reads("too many ids", "ids", low + high, error="count", limit=1)
    reads("an id and a half", "ids", low + high[:8], error="width", limit=2)
    reads("text", "text", "é日".encode(), "é日", limit=5)
    reads("empty text", "text", b"", "", limit=5)
    reads("text too long", "text", "é日é".encode(), error="text", limit=5)
    reads("text with a NUL", "text", b"a\0b", error="text", limit=5)
    reads("text that is no UTF-8", "text", b"\xc3\x28", error="text", limit=5)
    reads("text with an overlong NUL", "text", b"\xc0\x80", error="text", limit=5)
    reads("text with half a pair", "text", b"\xed\xa0\x80", error="text", limit=5)
    return cases
