"""Devices on one local network: find each other, ask, compare six digits, join.

    browser = unisono.Browser(context, unisono.Service("org.example.watch", "Watch films together"))
    browser.on_found = lambda found: browser.connect(found.device)
    browser.on_digits = lambda shown: browser.confirm(shown.device, person_says_same(shown.digits))
    browser.on_invite = lambda got: unisono.Session.open(context, got.invite)

Handlers are attributes; whoever prefers iterating finds the same events in ``Context.events``. Never log ``digits``.
"""

from __future__ import annotations

import ctypes
from typing import Any, Dict, List, Optional, Type

from . import _arguments as a
from . import _ffi, _reading
from . import events as e
from .context import Context, Handler, log_error
from .errors import NotFoundError, check
from .session import Session
from .values import Service


def _c_service(service: Service) -> _ffi.Service:
    declared: Service = a.instance(service, Service, "service")
    return _ffi.Service(
        identifier=a.text(declared.identifier, "identifier"),
        usage_description=a.text(declared.usage_description, "usage_description"),
        platforms=a.u32(declared.platforms, "platforms"),
        platform=a.u32(declared.platform, "platform"),
        device_name=a.text_or_none(declared.device_name, "device_name"),
    )


class Advertiser:
    """Says that this device is here, and takes asks: to join ``session``, or, without one, to come into the asker's.

    Handlers: ``on_join_requested`` (whose event is answered by its ``accept()`` or ``deny()``), ``on_join_withdrawn``,
    ``on_invite``, ``on_error``.
    """

    def __init__(self, context: Context, service: Service, session: Optional[Session] = None) -> None:
        self.context = context
        self._library = _ffi.library()
        self.on_join_requested: Optional[Handler[e.NearbyJoinRequested]] = None
        self.on_join_withdrawn: Optional[Handler[e.NearbyJoinWithdrawn]] = None
        self.on_invite: Optional[Handler[e.NearbyInvite]] = None
        self.on_error: Handler[e.ErrorEvent] = log_error
        handle = ctypes.c_void_p()
        c_service = _c_service(service)
        c_session = None if session is None else a.instance(session, Session, "session")._handle
        check(
            self._library.advertiser_create(
                context._handle, c_session, ctypes.byref(c_service), None, None, ctypes.byref(handle)
            )
        )
        self._handle = handle.value or 0
        context._register(self._handle, self)

    def answer_join(self, request: int, accept: bool) -> None:
        """Answers a NearbyJoinRequested, by its ``request``."""
        number = a.u64(request, "request")
        yes = a.flag(accept, "accept")
        check(self._library.join_request_accept(number) if yes else self._library.join_request_deny(number))

    @property
    def addresses(self) -> List[str]:
        """For people to type where devices do not find each other."""
        found: List[str] = []
        while True:
            try:
                found.append(_reading.text_of(self._library.advertiser_address, self._handle, len(found), room=512))
            except NotFoundError:
                return found

    def close(self) -> None:
        """Says goodbye; open asks end."""
        self.context._forget(self._handle)
        if not self.context.closed:
            self._library.advertiser_destroy(self._handle)

    def _deliver(self, event: e.Event) -> None:
        name = _HANDLERS.get(type(event))
        if name is not None:
            self.context._call(getattr(self, name, None), event)


class Browser:
    """Finds devices that advertise a service, and asks them.

    Handlers: ``on_found``, ``on_updated``, ``on_lost``, ``on_digits``, ``on_invite``, ``on_failed``, ``on_error``.
    """

    def __init__(self, context: Context, service: Service) -> None:
        self.context = context
        self._library = _ffi.library()
        self.on_found: Optional[Handler[e.NearbyFound]] = None
        self.on_updated: Optional[Handler[e.NearbyUpdated]] = None
        self.on_lost: Optional[Handler[e.NearbyLost]] = None
        self.on_digits: Optional[Handler[e.NearbyDigits]] = None
        self.on_invite: Optional[Handler[e.NearbyInvite]] = None
        self.on_failed: Optional[Handler[e.NearbyFailed]] = None
        self.on_error: Handler[e.ErrorEvent] = log_error
        handle = ctypes.c_void_p()
        c_service = _c_service(service)
        check(
            self._library.browser_create(context._handle, ctypes.byref(c_service), None, None, ctypes.byref(handle))
        )
        self._handle = handle.value or 0
        context._register(self._handle, self)

    def add_address(self, address: str) -> int:
        """Knows a device by "host:port"; returns its number."""
        device = ctypes.c_uint64()
        check(self._library.browser_add_address(self._handle, a.text(address, "address"), ctypes.byref(device)))
        return device.value

    def connect(self, device: int) -> None:
        """Asks to join its session."""
        check(self._library.browser_connect(self._handle, a.u64(device, "device")))

    def invite(self, device: int, session: Session) -> None:
        """Asks it to come into this session."""
        number, into = a.u64(device, "device"), a.instance(session, Session, "session")._handle
        check(self._library.browser_invite(self._handle, number, into))

    def confirm(self, device: int, digits_match: bool) -> None:
        """The person's word; False cancels the ask."""
        number, same = a.u64(device, "device"), a.flag(digits_match, "digits_match")
        check(self._library.browser_confirm(self._handle, number, same))

    def close(self) -> None:
        """Stops looking; what was being asked is cancelled."""
        self.context._forget(self._handle)
        if not self.context.closed:
            self._library.browser_destroy(self._handle)

    def _deliver(self, event: e.Event) -> None:
        name = _HANDLERS.get(type(event))
        if name is not None:
            self.context._call(getattr(self, name, None), event)


_HANDLERS: Dict[Type[Any], str] = {
    e.NearbyJoinRequested: "on_join_requested",
    e.NearbyJoinWithdrawn: "on_join_withdrawn",
    e.NearbyFound: "on_found",
    e.NearbyUpdated: "on_updated",
    e.NearbyLost: "on_lost",
    e.NearbyDigits: "on_digits",
    e.NearbyInvite: "on_invite",
    e.NearbyFailed: "on_failed",
    e.ErrorEvent: "on_error",
}
