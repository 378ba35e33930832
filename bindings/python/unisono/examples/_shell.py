"""What the sample hosts have in common: command line, session, keyboard and status lines.

The same options, commands and status lines as bindings/c/host_shell.c. A player derives from ``Shell`` and is the
coordinator's delegate: it has play, pause, seek and buffer, and tells its position. Or it makes a ``unisono.Player``, and
only has a renderer. What happens is told in lines that begin with "* ".
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import json
import os
import pwd
import signal
import sys
from typing import IO, Any, Callable, Dict, List, Optional

import unisono
from unisono import MILLISECOND, SECOND, seconds
from unisono.examples._nearby import Nearby

STATUS_INTERVAL = 0.1
ACTIVITY_IDENTIFIER = "org.unisono.sample.watch"
COMMANDS = (
    "play, pause, seek S, undo, say TEXT, react TEXT, history, who, rate R, suspend REASON, unsuspend [S], item ID, invite, close, open, leave, end (for all), quit, help, "
    "ready, unready, start-policy none|first|every [S] [pause], go [NAME], at HH:MM[:SS]|+S|off, countdown, list, add ITEM, next, drop N, move N TO, select N, copy PATH, "
    "cut S, attach PATH, attachments, load N PATH"
)


def line_at(item_time_ns: int, host_time_ns: int, rate: float, when_ns: int) -> int:
    """The position of the line through (item_time_ns, host_time_ns) at another instant."""
    return item_time_ns + int(rate * (when_ns - host_time_ns))


def parser(program: str, add_options: Callable[[argparse.ArgumentParser], None]) -> argparse.ArgumentParser:
    """Options that all hosts share; ``add_options`` adds those of the player to both commands."""
    top = argparse.ArgumentParser(prog=program, epilog="commands on the keyboard: " + COMMANDS)
    commands = top.add_subparsers(dest="command", required=True)
    host = commands.add_parser("host", help="begin a session and print its invite")
    host.add_argument("--hub", metavar="LINE", help="a hub to use, by the line that it prints; without it one runs in this process")
    host.add_argument("--listen", metavar="ADDRESS:PORT", help="where the hub in this process listens")
    host.add_argument("--nearby", action="store_true", help="let devices on the local network ask to join")
    join = commands.add_parser("join", help="take part in somebody's session")
    join.add_argument(
        "invite", help="as printed; @FILE: the first line of a file, -: of the input, which others on this machine cannot read"
    )
    nearby = commands.add_parser("nearby", help="find a session on the local network and ask to join it")
    for command in (host, join, nearby):
        command.add_argument("--item", metavar="ID", help="what to play; joining: what the group plays, by default")
        command.add_argument("--name", default=_person(), help="what the others see")
        command.add_argument("--device", metavar="NAME", help="what the others see of which device of a person it is")
        command.add_argument("--person", metavar="SECRET", default="", help="16 characters, the same on all devices of one person")
        command.add_argument("--status", metavar="FILE", help="one JSON line 10 times a second and at each change")
        command.add_argument("--status-fd", metavar="N", type=int)
        command.add_argument("--invite-file", metavar="FILE", help="also write the invite into this file")
        command.add_argument("--snap", action="store_true", help="a pause of this one takes everybody to its place")
        command.add_argument("--no-stdin", action="store_true")
        command.add_argument("--verbose", action="store_true")
        add_options(command)
    return top


class Shell(unisono.Delegate):
    """A host without its player."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        level = unisono.LogLevel.DEBUG if options.verbose else unisono.LogLevel.DEFAULT
        device = options.device or options.name
        self.context = unisono.Context(device_name=device, log_level=level, person=options.person.encode())
        self.player = self.make_player()
        if self.player is None:
            self.coordinator = unisono.Coordinator(self.context, self)
        else:
            self.coordinator = self.player.coordinator
            self.coordinator.delegate = self
            self.player.on_event = self.on_player_event
        self.session: Optional[unisono.Session] = None
        self.suspensions: List[unisono.Suspension] = []
        self.item: Optional[str] = None
        self.joined = False
        self.narrator: Optional[unisono.Narrator] = None
        self.group_state = unisono.TimingState.NONE
        self.waiting_for: List[Dict[str, str]] = []
        self.reasons: List[str] = []
        self.nearby: Optional[Nearby] = None
        self._finished = asyncio.Event()
        self._status_planned = False
        self._status = _open_status(options)

    # ---- what a player has ----

    def make_player(self) -> Optional[unisono.Player]:
        """For hosts over the player layer."""
        return None

    def on_player_event(self, event: unisono.PlayerEvent) -> None:
        self.changed()

    def position(self, when: int) -> Optional[int]:
        """Nanoseconds; None while not known."""
        raise NotImplementedError

    def rate(self) -> float:
        """As it really runs now; 0 paused."""
        raise NotImplementedError

    def stalled(self) -> bool:
        return False

    def load(self, item: str) -> bool:
        """The group moved to this item: over the player layer this makes it the current one. False when it cannot be
        played here; the host then stays where it is. The identifier is only compared, never opened: others named it."""
        return True

    def choose(self, argument: str) -> str:
        """The person here types which item is next; the identifier for everybody."""
        return argument

    def show(self, line: str) -> None:
        """What happened, for the person here; never with what controls a terminal in it."""
        print("* " + line, flush=True)

    def command(self, word: str, argument: str) -> bool:
        """A line from the keyboard that the shell does not know; False when the player does not either."""
        return False

    def keep(self) -> None:
        """10 times a second: stay where the group is."""

    async def start(self) -> None:
        """Before the session is opened."""

    async def stop(self) -> None:
        """After it was left."""

    # ---- running ----

    def finish(self) -> None:
        self._finished.set()

    async def run(self) -> int:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.quit)
        await self.start()
        try:
            self.context.attach()
            self._open_session()
            if not self.options.no_stdin:
                unisono.read_lines(self._type)
            ticking = loop.create_task(self._tick())
            await self._finished.wait()
            ticking.cancel()
            if self.session is not None:
                await self.session.depart_async(max_wait_ns=SECOND)
        finally:
            self.context.close()
            await self.stop()
        return 0

    def _open_session(self) -> None:
        options = self.options
        if options.command == "host":
            listen = [options.listen] if options.listen and not options.hub else []
            activity = _activity(options.item or "sample")
            self.session = unisono.Session.host(
                self.context, display_name=options.name, activity=activity, hub=options.hub, listen=listen
            )
            print("invite " + self.session.invite, flush=True)
            _write_invite(options.invite_file, self.session.invite)
            self._join(self.session)
            if options.nearby:
                self.nearby = Nearby(self.context, ACTIVITY_IDENTIFIER, self.session, self.join_invite)
        elif options.command == "nearby":
            self.nearby = Nearby(self.context, ACTIVITY_IDENTIFIER, None, self.join_invite)
        else:
            self.join_invite(_read_invite(options.invite))

    def join_invite(self, invite: str) -> None:
        self.session = unisono.Session.open(self.context, invite, display_name=self.options.name)
        self._join(self.session)

    def _join(self, session: unisono.Session) -> None:
        self.narrator = unisono.Narrator(session, self.show)
        self.context.on_event = self._narrate
        session.on_state = self._on_state
        session.on_activity = self._on_activity
        session.on_participants = lambda change: self.changed()
        session.on_playlist = self._follow_playlist
        self.coordinator.set_pause_snaps_to_originator(self.options.snap)
        self.coordinator.coordinate_with(session)
        session.join()

    def _narrate(self, event: unisono.Event) -> None:
        for line in self.narrator.lines(event) if self.narrator is not None else ():
            self.show(line)

    async def _tick(self) -> None:
        while True:
            if not self.context.closed:
                self.keep()
                self.report()
                self.write_status()
            await asyncio.sleep(STATUS_INTERVAL)

    # ---- what the group tells ----

    def _on_state(self, event: unisono.SessionStateChange) -> None:
        if event.state == unisono.SessionState.JOINED and not self.joined:
            self.joined = True
            activity = self.session.activity if self.session else None
            item = self.options.item or (activity.payload.decode("utf-8", "replace") if activity else "")
            self._move_to(item)
        elif event.state == unisono.SessionState.INVALIDATED:
            self.joined = False
            if event.reason != unisono.Status.OK:
                print("the session is over: " + event.message, file=sys.stderr)
        self.changed()

    def _on_activity(self, event: unisono.ActivityChange) -> None:
        if self.joined and event.activity is not None:
            self._move_to(event.activity.payload.decode("utf-8", "replace"))

    def _move_to(self, item: str) -> None:
        if not item or item == self.item or not self.load(item):
            return
        self.item = item
        if self.player is None:
            self.coordinator.transition_to_item(item)  # no proposal: paused at 0, if the group has no state for it
        self.changed()

    def timing_changed(self, change: unisono.TimingChange) -> None:
        self.group_state = change.state
        names = {p.id: p.display_name for p in (self.session.participants if self.session else ())}
        self.waiting_for = [{"name": names.get(w.participant, "?"), "reason": w.reason} for w in change.waiting_for]
        self.changed()

    def suspensions_changed(self, change: unisono.SuspensionsChange) -> None:
        self.reasons = list(change.reasons)
        self.changed()

    # ---- what is told ----

    def report(self) -> None:
        """To the group: where the player is. Call it whenever something changed."""
        if self.item is None or self.context.closed or self.player is not None:
            return
        now = self.context.host_time_ns
        here = self.position(now)
        when = None if here is None else now
        self.coordinator.report(rate=self.rate(), item_time_ns=here, host_time_ns=when, stalled=self.stalled())

    def changed(self) -> None:
        """A status line as soon as everything that is due has been handled."""
        if not self._status_planned:
            self._status_planned = True
            asyncio.get_running_loop().call_soon(self.write_status)

    def status(self) -> Dict[str, Any]:
        """Positions in seconds, skew and clock_error in milliseconds, host_time in nanoseconds."""
        now = self.context.host_time_ns
        position, expected = self.position(now), self.coordinator.expected_item_time_ns(now)
        rate, session = self.rate(), self.session
        waiting = self.group_state == unisono.TimingState.WAITING and not self.reasons
        if self.player is not None:
            waiting = self.player.time_control != unisono.TimeControl.PAUSED
        comparable = position is not None and expected is not None and not self.reasons
        clock_error = session.statistics.clock_error_ns if session else None
        return {
            "name": self.options.name,
            "host_time": now,
            "item": self.item or "",
            "position": None if position is None else round(position / SECOND, 6),
            "expected": None if expected is None else round(expected / SECOND, 6),
            "rate": rate,
            "state": "playing" if rate != 0 else "waiting" if waiting else "paused",
            "stalled": self.stalled(),
            "waiting_for": self.waiting_for,
            "suspended": self.reasons,
            "connection": session.connection.name.lower() if session else "none",
            "joined": self.joined,
            "participants": [p.display_name for p in session.participants] if session else [],
            "skew": round(((position or 0) - (expected or 0)) / MILLISECOND, 3) if comparable else None,
            "clock_error": None if clock_error is None else round(clock_error / MILLISECOND, 3),
        }

    def write_status(self) -> None:
        self._status_planned = False
        if self._status is None or self.context.closed:
            return
        try:
            self._status.write(json.dumps(self.status()).encode() + b"\n")
        except OSError as error:
            print(f"status: {error}; no more status lines", file=sys.stderr)
            self._status = None

    # ---- the keyboard ----

    def _type(self, line: Optional[str]) -> None:
        """The end of the input means quit."""
        if line is None:
            self.quit()
            return
        word, _, argument = line.strip().partition(" ")
        try:
            if word:
                self._run_command(word, argument.strip())
        except (unisono.UnisonoError, ValueError) as error:
            print(f"{word}: {error}", file=sys.stderr)
        self.changed()

    def _edit_playlist(self, session: unisono.Session, word: str, argument: str) -> None:
        playlist = session.playlist

        def entry(number: str) -> bytes:
            index = int(number)
            if not 1 <= index <= len(playlist.entries):
                raise ValueError("the playlist has nothing of this number; try list")
            return playlist.entries[index - 1].id

        if word == "list":
            for number, one in enumerate(playlist.entries, start=1):
                print(f"{'>' if one.id == playlist.current else ' '} {number} {_plain(one.title or one.item)}", flush=True)
            if not playlist.entries:
                print("the playlist is empty", flush=True)
        elif word == "add":
            session.add_entry(argument)
        elif word == "next":
            session.next_entry()
        elif word == "drop":
            session.remove_entry(entry(argument))
        elif word == "select":
            session.select_entry(entry(argument))
        else:
            what, _, place = argument.partition(" ")
            session.move_entry(entry(what), entry(place) if place.strip() else None)

    def _follow_playlist(self, change: unisono.PlaylistChange) -> None:
        """The group is at another entry: so is this player. Who took it there as the one before had ended plays on, for all."""
        if change.current_changed and change.item is not None:
            self._move_to(change.item)
            if self.item == change.item:  # else the player has said what it lacks
                self.show(f"The group is at {_plain(change.item)}")
            if change.by_end and change.originator is None:
                (self.player or self.coordinator).play(1.0)
        self.changed()

    def _load(self, session: unisono.Session, argument: str) -> None:
        number, _, path = argument.partition(" ")
        listed = session.attachments
        if not number.isdigit() or not 1 <= int(number) <= len(listed) or not path.strip():
            raise ValueError("give a number of the list that `attachments` prints, and a path")
        session.load_attachment(listed[int(number) - 1], path.strip())

    def _run_command(self, word: str, argument: str) -> None:
        transport = self.player or self.coordinator
        if word == "play":
            transport.play(float(argument or 1))
        elif word == "pause":
            transport.pause()
        elif word == "rate":
            transport.play(float(argument))
        elif word == "seek":
            transport.seek(seconds(float(argument)))
        elif word == "say" and self.session is not None:
            self.session.chat(argument)
        elif word == "react" and self.session is not None:
            self.session.react(argument)
        elif word == "history" and self.session is not None:
            for entry in self.session.chat_history:
                print(f"  {entry.name or 'Somebody'}: {_plain(entry.text)}", flush=True)
        elif word == "who" and self.session is not None:
            self._tell_who(self.session)
        elif word == "copy" and self.session is not None:
            current = self.session.playlist.current
            if current is None:
                raise ValueError("the group is at no entry of the playlist")
            self.session.set_copy(current, unisono.copy_of_file(argument))
        elif word == "cut" and self.session is not None:
            self.session.set_cut_offset(seconds(float(argument)))
        elif word == "attach" and self.session is not None:
            self.session.attach(argument)
        elif word == "attachments" and self.session is not None:
            for number, one in enumerate(self.session.attachments, 1):
                here = ", here" if one.available else ""
                print(f"{number} {one.name}, {one.length / 1e6:.1f} MB{here}", flush=True)
        elif word == "load" and self.session is not None:
            self._load(self.session, argument)
        elif word == "undo":
            self.coordinator.undo_jump()
        elif word == "ready":
            self.coordinator.set_ready(unisono.Readiness.READY)
        elif word == "unready":
            self.coordinator.set_ready(unisono.Readiness.NOT_READY)
        elif word == "start-policy":
            self._set_start_policy(argument)
        elif word == "go":
            self._go_on(argument)
        elif word == "at" and self.session is not None:
            self._schedule(self.session, argument)
        elif word == "countdown" and self.session is not None:
            start = self.session.scheduled_start
            left = (start.host_time_ns - self.context.host_time_ns) / 1e9 if start else 0
            print(f"{left:.0f} s until {start.item} begins" if start else "nothing is scheduled", flush=True)
        elif word == "suspend":
            reason = argument or unisono.Reason.USER_IS_CHANGING_CURRENT_TIME
            self.suspensions.append(self.coordinator.suspend(reason))
        elif word == "unsuspend":
            self._unsuspend(argument)
        elif word == "item":
            item = self.choose(argument)
            self._move_to(item)
            if self.session is not None and self.joined:
                self.session.activate(_activity(item))  # so that the others move as well
        elif word in ("list", "add", "next", "drop", "move", "select") and self.session is not None:
            self._edit_playlist(self.session, word, argument)
        elif word == "invite" and self.session is not None:
            print("invite " + self.session.invite, flush=True)
        elif word in ("close", "open") and self.session is not None:
            self.session.set_closed(word == "close")
        elif word == "leave" and self.session is not None:
            self.session.leave()
        elif word == "end" and self.session is not None:
            self.session.end()
        elif word == "quit":
            self.quit()
        elif word == "help":
            print(COMMANDS, flush=True)
        elif self.nearby is not None and self.nearby.command(word, argument):
            return
        elif not self.command(word, argument):
            print(f"{word}: not a command; try help", file=sys.stderr)

    def _tell_who(self, session: unisono.Session) -> None:
        """Persons rather than devices, whether they say that they are ready, and who has another cut."""
        persons: Dict[bytes, List[unisono.Participant]] = {}
        for one in session.participants:
            persons.setdefault(one.person, []).append(one)
        for devices in persons.values():
            names = sorted(one.device_name for one in devices)
            several = f" ({', '.join(names)})" if len(names) > 1 else ""
            said = {one.readiness for one in devices}
            ready = ", ready" if unisono.Readiness.READY in said else ""
            if unisono.Readiness.NOT_READY in said:
                ready = ", not ready"
            cut = next((f", cut {one.cut_offset_ns / 1e9:.1f} s" for one in devices if one.cut_offset_ns), "")
            print(_plain(devices[0].display_name + several + ready + cut), flush=True)

    def _schedule(self, session: unisono.Session, argument: str) -> None:
        """Everybody begins at a time of day, of today or tomorrow, or in so many seconds."""
        if argument == "off":
            return session.cancel_start()
        now = datetime.datetime.now()
        try:
            if argument.startswith("+"):
                then = now + datetime.timedelta(seconds=float(argument[1:]))
            else:
                then = datetime.datetime.combine(now.date(), datetime.time.fromisoformat(argument))
                then += datetime.timedelta(days=1) if then <= now else datetime.timedelta()
        except (ValueError, OverflowError):
            raise ValueError("give a time of day (20:15 or 20:15:30), + and seconds, or off") from None
        session.schedule_start_at(self.item or "", int(then.timestamp() * 1e9))

    def _unsuspend(self, argument: str) -> None:
        """With a position everybody goes there; without, we go back to where the group is."""
        if not self.suspensions:
            raise ValueError("no suspension is open")
        with self.suspensions.pop() as suspension:
            if argument:
                suspension.propose(seconds(float(argument)))

    def _set_start_policy(self, argument: str) -> None:
        """Whether starts wait for people, for how long, and whether somebody's leaving pauses."""
        rules = {"none": unisono.StartRule.AT_ONCE, "first": unisono.StartRule.FIRST_WHEN_READY, "every": unisono.StartRule.WHEN_READY}
        when, *rest = argument.split() or [""]
        if when not in rules:
            raise ValueError("none, first or every; then seconds, if you like; then pause, if leaving is to pause")
        leaving = unisono.LeavingRule.PAUSE if "pause" in rest else unisono.LeavingRule.GO_ON
        limit = next((float(word) for word in rest if word != "pause"), 0)
        self.coordinator.set_start_policy(rules[when], limit_ns=seconds(limit), leaving=leaving)

    def _go_on(self, name: str) -> None:
        """Whoever is not ready is waited for no more; with a name, that one is not."""
        others = self.session.participants if self.session is not None else ()
        named = [one.id for one in others if one.display_name == name][:1]
        if name and not named:
            raise ValueError(f"nobody here is called {name}")
        self.coordinator.start_without(named)

    def quit(self) -> None:
        """Says goodbye, then ends."""
        self.finish()


