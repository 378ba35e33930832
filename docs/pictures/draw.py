#!/usr/bin/env python3
"""Draws the pictures of the documentation into this folder."""
import pathlib
from xml.sax.saxutils import escape

HERE = pathlib.Path(__file__).resolve().parent
INK, SOFT, LINE = "#1d2733", "#5b6b7c", "#9fb0c0"
BLUE, GREEN, AMBER, RED, GREY = "#dbe9f7", "#dff2e1", "#fdf0cf", "#f9dddd", "#eef2f5"


class Picture:
    def __init__(self, width, height):
        self.width, self.height, self.parts = width, height, []

    def box(self, x, y, w, h, fill=GREY, dashed=False):
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="6" fill="{fill}" stroke="{LINE}"{dash}/>')

    def text(self, x, y, words, size=13, anchor="start", colour=INK, bold=False):
        weight = ' font-weight="600"' if bold else ""
        for index, line in enumerate(words.split("\n")):
            self.parts.append(f'<text x="{x}" y="{y + index * (size + 5)}" font-size="{size}" text-anchor="{anchor}" '
                              f'fill="{colour}"{weight}>{escape(line)}</text>')

    def line(self, x1, y1, x2, y2, colour=SOFT, arrow=False, dashed=False, width=1.4):
        end = ' marker-end="url(#tip)"' if arrow else ""
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}" stroke-width="{width}"{dash}{end}/>')

    def save(self, name, title):
        (HERE / name).write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
            f'height="{self.height}" font-family="Helvetica, Arial, sans-serif" role="img">\n<title>{escape(title)}</title>\n'
            '<defs><marker id="tip" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto">'
            f'<path d="M0,0 L9,4 L0,8 z" fill="{SOFT}"/></marker></defs>\n'
            f'<rect width="{self.width}" height="{self.height}" fill="#ffffff"/>\n' + "\n".join(self.parts) + "\n</svg>\n",
            encoding="utf-8")


def registers():
    p = Picture(900, 500)
    p.text(20, 30, "of the session", 14, bold=True)
    for index, (name, order) in enumerate([
            ("Clocks[hub]", "smaller error,\nthen smaller author"), ("Policy", "seniority,\nthen stamp"),
            ("End", "set beats unset"), ("Activity", "policy,\nthen stamp"), ("Stall policy", "policy,\nthen stamp")]):
        x = 20 + index * 174
        p.box(x, 44, 162, 78)
        p.text(x + 12, 66, name, 14, bold=True)
        p.text(x + 12, 88, order, 12, colour=SOFT)
    p.text(20, 160, "of each item: what people commanded, and what the library made of it", 14, bold=True)
    p.box(20, 174, 250, 112, BLUE)
    p.text(32, 198, "R  rate", 15, bold=True)
    p.text(32, 222, "play, pause, rate\nat, snap, whom to wait for, until when", 12)
    p.box(300, 174, 250, 112, BLUE)
    p.text(312, 198, "P  position", 15, bold=True)
    p.text(312, 222, "seek, end of a suspension with\na proposal; whom to wait for", 12)
    p.box(620, 174, 260, 112, GREEN)
    p.text(632, 198, "C  continuation of (R, P)", 15, bold=True)
    p.text(632, 222, "line: it runs from here at this instant\nhold: it waits for one that stalls\nended: all stand at the end", 12)
    p.line(620, 230, 552, 230, arrow=True)
    p.line(620, 262, 590, 262)
    p.line(590, 262, 590, 304)
    p.line(590, 304, 145, 304)
    p.line(145, 304, 145, 288, arrow=True)
    p.text(330, 322, "C names the two cells it continues: of newer cells it says nothing", 12, colour=SOFT)
    p.text(20, 356, "which of two R (or P) counts", 14, bold=True)
    for index, (name, fill) in enumerate([("empty proposal", GREY), ("proposal", GREY), ("command", BLUE)]):
        x = 20 + index * 180
        p.box(x, 370, 150, 44, fill)
        p.text(x + 75, 397, name, 13, "middle")
        if index:
            p.text(x - 15, 398, "<", 18, "middle")
    p.text(20, 436, "of two proposals the older, of two commands the later; first of all, the newer policy", 12, colour=SOFT)
    p.text(620, 356, "which of two C counts", 14, bold=True)
    p.text(620, 380, "1. that of the newer cells\n2. the later step: start, hold, start, ...\n3. line < hold < ended\n"
                     "4. more were ready, then later, then author", 12)
    p.box(20, 452, 860, 36)
    p.text(32, 475, "Participant[id], written by that one only: item, ready for which start, suspensions, stall, apart, delays, names: "
                    "the newer stamp", 12)
    p.save("registers.svg", "The registers and their orders")


