"""What is sealed for some of a room: private messages, and the way to the next room (wire 5.4, 6.3)."""

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from policy import Stack, policy_id
from primitives import expand, extract, hpke_open, lab, Signer
from wire import Refused, fixed, items, only, required

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


def open_rekey(content, session, topic, sender, recipient, agreement, origin):
    """Door secret and content key that an owner signed for; levels are judged by their author's signature elsewhere."""
    found = only(items(content[1:], lists=(1, 2, 3, 4)), {1, 2, 3, 4, 5})
    at_door = bool(found[3])
    # Word that is left at a door, introductions and no wrap, hands nothing over.
    if at_door and (len(found[1]) != 1 or len(found[2]) > 1) or (found[4] or 5 in found) and (not at_door or found[2]):
        raise Refused("range")
    levels = found[3] if at_door else found[1]
    if not levels:
        raise Refused("truncated")
    stack = Stack(origin, levels)
    wrap = _wrap_for(found[2], recipient, 128)
    info = lab("rekey") + session + topic + sender + recipient + policy_id(levels)
    try:
        plain = hpke_open(agreement, info, wrap)
    except InvalidTag:
        raise Refused("rekey") from None
    secret, chain = plain[:32], plain[32:]
    root = extract(session, secret)
    next_topic = Signer(expand(root, lab("topic"))).public
    epoch = expand(chain, lab("epoch-id") + session + next_topic)[:8]
    if len(plain) != 64 or (next_topic, epoch) != (stack.terms.topic, stack.terms.epoch):
        raise Refused("rekey")
    return secret, chain
