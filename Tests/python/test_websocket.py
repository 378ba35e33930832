"""F90: the hub by WebSocket over real sockets. WebSocket itself is the package websockets; the participant was written from
docs/spec/wire.md alone (Tests/independent)."""

import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager

import pytest
import waiting
from group_support import ROOT

pytest.importorskip("cryptography", reason="needs the Python package cryptography: pip install cryptography")
pytest.importorskip("websockets", reason="needs the Python package websockets: pip install websockets")
sys.path.insert(0, str(ROOT / "Tests" / "independent"))

import link  # noqa: E402
from client import Client  # noqa: E402
from hub import Hub, HubRefused  # noqa: E402
from invite import Line  # noqa: E402
from primitives import Signer, item  # noqa: E402
from room import Door  # noqa: E402
from web import Closed, HandshakeRefused, WebHub, WebSocket  # noqa: E402

SECOND = 1_000_000_000
CLOSE = SECOND // 20
LIMIT = 20.0
NGINX = shutil.which("nginx") or (shutil.which("nginx", path="/usr/sbin") if os.path.isdir("/usr/sbin") else None)


def wait(holds, what, *ones):
    waiting.until(holds, what, LIMIT, waiting.polling(ones, 0.002))


# ---- in a session of the library's ----


@pytest.fixture
def trio(pair):
    """Two participants of the library's by TCP, and the other client by WebSocket among them."""
    a, b, until = pair
    # The hub is one of these contexts, and answers the handshake while it is polled.
    with ThreadPoolExecutor(1) as elsewhere:
        made = elsewhere.submit(Client, a.session.invite, "Cem", hub=WebHub)
        until(made.done, "the handshake was through")
    client = made.result()

    def together(holds, what):
        def turn():
            client.poll(0.001)
            return holds()

        until(turn, what)

    together(lambda: client.is_in and client.is_synchronised, "the other client was in")
    client.move_to("film")

    def knows(player):
        return ("Cem", "film") in {(p.display_name, p.item) for p in player.coordinator.other_participants}

    together(lambda: knows(a) and knows(b), "both knew it")
    with closing(client):
        yield a, b, client, together


def apart(client, *players):
    now = time.monotonic_ns()
    return max(abs(client.position(now) - player.position(now)) for player in players)


def test_f90_who_comes_by_websocket_plays_with_those_who_came_by_tcp(trio):
    a, b, client, until = trio
    a.coordinator.play()
    until(lambda: client.state.kind == "playing" and a.playing and b.playing, "all three played")
    until(lambda: apart(client, a, b) < CLOSE, "all were at one place")
    client.pause()
    until(lambda: client.state.kind == "paused" and not a.playing and not b.playing, "all paused")
    assert client.refused == []


# ---- at a hub of its own ----


@contextmanager
def a_hub(folder, *options):
    """`unisono hub` on a free port: its line."""
    program = ROOT / "build" / "unisono"
    if not program.exists():
        pytest.skip(f"{program} is not built; run `make command` first")
    log = folder / "hub.log"
    with log.open("w") as out:
        process = subprocess.Popen([program, "hub", "--listen", "127.0.0.1:0", *options], stderr=out, stdout=out)
    try:

        def line():
            assert process.poll() is None, log.read_text()
            return re.search(r"unisono-hub://[^/\s]+/[a-z2-7]{26}", log.read_text())

        wait(line, "the hub said its line")
        yield Line(line().group())
    finally:
        process.terminate()
        process.wait()


@pytest.fixture
def hub(tmp_path):
    with a_hub(tmp_path, "--open", "--origin", "https://films.example") as line:
        yield line


def a_door():
    return Door(os.urandom(32), os.urandom(32))


def by_web(hub, door, **web):
    return WebHub(hub.address.pair, hub.hub, door, Signer(os.urandom(32)), web=web)


def by_tcp(hub, door):
    return Hub(hub.address.pair, hub.hub, door, Signer(os.urandom(32)))


def envelope(signer, length):
    return b"\2\1" + bytes(12) + signer.id + bytes(20) + bytes(length)


def pass_on(sender, receiver, length):
    said = envelope(sender.signer, length)
    sender.send(link.SEND, item(255, said))
    heard = []

    def came():
        sender.poll(0)
        heard.extend(receiver.poll(0.002))
        return heard

    wait(came, f"an envelope of {length} bytes came")
    assert heard == [said]


