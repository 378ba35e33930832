"""Tokens to go on by on another day (wire 8.25): what one says, and whether it proves that its key is the group's."""

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from primitives import Agreement, Signer, XWing, expand, extract, lab, sha
from records import Proof
from room import Door
from wire import Refused, ascending, fixed, integer, items, moment, only, required, text

MAGIC, VERSION, SALT, SECRETS = b"UNIC", 1, 32, 6
LENGTH, HUBS, LEVELS, STATEMENTS = 1_048_576, 16, 136, 4_096


class Token:
    """One, opened with the host's key."""

    def __init__(self, sealed, key):
        plain = self._open(sealed, key)
        secrets = [plain[32 * number : 32 * number + 32] for number in range(SECRETS)]
        if len(secrets[-1]) < 32:
            raise Refused("malformed")
        self.door, self.hub_seed, *self.seeds, self.chain = secrets
        self.signer, self.agreement, self.hybrid = Signer(self.seeds[0]), Agreement(self.seeds[1]), XWing(self.seeds[2])
        try:
            self._read(plain[32 * SECRETS :])
        except Refused:
            raise Refused("malformed") from None
        if self.origin[0] != 2:
            raise Refused("version")

    @staticmethod
    def _open(sealed, key):
        if len(sealed) > LENGTH:
            raise Refused("length")
        if sealed[:4] != MAGIC or len(sealed) < 5:
            raise Refused("format")
        if sealed[4] != VERSION:
            raise Refused("version")
        end = 5 + SALT
        if len(sealed) < end + 16:
            raise Refused("format")
        own = expand(extract(sealed[5:end], key), lab("continuation"))
        try:
            return AESGCM(own).decrypt(bytes(12), sealed[end:], sealed[:end])
        except InvalidTag:
            raise Refused("seal") from None

    def _read(self, body):
        found = only(items(body, lists=(5, 6, 8, 9)), set(range(1, 10)))
        self.origin = fixed(required(found, 1), 19)
        self.made, self.time = (moment(required(found, tag)) for tag in (2, 3))
        self.lane = integer(required(found, 4), ">I")
        if max(len(found[5]), len(found[6])) > HUBS or len(found[8]) > LEVELS or len(found[9]) > STATEMENTS:
            raise Refused("count")
        hubs = [items(value) for value in found[5]]
        self.hubs = [(text(required(hub, 1), 263, 1), fixed(required(hub, 2), 16)) for hub in hubs]
        self.passes = [fixed(value, 54) for value in found[6]]
        ascending([value[:16] for value in self.passes])
        self.record = only(items(required(found, 7), lists=(3, 4, 5, 7)), set(range(1, 8)))
        if required(self.record, 2) != bytes(32) or self.record[7]:
            raise Refused("range")
        self.levels, self.statements = found[8], found[9]

    def prove(self):
        """The record in which its author spoke, which goes back to the session's beginning."""
        session = sha(lab("session") + self.origin)
        signers = [items(items(intro)[1])[1] for intro in self.record[5]]
        keys = {sha(key)[:16]: key for key in [*signers, self.signer.public]}
        own = self.signer.id
        return Proof(self.record, self.chain, self.origin, session, Door(session, self.door).topic, own, own, keys).record

