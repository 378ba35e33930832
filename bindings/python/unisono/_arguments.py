"""What a caller gives, judged before it reaches C, which would cut a number off or read a text as bytes. Each function
returns what goes to C. A wrong type is a TypeError, an impossible value an InvalidArgumentError; both name the argument."""

from __future__ import annotations

import ctypes
import inspect
import math
import operator
import os
from typing import Any, Iterable, List, Optional, Sequence, Tuple, Type

from . import _ffi
from .enums import SECOND, Status
from .errors import InvalidArgumentError

I64_LOW, I64_HIGH = -(2**63), 2**63 - 1


def invalid(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(Status.EINVAL, message)


def _shown(value: int) -> str:
    """Python refuses to spell very long numbers."""
    return str(value) if abs(value) < 10**40 else f"a number of {value.bit_length()} bits"


def whole(value: Any, name: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not hasattr(type(value), "__index__"):
        raise TypeError(f"{name} must be a whole number, not {type(value).__name__} ({value!r:.80})")
    number = operator.index(value)
    if not low <= number <= high:
        raise invalid(f"{name} must be within {low}...{high}, not {_shown(number)}")
    return number


def i32(value: Any, name: str) -> int:
    """An enumeration's number, or one that only a newer library knows."""
    return whole(value, name, -(2**31), 2**31 - 1)


def u32(value: Any, name: str) -> int:
    return whole(value, name, 0, 2**32 - 1)


def u64(value: Any, name: str) -> int:
    return whole(value, name, 0, 2**64 - 1)


def ns(value: Any, name: str) -> int:
    """A time or a length of time."""
    if isinstance(value, float):
        raise TypeError(f"{name} is in whole nanoseconds, not {value!r}: unisono.seconds({value!r}) makes them of seconds")
    return whole(value, name, I64_LOW, I64_HIGH)


def ns_or_invalid(value: Any, name: str) -> int:
    return _ffi.TIME_INVALID if value is None else ns(value, name)


def seconds(value: float) -> int:
    """Seconds as the whole nanoseconds that this package speaks of: ``seconds(12.5) == 12_500_000_000``."""
    number_of(value, "value")
    if isinstance(value, float) and not math.isfinite(value):
        raise invalid(f"value must be a number of seconds, not {value!r}")
    return whole(value * SECOND if isinstance(value, int) else round(value * SECOND), "value in ns", I64_LOW + 1, I64_HIGH - 1)


def number_of(value: Any, name: str) -> float:
    """A rate, a volume. The library judges what is finite and within its limits."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} must be a number, not {type(value).__name__} ({value!r:.80})")
    try:
        return float(value)
    except OverflowError:
        raise invalid(f"{name} is too great: {_shown(int(value))}") from None


def flag(value: Any, name: str) -> int:
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, not {type(value).__name__} ({value!r:.80})")
    return int(value)


def text(value: Any, name: str) -> bytes:
    """UTF-8, refused when it has a NUL inside, which C would cut off silently."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text (str), not {type(value).__name__}")
    try:
        data = value.encode("utf-8")
    except UnicodeEncodeError:
        raise invalid(f"{name} has a half of a surrogate pair in it, which is no text") from None
    if b"\0" in data:
        raise invalid(f"{name} has a NUL inside")
    return data


def path(value: Any, name: str) -> bytes:
    """The name of a file, as text or as ``pathlib`` has it."""
    return text(os.fspath(value) if isinstance(value, os.PathLike) else value, name)


def text_or_none(value: Any, name: str) -> Optional[bytes]:
    return None if value is None else text(value, name)


def data(value: Any, name: str) -> bytes:
    if isinstance(value, str):
        raise TypeError(f"{name} must be bytes, not str: {name}.encode() makes bytes of a text")
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise TypeError(f"{name} must be bytes, not {type(value).__name__}")
    return bytes(value)


def identity(value: Any, name: str) -> _ffi.ParticipantID:
    identifier = data(value, name)
    if len(identifier) != 16:
        raise invalid(f"{name} must be a participant's id of 16 bytes, not of {len(identifier)}")
    return _ffi.ParticipantID.from_buffer_copy(identifier)


def sized(value: Any, count: int, name: str) -> bytes:
    """Bytes of which there are just so many."""
    given = data(value, name)
    if len(given) != count:
        raise invalid(f"{name} must be of {count} bytes, not of {len(given)}")
    return given


def entry(value: Any, name: str) -> Any:
    """The id of an entry of the playlist; None: none."""
    return None if value is None else ctypes.byref(_ffi.EntryID.from_buffer_copy(sized(value, 16, name)))
def attachment_id(value: Any, name: str) -> _ffi.AttachmentID:
    """An ``Attachment``, or the 32 bytes of its id."""
    given = data(getattr(value, "id", value), name)
    if len(given) != 32:
        raise invalid(f"{name} is not an attachment, nor the 32 bytes of its id")
    return _ffi.AttachmentID.from_buffer_copy(given)


def identities(values: Any, name: str) -> Tuple[Any, int]:
    """A C array of ids and its length; NULL where there is none."""
    ids = [identity(one, name) for one in _several(values, name)]
    return ((_ffi.ParticipantID * len(ids))(*ids) if ids else None), len(ids)


def texts(values: Any, name: str) -> Tuple[Any, int]:
    """A C array of strings and its length; NULL where there is none."""
    encoded: List[bytes] = [text(one, name) for one in _several(values, name)]
    return ((ctypes.c_char_p * len(encoded))(*encoded) if encoded else None), len(encoded)


def ranges(values: Any, kind: Type[Any], name: str) -> Tuple[Any, int]:
    """A C array of ranges, each a ``kind``, and its length; NULL where there is none."""
    given = [instance(one, kind, name) for one in _several(values, name)]
    made = [_ffi.Range(ns(one.begin_ns, name), ns(one.end_ns, name), i32(one.kind, name), 0) for one in given]
    return ((_ffi.Range * len(made))(*made) if made else None), len(made)


def spans(values: Any, name: str) -> Tuple[Any, int]:
    """A C array of interstitials, each (begin, end), and its length; NULL where there is none."""
    made = []
    for one in _several(values, name):
        pair = _several(one, name)
        if len(pair) != 2:
            raise ValueError(f"{name}: each is (begin, end)")
        made.append(_ffi.Interstitial(ns(pair[0], name), ns(pair[1], name)))
    return ((_ffi.Interstitial * len(made))(*made) if made else None), len(made)


def flags(values: Any, name: str) -> int:
    """Members of an enumeration whose numbers are bits, together."""
    bits = 0
    for one in _several(values, name):
        bits |= u32(one, name)
    return bits


def _several(values: Any, name: str) -> Sequence[Any]:
    if isinstance(values, (str, bytes, bytearray)) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be several, as a list: [{values!r:.80}]")
    return list(values)


def instance(value: Any, kind: Type[Any], name: str) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be a {kind.__name__}, not {type(value).__name__}")
    return value


def function(value: Any, name: str) -> Any:
    if not callable(value):
        raise TypeError(f"{name} must be a function, not {type(value).__name__}")
    return value


def methods(thing: Any, names: Sequence[str], base: Type[Any], what: str) -> Any:
    """An object that has all of these methods, each for one argument, and not the empty ones of ``base``."""
    if isinstance(thing, type):
        raise TypeError(f"the {what} must be an object, not the class: {thing.__name__}()")
    kind = type(thing).__name__
    for name in names:
        method = getattr(thing, name, None)
        if method is None or getattr(method, "__func__", None) is getattr(base, name):
            raise TypeError(f"the {what} ({kind}) has no method {name}(command)")
        if not callable(method):
            raise TypeError(f"{name} of the {what} ({kind}) is no method")
        try:
            inspect.signature(method).bind(None)
        except TypeError:
            raise TypeError(f"{name} of the {what} ({kind}) must take one argument, the command") from None
        except ValueError:
            continue  # a function of C that does not tell what it takes
    return thing