def _plain(text: str) -> str:
    """What controls a terminal becomes a space."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _person() -> Optional[str]:
    """Who gave no name: the login; None: the library takes the device's name."""
    for name in (os.environ.get("USER"), os.environ.get("LOGNAME")):
        if name:
            return name
    try:
        return pwd.getpwuid(os.getuid()).pw_name or None
    except KeyError:
        return None


def _activity(item: str) -> unisono.Activity:
    """The item travels as the payload of the activity, so whoever joins knows what is being watched."""
    return unisono.Activity(
        ACTIVITY_IDENTIFIER, unisono.ActivityType.WATCH_TOGETHER, title="Watching together", payload=item.encode()
    )


def _read_invite(argument: str) -> str:
    """What a command line says everybody on the machine can read (ps), so an invite may also come from a file or the input."""
    if argument != "-" and not argument.startswith("@"):
        return argument
    try:
        if argument == "-":
            line = _input_line()
        else:
            with open(argument[1:], "rb") as file:
                line = file.readline(4096)
    except OSError as error:
        sys.exit(f"{argument}: {error.strerror}")
    if not line.strip():
        sys.exit(f"{argument}: there is no invite in the first line")
    return line.decode("ascii", "replace").strip()


def _input_line() -> bytes:
    """Byte by byte: what follows are commands."""
    line = b""
    while len(line) < 4096 and (byte := os.read(0, 1)) not in (b"", b"\n"):
        line += byte
    return line


def _write_invite(path: Optional[str], invite: str) -> None:
    """Whoever waits for the file never sees half an invite; nobody else can read it."""
    if path is not None:
        with open(os.open(path + ".part", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(invite + "\n")
        os.replace(path + ".part", path)


def _open_status(options: argparse.Namespace) -> Optional[IO[bytes]]:
    if options.status_fd is not None:
        return open(options.status_fd, "wb", buffering=0)
    return open(options.status, "wb", buffering=0) if options.status else None


def run(shell_type: Any, options: argparse.Namespace) -> int:
    """Runs a host from start to end; errors of the library are one line, not a traceback."""

    async def main() -> int:
        shell: Shell = shell_type(options)
        return await shell.run()

    try:
        return asyncio.run(main())
    except (unisono.UnisonoError, OSError) as error:
        print(f"{options.name}: {error}", file=sys.stderr)
        return 1
