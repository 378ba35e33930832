"""Group continuation: tokens by which a group finds together again on another day (wire 8.25)."""

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from common import (
    A, B, B_KEX, C0, C1, DOOR_SECRET, FOUNDING, HUB, ORIGIN, STEP, case, expand, extract, i64, item, lab,
    make_intro, seed, u32,
)
from frames import signed, statement
from links import PASS
from levels import make_level

KEY = seed("test host key")
SALT = seed("test salt")
PAIR = A.id + B.id
HUB_SEED = seed("test own hub")
SEEDS = {"sign": seed("test A sign"), "kex": seed("test A kex"), "xwing": seed("test A xwing")}
MADE, TIME, LAST_LANE = 1_795_000_000_000_000_000, 77_000_000_000, 3
HERE = (b"192.168.1.5:7400", HUB.id)


def seal(plain, key=KEY, salt=SALT, head=b"UNIC\1"):
    head += salt
    own = expand(extract(salt, key), lab("continuation"))
    return head + AESGCM(own).encrypt(bytes(12), plain, head)


def address(hub):
    return item(1, hub[0]) + item(2, hub[1])


def record(last=STEP, proof=(FOUNDING, STEP), roster=PAIR, intros=()):
    """The text of a welcome from oneself, without its key and without records since."""
    return (
        item(1, last.bytes) + item(2, bytes(32)) + b"".join(item(3, one.bytes) for one in proof)
        + b"".join(item(5, intro) for intro in intros) + item(6, roster)
    )


def text(hubs=(), passes=(), last=None, levels=(), statements=(), origin=ORIGIN, more=b""):
    return (
        item(1, origin) + item(2, i64(MADE)) + item(3, i64(TIME)) + item(4, u32(LAST_LANE))
        + b"".join(item(5, address(hub)) for hub in hubs) + b"".join(item(6, one) for one in passes)
        + item(7, last or record()) + b"".join(item(8, level) for level in levels)
        + b"".join(item(9, one) for one in statements) + more
    )


def plain(words, chain=C1, seeds=SEEDS, door=DOOR_SECRET):
    return door + HUB_SEED + b"".join(seeds.values()) + chain + words


def continuation():
    cases = []

    def good(name, words, *, chain=C1, record=STEP, hubs=(), passes=(), levels=(), statements=(), key=KEY, comment=None, again=True):
        out = {"door": DOOR_SECRET, "hub_seed": HUB_SEED, "chain": chain, "id": A.id, "origin": ORIGIN}
        out |= {f"seed_{name}": value for name, value in SEEDS.items()}
        out |= {"lane": str(LAST_LANE), "record_id": record.id, "hubs": [{"address": at.decode(), "hub": hub} for at, hub in hubs]}
        out |= {name: list(value) for name, value in (("passes", passes), ("levels", levels), ("statements", statements))}
        out |= {"made": str(MADE), "time": str(TIME)}
        cases.append(case(name, {"key": key, "token": seal(plain(words, chain), key)}, out, comment=comment, deterministic=again))

    def bad(name, token, error, key=KEY):
        cases.append(case(name, {"key": key, "token": token}, result=error))

    good("of one who was alone", text(last=record(FOUNDING, (FOUNDING,), A.id)), chain=C0, record=FOUNDING)
    good("with the shortest key", text(), key=KEY[:16])
    good("with the longest key", text(), key=KEY * 32)
    one = signed(statement(3, b"", b"\1\0\1\1"))
    other = signed(statement(9, b"", b"\1\0\1\1", author=B), B)
    level = make_level(A, [], 5, (A,))
    hubs = (HERE, (b"hub.example.org:443", seed("next")[:16]))
    bought = (HUB.id + PASS,)
    introduced = record(intros=[make_intro(B, B.public, B_KEX.public)])
    good("as full as it may be of each kind", text(hubs, bought, introduced, [level], [one, other]), hubs=hubs, passes=bought,
         levels=[level], statements=[one, other])
    good("an item of a later version", text(more=item(60, b"later")), comment="skipped", again=False)

    right = seal(plain(text()))
    bad("another key", right, "seal", key=seed("another"))
    bad("one bit of the salt changed", right[:5] + bytes([right[5] ^ 1]) + right[6:], "seal")
    bad("one bit changed", right[:-1] + bytes([right[-1] ^ 1]), "seal")
    bad("cut short", right[:-1], "seal")
    bad("no room for a seal", right[:52], "format")
    bad("its first word alone", right[:4], "format")
    bad("empty", b"", "format")
    bad("another first word", b"UNIX" + right[4:], "format")
    bad("a later version", right[:4] + b"\2" + right[5:], "version")
    bad("without its last secret", seal(plain(b"")[:-32]), "malformed")
    bad("nothing behind the secrets", seal(plain(b"")), "malformed")
    bad("the text cut short", seal(plain(text()[:-1])), "malformed")
    bad("no record", seal(plain(text()[: -len(item(7, record()))])), "malformed")
    bad("an origin of 18 bytes", seal(plain(text(origin=ORIGIN[:-1]))), "malformed")
    bad("an origin of an earlier protocol", seal(plain(text(origin=b"\1" + ORIGIN[1:]))), "version")
    bad("seventeen hubs", seal(plain(text([HERE] * 17))), "malformed")
    bad("passes in another order", seal(plain(text(passes=[b"\2" * 54, b"\1" * 54]))), "malformed")
    bad("a pass of another length", seal(plain(text(passes=[HUB.id + PASS[:-1]]))), "malformed")
    bad("an item that must be understood", seal(plain(text(more=item(200, b"")))), "malformed")
    bad("a content key that is not the record's", seal(plain(text(), chain=C0)), "proof")
    bad("another door", seal(plain(text(), door=seed("another door"))), "proof")
    strangers = {"sign": seed("test C sign"), "kex": seed("test C kex"), "xwing": seed("test C xwing")}
    bad("keys of who is not on the roster", seal(plain(text(), seeds=strangers)), "proof")
    bad("a roster that is not the record's", seal(plain(text(last=record(roster=A.id)))), "proof")
    bad("no proof", seal(plain(text(last=record(proof=())))), "proof")
    bad("another's session", seal(plain(text(origin=b"\2" + B.id + ORIGIN[17:]))), "proof")
    return cases
