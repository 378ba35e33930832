"""Programs of one file that people begin with: compiled as they are told to, run, and listened to."""

import itertools
import re
import subprocess

from hosts_support import BUILD, ROOT, until

#: What pkg-config would say of the built library.
UNISONO = ["-I", str(ROOT / "include"), "-L", str(BUILD), "-lunisono", f"-Wl,-rpath,{BUILD}"]
STRICT = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror"]


def compiled(source, out, *flags):
    subprocess.run(["cc", *STRICT, str(source), *UNISONO, *flags, "-o", str(out)], check=True)
    return out


def flags_of(package):
    return subprocess.run(["pkg-config", "--cflags", "--libs", package], check=True, capture_output=True, text=True).stdout.split()


def example(page, name):
    """The file that a page prints, in one piece or in several, in their order."""
    pieces = re.findall(rf"<!-- example: {re.escape(name)} -->\n```\w+\n(.*?)```", (ROOT / page).read_text(), re.S)
    assert pieces, f"{page} prints no {name}"
    return "\n".join(pieces)


def are_heard(program, name, others):
    """It goes from place to place until the others tell of it: who is not quite in yet is told nothing, nor is of two skips in half
    a second the first."""
    for place in itertools.count(1):
        program.type(f"seek {place}")
        try:
            until(lambda: all(any(line.startswith(f"{name} sought to") for line in other.out.lines) for other in others), "", 3)
            return
        except AssertionError:
            assert place < 20, f"the others do not hear of {name}"
