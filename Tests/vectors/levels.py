"""Group policy: levels, the stacks that they make, and the order of stacks (wire 8)."""

from common import A, B, C, ORIGIN, SESSION, Signer, case, i64, item, lab, seed, sha, u8, u16, u32

D = Signer(seed("test D sign"))
NOWHERE = (bytes(32), bytes(32))
FAR = 10**15
EVERYONE, HOSTS_ONLY, PER_ROLE = range(3)
VIEWER, MEMBER, HOST, OWNER = range(1, 5)
NOBODY, NAMED, BY_SENIORITY = range(3)


def policy_id(levels):
    return sha(b"".join(levels))[:16]


def _roles(roles):
    return [who.id + u8(role) for who, role in sorted(roles, key=lambda entry: entry[0].id)]


def succession(deputies, rule=NAMED, patience=None):
    """Items of a level, as they are written: what is the default is left out."""
    found = item(13, b"".join(who.id for who in deputies)) if deputies else b""
    found += item(14, u8(rule)) if rule else b""
    return found + (item(15, u32(patience)) if patience is not None else b"")


def make_level(
    signer, below, time, owners, control=EVERYONE, roles=(), removed=(), place=NOWHERE, session=SESSION, label="policy",
    extra=b"", raw=None,
):
    """By `signer`, on the stack of levels `below`; `raw` replaces values of items."""
    values = {
        "author": signer.id,
        "basis": policy_id(below),
        "time": i64(time),
        "control": u8(control),
        "owners": b"".join(owner.id for owner in owners),
        "roles": b"".join(_roles(roles)),
        "removed": b"".join(sorted(who.id for who in removed)),
        "topic": place[0],
        "founding": place[1],
    } | (raw or {})
    body = b"".join(item(tag, value) for tag, value in enumerate(values.values(), 1)) + extra
    return item(1, body) + item(2, signer.sign(lab(label) + session + body))