@pytest.mark.parametrize("length", [528, 3_000, 200_000])
def test_f90_envelopes_of_every_length_go_both_ways(hub, length):
    door = a_door()
    with closing(by_web(hub, door)) as web, closing(by_tcp(hub, door)) as raw:
        wait(lambda: web.entered and raw.entered and len(raw.present) == len(web.present) == 2, "both were in", web, raw)
        pass_on(web, raw, length)
        pass_on(raw, web, length)


def test_f90_messages_in_parts_and_pings_between_them_are_read(hub):
    with closing(by_web(hub, a_door())) as web:
        wait(lambda: web.entered, "it was in", web)
        record = web.record(link.PING, item(1, bytes(8)))
        protocol = web.web.protocol
        protocol.send_binary(record[:1], fin=False)
        protocol.send_ping(b"still there?")
        protocol.send_continuation(record[1:300], fin=False)
        protocol.send_continuation(b"", fin=False)
        protocol.send_continuation(record[300:], fin=True)
        web.web.outgoing += b"".join(protocol.data_to_send())
        samples = len(web._samples)
        wait(lambda: len(web._samples) > samples + 3, "it was still answered", web)


@pytest.mark.parametrize(
    "what, request_, status",
    [
        ("a page", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", 426),
        ("another page", "GET /film.mp4 HTTP/1.1\r\nHost: a\r\n\r\n", 404),
        ("no host", "GET / HTTP/1.1\r\n\r\n", 400),
        ("an old version", "GET / HTTP/1.0\r\nHost: a\r\n\r\n", 400),
        ("a head without an end", "GET / HTTP/1.1\r\na: " + "x" * 8_192, 431),
    ],
)
def test_f90_other_requests_are_answered_with_a_sentence(hub, what, request_, status):
    with closing(socket.create_connection(hub.address.pair)) as stream:
        stream.settimeout(LIMIT)
        stream.sendall(request_.encode())
        said = b""
        # Who sends more than is read may find the connection broken off behind the answer.
        try:
            while data := stream.recv(4096):
                said += data
        except ConnectionResetError:
            pass
    assert said.startswith(f"HTTP/1.1 {status} ".encode()), what
    head, body = said.split(b"\r\n\r\n")
    assert body.decode().endswith(".\n") and f"Content-Length: {len(body)}".encode() in head


def test_f90_pages_from_elsewhere_get_no_websocket(hub):
    with pytest.raises(HandshakeRefused) as refusal:
        WebSocket(hub.address.pair, origin="https://evil.example")
    assert refusal.value.status == 403
    # A name that its owner points to this hub is no host of the hub's.
    with pytest.raises(HandshakeRefused):
        WebSocket(hub.address.pair, uri="ws://evil.example/", origin="http://evil.example")
    for origin in ("https://films.example", f"http://{hub.address.text}", None):
        WebSocket(hub.address.pair, origin=origin).close()


HOSTILE = {
    "no mask": (b"\x82\x01a", 1002),
    "a reserved bit": (b"\xc2\x80\0\0\0\0", 1002),
    "an unknown opcode": (b"\x83\x80\0\0\0\0", 1002),
    "text": (b"\x81\x81\0\0\0\0a", 1003),
    "a ping of 126 bytes": (b"\x89\xfe\0\x7e", 1002),
    "a ping in parts": (b"\x09\x80\0\0\0\0", 1002),
    "a continuation of nothing": (b"\x80\x80\0\0\0\0", 1002),
    "2^63 bytes": (b"\x82\xff\x80" + bytes(11), 1002),
    "2^62 bytes": (b"\x82\xff\x40" + bytes(11), 1009),
    "a long spelling of a length": (b"\x82\xfe\0\x01" + bytes(5), 1002),
    "half a record": (b"\x82\x85\0\0\0\0\0\0\0\x09a", 1007),
    "a code that may not be sent": (b"\x88\x82\0\0\0\0\x03\xed", 1002),
    "a reason that is not UTF-8": (b"\x88\x83\0\0\0\0\x03\xe8\xff", 1007),
    "far too many pings": (b"\x89\x80\0\0\0\0" * 2_000, 1008),
}


@pytest.mark.parametrize("how", HOSTILE)
def test_f90_who_breaks_a_rule_is_closed_with_its_code_and_nobody_else(hub, how):
    data, code = HOSTILE[how]
    door = a_door()
    with closing(by_tcp(hub, door)) as witness, closing(by_web(hub, door)) as web:
        wait(lambda: len(witness.present) == 2, "both were in", witness, web)
        web.poll(0)
        web.web.outgoing += data
        with pytest.raises(Closed) as closed:
            wait(lambda: False, "it was closed", web, witness)
        assert closed.value.code == code
        wait(lambda: len(witness.present) == 1, "the room heard of it", witness)


def test_f90_by_websocket_nobody_is_a_neighbour(tmp_path):
    with a_hub(tmp_path) as line:
        door = a_door()
        with closing(by_web(line, door)) as stranger, pytest.raises(HubRefused) as refusal:
            wait(lambda: stranger.entered, "it was answered", stranger)
        assert not refusal.value.clear
        with closing(by_tcp(line, door)) as raw:
            wait(lambda: raw.entered, "the neighbour was in", raw)
            with closing(by_web(line, door)) as guest:
                wait(lambda: guest.entered, "the guest was in", raw, guest)


# ---- behind nginx ----


def block_of_the_manual():
    """The server block that docs/hub.md tells people to use."""
    text = (ROOT / "docs" / "hub.md").read_text()
    found = re.search(r"^    server \{.*?^    \}$", text, re.MULTILINE | re.DOTALL)
    return "\n".join(one[4:] for one in found.group().splitlines())


def a_free_port():
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        return taken.getsockname()[1]


@pytest.fixture
def behind_nginx(tmp_path):
    """A hub behind nginx with the manual's block: the hub's line, nginx's port, and a context that trusts its certificate."""
    for program, package in ((NGINX, "nginx-light"), (shutil.which("openssl"), "openssl")):
        if not program:
            pytest.skip(f"{package} is not installed; on Debian: apt install {package}")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=hub.example.org", "-addext", "subjectAltName=DNS:hub.example.org", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )
    with a_hub(tmp_path, "--open", "--proxy", "127.0.0.1", "--origin", "https://hub.example.org") as line:
        port = a_free_port()
        block = block_of_the_manual()
        for told, here in (
            ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"), ("/etc/ssl/hub.pem", str(certificate)),
            ("/etc/ssl/hub.key", str(key)), ("http://127.0.0.1:7400", f"http://{line.address.text}"),
        ):
            assert block.count(told) == 1, told
            block = block.replace(told, here)
        folders = "".join(f"{what}_temp_path {tmp_path}/{what};\n" for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (tmp_path / "nginx.conf").write_text(
            f"daemon off;\npid {tmp_path}/nginx.pid;\nerror_log stderr;\nevents {{}}\n"
            f"http {{\naccess_log off;\n{folders}{block}\n}}\n"
        )
        said = (tmp_path / "nginx.log").open("w")
        nginx = subprocess.Popen([NGINX, "-p", tmp_path, "-c", tmp_path / "nginx.conf"], stderr=said, stdout=said)
        try:

            def listens():
                assert nginx.poll() is None, (tmp_path / "nginx.log").read_text()
                with closing(socket.socket()) as probe:
                    return probe.connect_ex(("127.0.0.1", port)) == 0

            wait(listens, "nginx listened")
            yield line, ("127.0.0.1", port), ssl.create_default_context(cafile=certificate)
        finally:
            nginx.terminate()
            nginx.wait()
            said.close()


def test_f90_wss_behind_nginx_with_the_block_of_the_manual(behind_nginx):
    line, front, tls = behind_nginx
    door = a_door()
    secure = {"address": front, "tls": tls, "host": "hub.example.org", "uri": "wss://hub.example.org/"}
    with closing(by_web(line, door, **secure, origin="https://hub.example.org")) as web, closing(by_tcp(line, door)) as raw:
        wait(lambda: web.entered and raw.entered and len(raw.present) == len(web.present) == 2, "both were in", web, raw)
        for length in (528, 200_000):
            pass_on(web, raw, length)
            pass_on(raw, web, length)
    with pytest.raises(HandshakeRefused) as refusal:
        by_web(line, door, **secure, origin="https://evil.example")
    assert refusal.value.status == 403
