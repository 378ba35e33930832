"""F50, F51, F72: devices find and ask each other through the Python package, over real sockets on this machine."""

import logging
import os

import pytest
import unisono
from group_support import pump


@pytest.fixture
def identifier():
    """Runs side by side do not meet."""
    return f"org.example.python-{os.getpid()}-{os.urandom(4).hex()}"


@pytest.fixture
def two(library):
    with unisono.Context(device_name="tv") as one, unisono.Context(device_name="phone") as other:
        yield one, other, lambda until, what: pump([one, other], until, what, 20)


def service(identifier, **more):
    return unisono.Service(identifier, "Watch films together", **more)


class Notes:
    """Everything a browser or an advertiser tells, by the handler's name."""

    def __init__(self, source, *names):
        self.events = {name: [] for name in names}
        for name in names:
            setattr(source, name, lambda event, *more, name=name: self.events[name].append((event, *more)))

    def __getattr__(self, name):
        return self.events["on_" + name]


def browser_notes(browser):
    return Notes(browser, "on_found", "on_updated", "on_lost", "on_digits", "on_invite", "on_failed", "on_error")


def advertiser_notes(advertiser):
    return Notes(advertiser, "on_join_requested", "on_join_withdrawn", "on_invite", "on_error")


def test_found_asked_accepted_joined_and_lost(two, identifier, caplog):
    caplog.set_level(logging.DEBUG)
    tv, phone, run = two
    session = unisono.Session.host(tv, display_name="Ann", listen=["127.0.0.1:0"])
    session.join()
    advertiser = unisono.Advertiser(tv, service(identifier), session)
    browser = unisono.Browser(phone, service(identifier))
    asks, devices = advertiser_notes(advertiser), browser_notes(browser)
    run(lambda: devices.found, "the television was found")
    found = devices.found[0][0]
    assert (found.device_name, found.usage_description) == ("tv", "Watch films together")
    assert found.platform in list(unisono.Platform) and found.intent == unisono.Intent.JOIN
    browser.connect(found.device)
    with pytest.raises(unisono.BusyError):
        browser.connect(found.device)
    run(lambda: devices.digits and asks.join_requested, "both showed digits")
    event, request = asks.join_requested[0]
    assert event.digits == devices.digits[0][0].digits and len(event.digits) == 6
    assert event.device_name == "phone"
    browser.confirm(found.device, True)
    request.accept()
    with pytest.raises(unisono.ClosedError):
        request.deny()
    run(lambda: devices.invite, "the invite came")
    assert devices.invite[0][0].invite == session.invite
    joined = unisono.Session.open(phone, devices.invite[0][0].invite, display_name="Ben")
    joined.join()
    run(lambda: joined.state == unisono.SessionState.JOINED, "the phone had joined")
    advertiser.close()
    run(lambda: devices.lost, "the goodbye was heard")
    digits = event.digits
    for text in (*(record.getMessage() for record in caplog.records), repr(event), repr(devices.invite[0][0])):
        assert digits not in text and "unisono://" not in text


def test_an_address_typed_by_hand_and_an_invitation(two, identifier):
    tv, phone, run = two
    session = unisono.Session.host(phone, display_name="Ben", listen=["127.0.0.1:0"])
    advertiser = unisono.Advertiser(tv, service(identifier))
    browser = unisono.Browser(phone, service(identifier))
    asks, devices = advertiser_notes(advertiser), browser_notes(browser)
    device = browser.add_address(advertiser.addresses[0])
    assert device == browser.add_address(advertiser.addresses[0])
    with pytest.raises(unisono.InvalidArgumentError):
        browser.add_address("nowhere")
    browser.invite(device, session)
    run(lambda: devices.digits and asks.join_requested, "both showed digits")
    assert asks.join_requested[0][0].intent == unisono.Intent.INVITE
    asks.join_requested[0][1].accept()
    browser.confirm(device, True)
    run(lambda: asks.invite and devices.invite, "the invite was handed over")
    assert asks.invite[0][0].invite == session.invite
    with pytest.raises(unisono.NotFoundError):
        browser.confirm(device, True)
    with pytest.raises(unisono.NotFoundError):
        browser.connect(4711)


def test_a_cancelled_ask_is_told_on_both_sides(two, identifier):
    tv, phone, run = two
    advertiser = unisono.Advertiser(tv, service(identifier))
    browser = unisono.Browser(phone, service(identifier))
    session = unisono.Session.host(phone, listen=["127.0.0.1:0"])
    asks, devices = advertiser_notes(advertiser), browser_notes(browser)
    device = browser.add_address(advertiser.addresses[0])
    browser.invite(device, session)
    run(lambda: devices.digits and asks.join_requested, "both showed digits")
    browser.confirm(device, False)
    run(lambda: devices.failed and asks.join_withdrawn, "both were told")
    assert devices.failed[0][0].status == unisono.Status.ECANCELED
    assert isinstance(devices.failed[0][0].error, unisono.UnisonoError)
    with pytest.raises(unisono.ClosedError):
        asks.join_requested[0][1].accept()
    browser.close()
    advertiser.close()


@pytest.mark.parametrize(
    "wrong",
    [{"identifier": "Org.Example"}, {"identifier": ""}, {"usage_description": ""}, {"platforms": 256}, {"platform": 3}],
)
def test_services_that_are_not_declared_right_are_refused(context, wrong):
    declared = {"identifier": "org.example.a", "usage_description": "Watch"} | wrong
    with pytest.raises(unisono.InvalidArgumentError):
        unisono.Browser(context, unisono.Service(**declared))
    with pytest.raises(unisono.InvalidArgumentError):
        unisono.Advertiser(context, unisono.Service(**declared))
