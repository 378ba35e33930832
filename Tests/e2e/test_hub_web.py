"""F105, F106: a hub serves the page for browsers, and films in ranges; by a client of HTTP that is not ours."""

import hashlib
import http.client

import pytest
from test_hub import hub, line  # noqa: F401


@pytest.fixture
def site(tmp_path):
    """A folder that could be the package, and a film of 3 MB in another."""
    page, films = tmp_path / "web", tmp_path / "films"
    (page / "page").mkdir(parents=True)
    films.mkdir()
    for name in ("page/index.html", "unisono.js", "unisono.wasm"):
        (page / name).write_text(f"this is {name}")
    (films / "a film.mp4").write_bytes(b"".join(hashlib.sha256(n.to_bytes(4, "big")).digest() for n in range(100_000)))
    (films / "out.mp4").symlink_to("/etc/passwd")
    return page, films


def ask(port, path, method="GET", **fields):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.putrequest(method, path)
    for name, value in fields.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, answer, body


def test_f105_f106_the_page_and_ranges_of_a_film_are_had_and_nothing_else(hub, site):  # noqa: F811
    page, films = site
    process = hub("--listen", "127.0.0.1:0", "--web", page, "--media", films)
    port = int(line(process, r"serves the page for browsers .* http://127\.0\.0\.1:(\d+)/$")[1])

    status, answer, _ = ask(port, "/?key=1")
    assert (status, answer.headers["Location"]) == (307, "/page/?key=1")
    status, answer, body = ask(port, "/page/?key=1")
    assert (status, body) == (200, b"this is page/index.html")
    assert "wasm-unsafe-eval" in answer.headers["Content-Security-Policy"]
    assert ask(port, "/unisono.wasm")[1].headers["Content-Type"] == "application/wasm"
    assert ask(port, "/unisono.wasm", "HEAD")[2] == b""
    assert ask(port, "/media/")[0] == 204

    film = (films / "a film.mp4").read_bytes()
    status, answer, body = ask(port, "/media/a%20film.mp4")
    assert (status, body) == (200, film)
    tag = answer.headers["ETag"]
    status, answer, body = ask(port, "/media/a%20film.mp4", Range="bytes=1000000-2999998", If_Range=tag)
    assert (status, answer.headers["Content-Range"], body) == (206, f"bytes 1000000-2999998/{len(film)}", film[1_000_000:2_999_999])
    assert ask(port, "/media/a%20film.mp4", Range="bytes=-5")[2] == film[-5:]
    assert ask(port, "/media/a%20film.mp4", Range=f"bytes={len(film)}-")[0] == 416
    assert ask(port, "/media/a%20film.mp4", If_None_Match=tag)[0] == 304

    for path in ("/media/out.mp4", "/../films/a%20film.mp4", "/%2e%2e/films/a%20film.mp4", "/media/..%2fweb%2funisono.js", "/page"):
        assert ask(port, path)[0] == 404, path
    assert ask(port, "/page/", "POST")[0] == 405
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/page/", headers={"Host": "evil.example"})
    assert connection.getresponse().status == 421


def test_f105_a_folder_that_is_not_the_page_is_said(hub, tmp_path):  # noqa: F811
    process = hub("--listen", "127.0.0.1:0", "--web", tmp_path)
    assert line(process, "is not the page for browsers: it has no page/index.html") and process.wait(60) == 1
