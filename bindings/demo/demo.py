#!/usr/bin/env python3
"""Three hosts in three processes, kept in step: `make demo` runs this.

    demo.py                            console hosts: C, Python, and one that comes late and is killed
    PLAYER=mpv demo.py                 two mpv hosts (C and Python) on a real file; MEDIA=path, WINDOWS=1 for windows
    demo.py --snapshot live.svg        also writes the live view as a picture

The exit status is 0 only if every step was followed by everybody in time and the skew stayed inside its limit.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Callable, Dict, Iterator, List, Optional

from fleet import SECOND, Host, Status, in_step, position_at, skews
from view import Line, Terminal, draw_view, picture

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LENGTH = 600.0  # seconds that the bars stand for; also of the file made for mpv
STEP_LIMIT = 12.0  # seconds until a step counts as not followed
WHOLE_LIMIT = 180.0  # seconds until the demo gives up


class GiveUp(Exception):
    """Why the demo cannot go on, in one sentence."""


class Demo:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.mpv = options.player == "mpv"
        self.skew_limit = 0.015 if self.mpv else 0.005  # 95 % of the samples, in seconds
        self.terminal = Terminal()
        self.hosts: List[Host] = []  # those on the screen
        self.steps: List[Line] = []
        self.skews: Dict[str, List[float]] = {}
        self.began = time.monotonic()
        self.frame: List[Line] = []  # for the picture: the last one with everybody playing
        self.everyone: List[Host] = []  # the replaced ones, too

    # ---- hosts ----

    def environment(self) -> Dict[str, str]:
        environment = dict(os.environ, PYTHONPATH=str(HERE.parent / "python"), PYTHONUNBUFFERED="1")
        library = self.options.build / "libunisono.so.0"
        if library.exists():
            environment.setdefault("UNISONO_LIBRARY", str(library))
        paths = [str(self.options.build), environment.get("LD_LIBRARY_PATH", "")]
        environment["LD_LIBRARY_PATH"] = ":".join(p for p in paths if p)
        return environment

    def start(self, name: str, kind: str, arguments: List[str]) -> Host:
        """`kind` is C or Python; a host that was on the screen under this name is replaced."""
        if kind == "Python":
            command = [sys.executable, "-m", "unisono.examples." + ("mpv" if self.mpv else "console")]
        else:
            program = self.options.build / ("mpv_host" if self.mpv else "console_host")
            if not program.exists():
                raise GiveUp(f"{program} is missing; `make demo` builds it")
            command = [str(program)]
        if self.mpv:
            arguments = arguments + [self.media(), "--item", "film"]
            arguments += [] if self.options.windows else ["--vo", "null", "--ao", "null"]
        host = Host(name, kind, command + arguments, self.environment())
        self.everyone.append(host)
        self.hosts = [h for h in self.hosts if h.name != name] + [host]
        return host

    def media(self) -> str:
        """The file given, or one made here: ten minutes of test picture and tone."""
        if self.options.media:
            return str(self.options.media)
        path = self.options.build / "demo-media.mkv"
        if path.exists():
            return str(path)
        if shutil.which("ffmpeg") is None:
            raise GiveUp("no MEDIA was given and ffmpeg, which would make a file, is not installed")
        self.note("making a file to play, once")
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".part.mkv")
        source = ["-f", "lavfi", "-i", f"testsrc=size=320x180:rate=25:duration={LENGTH:g}"]
        source += ["-f", "lavfi", "-i", f"sine=frequency=440:beep_factor=4:duration={LENGTH:g}"]
        codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-pix_fmt", "yuv420p", "-c:a", "aac"]
        made = subprocess.run(["ffmpeg", "-v", "error", "-y", *source, *codecs, str(unfinished)], check=False)
        if made.returncode != 0:
            raise GiveUp("ffmpeg could not make a file to play; give one with MEDIA=path")
        unfinished.rename(path)
        return str(path)

    # ---- watching ----

    def redraw(self) -> None:
        now = time.monotonic_ns()
        skew = skews(self.hosts, now)
        title = "Unisono: " + ("two mpv players" if self.mpv else "three hosts in three processes") + ", in step"
        lines = draw_view(title, self.hosts, now, LENGTH, skew, self.steps, self.terminal.columns)
        if len(skew) == len(self.hosts):
            self.frame = lines
        self.terminal.draw(lines)

    def wait(self, seconds: float) -> None:
        """Lets time pass on the screen."""
        if time.monotonic() - self.began > WHOLE_LIMIT:
            raise GiveUp(f"the demo did not end within {WHOLE_LIMIT:g} s")
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            self.redraw()
            if left <= 0:
                return
            time.sleep(min(0.1, left))

    def until(self, what: str, holds: Callable[[], bool], limit: float = STEP_LIMIT) -> None:
        end = time.monotonic() + limit
        drawn = 0.0
        while not holds():
            for host in self.hosts:
                if not host.alive and not host.killed:
                    said = host.complaints[-1] if host.complaints else "it said nothing"
                    raise GiveUp(f"{host.name}'s process ended with status {host.process.returncode}: {said}")
            if time.monotonic() > end:
                raise GiveUp(f"within {limit:g} s it did not happen that {what}")
            if time.monotonic() - drawn >= 0.1:
                drawn = time.monotonic()
                self.redraw()
            time.sleep(0.01)

    def all(self, since: int, what: str, holds: Callable[[Status], bool], hosts: Optional[List[Host]] = None) -> float:
        """Waits until `holds` for every host; the milliseconds from `since` to the last of them."""
        hosts = self.hosts if hosts is None else hosts
        self.until(what, lambda: all(h.first(since, holds) is not None for h in hosts))
        times = [h.first(since, holds) for h in hosts]
        return max((t["host_time"] - since) / 1e6 for t in times if t is not None)

    def measure(self, seconds: float) -> None:
        """A quiet stretch: what counts for the table."""
        self.wait(0.6 if self.mpv else 0.3)  # the transition
        end = time.monotonic() + seconds
        seen: List[float] = []
        while time.monotonic() < end:
            for name, skew in skews(self.hosts, time.monotonic_ns()).items():
                self.skews.setdefault(name, []).append(skew)
                seen.append(abs(skew))
            self.wait(0.05)
        if seen and share(sorted(seen), 0.95) >= self.skew_limit:
            self.note(f"skew of this stretch: {share(sorted(seen), 0.95) * 1e3:.1f} ms (p95)")

    def undisturbed(self, hosts: List[Host], since: int) -> None:
        """They played on without a stop or a jump, whatever happened to somebody else."""
        for host in hosts:
            seen = host.after(since)
            for before, after in zip(seen, seen[1:]):
                expected = position_at(before, after["host_time"])
                if not in_step(after):
                    raise GiveUp(f"{host.name} was disturbed: it is {after['state']} and should have played on")
                if expected is not None and after["position"] is not None:
                    if abs(after["position"] - expected) > 0.1:
                        jump = (after["position"] - expected) * 1000
                        raise GiveUp(f"{host.name} was disturbed: it jumped by {jump:.0f} ms")

    # ---- telling ----

    def note(self, text: str) -> None:
        self.steps.append([("dim", "  " + text)])
        self.terminal.say(self.steps[-1])

    @contextlib.contextmanager
    def step(self, text: str) -> Iterator[List[str]]:
        """One step of the story. What is put into the list is said behind it."""
        index = len(self.steps)
        self.steps.append([("yellow", "… "), ("", text)])
        self.redraw()
        remarks: List[str] = []
        try:
            yield remarks
        except GiveUp:
            self.steps[index] = [("red", "✗ "), ("", text)]
            self.terminal.say(self.steps[index])
            raise
        self.steps[index] = [("green", "✓ "), ("", text)] + [("dim", "  " + "; ".join(remarks))][: len(remarks)]
        self.redraw()
        self.terminal.say(self.steps[index])


# ---- The story ---------------------------------------------------------------------------------------------


def playing(status: Status) -> bool:
    return in_step(status)


def paused(status: Status) -> bool:
    return status["state"] == "paused" and status["rate"] == 0


def at(position: float, tolerance: float = 0.05) -> Callable[[Status], bool]:
    return lambda s: s["position"] is not None and abs(s["position"] - position) <= tolerance


def from_there(position: float) -> Callable[[Status], bool]:
    """There, or on from there."""
    return lambda s: s["position"] is not None and position - 0.05 <= s["position"] < position + 15


def beyond(position: float) -> Callable[[Status], bool]:
    """Plays, a little after that position."""
    return lambda s: playing(s) and from_there(position)(s)


def meet(demo: Demo) -> None:
    with demo.step("Ann begins a session, Ben joins it") as said:
        since = time.monotonic_ns()
        ann = demo.start("Ann", "C", ["host", "--listen", "127.0.0.1:0"])
        demo.until("Ann had an invite", lambda: bool(ann.invite))
        demo.start("Ben", "Python", ["join", ann.invite])
        took = demo.all(since, "both were in", lambda s: s["joined"] and len(s["participants"]) == 2 and bool(s["item"]))
        said.append(f"{took:.0f} ms")
        demo.all(since, "both stood at the beginning", lambda s: paused(s) and s["position"] is not None)


def play(demo: Demo, who: Host, seconds: float = 2.0) -> None:
    with demo.step(f"{who.name} plays: all start together") as said:
        took = demo.all(who.type("play"), "all played", playing)
        said.append(f"{took:.0f} ms")
        demo.measure(seconds)


def pause(demo: Demo, who: Host) -> None:
    with demo.step(f"{who.name} pauses: all stand") as said:
        took = demo.all(who.type("pause"), "all stood", paused)
        demo.wait(0.4)
        places = [h.status["position"] for h in demo.hosts if h.status and h.status["position"] is not None]
        apart = max(places) - min(places)
        said.append(f"{took:.0f} ms, {apart * 1000:.1f} ms apart")
        if apart > 0.25:
            raise GiveUp(f"after the pause they stood {apart * 1000:.0f} ms apart")


def seek_standing(demo: Demo, who: Host, to: float) -> None:
    with demo.step(f"{who.name} seeks to {to:g} s while paused") as said:
        took = demo.all(who.type(f"seek {to}"), f"all stood at {to:g} s", lambda s: paused(s) and at(to)(s))
        said.append(f"{took:.0f} ms")
        demo.wait(0.3)


def seek_playing(demo: Demo, who: Host, to: float) -> None:
    with demo.step(f"{who.name} seeks to {to:g} s while playing") as said:
        took = demo.all(who.type(f"seek {to}"), f"all played on from {to:g} s", beyond(to))
        said.append(f"{took:.0f} ms")
        demo.measure(2.0)


def faster(demo: Demo, who: Host) -> None:
    with demo.step(f"{who.name} plays at 1.5, then at 1 again"):
        demo.all(who.type("rate 1.5"), "all played at 1.5", lambda s: playing(s) and abs(s["rate"] - 1.5) < 0.05)
        demo.measure(1.0)
        demo.all(who.type("rate 1"), "all played at 1", lambda s: playing(s) and abs(s["rate"] - 1) < 0.05)
        demo.measure(1.0)


def come_late(demo: Demo, name: str, text: str) -> Host:
    others = list(demo.hosts)
    with demo.step(text) as said:
        since = time.monotonic_ns()
        host = demo.start(name, "C", ["join", others[0].invite])
        said.append(f"{demo.all(since, name + ' played with them', playing, [host]):.0f} ms")
        demo.measure(2.0)
        demo.undisturbed([h for h in others if h.alive], since)
        said.append("nobody else was disturbed")
    return host


def stall(demo: Demo, who: Host) -> None:
    with demo.step(f"{who.name} stalls for 0.8 s while playing, and catches up"):
        since = who.type("stall 800")
        demo.all(since, f"{who.name} stalled", lambda s: bool(s["stalled"]), [who])
        demo.all(who.statuses[-1]["host_time"], "all played again", playing)
        demo.measure(1.5)


def wait_for(demo: Demo, slow: Host, who: Host) -> None:
    with demo.step(f"{slow.name} is not ready when {who.name} plays: all wait, then start together") as said:
        since = slow.type("stall 1500")
        demo.all(since, f"{slow.name} stalled", lambda s: bool(s["stalled"]), [slow])
        since = who.type("play")
        waiting = [h for h in demo.hosts if h is not slow]
        named = lambda s: any(w["name"] == slow.name for w in s["waiting_for"])  # noqa: E731
        demo.all(since, f"it was shown that {slow.name} is waited for", named, waiting)
        demo.wait(0.2)
        said.append(f"{demo.all(since, 'all played', playing):.0f} ms")
        demo.measure(1.5)


def apart(demo: Demo, who: Host) -> None:
    others = [h for h in demo.hosts if h is not who]
    with demo.step(f"{who.name} steps out, looks at another place alone, and comes back into step") as said:
        since = who.type("suspend user-is-changing-current-time")
        demo.all(since, f"{who.name} was apart", lambda s: bool(s["suspended"]), [who])
        demo.all(who.type("seek 5"), f"{who.name} was at 5 s", from_there(5), [who])
        demo.wait(0.8)
        back = who.type("unsuspend")
        said.append(f"{demo.all(back, who.name + ' was back', playing):.0f} ms")
        demo.measure(1.5)
        demo.undisturbed(others, since)
        said.append("nobody else was disturbed")


def bring_along(demo: Demo, who: Host, to: float) -> None:
    with demo.step(f"{who.name} scrubs alone, and lets go at {to:g} s: everybody follows") as said:
        since = who.type("suspend user-is-changing-current-time")
        demo.all(since, f"{who.name} was apart", lambda s: bool(s["suspended"]), [who])
        demo.wait(0.5)
        since = who.type(f"unsuspend {to}")
        said.append(f"{demo.all(since, f'all played on from {to:g} s', beyond(to)):.0f} ms")
        demo.measure(1.5)


def killed(demo: Demo, victim: Host) -> None:
    others = [h for h in demo.hosts if h is not victim]
    with demo.step(f"{victim.name}'s process is killed; nobody hangs") as said:
        since = time.monotonic_ns()
        victim.kill()
        demo.wait(1.0)
        demo.undisturbed(others, since)
        demo.all(others[0].type("pause"), "the others stood", paused, others)
        took = demo.all(others[1].type("play"), "the others played", playing, others)
        said.append(f"a pause and a play later ({took:.0f} ms) the others are in step")
        demo.measure(1.0)


def console_story(demo: Demo) -> None:
    meet(demo)
    ann, ben = demo.hosts
    play(demo, ann)
    pause(demo, ben)
    seek_standing(demo, ben, 60)
    play(demo, ben)
    seek_playing(demo, ann, 120)
    cem = come_late(demo, "Cem", "Cem comes late and starts in place")
    faster(demo, cem)
    stall(demo, ben)
    pause(demo, cem)
    wait_for(demo, ben, ann)
    apart(demo, ben)
    bring_along(demo, cem, 240)
    killed(demo, cem)
    come_late(demo, "Cem", "Cem comes back and is in step again")
    pause(demo, ann)


def mpv_story(demo: Demo) -> None:
    meet(demo)
    ann, ben = demo.hosts
    play(demo, ann, 4.0)
    pause(demo, ben)
    seek_standing(demo, ben, 60)
    play(demo, ben, 4.0)
    seek_playing(demo, ann, 120)
    faster(demo, ben)
    apart(demo, ben)
    bring_along(demo, ann, 240)
    pause(demo, ann)


# ---- The verdict -------------------------------------------------------------------------------------------


def share(values: List[float], part: float) -> float:
    return values[min(len(values) - 1, int(len(values) * part))]


def table(demo: Demo) -> bool:
    """Prints the skew of each host against the others; True when it is inside the limit."""
    print("\nskew against the group, while playing, outside of transitions (ms)")
    print(f"{'host':<8}{'samples':>8}{'median':>9}{'p95':>9}{'max':>9}")
    good = bool(demo.skews)
    for name, values in demo.skews.items():
        sizes = sorted(abs(v) for v in values)
        p95 = share(sizes, 0.95)
        good = good and p95 < demo.skew_limit
        print(
            f"{name:<8}{len(sizes):>8}{share(sizes, 0.5) * 1e3:>9.2f}{p95 * 1e3:>9.2f}{sizes[-1] * 1e3:>9.2f}"
            + ("" if p95 < demo.skew_limit else f"   over the limit of {demo.skew_limit * 1e3:g} ms")
        )
    return good


def write_logs(demo: Demo) -> None:
    """Everything the hosts said of themselves, for whoever looks into a failure."""
    demo.options.log.mkdir(parents=True, exist_ok=True)
    for number, host in enumerate(demo.everyone, 1):
        lines = [json.dumps(status) + "\n" for status in host.statuses]
        (demo.options.log / f"{number}-{host.name}.jsonl").write_text("".join(lines), encoding="utf-8")


def run(demo: Demo) -> bool:
    """True when everything was followed and the skew held."""
    failure = ""
    try:
        mpv_story(demo) if demo.mpv else console_story(demo)
        with demo.step("all leave"):
            for host in demo.hosts[1:] + demo.hosts[:1]:
                status = host.close()
                if status != 0:
                    raise GiveUp(f"{host.name} ended with {'no answer' if status is None else f'status {status}'}")
    except GiveUp as reason:
        failure = str(reason)
    except KeyboardInterrupt:
        failure = "it was interrupted"
    finally:
        demo.terminal.end()
        for host in demo.hosts:
            if host.alive:
                host.process.kill()
                host.process.wait()
    if demo.options.snapshot and demo.frame:
        Path(demo.options.snapshot).write_text(picture(demo.frame), encoding="utf-8")
    if demo.options.log:
        write_logs(demo)
    good = table(demo)
    if failure:
        print(f"\nverdict: NOT in step: {failure}.")
        for host in demo.hosts:
            for line in host.complaints[-3:]:
                print(f"  {host.name} said: {line}")
        return False
    if not good:
        print(f"\nverdict: NOT in step: skew over {demo.skew_limit * 1e3:g} ms (95 % of the samples).")
        return False
    print(f"\nverdict: in step. Every step was followed by all, skew under {demo.skew_limit * 1e3:g} ms (p95).")
    return True


def main() -> int:
    environment = os.environ
    parser = argparse.ArgumentParser(description="Three hosts in three processes, kept in step.")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="folder with the library and the hosts")
    parser.add_argument("--snapshot", metavar="FILE.svg", help="write the live view as a picture")
    parser.add_argument("--log", type=Path, metavar="FOLDER", help="write every status line of every host there")
    parser.add_argument("--player", choices=["console", "mpv"], default=environment.get("PLAYER") or "console")
    parser.add_argument("--media", type=Path, default=environment.get("MEDIA"), help="for mpv: the file to play")
    parser.add_argument("--windows", action="store_true", default=environment.get("WINDOWS") == "1")
    options = parser.parse_args()
    options.build = options.build.absolute()
    if options.media and not Path(options.media).exists():
        parser.error(f"MEDIA: {options.media} does not exist")
    if options.player == "mpv" and shutil.which("mpv") is None:
        parser.error("PLAYER=mpv needs mpv; on Debian: apt install mpv libmpv-dev")
    return 0 if run(Demo(options)) else 1


if __name__ == "__main__":
    sys.exit(main())
