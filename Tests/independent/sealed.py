"""What is sealed for some of a room: private messages, and the way to the next room (wire 5.4, 6.6)."""

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from policy import Stack, policy_id
from primitives import expand, extract, hpke_open, hybrid_open, lab, Signer
from records import FOUNDING, Record, roster_hash
from wire import Refused, fixed, integer, items, only, required

PRIVATE, REKEY = 11, 12


def _wrap_for(wraps, recipient, width):
    for wrap in wraps:
        fixed(wrap, width)
    for wrap in wraps:
        if wrap[:16] == recipient:
            return wrap[16:]
    raise Refused("notAddressed")


def open_private(content, session, topic, header, recipient, agreement):
    """Type and items of the message inside."""
    found = only(items(content[1:], lists=(1,)), {1, 2})
    sealed = required(found, 2)
    wrap = _wrap_for(found[1], recipient, 96)
    try:
        key = hpke_open(agreement, lab("private") + session + topic + header + recipient, wrap)
        if len(sealed) < 16:
            raise Refused("notAddressed")
        return AESGCM(key).decrypt(bytes(12), sealed, lab("private") + header)
    except InvalidTag:
        raise Refused("notAddressed") from None


def open_rekey(content, session, topic, sender, recipient, hybrid, origin):
    """Door secret, content key and founding record that an owner signed for; levels are judged by their author's signature
    elsewhere."""
    found = only(items(content[1:], lists=(1, 3, 4, 5)), set(range(1, 9)))
    at_door = bool(found[4])
    if not found[1]:
        raise Refused("truncated")
    for wrap in found[3]:
        fixed(wrap, 1_216)
    if at_door:
        # A notice, without wrap and record, hands nothing over.
        good = len(found[1]) == 1 and len(found[3]) <= 1 and bool(found[3]) == (2 in found) and not (found[3] and 6 in found)
        good = good and 7 not in found and 8 not in found
    else:
        part, of = (integer(found[tag], ">B") if tag in found else usual for tag, usual in ((7, 0), (8, 1)))
        good = not found[5] and 6 not in found and 2 in found and part < of <= 4
    if not good:
        raise Refused("range")
    levels = found[4] if at_door else found[1]
    stack = Stack(origin, levels)
    wrap = _wrap_for(found[3], recipient, 1_216)
    info = lab("rekey") + session + topic + sender + recipient + policy_id(levels) + stack.terms.founding
    try:
        plain = hybrid_open(hybrid, info, wrap)
    except InvalidTag:
        raise Refused("rekey") from None
    secret, chain = plain[:32], plain[32:]
    next_topic = Signer(expand(extract(session, secret), lab("topic"))).public
    try:
        record = Record(found[2], session + next_topic)
    except Refused:
        raise Refused("rekey") from None
    good = record.kind == FOUNDING and record.id == stack.terms.founding and next_topic == stack.terms.topic
    if not good or not record.fits(chain) or roster_hash(record.admitted) != record.roster_hash:
        raise Refused("rekey")
    return secret, chain, record
