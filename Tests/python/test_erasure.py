"""Z39 in a process of its own: content keys that another participant knows too are looked for in all of its memory. F37."""

import subprocess
import sys
import time

import pytest
from group_support import ROOT, Player, pump, unisono
from memory_search import MemorySearch

pytest.importorskip("cryptography", reason="needs the Python package cryptography: pip install cryptography")
sys.path.insert(0, str(ROOT / "Tests" / "independent"))

from client import Client  # noqa: E402
from room import Invite  # noqa: E402
from sealed import REKEY, open_rekey  # noqa: E402

PARTICIPANT = f"""
import select, sys
sys.path.insert(0, {str(ROOT / "bindings" / "python")!r})
import unisono
with unisono.Context(device_name="b") as context:
    session = unisono.Session.open(context, sys.argv[1], display_name="Ben", standby_hub=False)
    session.join()
    while not select.select([sys.stdin], [], [], 0)[0]:
        context.poll(max_wait_ns=50 * unisono.MILLISECOND)
"""


class Witness(Client):
    """Knows the keys that the others have, those of a room that it is asked to move to included."""

    def __init__(self, invite, name):
        self.handed = None
        super().__init__(invite, name)
        self._origin = Invite(invite).origin

    def _take(self, sender, content):
        if content[0] == REKEY:
            room = self.room
            self.handed = open_rekey(
                content, room.session, room.door.topic, sender, self.id, room.hybrid, self._origin)
        super()._take(sender, content)


@pytest.fixture
def company(library):
    """A host here, a witness, and a participant in a process of its own; who else comes is made by `guest`."""
    with unisono.Context(device_name="a") as one, unisono.Context(device_name="c") as two:
        a = Player(one)
        a.attach(unisono.Session.host(one, display_name="Ann", listen=["127.0.0.1:0"]))
        witness = Witness(a.session.invite, "Cem")

        def until(holds, what):
            def turn():
                witness.poll(0)
                return holds()

            pump([one, two], turn, what)

        def guest():
            session = unisono.Session.open(two, a.session.invite, display_name="Dora", standby_hub=False)
            session.join()
            return session

        until(lambda: witness.is_in, "the witness was in")
        process = subprocess.Popen([sys.executable, "-c", PARTICIPANT, a.session.invite], stdin=subprocess.PIPE)
        try:
            until(lambda: "Ben" in {p.display_name for p in a.session.participants}, "the other process joined")
            yield a, witness, process, guest, until
        finally:
            process.communicate(b"\n", timeout=30)
            witness.close()


def test_z39_f37_an_old_content_key_is_nowhere_in_a_process_that_was_handed_it(company):
    a, witness, process, guest, until = company

    def places(key):
        try:
            return MemorySearch(key).places(process.pid)
        except PermissionError:
            pytest.skip("the memory of another process cannot be read here")

    # It came in a WELCOME, and is found while it is in use: at one place.
    first = witness.room.current
    welcomed = witness.room.keys[first]
    until(lambda: places(welcomed) == [1, 0, 0], "the key is where it is used and nowhere else")
    # Somebody else is let in: everybody goes on to the record that says so.
    dora = guest()
    until(lambda: "Dora" in {p.display_name for p in a.session.participants}, "the guest was in")
    until(lambda: witness.room.current != first, "the witness went on to the next record")
    following = witness.room.keys[witness.room.current]
    until(lambda: places(following) == [1, 0, 0], "the process went on to the next record")
    # A REKEY: its key begins another room, and is kept for ten minutes for those who were away.
    a.session.remove_participant(dora.local_participant)
    until(lambda: witness.handed, "the witness was handed the next room's keys")
    rekeyed = witness.handed[1]
    until(lambda: 1 <= places(rekeyed)[0] <= 2 and places(rekeyed)[1:] == [0, 0], "the process has the next room's key")
    # 60 s after it was left the old one is gone, and so is whatever might have been made of it.
    until(lambda: places(welcomed) == [0, 0, 0], "the old key was gone")
    assert process.poll() is None and "Ben" in {p.display_name for p in a.session.participants}
    assert places(rekeyed)[0] >= 1
