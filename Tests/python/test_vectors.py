"""Z40: Tests/vectors agree with the client that was written from docs/spec/wire.md alone (Tests/independent)."""

import json
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest
from group_support import ROOT, unisono

pytest.importorskip("cryptography", reason="needs the Python package cryptography: pip install cryptography")
sys.path.insert(0, str(ROOT / "Tests" / "independent"))

import link  # noqa: E402
import wire  # noqa: E402
from continuation import Token  # noqa: E402
from copies import copy_hash  # noqa: E402
from hub import probe_code  # noqa: E402
from invite import Invite, Line  # noqa: E402
from policy import Stack  # noqa: E402
from primitives import (  # noqa: E402
    Agreement, InvalidTag, Signer, XWing, hybrid_open, i64, item, lab, sha, xwing_encapsulate,
)
from records import Proof, Record  # noqa: E402
from registers import (  # noqa: E402
    ACTIVITY, AT_END, CURRENT, ENTRY, PARTICIPANT, SCHEDULED, STALLS, STARTS, Registers, Statement, body_of,
)
from room import Door, Room  # noqa: E402
from sealed import open_private, open_rekey  # noqa: E402
from shapes import HUB, MESSAGES, REGISTERS, check  # noqa: E402

VECTORS = ROOT / "Tests" / "vectors"
A, B = (bytes([number]) * 16 for number in (1, 2))
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


@pytest.mark.parametrize("case", cases("invite"))
def test_invite(case):
    text = case["in"]["text"]
    invite = outcome(case, lambda: Invite(text))
    if invite is None:
        return
    out = case["out"]
    assert (invite.origin.hex(), invite.secret.hex()) == (out["origin"], out["door"])
    assert sha(lab("session") + invite.origin).hex() == out["session"]
    hubs = [{"address": hub.address.text, "hub": hub.hub.hex()} | ({"pass": hub.bought.hex()} if hub.bought else {})
            for hub in invite.hubs]
    assert hubs == out["hubs"]
    assert invite.text == out.get("written", text)


@pytest.mark.parametrize("case", cases("line"))
def test_line(case):
    text = case["in"]["text"]
    line = outcome(case, lambda: Line(text))
    if line is None:
        return
    out = case["out"]
    assert (line.address.text, line.hub.hex()) == (out["address"], out["hub"])
    assert (line.token.hex() if line.token else None) == out.get("token")
    assert line.text == out.get("written", text)


@pytest.mark.parametrize("case", cases("pass"))
def test_pass(case):
    given = {name: unhex(value) for name, value in case["in"].items() if name in ("hub_secret", "hub", "group", "pass")}
    revoked = [int(serial) for serial in case["in"].get("revoked", [])]
    shown = given.get("pass")
    if shown is None:
        numbers = int(case["in"]["serial"]), case["in"]["until"], case["in"]["rooms"]
        bought = link.token(given["hub_secret"], *numbers)
        shown = link.make_pass(bought, given["hub"], given["group"])
        assert (bought.hex(), shown.hex()) == (case["out"]["token"], case["out"]["pass"])
    good = outcome(case, lambda: link.check_pass(given["hub_secret"], given["hub"], shown, case["in"]["hour"], revoked))
    if "out" in case:
        assert good == (numbers[0], numbers[2], given["group"])


@pytest.mark.parametrize("case", cases("xwing"))
def test_xwing(case):
    given = {name: unhex(value) for name, value in case["in"].items()}
    if "seed" not in given:
        outcome(case, lambda: xwing_encapsulate(given["public"], Agreement.fresh()))
        return
    key = XWing(given["seed"])
    encapsulated = given.get("encapsulated") or unhex(case["out"]["encapsulated"])
    secret = outcome(case, lambda: key.open(encapsulated))
    if secret is None:
        return
    assert secret.hex() == case["out"]["secret"]
    if "public" in case["out"]:
        assert key.public.hex() == case["out"]["public"]
        again, mine = xwing_encapsulate(key.public, Agreement.fresh())
        assert key.open(again) == mine


def sides(case):
    """Client and hub of a vector, and who enters which door."""
    given = {name: unhex(value) for name, value in case["in"].items() if name not in ("looks", "asks", "turn", "hour", "role")}
    given["turn"] = case["in"]["turn"]
    client = link.ClientSide(given["expected_hub"], given["client_xwing"], given["client_nonce"], case["in"].get("hour", 0))
    hub = link.HubSide(
        Signer(given["hub_seed"]), given["clock"], given["hub_nonce"], "asks" in case["in"],
        lambda public: xwing_encapsulate(public, Agreement.fresh()) and (given["encapsulated"], given["secret"]),
        given.get("certificate"))
    return given, client, hub, Door(given["session"], given["door"]), Signer(given["seed_sign"])


