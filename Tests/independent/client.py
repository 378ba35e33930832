"""A participant of its own: enters, is welcomed, follows a playback and commands one (docs/spec/wire.md).

Its player is an idea: at once wherever it is told to be. Whoever owns a `Client` polls it.
"""

import os
import struct
import time

from attachments import Attachments
from chat import Chat
from hub import SEND, Hub
from policy import Level, Stack, policy_id
from primitives import i64, item, lab, sha, u8, u16, u32, u64, verifies
from registers import (
    ACTIVITY, ATTACHMENT, CLOCKS, COMMAND, CONTINUATION, CURRENT, ENTRY, LINE, PARTICIPANT, POSITION, RATE, Registers, Statement, body_of,
    readiness,
)
from room import (
    ASK, BEAT, CHAT, CHUNK, DECLINE, EPOCH, FETCH, HAVE, HISTORY, IGNORING, REACTION, SNAPSHOT, UPDATE, WANT, WANTED, WELCOME, Header, Invite, Room,
)
from wire import Refused, each, ids, integer, items

SECOND = 1_000_000_000
ANSWER = 2.0


class Client:
    def __init__(self, invite, name, signer=None, hub=Hub, person=None):
        invite = Invite(invite)
        self.name = name
        self.room = Room(invite, name, signer, person=person)
        at = invite.hubs[0]
        self.hub = hub(at.address.pair, at.hub, self.room.door, self.room.signer, at.bought)
        self.registers = Registers()
        self.attachments = Attachments()
        self.chat = Chat(self.room)
        self.refused = []
        self.ignored_by = {}
        self.beats = 0
        self.differing = 0
        self.is_in = False
        # Reasons for which members did not let it in.
        self.declined = []
        self.policy = Stack(self.room.origin, [])
        self.item = None
        self._available = None
        self._ready = None
        self._copy = None
        self._says = 0
        self._cuts = {}
        self._incarnation = struct.unpack(">Q", os.urandom(8))[0]
        self._asked = None
        self._again = 0.0
        self._refusals = set()
        # Parts that came of the snapshots that it asked for, by who was asked.
        self._snapshots = {}
        self._next_beat = 0.0
        self._held = []
        self._asked_about = {}

    @property
    def id(self):
        return self.room.signer.id

    def close(self):
        self.hub.close()

    def poll(self, timeout):
        for envelope in self.hub.poll(timeout):
            self._open(envelope)
        self._go_on()

    def _open(self, envelope):
        try:
            self._take(*self.room.open(envelope))
        except Refused as reason:
            # Before the welcome nothing of the group can be read.
            if not self.room.current:
                return
            if str(reason) in ("unknown epoch", "not introduced") and len(self._held) < 64:
                self._held.append(envelope)
                self._ask_about(Header.read(envelope), str(reason))
            else:
                self.refused.append(str(reason))

    def _ask_about(self, header, reason):
        """Its sender for the records on the way to it, or the oldest of the others who it is."""
        now = time.monotonic()
        if now < self._asked_about.get(header.sender, 0):
            return
        self._asked_about[header.sender] = now + 2
        ask = item(1, header.epoch) if reason == "unknown epoch" else b""
        ask += item(2, self.room.current)
        if reason != "unknown epoch":
            ask += item(3, header.sender)
        others = [member for member in self.hub.others_by_age if member in self.room.introduced and member != header.sender]
        target = header.sender if header.sender in self.room.introduced else next(iter(others), None)
        if target:
            self._envelope(self.room.seal(u8(ASK) + ask), target)

    def _retry(self):
        held, self._held = self._held, []
        for envelope in held:
            self._open(envelope)

    # Entering

    def _go_on(self):
        now = time.monotonic()
        if not self.hub.entered:
            return
        if not self.is_in:
            self._ask(now)
        elif now >= self._next_beat:
            self._next_beat = now + 2
            self._beat()
        self._prepare()

    def _ask(self, now):
        """HELLO, then the snapshot: of the oldest member, and of the next one when it does not answer."""
        if now < self._again:
            return
        if self._asked:
            self._refusals.add(self._asked)
        members = self.hub.others_by_age
        if not members:
            return
        self._asked = next((member for member in members if member not in self._refusals), members[0])
        self._again = now + ANSWER
        if self.room.current:
            self._want_everything()
        else:
            self._envelope(self.room.hello(), to=self._asked)

    def _want_everything(self):
        self._snapshots[self._asked] = set()
        self._say(u8(WANT), to=self._asked)

    # Speaking

    def _say(self, content, to=None):
        self._envelope(self.room.seal(content), to)

    def _envelope(self, envelope, to=None):
        self.hub.send(SEND, (item(1, to) if to else b"") + item(255, envelope))

    def _state(self, *values):
        """Signs values of registers under stamps of their own and tells everybody, in one message."""
        update = b""
        for register, key, value in values:
            body = body_of(register, key, self.id, self._stamp(), value)
            statement = Statement(body, self.room.signer.sign(self._signed_text(body)))
            self.registers.merge(statement)
            update += self._item(statement)
        self._say(u8(UPDATE) + update)

    def _signed_text(self, body):
        return lab("statement") + self.room.session + body

    @staticmethod
    def _item(statement, tag=1):
        return item(tag, item(1, statement.body) + item(2, statement.signature))

    def forge(self, count):
        """Says a statement of its own that it did not sign, so many times in one message."""
        body = body_of(PARTICIPANT, self.id, self.id, self._stamp(), item(1, u64(self._incarnation)))
        self._say(u8(UPDATE) + self._item(Statement(body, bytes(64))) * count)

    def _stamp(self):
        return max(self.group_time, self.registers.newest_time + 1)

    def _digest(self):
        digest = bytes(32)
        for statement in self._included():
            digest = bytes(a ^ b for a, b in zip(digest, sha(statement.digest_input)))
        return digest

    def _beat(self):
        delay = self.hub.round_trip // 2 // 1000 if self.hub.is_synchronised else 0
        beat = item(1, self._digest()) + item(2, i64(self.registers.newest_time)) + item(3, u32(delay)) + item(4, u32(1000))
        self._say(u8(BEAT) + beat)

    def _included(self):
        """What heartbeats compare: of participants those present, of continuations those in force."""
        for statement in self.registers.statements.values():
            if statement.register == PARTICIPANT and statement.key not in self.hub.present:
                continue
            if self.registers.is_in_force(statement):
                yield statement

    def say(self, text):
        """In writing, to all; whatever is in the text."""
        self._say(self.chat.say(text, self.group_time, self.item, self.name))

    def react(self, text):
        self._say(self.chat.react(text))

    def ask_what_was_said(self, teller):
        self._say(self.chat.want(teller), to=teller)

    # Listening

    def _take(self, sender, content):
        kind, body = content[0], content[1:]
        if kind == WELCOME and sender == self._asked and not self.room.current:
            self.policy = self.room.take_welcome(sender, content).stack
            self._want_everything()
        elif kind == DECLINE and sender == self._asked and not self.room.current:
            self.declined.append(integer(items(body, lists=(3, 4)).get(2, b"\0"), ">B"))
        elif kind == EPOCH:
            self._take_records(items(body, lists=(1, 2)))
        elif kind == ASK:
            self._tell_records(sender, items(body))
        elif kind == UPDATE:
            found = items(body, lists=(1, 2, 3))
            self._merge(found, 1, 2)
            self._follow(found[3])
        elif kind == SNAPSHOT:
            self._take_snapshot(sender, items(body, lists=(3, 4, 5)))
        elif kind == BEAT:
            self.beats += 1
            self.differing += items(body)[1] != self._digest()
        elif kind == HAVE:
            self._compare(sender, items(body, lists=(1,))[1])
        elif kind == WANT:
            self._give(sender, [(entry[0], entry[1:]) for entry in items(body, lists=(1,))[1]])
        elif kind == FETCH:
            for answer in self.attachments.answers(items(body)):
                self._say(answer, to=sender)
        elif kind == CHAT:
            self.chat.hear(sender, body)
        elif kind == REACTION:
            self.chat.reactions.append((sender, items(body)[1].decode()))
        elif kind == WANTED:
            self._say(self.chat.answer(body), to=sender)
        elif kind == HISTORY:
            self.chat.learn(sender, body)
        elif kind == CHUNK:
            self.attachments.take(sender, items(body))
        elif kind == IGNORING:
            said = items(body)
            self.ignored_by[sender] = (integer(said[1], ">B"), integer(said[2], ">I"))

    def _take_records(self, found):
        for intro in found[2]:
            self.room.meet(intro)
        for data in found[1]:
            self.room.learn(data)
        self._retry()

    def _tell_records(self, sender, asked):
        known = asked[2]
        if known not in self.room.keys:
            return
        wanted = next((record for record in self.room.records if record[:12] == asked.get(1)), self.room.current)
        records = self.room.path(known, wanted)
        ids_of = [member for record in records for member in record.admitted] + ids(asked.get(3, b""))
        told = b"".join(item(1, record.bytes) for record in records)
        told += b"".join(item(2, self.room.introduced[member][1]) for member in ids_of if member in self.room.introduced)
        if told:
            self._envelope(self.room.seal(u8(EPOCH) + told, under=known), sender)

    def _merge(self, found, statements, intros):
        for intro in found[intros]:
            self.room.meet(intro)
        for entry in found[statements]:
            parts = items(entry)
            statement = Statement(parts[1], parts[2])
            known = self.room.introduced.get(statement.author)
            if not known or not verifies(known[0], statement.signature, self._signed_text(statement.body)):
                self.refused.append("statement")
                continue
            self.registers.merge(statement)

    def _follow(self, levels):
        """Takes the greatest policy that levels make, each on what it stands on: what is known, or came before it."""
        known = [level.bytes for level in self.policy.levels]
        stacks = [known[:count] for count in range(len(known) + 1)]
        for level in levels:
            for below in [stack for stack in stacks if policy_id(stack) == Level(level).basis]:
                said = Stack(self.room.origin, [*below, level], self.room.session, self.room.signing_keys)
                stacks.append([*below, level])
                if said.compare(self.policy) > 0:
                    self.policy = said

    def _take_snapshot(self, sender, found):
        """From who was asked alone, once for each question, at most 64 parts."""
        number, count = integer(found[1], ">H"), integer(found[2], ">H")
        parts = self._snapshots.get(sender)
        if parts is None or number in parts or number >= max(1, min(count, 64)):
            self.refused.append("snapshot")
            return
        if count == 0:
            del self._snapshots[sender]
            self._again = 0.0
            return
        self._merge(found, 3, 5)
        parts.add(number)
        if len(parts) == count:
            del self._snapshots[sender]
            self.is_in = True

    def _compare(self, sender, entries):
        theirs = {(entry[0], entry[41:]): entry[1:41] for entry in entries}
        mine = {statement.name: statement for statement in self._included()}
        differing = [statement for name, statement in mine.items() if theirs.get(name) != statement.had]
        if differing:
            self._say(u8(UPDATE) + b"".join(map(self._item, differing)), to=sender)
        wanted = [name for name, had in theirs.items() if name not in mine or mine[name].had != had]
        if wanted:
            self._say(u8(WANT) + b"".join(item(1, u8(register) + key) for register, key in wanted), to=sender)

    def _give(self, sender, wanted):
        if wanted:
            known = [self.registers.statements[name] for name in wanted if name in self.registers.statements]
            self._say(u8(UPDATE) + b"".join(map(self._item, known)), to=sender)
        else:
            known = list(self.registers.statements.values()) if self.is_in else []
            count = 1 if self.is_in else 0
            intros = b"".join(item(5, intro) for _, intro in self.room.introduced.values()) if self.is_in else b""
            self._say(
                u8(SNAPSHOT) + item(1, u16(0)) + item(2, u16(count)) + b"".join(self._item(s, 3) for s in known) + intros,
                to=sender,
            )

    # Time and playback

    @property
    def is_synchronised(self):
        return self.hub.is_synchronised and self.registers.clock_offset(self.hub.clock_id) is not None

    def group_time_at(self, host_time):
        return host_time + self.hub.clock_offset + self.registers.clock_offset(self.hub.clock_id)

    @property
    def group_time(self):
        return self.group_time_at(time.monotonic_ns())

    @property
    def state(self):
        return self.registers.state(self.item) if self.item else None

    def position(self, host_time):
        """Where the group is in the current item, ns."""
        return self.state.position(self.group_time_at(host_time))

    @property
    def activity(self):
        known = self.registers.get(ACTIVITY)
        return known.fields[2].decode() if known else None

    @property
    def playlist(self):
        """Ids and items of the entries, in their order, and the id of the current one."""
        found = [one for (register, _), one in self.registers.statements.items() if register == ENTRY and 4 not in one.fields]
        found.sort(key=lambda one: (one.fields[1], one.key))
        current = self.registers.get(CURRENT)
        return [(one.key, one.fields[2].decode()) for one in found], current and current.fields[1]

    def add_entry(self, entry, place, name):
        self._state((ENTRY, entry, item(1, place) + item(2, name.encode()) + item(3, i64(self._stamp()))))

    def move_entry(self, entry, place):
        """Writes it with another place; the rest is as it was added."""
        self._rewrite(entry, {1: place}, lambda tag: True)

    def remove_entry(self, entry):
        self._rewrite(entry, {4: b"\1"}, lambda tag: tag <= 3)

    def _rewrite(self, entry, anew, stays):
        known = each(self.registers.get(ENTRY, entry).value, (9, 10))
        parts = [(tag, value) for tag, value in known if stays(tag) and tag not in anew] + list(anew.items())
        self._state((ENTRY, entry, b"".join(item(tag, value) for tag, value in sorted(parts, key=lambda part: part[0]))))

    def flood_playlist(self, count, title="", added=None):
        """Adds entries of one item, as many as there are, in messages of a hundred; whatever the title is, and at whatever time it says."""
        for start in range(0, count, 100):
            entries = (self._entry(number, title, added) for number in range(start, min(count, start + 100)))
            self._say(u8(UPDATE) + b"".join(map(self._item, entries)))

    def _entry(self, number, title, added):
        time = self._stamp()
        value = item(1, b"\x80" + u32(number) + b"\x80") + item(2, b"film") + item(3, i64(time if added is None else added))
        body = body_of(ENTRY, os.urandom(16), self.id, time, value + (item(5, title.encode()) if title else b""))
        return Statement(body, self.room.signer.sign(self._signed_text(body)))

    def flood_registers(self, count):
        """Says so many of everything: states of items that nobody is on, entries, clocks, what is of the future, and its posters, in
        messages of thirty; behind each stand bytes that nobody reads."""
        said = []
        for number in range(count):
            now, name = self._stamp(), f"nowhere {number} ".encode() + b"i" * 900
            place = item(1, u8(COMMAND)) + item(2, i64(0))
            said.append((POSITION, name, now, place))
            said.append((POSITION, name, now + 2 * SECOND + number, place))
            said.append((ENTRY, os.urandom(16), now, item(1, b"\x80" + u32(number) + b"\x80") + item(2, b"film") + item(3, i64(now))))
            said.append((CLOCKS, os.urandom(16), now, item(1, i64(1)) + item(2, u32(5))))
            if number % 30 == 0:
                said.append((ACTIVITY, b"", now, item(1, u8(1)) + item(2, b"poster") + item(7, bytes(50_000))))
        for start in range(0, len(said), 30):
            signed = (body_of(register, key, self.id, time, value) + item(60, bytes(500)) for register, key, time, value in said[start : start + 30])
            self._say(u8(UPDATE) + b"".join(self._item(Statement(body, self.room.signer.sign(self._signed_text(body)))) for body in signed))

    def select_entry(self, entry):
        self._state((CURRENT, b"", item(1, entry)))

    def move_to(self, name):
        """Takes part in an item that the group plays."""
        self.item = name.encode()
        self._available = self.group_time
        self._publish()

    def _publish(self):
        value = item(1, u64(self._incarnation)) + item(2, self.item) + item(3, i64(self._available))
        if self._ready:
            value += item(4, self._ready)
        value += item(12, self.name.encode())
        if self._says:
            value += item(20, u8(self._says))
        if self._copy:
            value += item(21, self._copy)
        for entry, offset in sorted(self._cuts.items()):
            value += item(22, item(1, entry) + item(2, i64(offset)))
        self._state((PARTICIPANT, self.id, value))

    def state_copy(self, entry, duration, size, found):
        """Says of its copy of an entry whatever it likes."""
        self._copy = item(1, entry) + item(2, i64(duration)) + item(3, u64(size)) + item(4, found)
        self._publish()

    def say_ready(self, ready):
        """Of its person."""
        self._says = 1 if ready else 2
        self._publish()

    def state_cut(self, entry, offset):
        """By how much its copy of an entry is ahead, ns: what it hears and says of item times is the group's all the same."""
        self._cuts[entry] = offset
        self._publish()

    def cuts(self, participant):
        """What another one says of its copies: offsets by entries."""
        said = [items(one) for one in self.registers.get(PARTICIPANT, participant).fields[22]]
        return {one[1]: integer(one[2], ">q") for one in said}

    def _prepare(self):
        """Is ready for every start at once, and writes the start of its own commands when all are."""
        state = self.state if self.is_in else None
        if not state or state.kind != "preparing":
            return
        if self._ready != readiness(state):
            self._ready = readiness(state)
            self._publish()
        rate = self.registers.get(RATE, self.item)
        if rate.author == self.id and all(self._is_ready(member, state) for member in self._on_item()):
            self._start(state, coverage=len(self._on_item()))

    def _on_item(self):
        members = (self.registers.get(PARTICIPANT, member) for member in self.hub.present)
        return [member for member in members if member and member.fields.get(2) == self.item]

    @staticmethod
    def _is_ready(member, state):
        return member.fields.get(4) == readiness(state)

    def _start(self, state, coverage):
        value = item(1, state.pair[:41]) + item(2, state.pair[41:]) + item(3, u32(state.sequence + 1)) + item(4, u8(LINE))
        value += item(5, u16(coverage)) + item(6, i64(self.group_time + SECOND // 5))
        self._state((CONTINUATION, self.item, value))

    # Attachments

    def offer(self, content, name, place=0, given=None):
        """Offers a content in one of its places. `given`: what it gives to who asks for it, if that is something else."""
        found = self.attachments.hold(content, given)
        value = item(1, found) + item(2, name.encode()) + item(4, u64(len(content)))
        self._state((ATTACHMENT, self.id + u8(place), value))
        return found

    def lie_about_length(self, content_id, length):
        """Offers a content of another's with a length that it does not have, as if it had been the first."""
        value = item(1, content_id) + item(2, b"lie") + item(4, u64(length))
        body = body_of(ATTACHMENT, self.id + u8(0), self.id, self.group_time - 60 * SECOND, value)
        self._say(u8(UPDATE) + self._item(Statement(body, self.room.signer.sign(self._signed_text(body)))))

    def pester(self, giver, loader, content_id):
        """Asks one who has it for the same again, and gives another what it did not ask this one for."""
        self._say(self.attachments.question(content_id, 0), to=giver)
        self._say(self.attachments.piece(content_id, 0, bytes(1_000)), to=loader)

    @property
    def offered(self):
        """Contents by their names, with author and size, as far as the first of each content counts."""
        found = {}
        told = (s for s in self.registers.statements.values() if s.register == ATTACHMENT and 1 in s.fields)
        for one in sorted(told, key=lambda statement: (statement.stamp, statement.key[16])):
            found.setdefault(one.fields[1], (one.key[:16], integer(one.fields[4], ">Q")))
        return found

    def load(self, content_id):
        """Asks the author of an offer for the next pieces of it; None: they are not all here."""
        author, size = self.offered[content_id]
        for question in self.attachments.questions(content_id, size, author):
            self._say(question, to=author)
        return self.attachments.whole(content_id, size)

    # Commands

    def play(self, rate=1.0):
        at = self.position(time.monotonic_ns())
        self._command_rate(rate, at, item(7, i64(self.group_time + 10 * SECOND)))

    def pause(self):
        self._command_rate(0.0, self.position(time.monotonic_ns()), b"")

    def seek(self, position):
        """Moves the paused group."""
        self._state((POSITION, self.item, item(1, u8(COMMAND)) + item(2, i64(position))))

    def _command_rate(self, rate, at, more):
        base = self.registers.get(POSITION, self.item).cell_key
        value = item(1, u8(COMMAND)) + item(2, struct.pack(">d", rate)) + item(3, i64(at)) + item(4, base)
        self._state((RATE, self.item, value + item(5, u8(1)) + more))
