"""Attachments: giving pieces of what is here, and putting together what comes (docs/spec/wire.md 8.17)."""

from primitives import item, sha, u8, u64
from room import CHUNK, FETCH, REFUSAL
from wire import integer

PIECE = 32_768
WINDOW = 8


class Attachments:
    def __init__(self):
        self.held = {}
        self._coming = {}
        self._asked = {}
        self._source = {}

    def hold(self, content, given=None):
        found = sha(content)
        self.held[found] = content if given is None else given
        return found

    def answers(self, asked):
        """What is said to one who asks for pieces."""
        content, offset, count = self.held.get(asked[1]), integer(asked[2], ">Q"), integer(asked[3], ">B")
        if content is None or offset >= len(content):
            return [u8(REFUSAL) + item(1, asked[1]) + item(2, u8(1))]
        starts = range(offset, min(len(content), offset + count * PIECE), PIECE)
        return [self.piece(asked[1], start, content[start : start + PIECE]) for start in starts]

    @staticmethod
    def piece(content_id, offset, content):
        return u8(CHUNK) + item(1, content_id) + item(2, u64(offset)) + item(3, content)

    @staticmethod
    def question(content_id, offset):
        return u8(FETCH) + item(1, content_id) + item(2, u64(offset)) + item(3, u8(WINDOW))

    def questions(self, content_id, size, source):
        """The next question, once what was asked for before has come."""
        coming = self._coming.setdefault(content_id, bytearray())
        self._source[content_id] = source
        if len(coming) >= size or len(coming) < self._asked.get(content_id, 0):
            return []
        self._asked[content_id] = min(size, len(coming) + WINDOW * PIECE)
        return [self.question(content_id, len(coming))]

    def take(self, sender, said):
        coming = self._coming.get(said[1])
        if coming is not None and sender == self._source[said[1]] and integer(said[2], ">Q") == len(coming):
            coming += said[3]

    def whole(self, content_id, size):
        coming = bytes(self._coming[content_id])
        return coming if len(coming) == size and sha(coming) == content_id else None
