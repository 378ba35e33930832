"""The live view: lines of coloured text, drawn in a terminal or as a picture."""

from __future__ import annotations

import shutil
import sys
from typing import Dict, List, Optional, Tuple
from xml.sax.saxutils import escape

from fleet import Host, position_at

Span = Tuple[str, str]  # colour, text
Line = List[Span]
COLOURS = {"": "#d8dee9", "dim": "#7b8494", "green": "#a3be8c", "yellow": "#ebcb8b", "red": "#bf616a", "blue": "#88c0d0"}
ANSI = {"": "0", "dim": "2", "green": "32", "yellow": "33", "red": "31", "blue": "36"}


def clock(seconds: float) -> str:
    minutes, rest = divmod(max(0.0, seconds), 60)
    return f"{int(minutes)}:{rest:06.3f}"


def bar(position: float, length: float, width: int) -> str:
    at = min(width - 1, max(0, int(position / length * width)))
    return "━" * at + "●" + "─" * (width - 1 - at)


def host_line(host: Host, when: int, length: float, skew: Optional[float], width: int) -> Line:
    status = host.status
    title = [("blue", f"{host.name:<6}"), ("dim", f"{host.kind:<8}")]
    if host.killed or not host.alive:
        return title + [("red", "gone") if host.killed or host.process.returncode != 0 else ("dim", "left")]
    if status is None:
        return title + [("dim", "starting")]
    position = position_at(status, when)
    if position is None:
        return title + [("dim", "loading")]
    if status["suspended"]:
        state: Span = ("yellow", "‖ apart" if status["state"] != "playing" else "▸ apart")
    elif status["stalled"]:
        state = ("red", "✕ stalled")
    elif status["state"] == "playing":
        state = ("green", "▶ playing")
    else:
        state = ("yellow", "… waiting") if status["state"] == "waiting" else ("", "‖ paused")
    line = title + [(state[0], f"{state[1]:<11}"), ("", f"{clock(position):>10} "), ("dim", bar(position, length, width))]
    if skew is not None:
        line.append(("green" if abs(skew) < 0.005 else "yellow", f" {skew * 1000:+8.2f} ms"))
    elif status["waiting_for"]:
        line.append(("yellow", " for " + ", ".join(w["name"] for w in status["waiting_for"])))
    elif status["suspended"]:
        line.append(("yellow", " " + status["suspended"][0]))
    elif status["connection"] != "connected":
        line.append(("red", " " + status["connection"]))
    return line


def draw_view(
    title: str, hosts: List[Host], when: int, length: float, skew: Dict[str, float], steps: List[Line], columns: int
) -> List[Line]:
    width = max(10, min(40, columns - 66))
    rows = [host_line(host, when, length, skew.get(host.name), width) for host in hosts]
    return [[("", title)], []] + rows + [[]] + steps[-14:]


class Terminal:
    """Redraws in place; restores the cursor at the end."""

    def __init__(self) -> None:
        self.live = sys.stdout.isatty()
        self._drawn = 0

    @property
    def columns(self) -> int:
        return shutil.get_terminal_size((100, 30)).columns if self.live else 100

    def draw(self, lines: List[Line]) -> None:
        if not self.live:
            return
        room = shutil.get_terminal_size((100, 30)).lines - 1
        lines = lines[:room]
        out = [f"\x1b[{self._drawn}A" if self._drawn else "", "\x1b[?25l"]
        for line in lines:
            out.append("\r\x1b[K" + paint(cut(line, self.columns)) + "\n")
        out.append("\x1b[J")
        self._drawn = len(lines)
        sys.stdout.write("".join(out))
        sys.stdout.flush()

    def say(self, line: Line) -> None:
        """Where nothing can be redrawn: one plain line."""
        if not self.live:
            print("".join(text for _, text in line), flush=True)

    def end(self) -> None:
        if self.live:
            sys.stdout.write("\x1b[?25h")
            sys.stdout.flush()


def paint(line: Line) -> str:
    return "".join(f"\x1b[{ANSI[colour]}m{text}\x1b[0m" for colour, text in line)


def cut(line: Line, columns: int) -> Line:
    """A line that wraps would break the redrawing."""
    result: Line = []
    for colour, text in line:
        result.append((colour, text[:columns]))
        columns -= len(text)
        if columns <= 0:
            break
    return result


def picture(lines: List[Line]) -> str:
    """The view as an SVG picture."""
    step, glyph, margin = 21, 8.43, 18
    width = int(max((sum(len(t) for _, t in line) for line in lines), default=40) * glyph) + 2 * margin
    height = len(lines) * step + 2 * margin
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f'<rect width="{width}" height="{height}" rx="10" fill="#2e3440"/>',
        '<g font-family="ui-monospace,DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="14" xml:space="preserve">',
    ]
    for number, line in enumerate(lines):
        column = 0
        for colour, text in line:
            x, y = margin + column * glyph, margin + (number + 0.75) * step
            length = f' textLength="{len(text) * glyph:.1f}" lengthAdjust="spacingAndGlyphs"' if text.strip() else ""
            out.append(f'<text x="{x:.1f}" y="{y:.1f}"{length} fill="{COLOURS[colour]}">{escape(text)}</text>')
            column += len(text)
    return "\n".join(out + ["</g>", "</svg>", ""])
