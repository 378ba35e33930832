"""F107: who watches in mpv serves the page and the film to browsers of the same network, behind a link with a key."""

import http.client
import re
from urllib.parse import urlsplit

import pytest
from test_watch import invite_of, unisono  # noqa: F401


def ask(link, path, method="GET", **fields):
    connection = http.client.HTTPConnection(link.hostname, link.port, timeout=60)
    connection.request(method, path, headers=fields)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body


@pytest.fixture
def page(tmp_path):
    """A folder that could be the package."""
    folder = tmp_path / "web"
    (folder / "page").mkdir(parents=True)
    for name in ("page/index.html", "unisono.js", "unisono.wasm"):
        (folder / name).write_text(f"this is {name}")
    return folder


def test_f107_the_link_leads_to_page_and_film_and_without_its_key_there_is_no_film(unisono, media, page):  # noqa: F811
    ann = unisono("Ann", "watch", media, "--web", UNISONO_PAGE=str(page))
    ann.says_something("for browsers here")
    shown = next(line for line in ann.out.lines if "for browsers here" in line)
    link = urlsplit(re.search(r"http://\S+", shown)[0])
    assert link.fragment == invite_of(ann)
    assert f"/{link.netloc}/" in invite_of(ann)
    assert ask(link, f"{link.path}?{link.query}") == (200, b"this is page/index.html")
    key = link.query.removeprefix("key=")
    assert re.fullmatch("[0-9a-f]{16}", key)
    assert ask(link, f"/media/{key}/", "HEAD")[0] == 204
    assert ask(link, f"/media/{key}/{media.name}", Range="bytes=1000-1999") == (206, media.read_bytes()[1000:2000])
    for path in (f"/media/{media.name}", f"/media/{'0' * 16}/{media.name}", f"/media/{key}/other.mkv", "/media/"):
        assert ask(link, path)[0] == 404
    assert ann.quit() == 0
