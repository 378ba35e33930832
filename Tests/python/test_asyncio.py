"""F72: asyncio: readers of their own, handlers that await, and a goodbye that is heard."""

import asyncio
import threading

import pytest
import unisono
from group_support import pump
from unisono import MILLISECOND, SECOND, SessionState


async def until(holds, what, limit=30):
    async def wait():
        while not holds():
            await asyncio.sleep(0.002)

    try:
        await asyncio.wait_for(wait(), limit)
    except asyncio.TimeoutError:
        raise AssertionError(f"it did not happen within {limit} s that {what}") from None


class Silent(unisono.Delegate):
    """Completes everything at once."""

    def play(self, command):
        command.complete()

    pause = seek = buffer = play


def alone(context, delegate=None):
    """A coordinator in a session of its own."""
    coordinator = unisono.Coordinator(context, delegate)
    session = unisono.Session.host(context, listen=["127.0.0.1:0"])
    coordinator.coordinate_with(session)
    coordinator.transition_to_item("film")
    session.join()
    return coordinator, session


# ---- readers ----


def test_every_reader_gets_every_event(library):
    async def main():
        with unisono.Context() as context:
            heard = [[], []]

            async def read(stream, into):
                async for event in stream:
                    into.append(event)

            readers = [asyncio.ensure_future(read(context.stream(), into)) for into in heard]
            coordinator, _ = alone(context, Silent())
            coordinator.play()
            plays = lambda into: any(isinstance(event, unisono.PlayCommand) for event in into)  # noqa: E731
            await until(lambda: all(map(plays, heard)), "both heard of the play")
            context.detach()
            await asyncio.wait_for(asyncio.gather(*readers), 5)
            assert heard[0] == heard[1]

    asyncio.run(main())


def test_a_reader_has_what_came_before_it_was_first_asked(library):
    async def main():
        with unisono.Context() as context:
            stream = context.stream()
            fired = []
            context.call_at(context.host_time_ns, fired.append)
            await until(lambda: fired, "the timer fired")
            event = await asyncio.wait_for(stream.__anext__(), 5)
            assert isinstance(event, unisono.TimerEvent)

    asyncio.run(main())


def test_a_reader_that_is_far_behind_is_told_what_it_lost(library):
    from unisono import _streams

    async def main():
        with unisono.Context() as context:
            stream = context.stream()
            coordinator, _ = alone(context)
            fired = []
            for _ in range(_streams.LIMIT + 10):
                context.call_at(context.host_time_ns, fired.append)
            await until(lambda: len(fired) == _streams.LIMIT + 10, "all timers fired", 60)
            for target in (5, 6, 7):
                coordinator.seek(target * SECOND)
            await until(lambda: coordinator.expected_item_time_ns() == 7 * SECOND, "it was at 7 s")
            await asyncio.sleep(0)
            stream.close()
            events = [event async for event in stream]
            lost = [event for event in events if isinstance(event, unisono.OverflowEvent)]
            assert len(lost) == 1 and lost[0].others >= 10 and lost[0].messages == 0
            assert len(events) <= _streams.LIMIT + 3
            commands = [event for event in events if isinstance(event, unisono.Command)]
            assert commands[-1].item_time_ns == 7 * SECOND, "the newest command is not lost"

    asyncio.run(main())


# ---- handlers that await ----


def test_an_async_delegate_completes_when_it_is_done(library):
    class Slow(Silent):
        begun = False

        async def seek(self, command):
            Slow.begun = True
            await self.gate.wait()
            command.complete()

    async def main():
        with unisono.Context() as context:
            delegate = Slow()
            delegate.gate = asyncio.Event()
            context.attach()
            coordinator, _ = alone(context, delegate)
            coordinator.seek(5 * SECOND)
            await until(lambda: Slow.begun, "the seek was begun")
            done = coordinator.statistics.commands_completed
            delegate.gate.set()
            await until(lambda: coordinator.statistics.commands_completed > done, "it was completed")

    asyncio.run(main())


def test_a_newer_command_cancels_the_coroutine_of_the_older(library):
    class Slow(Silent):
        def __init__(self):
            self.begun, self.cancelled, self.done = [], [], []

        async def seek(self, command):
            self.begun.append(command.item_time_ns)
            try:
                if command.item_time_ns == 5 * SECOND:
                    await asyncio.Event().wait()  # a decoder that hangs
            except asyncio.CancelledError:
                self.cancelled.append(command.item_time_ns)
                raise
            self.done.append(command.item_time_ns)
            command.complete()

    async def main():
        with unisono.Context() as context:
            caught = []
            context.on_exception = caught.append
            delegate = Slow()
            context.attach()
            coordinator, _ = alone(context, delegate)
            coordinator.seek(5 * SECOND)
            await until(lambda: 5 * SECOND in delegate.begun, "the first was begun")
            coordinator.seek(6 * SECOND)
            await until(lambda: 6 * SECOND in delegate.done, "the second was done")
            await until(lambda: delegate.cancelled == [5 * SECOND], "the first was cancelled")
            assert caught == [], "being replaced is no failure"

    asyncio.run(main())


