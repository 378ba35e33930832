"""Exceptions: one class for each kind of failure that a host may want to tell apart.

An argument of the wrong type is a TypeError, as everywhere in Python. One of the right type that cannot be is an
InvalidArgumentError, which is a ValueError as well.
"""

from __future__ import annotations

from typing import Dict, Type

from . import _ffi
from .enums import Status


class UnisonoError(Exception):
    """A call that the library refused.

    ``code`` is the number, ``name`` its name in unisono.h, ``message`` one sentence: what is wrong, in which call.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        known = code in Status.__members__.values()
        self.name = "UNISONO_" + Status(code).name if known else f"unknown error {code}"

    def __str__(self) -> str:
        return f"{self.message} ({self.name})" if self.message else self.name


class InvalidArgumentError(UnisonoError, ValueError):
    """EINVAL: a value that cannot be"""


class ClosedError(UnisonoError):
    """ECLOSED: the object was closed before"""


class StateError(UnisonoError):
    """ESTATE: not possible just now"""


class TimedOutError(UnisonoError, TimeoutError):
    """ETIMEDOUT: nobody answered in time"""


class NetworkError(UnisonoError):
    """ENETWORK: not reached, or an address that cannot be used"""


class VersionError(UnisonoError):
    """EVERSION: the other side speaks another version"""


class AuthenticationError(UnisonoError):
    """EAUTH: not who it says, or tampered with"""


class DeniedError(UnisonoError, PermissionError):
    """EDENIED: this participant may not do that"""


class FullError(UnisonoError):
    """EFULL: no more of them"""


class TooBigError(UnisonoError):
    """ETOOBIG: over a limit"""


class NotFoundError(UnisonoError, LookupError):
    """ENOTFOUND: there is no such thing"""


class BusyError(UnisonoError):
    """EBUSY: too much at a time, or under way already"""


class NotSupportedError(UnisonoError):
    """ENOTSUP: not here, or not by this library"""


CLASSES: Dict[int, Type[UnisonoError]] = {
    Status.EINVAL: InvalidArgumentError,
    Status.ECLOSED: ClosedError,
    Status.ESTATE: StateError,
    Status.ETIMEDOUT: TimedOutError,
    Status.ENETWORK: NetworkError,
    Status.EVERSION: VersionError,
    Status.EAUTH: AuthenticationError,
    Status.EDENIED: DeniedError,
    Status.EFULL: FullError,
    Status.ETOOBIG: TooBigError,
    Status.ENOTFOUND: NotFoundError,
    Status.EBUSY: BusyError,
    Status.ENOTSUP: NotSupportedError,
}


def error_for(code: int, message: str) -> UnisonoError:
    """The exception for a result code."""
    return CLASSES.get(code, UnisonoError)(code, message)


def check(result: int) -> int:
    """Passes a result through, or raises what it stands for, with the library's own sentence."""
    if result >= 0:
        return result
    raise error_for(result, _ffi.library().last_error().decode("utf-8", "replace"))
