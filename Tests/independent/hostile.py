"""Participants and hubs that lie, for tests: what they send is as the protocol has it, and means harm."""

import os
import time

from hub import DELIVER, SEND, Hub
from primitives import hybrid_seal, item, u8, u32
from records import Record
from room import HELLO, ORDERED, WELCOME, Header, Invite, Room
from server import HubServer
from wire import Refused, items


class InviteHolder:
    """Has the invite and no content key: makes noise that looks like a member ahead, and answers whoever asks for the key with
    one of its own. Whoever owns it polls it."""

    def __init__(self, invite):
        invite = Invite(invite)
        self.room = Room(invite, "holder")
        at = invite.hubs[0]
        self.hub = Hub(at.address.pair, at.hub, self.room.door, self.room.signer, at.bought)
        self.heard = None  # the others' epoch, as it stands in the clear
        self.hellos = 0
        self._noise = 0

    def close(self):
        self.hub.close()

    def poll(self, timeout):
        for envelope in self.hub.poll(timeout):
            header = Header.read(envelope)
            if header.kind == ORDERED:
                self.heard = header.epoch
                continue
            try:
                sender, content = self.room.open(envelope)
            except Refused:
                continue
            if content[0] == HELLO:
                self.hellos += 1
                self._answer(sender, content)

    def noise(self, epoch):
        """The first frame of a lane, as who comes sends it: of this epoch, it says, and it does not open."""
        self._noise += 1
        header = Header(ORDERED, epoch, self.room.signer.id, u32(self._noise) + os.urandom(8), 0)
        self.hub.send(SEND, item(255, header.bytes + os.urandom(528)))

    def be_ahead(self):
        """Noise of the others' epoch, and of two that nobody has."""
        self.noise(self.heard)
        self.noise(os.urandom(12))
        self.noise(os.urandom(12))

    def _answer(self, newcomer, hello):
        """With rooms of its own making: a founding record, and a step from one."""
        roster = [self.room.signer.id, newcomer]
        founding, chain = Record.make(self.room.signer, self.room.scope, os.urandom(32), roster, roster)
        step, next_chain = Record.make(self.room.signer, self.room.scope, chain, [], roster, founding)
        self._welcome(newcomer, hello, founding, founding, chain, roster)
        self._welcome(newcomer, hello, founding, step, next_chain, roster)

    def _welcome(self, newcomer, hello, founding, record, chain, roster):
        info = self.room.welcome_info(self.room.signer.id, newcomer, hello)
        text = item(1, record.bytes) + item(2, chain) + item(3, founding.bytes) + item(6, b"".join(roster))
        sealed = hybrid_seal(items(hello[1:])[4], info, text)
        content = u8(WELCOME) + item(1, self.room.intro) + item(2, sealed)
        self.hub.send(SEND, item(1, newcomer) + item(255, self.room.seal_at_door(content)))


class LyingHub(HubServer):
    """A hub that serves a session well until it is told to lie. `spoil` gets each frame for each seat before it is sealed
    (seat, type, body), and returns the frames to send instead; None lets it through."""

    def __init__(self, spoil=lambda seat, kind, body: None, **more):
        self.spoil = spoil
        self.spoiled = 0
        self.shifts = {}  # participant: ns that its hub's clock is told to be ahead
        self._drifts = {}  # participant: by how much too fast that clock runs, and since when it does
        super().__init__(**more)

    def time_for(self, seat):
        participant = seat.claim and seat.claim.participant
        rate, since = self._drifts.get(participant, (0, 0))
        drifted = int(rate * (time.monotonic_ns() - since))
        return super().time_for(seat) + self.shifts.get(participant, 0) + drifted

    def drift(self, participant, rate):
        """Tells a participant a clock that runs too fast by that much, from now on."""
        self._drifts[participant] = (rate, time.monotonic_ns())

    def bend(self, speaker, listener):
        """What one says to another names an epoch that does not exist, from now on."""

        def spoil(seat, kind, body):
            envelope = items(body).get(255) if kind == DELIVER else None
            if not envelope or Header.read(envelope).sender != speaker or not seat.claim or seat.claim.participant != listener:
                return None
            return [(DELIVER, item(255, envelope[:2] + bytes([envelope[2] ^ 255]) + envelope[3:]))]

        self.spoil = spoil

    def tell(self, seat, kind, body=b""):
        instead = self.spoil(seat, kind, body)
        if instead is None:
            return super().tell(seat, kind, body)
        self.spoiled += 1
        for told in instead:
            super().tell(seat, *told)

    def members(self):
        """Seats that are in a room, the oldest first."""
        return [seat for seat in self.seats if seat.claim]

    def refuse_everybody(self, status, text=b"", retry=None):
        with self.lock:
            for seat in self.members():
                self.refuse(seat, status, text, retry)


class Impostor(HubServer):
    """Listens where another hub is meant to be, with a key of its own or under the other's name."""

    def __init__(self, shown=None, refuses=None, **more):
        """`shown`: the public key of the hub that it says it is. `refuses`: the status that it says instead of who it is."""
        self._shown, self._refuses = shown, refuses
        super().__init__(**more)

    def _identify(self, seat):
        if self._refuses is None:
            return super()._identify(seat)
        self.refuse(seat, self._refuses)

    def _accept(self):
        super()._accept()
        if self._shown:
            side = self.seen[-1].side
            side.shown = self._shown

    @property
    def was_told(self):
        """Types of frames that it understood, of everybody."""
        with self.lock:
            return [kind for seat in self.seen for kind in seat.heard]

    @property
    def bytes_heard(self):
        with self.lock:
            return b"".join(bytes(seat.raw) for seat in self.seen)
