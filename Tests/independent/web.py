"""A hub by WebSocket: every frame or record is one binary message (wire 3.8). WebSocket itself is the package websockets."""

import socket
import ssl

from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

try:
    from websockets.client import ClientProtocol
except ImportError:  # as it was called up to 10
    from websockets.client import ClientConnection as ClientProtocol

from hub import Hub


class HandshakeRefused(ConnectionRefusedError):
    def __init__(self, response):
        self.status = response.status_code
        super().__init__(f"HTTP {response.status_code}: {bytes(response.body or b'').decode()}")


class Closed(ConnectionError):
    """The hub closed the WebSocket; code None: without a word."""

    def __init__(self, code):
        self.code = code
        super().__init__(f"the hub closed the WebSocket: {code}")


class WebSocket:
    """A client's end: shakes hands at once, then carries messages. `tls`: a context for wss; `source`: an own address to come from."""

    def __init__(self, address, uri=None, tls=None, origin=None, host=None, source=None):
        self.stream = socket.create_connection(address, timeout=30, source_address=source)
        self.stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls:
            self.stream = tls.wrap_socket(self.stream, server_hostname=host or address[0])
        scheme = "wss" if tls else "ws"
        self.protocol = ClientProtocol(parse_uri(uri or f"{scheme}://{address[0]}:{address[1]}/"), origin=origin)
        self.outgoing = bytearray()
        self._code = None
        self.protocol.send_request(self.protocol.connect())
        self.stream.sendall(self._to_send())
        while not (events := self.protocol.events_received()):
            data = self.stream.recv(65536)
            if not data:
                raise Closed(None)
            self.protocol.receive_data(data)
        if events[0].status_code != 101:
            raise HandshakeRefused(events[0])
        self._events = events[1:]
        self.stream.setblocking(False)

    def _to_send(self):
        return b"".join(self.protocol.data_to_send())

    def send(self, message):
        if self._code is not None:
            raise Closed(self._code)
        self.protocol.send_binary(message)
        self.outgoing += self._to_send()

    def write(self):
        if self.outgoing:
            try:
                del self.outgoing[: self.stream.send(self.outgoing)]
            except (ssl.SSLWantWriteError, BlockingIOError):
                pass

    def messages(self):
        """Those that came; raises `Closed` where there are none and the hub said its last word."""
        found = b""
        try:
            data = self.stream.recv(65536)
            while isinstance(self.stream, ssl.SSLSocket) and self.stream.pending():
                data += self.stream.recv(65536)
        except (ssl.SSLWantReadError, BlockingIOError):
            return found
        if data:
            self.protocol.receive_data(data)
        else:
            self.protocol.receive_eof()
        self.outgoing += self._to_send()
        events, self._events = self._events + self.protocol.events_received(), []
        for event in events:
            assert isinstance(event, Frame)
            if event.opcode == Opcode.BINARY:
                assert event.fin
                found += event.data
            elif event.opcode == Opcode.CLOSE:
                self._code = int.from_bytes(event.data[:2], "big")
        if not found and (self._code is not None or not data):
            raise Closed(self._code)
        return found

    def close(self):
        self.stream.close()


class WebHub(Hub):
    """As `Hub`, by WebSocket."""

    def __init__(self, *arguments, web=None, **more):
        self._options = web or {}
        super().__init__(*arguments, **more)

    def _connect(self, address):
        self.web = WebSocket(self._options.get("address", address), **{k: v for k, v in self._options.items() if k != "address"})
        return self.web.stream

    @property
    def _wants_to_write(self):
        return bool(self._outgoing or self.web.outgoing)

    def _write(self):
        while len(self._outgoing) >= 4:
            length = 4 + int.from_bytes(self._outgoing[:4], "big")
            self.web.send(bytes(self._outgoing[:length]))
            del self._outgoing[:length]
        self.web.write()

    def _read(self):
        return self.web.messages()
