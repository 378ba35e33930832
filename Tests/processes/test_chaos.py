"""J21: whatever happens to machines, hubs and processes, all that live agree when it is over, nobody lies, and nothing grows."""

import pytest
from chaos import QUIET, run
from group import unavailable

# `make chaos` has any other, and longer ones.
SEED = 21


def test_j21_a_minute_of_chaos_at_rooms_on_six_machines(library):
    why = unavailable()
    if why is not None:
        pytest.skip(why)
    if not (library.parent / "unisono").exists():
        pytest.skip("build/unisono is not built; run `make`")
    world, _ = run(SEED, 60, rooms=3, size=6)
    assert len(world.rests) >= 3 and max(took for _, took, _ in world.rests) <= QUIET
    # What is drawn follows the seed, when it happens the machine: now and then one kind does not come up in a minute.
    assert len({fault.kind for fault in world.over}) >= 3, "there were faults of several kinds"
