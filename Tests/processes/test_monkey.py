"""F40: sixteen processes and a monkey, for a minute; `make monkey` has as many minutes and seeds as wanted."""

import monkey


def test_after_every_commotion_all_that_live_agree(library):
    longest, rests, hosts = monkey.run(seed=40, seconds=60, size=16)
    print(f"{rests} rests, {hosts} hosts, all agreed after {longest:.2f} s at the latest")
    assert rests >= 3
