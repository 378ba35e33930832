"""F66: a host that stays while guests come and go keeps neither memory nor descriptors of them."""

import os

import unisono
from group_support import pump
from hostile_support import descriptors, resident_bytes
from unisono import SessionState

#: Times a guest joins and leaves; more with UNISONO_CYCLES. A hub lets five a second of one address in.
CYCLES = int(os.environ.get("UNISONO_CYCLES", "40"))


def test_guests_come_and_go_and_leave_nothing(library):
    with unisono.Context(device_name="host") as here:
        host = unisono.Session.host(here, display_name="Ann", listen=["127.0.0.1:0"])
        host.join()
        coordinator = unisono.Coordinator(here)
        coordinator.coordinate_with(host)
        coordinator.transition_to_item("film")

        def cycle():
            with unisono.Context(device_name="guest") as there:
                guest = unisono.Session.open(there, host.invite, display_name="Ben")
                guest.join()
                both = [here, there]
                pump(both, lambda: guest.state == SessionState.JOINED, "the guest joined", limit=60)
                guest.leave()
                pump(both, lambda: guest.state == SessionState.INVALIDATED, "the guest left")
            pump([here], lambda: len(host.participants) == 1, "the host saw it go")

        for _ in range(CYCLES // 4):  # caches and allocators find their size
            cycle()
        files, memory = descriptors(), resident_bytes()
        for _ in range(CYCLES):
            cycle()
        assert descriptors() <= files
        assert resident_bytes() - memory < (4 << 20) + CYCLES * 16_384
