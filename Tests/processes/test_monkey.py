"""F40, J16: whatever sixteen processes do and however they die, all that live agree within 5 s of quiet, and nobody lies."""

from monkey import run

# `make monkey` has any other, and longer ones.
SEED = 20


def test_f40_a_minute_of_a_monkey_at_sixteen_processes(library):
    longest, rests, born = run(SEED, 60, 16)
    assert rests >= 4 and born > 16, "there was commotion"
    assert longest <= 5
