"""Virtual time and a network in memory, for tests of hosts: no sockets, no waiting. Never for anything else: keys follow the seed."""

from __future__ import annotations

import ctypes
import weakref
from types import TracebackType
from typing import Any, List, Optional, Type

from . import _arguments as a
from . import _ffi
from .context import Context
from .enums import MILLISECOND
from .errors import check
from .events import Event


class SimulatedContext(Context):
    """A context on the clock of a ``Simulation``, whose ``context`` makes it. Its handlers run inside ``Simulation.advance``; fetching
    events waits for nothing, and there is no descriptor."""

    def __init__(self, simulation: "Simulation", clock_offset_ns: int, clock_drift_ppm: float, **options: Any) -> None:
        self._made_by = simulation
        self._clock = a.ns(clock_offset_ns, "clock_offset_ns"), a.number_of(clock_drift_ppm, "clock_drift_ppm")
        super().__init__(**options)

    def _create(self, library: Any, options: Any, out: Any) -> int:
        return int(library.simulation_context(self._made_by._handle, options, None, None, *self._clock, out))

    def next_event(self, *, max_wait_ns: Optional[int] = 0) -> Optional[Event]:
        """What is there now; only ``Simulation.advance`` brings more."""
        return super().next_event(max_wait_ns=0)


class Simulation:
    """A clock that stands still until ``advance`` moves it, and a network in memory::

        with unisono.Simulation(seed=7) as simulation:
            ann, ben = simulation.context(), simulation.context(clock_offset_ns=5_000_000_000)
            simulation.set_link(ben, delay_ns=60_000_000, loss=0.02)
            ...
            simulation.advance(unisono.seconds(3600))
    """

    def __init__(self, *, seed: int = 0) -> None:
        options = _ffi.SimulationOptions(random_seed=a.u64(seed, "seed"))
        handle = ctypes.c_void_p()
        self._library = _ffi.library()
        check(self._library.simulation_create(ctypes.byref(options), ctypes.byref(handle)))
        self._handle = handle.value
        self._contexts: List[SimulatedContext] = []
        self._finalizer = weakref.finalize(self, self._library.simulation_destroy, self._handle)

    def context(self, *, clock_offset_ns: int = 0, clock_drift_ppm: float = 0.0, **options: Any) -> SimulatedContext:
        """Another machine; ``options`` as of ``Context``, but for ``own_thread``."""
        made = SimulatedContext(self, clock_offset_ns, clock_drift_ppm, **options)
        self._contexts.append(made)
        return made

    def set_link(
        self,
        context: Context,
        *,
        delay_ns: int = MILLISECOND // 10,
        delay_in_ns: Optional[int] = None,
        jitter_ns: int = 0,
        loss: float = 0.0,
        down: bool = False,
    ) -> None:
        """How a context is connected to all others from now on: ``delay_ns`` each way, or only from it with ``delay_in_ns`` towards
        it; jitter, the share of datagrams lost. Down: nothing passes."""
        delay = a.ns(delay_ns, "delay_ns")
        link = _ffi.SimulatedLink(
            down=a.flag(down, "down"),
            delay_out=delay,
            delay_in=delay if delay_in_ns is None else a.ns(delay_in_ns, "delay_in_ns"),
            jitter=a.ns(jitter_ns, "jitter_ns"),
            loss=a.number_of(loss, "loss"),
        )
        check(self._library.simulation_set_link(self._handle, context._handle, ctypes.byref(link)))

    def advance(self, duration_ns: int, *, step_ns: int = 10 * MILLISECOND) -> None:
        """Moves the clock on and calls the handlers of all contexts, at the latest ``step_ns`` after what they are told."""
        left, step = a.ns(duration_ns, "duration_ns"), a.ns(step_ns, "step_ns")
        if step <= 0:
            raise a.invalid("step_ns is the time between two looks at the events: more than 0")
        while True:
            part = min(left, step)
            check(self._library.simulation_advance(self._handle, part))
            self._contexts = [context for context in self._contexts if not context.closed]
            for context in self._contexts:
                context.poll()
            left -= part
            if left <= 0:
                return

    def close(self) -> None:
        """Ends the contexts, too."""
        for context in self._contexts:
            context.close()
        self._contexts = []
        self._finalizer()

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()
