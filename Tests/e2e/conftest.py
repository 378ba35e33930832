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


def make_film(path, seconds):
    """Test picture and tone."""
    for program, package in (("mpv", "mpv"), ("ffmpeg", "ffmpeg")):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed; on Debian: apt install {package}")
    source = ["-f", "lavfi", "-i", f"testsrc=size=160x120:rate=25:duration={seconds}"]
    source += ["-f", "lavfi", "-i", f"sine=frequency=440:duration={seconds}"]
    codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-pix_fmt", "yuv420p", "-c:a", "aac"]
    subprocess.run(["ffmpeg", "-v", "error", "-y", *source, *codecs, str(path)], check=True)
    return path


@pytest.fixture(scope="session")
def media(tmp_path_factory):
    """Ten minutes of test picture and tone."""
    return make_film(tmp_path_factory.mktemp("media") / "film.mkv", 600)


@pytest.fixture(scope="session")
def season(tmp_path_factory):
    """A folder with three films of eight seconds."""
    folder = tmp_path_factory.mktemp("season")
    for name in ("one.mkv", "two.mkv", "three.mkv"):
        make_film(folder / name, 8)
    return folder


@pytest.fixture
def bus():
    """A bus of one person's desktop, as its address."""
    for program, package in (("dbus-daemon", "dbus-daemon"), ("dbus-monitor", "dbus-bin"), ("playerctl", "playerctl")):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed; on Debian: apt install {package}")
    command = ["dbus-daemon", "--session", "--nofork", "--print-address=1"]
    daemon = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    yield daemon.stdout.readline().strip()
    daemon.terminate()
    daemon.wait()
