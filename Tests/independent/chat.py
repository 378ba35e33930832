"""Chat: what was said, as everybody keeps it, and what is told to who comes later (docs/spec/wire.md 8.10, 8.11)."""

from primitives import i64, item, lab, sha, u8, u64, verifies
from room import CHAT, HISTORY, REACTION, WANTED
from wire import integer, items


class Words:
    """An entry of the chat: a body that its author signed."""

    def __init__(self, body, signature):
        self.body, self.signature = body, signature
        self.hash = sha(body)
        said = items(body)
        self.author, self.number, self.time = said[1], integer(said[2], ">Q"), integer(said[3], ">q")
        self.text = said[4].decode()
        self.item = said[5].decode() if 5 in said else None
        self.name = said[7].decode() if 7 in said else None

    @property
    def order(self):
        return (self.time, self.author, self.number)

    @property
    def bytes(self):
        return item(1, self.body) + item(2, self.signature)


class Chat:
    """The union of what everybody said; of two bodies with one author and number the one with the lesser hash."""

    def __init__(self, room):
        self._room = room
        self._kept = {}
        self._number = 0
        self._asked = set()
        self.reactions = []
        self.refused = 0

    @property
    def entries(self):
        return sorted(self._kept.values(), key=lambda one: one.order)

    def say(self, text, at, item_named=None, name=None):
        """A message with an entry of its own. text: as it is, whatever is in it. item_named: what is on, in bytes."""
        self._number += 1
        body = item(1, self._room.signer.id) + item(2, u64(self._number)) + item(3, i64(at)) + item(4, text.encode())
        if item_named is not None:
            body += item(5, item_named)
        if name is not None:
            body += item(7, name.encode())
        entry = Words(body, self._room.signer.sign(self._signed(body)))
        self._keep(entry)
        return u8(CHAT) + item(1, entry.bytes)

    @staticmethod
    def react(text):
        return u8(REACTION) + item(1, text.encode())

    def want(self, teller):
        """Asks for what is not here."""
        self._asked.add(teller)
        here = sorted(one.author + u64(one.number) + one.hash[:8] for one in self._kept.values())
        return u8(WANTED) + item(1, b"".join(here))

    def answer(self, body):
        """What the asker did not list; None: it has all."""
        has = items(body).get(1, b"")  # left out where the asker has nothing
        listed = {has[at : at + 32] for at in range(0, len(has), 32)}
        more = [one for one in self.entries if one.author + u64(one.number) + one.hash[:8] not in listed]
        return u8(HISTORY) + b"".join(item(1, one.bytes) for one in more)

    def hear(self, sender, body):
        """An entry of its sender's own."""
        entry = self._read(items(body)[1])
        if entry is None or entry.author != sender:
            self.refused += 1
        else:
            self._keep(entry)

    def learn(self, teller, body):
        """What was said before; only of whom it was asked of."""
        if teller not in self._asked:
            return
        self._asked.discard(teller)
        for one in items(body, lists=(1,)).get(1, []):
            entry = self._read(one)
            if entry is None:
                self.refused += 1
            else:
                self._keep(entry)

    def _signed(self, body):
        return lab("chat") + self._room.session + body

    def _read(self, data):
        """None: who said it is not known, or did not."""
        parts = items(data)
        entry = Words(parts[1], parts[2])
        known = self._room.introduced.get(entry.author)
        return entry if known and verifies(known[0], entry.signature, self._signed(entry.body)) else None

    def _keep(self, entry):
        name = (entry.author, entry.number)
        if name not in self._kept or entry.hash < self._kept[name].hash:
            self._kept[name] = entry
