"""Groups link, pass, line and xwing: what stands between a client and its hub (wire 2.1, 3)."""

import hashlib
import hmac

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

import mlkem
from common import (
    A, B, CLOCK, DOOR, HOUR, HUB, LOW_ORDER, NON_CANONICAL, SET, SMALL_ORDER, TOPIC, TURN, Agreement, Entry, XWing, b32, case,
    encapsulate, expand, extract, item, lab, make_certificate, seed, sha, u8, u16, u32, u64, xwing_encapsulate,
)

PROBE, LARGEST = 9, 294_928


def link_length(kind, body):
    """Length of the plain text of a record with a body of this many bytes."""
    needed = 4 + body
    if kind == PROBE and needed <= 128:
        return 128
    if needed <= 640:
        return 640
    unit = 2 ** (needed.bit_length() - 1 - 3)
    return -(-needed // unit) * unit


def link_plain(kind, body):
    plain = u8(kind) + u32(len(body))[1:] + body
    return plain + bytes(link_length(kind, len(body)) - len(plain))


def link_seal(key, counter, plain):
    head = u32(len(plain) + 16)
    return head + AESGCM(key).encrypt(bytes(4) + u64(counter), plain, head)


def link():
    run = Entry()
    good = {
        "open": run.open,
        "challenge": run.challenge,
        "transcript": run.transcript,
        "up": run.up,
        "down": run.down,
        "probe_key": run.probe_key,
        "identity": run.identity(),
        "enter": run.enter(),
        "hub": HUB.id,
        "participant": A.id,
        "topic": TOPIC,
    }
    cases = [case("a whole entry", run.given(), good, side="both", deterministic=True)]
    looks = good | {"enter": run.enter(looks=True)}
    cases.append(case("only to be shown who is there", run.given(looks=1), looks, side="both", deterministic=True))
    bought = good | {"enter": run.enter(bought=PASS)}
    cases.append(case("with a pass", run.given(**{"pass": PASS}), bought, side="both", deterministic=True))
    for role, name in [(1, "a publisher"), (2, "a listener")]:
        enters = good | {"enter": run.enter(role=role)}
        cases.append(case(f"as {name} of an audience", run.given(role=role), enters, side="both", deterministic=True))
    asks = good | {"identity": run.identity(asks=True)}
    cases.append(case("the hub asks for a pass", run.given(asks=1), asks, side="both", deterministic=True))
    certified = {"certificate": make_certificate(), "expected_hub": SET.id, "hour": HOUR}
    of_set = good | {"identity": run.identity(certificate=make_certificate())}
    cases.append(case("a hub of the set that was meant", run.given(**certified), of_set, side="both", deterministic=True))

    def client(name, error, challenge=None, identity=None, comment=None, **given):
        given |= {"challenge": challenge or run.challenge, "identity": run.identity() if identity is None else identity}
        cases.append(case(name, run.given(**given), result=error, comment=comment, side="client"))

    def hub(name, error, enter=None, opening=None, comment=None):
        given = run.given(open=opening or run.open, enter=enter or run.enter())
        cases.append(case(name, given, result=error, comment=comment, side="hub"))

    extended = Entry(extra=item(60, b"later"))
    client("challenge with an item of a later minor version", "ok", extended.challenge, extended.identity(),
           "the transcript covers what came")
    client("identity with an item of a later minor version", "ok", identity=run.identity(extra=item(60, b"later")))
    client("an explicit default", "ok", identity=run.identity(asks=False, explicit=True))
    client("version 1 chosen", "version", item(1, u8(1)) + run.challenge[5:])
    client("version 3 chosen", "version", item(1, u8(3)) + run.challenge[5:])
    client("challenge cut short", "truncated", run.challenge[:-1])
    client("challenge without encapsulated key", "truncated", run.challenge[: -(4 + 1_120)])
    client("encapsulated key of 1,119 bytes", "width", run.challenge[: -(4 + 1_120)] + item(3, bytes(1_119)))
    client("challenge with an item that must be understood", "unknownMustUnderstand", run.challenge + item(200, b""))
    for name, key in LOW_ORDER.items():
        client(f"encapsulated key's X25519 {name}", "lowOrder", Entry(hub_x=key).challenge)
    client("another hub than expected, honestly", "wrongHub", identity=run.identity(hub=B), comment="Z63")
    client("another hub than expected is the right one", "wrongHub", expected_hub=B.id)
    client("identity signed by another key", "hubSignature", identity=run.identity(signer=B))
    client("identity of another handshake", "hubSignature", identity=Entry(client_nonce="other nonce").identity())
    client("another challenge than the identity's", "hubSignature", Entry(hub_nonce="other nonce").challenge)
    bent = run.identity()
    client("one bit of the hub's signature changed", "hubSignature", identity=bent[:-1] + u8(bent[-1] ^ 1))
    client("hub key of small order", "smallOrder", identity=run.identity(shown=SMALL_ORDER["y = 1"]))
    client("hub key not canonical", "nonCanonical", identity=run.identity(shown=NON_CANONICAL["y = p + 1"]))
    client("identity cut short", "truncated", identity=bent[:-1])
    client("identity without signature", "truncated", identity=bent[: -(4 + 64)])
    client("identity that asks with a 2", "range", identity=bent[:56] + item(3, u8(2)) + bent[56:])
    client("identity with an item that must be understood", "unknownMustUnderstand",
           identity=bent[: -(4 + 64)] + item(200, b"") + bent[-(4 + 64) :])

    def by_set(name, error, certificate, hour=HOUR, pinned=SET.id, **more):
        client(name, error, identity=run.identity(certificate=certificate, **more), comment="N14", expected_hub=pinned, hour=hour)

    right = make_certificate()
    by_set("a certificate in its last hour", "ok", right, hour=HOUR + 719)
    by_set("a certificate that is over", "certificateOver", right, hour=HOUR + 720)
    by_set("a certificate that is over for long", "certificateOver", make_certificate(until=0), hour=2**32 - 1)
    by_set("a certificate that is over, and forged", "certificateOver", right[:-1] + u8(right[-1] ^ 1), hour=HOUR + 720)
    by_set("no certificate", "wrongHub", b"")
    by_set("a certificate of another set", "wrongHub", make_certificate(signer=B))
    by_set("a certificate of the set for another hub", "certificate", make_certificate(hub=B))
    by_set("a certificate by another key than it shows", "certificate", make_certificate(signer=B, shown=SET.public))
    by_set("a certificate that says a later time than was signed", "certificate", make_certificate(said=HOUR + 721))
    by_set("one bit of a certificate's signature changed", "certificate", right[:-1] + u8(right[-1] ^ 1))
    low = SMALL_ORDER["y = 1"]
    by_set("a set's key of small order", "certificate", make_certificate(shown=low), pinned=sha(low)[:16])
    by_set("a hub of the set that did not sign", "hubSignature", right, signer=B)
    by_set("a hub's own id is meant, whatever its certificate is", "ok", make_certificate(signer=B, hub=B, until=0), pinned=HUB.id)
    by_set("a certificate of 99 bytes", "width", right[:-1])
    by_set("a certificate of 101 bytes, where the hub's own id is meant", "width", right + u8(0), pinned=HUB.id)

    later = Entry(highest=3)
    hub("a client that speaks version 3, too", "ok", enter=later.enter(), opening=later.open)
    extended = Entry(open_extra=item(60, b"later"))
    hub("OPEN with an item of a later minor version", "ok", enter=extended.enter(), opening=extended.open)
    hub("ENTER with an item of a later minor version", "ok", enter=run.enter() + item(60, b"later"))
    hub("another magic", "range", opening=run.open.replace(b"unisono", b"unisonx"))
    hub("version 1", "version", opening=Entry(lowest=1, highest=1).open)
    hub("versions 3 to 4", "version", opening=Entry(lowest=3, highest=4).open)
    hub("lowest version above the highest", "range", opening=Entry(lowest=3, highest=2).open)
    hub("OPEN cut short", "truncated", opening=run.open[:-1])
    hub("public key of 1,215 bytes", "width", opening=run.open[: -(4 + 1_216)] + item(5, bytes(1_215)))
    hub("OPEN with an item that must be understood", "unknownMustUnderstand", opening=run.open + item(200, b""))
    hub("client's ML-KEM key not reduced", "nonCanonical", opening=Entry(client_ml=NOT_REDUCED).open)
    for name, key in LOW_ORDER.items():
        hub(f"client's X25519 {name}", "lowOrder", opening=Entry(client_x=key).open)
    hub("another's id, own key", "seatSignature", enter=run.enter(seat_key=B, shown=A.public))
    hub("topic known, no secret", "enterSignature", enter=run.enter(topic_key=B))
    hub("ENTER of another connection", "seatSignature", enter=Entry(client_nonce="other nonce").enter())
    hub("ENTER for another hub", "seatSignature", enter=run.enter(hub=B), comment="relayed")
    hub("another turn than was signed", "seatSignature", enter=run.enter(said=TURN + 1), comment="N2")
    for signed, told in [(0, 1), (1, 0), (0, 2), (2, 1), (1, 2)]:
        enter = run.enter(role=signed, called=told)
        hub(f"another role than was signed: {told} in place of {signed}", "seatSignature", enter=enter, comment="N19")
    hub("a publisher without the topic's key", "enterSignature", enter=run.enter(role=1, topic_key=B), comment="N19")
    hub("a publisher without a topic signature", "truncated", enter=run.enter(role=1, signs=False), comment="N19")
    hub("a member without a topic signature", "truncated", enter=run.enter(signs=False), comment="N19")
    hub("a listener with a topic signature", "range", enter=run.enter(role=2, signs=True))
    hub("a listener that only looks", "range", enter=run.enter(role=2, looks=True))
    hub("a publisher that only looks", "range", enter=run.enter(role=1, looks=True))
    hub("a member that says so", "ok", enter=run.enter() + item(8, u8(0)))
    hub("a role of no kind", "ok", enter=run.enter() + item(8, u8(3)), comment="counts as absent")
    hub("topic of small order", "smallOrder", enter=run.enter(topic=SMALL_ORDER["y = p - 1"]))
    hub("signing key of small order", "smallOrder", enter=run.enter(shown=SMALL_ORDER["y = 0"]))
    hub("signing key not canonical", "nonCanonical", enter=run.enter(shown=NON_CANONICAL["y = p + 1"]))
    right = run.enter()
    hub("ENTER cut short", "truncated", enter=right[:-1])
    hub("ENTER with items out of order", "order", enter=right[36:72] + right[:36] + right[72:])
    hub("a pass of 37 bytes", "width", enter=right[:-8] + item(6, PASS[1:]) + right[-8:])
    hub("a turn of 3 bytes", "width", enter=right[:-8] + item(7, bytes(3)))
    hub("ENTER without a turn", "truncated", enter=right[:-8])
    hub("ENTER with an item that must be understood", "unknownMustUnderstand", enter=right + item(200, b""))
    return cases + _records(run)


def _records(run):
    cases = []
    down = run.down

    def good(name, counter, kind, body, key=run.up, comment=None):
        given = {"key": key, "counter": str(counter), "type": kind, "body": body}
        wire = link_seal(key, counter, link_plain(kind, body))
        cases.append(case(name, given, {"wire": wire}, comment=comment, side="record", deterministic=True))

    def bad(name, wire, error, counter=5, key=run.up, comment=None):
        cases.append(case(name, {"key": key, "counter": str(counter), "wire": wire}, result=error, comment=comment, side="record"))

    ping = item(1, u64(7))
    good("the client's first: ENTER", 0, 3, run.enter())
    good("the hub's first: IDENTITY", 0, 14, run.identity(), down)
    good("PING, as long as ENTER", 1, 10, ping)
    good("the shortest: LEAVE", 2, 12, b"")
    good("PROBE, which is shorter", 3, PROBE, bytes(range(64)))
    good("fills 640 bytes exactly", 4, 7, bytes(636))
    good("one byte more", 5, 7, bytes(637))
    good("the last counter", 2**32 - 1, 10, ping, down)

    plain = link_plain(10, ping)
    right = link_seal(run.up, 5, plain)
    bad("one bit of the tag bent", right[:-1] + u8(right[-1] ^ 1), "seal", comment="Z65")
    bad("one bit of the text bent", right[:9] + u8(right[9] ^ 1) + right[10:], "seal", comment="Z65")
    bad("one before: a record was doubled", right, "seal", counter=6, comment="Z65")
    bad("one behind: a record was dropped", right, "seal", counter=4, comment="Z65")
    bad("the other direction's key", right, "seal", key=down, comment="sent back to whom it came from")
    bad("a byte cut off and the length changed", u32(len(right) - 5) + right[4:-1], "seal")
    bad("a byte added and the length changed", u32(len(right) - 3) + right[4:] + b"\0", "seal")
    bad("the least length is 144", u32(143) + bytes(143), "truncated")
    bad("the greatest length is 294,928", u32(LARGEST + 1), "count", comment="refused by its length alone")
    bad("a length of 2^32 - 1", u32(2**32 - 1), "count")

    def sealed(name, plain, error, comment=None):
        bad(name, link_seal(run.up, 5, plain), error, comment=comment)

    sealed("padding not zero", plain[:-1] + b"\1", "trailing")
    sealed("padding not zero right behind the body", plain[:16] + b"\1" + plain[17:], "trailing")
    sealed("a body longer than the text", u8(10) + u32(637)[1:] + bytes(636), "truncated")
    sealed("a body of 2^24 - 1 bytes", u8(10) + b"\xff" * 3 + bytes(636), "truncated")
    sealed("PROBE that does not fit", u8(PROBE) + u32(125)[1:] + bytes(124), "truncated")
    for name, text in [
        ("more padding than there is need for", plain + bytes(64)), ("PING in 128 bytes", plain[:128]),
        ("PROBE in 640 bytes", u8(PROBE) + u32(64)[1:] + bytes(636)),
    ]:
        given = {"key": run.up, "counter": "5", "wire": link_seal(run.up, 5, text)}
        cases.append(case(name, given, comment="what is too short or too long is the sender's affair", side="record"))

    for length in (0, 636, 637, 700, 1_020, 1_021, 4_096, 65_536, 131_072, 196_605, 262_140, 262_141, 262_143):
        given = {"type": 7, "body_length": length}
        cases.append(case(f"a body of {length} bytes", given, {"n": link_length(7, length) + 16}, side="length"))
    cases.append(case("the body of a PROBE", {"type": PROBE, "body_length": 64}, {"n": 144}, side="length"))
    return cases


# Passes

SECRET, GROUP = seed("test hub secret"), seed("test group")[:8]
SERIAL, UNTIL, ROOMS = 2**40 + 7, 500_000, 4


def make_token(serial=SERIAL, until=UNTIL, rooms=ROOMS, secret=SECRET):
    head = u64(serial) + u32(until) + u16(rooms)
    return head + expand(extract(secret, lab("token") + head), lab("token"))


def make_pass(token, hub=HUB.id, group=GROUP):
    head, key = token[:14], token[14:]
    return head + group + hmac.new(key, lab("pass") + hub + head + group, hashlib.sha256).digest()[:16]


PASS = make_pass(make_token())


def pass_():
    cases = []

    def good(name, hour, serial=SERIAL, until=UNTIL, rooms=ROOMS, hub=HUB.id, group=GROUP, comment=None):
        token = make_token(serial, until, rooms)
        given = {"hub_secret": SECRET, "hub": hub, "serial": str(serial), "until": until, "rooms": rooms, "group": group}
        cases.append(case(name, given | {"hour": hour}, {"token": token, "pass": make_pass(token, hub, group)}, comment=comment))

    def bad(name, bytes_, error, hour=UNTIL - 1, revoked=(), **other):
        given = {"hub_secret": SECRET, "hub": HUB.id, "pass": bytes_, "hour": hour} | other
        if revoked:
            given["revoked"] = [str(serial) for serial in revoked]
        cases.append(case(name, given, result=error))

    good("in its last hour", UNTIL - 1)
    good("long before", 0)
    good("another group", 0, group=seed("test other group")[:8])
    good("another hub", 0, hub=B.id)
    good("the greatest numbers", 2**32 - 2, 2**64 - 1, 2**32 - 1, 2**16 - 1)
    good("the least numbers", 0, 0, 1, 0, comment="no room at all")
    token = make_token()
    bad("expired", PASS, "expired", hour=UNTIL)
    bad("expired long ago", PASS, "expired", hour=2**32 - 1)
    bad("revoked", PASS, "revoked", revoked=[3, SERIAL])
    bad("another one is revoked", PASS, "ok", revoked=[3, SERIAL - 1])
    bad("of another hub", make_pass(token, hub=B.id), "forged")
    bad("by another secret", PASS, "forged", hub_secret=seed("test other secret"))
    bad("more rooms than were sold", PASS[:12] + u16(ROOMS + 1) + PASS[14:], "forged")
    bad("longer than was sold", PASS[:8] + u32(UNTIL + 1) + PASS[12:], "forged")
    bad("another serial", u64(SERIAL + 1) + PASS[8:], "forged")
    bad("another group than it was made for", PASS[:14] + bytes(8) + PASS[22:], "forged")
    bad("the last bit changed", PASS[:-1] + u8(PASS[-1] ^ 1), "forged")
    bad("forged and expired", PASS[:8] + u32(1) + PASS[12:], "forged", hour=UNTIL)
    bad("37 bytes", PASS[:-1], "length")
    bad("39 bytes", PASS + b"\0", "length")
    bad("nothing", b"", "length")
    return cases


pass_.__name__ = "pass"


def line():
    """What a stand-alone hub prints, and who hosts there is given."""
    cases = []
    here, hub, token = "192.168.1.5:7400", b32(HUB.id), b32(make_token())
    plain = f"unisono-hub://{here}/{hub}"

    def good(name, text, address=here, with_token=False, written=None):
        out = {"address": address, "hub": HUB.id} | ({"token": make_token()} if with_token else {})
        cases.append(case(name, {"text": text}, out | ({"written": written} if written else {})))

    def bad(name, text, error):
        cases.append(case(name, {"text": text}, result=error))

    tail = "abcdefghijklmnopqrstuvwxyz234567"
    loose = token[:-1] + tail[tail.index(token[-1]) + 1]
    good("a hub that asks for no pass", plain)
    good("with a token", f"{plain}/{token}", with_token=True)
    good("a name", f"unisono-hub://hub.example.org:443/{hub}/{token}", "hub.example.org:443", True)
    good("an IPv6 address", f"unisono-hub://fe80--1.ipv6:7400/{hub}", "[fe80::1]:7400")
    good("white space around it", f" \t{plain}\r\n", written=plain)
    good("capitals", f"{plain}/{token}".upper(), with_token=True, written=f"{plain}/{token}")
    bad("empty", "", "scheme")
    bad("an invite", f"unisono://{here}/{hub}", "scheme")
    bad("no id", f"unisono-hub://{here}", "noHubID")
    bad("no id, a slash", f"unisono-hub://{here}/", "hubID")
    bad("an address alone", here, "noHubID")
    bad("words in front", f"hub {plain}", "scheme")
    bad("no port", f"unisono-hub://192.168.1.5/{hub}", "address")
    bad("id too short", f"unisono-hub://{here}/{hub[:-1]}", "hubID")
    bad("a token instead of an id", f"unisono-hub://{here}/{token}", "hubID")
    bad("token too short", f"{plain}/{token[:-1]}", "token")
    bad("token not canonical", f"{plain}/{loose}", "token")
    bad("a pass instead of a token", f"{plain}/{b32(PASS)}", "token")
    bad("something behind", f"{plain}/{token}/{token}", "token")
    bad("a sentence's end", f"{plain}.", "hubID")
    bad("too long", "unisono-hub://" + "a" * 500 + f":1/{hub}", "tooLong")
    return cases


# X-Wing

# The first bytes of SHAKE128 of nothing make seed and randomness of each, as in the draft; the secrets are the draft's.
STREAM = hashlib.shake_128(b"").digest(3 * 96)
DRAFT = (
    "d2df0522128f09dd8e2c92b1e905c793d8f57a54c3da25861f10bf4ca613e384",
    "f2e86241c64d60f6649fbc6c5b7d17180b780a3f34355e64a85749949c45f150",
    "953f7f4e8c5b5049bdc771d1dffada0dd961477d1a2ae0988baa7ea6898d893f",
)
# A coefficient of 4,095, where 3,328 is the greatest.
NOT_REDUCED = b"\xff\xff" + Entry().client.public[2:1_184]


def xwing():
    cases = []
    for number, expected in enumerate(DRAFT):
        secret_seed, randomness = STREAM[96 * number :][:32], STREAM[96 * number + 32 :][:64]
        key = XWing(secret_seed)
        ephemeral = Agreement(randomness[32:])
        encapsulated, secret = xwing_encapsulate(key.public, ephemeral, lambda public: mlkem.encapsulate(public, randomness[:32]))
        assert key.open(encapsulated) == secret and secret.hex() == expected
        given = {"seed": secret_seed, "randomness": randomness}
        out = {"public": key.public, "encapsulated": encapsulated, "secret": secret}
        cases.append(case(f"draft-connolly-cfrg-xwing-kem, vector {number + 1}", given, out))

    key = Entry().client
    encapsulated, _ = encapsulate(key.public, "test xwing")
    bent = u8(encapsulated[0] ^ 1) + encapsulated[1:]
    cases.append(case("implicit rejection: ML-KEM's part bent", {"seed": key.seed, "encapsulated": bent}, {"secret": key.open(bent)}))

    def refused(name, error, **given):
        cases.append(case(name, given, result=error))

    refused("a public key that is not reduced", "nonCanonical", public=NOT_REDUCED + key.public[1_184:])
    refused("the least coefficient that is not reduced", "nonCanonical", public=b"\x01\x0d" + key.public[2:])
    refused("a public key of 1,215 bytes", "length", public=key.public[:-1])
    refused("an encapsulated key of 1,121 bytes", "length", seed=key.seed, encapsulated=encapsulated + b"\0")
    for name, u in LOW_ORDER.items():
        refused(f"a public key's X25519 {name}", "lowOrder", public=key.public[:1_184] + u)
        refused(f"an encapsulated key's X25519 {name}", "lowOrder", seed=key.seed, encapsulated=encapsulated[:1_088] + u)
    return cases
