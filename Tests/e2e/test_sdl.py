"""F29, F70 in a window: keys, the line of progress, picture in picture, full screen. SDL draws into memory (its dummy
driver), and keys are pressed through the terminal."""

import struct

import pytest
from hosts_support import BUILD, HostProcess, Lines, environment, until

WIDTH, HEIGHT = 960, 540


class Window(HostProcess):
    def __init__(self, folder, name, *arguments):
        screen = dict(environment(), SDL_VIDEODRIVER="dummy", SDL_RENDER_DRIVER="software")
        super().__init__([BUILD / "sdl_host", *arguments], name, folder, screen)
        self.folder = folder
        self.out = Lines(self.process.stdout)

    def press(self, key):
        self.type(f"key {key}")

    def is_at(self, state, seconds, until_seconds=None):
        here = self.status.get("position")
        if self.status.get("state") != state or here is None:
            return False
        return here == seconds if until_seconds is None else seconds <= here < until_seconds

    def picture(self, name):
        """The size of the window and its rows of pixels, from below."""
        path = self.folder / f"{name}.bmp"
        self.type(f"shot {path}")
        self.out.wait(f"shot {path}")
        data = path.read_bytes()
        start, width, height = struct.unpack_from("<I4xii", data, 10)
        stride = (3 * width + 3) & ~3
        rows = [data[start + row * stride : start + row * stride + 3 * width] for row in range(abs(height))]
        return width, abs(height), rows if height > 0 else rows[::-1]


@pytest.fixture
def windows(tmp_path):
    if not (BUILD / "sdl_host").exists():
        pytest.skip("build/sdl_host is not built; on Debian: apt install libsdl2-dev libsdl2-ttf-dev, then `make hosts`")
    ann = Window(tmp_path, "Ann", "host", "--listen", "127.0.0.1:0")
    ben = None
    try:
        ben = Window(tmp_path, "Ben", "join", ann.out.wait("invite ")[0])
        both = (ann, ben)
        until(lambda: all(len(w.status.get("participants", ())) == 2 for w in both), "both were in")
        until(lambda: all(w.is_at("paused", 0) for w in both), "both had the film")
        yield ann, ben
    finally:
        codes = [w.close() for w in (ben, ann) if w is not None]
    assert codes == [0, 0], "both end cleanly"


def both(windows, *place):
    until(lambda: all(w.is_at(*place) for w in windows), f"both were at {place}")


def test_keys_in_one_window_move_both(windows):
    ann, ben = windows
    ann.press("Right")
    both(windows, "paused", 10)
    ben.press("Left")
    both(windows, "paused", 0)
    ben.press("Space")
    both(windows, "playing", 0, 600)
    ann.press("]")
    until(lambda: all(w.status["rate"] == 1.25 for w in windows), "both ran faster")
    ann.press("Backspace")
    until(lambda: all(w.status["rate"] == 1 for w in windows), "both ran as the film was made")
    ben.press("Space")
    both(windows, "paused", 0, 600)


def test_the_same_place_is_the_same_picture(windows):
    ann, ben = windows
    ann.press("Right")
    both(windows, "paused", 10)
    (width, height, one), (_, _, other) = ann.picture("ann"), ben.picture("ben")
    assert (width, height) == (WIDTH, HEIGHT)

    def film(rows):
        """Without names, notices, buttons and times."""
        return [row[3 * width // 2 :] for row in rows[height // 3 : 3 * height // 4]]

    assert film(one) == film(other)
    assert len(set(film(one))) > height // 4, "there is a picture"
    ben.press("Right")
    both(windows, "paused", 20)
    assert film(ann.picture("later")[2]) != film(one)


def test_the_line_of_progress_moves_the_group_where_it_is_let_go(windows):
    ann, ben = windows
    ann.type("drag 0.1 0.5")
    until(lambda: all(abs(w.status["position"] - 300) < 2 and w.status["state"] == "paused" for w in windows), "half-way")
    assert ann.status["position"] == ben.status["position"]


def test_picture_in_picture_is_a_window_that_gives_the_other_one_back(windows):
    ann, ben = windows
    ann.press("P")
    ann.out.wait("picture in picture begins")
    assert ann.picture("small")[:2] == (384, 216)
    ann.press("Space")
    both(windows, "playing", 0, 600)
    ann.press("P")
    ann.out.wait("picture in picture asks for the window")
    ann.out.wait("picture in picture ends, the window is back")
    assert ann.picture("large")[:2] == (WIDTH, HEIGHT)
    assert ben.status["state"] == "playing", "nobody else noticed"


def test_full_screen_ends_with_escape(windows):
    ann, _ = windows
    ann.press("F")
    ann.out.wait("full screen begins")
    ann.press("P")  # one of the two at a time
    ann.press("Right")
    both(windows, "paused", 10)
    ann.press("Escape")
    ann.out.wait("full screen ends, the window is back")
    assert not [line for line in ann.out.lines if line.startswith("picture in picture")]


def test_closing_the_window_leaves_the_group(windows):
    ann, ben = windows
    ben.press("Q")
    until(lambda: ann.status["participants"] == ["Ann"], "Ben had left")
    assert ben.process.wait(20) == 0
