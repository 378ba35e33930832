#!/usr/bin/env python3
"""The examples of README, as somebody meets them who has installed Unisono: hello.c is compiled with what README says, then two
of each play together; and an installed hub takes connections and ends in order.

    hello.py README "FURTHER FLAGS OF THE COMPILER" "NAME=VALUE FOR PYTHON" COMMAND
"""

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 60


def example(readme, name):
    return re.search(rf"<!-- example: {re.escape(name)} -->\n```\w+\n(.*?)```", readme, re.S).group(1)


def line_of(process, begin):
    """The rest of the first line that begins so."""
    for line in process.stdout:
        if line.startswith(begin):
            return line[len(begin):].strip()
    raise SystemExit(f"{process.args} ended without a line {begin!r}")


def play(program, environment):
    """One hosts, one joins and presses play; both must be told to play, at the same item time."""
    begun = dict(stdout=subprocess.PIPE, text=True, env=dict(os.environ, **environment))
    with subprocess.Popen(program, **begun) as host:
        invite = line_of(host, "join with:").split()[-1]
        with subprocess.Popen([*program, invite], **begun) as guest:
            starts = [line_of(one, "play:").split(" in ")[0] for one in (host, guest)]
            results = [one.wait(LIMIT) for one in (guest, host)]
    assert results == [0, 0], f"{program} ended with {results}"
    assert starts[0] == starts[1], f"{program} began at {starts}"
    return starts[0]


def hub(command):
    """Listens where it says, and ends in order when told to."""
    with subprocess.Popen([command, "hub", "--listen", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr:
            if found := re.search(r"listens on 127\.0\.0\.1:(\d+)", line):
                break
        else:
            raise SystemExit("the hub did not say where it listens")
        socket.create_connection(("127.0.0.1", int(found.group(1))), LIMIT).close()
        process.send_signal(signal.SIGTERM)
        process.stderr.read()
        assert process.wait(LIMIT) == 0, f"the hub ended with {process.returncode}"


def main():
    readme, flags, setting, command = Path(sys.argv[1]).read_text(encoding="utf-8"), *sys.argv[2:]
    signal.alarm(4 * LIMIT)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in ("hello.c", "hello.cpp", "hello.py"):
            Path(name).write_text(example(readme, name), encoding="utf-8")
        # The line that README gives.
        subprocess.run(f"cc hello.c $(pkg-config --cflags --libs unisono) {flags} -o hello", shell=True, check=True)
        subprocess.run(f"c++ -std=c++17 hello.cpp $(pkg-config --cflags --libs unisono) {flags} -o hello++", shell=True, check=True)
        print("hello.c:", play(["./hello"], {}))
        print("hello.cpp:", play(["./hello++"], {}))
        print("hello.py:", play([sys.executable, "hello.py"], dict([setting.split("=", 1)] if setting else [])))
    hub(shlex.split(command)[0])
    print("unisono hub: listens and ends in order")


if __name__ == "__main__":
    main()
