"""What the groups of vectors share: the people, the places, the keys and the shapes of cases."""

import sys
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

import mlkem

sys.path.insert(0, str(Path(__file__).parents[1] / "independent"))

from primitives import (  # noqa: E402
    Agreement, Signer, XWing, b32, expand, extract, hpke_open, hybrid_open, i64, item, lab, sha, u8, u16, u32, u64,
    xwing_encapsulate,
)
from primitives import hpke_seal as seal_to_key  # noqa: E402
from primitives import hybrid_seal as seal_to_hybrid_key  # noqa: E402
from records import Record  # noqa: E402


def hpke_seal(recipient, info, plain, ephemeral):
    """Seals to an Agreement of ours, and sees that it opens."""
    sealed = seal_to_key(recipient.public, info, plain, ephemeral)
    assert hpke_open(recipient, info, sealed) == plain
    return sealed


def hybrid_seal(recipient, info, plain, name):
    """The same to an XWing, with randomness of this name."""
    sealed = seal_to_hybrid_key(recipient.public, info, plain, lambda public: encapsulate(public, name))
    assert hybrid_open(recipient, info, sealed) == plain
    return sealed


# The protocol


def seed(text):
    return sha(text.encode())


A, B, C, HUB = (Signer(seed(f"test {name} sign")) for name in ("A", "B", "C", "hub"))
A_KEX, B_KEX, C_KEX = (Agreement(seed(f"test {name} kex")) for name in "ABC")
A_XWING, B_XWING, C_XWING = (XWing(seed(f"test {name} xwing")) for name in "ABC")
DOOR_SECRET = seed("test door secret")
C0 = seed("test epoch chain")
LANE = bytes.fromhex("000000010001020304050607")
ORIGIN = b"\2" + A.id + u8(0) + u8(2)
SESSION = sha(lab("session") + ORIGIN)


class Door:
    def __init__(self, session, secret):
        root = extract(session, secret)
        self.key = Signer(expand(root, lab("topic")))
        self.topic = self.key.public
        self.chain = expand(root, lab("door") + self.topic)


DOOR = Door(SESSION, DOOR_SECRET)
TOPIC = DOOR.topic
SCOPE = SESSION + TOPIC
# The session's founding record, by A alone, and a step in which A lets B in.
FOUNDING, _ = Record.make(A, SCOPE, C0, [A.id], [A.id])
STEP, C1 = Record.make(A, SCOPE, C0, [B.id], [A.id, B.id], FOUNDING)
EPOCH, NO_EPOCH = FOUNDING.epoch, bytes(12)


def send_key(chain, topic, kind, sender, lane):
    return expand(chain, lab("send") + topic + u8(kind) + sender + lane)


def invite_key(origin, secret):
    payload = origin[:1] + secret + origin[1:]
    return b32(payload + sha(lab("invite") + payload)[:4])