def whole_entry(case):
    given, client, hub, door, signer = sides(case)
    challenge = hub.take_open(client.open)
    client.take_challenge(challenge)
    client.take_identity(hub.identity)
    enter = client.enter(door, signer, given["turn"], "looks" in case["in"], given.get("pass"), case["in"].get("role", 0))
    claim = hub.take_enter(enter)
    keys = client.keys
    assert vars(keys) == vars(hub.keys)
    return {
        "open": client.open, "challenge": challenge, "transcript": keys.transcript, "up": keys.up, "down": keys.down,
        "probe_key": keys.probe, "identity": hub.identity, "enter": enter, "hub": client.hub,
        "participant": claim.participant, "topic": claim.topic,
    }, claim.looks, claim.bought


def at_client(case):
    given, client, *_ = sides(case)
    client.take_challenge(given["challenge"])
    client.take_identity(given["identity"])
    return True


def at_hub(case):
    given, _, hub, *_ = sides(case)
    hub.take_open(given["open"])
    return hub.take_enter(given["enter"])


def opened_record(case):
    given = {name: unhex(value) for name, value in case["in"].items() if name in ("key", "wire", "body")}
    opener, sealer = link.Opener(given["key"]), link.Sealer(given["key"])
    opener.counter = sealer.counter = int(case["in"]["counter"])
    record = given.get("wire") or unhex(case["out"]["wire"])
    if "body" in given:  # one that is made here
        assert sealer.seal(case["in"]["type"], given["body"]) == record
        assert list(link.records(bytearray(record + record[:20]))) == [record]
    return opener.open(record)


@pytest.mark.parametrize("case", cases("link"))
def test_link(case):
    if case["side"] == "both":
        out, looks, bought = whole_entry(case)
        assert {name: value.hex() for name, value in out.items()} == case["out"]
        assert (looks, bought and bought.hex()) == ("looks" in case["in"], case["in"].get("pass"))
    elif case["side"] == "length":
        kind, length = case["in"]["type"], case["in"]["body_length"]
        assert link.plain_length(kind, length) + 16 == case["out"]["n"]
    elif case["side"] == "record":
        frame = outcome(case, lambda: opened_record(case))
        if "out" in case:
            assert frame == (case["in"]["type"], unhex(case["in"]["body"]))
    else:
        outcome(case, lambda: (at_client if case["side"] == "client" else at_hub)(case))


@pytest.mark.parametrize("case", [case for case in cases("probe") if "out" in case.values[0]])
def test_probe(case):
    packet = unhex(case["out"]["packet"])
    assert probe_code(unhex(case["in"]["key"]), packet[:48]) == packet[48:]


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


def promised():
    """Of each type that wire 11.3 names, by form and number, the tags of its items."""
    text = (ROOT / "docs" / "spec" / "wire.md").read_text(encoding="utf-8")
    tables = text[text.index("### 11.3") : text.index("### 11.4")]
    found, form = {}, None
    for line in re.findall(r"^\| (.*) \|$", tables, re.MULTILINE):
        cells = line.split(" | ")
        if cells[1] == "no.":
            form = "hub" if cells[0] == "frame" else cells[0]
            continue
        told = cells[-1].split(" sealed:")[0]
        while re.search(r"\([^()]*\)", told):
            told = re.sub(r"\([^()]*\)", "", told)
        for number in cells[1].split(", "):
            tags = found.setdefault((form, int(number)), set())
            for first, last in re.findall(r"(?:^| · )(\d+)(?:-(\d+))?\*? ", told):
                tags.update(range(int(first), int(last or first) + 1))
    return found


def shown():
    """The same of what the vectors have."""
    found = {}
    for (case,) in (one.values for one in cases("frames")):
        if case["open"] != "ok":
            continue
        name, tags = (case["in"]["form"], case["in"]["type"]), {one["tag"]: one["value"] for one in case["out"]["items"]}
        if name[0] == "register":
            name = ("register", int(tags[1], 16))
            tags = dict(wire.each(unhex(tags[6]), range(1, 128)))
        found.setdefault(name, set()).update(tags)
    return found


