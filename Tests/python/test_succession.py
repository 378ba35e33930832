"""F43, F44: processes in a session where only hosts may command; the only owner's is killed, or is asked."""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import unisono
from group_support import ROOT
from waiting import until

DELAY = 5 * unisono.SECOND
OWNER, MEMBER = int(unisono.Role.OWNER), int(unisono.Role.MEMBER)


class Participant:
    def __init__(self, *arguments):
        path = os.pathsep.join([str(ROOT / "bindings" / "python"), str(Path(__file__).parent)])
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("participant_process.py")), *map(str, arguments)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env={**os.environ, "PYTHONPATH": path},
        )
        first = json.loads(self.process.stdout.readline())
        self.invite, self.id = first["invite"], first["id"]
        self.name, self.status, self.told = arguments[1], {}, []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            values = json.loads(line)
            self.status = values.pop("status", self.status)
            if values:
                self.told.append(values)

    def do(self, function, *arguments):
        self.process.stdin.write(json.dumps([function, *arguments]) + "\n")

    def heard(self, kind):
        return [values[kind] for values in self.told if kind in values]

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        if self.process.poll() is None:
            self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.kill()


@pytest.fixture
def group(library):
    """Makes a host with a rule, and Ben and Cem, who came in this order; all play."""
    made = []

    def make(rule):
        made.append(Participant("host", "Ann", int(rule), DELAY))
        for name in ("Ben", "Cem"):
            made.append(Participant("join", name, made[0].invite))
            until(lambda: all(len(p.status.get("roles", ())) == len(made) for p in made), f"{name} was in")
        until(lambda: all(p.status["items"] == 3 for p in made), "all were on the item")
        made[0].do("play")
        until(lambda: all(p.status["playing"] for p in made), "all played")
        return made

    yield make
    for participant in made:
        participant.close()


def stand(*participants):
    return all(not p.status["playing"] for p in participants)


def test_f43_the_only_owner_is_killed_and_the_most_senior_pauses(group):
    ann, ben, cem = group(unisono.SuccessionRule.DEFAULT)
    until(lambda: cem.status["deputies"] == [ben.id, cem.id], "those who came first were listed")
    ben.do("pause")
    until(lambda: ben.heard("error"), "it was refused while the owner was there")
    ann.kill()
    killed = time.monotonic()
    until(lambda: all(p.status["acting"] == ben.id for p in (ben, cem)), "both knew who stands in")
    assert time.monotonic() - killed > DELAY / 1e9 - 0.5
    for participant in (ben, cem):
        assert participant.heard("succession") == [[int(unisono.SuccessionStatus.BEGAN), ben.id, False]]
        assert participant.status["roles"]["Ben"] == OWNER
    assert not stand(ben) and not stand(cem), "nobody stopped for that"
    ben.do("pause")
    until(lambda: stand(ben, cem), "both stood")
    ben.do("seek", 70)
    until(lambda: all(p.status["position"] == 70 * unisono.SECOND for p in (ben, cem)), "both were at 70 s")
    cem.do("play")
    until(lambda: cem.heard("error"), "Cem may not command")
    # Who comes afterwards goes by it.
    dan = Participant("join", "Dan", cem.status["invite"])
    try:
        until(lambda: dan.status.get("roles", {}).get("Ben") == OWNER, "the newcomer knew it, too")
        ben.do("seek", 90)
        until(lambda: all(p.status["position"] == 90 * unisono.SECOND for p in (ben, cem, dan)), "all were at 90 s")
    finally:
        dan.close()


def test_f43_a_named_deputy_pauses_when_the_owner_is_killed(group):
    ann, ben, cem = group(unisono.SuccessionRule.DEFAULT)
    ann.do("deputies", [cem.id], DELAY)
    until(lambda: all(p.status["deputies"] == [cem.id] for p in (ann, ben, cem)), "all knew who was named")
    ann.kill()
    until(lambda: all(p.status["acting"] == cem.id for p in (ben, cem)), "both knew who stands in")
    assert ben.heard("succession") == [[int(unisono.SuccessionStatus.BEGAN), cem.id, True]]
    cem.do("pause")
    until(lambda: stand(ben, cem), "both stood")
    assert ben.status["roles"]["Ben"] == MEMBER


def test_f43_two_are_named_and_the_first_is_killed_as_well_as_the_owner(group):
    ann, ben, cem = group(unisono.SuccessionRule.DEFAULT)
    dan = Participant("join", "Dan", ann.invite)
    try:
        until(lambda: dan.status.get("playing"), "Dan played, too")
        ann.do("deputies", [cem.id, ben.id], DELAY)
        until(lambda: all(p.status["deputies"] == [cem.id, ben.id] for p in (ann, ben, cem, dan)), "all knew who was named")
        ann.kill()
        until(lambda: all(p.status["acting"] == cem.id for p in (ben, cem, dan)), "all knew that the first stands in")
        cem.kill()
        until(lambda: all(p.status["acting"] == ben.id for p in (ben, dan)), "both knew that the second stands in")
        began, ended = int(unisono.SuccessionStatus.BEGAN), int(unisono.SuccessionStatus.ENDED)
        for participant in (ben, dan):
            assert participant.heard("succession") == [[began, cem.id, True], [ended, cem.id, True], [began, ben.id, True]]
            assert participant.status["roles"]["Ben"] == OWNER
        assert not stand(ben) and not stand(dan), "nobody stopped for that"
        ben.do("pause")
        until(lambda: stand(ben, dan), "both stood")
        dan.do("play")
        until(lambda: dan.heard("error"), "Dan may not command")
    finally:
        dan.close()


def test_f43_where_nobody_may_stand_in_nobody_does(group):
    ann, ben, cem = group(unisono.SuccessionRule.NOBODY)
    ann.kill()
    until(lambda: all("Ann" not in p.status["roles"] for p in (ben, cem)), "both noticed", limit=45)
    end = time.monotonic() + 4 * DELAY / 1e9
    until(lambda: time.monotonic() > end or ben.status["acting"] or cem.status["acting"], "time went by")
    for participant in (ben, cem):
        assert participant.status["acting"] is None and participant.heard("succession") == []
        participant.do("pause")
        until(lambda p=participant: p.heard("error"), "it was refused")
        assert not stand(participant)


def test_f44_who_may_not_command_asks_and_the_owner_grants(group):
    ann, ben, cem = group(unisono.SuccessionRule.NOBODY)
    ben.do("ask", int(unisono.RequestKind.PAUSE), "the door")
    until(lambda: ann.heard("request"), "the owner was asked")
    number = ben.heard("asked")[0]
    assert ann.heard("request") == [[number, ben.id, int(unisono.RequestStatus.OPEN), 0, "the door", "film"]]
    ann.do("answer", number, True)
    until(lambda: stand(ann, ben, cem), "all stood")
    until(lambda: ben.heard("request"), "the asker was told")
    assert [values[2] for values in ben.heard("request")] == [int(unisono.RequestStatus.GRANTED)]
    cem.do("ask", int(unisono.RequestKind.PLAY), None)
    until(lambda: len(ann.heard("request")) == 2, "the owner was asked again")
    ann.do("answer", cem.heard("asked")[0], False)
    until(lambda: cem.heard("request"), "Cem was told")
    assert [values[2] for values in cem.heard("request")] == [int(unisono.RequestStatus.DECLINED)]
    assert ben.heard("request")[1:] == [] and stand(ann, ben, cem)
