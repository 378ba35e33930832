"""Who may do what: levels that owners signed, stacks of them, and the order of stacks (wire 8)."""

from primitives import lab, sha, verifies
from wire import Refused, ascending, boolean, fixed, ids, integer, items, only, required

NO_TOPIC, NO_RECORD = bytes(32), bytes(32)
OWNER = 4
NOBODY, RULES, PATIENCE = 0, 3, 30_000


def policy_id(levels):
    return sha(b"".join(levels))[:16]


class Terms:
    """What a policy says."""

    def __init__(self, control, owners, roles=(), removed=(), topic=NO_TOPIC, founding=NO_RECORD, former=(), deputies=(),
                 rule=NOBODY, patience=PATIENCE, closed=False):
        self.control, self.owners, self.roles, self.removed = control, list(owners), list(roles), list(removed)
        self.topic, self.founding, self.former = topic, founding, list(former)
        self.closed = closed
        self.deputies, self.rule, self.patience = list(deputies), rule if rule < RULES else NOBODY, patience

    @classmethod
    def of_origin(cls, origin):
        return cls(origin[17], [origin[1:17]])


class Level:
    def __init__(self, data):
        outer = only(items(data), {1, 2})
        self.bytes = data
        self.body, self.signature = required(outer, 1), required(outer, 2)
        if len(self.signature) != 64:
            raise Refused("width")
        found = only(items(self.body), set(range(1, 11)) | {12, 13, 14, 15})
        self.author, self.basis = (fixed(required(found, tag), 16) for tag in (1, 2))
        self.time = integer(required(found, 3), ">q")
        control = integer(required(found, 4), ">B")
        self.terms = Terms(
            control,
            ids(required(found, 5)),
            self._roles(found.get(6, b"")),
            ascending(ids(found.get(7, b""))),
            fixed(found.get(8, NO_TOPIC), 32),
            fixed(found.get(9, NO_RECORD), 32),
            ids(found.get(10, b""), 32),
            ids(found.get(13, b"")),
            integer(found.get(14, b"\0"), ">B"),
            integer(found.get(15, PATIENCE.to_bytes(4, "big")), ">I"),
            boolean(found.get(12, b"\0")),
        )
        if len(self.terms.owners) > 8 or len(self.terms.former) > 8 or len(self.terms.roles) > 256 or len(self.terms.removed) > 256 or len(self.terms.deputies) > 8:
            raise Refused("count")
        self._judge()

    @staticmethod
    def _roles(value):
        entries = ids(value, 17)
        ascending([entry[:16] for entry in entries])
        if any(not 1 <= entry[16] <= OWNER for entry in entries):
            raise Refused("range")
        return entries

    def _judge(self):
        if len(set(self.terms.former)) < len(self.terms.former):
            raise Refused("range")
        owners, named = self.terms.owners, {entry[:16] for entry in self.terms.roles}
        if self.time == -(2**63) or self.terms.control > 2 or not owners or len(set(owners)) < len(owners):
            raise Refused("range")
        if set(owners) & (named | set(self.terms.removed)) or any(entry[16] == OWNER for entry in self.terms.roles):
            raise Refused("range")
        deputies = self.terms.deputies
        if len(set(deputies)) < len(deputies) or set(deputies) & set(owners + self.terms.removed):
            raise Refused("range")
        if deputies and (self.terms.rule == NOBODY or len(owners) > 7) or not 5_000 <= self.terms.patience <= 3_600_000:
            raise Refused("range")


class Stack:
    """Levels that stand on each other; raises what is wrong with them. `keys`: public signing keys by id."""

    def __init__(self, origin, levels, session=None, keys=None):
        self.origin = origin
        self.levels = [Level(data) for data in levels]
        self.id = policy_id(levels)
        self.terms = Terms.of_origin(origin)
        # Deputies who took over, the lowest first, and whether an owner accepted it.
        self.takeovers = []
        for number, level in enumerate(self.levels):
            if keys is not None and not self._is_signed(level, session, keys):
                raise Refused("signature")
            if level.basis != policy_id(levels[:number]):
                raise Refused("place")
            if number == 8:
                raise Refused("place")
            count = len(self.takeovers)
            self._stand(level, self.levels[number - 1] if number else None)
            self.took_over = level.author if len(self.takeovers) > count else None
            self.terms = level.terms

    @staticmethod
    def _is_signed(level, session, keys):
        return level.author in keys and verifies(keys[level.author], level.signature, lab("policy") + session + level.body)

    def _stand(self, level, below):
        owners = self.terms.owners
        if level.author in self.terms.deputies:
            if level.terms.owners[: len(owners) + 1] != owners + [level.author]:
                raise Refused("place")
            self.takeovers.append([level.author, False])
            return
        if level.author not in owners:
            raise Refused("place")
        seniority = owners.index(level.author)
        if level.terms.owners[: seniority + 1] != owners[: seniority + 1]:
            raise Refused("place")
        if below:
            floor = owners.index(below.author)
            if seniority == floor or seniority < floor and self.took_over != below.author:
                raise Refused("place")
        if not below and seniority:
            raise Refused("place")
        for takeover in self.takeovers:
            takeover[1] = takeover[1] or takeover[0] in owners and seniority < owners.index(takeover[0])

    def compare(self, other):
        """-1, 0, 1: less, equal, greater."""
        owners = Terms.of_origin(self.origin).owners  # and the deputies, who come after them
        for own, others in zip(self.levels, other.levels):
            if own.bytes != others.bytes:
                left = (-owners.index(own.author), own.time, sha(own.bytes))
                right = (-owners.index(others.author), others.time, sha(others.bytes))
                return (left > right) - (left < right)
            owners = own.terms.owners + own.terms.deputies
        return (len(self.levels) > len(other.levels)) - (len(self.levels) < len(other.levels))
