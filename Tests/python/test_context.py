"""F72, F61: the context, its timers and its life."""

import asyncio
import gc
import os
import select
import subprocess
import sys
import threading
import time
import weakref

import pytest
import unisono
from group_support import ROOT, pump
from unisono import MILLISECOND


def test_host_time_is_the_monotonic_clock(library):
    before = time.monotonic_ns()
    assert before <= unisono.host_time_ns() <= time.monotonic_ns()


def test_with_closes_the_context(library):
    with unisono.Context() as context:
        assert context.fileno() >= 0
    assert context.closed


def test_a_forgotten_context_is_collected(library):
    context = unisono.Context()
    unisono.Coordinator(context)
    gone = weakref.ref(context)
    del context
    gc.collect()
    assert gone() is None


def test_the_interpreter_ends_cleanly_with_everything_open(library):
    code = """
import unisono
context = unisono.Context(own_thread=True)
coordinator = unisono.Coordinator(context)
session = unisono.Session.host(context, listen=["127.0.0.1:0"])
coordinator.coordinate_with(session)
session.join()
context.call_at(context.host_time_ns + 10**12, print)
"""
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "bindings" / "python"))
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")


def test_timers_fire_once_and_in_order(context):
    fired = []
    now = context.host_time_ns
    for delay in (30, 10, 20):
        context.call_at(now + delay * MILLISECOND, lambda event, d=delay: fired.append((d, event.canceled)))
    pump([context], lambda: len(fired) == 3, "all timers fired")
    assert fired == [(10, False), (20, False), (30, False)]


def test_a_canceled_timer_says_so(context):
    fired = []
    token = context.call_at(context.host_time_ns + 10**12, lambda event: fired.append(event.canceled))
    assert context.cancel(token)
    pump([context], lambda: bool(fired), "the canceled timer was told")
    assert fired == [True]
    assert not context.cancel(token)


def test_the_descriptor_is_readable_when_a_timer_is_due(context):
    fired = []
    context.poll()
    context.call_at(context.host_time_ns + 20 * MILLISECOND, fired.append)
    end = time.monotonic() + 5
    while not fired and time.monotonic() < end:
        readable, _, _ = select.select([context.fileno()], [], [], 5)
        assert readable, "a timer was due and the descriptor stayed silent"
        context.poll()
    assert len(fired) == 1


def test_wake_ends_a_wait(context):
    waker = threading.Timer(0.05, context.wake)
    waker.start()
    began = time.monotonic()
    assert context.next_event(max_wait_ns=20 * unisono.SECOND) is None
    assert time.monotonic() - began < 10
    waker.join()


def test_an_exception_in_a_handler_ends_nothing(context):
    caught, fired = [], []
    context.on_exception = caught.append

    def broken(event):
        raise RuntimeError("broken on purpose")

    context.call_at(context.host_time_ns, broken)
    context.call_at(context.host_time_ns + MILLISECOND, fired.append)
    pump([context], lambda: bool(fired), "the next timer fired")
    assert [str(e) for e in caught] == ["broken on purpose"]


def test_own_thread_delivers_through_the_same_queue(library):
    fired = []
    with unisono.Context(own_thread=True) as context:
        context.call_at(context.host_time_ns + 10 * MILLISECOND, lambda event: fired.append(threading.get_ident()))
        pump([context], lambda: bool(fired), "the timer fired")
    assert fired == [threading.get_ident()]


def test_asyncio_calls_handlers(library):
    async def main():
        with unisono.Context() as context:
            done = asyncio.get_running_loop().create_future()
            context.attach()
            context.call_at(context.host_time_ns + 10 * MILLISECOND, lambda event: done.set_result(event.token))
            return await asyncio.wait_for(done, 5)

    assert asyncio.run(main()) > 0


def test_asyncio_streams_events_until_closed(library):
    async def main():
        kinds = []
        context = unisono.Context()
        session = unisono.Session.host(context, listen=["127.0.0.1:0"])
        session.join()

        async def watch():
            async for event in context.stream():
                kinds.append(type(event))
                if isinstance(event, unisono.SessionStateChange) and event.state == unisono.SessionState.JOINED:
                    context.close()

        await asyncio.wait_for(watch(), 10)
        return kinds

    assert unisono.SessionStateChange in asyncio.run(main())


def test_a_person_is_sixteen_bytes(library):
    with pytest.raises(ValueError):
        unisono.Context(person=b"short")
    unisono.Context(person=b"0123456789abcdef").close()


def test_a_timer_that_another_thread_fetches_at_once_still_calls_its_function(library):
    """call_at has no window: the token may come through the queue before the caller has it."""
    fired, stop = [], threading.Event()
    with unisono.Context(own_thread=True) as context:

        class Late:
            """The library, whose call_at returns only once the timer could have been fetched."""

            def __getattr__(self, name):
                return getattr(library, name)

            def context_call_at(self, *arguments):
                status = library.context_call_at(*arguments)
                fetched.wait(0.3)
                return status

        fetched, told = threading.Event(), threading.Event()
        context._library = Late()
        fetch = context.next_event

        def fetching():
            while not stop.is_set():
                event = fetch(max_wait_ns=5 * MILLISECOND)
                if event is not None:
                    fetched.set()

        thread = threading.Thread(target=fetching)
        thread.start()
        try:
            context.call_at(context.host_time_ns, lambda event: (fired.append(event), told.set()))
            assert told.wait(10), "the timer never fired"
        finally:
            stop.set()
            thread.join()
    assert len(fired) == 1