def start():
    p = Picture(900, 420)
    people = [("A", 90), ("B", 180), ("C", 270)]
    for name, y in people:
        p.text(20, y + 5, name, 16, bold=True)
        p.line(50, y, 880, y, LINE)
    # A gives the command; everybody gets ready at their own speed.
    p.text(62, 40, "A presses play:\nR = play, wait until deadline", 12)
    p.line(80, 66, 80, 88, arrow=True)
    p.line(80, 90, 160, 178, arrow=True)
    p.line(80, 90, 175, 268, arrow=True)
    for x, y, w, name in [(80, 90, 100, "A buffers"), (160, 180, 150, "B buffers"), (175, 270, 265, "C buffers")]:
        p.box(x, y - 13, w, 26, AMBER)
        p.text(x + w / 2, y + 5, name, 12, "middle")
    p.line(180, 90, 270, 178, dashed=True, arrow=True)
    p.line(180, 90, 285, 268, dashed=True, arrow=True)
    p.line(310, 180, 390, 92, dashed=True, arrow=True)
    p.line(310, 180, 405, 268, dashed=True, arrow=True)
    p.text(196, 112, "ready", 11, colour=SOFT)
    p.text(322, 155, "ready", 11, colour=SOFT)
    # The last one writes the start.
    p.line(440, 270, 530, 182, arrow=True)
    p.line(440, 270, 545, 92, arrow=True)
    p.text(340, 306, "C's readiness completes the set:\nit writes C = line(step 1, since, 3 were ready)", 12)
    p.line(440, 330, 440, 366, SOFT)
    p.line(660, 60, 660, 366, "#c0392b", dashed=True, width=2)
    p.line(444, 362, 656, 362, arrow=True)
    p.text(550, 380, "lead: the slowest way, both clock errors,\nthe slowest player, 20 ms", 12, "middle", SOFT)
    p.text(668, 52, "since: one instant for all", 13, colour="#c0392b", bold=True)
    for _, y in people:
        p.box(660, y - 13, 210, 26, GREEN)
        p.text(765, y + 5, "plays", 12, "middle")
    p.text(50, 340, "PREPARING: timing shows\nfor whom it waits", 12, colour=SOFT)
    p.save("start.svg", "One play, from the button to the common start")


def apart():
    p = Picture(900, 440)
    p.text(20, 95, "A", 16, bold=True)
    p.text(20, 245, "B, C", 16, bold=True)
    p.line(70, 90, 880, 90, LINE)
    p.line(70, 240, 880, 240, LINE)
    p.box(70, 77, 100, 26, GREEN)
    p.text(120, 95, "plays", 12, "middle")
    p.box(70, 227, 800, 26, GREEN)
    p.text(300, 245, "play on", 12, "middle")
    p.line(170, 50, 170, 280, "#c0392b", dashed=True, width=2)
    p.text(178, 46, "A's link breaks: A is apart, and keeps a copy of R, P and C", 12)
    p.box(170, 77, 120, 26, GREEN)
    p.text(230, 95, "plays on", 12, "middle")
    p.box(290, 77, 330, 26, RED)
    p.text(300, 95, "paused, alone: stamped, but sent to nobody", 12)
    p.line(620, 50, 620, 280, "#2e7d32", dashed=True, width=2)
    p.text(612, 66, "the link is back", 12, "end")
    p.box(620, 77, 90, 26, AMBER)
    p.text(665, 95, "meeting", 12, "middle")
    p.line(630, 105, 660, 225, arrow=True)
    p.line(668, 225, 700, 105, arrow=True)
    p.text(710, 165, "first only who was apart when;\ncells wait for at most 1 s", 12)
    p.box(710, 77, 160, 26, GREEN)
    p.text(790, 95, "follows the group", 12, "middle")
    p.box(70, 300, 800, 122, GREY)
    p.text(86, 324, "Then, for each cell that A wrote alone:", 13, bold=True)
    p.text(86, 348, "younger than 5 s: it was a hiccup, the command is meant   ->  kept, with its own stamp; a later one of B still beats it", 12)
    p.text(86, 370, "everybody else was apart then, too: two who lost each other   ->  kept, with its own stamp", 12)
    p.text(86, 392, "else: the others went on together   ->  dropped, the copy's cell comes back; nobody ever saw the other", 12)
    p.text(86, 412, "and then everything merges as always", 12, colour=SOFT)
    p.save("return.svg", "Apart and return")