def policy():
    cases = []
    keys = [who.public for who in (A, B, C, D)]

    def given(levels):
        return {"origin": ORIGIN, "authors": keys, "levels": levels}

    def good(name, levels, control=EVERYONE, owners=(A,), roles=(), removed=(), place=NOWHERE, former=(), comment=None, exact=True,
             deputies=(), rule=NOBODY, patience=30_000, takeovers=(), closed=False):
        out = {
            "policy_id": policy_id(levels),
            "control": control,
            "owners": [owner.id for owner in owners],
            "roles": _roles(roles),
            "removed": sorted(who.id for who in removed),
            "topic": place[0],
            "founding": place[1],
            "former": list(former),
            "closed": int(closed),
            "deputies": [deputy.id for deputy in deputies],
            "rule": rule,
            "patience": patience,
            "takeovers": [who.id + u8(accepted) for who, accepted in takeovers],
        }
        cases.append(case(name, given(levels), out, comment=comment, deterministic=exact))

    def bad(name, levels, error, comment=None):
        cases.append(case(name, given(levels), result=error, comment=comment))

    def order(name, left, right, result, comment=None):
        cases.append(case(name, {"origin": ORIGIN, "left": left, "right": right}, {"order": result}, comment=comment))
        turned = {"less": "greater", "greater": "less", "equal": "equal"}[result]
        cases.append(case(f"{name}, the other way", {"origin": ORIGIN, "left": right, "right": left}, {"order": turned}))

    trio = (A, B, C)
    base = make_level(A, [], 1_000, trio, PER_ROLE, roles=[(D, VIEWER)])
    by_b = make_level(B, [base], 2_000, trio, PER_ROLE, roles=[(D, HOST)])
    by_c = make_level(C, [base], 3_000, trio, HOSTS_ONLY)
    on_b = make_level(C, [base, by_b], 2_500, trio, HOSTS_ONLY, roles=[(D, MEMBER)])
    place = (seed("test other topic"), seed("test other founding record"))

    good("the origin", [])
    good("three owners and a viewer", [base], PER_ROLE, trio, [(D, VIEWER)])
    good("an owner on top of its senior", [base, by_b], PER_ROLE, trio, [(D, HOST)])
    good("a junior on top of both", [base, by_b, on_b], HOSTS_ONLY, trio, [(D, MEMBER)])
    good("a level may skip a seniority", [base, by_c], HOSTS_ONLY, trio)
    removal = make_level(A, [], 9, (A,), removed=(B, C), place=place)
    good("two removed, and where the room is now", [removal], owners=(A,), removed=(B, C), place=place)
    left = (seed("test topic left first"), seed("test topic left then"))
    twice = make_level(A, [], 9, (A,), place=place, extra=item(10, b"".join(left)))
    good("two rooms that were left for good", [twice], owners=(A,), place=place, former=left)
    shut = make_level(A, [], 9, (A,), extra=item(12, u8(1)))
    good("a group that lets nobody new in", [shut], owners=(A,), closed=True)
    shut_by_a = make_level(A, [], 9, (A, B), extra=item(12, u8(1)))
    good("a junior on top opens it", [shut_by_a, make_level(B, [shut_by_a], 10, (A, B))], owners=(A, B))
    demoted = make_level(B, [base], 5, (A, B), PER_ROLE, roles=[(C, VIEWER)])
    good("who is senior demotes a junior", [base, demoted], PER_ROLE, (A, B), [(C, VIEWER)])
    later = make_level(A, [], 7, (A,), extra=item(60, b"later"))
    good("an item of a later version", [later], comment="skipped; the id is made of the bytes as they came", exact=False)
    good("owners are by seniority, not by id", [make_level(A, [], 7, (A, C, B))], owners=(A, C, B))

    # Deputies: those who stand in when no owner is there.
    lined = make_level(A, [], 10, (A, B), HOSTS_ONLY, roles=[(D, HOST)], extra=succession((C, D), NAMED, 5_000))
    good("two deputies, after five seconds", [lined], HOSTS_ONLY, (A, B), [(D, HOST)], deputies=(C, D), rule=NAMED, patience=5_000)
    good("deputies by seniority", [make_level(A, [], 10, (A,), HOSTS_ONLY, extra=succession((B,), BY_SENIORITY))], HOSTS_ONLY,
         deputies=(B,), rule=BY_SENIORITY)
    good("the longest time", [make_level(A, [], 10, (A,), extra=succession((), NAMED, 3_600_000))], rule=NAMED, patience=3_600_000)
    good("a rule of a later version is none", [make_level(A, [], 10, (A,), extra=item(14, u8(9)))], exact=False)
    by_d = make_level(D, [lined], 50, (A, B, D), HOSTS_ONLY, extra=succession((C,), NAMED, 5_000))
    good("a deputy takes over as the last of the owners", [lined, by_d], HOSTS_ONLY, (A, B, D), deputies=(C,), rule=NAMED,
         patience=5_000, takeovers=[(D, False)])
    c_after_d = make_level(C, [lined, by_d], 90, (A, B, D, C), EVERYONE)
    good("the next one after it", [lined, by_d, c_after_d], EVERYONE, (A, B, D, C), takeovers=[(D, False), (C, False)])
    back = make_level(B, [lined, by_d], 99, (A, B), HOSTS_ONLY, roles=[(D, HOST)], extra=succession((C, D), NAMED, 5_000))
    good("an owner comes back and accepts it", [lined, by_d, back], HOSTS_ONLY, (A, B), [(D, HOST)], deputies=(C, D),
         rule=NAMED, patience=5_000, takeovers=[(D, True)])
    d_back = make_level(D, [lined, by_d, c_after_d], 99, (A, B, D), HOSTS_ONLY)
    good("the first deputy comes back and accepts the second", [lined, by_d, c_after_d, d_back], HOSTS_ONLY, (A, B, D),
         takeovers=[(D, False), (C, True)])
    bad("who is no deputy takes over", [base, make_level(D, [base], 2, (A, B, C, D))], "place")
    bad("a deputy on the origin", [make_level(B, [], 2, (A, B))], "place")
    bad("a deputy takes over before an owner", [lined, make_level(D, [lined], 2, (A, D, B))], "place")
    bad("a deputy takes an owner off", [lined, make_level(D, [lined], 2, (A, D))], "place")
    bad("a deputy that does not become an owner", [lined, make_level(D, [lined], 2, (A, B))], "place")
    returned = [lined, by_d, make_level(A, [lined, by_d], 9, (A, B))]
    bad("an owner comes back twice", returned + [make_level(A, returned, 10, (A, B))], "place")
    many = make_level(A, [], 5, (A,), extra=succession((C,)))
    once = [many, make_level(C, [many], 6, (A, C))]
    bad("a deputy once more on its own takeover", once + [make_level(C, once, 7, (A, C))], "place")
    bad("an owner among the deputies", [make_level(A, [], 1, (A, B), extra=succession((B,)))], "range")
    bad("somebody removed among the deputies", [make_level(A, [], 1, (A,), removed=[B], extra=succession((B,)))], "range")
    bad("a deputy twice", [make_level(A, [], 1, (A,), extra=succession((B, B)))], "range")
    bad("deputies, though nobody stands in", [make_level(A, [], 1, (A,), extra=succession((B,), NOBODY))], "range")
    bad("nine deputies", [make_level(A, [], 1, (A,), extra=succession([Signer(seed(f"deputy {n}")) for n in range(9)]))], "count")
    eight = [A] + [Signer(seed(f"owner {n}")) for n in range(7)]
    bad("eight owners, and a deputy", [make_level(A, [], 1, eight, extra=succession((B,)))], "range")
    bad("after less than five seconds", [make_level(A, [], 1, (A,), extra=succession((B,), NAMED, 4_999))], "range")
    bad("after more than an hour", [make_level(A, [], 1, (A,), extra=succession((B,), NAMED, 3_600_001))], "range")
    bad("neither closed nor open", [make_level(A, [], 1, (A,), extra=item(12, u8(2)))], "range")
    bad("closed in two bytes", [make_level(A, [], 1, (A,), extra=item(12, u16(1)))], "width")
    bad("a time of eight bytes", [make_level(A, [], 1, (A,), extra=item(15, i64(9_000)))], "width")
    bad("deputies of 15 bytes", [make_level(A, [], 1, (A,), extra=item(13, bytes(15)) + item(14, u8(NAMED)))], "width")

    bad("the first level is not the root's", [make_level(B, [], 1, (A, B))], "place")
    bad("another basis", [base, make_level(B, [by_b], 2, trio)], "place")
    bad("of somebody who is no owner", [base, make_level(D, [base], 2, trio)], "place")
    bad("twice the same author", [base, make_level(A, [base], 2, trio)], "place")
    bad("a senior on top of a junior", [base, by_c, make_level(B, [base, by_c], 4, trio)], "place")
    bad("puts itself before its senior", [base, make_level(B, [base], 2, (B, A, C))], "place")
    bad("takes its senior off", [base, make_level(C, [base], 2, (A, C))], "place")
    bad("takes itself off", [base, make_level(C, [base], 2, (A, B))], "place")
    bad("the root takes itself off", [make_level(A, [], 2, (B,))], "place")
    bad("of another session", [make_level(A, [], 1, trio, session=seed("x"))], "signature")
    bad("signed under another label", [make_level(A, [], 1, trio, label="statement")], "signature")
    bad("signed by another", [make_level(B, [], 1, trio, raw={"author": A.id})], "signature")
    bad("one bit of the body changed", [base[:30] + u8(base[30] ^ 1) + base[31:]], "signature")
    bad("cut short", [base[:-1]], "truncated")
    bad("no signature", [base[:-68]], "truncated")
    bad("an item that must be understood", [make_level(A, [], 1, (A,), extra=item(200, b""))], "unknownMustUnderstand")
    bad("no owners", [make_level(A, [], 1, ())], "range")
    bad("an owner twice", [make_level(A, [], 1, (A, B, A))], "range")
    bad("nine owners", [make_level(A, [], 1, [Signer(seed(f"owner {n}")) for n in range(9)])], "count")
    bad("an owner among the roles", [make_level(A, [], 1, (A, B), roles=[(B, HOST)])], "range")
    bad("an owner among the removed", [make_level(A, [], 1, (A, B), removed=[B])], "range")
    bad("owner as a role", [make_level(A, [], 1, (A,), roles=[(B, OWNER)])], "range")
    bad("a role that there is not", [make_level(A, [], 1, (A,), roles=[(B, 5)])], "range")
    low, high = sorted((B.id, C.id))
    bad("roles descending", [make_level(A, [], 1, (A,), raw={"roles": high + u8(1) + low + u8(1)})], "order")
    bad("removed descending", [make_level(A, [], 1, (A,), raw={"removed": high + low})], "order")
    bad("removed twice", [make_level(A, [], 1, (A,), raw={"removed": low + low})], "order")
    bad("a topic of 31 bytes", [make_level(A, [], 1, (A,), raw={"topic": bytes(31)})], "width")
    bad("a room that was left, twice", [make_level(A, [], 1, (A,), extra=item(10, left[0] * 2))], "range")
    bad("nine rooms that were left", [make_level(A, [], 1, (A,), extra=item(10, bytes(9 * 32)))], "count")
    bad("a room that was left of 33 bytes", [make_level(A, [], 1, (A,), extra=item(10, bytes(33)))], "width")
    bad("a founding record of 33 bytes", [make_level(A, [], 1, (A,), raw={"founding": bytes(33)})], "width")
    bad("stamped INT64_MIN", [make_level(A, [], -(2**63), (A,))], "range")

    newer = make_level(A, [], 1_001, trio)
    forged = make_level(B, [base], 2**62, trio)
    order("the origin and itself", [], [], "equal")
    order("the origin and a level", [], [base], "less")
    order("a prefix and what extends it", [base], [base, by_b], "less")
    order("a stack and itself", [base, by_b], [base, by_b], "equal")
    order("the same author, an older and a newer stamp", [base], [newer], "less")
    order("a senior's newer level, and all that stands on its older one", [newer], [base, by_b, on_b], "greater")
    order("the more senior of two authors, whatever the stamps", [base, by_b], [base, by_c], "greater")
    order("a demoted owner's forged stamp", [base, forged], [newer], "less", comment="Z20")
    one, two = sorted((make_level(A, [], 5, (A,), control) for control in (EVERYONE, PER_ROLE)), key=sha)
    order("equal stamps: the greater hash", [one], [two], "less")
    swapped = make_level(A, [], 1_000, (A, C, B), PER_ROLE)
    left, right = ([swapped, make_level(who, [swapped], time, (A, C, B))] for who, time in ((B, 9), (C, 1)))
    order("seniority is the list's, of the level below", left, right, "less")
    order("a takeover and what it stands on", [lined], [lined, by_d], "less")
    by_c_first = make_level(C, [lined], 20, (A, B, C), HOSTS_ONLY)
    order("of two takeovers that of the deputy who goes before", [lined, by_d], [lined, by_c_first], "less")
    by_junior = make_level(B, [lined], 1, (A, B), HOSTS_ONLY)
    order("any owner and a deputy, whatever the stamps", [lined, by_d], [lined, by_junior], "less")
    order("an owner's newer level and a takeover on its older one", [lined, by_d], [make_level(A, [], 11, (A, B), HOSTS_ONLY)], "less")
    order("the owner that came back and what the deputy allowed", [lined, by_d, c_after_d], [lined, by_d, back], "less")
    return cases
