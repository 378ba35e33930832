"""F40, J13 to J16: who opens an invite meets the group or is told that nobody is there, whatever died when; halves find each other."""

import pytest
from group import hubs

TOGETHER = 10


def three(group):
    """Ann holds the hub, Ben and Cem joined by her invite; all play."""
    ann, ben, cem, *rest = group.add("Ann", "Ben", "Cem", "Dan")
    ann.host()
    for guest in (ben, cem):
        guest.open(ann.invite)
    group.together(ann, ben, cem, within=TOGETHER)
    group.wait_until(lambda: len(hubs(ann.invite)) >= 3, "the invite lists three hubs", within=2)
    group.play(ann, ben, cem)
    return ann, ben, cem, *rest


@pytest.mark.parametrize("after", [-0.001, 0, 0.001, 0.004, 0.02], ids="{:g}".format)
def test_j13_the_hub_is_killed_while_a_newcomer_joins(group, after):
    ann, ben, cem, dan = three(group)
    dan.open(ann.invite, kills=ann, after=after)
    ann.process.wait()
    group.together(ben, cem, dan, within=TOGETHER)
    group.wait_until(lambda: group.agree(ben, cem, dan) and dan.timing == "PLAYING", "they played in step", within=5)


def test_j13_an_invite_whose_hub_is_dead_leads_to_the_group_at_once(group):
    ann, ben, cem, dan = three(group)
    invite = ann.invite
    ann.kill()
    group.wait_until(lambda: ben.hub == cem.hub and ben.connection == cem.connection == "CONNECTED", "they went on", 5)
    dan.open(invite)
    group.together(ben, cem, dan, within=2)
    group.wait_until(lambda: group.agree(ben, cem, dan), "they were in step", within=5)


def test_j15_who_finds_nobody_of_its_group_is_told_and_leads_nobody_astray(group):
    ann, ben, cem, dan = group.add("Ann", "Ben", "Cem", "Dan")
    ann.host()
    old = ann.invite
    ben.open(old)
    group.together(ann, ben, within=TOGETHER)
    group.wait_until(lambda: not ann.alone and not ben.alone, "they were told that they are in touch", within=2)
    ann.kill()
    with group.never(lambda: "JOINED" in (cem.status, dan.status), "one without the group joined"):
        cem.open(old)
        group.wait_until(lambda: cem.alone and cem.reason == -106, "it was told that no hub is reached", within=5)
        assert cem.connection == "CONNECTING" and cem.invite == old and cem.hub == ""
        dan.open(cem.invite)
        group.wait_until(lambda: dan.alone and dan.reason == -106, "the next one was told as well", within=5)
        # Who is alone with its player is not kept from playing.
        cem.play()
        group.wait_until(lambda: cem.rate == 1, "its own player played", within=5)
    group.wait_until(lambda: ben.alone and ben.hub_is_own, "the last one was told that it is alone at its own hub", 5)


def test_j14_the_invite_of_the_last_one_works_at_once(group):
    ann, ben, cem, dan = group.add("Ann", "Ben", "Cem", "Dan")
    ann.host()
    ben.open(ann.invite)
    group.together(ann, ben, within=TOGETHER)
    group.wait_until(lambda: len(hubs(ben.invite)) >= 2, "its invite lists its own hub, too", within=2)
    before = ben.invite
    ann.kill()
    cem.open(before)
    group.together(ben, cem, within=3)
    cem.kill()
    group.wait_until(lambda: ben.alone and ben.hub_is_own, "it was told that it is alone", within=3)
    assert hubs(ben.invite)[0] == ben.hub
    dan.open(ben.invite)
    group.together(ben, dan, within=2)


def test_j16_a_frozen_host_finds_its_group_again(group):
    ann, ben, cem, dan = three(group)
    ann.freeze()
    # Nothing says that its hub is dead: it is silent. A newcomer gets in nevertheless.
    dan.open(ben.invite)
    group.wait_until(lambda: dan.status == "JOINED" and not dan.alone, "the newcomer met somebody", within=TOGETHER)
    group.together(ben, cem, dan, within=25)
    ann.thaw()
    group.together(ann, ben, cem, dan, within=TOGETHER)
    group.wait_until(lambda: group.agree(ann, ben, cem, dan), "they were in step", within=5)


def test_j16_a_cable_that_was_out_and_is_in_again(machines):
    with machines("Ann", "Ben", "Cem", "Dan") as group:
        ann, ben, cem, dan = three(group)
        ann.cut()
        group.together(ben, cem, within=25)
        group.wait_until(lambda: ann.alone, "the one was told that it is alone", within=25)
        dan.open(ben.invite)
        group.together(ben, cem, dan, within=3)
        ann.restore()
        group.together(ann, ben, cem, dan, within=TOGETHER)
        group.wait_until(lambda: group.agree(ann, ben, cem, dan), "they were in step", within=5)
