"""A native participant of Tests/web: joins by an invite, or begins a session at the hub of a line, of an item and, behind it, a control
policy, and says the invite; plays silence, says what it does and is told, and is told to act in lines: play, pause, seek SECONDS, where
(its place and the calendar clock then, ns), copy FILE, cut SECONDS (its copy is so far ahead), hosts-only (who commands), ask KIND,
grant, decline, at SECONDS (a scheduled start, so far ahead), activate TITLE, send TYPE VERSION TEXT, add FILE (an entry: its copy, two
addresses), last (says the last entry's copy and addresses), attach FILE, detach NAME, load FILE (what is offered, and not here), say
TEXT, undo (the last jump), ready, unready, start-policy RULE SECONDS LEAVING, skip KIND, settings (says both), go (a start waits for
nobody to be ready), break and mend (its player), audience (opens one, with "+1" to react by, and says its link, how many listen and what
they say), let-in (who asked to speak), close-audience, leave."""

import asyncio
import sys
import time

import unisono
from unisono import SECOND, Context, LeavingRule, Player, RangeKind, Readiness, RequestKind, Session, StartRule


class Silence(unisono.Renderer):
    """600 s of it, at ``place_ns`` since ``since_ns``."""

    nudges = True

    def __init__(self, context: Context) -> None:
        self.context = context
        self.place_ns, self.since_ns, self.rate, self.factor = 0, context.host_time_ns, 0.0, 1.0
        self.broken = False
        self.player = Player(context, self)

    def position_ns(self):
        now = self.context.host_time_ns
        return self.place_ns + int(self.rate * self.factor * (now - self.since_ns)), now

    def move(self, place_ns, rate):
        self.place_ns, self.since_ns, self.rate = place_ns, self.context.host_time_ns, rate

    def load(self, command):
        self.move(command.item_time_ns, 0.0)
        command.done(command.item_time_ns, duration_ns=600 * SECOND)

    def cue(self, command):
        self.move(command.item_time_ns, 0.0)
        command.done(command.item_time_ns)

    def play(self, command):
        if self.broken:
            return command.fail(unisono.Status.EIO)
        self.move(self.position_ns()[0], command.rate)
        command.done(self.place_ns)
        print("playing", flush=True)

    def pause(self, command):
        self.move(self.position_ns()[0], 0.0)
        command.done(self.place_ns)
        print("paused", flush=True)

    def seek(self, command):
        self.move(command.item_time_ns, self.rate)
        command.done(command.item_time_ns)

    def nudge(self, command):
        self.move(self.position_ns()[0], self.rate)
        self.factor = command.factor

    def stop(self, command):
        self.rate = 0.0


def begun(context: Context, given: str, control: str) -> Session:
    if given.startswith("unisono-hub:"):
        policy = unisono.ControlPolicy[control]
        session = Session.host(context, display_name="Cleo", hub=given, control_policy=policy)
        print("invite", session.invite, flush=True)
        return session
    return Session.open(context, given)


