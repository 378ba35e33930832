"""F72: errors are exceptions that say what is wrong, in which call."""

import subprocess
import sys

import pytest
import unisono
from group_support import ROOT
from unisono import errors


def test_every_class_belongs_to_one_code():
    assert len(set(errors.CLASSES.values())) == len(errors.CLASSES)
    assert isinstance(errors.error_for(unisono.Status.ENOTFOUND, "x"), LookupError)
    assert isinstance(errors.error_for(unisono.Status.EINVAL, "x"), ValueError)
    assert isinstance(errors.error_for(unisono.Status.ETIMEDOUT, "x"), TimeoutError)
    assert str(errors.error_for(unisono.Status.EDENIED, "may not seek")) == "may not seek (UNISONO_EDENIED)"


def test_an_unknown_code_is_still_an_error():
    error = errors.error_for(-4711, "from a newer library")
    assert type(error) is unisono.UnisonoError
    assert "-4711" in error.name


def test_a_missing_library_is_named_with_every_place_tried():
    code = "import unisono; unisono.Context()"
    environment = {"UNISONO_LIBRARY": "/nowhere/libunisono.so.0", "PYTHONPATH": str(ROOT / "bindings" / "python")}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert run.returncode != 0
    assert "libunisono was not found" in run.stderr and "/nowhere/libunisono.so.0" in run.stderr


def test_a_bad_invite_says_so(context):
    with pytest.raises(unisono.InvalidArgumentError) as caught:
        unisono.Session.open(context, "this is no invite")
    assert caught.value.name == "UNISONO_EINVAL"
    assert caught.value.message


def test_text_with_a_nul_inside_is_refused_before_it_is_cut(context):
    with pytest.raises(ValueError):
        unisono.Session.open(context, "unisono:\0")


def test_commands_need_an_item(context):
    coordinator = unisono.Coordinator(context)
    with pytest.raises(unisono.StateError):
        coordinator.play()
    with pytest.raises(unisono.StateError):
        coordinator.seek(0)


def test_impossible_arguments_are_refused(context):
    coordinator = unisono.Coordinator(context)
    coordinator.transition_to_item("film")
    for rate in (float("nan"), float("inf"), 17.0):
        with pytest.raises(unisono.InvalidArgumentError):
            coordinator.play(rate)
    with pytest.raises(unisono.InvalidArgumentError):
        coordinator.transition_to_item("x" * 1024)
    with pytest.raises(unisono.InvalidArgumentError):
        coordinator.transition_to_item("")
    with pytest.raises(unisono.NotFoundError):
        coordinator.complete(987654321)


def test_what_was_closed_stays_closed(library):
    context = unisono.Context()
    coordinator = unisono.Coordinator(context)
    context.close()
    context.close()
    with pytest.raises(unisono.ClosedError):
        context.fileno()
    with pytest.raises(unisono.ClosedError):
        coordinator.play()
