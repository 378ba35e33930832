#!/usr/bin/env python3
"""Puts deliberate faults into a copy of the core and the secure channel, one at a time, and shows what notices each.

    Tests/mutation/mutate.py                 all faults of faults.py, player_faults.py, channel_faults.py; exit status 1 if one survives
    Tests/mutation/mutate.py gather stamps   those whose names contain one of these words
    Tests/mutation/mutate.py --players       those of the player layer; --channel: those of the secure channel
    Tests/mutation/mutate.py --turn          neighbours in the table of the turn, swapped, pair by pair
    Tests/mutation/mutate.py --markdown      the table as docs/simulation.md has it
    Tests/mutation/mutate.py --check         only whether the sources still have the texts that are to be replaced (part of make test)
    Tests/mutation/mutate.py --jobs 4        so many faults at a time; else as many as there are processors

What noticed a fault is written down in noticed.json, and is asked first the next time: a fault that it still notices takes a second.

One build holds all faults; the environment variable UNISONO_FAULT switches one on. First the tests named after holes run, then the
core's, the scenarios and random seeds; the first that fails is named. Faults of the player layer meet its tests alone, those of the
channel its own and then the session's.

The steps of a turn (Coordination/Turn.swift) stand in an order. Swapping two neighbours is a fault that has to be noticed, unless the
table says otherwise: of a pair that is `.free` nothing may notice it, and what is decided in many seeds is the same to the bit;
of one that is `.unnoticed` no rule is broken. A pair that is not what the table says makes the run fail.
"""
import argparse
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

from channel_faults import CHANNEL_FAULTS
from faults import FAULTS as COORDINATION_FAULTS
from player_faults import PLAYER_FAULTS

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "mutation"
NOTICED = pathlib.Path(__file__).with_name("noticed.json")
# What Package.swift builds with UNISONO_PART=core, and with UNISONO_PART=secure.
COPIED = ["Sources/UnisonoBase", "Sources/UnisonoReplica", "Sources/UnisonoWire", "Sources/UnisonoNearby",
          "Sources/UnisonoCoordination", "Sources/UnisonoPlayer", "Sources/UnisonoSimulator", "Sources/unisono-sim",
          "Tests/UnisonoCoreTests", "Tests/UnisonoSimulatorTests", "Benchmarks/core",
          "Sources/CUV", "Sources/CAEAD", "Sources/UnisonoCrypto", "Sources/UnisonoRuntime", "Tests/UnisonoCryptoTests",
          "Tests/UnisonoRuntimeTests"]
FAULTS = COORDINATION_FAULTS + PLAYER_FAULTS + CHANNEL_FAULTS
TURN = pathlib.Path("Sources/UnisonoCoordination/Turn.swift")
TABLE = "  static let turn: [TurnStep] = ["
# Filters of the tests that run for a fault, in this order.
STAGES = {
    "coordination": [r"Holes|LostCommandTests|StartTests|SessionHoleTests", r"^UnisonoCoreTests\.", r"^UnisonoSimulatorTests\."],
    "player": [r"^UnisonoCoreTests\.(MediaPlayer|DriftController|SurfaceState)|^UnisonoSimulatorTests\.Player"],
    "channel": [r"^UnisonoCryptoTests\.(?!RoomSearch)", r"^UnisonoRuntimeTests\.(Session|Hub|Client|LyingMember)", r"RoomSearchTests"],
}
SEEDS = 400
# So many seeds decide the same if two neighbours are free to be swapped.
SAME = 1_000
# Seconds of processor time after which a run is taken for one without end, whatever else the machine does.
LONGEST = 240
FAILED = re.compile(r"✘ Test (?:case passing .* to )?\"((?:[^\"\\]|\\.)*)\".*?(?:recorded|failed)")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
SEED = re.compile(r"^seed (\d+)", re.M)
FINGERPRINT = re.compile(r"^fingerprint of seeds .*: ([0-9a-f]{16})", re.M)
STEP = re.compile(r"TurnStep\(\s*\.(\w+),.*?next: \.(free|bound|unnoticed|last)", re.S)

SWITCH = """import Glibc

/// Number of the fault that is switched on.
package let activeFault = getenv("UNISONO_FAULT").flatMap { Int32(String(cString: $0)) } ?? 0

package func isFaulty(_ number: Int32) -> Bool { activeFault == number }

/// The list, with two neighbours swapped where the fault of that pair is switched on.
package func swapped<Element>(_ list: [Element], firstFault: Int32) -> [Element] {
  let index = Int(activeFault - firstFault)
  guard (0..<list.count - 1).contains(index) else { return list }
  var list = list
  list.swapAt(index, index + 1)
  return list
}
"""

