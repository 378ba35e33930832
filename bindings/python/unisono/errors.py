"""Exceptions: one class for each kind of failure that a host may want to tell apart."""

from __future__ import annotations

from enum import IntEnum
from typing import Dict, Type

from . import _ffi


class Status(IntEnum):
    """Result codes of the library, as in unisono.h."""

    OK = 0
    EINVAL = -101
    ENOMEM = -102
    ECLOSED = -103
    ESTATE = -104
    ETIMEDOUT = -105
    ENETWORK = -106
    EPROTOCOL = -107
    EVERSION = -108
    EAUTH = -109
    EDENIED = -110
    EFULL = -111
    ETOOBIG = -112
    ENOTFOUND = -113
    EBUSY = -114
    ECANCELED = -115
    EINTERNAL = -116
    ENOTSUP = -117
    EIO = -118
    EENDED = -119


class UnisonoError(Exception):
    """A call that the library refused.

    ``code`` is the number, ``name`` its name in unisono.h, ``message`` one sentence: what is wrong, in which call.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        try:
            self.name = "UNISONO_" + Status(code).name
        except ValueError:
            self.name = f"unknown error {code}"

    def __str__(self) -> str:
        return f"{self.message} ({self.name})" if self.message else self.name


class InvalidArgumentError(UnisonoError, ValueError):
    """EINVAL"""


class ClosedError(UnisonoError):
    """ECLOSED: the object was closed before"""


class StateError(UnisonoError):
    """ESTATE: not possible just now"""


class TimedOutError(UnisonoError, TimeoutError):
    """ETIMEDOUT"""


class NetworkError(UnisonoError):
    """ENETWORK"""


class VersionError(UnisonoError):
    """EVERSION: the other side speaks another version"""


class AuthenticationError(UnisonoError):
    """EAUTH"""


class DeniedError(UnisonoError, PermissionError):
    """EDENIED: this participant may not do that"""


class FullError(UnisonoError):
    """EFULL"""


class TooBigError(UnisonoError):
    """ETOOBIG"""


class NotFoundError(UnisonoError, LookupError):
    """ENOTFOUND"""


class BusyError(UnisonoError):
    """EBUSY"""


class NotSupportedError(UnisonoError):
    """ENOTSUP"""


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
