#!/usr/bin/env python3
"""Pictures of what `unisono doctor` and `unisono monitor` show: docs/pictures/doctor.svg and monitor.svg, as they were printed on a terminal of
80 columns by the built command. The doctor visits a hub behind a home's router, from a machine whose UDP is cut off; the monitor looks at two
mpv in step. And of mpv's window, with what the plugin shows over the film: osd.png. Needs `make`, root, Xvfb, and what Tests/e2e needs.

    docs/pictures/screens.py
"""

import contextlib
import fcntl
import html
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "Tests" / "e2e")]

from conftest import make_film  # noqa: E402
from home import Home  # noqa: E402
from hosts_support import BUILD, Program, Window, environment, until  # noqa: E402
from test_two_mpv import both_play  # noqa: E402
from test_watch import ready  # noqa: E402

COLUMNS, ROWS = 80, 24
COLOURS = {"0": "#d8dee9", "2": "#7b869c", "31": "#e06c75", "32": "#98c379", "33": "#e5c07b", "36": "#56b6c2"}
ADVANCE, LINE = 8.43, 18


def run_on_terminal(command):
    """What a command prints on a terminal."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    process = subprocess.Popen(
        list(map(str, command)), stdin=subprocess.DEVNULL, stdout=theirs, env=dict(environment(), TERM="xterm-256color"))
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        said += part
    process.wait()
    os.close(ours)
    # Where it was built is nobody's concern.
    return said.decode().replace(str(BUILD), "…").replace("\r\n", "\n").rstrip("\n").split("\n")


def parts(line):
    """Texts, each with its colour."""
    colour = "0"
    for piece in re.split(r"(\x1b\[\d+m)", line):
        style = re.fullmatch(r"\x1b\[(\d+)m", piece)
        if style:
            colour = style[1]
        elif piece:
            yield colour, piece


def picture(lines, prompt):
    width, height = COLUMNS * ADVANCE + 24, (len(lines) + 1) * LINE + 24
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}">',
        '<rect width="100%" height="100%" rx="8" fill="#1e222a"/>',
        '<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">',
    ]
    for row, line in enumerate([f"\x1b[2m$ \x1b[0m{prompt}", *lines]):
        column = 0
        for colour, text in parts(line):
            shown = text.strip()
            if shown:
                start = column + len(text) - len(text.lstrip())
                out.append(
                    f'<text x="{12 + start * ADVANCE:.1f}" y="{12 + (row + 0.75) * LINE:.1f}" textLength="{len(shown) * ADVANCE:.1f}"'
                    f' fill="{COLOURS[colour]}" xml:space="preserve" style="white-space: pre">{html.escape(shown)}</text>')
            column += len(text)
    return "\n".join([*out, "</g>", "</svg>", ""])


def write(name, lines, prompt):
    (ROOT / "docs" / "pictures" / name).write_text(picture(lines, prompt))
    print(f"docs/pictures/{name}: {len(lines)} lines")


def doctor(folder):
    with Home(folder, "enable_natpmp=yes", "enable_upnp=no") as home:
        home.run("ann", "nft", "-f", "-", input="table inet cut { chain out { type filter hook output priority 0; udp dport 7400 drop\n}\n}\n")
        hub = Program(*home.command("cem", [BUILD / "unisono", "hub", "--listen", "0.0.0.0:7400", "--open"]), stdin=subprocess.DEVNULL)
        hub.says_something("unisono-hub://")
        line = next(word for line in hub.out.lines for word in line.split() if word.startswith("unisono-hub://"))
        ben = subprocess.Popen(
            home.command("ben", [BUILD / "unisono", "doctor", "--config", "/dev/null"]), stdout=subprocess.DEVNULL, env=environment())
        lines = run_on_terminal(home.command("ann", [BUILD / "unisono", "doctor", "--config", "/dev/null", "--hub", line]))
        ben.wait()
        hub.process.terminate()
        hub.process.wait()
    write("doctor.svg", lines, "unisono doctor --hub unisono-hub://…")


def start(folder, name, *arguments, screen=("--vo=null",), **more):
    """A command with its mpv."""
    ipc = folder / f"{name}.sock"
    return Window(
        ipc, BUILD / "unisono", *arguments, "--name", name, "--config", "/dev/null", "--", "--no-config", "--ao=null", *screen,
        f"--input-ipc-server={ipc}", stdin=subprocess.DEVNULL, **{"DISPLAY": "", "WAYLAND_DISPLAY": "", **more})


@contextlib.contextmanager
def together(folder, film, **more):
    """Ann hosts, with `more` of a screen, and Ben plays from the middle on; the two, and the invite."""
    windows = [start(folder, "Ann", "watch", film, **more)]
    try:
        [ann] = windows
        ann.says_something("invite unisono://")
        invite = re.search(r"unisono://\S+", ann.invite_line)[0]
        ben = start(folder, "Ben", "join", invite, film)
        windows.insert(0, ben)
        ready(ben, "Ben")
        ben.mpv.command("seek", 247, "absolute+exact")
        ben.mpv.command("set_property", "pause", False)
        both_play(ann, ben)
        yield ann, ben, invite
    finally:
        for window in windows:
            window.process.terminate()
            window.end()


def monitor(folder):
    with together(folder, make_film(folder / "film.mkv", 600)) as (_, _, invite):
        lines = run_on_terminal([BUILD / "unisono", "monitor", "--once", invite])
    write("monitor.svg", lines, "unisono monitor --once unisono://…")


DISPLAY, SIZE = ":97", "960x540"


def osd(folder):
    film = folder / "a film.mkv"
    source = f"gradients=size={SIZE}:rate=25:duration=300:c0=0x0b1d33:c1=0x2c5364:c2=0x5b3a5e:nb_colors=3:speed=0.005"
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", source, "-c:v", "libx264", "-preset", "ultrafast", str(film)], check=True)
    server = subprocess.Popen(["Xvfb", DISPLAY, "-screen", "0", f"{SIZE}x24", "-nolisten", "tcp"], stderr=subprocess.DEVNULL)
    try:
        until(lambda: pathlib.Path(f"/tmp/.X11-unix/X{DISPLAY[1:]}").exists(), "Xvfb had its screen")
        window = ("--vo=x11", f"--geometry={SIZE}+0+0", "--no-border")
        with together(folder, film, screen=window, DISPLAY=DISPLAY) as (ann, ben, _):
            ben.mpv.command("script-message", "unisono-say", "wait for it…")
            ann.says_something("Ben: wait for it")
            ann.press("Ctrl+u")
            ann.says_something("(you): plays")
            grab = ["ffmpeg", "-v", "error", "-y", "-f", "x11grab", "-draw_mouse", "0", "-video_size", SIZE, "-t", "0.1", "-i", DISPLAY]
            grab += ["-frames:v", "1", "-vf", "split[a][b];[a]palettegen=max_colors=96[c];[b][c]paletteuse=dither=none"]
            subprocess.run([*grab, str(ROOT / "docs" / "pictures" / "osd.png")], check=True)
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        doctor(pathlib.Path(folder))
        monitor(pathlib.Path(folder))
        osd(pathlib.Path(folder))
