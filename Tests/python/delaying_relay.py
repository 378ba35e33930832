"""A path that a test makes longer, and longer one way than the other: between a client and a hub on this machine, over TCP and UDP."""

import contextlib
import heapq
import itertools
import re
import selectors
import socket
import threading
import time


class DelayingRelay:
    """Listens beside the hub, at another address of this machine and the same port, in a thread of its own. What passes takes
    `out` seconds to the hub and `back` seconds from it, as they are when it comes; each stream keeps its order."""

    HOST = "127.0.0.3"

    def __init__(self, line):
        """`line`: the hub's, which listens at an IPv4 address; its datagrams are at the same port."""
        host, port = re.fullmatch(r"unisono-hub://([0-9.]+):(\d+)/.+", line).groups()
        self.out = self.back = 0.0
        self.datagrams = [0, 0]  # that came from clients, from the hub
        self._hub = (host, int(port))
        self._waiting, self._order = [], itertools.count()
        self._due_last = {}  # of each stream: what comes later is not passed on sooner
        self._peers, self._sockets = {}, []
        self._selector = selectors.DefaultSelector()
        listener = self._own(socket.create_server((self.HOST, int(port))))
        self._selector.register(listener, selectors.EVENT_READ, lambda: self._accept(listener))
        self._udp = self._datagram_socket()
        self._udp.bind((self.HOST, int(port)))
        self._selector.register(self._udp, selectors.EVENT_READ, self._ask)
        self._waker, self._woken = map(self._own, socket.socketpair())
        self._selector.register(self._woken, selectors.EVENT_READ, lambda: None)
        self._ends = False
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def address_of(self, invite):
        """The same invite for who is to come this way."""
        direct = ":".join(map(str, self._hub))
        assert invite.count(direct) == 1
        return invite.replace(direct, f"{self.HOST}:{self._hub[1]}")

    def close(self):
        self._ends = True
        self._waker.send(b".")
        self._thread.join()
        self._selector.close()
        for one in self._sockets:
            one.close()

    def _own(self, one):
        self._sockets.append(one)
        one.setblocking(False)
        return one

    def _datagram_socket(self):
        return self._own(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))

    def _run(self):
        while not self._ends:
            wait = max(0.0, self._waiting[0][0] - time.monotonic()) if self._waiting else None
            for key, _ in self._selector.select(wait):
                key.data()
            while self._waiting and self._waiting[0][0] <= time.monotonic():
                # Who is gone by then is no fault of the path's.
                with contextlib.suppress(OSError):
                    heapq.heappop(self._waiting)[2]()

    def _later(self, delay, deliver, stream=None):
        due = max(time.monotonic() + delay, self._due_last.get(stream, 0.0))
        if stream is not None:
            self._due_last[stream] = due
        heapq.heappush(self._waiting, (due, next(self._order), deliver))

    def _accept(self, listener):
        client, _ = listener.accept()
        hub = socket.create_connection(self._hub)
        for one, other, outwards in ((client, hub, True), (hub, client, False)):
            self._own(one).setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._selector.register(one, selectors.EVENT_READ, self._passing(one, other, outwards))

    def _passing(self, one, other, outwards):
        def turn():
            try:
                data = one.recv(1 << 16)
            except ConnectionError:
                data = b""
            deliver = (lambda: self._send_all(other, data)) if data else (lambda: other.shutdown(socket.SHUT_WR))
            self._later(self.out if outwards else self.back, deliver, one)
            if not data:
                self._selector.unregister(one)

        return turn

    @staticmethod
    def _send_all(stream, data):
        """What a test says fits into a socket's buffer; if ever not, whoever reads it is asked to first."""
        stream.setblocking(True)
        stream.sendall(data)
        stream.setblocking(False)

    def _ask(self):
        """From a client, by the socket that all ask; each has one of its own towards the hub, so that answers find back."""
        data, client = self._udp.recvfrom(2048)
        self.datagrams[0] += 1
        if client not in self._peers:
            peer = self._peers[client] = self._datagram_socket()
            peer.connect(self._hub)
            self._selector.register(peer, selectors.EVENT_READ, lambda: self._answer(peer, client))
        peer = self._peers[client]
        self._later(self.out, lambda: peer.send(data))

    def _answer(self, peer, client):
        data = peer.recv(2048)
        self.datagrams[1] += 1
        self._later(self.back, lambda: self._udp.sendto(data, client))
