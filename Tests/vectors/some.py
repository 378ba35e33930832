"""Groups private and rekey: what is sealed for some of a room (wire 5.4, 6.3)."""

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from common import (
    A, A_KEX, B, B_KEX, C, C_KEX, EPOCH_ID, LANE, ORIGIN, SESSION, TOPIC, Agreement, Door, case, expand, hpke_seal,
    item, lab, make_header, make_intro, seed, u8, u64,
)
from levels import make_level, policy_id

DATA, PRIVATE, REKEY = 9, 11, 12
TEXT = u8(DATA) + item(1, u64(7)) + item(2, b"for some")


def make_private(header, recipients, text=TEXT, session=SESSION, topic=TOPIC):
    """Content of a PRIVATE to (id, agreement key) pairs."""
    key = seed("test private key")
    wraps = b""
    for number, (who, agreement) in enumerate(sorted(recipients, key=lambda pair: pair[0])):
        info = lab("private") + session + topic + header + who
        wraps += item(1, who + hpke_seal(agreement, info, key, Agreement(seed(f"test private ephemeral {number}"))))
    sealed = AESGCM(key).encrypt(bytes(12), text, lab("private") + header)
    return u8(PRIVATE) + wraps + item(2, sealed)


def private():
    cases = []
    header = make_header(1, EPOCH_ID, 3, A.id, LANE, 5)
    both = [(B.id, B_KEX), (C.id, C_KEX)]

    def add(name, content, recipient=B, kex=B_KEX, head=header, error="ok", text=TEXT, comment=None):
        given = {"session": SESSION, "topic": TOPIC, "header": head, "recipient": recipient.id, "seed_kex": kex.seed}
        given["content"] = content
        cases.append(case(name, given, {"text": text} if error == "ok" else None, error, comment))

    right = make_private(header, both)
    add("to two, the first of them", right)
    add("to two, the second of them", right, C, C_KEX)
    add("to one", make_private(header, both[:1]))
    unordered = make_header(2, EPOCH_ID, 3, A.id, LANE, 0)
    add("unordered", make_private(unordered, both), head=unordered)
    add("a notice for some", make_private(header, both, u8(10) + item(4, b"psst")), text=u8(10) + item(4, b"psst"))
    add("an item of a later version", right + item(60, b"later"), comment="skipped")
    refused = "notAddressed"
    add("to others", right, A, A_KEX, error=refused)
    add("with another's key", right, B, C_KEX, error=refused)
    resent = make_header(1, EPOCH_ID, 3, C.id, LANE, 5)
    add("sent on by another as its own", right, head=resent, error=refused, comment="Z14")
    add("under another counter", right, head=make_header(1, EPOCH_ID, 3, A.id, LANE, 6), error=refused)
    add("of another session", make_private(header, both, session=seed("x")), error=refused)
    add("of another room", make_private(header, both, topic=seed("x")), error=refused)
    add("the last bit changed", right[:-1] + u8(right[-1] ^ 1), error=refused)
    flipped = bytearray(right)
    flipped[1 + 4 + 95] ^= 1
    add("a wrap with one bit changed", bytes(flipped), recipient=min((B, C), key=lambda who: who.id),
        kex=B_KEX if B.id < C.id else C_KEX, error=refused)
    wrap = item(1, right[5:101])
    add("sealed text shorter than its tag", u8(PRIVATE) + wrap + item(2, bytes(15)), error=refused)
    add("no sealed text", u8(PRIVATE) + wrap, error="truncated")
    add("a wrap of 95 bytes", u8(PRIVATE) + item(1, bytes(95)) + item(2, bytes(32)), error="width")
    add("an item that must be understood", right + item(200, b""), error="unknownMustUnderstand")
    add("cut short", right[:-1], error="truncated")
    return cases


def make_wrap(secrets, recipient, kex, levels, sender=A, session=SESSION, topic=TOPIC):
    info = lab("rekey") + session + topic + sender.id + recipient.id + policy_id(levels)
    return recipient.id + hpke_seal(kex, info, secrets, Agreement(seed(f"test rekey ephemeral {recipient.id.hex()}")))


def rekey():
    cases = []
    door_secret, chain = seed("test next door secret"), seed("test next epoch chain")
    secrets = door_secret + chain
    next_door = Door(SESSION, door_secret)
    place = (next_door.topic, expand(chain, lab("epoch-id") + SESSION + next_door.topic)[:8])
    base = make_level(A, [], 1, (A, B))
    levels = [make_level(A, [], 2, (A, B), removed=(C,), place=place)]
    stacked = [base, make_level(B, [base], 3, (A, B), removed=(C,), place=place)]

    def content(wraps, levels=levels):
        return u8(REKEY) + b"".join(item(1, level) for level in levels) + b"".join(item(2, wrap) for wrap in wraps)

    def at_door(wrap, levels=levels, intro=make_intro(A, A.public, A_KEX.public)):
        return u8(REKEY) + item(1, intro) + item(2, wrap) + b"".join(item(3, level) for level in levels)

    def add(name, content, error="ok", sender=A, recipient=B, kex=B_KEX, comment=None):
        given = {"origin": ORIGIN, "session": SESSION, "topic": TOPIC, "sender": sender.id, "recipient": recipient.id}
        given |= {"seed_kex": kex.seed, "content": content}
        out = {"door": door_secret, "chain": chain, "topic": place[0], "epoch_id": place[1]} if error == "ok" else None
        cases.append(case(name, given, out, error, comment))

    right = make_wrap(secrets, B, B_KEX, levels)
    add("to one", content([right]))
    two = sorted([right, make_wrap(secrets, A, A_KEX, levels)])
    add("to two", content(two))
    add("by an owner on top of its senior", content([make_wrap(secrets, B, B_KEX, stacked)], stacked))
    add("carried by another member", content([make_wrap(secrets, A, A_KEX, levels, sender=B)]), sender=B, recipient=A, kex=A_KEX)
    add("told at the door", at_door(right))
    add("an item of a later version", content([right]) + item(60, b"later"), comment="skipped")
    add("no wrap for the recipient", content([right]), "notAddressed", recipient=A, kex=A_KEX)
    add("of another sender", content([right]), "rekey", sender=C)
    add("with another's key", content([right]), "rekey", kex=C_KEX)
    add("the last bit changed", content([right[:-1] + u8(right[-1] ^ 1)]), "rekey")
    add("sealed under another policy", content([make_wrap(secrets, B, B_KEX, stacked)]), "rekey")
    add("of another session", content([make_wrap(secrets, B, B_KEX, levels, session=seed("x"))]), "rekey")
    add("of another room", content([make_wrap(secrets, B, B_KEX, levels, topic=seed("x"))]), "rekey")
    add("another door than the policy names", content([make_wrap(seed("x") + chain, B, B_KEX, levels)]), "rekey")
    add("another epoch than the policy names", content([make_wrap(door_secret + seed("x"), B, B_KEX, levels)]), "rekey")
    add("a wrap of 127 bytes", content([right[:-1]]), "width")
    add("no levels", u8(REKEY) + item(2, right), "truncated")
    add("two wraps at the door", u8(REKEY) + item(1, b"") + item(2, right) + item(2, right) + item(3, levels[0]), "range")
    intro = make_intro(A, A.public, A_KEX.public)
    add("word left at the door hands nothing over", at_door(right) + item(4, intro), "range")
    add("the last word at the door hands nothing over", at_door(right) + item(5, u8(1)), "range")
    add("introductions that are not at the door", content([right]) + item(4, intro), "range")
    add("cut short", content([right])[:-1], "truncated")
    return cases