async def main(given: str, item: str, control: str = "EVERYONE") -> None:
    left = asyncio.Event()
    with Context() as context:
        context.attach()
        renderer = Silence(context)
        async with begun(context, given, control) as session:
            said, asked = [], []

            def heard(event):
                if session.state == unisono.SessionState.JOINED and not said:
                    said.append("joined")
                    print("joined", flush=True)
                if isinstance(event, unisono.Chat) and not event.own:
                    print("reaction" if event.entry.reaction else "chat", event.entry.text, flush=True)
                elif isinstance(event, unisono.PlaylistChange):
                    if event.entries_changed:
                        print("list", *(each.title for each in session.playlist.entries), flush=True)
                    if event.current_changed:
                        print("entry", event.item, flush=True)
                elif isinstance(event, unisono.TimingChange):
                    names = {each.id: each.display_name for each in session.participants}
                    waits = [f"{names.get(each.participant)} {each.reason}" for each in event.waiting_for]
                    print("timing", event.state.name.lower(), event.cause.name.lower(), *waits, flush=True)
                elif isinstance(event, unisono.ParticipantsChange):
                    for each in event.joined + event.updated:
                        if each.readiness != Readiness.NOT_SAID:
                            print("word", each.display_name, each.readiness.name.lower(), flush=True)
                elif isinstance(event, unisono.ActivityChange) and event.activity and not event.is_local:
                    what = event.activity
                    facts = [what.type.name, what.identifier, what.title, what.subtitle, what.fallback_url, what.payload.decode()]
                    print("activity", *facts, what.preview_image.hex(), what.ends_with_initiator, what.supports_continuation, flush=True)
                elif isinstance(event, unisono.Message):
                    print("message", event.type, event.version, event.data.decode(), flush=True)
                elif isinstance(event, unisono.CopyComparison):
                    print("copy", event.message, flush=True)
                elif isinstance(event, unisono.CommandRequest):
                    asked.append(event)
                    place = f"{event.item_time_ns / SECOND:g} s " if event.kind == RequestKind.SEEK else ""
                    print("request", event.kind.name.lower(), event.status.name.lower(), place + (event.text or ""), flush=True)
                elif isinstance(event, unisono.ScheduleChange):
                    print("schedule", event.change.name.lower(), event.start.item, flush=True)
                elif isinstance(event, unisono.AudienceChange):
                    counts = [f"{each.reaction} {each.count}" for each in event.reactions]
                    link = session.audience_link if event.state == unisono.AudienceState.OPEN else ""
                    print("audience", event.state.name.lower(), event.listeners, link, *counts, flush=True)
                elif isinstance(event, unisono.ListenerNews):
                    asked.append(event)
                    print("listener", event.word.name.lower(), event.text, flush=True)
                elif isinstance(event, unisono.AttachmentEvent) and event.change != unisono.AttachmentChange.PROGRESS:
                    print("attachment", event.change.name.lower(), event.attachment.name, event.message, flush=True)

            coordinator = renderer.player.coordinator
            context.on_event = heard
            renderer.player.coordinate_with(session)
            renderer.player.replace_current(item)
            session.join()

            def told(line):
                word, _, argument = (line or "leave").strip().partition(" ")
                if word == "play":
                    renderer.player.play()
                elif word == "pause":
                    renderer.player.pause()
                elif word == "seek":
                    renderer.player.seek(unisono.seconds(float(argument)))
                elif word == "where":
                    print("at", renderer.position_ns()[0], time.time_ns(), flush=True)
                elif word == "copy":
                    copy = unisono.copy_of_file(argument)
                    print("hash", copy.file_size, copy.hash.hex(), flush=True)
                    session.set_copy(session.playlist.current, copy)
                elif word == "cut":
                    session.set_cut_offset(unisono.seconds(float(argument)))
                elif word == "hosts-only":
                    session.set_control_policy(unisono.ControlPolicy.HOSTS_ONLY)
                elif word == "ask":
                    session.request_command(RequestKind[argument.upper()])
                elif word in ("grant", "decline"):
                    session.answer_request(asked[-1], word == "grant")
                elif word == "at":
                    session.schedule_start(item, host_time_ns=context.host_time_ns + unisono.seconds(float(argument)))
                elif word == "audience":
                    session.open_audience(reactions=["+1"])
                elif word == "let-in":
                    session.invite_listener(asked[-1].listener)
                elif word == "close-audience":
                    session.close_audience()
                elif word == "activate":
                    what = unisono.ActivityType.READ_TOGETHER
                    session.activate(unisono.Activity("org.example.book", what, argument, payload=b"\0\x7f", supports_continuation=True))
                elif word == "send":
                    kind, version, text = argument.split(" ", 2)
                    session.send(text.encode(), type=kind, version=int(version))
                elif word == "add":
                    known = unisono.copy_of_file(argument)
                    session.add_entry(item, "theirs", copy=known, addresses=["https://a.example/film", "https://b.example/film"])
                elif word == "last":
                    end = session.playlist.entries[-1]
                    known = end.copy
                    print("last", known.duration_ns, known.file_size, known.hash.hex(), *end.addresses, flush=True)
                elif word == "attach":
                    session.attach(argument)
                elif word == "detach":
                    session.remove_attachment(next(each for each in session.attachments if each.name == argument))
                elif word == "undo":
                    coordinator.undo_jump()
                elif word in ("ready", "unready"):
                    coordinator.set_ready(Readiness.READY if word == "ready" else Readiness.NOT_READY)
                elif word == "start-policy":
                    start, limit, leaving = argument.split()
                    coordinator.set_start_policy(
                        StartRule[start], limit_ns=unisono.seconds(float(limit)), leaving=LeavingRule[leaving]
                    )
                elif word == "skip":
                    coordinator.set_skipped_ranges([RangeKind[argument]])
                elif word == "settings":
                    policy = coordinator.start_policy
                    kinds = (kind.name for kind in coordinator.skipped_ranges)
                    print("settings", policy.start.name, policy.limit_ns // SECOND, policy.leaving.name, *kinds, flush=True)
                elif word == "go":
                    coordinator.start_without()
                elif word in ("break", "mend"):
                    renderer.broken = word == "break"
                    print(word, flush=True)
                elif word == "say":
                    session.chat(argument)
                elif word == "load":
                    session.load_attachment(next(each for each in session.attachments if not each.available), argument)
                elif word == "leave":
                    left.set()

            unisono.read_lines(told)
            await left.wait()


asyncio.run(main(*sys.argv[1:]))
