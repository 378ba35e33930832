"""Groups for the tests, and why there are none where the library is not built."""

from pathlib import Path

import pytest
from group import Group, environment, unavailable


@pytest.fixture
def library():
    path = Path(environment()["UNISONO_LIBRARY"])
    if not path.exists():
        pytest.skip(f"{path} is not built; run `make` first")
    return path


@pytest.fixture
def group(library):
    with Group() as made:
        yield made


@pytest.fixture
def machines(library):
    """Makes groups in which every host has a machine, and a cable, of its own."""
    why = unavailable()
    if why is not None:
        pytest.skip(why)
    return lambda *names: Group(lan=names)
