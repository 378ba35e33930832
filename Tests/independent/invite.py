"""Invites, and the lines of stand-alone hubs (wire 2.1)."""

import ipaddress
import re

from primitives import b32, lab, sha, unb32
from wire import Refused

LONGEST, HUBS = 4_095, 16
_IPV6 = ".ipv6"


class Address:
    """Where a hub listens: "host:port", as sockets want it and as invites spell it."""

    def __init__(self, part):
        self.spelled = part
        host, _, port = part.rpartition(":")
        if not re.fullmatch("[1-9][0-9]{0,4}", port) or int(port) > 65_535:
            raise Refused("address")
        self.host, self.port = host, int(port)
        if host.lower().endswith(_IPV6):
            self.host = host[: -len(_IPV6)].replace("-", ":")
            try:
                ipaddress.IPv6Address(self.host)
            except ValueError:
                raise Refused("address") from None
        elif not re.fullmatch("[A-Za-z0-9._-]{1,253}", host):
            raise Refused("address")

    @property
    def text(self):
        return f"[{self.host}]:{self.port}" if ":" in self.host else self.spelled

    @property
    def pair(self):
        return self.host, self.port


class HubAddress:
    """One hub of an invite: where it is, who it is, and what opens a room there."""

    def __init__(self, address, hub, bought=None):
        self.address, self.hub, self.bought = address, hub, bought

    @property
    def text(self):
        parts = [self.address.spelled, b32(self.hub)] + ([b32(self.bought)] if self.bought else [])
        return "/".join(parts)


def _decoded(part, length, error):
    """Bytes of base 32 that has one spelling only."""
    if not re.fullmatch("[a-zA-Z2-7]+", part):
        raise Refused(error)
    data = unb32(part) if -(-length * 8 // 5) == len(part) else b""
    if len(data) != length or b32(data) != part.lower():
        raise Refused(error)
    return data


def _unwrapped(text, scheme):
    """What stands between the scheme and the last letter or digit. Words in front, and what mailers put around it, are passed over."""
    if len(text.encode()) > LONGEST + 256:
        raise Refused("tooLong")
    text = re.sub("[^A-Za-z0-9]*$", "", text)
    found = re.search(f"(?<![A-Za-z0-9]){scheme}", text, re.IGNORECASE)
    if not found or len(text[: found.start()].encode()) > 256:
        first = re.search("[A-Za-z0-9]", text)
        if first and len(text[first.start() :].encode()) > LONGEST:
            raise Refused("tooLong")
        raise Refused("scheme")
    if len(text[found.start() :].encode()) > LONGEST:
        raise Refused("tooLong")
    return text[found.end() :].split("/")


class Invite:
    def __init__(self, text):
        *parts, key = _unwrapped(text, "unisono://")
        if not key or ":" in key or not parts:
            raise Refused("noKey")
        self.secret, self.origin = self._read_key(key)
        self.hubs = self._read_hubs(parts)

    @classmethod
    def of(cls, origin, secret, hubs):
        """As text."""
        payload = origin[:1] + secret + origin[1:]
        key = b32(payload + sha(lab("invite") + payload)[:4])
        return "unisono://" + "/".join([hub.text for hub in hubs] + [key])

    @property
    def text(self):
        return self.of(self.origin, self.secret, self.hubs)

    @staticmethod
    def _read_key(key):
        if len(key.encode()) != 88:
            raise Refused("keyLength")
        data = _decoded(key, 55, "keyCharacter")
        if data[51:] != sha(lab("invite") + data[:51])[:4]:
            raise Refused("keyChecksum")
        if data[0] != 2:
            raise Refused("version")
        return data[1:33], data[:1] + data[33:51]

    @staticmethod
    def _read_hubs(parts):
        hubs, address = [], None
        for part in parts:
            if ":" in part or not (hubs or address):
                if address:
                    raise Refused("noHubID")
                if len(hubs) == HUBS:
                    raise Refused("tooManyHubs")
                address = Address(part)
            elif address:
                hubs.append(HubAddress(address, _decoded(part, 16, "hubID")))
                address = None
            elif hubs[-1].bought:
                raise Refused("part")
            else:
                hubs[-1].bought = _decoded(part, 38, "pass")
        if address:
            raise Refused("noHubID")
        return hubs


class Line:
    """What a stand-alone hub prints: who hosts there is given it."""

    SCHEME = "unisono-hub://"

    def __init__(self, text):
        if len(text.encode()) > 511:
            raise Refused("tooLong")
        text = text.strip(" \t\n\v\f\r")
        if not text.lower().startswith(self.SCHEME):
            raise Refused("noHubID" if re.fullmatch("[^/:]+:[0-9]+", text) else "scheme")
        first, *others = text[len(self.SCHEME) :].split("/")
        self.address = Address(first)
        if not others:
            raise Refused("noHubID")
        self.hub = _decoded(others[0], 16, "hubID")
        if len(others) > 2:
            raise Refused("token")
        self.token = _decoded(others[1], 46, "token") if len(others) > 1 else None

    @property
    def text(self):
        parts = [self.address.spelled, b32(self.hub)] + ([b32(self.token)] if self.token else [])
        return self.SCHEME + "/".join(parts)
