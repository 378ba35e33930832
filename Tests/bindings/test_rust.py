"""F78: Rust: two console hosts over unisono-sys, one over the coordinator layer and one over the player layer."""

import os
import re
import subprocess

import pytest
import sharing
import steps
from conftest import BUILD, ROOT

SAMPLES = ROOT / "bindings" / "rust" / "samples"


class Host(steps.Typed):
    def __init__(self, program, folder, name, *arguments):
        self.name, self.printed = name, folder / f"{name}.txt"
        with open(self.printed, "w") as out:
            command = [str(program), name, *arguments]
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=out, text=True, bufsize=1)


@pytest.fixture(scope="session")
def built(program, library, tmp_path_factory):
    """The folder with both programs. A Rust that is older than the crate takes is skipped: Debian 12's own is."""
    cargo = program("cargo", "cargo-web rustc-web")
    wanted = re.search(r'^rust-version = "(\d+)\.(\d+)"', (SAMPLES / "Cargo.toml").read_text(), re.M).groups()
    has = re.search(r"(\d+)\.(\d+)", subprocess.run(["rustc", "--version"], capture_output=True, text=True).stdout).groups()
    if tuple(map(int, has)) < tuple(map(int, wanted)):
        pytest.skip(f"Rust is {'.'.join(has)}, the crate needs {'.'.join(wanted)}; on Debian: apt install cargo-web rustc-web")
    folder = tmp_path_factory.mktemp("rust")
    environment = dict(os.environ, RUSTFLAGS=f"-D warnings -L native={BUILD} -C link-arg=-Wl,-rpath,{BUILD}")
    command = [cargo, "build", "--offline", "--locked", "--target-dir", str(folder)]
    done = subprocess.run(command, cwd=SAMPLES, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "debug"


@pytest.mark.parametrize("sample", ["console", "player"])
def test_f81_f84_f86_f87_f91_f93_f42_f19_two_hosts_show_what_the_group_shares(built, tmp_path, sample):
    """Over a coordinator, and over a player: the lines are the same."""
    ann = Host(built / sample, tmp_path, "Ann")
    started = [ann, Host(built / sample, tmp_path, "Ben", ann.invite)]
    try:
        sharing.share(*started, tmp_path)
    finally:
        codes = [one.close() for one in started]
    assert codes == [0, 0], [one.text for one in started]


def test_what_a_host_cannot_do_is_said(built):
    done = subprocess.run([built / "console", "Ann", "nonsense"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30)
    assert done.returncode == 1 and "unisono_session_open" in done.stderr, done.stderr
