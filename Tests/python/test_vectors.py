"""Z40: Tests/vectors agree with the client that was written from docs/spec/wire.md alone (Tests/independent)."""

import json
import subprocess
import sys

import pytest
from group_support import ROOT

pytest.importorskip("cryptography", reason="needs the Python package cryptography: pip install cryptography")
sys.path.insert(0, str(ROOT / "Tests" / "independent"))

import wire  # noqa: E402
from policy import Stack  # noqa: E402
from primitives import Agreement, Signer, sha  # noqa: E402
from room import Invite, Room  # noqa: E402
from sealed import open_private, open_rekey  # noqa: E402
from shapes import check  # noqa: E402

VECTORS = ROOT / "Tests" / "vectors"
OUTCOMES = {-1: "less", 0: "equal", 1: "greater"}


def cases(group):
    found = json.loads((VECTORS / f"{group}.json").read_text(encoding="utf-8"))["cases"]
    return [pytest.param(case, id=case["name"].replace(" ", "_")) for case in found]


def unhex(value):
    if isinstance(value, str):
        return bytes.fromhex(value)
    return [unhex(inner) for inner in value] if isinstance(value, list) else value


def outcome(case, read):
    """What `read` gives, after its error was compared with the vector's."""
    try:
        value = read()
    except wire.Refused as reason:
        assert str(reason) == case["open"]
        return None
    assert case["open"] == "ok"
    return value


def test_the_files_are_what_the_script_makes():
    subprocess.run([sys.executable, VECTORS / "generate.py", "--check"], check=True)


def read_tlv(given):
    known, lists = unhex(given["known"]), unhex(given["lists"])
    found = []
    for tag, value in wire.each(unhex(given["bytes"]), lists):
        if tag in known:
            found.append({"tag": tag, "value": value.hex()})
        elif tag > 127:
            raise wire.Refused("unknownMustUnderstand")
    return found


def read_value(form, value, limit):
    if form == "ids":
        if len(wire.ids(value)) > limit:
            raise wire.Refused("count")
        return b"".join(wire.ascending(wire.ids(value))).hex()
    read = {
        "u8": lambda: wire.integer(value, ">B"), "u16": lambda: wire.integer(value, ">H"),
        "u32": lambda: wire.integer(value, ">I"), "u64": lambda: wire.integer(value, ">Q"),
        "bool": lambda: int(wire.boolean(value)), "time": lambda: wire.moment(value), "f64": lambda: wire.number(value),
        "id": lambda: wire.fixed(value, 16).hex(), "text": lambda: wire.text(value, limit),
    }[form]
    return str(read())


@pytest.mark.parametrize("case", cases("tlv"))
def test_tlv(case):
    given = case["in"]
    if "form" in given:
        value = outcome(case, lambda: read_value(given["form"], unhex(given["value"]), given["limit"]))
        assert value is None or value == case["out"]["reads"]
    else:
        found = outcome(case, lambda: read_tlv(given))
        assert found is None or found == case["out"]["items"]


@pytest.mark.parametrize("case", cases("frames"))
def test_frames(case):
    given = case["in"]
    if case["open"] == "skipped":
        assert check(given["form"], given["type"], unhex(given["body"])) is False
        return
    read = outcome(case, lambda: check(given["form"], given["type"], unhex(given["body"])))
    assert read in (None, True)
    if case["open"] == "ok" and case["out"]["items"]:
        lists = set(range(1, 128))
        assert [{"tag": tag, "value": value.hex()} for tag, value in wire.each(unhex(given["body"]), lists)] == case["out"]["items"]


@pytest.mark.parametrize("case", cases("policy"))
def test_policy(case):
    given = case["in"]
    origin = unhex(given["origin"])
    if "order" in case.get("out", {}):
        left, right = (Stack(origin, unhex(given[side])) for side in ("left", "right"))
        assert OUTCOMES[left.compare(right)] == case["out"]["order"]
        return
    session = sha(b"unisono/1 session\0" + origin)
    keys = {sha(key)[:16]: key for key in unhex(given["authors"])}
    stack = outcome(case, lambda: Stack(origin, unhex(given["levels"]), session, keys))
    if stack is None:
        return
    expected = case["out"]
    assert stack.id.hex() == expected["policy_id"]
    terms = stack.terms
    assert (terms.control, terms.owners, terms.roles) == (
        expected["control"], unhex(expected["owners"]), unhex(expected["roles"]))
    assert (terms.removed, terms.topic.hex(), terms.epoch.hex()) == (
        unhex(expected["removed"]), expected["topic"], expected["epoch_id"])
    assert terms.former == unhex(expected["former"])
    assert (terms.deputies, terms.rule, terms.patience) == (
        unhex(expected["deputies"]), expected["rule"], expected["patience"])
    assert [deputy + bytes([accepted]) for deputy, accepted in stack.takeovers] == unhex(expected["takeovers"])


@pytest.mark.parametrize("case", cases("private"))
def test_private(case):
    given = {name: unhex(value) for name, value in case["in"].items()}
    text = outcome(
        case,
        lambda: open_private(
            given["content"], given["session"], given["topic"], given["header"], given["recipient"],
            Agreement(given["seed_kex"])))
    assert text is None or text.hex() == case["out"]["text"]


@pytest.mark.parametrize("case", cases("rekey"))
def test_rekey(case):
    given = {name: unhex(value) for name, value in case["in"].items()}
    secrets = outcome(
        case,
        lambda: open_rekey(
            given["content"], given["session"], given["topic"], given["sender"], given["recipient"],
            Agreement(given["seed_kex"]), given["origin"]))
    assert secrets is None or [secret.hex() for secret in secrets] == [case["out"]["door"], case["out"]["chain"]]


def in_run(given, name):
    """The room as somebody in the run has it."""
    person = next(person for person in given["people"] if person["name"] == name)
    seeds = {key: unhex(person[key]) for key in ("seed_sign", "seed_kex", "lane", "seed_hello")}
    return Room(
        Invite(given["invite"]), name, Signer(seeds["seed_sign"]), Agreement(seeds["seed_kex"]), seeds["lane"],
        Agreement(seeds["seed_hello"]))


@pytest.mark.parametrize("case", cases("session"))
def test_session(case):
    """B's view of a whole run: its hello, the welcome, and everything that it hears afterwards."""
    given, frames = case["in"], case["out"]["frames"]
    ben = in_run(given, "B")
    heard = 0
    hello = next(entry for entry in frames if entry["from"] == "B" and entry.get("content", "").startswith("02"))
    assert ben.hello() in unhex(hello["frame"])
    for entry in frames:
        for kind, body in wire.frames(bytearray(unhex(entry["frame"]))):
            assert check("hub", kind, body)
            if entry["to"] != "B" or kind != 8:
                continue
            sender, content = ben.open(wire.items(body)[255])
            assert content.hex() == entry["content"]
            heard += 1
            if content[0] == 3:
                ben.take_welcome(sender, content)
            if content[0] == 11:
                header = wire.items(body)[255][:50]
                text = open_private(content, ben.session, ben.door.topic, header, ben.signer.id, ben.agreement)
                assert text.endswith(b"for Ben alone")
    assert heard == sum(1 for entry in frames if entry["to"] == "B" and "content" in entry) >= 8
    assert ben.epoch[1] == 1
