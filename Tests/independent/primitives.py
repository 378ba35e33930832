"""What the protocol is made of, on hashlib and `cryptography` alone: shares nothing with the library.

SHA-256, HKDF-Expand of 32 bytes, Ed25519, X25519, X-Wing (ML-KEM-768 and X25519), AES-256-GCM, HPKE base mode (RFC 9180)
with KEM 0x0020 or 0x647a, KDF 0x0001 and AEAD 0x0002; big-endian integers; items of tag and length.
"""

import base64
import hashlib
import hmac
import os
import struct

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.mlkem import MLKEM768PrivateKey, MLKEM768PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from wire import Refused

RAW = (serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def sha(data):
    return hashlib.sha256(data).digest()


def lab(name):
    return b"unisono/2 " + name.encode() + b"\0"


def extract(salt, ikm):
    return hmac.new(salt, ikm, hashlib.sha256).digest()


def expand(prk, info):
    return hmac.new(prk, info + b"\1", hashlib.sha256).digest()


def u8(value):
    return struct.pack(">B", value)


def u16(value):
    return struct.pack(">H", value)


def u32(value):
    return struct.pack(">I", value)


def u64(value):
    return struct.pack(">Q", value)


def i64(value):
    return struct.pack(">q", value)


def item(tag, value):
    return u8(tag) + struct.pack(">I", len(value))[1:] + value


def b32(data):
    return base64.b32encode(data).decode().rstrip("=").lower()


def unb32(text):
    return base64.b32decode(text.upper() + "=" * (-len(text) % 8))


def verifies(public, signature, text):
    """Whether the owner of an Ed25519 key signed this."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text)
        return True
    except InvalidSignature:
        return False


# Of the curve's small-order points, in the lowest 255 bits: y of order 1, 2, 4 and 8.
_P = 2**255 - 19
_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDER = {0, 1, _P - 1, _ORDER_8, _P - _ORDER_8}


def signing_key(public):
    """Refuses Ed25519 keys that everybody can sign for, and second spellings."""
    y = int.from_bytes(public, "little") % 2**255
    if y >= _P:
        raise Refused("nonCanonical")
    if y in _SMALL_ORDER:
        raise Refused("smallOrder")
    return public


class Signer:
    def __init__(self, seed):
        self.seed = seed
        self.key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self.key.public_key().public_bytes(*RAW)
        self.id = sha(self.public)[:16]

    def sign(self, text):
        return self.key.sign(text)


class Agreement:
    def __init__(self, seed):
        self.seed = seed
        self.key = X25519PrivateKey.from_private_bytes(seed)
        self.public = self.key.public_key().public_bytes(*RAW)

    @classmethod
    def fresh(cls):
        return cls(os.urandom(32))

    def agree(self, public):
        """The agreed secret; refuses keys that lead to zero whatever the own one is."""
        try:
            return self.key.exchange(X25519PublicKey.from_public_bytes(public))
        except ValueError:
            raise Refused("lowOrder") from None


# X-Wing, draft-connolly-cfrg-xwing-kem

XWING_PUBLIC, XWING_ENCAPSULATED = 1_216, 1_120
_ML_PUBLIC, _ML_ENCAPSULATED = 1_184, 1_088


def _of_length(data, length):
    if len(data) != length:
        raise Refused("length")


def _combined(ml_secret, agreed, ephemeral, public):
    return hashlib.sha3_256(ml_secret + agreed + ephemeral + public + b"\\.//^\\").digest()


class XWing:
    """A key pair to which somebody encapsulates."""

    def __init__(self, seed):
        self.seed = seed
        expanded = hashlib.shake_256(seed).digest(96)
        self._ml = MLKEM768PrivateKey.from_seed_bytes(expanded[:64])
        self._x = Agreement(expanded[64:])
        self.public = self._ml.public_key().public_bytes_raw() + self._x.public

    def open(self, encapsulated):
        """The secret that is inside."""
        _of_length(encapsulated, XWING_ENCAPSULATED)
        ephemeral = encapsulated[_ML_ENCAPSULATED:]
        agreed = self._x.agree(ephemeral)
        return _combined(self._ml.decapsulate(encapsulated[:_ML_ENCAPSULATED]), agreed, ephemeral, self._x.public)


def xwing_encapsulate(public, ephemeral, ml_encapsulate=None):
    """Encapsulated key and secret; `ephemeral`: the Agreement of this one time. `ml_encapsulate`: of ML-KEM-768, where its
    randomness shall be an input."""
    _of_length(public, XWING_PUBLIC)
    try:
        ml_public = MLKEM768PublicKey.from_public_bytes(public[:_ML_PUBLIC])
    except ValueError:
        raise Refused("nonCanonical") from None
    recipient = public[_ML_PUBLIC:]
    agreed = ephemeral.agree(recipient)
    if ml_encapsulate:
        encapsulated, ml_secret = ml_encapsulate(public[:_ML_PUBLIC])
    else:
        ml_secret, encapsulated = ml_public.encapsulate()
    return encapsulated + ephemeral.public, _combined(ml_secret, agreed, ephemeral.public, recipient)


# HPKE, RFC 9180 sections 4.1 and 5.1

_X25519, _XWING = 0x0020, 0x647A
_KEM = b"KEM" + u16(_X25519)


def _labeled_extract(suite, salt, label, ikm):
    return extract(salt, b"HPKE-v1" + suite + label + ikm)


def _labeled_expand(suite, prk, label, context, length):
    return expand(prk, u16(length) + b"HPKE-v1" + suite + label + context)[:length]


def _hpke_key(kem, shared, info):
    """Key and nonce of the one message."""
    suite, zero = b"HPKE" + u16(kem) + u16(0x0001) + u16(0x0002), bytes(32)
    context = b"\0" + _labeled_extract(suite, zero, b"psk_id_hash", b"") + _labeled_extract(suite, zero, b"info_hash", info)
    secret = _labeled_extract(suite, shared, b"secret", b"")
    return (
        AESGCM(_labeled_expand(suite, secret, b"key", context, 32)),
        _labeled_expand(suite, secret, b"base_nonce", context, 12),
    )


def _shared(agreed, enc, recipient):
    return _labeled_expand(
        _KEM, _labeled_extract(_KEM, bytes(32), b"eae_prk", agreed), b"shared_secret", enc + recipient, 32
    )


def hpke_seal(recipient, info, plain, ephemeral):
    """`recipient`: a public key; `ephemeral`: the Agreement of this one message."""
    key, nonce = _hpke_key(_X25519, _shared(ephemeral.agree(recipient), ephemeral.public, recipient), info)
    return ephemeral.public + key.encrypt(nonce, plain, None)


def hpke_open(recipient, info, sealed):
    """`recipient`: the Agreement it was sealed for."""
    enc = sealed[:32]
    key, nonce = _hpke_key(_X25519, _shared(recipient.agree(enc), enc, recipient.public), info)
    return key.decrypt(nonce, sealed[32:], None)


def hybrid_seal(public, info, plain, encapsulate=lambda public: xwing_encapsulate(public, Agreement.fresh())):
    """The same with X-Wing, for a public key."""
    enc, shared = encapsulate(public)
    key, nonce = _hpke_key(_XWING, shared, info)
    return enc + key.encrypt(nonce, plain, None)


def hybrid_open(recipient, info, sealed):
    """`recipient`: the XWing it was sealed for."""
    if len(sealed) <= XWING_ENCAPSULATED:
        raise InvalidTag
    key, nonce = _hpke_key(_XWING, recipient.open(sealed[:XWING_ENCAPSULATED]), info)
    return key.decrypt(nonce, sealed[XWING_ENCAPSULATED:], None)