def test_each_type_of_the_specification_and_each_of_its_items_is_in_a_vector():
    there = shown()
    expected = promised()
    assert {form for form, _ in expected} == {"hub", "message", "register"} and len(expected) > 50
    missing = {name: tags - there.get(name, set()) for name, tags in expected.items() if not tags <= there.get(name, set())}
    assert not missing and not expected.keys() - there.keys()


def test_each_item_of_the_specification_is_in_the_table_of_the_independent_client():
    tables = {"hub": HUB, "message": MESSAGES, "register": REGISTERS}
    missing = {(form, number): tags - tables[form].get(number, {}).keys() for (form, number), tags in promised().items()}
    assert not {name: tags for name, tags in missing.items() if tags}


def registers():
    return [case for case in cases("frames") if case.values[0]["in"]["form"] == "register" and case.values[0]["open"] == "ok"]


@pytest.mark.parametrize("case", registers())
def test_a_register_is_kept_once_and_counts_in_the_digest_as_its_author_wrote_it(case):
    statement = Statement(unhex(case["in"]["body"]), bytes(64))
    kept = Registers()
    assert kept.merge(statement) and not kept.merge(statement)
    counted = statement.digest_input
    if statement.register != PARTICIPANT:
        assert counted == statement.body
    else:
        assert counted.startswith(bytes([statement.register]) + statement.key)
        left_out = sum(4 + len(statement.fields[tag]) for tag in (18, 19) if tag in statement.fields)
        assert len(counted) == 17 + len(statement.value) - left_out


@pytest.mark.parametrize("register", [ACTIVITY, STALLS, AT_END, STARTS, ENTRY, CURRENT, SCHEDULED])
def test_a_confirmation_counts_by_who_said_it_first_and_when(register):
    said = body_of(register, b"", A, 2_000, b"")
    confirmed = Statement(body_of(register, b"", B, 3_000, b"") + item(7, A) + item(8, i64(1_000)), bytes(64))
    kept = Registers()
    assert kept.merge(Statement(said, bytes(64)))
    assert not kept.merge(confirmed)


@pytest.mark.parametrize("case", cases("order"))
def test_f86_which_of_two_statements_about_the_playlist_counts(case):
    given = case["in"]
    left, right = (Statement(unhex(given[side]), bytes(64)) for side in ("left", "right"))
    assert left.register == right.register == given["register"] and left.name == right.name
    assert all(check("register", 0, one.body) for one in (left, right))
    counts = left if case["out"]["order"] == "greater" else right
    for first, second in ((left, right), (right, left)):
        kept = Registers()
        assert kept.merge(first) and kept.merge(second) == (second is counts)
        assert kept.get(*counts.name) is counts


@pytest.mark.parametrize("case", cases("copy"))
def test_f87_a_copy_is_known_by_samples_of_its_file(library, tmp_path, case):
    given = case["in"]
    content = bytes(index * given["factor"] % given["modulus"] for index in range(given["size"]))
    assert copy_hash(content).hex() == case["out"]["hash"]
    (tmp_path / "film").write_bytes(content)
    known = unisono.copy_of_file(str(tmp_path / "film"))
    assert (known.hash.hex(), known.file_size) == (case["out"]["hash"], given["size"])


@pytest.mark.parametrize("case", cases("policy"))
def test_policy(case):
    given = case["in"]
    origin = unhex(given["origin"])
    if "order" in case.get("out", {}):
        left, right = (Stack(origin, unhex(given[side])) for side in ("left", "right"))
        assert OUTCOMES[left.compare(right)] == case["out"]["order"]
        return
    session = sha(b"unisono/2 session\0" + origin)
    keys = {sha(key)[:16]: key for key in unhex(given["authors"])}
    stack = outcome(case, lambda: Stack(origin, unhex(given["levels"]), session, keys))
    if stack is None:
        return
    expected = case["out"]
    assert stack.id.hex() == expected["policy_id"]
    terms = stack.terms
    assert (terms.control, terms.owners, terms.roles) == (
        expected["control"], unhex(expected["owners"]), unhex(expected["roles"]))
    assert (terms.removed, terms.topic.hex(), terms.founding.hex()) == (
        unhex(expected["removed"]), expected["topic"], expected["founding"])
    assert (terms.former, terms.closed) == (unhex(expected["former"]), bool(expected["closed"]))
    assert (terms.deputies, terms.rule, terms.patience) == (
        unhex(expected["deputies"]), expected["rule"], expected["patience"])
    assert [deputy + bytes([accepted]) for deputy, accepted in stack.takeovers] == unhex(expected["takeovers"])