def write(path, text):
    """Leaves files that do not change alone, so that they are not built again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def pairs():
    """Neighbours of the turn: name, name, and what is said of swapping them (free, bound, unnoticed)."""
    steps = STEP.findall((ROOT / TURN).read_text(encoding="utf-8"))
    return [(one, other, order) for (one, order), (other, _) in zip(steps, steps[1:])]


def with_faults():
    """The texts of the copy with all faults in them, and the numbers of those that could not be put in."""
    texts = {}
    for folder in COPIED:
        for path in [*(ROOT / folder).rglob("*.swift"), *(ROOT / folder).rglob("module.modulemap"), *(ROOT / folder).rglob("*.h")]:
            texts[path.relative_to(ROOT)] = path.read_text(encoding="utf-8")
    lost = []
    for number, (name, file, old, new) in enumerate(FAULTS, start=1):
        path = pathlib.Path("Sources") / file
        if old not in texts.get(path, ""):
            lost.append(number)
            print(f"error: \"{name}\": {path} does not have the text that is to be replaced; "
                  f"put the present one into Tests/mutation", file=sys.stderr)
            continue
        texts[path] = texts[path].replace(old, new.replace("FAULT", f"isFaulty({number})"))
        if "import UnisonoBase" not in texts[path] and "UnisonoBase" not in path.parts:
            texts[path] = "import UnisonoBase\n" + texts[path]
    return texts, lost


def prepare():
    """Writes the copy with all faults in it; returns the numbers of those that could not be put in."""
    texts, lost = with_faults()
    first = len(FAULTS) + 1
    texts[TURN] = texts[TURN].replace(
        TABLE, f"  static let turn = swapped(table, firstFault: {first})\n\n  private static let table: [TurnStep] = [")
    if "import UnisonoBase" not in texts[TURN]:
        texts[TURN] = "import UnisonoBase\n" + texts[TURN]
    for path in list(BUILD.glob("Sources/**/*.swift")) + list(BUILD.glob("Tests/**/*.swift")):
        if path.relative_to(BUILD) not in texts and path.name != "FaultSwitch.swift":
            path.unlink()
    for path, text in texts.items():
        write(BUILD / path, text)
    if not (vectors := BUILD / "Tests" / "vectors").exists():
        vectors.symlink_to(ROOT / "Tests" / "vectors")
    write(BUILD / "Sources" / "UnisonoBase" / "FaultSwitch.swift", SWITCH)
    shutil.copy(ROOT / "Package.swift", BUILD / "Package.swift")
    if (ROOT / "Package.resolved").exists():
        shutil.copy(ROOT / "Package.resolved", BUILD / "Package.resolved")
    return lost


@functools.cache
def build(part, *arguments):
    """Each part has a folder of its own, so that the one is not built again for the other."""
    done = subprocess.run(["swift", "build", "--package-path", BUILD, "--scratch-path", BUILD / part, "-Xcc", "-O2", *arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=dict(os.environ, UNISONO_PART=part, UNISONO_OPTIMISED="1"))
    if done.returncode != 0:
        sys.exit(f"the copy with the faults does not build:\n{done.stdout[-4000:]}")


def run(arguments, number, found):
    """Runs until it ends or `found` finds something in a line of its output; returns that, or how it ended."""
    environment = dict(os.environ, UNISONO_FAULT=str(number), SWIFT_BACKTRACE="enable=no")
    process = subprocess.Popen(
        list(map(str, arguments)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST + 1)))
    started = ""
    for line in process.stdout:
        line = COLOUR.sub("", line)
        if match := found.search(line):
            process.terminate()
            process.wait()
            return match[1]
        if match := re.search(r"Test \"(.*)\" started", line):
            started = match[1]
    process.wait()
    if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return f"no end within {LONGEST} s in {started}"
    return f"crash in {started}" if process.returncode not in (0, 1) else None


def tests(part, pattern, number):
    build(part, "--build-tests")
    return run([BUILD / part / "debug/unisonoPackageTests.xctest", "--testing-library", "swift-testing",
                "--no-parallel", "--filter", pattern, "--skip", "RandomRunTests|RandomRoomTests"], number, FAILED)


def simulator():
    build("core", "-c", "release", "--product", "unisono-sim")
    return BUILD / "core/release/unisono-sim"


def seeds(number, count):
    found = run([simulator(), "--seeds", count, "--quiet"], number, SEED)
    return found and (f"seed {found}" if found.isdigit() else f"seeds: {found}")


def fingerprint(number):
    return run([simulator(), "--fingerprint", SAME, "--quiet"], number, FINGERPRINT)


def part_of(kind):
    return "secure" if kind == "channel" else "core"


def kind(number):
    """Whose fault it is; "coordination" for swaps of neighbours, too."""
    index = number - 1 - len(COORDINATION_FAULTS)
    if index < 0 or number > len(FAULTS):
        return "coordination"
    return "player" if index < len(PLAYER_FAULTS) else "channel"


def caught(number, kind):
    for pattern in STAGES[kind]:
        if name := tests(part_of(kind), pattern, number):
            return name
    # Seeds have a say only where all tests are content; without a fault they are clean (make test).
    return seeds(number, SEEDS) if number and kind == "coordination" else None


@functools.cache
def functions():
    """By a test's name: "Suite/function" of all tests that are called so."""
    found = {}
    for path in (ROOT / "Tests").rglob("*.swift"):
        suite = None
        text = path.read_text(encoding="utf-8")
        for match in re.finditer(r'^(?:@Suite.*|\s*)?(?:final )?(?:struct|class|extension) (\w+)|@Test\(\s*"((?:[^"\\]|\\.)*)"[\s\S]*?func (\w+)', text, re.M):
            if match[1]:
                suite = match[1]
            elif suite:
                found.setdefault(match[2], []).append(f"{suite}/{match[3]}")
    return found


