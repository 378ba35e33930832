"""Devices on the local network, at a keyboard: who is there is printed, and people type what they want.

    found 1 join Ann        a device, its number and what may be asked of it
    ask 1                   asks it: to let this one in, or to come into this one's session
    digits 123456 Ann       both screens show the same six: type same, or different
    asked 123456 Ben        somebody asks this device: type yes, or no
"""

from __future__ import annotations

import sys
from typing import Callable, Dict, Optional

import unisono

USAGE = "Watch something together"


class Nearby:
    """A browser, and where there is a session an advertiser as well."""

    def __init__(
        self,
        context: unisono.Context,
        identifier: str,
        session: Optional[unisono.Session],
        join: Callable[[str], None],
    ) -> None:
        service = unisono.Service(identifier, USAGE)
        self.session = session
        self.join = join
        self.found: Dict[int, int] = {}  # number of a device: what may be asked of it
        self.asked: Optional[int] = None  # whom this device asks
        self.requests: Dict[int, unisono.NearbyJoinRequested] = {}  # who asks this device, oldest first
        self.browser = unisono.Browser(context, service)
        self.browser.on_found = self.browser.on_updated = self._on_found
        self.browser.on_lost = self._on_lost
        self.browser.on_digits = lambda event: _say(f"digits {event.digits} {event.device_name}")
        self.browser.on_invite = self._on_invite
        self.browser.on_failed = self._on_failed
        self.browser.on_error = _on_error
        self.advertiser: Optional[unisono.Advertiser] = None
        if session is not None:
            self.advertiser = unisono.Advertiser(context, service, session)
            self.advertiser.on_join_requested = self._on_requested
            self.advertiser.on_join_withdrawn = self._on_withdrawn
            self.advertiser.on_error = _on_error
            _say("address " + self.advertiser.addresses[0])

    def command(self, word: str, argument: str) -> bool:
        """A line from the keyboard; False: not one of these."""
        if word == "ask":
            self._ask(int(argument))
        elif word == "type":
            self.browser.add_address(argument)
        elif word in ("same", "different"):
            if self.asked is None:
                raise ValueError("nothing is being asked")
            self.browser.confirm(self.asked, word == "same")
        elif word in ("yes", "no"):
            if not self.requests:
                raise ValueError("nobody asks")
            request = self.requests.pop(next(iter(self.requests)))
            request.accept() if word == "yes" else request.deny()
        else:
            return False
        return True

    def _ask(self, device: int) -> None:
        """An address that was typed says nothing of itself: whoever has a session invites into it."""
        intent = self.found.get(device, unisono.Intent.UNKNOWN)
        if self.session is not None and intent != unisono.Intent.JOIN:
            self.browser.invite(device, self.session)
        else:
            self.browser.connect(device)
        self.asked = device

    # ---- what the network tells ----

    def _on_found(self, event: unisono.NearbyEvent) -> None:
        self.found[event.device] = event.intent
        _say(f"found {event.device} {event.intent.name.lower()} {event.device_name}")

    def _on_lost(self, event: unisono.NearbyLost) -> None:
        self.found.pop(event.device, None)
        _say(f"lost {event.device} {event.device_name}")

    def _on_invite(self, event: unisono.NearbyInvite) -> None:
        self.asked = None
        if event.intent == unisono.Intent.JOIN and event.invite is not None:
            _say("let in")
            self.join(event.invite)
        else:
            _say("invited")

    def _on_failed(self, event: unisono.NearbyFailed) -> None:
        self.asked = None
        _say(f"failed {event.error}")

    def _on_requested(self, event: unisono.NearbyJoinRequested) -> None:
        self.requests[event.request] = event
        _say(f"asked {event.digits} {event.device_name}")

    def _on_withdrawn(self, event: unisono.NearbyJoinWithdrawn) -> None:
        self.requests.pop(event.request, None)
        _say(f"withdrawn {event.device_name}")


def _say(line: str) -> None:
    print(line, flush=True)


def _on_error(event: unisono.ErrorEvent) -> None:
    print(event.message, file=sys.stderr, flush=True)
