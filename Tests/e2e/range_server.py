"""A file on loopback over HTTP with ranges, as film servers have it; a part of it can be held back, as by a network that fails."""

import contextlib
import http.server
import re
import threading

CHUNK = 16_384


class RangeServer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, path):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.data = path.read_bytes()
        #: Offsets at which requests began.
        self.begun = []
        self._held = range(0)
        self._given = threading.Event()

    def hold(self, first, last):
        """Bytes from `first` to `last` do not come until `release`."""
        self._given.clear()
        self._held = range(first, last)

    def release(self):
        self._held = range(0)
        self._given.set()

    def wait_for(self, offset):
        if offset in self._held:
            self._given.wait()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}/film.mkv"


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        self._answer(False)

    def do_GET(self):
        self._answer(True)

    def _answer(self, with_data):
        data, asked = self.server.data, re.match(r"bytes=(\d+)-(\d*)$", self.headers.get("Range", ""))
        first = int(asked[1]) if asked else 0
        last = min(int(asked[2]), len(data) - 1) if asked and asked[2] else len(data) - 1
        if first >= len(data):
            return self.send_error(416)
        self.send_response(206 if asked else 200)
        self.send_header("Content-Type", "video/x-matroska")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(last + 1 - first))
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
        self.end_headers()
        self.server.begun.append(first)
        # Whoever seeks elsewhere hangs up in the middle.
        with contextlib.suppress(ConnectionError):
            for offset in range(first, last + 1, CHUNK) if with_data else ():
                self.server.wait_for(offset)
                self.wfile.write(data[offset : min(offset + CHUNK, last + 1)])

    def log_message(self, *_):
        """Nothing: who failed is seen by the test."""


@contextlib.contextmanager
def serving(path):
    server = RangeServer(path)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.release()
        server.shutdown()
        server.server_close()
        thread.join()