def test_an_async_delegate_that_raises_fails_its_command(library):
    class Broken(Silent):
        async def seek(self, command):
            await asyncio.sleep(0)
            raise RuntimeError("no decoder")

    async def main():
        with unisono.Context() as context:
            caught = []
            context.on_exception = caught.append
            context.attach()
            coordinator, _ = alone(context, Broken())
            coordinator.seek(5 * SECOND)
            await until(lambda: coordinator.statistics.commands_failed >= 1, "it failed")
            assert [str(error) for error in caught] == ["no decoder"]

    asyncio.run(main())


def test_async_handlers_timers_and_renderers_are_awaited(library):
    class Slow(unisono.Renderer):
        async def load(self, command):
            await asyncio.sleep(0)
            command.done(0)

        cue = play = pause = seek = load

    async def main():
        with unisono.Context() as context:
            fired, states = [], []

            async def on_timer(event):
                await asyncio.sleep(0)
                fired.append(event)

            async def on_state(event):
                await asyncio.sleep(0)
                states.append(event.state)

            context.attach()
            context.call_at(context.host_time_ns, on_timer)
            session = unisono.Session.host(context, listen=["127.0.0.1:0"])
            session.on_state = on_state
            session.join()
            player = unisono.Player(context, Slow())
            player.insert("film")
            await until(lambda: fired and SessionState.JOINED in states, "both were called")
            await until(lambda: player.item_state == unisono.ItemState.READY, "the item was loaded")

    asyncio.run(main())


def test_an_async_handler_without_a_loop_says_what_it_needs(context):
    caught = []
    context.on_exception = caught.append

    async def on_timer(event):
        raise AssertionError("it cannot run")

    context.call_at(context.host_time_ns, on_timer)
    pump([context], lambda: caught, "it was refused")
    assert isinstance(caught[0], unisono.StateError) and "Context.attach()" in str(caught[0])


def test_closing_cancels_handlers_that_still_run(library):
    async def main():
        ended = []
        context = unisono.Context()
        context.attach()

        async def on_timer(event):
            try:
                await asyncio.Event().wait()
            finally:
                ended.append(event)

        context.call_at(context.host_time_ns, on_timer)
        await until(lambda: context._tasks, "it ran")
        await asyncio.sleep(0)
        context.close()
        await until(lambda: ended, "it was cancelled")

    asyncio.run(main())


# ---- leaving in order ----


def test_leaving_the_block_says_goodbye_to_the_others(library):
    with unisono.Context() as one, unisono.Context(own_thread=True) as two:
        host = unisono.Session.host(two, display_name="Ann", listen=["127.0.0.1:0"])
        host.join()
        with unisono.Session.open(one, host.invite, display_name="Ben") as guest:
            guest.join()
            pump([one, two], lambda: len(host.participants) == 2, "both were in")
            assert not one.closed
        # It was told, not found missing: that would take 15 s and more.
        pump([two], lambda: len(host.participants) == 1, "the host was told", limit=5)
        with pytest.raises(unisono.ClosedError):
            guest.join()
        assert host.depart() and host.depart()


@pytest.mark.parametrize("own_thread", [False, True])
def test_leaving_while_another_thread_fetches_the_events(library, own_thread):
    with unisono.Context(own_thread=own_thread) as context:
        session = unisono.Session.host(context, listen=["127.0.0.1:0"])
        session.join()
        stop = threading.Event()

        def fetch():
            while not stop.is_set():
                context.poll(max_wait_ns=20 * MILLISECOND)
                fetched.set()

        thread, fetched = threading.Thread(target=fetch), threading.Event()
        thread.start()
        assert fetched.wait(10)
        try:
            assert session.depart()
        finally:
            stop.set()
            thread.join()


def test_leaving_in_asyncio(library):
    async def main():
        with unisono.Context() as one, unisono.Context() as two:
            two.attach()
            host = unisono.Session.host(two, display_name="Ann", listen=["127.0.0.1:0"])
            host.join()
            async with unisono.Session.open(one, host.invite, display_name="Ben") as guest:
                one.attach()
                guest.join()
                await until(lambda: len(host.participants) == 2, "both were in")
                with pytest.raises(unisono.StateError, match="await session.depart_async"):
                    guest.depart()
            await until(lambda: len(host.participants) == 1, "the host was told", 5)
            assert await host.depart_async()
            assert await host.depart_async()

    asyncio.run(main())


def test_a_goodbye_that_nobody_hears_ends_in_time(library):
    with unisono.Context() as context:
        session = unisono.Session.open(context, invite_to_nowhere(), display_name="Ben")
        session.join()
        context.poll(max_wait_ns=50 * MILLISECOND)
        began = context.host_time_ns
        session.depart(max_wait_ns=SECOND)
        assert context.host_time_ns - began < 3 * SECOND
        assert not context.closed


def invite_to_nowhere():
    with unisono.Context() as context:
        return unisono.Session.host(context, listen=["127.0.0.1:0"]).invite
