"""Devices on one local network: find each other, ask, compare six digits, join.

    browser = unisono.Browser(context, unisono.Service("org.example.watch", "Watch films together"))
    browser.on_found = lambda event: browser.connect(event.device)
    browser.on_digits = lambda event: browser.confirm(event.device, person_says_same(event.digits))
    browser.on_invite = lambda event: unisono.Session.open(context, event.invite)

Handlers are attributes; whoever prefers iterating finds the same events in ``Context.events``. Never log ``digits``.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional

from . import _ffi
from . import types as t
from .context import Context
from .errors import NotFoundError, check
from .session import Session, _log_error

Handler = Optional[Callable[[t.NearbyEvent], None]]


@dataclass(frozen=True)
class Service:
    """What an application declares; both sides have to agree on it."""

    #: 1...63 bytes of a-z 0-9 - .
    identifier: str
    #: What it is for, for people; 1...255 bytes.
    usage_description: str
    #: The platforms it works with.
    platforms: t.Platform = t.Platform.ANY
    #: This device's; ANY: found out.
    platform: t.Platform = t.Platform.ANY
    #: Everybody on the network can read it; None: the context's.
    device_name: Optional[str] = None

    def _c(self) -> _ffi.Service:
        return _ffi.Service(
            identifier=t.encoded(self.identifier),
            usage_description=t.encoded(self.usage_description),
            platforms=int(self.platforms),
            platform=int(self.platform),
            device_name=t.encoded_or_none(self.device_name),
        )


class JoinRequest:
    """Somebody asks. Answer once; after ``on_join_withdrawn`` an answer is a ClosedError."""

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self._library = _ffi.library()

    def accept(self) -> None:
        check(self._library.join_request_accept(self._handle))

    def deny(self) -> None:
        """The asker sees a time-out."""
        check(self._library.join_request_deny(self._handle))


class Advertiser:
    """Says that this device is here, and takes asks: to join ``session``, or, without one, to come into the asker's.

    ``on_join_requested`` is called with the event and a ``JoinRequest``.
    """

    def __init__(self, context: Context, service: Service, session: Optional[Session] = None) -> None:
        self.context = context
        self._library = _ffi.library()
        self.on_join_requested: Optional[Callable[[t.NearbyEvent, JoinRequest], None]] = None
        self.on_join_withdrawn: Handler = None
        self.on_invite: Handler = None
        self.on_error: Callable[[t.ErrorEvent], None] = _log_error
        handle = ctypes.c_void_p()
        c_service = service._c()
        c_session = None if session is None else session._handle
        check(
            self._library.advertiser_create(
                context._handle, c_session, ctypes.byref(c_service), None, None, ctypes.byref(handle)
            )
        )
        self._handle = handle.value or 0
        context._register(self._handle, self)

    @property
    def addresses(self) -> List[str]:
        """For people to type where devices do not find each other."""
        found: List[str] = []
        while True:
            try:
                found.append(t.text_of(self._library.advertiser_address, self._handle, len(found), room=512))
            except NotFoundError:
                return found

    def close(self) -> None:
        """Says goodbye; open asks end."""
        self.context._forget(self._handle)
        if not self.context.closed:
            self._library.advertiser_destroy(self._handle)

    def _deliver(self, event: t.Event) -> None:
        if isinstance(event, t.ErrorEvent):
            self.on_error(event)
        elif isinstance(event, t.NearbyEvent):
            if event.type == t.EventType.NEARBY_JOIN_REQUESTED and self.on_join_requested is not None:
                self.on_join_requested(event, JoinRequest(event.request))
            elif event.type == t.EventType.NEARBY_JOIN_WITHDRAWN and self.on_join_withdrawn is not None:
                self.on_join_withdrawn(event)
            elif event.type == t.EventType.NEARBY_INVITE and self.on_invite is not None:
                self.on_invite(event)


class Browser:
    """Finds devices that advertise a service, and asks them."""

    def __init__(self, context: Context, service: Service) -> None:
        self.context = context
        self._library = _ffi.library()
        self.on_found: Handler = None
        self.on_updated: Handler = None
        self.on_lost: Handler = None
        self.on_digits: Handler = None
        self.on_invite: Handler = None
        self.on_failed: Handler = None
        self.on_error: Callable[[t.ErrorEvent], None] = _log_error
        handle = ctypes.c_void_p()
        c_service = service._c()
        check(
            self._library.browser_create(context._handle, ctypes.byref(c_service), None, None, ctypes.byref(handle))
        )
        self._handle = handle.value or 0
        context._register(self._handle, self)

    def add_address(self, address: str) -> int:
        """Knows a device by "host:port"; returns its number."""
        device = ctypes.c_uint64()
        check(self._library.browser_add_address(self._handle, t.encoded(address), ctypes.byref(device)))
        return device.value

    def connect(self, device: int) -> None:
        """Asks to join its session."""
        check(self._library.browser_connect(self._handle, device))

    def invite(self, device: int, session: Session) -> None:
        """Asks it to come into this session."""
        check(self._library.browser_invite(self._handle, device, session._handle))

    def confirm(self, device: int, digits_match: bool) -> None:
        """The person's word; False cancels the ask."""
        check(self._library.browser_confirm(self._handle, device, int(digits_match)))

    def close(self) -> None:
        """Stops looking; what was being asked is cancelled."""
        self.context._forget(self._handle)
        if not self.context.closed:
            self._library.browser_destroy(self._handle)

    def _deliver(self, event: t.Event) -> None:
        if isinstance(event, t.ErrorEvent):
            self.on_error(event)
        elif isinstance(event, t.NearbyEvent):
            handlers: Dict[int, Optional[Callable[[t.NearbyEvent], None]]] = {
                t.EventType.NEARBY_FOUND: self.on_found,
                t.EventType.NEARBY_UPDATED: self.on_updated,
                t.EventType.NEARBY_LOST: self.on_lost,
                t.EventType.NEARBY_DIGITS: self.on_digits,
                t.EventType.NEARBY_INVITE: self.on_invite,
                t.EventType.NEARBY_FAILED: self.on_failed,
            }
            handler = handlers.get(t.known(t.EventType, event.type))
            if handler is not None:
                handler(event)
