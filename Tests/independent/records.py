"""Roster records: who can read, the content key of each, and what proves membership (wire 6)."""

from policy import Stack
from primitives import expand, item, lab, sha, u8, u32, verifies
from wire import Refused, fixed, ids, integer, items, only, required

FOUNDING, STEP, UNPROVEN = range(3)
ROSTER, ADMITTED, PROOF = 512, 32, 16
NOBODY_YET = sha(b"")[:16]


class Record:
    """One, read and judged by itself. `scope`: session and topic."""

    def __init__(self, data, scope):
        if len(data) > 8_704:
            raise Refused("count")
        outer = items(data)
        if set(outer) - {1, 2}:
            raise Refused("order")
        self.bytes, self.body, self.signature = data, required(outer, 1), fixed(required(outer, 2), 64)
        found = items(self.body)
        if set(found) - set(range(1, 9)):
            raise Refused("order")
        self.kind = integer(required(found, 1), ">B")
        self.parent = fixed(found[2], 32) if 2 in found else None
        self.number = integer(required(found, 3), ">I")
        self.author = fixed(required(found, 4), 16)
        self.admitted = ids(required(found, 5))
        self.roster_hash = fixed(required(found, 6), 32)
        self.policy = fixed(found[7], 16) if 7 in found else None
        self.commit = fixed(required(found, 8), 32)
        if len(self.admitted) > ROSTER:
            raise Refused("count")
        if len(set(self.admitted)) < len(self.admitted) or bytes(16) in [*self.admitted, self.author]:
            raise Refused("range")
        if self.kind == STEP:
            good = self.parent and self.policy is None and self.number and len(self.admitted) <= ADMITTED
        else:
            good = self.kind <= UNPROVEN and not self.parent and self.policy and not self.number and self.admitted
        if not good:
            raise Refused("range")
        self.scope = scope
        self.id = sha(lab("record") + scope + self.body)
        self.epoch = self.id[:12]
        self._derived = b"".join(item(tag, found[tag]) for tag in range(1, 7) if tag in found)
        self._committed = self._derived + (item(7, self.policy) if self.policy else b"")

    @classmethod
    def make(cls, signer, scope, chain, admitted, roster, parent=None, policy=NOBODY_YET, kind=None):
        """A founding record with this content key, or a step from `parent` (a Record whose content key that is)."""
        kind = (STEP if parent else FOUNDING) if kind is None else kind
        body = item(1, u8(kind)) + (item(2, parent.id) if parent else b"")
        body += item(3, u32(parent.number + 1 if parent else 0)) + item(4, signer.id) + item(5, b"".join(admitted))
        body += item(6, roster_hash(roster))
        if parent:
            chain = expand(chain, lab("next") + scope + sha(body))
        else:
            body += item(7, policy)
        body += item(8, expand(chain, lab("commit") + scope + sha(body)))
        data = item(1, body) + item(2, signer.sign(lab("record") + scope + body))
        return cls(data, scope), chain

    def is_signed(self, public):
        return sha(public)[:16] == self.author and verifies(public, self.signature, lab("record") + self.scope + self.body)

    def key_from(self, parents):
        """The content key, from the parent's."""
        return expand(parents, lab("next") + self.scope + sha(self._derived))

    def fits(self, chain):
        return expand(chain, lab("commit") + self.scope + sha(self._committed)) == self.commit


def roster_hash(roster):
    return sha(b"".join(roster))


class Proof:
    """What a welcome shows; raises where it does not go back to the session's beginning. `keys`: signing keys by id."""

    def __init__(self, found, chain, origin, session, topic, welcomer, newcomer, keys):
        scope = session + topic
        self.stack = stack = Stack(origin, found[4], session, keys)
        records = [self._signed(Record(data, scope), keys) for data in found[3]]
        last = self._signed(Record(found[1], scope), keys)
        if not records or records[0].kind != FOUNDING or roster_hash(records[0].admitted) != records[0].roster_hash:
            raise Refused("proof")
        self.founding = records[0]
        if stack.terms.topic != bytes(32):
            good = (stack.terms.topic, stack.terms.founding) == (topic, self.founding.id)
        else:
            good = self.founding.author == origin[1:17] and self.founding.policy == NOBODY_YET
        if not good:
            raise Refused("proof")
        numbers = dict.fromkeys(self.founding.admitted, 0)
        for step in records[1:]:
            if step.kind != STEP or numbers.get(step.author, step.number) >= step.number:
                raise Refused("proof")
            for member in step.admitted:
                numbers[member] = min(numbers.get(member, step.number), step.number)
        self.roster = ids(found[6])
        known = welcomer in numbers or welcomer in last.admitted
        follows = numbers.get(last.author, last.number) < last.number if last.kind == STEP else last.id == self.founding.id
        named = welcomer in self.roster and newcomer in self.roster and roster_hash(self.roster) == last.roster_hash
        if not (known and follows and named and last.fits(chain)):
            raise Refused("proof")
        removed = stack.terms.removed
        if welcomer in removed or last.author in removed:
            raise Refused("proof")
        self.record, self.steps = last, records[1:]

    @staticmethod
    def _signed(record, keys):
        if record.author not in keys or not record.is_signed(keys[record.author]):
            raise Refused("proof")
        return record