@pytest.mark.parametrize("case", [case for case in cases("intro") if case.values[0]["open"] in ("ok", "vouch")])
def test_f85_an_introduction_says_whose_device_it_is(case):
    """Of what may be wrong with one the independent client judges what is said of the person."""
    given = {name: unhex(value) for name, value in case["in"].items() if name != "minor"}
    where = SimpleNamespace(origin=unhex(cases("policy")[0].values[0]["in"]["origin"]), secret=bytes(32))
    if case["open"] == "vouch":
        with pytest.raises(wire.Refused, match="vouch"):
            Room(where, "A").meet(given["intro"])
        return
    keys = Signer(given["seed_sign"]), Agreement(given["seed_kex"]), XWing(given["seed_xwing"])
    own, reader = Room(where, "A", *keys, person=given.get("person")), Room(where, "B")
    assert own.session == given["session"]
    assert reader.meet(unhex(case["out"]["intro"])) == unhex(case["out"]["id"])
    assert reader.person(own.signer.id) == own.person(own.signer.id) == unhex(case["out"]["person_id"])
    # This client writes no minor version.
    assert own.intro == unhex(case["out"]["intro"]) or "minor" in case["in"] or not case["deterministic"]


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
            XWing(given["seed_xwing"]), given["origin"]))
    if secrets:
        secret, chain, record = secrets
        out = case["out"]
        assert (secret.hex(), chain.hex(), record.id.hex()) == (out["door"], out["chain"], out["record_id"])
        assert record.scope.hex() == case["in"]["session"] + out["topic"]


def read_record(given):
    record = Record(given["record"], given["session"] + given["topic"])
    if not record.is_signed(given["author"]):
        raise wire.Refused("signature")
    chain = given["chain"] if "chain" in given else record.key_from(given["parent_chain"])
    if not record.fits(chain):
        raise wire.Refused("commit")
    return record, chain


@pytest.mark.parametrize("case", cases("record"))
def test_record(case):
    read = outcome(case, lambda: read_record({name: unhex(value) for name, value in case["in"].items()}))
    if read is None:
        return
    (record, chain), out = read, case["out"]
    assert (record.id.hex(), record.kind, record.number, chain.hex()) == (out["id"], out["kind"], out["number"], out["chain"])
    assert record.admitted == unhex(out["admitted"])


def read_welcome(given):
    topic = Door(given["session"], given["door"]).topic
    info = lab("welcome") + given["session"] + topic + given["welcomer"] + given["newcomer"] + sha(given["hello"])
    try:
        text = hybrid_open(XWing(given["seed_xwing"]), info, given["sealed"])
    except InvalidTag:
        raise wire.Refused("seal") from None
    found = wire.items(text, lists=(3, 4, 5, 7))
    if {1, 2, 6} - set(found):
        raise wire.Refused("length")
    signers = [wire.items(wire.items(intro)[1])[1] for intro in [*found[5], given["intro"]]]
    keys = {sha(key)[:16]: key for key in signers}
    try:
        return Proof(
            found, found[2], given["origin"], given["session"], topic, given["welcomer"], given["newcomer"], keys), found[2]
    except wire.Refused:
        raise wire.Refused("proof") from None


@pytest.mark.parametrize("case", cases("welcome"))
def test_welcome(case):
    read = outcome(case, lambda: read_welcome({name: unhex(value) for name, value in case["in"].items()}))
    if read is None:
        return
    (proof, chain), out = read, case["out"]
    assert (proof.record.id.hex(), proof.founding.id.hex(), chain.hex()) == (out["record_id"], out["founding_id"], out["chain"])
    assert b"".join(proof.roster).hex() == out["roster"]


@pytest.mark.parametrize("case", cases("continuation"))
def test_continuation(case):
    def read():
        token = Token(unhex(case["in"]["token"]), unhex(case["in"]["key"]))
        try:
            return token, token.prove()
        except wire.Refused:
            raise wire.Refused("proof") from None

    found = outcome(case, read)
    if found is None:
        return
    (token, record), out = found, case["out"]
    assert [token.door, token.hub_seed, *token.seeds, token.chain, token.signer.id, token.origin, record.id] == [
        unhex(out[name]) for name in ("door", "hub_seed", "seed_sign", "seed_kex", "seed_xwing", "chain", "id", "origin", "record_id")]
    assert [token.made, token.time, token.lane] == [int(out[name]) for name in ("made", "time", "lane")]
    assert [{"address": address, "hub": hub.hex()} for address, hub in token.hubs] == out["hubs"]
    assert [token.passes, token.levels, token.statements] == [unhex(out[name]) for name in ("passes", "levels", "statements")]


