"""Participants and hubs that lie, for tests: what they send is as the protocol has it, and means harm."""

import os

from hub import SEND, Hub
from primitives import Agreement, hpke_seal, item, lab, sha, u8, u32
from room import HELLO, ORDERED, WELCOME, Header, Invite, Room
from server import HubServer
from wire import Refused, items

MOST = 2**32 - 1


class InviteHolder:
    """Has the invite and no content key: makes noise that looks like a member ahead, and answers whoever asks for the key with
    one of its own. Whoever owns it polls it."""

    def __init__(self, invite):
        invite = Invite(invite)
        self.room = Room(invite, "holder")
        at = invite.hubs[0]
        self.hub = Hub(at.address.pair, at.hub, self.room.door, self.room.signer, at.bought)
        self.heard = None  # epoch id and generation of the others, as they stand in the clear
        self.hellos = 0
        self._noise = 0

    def close(self):
        self.hub.close()

    def poll(self, timeout):
        for envelope in self.hub.poll(timeout):
            header = Header.read(envelope)
            if header.kind == ORDERED:
                self.heard = (header.epoch, header.generation)
                continue
            try:
                sender, content = self.room.open(envelope)
            except Refused:
                continue
            if content[0] == HELLO:
                self.hellos += 1
                self._answer(sender, content)

    def noise(self, epoch, generation):
        """The first frame of a lane, as who comes sends it: of this epoch and generation, it says, and it does not open."""
        self._noise += 1
        header = Header(ORDERED, epoch, generation, self.room.signer.id, u32(self._noise) + os.urandom(8), 0)
        self.hub.send(SEND, item(255, header.bytes + os.urandom(256)))

    def be_ahead(self):
        """Noise of the others' epoch, further on than anybody follows; and of an epoch that nobody has."""
        epoch, generation = self.heard
        self.noise(epoch, min(generation + 1_000, MOST))
        self.noise(epoch, MOST)
        self.noise(os.urandom(8), 0)

    def _answer(self, newcomer, hello):
        epoch, generation = self.heard
        claims = (MOST, generation + 1_000)
        for claimed in claims if self.hellos % 2 else reversed(claims):
            self._welcome(newcomer, hello, epoch, claimed)

    def _welcome(self, newcomer, hello, epoch, generation):
        info = lab("welcome") + self.room.session + self.room.door.topic + self.room.signer.id + newcomer + sha(hello)
        plain = epoch + u32(generation) + os.urandom(32)
        sealed = hpke_seal(items(hello[1:])[4], info, plain, Agreement(os.urandom(32)))
        content = u8(WELCOME) + item(1, self.room.intro) + item(2, sealed)
        self.hub.send(SEND, item(1, newcomer) + item(255, self.room.seal_at_door(content)))


class LyingHub(HubServer):
    """A hub that serves a session well until it is told to lie. `spoil` gets each frame for each seat before it is sealed
    (seat, type, body), and returns the frames to send instead; None lets it through."""

    def __init__(self, spoil=lambda seat, kind, body: None, **more):
        self.spoil = spoil
        self.spoiled = 0
        super().__init__(**more)

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
