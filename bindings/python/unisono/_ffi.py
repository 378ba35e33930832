"""The search for the library, and its functions bound to what the headers declare (``_declarations``).

Only ``ctypes.CDLL`` is used, which releases the interpreter lock during a call. The package needs no C callback:
everything is fetched from the event queue, so no Python code ever runs on a thread of the library.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path
from typing import Any, List, Optional

from ._declarations import *  # noqa: F401, F403  the rest of the package finds all of the C side here
from ._declarations import PROTOTYPES


def candidates() -> List[str]:
    """Where the library is looked for, in this order: UNISONO_LIBRARY, beside the package, the system's loader."""
    named = os.environ.get("UNISONO_LIBRARY")
    if named:
        return [named]  # asked for by name: nothing else will do
    if sys.platform == "darwin":
        names = ["libunisono.0.dylib", "libunisono.dylib"]
    elif sys.platform == "win32":
        names = ["unisono.dll"]
    else:
        names = ["libunisono.so.0", "libunisono.so"]
    here = Path(__file__).resolve().parent
    return [str(here / name) for name in names if (here / name).exists()] + names


class Library:
    """The loaded library. Functions are attributes without the prefix, bound to their prototype at first use."""

    def __init__(self, loaded: ctypes.CDLL, path: str) -> None:
        self._loaded = loaded
        self.path = path

    def __getattr__(self, name: str) -> Any:
        if name not in PROTOTYPES:
            raise AttributeError(name)
        try:
            function = getattr(self._loaded, "unisono_" + name)
        except AttributeError:
            raise AttributeError(f"{self.path} has no function unisono_{name}: it is older than this package") from None
        function.restype, function.argtypes = PROTOTYPES[name]
        setattr(self, name, function)
        return function


_library: Optional[Library] = None


def library() -> Library:
    """The library, loaded at the first call. Raises OSError, naming every place that was tried."""
    global _library
    if _library is None:
        failures = []
        for path in candidates():
            try:
                _library = Library(ctypes.CDLL(path), path)
                break
            except OSError as error:
                failures.append(f"{path}: {error}")
        else:
            raise OSError("libunisono was not found; set UNISONO_LIBRARY to its path. Tried: " + "; ".join(failures))
    return _library
