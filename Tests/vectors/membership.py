"""Groups record and welcome: who can read, and how a newcomer sees that it is let in by the group (wire 5, 6)."""

from common import (
    A, A_XWING, B, B_KEX, B_XWING, C, C0, C1, C_KEX, DOOR_SECRET, FOUNDING, ORIGIN, SCOPE, SESSION, STEP, TOPIC, A_KEX, Record, case,
    hybrid_seal, item, lab, make_intro, seed, sha, u8, u32,
)
from levels import make_level, policy_id

NONE = policy_id([])
INTROS = {A: make_intro(A, A.public, A_KEX.public), B: make_intro(B, B.public, B_KEX.public), C: make_intro(C, C.public, C_KEX.public)}


def made(signer, body, label="record"):
    return item(1, body) + item(2, signer.sign(lab(label) + SCOPE + body))


def record():
    cases = []

    def good(name, one, chain, parents=None, comment=None):
        given = {"session": SESSION, "topic": TOPIC, "author": next(who.public for who in (A, B, C) if who.id == one.author)}
        given |= {"record": one.bytes} | ({"parent_chain": parents} if parents else {"chain": chain})
        out = {"id": one.id, "kind": one.kind, "number": one.number, "admitted": one.admitted, "chain": chain}
        cases.append(case(name, given, out, comment=comment))

    def bad(name, data, error, parents=C0, author=A):
        given = {"session": SESSION, "topic": TOPIC, "author": author.public, "record": data, "parent_chain": parents}
        cases.append(case(name, given, result=error))

    good("a founding record", FOUNDING, C0)
    good("a step that lets one in", STEP, C1, C0)
    empty, chain = Record.make(B, SCOPE, C1, [], [A.id, B.id], STEP)
    good("a step that lets nobody in", empty, chain, C1)
    pair, chain = Record.make(A, SCOPE, C0, [C.id, B.id], [A.id, C.id, B.id], FOUNDING)
    good("a step that lets two in, in this order", pair, chain, C0)
    unproven, chain = Record.make(C, SCOPE, seed("test unproven key"), [C.id], [C.id], kind=2)
    good("an unproven founding record", unproven, chain)

    body = STEP.body
    bad("another key", STEP.bytes, "commit", parents=C1)
    bad("one bit of the body changed", STEP.bytes[:40] + u8(STEP.bytes[40] ^ 1) + STEP.bytes[41:], "signature")
    bad("signed by another", made(B, body), "signature")
    bad("signed under another label", made(A, body, "policy"), "signature")
    bad("cut short", STEP.bytes[:-1], "truncated")
    bad("no signature", item(1, body), "truncated")
    bad("an item more", STEP.bytes + item(60, b"later"), "order")
    bad("an item more in the body", made(A, body + item(60, b"later")), "order")

    def fields(**other):
        values = {
            "kind": u8(1), "parent": FOUNDING.id, "number": u32(1), "author": A.id, "admitted": B.id, "roster": seed("roster"),
            "policy": None, "commit": seed("commit"),
        } | other
        return made(A, b"".join(item(tag, value) for tag, value in enumerate(values.values(), 1) if value is not None))

    bad("a step without a parent", fields(parent=None), "range")
    bad("a step with a policy", fields(policy=NONE), "range")
    bad("a step with number 0", fields(number=u32(0)), "range")
    bad("a founding record with a parent", fields(kind=u8(0), number=u32(0), policy=NONE), "range")
    bad("a founding record without a policy", fields(kind=u8(0), number=u32(0), parent=None), "range")
    bad("a founding record with a number", fields(kind=u8(0), parent=None, policy=NONE), "range")
    bad("a founding record of nobody", fields(kind=u8(0), parent=None, number=u32(0), policy=NONE, admitted=b""), "range")
    bad("somebody twice", fields(admitted=B.id * 2), "range")
    bad("nobody's id", fields(admitted=bytes(16)), "range")
    bad("33 let in", fields(admitted=b"".join(seed(f"guest {n}")[:16] for n in range(33))), "range")
    bad("513 let in", fields(admitted=b"".join(seed(f"guest {n}")[:16] for n in range(513))), "count")
    bad("a commitment of 31 bytes", fields(commit=bytes(31)), "width")
    bad("half an id", fields(admitted=bytes(8)), "width")
    return cases