def noticed_again(number, kind, by):
    """What noticed a fault before, if it does again."""
    if seed := re.fullmatch(r"seed (\d+)", by):
        found = kind == "coordination" and run([simulator(), "--seeds", 1, "--seed", seed[1], "--quiet"], number, SEED)
        return by if found else None
    name = re.sub(r"^(?:crash|no end within \d+ s) in ", "", by)
    if name not in functions():
        return None
    return tests(part_of(kind), "|".join(re.escape(one) + r"\(" for one in functions()[name]), number)


def swap_neighbours(words):
    """Swaps each pair of neighbours; returns those that are not what the table says."""
    usual = fingerprint(0)
    wrong = []
    for index, (one, other, said) in enumerate(pairs()):
        name = f"{one} <-> {other}"
        if words and not any(word in name for word in words):
            continue
        number = len(FAULTS) + 1 + index
        by = caught(number, "coordination")
        found, what = "bound", by
        if by is None and fingerprint(number) == usual:
            found, what = "free", f"{SAME} seeds decide the same"
        elif by is None:
            found, what = "unnoticed", f"of {SAME} seeds some decide otherwise, and break no rule"
        # What no seed of these notices may still be for a reason that can be named.
        if found != said and not (said == "unnoticed" and found == "free"):
            wrong.append(name)
        print(f"{name:48} {said:9}  {what}", flush=True)
    print("the table is right" if not wrong else f"wrong in the table: {', '.join(wrong)}", file=sys.stderr)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="only faults whose names contain one of these")
    parser.add_argument("--players", action="store_true", help="only faults of the player layer")
    parser.add_argument("--channel", action="store_true", help="only faults of the secure channel")
    parser.add_argument("--turn", action="store_true", help="only swaps of neighbours in the turn")
    parser.add_argument("--markdown", action="store_true", help="print a table for the documentation")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="so many faults at a time")
    parser.add_argument("--check", action="store_true", help="only whether the sources still have the texts that are to be replaced")
    options = parser.parse_args()
    if options.check:
        lost = with_faults()[1]
        print(f"{len(FAULTS) - len(lost)} of {len(FAULTS)} deliberate faults fit the sources")
        sys.exit(1 if lost else 0)
    lost = prepare()
    print("building (the first time: some minutes)", file=sys.stderr)
    kinds = [name for name, wanted in [("player", options.players), ("channel", options.channel)] if wanted]
    chosen = [(number, fault) for number, fault in enumerate(FAULTS, start=1)
              if number not in lost and (not kinds or kind(number) in kinds)
              and (not options.words or any(word in fault[0] for word in options.words))]
    for one in {"coordination"} if options.turn else {kind(number) for number, _ in chosen}:
        if name := caught(0, one):
            sys.exit(f"without any fault there is a failure: {name}")
    if options.turn:
        sys.exit(1 if swap_neighbours(options.words) or lost else 0)
    if options.markdown:
        print("| fault | file | caught by |\n|---|---|---|")
    # Tests are built by now; this is, too, before several faults want it at once.
    if any(kind(number) == "coordination" for number, _ in chosen):
        simulator()
    names = {fault[0] for fault in FAULTS}
    noticed = json.loads(NOTICED.read_text(encoding="utf-8")) if NOTICED.exists() else {}
    noticed = {name: by for name, by in noticed.items() if name in names}

    def judge(number, name):
        began = time.monotonic()
        by = name in noticed and noticed_again(number, kind(number), noticed[name]) or caught(number, kind(number))
        return by, time.monotonic() - began

    survivors = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = [(name, file, pool.submit(judge, number, name)) for number, (name, file, _, _) in chosen]
        for name, file, run_of_it in running:
            by, took = run_of_it.result()
            noticed[name] = by
            if by is None:
                survivors.append(name)
                del noticed[name]
            NOTICED.write_text(json.dumps(noticed, indent=0, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
            if options.markdown:
                print(f"| {name} | `{file}` | {by or '**nothing**'} |", flush=True)
            else:
                print(f"{name:52} {took:6.1f} s  {by or 'SURVIVES'}", flush=True)
    wrong = [] if options.words or kinds else swap_neighbours([])
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} faults caught"
          + (f"; surviving: {', '.join(survivors)}" if survivors else ""), file=sys.stderr)
    sys.exit(1 if survivors or lost or wrong else 0)


main()
