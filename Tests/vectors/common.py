"""What the groups of vectors share: the people, the places, the keys and the shapes of cases."""

import sys
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

sys.path.insert(0, str(Path(__file__).parents[1] / "independent"))

from primitives import (  # noqa: E402
    Agreement, Signer, b32, expand, extract, hpke_open, i64, item, lab, sha, u8, u16, u32, u64,
)
from primitives import hpke_seal as seal_to_key  # noqa: E402


def hpke_seal(recipient, info, plain, ephemeral):
    """Seals to an Agreement of ours, and sees that it opens."""
    sealed = seal_to_key(recipient.public, info, plain, ephemeral)
    assert hpke_open(recipient, info, sealed) == plain
    return sealed


# The protocol


def seed(text):
    return sha(text.encode())


A, B, C, HUB = (Signer(seed(f"test {name} sign")) for name in ("A", "B", "C", "hub"))
A_KEX, B_KEX, C_KEX = (Agreement(seed(f"test {name} kex")) for name in "ABC")
DOOR_SECRET = seed("test door secret")
C0 = seed("test epoch chain")
LANE = bytes.fromhex("000000010001020304050607")
ORIGIN = b"\1" + A.id + u8(0) + u8(2)
SESSION = sha(lab("session") + ORIGIN)


class Door:
    def __init__(self, session, secret):
        root = extract(session, secret)
        self.key = Signer(expand(root, lab("topic")))
        self.topic = self.key.public
        self.chain = expand(root, lab("door") + self.topic)


DOOR = Door(SESSION, DOOR_SECRET)
TOPIC = DOOR.topic
EPOCH_ID = expand(C0, lab("epoch-id") + SESSION + TOPIC)[:8]


def chain_at(generation):
    chain = C0
    for _ in range(generation):
        chain = expand(chain, lab("next"))
    return chain


def send_key(chain, topic, kind, sender, lane):
    return expand(chain, lab("send") + topic + u8(kind) + sender + lane)


def invite_key(origin, secret):
    payload = origin[:1] + secret + origin[1:]
    return b32(payload + sha(lab("invite") + payload)[:4])


def padded_length(content):
    needed = 68 + content
    unit = max(64, 2 ** (needed.bit_length() - 1 - 3))
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


class Entry:
    """One run of the handshake; what is passed replaces what would be right. `names`: of client and hub, for their seeds."""

    def __init__(self, lowest=1, highest=1, client_x=None, hub_x=None, hub_key=None, extra=b"", client_nonce="client nonce", names=("client", "hub")):
        self.client = Agreement(seed(f"test {names[0]} ephemeral"))
        self.hub = Agreement(seed(f"test {names[1]} ephemeral"))
        self.client_nonce = seed("test " + client_nonce)
        self.hub_nonce = seed(f"test {names[1]} nonce")
        self.open = (
            item(1, b"unisono")
            + item(2, u8(lowest))
            + item(3, u8(highest))
            + item(4, self.client_nonce)
            + item(5, client_x or self.client.public)
        )
        self.unsigned = (
            item(1, u8(1))
            + item(2, self.hub_nonce)
            + item(3, hub_x or self.hub.public)
            + item(4, hub_key or HUB.public)
            + item(5, CLOCK)
            + extra
        )
        self.transcript = sha(
            lab("handshake") + u32(len(self.open)) + self.open + u32(len(self.unsigned)) + self.unsigned
        )
        self.hub_signature = HUB.sign(lab("hub") + self.transcript)
        self.challenge = self.unsigned + item(255, self.hub_signature)

    def enter(self, topic_key=None, topic=None, seat_key=A, shown=None):
        topic = topic or TOPIC
        claim = self.transcript + topic + (shown or seat_key.public)
        return (
            item(1, topic)
            + item(2, shown or seat_key.public)
            + item(3, (topic_key or DOOR.key).sign(lab("enter") + claim))
            + item(4, seat_key.sign(lab("seat") + claim))
        )

    def probe_key(self):
        return expand(extract(self.transcript, self.client.agree(self.hub.public)), lab("probe"))

    def given(self, **more):
        return {
            "client_nonce": self.client_nonce,
            "client_ephemeral": self.client.seed,
            "hub_nonce": self.hub_nonce,
            "hub_ephemeral": self.hub.seed,
            "hub_seed": HUB.seed,
            "clock": CLOCK,
            "session": SESSION,
            "door": DOOR_SECRET,
            "seed_sign": A.seed,
            "seed_kex": A_KEX.seed,
            **more,
        }


def make_header(kind, epoch, generation, sender, lane, counter, form=1):
    return u8(form) + u8(kind) + epoch + u32(generation) + sender + lane + u64(counter)


def seal(key, header, plain):
    return header + AESGCM(key).encrypt(bytes(4) + header[42:50], plain, header)


def signed_plain(signer, header, content, session=SESSION, topic=TOPIC):
    signature = signer.sign(lab("message") + session + topic + header + content)
    plain = signature + u32(len(content)) + content
    return signature, plain + bytes(padded_length(len(content)) - len(plain))


def make_intro(signer, signing, agreement, session=SESSION, person=None, vouch_for=None, minor=None, extra=b"", label="intro"):
    body = item(1, signing) + item(2, agreement)
    if person:
        body += item(3, person.public) + item(4, person.sign(lab("person") + session + (vouch_for or signer.id)))
    if minor is not None:
        body += item(5, u16(minor))
    body += extra
    return item(1, body) + item(2, signer.sign(lab(label) + session + body))
