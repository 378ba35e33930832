"""Waiting for what is to be seen of other processes, threads and contexts: the limit is only for what never comes."""

import time


def until(holds, what, limit=60.0, meanwhile=lambda: time.sleep(0.01)):
    """Looks again and again, doing `meanwhile` in between; fails with a sentence after the limit, s, or with one that is made then."""
    end = time.monotonic() + limit
    while not holds():
        assert time.monotonic() < end, f"it did not happen within {limit:g} s that {what() if callable(what) else what}"
        meanwhile()


def polling(ones, step):
    """What to do meanwhile: each of them is polled for that long, s."""

    def turn():
        for one in ones:
            one.poll(step)

    return turn
