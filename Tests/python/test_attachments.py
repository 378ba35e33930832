"""F42: attachments, over the C API and real sockets."""

import hashlib
import os

import pytest
import unisono
from unisono import AttachmentChange


def listen(player):
    told = []
    player.session.on_attachment = told.append
    return told


def changes(told):
    return [event.change for event in told if event.change != AttachmentChange.PROGRESS]


def test_f42_an_attachment_reaches_all_and_a_late_joiner_and_comes_whole_while_commands_work(pair, tmp_path):
    a, b, until = pair
    told = {a: listen(a), b: listen(b)}
    content = os.urandom(500_000)
    (tmp_path / "film.vtt").write_bytes(content)
    request = a.session.attach(tmp_path / "film.vtt", media_type="text/vtt")
    until(lambda: all(told.values()), "both know of it")
    for player in (a, b):
        added = told[player][0]
        assert added.change == AttachmentChange.ADDED and added.request == (request if player is a else 0)
        assert added.attachment.id == hashlib.sha256(content).digest()
        assert added.attachment.owner == a.session.local_participant
        assert (added.attachment.name, added.attachment.media_type) == ("film.vtt", "text/vtt")
        assert added.attachment.length == 500_000 and added.attachment.available == (player is a)
    late = unisono.Session.open(b.context, a.session.invite, display_name="Zoe", standby_hub=False)
    heard = []
    late.on_attachment = heard.append
    late.join()
    until(lambda: heard, "the late joiner knows of it")
    b.session.load_attachment(told[b][0].attachment, tmp_path / "one")
    late.load_attachment(heard[0].attachment.id, tmp_path / "two")
    until(lambda: any(event.change == AttachmentChange.PROGRESS for event in told[b]), "it comes")
    a.coordinator.play()
    until(lambda: b.coordinator.timing.rate == 1, "a command took effect meanwhile")
    assert AttachmentChange.LOADED not in changes(told[b])
    done = [AttachmentChange.ADDED, AttachmentChange.LOADED]
    until(lambda: changes(told[b]) == done and changes(heard) == done, "both have it")
    assert (tmp_path / "one").read_bytes() == content and (tmp_path / "two").read_bytes() == content
    assert sorted(path.name for path in tmp_path.iterdir()) == ["film.vtt", "one", "two"]
    assert [one.available for one in b.session.attachments] == [True]
    # Its author takes it back; what was loaded stays.
    a.session.remove_attachment(b.session.attachments[0])
    until(lambda: changes(told[b])[-1] == AttachmentChange.REMOVED, "it is taken back")
    assert b.session.attachments == () and (tmp_path / "one").exists()
    late.leave()


def test_f42_nothing_that_is_there_is_replaced_and_what_cannot_be_done_is_told(pair, tmp_path):
    a, b, until = pair
    told = {a: listen(a), b: listen(b)}
    request = a.session.attach(tmp_path / "nothing")
    until(lambda: told[a], "it was looked at")
    failed = told[a][0]
    assert failed.change == AttachmentChange.FAILED and failed.request == request
    assert failed.status == unisono.Status.EIO and "no such file" in failed.message and failed.attachment.owner is None
    a.session.attach_bytes(b"\0\1", "two")
    until(lambda: told[b], "the other knows of it")
    (tmp_path / "there").write_bytes(b"mine")
    b.session.load_attachment(told[b][0].attachment, tmp_path / "there")
    until(lambda: changes(told[b])[-1] == AttachmentChange.FAILED, "it was refused")
    assert told[b][-1].status == unisono.Status.EIO and (tmp_path / "there").read_bytes() == b"mine"


@pytest.mark.parametrize("name", ["", "..", "a/b", "c:\\x", "\x1b[2J", "\u202etxt", "x" * 256])
def test_f42_a_name_that_is_not_that_of_a_file_is_refused(pair, name):
    a, _, _ = pair
    with pytest.raises(unisono.InvalidArgumentError):
        a.session.attach_bytes(b"x", name)


def test_f42_ids_and_bytes_are_judged_before_they_reach_the_library(pair, tmp_path):
    a, _, _ = pair
    with pytest.raises(unisono.InvalidArgumentError, match="32 bytes"):
        a.session.load_attachment(b"short", tmp_path / "x")
    with pytest.raises(TypeError):
        a.session.load_attachment("text", tmp_path / "x")
    with pytest.raises(unisono.NotFoundError):
        a.session.load_attachment(bytes(32), tmp_path / "x")
    with pytest.raises(unisono.UnisonoError):
        a.session.attach_bytes(bytes(1_048_577), "large")


def test_f42_more_than_sixteen_of_one_are_refused_with_the_reason(pair):
    a, b, until = pair
    told = listen(a)
    for number in range(16):
        a.session.attach_bytes(bytes([number]), f"{number}")
    until(lambda: len(told) == 16, "sixteen were answered")
    a.session.attach_bytes(b"one more", "16")
    until(lambda: len(told) == 17, "all were answered")
    refused = [event for event in told if event.change == AttachmentChange.FAILED]
    assert len(refused) == 1 and refused[0].status == unisono.Status.EFULL and refused[0].attachment.name == "16"
    until(lambda: len(b.session.attachments) == 16, "the other has sixteen")
