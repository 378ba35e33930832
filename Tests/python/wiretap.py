"""Somebody on the path: passes on, between real clients and a real hub, every byte over TCP and UDP, and keeps a copy."""

import base64
import re
import contextlib
import selectors
import socket
import struct
from collections import defaultdict


class Wiretap:
    """Listens beside the hub, at another address of this machine and the same port. Whoever owns it calls `turn`."""

    HOST = "127.0.0.2"

    def __init__(self, line):
        """`line`: the hub's, which listens at an IPv4 address; its datagrams are at the same port."""
        host, port, identity = re.fullmatch(r"unisono-hub://([0-9.]+):(\d+)/(.+)", line).groups()
        self.hub = (host, int(port))
        self.line = f"unisono-hub://{self.HOST}:{port}/{identity}"
        self.streams = defaultdict(bytearray)  # (connection, direction) -> bytes
        self.datagrams = []
        self._selector = selectors.DefaultSelector()
        self._sockets = []
        self._peers = {}
        listener = self._own(socket.create_server((self.HOST, int(port)), backlog=16))
        listener.setblocking(False)
        self._selector.register(listener, selectors.EVENT_READ, self._accept)
        self._udp = self._own(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        self._udp.bind((self.HOST, int(port)))
        self._udp.setblocking(False)
        self._selector.register(self._udp, selectors.EVENT_READ, self._datagram)

    def close(self):
        self._selector.close()
        for one in self._sockets:
            one.close()

    def turn(self):
        for key, _ in self._selector.select(0):
            key.data(key.fileobj)

    @property
    def everything(self):
        """What went over the wire: each direction of each connection in one piece, and each datagram."""
        return [bytes(stream) for stream in self.streams.values()] + self.datagrams

    @property
    def records(self):
        """Lengths of all records on all connections: what follows OPEN and CHALLENGE, and is whole."""
        found = []
        for stream in self.streams.values():
            at = 0
            while at + 4 <= len(stream):
                length = 4 + struct.unpack_from(">I", stream, at)[0]
                if at and at + length <= len(stream):
                    found.append(length)
                at += length
        return found

    def _own(self, one):
        self._sockets.append(one)
        return one

    def _accept(self, listener):
        client, _ = listener.accept()
        hub = socket.create_connection(self.hub)
        number = len(self.streams) // 2
        for one, other, direction in ((client, hub, "up"), (hub, client, "down")):
            self._own(one).setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            kept = self.streams[number, direction]
            self._selector.register(one, selectors.EVENT_READ, self._passing(other, kept))

    def _passing(self, other, kept):
        def turn(one):
            try:
                data = one.recv(1 << 16)
            except ConnectionError:
                data = b""
            if not data:
                # Both ways end; what the other side had ready may be in the same round.
                for ended in (one, other):
                    with contextlib.suppress(KeyError, ValueError):
                        self._selector.unregister(ended)
                with contextlib.suppress(OSError):
                    other.shutdown(socket.SHUT_RDWR)
                return
            kept.extend(data)
            try:
                other.sendall(data)
            except OSError:
                pass

        return turn

    def _datagram(self, udp):
        """From a client, by the socket that all ask; each has one of its own towards the hub, so that answers find back."""
        data, client = udp.recvfrom(2048)
        self.datagrams.append(data)
        if client not in self._peers:
            peer = self._own(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            peer.connect(self.hub)
            peer.setblocking(False)
            self._peers[client] = peer
            self._selector.register(peer, selectors.EVENT_READ, lambda one: self._answer(one, client))
        self._peers[client].send(data)

    def _answer(self, peer, client):
        data = peer.recv(2048)
        self.datagrams.append(data)
        self._udp.sendto(data, client)


def spellings(secret):
    """Bytes, texts and numbers as they might be found in a recording."""
    if isinstance(secret, int):
        yield from (struct.pack(form, secret) for form in (">q", "<q"))
        yield str(secret).encode()
        yield f"{secret:x}".encode()
        return
    if isinstance(secret, str):
        for encoding in ("utf-16-le", "utf-16-be"):
            yield secret.encode(encoding)
        secret = secret.encode()
    yield secret
    yield secret[::-1]
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    # Base 64 at any of the three places where it can begin, without its uncertain ends.
    for shift in range(3):
        text = base64.b64encode(bytes(shift) + secret)[4:-4]
        if len(text) >= 8:
            yield text
            yield text.replace(b"+", b"-").replace(b"/", b"_")


def found(secret, recordings):
    """Whether any spelling of it is anywhere in there."""
    return any(spelling in recording for spelling in spellings(secret) for recording in recordings)
