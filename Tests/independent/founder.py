"""A participant that makes a session at somebody's hub and lets in whoever asks for the key (wire 5)."""

import os
import struct
import time

from client import Client
from invite import Invite
from primitives import Signer, i64, item, u8, u32
from registers import ACTIVITY, CLOCKS, COMMAND, POSITION, RATE
from room import HELLO


class Founder(Client):
    """`at`: the hub's address, id and pass (HubAddress)."""

    def __init__(self, at, name):
        signer = Signer(os.urandom(32))
        self.invite = Invite.of(b"\2" + signer.id + u8(0) + u8(2), os.urandom(32), [at])
        super().__init__(self.invite, name, signer)
        self.room.found()
        self.is_in = True

    def begin(self, identifier, film):
        """Says what the hub's clock means, and what there is to see. Its item stands at 0."""
        clock = item(1, i64(0)) + item(2, u32(1_000))
        activity = item(1, u8(1)) + item(2, identifier.encode())
        place = item(1, u8(COMMAND)) + item(2, i64(0))
        rate = item(1, u8(COMMAND)) + item(2, struct.pack(">d", 0.0)) + item(3, i64(0))
        name = film.encode()
        self._state((CLOCKS, self.hub.clock_id, clock))
        self._state((ACTIVITY, b"", activity), (POSITION, name, place), (RATE, name, rate))
        self.move_to(film)

    @property
    def group_time(self):
        if self.registers.clock_offset(self.hub.clock_id) is None:
            return time.monotonic_ns() + self.hub.clock_offset
        return super().group_time

    def _take(self, sender, content):
        if content[0] == HELLO:
            self._welcome(sender, content)
        super()._take(sender, content)

    def _welcome(self, newcomer, hello):
        if newcomer not in self.room.roster:
            told, readers = self.room.step([newcomer])
            # The others hear of it before anybody can read by it.
            for reader in readers:
                if reader in self.hub.present:
                    self._envelope(told, to=reader)
        self._envelope(self.room.welcome(newcomer, hello), to=newcomer)