def padded_length(content):
    needed = 68 + content
    if needed <= 8_192:
        return max(512, 1 << (needed - 1).bit_length())
    unit = 2 ** (needed.bit_length() - 1 - 3)
    return -(-needed // unit) * unit


def hexed(value):
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {key: hexed(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [hexed(inner) for inner in value]
    return value


def case(name, given, out=None, result="ok", comment=None, **more):
    entry = {"name": name}
    if comment:
        entry["comment"] = comment
    entry["in"] = hexed(given)
    if out is not None:
        entry["out"] = hexed(out)
    entry.update(more)
    entry["open"] = result
    return entry


CLOCK = seed("test clock")[:16]
TURN = 70_000
# The key by which a set certifies its hubs, and when (hours since 1970).
SET = Signer(seed("test set sign"))
HOUR = 500_000


def make_certificate(signer=SET, hub=HUB, until=HOUR + 720, shown=None, said=None):
    signature = signer.sign(lab("set") + hub.id + u32(until))
    return (shown or signer.public) + u32(until if said is None else said) + signature


SMALL_ORDER = {
    "y = 0": bytes(32),
    "y = 1": u8(1) + bytes(31),
    "y = p - 1": b"\xec" + b"\xff" * 30 + b"\x7f",
    "y of order 8, first": bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
    "y of order 8, second": bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
}
NON_CANONICAL = {
    "y = p": b"\xed" + b"\xff" * 30 + b"\x7f",
    "y = p + 1": b"\xee" + b"\xff" * 30 + b"\x7f",
    "y = 2^255 - 1": b"\xff" * 31 + b"\x7f",
}
LOW_ORDER = {
    "u = 0": bytes(32),
    "u = 1": u8(1) + bytes(31),
    "u = p - 1": b"\xec" + b"\xff" * 30 + b"\x7f",
    "u = p": b"\xed" + b"\xff" * 30 + b"\x7f",
    "u = p + 1": b"\xee" + b"\xff" * 30 + b"\x7f",
    "u of order 8, first": bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
    "u of order 8, second": bytes.fromhex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
}


def with_sign(y):
    return y[:31] + u8(y[31] | 0x80)


def encapsulate(public, name):
    """To an X-Wing key, with randomness of this name."""
    ephemeral = Agreement(seed(name + " X25519"))
    return xwing_encapsulate(public, ephemeral, lambda ml: mlkem.encapsulate(ml, seed(name + " ML-KEM")))


class Entry:
    """One run of the handshake; what is passed replaces what would be right. `names`: of client and hub, for their seeds."""

    def __init__(
        self, lowest=2, highest=2, client_ml=None, client_x=None, hub_x=None, open_extra=b"", extra=b"",
        client_nonce=None, hub_nonce=None, names=("client", "hub"),
    ):
        self.client = XWing(seed(f"test {names[0]} xwing"))
        self.client_nonce = seed("test " + (client_nonce or f"{names[0]} nonce"))
        self.hub_nonce = seed("test " + (hub_nonce or f"{names[1]} nonce"))
        ml, x = self.client.public[:1_184], self.client.public[1_184:]
        self.open = (
            item(1, b"unisono")
            + item(2, u8(lowest))
            + item(3, u8(highest))
            + item(4, self.client_nonce)
            + item(5, (client_ml or ml) + (client_x or x))
            + open_extra
        )
        self.encapsulated, self.secret = encapsulate(self.client.public, f"test {names[1]} xwing")
        shown = self.encapsulated[:1_088] + hub_x if hub_x else self.encapsulated
        self.challenge = item(1, u8(2)) + item(2, self.hub_nonce) + item(3, shown) + extra
        self.transcript = sha(
            lab("handshake") + u32(len(self.open)) + self.open + u32(len(self.challenge)) + self.challenge
        )
        root = extract(self.transcript, self.secret)
        self.up, self.down, self.probe_key = (expand(root, lab(name)) for name in ("up", "down", "probe"))

    def identity(self, hub=HUB, signer=None, shown=None, asks=False, explicit=False, certificate=b"", extra=b""):
        asking = item(3, u8(asks)) if asks or explicit else b""
        signature = (signer or hub).sign(lab("hub") + self.transcript)
        certified = item(4, certificate) if certificate else b""
        return item(1, shown or hub.public) + item(2, CLOCK) + asking + certified + extra + item(255, signature)

    def enter(self, topic_key=None, topic=None, seat_key=A, shown=None, hub=HUB, looks=False, bought=None, turn=TURN, said=None,
              role=0, called=None, signs=None):
        """`said`, `called`: turn and role that are told, not those that are signed. `signs`: whether with the topic's key; None: as is right."""
        topic = topic or TOPIC
        told = role if called is None else called
        claim = self.transcript + hub.public + topic + (shown or seat_key.public) + u32(turn) + u8(role)
        return (
            item(1, topic)
            + item(2, shown or seat_key.public)
            + (item(3, (topic_key or DOOR.key).sign(lab("enter") + claim)) if (told != 2 if signs is None else signs) else b"")
            + item(4, seat_key.sign(lab("seat") + claim))
            + (item(5, u8(1)) if looks else b"")
            + (item(6, bought) if bought else b"")
            + item(7, u32(turn if said is None else said))
            + (item(8, u8(told)) if told else b"")
        )

    def given(self, **more):
        return {
            "client_nonce": self.client_nonce,
            "client_xwing": self.client.seed,
            "hub_nonce": self.hub_nonce,
            "encapsulated": self.encapsulated,
            "secret": self.secret,
            "hub_seed": HUB.seed,
            "expected_hub": HUB.id,
            "clock": CLOCK,
            "session": SESSION,
            "door": DOOR_SECRET,
            "turn": TURN,
            "seed_sign": A.seed,
            "seed_kex": A_KEX.seed,
            **more,
        }


def make_header(kind, epoch, sender, lane, counter, form=2):
    return u8(form) + u8(kind) + epoch + sender + lane + u64(counter)


def seal(key, header, plain):
    return header + AESGCM(key).encrypt(bytes(4) + header[42:50], plain, header)


def signed_plain(signer, header, content, session=SESSION, topic=TOPIC):
    signature = signer.sign(lab("message") + session + topic + header + content)
    plain = signature + u32(len(content)) + content
    return signature, plain + bytes(padded_length(len(content)) - len(plain))


def make_intro(
    signer, signing, agreement, session=SESSION, person=None, vouch_for=None, minor=None, extra=b"", label="intro", hybrid=None, middle=b"",
):
    """`hybrid`: the X-Wing key, where it is not the signer's. `middle`: items before it, `extra`: items after it."""
    hybrid = {A: A_XWING, B: B_XWING, C: C_XWING}[signer].public if hybrid is None else hybrid
    body = item(1, signing) + item(2, agreement)
    if person:
        body += item(3, person.public) + item(4, person.sign(lab("person") + session + (vouch_for or signer.id)))
    if minor is not None:
        body += item(5, u16(minor))
    body += middle + item(6, hybrid) + extra
    return item(1, body) + item(2, signer.sign(lab(label) + session + body))