def concepts():
    p = Picture(900, 470)
    p.box(345, 24, 210, 64, GREY)
    p.text(450, 50, "Hub", 16, "middle", bold=True)
    p.text(450, 72, "forwards sealed frames, tells time", 12, "middle", SOFT)
    for index, (name, who, x) in enumerate([("Ann", "keyboard and mpv", 20), ("Ben", "a GStreamer program", 315),
                                            ("Cleo", "a Python script", 610)]):
        p.box(x, 150, 270, 196, BLUE)
        p.text(x + 14, 174, f"{name}'s process", 14, bold=True)
        p.text(x + 256, 174, who, 11, "end", SOFT)
        p.box(x + 14, 186, 242, 64, GREEN)
        p.text(x + 26, 208, "Coordination", 13, bold=True)
        p.text(x + 26, 230, "the same registers as everybody's", 12)
        p.box(x + 14, 284, 242, 48)
        p.text(x + 26, 304, "Player: yours or the library's", 13, bold=True)
        p.text(x + 26, 322, "follows, and answers when done", 12)
        p.line(x + 80, 252, x + 80, 282, arrow=True)
        p.text(x + 88, 272, "play, pause, seek, buffer", 11, colour=SOFT)
        p.line(x + 236, 282, x + 236, 252, arrow=True)
        p.line(x + 120, 150, 392 + index * 58, 90, SOFT, arrow=True)
        p.line(404 + index * 58, 90, x + 150, 150, SOFT, arrow=True)
    p.text(20, 128, "sealed: only members read", 12, colour=SOFT)
    p.text(880, 128, "clock probes: one group time", 12, "end", SOFT)
    p.box(20, 372, 860, 82, GREY)
    p.text(34, 396, "of each item", 13, bold=True)
    for x, letter, name, what in [(140, "R", "rate", "play, pause or a rate: a person's"), (390, "P", "position", "a seek: a person's"),
                                  (610, "C", "continuation", "start, hold, end: the library's,")]:
        p.text(x, 398, letter, 18, bold=True, colour="#c0392b")
        p.text(x + 22, 397, name, 13, bold=True)
        p.text(x + 22, 418, what, 12)
    p.text(632, 436, "for exactly that R and P", 12)
    p.text(34, 440, "the later command wins everywhere; what the library writes never beats a person", 12, colour=SOFT)
    p.save("concepts.svg", "A session: participants, a hub, the same registers everywhere")


def architecture():
    p = Picture(900, 480)
    p.text(20, 32, "your program, in any language", 14, bold=True)
    p.box(20, 44, 860, 48, AMBER)
    p.text(34, 73, "host: player, window, keys", 13)
    p.text(866, 73, "bindings/c, bindings/python: samples", 12, "end", SOFT)
    p.line(300, 94, 300, 118, arrow=True)
    p.text(308, 111, "calls, from any thread", 11, colour=SOFT)
    p.line(560, 118, 560, 94, arrow=True)
    p.text(568, 111, "callbacks or events, on the loop's thread", 11, colour=SOFT)
    p.box(20, 120, 860, 54, BLUE)
    p.text(34, 143, "include/unisono.h, unisono_player.h, unisono_nearby.h, unisono_simulation.h", 13, bold=True)
    p.text(34, 163, "Sources/Unisono: handles, checks, queue, snapshots; one @_cdecl function a line of the header", 12)
    p.line(450, 176, 450, 196, arrow=True)
    p.box(20, 198, 860, 92, BLUE)
    p.text(34, 221, "Sources/UnisonoRuntime: everything that waits", 13, bold=True)
    for x, w, name in [(34, 190, "Environment: clock, random"), (236, 190, "libuv loop, timers, sockets"),
                       (438, 210, "SessionEngine, HubClient"), (660, 206, "HubServer, nearby")]:
        p.box(x, 236, w, 38)
        p.text(x + w / 2, 260, name, 12, "middle")
    p.line(250, 292, 250, 326, arrow=True)
    p.text(258, 313, "events, with now", 11, colour=SOFT)
    p.line(650, 326, 650, 292, arrow=True)
    p.text(658, 313, "effects, in order; the next wake", 11, colour=SOFT)
    p.box(20, 328, 420, 92, GREEN)
    p.text(34, 351, "Sources/UnisonoCrypto: pure", 13, bold=True)
    p.text(34, 374, "invites, handshake, envelopes, who may be believed,\nkeys and their end", 12)
    p.line(442, 374, 460, 374, arrow=True)
    p.box(462, 328, 418, 92, GREEN)
    p.text(476, 351, "the core: pure, six targets", 13, bold=True)
    p.text(476, 374, "UnisonoBase, Replica, Wire, Nearby, Coordination, Player:\nclocks, registers, bytes, what a group does, the player", 12)
    p.text(20, 448, "Imports go down and to the right, never back. The pure part has no clock, no socket, no randomness: the same code runs in the", 12,
           colour=SOFT)
    p.text(20, 466, "simulator (Sources/UnisonoSimulator) on virtual time, from a seed.", 12, colour=SOFT)
    p.save("architecture.svg", "How the rooms lie: host, C API, runtime, and the pure part")


registers()
start()
apart()
concepts()
architecture()
