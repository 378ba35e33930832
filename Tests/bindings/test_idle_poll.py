"""F74: what a frame's poll costs in the library: nothing of the allocator where nothing is due."""

import json
import shutil
import subprocess

import pytest
import steps
from conftest import BUILD, ROOT


@pytest.fixture(scope="module")
def measured(library, tmp_path_factory):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler; on Debian: apt install gcc")
    built = tmp_path_factory.mktemp("idle") / "idle_poll"
    source = ROOT / "Tests" / "bindings" / "idle_poll.c"
    flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}", f"-L{BUILD}", f"-Wl,-rpath,{BUILD}"]
    subprocess.run([compiler, *flags, source, "-lunisono", "-o", built], check=True)

    def run(name, own):
        found = json.loads(subprocess.run([built, str(steps.enough(120)), "16", own], check=True, stdout=subprocess.PIPE, timeout=100).stdout)
        costs = {"poll_p50": found["poll_median_us"] / 1e3, "poll_p99": found["poll_p99_us"] / 1e3}
        steps.FIGURES[name] = {"frames": found["frames"], **costs}
        assert found["position_allocations"] == 0, "reading the position never allocates"
        assert costs["poll_p50"] <= steps.POLL
        return found

    return run


def test_an_idle_poll_allocates_nothing_where_the_loop_runs_in_it(measured):
    found = measured("poll in C, polled loop", "0")
    assert found["idle"] > 60, "most frames have nothing to do"
    assert found["allocated_otherwise"] > 0, "the allocator is watched"
    # What comes due between the question whether anything is and the poll is none that was idle.
    assert found["idle_with_allocations"] <= found["idle"] / 50, found


def test_an_idle_poll_allocates_nothing_where_the_loop_has_a_thread(measured):
    found = measured("poll in C, own thread", "1")
    assert found["idle"] > 60, "most frames have nothing to do"
    assert found["idle_with_allocations"] <= found["idle"] / 50, found