class HalfKnown(XWing):
    """A key of which somebody found the X25519 half, by a machine that is not there yet: not the ML-KEM half."""

    def __init__(self, seed):
        super().__init__(seed)
        self._ml = XWing(sha(seed))._ml


@pytest.mark.parametrize("case", [case for group in ("welcome", "rekey") for case in cases(group) if "out" in case.values[0]])
def test_z60_with_all_x25519_secrets_no_welcome_and_no_rekey_of_a_recording_opens(case):
    given = {name: unhex(value) for name, value in case["in"].items()}
    half = HalfKnown(given["seed_xwing"])
    assert half.public == XWing(given["seed_xwing"]).public
    if "hello" in given:
        info = lab("welcome") + given["session"] + Door(given["session"], given["door"]).topic
        info += given["welcomer"] + given["newcomer"] + sha(given["hello"])
        assert hybrid_open(XWing(given["seed_xwing"]), info, given["sealed"])
        with pytest.raises(InvalidTag):
            hybrid_open(half, info, given["sealed"])
    else:
        places = (given["content"], given["session"], given["topic"], given["sender"], given["recipient"])
        assert open_rekey(*places, XWing(given["seed_xwing"]), given["origin"])
        with pytest.raises(wire.Refused, match="rekey"):
            open_rekey(*places, half, given["origin"])


def test_z60_with_all_x25519_secrets_no_record_of_a_recorded_link_opens():
    case = cases("link")[0].values[0]
    given, _, hub, *_ = sides(case)
    seed = sha(b"a client's key")
    client = link.ClientSide(given["expected_hub"], seed, given["client_nonce"])
    hub = link.HubSide(
        Signer(given["hub_seed"]), given["clock"], given["hub_nonce"], False,
        lambda public: xwing_encapsulate(public, Agreement.fresh()))
    challenge = hub.take_open(client.open)
    client.take_challenge(challenge)
    record = link.Sealer(hub.keys.down).seal(14, hub.identity)
    assert link.Opener(client.keys.down).open(record) == (14, hub.identity)
    attacker = link.ClientSide(given["expected_hub"], seed, given["client_nonce"])
    attacker._key = HalfKnown(seed)
    attacker.take_challenge(challenge)
    with pytest.raises(wire.Refused):
        link.Opener(attacker.keys.down).open(record)


def in_run(given, name):
    """The room as somebody in the run has it."""
    person = next(person for person in given["people"] if person["name"] == name)
    seeds = {key: unhex(person[key]) for key in ("seed_sign", "seed_kex", "seed_xwing", "lane", "seed_hello")}
    return Room(
        Invite(given["invite"]), name, Signer(seeds["seed_sign"]), Agreement(seeds["seed_kex"]), XWing(seeds["seed_xwing"]),
        seeds["lane"], XWing(seeds["seed_hello"]))


def on_links(given, entries):
    """Every frame behind OPEN and CHALLENGE is in its record, in the order of its link's direction."""
    openers = {}
    for person in given["people"]:
        openers["hub", person["name"]] = link.Opener(unhex(person["down"]))
        openers[person["name"], "hub"] = link.Opener(unhex(person["up"]))
    for entry in entries:
        kind, body = next(wire.frames(bytearray(unhex(entry["frame"]))))
        if kind in (link.OPEN, link.CHALLENGE):
            assert entry["wire"] == entry["frame"]
        else:
            assert openers[entry["from"], entry["to"]].open(unhex(entry["wire"])) == (kind, body)


@pytest.mark.parametrize("case", cases("session"))
def test_session(case):
    """B's view of a whole run: its hello, the welcome, and everything that it hears afterwards."""
    given, frames = case["in"], case["out"]["frames"]
    ben = in_run(given, "B")
    heard = 0
    hello = next(entry for entry in frames if entry["from"] == "B" and entry.get("content", "").startswith("02"))
    assert ben.hello() in unhex(hello["frame"])
    on_links(given, frames)
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
    assert heard == sum(1 for entry in frames if entry["to"] == "B" and "content" in entry) >= 7
    assert ben.records[ben.current].record.number == 1 and len(ben.roster) == 2
