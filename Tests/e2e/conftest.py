"""The built hosts and a file to play; what is missing skips the tests that need it, clearly."""

import shutil
import subprocess
from pathlib import Path

import pytest
from hosts_support import BUILD, environment


@pytest.fixture(scope="session")
def built():
    library = Path(environment()["UNISONO_LIBRARY"])
    if not library.exists():
        pytest.skip(f"{library} is not built; run `make` first")
    return BUILD


@pytest.fixture(scope="session")
def media(tmp_path_factory):
    """Ten minutes of test picture and tone."""
    for program, package in (("mpv", "mpv"), ("ffmpeg", "ffmpeg")):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed; on Debian: apt install {package}")
    path = tmp_path_factory.mktemp("media") / "film.mkv"
    source = ["-f", "lavfi", "-i", "testsrc=size=160x120:rate=25:duration=600"]
    source += ["-f", "lavfi", "-i", "sine=frequency=440:duration=600"]
    codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-pix_fmt", "yuv420p", "-c:a", "aac"]
    subprocess.run(["ffmpeg", "-v", "error", "-y", *source, *codecs, str(path)], check=True)
    return path