def welcome():
    cases = []
    hello = u8(2) + item(1, INTROS[B]) + item(4, B_XWING.public)

    def info(welcomer, newcomer=B.id, content=hello, session=SESSION, topic=TOPIC):
        return lab("welcome") + session + topic + welcomer + newcomer + sha(content)

    def text(last, chain, proof, roster, levels=(), intros=(), more=b""):
        return (
            item(1, last.bytes) + item(2, chain) + b"".join(item(3, one.bytes) for one in proof)
            + b"".join(item(4, level) for level in levels) + b"".join(item(5, INTROS[who]) for who in intros)
            + item(6, b"".join(roster)) + more
        )

    def given(sealed, welcomer=A):
        return {
            "session": SESSION, "door": DOOR_SECRET, "root": A.id, "origin": ORIGIN, "welcomer": welcomer.id, "newcomer": B.id,
            "seed_xwing": B_XWING.seed, "hello": hello, "intro": INTROS[welcomer], "sealed": sealed,
        }

    def sealed(plain, welcomer=A, key=B_XWING, **more):
        return hybrid_seal(key, info(welcomer.id, **more), plain, "test welcome")

    def good(name, plain, last, chain, roster, welcomer=A, comment=None):
        out = {"chain": chain, "record_id": last.id, "founding_id": FOUNDING.id, "roster": b"".join(roster)}
        cases.append(case(name, given(sealed(plain, welcomer), welcomer), out, comment=comment))

    def bad(name, data, error, welcomer=A):
        cases.append(case(name, given(data, welcomer), result=error))

    pair = [A.id, B.id]
    right = text(STEP, C1, [FOUNDING, STEP], pair)
    good("by the root", right, STEP, C1, pair)
    # A let C in, C lets B in.
    let_in, c_chain = Record.make(A, SCOPE, C0, [C.id], [A.id, C.id], FOUNDING)
    last, last_chain = Record.make(C, SCOPE, c_chain, [B.id], [A.id, C.id, B.id], let_in)
    trio = [A.id, C.id, B.id]
    by_c = text(last, last_chain, [FOUNDING, let_in], trio, intros=[A])
    good("by a member whom the root let in", by_c, last, last_chain, trio, C)
    later, later_chain = Record.make(A, SCOPE, last_chain, [], trio, last)
    again = text(later, later_chain, [FOUNDING, let_in], trio, intros=[A], more=item(7, later.bytes))
    good("of who is on the roster, with the records since", again, later, later_chain, trio, C)
    level = make_level(A, [], 5, (A,))
    good("with a policy", text(STEP, C1, [FOUNDING, STEP], pair, [level]), STEP, C1, pair)
    good("an item of a later version", right + item(60, b"later"), STEP, C1, pair, comment="skipped")

    good_seal = sealed(right)
    bad("one bit changed", good_seal[:-1] + u8(good_seal[-1] ^ 1), "seal")
    bad("another welcomer", good_seal, "seal", welcomer=C)
    bad("for another newcomer", sealed(right, newcomer=C.id), "seal")
    bad("answer to another hello", sealed(right, content=hello + b"\0"), "seal")
    bad("of another session", sealed(right, session=seed("x")), "seal")
    bad("of another door", sealed(right, topic=seed("x")), "seal")
    bad("to another key", sealed(right, key=A_XWING), "seal")
    bad("the encapsulated key alone", good_seal[:1_120], "seal")
    bad("nothing inside", sealed(b""), "length")
    bad("no roster inside", sealed(right[: -(4 + 32)]), "length")

    refused = "proof"
    bad("another key than the record's", sealed(text(STEP, C0, [FOUNDING, STEP], pair)), refused)
    bad("a roster without the newcomer", sealed(text(FOUNDING, C0, [FOUNDING], [A.id])), refused)
    bad("another roster than the record's", sealed(text(STEP, C1, [FOUNDING, STEP], [A.id, B.id, C.id])), refused)
    bad("no proof", sealed(text(STEP, C1, [], pair)), refused)
    bad("a proof that does not begin with a founding record", sealed(text(STEP, C1, [STEP], pair)), refused)
    own, own_chain = Record.make(C, SCOPE, seed("test own key"), [C.id, B.id], [C.id, B.id])
    bad("a room of its own", sealed(text(own, own_chain, [own], [C.id, B.id]), C), refused, C)
    unproven, unproven_chain = Record.make(C, SCOPE, seed("test own key"), [C.id, B.id], [C.id, B.id], kind=2)
    bad("an unproven founding record", sealed(text(unproven, unproven_chain, [unproven], [C.id, B.id]), C), refused, C)
    stranger, stranger_chain = Record.make(C, SCOPE, C0, [C.id, B.id], [A.id, C.id, B.id], FOUNDING)
    by_stranger = text(stranger, stranger_chain, [FOUNDING, stranger], [A.id, C.id, B.id], intros=[A])
    bad("by one who let itself in", sealed(by_stranger, C), refused, C)
    bad("by a member without its proof", sealed(text(last, last_chain, [FOUNDING], trio, intros=[A]), C), refused, C)
    bad("authors that nobody introduces", sealed(text(last, last_chain, [FOUNDING, let_in], trio), C), refused, C)
    removal = make_level(A, [], 5, (A,), removed=(C,))
    bad("by one whom its policy removed", sealed(text(last, last_chain, [FOUNDING, let_in], trio, [removal], [A]), C), refused, C)
    moved = make_level(A, [], 5, (A,), place=(TOPIC, seed("another founding record")))
    bad("a policy that names another founding record", sealed(text(STEP, C1, [FOUNDING, STEP], pair, [moved])), refused)
    return cases
